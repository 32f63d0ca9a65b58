"""Events, whose probability is computed: ``at least 13``, ``7 or 11``, ``between 6 and 8``, ``= true``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import NotationError, ParameterError, quoted
from dicedocs.rules.kinds import as_line
from dicedocs.rules.steps import Comparison
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.conditions import EVENT
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import bound_names, folded
from dicedocs.syntax.parts import Text, read_part
from dicedocs.syntax.rule_names import NUMBER, Named, RuleNames
from dicedocs.syntax.tree import (
    IT,
    Compared,
    Logic,
    Negation,
    Node,
    Number,
    Reference,
    Words,
    nodes,
    rebuild,
)
from dicedocs.syntax.value_kinds import NO, YES, value_in_conditions
from dicedocs.translation import gettext as _
from dicedocs.translation import mark, word

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_MESSAGES: Final[Mapping[Comparison, str]] = {
    "=": "{value}",
    ">=": mark("at least {value}"),
    "<=": mark("at most {value}"),
    ">": mark("over {value}"),
    "<": mark("under {value}"),
    "!=": mark("not {value}"),
}
"""The message about each comparison."""
_WRITE: Final = "write it like 'at least 13'"


class Event(NamedTuple):
    """A condition on a value, or on the values of some facts.

    Parameters:
        text: it, as written.
        tree: its tree, in which each name is a fact, or stands for the value.
        facts: the names.
        of_words: those whose values are compared as words.
    """

    text: str
    tree: Node
    facts: tuple[str, ...]
    of_words: frozenset[str]

    @classmethod
    def read(cls, text: object, values: Iterable[object] = (), *, each: str = "") -> Event:
        """Return the event that a text is, or that of being a value.

        Parameters:
            text: the text, or the value.
            values: those that there are; whole numbers need not be among them if there are no others.
            each: what each of the values is, if there are no others; otherwise another word is a value that never
                comes up.

        Raises:
            ParameterError: it is no event; the error holds the position.

        >>> list(filter(Event.read("7 or at least 11").test(), range(2, 13)))
        [7, 11, 12]
        """
        line = event_line(text)
        known = tuple(values)
        others = [value for value in known if type(value) is not int and value is not None]
        written = {as_line(value): value_in_conditions(value) for value in known} if others else {}
        if line in written or (others and not isinstance(text, str)):
            is_it = Compared(IT, "=", Words(written.get(line, line)))
            return cls(line, is_it, (IT.name,), frozenset({IT.name}))
        is_optional = any(value is None for value in known)
        names = RuleNames({}, missing="these are numbers, not words")
        if others:
            truths = [YES, NO] if any(isinstance(value, bool) for value in others) else []
            # All that others could do is make a long list of words longer.
            meant = folded(line)
            words = [one for text, one in written.items() if each or folded(text) in meant or folded(one) in meant]
            names.known[IT.name] = Named(each or "it", tuple(dict.fromkeys([*words, *truths])))
        else:
            names.known[IT.name] = Named("it", NUMBER, is_optional)
            words = []
        try:
            return read_event(line, {one: one for one in words}, names, IT, [] if each else [IT.name])
        except NotationError as error:
            misread = ParameterError(error.message, hint=error.hint)
            misread.text, misread.at = line, error.at
            raise misread from None

    @property
    def comparisons(self) -> int:
        """How many comparisons it has."""
        return sum(isinstance(each, Compared) for each in nodes(self.tree))

    @property
    def bounds(self) -> tuple[int | None, int | None] | None:
        """The lowest and the highest number for which it holds, if it says no more of its only fact.

        >>> Event.read("over 3").bounds, Event.read("between 6 and 8").bounds, Event.read("not 7").bounds
        ((4, None), (6, 8), None)
        """
        if len(self.facts) > 1 or self.of_words:
            return None
        parts = self.tree.operands if isinstance(self.tree, Logic) and self.tree.name == "all" else (self.tree,)
        low, high = -inf, inf
        for part in parts:
            match part:
                case Compared(Reference(), op, right) if op != "!=" and (number := _whole(right)) is not None:
                    low = max(low, number + (op == ">")) if op in {">", ">=", "="} else low
                    high = min(high, number - (op == "<")) if op in {"<", "<=", "="} else high
                case _:
                    return None
        return None if low == -inf else int(low), None if high == inf else int(high)

    def chance(self, odds: Distribution) -> Fraction:
        """Return its probability."""
        if (bounds := self.bounds) is not None and self.facts in {(IT.name,), odds.names}:
            return odds.within(*bounds)
        holds = self.test(odds.names)
        return Fraction(sum(count for value, count in odds.items() if holds(value)), odds.denominator)

    def words(self) -> Iterator[tuple[str, str]]:
        """Yield the facts that are compared with words, each with its word."""
        for each in nodes(self.tree):
            match each:
                case Compared(Reference(name=fact), _, Words(text)) | Compared(Words(text), _, Reference(name=fact)):
                    yield fact, text

    def test(self, names: Sequence[str] = ()) -> Callable[[Any], bool]:
        """Return the function that returns whether it holds for a value.

        Parameters:
            names: the facts that a value is of; it is a tuple if these are several.
        """
        names = self.facts if self.facts == (IT.name,) else names
        holds = compiled(self.tree, {name: place for place, name in enumerate(names)})
        if not self.of_words:
            return holds if len(names) > 1 else lambda value: bool(holds((value,)))
        texts = [name in self.of_words for name in names]
        known: dict[Any, str] = {}

        def text_of(value: Any) -> str:
            key = type(value), value
            if key not in known:
                known[key] = value_in_conditions(value)
            return known[key]

        def test(value: Any) -> bool:
            row = value if len(names) > 1 else (value,)
            return bool(holds([text_of(one) if is_text else one for one, is_text in zip(row, texts, strict=True)]))

        return test

    def __str__(self) -> str:
        return self.text


def event_line(text: object) -> str:
    """Return the text of an event in one line.

    Parameters:
        text: the text, or a value.

    Raises:
        ParameterError: it is neither, or empty.
        LimitError: it is a number that is too long.
    """
    if type(text) is int:
        check_digits(text)
    try:
        line = as_line(text)
    except (RecursionError, ValueError):
        raise ParameterError(f"{quoted(text)} is not an event", hint=_WRITE) from None
    if not line:
        raise ParameterError("an event is missing", hint=_WRITE)
    return line


def read_event(
    text: str, written: Mapping[str, str], names: RuleNames, it: Reference | None, open_facts: Iterable[str]
) -> Event:
    """Return the event that a text is.

    Parameters:
        text: the text.
        written: the name or the word of what may be written for each.
        names: the facts.
        it: the fact that is meant where none is named; ``None`` if each comparison names its own.
        open_facts: those that may be other words, too.

    Raises:
        NotationError: it is none; the error has the position.
    """
    part = read_part(Text((text,), (0,), 0), 0, text, bound_names(written), is_event=True)
    names.check_no_dice(part)
    tree = names.completed(part, EVENT if it else None)
    tree = _about(tree, it) if it else tree
    for each in nodes(tree):
        match each:
            case Compared(Reference(name=fact), _, Reference(name=other) as truth) if other in TYPED_TRUTHS:
                if other not in names.known and fact in names.known and names.known[fact].kind == NUMBER:
                    raise part.error(f"{quoted(other)} is not a whole number", truth.at, "write a number")
    names.extend(tree, open_facts)
    resolved = names.resolved(part._replace(tree=tree))
    names.check_truth(resolved.tree, resolved)
    facts = tuple(dict.fromkeys(each.name for each in nodes(resolved.tree) if isinstance(each, Reference)))
    of_words = frozenset(fact for fact in facts if isinstance(names.known[fact].kind, tuple))
    return Event(text, resolved.tree, facts, of_words)


def _about(node: Node, fact: Reference) -> Node:
    return fact if node == IT else rebuild(node, lambda child: _about(child, fact))


def event_text(event: Event) -> str:
    """Return an event in the language of the reader; ``str(event)`` is as written.

    >>> event_text(Event.read(">= 13")), event_text(Event.read("6-8")), event_text(Event.read("7 or 11"))
    ('at least 13', 'between 6 and 8', '7 or 11')
    """
    match event.tree:
        case Logic("all", (Compared(Reference(), ">=", low), Compared(Reference(), "<=", high))):
            if (least := _said(low)) and (most := _said(high)):
                return _("between {low} and {high}").format(low=least, high=most)
        case Compared(Reference(), op, right) if value := _said(right):
            return _(_MESSAGES[op]).format(value=value)
    return event.text


def _said(node: Node) -> str:
    """Return a number or a word in the language of the reader; empty for anything else."""
    match node:
        case Words(text):
            return word(text)
        case Compared(Number(one), "=", Number(other)):  # yes and no, where they are no words
            return word(YES if one == other else NO)
    number = _whole(node)
    return "" if number is None else str(number)


def _whole(node: Node) -> int | None:
    match node:
        case Number(int(number)):
            return number
        case Negation(Number(int(number))):
            return -number
    return None


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
