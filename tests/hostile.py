"""Hostile input for all tests: values of Python, texts that mean something to a language, JSON and notation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import dicedocs as dd
from dicedocs.probability.event import Event
from dicedocs.rules.registry import mechanic


class HostileError(Exception):
    """What the methods of a hostile object raise."""


def failing(*methods: str) -> object:
    """Return an object whose methods fail with an error that is none of ours."""

    def fail(*_: object) -> Any:
        raise HostileError

    return type("Failing", (), dict.fromkeys(methods, fail))()


METHODS: Final = (
    *("__str__", "__repr__", "__iter__", "__len__", "__index__", "__int__", "__bool__", "__getitem__", "__call__"),
    *("__lt__", "__gt__", "__le__", "__ge__"),
)


def deep(levels: int, kind: type[list[Any] | tuple[Any, ...]] = list) -> Any:
    """Return a list in a list in a list: its text overflows the stack."""
    nested = kind()
    for _ in range(levels):
        nested = kind((nested,))
    return nested


def own_item() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


VALUES: Final[dict[str, Callable[[], object]]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "1": lambda: 1,
    "-1": lambda: -1,
    "3": lambda: 3,
    "1001": lambda: 1001,
    "10**6": lambda: 10**6,
    "10**7": lambda: 10**7,
    "10**12": lambda: 10**12,
    "10**100": lambda: 10**100,
    "10**5000": lambda: 10**5000,
    "-10**5000": lambda: -(10**5000),
    "0.5": lambda: 0.5,
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
    "'at least x'": lambda: "at least x",
    "'4 2 5'": lambda: "4 2 5",
    "'Kira=3'": lambda: "Kira=3",
    "nul": lambda: "\0",
    "surrogate": lambda: "\ud800",
    "low surrogate": lambda: "\udc80",
    "Arabic digit": lambda: "٣",
    "long text": lambda: "x" * 10**6,
    "many lines": lambda: "1\n" * 10**5,
    "many brackets": lambda: "[" * 10**5,
    "long digits": lambda: "9" * 10**5,
    "subclass of str": lambda: type("Text", (str,), {})("3"),
    "b'x'": lambda: b"x",
    "b'1 2'": lambda: b"1 2",
    "[]": list,
    "[[]]": lambda: [[]],
    "[[1], [2]]": lambda: [[1], [2]],
    "[1, 2]": lambda: [1, 2],
    "[None]": lambda: [None],
    "['x', 1]": lambda: ["x", 1],
    "[10**5000]": lambda: [10**5000],
    "own item": own_item,
    "nested list": cache(lambda: deep(5_000)),
    "deep list": cache(lambda: deep(100_000)),
    "()": tuple,
    "(1, 2)": lambda: (1, 2),
    "deep tuple": lambda: deep(3_000, tuple),
    "{}": dict,
    "{'Kira': 3}": lambda: {"Kira": 3},
    "{1: 2}": lambda: {1: 2},
    "{1: 'x'}": lambda: {1: "x"},
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
    "class": lambda: frozenset,
    "Mechanic": lambda: dd.Mechanic,
    "Expression": lambda: mechanic("methuen/expression"),
    "function": lambda: len,
    "lambda": lambda: lambda *_: [],
    "range": lambda: range(10**12),
    "range without len": lambda: range(10**100),
    "count": itertools.count,
    "cycle": lambda: itertools.cycle("3"),
    "pairs": lambda: (("x", 1) for _ in itertools.count()),
    "generator": lambda: (n for n in [1]),
    "failing": lambda: (1 // 0 for _ in "x"),
    "no text": lambda: failing("__str__", "__repr__"),
    "no comparison": lambda: failing("__eq__", "__lt__", "__gt__", "__le__", "__ge__"),
    "no iteration": lambda: failing("__iter__"),
    "no attributes": lambda: failing("__getattr__"),
    "Hostile": lambda: failing(*METHODS),
    "Unequal": lambda: failing(*METHODS, "__eq__", "__hash__"),
    "Unhashable": lambda: failing(*METHODS, "__eq__"),
    "[Unhashable]": lambda: [failing(*METHODS, "__eq__")],
    "{'x': Unhashable}": lambda: {"x": failing(*METHODS, "__eq__")},
    "module": lambda: math,
    "Exception": lambda: ValueError("x"),
    "Outcome": lambda: dd.roll("3d6", dice=[4, 2, 5]),
    "Die": lambda: dd.Die(6, 1),
    "Distribution": lambda: dd.Distribution({1: 1, 2: 3}),
    "joint": lambda: dd.Distribution({(1, "x"): 1, (2, "y"): 3}, ("left", "right")),
    "Event": lambda: Event.read("3"),
    "Keep": lambda: dd.highest(2),
    "Dice": lambda: dd.SeededDice(1),
    "Resources": lambda: dd.Resources({"Kira": 3}),
    "rule": lambda: dd.roll("3d6", seed=1).rule,
    "big rule": lambda: dd.roll("10000d6", seed=1).rule,
}
"""Values of any type, by name: what is right for one argument is wrong for another."""

JSON: Final[list[Any]] = [
    *(None, True, 0, -1, 10**100, 1.5, math.nan, math.inf),
    *("", "x" * 20_000, "\ud800", "\0", [], [[]], {}, {"": 1}),
]
"""What JSON may hold in the place of anything else."""

TRAP: Final = "window.trapped=1"
SCRIPT: Final = f"<script>{TRAP}</script>"
MARKUP: Final = [
    SCRIPT,
    f'"><img src=x onerror="{TRAP}">',
    f"'><svg onload={TRAP}>",
    f"javascript:{TRAP}",
    f"</style>{SCRIPT}",
    f"</title></code></pre></textarea>{SCRIPT}",
    f"<!--{SCRIPT}--> ]]>{SCRIPT}",
    f"&lt;script&gt;{TRAP}&lt;/script&gt; &#60;script&#62;",
    "\\input{/etc/passwd} \\write18{id} \\end{document}",
    "% #{}$^_~\\ ^^5c ^^M \\verb|x|",
    "{0} {} %s %(x)s {{ x }} {% raw %} ${x}",
    "`x <javascript:alert(1)>`_ |sub| [x](javascript:alert(1)) ![x](javascript:alert(1))",
    "@input /etc/passwd @c @end ifset",
    ".so /etc/passwd",
    "'\\\" .so /etc/passwd",
    "\\fB \\*[x] \\n(.z",
    "<img/src=http://evil.example/x.png><link rel=stylesheet href=//evil.example/x.css>",
]
"""Texts that mean something to HTML, LaTeX, Jinja, reStructuredText, Markdown, Texinfo or roff."""
INLINE: Final = [
    *("'", '"', "&", "&lt;b&gt;", "<b>", "<!--", "-->", "]]>", '" onmouseover="alert(1)', "</title></svg>"),
    *("</caption></table>", "{", "}", "$x^2$", "%", "#1", "~", "^", "=", ",", ":seed: 9", "\\"),
    *("_a_", "a_", "a_b_", "*b*", "**", "|c|", "`", "``d``", "```", "~~~", "[e](f)", "{dice:roll}`3d6`"),
]
"""Short pieces of markup, which matter by what they stand beside."""
CONTROLS: Final = {
    "NUL": "\0",
    "BEL": "\a",
    "ANSI": "\x1b[31mred\x1b]0;title\a",
    "C1": "\x9b31m\x85",
    "bidi": "\u202egnp.exe\u2066\u2069",
    "LS": "line\u2028separator\u2029",
    "nonchar": "\ufffe\uffff\ufdd0",
    "BOM": "\ufeffx",
}
"""Characters that are illegal in XML, move a terminal's cursor, or turn text round."""
SURROGATE: Final = "\ud800"
"""Half a character, which no encoding can write; it comes from Python only."""
EVERYTHING: Final = " ".join(MARKUP)

NOTATIONS: Final = {
    "no text": "",
    "lines": "\n" * 999,
    "NUL": "2d6\0",
    "NUL in a resource": "[A\0]",
    "full width": "２d６",
    "full width d": "２ｄ６",
    "surrogate": SURROGATE,
    "surrogate after dice": "2d6 + \udc80",
    "resource of a surrogate": "[\udc80]",
    "the last surrogate": "[\udfff]",
    "resource of HTML": "[" + "<script>" * 1000 + "]",
    "nested": "(" * 10_000 + "1" + ")" * 10_000,
    "opened": "(" * 10_000,
    "nested nothing": "(" * 500 + ")" * 500,
    "letters": "x" * 1_000_000,
    "a sum": "1+" * 500_000,
    "a whole sum": "1+" * 500_000 + "1",
    "a million blanks": "1" + " " * 1_000_000,
    "many huge dice": "999999999d999999999",
    "many dice": "+".join(["9999d6"] * 100),
    "digits": "9" * 100_000,
    **{
        repr(text): text * (1000 // len(text))
        for text in (*'[]d=!"', "[A", "a ", "2 ", "1,000", "1.", "--", "not ", "(1<2)", "1<2")
    },
    "blanks": " " * 999 + "x",
    "blanks in dice": "1" + " " * 998 + "d",
    "signs": "×" * 999,
    "names": "Strength x " * 90,
}
"""Notations that are always refused, by name."""
