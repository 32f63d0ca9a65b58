"""Common mistakes in the full notation, and what other tools write where this one has another spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from dicedocs.expression.mistakes import PLAIN, SHARED, SIDES, WORDS, Diagnosis, Dialect, Failure, Groups, Mistake
from dicedocs.expression.modifiers import modifier_pattern

Row: TypeAlias = Mistake | Callable[[Failure], Diagnosis | None]
"""A mistake of a table, or a function that diagnoses one."""


def diagnose(failure: Failure) -> Diagnosis | None:
    """Return the first mistake of the table that matches a failure."""
    for mistake in MISTAKES[failure.dialect]:
        diagnosis = mistake.match(failure) if isinstance(mistake, Mistake) else mistake(failure)
        if diagnosis is not None:
            return diagnosis
    return None


def _brace(failure: Failure) -> Diagnosis | None:
    """Diagnose a brace that is never closed."""
    text, at, _, _ = failure
    if at < len(text) or text.count("{") <= text.count("}") or failure.wanted == "operand":
        return None
    end = len(text.rstrip())
    return Diagnosis(
        text.rindex("{"), "'{' is never closed", "write '}' where it ends", slice(end, end), "}", complete=True
    )


def _in_words(groups: Groups) -> str:
    """Return the dice with the modifier that some words describe."""
    high = groups["end"][:1].lower() in "hbt"
    action = "d" if groups["action"].lower().startswith(("drop", "discard", "remov")) else "k"
    return f"{groups['dice']}{action}{'h' if high else 'l'}{groups['number'] or 1}"


def _bounded(groups: Groups) -> str:
    """Return a value that is at least, or at most, so much."""
    function = "max" if groups["end"].lower().startswith("min") else "min"
    return f"{function}({groups['whole']}, {groups['number']})"


_MODIFIER = rf"(?=[a-z!])(?:{modifier_pattern()})(?![^\W\d_])"
_NO_COMMAND = "a command of a chat is not part of the notation"
_ANYDICE = "AnyDice writes it so"

# fmt: off
_NOTATION: Final[tuple[Row, ...]] = (
    # Other languages and tools.
    Mistake("operand", r"^\s*", r"[/!](?:roll|r)\b\s*", _NO_COMMAND, "leave it out", ""),
    Mistake(
        "operand",
        r"^\s*",
        r"output\s+\[\s*(?P<end>h|l)(?:igh|ow)est\s+(?P<number>[0-9]+)\s+of\s+(?P<dice>[0-9]*d[0-9]+)\s*\]",
        _ANYDICE,
        "",
        "{dice}k{end}{number}",
    ),
    Mistake(
        "operand",
        r"^\s*",
        r"output\s+\[\s*count\s*\{\s*(?P<low>[0-9]+)\.\.(?P<high>[0-9]+)\s*\}\s+in\s+(?P<dice>[0-9]*d(?P=high))\s*\]",
        _ANYDICE,
        "",
        "{dice}>={low}",
    ),
    Mistake("operand", r"^\s*", r"output\s+\[\s*explode\s+(?P<dice>d[0-9]+)\s*\]", _ANYDICE, "", "{dice}!x2"),
    Mistake("operand", r"^\s*", r"output\b\s*", _ANYDICE, "leave the word out", ""),
    Mistake("operand", r"", r"\[\[(?P<inner>[^\[\]]*)\]\]", "double brackets belong to a chat", "", "{inner}"),
    # What follows dice.
    Mistake(
        "operator",
        r"(?<![0-9])1?[dD](?P<sides>[0-9]+)\s*",
        r"(?i:(?:with\s+|mit\s+|avec\s+|con\s+)?(?:adv(?:antage)?|vorteil|avantage|ventaja))\b",
        "advantage is the higher of two dice",
        "",
        "2d{sides}kh1",
    ),
    Mistake(
        "operator",
        r"(?<![0-9])1?[dD](?P<sides>[0-9]+)\s*",
        r"(?i:(?:with\s+|mit\s+|avec\s+|con\s+)?(?:dis(?:adv(?:antage)?)?|nachteil|désavantage|desventaja))\b",
        "disadvantage is the lower of two dice",
        "",
        "2d{sides}kl1",
    ),
    Mistake(
        "operator",
        rf"(?P<dice>(?<!\w){SIDES}?[dD](?:{SIDES}|%|F))\s*,?\s*",
        r"\(?\s*(?ai:(?:(?P<action>drop(?:ping)?|discard(?:ing)?|remov(?:e|ing)|keep(?:ing)?|tak(?:e|ing)|us(?:e|ing))\s+)?"
        r"(?:the\s+)?(?P<end>high|low|best|worst|top|bottom)(?:est)?)\b"
        r"(?:\s+(?P<number>[0-9]{1,4})\b)?(?:\s+(?:die|dice)\b)?(?:\s*\))?",
        "what is kept or dropped is written with letters",
        "",
        _in_words,
    ),
    Mistake(
        "operator",
        rf"(?P<dice>(?<!\w){SIDES}?[dD](?:{SIDES}|%|F))\s+",
        rf"(?P<modifier>{_MODIFIER})",
        "a modifier follows its dice without a space",
        "",
        "{dice}{modifier}",
    ),
    Mistake(
        "operator",
        rf"(?P<dice>(?<!\w){SIDES}?[dD](?:{SIDES}|%|F))\s*",
        r"(?ai:success(?:es)?|hits?)\b",
        "dice are counted by what they show",
        "write the number from which they succeed, as in '5d10>=8'",
    ),
    Mistake("operator", r"\s*", r"(?ai:halved|half)\b", "words do not calculate", "", " / 2"),
    Mistake("operator", r"\s*", r"(?ai:twice|doubled)\b", "words do not calculate", "", " * 2"),
    Mistake(
        "operator",
        r"^\s*(?P<whole>.*\S)\s*",
        r"\(\s*(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+)\s*\)",
        "a minimum is written as the higher of two values",
        "",
        _bounded,
    ),
    Mistake(
        "operator",
        r"(?<=[0-9%F}\])])(?:r[ro]?|u)?",
        r"(?:e|mi|ma)?[hl][0-9]+",
        "dice are picked by what they show, not by rank",
        "name what they show, as in '2d6r1'",
    ),
    Mistake(
        "operator",
        r"(?<=[0-9%F}\])])r",
        r"a[hl<>]?[0-9]+",
        "no single die can be picked to be thrown again and added",
        "dice that each explode once are written as in '2d6!1o'",
    ),
    Mistake(
        "operator",
        r"(?:[<>!=]=|[<>=])[0-9]+",
        r"f(?![0-9<>=!\w])",
        "it does not say which dice fail",
        "write the number after the f, as in '5d10>=8f1'",
    ),
    Mistake(
        "operator",
        r"\.[0-9]+",
        r"[dD](?=[0-9%F(\[{])",
        "the number of dice is whole",
        "write it as in '(5 / 2)d6'",
    ),
    Mistake("", "", r"\.[0-9]", "a decimal is a term or a factor", "write it as a quotient here, as in '-(3 / 2)'"),
    _brace,
    Mistake("operator", r"\)\s*", r"(?:\*\*|\^)", "two powers need parentheses", "write them as in '(2 ** 3) ** 2'"),
    Mistake("operator", "", r"\*\*|\^", "two powers need parentheses", "write them as in '(2 ** 3) ** 2'"),
    Mistake("operand", r"\*\*\s*|\^\s*", r"[-+]", "an exponent has no sign", "write a whole number, 0 or more"),
    Mistake("operand", "", r"(?ai:pow)\s*\(", "a power is written with **", "write it as in '2 ** 3'"),
    Mistake(
        "operand",
        "",
        r"[^\W\d]\w*\s*\(",
        "the functions are floor, ceil, round, abs, min and max",
        "calculate the rest beforehand",
    ),
    Mistake("operand", r"\{\s*", r"\}", "", "write something between the braces, or leave them out"),
    Mistake("operator", "", r"\{", "", "write an operator before the set"),
    Mistake("operator", "", r"\}", "'}}' has no matching '{{'", "leave it out", ""),
    Mistake("operand", r",\s*", r"(?=[)\}])", "", "write a value after ','"),
    *SHARED,
    Mistake(
        "operator",
        r"(?P<whole>\S)\s*",
        rf"(?P<word>{WORDS})",
        "labels go in brackets, comments after #",
        "write it as in '1d8 [fire]' or '1d8 # fire'",
        "{whole} [{word}]",
    ),
)
MISTAKES: Final[Mapping[Dialect, Sequence[Row]]] = {
    "plain": PLAIN,
    "notation": _NOTATION,
}
# fmt: on
"""The mistakes of each dialect, in the order in which they are tried."""
