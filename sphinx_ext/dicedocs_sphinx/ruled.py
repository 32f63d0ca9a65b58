"""What examples, tables, odds and claims have in common: a mechanic with its parameters, and what is expected of it."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from dicedocs import DiceError
from dicedocs.errors import near
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.block import Block, Found, placed, wrong
from dicedocs_sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable


class Ruled(Block):
    """A directive about a mechanic, as it was read.

    ``asked`` holds what parameters were written as when that stands for a character or for one of
    its values, and ``unmet`` what there is not of that; ``parameters`` has what was found instead.
    ``expect`` is what must come out, empty when nothing is expected, and ``wrong`` all that was found
    when it was checked.
    """

    mechanic: str
    parameters: dict[str, str]
    asked: dict[str, str]
    expect: str
    unmet: list[Found]
    wrong: list[Found]


def nothing_named(values: Iterable[str]) -> Found:
    """Give what is wrong with a directive that names no mechanic.

    Parameters:
        values: the options that it has.
    """
    hint = near("mechanic", values) if values else "options stand directly below the first line"
    return wrong(Problem.MECHANIC, f"no mechanic is named; {hint}")


def settled(ruled: Ruled, found: list[Found]) -> tuple[bool, list[Found]]:
    """Tell whether it is known what was meant, so that there may be something to show; and give all that is wrong.

    Parameters:
        ruled: the directive.
        found: what checking it has found.
    """
    unsure = [*ruled["misread"], *ruled["unmet"]]
    if unsure:
        told = {each["option"] for each in ruled["unmet"]}
        found = [*unsure, *(each for each in found if not is_mismatch(each) and each["option"] not in told)]
    return not unsure, placed(ruled, found) if found else []


def is_mismatch(found: Found) -> bool:
    """Tell whether something is wrong only with what was expected, so that there is something to show."""
    return Problem(found["problem"]) is Problem.MISMATCH


def engine_message(error: Exception) -> str:
    """Give an error that is no :class:`DiceError` in a line: its type, its message, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    return f"the rule failed: {type(error).__name__}: {error}{where}"


def misfits(ruled: Ruled, own: Iterable[str]) -> list[Found]:
    """Give what is wrong with the mechanic, or with each parameter by itself.

    Parameters:
        ruled: the directive.
        own: its options beside the mechanic's parameters.
    """
    try:
        known = mechanic_of(ruled["mechanic"]).parameters()
    except DiceError as error:
        return [wrong(Problem.MECHANIC, _without(error, "mechanic"), "mechanic")]
    found = []
    for name, text in ruled["parameters"].items():
        if name not in known:
            found.append(wrong(Problem.OPTION, str(no_such_parameter(name, [*known, *own], ruled["mechanic"])), name))
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
