"""Playing a mechanic by its id, and the two short names of the Expression language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import ParameterError
from dicedocs.rules.dice import Dice, ScriptedDice, SeededDice
from dicedocs.rules.registry import mechanic

if TYPE_CHECKING:
    from dicedocs.rules.mechanic import Mechanic, Outcome

EXPRESSION: Final = "methuen/expression"
"""The mechanic that :func:`roll` is short for."""
CHECK: Final = "methuen/check"
"""The mechanic that :func:`check` is short for."""

Seed = int | str
DiceSource = Dice | Iterable[int] | str | int
"""Where faces come from: any dice, or the faces of a table, as numbers or as text."""
ResourceValues = Mapping[str, int] | str


def play(id: str, /, *, seed: Seed | None = None, dice: DiceSource | None = None, **parameters: Any) -> Outcome:
    """Play a mechanic.

    Parameters:
        id: the id of an installed mechanic, such as ``"methuen/expression"``.
        seed: a whole number or text that decides the dice.
        dice: the faces in the order thrown, all of which must be used, or any
            :class:`~dicedocs.rules.dice.Dice`. With neither seed nor dice, chance is fresh.
        parameters: the mechanic's parameters, each as itself or as its text.

    Returns:
        Its outcome.

    Raises:
        ParameterError: a parameter, the seed or a face is not what it can be, or there is no such mechanic.
        NotationError: the notation of an Expression or a Check is wrong.
        ResourceError: a resource is missing.
        LimitError: a budget was passed.

    >>> play("methuen/expression", expression="3d6", dice=[4, 2, 5]).facts("total")
    'total=11'
    """
    return _played(mechanic(id)(**parameters), seed, dice)


def roll(
    expression: str,
    actor: ResourceValues | None = None,
    target: ResourceValues | None = None,
    *,
    seed: Seed | None = None,
    dice: DiceSource | None = None,
) -> Outcome:
    """Roll an Expression (M30).

    Parameters:
        expression: such as ``"1d6 + [Strength]"``.
        actor: the resources of whoever acts, which ``[Strength]`` reads.
        target: the resources of the target, which ``[Target Defense]`` reads.
        seed, dice: as for :func:`play`.

    Returns:
        The outcome, with the facts ``total`` and ``raw``.

    Raises:
        DiceError: as for :func:`play`.

    >>> roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3]).value
    7
    """
    return _played(_ready(EXPRESSION, "expression", expression, actor, target), seed, dice)


def check(
    check: str,
    actor: ResourceValues | None = None,
    target: ResourceValues | None = None,
    *,
    seed: Seed | None = None,
    dice: DiceSource | None = None,
) -> Outcome:
    """Make a Check (M86): an Expression, one comparison, an Expression.

    Parameters:
        check: such as ``"1d20 + [Attack] >= [Target Defense]"``.
        actor, target, seed, dice: as for :func:`roll`.

    Returns:
        The outcome, with the facts ``success``, ``left`` and ``right``.

    Raises:
        DiceError: as for :func:`play`.

    >>> check("1d20 + [Attack] >= [Target Defense]", {"Attack": 6}, {"Defense": 12}, dice=[8]).value
    True
    """
    return _played(_ready(CHECK, "check", check, actor, target), seed, dice)


def rule_from_notation(
    text: str, actor: ResourceValues | None = None, target: ResourceValues | None = None
) -> Mechanic:
    """Give the rule of a text: a Check where it compares, else an Expression.

    Parameters:
        text: such as ``"3d6 + 2"`` or ``"1d20 + 6 >= 12"``.
        actor, target: as for :func:`roll`.

    Raises:
        DiceError: as for :func:`roll`.

    >>> rule_from_notation("1d20 + 6 >= 12").id
    'methuen/check'
    """
    if set("<>=!") & set(text):
        return _ready(CHECK, "check", text, actor, target)
    return _ready(EXPRESSION, "expression", text, actor, target)


def dice_from(seed: Seed | None, dice: DiceSource | None) -> Dice:
    """Give the dice that a seed, faces or nothing at all stand for.

    Raises:
        ParameterError: both were given, or what was given is neither.
    """
    if dice is None:
        return SeededDice(seed)
    if seed is not None:
        raise ParameterError("a seed and dice were given", hint="give one of them", parameter="dice")
    return dice if isinstance(dice, Dice) else ScriptedDice(dice)


def _played(rule: Mechanic, seed: Seed | None, dice: DiceSource | None) -> Outcome:
    if seed is None and isinstance(dice, Dice):
        return rule.play(dice)
    source = dice_from(seed, dice)
    outcome = rule.play(source)
    source.finish()
    return outcome


def _ready(id: str, name: str, text: str, actor: ResourceValues | None, target: ResourceValues | None) -> Mechanic:
    """Give the rule of a text, remembered while nothing but the text matters."""
    if actor is None and target is None and type(text) is str:
        return _seen(id, name, text)
    return mechanic(id)(**{name: text, "actor": actor or {}, "target": target or {}})


@lru_cache(maxsize=1024)
def _seen(id: str, name: str, text: str) -> Mechanic:
    return mechanic(id)(**{name: text})
