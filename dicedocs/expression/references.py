"""The references to resources in a tree, and the values that they have for an actor and a target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ResourceError, listed, near, quoted
from dicedocs.expression.mistakes import Dialect
from dicedocs.expression.parser import leaf_positions, reference_positions
from dicedocs.expression.tree import (
    ACTOR,
    SCOPES,
    TARGET,
    DiceTerm,
    Number,
    Resource,
    Tree,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    leaves,
    plain,
)

_CACHE_SIZE = 1024
_VALUE_END: Final = 10**limits.DIGITS.maximum


@lru_cache(_CACHE_SIZE)
def references(tree: Tree) -> tuple[Resource, ...]:
    """Return the references of a tree from left to right, with repetitions.

    >>> references(DiceTerm(Number(2), Resource("actor", "Size")))
    (Resource(scope='actor', name='Size'),)
    """
    parts = [part for leaf in leaves(tree) for part in (leaf if type(leaf) is DiceTerm else (leaf,))]
    return tuple([part for part in parts if type(part) is Resource])


def resolve_references(
    tree: Tree,
    actor: Mapping[str, int],
    target: Mapping[str, int] | None = None,
    text: str = "",
    dialect: Dialect = "plain",
) -> tuple[int, ...]:
    """Return the values of a tree's references.

    Parameters:
        tree: the tree.
        text, dialect: the notation that it was parsed from, in which errors then have their position.
        actor: the resources of the actor.
        target: the resources of the target; ``None`` when there is no target.

    Returns:
        The value of each of :func:`references`, in the same order.

    Raises:
        ResourceError: a resource is missing, or is a negative count of dice, or a number of sides below 1.
        LimitError: a value has too many digits, or there would be too many dice or sides.

    >>> resolve_references(DiceTerm(Number(2), Resource("actor", "Size")), {"Size": 8})
    (8,)
    """
    resources = references(tree)
    if not resources:
        return ()
    sources = {ACTOR: actor, TARGET: target or {}}
    missing = [resource for resource in resources if resource.name not in sources[resource.scope]]
    if missing:
        error = _missing(tuple(dict.fromkeys(missing)), actor, target)
        raise _at_reference(error, text, resources.index(missing[0]), dialect)
    values = tuple([sources[scope][name] for scope, name in resources])
    for index, (resource, value) in enumerate(zip(resources, values, strict=True)):
        if not -_VALUE_END < value < _VALUE_END:
            whose = f"the {resource.scope}'s {quoted(resource.name)}"
            message = f"{whose} has more than {limits.DIGITS.maximum} digits, the limit DIGITS"
            raise _at_reference(LimitError(message, limit=limits.DIGITS.name), text, index, dialect)
    if _dice_have_references(tree, text):
        _check_dice(tree, iter(values), text if plain(tree) else "", dialect)
    return values


@lru_cache(_CACHE_SIZE)
def _dice_have_references(tree: Tree, _text: str) -> bool:
    # The trees of two texts may be equal tuples: that of [A]d2 and that of [A]**2.
    return any(type(leaf) is DiceTerm and Resource in map(type, leaf) for leaf in leaves(tree))


def _at_reference(error: DiceError, text: str, index: int, dialect: Dialect) -> DiceError:
    """Return an error with the position of a reference, if the notation is known."""
    if text:
        error.text, error.at = text, reference_positions(text, dialect)[index]
    return error


def _check_dice(tree: Tree, values: Iterator[int], text: str, dialect: Dialect) -> None:
    """Raise an error that names the reference when dice are impossible or too many."""
    dice = 0
    for index, leaf in enumerate(leaves(tree)):
        if type(leaf) is Resource:
            next(values)
        elif type(leaf) is DiceTerm:
            number = leaf.count.value if isinstance(leaf.count, Number) else next(values)
            sides = leaf.sides.value if isinstance(leaf.sides, Number) else next(values)
            try:
                _check_dice_term(leaf, dice, number, sides)
            except DiceError as error:
                if text:
                    error.text, error.at = text, leaf_positions(text, dialect)[index]
                raise
            dice += number


def _check_dice_term(term: DiceTerm, before: int, number: int, sides: int) -> None:
    if sides < 1:
        raise _impossible(term.sides, f"a die cannot have {sides} sides", "it has 1 or more")
    if number < 0:
        raise _impossible(term.count, f"{number} dice cannot be thrown", "throw 0 or more")
    limits.SIDES.check(sides, hint=f"{format(term.sides)} is too large for sides")
    limits.DICE.check(before + number, hint="throw fewer dice")


def _impossible(part: Number | Resource, message: str, hint: str) -> DiceError:
    if isinstance(part, Number):
        return DiceError(message, hint=hint)
    return ResourceError(f"{message}, the value of {format(part)}", scope=part.scope, name=part.name, hint=hint)


def _missing(
    missing: tuple[Resource, ...], actor: Mapping[str, int], target: Mapping[str, int] | None
) -> ResourceError:
    first = missing[0]
    if first.scope == TARGET and target is None:
        names = [quoted(name) for scope, name in missing if scope == TARGET]
        message = f"there is no target to have {listed(names, 'and')}"
        hint = "give the target's resources"
        if first.name in actor:
            hint += f", or write {format(Resource(ACTOR, first.name))} for the actor's own"
    else:
        message = listed([f"the {resource.scope} has no {quoted(resource.name)}" for resource in missing], "and")
        hint = _hint_for_missing(first, {ACTOR: actor, TARGET: target or {}})
    return ResourceError(message, scope=first.scope, name=first.name, hint=hint)


def _hint_for_missing(missing: Resource, sources: Mapping[str, Mapping[str, int]]) -> str:
    """Return the hint for a missing resource: the other scope, the scope's word in another case, or a similar name."""
    scope, name = missing
    other = TARGET if scope == ACTOR else ACTOR
    if name in sources[other]:
        return f"the {other} has one: write {format(Resource(other, name))}"
    word, _, rest = name.partition(" ")
    intended = SCOPES.get(word.capitalize())
    if intended and rest in sources[intended]:
        return f"write {format(Resource(intended, rest))}"
    owner, dot, resource = name.partition(".")
    if owner and dot and resource:
        written = format(Resource(scope, resource))
        return f"write {written}" if resource in sources[scope] else f"give {owner} as the {scope}, and write {written}"
    return near(name, sources[scope]) or ("" if sources[scope] else f"give the {scope}'s resources, as in {name}=4")
