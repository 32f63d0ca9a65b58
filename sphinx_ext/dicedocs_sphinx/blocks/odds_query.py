"""What a table, a chart or a claim asks for: its options, parsed when needed, and the odds they stand for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from dicedocs import DiceError, Distribution
from dicedocs.errors import DistributionError, ParameterError, quoted
from dicedocs.probability.advice import Advice
from dicedocs.probability.best_odds import BestOdds, Bounds, NoBounds
from dicedocs.probability.claims.worth import advice_difference, best_advice
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.event import Event
from dicedocs.probability.sweep import Setting, apply_settings, parse_sweep
from dicedocs.render.scale import Band, odds_bands
from dicedocs.render.text import parameter_phrase, parameter_text
from dicedocs.render.words import clean
from dicedocs.rules.kinds import BoolKind
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param
from dicedocs.syntax.decisions import Undecided, left_to_chance
from dicedocs.translation import word
from dicedocs_sphinx.blocks.mechanic_block import engine_message, is_of_the_game
from dicedocs_sphinx.blocks.odds_figures import subject_of
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import issue

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.odds import OddsBlock


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
            if is_of_the_game(error, self.block):
                message = engine_message(error, self.block)
                raise DirectiveError(Problem.ENGINE, message, "mechanic") from None
            if isinstance(error, Undecided):
                error.offer_best(f"{self.block.colon}best: {{}}")
            about = error.parameter if error.parameter in {*self.block.parameters, *self.block.options} else option
            message = str(error) if error.parameter else f"{about}: {error}"
            raise DirectiveError(problem, message, about) from None

    def settings(self, option: Literal["vary", "rows"]) -> list[Setting]:
        """Return the settings of an option, one after another."""
        with self.option(option):
            return [setting for each in parse_sweep(self.rule, getattr(self.block, option)) for setting in each]

    def facts(self) -> list[str]:
        """Return the facts that are shown; the first one if none is named."""
        with self.option("fact", Problem.FACT):
            return [self.subject.fact_name(name) for name in self.block.counted or [""]]

    def fact(self) -> str:
        """Return the only fact that is shown."""
        first, *others = self.facts()
        if others:
            message = "odds are shown for one fact at a time; several need an average or the chance of an event"
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

    def chance(self, event: str, fact: str, *settings: Setting) -> Fraction:
        """Compute the probability of an event."""
        self.odds(fact, *settings)
        with self.option("show"):
            return self.subject.probability(fact, event, settings)

    def bounds(self, event: str | None, fact: str, *settings: Setting) -> Bounds | None:
        """Return the bounds of an average, or of the probability of an event, if they depend on how ties are broken."""
        of = fact if event is None else self.subject.event(fact, event)
        odds = self.subject.joint_odds(of, settings=settings)
        if not isinstance(odds, BestOdds):
            return None
        figure = odds.averaged(of)
        if figure is None and odds.are_tied:
            raise NoBounds
        return odds.bounds(figure) if figure else None

    def advice(self, choice: str, by: Sequence[str]) -> Advice:
        """Return when it is best to choose what; played so, it is worth as much as best play."""
        with self.option("best"):
            return run_to_end(best_advice(self.played(), self.block.best, choice, by))

    def advice_difference(self, advice: Advice, words: str) -> str:
        """Return how much less other words for advice are worth; empty if no less."""
        with self.option("expect"):
            return run_to_end(advice_difference(self.played(), self.block.best, advice, words))

    def played(self) -> Mechanic:
        """Return the rule with the parameters of the block."""
        return apply_settings(self.rule, self.block.parameters, ())

    def marked(self, rows: Iterable[Collection[object]]) -> tuple[int, ...]:
        """Return the indexes of the rows that are highlighted: those with a value for which the event holds."""
        text = self.block.mark
        if not text:
            return ()
        with self.option("mark"):
            holds, column = _event_of_column(text, list(zip(*rows, strict=True)))
            marked = tuple(index for index, value in enumerate(column) if holds(value))
            if not marked:
                raise ParameterError(f"no row is {quoted(text)}", hint="name a row, or write 'at least 13'")
        return marked

    def series(self) -> dict[str, Distribution]:
        """Compute the distributions that stand side by side, by their heads."""
        fact = self.fact()
        self.subject.plan(len(self.settings("vary")) or 1)
        return {self.head(each): self.odds(fact, each) for each in self.settings("vary")} or {"": self.odds(fact)}

    def bands(self) -> tuple[Band, ...]:
        """Return the bands of the fact that all settings share; none if they differ."""
        shared: tuple[Band, ...] = ()
        for index, settings in enumerate([[each] for each in self.settings("vary")] or [[]]):
            rule = left_to_chance(apply_settings(self.rule, self.block.parameters, settings))
            bands = odds_bands(rule, self.fact())
            if not bands or (index and bands != shared):
                return ()
            shared = bands
        return shared

    def head(self, setting: Setting) -> str:
        """Return the head of a column or a row with a setting."""
        field, label = self._field(setting), setting.label(self.rule)
        if field is None:
            return clean(f"{label} {word(setting.text)}")
        return clean(parameter_phrase(field, field.convert(setting.text), label))

    def value(self, setting: Setting) -> str:
        """Return the value of a setting as readers see it."""
        field = self._field(setting)
        return word(setting.text) if field is None else parameter_text(field, field.convert(setting.text))

    def is_switch(self, setting: Setting) -> bool:
        """Return whether a setting is on or off, which its head says in a word."""
        field = self._field(setting)
        return field is not None and isinstance(field.kind, BoolKind)

    def _field(self, setting: Setting) -> Param | None:
        return self.rule.parameters().get(setting.name)


def _event_of_column(
    text: str, columns: Sequence[Sequence[object]]
) -> tuple[Callable[[object], bool], Sequence[object]]:
    """Return the test of an event, and the values that it is about: those of the first column that may be meant.

    Raises:
        ParameterError: the text is no event of any.
    """
    for column in columns[:-1]:
        with suppress(ParameterError):
            return Event.read(text, column, each="a row").test(), column
    return Event.read(text, columns[-1], each="a row").test(), columns[-1]
