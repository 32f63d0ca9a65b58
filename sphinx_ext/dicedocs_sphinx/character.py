"""The directive ``dice:character``, and how an example comes by what a character has."""

from __future__ import annotations

import json
import re
import warnings
from typing import TYPE_CHECKING, Final, final

from dicedocs import DiceError, ParameterError, Resources
from dicedocs.errors import near, quoted
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import CustomKind, Kind, UnionKind, convert
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.registry import mechanics
from dicedocs_sphinx.block import Block, placed, wrong
from dicedocs_sphinx.directive import BlockDirective
from dicedocs_sphinx.nodes import dice_character
from dicedocs_sphinx.options import read_head
from dicedocs_sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docutils import nodes

    from dicedocs.rules.params import Param
    from dicedocs_sphinx.ruled import Ruled

OWN: Final = ("name", "system", "values", "class")
"""The options of the directive."""
_ALONE: Final = re.compile(r"[\w-]+")
_VALUE_OF: Final = re.compile(r"[\w-]+\.\S.*")
_WORDS: Final = re.compile(r"[^\W\d][\w-]*\.[^\W\d].*")
"""What can hardly be meant for anything but a character's value: a number has no letters on both sides of a point."""


@final
class Character(Block):
    """A character as it was read; ``values`` is nothing when they could not be."""

    system: str
    values: dict[str, int] | None


class CharacterDirective(BlockDirective):
    """A character: what somebody has, defined once, with the author's prose."""

    def run(self) -> list[nodes.Node]:
        """Give the character with its title and prose; its values are shown when the page is written."""
        head = read_head(self)
        node = dice_character(classes=["dice-character"])
        block, values = self.block(head)
        self.fill(node, head, block, values)
        node["character"] = _character(block, values)
        return [node]


def _character(block: Block, values: Mapping[str, str]) -> Character:
    found = block["misread"]
    if "name" not in values:
        found.append(wrong(Problem.OPTION, "no name is given, by which examples use the character"))
    for name in values:
        if name not in OWN:
            message = f"a character has no option {quoted(name)}; {near(name, OWN)}"
            found.append(wrong(Problem.OPTION, message, name))
    system = values.get("system", "")
    if "system" in values and system not in (known := _systems()):
        hint = near(system, known)
        message = f"there is no system {quoted(system)}" + (f"; {hint}" if hint else "")
        found.append(wrong(Problem.OPTION, message, "system"))
        system = ""
    try:
        held = convert(kind_of(Resources), values.get("values", ""))
    except DiceError as error:
        found.append(wrong(Problem.VALUE, f"values: {error}", "values"))
        held = None
    character = Character(**block, system=system, values=dict(held) if isinstance(held, Resources) else None)
    character["misread"] = placed(character, found)
    return character


def _systems() -> set[str]:
    with warnings.catch_warnings():
        # A package that cannot be loaded is none of this page's business.
        warnings.simplefilter("ignore")
        return {id.partition("/")[0] for id in mechanics()}


def value_of(character: Character, name: str) -> int:
    """Give one value of a character.

    Raises:
        ParameterError: there is none of that name.
    """
    values, name = character["values"] or {}, " ".join(name.split())
    if name not in values:
        raise ParameterError(f"{quoted(character['name'])} has no {quoted(name)}", hint=near(name, values))
    return values[name]


def stamp(character: Character | None) -> str:
    """Give what the examples that use a character depend on, as text; empty when there is none."""
    return json.dumps([character["system"], character["values"]]) if character else ""


def asked(ruled: Ruled) -> dict[str, str]:
    """Give the parameters of a directive that stand for a character or for one of its values, by name.

    That is what is no value of the parameter itself and looks like a name, or like a name, a point,
    and another name. Whether there is such a character is known when all pages are read.
    """
    texts = {name: text for name, text in ruled["parameters"].items() if _ALONE.match(text)}
    try:
        known = mechanic_of(ruled["mechanic"]).parameters() if texts else {}
    except Exception:  # noqa: BLE001  # what is wrong is told when the example is checked
        return {}
    return {name: text for name, text in texts.items() if name in known and _asks(known[name], text)}


def names_asked(ruled: Ruled) -> set[str]:
    """Give the names of the characters that a directive asks for."""
    return {text.partition(".")[0] for text in ruled["asked"].values()}


def _asks(field: Param, text: str) -> bool:
    if not (_ALONE if _holds_resources(field.kind) else _VALUE_OF).fullmatch(text):
        return False
    try:
        field.convert(text)
    except DiceError:
        return True
    except Exception:  # noqa: BLE001  # a type of the game's own is at fault, which checking tells
        return False
    return False


def _holds_resources(kind: Kind) -> bool:
    if isinstance(kind, UnionKind):
        return any(map(_holds_resources, kind.kinds))
    return isinstance(kind, CustomKind) and kind.owner is Resources


def meet(ruled: Ruled, known: Mapping[str, Character]) -> None:
    """Give a directive what it asked for, and note what there is not.

    Parameters:
        ruled: the directive, also one that was given something before.
        known: all characters by name.
    """
    ruled["unmet"] = []
    for option, text in ruled["asked"].items():
        name = text.partition(".")[0]
        character = known.get(name)
        ruled["parameters"][option] = text
        try:
            if character is not None:
                ruled["parameters"][option] = _taken(character, text, ruled["mechanic"])
        except DiceError as error:
            problem = Problem.VALUE if error.parameter else Problem.FACT
            ruled["unmet"].append(wrong(problem, f"{option}: {error.message}{_hint(error.hint)}", option))
        if character is None and ("." not in text or _WORDS.fullmatch(text)):
            message = f"{option}: there is no character {quoted(name)}{_hint(near(name, known))}"
            ruled["unmet"].append(wrong(Problem.REFERENCE, message, option))


def _hint(text: str) -> str:
    return f"; {text}" if text else ""


def _taken(character: Character, text: str, mechanic: str) -> str:
    """Give the text of what is taken of a character: a value, or all.

    Raises:
        ParameterError: it has no such value; with a parameter, it cannot be used here at all.
    """
    name, dot, value = text.partition(".")
    if character["values"] is None:
        raise ParameterError(f"the values of {quoted(name)} could not be read", parameter="values")
    system = mechanic.partition("/")[0]
    if character["system"] not in {"", system}:
        message = f"{quoted(name)} is a character of {quoted(character['system'])}, and this is {quoted(system)}"
        raise ParameterError(message, hint="a character without a system may be used in all", parameter="system")
    return str(value_of(character, value)) if dot else str(Resources(character["values"]))
