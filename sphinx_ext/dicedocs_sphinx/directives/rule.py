"""The directive ``dice:rule``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from dicedocs.errors import near, quoted
from dicedocs_sphinx.blocks.base import Block, Issue, issue
from dicedocs_sphinx.blocks.rule import RuleKind
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.base import BlockDirective

_ID: Final = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")


class RuleDirective(BlockDirective, kind=RuleKind):
    """A rule: its id, which may be followed by a title, and the rule in the author's words."""

    xref_roles = ("rule", "ref")

    def read_name(self, title: str, options: Mapping[str, str], issues: list[Issue]) -> str:
        """Return the id of the rule: the first word of its title."""
        rule_id = title.partition(" ")[0]
        if _ID.fullmatch(rule_id):
            return rule_id
        message = f"{quoted(rule_id)} is not an id" if rule_id else "no id is given"
        hint = "write it behind the directive's name, of letters and digits, such as M21"
        issues.append(issue(Problem.OPTION, f"{message}; {hint}"))
        return ""

    def make_block(self, base: Block, options: Mapping[str, str]) -> Block:
        known = self.kind.options
        for name in options:
            if name not in known:
                message = f"a rule has no option {quoted(name)}; {near(name, known)}"
                base["syntax_issues"].append(issue(Problem.OPTION, message, name))
        return base
