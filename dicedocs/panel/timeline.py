"""What was done in a session, in order, so that it can be undone and redone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from dicedocs.panel.history import Entry

CLEAR: Final = "clear"
"""The kind of change that empties the history."""
REMOVE: Final = "remove"
"""The kind of change that takes rows or dice out of a field."""
PIN: Final = "pin"
"""The kind of change that pins or unpins odds; its state is a pair of what was pinned before and after it."""


class Removal(NamedTuple):
    """What a removal replaced.

    Parameters:
        before, after: the rows or dice of the field, and which dice of it others name, by field.
    """

    before: Mapping[str, list[Any]]
    after: Mapping[str, list[Any]]


class Change(NamedTuple):
    """What was done beside a roll.

    Parameters:
        kind: what was done, such as :data:`CLEAR`.
        state_before: what it replaced, if the session needs that to undo it.
    """

    kind: str
    state_before: Any = None


class Timeline:
    """Rolls and changes, oldest first, and how many of them are done: those after them were undone.

    Attributes:
        entries: the rolls of the history, those that are done since it was last cleared; always the same list.

    >>> timeline = Timeline()
    >>> timeline.add(Change(CLEAR))
    >>> timeline.back(), timeline.back(), timeline.can_redo
    (Change(kind='clear', state_before=None), None, True)
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._items: list[Entry | Change] = []
        self._done = 0

    def add(self, item: Entry | Change) -> None:
        """Add what was just done; what was undone before cannot be redone any more."""
        del self._items[self._done :]
        self._items.append(item)
        self.forward()

    def back(self) -> Entry | Change | None:
        """Undo the last item and return it; ``None`` if there is none."""
        if not self.can_undo:
            return None
        self._done -= 1
        item = self._items[self._done]
        if isinstance(item, Entry):
            self.entries.pop()
        elif item.kind == CLEAR:
            self.entries[:] = self._since_clear()
        return item

    def forward(self) -> Entry | Change | None:
        """Redo the next item and return it; ``None`` if there is none."""
        if not self.can_redo:
            return None
        item = self._items[self._done]
        self._done += 1
        if isinstance(item, Entry):
            self.entries.append(item)
        elif item.kind == CLEAR:
            self.entries.clear()
        return item

    def _since_clear(self) -> list[Entry]:
        start = next((at for at in range(self._done, 0, -1) if _clears(self._items[at - 1])), 0)
        return [item for item in self._items[start : self._done] if isinstance(item, Entry)]

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._done > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self._done < len(self._items)

    @property
    def last_roll(self) -> Entry | None:
        """The last roll that is done, whether or not the history was cleared since."""
        return next((item for item in reversed(self._items[: self._done]) if isinstance(item, Entry)), None)


def _clears(item: Entry | Change) -> bool:
    return isinstance(item, Change) and item.kind == CLEAR
