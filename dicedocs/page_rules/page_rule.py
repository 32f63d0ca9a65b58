"""A rule of a page as plain data, which is all that is known of it: it is stored, compared, sent and made a rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from dicedocs.page_rules.page_table import Meaning, PageTable


@dataclass(frozen=True)
class PageRule:
    """The lines of a rule, and what its author says of it; equal ones are one rule, wherever they stand.

    Parameters:
        id: the id of the mechanic.
        lines: the texts of its lines, with their indents.
        title: its title for readers.
        parameters: the text of each parameter that its author declares.
        meanings: the words that are a success, partial or a failure.
        table: the table in or below it; ``None`` for none.
        words: what sentences say of its values that are yes or no, ``hit = a hit / a miss; hurt = hurt / unhurt``.
        first_line: the number of its first line in its file; 0 if that is unknown.
    """

    id: str
    lines: tuple[str, ...]
    title: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    meanings: tuple[tuple[Meaning, str], ...] = ()
    table: PageTable | None = None
    words: str = ""
    first_line: int = field(default=0, compare=False)

    @property
    def system(self) -> str:
        """The part of its id before the slash."""
        return self.id.partition("/")[0]

    def to_plain(self) -> dict[str, Any]:
        """Return the rule as plain data, without the number of its first line."""
        data = asdict(self)
        del data["first_line"]
        data["table"] = None if self.table is None else self.table.to_plain()
        return data

    def to_json(self) -> str:
        """Return the rule as JSON.

        >>> rule = PageRule("road/climb", ("total = 2d6 + stat",), parameters=(("stat", "0"),))
        >>> PageRule.from_plain(json.loads(rule.to_json())) == rule
        True
        """
        return json.dumps(self.to_plain())

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> PageRule:
        """Return the rule of plain data."""
        table = data["table"]
        return cls(
            data["id"],
            tuple(data["lines"]),
            data["title"],
            tuple((name, text) for name, text in data["parameters"]),
            tuple((meaning, text) for meaning, text in data["meanings"]),
            None if table is None else PageTable.from_plain(table),
            data.get("words", ""),
        )
