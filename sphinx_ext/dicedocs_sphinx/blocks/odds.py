"""The blocks about odds: compute what a table, a chart or a claim shows, and compare it with its claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, final

from dicedocs import DiceError, Distribution
from dicedocs.errors import DistributionError
from dicedocs.probability.best_odds import series_note
from dicedocs.probability.claims import (
    Claim,
    ClaimResult,
    corrected_claims,
    evaluate_claims,
    format_figure,
    parse_claims,
)
from dicedocs.render.chart import merge_values
from dicedocs.render.numbers import Rounding, percent
from dicedocs.render.table import Table
from dicedocs.rules.kinds import BoolKind, all_integers, as_code, as_line
from dicedocs.rules.reserved import read_parameter, written_parameter
from dicedocs_sphinx.blocks.base import CheckResult, Facts, prompted, source_line
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock, engine_message, has_result
from dicedocs_sphinx.blocks.named_values import Slot
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim, OddsFacts
from dicedocs_sphinx.blocks.odds_query import DirectiveError, OddsQuery
from dicedocs_sphinx.blocks.odds_table import lay_out_table, shortest
from dicedocs_sphinx.blocks.table_expectation import agrees, differences, parse_figures, row_text, trim_zeros
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import Issue, issue

_WITH_VALUES: Final = ("vary", "rows", "show", "mark", "best")
"""The options in which values stand."""
_OPTIONS: Final = ("name", "mechanic", "fact", "best", "shows", "class", "hide")
_ACCEPT: Final = "'dicedocs accept' writes the figures"
MAX_SERIES: Final = 4
"""The most distributions that one chart shows."""


@dataclass(frozen=True, kw_only=True)
class OddsBlock(MechanicBlock):
    """A table, a chart or a claim of exact odds.

    ``counted`` are the names of facts, ``best`` is what open choices are made for; it, ``vary``, ``rows``, ``show``,
    ``decimals`` and ``mark`` are as written; ``expect`` holds the claims, or the figures of a table. A ``loose`` claim
    is known not to hold. ``averages`` is how the book rounds averages without decimals.
    """

    needs_best: ClassVar[bool] = False

    counted: Sequence[str] = ()
    best: str = ""
    vary: str = ""
    rows: str = ""
    show: str = ""
    decimals: str = ""
    mark: str = ""
    loose: bool = False
    averages: Rounding = "exact"

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        own = {name: text for name, text in options.items() if name in cls.options}
        if not own.get("best", not cls.needs_best):
            message = "nothing is played for; write it like best: p(success), -mean(hurt)"
            issues.append(issue(Problem.OPTION, message, "best" if "best" in own else "mechanic"))
        loose = False
        try:
            loose = "loose" in own and BoolKind().read(own["loose"])
        except DiceError as error:
            issues.append(issue(Problem.OPTION, f"loose: {error}", "loose"))
        return {
            **super().read(title, options, issues),
            **{name: own.get(name, "") for name in ("best", "vary", "rows", "show", "decimals", "mark")},
            "counted": own.get("fact", "").replace(",", " ").split(),
            "loose": loose,
        }

    def slots(self) -> Iterator[Slot]:
        yield from super().slots()
        # A setting has a point too, such as target.Defense=5..25.
        yield from (Slot(name, getattr(self, name), strict=False) for name in _WITH_VALUES if getattr(self, name))

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        own = {name: texts.get((name, ""), getattr(self, name)) for name in _WITH_VALUES}
        return {**super().with_texts(texts), **own}

    def claims(self) -> tuple[Claim, ...]:
        """Return the claims that the block makes."""
        return parse_claims(self.expect, self.averages) if self.expect else ()

    def compute(self, query: OddsQuery) -> tuple[Any, list[Issue]]:
        """Compute what the block shows, and compare it with what it expects."""
        raise NotImplementedError

    @final
    def evaluate(self) -> CheckResult:
        issues = self.parameter_issues()
        if issues or self.syntax_issues or self.unresolved:
            return CheckResult(issues)
        try:
            query = OddsQuery(self)
            content, mismatches = self.compute(query)
        except DirectiveError as error:
            return CheckResult([error.issue])
        except DistributionError as error:
            return CheckResult([issue(Problem.ENGINE, str(error), "mechanic")])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult([issue(Problem.ENGINE, engine_message(error, self), "mechanic")])
        return CheckResult(mismatches, content, OddsFacts(self), self.notes())

    def checked_claims(self, query: OddsQuery) -> tuple[list[CheckedClaim], list[Issue]]:
        """Compute the figures of the claims, and compare them."""
        if not self.expect:
            return [], []
        results = self._claim_results(query)
        checked = [CheckedClaim(claim.text, result.figure, result.without_none) for claim, result in results]
        return checked, self._mismatches(results)

    def notes(self) -> tuple[Issue, ...]:
        """Return warnings that do not make the block wrong."""
        return ()

    def _claim_results(self, query: OddsQuery) -> list[tuple[Claim, ClaimResult]]:
        """Compute the figures of the claims, and compare."""
        query.fact()
        with query.option(self.expect_option):
            claims = self.claims()
        if self.loose and len(claims) > 1:
            raise DirectiveError(Problem.OPTION, "a loose claim must be the only one; leave the others out", "loose")
        with query.option(self.expect_option):
            return list(zip(claims, evaluate_claims(claims, query.subject), strict=True))

    def _mismatches(self, results: list[tuple[Claim, ClaimResult]]) -> list[Issue]:
        """Return the issue of the claims that do not hold, or of a loose one that does."""
        failed = [(claim.text, result.explained) for claim, result in results if result.holds == self.loose]
        if not failed:
            return []
        texts, figures = (", ".join(each) for each in zip(*failed, strict=True))
        if self.loose:
            message = f"{texts} is marked as loose, but it holds: it is {figures}; take {self.colon}loose: away"
        else:
            message = f"expected {texts}, got {figures}"
            actual = ", ".join(result.actual for _, result in results if not result.holds)
            # Of several claims those that hold are not written again.
            option = f"{self.colon}{self.expect_option}: " if len(failed) == len(results) else ""
            message += f"; write {option}{actual}"
        return [issue(Problem.MISMATCH, message, self.expect_option)]

    def corrected(self) -> str:
        # A loose claim is false on purpose: only its author knows what it is to say once it holds, and whether another
        # comparison is meant where no figure makes one true.
        if not self.expect or self.loose:
            return ""
        claims = [result.corrected for _, result in self._claim_results(OddsQuery(self))]
        return ", ".join(claims) if all(claims) else ""

    def facts(self) -> Facts | None:
        return OddsFacts(self) if has_result(self) else None

    def claim_arguments(self) -> dict[str, str]:
        """Return the arguments of :func:`corrected_claims` by name."""
        return self._arguments({"best": self.best}, ("best",))

    def _arguments(self, own: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
        """Return arguments by name, then the mechanic's parameters, as a function takes them that has these names."""
        chosen = {name: text for name, text in own.items() if text}
        return chosen | {written_parameter(name, names): text for name, text in self.parameters.items()}

    def doctest(self, computed: Any) -> str:
        """Return a doctest that prints the claims with their true figures; for a loose one, whether it holds."""
        claims = ", ".join(claim.in_full for claim in self.claims())
        arguments = [as_code(claims), as_code(self.mechanic), *map(as_code, self.counted[:1])]
        arguments += [f"{name}={as_code(text)}" for name, text in self.claim_arguments().items()]
        function = corrected_claims.__name__
        call, printed = f"{function}({', '.join(arguments)})", claims
        if self.loose:
            call, printed = f"{call} == {as_code(claims)}", "False"
        return prompted(f"from {corrected_claims.__module__} import {function}; print({call})", printed)


@dataclass(frozen=True, kw_only=True)
class FilledBlock(OddsBlock):
    """A block that makes no claims; one with an empty expectation is waiting for it to be filled in."""

    def claims(self) -> tuple[Claim, ...]:
        return ()

    def notes(self) -> tuple[Issue, ...]:
        if self.expect or not self.is_test():
            return ()
        line = source_line(self, self.option_lines[self.expect_option])
        return (issue(Problem.UNVERIFIED, f"nothing is expected yet; {_ACCEPT}", line=line),)

    def is_test(self) -> bool:
        return self.expect_option in self.option_texts or super().is_test()


@final
@dataclass(frozen=True, kw_only=True)
class TableBlock(FilledBlock, kind="table", options=(*_OPTIONS, "rows", "show", "decimals", "mark", "expect", "vary")):
    """A table of odds."""

    def compute(self, query: OddsQuery) -> tuple[Table, list[Issue]]:
        table, rows = lay_out_table(query)
        if not self.expect:
            return table, []
        with query.option(self.expect_option, Problem.OPTION):
            expected = parse_figures(self.expect)
        different = differences(expected, trim_zeros(rows))
        return table, [issue(Problem.MISMATCH, f"{different}; {_ACCEPT}", self.expect_option)] if different else []

    def corrected(self) -> str:
        if self.expect_option not in self.option_texts:
            return ""
        rows = trim_zeros(lay_out_table(OddsQuery(self))[1])
        return ";\n".join(row_text(key, row.shown) for key, row in rows.items())

    def figures(self, computed: Table) -> dict[str, str]:
        lines = [*computed.rows, *((group.label, *group.percents) for group in computed.row_groups)]
        return {
            f"{label}, {head}": shortest(cell)
            for label, *cells in lines
            for head, cell in zip(computed.heads[1:], cells, strict=False)
        }

    def doctest(self, computed: Table) -> str:
        """Return a doctest that prints the figures of the table, those that hold as they are expected."""
        expected = "; ".join(row_text(*row) for row in parse_figures(self.expect).items())
        arguments = [as_code(expected), as_code(self.mechanic), as_code(" ".join(self.counted))]
        options = {name: getattr(self, name) for name in ("best", "vary", "rows", "show", "decimals")}
        arguments += [f"{name}={as_code(text)}" for name, text in self._arguments(options, self.options).items()]
        function = corrected_figures.__name__
        call = f"{function}({', '.join(arguments)})"
        return prompted(f"from {__name__} import {function}; print({call})", expected)


@final
@dataclass(frozen=True, kw_only=True)
class ChartBlock(OddsBlock, kind="odds", options=(*_OPTIONS, "vary", "mark", "expect")):
    """A chart of one distribution, or of a few side by side."""

    def compute(self, query: OddsQuery) -> tuple[ChartedOdds, list[Issue]]:
        count = len(query.settings("vary"))
        if count > MAX_SERIES:
            message = f"a chart shows up to {MAX_SERIES} distributions, and these are {count}"
            raise DirectiveError(Problem.OPTION, f"{message}; vary less, or make a dice:table", "vary")
        series = query.series()
        with query.option("mechanic"):
            note = series_note(series)
            # What JSON holds is of no class of a game, which a doctree could not keep.
            series = {label: Distribution.from_json(odds.to_json()) for label, odds in series.items()}
            bands = () if count else query.bands()
        values = merge_values([odds.values for odds in series.values()])
        marked = frozenset(values[index] for index in query.marked((value,) for value in values))
        claims, mismatches = self.checked_claims(query)
        return ChartedOdds(series, marked, bands, claims, note), mismatches

    def corrected(self) -> str:
        """Return its claims; of a chart without any, the mean of each distribution, or its most likely value."""
        if self.expect:
            return super().corrected()
        query = OddsQuery(self)
        fact = query.fact()
        claims = [
            _headline(query.odds(fact, setting), fact, f" | {setting.name}={setting.text}")
            for setting in query.settings("vary")
        ]
        return _corrected(self, ", ".join(claims or [_headline(query.odds(fact), fact)]))

    def figures(self, computed: ChartedOdds) -> dict[str, str]:
        figures = {}
        for name, odds in computed.series.items():
            before = f"{name}, " if name else ""
            if all_integers(odds):
                figures[f"{before}mean"] = format_figure(odds.mean, as_percentage=False)
            figures |= {f"{before}{as_line(value)}": percent(odds.exactly(value)) for value in odds}
            for band in computed.bands:
                share = sum((odds.exactly(value) for value in odds if band.has(value)), Fraction())
                figures[f"{before}{band.label}"] = percent(share)
        return figures | {claim.text: claim.figure for claim in computed.claims}


@final
@dataclass(frozen=True, kw_only=True)
class ClaimBlock(OddsBlock, kind="claim", options=(*_OPTIONS, "claim", "loose")):
    """A sentence about odds."""

    expect_option: ClassVar[str] = "claim"

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        if not options.get("claim"):
            message = "nothing is claimed; write it like claim: p(at least 13) = 25.9%"
            issues.append(issue(Problem.OPTION, message, "claim"))
        return super().read(title, options, issues)

    def compute(self, query: OddsQuery) -> tuple[list[CheckedClaim], list[Issue]]:
        return self.checked_claims(query)

    def figures(self, computed: list[CheckedClaim]) -> dict[str, str]:
        return {claim.text: claim.figure for claim in computed}


def corrected_figures(
    expect: str,
    mechanic: str,
    fact: str = "",
    /,
    *,
    best: str = "",
    vary: str = "",
    rows: str = "",
    show: str = "",
    decimals: str = "",
    **parameters: str,
) -> str:
    """Return the expectation of a table of odds, with the rows that do not hold corrected to what the table shows.

    Parameters:
        expect: the figures that are expected.
        mechanic: the id of a mechanic.
        fact: the facts that are counted, separated by spaces; the mechanic's first when left out.
        best, vary, rows, show, decimals: the options of the table.
        parameters: the mechanic's parameters, as text; one with the name of an option has an underscore behind it.

    Raises:
        DirectiveError: there is no such table.

    >>> corrected_figures("true: 75.0%; false: 20%", "methuen/check", "success", check="1d20 >= 6")
    'true: 75.0%; false: 25%'
    """
    table = TableBlock(
        name="",
        label=TableBlock.kind,
        source="",
        line=1,
        mechanic=mechanic,
        parameters={read_parameter(name, TableBlock.options): text for name, text in parameters.items()},
        counted=fact.split(),
        best=best,
        vary=vary,
        rows=rows,
        show=show,
        decimals=decimals,
    )
    expected = parse_figures(expect)
    shown = trim_zeros(lay_out_table(OddsQuery(table))[1])
    figures = {key: shown[key].shown for key in [*expected, *shown] if key in shown}
    right = {key: row for key, row in expected.items() if key in shown and agrees(row, shown[key])}
    return "; ".join(row_text(*row) for row in {**figures, **right}.items())


def _corrected(block: OddsBlock, claims: str) -> str:
    return corrected_claims(claims, block.mechanic, *block.counted[:1], **block.claim_arguments())


def _headline(odds: Distribution, fact: str, settings: str = "") -> str:
    """Return a claim about the mean, or about the most likely value, whose figure is yet to be corrected."""
    if all_integers(odds):
        return f"mean({fact}{settings})=0"
    text = as_line(odds.mode)
    # In a claim these end an event.
    ends = set(",|()") & set(text) or {"or", "given"} & set(text.split())
    text = f'"{text}"' if isinstance(odds.mode, str) and ends else text
    return f"p({fact} = {text}{settings})=0%"
