"""A worked example as a page has it: plain data, for the doctree, the environment and pytest."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, final

from dicedocs import DiceError, Example, ExpectationError, Outcome
from dicedocs_sphinx.block import Found, wrong
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import Ruled, engine_message, misfits, settled

OWN: Final = ("name", "mechanic", "seed", "dice", "expect", "class", "hide")
"""The options of the directive itself, beside the mechanic's parameters."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")


@final
class Worked(Ruled):
    """An example as it was read; ``call`` is the Python that gives the outcome again, empty when there is none."""

    seed: str | None
    dice: str | None
    hide: list[str]
    call: str


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
    sure, found = settled(worked, found)
    # When it is not known what was meant, an outcome would be a guess.
    return Checked(outcome, call, found) if sure else Checked(None, "", found)


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
        return Checked(None, "", misfits(worked, OWN) or [wrong(problem, str(error), error.parameter)])
    except Exception as error:  # noqa: BLE001  # whatever a game's author got wrong is told, and the build goes on
        return Checked(None, "", misfits(worked, OWN) or [wrong(Problem.ENGINE, engine_message(error), "mechanic")])
