"""The cells of a notebook that panels are made in: what is lost when one of them is run again.

The output of a cell is kept with the notebook, and needs neither Python nor the state of widgets: the log stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from IPython import get_ipython
from IPython.display import DisplayHandle, display

from dicedocs.panel.view.roll_log import RollLog
from dicedocs_widgets.display import earlier_bundle, log_bundle


class _Run(NamedTuple):
    """A run of a cell.

    Parameters:
        id: its id.
        logs: those of the panels that it made, and that no file keeps.
        earlier: for each earlier run, the number of its rolls and their log.
    """

    id: str
    logs: list[RollLog]
    earlier: tuple[tuple[int, str], ...]


_runs: Final[dict[str, _Run]] = {}
"""The last run of each cell that made a panel, by the id of the cell."""


def running_cell() -> tuple[str, str] | None:
    """Return the ids of the cell that is being run and of this run; ``None`` outside of an open notebook."""
    request: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)() or {}
    header, cell = request.get("header", {}), request.get("metadata", {}).get("cellId")
    return (cell, header["msg_id"]) if cell and header.get("msg_type") == "execute_request" else None


def note_new_panel(log: RollLog, *, kept: bool, joined: Sequence[RollLog] = ()) -> None:
    """Note that the cell that is being run makes a panel; rolls of an earlier run that are not kept are shown.

    Parameters:
        log: that of the panel.
        kept: whether a file keeps its rolls.
        joined: the logs whose rolls it has too.
    """
    if (running := running_cell()) is None:
        return
    cell, id = running
    run = _runs.get(cell)
    if run is None or run.id != id:
        rolled = [one for one in run.logs if one.entries] if run else []
        earlier = run.earlier if run else ()
        earlier += tuple((len(one.entries), one.written_log("text")) for one in rolled)
        run = _runs[cell] = _Run(id, [], earlier)
        if earlier:
            display(earlier_bundle(log, earlier), raw=True)  # type: ignore[no-untyped-call]
    run.logs[:] = [one for one in run.logs if one not in joined] + ([] if kept else [log])


class KeptLog:
    """The log of a panel in the outputs of the cells that show it, below the panel.

    Parameters:
        log: that of the panel.
    """

    def __init__(self, log: RollLog) -> None:
        self._log = log
        self._outputs: list[DisplayHandle] = []
        self._shown: dict[str, str] = {}

    def show(self) -> None:
        """Add it to the output of the cell that is being run."""
        self._shown = log_bundle(self._log)
        self._outputs.append(display(self._shown, raw=True, display_id=True))  # type: ignore[no-untyped-call]

    def update(self) -> None:
        """Update it wherever it stands."""
        if self._outputs and self._shown != (new := log_bundle(self._log)):
            self._shown = new
            for output in self._outputs:
                output.update(new, raw=True)  # type: ignore[no-untyped-call]
