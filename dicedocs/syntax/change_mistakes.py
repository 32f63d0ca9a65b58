"""Common mistakes in the changes of a scene."""

from __future__ import annotations

import re
from typing import Final

from dicedocs.syntax.mistakes import Diagnosis, Groups, IllegalText, Mistake, Row, as_operand, sentence
from dicedocs.syntax.relations import KEYWORD
from dicedocs.syntax.rule_mistakes import HIGHEST_BOUND, LOWEST_BOUND
from dicedocs.syntax.spellings import CASE


def _gained(groups: Groups) -> str:
    """Return a change that is said in words: ``gain 1 heat``."""
    is_less = groups["way"] in {"lose", "spend", "remove", "subtract", "-", "decrease", "reduce", "lower"}
    return f"{groups['name']} {'-' if is_less or groups.get('down') else '+'}= {groups['value']}"


def _together(failure: IllegalText) -> Diagnosis | None:
    """Diagnose changes that no semicolon separates."""
    text = failure.text
    apart = _TOGETHER.sub("; ", text)
    names, sign, value = re.split(r"([+-]?=)", apart, maxsplit=1) if "=" in apart else (apart, "", "")
    if ";" in names:  # heat, luck += 1
        apart = "; ".join(f"{name.strip()} {sign}{value}" for name in names.split(";"))
    return None if apart == text else Diagnosis(0, "", "", slice(0, len(text)), {"": apart})


_TOGETHER: Final = re.compile(
    r"(?<=\S)\s*(?:,|&|\b(?:and|then)\b|\.(?=\s))\s*"
    r"(?=[^\W\d_][\w.'’ ]*?\s*(?:[+-]=|=(?![^;]*\b(?:if|else)\b)))(?=[^\"]*\Z)"
)
"""What stands between two changes where a semicolon should."""
_CHANGE: Final = r"[^\W\d_][\w.'’ ]*?"
# fmt: off
CHANGES: Final[tuple[Row, ...]] = (
    sentence(
        rf"(?P<name>{_CHANGE})\s*(?P<sign>[-+])=\s*(?P<value>[^,;]*?[^,;\s])\s*,?\s*(?:but\s+)?"
        rf"(?:(?P<low>{LOWEST_BOUND})|{HIGHEST_BOUND})\s+(?P<number>-?[0-9]+)",
        lambda groups: f"{groups['name']} = {'max' if groups['low'] else 'min'}"
        f"({groups['name']} {groups['sign']} {groups['value']}, {groups['number']})",
    ),
    sentence(rf"(?P<name>{_CHANGE})\s*=\s*(?P<value>[^,;=]*?[^,;=\s])\s*,?\s*{CASE}\s+(?P<test>[^,;]+)",
        "{name} = {value} if {test}, else {name}",
    ),
    Mistake(
        "", "", rf"if\s+(?P<test>.+?)\s*(?:\bthen\b|[,:])\s*(?P<change>{_CHANGE}\s*[+-]?=.+)",
        "", "", "{change} if {test}, else 0",
    ),
    _together,
    # heat =+ 2; but heat =-2 is a number below 0
    Mistake(
        "", "", r"(?P<name>[^=]*[^=\s])\s*=(?P<sign>\+(?=\s*\w)|-(?=\s+\w))\s*(?P<value>.*)",
        "", "", "{name} {sign}= {value}",
    ),
    Mistake(
        "", "", rf"(?P<name>{_CHANGE})\s*(?P<sign>[+-])(?:(?P=sign)|\s*(?P<value>\w[\w.]*))\Z", "", "",
        lambda groups: f"{groups['name']} {groups['sign']}= {groups['value'] or 1}",
    ),
    Mistake(
        "", "", rf"(?P<name>{_CHANGE})\s*(?P<sign>[*/×÷])=\s*(?P<value>.+)", "", "",
        lambda groups: f"{groups['name']} = {groups['name']} {groups['sign']} {as_operand(groups['value'])}",
    ),
    Mistake(
        "", "",
        rf"(?P<way>gain|add|mark|take|lose|spend|remove|subtract|[+-]|)\s*(?P<value>[0-9]+)\s+(?P<name>{_CHANGE})\Z",
        "", "", _gained,
    ),
    Mistake(
        "", "", rf"(?:(?P<way>increase|raise|decrease|reduce|lower)\s+|)(?P<name>{_CHANGE})(?P<down>\s+goes\s+down|)"
        r"(?:\s+goes\s+up)?\s+by\s+(?P<value>\w+)", "", "", _gained,
    ),
    Mistake(
        "", "", rf"(?:set\s+)?(?P<name>{_CHANGE})(?:\s*:=?\s*|\s+(?:to|becomes|is)\s+|\s+(?=[0-9]))(?P<value>[^=]+)",
        "", "", "{name} = {value}",
    ),
    Mistake(
        "", "", rf"(?P<one>{_CHANGE}\s*[+-]?=\s*[0-9]+)\s+(?!{KEYWORD})(?P<other>{_CHANGE}\s*[+-]?=.+)",
        "", "", "{one}; {other}",
    ),
)
"""What is no change, wherever it would be read as one."""
# fmt: on
