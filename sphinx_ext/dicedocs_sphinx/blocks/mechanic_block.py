"""What examples, tables, charts and claims have in common: a mechanic with parameters, and an expectation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, final

from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.faults import author_line, describe_error, is_of_the_rule
from dicedocs.render.text import last_step, noted_step
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.registry import is_installed, systems
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.reserved import read_parameter
from dicedocs.rules.steps import Step
from dicedocs.similar_words import is_near, near
from dicedocs_sphinx.blocks.base import Block, CheckResult, is_mismatch, locate_issues
from dicedocs_sphinx.blocks.named_values import Slot, quoted_reference
from dicedocs_sphinx.blocks.rule_ids import expand_ids
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import Issue, issue

_ALL: Final = "all"
"""What hides all of a block."""
MECHANICS_HINT: Final = "the command 'dicedocs mechanics' lists the ids"


@dataclass(frozen=True, kw_only=True)
class MechanicBlock(Block):
    """A block about a mechanic.

    ``parameters`` are as written, until references in them are replaced by values. ``hide`` are the parts that are not
    shown, of those that a kind has (``parts``).
    """

    parts: ClassVar[tuple[str, ...]] = (_ALL,)
    has_parameters: ClassVar[bool] = True

    hide: Sequence[str] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        mechanic = options.get("mechanic", "")
        if not mechanic:
            option = "mechanic" if "mechanic" in options else ""
            hint = MECHANICS_HINT
            if not options:
                hint = "options go directly below the first line"
            elif not option and (similar := [name for name in options if is_near(name, "mechanic")]):
                hint = f"write mechanic instead of {quoted(similar[0])}"
            issues.append(issue(Problem.MECHANIC, f"no mechanic is named; {hint}", option))
        hidden = options.get("hide", "").replace(",", " ").split()
        issues += [
            issue(Problem.OPTION, f"{quoted(word)} cannot be hidden; {near(word, cls.parts)}", "hide")
            for word in hidden
            if word not in cls.parts
        ]
        shows = expand_ids(options.get("shows", ""))
        if "shows" in options and not shows:
            message = "no rule is named; write the ids of rules, such as M21 M28"
            issues.append(issue(Problem.OPTION, message, "shows"))
        return {
            **fields,
            "mechanic": mechanic,
            "system": mechanic.partition("/")[0],
            "parameters": {
                read_parameter(name, cls.options): text for name, text in options.items() if name not in cls.options
            },
            "expect": options.get(cls.expect_option, ""),
            "shows": shows,
            "hide": [part for part in cls.parts if part in hidden],
        }

    def evaluate(self) -> CheckResult:
        """Check the block, which names a mechanic, regardless of its syntax issues and unresolved references."""
        raise NotImplementedError

    @final
    def check(self) -> CheckResult:
        """Check the block; one whose meaning is in doubt shows nothing, since a result would be a guess."""
        result = self.evaluate() if self.mechanic else CheckResult(_no_mechanic(self))
        doubts = [*self.syntax_issues, *self.unresolved, *_doubt(self)]
        if not doubts:
            return result._replace(issues=locate_issues(self, result.issues))
        reported = {each["option"] for each in self.unresolved}
        others = [each for each in result.issues if not is_mismatch(each) and each["option"] not in reported]
        if not all(reported):
            # It is wrong because of another block.
            others = []
        if any(each["line"] and not each["option"] for each in self.syntax_issues):
            # What is missing may stand in a line that could not be read.
            others = [each for each in others if each["option"] in self.option_lines]
        return CheckResult(locate_issues(self, [*doubts, *others]))

    def needs_book(self) -> bool:
        return bool(self.mechanic) and not is_installed(self.mechanic)

    def parameter_issues(self) -> list[Issue]:
        """Return what is wrong with the mechanic, or with each parameter by itself."""
        try:
            known = mechanic_of(self.mechanic).parameters()
        except DiceError as error:
            return [issue(Problem.MECHANIC, str(error).removeprefix("mechanic: "), "mechanic")]
        except Exception as error:  # noqa: BLE001  # the annotations of the game may raise anything
            return [issue(Problem.ENGINE, engine_message(error, self), "mechanic")]
        issues = []
        for name, text in self.parameters.items():
            if name not in known:
                unknown = no_such_parameter(name, [*known, *self.options], self.mechanic)
                issues.append(issue(Problem.OPTION, str(unknown), name))
                continue
            try:
                known[name].convert(text)
            except DiceError as error:
                issues.append(issue(Problem.VALUE, str(error), name))
            except Exception as error:  # noqa: BLE001  # a type of the game may raise anything
                issues.append(issue(Problem.ENGINE, engine_message(error, self), name))
        return issues

    def slots(self) -> Iterator[Slot]:
        try:
            known = mechanic_of(self.mechanic).parameters() if self.parameters else {}
        except Exception:  # noqa: BLE001  # reported when the block is checked
            return
        for name, text in self.parameters.items():
            if name in known:
                written = self.option_texts.get(self.option_of(name), "")
                yield Slot(name, quoted_reference(text, written), known[name].kind)
        if self.expect:
            # A claim has settings, such as target.Defense=12.
            yield Slot(self.expect_option, self.expect, strict=False)

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        own = {name: texts.get((name, ""), text) for name, text in self.parameters.items()}
        return {"parameters": own, "expect": texts.get((self.expect_option, ""), self.expect)}

    def is_test(self) -> bool:
        return bool(self.expect or self.issues)

    @property
    def is_hidden(self) -> bool:
        return _ALL in self.hide and not self.issues


def _no_mechanic(block: MechanicBlock) -> list[Issue]:
    """Return the issue of a block without a mechanic, unless its directive has reported it."""
    if any(Problem(each["problem"]) is Problem.MECHANIC for each in block.syntax_issues):
        return []
    return [issue(Problem.MECHANIC, f"no mechanic is named; {MECHANICS_HINT}", "mechanic")]


def _doubt(block: MechanicBlock) -> list[Issue]:
    """Return the issue of parameters that may not mean what their author thinks."""
    try:
        doubt = mechanic_of(block.mechanic)(**block.parameters).doubt()
    except Exception:  # noqa: BLE001  # whatever is wrong with them is reported elsewhere
        return []
    parameter = doubt.parameter if doubt else ""
    return [issue(Problem.VALUE, str(doubt), parameter)] if doubt else []


def has_result(block: Block) -> bool:
    """Return whether a checked block has something to show: at most its expectation failed."""
    return all(map(is_mismatch, block.issues))


def engine_message(error: BaseException, block: MechanicBlock, steps: Sequence[Step] = ()) -> str:
    """Return a line about an error in a rule: its type, its message, its author's line, and what the rule had done.

    Parameters:
        error: the error.
        block: the block that plays the rule.
        steps: the steps of the rule until it failed.
    """
    rule: type | None = None
    # A game that cannot be loaded has no class to be named.
    with suppress(DiceError):
        rule = mechanic_of(block.mechanic)
    message = f"the rule failed: {describe_error(error, rule)}"
    step = last_step(steps) or noted_step(error)
    return f"{message}, {step}" if step and author_line(error.__traceback__) else message


def is_of_the_game(error: DiceError, block: MechanicBlock) -> bool:
    """Return whether an error that was raised while a rule was played is a mistake in the game, not in the page."""
    return is_of_the_rule(error, block.parameters)


def shared_fault(block: Block, issue: Issue) -> str:
    """Return what an issue is about if all blocks that play it have the issue: a mechanic or a game; else nothing.

    The same rule fails wherever it is played, and the same game is absent wherever it is named.
    """
    id, problem = block.mechanic, Problem(issue["problem"])
    system = block.system
    if not id or problem not in {Problem.ENGINE, Problem.MECHANIC}:
        return ""
    return system if problem is Problem.MECHANIC and system not in systems() else f"{id} {problem.value}"
