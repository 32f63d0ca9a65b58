"""A table or a list of the page as a rule of the book: what its author says of it, and what is wrong with its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, final, get_args

from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.page_rules.grid import Grid
from dicedocs.page_rules.layout import TableError, read_layout
from dicedocs.page_rules.page_table import Meaning, PageTable
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.rules.mechanic import ID
from dicedocs.rules.registry import is_installed
from dicedocs_sphinx.blocks.base import Block, CheckResult, locate_issues
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

_MEANINGS: Final[tuple[Meaning, ...]] = get_args(Meaning)
_NO_ID: Final = "write it after the directive's name, like book/weather, in lower case"


@final
@dataclass(frozen=True, kw_only=True)
class PageTableBlock(
    Block,
    kind="mechanic",
    options=("dice", "columns", "plain", "draw", *_MEANINGS, "class"),
):
    """A table or a list of the page that is a mechanic; its name is the id of that.

    ``settings`` are the texts of its options, ``parameters`` those of its parameters. ``table`` is what stands in the
    page as plain data, empty if that cannot be read; ``lines`` are those of its head and of its rows.
    """

    has_parameters: ClassVar[bool] = True
    verifies_itself: ClassVar[bool] = True

    settings: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[int] = ()

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read("", {}, issues)
        if not title:
            issues.append(issue(Problem.OPTION, f"no id is given; {_NO_ID}"))
        elif not ID.fullmatch(title):
            issues.append(issue(Problem.OPTION, f"{quoted(title)} is not an id; {_NO_ID}"))
        elif is_installed(title):
            message = f"{quoted(title)} is the id of an installed mechanic; choose another one"
            issues.append(issue(Problem.DUPLICATE, message))
        known = title if ID.fullmatch(title) else ""
        return {
            **fields,
            "name": known,
            "system": known.partition("/")[0],
            "settings": {name: text for name, text in options.items() if name in cls.options},
            "parameters": {name: text for name, text in options.items() if name not in cls.options},
        }

    def without_table(self) -> PageTableBlock:
        """Return the block with the issue that there is no table for it."""
        message = "no table and no numbered list follows in this section; put it below, or inside this block"
        return replace(self, syntax_issues=[*self.syntax_issues, issue(Problem.TABLE, message)])

    def with_grid(self, grid: Grid, dice: str = "", title: str = "") -> PageTableBlock:
        """Return the block with a table of its page.

        Parameters:
            grid: the table.
            dice: the dice that the text around it names.
            title: its title for readers.
        """
        try:
            layout = read_layout(grid, self.settings.get("dice", ""))
            columns = tuple(self._items("columns"))
            if columns and len(columns) != len(layout.columns):
                known = f"{len(layout.columns)} column{'s' if len(layout.columns) > 1 else ''} with results"
                message = f"columns names {len(columns)}, but the table has {known}"
                raise TableError(message, hint="name each of these once", line=layout.head_line)
            table = PageTable(
                self.name,
                tuple(axis or dice for axis in layout.axes),
                columns or layout.columns,
                tuple(row._replace(line=0) for row in layout.rows),
                layout.across,
                title,
                tuple(self.parameters.items()),
                tuple((meaning, self.settings[meaning]) for meaning in _MEANINGS if meaning in self.settings),
                tuple(self._items("plain")),
                self.settings.get("draw", ""),
            )
        except DiceError as error:
            return replace(self, syntax_issues=[*self.syntax_issues, _table_issue(error)])
        lines = [layout.head_line, *(row.line for row in layout.rows)]
        if any(row.file and row.file != self.source for row in grid.rows):
            # They stand in a file of their own, of which a warning has no place.
            lines = [0] * len(lines)
        return replace(self, title=title, table=table.to_plain(), lines=lines)

    def _items(self, option: str) -> list[str]:
        text = self.settings.get(option, "")
        separator = ";" if ";" in text else ","
        return [part.strip() for part in text.split(separator) if part.strip()]

    def reader(self) -> TableReader | None:
        """Return the table, read; ``None`` if the page has none for the block, or no id is given.

        Raises:
            TableError: it cannot be read.
        """
        if not self.table or not self.name:
            return None
        head, *rows = self.lines
        return TableReader(replace(PageTable.from_plain(self.table), head_line=head, lines=tuple(rows)))

    def page_table(self) -> PageTable | None:
        """Return the table; ``None`` if it cannot be read. One with a mistake in its rows is played all the same."""
        try:
            reader = self.reader()
        except DiceError:
            return None
        return None if reader is None else reader.table

    def check(self) -> CheckResult:
        issues = list(self.syntax_issues)
        try:
            reader = self.reader()
            faults = list(reader.faults()) if reader else []
            issues += [issue(Problem.TABLE, with_hint(each.message, each.hint), line=each.line) for each in faults]
        except DiceError as error:
            issues.append(_table_issue(error))
        return CheckResult(locate_issues(self, issues))

    def is_test(self) -> bool:
        return True


def _table_issue(error: DiceError) -> Issue:
    return issue(Problem.TABLE, with_hint(error.message, error.hint), line=getattr(error, "line", 0))
