"""What was done in a session, in order, so that it can be undone and redone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dicedocs.panel.history import Entry


def _nothing() -> None:
    pass


class Change(NamedTuple):
    """What was done beside a roll, or with it.

    Parameters:
        back: undoes it.
        forward: does it again.
        clears: whether it empties the history.
        subject: what it changed; changes of the same subject in a row are one. ``None`` if it stands alone.
        start, end: what it changed into what; changes that come back to the start are none.
    """

    back: Callable[[], None] = _nothing
    forward: Callable[[], None] = _nothing
    clears: bool = False
    subject: object = None
    start: object = None
    end: object = None


class Timeline:
    """Rolls and changes, oldest first, and how many of them are done: those after them were undone.

    Attributes:
        entries: the rolls of the history, those that are done since it was last cleared; always the same list.

    >>> timeline = Timeline()
    >>> timeline.add(Change(clears=True))
    >>> timeline.back() == Change(clears=True), timeline.back(), timeline.can_redo
    (True, None, True)
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._items: list[Entry | Change] = []
        self._done = 0

    def add(self, item: Entry | Change) -> None:
        """Add what was just done; what was undone before cannot be redone any more."""
        del self._items[self._done :]
        last = self._items[-1] if self._items else None
        if isinstance(item, Change) and isinstance(last, Change) and item.subject == last.subject is not None:
            item = item._replace(back=last.back, start=last.start)
            self._items.pop()
            self._done -= 1
            if item.start == item.end is not None:
                return
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
        elif item.clears:
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
        elif item.clears:
            self.entries.clear()
        return item

    def replace(self, entry: Entry) -> None:
        """Put a roll in the place of the one with its number."""
        same = [at for at, one in enumerate(self._items) if isinstance(one, Entry) and one.roll == entry.roll]
        for at in same:
            self._items[at] = entry
        self.entries[:] = [entry if one.roll == entry.roll else one for one in self.entries]

    def strike(self, roll: int, *, struck: bool) -> None:
        """Note that a roll was struck out or brought back, whether or not it was undone."""
        for one in [each for each in self._items if isinstance(each, Entry) and each.roll == roll]:
            self.replace(one._replace(struck=struck))

    def discard(self, item: Change) -> None:
        """Forget something that was done, and was taken back elsewhere."""
        at = next((at for at, one in enumerate(self._items[: self._done]) if one is item), None)
        if at is not None:
            del self._items[at]
            self._done -= 1

    def _since_clear(self) -> list[Entry]:
        start = next((at for at in range(self._done, 0, -1) if _clears(self._items[at - 1])), 0)
        return [item for item in self._items[start : self._done] if isinstance(item, Entry)]

    @property
    def done(self) -> int:
        """How many are done."""
        return self._done

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
        return next(reversed(self.rolls), None)

    @property
    def rolls(self) -> list[Entry]:
        """The rolls that are done, oldest first, whether or not the history was cleared since."""
        return [item for item in self._items[: self._done] if isinstance(item, Entry)]


def _clears(item: Entry | Change) -> bool:
    return isinstance(item, Change) and item.clears
