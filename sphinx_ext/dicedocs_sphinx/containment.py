"""The boundary around the code of games: whatever it raises, and should it never return, the build goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sphinx.application import Sphinx

from dicedocs import DiceError, LimitError, limits
from dicedocs.clock import TimeUp, time_limit
from dicedocs.errors import DistributionError
from dicedocs.faults import describe_error
from dicedocs_sphinx.blocks import kind_of
from dicedocs_sphinx.blocks.base import Block, CheckResult, issue, locate_issues
from dicedocs_sphinx.book_language import block_words
from dicedocs_sphinx.diagnostics import Problem

_SECONDS = (
    "how many seconds the rule of one block, or of one role, may take before it is given up with a warning; "
    "0 for no limit"
)


class RuleError(DiceError):
    """A fault in the code of a game, or of a kind of block; not one of the page."""


@contextmanager
def contained(seconds: float) -> Iterator[None]:
    """Run the code of a game for so many seconds at most.

    Raises:
        RuleError: the time was up, or the code raised something that is not an error of this package. Also
            ``SystemExit``, which would end the build as if all were well.
        DiceError: the code raised it.
    """
    try:
        with time_limit(seconds, "the rule"):
            yield
    except LimitError as error:
        if error.limit != limits.SECONDS.name:
            raise
        raise RuleError(error.message, hint=error.hint) from None
    except (DiceError, TimeUp, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise RuleError(f"the rule failed: {describe_error(error)}") from error


def check_block(block: Block, seconds: float) -> CheckResult:
    """Check a block; its kind may be anybody's."""
    try:
        with contained(seconds), block_words(block):
            return kind_of(block).check(block)
    except DiceError as error:
        return CheckResult(locate_issues(block, [issue(Problem.ENGINE, str(error), "mechanic")]))


def problem_of(error: DiceError, otherwise: Problem) -> Problem:
    """Return the type of the warning about an error."""
    return Problem.ENGINE if isinstance(error, RuleError | DistributionError) else otherwise


def setup_containment(app: Sphinx) -> None:
    app.add_config_value("dicedocs_seconds", limits.SECONDS.maximum, "", (int, float), _SECONDS)
