"""What a table, a chart or a claim asks for: its options, read when they are needed, and the odds that they mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from dicedocs import DiceError
from dicedocs.probability.sweep import Setting, parse_sweep
from dicedocs.render.words import clean, display_text
from dicedocs_sphinx.block import wrong
from dicedocs_sphinx.counted import Counted, subject_of
from dicedocs_sphinx.problems import Problem

if TYPE_CHECKING:
    from fractions import Fraction

    from dicedocs import Distribution
    from dicedocs.probability.event import Event


class Unfit(Exception):
    """Something that cannot be counted as it is written."""

    def __init__(self, problem: Problem, message: str, option: str) -> None:
        super().__init__(message)
        self.found = wrong(problem, message, option)


class Inquiry:
    """What one directive asks for.

    Parameters:
        counted: the directive; it names a mechanic, and all its parameters are sound.
    """

    def __init__(self, counted: Counted) -> None:
        self.counted = counted
        self.subject = subject_of(counted)
        self.rule = self.subject.rule

    @contextmanager
    def reading(self, option: str, problem: Problem = Problem.VALUE) -> Iterator[None]:
        """Take an error for what is wrong with an option, or with the parameter that it names."""
        try:
            yield
        except DiceError as error:
            about = error.parameter if error.parameter in self.counted["parameters"] else option
            message = str(error) if error.parameter else f"{about}: {error}"
            raise Unfit(problem, message, about) from None

    def settings(self, option: Literal["vary", "rows"]) -> list[Setting]:
        """Give what is set, one value after another."""
        with self.reading(option):
            return [setting for each in parse_sweep(self.rule, self.counted[option]) for setting in each]

    def facts(self) -> list[str]:
        """Give the facts that are shown; the first when none is named."""
        with self.reading("fact", Problem.FACT):
            return [self.subject.fact_name(name) for name in self.counted["facts"] or [""]]

    def fact(self) -> str:
        """Give the one fact that is shown."""
        first, *others = self.facts()
        if others:
            message = "the odds of one fact are shown at a time; of several, an average or the chance of an event"
            raise Unfit(Problem.OPTION, message, "fact")
        return first

    def odds(self, fact: str, *chosen: Setting) -> Distribution:
        """Count the odds of a fact."""
        with self.reading("mechanic"):
            return self.subject.odds(fact, settings=chosen)

    def average(self, fact: str, *chosen: Setting) -> Fraction:
        """Count the average of a fact."""
        odds = self.odds(fact, *chosen)
        with self.reading("show"):
            return odds.mean

    def chance(self, event: Event, fact: str, *chosen: Setting) -> Fraction:
        """Count the chance of an event."""
        self.odds(fact, *chosen)
        with self.reading("show"):
            return self.subject.probability({fact: event}, chosen)

    def series(self) -> dict[str, Distribution]:
        """Count the distributions that stand beside one another, by what is set for each."""
        fact = self.fact()
        return {self.head(each): self.odds(fact, each) for each in self.settings("vary")} or {"": self.odds(fact)}

    def head(self, setting: Setting) -> str:
        """Give the head of what stands for a setting."""
        return clean(f"{setting.label(self.rule)} {self.value(setting)}")

    def value(self, setting: Setting) -> str:
        """Give what is set as people read it: truth as an answer."""
        field = self.rule.parameters().get(setting.name)
        value = None if field is None else field.convert(setting.text)
        return display_text(value) if isinstance(value, bool) else setting.text
