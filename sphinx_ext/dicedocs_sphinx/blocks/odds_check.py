"""The kinds of blocks about odds: compute what a table, a chart or a claim shows, and compare it with its claims."""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar, Final, final

from dicedocs import probability
from dicedocs.errors import DistributionError
from dicedocs.probability.claims import Claim, ClaimResult, corrected_claims, count_statistics, parse_claims
from dicedocs.rules.kinds import as_code
from dicedocs_sphinx.blocks.base import CheckResult, Facts, Issue, issue
from dicedocs_sphinx.blocks.mechanic_block import MechanicKind, engine_message, has_result, prompted
from dicedocs_sphinx.blocks.odds import CheckedClaim, OddsBlock, OddsContent, OddsFacts
from dicedocs_sphinx.blocks.odds_query import DirectiveError, OddsQuery
from dicedocs_sphinx.blocks.odds_table import lay_out_table
from dicedocs_sphinx.diagnostics import Problem

MAX_SERIES: Final = 4
"""The most distributions that one chart shows."""


class OddsKind(MechanicKind[OddsBlock]):
    """A kind of block about exact odds; ``computed`` is an :class:`OddsContent`."""

    packages: ClassVar[tuple[ModuleType, ...]] = (probability,)

    def content(self, query: OddsQuery) -> OddsContent:
        """Compute what the block shows, apart from its claims."""
        return OddsContent(table=(), groups=[], series=[], claims=[])

    @final
    def evaluate(self, block: OddsBlock) -> CheckResult:
        issues = self.parameter_issues(block)
        if issues or block["syntax_issues"] or block["unresolved"]:
            return CheckResult(issues)
        try:
            query = OddsQuery(block)
            content = self.content(query)
            results = self._claim_results(query) if block["expect"] else []
        except DirectiveError as error:
            return CheckResult([error.issue])
        except DistributionError as error:
            return CheckResult([issue(Problem.ENGINE, str(error), "mechanic")])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult([issue(Problem.ENGINE, engine_message(error), "mechanic")])
        content["claims"] = [
            CheckedClaim(text=claim.text, figure=result.figure, holds=result.holds) for claim, result in results
        ]
        return CheckResult(self._mismatches(block, results), content, OddsFacts(block))

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
            message = f"expected {texts}, and it is {figures}"
            if self.expect_option == "expect":
                actual = ", ".join(result.actual for _, result in results)
                message += f"; write {block['colon']}expect: {actual}"
        return [issue(Problem.MISMATCH, message, self.expect_option)]

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
class TableKind(OddsKind, name="table"):
    """Tables of odds."""

    def content(self, query: OddsQuery) -> OddsContent:
        table, groups = lay_out_table(query)
        return OddsContent(table=table, groups=groups, series=[], claims=[])


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
        return OddsContent(table=(), groups=[], series=series, claims=[])


@final
class ClaimKind(OddsKind, name="claim"):
    """Sentences about odds."""

    expect_option = "claim"
