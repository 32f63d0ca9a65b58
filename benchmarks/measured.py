"""Where a benchmark's figures go: printed, and written where the documentation includes them."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "_measured"


class Table:
    """A Markdown table, row by row."""

    def __init__(self, *head: str) -> None:
        self._rows = [head, tuple("---" if place == 0 else "---:" for place in range(len(head)))]

    def row(self, *cells: str) -> None:
        """Add a row."""
        self._rows.append(cells)

    def __str__(self) -> str:
        return "".join(f"| {' | '.join(cells)} |\n" for cells in self._rows)


def publish(name: str, table: Table, more: str = "") -> None:
    """Print a table, and write it to the page of the documentation that shows it, with what is to stand below it."""
    print(table)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(f"{table}\n{more}" if more else str(table), encoding="utf-8")
