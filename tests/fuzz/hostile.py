"""Hostile values and texts, drawn from a seeded source, and written down as plain data so that each can be repeated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any, Final

import dicedocs as dd

Text = list[Any]
"""A text as parts and how often each is repeated: a million letters are one line in a report."""


class HostileError(Exception):
    """What the methods of a hostile object raise; it may come back to whoever passed the object."""


class Hostile:
    """An object none of whose methods works."""

    def _fail(self, *_: object) -> Any:
        raise HostileError

    __str__ = __repr__ = __iter__ = __len__ = __index__ = __int__ = __bool__ = __getitem__ = __call__ = _fail


class Unequal(Hostile):
    """An object that cannot be compared or hashed either."""

    def __eq__(self, other: object) -> bool:
        raise HostileError

    def __hash__(self) -> int:
        raise HostileError


def deep(levels: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


VALUES: Final[dict[str, Callable[[], object]]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "1": lambda: 1,
    "-1": lambda: -1,
    "3": lambda: 3,
    "1001": lambda: 1001,
    "10**5": lambda: 10**5,
    "10**6": lambda: 10**6,
    "10**7": lambda: 10**7,
    "10**12": lambda: 10**12,
    "10**100": lambda: 10**100,
    "10**5000": lambda: 10**5000,
    "-10**5000": lambda: -(10**5000),
    "1.5": lambda: 1.5,
    "1e308": lambda: 1e308,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "1j": lambda: 1j,
    "Fraction": lambda: Fraction(1, 3),
    "Decimal": lambda: Decimal("NaN"),
    "''": lambda: "",
    "'x'": lambda: "x",
    "'3d6'": lambda: "3d6",
    "'total=3'": lambda: "total=3",
    "'>= 3'": lambda: ">= 3",
    "'4 2 5'": lambda: "4 2 5",
    "'Kira=3'": lambda: "Kira=3",
    "nul": lambda: "\0",
    "surrogate": lambda: "\ud800",
    "long text": lambda: "x" * 10**6,
    "many lines": lambda: "1\n" * 10**5,
    "many brackets": lambda: "[" * 10**5,
    "long digits": lambda: "9" * 10**5,
    "b'x'": lambda: b"x",
    "[]": list,
    "[[]]": lambda: [[]],
    "[1, 2]": lambda: [1, 2],
    "[None]": lambda: [None],
    "['x', 1]": lambda: ["x", 1],
    "deep list": lambda: deep(100_000),
    "long list": lambda: [1] * 10**6,
    "()": tuple,
    "(1, 2)": lambda: (1, 2),
    "{}": dict,
    "{'Kira': 3}": lambda: {"Kira": 3},
    "{1: 2}": lambda: {1: 2},
    "{'x': None}": lambda: {"x": None},
    "{'x': []}": lambda: {"x": []},
    "{1: -1}": lambda: {1: -1},
    "{1: 0}": lambda: {1: 0},
    "{1: 1.5}": lambda: {1: 1.5},
    "{nan: 1}": lambda: {math.nan: 1},
    "{None: 1}": lambda: {None: 1},
    "{(1, 2): 3}": lambda: {(1, 2): 3},
    "{huge: huge}": lambda: {10**5000: 10**5000, 1: 10**5000},
    "proxy": lambda: MappingProxyType({}),
    "set": lambda: {1, 2},
    "object": object,
    "class": lambda: int,
    "Mechanic": lambda: dd.Mechanic,
    "function": lambda: len,
    "lambda": lambda: lambda *_: [],
    "range": lambda: range(10**12),
    "count": itertools.count,
    "cycle": lambda: itertools.cycle("3"),
    "pairs": lambda: (("x", 1) for _ in itertools.count()),
    "failing": lambda: (1 // 0 for _ in "x"),
    "Hostile": Hostile,
    "Unequal": Unequal,
    "module": lambda: math,
    "Exception": lambda: ValueError("x"),
    "Outcome": lambda: dd.roll("3d6", dice=[4, 2, 5]),
    "Distribution": lambda: dd.Distribution({1: 1, 2: 3}),
    "joint": lambda: dd.Distribution({(1, "x"): 1, (2, "y"): 3}, ("left", "right")),
    "Keep": lambda: dd.highest(2),
    "Dice": lambda: dd.SeededDice(1),
    "Resources": lambda: dd.Resources({"Kira": 3}),
    "rule": lambda: rule("3d6"),
    "big rule": lambda: rule("10000d6"),
}
"""Hostile values of Python by name."""


def rule(expression: str) -> Any:
    return dd.roll(expression, seed=1).rule


LETTERS: Final = [
    *("\0", "\x1b[2J", "\x7f", "\x85", "\u200b", "\u202e", "\u2028", "\ufeff", "\ufffe", "\ud800", "\U0010ffff"),
    *("é", "е", "²", "٣", "३", "½", "Ⅷ", "×", "−", "≥", "　", "🎲", "ﬁ", "ẞ", "İ"),
    *(
        "<script>window.trapped=1</script>",
        '"><img src=x onerror="window.trapped=1">',
        "</style>",
        "javascript:x",
        "&lt;",
    ),
    *("\\input{/etc/passwd}", "\\write18{x}", "%", "#", "$", "{", "}", "_", "~", "^", "]]>", "{0}", "%s", "${x}"),
    *(
        "`",
        "``",
        "{dice:roll}`1d6`",
        "|x|",
        "```",
        ":::",
        "..",
        "::",
        "\t",
        "\r",
        "\n",
        "\r\n",
        "  ",
        "'",
        '"',
        "=",
        ",",
        ";",
    ),
]
"""Characters and markup that mean something somewhere."""
NOTATION: Final = [
    *("1d6", "3d6", "2d20", "d%", "0d6", "1d0", "1d100000", "1d1000000", "10000d20", "10001d6", "1d1000001", "1d1"),
    *(
        "+",
        "-",
        "*",
        "/",
        "(",
        ")",
        "[",
        "]",
        "[Strength]",
        "[Target Defense]",
        "[x]",
        ">=",
        "<",
        "==",
        "!=",
        "><",
        "=",
        "!",
    ),
    *("0", "1", "7", "999999999999", "1000000000000", "1.5", "1e9", "-1", " ", "kh1", "d", "dd", "a", "min(", ","),
    *(
        "kl",
        "dh2",
        "d1",
        "k>3",
        "p1",
        "!",
        "!!",
        "!p",
        "!>=2",
        "x3",
        "r",
        "ro<3",
        "u",
        "uo",
        "mi2",
        "max5",
        ">=4",
        "f1",
    ),
    *("cs", "cf<2", "s", "sd", "dF", "4dF.1", "d66", "d{-,hit,2}", "{", "}", "%", "**", "^", "floor(", "ceil("),
    *("[fire]", " fire", "#", "//", "/*", "*/", "(1d4)d", "d(1d6)"),
]
"""Tokens of the notation, and of what people take for it."""
MODIFIERS: Final = (
    *("kh1", "kl2", "dh1", "dl1", "k>2", "p1", "r1", "ro<3", "mi2", "ma3", "u", "uo", "!", "!!", "!p", "!!p", "!>=2"),
    *("!x3", "!!>=2x1000", "!x999999999999", ">=3", ">=3f1", "cs>2", "cf", "s", "kh5000"),
)
"""Modifiers of dice."""
WORDS: Final = [
    *(
        "total",
        "raw",
        "mean",
        "median",
        "p",
        "at least",
        "at most",
        "between 3 and 5",
        "=",
        "()",
        "(",
        ")",
        ",",
        "%",
        "1/3",
    ),
    *(
        ">=",
        "<=",
        "1",
        "11",
        "999999999999999",
        "10.5%",
        "about",
        "vs",
        "true",
        "x",
        "success",
        "dice",
        "-",
        "to",
        "..",
        "in",
    ),
]
"""Words of claims, events and expected facts."""
SCENE: Final = [
    *("vault", "heat", "vault.full", "arlyn", "arlyn.Stress", "arlyn.Position", "nails-the-cat.Harm", "target.Heat"),
    *("left", "success", "first.left", "first.", "second.success", '"', ' "risky"', "2", "0 of 9", "true", "."),
    *(" += ", " -= ", " = ", "; ", " at least ", " not ", " > ", " + ", " * ", "(", ")", " " * 30),
]
"""What stands in changes and conditions of a scene, and what people take for it."""


NUMBERS: Final = [
    *range(-2, 13),
    20,
    50,
    100,
    999,
    1000,
    1001,
    10_000,
    30_000,
    10**5,
    10**6,
    10**7,
    10**9,
    10**12 - 1,
    10**12,
    10**40,
]
"""Numbers of every size."""


def expression(random: Random, depth: int = 2, *, modified: bool = False) -> str:
    """Draw notation that has no mistake but its size.

    Parameters:
        modified: whether dice have modifiers, and there are sets, functions and computed dice.
    """
    draw = random.random()
    if depth and draw < 0.5:
        left, right = (expression(random, depth - 1, modified=modified) for _ in range(2))
        if modified and draw < 0.15:
            form = random.choice(
                ["{{{}, {}}}kh1", "max({}, {})", "({})d({})", "({}) ** ({})", "{{{}, {}}}>=3", "({}) % ({})"]
            )
            return form.format(left, right)
        return f"{left} {random.choice('++-**/')} {right}"
    if depth and draw < 0.65:
        return f"({expression(random, depth - 1, modified=modified)})"
    if draw < 0.85:
        count, sides = random.choice(NUMBERS[3:]), random.choice(NUMBERS[3:])
        modifiers = random.sample(MODIFIERS, random.choice([0, 0, 1, 1, 2])) if modified else ()
        return f"{count}d{sides}{''.join(modifiers)}"
    return random.choice(["[Strength]", "[Target Defense]", str(random.choice(NUMBERS[2:]))])


def text(random: Random, tokens: Sequence[str]) -> Text:
    """Draw a text: tokens and hostile letters, sometimes repeated very often."""
    parts: Text = []
    for _ in range(random.choice([1, 2, 3, 3, 5, 8])):
        part = random.choice(LETTERS if random.random() < 0.15 else tokens)
        parts.append([part, random.choice([60, 1000, 30_000]) if random.random() < 0.03 else 1])
    if random.random() < 0.1:
        parts.append([" ", 1])
    return parts


def written(parts: Text) -> str:
    """Return the text that was drawn."""
    return "".join(part * times for part, times in parts)


def value(random: Random) -> str:
    """Draw the name of a hostile value."""
    return random.choice(list(VALUES))


def json_value(random: Random, words: Sequence[str], depth: int = 3) -> Any:
    """Draw what JSON can hold."""
    draw = random.random()
    if depth and draw < 0.2:
        return [json_value(random, words, depth - 1) for _ in range(random.randrange(4))]
    if depth and draw < 0.4:
        return {random.choice(words): json_value(random, words, depth - 1) for _ in range(random.randrange(4))}
    if draw < 0.7:
        return random.choice(words)
    numbers: list[Any] = [None, True, False, 0, 1, 3, -1, 10**6, 10**12, 10**100, 1.5, math.inf, math.nan, "\ud800"]
    return random.choice(numbers)
