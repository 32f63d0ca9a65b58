"""What people write in place of an Expression or a Check, and what they should write instead.

A text that does not parse fails at a place. :data:`_MISTAKES` is tried from the top, and the first
mistake that fits that place gives the message. Where a mistake says what to put in its place, the
text is corrected, its further mistakes too; when the result is legal, the hint shows it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, listed, printable, quoted
from dicedocs.parsing import unclosed_parentheses

Kind: TypeAlias = Literal["Expression", "Check"]
Fails: TypeAlias = Callable[[str], int | None]
"""Gives the place where a text fails, or nothing when it is legal."""
Groups: TypeAlias = Mapping[str, str]
Fix: TypeAlias = str | Callable[[Groups], str] | None

OPERAND_WORDS = ("a number", "dice such as 2d6", "a [Resource]", "'('")
_EXAMPLES: Mapping[Kind, str] = {"Expression": "2d6 + 3", "Check": "1d20 + 6 >= 12"}
_LONGEST = 100
"""Characters of the longest corrected text that a hint shows."""
_CORRECTIONS = 20
"""Mistakes that are corrected in one text."""


class _Place(NamedTuple):
    """A place where a text fails."""

    text: str
    at: int
    kind: Kind

    @property
    def wanted(self) -> Literal["operand", "operator"]:
        """What the grammar wants there: all before the place is legal, so its last sign tells."""
        before = self.text[: self.at].rstrip()
        return "operand" if not before or before[-1] in "+-*/(=<>" else "operator"


class _Finding(NamedTuple):
    """A mistake at a place.

    Parameters:
        at: where the error points.
        cause: what is wrong.
        hint: what to do, shown where no corrected text can be.
        part, instead: the part of the text to correct, and what to put there.
        alone: whether the cause says all, so that what was expected need not be said.
    """

    at: int
    cause: str
    hint: str
    part: slice = slice(0, 0)
    instead: str | None = None
    alone: bool = False


class _Mistake(NamedTuple):
    """A row of the table. Its texts are filled with the groups of its patterns.

    Parameters:
        wanted: what the grammar wants at the place; empty when that does not matter.
        before: what stands before the place, up to it.
        here: what stands from the place on. The error points at the group ``at``, in either of the two.
        cause: what is wrong.
        hint: what to do, shown where no corrected text can be.
        fix: what to put for all that ``before`` and ``here`` match, as text or as a function.
        alone: whether the cause says all; so it does where the error points to another place.
    """

    wanted: str
    before: str
    here: str
    cause: str
    hint: str
    fix: Fix = None
    alone: bool = False

    def find(self, place: _Place) -> _Finding | None:
        """Tell whether this is the mistake at a place."""
        if self.wanted and self.wanted != place.wanted:
            return None
        here = re.compile(self.here, re.DOTALL).match(place.text, place.at)
        before = re.search(rf"(?:{self.before})\Z", place.text[: place.at]) if here else None
        if here is None or before is None:
            return None
        at = place.at
        groups: dict[str, str] = {}
        for match in (before, here):
            groups |= {name: part or "" for name, part in match.groupdict().items()}
            at = match.start("at") if "at" in match.re.groupindex else at
        groups["found"] = _found(place.text, at)
        fix = self.fix.format_map(groups) if isinstance(self.fix, str) else self.fix and self.fix(groups)
        part = slice(before.start(), here.end())
        cause, hint = self.cause.format_map(groups), self.hint.format_map(groups)
        return _Finding(at, cause, hint, part, fix, self.alone or at != place.at)


_NAME = r"\[[^\[\]]*\]"
_SIDES = rf"(?:[0-9]+|{_NAME})"
_COUNT = rf"(?:(?<![dD0-9])[0-9]+|(?<![dD]){_NAME})"
_DICE = rf"(?<!\w){_SIDES}?[dD]{_SIDES}"
_COMPARISON = "!=|<=|>=|=|<|>"
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
_OPERATOR_WORD = r"(?:(?ai:plus|minus|times|over|multiplied\s+by|divided\s+by|and|or|not|x)\b|[dD][0-9\[])"
_UNCLOSED = r"(?![^\[\]]*\])"
_WORDS = rf"[^\W\d]\w*(?:\s+(?!{_OPERATOR_WORD})[^\W\d]\w*)*"
_LEAD = r"(?P<lead>(?:^|[(=<>])\s*)"

_NO_SIGN = "a number has no sign of its own"
_SPACED_DICE = "there are no spaces inside a dice term"
_NO_JOINING = "nothing joins or negates Checks"
_WHOLE = "numbers are whole"
_NO_POWERS = "there are no powers"
_WRITTEN_OUT = "write the multiplication out"
_NO_FUNCTIONS = "there are no functions"
_NO_SIDES = "expected the sides of the dice, found {found}"
_NEVER_CLOSED = "'[' is never closed"
_BETWEEN = "write an operator between the two"
_OPERATORS = "the operators are + - * and /"
_COMPARISONS = "the comparisons are = != < <= > >="


def _after_sign(groups: Groups) -> str:
    return "- " if groups["first"] != groups["second"] else "+ "


def _without_commas(groups: Groups) -> str:
    return groups["whole"] + groups["rest"].replace(",", "")


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


def _found(text: str, at: int) -> str:
    """Name what stands at a place."""
    match = re.compile(rf"\s*({_SIDES}?[dD]{_SIDES}|\w+|{_COMPARISON}|\S)").match(text, at)
    return quoted(match[1]) if match else "the end"


def _comparison(text: str) -> int | None:
    """Give the place of the first comparison outside names."""
    for match in re.finditer(rf"{_NAME}|({_COMPARISON})", text):
        if match[1]:
            return match.start()
    return None


def _parenthesis(place: _Place) -> _Finding | None:
    """Find a parenthesis that is never closed, or closes nothing, or holds a comparison."""
    text, at, _ = place
    if place.wanted == "operand":
        return None
    unclosed = unclosed_parentheses(text[:at])
    sign = text[at : at + 1]
    if sign == ")" and not unclosed:
        return _Finding(at, "')' closes nothing", "leave it out", slice(at, at + 1), "")
    if sign == "]" and unclosed:
        return _Finding(at, "']' does not close '('", "write ')'", slice(at, at + 1), ")")
    compared = re.match(_COMPARISON, text[at:]) is not None
    if not unclosed or not (compared or at == len(text)):
        return None
    if compared and not unclosed_parentheses(text):
        # Both parentheses are there; the one that was opened here goes, and then the other closes nothing.
        cause, hint = "a comparison cannot stand in parentheses", "a Check compares two Expressions, once"
        return _Finding(unclosed[-1], cause, hint, slice(unclosed[-1], unclosed[-1] + 1), "", alone=True)
    end = len(text[:at].rstrip())
    return _Finding(unclosed[-1], "'(' is never closed", "write ')' where it ends", slice(end, end), ")", alone=True)


def _unprintable(place: _Place) -> _Finding | None:
    sign = place.text[place.at : place.at + 1]
    if sign.isprintable() or sign.isspace():
        return None
    cause = f"the character U+{ord(sign):04X} cannot be printed"
    return _Finding(place.at, cause, "leave it out", slice(place.at, place.at + 1), "")


def _foreign(place: _Place) -> _Finding | None:
    """Find a digit or a sign that resembles one of ours: full-width, or from another script."""
    match = re.compile(r"[dD]?(?P<at>[^\x00-\x7f])").match(place.text, place.at)
    if match is None:
        return None
    at, sign = match.start("at"), match["at"]
    plain = str(unicodedata.decimal(sign, "")) or unicodedata.normalize("NFKC", sign)
    if not (sign.isdecimal() or "\uff01" <= sign <= "\uff5e"):
        return None
    what = "a digit from 0 to 9" if sign.isdecimal() else f"'{plain}'"
    cause = f"{quoted(sign)} is not {what}"
    return _Finding(at, cause, f"write '{plain}'", slice(at, at + 1), plain, alone=at != place.at)


# fmt: off
_MISTAKES: tuple[_Mistake | Callable[[_Place], _Finding | None], ...] = (
    _unprintable,
    _foreign,
    _Mistake("", "", "[\"'`“”‘’«»]", "quotation marks mean nothing", "leave them out", ""),
    _Mistake(
        "", "", rf"(?P<sign>[{''.join(_SIGN_OPERATORS)}])",
        _OPERATORS, "", lambda groups: _SIGN_OPERATORS[groups["sign"]],
    ),
    _Mistake(
        "", "", rf"(?P<sign>[{''.join(_SIGN_COMPARISONS)}])",
        _COMPARISONS, "", lambda groups: _SIGN_COMPARISONS[groups["sign"]],
    ),
    _Mistake("", "", r"\{", "parentheses are round", "write '('", "("),
    _Mistake("", "", r"\}", "parentheses are round", "write ')'", ")"),
    _Mistake("operand", "(?P<at>=)", "!(?!=)", "'=!' is no comparison", "write '!='", "!="),
    # Joining and negating.
    _Mistake(
        "operand", r"^\s*", rf"(?:(?ai:not)\b|!)\s*(?P<left>[^=<>!]*[^=<>!\s])\s*(?P<sign>{_COMPARISON})(?P<right>.*)",
        _NO_JOINING, "write the opposite comparison", _opposite,
    ),
    _Mistake("operand", "", r"(?ai:not)\b|!(?!=)", _NO_JOINING, "write the opposite comparison"),
    _Mistake(
        "", "", r"(?ai:and|or|xor)\b|&&?|\|\|?",
        _NO_JOINING, "write each comparison as a Check of its own",
    ),
    # Comparisons: the first sign of each is legal by itself, so that the text fails at the second.
    _Mistake("operand", "(?P<at>!?)=", "(?P<more>=+)", "'{at}={more}' is no comparison", "write '{at}='", "{at}="),
    _Mistake("operand", "(?P<at>=)", "(?P<sign>[<>])", "'={sign}' is no comparison", "write '{sign}='", "{sign}="),
    _Mistake("operand", "(?P<at><)", ">", "'<>' is no comparison", "write '!='", "!="),
    _Mistake(
        "operand", r"(?P<sign>[<>])(?P<at>\s+)", "=",
        "there are no spaces inside a comparison", "write '{sign}='", "{sign}=",
    ),
    _Mistake("operator", "", r"!(?P<at>\s+)=", "there are no spaces inside a comparison", "write '!='", "!="),
    # Signs.
    _Mistake("operand", r"/", r"/", "one '/' is enough, division rounds down", "write '/'", "/"),
    _Mistake(
        "operand", rf"(?P<base>{_COUNT})\s*\*", r"\*\s*(?P<power>[2-5])(?![0-9dD])",
        _NO_POWERS, _WRITTEN_OUT, _power,
    ),
    _Mistake("operand", r"\*", r"\*", _NO_POWERS, _WRITTEN_OUT),
    _Mistake(
        "operand", r"(?P<first>[+-])\s*", r"(?P<second>[+-])\s*",
        _NO_SIGN, "write one operator between two values", _after_sign,
    ),
    _Mistake(
        "operand", _LEAD, r"-\s*",
        _NO_SIGN, "take it from something, as in 5 - 3 or 0 - 3", "{lead}0 - ",
    ),
    _Mistake(
        "operand", r"(?P<operator>[*/])\s*", rf"-\s*(?P<value>{_SIDES}?[dD]{_SIDES}|{_SIDES})",
        _NO_SIGN, "take it from 0 in parentheses, as in (0 - 3)", "{operator} (0 - {value})",
    ),
    _Mistake("operand", "", "-", _NO_SIGN, "take it from 0 in parentheses, as in (0 - 3)"),
    _Mistake("operand", "", r"\+\s*", _NO_SIGN, "leave it out", ""),
    _Mistake("operand", r"[-+*/]\s*", "[*/]", "", "leave one of the two operators out"),
    _Mistake("operand", r"(?P<sign>[-+*/(=<>])\s*", r"\Z", "", "write what follows '{sign}'"),
    # Dice.
    _Mistake("", "", r"[dD](?P<at>%)", "'%' is no number of sides", "write d100", "d100"),
    _Mistake(
        "operator", rf"(?P<count>{_COUNT})(?P<at>\s+)", rf"[dD]\s*(?P<sides>{_SIDES})",
        _SPACED_DICE, "write them as 2d6", "{count}d{sides}",
    ),
    _Mistake(
        "operator", rf"(?P<count>{_COUNT})", rf"[dD](?P<at>\s+)(?P<sides>{_SIDES})",
        _SPACED_DICE, "write them as 2d6", "{count}d{sides}",
    ),
    _Mistake("operand", "", rf"[dD](?P<at>\s+)(?P<sides>{_SIDES})", _SPACED_DICE, "write them as d6", "d{sides}"),
    _Mistake(
        "operator", r"\)\s*", rf"[dD]{_SIDES}",
        "a number of dice is not written in parentheses", "write a number or a [Resource] before the d, as in 3d6",
    ),
    _Mistake(
        "", "", r"[dD]\s*(?P<at>\()",
        "the sides of dice are not written in parentheses", "write a number or a [Resource] after the d, as in 2d6",
    ),
    _Mistake("operator", rf"{_COUNT}\s*", r"[dD](?P<at>)(?![\w\[])", _NO_SIDES, "write them after the d, as in 2d6"),
    _Mistake("operand", "", r"[dD](?P<at>)(?![\w\[])", _NO_SIDES, "write them after the d, as in d6"),
    _Mistake("operator", r"\s*", r"[xX]\s*(?=[0-9(\[dD])", _OPERATORS, "", " * "),
    _Mistake(
        "operator", rf"(?P<dice>{_DICE})", r"(?:[^\W\d]|!)[\w!<>=]*",
        "nothing follows the sides of dice, they are all summed", "leave it out", "{dice}",
    ),
    # Numbers.
    _Mistake(
        "operator", r"(?<![0-9])(?P<whole>[0-9]{1,3})", r"(?P<rest>(?:,[0-9]{3})+)(?![0-9])",
        "a number has no commas", "leave them out", _without_commas,
    ),
    _Mistake(
        "operator", r"\*\s*(?P<whole>[0-9]+)", r"[.,](?P<part>[0-9]+)",
        _WHOLE, "half of a value is written / 2, and one and a half times it * 3 / 2", _fraction,
    ),
    _Mistake("", "", r"[.,][0-9]", _WHOLE, "half of a value is written / 2, and one and a half times it * 3 / 2"),
    _Mistake(
        "operator", rf"(?P<base>{_COUNT})\s*", r"(?:\^\s*(?P<power>[2-5])(?![0-9dD]))",
        _NO_POWERS, _WRITTEN_OUT, _power,
    ),
    _Mistake("operator", rf"(?P<base>{_COUNT})", r"(?P<power>[²³])", _NO_POWERS, _WRITTEN_OUT, _power),
    _Mistake("", "", r"[\^²³]", _NO_POWERS, _WRITTEN_OUT),
    _Mistake("", "", "%", _OPERATORS, ""),
    # Brackets.
    _Mistake(
        "", "", rf"\[\s*(?P<name>{_NAME})\s*\]",
        "a name stands in one pair of brackets", "", "{name}", alone=True,
    ),
    _Mistake(
        "", "", r"\[[^\[\]]*(?P<at>\[)",
        "the name of a resource holds no '['", "close the one before it with ']'",
    ),
    _Mistake(
        "", "", rf"\[{_UNCLOSED}\s*(?P<word>{_WORDS})",
        _NEVER_CLOSED, "write ']' after the name", _named, alone=True,
    ),
    _Mistake("", "", rf"\[{_UNCLOSED}", _NEVER_CLOSED, "write ']' after the name", alone=True),
    _Mistake("operand", r"\(\s*", r"\)", "", "write something between the parentheses, or leave them out"),
    _parenthesis,
    # Words.
    _Mistake(
        "operator", r"\s*", r"(?P<word>(?ai:plus|minus|times|over|multiplied\s+by|divided\s+by))\b\s*",
        _OPERATORS, "", _word_operator,
    ),
    _Mistake(
        "operand", "", r"(?ai:floor|int|trunc)\s*(?=\()",
        _NO_FUNCTIONS, "leave it out, division rounds down", "",
    ),
    _Mistake("operand", "", r"[^\W\d]\w*\s*\(", _NO_FUNCTIONS, _OPERATORS),
    _Mistake(
        "operand", "", rf"(?P<word>{_WORDS})(?:\s*\])?",
        "a resource stands in square brackets", "write [Strength]", _named,
    ),
    _Mistake("", "", r"\]", "']' closes nothing", "leave it out", ""),
    _Mistake(
        "operator", "", _WORDS,
        "", "leave the word out, or write an operator and a [Resource]",
    ),
    _Mistake("operator", "", r"[.;,]\s*\Z", "", "leave it out", ""),
    # An operator left out: dice are more often added to, and all else multiplied.
    _Mistake(
        "operator", rf"(?P<first>{_DICE})\s*", rf"(?={_SIDES}|[dD])",
        "", _BETWEEN, "{first} + ",
    ),
    _Mistake("operator", r"\s*", r"(?=[(\[])", "", _BETWEEN, " * "),
    _Mistake("operator", r"(?P<first>[)\]])\s*", r"(?=[0-9dD])", "", _BETWEEN, "{first} * "),
    _Mistake("operator", "", "[0-9dD]", "", _BETWEEN),
)
# fmt: on


def explain(text: str, at: int, kind: Kind, fails: Fails) -> NotationError:
    """Give the error for a text that fails at a place.

    Parameters:
        at: the place, with all before it legal.
        kind: what the text should be.
        fails: where a text fails, to try a corrected one.
    """
    if not text.strip():
        return NotationError("the text is empty", text=text, at=0, hint=f"write {_EXAMPLES[kind]}")
    first = _comparison(text[:at])
    if kind == "Expression" and first is not None:
        return compares(text)
    place = _Place(text, at, kind)
    if first is not None and place.wanted == "operator" and re.match(_COMPARISON, text[at:]):
        return _chained(place, fails)
    finding = _find(place) or _Finding(at, "", "")
    corrected = _corrected(place, finding, fails)
    hint = finding.hint if corrected is None else f"write '{corrected}'"
    if finding.alone:
        message = finding.cause
    else:
        message = _expected(place)
        hint = ": ".join(part for part in (finding.cause, hint) if part)
    return NotationError(message, text=text, at=finding.at, hint=hint)


def compares(text: str) -> NotationError:
    """Give the error for a Check in the place of an Expression."""
    at = _comparison(text) or 0
    message = f"an Expression compares nothing, found {_found(text, at)}"
    return NotationError(message, text=text, at=at, hint="write one side of it alone; the whole is a Check")


def compares_nothing(text: str) -> NotationError:
    """Give the error for an Expression in the place of a Check."""
    shown = " ".join(text.split())
    hint = f"compare it with something: '{shown} >= 10'" if len(shown) <= _LONGEST else "compare it with something"
    message = "expected a comparison (= != < <= > >=), found the end"
    return NotationError(message, text=text, at=len(text.rstrip()), hint=hint)


def _find(place: _Place) -> _Finding | None:
    for mistake in _MISTAKES:
        finding = mistake.find(place) if isinstance(mistake, _Mistake) else mistake(place)
        if finding is not None:
            return finding
    return None


def _corrected(place: _Place, finding: _Finding | None, fails: Fails) -> str | None:
    """Correct a text, and give it when all its mistakes could be."""
    text = place.text
    for _ in range(_CORRECTIONS):
        if finding is None or finding.instead is None:
            return None
        text = text[: finding.part.start] + finding.instead + text[finding.part.stop :]
        try:
            at = fails(text)
        except DiceError:
            return None
        if at is None:
            shown = printable(" ".join(text.split()))
            right_kind = (_comparison(text) is not None) == (place.kind == "Check")
            return shown if right_kind and len(shown) <= _LONGEST else None
        finding = _find(_Place(text, at, place.kind))
    return None


def _chained(place: _Place, fails: Fails) -> NotationError:
    """Give the error for a second comparison; the hint shows the Checks that the chain could be."""
    hint = "write each comparison as a Check of its own"
    cuts = [match for match in re.finditer(rf"{_NAME}|({_COMPARISON})", place.text) if match[1]]
    ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(place.text)]
    sides = [place.text[start:end].strip() for start, end in zip(*ends, strict=True)]
    checks = [f"{left} {cut[1]} {right}" for cut, (left, right) in zip(cuts, pairwise(sides), strict=True)]
    try:
        if sum(map(len, checks)) <= _LONGEST and all(fails(check) is None for check in checks):
            hint = f"write Checks of their own: {listed((quoted(check) for check in checks), 'and')}"
    except DiceError:
        pass
    return NotationError("a Check holds one comparison", text=place.text, at=place.at, hint=hint)


def _expected(place: _Place) -> str:
    """Say what is expected at a place and what is found there."""
    before = place.text[: place.at]
    if place.wanted == "operand":
        words = list(OPERAND_WORDS)
    else:
        words = ["an operator (+ - * /)"]
        if unclosed_parentheses(before):
            words.append("')'")
        elif place.kind == "Check" and _comparison(before) is None:
            words.append("a comparison")
    return f"expected {listed(words)}, found {_found(place.text, place.at)}"
