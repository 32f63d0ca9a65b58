"""How people compare: the signs and the words for each relation, and the ranges of numbers. Every reader uses these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from dicedocs.rules.steps import Comparison

_OR_EQUAL_UP: Final = ("greater than or equal to", "greater or equal to", "greater or equal")
_OR_EQUAL_DOWN: Final = ("less than or equal to", "less or equal to", "less or equal")
SIGNS: Final[Mapping[Comparison, tuple[str, ...]]] = {
    ">=": (">=", "=>", "≥", "at least", "no less than", "at or above", *_OR_EQUAL_UP),
    "<=": ("<=", "=<", "≤", "at most", "no more than", "up to", "at or below", *_OR_EQUAL_DOWN),
    "!=": ("!=", "<>", "≠", "is not", "isn't", "isn’t", "are not", "not equal to", "not"),
    ">": (">", "over", "above", "more than", "greater than", "higher than"),
    "<": ("<", "under", "below", "less than", "fewer than", "lower than"),
    "=": ("==", "=", "is", "are", "equals", "equal to", "equal", "exactly"),
}
"""The spellings of each relation; before a sign and words of size, ``is`` may stand too, and ``not`` before these."""
OPPOSITES: Final[Mapping[Comparison, Comparison]] = {
    ">=": "<", "<": ">=", "<=": ">", ">": "<=", "=": "!=", "!=": "=",
}  # fmt: skip
TURNED: Final[Mapping[Comparison, Comparison]] = {
    ">=": "<=", "<": ">", "<=": ">=", ">": "<", "=": "=", "!=": "!=",
}  # fmt: skip
"""The relation of the right side to the left one."""
_MEANING: Final[Mapping[str, Comparison]] = {
    **{spelling: sign for sign, spellings in SIGNS.items() for spelling in spellings},
    **{f"not {spelling}": OPPOSITES[sign] for sign in (">=", "<=", ">", "<") for spelling in SIGNS[sign]},
    "is neither": "!=",
    "are neither": "!=",
    **dict.fromkeys(("is anything but", "is all but", "are all but"), "!="),
}
_BE: Final = r"(?:(?:is|are)\s+)?"


def _spaced(spelling: str) -> str:
    spaced = re.escape(spelling).replace(r"\ ", r"\s+")
    return re.sub(r"\Anot\\s", lambda _: r"(?:not|isn['’]t)\s", spaced)


def _pattern(spelling: str) -> str:
    return rf"(?:{_BE}{_spaced(spelling)})" + r"(?!\w)" * spelling[-1].isalpha()


COMPARE: Final = (
    "(?i:" + "|".join(_pattern(one) for one in sorted(_MEANING, key=lambda one: (one[-1].isalpha(), -len(one)))) + ")"
)
"""A relation, as a regular expression."""
CONNECTIVES: Final = ("if", "else", "otherwise", "and", "but", "or", "nor")
"""The words that join conditions and values."""
_KEYWORDS: Final = (
    *(*CONNECTIVES, "given", "between", "either", "neither", "both"),
    *(_spaced(each) for each in _MEANING if each[0].isalpha()),
)
KEYWORD: Final = rf"(?i:{'|'.join(_KEYWORDS)})\b"
"""A word that is part of no name that is not known."""


def read_relation(written: str) -> Comparison:
    """Return the relation of a spelling that ``COMPARE`` matches.

    >>> read_relation("≥"), read_relation("is at  least"), read_relation("Is Not")
    ('>=', '>=', '!=')
    """
    folded = " ".join(written.lower().split())
    return _MEANING.get(folded) or _MEANING[re.sub(r"^isn['’]t ", "not ", re.sub(r"^(?:is|are) ", "", folded))]


_NUMBER: Final = r"[-+\u2212]?[0-9]++"
_DASH: Final = r"(?:-{1,3}+|[\u2010-\u2015\u2212])"
NUMBER_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""The words for small numbers, each at the place of its number."""
UPWARDS: Final = ("more", "higher", "better", "greater", "bigger", "larger", "up", "above", "over")
"""What stands behind ``8 or`` for what is no less."""
DOWNWARDS: Final = ("less", "lower", "fewer", "smaller", "down", "below", "under")
"""What stands behind ``8 or`` for what is no more."""
# Not the beginning of another relation, as in "2 or greater or equal to 8".
_ALONE: Final = r"\b(?!\s++(?:than|or\s++equal)\b)"
_UP: Final = rf"(?:(?:or|and)\s|&)\s*+(?:{'|'.join(UPWARDS)}){_ALONE}"
_DOWN: Final = rf"(?:(?:or|and)\s|&)\s*+(?:{'|'.join(DOWNWARDS)}){_ALONE}"
_OR_MORE: Final = re.compile(rf"(?:(?P<up>{_UP}|(?<=[^\W\d_])[+])|{_DOWN})", re.IGNORECASE)
RANGE: Final = re.compile(
    rf"""
      (?:(?P<both>between\s++)|from\s++)?(?P<low>{_NUMBER}) \s*+
      (?P<dash>(?(both)and\b|(?:{_DASH} | to\b | (?:through|thru)\b | \.{{2,3}}+ | …))) \s*+ (?P<high>{_NUMBER})
    | (?P<least>{_NUMBER}) \s*+ (?:[+] | {_UP})
    | (?P<most>{_NUMBER}) \s*+ (?:{_DASH} | {_DOWN})
    | (?:≥ | >= | at\s++least\b) \s*+ (?P<least_after>{_NUMBER})
    | (?:≤ | <= | up\s++to\b | at\s++most\b) \s*+ (?P<most_after>{_NUMBER})
    | (?:> | above\b | over\b | (?:more|greater)\s++than\b) \s*+ (?P<above>{_NUMBER})
    | (?:< | below\b | under\b | (?:less|fewer)\s++than\b) \s*+ (?P<below>{_NUMBER})
    | (?P<one>{_NUMBER})
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""One range. No alternative goes back over what it has read, so hostile text takes no longer than any other."""
_ENDS: Final = re.compile(rf"\s*+(?:\Z|[,;)|:]|(?:{KEYWORD}))")
"""What may stand behind a range in a condition; behind ``8+`` or ``5-6`` anything else makes it arithmetic."""


def range_at(text: str, at: int) -> re.Match[str] | None:
    """Return the range of more than one number that begins at a place of a condition; ``None`` if none does.

    >>> [bool(range_at(text, 0)) for text in ("5-6", "8+", "8 or more", "5 - 6", "8 -", "8+2", "8 - 2d6", "8")]
    [True, True, True, False, False, False, False, False]
    """
    found = RANGE.match(text, at)
    if found is None or not (found["low"] or found["least"] or found["most"]) or not _ENDS.match(text, found.end()):
        return None
    written = found[0].replace("\u2212", "-")
    return None if (found["dash"] in {"-", "\u2212"} and " - " in written) or written.endswith(" -") else found


def or_more_at(text: str, at: int) -> re.Match[str] | None:
    """Return ``or more`` or ``or less``, by the group ``up``, where it stands behind a value; ``None`` for other words.

    >>> [bool(or_more_at(text, 0)) for text in ("or more", "or lower but", "or over 11", "or less than 3", "or 3")]
    [True, True, False, False, False]
    """
    found = _OR_MORE.match(text, at)
    return found if found and _ENDS.match(text, found.end()) else None
