"""A rule of a page as a mechanic: a class that is made from plain data.

A roll does its lines one after the other. Its odds follow the same lines as a chain of states, in which only what later
lines read is kept, so that plays that are alike from there on are counted as one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, cast

from dicedocs import limits
from dicedocs.errors import LimitError, listed, quoted
from dicedocs.page_rules.made_mechanic import Made, MadeMechanic, MadeOutcome, made_once
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.parameter_text import label_of
from dicedocs.page_rules.pool_needs import live_before, needs_of
from dicedocs.page_rules.rule_order import in_time, with_values
from dicedocs.page_rules.rule_program import FactOfRule, Program
from dicedocs.page_rules.rule_steps import given_by, needed_steps
from dicedocs.page_rules.rule_walk import Lines, RuleWalk
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.enumeration import choice_orders, run_to_end
from dicedocs.probability.enumerator import Enumerator
from dicedocs.rules.dice import Dice
from dicedocs.rules.kinds import ChoiceKind, IntKind, spaced
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.steps import SILENT, Say
from dicedocs.syntax.rule_names import NUMBER, TRUTH


class RuleOfPage(MadeMechanic):
    """Play a rule of a page."""

    _program: ClassVar[Program]

    @classmethod
    def _made(cls) -> Made:
        return _make_again, (cls._program.rule.to_json(), cls._folder)

    def distribution(self, *facts: str) -> Distribution | None:
        return run_to_end(self._count(facts))

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in type(self).parameters()}

    def _count(self, facts: Sequence[str]) -> Generator[float, None, Distribution]:
        program = self._program
        names = [each.name for each in program.facts]
        fields = [each.field for each in program.facts]
        asked = tuple([names[fields.index(fact)] for fact in facts])
        course = _Course(program, self._values(), asked)
        try:
            enumerator = Enumerator(limits.LINE_BRANCHES, is_pure=True)
            counts, total_ways = yield from enumerator.outcomes(course.start, _asked)
        except LimitError as error:
            fewer = "ask for fewer facts, throw fewer dice, take samples: estimate(...)"
            error.hint = error.hint or f"{course.widest}; {fewer}, {limits.RAISE}"
            raise
        return Distribution.from_counts(counts, tuple(facts), choice_orders(self, facts, counts), total_ways)


class _Asked(Outcome):
    """The facts that are asked for."""

    values: tuple[Any, ...]


def _asked(facts: tuple[tuple[Any, ...]]) -> Any:
    (values,) = facts
    return values if len(values) > 1 else values[0]


class _Course:
    """The lines of a rule on which some facts depend, in the order in which their odds are counted."""

    def __init__(self, program: Program, values: dict[str, Any], asked: Sequence[str]) -> None:
        steps = in_time(with_values(needed_steps(program.steps, asked), values))
        self.lines = Lines(steps, program.tables, needs_of(steps, program.parameters))
        self.asked = asked
        self.live = [tuple(sorted(names)) for names in live_before(steps, asked, self.lines.needs)]
        self._arrivals = Counter[int]()
        self.start = self._rest(0, values)

    @property
    def widest(self) -> str:
        """The line behind which there are the most different states, and what keeps them apart."""
        index = max(self._arrivals, key=self._arrivals.__getitem__)
        names = list(map(spaced, self.live[index]))
        line = f"the line {quoted(spaced(given_by(self.lines.steps[index - 1])[0]))}" if index else "the first line"
        kept = f", since later lines read {listed(names, 'and')}" if names else ""
        return f"{line} leads to too many different plays{kept}"

    def _rest(self, index: int, values: dict[str, Any]) -> _Rest:
        self._arrivals[index] += 1
        return _Rest(self, index, tuple([(name, values[name]) for name in self.live[index] if name in values]))

    def follow(self, index: int, values: dict[str, Any], dice: Dice) -> Outcome:
        """Return what follows the next line that throws dice, and those after it that throw none."""
        walk = RuleWalk(self.lines, values, dice, SILENT)
        steps = self.lines.steps
        while index < len(steps):
            walk.run(steps[index])
            index += 1
            if index < len(steps) and self.lines.throws(steps[index]):
                return dice.play(self._rest(index, walk.values))
        return _Asked(tuple([walk.values[name] for name in self.asked]))


class _Rest:
    """What is left of a rule, from a line on: a state of its chain."""

    __slots__ = ("_course", "_hash", "_key")

    def __init__(self, course: _Course, index: int, values: tuple[tuple[str, Any], ...]) -> None:
        self._course = course
        self._key = index, values
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rest) and other._course is self._course and other._key == self._key

    def __hash__(self) -> int:
        return self._hash

    def resolve(self, dice: Dice, say: Say) -> Outcome:
        index, values = self._key
        return self._course.follow(index, dict(values), dice)


def rule_mechanics(rules: Iterable[PageRule], folder: str = "") -> dict[str, type[RuleOfPage]]:
    """Return the mechanics of the rules of a book, by id.

    Parameters:
        rules: the rules.
        folder: the folder that the book was loaded from, as :func:`dicedocs.book` was given it; empty if it was not.

    Raises:
        RuleError, TableError: one of them cannot be read.

    >>> rule = PageRule("road/climb", ("total = 2d6 + stat", "result = total: 6- miss, 7+ hit"), "", (("stat", "0"),))
    >>> from dicedocs.rules.dice import ScriptedDice
    >>> print(rule_mechanics([rule])["road/climb"](stat=1).play(ScriptedDice([4, 3])).facts())
    total=8, result=hit
    """
    return {rule.id: made_once(folder, rule.to_json(), partial(_make_rule, rule, folder)) for rule in rules}


def _make_again(rule: str, folder: str) -> type[RuleOfPage]:
    [made] = rule_mechanics([PageRule.from_plain(json.loads(rule))], folder).values()
    return made


def _make_rule(rule: PageRule, folder: str) -> type[RuleOfPage]:
    program = Program(rule)
    lines = Lines(program.steps, program.tables, program.needs)

    def resolve(self: RuleOfPage, dice: Dice, say: Say) -> Outcome:
        walk = RuleWalk(lines, self._values(), dice, say)
        for step in program.steps:
            walk.run(step)
        return outcomes(*[walk.values[each.name] for each in program.facts])

    types = {each.field: _type_of(each) for each in program.facts}
    facts = {
        each.field: fact(
            label=label_of(each.label),
            verdict=program.verdict if each is program.verdict_fact else None,
            words=program.truth_words(each.name),
        )
        for each in program.facts
    }
    main = program.verdict_fact.field
    outcomes = cast(
        "type[MadeOutcome]",
        type("Result", (MadeOutcome,), {"__annotations__": types, "__module__": __name__, "main_fact": main, **facts}),
    )
    resolve.__annotations__["return"] = outcomes
    body = {
        "__doc__": rule.title or rule.id,
        "__module__": __name__,
        "__qualname__": rule.id,
        "__annotations__": {name: declared.type for name, declared in program.parameters.items()},
        **{name: declared.with_words(program.truth_words(name)) for name, declared in program.parameters.items()},
        "Result": outcomes,
        "resolve": resolve,
        "_program": program,
        "_folder": folder,
    }
    made = cast("type[RuleOfPage]", type(rule.id, (RuleOfPage,), body))
    made.id = rule.id
    outcomes._rule = made
    return made


def _type_of(fact: FactOfRule) -> Any:
    if fact.kind == NUMBER:
        return Annotated[int, IntKind(*fact.bounds)]
    return bool if fact.kind == TRUTH else Annotated[str, ChoiceKind(list(fact.kind))]
