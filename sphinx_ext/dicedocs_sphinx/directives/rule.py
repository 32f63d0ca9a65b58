"""The directive ``dice:rule``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dicedocs.errors import near, quoted
from dicedocs_sphinx.blocks.base import Block, Issue, issue
from dicedocs_sphinx.blocks.rule import RuleBlock, RuleKind
from dicedocs_sphinx.blocks.rule_ids import is_rule_id, split_title
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.base import BlockDirective

_HINT: Final = "write it behind the directive's name, of letters and digits, such as M21"


class RuleDirective(BlockDirective, kind=RuleKind):
    """A rule: its id, or several with commas between them, a title if there is one, and the rule in words."""

    xref_roles = ("rule", "ref")

    def read_name(self, title: str, options: Mapping[str, str], issues: list[Issue]) -> str:
        """Return the first id of the rule."""
        ids, _ = split_title(title)
        if not ids:
            issues.append(issue(Problem.OPTION, f"no id is given; {_HINT}"))
        issues += [
            issue(Problem.OPTION, f"{quoted(each)} is not an id; {_HINT}") for each in ids if not is_rule_id(each)
        ]
        return ids[0] if ids and is_rule_id(ids[0]) else ""

    def make_block(self, base: Block, options: Mapping[str, str]) -> RuleBlock:
        known = self.kind.options
        for name in options:
            if name not in known:
                message = f"a rule has no option {quoted(name)}; {near(name, known)}"
                base["syntax_issues"].append(issue(Problem.OPTION, message, name))
        if "unshown" in options and not options["unshown"]:
            message = "no reason is given; write why nothing can show the rule"
            base["syntax_issues"].append(issue(Problem.OPTION, message, "unshown"))
        ids, title = split_title(self.arguments[0] if self.arguments else "")
        valid = [each for each in ids if is_rule_id(each)]
        return RuleBlock(**base, ids=valid, words=title, unshown=options.get("unshown", ""))

    def companions(self, block: Block) -> Iterator[Block]:
        """Return a block without words for each further id, which is a rule of its own."""
        for each in block["ids"][1:]:  # type: ignore[typeddict-item]  # made above
            yield {**block, "name": each, "label": each, "ids": [], "syntax_issues": [], "issues": []}  # type: ignore[typeddict-unknown-key]
