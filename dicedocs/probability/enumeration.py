"""Dice that play out every possibility: the exact odds of any fact of any mechanic.

A rule is run once for each distinct answer of its dice, the first question deepest last, as if
somebody turned a combination lock. The rule is the very one that rolls; nothing is written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import lcm, prod
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from dicedocs import limits
from dicedocs.errors import ParameterError, listed, near, quoted
from dicedocs.probability.combinatorics import count_multisets, count_tallies, kept_sums, multisets, tallies
from dicedocs.probability.distribution import ChoiceOrders, Distribution
from dicedocs.rules import kinds
from dicedocs.rules.dice import Dice, Keep, Rule, SeededDice, check_limits, read_dice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import READ_FROM_DICE, Outcome, attach, fact_values
from dicedocs.rules.record import Faces
from dicedocs.rules.registry import mechanic
from dicedocs.rules.steps import SILENT

R = TypeVar("R", bound=Outcome)

_HINT: Final = "throw fewer dice, or take samples: estimate(...)"
_PROBES: Final = 16
"""Random plays by which the number of answers is judged beforehand."""
_FEW: Final = 2
"""From which of them on it is seen that the answers are few."""
_TWICE: Final = 16
"""How many paths are run twice at first; after these fewer and fewer are."""
_DOUBT: Final = 4
"""How far above the limit that judgement must lie, since it is a guess."""
_REMEMBERED: Final = 64
"""Questions whose answers are kept, since other paths ask them again."""
_PAUSE: Final = 64
"""Answers between two reports of how far the counting is."""


def odds(rule: str | Mechanic, /, *facts: str, **parameters: Any) -> Distribution:
    """Give the exact odds of facts of a mechanic, from the very rule that rolls it.

    Parameters:
        rule: the id of a mechanic, or a mechanic with its parameters.
        facts: one fact, or several, whose odds are then joint: the values are tuples. Without any
            it is the mechanic's first fact.
        parameters: the mechanic's parameters, each as itself or as its text.

    Returns:
        The distribution of the fact's values.

    Raises:
        ParameterError: a parameter or a fact is not what it can be, or there is no such mechanic.
        LimitError: more answers of the dice would have to be counted than ``BRANCHES``.
        DiceError: the rule cannot be played.
        RuntimeError: the rule is no function of its dice.

    >>> odds("total-effect/roll", "total", advantage=1).p(">= 13")
    Fraction(79, 162)
    """
    return run_to_end(enumerate_odds(bind_parameters(rule, parameters), *facts))


T = TypeVar("T")


def run_to_end(counted: Generator[float, None, T], progress: Callable[[float], None] | None = None) -> T:
    """Count to the end.

    Parameters:
        counted: what :func:`enumerate_odds` gave.
        progress: told now and then which part is done, from 0 to 1.
    """
    while True:
        try:
            part = next(counted)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # the value of a generator is Any here
        if progress is not None:
            progress(part)


def bind_parameters(rule: str | Mechanic, parameters: Mapping[str, Any]) -> Mechanic:
    """Give the mechanic of an id with its parameters, or one that was given as it is.

    Raises:
        DiceError: there is none, or the parameters do not fit.
    """
    if not isinstance(rule, Mechanic):
        return mechanic(rule)(**parameters)
    if parameters:
        raise ParameterError("a mechanic with its parameters takes no others", hint="give the id instead")
    return rule


def select_facts(rule: Mechanic, names: Sequence[str]) -> tuple[str, ...]:
    """Give the facts that are asked for: those named, or else the first.

    Raises:
        ParameterError: there is no such fact, or it has no odds.
    """
    known = type(rule).result().facts_of
    for name in names:
        if name in READ_FROM_DICE:
            raise ParameterError(f"{quoted(name)} has no odds of its own", hint=f"ask for {listed(known)}")
        if name not in known:
            raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, known))
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ParameterError(f"the fact {quoted(name)} is asked for twice", hint="name each once")
    if not known:
        raise ParameterError("this mechanic has no facts", hint="ask for another")
    return tuple(names) or tuple(known)[:1]


def enumerate_odds(rule: Mechanic, *facts: str) -> Generator[float, None, Distribution]:
    """Count the odds a little at a time: what :func:`odds` does, for who has other things to do meanwhile.

    Parameters:
        rule: a mechanic with its parameters.
        facts: as for :func:`odds`.

    Yields:
        Which part is done, from 0 to 1, every millisecond or so.

    Returns:
        The distribution.

    Raises:
        LimitError, ParameterError, DiceError, RuntimeError: as for :func:`odds`.
    """
    names = select_facts(rule, facts)
    own = rule.distribution(*names)
    if own is not None:
        return own
    order = list(type(rule).result().facts_of)
    read: Callable[[Facts], Hashable] = itemgetter(*map(order.index, names))
    counts = yield from _Count().outcomes(rule, read)
    return Distribution._of(counts, names, choice_orders(rule, names, counts))


def choice_orders(rule: Mechanic, names: Sequence[str], values: Iterable[Any]) -> ChoiceOrders:
    """Give the words of some facts, in the order in which their kinds declare them, if the values hold any."""
    if not any(isinstance(part, str) for value in values for part in (value if isinstance(value, tuple) else (value,))):
        return ()
    of_facts = type(rule).fact_kinds()
    return tuple(tuple(_declared(of_facts[name])) for name in names)


def _declared(kind: kinds.Kind) -> Iterator[str]:
    match kind:
        case kinds.ChoiceKind():
            yield from (word for word in kind.words.values() if isinstance(word, str))
        case kinds.UnionKind():
            for one in kind.kinds:
                yield from _declared(one)
        case kinds.ListKind():
            yield from _declared(kind.kind)


Facts = tuple[Any, ...]


def _all(facts: Facts) -> Hashable:
    return facts


class _Count:
    """The counting of one mechanic, and of those that it plays, each once."""

    def __init__(self) -> None:
        self.answers = 0
        self.played: dict[Rule[Any], _Question] = {}
        self.playing: list[Rule[Any]] = []

    def outcomes(
        self, rule: Rule[Any], read: Callable[[Facts], Hashable] = _all
    ) -> Generator[float, None, dict[Any, int]]:
        """Count the ways to each outcome of a rule, by what is read of its facts."""
        if rule in self.playing:
            limits.PLAYS.check(limits.PLAYS.maximum + 1, hint="the rule plays itself without end: let it come to one")
        self.playing.append(rule)
        limits.PLAYS.check(len(self.playing), hint="let the rule come to an end")
        yield from self._judge(rule)
        path = _Path(rule, self.played)
        found: dict[int, dict[Hashable, int]] = {}
        first = before = None
        turn = again = 0
        while True:
            try:
                facts = path.run()
            except _Uncounted as wanted:
                yield from self._count(wanted.rule)
                continue
            if before is not None and facts != before:
                raise _unfaithful(rule)
            if turn == again:
                # A clock or a chance of its own may ask the same questions, so some paths are run twice.
                again = max(turn + 1, 2 * turn - _TWICE)
                before = facts
                continue
            if first is None:
                first = facts
            before = None
            turn += 1
            self._answered()
            ways, every = path.weight()
            same = found.get(every)
            if same is None:
                same = found[every] = {}
            key = read(facts)
            same[key] = same.get(key, 0) + ways
            if not path.turn():
                break
            if not turn % _PAUSE:
                yield path.progress()
        # And the first of them again, since time has gone by, and more often where there were few.
        if any(path.run() != first for _ in range(max(1, _TWICE - turn))):
            raise _unfaithful(rule)
        self.playing.pop()
        return _over_one(found)

    def _count(self, rule: Rule[Any]) -> Generator[float, None, None]:
        """Count a mechanic that is played, and make its outcomes the answers to one question."""
        found = yield from self.outcomes(rule)
        make = rule.result() if isinstance(rule, Mechanic) else Outcome
        outcomes = []
        for facts in found:
            outcome = make(*facts)
            attach(outcome, rule)
            outcomes.append(outcome)
        self.played[rule] = _Question(outcomes, list(found.values()), sum(found.values()))

    def _answered(self) -> None:
        self.answers += 1
        if self.answers > limits.BRANCHES.maximum:
            limits.BRANCHES.check(self.answers, hint=_HINT)

    def _judge(self, rule: Rule[Any]) -> Generator[float, None, None]:
        """Refuse at once what would clearly pass the limit, by some random plays."""
        sizes: list[int] = []
        for probe in range(_PROBES):
            gauge = _Gauge(probe, rule, self.played)
            while True:
                try:
                    gauge.run()
                    break
                except _Uncounted as wanted:
                    yield from self._count(wanted.rule)
            sizes.append(gauge.size)
            if probe == _FEW and sum(sizes) < limits.BRANCHES.maximum // _PROBES:
                return
        guess = sum(sizes) // _PROBES
        # Where all plays agree there is nothing to doubt.
        if guess > (_DOUBT if len(set(sizes)) > 1 else 1) * limits.BRANCHES.maximum:
            limits.BRANCHES.check(guess, hint=_HINT)


def _over_one(found: Mapping[int, Mapping[Hashable, int]]) -> dict[Hashable, int]:
    """Bring counts over several denominators over one."""
    common = lcm(*found)
    counts: dict[Hashable, int] = {}
    for every, same in found.items():
        factor = common // every
        for key, ways in same.items():
            counts[key] = counts.get(key, 0) + ways * factor
    return counts


def _unfaithful(rule: Rule[Any]) -> RuntimeError:
    name = type(rule).__qualname__
    return RuntimeError(f"{name} is no function of its dice: the same faces lead it elsewhere another time")


class _Question(NamedTuple):
    """What the dice can answer to one call.

    Parameters:
        answers: the distinct answers.
        ways: the number of ways to each.
        every: the sum of all ways.
    """

    answers: Sequence[Any]
    ways: Sequence[int]
    every: int


class _Uncounted(BaseException):
    """A mechanic is played that must be counted first; no rule's ``except Exception`` may catch it."""

    def __init__(self, rule: Rule[Any]) -> None:
        super().__init__(rule)
        self.rule = rule


class _Call(Protocol):
    """A dice call; two that ask the same are equal."""

    def size(self) -> int:
        """Count its answers, without making them; refuse dice that cannot be."""
        ...

    def question(self) -> _Question:
        """Give its answers."""
        ...

    def throw(self, dice: Dice) -> Any:
        """Make the call."""
        ...


class _Roll(NamedTuple):
    sides: int

    def size(self) -> int:
        _refuse(1, (self.sides,))
        return self.sides

    def question(self) -> _Question:
        return _Question(range(1, self.sides + 1), [1] * self.sides, self.sides)

    def throw(self, dice: Dice) -> int:
        return dice.roll(self.sides)


class _Each(NamedTuple):
    sides: tuple[int, ...]

    def size(self) -> int:
        _refuse(len(self.sides), self.sides)
        return prod(self.sides)

    def question(self) -> _Question:
        answers = [Faces(faces) for faces in product(*[range(1, side + 1) for side in self.sides])]
        return _Question(answers, [1] * len(answers), len(answers))

    def throw(self, dice: Dice) -> Faces:
        return dice.each(*self.sides)


class _Pool(NamedTuple):
    sides: tuple[int, ...]
    keep: Keep | None

    def size(self) -> int:
        _refuse(len(self.sides), self.sides)
        return count_multisets(self.sides, self.keep)

    def question(self) -> _Question:
        found = list(multisets(self.sides, self.keep))
        return _Question([Faces(faces) for faces, _ in found], [ways for _, ways in found], prod(self.sides))

    def throw(self, dice: Dice) -> Faces:
        return dice.pool(*self.sides, keep=self.keep)


class _Total(NamedTuple):
    dice: int
    sides: int
    keep: Keep | None

    def size(self) -> int:
        _refuse(self.dice, (self.sides,))
        number = self.dice if self.keep is None else min(self.keep.number, self.dice)
        return number * (self.sides - 1) + 1

    def question(self) -> _Question:
        low, ways = kept_sums((self.sides,) * self.dice, self.keep)
        return _Question(range(low, low + len(ways)), ways, self.sides**self.dice)

    def throw(self, dice: Dice) -> int:
        return dice.total(self.dice, self.sides, keep=self.keep)


class _Tally(NamedTuple):
    dice: int
    sides: int
    classes: tuple[tuple[int, ...], ...]

    def size(self) -> int:
        _refuse(self.dice, (self.sides,))
        return count_tallies(self.dice, self.sides, self.classes)

    def question(self) -> _Question:
        found = list(tallies(self.dice, self.sides, self.classes))
        answers = [tally[0] if len(self.classes) == 1 else tally for tally, _ in found]
        return _Question(answers, [ways for _, ways in found], self.sides**self.dice)

    def throw(self, dice: Dice) -> int | tuple[int, ...]:
        return dice.tally(self.dice, self.sides, *self.classes)


def _refuse(count: int, sides: Sequence[int]) -> None:
    """Refuse dice that cannot be, as dice that are thrown are refused."""
    check_limits(0, count, min(sides, default=1))
    check_limits(0, count, max(sides, default=1))


class _Play(NamedTuple):
    """A mechanic that is played, whose answers are its distinct outcomes."""

    rule: Rule[Any]


Asked = tuple[Any, ...]
"""A dice call as it stands on a path: which kind, and what it asks; two that ask the same are equal."""


class _Asking(Dice):
    """Dice whose every call is one question; a subclass answers it.

    What is wrong with a question is kept as well as raised: a rule that catches everything would
    go on with dice that gave it nothing.
    """

    __slots__ = ("_awaited", "_played", "_rule", "_wrong")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], _Question]) -> None:
        super().__init__()
        self._rule = rule
        self._played = played
        self._awaited: Rule[Any] | None = None
        self._wrong: BaseException | None = None

    def run(self) -> Facts:
        """Run the rule with these dice, and give its facts.

        Raises:
            _Uncounted: it plays a mechanic that is not counted yet.
        """
        facts: Facts = ()
        try:
            facts = fact_values(self._rule.resolve(self, SILENT))
        except BaseException:
            if self._wrong is None:
                raise
        if self._wrong is not None:
            wrong, self._wrong = self._wrong, None
            raise wrong
        if self._awaited is not None:
            raise _unfaithful(self._rule)
        return facts

    def ask(self, asked: Asked) -> Any:
        """Answer a call."""
        try:
            return self.answer(asked)
        except BaseException as error:
            self._wrong = self._wrong or error
            raise

    def answer(self, asked: Asked) -> Any:
        """Find the answer to a call."""
        raise NotImplementedError

    def outcomes(self, rule: Rule[Any]) -> _Question:
        """Give the outcomes of a mechanic that is played."""
        known = self._played.get(rule)
        if known is None:
            # What was counted for this rule it must ask for again, or counting would never end.
            if self._awaited is not None:
                raise _unfaithful(self._rule)
            self._awaited = rule
            raise _Uncounted(rule)
        if rule == self._awaited:
            self._awaited = None
        return known

    def throw(self, count: int, sides: int) -> list[int]:
        return list(self.each(*[sides] * count))

    def roll(self, sides: int) -> int:
        return self.ask((_Roll, sides))  # type: ignore[no-any-return]

    def each(self, *sides: int) -> Faces:
        return self.ask((_Each, sides))  # type: ignore[no-any-return]

    def pool(self, *sides: int, keep: Keep | None = None, unread: Mapping[int, str] | None = None) -> Faces:
        return self.ask((_Pool, read_dice(sides, unread) if unread else sides, keep))  # type: ignore[no-any-return]

    def total(self, count: int, sides: int, *, keep: Keep | None = None) -> int:
        return self.ask((_Total, count, sides, keep))  # type: ignore[no-any-return]

    def tally(self, count: int, sides: int, *classes: Collection[int]) -> Any:
        return self.ask((_Tally, count, sides, tuple(tuple(sorted(hits)) for hits in classes)))

    def play(self, rule: Rule[R], label: str = "") -> R:
        return self.ask((_Play, rule))  # type: ignore[no-any-return]

    def begin(self, rule: Rule[R]) -> R:
        return self.play(rule)


class _Gauge(_Asking):
    """Dice that throw at random, and tell how many answers lie beside those that they gave."""

    __slots__ = ("_dice", "_seed", "size")

    def __init__(self, seed: int, rule: Rule[Any], played: Mapping[Rule[Any], _Question]) -> None:
        super().__init__(rule, played)
        self._seed = seed

    def run(self) -> Facts:
        self._dice = SeededDice(self._seed)
        self.size = 1
        return super().run()

    def answer(self, asked: Asked) -> Any:
        kind, *given = asked
        if kind is _Play:
            outcomes = self.outcomes(*given).answers
            self.size *= len(outcomes)
            return outcomes[self._dice.throw(1, len(outcomes))[0] - 1]
        call: _Call = kind(*given)
        size = call.size()
        limits.BRANCHES.check(size, hint=_HINT)
        self.size *= size
        return call.throw(self._dice)


class _Path(_Asking):
    """Dice that give the answers along one path, and then along the next."""

    __slots__ = ("_known", "_questions", "_reached")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], _Question]) -> None:
        super().__init__(rule, played)
        self._questions: list[_Answered] = []
        self._known: dict[Asked, _Question] = {}
        self._reached = 0

    def run(self) -> Facts:
        self._reached = 0
        facts = super().run()
        if self._reached != len(self._questions):
            raise _unfaithful(self._rule)
        return facts

    def ask(self, asked: Asked) -> Any:
        # What was asked before is the common case, and goes without a further call.
        reached = self._reached
        if reached < len(self._questions):
            known = self._questions[reached]
            if known.asked == asked:
                self._reached = reached + 1
                return known.answer
        return super().ask(asked)

    def answer(self, asked: Asked) -> Any:
        """Give the first answer to a question that was not reached before: the path grows by it."""
        if self._reached < len(self._questions):
            raise _unfaithful(self._rule)
        limits.DICE_CALLS.check(self._reached + 1, hint="let the rule come to an end")
        question = self._question(asked)
        added = _Answered(asked, question, self._questions[-1] if self._questions else None)
        self._questions.append(added)
        self._reached += 1
        return added.answer

    def _question(self, asked: Asked) -> _Question:
        """Give the answers to a call, which other paths ask again."""
        kind, *given = asked
        if kind is _Play:
            return self.outcomes(*given)
        known = self._known.get(asked)
        if known is None:
            call: _Call = kind(*given)
            limits.BRANCHES.check(call.size(), hint=_HINT)
            known = call.question()
            if len(self._known) < _REMEMBERED:
                self._known[asked] = known
        return known

    def weight(self) -> tuple[int, int]:
        """Give in how many ways this path comes about, and of how many."""
        if not self._questions:
            return 1, 1
        last = self._questions[-1]
        return last.ways, last.every

    def progress(self) -> float:
        """Give which part of the paths lies behind."""
        done, part = 0.0, 1.0
        for known in self._questions:
            part /= len(known.question.answers)
            done += known.place * part
        return done

    def turn(self) -> bool:
        """Go on to the next path; tell whether there is one."""
        while self._questions:
            if self._questions[-1].turn():
                return True
            self._questions.pop()
        return False


class _Answered:
    """A question on the path, and which of its answers was given."""

    __slots__ = ("_before", "answer", "asked", "every", "place", "question", "ways")

    ways: int
    every: int

    def __init__(self, asked: Asked, question: _Question, before: _Answered | None) -> None:
        self.asked = asked
        self.question = question
        self.place = -1
        self._before = before.ways if before else 1
        self.every = question.every * (before.every if before else 1)
        self.turn()

    def turn(self) -> bool:
        """Give the next answer, if there is one."""
        self.place += 1
        if self.place >= len(self.question.answers):
            return False
        self.answer = self.question.answers[self.place]
        self.ways = self._before * self.question.ways[self.place]
        return True
