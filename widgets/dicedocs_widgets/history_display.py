"""The history of a panel as a table: HTML in a notebook, and a pandas data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicedocs.panel.entry import parameters_data
from dicedocs.panel.view.history import History
from dicedocs.panel.view.roll_log import RollLog
from dicedocs.render.json_data import facts_data
from dicedocs.render.pools import spent_faces

if TYPE_CHECKING:
    import pandas as pd


class HistoryDisplay(History):
    """The rolls of a panel, oldest first, which a notebook shows as a table.

    Parameters:
        rolls: their log.
    """

    def __init__(self, rolls: RollLog) -> None:
        super().__init__(rolls.entries)
        self._log = rolls

    def to_pandas(self) -> pd.DataFrame:
        """Return the rolls as a data frame: one row each.

        After ``roll``, its number, come ``time``, ``who``, ``target``, ``label``, ``note``, ``mechanic`` and ``seed``;
        ``faces``, those thrown, or else those of the dice that were spent; ``again``, whether they are those of an
        earlier roll; ``struck``, whether it was struck out, or undone at a table; ``changes``, what it changed of
        characters; ``refused``, why it could not; ``by_hand``, what was changed by hand after it. Then comes a column
        for each parameter, and one for each fact. A name that is taken already ends in ``(parameter)`` or ``(fact)``. A
        seed is a whole number although real dice have none.

        Raises:
            ImportError: pandas is not installed.
        """
        # Importing pandas takes half a second.
        import pandas as pd

        rows = []
        for entry, shown in zip(self._entries, self._log.log_rows(), strict=True):
            outcome = entry.outcome
            row = {
                "roll": entry.roll,
                "time": pd.to_datetime(entry.time, errors="coerce"),
                **{name: getattr(entry, name) for name in ("who", "target", "label", "note")},
                "mechanic": outcome.rule.id,
                "seed": entry.seed,
                "faces": outcome.dice or spent_faces(outcome),
                "again": entry.again,
                "struck": entry.struck,
                "changes": shown.effect,
                "refused": shown.refused,
                "by_hand": shown.after,
            }
            for kind, values in (("parameter", parameters_data(outcome.rule)), ("fact", facts_data(outcome))):
                row |= {f"{name} ({kind})" if name in row else name: value for name, value in values.items()}
            rows.append(row)
        frame = pd.DataFrame(rows)
        return frame.assign(seed=frame["seed"].convert_dtypes()) if rows else frame
