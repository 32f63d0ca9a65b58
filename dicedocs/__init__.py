"""Dice rules that explain themselves: roll, check, count and document any tabletop game.

>>> import dicedocs as dd
>>> dd.roll("3d6", dice=[4, 2, 5]).total
11
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicedocs.errors import (
    DiceError,
    ExpectationError,
    LimitError,
    NotationError,
    ParameterError,
    ResourceError,
    listed,
    quoted,
)
from dicedocs.limits import raise_limits
from dicedocs.rules.dice import Dice, Keep, ScriptedDice, highest, lowest
from dicedocs.rules.example import Example
from dicedocs.rules.kinds import Places, PoolFacesKind
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.params import Notation, Numbers, PoolFaces, Sizes, param
from dicedocs.rules.playing import check, play, roll
from dicedocs.rules.record import Die, Faces
from dicedocs.rules.registry import mechanics
from dicedocs.rules.resources import Resources
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import Operand, Operation, Say, Step
from dicedocs.similar_words import near
from dicedocs.translation import language, set_language

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.probability.enumeration import odds
    from dicedocs.probability.estimation import Estimate, estimate
    from dicedocs.probability.seed_search import find_seed
    from dicedocs.probability.verification import verify_distribution
    from dicedocs.scenes.books import Book, book
    from dicedocs.scenes.character import Character
    from dicedocs.scenes.scene import Scene
    from dicedocs.scenes.track import Track
    from dicedocs.syntax.decisions import Decision

__all__ = [
    "Book",
    "Character",
    "Decision",
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
    "PoolFacesKind",
    "ResourceError",
    "Resources",
    "Say",
    "Scene",
    "ScriptedDice",
    "SeededDice",
    "Sizes",
    "Step",
    "Track",
    "book",
    "check",
    "estimate",
    "fact",
    "find_seed",
    "highest",
    "language",
    "listed",
    "lowest",
    "mechanics",
    "near",
    "odds",
    "param",
    "play",
    "quoted",
    "raise_limits",
    "roll",
    "set_language",
    "verify_distribution",
]

_LAZY = {
    "Book": "dicedocs.scenes.books",
    "Character": "dicedocs.scenes.character",
    "Decision": "dicedocs.syntax.decisions",
    "Distribution": "dicedocs.probability.distribution",
    "Estimate": "dicedocs.probability.estimation",
    "Scene": "dicedocs.scenes.scene",
    "Track": "dicedocs.scenes.track",
    "book": "dicedocs.scenes.books",
    "estimate": "dicedocs.probability.estimation",
    "find_seed": "dicedocs.probability.seed_search",
    "odds": "dicedocs.probability.enumeration",
    "verify_distribution": "dicedocs.probability.verification",
}
"""Public names whose modules are imported at first use: a program that only rolls needs none of them."""


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
