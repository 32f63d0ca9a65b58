"""A rule of a page, or a table, as a mechanic: a class that is made from plain data.

The facts of a rule are what its lines come to, those of a table its columns. What stands in a cell is a fact as it is
written; what the dice and the tables in it come to is another.

A roll does its lines one after the other. Its odds follow the same lines as a chain of states, in which only what later
lines read is kept, so that plays that are alike from there on are counted as one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Final, cast
from weakref import WeakValueDictionary

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, listed, quoted
from dicedocs.page_rules.axis import Reach
from dicedocs.page_rules.made_mechanic import Made, MadeMechanic, MadeOutcome, made_once
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.parameter_text import label_of
from dicedocs.page_rules.played_rules import NO_RULE, FindRule, Others, find_plays, is_truth
from dicedocs.page_rules.player_choices import with_cases
from dicedocs.page_rules.pool_needs import live_before, needs_of
from dicedocs.page_rules.rule_order import in_time, with_values
from dicedocs.page_rules.rule_program import FactOfRule, Program
from dicedocs.page_rules.rule_steps import CHOICE, WITHOUT, given_by, needed_steps
from dicedocs.page_rules.rule_walk import Lines, Other, PlayOther, RuleWalk
from dicedocs.page_rules.table_links import find_play_circles, linked_rules, play_order, rule_digests, tables_of
from dicedocs.page_rules.table_reading import ROLL
from dicedocs.probability.chains import NeverEnds
from dicedocs.probability.dice_calls import Counted
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import choice_orders, run_to_end
from dicedocs.probability.enumerator import Enumerator
from dicedocs.probability.verification import MadeOfLines
from dicedocs.rules.dice import Dice
from dicedocs.rules.kinds import ChoiceKind, IntKind, spaced
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.params import param
from dicedocs.rules.registry import is_installed, mechanic
from dicedocs.rules.steps import SILENT, Say
from dicedocs.similar_words import near
from dicedocs.syntax.decisions import Choice, DecisionKind
from dicedocs.syntax.rule_names import NUMBER, TRUTH
from dicedocs.translation import gettext as _
from dicedocs.translation import mark

_CHOSEN: Final = 64
"""For so many ways of a player to choose the lines of a rule are kept."""


class RuleOfPage(MadeMechanic, MadeOfLines):
    """Play a rule of a page, or roll on a table."""

    _program: ClassVar[Program]
    _book: ClassVar[Mapping[str, type[RuleOfPage]]]
    _others: ClassVar[Others]
    _without: ClassVar[tuple[int, ...]] = ()
    """The rows on which it is rolled again, where one of them rolls on its own table."""
    _courses: ClassVar[WeakValueDictionary[tuple[object, ...], _Course]]
    """What is counted of it, by the facts that are asked for and the values of its parameters."""

    @classmethod
    def _made(cls) -> Made:
        rule = cls._program.rule
        linked = linked_rules(rule.id, {rule.id: rule, **{id: each._program.rule for id, each in cls._book.items()}})
        return _make_again, (rule.id, [each.to_json() for each in linked], cls._folder)

    @classmethod
    def reach(cls, fact: str) -> Reach:
        """Return the numbers that a fact can come to, in any play."""
        return cls._program.reach(fact)

    @classmethod
    def plays_code(cls) -> bool:
        # A table rolls on tables of the book only.
        played = [each.id for each in find_plays(cls._program.rule.lines)]
        return any(id not in cls._book or cls._book[id].plays_code() for id in played)

    def distribution(self, *facts: str) -> Distribution | None:
        return run_to_end(self._count(facts))

    def _values(self) -> dict[str, Any]:
        values = {name: getattr(self, parameter) for name, parameter in self._program.names.items()}
        return values | {WITHOUT: self._without} if self._without else values

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self._without)

    def _course(self, facts: Sequence[str]) -> _Course:
        key = (*facts, self._key())
        course = self._courses.get(key)
        if course is None:
            course = self._courses[key] = _Course(self._program, self._values(), facts, self._others.play)
        return course

    def _count(self, facts: Sequence[str]) -> Generator[float, None, Distribution]:
        program, course = self._program, self._course(facts)
        try:
            most = limits.BRANCHES if program.is_table else limits.LINE_BRANCHES
            counts, total_ways = yield from Enumerator(most, is_pure=True).outcomes(course, _asked)
        except LimitError as error:
            error.hint = error.hint or course.hint
            if program.is_table and error.limit == limits.PLAYS.name:
                error.hint = "a row rolls on its own table again, without end; ask for other facts, or take samples"
            raise
        except NeverEnds:
            if program.draws is None:
                raise
            message = "every possible row has been drawn"
            raise DiceError(message, hint="draw fewer, or add rows") from None
        return Distribution.from_counts(counts, tuple(facts), choice_orders(self, facts, counts), total_ways)


def _play_other(find: FindRule, other: Other, dice: Dice) -> tuple[Any, ...]:
    """Return the facts of another rule that is played; where none are named, those of a table that a cell shows."""
    made = find(other.id)
    known, main = made.parameters(), made.result().main_fact
    values = {
        name: bool(value) if is_truth(known[name].kind) else value
        for name, value in other.values.items()
        if name in known
    }
    rule, facts = made(**values), [each or main for each in other.facts]
    if isinstance(rule, RuleOfPage):
        rule.__dict__["_without"] = other.without
        first, *_ = program_facts = rule._program.facts
        facts = facts or [each.field for each in program_facts if each.column is first.column]
        if other.is_counted:
            return rule._course(facts).play(dice)
    outcome = dice.play(rule, other.label or made.__doc__ or other.id)
    return tuple(map(outcome.fact, facts))


class _Asked(Outcome):
    """The facts that are asked for."""

    values: tuple[Any, ...]


def _asked(facts: tuple[tuple[Any, ...]]) -> Any:
    (values,) = facts
    return values if len(values) > 1 else values[0]


class _Course(Counted):
    """The lines of a rule on which some facts depend, in the order in which their odds are counted.

    They are rounds: each line that throws dice, with those after it that throw none, leads to the values that later
    lines read, and the last to those of the facts.
    """

    def __init__(self, program: Program, values: dict[str, Any], facts: Sequence[str], play: PlayOther) -> None:
        names = {each.field: each.name for each in program.facts}
        self._asked = asked = [names[each] for each in facts]
        self._program = program
        chosen = {name: values[CHOICE + name] for name in program.asked}
        needed = needed_steps(with_cases(program.steps, program.asked, chosen), asked)
        steps = in_time(with_values(needed, values))
        self._lines = Lines(steps, program.tables, needs_of(steps, program.parameters), play, is_counted=True)
        self._live = [tuple(sorted(names)) for names in live_before(steps, asked, self._lines.needs)]
        self._arrivals = Counter[int]()
        self._start = self._state(0, values)

    @property
    def hint(self) -> str:
        """What to do where it has too many branches."""
        if self._program.draws is not None:
            return "draw fewer rows, or take samples: estimate(...)"
        fewer = f"ask for fewer facts, throw fewer dice, take samples: estimate(...), {limits.RAISE}"
        return fewer if self._program.is_table else f"{self._widest}; {fewer}"

    @property
    def _widest(self) -> str:
        """The line behind which there are the most different states, and what keeps them apart."""
        index = max(self._arrivals, key=self._arrivals.__getitem__)
        names = [spaced(name) for name in self._live[index] if not name.startswith(CHOICE)]
        line = f"the line {quoted(spaced(given_by(self._lines.steps[index - 1])[0]))}" if index else "the first line"
        kept = f", since later lines read {listed(names, 'and')}" if names else ""
        return f"{line} leads to too many different plays{kept}"

    @staticmethod
    def result() -> type[_Asked]:
        return _Asked

    def play(self, dice: Dice) -> tuple[Any, ...]:
        """Return the values of the facts."""
        return dice.play(self).values

    def resolve(self, dice: Dice, say: Say) -> _Asked:
        _, values = dice.repeat(self._follow, self._start, self._is_over)
        return _Asked(values)

    def _is_over(self, index: int, _values: tuple[Any, ...]) -> bool:
        return index == len(self._lines.steps)

    def _state(self, index: int, values: Mapping[str, Any]) -> tuple[int, tuple[Any, ...]]:
        self._arrivals[index] += 1
        return index, tuple([(name, values[name]) for name in self._live[index] if name in values])

    def _follow(self, dice: Dice, say: Say, index: int, values: tuple[Any, ...]) -> tuple[int, tuple[Any, ...]]:
        """Return what follows the next line that throws dice, and those after it that throw none."""
        walk, steps = RuleWalk(self._lines, dict(values), dice, SILENT), self._lines.steps
        while index < len(steps):
            walk.run(steps[index])
            index += 1
            if index < len(steps) and self._lines.throws(steps[index]):
                return self._state(index, walk.values)
        return index, tuple([walk.values[name] for name in self._asked])


def book_mechanics(
    found: Iterable[PageRule], folder: str = "", faults: dict[str, DiceError] | None = None
) -> dict[str, type[RuleOfPage]]:
    """Return the mechanics of a book, by id.

    Parameters:
        found: its rules and tables; the cells of tables, and the lines of rules, may name each other.
        folder: the folder that the book was loaded from, as :func:`dicedocs.book` was given it; empty if it was not.
        faults: takes what is wrong with a rule that cannot be read, by its id; ``None`` to raise it.

    Raises:
        RuleError, TableError: one of them cannot be read.

    >>> rule = PageRule("road/climb", ("total = 2d6 + stat", "result = total: 6- miss, 7+ hit"), "", (("stat", "0"),))
    >>> from dicedocs.page_rules.page_rule import PageTable, TableRow
    >>> rows = (TableRow(("1",), ("Storm", "2d6 knots")), TableRow(("2-3",), ("Rain", "none")))
    >>> weather = PageRule("road/weather", table=PageTable(("d3",), ("Weather", "Wind"), rows))
    >>> made = book_mechanics([rule, weather])
    >>> from dicedocs.rules.dice import ScriptedDice
    >>> print(made["road/climb"](stat=1).play(ScriptedDice([4, 3])).facts())
    total=8, result=hit
    >>> print(made["road/weather"]().play(ScriptedDice([1, 3, 4])).facts())
    Weather=Storm, Wind=2d6 knots, Wind_rolled=7, roll=1
    """
    rules = {rule.id: rule for rule in found}
    titles = {id: rules[id].title for id in tables_of(rules)}
    book: dict[str, type[RuleOfPage]] = {}
    digests, wrong = rule_digests(rules), find_play_circles(rules)

    def find(id: str) -> type[Mechanic]:
        if id in wrong:
            raise DiceError(f"{quoted(id)} cannot be played: {wrong[id].message}", hint=wrong[id].hint)
        if id in rules:
            return book[id]
        if is_installed(id):
            return mechanic(id)
        raise DiceError(f"there is no rule {quoted(id)}", hint=near(id, rules) or NO_RULE)

    # What is played is made first.
    for id in [*wrong, *play_order(rules, wrong)]:
        try:
            if id in wrong:
                raise wrong[id]
            book[id] = made_once(folder, digests[id], partial(_make_rule, rules[id], titles, book, folder, find))
        except DiceError as error:
            if faults is None:
                raise
            faults[id] = wrong[id] = error
    return {id: book[id] for id in rules if id in book}


def others_of(find: FindRule) -> Others:
    """Return other rules, given what finds one."""
    return Others(find, partial(_play_other, find))


def _make_again(id: str, rules: Sequence[str], folder: str) -> type[RuleOfPage]:
    return book_mechanics((PageRule.from_plain(json.loads(rule)) for rule in rules), folder)[id]


def _make_rule(
    rule: PageRule, titles: Mapping[str, str], book: Mapping[str, type[RuleOfPage]], folder: str, find: FindRule
) -> type[RuleOfPage]:
    others = others_of(find)
    program = Program(rule, titles, others)

    @limits.cached(_CHOSEN)
    def lines_with(*chosen: Choice) -> Lines:
        steps = with_cases(program.steps, program.asked, dict(zip(program.asked, chosen, strict=True)))
        return Lines(steps, program.tables, needs_of(steps, program.parameters), others.play)

    def resolve(self: RuleOfPage, dice: Dice, say: Say) -> Outcome:
        lines = lines_with(*[getattr(self, name) for name in program.asked])
        walk = RuleWalk(lines, self._values(), dice, say)
        for step in lines.steps:
            walk.run(step)
        return outcomes(*[walk.values[each.name] for each in program.facts])

    types = {each.field: _type_of(each) for each in program.facts}
    facts = {each.field: _declared(program, each) for each in program.facts}
    main = program.facts[0].field if program.is_table else program.verdict_fact.field
    outcomes = cast(
        "type[MadeOutcome]",
        type("Result", (MadeOutcome,), {"__annotations__": types, "__module__": __name__, "main_fact": main, **facts}),
    )
    resolve.__annotations__["return"] = outcomes
    body = {
        "__doc__": rule.title or rule.id,
        "__module__": __name__,
        "__qualname__": rule.id,
        "__annotations__": {name: declared.type for name, declared in program.parameters.items()}
        | {name: Annotated[Any, DecisionKind(ways=ways)] for name, ways in program.choices.items()},
        **{name: param() for name in program.choices},
        **{name: declared.with_words(program.truth_words(name)) for name, declared in program.parameters.items()},
        "Result": outcomes,
        "resolve": resolve,
        "_program": program,
        "_book": book,
        "_others": others,
        "_courses": WeakValueDictionary(),
        "_folder": folder,
    }
    made = cast("type[RuleOfPage]", type(rule.id, (RuleOfPage,), body))
    made.id = rule.id
    outcomes._rule = made
    return made


def _declared(program: Program, each: FactOfRule) -> Any:
    """Return the declaration of a fact."""
    verdict = program.verdict if each is program.verdict_fact else None
    if not each.what:
        return fact(label=label_of(each.label), verdict=verdict, words=program.truth_words(each.name))
    # Of long texts an example is not proposed to expect any.
    some_short = any(one.column.is_short for one in program.facts if one.column is not None)
    if each.column is None:
        return fact(
            help=mark("the number rolled"), result=not some_short, bands=program.bands() if each.name == ROLL else None
        )
    if each.what == "rolled":
        return fact(label=_("{column}, rolled").format(column=each.column.label), result=some_short)
    return fact(label=each.column.label, verdict=verdict, result=some_short and each.column.is_short)


def _type_of(each: FactOfRule) -> Any:
    if each.type is not None:
        return each.type
    if each.kind == NUMBER:
        return Annotated[int, IntKind(*each.bounds)]
    return bool if each.kind == TRUTH else Annotated[str, ChoiceKind(list(each.kind))]
