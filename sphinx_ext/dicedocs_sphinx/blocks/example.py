"""A worked example, and its check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, final

from dicedocs import DiceError, Example, ExpectationError, Outcome, Resources
from dicedocs.errors import quoted
from dicedocs.page_rules.outcome_conditions import OutcomeValues
from dicedocs.probability.fact_words import is_known_word
from dicedocs.render.outcome_looks import Look, is_look, no_such_look
from dicedocs.render.page_example import EXAMPLE_OPTIONS
from dicedocs.render.text import expected, fact_text, rows
from dicedocs.rules.example import fact_names, parse_facts
from dicedocs.rules.kinds import Kind, as_line, as_text
from dicedocs.rules.outcome import STEPS
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.yes_and_no import TruthWords
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.page_text import TextChoice
from dicedocs.syntax.names import find_name
from dicedocs_sphinx.blocks.base import CheckResult, Facts, prompted, source_line
from dicedocs_sphinx.blocks.mechanic_block import (
    MechanicBlock,
    engine_message,
    has_result,
    is_of_the_game,
)
from dicedocs_sphinx.blocks.named_values import Slot, mentions
from dicedocs_sphinx.blocks.scene import (
    change_code,
    condition_issues,
    expectation_slots,
    expectation_with,
    mismatch,
    moved_facts,
    no_scene,
    play_in_place,
    read_text_choice,
    refuse_references,
    story_beat,
    story_slots,
)
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_DIGITS: Final = re.compile(r"-?\d+")


class OutcomeFacts(Facts):
    """The facts and parameters of an outcome."""

    def __init__(
        self,
        outcome: Outcome,
        state: Mapping[str, str] | None = None,
        state_words: TruthWords = MappingProxyType({}),
    ) -> None:
        self._outcome = outcome
        self._state = StateFacts(state or {}, words=state_words)

    def has(self, path: str) -> bool:
        return self._state.has(path) or self._outcome_has(path)

    def _outcome_has(self, path: str) -> bool:
        name, dot, _label = path.partition(".")
        if name == STEPS and dot:
            return True
        try:
            self._outcome.look_up(name)
        except DiceError:
            return False
        return True

    def text(self, path: str) -> str:
        if self._state.has(path):
            return self._state.text(path)
        return fact_text(self._outcome, path)

    def value(self, path: str) -> str:
        return (
            self._state.value(path) if self._state.has(path) else as_line(self._outcome.look_up(self.canonical(path)))
        )

    def canonical(self, path: str) -> str:
        if self._state.has(path):
            return self._state.canonical(path)
        rule, (name, dot, key) = self._outcome.rule, path.partition(".")
        return f"{find_name(name, [*fact_names(rule), *type(rule).parameters()])}{dot}{key}"

    def values(self) -> OutcomeValues:
        return self._state.values()._replace(outcome=self._outcome)

    def is_known(self, path: str, text: str) -> bool:
        rule = self._outcome.rule
        if self._state.has(path) or path not in type(rule).fact_kinds():
            return True
        return is_known_word(rule, path, text)

    def numbers(self) -> set[str]:
        outcome = self._outcome
        facts = (as_text(outcome.fact(name)) for name in (*outcome.facts_of, *outcome.read_from_dice))
        parameters = type(outcome.rule).parameters().items()
        texts = (
            *facts,
            *map(self._state.value, self._state.names()),
            *(field.write(getattr(outcome.rule, name)) for name, field in parameters),
        )
        return {number for text in texts for number in _DIGITS.findall(text)}


def seed_value(seed: str) -> int | str:
    """Return a seed as Python code would have it; both types give the same dice."""
    return int(seed) if _WHOLE_NUMBER.fullmatch(seed) else seed


@final
@dataclass(frozen=True, kw_only=True)
class ExampleBlock(MechanicBlock, kind="example", options=EXAMPLE_OPTIONS):
    """A worked example; ``computed`` is the Python call that plays it again.

    ``look`` is how much room it takes, empty for that of the book. It happens ``when`` something holds in its scene;
    ``then`` is what it changes there, and ``apart`` takes it out of it. ``text`` says whose roll its text tells on a
    page that rolls, empty if its words decide.
    """

    acts: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("steps", "call", *MechanicBlock.parts)

    seed: str | None = None
    dice: str | None = None
    look: Look | Literal[""] = ""
    when: str = ""
    then: str = ""
    apart: bool = False
    text: TextChoice | Literal[""] = ""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        look = options.get("look", "")
        if "look" in options and not is_look(look):
            issues.append(issue(Problem.OPTION, no_such_look(look), "look"))
        if options.get("scene", "none") != "none":
            message = f"{quoted(options['scene'])} is not 'none', which takes the example out of its scene"
            issues.append(issue(Problem.OPTION, message, "scene"))
        return {
            **fields,
            "seed": options.get("seed"),
            "dice": options.get("dice"),
            "look": look if is_look(look) else "",
            "when": options.get("if", ""),
            "then": options.get("then", ""),
            "apart": "scene" in options,
            "text": read_text_choice(options, issues),
        }

    def example(self) -> Example:
        """Return the example that the block describes."""
        seed = None if self.seed is None else seed_value(self.seed)
        own = self.expect
        if self.before is not None:
            # An error is raised again when the facts are compared.
            with suppress(DiceError):
                facts = fact_names(mechanic_of(self.mechanic))
                own = ", ".join(f"{name}={text}" for name, text in self.expected().items() if name in facts)
        return Example(self.mechanic, {**self.parameters, **self._characters()}, seed, self.dice, own)

    def expected(self) -> dict[str, str]:
        """Return the canonical text of each expected fact, of the outcome or of the scene."""
        facts = (*fact_names(mechanic_of(self.mechanic)), *StateFacts(self.before or {}).names())
        return parse_facts(self.expect, "expect", facts)

    def _play(self, *, expect: bool = False) -> tuple[Outcome, Mapping[str, str] | None]:
        """Return the outcome, and the state of the scene after it, perhaps compared with what is expected."""
        if self.before is None:
            example = self.example()
            return (example.verify() if expect else example.play()), None
        return play_in_place(self, lambda _beat: self.example().play(), expect=expect)

    def _characters(self) -> dict[str, Resources]:
        """Return the resources that come from characters, which know of the values that are none."""
        found: dict[str, Resources] = {}
        for name in self.sources if not self.unresolved else ():
            others = {each: text for source in self.sources_of(name) for each, text in (source.others or {}).items()}
            # What is no resource is reported as any other value is.
            with suppress(DiceError):
                if others:
                    found[name] = Resources(Resources.from_text(self.parameters[name]), others)
        return found

    def slots(self) -> Iterator[Slot]:
        yield from (slot for slot in super().slots() if slot.option != self.expect_option)
        if self.dice is not None:
            yield Slot("dice", self.dice)
        if self.seed is not None:
            yield Slot("seed", self.seed, instead=f"{self.colon}dice: {{name}}.dice for its dice")
        if not (self.scene or mentions(self.expect)):
            return
        kinds: Mapping[str, Kind] = {}
        with suppress(Exception):  # reported when the block is checked
            kinds = mechanic_of(self.mechanic).fact_kinds()
        if self.scene:
            yield from story_slots(self, kinds)
        if kinds:
            yield from expectation_slots(self, kinds)

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        dice = self.dice if self.dice is None else texts.get(("dice", ""), self.dice)
        return {**super().with_texts(texts), "dice": dice, "expect": expectation_with(self, texts)}

    def evaluate(self) -> CheckResult:
        if (self.when or self.then) and not self.scene:
            return CheckResult([no_scene("if" if self.when else "then")])
        example = self.example()
        issues = [] if self.before is None else list(condition_issues(self))
        try:
            try:
                outcome, after = self._play(expect=True)
            except ExpectationError as error:
                issues.append(mismatch(self, error))
                outcome, after = self._play()
            code = example.code()
        except DiceError as error:
            problem = Problem.FACT if error.parameter == "expect" else Problem.VALUE
            own = [] if is_of_the_game(error, self) else [issue(problem, str(error), error.parameter)]
            return CheckResult(self.parameter_issues() or own or [_engine_issue(error, self, example)])
        except Exception as error:  # noqa: BLE001  # a rule may raise anything; the build goes on
            return CheckResult(self.parameter_issues() or [_engine_issue(error, self, example)])
        notes: tuple[Issue, ...] = ()
        if not self.expect:
            facts = self._proposal(outcome, after)
            message = with_hint("nothing is expected", facts and f"write {self.colon}expect: {facts}")
            notes = (issue(Problem.UNVERIFIED, message, line=source_line(self)),)
        return CheckResult(issues, code, OutcomeFacts(outcome, after, self.state_words), notes, after)

    def facts(self) -> Facts | None:
        try:
            return OutcomeFacts(*self._play(), self.state_words) if has_result(self) else None
        except Exception:  # noqa: BLE001  # reported by the check
            return None

    def says_nothing(self) -> bool:
        example = self.example()
        return len(example.expected()) == len(self.expected()) and example.says_nothing()

    def corrected(self) -> str:
        refuse_references(self)
        outcome, after = self._play()
        facts, names = OutcomeFacts(outcome, after), self.expected()
        return ", ".join(f"{name}={facts.value(name)}" for name in names) if names else self._proposal(outcome, after)

    def _proposal(self, outcome: Outcome, after: Mapping[str, str] | None) -> str:
        """Return what an example without an expectation may expect: its facts, and what it changes in the scene."""
        return ", ".join(filter(None, [expected(outcome), moved_facts(replace(self, after=after))]))

    def figures(self, computed: str) -> dict[str, str]:
        outcome, _ = self._play()
        facts = {name: as_line(outcome.fact(name)) for name in (*outcome.facts_of, *outcome.read_from_dice)}
        moved = {name: after for name, _, after in self.moved()}
        return {**facts, **moved, "working": "; ".join(str(row).strip() for row in rows(outcome.steps()))}

    def beat(self) -> Beat:
        return story_beat(self, self.example()._replace(expect=""))

    def is_test(self) -> bool:
        """Return True: pytest skips an example without an expectation, so that it is noticed."""
        return True

    def doctest(self, computed: str) -> str:
        expected = self.example().expected()
        if self.when or len(expected) != len(self.expected()):
            return prompted(f"import dicedocs as dd; {change_code(self)}", "")
        names = ", ".join(f'"{name}"' for name in expected)
        printed = ", ".join(f"{name}={text}" for name, text in expected.items())
        return prompted(f"import dicedocs as dd; print({computed}.facts({names}))", printed)


def _engine_issue(error: Exception, block: MechanicBlock, example: Example) -> Issue:
    """Return the issue of a rule that failed, with the last step that it took."""
    return issue(Problem.ENGINE, engine_message(error, block, example.steps_before_failure()), "mechanic")
