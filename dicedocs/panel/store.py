"""The states of a panel or of an evening: the present one, those before it, and those that were undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.panel.entry import Entry
from dicedocs.panel.record import recorded
from dicedocs.panel.state import State
from dicedocs.scenes.change import Changed

EVENING: Final = -1
"""Who made a step if it was no form."""


class UndoStep(NamedTuple):
    """A state, and what made it of the one before.

    Parameters:
        state: the state.
        form: the index of the form in which it was made; ``EVENING`` if it was in none.
        subject: what was changed; steps of the same subject in a row are one. ``None`` if it stands alone.
    """

    state: State
    form: int = EVENING
    subject: object = None


class Store:
    """States in order of time, and which of them is the present one.

    Parameters:
        state: the first state.
        at_table: whether they are those of a table, where a roll that was undone stays in the log, struck out.

    Attributes:
        number: the number of the last roll that was made, undone ones included.
        observers: called after the present has changed, with the state that it was.

    >>> store = Store(State(()))
    >>> store.put(State((), before=()), 0), store.can_undo
    (None, False)
    """

    def __init__(self, state: State, *, at_table: bool = False) -> None:
        self._steps = [UndoStep(state)]
        self._at = 0
        self.number = 0
        self.at_table = at_table
        self.observers: list[Callable[[State], None]] = []

    @property
    def state(self) -> State:
        """The present state."""
        return self._steps[self._at].state

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self._at < len(self._steps) - 1

    def put(
        self, state: State, form: int = EVENING, subject: object = None, effects: Iterable[Changed] | None = ()
    ) -> None:
        """Make a step, unless the state is the present one; what was undone before cannot be redone any more.

        Parameters:
            state: the state that it leads to.
            form, subject: as for :class:`UndoStep`.
            effects: what rolls did to characters in this step, for the log; ``None`` if that says already what changed.
        """
        before = self.state
        if state == before:
            return
        state = state if effects is None else recorded(before, state, effects)
        step = UndoStep(state, form, subject)
        known = {entry.roll for entry in state.log}
        if undone := [entry for entry in self.undone if entry.roll not in known]:
            step = step._replace(state=state._replace(log=_in_order([*state.log, *undone])))
        del self._steps[self._at + 1 :]
        if self._at and subject is not None and step[1:] == self._steps[-1][1:]:
            self._steps.pop()
        if step.state != self._steps[-1].state:
            self._steps.append(step)
        del self._steps[: -limits.STEPS.maximum - 1]
        self._go(len(self._steps) - 1, before)

    def replace(self, state: State) -> None:
        """Put a state in the place of the present one, which is no step."""
        before = self.state
        self._steps[self._at] = self._steps[self._at]._replace(state=state)
        self._go(self._at, before)

    def replace_all(self, change: Callable[[State], State]) -> None:
        """Change every state, since nobody would undo it."""
        before = self.state
        self._steps = [step._replace(state=change(step.state)) for step in self._steps]
        self._go(self._at, before)

    def begin(self, state: State) -> None:
        """Begin afresh with a state."""
        before = self.state
        self._steps = [UndoStep(state)]
        self._go(0, before)

    def undo(self, form: int = EVENING) -> None:
        """Go back by a step, if there is one.

        Parameters:
            form: the form in which that is done; ``EVENING`` if it is done at the table.

        Raises:
            DiceError: at a table the step was not made in this form.
        """
        if self.can_undo:
            self._check_is_of(form, self._steps[self._at])
            self._go(self._at - 1, self.state)

    def redo(self, form: int = EVENING) -> None:
        """Go forward again by a step, if there is one; as for :meth:`undo`."""
        if self.can_redo:
            self._check_is_of(form, self._steps[self._at + 1])
            self._go(self._at + 1, self.state)

    def _check_is_of(self, form: int, step: UndoStep) -> None:
        if self.at_table and form not in {EVENING, step.form}:
            raise DiceError("that was not done in this panel", hint="undo and redo it at the table")

    @property
    def undone(self) -> list[Entry]:
        """The rolls that were undone and stay in the log, struck out; they belong to no form any more."""
        if not (self.at_table and self.can_redo):
            return []
        known = {entry.roll for entry in self.state.log}
        found: dict[int, Entry] = {}
        for step in self._steps[self._at + 1 :]:
            new = (entry for entry in step.state.log if entry.roll not in known)
            found |= {one.roll: one for one in new if one.roll not in found}
        return [entry._replace(struck=True, form=EVENING, made=(), later=()) for entry in found.values()]

    @property
    def log(self) -> tuple[Entry, ...]:
        """The rolls, oldest first, with those that were undone and stay."""
        undone = self.undone
        return _in_order([*self.state.log, *undone]) if undone else self.state.log

    def _go(self, at: int, before: State) -> None:
        self._at = at
        for observer in self.observers:
            observer(before)


def _in_order(entries: list[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.roll))
