"""A worked example as plain data, and its check."""

from __future__ import annotations

import re
from typing import Final, Literal, final

from dicedocs import DiceError, Example, ExpectationError, Outcome
from dicedocs.render.look import Look
from dicedocs.render.text import expected
from dicedocs.render.words import prose
from dicedocs.rules.kinds import as_line, as_text
from dicedocs.rules.outcome import READ_FROM_DICE, STEPS
from dicedocs.translation import game_words
from dicedocs_sphinx.blocks.base import CheckResult, Facts, Issue, issue, source_line
from dicedocs_sphinx.blocks.mechanic_block import (
    MechanicBlock,
    MechanicKind,
    engine_message,
    has_result,
    is_of_the_game,
    prompted,
)
from dicedocs_sphinx.diagnostics import Problem, with_hint

_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_DIGITS: Final = re.compile(r"-?\d+")


@final
class ExampleBlock(MechanicBlock):
    """A worked example.

    ``hide`` are the parts that are not shown; ``look`` is how much room it takes, empty for that of the book.
    """

    seed: str | None
    dice: str | None
    hide: list[str]
    look: Look | Literal[""]


class OutcomeFacts(Facts):
    """The facts and parameters of an outcome."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    def has(self, path: str) -> bool:
        name, dot, _label = path.partition(".")
        if name == STEPS and dot:
            return True
        try:
            self._outcome.look_up(name)
        except DiceError:
            return False
        return True

    def text(self, path: str) -> str:
        with game_words(self._outcome.rule):
            return prose(self._outcome.look_up(path))

    def numbers(self) -> set[str]:
        outcome = self._outcome
        facts = (as_text(outcome.fact(name)) for name in (*outcome.facts_of, *READ_FROM_DICE))
        parameters = type(outcome.rule).parameters().items()
        texts = (*facts, *(field.write(getattr(outcome.rule, name)) for name, field in parameters))
        return {number for text in texts for number in _DIGITS.findall(text)}


def example_of(block: ExampleBlock) -> Example:
    """Return the example that a block describes."""
    seed = None if block["seed"] is None else seed_value(block["seed"])
    return Example(block["mechanic"], block["parameters"], seed, block["dice"], block["expect"])


def seed_value(seed: str) -> int | str:
    """Return a seed as Python code would have it; both types give the same dice."""
    return int(seed) if _WHOLE_NUMBER.fullmatch(seed) else seed


@final
class ExampleKind(MechanicKind[ExampleBlock], name="example"):
    """Worked examples; ``computed`` is the Python call that plays one again."""

    def evaluate(self, block: ExampleBlock) -> CheckResult:
        example, issues = example_of(block), []
        try:
            try:
                outcome = example.verify()
            except ExpectationError as error:
                hint = f"write {block['colon']}expect: {error.actual}"
                message = f"expected {error.expected}, got {error.actual}; {hint}"
                issues.append(issue(Problem.MISMATCH, message, "expect"))
                outcome = example.play()
            code = example.code()
        except DiceError as error:
            problem = Problem.FACT if error.parameter == "expect" else Problem.VALUE
            own = [] if is_of_the_game(error, block) else [issue(problem, str(error), error.parameter)]
            return CheckResult(self.parameter_issues(block) or own or [_engine_issue(error, block, example)])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult(self.parameter_issues(block) or [_engine_issue(error, block, example)])
        notes: tuple[Issue, ...] = ()
        if not block["expect"]:
            facts = expected(outcome)
            message = with_hint("nothing is expected", facts and f"write {block['colon']}expect: {facts}")
            notes = (issue(Problem.UNVERIFIED, message, line=source_line(block)),)
        return CheckResult(issues, code, OutcomeFacts(outcome), notes)

    def facts(self, block: ExampleBlock) -> Facts | None:
        try:
            return OutcomeFacts(example_of(block).play()) if has_result(block) else None
        except Exception:  # noqa: BLE001  # reported by the check
            return None

    def says_nothing(self, block: ExampleBlock) -> bool:
        return example_of(block).says_nothing()

    def corrected(self, block: ExampleBlock) -> str:
        example = example_of(block)
        outcome, names = example.play(), tuple(example.expected())
        return outcome.facts(*names) if names else expected(outcome)

    def figures(self, block: ExampleBlock, computed: str) -> dict[str, str]:
        outcome = example_of(block).play()
        return {name: as_line(outcome.fact(name)) for name in (*outcome.facts_of, *READ_FROM_DICE)}

    def is_test(self, block: ExampleBlock) -> bool:
        """Return True: pytest skips an example without an expectation, so that it is noticed."""
        return True

    def doctest(self, block: ExampleBlock, computed: str) -> str:
        expected = example_of(block).expected()
        names = ", ".join(f'"{name}"' for name in expected)
        printed = ", ".join(f"{name}={text}" for name, text in expected.items())
        return prompted(f"import dicedocs as dd; print({computed}.facts({names}))", printed)


def _engine_issue(error: Exception, block: ExampleBlock, example: Example) -> Issue:
    """Return the issue of a rule that failed, with the last step that it took."""
    return issue(Problem.ENGINE, engine_message(error, block, example.steps_before_failure()), "mechanic")
