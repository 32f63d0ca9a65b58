"""The boundary around the code of games: whatever it raises, and should it never return, the build goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sphinx.application import Sphinx

from dicedocs import DiceError, LimitError, limits
from dicedocs.clock import Stopwatch, TimeUp, time_limit
from dicedocs.errors import DistributionError
from dicedocs.faults import describe_error
from dicedocs_sphinx.blocks.base import Block, CheckResult, locate_issues
from dicedocs_sphinx.book_language import block_words
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.statements import issue


class RuleError(DiceError):
    """A fault in the code of a game, or of a kind of block; not one of the page."""


class _Allowance:
    """The time that the rules of a book may take in all, in each process of the build.

    Attributes:
        total: in seconds; 0 for no limit.
        spent: how many of them were.
    """

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, total: float) -> None:
        """Begin anew, with so many seconds."""
        self.total = total
        self.spent = 0.0
        self._running = False

    @contextmanager
    def spend(self, seconds: float) -> Iterator[float]:
        """Give the seconds that are left to one rule, and count those that it takes.

        Raises:
            RuleError: none are left.
        """
        left = self.total - self.spent
        if self.total and left <= 0:
            message = f"the rules of this book took more than {self.total:g} seconds in all, so this one was not played"
            raise RuleError(message, hint="raise dicedocs_time in conf.py if they should")
        if self._running or not self.total:
            yield seconds
            return
        self._running, stopwatch = True, Stopwatch()
        try:
            yield min(seconds or left, left)
        finally:
            self._running = False
            self.spent += stopwatch.seconds()


_allowance = _Allowance()


@contextmanager
def contained(seconds: float) -> Iterator[None]:
    """Run the code of a game for so many seconds at most.

    Raises:
        RuleError: the time was up, or the code raised something that is not an error of this package. Also
            ``SystemExit``, which would end the build as if all were well.
        DiceError: the code raised it.
    """
    try:
        with _allowance.spend(seconds) as allowed:
            setting = "dicedocs_seconds" if allowed == seconds else "dicedocs_time"
            with time_limit(allowed, "the rule", f"raise {setting} in conf.py"):
                yield
    except LimitError as error:
        if error.limit != limits.SECONDS.name:
            raise
        raise RuleError(error.message, hint=error.hint) from None
    except (DiceError, TimeUp, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise RuleError(f"the rule failed: {describe_error(error)}") from error


def check_block(block: Block, seconds: float) -> CheckResult:
    """Check a block; its kind may be anybody's."""
    try:
        with contained(seconds), block_words(block):
            return block.check()
    except KeyboardInterrupt:
        # A rule can raise it too, and the build ends with it: this says where it was.
        message = f"{block.label}: interrupted while its rule was played"
        report(Problem.ENGINE, message, block.source, block.line)
        raise
    except DiceError as error:
        return CheckResult(locate_issues(block, [issue(Problem.ENGINE, str(error), "mechanic")]))


def problem_of(error: DiceError, otherwise: Problem) -> Problem:
    """Return the type of the warning about an error."""
    return Problem.ENGINE if isinstance(error, RuleError | DistributionError) else otherwise


def start_allowance(app: Sphinx) -> None:
    """Begin to count the time of a build."""
    _allowance.begin(settings_of(app.config).time)


def setup_game_code(app: Sphinx) -> None:
    app.connect("builder-inited", start_allowance)
