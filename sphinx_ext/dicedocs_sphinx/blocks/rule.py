"""A rule: a sentence of the book under an id, which other blocks show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

from dicedocs.errors import ParameterError, quoted
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts
from dicedocs_sphinx.blocks.rule_ids import is_rule_id, split_title
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.statements import Issue, issue

_HINT: Final = "write it after the directive's name, of letters and digits, such as M21"


class _NoFacts(Facts):
    """A rule has words, and no values."""

    def __init__(self, block: Block) -> None:
        self._id = block.name

    def has(self, path: str) -> bool:
        return False

    def text(self, path: str) -> str:
        message = f"{quoted(self._id)} is a rule, which has no fact {quoted(path)}"
        raise ParameterError(message, hint="name an example that shows it")


@final
@dataclass(frozen=True, kw_only=True)
class RuleBlock(Block, kind="rule", options=("unshown", "class")):
    """A rule, or several that are stated together; its name is its id.

    ``ids`` are those of all that are stated here, of which the first is the name; of the others, which follow as blocks
    without a title, they are empty. ``unshown`` is why nothing shows the rules; empty if something should. ``heading``
    is that of the section, by which its first rule without a title is found; of any other rule it is empty.
    """

    ids: Sequence[str] = ()
    unshown: str = ""
    heading: str = ""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        ids, words = split_title(title)
        fields = super().read(words, options, issues)
        valid = [each for each in ids if is_rule_id(each)]
        if not ids:
            issues.append(issue(Problem.OPTION, f"no id is given; {_HINT}"))
        issues += [issue(Problem.OPTION, f"{quoted(each)} is not an id; {_HINT}") for each in ids if each not in valid]
        if "unshown" in options and not options["unshown"]:
            issues.append(issue(Problem.OPTION, "no reason is given; write why nothing can show the rule", "unshown"))
        name = ids[0] if valid[:1] == ids[:1] != [] else ""
        return {**fields, "name": name, "ids": valid, "unshown": options.get("unshown", "")}

    def others(self) -> Iterator[RuleBlock]:
        """Return a block without a title for each further id, which is a rule of its own."""
        for each in self.ids[1:]:
            yield replace(self, name=each, label=each, title="", ids=(), syntax_issues=(), issues=())

    def facts(self) -> Facts:
        return _NoFacts(self)

    def check(self) -> CheckResult:
        return super().check()._replace(facts=self.facts())
