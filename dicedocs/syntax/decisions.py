"""What a player chooses in play: a parameter whose value says how, for the dice call ``choose``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, TypeVar

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, listed, quoted
from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.rules.kinds import Kind, as_code, as_line, as_text
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.similar_words import is_near, near
from dicedocs.syntax.foreign_words import CASE
from dicedocs.syntax.formula import evaluate
from dicedocs.syntax.relations import COMPARE
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.translation import mark

M = TypeVar("M", bound=Mechanic)
W = TypeVar("W")

OPEN: Final = "open"
"""The text of a choice that nobody has made yet."""
AT_RANDOM: Final = "at random"
"""The text of a choice that a die makes."""
BEST_PLAY: Final = mark("best play")
"""The text of a choice that is made as well as can be, in odds."""
_BEST: Final = "best"
"""How authors write that."""
_CASE: Final = re.compile(r"\bif\b")
_COMMA: Final = re.compile(rf"((?:{QUOTATION}|[^,])*)(?:,|\Z)")
_SPECIAL: Final = re.compile(r"[\s,\"]|\bif\b")
"""What a way does not have that is written without quotes."""
_CACHE_SIZE: Final = 4096
_CHANCE: Final = frozenset({"random", "randomly", "by chance", "coin flip", "a coin flip"})
_ALWAYS: Final = {"always": "yes", "never": "no"}
_CONDITIONAL: Final = re.compile(
    rf"(?:(?P<way>[^,]*?\S)\s+)?(?:(?:only\s+)?{CASE}|(?P<unless>unless))\s+(?P<test>[^,]*?[^,\s])"
    r"(?:,?\s+(?:else|otherwise)\s+(?P<other>[^,]+)|,\s*(?P<last>[^,]*\S)\s+(?:else|otherwise))?",
    re.IGNORECASE,
)
_TEST: Final = re.compile(rf"[^,\"]*?{COMPARE}[^,\"]*")
"""A condition alone, or a way with one, as people say it."""


class Choice(NamedTuple):
    """How a player chooses.

    Parameters:
        name: what the choice is called.
        text: the way that is taken each time; several, in the order in which the player is asked, perhaps with ``open``
            behind them; ``open``; ``at random``; ``best play``; or a value of what the player sees,
            ``yes if sixes = 0, else no``.
    """

    name: str
    text: str = OPEN

    def __str__(self) -> str:
        return self.text

    @property
    def is_case(self) -> bool:
        """Whether it depends on what the player sees."""
        return _is_case(self.text)

    @property
    def is_fixed(self) -> bool:
        """Whether it is known for each time, given what the player sees."""
        return self.is_case or (self.text not in {OPEN, AT_RANDOM, BEST_PLAY} and len(self.ways) == 1)

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways as written, in the order in which the player is asked."""
        return (self.text,) if self.is_case else _parts(self.text)

    def way(self, ways: Sequence[W], seen: Mapping[str, object], asked: int | None, roll: Callable[[int], int]) -> W:
        """Return which way is taken.

        Parameters:
            ways: those that the player can choose.
            seen: what the player sees, by name.
            asked: how often the player was asked before; ``None`` while odds are counted.
            roll: throws a die.

        Raises:
            Undecided: nobody has chosen.
            ParameterError: it says what is none of the ways, or too little.
        """
        by_text = {way_text(way): way for way in ways}
        if len(by_text) < max(1, len(ways)):
            raise ParameterError(f"{quoted(self.name)} has no two ways with different texts", parameter=self.name)
        if self.text == AT_RANDOM:
            return ways[roll(len(ways)) - 1]
        if self.text == BEST_PLAY:
            self._check_best(by_text, asked)
        if self.is_case:
            return by_text[self._decided(tuple(by_text), seen)]
        written = self.ways
        if len(written) > 1 and asked is None:
            message = f"{quoted(self.text)} are the choices of one play, and odds are of all"
            hint = _to_write(by_text, seen)
            raise ParameterError(message, hint=hint, parameter=self.name)
        at = 0 if asked is None or len(written) == 1 else min(asked, len(written) - (written[-1] == OPEN))
        if at == len(written):
            message = f"{quoted(self.name)} is asked more than {_times(len(written))}, and {_given(written)}"
            raise OtherPlayError(message, hint="give one for each time", parameter=self.name)
        if written[at] in {OPEN, BEST_PLAY}:
            raise Undecided(self, tuple(ways), _to_write(by_text, seen))
        return by_text[known_way(self.name, _plain(written[at]), by_text)]

    def _check_best(self, ways: Iterable[str], asked: int | None) -> None:
        """Refuse best play in a roll, and where it may be the name of a way."""
        if _BEST in ways:
            message = f"{quoted(_BEST)} is a way of {quoted(self.name)}, and stands for best play"
            raise ParameterError(message, hint=f"write {written_way(_BEST)} or {OPEN}", parameter=self.name)
        if asked is not None:
            message = f"{quoted(self.name)} is best play, which is for odds"
            raise ParameterError(message, hint=f"write {listed(ways, 'or')}", parameter=self.name)

    @property
    def settled(self) -> Choice:
        """It, as a play that is over leaves it: nothing is open behind what was chosen."""
        return self._replace(text=self.text.removesuffix(f", {OPEN}"))

    @property
    def unsettled(self) -> Choice:
        """It, with whatever else is asked left open."""
        return self if self.is_open else self._replace(text=f"{self.text}, {OPEN}")

    @property
    def is_open(self) -> bool:
        """Whether the player may still be asked."""
        return self.ways[-1] == OPEN

    def check_asked(self, asked: int) -> None:
        """Raise an ``OtherPlayError`` if the player was asked less often than ways are given in their order."""
        written = tuple(way for way in self.ways if way != OPEN)
        if asked < len(written) and len(self.ways) > 1:
            often = f"asked only {_times(asked)}" if asked else "never asked"
            message = f"{quoted(self.name)} is {often}, and {_given(written)}"
            raise OtherPlayError(message, hint="give one for each time", parameter=self.name)

    def taking(self, way: object) -> Choice:
        """Return it with one more way that a player has taken, and open behind it."""
        before = "" if self.text == OPEN else f"{self.settled}, "
        return self._replace(text=before + written_way(way)).unsettled

    def _decided(self, ways: tuple[str, ...], seen: Mapping[str, object]) -> str:
        return _of_case(self.name, self.text, ways, tuple(in_cases(seen).items()))


class Undecided(ParameterError):
    """A play has come to a choice that nobody has made.

    Parameters:
        choice: the choice.
        ways: what the player can choose.
        hint: what to write.
    """

    def __init__(self, choice: Choice, ways: tuple[Any, ...], hint: str) -> None:
        message = f"{quoted(choice.name)} is the player's choice: {listed(map(way_text, ways), 'or')}"
        super().__init__(message, hint=hint, parameter=choice.name)
        self.choice, self.ways = choice, ways

    def offer_best(self, written: str) -> None:
        """Add to the hint how best play is asked for, given that with braces for the figure."""
        self.hint += f"; for best play add {written.format('p(...)')} or {written.format('mean(...)')}"


class OtherPlayError(ParameterError):
    """Ways are given in their order, and a play asks for more of them, or for fewer."""


class DecisionKind(Kind):
    """How a player chooses.

    Parameters:
        name: what the choice is called.
        ways: the texts of what can be chosen; empty if only the rule knows.
    """

    free = True
    undecided = OPEN

    def __init__(self, name: str = "", ways: Iterable[str] = ()) -> None:
        self.name, self.ways = name, tuple(dict.fromkeys(ways))
        self.expects = (
            f"{', '.join(self.ways) or 'a way'}, several with commas, 'at random' or 'yes if sixes = 0, else no'"
        )

    def of_field(self, name: str) -> Kind:
        return DecisionKind(name, self.ways)

    def read(self, text: str) -> Choice:
        text = " ".join(text.split())
        if text.casefold() == AT_RANDOM or not text:
            return Choice(self.name, AT_RANDOM if text else OPEN)
        if text.casefold() in {_BEST, BEST_PLAY}:
            return Choice(self.name, BEST_PLAY)
        try:
            if _is_case(text):
                parse_rule_value(text)  # refuses what is no value
                return Choice(self.name, text)
            ways = list(map(self._read_way, _parts(text)))
        except DiceError as error:
            if said := _said(text, self.ways):
                error.hint = f"write {said}"
            raise
        if OPEN in ways[:-1]:
            raise ParameterError(f"{quoted(text)} goes on behind 'open'", hint="write open at the end")
        return Choice(self.name, ", ".join(ways))

    def _read_way(self, text: str) -> str:
        plain = _plain(text)
        if text.casefold() == OPEN:
            return OPEN
        if self.ways:
            return written_way(known_way(self.name, plain, self.ways))
        if not plain or (text == plain and _SPECIAL.search(plain)):
            hint = "write several with commas, as in yes, no, and other words in quotes"
            raise ParameterError(f"{quoted(text)} is not one way", hint=hint)
        return written_way(plain)

    def accept(self, value: object) -> Choice:
        if isinstance(value, Choice):
            return value
        if isinstance(value, bool | int):
            return self.read(way_text(value))
        raise self.error(value)

    def write(self, value: Any) -> str:
        return str(value)

    def code(self, value: Any) -> str:
        return as_code(str(value))

    def holds(self, value: Any) -> bool:
        return isinstance(value, Choice)


Decision: TypeAlias = Annotated[Any, DecisionKind()]
"""What a player chooses in play, for ``dice.choose(...)``; a rule whose field has no default leaves it open."""


def left_to_chance(rule: M) -> M:
    """Return a rule whose player leaves to a die what is open: it comes to whatever it can come to."""
    chosen = {name: getattr(rule, name) for name in type(rule).parameters()}
    open_ones = [name for name, value in chosen.items() if isinstance(value, Choice) and not value.is_fixed]
    return rule_with(rule, dict.fromkeys(open_ones, AT_RANDOM))


def is_for_best_play(rule: Mechanic) -> bool:
    """Return whether a player may still choose something in a rule, or does as best play would."""
    chosen = [getattr(rule, name) for name in type(rule).parameters()]
    return any(isinstance(value, Choice) and value.text in {OPEN, BEST_PLAY} for value in chosen)


def way_text(way: object) -> str:
    """Return the text of a way.

    >>> way_text(True), way_text("take"), way_text((4, 2))
    ('yes', 'take', '4 2')
    """
    return ("yes" if way else "no") if isinstance(way, bool) else as_line(way)


def written_way(way: object) -> str:
    """Return how a way is written, in quotes where it would be read as something else.

    >>> written_way(False), written_way("open"), written_way("left, then right")
    ('no', '"open"', '"left, then right"')
    """
    text = way_text(way)
    return f'"{text}"' if text in {OPEN, _BEST, ""} or _SPECIAL.search(text) else text


@lru_cache(_CACHE_SIZE)
def _is_case(text: str) -> bool:
    return _CASE.search(re.sub(QUOTATION, "", text)) is not None


@lru_cache(_CACHE_SIZE)
def _parts(text: str) -> tuple[str, ...]:
    """Return what stands between the commas of a text that stand in no quotes."""
    found = tuple([match[1].strip() for match in _COMMA.finditer(text)])
    return found if text.endswith(",") or len(found) == 1 else found[:-1]


def _plain(text: str) -> str:
    word = unquoted(text)
    truth = TYPED_TRUTHS.get(text.casefold())
    return word if truth is None else way_text(truth)


def known_way(name: str, text: str, ways: Iterable[str]) -> str:
    """Return which of some ways a text is, in whatever case; a ``ParameterError`` if it is none."""
    by_case = {way.casefold(): way for way in ways}
    if text.casefold() not in by_case:
        ways = list(by_case.values())
        hint = near(text, ways) if any(is_near(text, way) for way in ways) else _to_write(ways)
        raise ParameterError(f"{quoted(text)} is not a way of {quoted(name)}", hint=hint, parameter=name)
    return by_case[text.casefold()]


def _said(text: str, ways: Sequence[str]) -> str:
    """Return how a way to choose is written that is said in other words; empty if that is not known.

    >>> _said("yes when first < 7", ("yes", "no")), _said("first < 7", ("yes", "no")), _said("never", ("yes", "no"))
    ('yes if first < 7, else no', 'yes if first < 7, else no', 'no')
    """
    are_truths = {*ways} == {"yes", "no"}
    if text.casefold() in _CHANCE:
        return AT_RANDOM
    if are_truths and text.casefold() in _ALWAYS:
        return _ALWAYS[text.casefold()]
    found = _CONDITIONAL.fullmatch(text)
    is_test = are_truths and _TEST.fullmatch(text) and text.split(maxsplit=1)[0] not in ways
    if len(ways) != 2 or not (found or is_test):
        return ""
    way, test = (found["way"] or "yes", found["test"]) if found else ("yes", text)
    other = (found["other"] or found["last"] if found else "") or next((each for each in ways if each != way), "")
    test = f"not ({test})" if found and found["unless"] else test
    return _as_case(way, test, other) if {way, other} == {*ways} else ""


def _as_case(way: str, test: str, other: str) -> str:
    """Return the case in which one way is taken, or else another, each in quotes if it is a word."""
    words = [each if each in TYPED_TRUTHS or each.isdigit() else f'"{each}"' for each in (way, other)]
    return f"{words[0]} if {test}, else {words[1]}"


def in_cases(seen: Mapping[str, object]) -> dict[str, int | str]:
    """Return what a player sees as a case can ask for it.

    >>> in_cases({"left": 2, "faces": (4, 2)})
    {'left': 2, 'faces': '4 2'}
    """
    return {
        name: value if isinstance(value, bool) else int(value) if isinstance(value, int) else as_text(value)
        for name, value in seen.items()
    }


@limits.cached(_CACHE_SIZE)
def _of_case(name: str, text: str, ways: tuple[str, ...], seen: tuple[tuple[str, int | str], ...]) -> str:
    """Return the text of the way that a value of what the player sees comes to."""
    what = f"value that is known when {quoted(name)} is chosen"
    value = evaluate(text, {**bare_ways(ways), **dict(seen)}, name, what)
    found = way_text(bool(value)) if {*ways} == {"yes", "no"} and value in {0, 1} else way_text(value)
    return known_way(name, found, ways)


def bare_ways(ways: Iterable[str]) -> dict[str, str]:
    """Return the ways that are words and so may stand in a case without quotes, each by itself."""
    return {way: way for way in ways if way not in TYPED_TRUTHS and not way.lstrip("-").isdigit()}


def _to_write(ways: Collection[str], seen: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return what could be written for a choice: one of its ways, or a case of what the player sees."""
    first, *_, last = (*ways, *ways)
    test = next((f"{name} > 0" for name, value in seen.items() if type(value) is int), "...")
    return f"write {listed(map(written_way, ways), 'or')}, or when: {_as_case(last, test, first)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _given(written: Sequence[str]) -> str:
    return f"{len(written)} ways are given" if len(written) != 1 else "1 way is given"
