"""A worked example as a page has it: plain data, for the doctree, the environment and pytest."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

from dicedocs import DiceError, Example, ExpectationError, Outcome
from dicedocs.errors import near, quoted
from dicedocs.registry import mechanic as mechanic_of
from dicedocs_sphinx.places import shifted
from dicedocs_sphinx.problems import Problem

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")


class Found(TypedDict):
    """Something wrong with an example: the value of a :class:`Problem`, what is wrong, the line, the option."""

    problem: str
    message: str
    line: int
    option: str


class Worked(TypedDict):
    """An example as it was read.

    ``name`` is empty when it has none, and ``shown`` then is ``example-N``, by its order in the
    page. ``lines`` and ``written`` hold the place of each option and its text there. ``misread`` is
    what is wrong with how it is written, ``wrong`` all that was found when it was checked; ``call`` is
    the Python that gives the outcome again, empty when there is none.
    """

    name: str
    shown: str
    anchor: str
    title: str
    mechanic: str
    parameters: dict[str, str]
    seed: str | None
    dice: str | None
    expect: str
    hide: list[str]
    source: str
    line: int
    lines: dict[str, int]
    written: dict[str, str]
    colon: str
    call: str
    misread: list[Found]
    wrong: list[Found]


class Checked(NamedTuple):
    """What checking gave: the outcome and the call that gives it again, when there are any, and what is wrong."""

    outcome: Outcome | None
    call: str
    wrong: list[Found]


def example_of(worked: Worked) -> Example:
    """Give the example, to be played and verified."""
    seed = None if worked["seed"] is None else number_or_text(worked["seed"])
    return Example(worked["mechanic"], worked["parameters"], seed, worked["dice"], worked["expect"])


def number_or_text(seed: str) -> int | str:
    """Give a seed as a person would write it in Python; both are the same seed."""
    return int(seed) if _NUMBER.fullmatch(seed) else seed


def check(worked: Worked) -> Checked:
    """Verify an example, and say of everything that is wrong where it stands."""
    outcome, call, found = _verified(worked) if worked["mechanic"] else Checked(None, "", [])
    if worked["misread"]:
        # What was meant is not known, so an outcome would be a guess.
        outcome, call = None, ""
        found = [*worked["misread"], *(each for each in found if not is_mismatch(each))]
    return Checked(outcome, call, _placed(worked, found) if found else [])


def _verified(worked: Worked) -> Checked:
    example = example_of(worked)
    try:
        return Checked(example.verify(), example.code(), [])
    except ExpectationError as error:
        line = f"{worked['colon']}expect: {error.actual}"
        message = f"expected {error.expected}, and it is {error.actual}; write {line}"
        return Checked(example.play(), example.code(), [wrong(Problem.MISMATCH, message, "expect")])
    except DiceError as error:
        problem = Problem.FACT if error.parameter == "expect" else Problem.VALUE
        return Checked(None, "", _misfits(worked) or [wrong(problem, str(error), error.parameter)])
    except Exception as error:  # noqa: BLE001  # whatever a game's author got wrong is told, and the build goes on
        return Checked(None, "", _misfits(worked) or [wrong(Problem.ENGINE, engine_message(error), "mechanic")])


def is_mismatch(found: Found) -> bool:
    """Tell whether something is wrong only with what was expected, so that there is an outcome to show."""
    return Problem(found["problem"]) is Problem.MISMATCH


def wrong(problem: Problem, message: str, option: str = "") -> Found:
    """Give what is wrong, without its line.

    Parameters:
        problem: its kind.
        message: in a sentence without a full stop.
        option: the option that it is about; empty for the directive itself.
    """
    return Found(problem=problem.value, message=message, line=0, option=option)


def engine_message(error: Exception) -> str:
    """Give an error that is no :class:`DiceError` in a line: its type, its message, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    return f"the rule failed: {type(error).__name__}: {error}{where}"


def _misfits(worked: Worked) -> list[Found]:
    """Give what is wrong with the mechanic, or with each parameter by itself."""
    try:
        known = mechanic_of(worked["mechanic"]).parameters()
    except DiceError as error:
        return [wrong(Problem.MECHANIC, _without(error, "mechanic"), "mechanic")]
    found = []
    for name, text in worked["parameters"].items():
        if name not in known:
            message = f"{worked['mechanic']} has no parameter {quoted(name)}"
            hint = near(name, [*known, *OWN])
            found.append(wrong(Problem.OPTION, f"{message}; {hint}" if hint else message, name))
            continue
        try:
            known[name].convert(text)
        except DiceError as error:
            found.append(wrong(Problem.VALUE, str(error), name))
        except Exception as error:  # noqa: BLE001  # a type of the game's own may be at fault
            found.append(wrong(Problem.ENGINE, engine_message(error), name))
    return found


def _without(error: DiceError, parameter: str) -> str:
    """Give the text of an error without the parameter's name, which the place says already."""
    return str(error).removeprefix(f"{parameter}: ")


def _placed(worked: Worked, found: list[Found]) -> list[Found]:
    """Give each what its line is, as the file has it, in the order of the lines."""
    placed: list[Found] = [
        {**each, "line": true_line(worked, each["line"] or worked["lines"].get(each["option"], 0))} for each in found
    ]
    return sorted(placed, key=lambda each: each["line"])


def true_line(worked: Worked, line: int = 0) -> int:
    """Give a line of an example as the file has it; that of the directive, when no line is known for sure."""
    lower = shifted(worked["source"], worked["lines"], worked["written"])
    return worked["line"] if lower is None else (line or worked["line"]) + lower


def put_right(worked: Worked) -> None:
    """Let the lines of an example that another file brings in be those of that file."""
    if lower := shifted(worked["source"], worked["lines"], worked["written"]):
        worked["line"] += lower
        for name in worked["lines"]:
            worked["lines"][name] += lower
        for found in worked["misread"]:
            found["line"] += lower if found["line"] else 0


OWN: Final = ("name", "mechanic", "seed", "dice", "expect", "class", "hide")
"""The options of the directive itself, beside the mechanic's parameters."""
