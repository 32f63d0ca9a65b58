"""Common mistakes in conditions, in cases, and in words for each outcome."""

from __future__ import annotations

import re
from typing import Final

from dicedocs.syntax.mistakes import Diagnosis, Groups, IllegalText, Mistake, Row, as_operand, compiled, sentence
from dicedocs.syntax.notation_mistakes import THROWN
from dicedocs.syntax.relations import COMPARE, DOWNWARDS, KEYWORD, UPWARDS


def _parity(groups: Groups) -> str:
    return f"{groups['lead']}{groups['name']} % 2 {'!' * bool(groups['not'])}= {int(groups['odd'].lower() == 'odd')}"


def _multiple_of(groups: Groups) -> str:
    return f"{groups['lead']}{groups['name']} % {groups['number']} {'!' * bool(groups['not'])}= 0"


def _denied(groups: Groups) -> str | None:
    """Return what is yes where another condition is not; ``None`` for a number."""
    return None if re.match(r"[0-9(]", groups["value"]) else f"{groups['value']} and not {as_operand(groups['test'])}"


def _both(groups: Groups) -> str:
    """Return two conditions, each as one where it is several."""
    parts = (groups["one"].strip(), groups["other"])
    return " and ".join(f"({part})" if re.search(r"(?ai:\b(?:and|or)\b)", part) else part for part in parts)


def _unless(groups: Groups) -> str:
    added = re.fullmatch(r"(?P<base>.*\S)\s*(?P<sign>[-+])\s*(?P<more>[^-+]*\S)", groups["value"])
    if added:  # 1d20 + 2 unless hurt
        return f"{added['base']}, {added['sign']}{added['more']} if not {as_operand(groups['test'])}"
    return f"{groups['value']} if not {as_operand(groups['test'])}, else 0"


def _listing(failure: IllegalText) -> Diagnosis | None:
    """Diagnose words that are listed with commas behind a comparison."""
    for found in compiled(_LISTED).finditer(failure.text):
        if found.start() <= failure.at <= found.end() + 1:
            part = slice(found.start("words"), found.end("words"))
            return Diagnosis(failure.at, "", "", part, {"": _BETWEEN.sub(" or ", found["words"])})
    return None


VALUE_FIRST = "the value stands before its condition"
_LAST = "the last value follows else"
AS_A_CASE = "write it as in 2d8 if critical, else 1d8"
RELATION_BETWEEN = "a relation stands between the two"
_OUTCOME: Final = r"(?:(?P<yes>succeed(?:s|ed)|is\s+a\s+success)|fail(?:s|ed)|is\s+a\s+failure)\b"
_OPEN_END: Final = rf"(?:{'|'.join((*UPWARDS, *DOWNWARDS))})"
_WORD: Final = rf"""["'“]?(?:(?!{KEYWORD})[\w'’-]++["”]?\s*+)++"""
_LISTED: Final = rf"(?:{COMPARE})\s*+(?P<words>{_WORD}(?:,\s*+{_WORD})+,?\s*+(?:or|and(?=\s+[0-9]))\s++{_WORD}(?<!\s))"


def _filled(groups: Groups) -> str:
    """Return whether a track is full, or empty."""
    name, denied = groups["name"], bool(groups["not"])
    return f"{'not ' * denied}{name}.full" if groups["state"] == "full" else f"{name} {'!' * denied}= 0"


def _succeeded(groups: Groups) -> str:
    return groups["name"] if groups["yes"] else f"not {groups['name']}"


def _example_succeeded(groups: Groups) -> str:
    return f"{_succeeded(groups)}.success"


_BETWEEN: Final = re.compile(r"\s*,\s*(?:(?:or|and)\s+)?|\s+and\s+")
_COMPARED_NAME: Final = rf"(?P<name>(?<!\w)(?!{KEYWORD})[^\W\d_][\w.]*(?:\s+(?!{KEYWORD})\w+)*?)"
_SUBJECT: Final = rf"(?P<lead>(?:^|[(,]|\b{KEYWORD})\s*){_COMPARED_NAME}"
"""A name that is no part of a calculation."""
_NO_LIST: Final = rf"(?!\s*(?:,|(?ai:and|or)\b)\s*(?:(?:[0-9]+|(?ai:even|odd))\s*(?:\Z|[,)]|(?ai:and|or)\b)|{COMPARE}))"
"""What has no value behind it that is compared with the same name."""
# fmt: off
CONDITIONS: Final[tuple[Row, ...]] = (
    # Conditions.
    Mistake(
        "operator", rf"{THROWN}\s*", r"in\s+[0-9]",
        "dice are compared by name", "write it as in roll is 5-6, and roll = 1d6 on a line above",
    ),
    Mistake(
        "operator", r"(?:(?<!\w)(?:is|are)|(?<!<)(?<!>)=)(?P<not>\s+not\b|(?<=!=)|)\s*(?P<low>(?<!\w)\w+)",
        r"[‒–—](?P<high>\w+)", "", "write between {low} and {high}",
        lambda groups: None if groups["not"] else f"is between {groups['low']} and {groups['high']}",
    ),
    Mistake("", r"(?P<number>[0-9]+)\s*", r"of\s+[0-9]+", "a track is compared by its number", "", "{number}"),
    Mistake(
        "", rf"{_SUBJECT}\s*(?:(?:\b(?:is|are)|=)\s+)?(?P<not>not\s+)?",
        rf"(?:an?\s+)?(?P<odd>(?ai:even|odd))\b(?:\s+numbers?\b)?{_NO_LIST}",
        "", "write it as in total % 2 = 0", _parity,
    ),
    Mistake(
        "", rf"{_SUBJECT}\s*(?:\b(?:is|are)|=)\s+(?P<not>not\s+|)",
        rf"(?:an?\s+)?(?:multiple\s+of|divisible\s+by)\s+(?P<number>[0-9]+)\b{_NO_LIST}", "", "", _multiple_of,
    ),
    Mistake("operand", "", r"(?:an?\s+)?(?:multiple\s+of|divisible\s+by)\b", "", "write it as in total % 3 = 0"
    ),
    Mistake("operand", "", r"(?ai:even|odd)\b", "", "write it as in total % 2 = 0"),
    Mistake(
        "operator", r"\s*", r"(?ai:beats|exceeds)\b\s*",
        "", "write '>' or '>='", {"for ties that win": " >= ", "for ties that lose": " > "},
    ),
    Mistake(
        "", rf"{_SUBJECT}\s*(?:\b(?:is|are)\s+)?",
        rf"(?:(?:at|of)\s+)?(?P<number>[0-9]+(?:\s*(?:[-+–][0-9]*|\bor\s+{_OPEN_END}|\bto\s+[0-9]+))?)"
        r"(?:\s*(?:/|of)\s*[0-9]+|\s+exactly)?(?=\s*(?:\Z|\)|,\s*(?:else|otherwise|[-+])|(?:and|or|but)\b))",
        RELATION_BETWEEN, "write '{name} is {number}'", "{lead}{name} is {number}",
    ),
    sentence(r"(?P<one>[^,]*[^,\s])\s+xor\s+(?P<other>[^,]*[^,\s])", "({one}) != ({other})"),
    Mistake("", r",\s*", r"(?P<truth>yes|no)\s*\Z", "a comparison is yes or no", "leave the rest out", ""),
    Mistake("operand", r"(?P<sign>[=!]=)", r"=+", "", "", "{sign}"),
    Mistake("operand", "", r"\|(?P<inner>[^|]+)\|", "", "", "abs({inner})"),
    Mistake("", r"(?P<number>[0-9]+)\s+at\s+(?P<end>least|most)\s*", r"(?=\Z|,)", "", "", "at {end} {number}"),
    Mistake("", r"\bfrom\s+(?P<number>[^\s,]+)\s+", r"up\s+to\b", "", "", "from {number} to"),
    Mistake("", r"\bfrom\s+(?P<number>[0-9]+)\s+", r"(?:up|on)(?:wards?)?\b", "", "", "at least {number}"),
    Mistake("", r"\bneither\s+(?P<first>[^,]+?)\s*,\s*", r"(?=\S)", "", "", "neither {first} nor "),
    sentence(
        r"(?P<base>(?:(?!\bif\b)[^,(])*[^,(\s])\s*(?:,|(?P<open>\())\s*(?P<more>[0-9dD][^,()]*?)\s+(?P<case>if\s+[^,()]+?)(?(open)\s*\))",
        {"to add it": "{base}, +{more} {case}", "to have it instead": "{more} {case}, else {base}"},
    ),
    sentence(
        r"(?P<value>[^,]+?)\s+(?P<case>if\s+[^,]+?)\s+or\s+(?P<other>[0-9]*d[0-9][^,]*)", "{value} {case}, else {other}"
    ),
    Mistake("", r"\((?P<inner>(?!.*\belse\b)[^()]*\bif\b[^()]*?)\s*", r"\)", "", "", "({inner}, else 0)"),
    Mistake(
        "operator", r"^\s*(?P<name>[^\W\d_][\w ]*?)\s+", r"(?P<rows>[0-9]+\s*(?:[-+–]|to\s)[^,]*?\s[^,]*,.*)",
        "rows follow a colon", "write {name}: {rows}",
    ),
    Mistake(
        "", r"(?P<name>[^\W\d][\w.]*)\s+(?:(?:is|are|=)\s+)?(?P<not>(?:not|isn['’]t)\s+|)",
        r"(?P<state>full|empty)\b", "", "", _filled,
    ),
    Mistake("operand", "", rf"(?P<name>[^\W\d_][\w.-]*)\s+{_OUTCOME}", "", "", _example_succeeded),
    Mistake("operator", r"(?P<name>[^\W\d_][\w.-]*)\s+", _OUTCOME, "", "", _succeeded),
    # Commas.
    _listing,
    Mistake("", r"\b(?ai:one|any)\s+of\s+(?P<first>[^,]+?)\s*,\s*", r"(?=\S)", "", "", "{first} or "),
    Mistake("operand", "", r"(?ai:it)\s+", "", "", ""),
    Mistake("", r"^(?P<one>(?!.*\bor\b)[^,]*[^,\s])\s*,\s*", r"(?=(?ai:and|but)\b(?!.*\bor\b))", "", "", "{one} "),
    Mistake(
        "", rf"(?P<one>(?:{COMPARE})[^,]*[^,\s])\s*,\s*", rf"(?=[^,]*?(?:{COMPARE})|(?:not\s+)?[^\W\d][\w ]*\Z)",
        "", "", "{one} and ",
    ),
    Mistake("", rf"(?P<one>(?:{COMPARE})\s*[0-9][^,]*?)\s*,\s*", r"(?=[0-9])(?!.*\bif\b)", "", "", "{one} or "),
    Mistake(
        "", r"^\s*(?P<one>[^,<>=]+?)\s*,\s*", rf"(?P<other>[^,<>=]+?)\s*(?P<test>(?:{COMPARE}).+)",
        "", "",
        {
            "for both": "{one} {test} and {other} {test}", "for one of them": "{one} {test} or {other} {test}",
            "for a condition of its own": "{one} and {other} {test}",
        },
    ),
    # Cases.
    Mistake(
        "operand", r"^\s*",
        r"(?ai:if)\s+(?P<test>[^:,]+?)\s*(?:\bthen\s|[:,])\s*(?P<value>[^,]+?)\s*,?\s*"
        r"\b(?ai:else|otherwise)\b\s*:?\s*(?P<other>.*\S)\s*",
        VALUE_FIRST, AS_A_CASE, "{value} if {test}, else {other}",
    ),
    Mistake("operand", r"^\s*", r"(?ai:unless)\s+(?P<test>[^:,?]+)\Z", "", "", "not ({test})"),
    sentence(r"if\s+(?P<test>[^:,?]+[^:,?\s])", "{test}", "a condition alone has no if"),
    Mistake("operand", r"(?:^|\b(?ai:else|otherwise)\b)\s*", r"(?ai:if)\b", VALUE_FIRST, AS_A_CASE),
    Mistake("operand", r"^\s*", r"(?ai:else|otherwise)\b", _LAST, AS_A_CASE),
    Mistake(
        "operator", r"^\s*(?P<test>[^,]*\S)\s*", r"\?\s*(?P<value>[^:]*?)\s*:\s*(?P<other>.*\S)\s*",
        VALUE_FIRST, AS_A_CASE, "{value} if {test}, else {other}",
    ),
    Mistake("operator", r"^\s*(?P<test>[^,]*\S)\s*", r"(?:\?|\bthen\b)", VALUE_FIRST, AS_A_CASE),
    Mistake("operator", r"^\s*(?P<name>[^\W\d_][\w ]*?)\s*", r":\s*(?P<value>\S.*)", "", AS_A_CASE, "{name} = {value}"),
    Mistake(
        "operator", r"^\s*(?P<value>[^,]*[^,\s])\s*", r"(?ai:unless)\s+(?P<test>[^,]*[^,\s])\s*\Z", "", AS_A_CASE,
        {"to have a value only then": _unless, "for yes or no": _denied},
    ),
    Mistake("operator", r"\s*", r"(?ai:unless)\b\s*", "a case begins with if", AS_A_CASE, " if not "),
    Mistake(
        "operator", r",\s*(?P<last>[^,]+?)\s*", r"(?ai:else|otherwise)\s*\Z",
        "else stands before the last value", AS_A_CASE, ", else {last}",
    ),
    Mistake("operator", r"\s*", r";\s*(?=(?ai:else|otherwise)\b|[-+])", "cases are separated by commas", "", ", "),
    Mistake("operand", r",\s*", r"(?ai:or)\s+(?=\S+\s*\Z)", _LAST, AS_A_CASE, ", else "),
    Mistake(
        "operator", r"\bif\s+(?P<test>[^,]+?)\s*,\s*(?P<value>[^,]+?)\s+if\s+not\s+(?P=test)\s*", r"\Z",
        _LAST, AS_A_CASE, "if {test}, else {value}",
    ),
    Mistake(
        "operator",
        r"^\s*(?P<base>[^,]*?[^,\s])\s*(?:\band\b\s*|\()?(?P<sign>[-+])\s*(?P<more>[^-+,]+?)\s+(?P<case>if\s+[^,]+?)\s*",
        r"\Z", "it does not say what it is otherwise", "add an else: ..., else 0",
        {
            "to add it only then": "{base}, {sign}{more} {case}",
            "for nothing otherwise": "{base} {sign} {more} {case}, else 0",
        },
    ),
    sentence(
        r"(?P<cases>(?P<start>[^,]+\bif\b.*\b(?:else|otherwise)\s+)(?P<last>[^,]*[^,\s]))\s*,\s*"
        r"(?P<more>[-+][^,]*\bif\b[^,]*[^,\s])",
        {"to add it to each": "({cases}), {more}", "to add it to the last": "{start}({last}, {more})"},
    ),
    Mistake(
        "operator", r"\s*", r"on\s+(?:an?\s+\w|[0-9])",
        "a case begins with if", 'write it as in "hit" if total is 7+, else "miss"',
    ),
    Mistake(
        "operator", rf"^(?P<one>[^,\"]*?(?:\b|(?=\W)){COMPARE}[^,\"]*?)\s+if\s+(?P<other>[^,]*[^,\s])\s*", r"\Z",
        "a condition has no if", "write it as in heat is 3 and luck is 2", _both,
    ),
    Mistake(
        "operator", r"^(?P<value>[^,\"]*?[^,\"\s]\s+if\s+[^,]*[^,\s])\s*", r"\Z",
        "it does not say what it is otherwise", "", "{value}, else 0",
    ),
    Mistake("", r"\s*,\s*", r"(?=if\b)", "", "", " "),
    sentence(r"(?P<base>[^,]*[^,\s])\s*\(\s*(?P<more>[-+][^()]+?\s+if\s+[^()]+)\)", "{base}, {more}"),
    Mistake(
        "", r"^(?P<value>[^,]*[^,\s])\s*(?P<more>,\s*\+[^,]+?\s+if\s+(?P<test>[^,]+?))\s*,\s*",
        r"(?ai:else|otherwise)\s+(?P<sign>[-+])\s*(?P<other>[^,]*[^,\s])", "", "",
        "{value}{more}, {sign}{other} if not ({test})",
    ),
    Mistake(
        "operator", r"(?P<cases>\bif\b[^,]*,)\s*(?P<last>[^,]+?)\s*", r"\Z", _LAST, AS_A_CASE, "{cases} else {last}"
    ),
    Mistake("operand", r",\s*(?P<value>[^,]+?)\s+(?ai:if)\s+(?ai:not)\s*", r"\Z", _LAST, AS_A_CASE, ", else {value}"),
    Mistake("operand", r"\b(?ai:else|otherwise)\s+", r"(?ai:none|nothing)\b", "nothing is 0", "write 0", "0"),
    Mistake("operator", r"\s*", r";", "each value has a line of its own", "write it on the next line"),
)
# fmt: on
# fmt: off
WORD_CHOICES: Final[tuple[Row, ...]] = (
    sentence(
        r"(?P<test>[^|?]*[^|?\s])\s*\?\s*(?P<yes>[^|:]*\S)\s*:\s*(?P<no>[^|]*\S)", "{test} | {yes} | {no}"
    ),
    sentence(
        r"(?P<yes>[^|]*?[^|\s])\s+if\s+(?P<test>[^|]*?[^|\s])\s*,?\s*\b(?:else|otherwise)\s+(?P<no>[^|]*\S)",
        "{test} | {yes} | {no}",
    ),
)
# fmt: on
