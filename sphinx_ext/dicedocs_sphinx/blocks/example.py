"""A worked example, and its check."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, final

from dicedocs import DiceError, Example, ExpectationError, Outcome
from dicedocs.render.look import Look, is_look, no_such_look
from dicedocs.render.text import expected, rows
from dicedocs.render.words import prose
from dicedocs.rules.kinds import as_line, as_text
from dicedocs.rules.outcome import READ_FROM_DICE, STEPS
from dicedocs.rules.reserved import EXAMPLE_OPTIONS
from dicedocs.translation import game_words
from dicedocs_sphinx.blocks.base import CheckResult, Facts, source_line
from dicedocs_sphinx.blocks.mechanic_block import (
    MechanicBlock,
    engine_message,
    has_result,
    is_of_the_game,
    prompted,
)
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_DIGITS: Final = re.compile(r"-?\d+")


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


def seed_value(seed: str) -> int | str:
    """Return a seed as Python code would have it; both types give the same dice."""
    return int(seed) if _WHOLE_NUMBER.fullmatch(seed) else seed


@final
@dataclass(frozen=True, kw_only=True)
class ExampleBlock(MechanicBlock, kind="example", options=EXAMPLE_OPTIONS):
    """A worked example; ``computed`` is the Python call that plays it again.

    ``look`` is how much room it takes, empty for that of the book.
    """

    parts: ClassVar[tuple[str, ...]] = ("steps", "call", *MechanicBlock.parts)

    seed: str | None = None
    dice: str | None = None
    look: Look | Literal[""] = ""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        look = options.get("look", "")
        if "look" in options and not is_look(look):
            issues.append(issue(Problem.OPTION, no_such_look(look), "look"))
        return {
            **fields,
            "seed": options.get("seed"),
            "dice": options.get("dice"),
            "look": look if is_look(look) else "",
        }

    def example(self) -> Example:
        """Return the example that the block describes."""
        seed = None if self.seed is None else seed_value(self.seed)
        return Example(self.mechanic, self.parameters, seed, self.dice, self.expect)

    def evaluate(self) -> CheckResult:
        example, issues = self.example(), []
        try:
            try:
                outcome = example.verify()
            except ExpectationError as error:
                hint = f"write {self.colon}expect: {error.actual}"
                message = f"expected {error.expected}, got {error.actual}; {hint}"
                issues.append(issue(Problem.MISMATCH, message, "expect"))
                outcome = example.play()
            code = example.code()
        except DiceError as error:
            problem = Problem.FACT if error.parameter == "expect" else Problem.VALUE
            own = [] if is_of_the_game(error, self) else [issue(problem, str(error), error.parameter)]
            return CheckResult(self.parameter_issues() or own or [_engine_issue(error, self, example)])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult(self.parameter_issues() or [_engine_issue(error, self, example)])
        notes: tuple[Issue, ...] = ()
        if not self.expect:
            facts = expected(outcome)
            message = with_hint("nothing is expected", facts and f"write {self.colon}expect: {facts}")
            notes = (issue(Problem.UNVERIFIED, message, line=source_line(self)),)
        return CheckResult(issues, code, OutcomeFacts(outcome), notes)

    def facts(self) -> Facts | None:
        try:
            return OutcomeFacts(self.example().play()) if has_result(self) else None
        except Exception:  # noqa: BLE001  # reported by the check
            return None

    def says_nothing(self) -> bool:
        return self.example().says_nothing()

    def corrected(self) -> str:
        example = self.example()
        outcome, names = example.play(), tuple(example.expected())
        return outcome.facts(*names) if names else expected(outcome)

    def figures(self, computed: str) -> dict[str, str]:
        outcome = self.example().play()
        facts = {name: as_line(outcome.fact(name)) for name in (*outcome.facts_of, *READ_FROM_DICE)}
        return {**facts, "working": "; ".join(str(row).strip() for row in rows(outcome.steps()))}

    def is_test(self) -> bool:
        """Return True: pytest skips an example without an expectation, so that it is noticed."""
        return True

    def doctest(self, computed: str) -> str:
        expected = self.example().expected()
        names = ", ".join(f'"{name}"' for name in expected)
        printed = ", ".join(f"{name}={text}" for name, text in expected.items())
        return prompted(f"import dicedocs as dd; print({computed}.facts({names}))", printed)


def _engine_issue(error: Exception, block: MechanicBlock, example: Example) -> Issue:
    """Return the issue of a rule that failed, with the last step that it took."""
    return issue(Problem.ENGINE, engine_message(error, block, example.steps_before_failure()), "mechanic")
