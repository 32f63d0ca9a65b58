"""A widget with a log of rolls: its part in the front end that all panels share, and its messages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from time import sleep
from typing import TYPE_CHECKING, Any, Final

import anywidget
import ipywidgets as w
import traitlets as t
from IPython.display import display

from dicedocs.errors import DiceError
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.panel.view.roll_log import RollLog
from dicedocs.render.words import whole_characters
from dicedocs_widgets.cells import KeptLog, note_new_panel, running_cell
from dicedocs_widgets.display import mime_bundle
from dicedocs_widgets.frontend import shared_frontend, stub
from dicedocs_widgets.history_display import HistoryDisplay
from dicedocs_widgets.locking import acting, locked
from dicedocs_widgets.packing import pack_data, unpack_data

if TYPE_CHECKING:
    import pandas as pd

_YIELD_SECONDS: Final = 0.0002
"""A pause in which the kernel's other thread sends the outcome; else it would wait for the history too."""


class LoggedWidget(anywidget.AnyWidget):
    """A widget with a log of rolls.

    Parameters:
        session: what is played in it, with the log.
        kept_rolls: the file that keeps the rolls, if any.
        joined: the logs whose rolls it has too.
        more: traits.
    """

    _session: RollLog
    _esm = t.Unicode().tag(sync=True)
    _front = t.Instance(w.Widget).tag(sync=True, **w.widget_serialization)
    _form = t.Unicode(help="the key of the form in the shared front end").tag(sync=True)
    _state = t.Dict().tag(sync=True, to_json=pack_data, from_json=unpack_data)

    description = t.Unicode(help="the title, instead of the usual one").tag(sync=True)
    disabled = t.Bool(help="whether it is read-only on the page").tag(sync=True)

    def __init__(
        self, session: RollLog, kept_rolls: KeptRolls | None = None, joined: Sequence[RollLog] = (), **more: Any
    ) -> None:
        self._session, self._kept_rolls, self._kept_log = session, kept_rolls, KeptLog(session)
        session.kept = kept_rolls is not None
        self._own_layout = not isinstance(more.get("layout"), w.Layout)
        self._set_session_traits()
        frontend, key = shared_frontend(session.form())
        super().__init__(_esm=stub(), _front=frontend, _form=key, _state=session.state(), **more)
        self.on_msg(self._receive)
        note_new_panel(session, kept=session.kept, joined=joined)

    def _set_session_traits(self) -> None:
        """Set the traits that the session has, before the page is told of them."""

    # Traits

    def add_traits(self, **traits: t.TraitType[Any, Any]) -> None:
        """Add traits to this widget alone.

        anywidget adds one to every widget, for which traitlets creates a class: as much work as all the rest.

        Parameters:
            traits: the traits by name; those that the class already has are ignored.
        """
        new = {name: trait for name, trait in traits.items() if not self.has_trait(name)}
        if new:
            super().add_traits(**new)

    @t.default("keys")
    def _default_keys(self) -> list[str]:
        # ipywidgets would collect them again for every panel.
        return list(_synced_traits(type(self)))  # type: ignore[arg-type]  # a class is hashable

    @t.validate("description")
    def _validate_description(self, proposal: Any) -> Any:
        return whole_characters(proposal["value"])

    # Messages

    def _publish(self) -> None:
        """Show what has changed, and write it into the file of the log."""
        raise NotImplementedError

    @locked
    def _receive(self, _: object, message: object, _buffers: object) -> None:
        failure: Exception | None = None
        try:
            try:
                self._session.receive(message)
            finally:
                self._publish()
        except Exception as error:
            failure = error
            if not isinstance(error, DiceError):
                raise
        finally:
            sleep(_YIELD_SECONDS)
            self.send(self._session.reply_to(message, failure))

    def _send_history(self) -> None:
        self._kept_log.update()
        if self.comm is not None and (reply := self._session.reply()):
            self.send({"for": {}, **reply})

    def _schedule(self) -> None:
        """Let the event loop, if one is running, send the history."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        loop.call_soon(self._send_history)

    # What rolls do to characters

    apply = acting(RollLog.apply)
    take_back = acting(RollLog.take_back)

    # History

    @property
    def history(self) -> HistoryDisplay:
        """The rolls: a list of dictionaries that a notebook shows as a table."""
        return HistoryDisplay(self._session)

    def to_pandas(self) -> pd.DataFrame:
        """Return the history as a pandas data frame; see :meth:`.HistoryDisplay.to_pandas`."""
        return self.history.to_pandas()

    def to_json(self, indent: int | None = None) -> str:
        """Return the history as JSON.

        Parameters:
            indent: spaces of indentation at each level; one line if omitted.
        """
        return self.history.to_json(indent)

    def log(self, format: str = "text") -> str:
        """Return the history as a log to be copied.

        Parameters:
            format: ``text``, ``csv``, ``markdown``, or ``examples`` for the directives of the rolls; of an evening also
                ``scene``, for a scene of a book with its characters and what changed.

        Raises:
            ParameterError: there is no such format.
        """
        return self._session.written_log(format)

    # The widget

    def _ipython_display_(self) -> None:
        """Show the widget, and below it the log, which stays in the output of the cell."""
        if running_cell() is None:
            # Then IPython shows what _repr_mimebundle_ returns.
            raise NotImplementedError
        data, metadata = self._bundle(logged=True)
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._kept_log.show()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget and the current outcome, which is shown where no widget can run."""
        return self._bundle(**kwargs)

    @locked
    def _bundle(self, *, logged: bool = False, **kwargs: Any) -> Any:
        """Return the widget and the outcome that it shows, in each format that a notebook saves.

        Parameters:
            logged: whether the log follows.
            kwargs: as for every widget.
        """
        widget = super()._repr_mimebundle_(**kwargs)
        if widget is None:
            return None
        data, metadata = widget
        return {**data, **mime_bundle(self._session, repr(self), logged=logged)}, metadata

    def close(self) -> None:
        """Close the widget and the models that it owns."""
        if self.comm is not None and self._own_layout and self.layout is not None:
            self.layout.close()
        super().close()


@cache
def _synced_traits(widget: type[t.HasTraits]) -> tuple[str, ...]:
    return tuple(widget.class_traits(sync=True))
