"""Dice rules that explain themselves: roll, check, count and document any tabletop game.

>>> import dicedocs as dd
>>> dd.roll("3d6", dice=[4, 2, 5]).total
11
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicedocs.dice import Dice, Keep, ScriptedDice, SeededDice, highest, lowest
from dicedocs.errors import (
    DiceError,
    ExpectationError,
    LimitError,
    NotationError,
    ParameterError,
    ResourceError,
    listed,
    near,
    quoted,
)
from dicedocs.example import Example, find_seed
from dicedocs.explanation import Operand, Operation, Say, Step
from dicedocs.kinds import Places
from dicedocs.mechanic import Mechanic, Outcome, fact
from dicedocs.params import Notation, Numbers, PoolFaces, Resources, Sizes, param
from dicedocs.playing import check, play, roll
from dicedocs.record import Die, Faces
from dicedocs.registry import mechanics

if TYPE_CHECKING:
    from dicedocs.distribution import Distribution
    from dicedocs.enumeration import odds
    from dicedocs.estimation import Estimate, estimate

__all__ = [
    "Dice",
    "DiceError",
    "Die",
    "Distribution",
    "Estimate",
    "Example",
    "ExpectationError",
    "Faces",
    "Keep",
    "LimitError",
    "Mechanic",
    "Notation",
    "NotationError",
    "Numbers",
    "Operand",
    "Operation",
    "Outcome",
    "ParameterError",
    "Places",
    "PoolFaces",
    "ResourceError",
    "Resources",
    "Say",
    "ScriptedDice",
    "SeededDice",
    "Sizes",
    "Step",
    "check",
    "estimate",
    "fact",
    "find_seed",
    "highest",
    "listed",
    "lowest",
    "mechanics",
    "near",
    "odds",
    "param",
    "play",
    "quoted",
    "roll",
]

_LATE = {
    "Distribution": "dicedocs.distribution",
    "Estimate": "dicedocs.estimation",
    "estimate": "dicedocs.estimation",
    "odds": "dicedocs.enumeration",
}
"""Names of the odds, and their modules: whoever only rolls does not wait for them."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    held: object = getattr(import_module(_LATE[name]), name)
    globals()[name] = held
    return held


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
