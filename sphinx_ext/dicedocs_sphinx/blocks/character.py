"""A character: values that are defined once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from dicedocs import DiceError, limits
from dicedocs.errors import quoted
from dicedocs.rules.registry import systems
from dicedocs.rules.yes_and_no import TruthWords, read_truth_words
from dicedocs.scenes.character import check_values, parse_values
from dicedocs.similar_words import near
from dicedocs.syntax.formula import TRUTHS
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts, locate_issues
from dicedocs_sphinx.blocks.named_values import Slot
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue


@final
@dataclass(frozen=True, kw_only=True)
class CharacterBlock(Block, kind="character", options=("name", "system", "values", "words", "class")):
    """A character, whose values other blocks use; ``values`` is None if they could not be read.

    ``words`` are what sentences say of its values that are yes or no.
    """

    values: Mapping[str, str] | None = None
    words: TruthWords = field(default_factory=dict)

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        if "name" not in options:
            message = "a character needs a name that examples can use; write :name: kira"
            issues.append(issue(Problem.OPTION, message))
        system = options.get("system", "")
        if "system" in options and system not in (known := systems()):
            message = with_hint(f"there is no system {quoted(system)}", near(system, known))
            issues.append(issue(Problem.OPTION, message, "system"))
            system = ""
        try:
            limits.VALUE_TEXT.check(len(options.get("values", "")), hint="write less")
            values = parse_values(options.get("values", ""))
        except DiceError as error:
            issues.append(issue(Problem.VALUE, f"values: {error}", "values"))
            values = None
        words = dict(read_truth_words(options.get("words", "")))
        for value, pair in words.items():
            if not pair:
                message = f"{quoted(value)} has no words for yes and no; write {value} = staggered / steady"
                issues.append(issue(Problem.OPTION, f"words: {message}", "words"))
            elif values is not None and value not in values:
                message = with_hint(f"{quoted(value)} is not one of its values", near(value, values))
                issues.append(issue(Problem.OPTION, f"words: {message}", "words"))
        own = {value: pair for value, pair in words.items() if pair}
        return {**fields, "system": system, "values": values, "words": own}

    def slots(self) -> Iterator[Slot]:
        yield from (Slot("values", text, part=name) for name, text in (self.values or {}).items())

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        return {"values": {name: texts.get(("values", name), text) for name, text in (self.values or {}).items()}}

    def check(self) -> CheckResult:
        issues = [*self.syntax_issues, *(self.unresolved or self._wrong_values())]
        return CheckResult(locate_issues(self, issues), self.values, self.facts())

    def _wrong_values(self) -> list[Issue]:
        try:
            check_values(self.values or {})
        except DiceError as error:
            return [issue(Problem.VALUE, f"values: {error}", "values")]
        other = {name: text for name in self.words if (text := (self.values or {}).get(name, "true")) not in TRUTHS}
        message = "words: {} is {}, which is neither true nor false; write true or false"
        return [
            issue(Problem.VALUE, message.format(quoted(name), quoted(text)), "words") for name, text in other.items()
        ]

    def figures(self, computed: Mapping[str, str]) -> dict[str, str]:
        return dict(computed)

    def facts(self) -> Facts | None:
        if self.values is None or self.unresolved or self._wrong_values():
            return None
        return StateFacts(self.values, self.name, self.words)
