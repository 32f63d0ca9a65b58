"""Where a form stands: in which states, and which characters may play it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from dicedocs.panel.entry import Entry
from dicedocs.panel.state import FormState, State
from dicedocs.panel.store import EVENING, Store
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character

if TYPE_CHECKING:
    from dicedocs.panel.forms.people import People


class Seat:
    """The place of a form in states: its own, or those of a table.

    Parameters:
        store: the states.
        index: the index of the form in these; ``EVENING`` for the table itself.
        adjusted: returns a form with what depends on its inputs.

    Attributes:
        players: those who play each form of the states.
        offered: the names of the characters who may play this one.
    """

    def __init__(
        self, store: Store, index: int = EVENING, adjusted: Callable[[FormState], FormState] = lambda form: form
    ) -> None:
        self.store, self.index, self.adjusted = store, index, adjusted
        self.players: Sequence[People] = ()
        self.offered: tuple[str, ...] = ()

    @property
    def form(self) -> FormState:
        """The form in the present state."""
        return self.store.state.forms[self.index]

    @property
    def rolls(self) -> list[Entry]:
        """The rolls of the form, oldest first, whether or not its history was cleared since."""
        return self.store.state.rolls(self.index)

    def characters(self, state: State) -> tuple[Character, ...]:
        """Return those who may play it, as they are in a state."""
        return tuple(state.people[name] for name in self.offered)

    def within_reach(self, state: State) -> tuple[Collection[Character], Character | None]:
        """Return whose values a roll may change: at a table those of everybody, and its tracks."""
        return state.people.values() if self.store.at_table else self.characters(state), state.tracks

    def put(self, state: State, subject: object = None, effects: Iterable[Changed] = ()) -> None:
        """Make a step; the parameters are those of :meth:`Store.put`."""
        form = state.forms[self.index]
        if form is not self.form:
            state = state.with_form(self.index, self.adjusted(form))
        if state != self.store.state and _without_choices(state) == _without_choices(self.store.state):
            self.store.replace(state)  # to choose who has the same values is no step
        else:
            self.store.put(state, self.index, subject, effects)

    def put_form(self, form: FormState, subject: object = None) -> None:
        """Make a step of another state of the form."""
        self.put(self.store.state.with_form(self.index, form), subject)

    def replace_form(self, form: FormState) -> None:
        """Put another state of the form in the place of the present one, which is no step."""
        self.store.replace(self.store.state.with_form(self.index, form))


def _without_choices(state: State) -> State:
    return state._replace(forms=tuple(form._replace(chosen={}) for form in state.forms))
