"""The references to resources in a tree, and the tree with the values that they have for an actor and a target."""

from __future__ import annotations

from collections.abc import Mapping

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ResourceError, listed, quoted
from dicedocs.similar_words import near
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.tree import (
    ACTOR,
    SCOPES,
    TARGET,
    DiceTerm,
    Node,
    Number,
    Reference,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    nodes,
    rebuild,
)


def references(tree: Node) -> list[Reference]:
    """Return the references of a tree from left to right, with repetitions.

    >>> references(DiceTerm(Number(2), Reference("actor", "Size")))
    [Reference(scope='actor', name='Size')]
    """
    return [node for node in nodes(tree) if isinstance(node, Reference)]


def substitute(tree: Node, actor: Mapping[str, int], target: Mapping[str, int] | None = None, text: str = "") -> Node:
    """Return a tree with the values of its references in their place.

    Parameters:
        tree: the tree.
        actor: the resources of the actor.
        target: the resources of the target; ``None`` when there is no target.
        text: the notation that it was parsed from, in which errors then have their position.

    Raises:
        ResourceError: a resource is missing, or is a negative count of dice, or a number of sides below 1.
        LimitError: a value has too many digits, or there would be too many dice or sides.

    >>> format(substitute(DiceTerm(Number(2), Reference("actor", "Size")), {"Size": 8}))
    '2d8'
    """
    found = references(tree)
    if not found:
        return tree
    sources = {ACTOR: actor, TARGET: target or {}}
    missing = [reference for reference in found if reference.name not in sources[reference.scope]]
    if missing:
        raise _located(_missing(list(dict.fromkeys(missing)), actor, target), missing[0].at, text)
    for reference in found:
        if abs(sources[reference.scope][reference.name]) >= 10**limits.DIGITS.maximum:
            whose = f"the {reference.scope}'s {quoted(reference.name)}"
            message = f"{whose} has more than {limits.DIGITS.maximum} digits, the limit DIGITS"
            raise _located(LimitError(message, limit=limits.DIGITS.name), reference.at, text)
    dice = 0

    def change(node: Node) -> Node:
        nonlocal dice
        if isinstance(node, Reference):
            return Number(sources[node.scope][node.name])
        changed = rebuild(node, change)
        if isinstance(node, DiceTerm) and isinstance(changed, DiceTerm):
            try:
                dice += _checked_count(node, changed, dice)
            except DiceError as error:
                raise _located(error, node.at, text) from None
        return changed

    return change(tree)


def _located(error: DiceError, at: int, text: str) -> DiceError:
    """Return an error with its position, if the notation is known."""
    if text:
        error.text, error.at = text, at
    return error


def _checked_count(written: DiceTerm, term: DiceTerm, before: int) -> int:
    """Return the number of dice of a term, where it is known, after checking that they can be thrown."""
    match term.sides:
        case Number(sides) if sides < 1:
            raise _impossible(written.sides, f"a die cannot have {sides} sides", "it has 1 or more")
        case Number(sides):
            limits.SIDES.check(sides, hint=f"{_text(written.sides)} is too large for sides")
    if not isinstance(term.count, Number):
        return 0
    if term.count.value < 0:
        raise _impossible(written.count, f"{term.count.value} dice cannot be thrown", "throw 0 or more")
    limits.DICE.check(before + term.count.value, hint="throw fewer dice")
    return term.count.value


def _text(sides: Node | DieFaces) -> str:
    return str(sides) if isinstance(sides, DieFaces) else format(sides)


def _impossible(part: Node | DieFaces, message: str, hint: str) -> DiceError:
    if not isinstance(part, Reference):
        return DiceError(message, hint=hint)
    return ResourceError(f"{message}, the value of {format(part)}", scope=part.scope, name=part.name, hint=hint)


def _missing(missing: list[Reference], actor: Mapping[str, int], target: Mapping[str, int] | None) -> ResourceError:
    first = missing[0]
    if first.scope == TARGET and target is None:
        names = [quoted(reference.name) for reference in missing if reference.scope == TARGET]
        message = f"there is no target to have {listed(names, 'and')}"
        hint = "give the target's resources"
        if first.name in actor:
            hint += f", or write {format(Reference(ACTOR, first.name))} for the actor's own"
    else:
        message = listed([f"the {reference.scope} has no {quoted(reference.name)}" for reference in missing], "and")
        hint = _hint_for_missing(first, {ACTOR: actor, TARGET: target or {}})
    return ResourceError(message, scope=first.scope, name=first.name, hint=hint)


def _hint_for_missing(missing: Reference, sources: Mapping[str, Mapping[str, int]]) -> str:
    """Return the hint for a missing resource: the other scope, the scope's word in another case, or a similar name."""
    scope, name = missing.scope, missing.name
    others: Mapping[str, str] = getattr(sources[scope], "others", {})
    if name in others:
        return f"the {name} is {quoted(others[name])}, which is not a whole number"
    other = TARGET if scope == ACTOR else ACTOR
    if name in sources[other]:
        return f"the {other} has one: write {format(Reference(other, name))}"
    word, _, rest = name.partition(" ")
    intended = SCOPES.get(word.capitalize())
    if intended and rest in sources[intended]:
        return f"write {format(Reference(intended, rest))}"
    owner, dot, resource = name.partition(".")
    if owner and dot and resource:
        written = format(Reference(scope, resource))
        return f"write {written}" if resource in sources[scope] else f"give {owner} as the {scope}, and write {written}"
    return near(name, sources[scope]) or ("" if sources[scope] else f"give the {scope}'s resources, as in {name}=4")
