"""Parameters that are written as a character's name, or as the name of one of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dicedocs import DiceError, ParameterError, Resources
from dicedocs.errors import near, quoted
from dicedocs.rules.kinds import CustomKind, Kind, UnionKind
from dicedocs.rules.params import Param
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.character import CharacterBlock

_NAME: Final = re.compile(r"[\w-]+")
_VALUE: Final = re.compile(r"[\w-]+\.\S.*")
_TWO_WORDS: Final = re.compile(r"[^\W\d][\w-]*\.[^\W\d].*")
"""A text that is hardly meant as anything but a character's value: a number has no letters on both sides of a point."""


def find_character_refs(mechanic: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that refer to a character or to one of its values.

    Those are the texts that are not a value of the parameter and look like a name, or like two names joined by a
    point. Whether there is such a character is known only when all pages have been read; so is whether a word where a
    number is meant is a character's name.
    """
    texts = {name: text for name, text in parameters.items() if _NAME.match(text)}
    try:
        known = mechanic_of(mechanic).parameters() if texts else {}
    except Exception:  # noqa: BLE001  # reported when the block is checked
        return {}
    return {name: text for name, text in texts.items() if name in known and _is_reference(known[name], text)}


def _is_reference(field: Param, text: str) -> bool:
    if not (_NAME.fullmatch(text) or (_VALUE.fullmatch(text) and not _takes_resources(field.kind))):
        return False
    try:
        field.convert(text)
    except DiceError:
        return True
    except Exception:  # noqa: BLE001  # an error of the game's own type, reported when the block is checked
        return False
    return False


def _takes_resources(kind: Kind) -> bool:
    if isinstance(kind, UnionKind):
        return any(map(_takes_resources, kind.kinds))
    return isinstance(kind, CustomKind) and kind.owner is Resources


def resolve_character_refs(
    mechanic: str, refs: Mapping[str, str], characters: Mapping[str, CharacterBlock]
) -> tuple[dict[str, str], list[Issue]]:
    """Return the values that references stand for, and the issues of those that stand for nothing."""
    values, issues = dict(refs), []
    for option, text in refs.items():
        name = text.partition(".")[0]
        character = characters.get(name)
        kind = mechanic_of(mechanic).parameters()[option].kind
        if "." not in text and not _takes_resources(kind):
            # A word that is no value; it is a mistake of its own kind only if a character has that name.
            if character is not None:
                issues.append(issue(Problem.VALUE, f"{option}: {_whole_character(character, kind)}", option))
        elif character is not None:
            try:
                values[option] = _value(character, text, mechanic)
            except DiceError as error:
                problem = Problem.VALUE if error.parameter else Problem.FACT
                error.parameter = option
                issues.append(issue(problem, str(error), option))
        elif "." not in text or _TWO_WORDS.fullmatch(text):
            message = f"{option}: there is no character {quoted(name)}"
            issues.append(issue(Problem.REFERENCE, with_hint(message, near(name, characters)), option))
    return values, issues


def _whole_character(character: CharacterBlock, kind: Kind) -> str:
    """Return the message about a character where one of its values is meant."""
    name, values = character.name, list(character.values or {})
    message = f"{quoted(name)} is a character, not {kind.expects}"
    return with_hint(message, f"write one of its values, such as {name}.{values[0]}" if values else "")


def _value(character: CharacterBlock, text: str, mechanic: str) -> str:
    """Return one value of a character, or all of them, as text.

    Raises:
        ParameterError: there is no such value; if the error names a parameter, the character cannot be used at all.
    """
    name, dot, value = text.partition(".")
    if character.values is None:
        raise ParameterError(f"the values of {quoted(name)} could not be read", parameter="values")
    system = mechanic.partition("/")[0]
    if character.system not in {"", system}:
        message = f"{quoted(name)} is a character of {quoted(character.system)}, and this is {quoted(system)}"
        raise ParameterError(message, hint="a character without a system may be used in all", parameter="system")
    return str(character_value(character, value)) if dot else str(Resources(character.values))


def character_value(character: CharacterBlock, name: str) -> int:
    """Return one value of a character.

    Raises:
        ParameterError: it has no value of that name.
    """
    values, name = character.values or {}, " ".join(name.split())
    if name not in values:
        raise ParameterError(f"{quoted(character.name)} has no {quoted(name)}", hint=near(name, values))
    return values[name]
