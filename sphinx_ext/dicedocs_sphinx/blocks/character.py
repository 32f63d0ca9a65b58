"""A character: values that are defined once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from dicedocs import DiceError, Resources
from dicedocs.errors import near, quoted
from dicedocs.render.words import prose
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import convert
from dicedocs.rules.registry import systems
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts
from dicedocs_sphinx.blocks.character_refs import character_value
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue


class CharacterFacts(Facts):
    """The values of a character."""

    def __init__(self, character: CharacterBlock) -> None:
        self._character = character

    def has(self, path: str) -> bool:
        return path in (self._character.values or {})

    def text(self, path: str) -> str:
        return prose(character_value(self._character, path))


@final
@dataclass(frozen=True, kw_only=True)
class CharacterBlock(Block, kind="character", options=("name", "system", "values", "class")):
    """A character, whose values other blocks use; ``values`` is None if they could not be read."""

    values: Mapping[str, int] | None = None

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        if "name" not in options:
            message = "no name is given, by which examples use the character; write :name: kira"
            issues.append(issue(Problem.OPTION, message))
        for name in options:
            if name not in cls.options:
                message = f"a character has no option {quoted(name)}; {near(name, cls.options)}"
                issues.append(issue(Problem.OPTION, message, name))
        system = options.get("system", "")
        if "system" in options and system not in (known := systems()):
            message = with_hint(f"there is no system {quoted(system)}", near(system, known))
            issues.append(issue(Problem.OPTION, message, "system"))
            system = ""
        try:
            values = convert(kind_of(Resources), options.get("values", ""))
        except DiceError as error:
            issues.append(issue(Problem.VALUE, f"values: {error}", "values"))
            values = None
        return {**fields, "system": system, "values": dict(values) if isinstance(values, Resources) else None}

    def check(self) -> CheckResult:
        return super().check()._replace(computed=self.values, facts=self.facts())

    def figures(self, computed: Mapping[str, int]) -> dict[str, str]:
        return {name: str(value) for name, value in computed.items()}

    def facts(self) -> Facts | None:
        return None if self.values is None else CharacterFacts(self)


def character_stamp(character: CharacterBlock | None) -> str:
    """Return what blocks that use a character depend on, as text; empty if there is no such character."""
    return json.dumps([character.system, character.values]) if character else ""
