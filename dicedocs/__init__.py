"""Dice rules that explain themselves: roll, check, count and document any tabletop game.

>>> import dicedocs as dd
>>> dd.roll("3d6", dice=[4, 2, 5]).total
11
"""

from __future__ import annotations

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
from dicedocs.params import Numbers, PoolFaces, Resources, Sizes, param
from dicedocs.playing import check, play, roll
from dicedocs.record import Die, Faces
from dicedocs.registry import mechanics

__all__ = [
    "Dice",
    "DiceError",
    "Die",
    "Example",
    "ExpectationError",
    "Faces",
    "Keep",
    "LimitError",
    "Mechanic",
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
    "fact",
    "find_seed",
    "highest",
    "listed",
    "lowest",
    "mechanics",
    "near",
    "param",
    "play",
    "quoted",
    "roll",
]
