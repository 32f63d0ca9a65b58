"""A table or a numbered list as it stands in a page: its cells as text, before anybody reads their meaning."""

from __future__ import annotations

from collections.abc import Iterable
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


class Cell(NamedTuple):
    """A cell, which may cover several columns and rows."""

    text: str
    across: int = 1
    down: int = 1


def spread_cells(rows: Iterable[Iterable[Cell]], width: int) -> list[tuple[str, ...]]:
    """Return the texts of rows of equally many columns; that of a merged cell stands in all that it covers.

    Parameters:
        rows: the cells of each row, those that one above covers left out.
        width: the most columns.

    >>> spread_cells([[Cell("d6", down=2), Cell("hit")], [Cell("miss")], [Cell("1", across=2)]], 2)
    [('d6', 'hit'), ('d6', 'miss'), ('1', '1')]
    """
    covered: dict[int, Cell] = {}
    spread: list[list[str]] = []
    for row in rows:
        texts, cells = list[str](), iter(row)
        while (column := len(texts)) < width:
            if (above := covered.pop(column, None)) is not None:
                cell = above._replace(across=1)
            elif (found := next(cells, None)) is not None:
                cell = found
            elif any(other > column for other in covered):
                cell = Cell("")
            else:
                break
            for at in range(column, min(column + cell.across, width)):
                if cell.down > 1:
                    covered[at] = Cell(cell.text, 1, cell.down - 1)
                texts.append(cell.text)
        spread.append(texts)
    longest = max(map(len, spread), default=0)
    return [(*texts, *[""] * (longest - len(texts))) for texts in spread]
