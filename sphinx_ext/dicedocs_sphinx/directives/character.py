"""The directive ``dice:character``."""

from __future__ import annotations

from collections.abc import Mapping

from dicedocs import DiceError, Resources
from dicedocs.errors import near, quoted
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import convert
from dicedocs.rules.registry import systems
from dicedocs_sphinx.blocks.base import Block, issue
from dicedocs_sphinx.blocks.character import CharacterBlock, CharacterKind
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.directives.base import BlockDirective


class CharacterDirective(BlockDirective, kind=CharacterKind):
    """A character: values that are defined once, with the author's prose."""

    def make_block(self, base: Block, options: Mapping[str, str]) -> CharacterBlock:
        issues, known = base["syntax_issues"], self.kind.options
        if "name" not in options:
            issues.append(
                issue(Problem.OPTION, "no name is given, by which examples use the character; write :name: kira")
            )
        for name in options:
            if name not in known:
                message = f"a character has no option {quoted(name)}; {near(name, known)}"
                issues.append(issue(Problem.OPTION, message, name))
        system = options.get("system", "")
        if "system" in options and system not in (known_systems := systems()):
            message = with_hint(f"there is no system {quoted(system)}", near(system, known_systems))
            issues.append(issue(Problem.OPTION, message, "system"))
            system = ""
        try:
            values = convert(kind_of(Resources), options.get("values", ""))
        except DiceError as error:
            issues.append(issue(Problem.VALUE, f"values: {error}", "values"))
            values = None
        return CharacterBlock(**base, system=system, values=dict(values) if isinstance(values, Resources) else None)
