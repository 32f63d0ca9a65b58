"""What a table, a chart or a claim asks for: its options, parsed when needed, and the odds they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Literal

from dicedocs import DiceError, Distribution
from dicedocs.errors import DistributionError
from dicedocs.probability.event import Event
from dicedocs.probability.sweep import Setting, parse_sweep
from dicedocs.render.words import clean, display_text
from dicedocs_sphinx.blocks.base import issue
from dicedocs_sphinx.blocks.odds import OddsBlock, subject_of
from dicedocs_sphinx.diagnostics import Problem


class DirectiveError(Exception):
    """An option because of which the odds of a block cannot be computed; ``issue`` says why."""

    def __init__(self, problem: Problem, message: str, option: str) -> None:
        super().__init__(message)
        self.issue = issue(problem, message, option)


class OddsQuery:
    """What one block asks for; it names a mechanic, and all its parameters are valid."""

    def __init__(self, block: OddsBlock) -> None:
        self.block = block
        self.subject = subject_of(block)
        self.rule = self.subject.rule

    @contextmanager
    def option(self, option: str, problem: Problem = Problem.VALUE) -> Iterator[None]:
        """Turn an error into one about an option, or about the parameter that it names."""
        try:
            yield
        except DistributionError:
            raise  # the fault is the game's, not the option's
        except DiceError as error:
            about = error.parameter if error.parameter in self.block["parameters"] else option
            message = str(error) if error.parameter else f"{about}: {error}"
            raise DirectiveError(problem, message, about) from None

    def settings(self, option: Literal["vary", "rows"]) -> list[Setting]:
        """Return the settings of an option, one after another."""
        with self.option(option):
            return [setting for each in parse_sweep(self.rule, self.block[option]) for setting in each]

    def facts(self) -> list[str]:
        """Return the facts that are shown; the first one if none is named."""
        with self.option("fact", Problem.FACT):
            return [self.subject.fact_name(name) for name in self.block["facts"] or [""]]

    def fact(self) -> str:
        """Return the only fact that is shown."""
        first, *others = self.facts()
        if others:
            message = "the odds of one fact are shown at a time; of several, an average or the chance of an event"
            raise DirectiveError(Problem.OPTION, message, "fact")
        return first

    def odds(self, fact: str, *settings: Setting) -> Distribution:
        """Compute the distribution of a fact."""
        with self.option("mechanic"):
            return self.subject.odds(fact, settings=settings)

    def average(self, fact: str, *settings: Setting) -> Fraction:
        """Compute the mean of a fact."""
        odds = self.odds(fact, *settings)
        with self.option("show"):
            return odds.mean

    def chance(self, event: Event, fact: str, *settings: Setting) -> Fraction:
        """Compute the probability of an event."""
        self.odds(fact, *settings)
        with self.option("show"):
            return self.subject.probability({fact: event}, settings)

    def series(self) -> dict[str, Distribution]:
        """Compute the distributions that stand side by side, by their heads."""
        fact = self.fact()
        self.subject.plan(len(self.settings("vary")) or 1)
        return {self.head(each): self.odds(fact, each) for each in self.settings("vary")} or {"": self.odds(fact)}

    def head(self, setting: Setting) -> str:
        """Return the head of a column or a row with a setting."""
        return clean(f"{setting.label(self.rule)} {self.value(setting)}")

    def value(self, setting: Setting) -> str:
        """Return the value of a setting as readers see it."""
        field = self.rule.parameters().get(setting.name)
        value = None if field is None else field.convert(setting.text)
        return display_text(value) if isinstance(value, bool) else setting.text
