"""Playing a mechanic by its id, and the short forms for the notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from dicedocs import limits
from dicedocs.errors import NotationError, ParameterError, is_text
from dicedocs.rules.dice import Dice, ScriptedDice
from dicedocs.rules.registry import CHECK, ROLL, mechanic
from dicedocs.rules.seeds import SeededDice

if TYPE_CHECKING:
    from dicedocs.rules.mechanic import Mechanic
    from dicedocs.rules.outcome import Outcome

Seed = int | str
DiceSource = Dice | Iterable[int] | str | int
"""Any dice, or faces as numbers or as text."""
ResourceValues = Mapping[str, int] | str
_MAX_FRESH_SEED: Final = 999_999
"""Short enough to be read out and typed again."""


def play(id: str, /, *, seed: Seed | None = None, dice: DiceSource | None = None, **parameters: Any) -> Outcome:
    """Play a mechanic.

    Parameters:
        id: the id of an installed mechanic, such as ``"methuen/expression"``.
        seed: a whole number or text that decides the dice.
        dice: the faces in the order thrown, all of which must be used, or any
            :class:`~dicedocs.rules.dice.Dice`. With neither ``seed`` nor ``dice`` the dice are random.
        parameters: the mechanic's parameters, each as itself or as its text.

    Raises:
        ParameterError: the mechanic is unknown, or a parameter, the seed or a face is invalid.
        NotationError: an expression or a check has a syntax error.
        ResourceError: a resource is missing.
        LimitError: a limit is exceeded.

    >>> play("methuen/expression", expression="3d6", dice=[4, 2, 5]).facts("total")
    'total=11'
    """
    return _play(mechanic(id)(**parameters), seed, dice)


def roll(
    notation: str,
    actor: ResourceValues | None = None,
    target: ResourceValues | None = None,
    *,
    seed: Seed | None = None,
    dice: DiceSource | None = None,
) -> Outcome:
    """Roll dice as they are written: :func:`play` for ``dice/roll``.

    Parameters:
        notation: such as ``"4d6kh3 + [Strength]"``.
        actor: the resources of the acting character, which ``[Strength]`` reads.
        target: the resources of the target, which ``[Target Defense]`` reads.
        seed, dice: as for :func:`play`.

    Returns:
        The outcome, with the fact ``total`` and those of dice that are counted.

    >>> roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3]).value
    7
    >>> roll("4d6kh3", dice=[5, 2, 6, 3]).value
    14
    """
    return _play(_notation_rule(ROLL, "notation", notation, actor, target), seed, dice)


def check(
    check: str,
    actor: ResourceValues | None = None,
    target: ResourceValues | None = None,
    *,
    seed: Seed | None = None,
    dice: DiceSource | None = None,
) -> Outcome:
    """Compare two values: :func:`play` for ``dice/check``.

    Parameters:
        check: two notations and a comparison, such as ``"1d20 + [Attack] >= [Target Defense]"``.
        actor, target, seed, dice: as for :func:`roll`.

    Returns:
        The outcome, with the facts ``success``, ``left`` and ``right``.

    >>> check("1d20 + [Attack] >= [Target Defense]", {"Attack": 6}, {"Defense": 12}, dice=[8]).value
    True
    """
    return _play(_notation_rule(CHECK, "check", check, actor, target), seed, dice)


def rule_from_notation(
    text: str, actor: ResourceValues | None = None, target: ResourceValues | None = None
) -> Mechanic:
    """Return the rule of a text: a check when it compares two values, else a roll.

    Raises:
        NotationError, ResourceError, LimitError: as for :func:`play`.

    >>> rule_from_notation("1d20 + 6 >= 12").id, rule_from_notation("5d10>=8").id
    ('dice/check', 'dice/roll')
    """
    if is_text(text) and set("<>=!≥≤≠") & set(text):
        # A comparison that is attached to dice counts them, so that only the grammar tells the two apart.
        try:
            return _notation_rule(CHECK, "check", text, actor, target)
        except NotationError as error:
            try:
                return _notation_rule(ROLL, "notation", text, actor, target)
            except NotationError as roll_error:
                raise max(error, roll_error, key=lambda one: one.at) from None
    return _notation_rule(ROLL, "notation", text, actor, target)


def dice_from(seed: Seed | None, dice: DiceSource | None) -> Dice:
    """Return the dice of a seed or of faces, or random dice; both together are a :class:`ParameterError`."""
    if dice is None:
        return SeededDice(seed)
    if seed is not None:
        raise ParameterError("a seed and dice were given", hint="give one of them", parameter="dice")
    return dice if isinstance(dice, Dice) else ScriptedDice(dice)


def fresh_seed() -> int:
    """Return a random seed from 1 to 999,999."""
    return SeededDice().roll(_MAX_FRESH_SEED)


def _play(rule: Mechanic, seed: Seed | None, dice: DiceSource | None) -> Outcome:
    if seed is None and isinstance(dice, Dice):
        return rule.play(dice)
    source = dice_from(seed, dice)
    outcome = rule.play(source)
    source.finish()
    return outcome


def _notation_rule(
    id: str, name: str, text: str, actor: ResourceValues | None, target: ResourceValues | None
) -> Mechanic:
    if actor is None and target is None and type(text) is str:
        return _cached_rule(id, name, text)
    named = {"actor": actor, "target": target}
    return mechanic(id)(**{name: text, **{who: values for who, values in named.items() if values is not None}})


@limits.cached(1024)
def _cached_rule(id: str, name: str, text: str) -> Mechanic:
    return mechanic(id)(**{name: text})
