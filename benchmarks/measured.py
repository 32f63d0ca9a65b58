"""Publishing of the benchmarks: a table is printed, and written to docs/_measured for the documentation."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "_measured"


class Table:
    """A Markdown table, row by row."""

    def __init__(self, *head: str) -> None:
        self._rows = [head, tuple("---" if column == 0 else "---:" for column in range(len(head)))]

    def row(self, *cells: str) -> None:
        """Add a row."""
        self._rows.append(cells)

    def __str__(self) -> str:
        return "".join(f"| {' | '.join(cells)} |\n" for cells in self._rows)


def publish(name: str, table: Table, below: str = "") -> None:
    """Print a table, and write it for the documentation, followed by the text below it."""
    print(table)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(f"{table}\n{below}" if below else str(table), encoding="utf-8")
