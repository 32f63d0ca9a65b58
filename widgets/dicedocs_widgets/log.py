"""The history of a panel, as a table for whoever has pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicedocs.panel.history import History

if TYPE_CHECKING:
    import pandas as pd


class Log(History):
    """The rolls of a panel, the oldest first; it shows itself as a table."""

    def table(self) -> pd.DataFrame:
        """Give the rolls as a data frame: a row each, with a column for each parameter and each fact.

        Where a parameter and a fact have one name, the fact's is followed by ``(fact)``.

        Raises:
            ImportError: pandas is not installed.
        """
        # Half a second, that only whoever asks for a table waits for.
        import pandas as pd

        rows = []
        for roll in self:
            row = {"label": roll["label"], "seed": roll["seed"], "mechanic": roll["mechanic"], **roll["parameters"]}
            for name, value in roll["facts"].items():
                row[f"{name} (fact)" if name in row else name] = value
            rows.append(row)
        return pd.DataFrame(rows)
