"""Common mistakes in an Expression or a Check of the plain dialect: the table, and how a text is matched against it.

A text that does not parse fails at an index. The table is tried from the top, and the first mistake that
matches there is the diagnosis: what is wrong, a hint, and, where possible, a correction.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from dicedocs import limits
from dicedocs.errors import quoted
from dicedocs.parsing import unclosed_parentheses
from dicedocs.syntax.modifiers import modifier_pattern
from dicedocs.syntax.relations import COMPARE, KEYWORD

Kind: TypeAlias = Literal["Expression", "Check"]
Dialect: TypeAlias = Literal["plain", "notation", "rules", "claims", "changes", "words"]
"""The dialects: ``plain`` has dice that are added up and the four operators, ``notation`` has signs, modifiers, sets,
functions and labels as well, and ``rules`` names, words and conditions. The first two are starts of one grammar.
``claims`` is what stands around the conditions of claims, ``changes`` what changes a scene, and ``words`` the words for
each outcome."""
Groups: TypeAlias = Mapping[str, str]
Fix: TypeAlias = str | Callable[[Groups], str | None]
"""What stands in place of a mistake: a text with the names of groups, or a function of them that may return nothing."""


_OPEN: Mapping[Dialect, str] = {
    "plain": r"[-+*/(=<>]\Z",
    "notation": r"(?:[-+*/(=<>{,^]|(?<![dD])%)\Z",
    "rules": rf"(?:[-+*/(=<>{{,^≠≤≥×÷]|(?<![dD])%|\b{KEYWORD})\Z",
    "claims": r"[-+*/(=<>,]\Z",
    "changes": r"\A\Z",
    "words": r"\A\Z",
}
"""The ends of a text after which a value is expected."""
_OPEN_RANGE: Final = rf"(?:{COMPARE}|\b(?i:or|and|not)\b)\s*[0-9]+[-+]\Z"
"""The end of a condition that is no sign, but a range: ``is 8+``."""


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that only a mistake needs; together they would take a third of the time to load the language."""
    return re.compile(pattern, flags)


class IllegalText(NamedTuple):
    """A text that should be an Expression or a Check, and the index at which it fails to parse."""

    text: str
    at: int
    kind: Kind
    dialect: Dialect = "plain"

    @property
    def wanted(self) -> Literal["operand", "operator"]:
        """What the grammar expects there; the last character before the index decides, since all before is legal."""
        return _wanted(self.text[: self.at].rstrip(), self.dialect)


@lru_cache(1)  # hundreds of mistakes ask it of one failure
def _wanted(before: str, dialect: Dialect) -> Literal["operand", "operator"]:
    is_range = dialect == "rules" and compiled(_OPEN_RANGE).search(before)
    is_open = compiled(_OPEN[dialect]).search(before) and not is_range
    return "operand" if not before or is_open else "operator"


class Diagnosis(NamedTuple):
    """A mistake found in a text.

    Parameters:
        at: the index that the error points at.
        cause: what is wrong; may be empty.
        hint: what to write instead, for when there is no corrected text to show.
        part: the part of the text to correct.
        fixes: the text to put there, for each meaning by what it is for; by nothing where there is only one.
        complete: whether the cause is the whole message, without what the grammar expected.
    """

    at: int
    cause: str
    hint: str
    part: slice = slice(0, 0)
    fixes: Mapping[str, str] = MappingProxyType({})
    complete: bool = False


class Mistake(NamedTuple):
    """A row of the table. ``{name}`` in its texts is filled from the groups of its patterns.

    Parameters:
        wanted: what the grammar expects at the index; empty for either.
        before: the pattern of the text that ends at the index.
        here: the pattern of the text that begins at the index. The error points at the group ``at``
            of either pattern, or else at the index.
        cause, hint, complete: as in :class:`Diagnosis`; an error that points elsewhere is always complete.
        fix: the replacement for all that both patterns match, or one for each meaning, by what it is for.
        dialect: the only dialect in which it is a mistake; empty for both.
    """

    wanted: str
    before: str
    here: str
    cause: str
    hint: str
    fix: Fix | Mapping[str, Fix] | None = None
    complete: bool = False
    dialect: Dialect | Literal[""] = ""

    def match(self, failure: IllegalText) -> Diagnosis | None:
        if self.wanted and self.wanted != failure.wanted:
            return None
        here = compiled(self.here, re.DOTALL).match(failure.text, failure.at)
        before = compiled(rf"(?:{self.before})\Z").search(failure.text[: failure.at]) if here else None
        if here is None or before is None:
            return None
        at = failure.at
        groups: dict[str, str] = {}
        for match in (before, here):
            groups |= {name: part or "" for name, part in match.groupdict().items()}
            at = match.start("at") if "at" in match.re.groupindex else at
        groups["found"] = token_at(failure.text, at)
        part = slice(before.start(), here.end())
        cause, hint = self.cause.format_map(groups), self.hint.format_map(groups)
        return Diagnosis(at, cause, hint, part, self._fixes(groups), self.complete or at != failure.at)

    def _fixes(self, groups: Groups) -> Mapping[str, str]:
        named = self.fix if isinstance(self.fix, Mapping) else {"": self.fix} if self.fix is not None else {}
        fixes = {name: fix.format_map(groups) if isinstance(fix, str) else fix(groups) for name, fix in named.items()}
        return {name: fix for name, fix in fixes.items() if fix is not None}


Row: TypeAlias = Mistake | Callable[[IllegalText], Diagnosis | None]
"""A mistake of a table, or a function that diagnoses one."""


def sentence(pattern: str, fix: Fix | Mapping[str, Fix], cause: str = "") -> Row:
    """Return a mistake that is the whole text, wherever it fails.

    Parameters:
        pattern: the pattern of the text, in any case, without the space around it.
        fix: the text in its place, or one for each meaning, as in :class:`Mistake`.
        cause: what is wrong; may be empty.
    """
    row = Mistake("", "", rf"(?i:\s*{pattern}\s*)\Z", cause, "", fix)
    return lambda failure: (found := row.match(failure._replace(at=0))) and found._replace(at=failure.at)


def as_operand(value: str) -> str:
    """Return a value as one operand."""
    return value if re.fullmatch(r"\w+", value) else f"({value})"


def token_at(text: str, at: int) -> str:
    """Return the token that begins at an index, in quotes."""
    match = re.compile(rf"\s*({SIDES}?[dD]{SIDES}|\w+|{COMPARISON}|\S)").match(text, at)
    return quoted(match[1]) if match else "the end"


NAME = r"\[[^\[\]]*\]"
SIDES = rf"(?:[0-9]+|{NAME})"
COUNT = rf"(?:(?<![dD0-9])[0-9]+|(?<![dD]){NAME})"
_BEGINS_DICE = r"[dD](?![^\W\d_])"
_DICE = rf"(?<!\w){SIDES}?[dD]{SIDES}"
COMPARISON = "!=|<=|>=|=|<|>"
THOUSANDS: Final = Mistake(
    "", r"(?<![dD0-9.,])(?P<whole>[0-9]{1,3}),?", r"(?P<rest>(?:(?:(?<=,)|,)[0-9]{3})+)(?![0-9])",
    "a number has no commas", "leave them out", lambda groups: groups["whole"] + groups["rest"].replace(",", ""),
)  # fmt: skip
DECIMAL: Final = Mistake(
    "", r"(?<![\w.,])(?P<whole>[0-9]+),?", r"(?:(?<=,)|,)(?P<part>[0-9]+)(?![0-9]*[dD])",
    "a decimal has a point", "write it as in '2d6 * 1.5'", "{whole}.{part}",
)  # fmt: skip
# fmt: off
_WORD_OPERATORS = {
    "plus": "+", "minus": "-", "times": "*", "over": "/", "multiplied by": "*", "divided by": "/",
}
_SIGN_OPERATORS = {
    **dict.fromkeys("×∗·⋅•", "*"), **dict.fromkeys("÷∕⁄", "/"), **dict.fromkeys("−–—‐‑‒", "-"),
}
# fmt: on
_SIGN_COMPARISONS = {"≥": ">=", "≤": "<=", "≠": "!="}
_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
OPERATOR_WORD = r"(?:(?ai:plus|minus|times|over|multiplied\s+by|divided\s+by|and|or|not|x)\b|[dD][0-9\[])"
_UNCLOSED = r"(?![^\[\]]*\])"
WORDS = rf"[^\W\d]\w*(?:\s+(?!{OPERATOR_WORD})[^\W\d]\w*)*"
_POSSESSIVE = r"(?:\.|['’]s\s+)"
_OWNER = rf"(?P<owner>[^\W\d][\w-]{{0,40}}){_POSSESSIVE}"
_OTHER = _OWNER.replace("owner", "other")
_LEAD = r"(?P<lead>(?:^|[(=<>])\s*)"

_NO_SIGN = "a number cannot start with a sign"
_SPACED_DICE = "dice are written without spaces"
_NO_JOINING = "Checks cannot be joined or negated"
NO_RANGES: Final = "a check has no ranges, and compares with one value"
IN_A_RULE: Final = "write a rule, with roll = 2d6 and, below, hit = roll is 7-9"
_WHOLE = "numbers are whole"
_NO_POWERS = "there are no powers"
_WRITE_OUT = "write the multiplication out"
_NO_FUNCTIONS = "there are no functions"
_NOSIDES = "expected the sides of the dice, found {found}"
_NEVER_CLOSED = "'[' is never closed"
_BETWEEN = "write an operator between the two"
_OPERATORS = "the operators are + - * and /"
_COMPARISONS = "the comparisons are = != < <= > >="


def _after_sign(groups: Groups) -> str:
    return "- " if groups["first"] != groups["second"] else "+ "


def _fraction(groups: Groups) -> str:
    part = groups["part"][: limits.DIGITS.maximum]
    value = Fraction(int(groups["whole"][: limits.DIGITS.maximum] + part), 10 ** len(part))
    over = f" / {value.denominator}" if value.denominator > 1 else ""
    return over.lstrip() if value.numerator == 1 and over else f"* {value.numerator}{over}"


def _power(groups: Groups) -> str:
    return f"({' * '.join([groups['base']] * unicodedata.digit(groups['power']))})"


def _opposite(groups: Groups) -> str:
    return f"{groups['left']} {_OPPOSITES[groups['sign']]} {groups['right'].strip()}"


def _word_operator(groups: Groups) -> str:
    return f" {_WORD_OPERATORS[' '.join(groups['word'].lower().split())]} "


def _named(groups: Groups) -> str:
    return f"[{' '.join(groups['word'].split())}]"


def _owned(groups: Groups) -> str:
    scope = "Target " if groups["owner"].lower() == "target" else ""
    return f"[{scope}{' '.join(groups['word'].split())}]"


def parenthesis(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a parenthesis that is never closed, has no counterpart, or contains a comparison."""
    text, at, _, _ = failure
    if failure.wanted == "operand":
        return None
    unclosed = unclosed_parentheses(text[:at])
    sign = text[at : at + 1]
    if sign == ")" and not unclosed:
        return Diagnosis(at, "')' has no matching '('", "leave it out", slice(at, at + 1), {"": ""})
    if sign == "]" and unclosed:
        return Diagnosis(at, "']' does not close '('", "write ')'", slice(at, at + 1), {"": ")"})
    compared = re.match(COMPARISON, text[at:]) is not None
    if not unclosed or not (compared or at == len(text)):
        return None
    if compared and not unclosed_parentheses(text):
        # Both parentheses are there: removing the first makes the second fail next, and that is removed too.
        cause, hint = "a comparison cannot be in parentheses", "a check compares two values, once"
        return Diagnosis(unclosed[-1], cause, hint, slice(unclosed[-1], unclosed[-1] + 1), {"": ""}, complete=True)
    end = len(text[:at].rstrip())
    return Diagnosis(
        unclosed[-1], "'(' is never closed", "write ')' where it ends", slice(end, end), {"": ")"}, complete=True
    )


def _unprintable(failure: IllegalText) -> Diagnosis | None:
    sign = failure.text[failure.at : failure.at + 1]
    if sign.isprintable() or sign.isspace():
        return None
    cause = f"the character U+{ord(sign):04X} cannot be printed"
    return Diagnosis(failure.at, cause, "leave it out", slice(failure.at, failure.at + 1), {"": ""})


def _foreign(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a digit or an operator from another script, or a full-width one."""
    match = re.compile(r"[dD]?(?P<at>[^\x00-\x7f])").match(failure.text, failure.at)
    if match is None:
        return None
    at, sign = match.start("at"), match["at"]
    plain = str(unicodedata.decimal(sign, "")) or unicodedata.normalize("NFKC", sign)
    if not (sign.isdecimal() or "\uff01" <= sign <= "\uff5e"):
        return None
    what = "a digit from 0 to 9" if sign.isdecimal() else f"'{plain}'"
    cause = f"{quoted(sign)} is not {what}"
    return Diagnosis(at, cause, f"write '{plain}'", slice(at, at + 1), {"": plain}, complete=at != failure.at)


# fmt: off
RESOURCES: Final = (
    Mistake(
        "operand", "", rf"(?P<owner>(?ai:actor|target)){_POSSESSIVE}(?P<word>{WORDS})",
        "a resource is written in square brackets", "write [Strength] or [Target Defense]", _owned,
    ),
    Mistake(
        "operand", "", rf"{_OWNER}(?P<word>{WORDS})(?=.*?\W(?!(?P=owner)\W){_OTHER}{WORDS})",
        "give {owner} as the actor and {other} as the target", "write [Strength] and [Target Defense]",
    ),
    Mistake(
        "operand", "", rf"{_OWNER}(?P<word>{WORDS})",
        "give {owner} as the actor, and the resource in square brackets", "write [Strength]", _named,
    ),
    Mistake(
        "operand", "", rf"(?P<word>{WORDS})(?:\s*\])?",
        "a resource is written in square brackets", "write [Strength]", _named,
    ),
)
"""Names without their brackets, which rules don't need."""
PLAIN: Final[tuple[Row, ...]] = (
    _unprintable,
    _foreign,
    Mistake("", "", "[\"'`“”‘’«»]", "quotation marks have no meaning", "leave them out", ""),
    Mistake("operator", r"(?<![!<>])=\s*[0-9]+\s*", r"[‒–—]\s*[0-9]+\s*\Z", NO_RANGES, IN_A_RULE),
    Mistake(
        "", "", rf"(?P<sign>[{''.join(_SIGN_OPERATORS)}])",
        _OPERATORS, "", lambda groups: _SIGN_OPERATORS[groups["sign"]],
    ),
    Mistake(
        "", "", rf"(?P<sign>[{''.join(_SIGN_COMPARISONS)}])",
        _COMPARISONS, "", lambda groups: _SIGN_COMPARISONS[groups["sign"]],
    ),
    Mistake("", "", r"\{", "parentheses are round", "write '('", "(", dialect="plain"),
    Mistake("", "", r"\}", "parentheses are round", "write ')'", ")", dialect="plain"),
    Mistake("operand", "(?P<at>=)", "!(?!=)", "'=!' is not a comparison", "write '!='", "!="),
    # Joining and negating.
    Mistake(
        "operand", r"^\s*", rf"(?:(?ai:not)\b|!)\s*(?P<left>[^=<>!]*[^=<>!\s])\s*(?P<sign>{COMPARISON})(?P<right>.*)",
        _NO_JOINING, "write the opposite comparison", _opposite,
    ),
    Mistake("operand", "", r"(?ai:not)\b|!(?!=)", _NO_JOINING, "write the opposite comparison"),
    Mistake(
        "", "", r"(?ai:and|or|xor)\b|&&?|\|\|?",
        _NO_JOINING, "write each comparison as its own check",
    ),
    # Comparisons: the first character of each is legal by itself, so the text fails at the second.
    Mistake(
        "operand", "(?P<at>!?)=", "(?P<more>=+)",
        "'{at}={more}' is not a comparison", "write '{at}='", "{at}=", dialect="plain",
    ),
    Mistake("operand", "(?P<at>=)", "(?P<sign>[<>])", "'={sign}' is not a comparison", "write '{sign}='", "{sign}="),
    Mistake("operand", "(?P<at><)", ">", "'<>' is not a comparison", "write '!='", "!=", dialect="plain"),
    Mistake(
        "operand", r"(?P<sign>[<>])(?P<at>\s+)", "=",
        "a comparison is written without spaces", "write '{sign}='", "{sign}=",
    ),
    Mistake("operator", "", r"!(?P<at>\s+)=", "a comparison is written without spaces", "write '!='", "!="),
    # Signs.
    Mistake("operand", r"/", r"/", "one '/' is enough, division rounds down", "write '/'", "/", dialect="plain"),
    Mistake(
        "operand", rf"(?P<base>{COUNT})\s*\*", r"\*\s*(?P<power>[2-5])(?![0-9dD])",
        _NO_POWERS, _WRITE_OUT, _power, dialect="plain",
    ),
    Mistake("operand", r"\*", r"\*", _NO_POWERS, _WRITE_OUT, dialect="plain"),
    Mistake(
        "operand", r"(?P<first>[+-])\s*", r"(?P<second>[+-])\s*",
        _NO_SIGN, "write one operator between two values", _after_sign, dialect="plain",
    ),
    Mistake(
        "operand", _LEAD, r"-\s*",
        _NO_SIGN, "subtract it from something, as in 5 - 3 or 0 - 3", "{lead}0 - ", dialect="plain",
    ),
    Mistake(
        "operand", r"(?P<operator>[*/])\s*", rf"-\s*(?P<value>{SIDES}?[dD]{SIDES}|{SIDES})",
        _NO_SIGN, "subtract it from 0 in parentheses, as in (0 - 3)", "{operator} (0 - {value})", dialect="plain",
    ),
    Mistake("operand", "", "-", _NO_SIGN, "subtract it from 0 in parentheses, as in (0 - 3)", dialect="plain"),
    Mistake("operand", "", r"\+\s*", _NO_SIGN, "leave it out", "", dialect="plain"),
    Mistake("operand", r"[-+*/]\s*", "[*/]", "", "leave one of the two operators out"),
    Mistake("operand", r"(?P<sign>[-+*/(=<>])\s*", r"\Z", "", "write a value after '{sign}'"),
    # Dice.
    Mistake("", "", r"[dD](?P<at>%)", "'%' is not a number of sides", "write d100", "d100", dialect="plain"),
    Mistake(
        "operator", rf"(?P<count>{COUNT})(?P<at>\s+)", rf"[dD]\s*(?P<sides>{SIDES})",
        _SPACED_DICE, "write them as 2d6", "{count}d{sides}",
    ),
    Mistake(
        "operator", rf"(?P<count>{COUNT})", rf"[dD](?P<at>\s+)(?P<sides>{SIDES})",
        _SPACED_DICE, "write them as 2d6", "{count}d{sides}",
    ),
    Mistake("operand", "", rf"[dD](?P<at>\s+)(?P<sides>{SIDES})", _SPACED_DICE, "write them as d6", "d{sides}"),
    Mistake(
        "operator", r"\)\s*", rf"[dD]{SIDES}",
        "the number of dice cannot be in parentheses", "write a number or a [Resource] before the d, as in 3d6",
        dialect="plain",
    ),
    Mistake(
        "", "", r"[dD]\s*(?P<at>\()",
        "the sides of dice cannot be in parentheses", "write a number or a [Resource] after the d, as in 2d6",
        dialect="plain",
    ),
    Mistake("operator", rf"{COUNT}\s*", r"[dD](?P<at>)(?![\w\[])", _NOSIDES, "write them after the d, as in 2d6"),
    Mistake("operand", "", r"[dD](?P<at>)(?![\w\[])", _NOSIDES, "write them after the d, as in d6"),
    Mistake("operator", r"\s*", r"[xX]\s*(?=[0-9(\[dD])", _OPERATORS, "", " * "),
    Mistake(
        "operator", rf"(?:{_DICE})", rf"(?:{modifier_pattern()})++(?![\w!<>=])",
        "here dice are only added up", "play 'dice/roll', whose notation has modifiers", dialect="plain",
    ),
    Mistake(
        "operator", rf"(?P<dice>{_DICE})", r"(?:[^\W\d]|!)[\w!<>=]*",
        "nothing can follow the sides of dice, they are all summed", "leave it out", "{dice}", dialect="plain",
    ),
    Mistake(
        "operator", rf"(?P<count>{COUNT})", r"[wW](?P<sides>[0-9]+)",
        "dice are written with a d", "write them as 2d6", "{count}d{sides}",
    ),
    Mistake("operand", "", r"[wW](?P<sides>[0-9]+)", "dice are written with a d", "write them as d6", "d{sides}"),
    # Numbers.
    Mistake("operator", r"\s*", "½", _WHOLE, "write half of a value as / 2", " / 2", dialect="plain"),
    THOUSANDS,
    Mistake(
        "operator", r"\*\s*(?P<whole>[0-9]+)", r"[.,](?P<part>[0-9]+)",
        _WHOLE, "write half of a value as / 2, and one and a half times it as * 3 / 2", _fraction, dialect="plain",
    ),
    Mistake(
        "", "", r"[.,][0-9]",
        _WHOLE, "write half of a value as / 2, and one and a half times it as * 3 / 2", dialect="plain",
    ),
    Mistake(
        "operator", rf"(?P<base>{COUNT})\s*", r"(?:\^\s*(?P<power>[2-5])(?![0-9dD]))",
        _NO_POWERS, _WRITE_OUT, _power, dialect="plain",
    ),
    Mistake("operator", rf"(?P<base>{COUNT})", r"(?P<power>[²³])", _NO_POWERS, _WRITE_OUT, _power, dialect="plain"),
    Mistake("", "", r"[\^²³]", _NO_POWERS, _WRITE_OUT, dialect="plain"),
    Mistake("", "", "%", _OPERATORS, ""),
    # Brackets.
    Mistake(
        "", "", rf"\[\s*(?P<name>{NAME})\s*\]",
        "a name has one pair of brackets", "", "{name}", complete=True,
    ),
    Mistake(
        "", "", r"\[[^\[\]]*(?P<at>\[)",
        "the name of a resource cannot contain '['", "close the one before it with ']'",
    ),
    Mistake(
        "", "", rf"\[{_UNCLOSED}\s*(?P<word>{WORDS})",
        _NEVER_CLOSED, "write ']' after the name", _named, complete=True,
    ),
    Mistake("", "", rf"\[{_UNCLOSED}", _NEVER_CLOSED, "write ']' after the name", complete=True),
    Mistake("operand", r"\(\s*", r"\)", "", "write something between the parentheses, or leave them out"),
    parenthesis,
    # Words.
    Mistake(
        "operator", r"\s*", r"(?P<word>(?ai:plus|minus|times|over|multiplied\s+by|divided\s+by))\b\s*",
        _OPERATORS, "", _word_operator,
    ),
    Mistake(
        "operand", "", r"(?ai:floor|int|trunc)\s*(?=\()",
        _NO_FUNCTIONS, "leave it out, division rounds down", "", dialect="plain",
    ),
    Mistake("operand", "", r"[^\W\d]\w*\s*\(", _NO_FUNCTIONS, _OPERATORS, dialect="plain"),
    *RESOURCES,
    Mistake("", "", r"\]", "']' has no matching '['", "leave it out", ""),
    Mistake(
        "operator", "", WORDS,
        "a word has no meaning here", "leave the word out, or write an operator and a [Resource]", dialect="plain",
    ),
    Mistake("operator", "", r"[.;,]\s*\Z", "", "leave it out", ""),
    # A missing operator: after dice it is most likely +, elsewhere *.
    Mistake(
        "operator", rf"(?P<first>{_DICE})\s*", rf"(?={SIDES}|{_BEGINS_DICE})",
        "", _BETWEEN, "{first} + ",
    ),
    Mistake("operator", r"\s*", r"(?=[(\[])", "", _BETWEEN, " * "),
    Mistake("operator", r"(?P<first>[)\]])\s*", rf"(?=[0-9]|{_BEGINS_DICE})", "", _BETWEEN, "{first} * "),
    Mistake("operator", "", f"[0-9]|{_BEGINS_DICE}", "", _BETWEEN),
)
# fmt: on
SHARED: Final = tuple(row for row in PLAIN if not (isinstance(row, Mistake) and row.dialect == "plain"))
"""The mistakes of both dialects."""
