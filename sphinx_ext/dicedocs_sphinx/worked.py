"""A worked example as a page has it: plain data, for the doctree, the environment and pytest."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Final, NamedTuple, final

from dicedocs import DiceError, Example, ExpectationError, Outcome
from dicedocs.errors import near, quoted
from dicedocs.registry import mechanic as mechanic_of
from dicedocs_sphinx.block import Block, Found, placed, wrong
from dicedocs_sphinx.problems import Problem

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")


@final
class Worked(Block):
    """An example as it was read.

    ``asked`` holds what parameters were written as when that stands for a character or for one of
    its values, and ``unmet`` what there is not of that; ``parameters`` has what was found instead.
    ``wrong`` is all that was found when it was checked; ``call`` is the Python that gives the outcome
    again, empty when there is none.
    """

    mechanic: str
    parameters: dict[str, str]
    asked: dict[str, str]
    seed: str | None
    dice: str | None
    expect: str
    hide: list[str]
    call: str
    unmet: list[Found]
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
    unsure = [*worked["misread"], *worked["unmet"]]
    if unsure:
        # What was meant is not known, so an outcome would be a guess.
        outcome, call = None, ""
        told = {each["option"] for each in worked["unmet"]}
        found = [*unsure, *(each for each in found if not is_mismatch(each) and each["option"] not in told)]
    return Checked(outcome, call, placed(worked, found) if found else [])


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


OWN: Final = ("name", "mechanic", "seed", "dice", "expect", "class", "hide")
"""The options of the directive itself, beside the mechanic's parameters."""
