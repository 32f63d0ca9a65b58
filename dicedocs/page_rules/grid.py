"""A table or a numbered list as it stands in a page: its cells as text, before anybody reads their meaning."""

from __future__ import annotations

from typing import NamedTuple


class GridRow(NamedTuple):
    """A row of cells.

    Parameters:
        cells: the text of each, white space made single; empty where nothing stands.
        line: its line in its file, from 1; 0 if that is unknown.
        file: the path of that file, which may be an included one; empty if it is unknown.
    """

    cells: tuple[str, ...]
    line: int = 0
    file: str = ""


class Grid(NamedTuple):
    """A table, or a list, whose items have their number in the first cell.

    Parameters:
        head: the row of heads; ``None`` if the table has none.
        rows: the other rows.
        is_list: whether it is a numbered list.
    """

    head: GridRow | None
    rows: tuple[GridRow, ...]
    is_list: bool = False
