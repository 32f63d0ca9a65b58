"""Common mistakes in the changes of a scene."""

from __future__ import annotations

import re
from typing import Final

from dicedocs.syntax.foreign_words import CASE, NUMBER_WORD, NUMBERS
from dicedocs.syntax.mistakes import Diagnosis, Groups, IllegalText, Row, as_operand, compiled, sentence
from dicedocs.syntax.relations import KEYWORD
from dicedocs.syntax.rule_mistakes import HIGHEST_BOUND, LOWEST_BOUND


def _said(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a change that is said in words: ``gain 1 heat``, ``heat drops to 2``, ``bryn loses 2 Stamina``."""
    for pattern in _SAID:
        if found := compiled(pattern, re.IGNORECASE).fullmatch(failure.text.strip()):
            groups = dict.fromkeys(("owner", "to", "up", "down", "off", "set", "by"), "") | found.groupdict(default="")
            if not (groups["to"] or groups["set"] or groups["up"] or groups["down"] or groups["by"]):
                continue
            sign = "=" if groups["to"] or groups["set"] else "-=" if groups["down"] or groups["off"] else "+="
            value = NUMBERS.get(groups["value"].lower(), groups["value"])
            name = ".".join(filter(None, (groups["owner"], groups["name"])))
            return Diagnosis(0, "", "", slice(0, len(failure.text)), {"": f"{name} {sign} {value}"})
    return None


def _together(failure: IllegalText) -> Diagnosis | None:
    """Diagnose changes that no semicolon separates."""
    text = failure.text
    apart = _TOGETHER.sub("; ", re.sub(r"\A([\w.'’, ]+?)\s*:\s*([+-])\s*(?=\w)", r"\1 \2= ", text))  # heat: +1
    names, sign, value = re.split(r"([+-]?=)", apart, maxsplit=1) if "=" in apart else (apart, "", "")
    if ";" in names:  # heat, luck += 1
        apart = "; ".join(f"{name.strip()} {sign}{value.removesuffix(' each')}" for name in names.split(";"))
    return None if apart == text else Diagnosis(0, "", "", slice(0, len(text)), {"": apart})


def _multiplied(groups: Groups) -> str:
    """Return a change that doubles or halves a value."""
    name = groups["name"] or groups["named"]
    return f"{name} = {name} {'* 2' if groups['twice'] or groups['doubles'] else '/ 2'}"


_TOGETHER: Final = re.compile(
    r"(?<=\S)\s*(?:,|&|\b(?:and|then)\b|\.(?=\s))\s*"
    r"(?=[^\W\d_][\w.'’ ]*?\s*(?:[+-]=|=(?![^;]*\b(?:if|else)\b)))(?=[^\"]*\Z)"
)
"""What stands between two changes where a semicolon should."""
_CHANGE: Final = r"[^\W\d_][\w.'’ ]*?"
_UP: Final = (
    r"(?P<up>(?:gain|add|mark|take|increase|raise|rise|grow|climb|regain|recover|heal)s?\b|go(?:es)?\s+up\b|up\b|\+)"
)
_DOWN: Final = (
    r"(?P<down>(?:lose|spend|pay|remove|subtract|decrease|reduce|lower|drop|fall|sink)s?\b|go(?:es)?\s+down\b|down\b|-)"
)
_SET: Final = r"(?P<set>set\b|becomes?\b|is\b|:=?|→|[-=]>)"
_VALUE: Final = rf"(?P<value>[0-9]+|(?:{NUMBER_WORD})\b)"
_SAID: Final = (
    rf"(?:{_UP}|{_DOWN})\s*{_VALUE}\s+(?:(?P<off>from)\s+|(?:to|of|on|in)\s+)?(?P<name>{_CHANGE})",
    rf"(?P<owner>[^\W\d_][\w'’]*)\s+(?:{_UP}|{_DOWN})\s*{_VALUE}\s+(?P<name>{_CHANGE})",
    rf"(?:{_UP}|{_DOWN}|{_SET})\s+(?P<name>{_CHANGE})\s+(?:by|(?P<to>to))\s+(?P<value>[^=;]+)",
    rf"(?P<name>{_CHANGE})\s*(?:\b|(?=[:+→=-])){_SET}\s*(?P<value>[^=;]+)",
    rf"(?P<name>{_CHANGE})\s+(?:{_UP}|{_DOWN}|)\s*(?:(?P<by>by\s+)|(?P<to>to\s+)|)(?P<value>\w[\w.]*)",
)
"""How changes are said: what way, by how much or to what, and of what."""
# fmt: off
CHANGES: Final[tuple[Row, ...]] = (
    sentence(
        rf"(?P<name>{_CHANGE})\s+of\s+[0-9]+\s*(?P<sign>[-+]?=)\s*(?P<value>.*\S)", "{name} {sign} {value}"
    ),
    sentence(
        rf"(?P<name>{_CHANGE})\s*(?P<sign>[-+])=\s*(?P<value>[^,;(]*?[^,;(\s])\s*[,(]?\s*(?:but\s+)?"
        rf"(?:(?P<low>{LOWEST_BOUND})|{HIGHEST_BOUND})\s+(?P<number>-?[0-9]+)\)?",
        lambda groups: f"{groups['name']} = {'max' if groups['low'] else 'min'}"
        f"({groups['name']} {groups['sign']} {groups['value']}, {groups['number']})",
    ),
    sentence(rf"(?P<name>{_CHANGE})\s*=\s*(?P<value>[^,;=]*?[^,;=\s])\s*,?\s*{CASE}\s+(?P<test>[^,;]+)",
        "{name} = {value} if {test}, else {name}",
    ),
    sentence(
        rf"if\s+(?P<test>.+?)\s*(?:\bthen\b|[,:])\s*(?P<change>{_CHANGE}\s*[+-]?=.+)", "{change} if {test}, else 0"
    ),
    _together,
    # heat =+ 2; but heat =-2 is a number below 0
    sentence(
        r"(?P<name>[^=]*[^=\s])\s*=(?P<sign>\+(?=\s*\w)|-(?=\s+\w))\s*(?P<value>.*\S)", "{name} {sign}= {value}"
    ),
    sentence(
        rf"(?P<name>{_CHANGE})\s*(?P<sign>[+-])(?:(?P=sign)|\s*(?P<value>\w[\w.]*))",
        lambda groups: f"{groups['name']} {groups['sign']}= {groups['value'] or 1}",
    ),
    sentence(
        rf"(?P<name>{_CHANGE})\s*(?P<sign>[*/×÷])=\s*(?P<value>.+)",
        lambda groups: f"{groups['name']} = {groups['name']} {groups['sign']} {as_operand(groups['value'])}",
    ),
    sentence(
        rf"(?:(?P<twice>double)|halve)\s+(?P<name>{_CHANGE})|(?P<named>{_CHANGE})\s+(?:(?P<doubles>is\s+doubled|doubles)"
        r"|is\s+halved|halves)", _multiplied,
    ),
    _said,
    sentence(rf"(?P<name>{_CHANGE})\s+(?P<value>[0-9]+)", "{name} = {value}"),
    sentence(rf"(?:reset|clear|empty)\s+(?P<name>{_CHANGE})", "{name} = 0"),
    sentence(rf"(?P<name>{_CHANGE})\s*==+\s*(?P<value>[^=]+)", "{name} = {value}"),
    sentence(
        rf"(?P<one>{_CHANGE}\s*[+-]?=\s*[0-9]+)\s+(?!{KEYWORD})(?P<other>{_CHANGE}\s*[+-]?=.+)", "{one}; {other}"
    ),
)
"""What is no change, wherever it would be read as one."""
# fmt: on
