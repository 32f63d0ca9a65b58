"""The history of a panel as a table: HTML in a notebook, and a pandas data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicedocs.panel.view.history import History

if TYPE_CHECKING:
    import pandas as pd


class HistoryDisplay(History):
    """The rolls of a panel, oldest first, which a notebook shows as a table."""

    def to_pandas(self) -> pd.DataFrame:
        """Return the rolls as a data frame: one row each, with a column for each parameter and each fact.

        The column of a fact with the name of a parameter ends in ``(fact)``. If a roll was struck out or undone at
        a table, ``struck`` says of each whether it was.

        Raises:
            ImportError: pandas is not installed.
        """
        # Importing pandas takes half a second.
        import pandas as pd

        rolls, rows = list(self), []
        struck = any("struck" in roll for roll in rolls)
        for roll in rolls:
            row = {"label": roll["label"], "seed": roll["seed"], "mechanic": roll["mechanic"]}
            if struck:
                row["struck"] = "struck" in roll
            row |= roll["parameters"]
            for name, value in roll["facts"].items():
                row[f"{name} (fact)" if name in row else name] = value
            rows.append(row)
        return pd.DataFrame(rows)
