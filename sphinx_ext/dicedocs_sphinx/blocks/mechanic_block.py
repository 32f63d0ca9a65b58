"""What examples, tables, charts and claims have in common: a mechanic with parameters, and an expectation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar, final

from dicedocs import DiceError
from dicedocs.faults import author_line, describe_error, is_of_the_rule
from dicedocs.render.text import last_step, noted_step
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.registry import systems
from dicedocs.rules.steps import Step
from dicedocs_sphinx.blocks.base import Block, BlockKind, CheckResult, Issue, is_mismatch, issue, locate_issues
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.character_refs import resolve_character_refs
from dicedocs_sphinx.diagnostics import Problem


class MechanicBlock(Block):
    """A block about a mechanic.

    ``parameters`` are as written, except that ``character_refs``, the parameters that name a character or one of its
    values, are replaced by these values once all characters are known; ``unresolved`` are the issues of those that
    cannot be. ``expect`` is what must come out, empty if nothing is expected. ``shows`` are the ids of rules.
    """

    mechanic: str
    parameters: dict[str, str]
    character_refs: dict[str, str]
    unresolved: list[Issue]
    expect: str
    shows: list[str]


MECHANICS_HINT: Final = "the command 'dicedocs mechanics' lists the ids"
MechanicBlockT = TypeVar("MechanicBlockT", bound=MechanicBlock)


class MechanicKind(BlockKind[MechanicBlockT]):
    """A kind of block about a mechanic."""

    @abstractmethod
    def evaluate(self, block: MechanicBlockT) -> CheckResult:
        """Check a block that names a mechanic, regardless of its syntax issues and unresolved characters."""

    @final
    def check(self, block: MechanicBlockT) -> CheckResult:
        """Check a block; a block whose meaning is in doubt shows nothing, since a result would be a guess."""
        result = self.evaluate(block) if block["mechanic"] else CheckResult(_no_mechanic(block))
        doubts = [*block["syntax_issues"], *block["unresolved"], *_doubt(block)]
        if not doubts:
            return result._replace(issues=locate_issues(block, result.issues))
        reported = {each["option"] for each in block["unresolved"]}
        others = [each for each in result.issues if not is_mismatch(each) and each["option"] not in reported]
        if any(each["line"] and not each["option"] for each in block["syntax_issues"]):
            # What is missing may stand in a line that could not be read.
            others = [each for each in others if each["option"] in block["option_lines"]]
        return CheckResult(locate_issues(block, [*doubts, *others]))

    def parameter_issues(self, block: MechanicBlockT) -> list[Issue]:
        """Return what is wrong with the mechanic, or with each parameter by itself."""
        try:
            known = mechanic_of(block["mechanic"]).parameters()
        except DiceError as error:
            return [issue(Problem.MECHANIC, str(error).removeprefix("mechanic: "), "mechanic")]
        except Exception as error:  # noqa: BLE001  # the annotations of the game may raise anything
            return [issue(Problem.ENGINE, engine_message(error, block), "mechanic")]
        issues = []
        for name, text in block["parameters"].items():
            if name not in known:
                unknown = no_such_parameter(name, [*known, *self.options], block["mechanic"])
                issues.append(issue(Problem.OPTION, str(unknown), name))
                continue
            try:
                known[name].convert(text)
            except DiceError as error:
                issues.append(issue(Problem.VALUE, str(error), name))
            except Exception as error:  # noqa: BLE001  # a type of the game may raise anything
                issues.append(issue(Problem.ENGINE, engine_message(error, block), name))
        return issues

    def mechanic(self, block: MechanicBlockT) -> str:
        return block["mechanic"]

    def character_refs(self, block: MechanicBlockT) -> Mapping[str, str]:
        return block["character_refs"]

    def resolve_characters(self, block: MechanicBlockT, characters: Mapping[str, CharacterBlock]) -> None:
        values, block["unresolved"] = resolve_character_refs(block["mechanic"], block["character_refs"], characters)
        block["parameters"].update(values)

    def shows(self, block: MechanicBlockT) -> Sequence[str]:
        return block["shows"]

    def expectation(self, block: MechanicBlockT) -> str:
        return block["expect"]

    def is_test(self, block: MechanicBlockT) -> bool:
        return bool(block["expect"] or block["issues"])


def _no_mechanic(block: MechanicBlock) -> list[Issue]:
    """Return the issue of a block without a mechanic, unless its directive has reported it."""
    if any(Problem(each["problem"]) is Problem.MECHANIC for each in block["syntax_issues"]):
        return []
    return [issue(Problem.MECHANIC, f"no mechanic is named; {MECHANICS_HINT}", "mechanic")]


def _doubt(block: MechanicBlock) -> list[Issue]:
    """Return the issue of parameters that may not mean what their author thinks."""
    try:
        doubt = mechanic_of(block["mechanic"])(**block["parameters"]).doubt()
    except Exception:  # noqa: BLE001  # whatever is wrong with them is reported elsewhere
        return []
    parameter = doubt.parameter if doubt else ""
    return [issue(Problem.VALUE, str(doubt), parameter)] if doubt else []


def has_result(block: Block) -> bool:
    """Return whether a checked block has something to show: at most its expectation failed."""
    return all(map(is_mismatch, block["issues"]))


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
        rule = mechanic_of(block["mechanic"])
    message = f"the rule failed: {describe_error(error, rule)}"
    step = last_step(steps) or noted_step(error)
    return f"{message}, {step}" if step and author_line(error.__traceback__) else message


def is_of_the_game(error: DiceError, block: MechanicBlock) -> bool:
    """Return whether an error that was raised while a rule was played is a mistake in the game, not in the page."""
    return is_of_the_rule(error, block["parameters"])


def shared_fault(kind: BlockKind[Any], block: Block, issue: Issue) -> str:
    """Return what an issue is about if all blocks that play it have the issue: a mechanic or a game; else nothing.

    The same rule fails wherever it is played, and the same game is absent wherever it is named.
    """
    id, problem = kind.mechanic(block), Problem(issue["problem"])
    system = id.partition("/")[0]
    if not system or problem not in {Problem.ENGINE, Problem.MECHANIC}:
        return ""
    return system if problem is Problem.MECHANIC and system not in systems() else f"{id} {problem.value}"


def prompted(code: str, printed: str) -> str:
    """Return a doctest: code with prompts, and what it prints."""
    first, *rest = code.splitlines()
    return "\n".join([f">>> {first}", *(f"... {line}" for line in rest), printed, ""])
