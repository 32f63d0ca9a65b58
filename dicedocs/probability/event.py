"""Events, whose probability is computed: ``at least 13``, ``between 6 and 8``, ``= true``, ``if it succeeds``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.kinds import as_line
from dicedocs.rules.steps import Comparison
from dicedocs.rules.truth_words import typed_truth
from dicedocs.syntax.conditions import EVENT
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import Text, read_part
from dicedocs.syntax.ranges import Range, read_range
from dicedocs.syntax.relations import COMPARE, range_at, read_relation
from dicedocs.syntax.rule_names import NUMBER, Named, RuleNames
from dicedocs.syntax.tree import IT
from dicedocs.syntax.value_kinds import value_in_conditions
from dicedocs.translation import gettext as _
from dicedocs.translation import mark, word

Relation = Comparison | Literal["between"]
"""How an event compares; ``between`` has two numbers on its right side, ``6 and 8``, and both belong to it."""
WORDS: Final[Mapping[Relation, str]] = {
    "between": "between",
    ">=": "at least",
    "<=": "at most",
    ">": "over",
    "<": "under",
    "=": "equal",
    "!=": "not",
}
"""The words for each sign."""
_MESSAGES: Final[Mapping[Relation, str]] = {
    ">=": mark("at least {value}"),
    "<=": mark("at most {value}"),
    ">": mark("over {value}"),
    "<": mark("under {value}"),
    "!=": mark("not {value}"),
    "between": mark("between {low} and {high}"),
}
"""The message about each comparison but that for equality."""
_TRUTHS: Final = {as_line(True): "yes", as_line(False): "no"}
_ORDERS: Final = frozenset({">=", "<=", ">", "<", "between"})
AND: Final = " and "
"""What stands between the two numbers of ``between``."""
_CACHE_SIZE: Final = 64
"""An event is asked about every outcome: what its text means is found once, not as often as there are outcomes."""
_FORM: Final = re.compile(rf"((?i:(?:(?:is|are) )?between\b)|{COMPARE})? ?(.*)")
_QUOTED: Final = re.compile(r'" ?(.*[^ ]) ?"')


class Event(NamedTuple):
    """A comparison that holds for some values of a fact.

    Parameters:
        op: the sign of the comparison, or ``between``.
        text: the right side of the comparison, as the canonical text of a fact's value; of ``between`` two numbers,
            ``6 and 8``.

    >>> print(Event.read(">= 13"))
    at least 13
    >>> Event.read("at least 13").holds(12), Event.read("if it succeeds").holds("if it succeeds")
    (False, True)
    """

    op: Relation
    text: str

    @classmethod
    def read(cls, text: object) -> Event:
        """Parse a comparison in words or with a sign; a value alone means that value, and may stand in quotes.

        Raises:
            ParameterError: the value is missing, or an order is asked for and it is not a whole number.
        """
        if isinstance(text, Event):
            if text.op not in WORDS or not isinstance(text.text, str):
                raise ParameterError(f"{quoted(tuple(text))} is not an event", hint="write it like 'at least 13'")
            return text
        if type(text) is int:
            check_digits(text)
        try:
            folded = as_line(text)
        except (RecursionError, ValueError):
            raise ParameterError(f"{quoted(text)} is not an event", hint="write it like 'at least 13'") from None
        match = _FORM.fullmatch(folded)
        sign, value = match.groups() if match else ("", folded)
        op: Relation = "between" if sign and sign.lower().endswith("between") else read_relation(sign or "=")
        if op == "=" and (found := range_at(value, 0)) and found.end() == len(value):
            return cls._of_range(read_range(found))
        if not value:
            raise ParameterError(f"{quoted(folded)} lacks a value", hint="write it like 'at least 13'")
        event = cls(op, value)
        if op not in _ORDERS:
            quotation = _QUOTED.fullmatch(value)
            return event._replace(text=quotation[1]) if quotation else event
        low, high = event.bounds
        if low is not None and high is not None and low > high:
            message = f"no number is {quoted(folded)}"
            raise ParameterError(message, hint=f"write 'between {high} and {low}'")
        return event

    @classmethod
    def _of_range(cls, of: Range) -> Event:
        if of.low is not None and of.high is not None:
            return cls.read(f"between {of.low} and {of.high}")
        return cls("<=" if of.low is None else ">=", str(of.high if of.low is None else of.low))

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The lowest and the highest number of an event about the size of numbers; ``None`` where it has no bound.

        Raises:
            ParameterError: the right side is not a whole number, or not two of them.

        >>> Event.read("over 3").bounds, Event.read("between 6 and 8").bounds
        ((4, None), (6, 8))
        """
        if self.op == "between":
            low, both, high = self.text.partition(AND)
            if not both:
                hint = "write it like 'between 6 and 8'"
                raise ParameterError(f"{quoted(self.text)} is not two numbers", hint=hint)
            return read_number(low), read_number(high)
        number = self.number
        if self.op in {">=", ">"}:
            return number + (self.op == ">"), None
        return None, number - (self.op == "<")

    @property
    def number(self) -> int:
        """The whole number on the right side.

        Raises:
            ParameterError: the right side is not a whole number.
        """
        return read_number(self.text)

    @property
    def ordered(self) -> bool:
        """Whether values are compared by size, which only numbers have."""
        return self.op in _ORDERS

    def holds(self, value: object) -> bool:
        """Return whether the comparison holds for a value; only numbers are above or below others.

        Raises:
            ParameterError: a number is compared with a text such as ``13+``, which is no number.
        """
        if self.op in _ORDERS:
            low, high = self.bounds
            return type(value) is int and (low is None or low <= value) and (high is None or value <= high)
        text = typed_truth(self.text) if isinstance(value, bool) else self.text
        return (as_line(value) == text) == (self.op == "=")

    def __str__(self) -> str:
        return self.text if self.op == "=" else f"{WORDS.get(self.op, self.op)} {self.text}"


def joined_events(text: str, values: Iterable[object]) -> Callable[[object], bool]:
    """Return whether several events that ``or`` and ``and`` join hold for a value.

    Parameters:
        text: such as ``7 or 11``.
        values: all values that there are.

    Raises:
        ParameterError: it is no such event.

    >>> list(filter(joined_events("7 or at least 11", range(2, 13)), range(2, 13)))
    [7, 11, 12]
    """
    words = [as_line(value) for value in values if type(value) is not int]
    part = read_part(Text((text,), (0,), 0), 0, text, bound_names({word: word for word in words}), is_event=True)
    names = RuleNames({})
    names.check_no_dice(part)
    names.known[IT.name] = Named("it", tuple(map(value_in_conditions, values)) if words else NUMBER)
    resolved = names.resolved(part._replace(tree=names.completed(part, EVENT)))
    names.check_truth(resolved.tree, resolved)
    holds = compiled(resolved.tree, {IT.name: 0})
    return lambda value: holds((value_in_conditions(value) if words else value,))


def event_text(event: Event) -> str:
    """Return an event in the language of the reader; ``str(event)`` is canonical.

    >>> event_text(Event.read(">= 13")), event_text(Event.read("between 6 and 8"))
    ('at least 13', 'between 6 and 8')
    """
    if event.op == "between":
        low, high = event.text.split(AND)
        return _(_MESSAGES[event.op]).format(low=low, high=high)
    value = word(_TRUTHS.get(event.text, event.text))
    return _(_MESSAGES[event.op]).format(value=value) if event.op in _MESSAGES else value


@limits.cached(_CACHE_SIZE)
def read_number(text: str) -> int:
    """Return the whole number of a text; it may be any outcome, and have more digits than a number in an Expression.

    Raises:
        ParameterError: it is not a whole number.
        LimitError: it has more than ``OUTCOME_DIGITS`` digits.
    """
    text = text.strip()
    digits = text[1:] if text[:1] in {"-", "+"} else text
    if not (digits.isascii() and digits.isdigit()):
        raise ParameterError(f"{quoted(text)} is not a whole number")
    limits.OUTCOME_DIGITS.check(len(digits), hint="write a smaller number")
    return int(text)


def check_digits(number: int) -> None:
    """Raise a ``LimitError`` for a number that is too long to be an outcome."""
    end = _power_of_ten(limits.OUTCOME_DIGITS.maximum)
    if not -end < number < end:
        limits.OUTCOME_DIGITS.check(limits.OUTCOME_DIGITS.maximum + 1, hint="use smaller numbers")


@lru_cache(maxsize=8)
def _power_of_ten(digits: int) -> int:
    return int(10**digits)
