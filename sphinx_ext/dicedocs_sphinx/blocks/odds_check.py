"""The kinds of blocks about odds: compute what a table, a chart or a claim shows, and compare it with its claims."""

from __future__ import annotations

from typing import Any, Final, final

from dicedocs import Distribution
from dicedocs.errors import DistributionError
from dicedocs.probability.claims import (
    Claim,
    ClaimResult,
    corrected_claims,
    count_statistics,
    format_figure,
    parse_claims,
)
from dicedocs.render.chart import merge_values
from dicedocs.render.numbers import percent
from dicedocs.rules.kinds import all_integers, as_code, as_line
from dicedocs_sphinx.blocks.base import CheckResult, Facts, Issue, issue, source_line
from dicedocs_sphinx.blocks.mechanic_block import MechanicKind, engine_message, has_result, prompted
from dicedocs_sphinx.blocks.odds import TABLE, CheckedClaim, OddsBlock, OddsContent, OddsFacts
from dicedocs_sphinx.blocks.odds_query import DirectiveError, OddsQuery
from dicedocs_sphinx.blocks.odds_table import lay_out_table, shortest
from dicedocs_sphinx.blocks.table_expectation import differences, parse_figures, row_text, shown_figures
from dicedocs_sphinx.diagnostics import Problem

_ACCEPT: Final = "'dicedocs accept' writes the figures"
MAX_SERIES: Final = 4
"""The most distributions that one chart shows."""


class OddsKind(MechanicKind[OddsBlock]):
    """A kind of block about exact odds; ``computed`` is an :class:`OddsContent`."""

    def content(self, query: OddsQuery) -> OddsContent:
        """Compute what the block shows, apart from its claims."""
        return _content()

    @final
    def evaluate(self, block: OddsBlock) -> CheckResult:
        issues = self.parameter_issues(block)
        if issues or block["syntax_issues"] or block["unresolved"]:
            return CheckResult(issues)
        try:
            query = OddsQuery(block)
            content = self.content(query)
            mismatches = self.compare(query, content) if block["expect"] else []
        except DirectiveError as error:
            return CheckResult([error.issue])
        except DistributionError as error:
            return CheckResult([issue(Problem.ENGINE, str(error), "mechanic")])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult([issue(Problem.ENGINE, engine_message(error, block), "mechanic")])
        return CheckResult(mismatches, content, OddsFacts(block), self.notes(block))

    def compare(self, query: OddsQuery, content: OddsContent) -> list[Issue]:
        """Compare the figures with what the block expects; add the results of claims to its content."""
        results = self._claim_results(query)
        content["claims"] = [
            CheckedClaim(text=claim.text, figure=result.figure, holds=result.holds) for claim, result in results
        ]
        return self._mismatches(query.block, results)

    def notes(self, block: OddsBlock) -> tuple[Issue, ...]:
        """Return warnings that do not make the block wrong."""
        return ()

    def _claim_results(self, query: OddsQuery) -> list[tuple[Claim, ClaimResult]]:
        """Compute the figures of the claims, and compare."""
        query.fact()
        with query.option(self.expect_option):
            claims = parse_claims(query.block["expect"])
        if query.block["loose"] and len(claims) > 1:
            raise DirectiveError(Problem.OPTION, "a loose claim stands alone; write one", "loose")
        query.subject.plan(count_statistics(claims))
        with query.option(self.expect_option):
            return [(claim, claim.evaluate(query.subject)) for claim in claims]

    def _mismatches(self, block: OddsBlock, results: list[tuple[Claim, ClaimResult]]) -> list[Issue]:
        """Return the issue of the claims that do not hold, or of a loose one that does."""
        failed = [(claim.text, result.figure) for claim, result in results if result.holds == block["loose"]]
        if not failed:
            return []
        texts, figures = (", ".join(each) for each in zip(*failed, strict=True))
        if block["loose"]:
            message = f"{texts} is marked as loose, but it holds: it is {figures}; take {block['colon']}loose: away"
        else:
            message = f"expected {texts}, got {figures}"
            actual = ", ".join(result.actual for _, result in results)
            message += f"; write {block['colon']}{self.expect_option}: {actual}"
        return [issue(Problem.MISMATCH, message, self.expect_option)]

    def corrected(self, block: OddsBlock) -> str:
        # A loose claim is false on purpose: only its author knows what it is to say once it holds, and whether another
        # comparison is meant where no figure makes one true.
        if not block["expect"] or block["loose"]:
            return ""
        claims = [result.corrected for _, result in self._claim_results(OddsQuery(block))]
        return ", ".join(claims) if all(claims) else ""

    def figures(self, block: OddsBlock, computed: OddsContent) -> dict[str, str]:
        figures: dict[str, str] = {}
        heads, *rows = computed["table"] or ((),)
        for label, *cells in rows:
            figures |= {f"{label}, {head}": shortest(cell) for head, cell in zip(heads[1:], cells, strict=True)}
        for name, data in computed["series"]:
            odds, before = Distribution.from_json(data), f"{name}, " if name else ""
            if all_integers(odds):
                figures[f"{before}mean"] = format_figure(odds.mean, as_percentage=False)
            figures |= {f"{before}{as_line(value)}": percent(odds.exactly(value)) for value in odds}
        return figures | {claim["text"]: claim["figure"] for claim in computed["claims"]}

    def facts(self, block: OddsBlock) -> Facts | None:
        return OddsFacts(block) if has_result(block) else None

    def doctest(self, block: OddsBlock, computed: Any) -> str:
        """Return a doctest that prints the claims with their true figures; for a loose one, whether it holds."""
        claims = ", ".join(claim.text for claim in parse_claims(block["expect"]))
        arguments = [as_code(claims), as_code(block["mechanic"]), *map(as_code, block["facts"][:1])]
        arguments += [f"{name}={as_code(text)}" for name, text in block["parameters"].items()]
        function = corrected_claims.__name__
        call, printed = f"{function}({', '.join(arguments)})", claims
        if block["loose"]:
            call, printed = f"{call} == {as_code(claims)}", "False"
        return prompted(f"from {corrected_claims.__module__} import {function}; print({call})", printed)


@final
class TableKind(OddsKind, name=TABLE):
    """Tables of odds; one with an empty expectation is waiting for it to be filled in."""

    def content(self, query: OddsQuery) -> OddsContent:
        return lay_out_table(query)

    def compare(self, query: OddsQuery, content: OddsContent) -> list[Issue]:
        with query.option(self.expect_option, Problem.OPTION):
            expected = parse_figures(query.block["expect"])
        different = differences(expected, shown_figures(content))
        return [issue(Problem.MISMATCH, f"{different}; {_ACCEPT}", self.expect_option)] if different else []

    def notes(self, block: OddsBlock) -> tuple[Issue, ...]:
        if block["expect"] or not self.is_test(block):
            return ()
        line = source_line(block, block["option_lines"][self.expect_option])
        return (issue(Problem.UNVERIFIED, f"nothing is expected yet; {_ACCEPT}", line=line),)

    def is_test(self, block: OddsBlock) -> bool:
        return self.expect_option in block["option_texts"] or super().is_test(block)

    def corrected(self, block: OddsBlock) -> str:
        if self.expect_option not in block["option_texts"]:
            return ""
        figures = shown_figures(self.content(OddsQuery(block)))
        return ";\n".join(row_text(*row) for row in figures.items())

    def doctest(self, block: OddsBlock, computed: OddsContent) -> str:
        """Return a doctest that prints the figures of the table."""
        arguments = [as_code(block["mechanic"]), as_code(" ".join(block["facts"]))]
        options = {name: block[name] for name in ("vary", "rows", "show", "decimals")}
        chosen = {**{name: text for name, text in options.items() if text}, **block["parameters"]}
        arguments += [f"{name}={as_code(text)}" for name, text in chosen.items()]
        expected, function = parse_figures(block["expect"]), table_figures.__name__
        # The order of rows does not matter.
        rows = [key for key in shown_figures(computed) if key in expected]
        rows += [key for key in expected if key not in rows]
        printed = "; ".join(row_text(key, expected[key]) for key in rows)
        call = f"{function}({', '.join(arguments)})"
        return prompted(f"from {__name__} import {function}; print({call})", printed)


@final
class ChartKind(OddsKind, name="odds"):
    """Charts of one distribution, or of a few side by side."""

    def content(self, query: OddsQuery) -> OddsContent:
        count = len(query.settings("vary"))
        if count > MAX_SERIES:
            message = f"a chart shows up to {MAX_SERIES} distributions, and these are {count}"
            raise DirectiveError(Problem.OPTION, f"{message}; vary less, or make a dice:table", "vary")
        distributions = query.series()
        with query.option("mechanic"):
            series = [(label, odds.to_json()) for label, odds in distributions.items()]
            bands = [] if count else [(*band,) for band in query.bands()]
        marked = query.marked((value,) for value in merge_values([odds.values for odds in distributions.values()]))
        return {**_content(), "marked": marked, "series": series, "bands": bands}

    def corrected(self, block: OddsBlock) -> str:
        """Return its claims; of a chart without any, the mean of each distribution, or its most likely value."""
        if block["expect"]:
            return super().corrected(block)
        query = OddsQuery(block)
        fact = query.fact()
        claims = [
            _headline(query.odds(fact, setting), fact, f" | {setting.name}={setting.text}")
            for setting in query.settings("vary")
        ]
        return _corrected(block, ", ".join(claims or [_headline(query.odds(fact), fact)]))


@final
class ClaimKind(OddsKind, name="claim"):
    """Sentences about odds."""

    expect_option = "claim"


def _content() -> OddsContent:
    """Return the content of a block that shows nothing."""
    return OddsContent(
        table=(), probabilities=(), marked=(), keys=[], groups=[], row_groups=[], series=[], bands=[], claims=[]
    )


def table_figures(
    mechanic: str,
    fact: str = "",
    /,
    *,
    vary: str = "",
    rows: str = "",
    show: str = "",
    decimals: str = "",
    **parameters: str,
) -> str:
    """Return the figures of a table of odds in the form of its expectation.

    Parameters:
        mechanic: the id of a mechanic.
        fact: the facts that are counted, separated by spaces; the mechanic's first when left out.
        vary, rows, show, decimals: the options of the table.
        parameters: the mechanic's parameters, as text.

    Raises:
        DirectiveError: there is no such table.

    >>> table_figures("methuen/check", "success", check="1d20 >= 6")
    'false: 25%; true: 75%'
    """
    block = OddsBlock(
        kind=TABLE,
        name="",
        label=TABLE,
        anchor="",
        title="",
        source="",
        line=1,
        option_lines={},
        option_texts={},
        colon="",
        syntax_issues=[],
        issues=[],
        mechanic=mechanic,
        parameters=parameters,
        character_refs={},
        unresolved=[],
        expect="",
        shows=[],
        facts=fact.split(),
        vary=vary,
        rows=rows,
        show=show,
        decimals=decimals,
        mark="",
        loose=False,
    )
    figures = shown_figures(lay_out_table(OddsQuery(block)))
    return "; ".join(row_text(*row) for row in figures.items())


def _corrected(block: OddsBlock, claims: str) -> str:
    return corrected_claims(claims, block["mechanic"], *block["facts"][:1], **block["parameters"])


def _headline(odds: Distribution, fact: str, settings: str = "") -> str:
    """Return a claim about the mean, or about the most likely value, whose figure is yet to be corrected."""
    if all_integers(odds):
        return f"mean({fact}{settings})=0"
    return f"p({fact} = {as_line(odds.mode)}{settings})=0%"
