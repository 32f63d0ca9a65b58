"""Going back to earlier states of a form, and looking at its earlier rolls: undo, redo, recall."""

from __future__ import annotations

from collections.abc import Callable

from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.forms.people import People
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.forms.seed_choice import SeedChoice
from dicedocs.rules.mechanic import Mechanic


class Travel:
    """Going to other states of a form, and to its rolls.

    Parameters:
        seat: where the form stands.
        people: who plays it.
        seeds: the seed of the roll that is shown.
        entry: returns a roll of the history by its number.
        restored: returns the inputs with the parameters of a rule that was played.

    Attributes:
        selected: the number of the roll of the history that was chosen to be shown; 0 for none.
        attempted: whether a roll was tried since the last one, and failed.
    """

    def __init__(
        self,
        seat: Seat,
        people: People,
        seeds: SeedChoice,
        entry: Callable[[int], Entry],
        restored: Callable[[Mechanic], Inputs],
    ) -> None:
        self._seat, self._people, self._seeds = seat, people, seeds
        self._entry, self._restored = entry, restored
        self.selected, self.attempted = 0, False

    def undo(self) -> None:
        """Undo what was done last: a change of the inputs, or a roll, whose place the one before it takes again.

        Raises:
            DiceError: at a table something else was done last.
        """
        self._seat.store.undo(self._seat.index)
        self.rest()

    def redo(self) -> None:
        """Do again what was undone last.

        Raises:
            DiceError: at a table something else was undone last.
        """
        self._seat.store.redo(self._seat.index)
        self.rest()

    def recall(self, roll: int) -> None:
        """Show a roll of the history, with its parameters and its label; the next roll has dice of its own.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry, people, seat = self._entry(roll), self._people, self._seat
        slots = people.taken_now if people.live else {}
        named = {one.name: one for one in people.characters}
        chosen = {people.slots.own[0]: entry.who} if entry.who in named else {}
        if people.live:
            slots |= chosen
        form = seat.form._replace(shown=roll, label=entry.label, inputs=self._restored(entry.outcome.rule))
        form = form._replace(chosen={**form.chosen, **chosen})
        for slot, name in slots.items():
            # A live character does not go back to what it was then.
            form = people.slots.fill_in(form, slot, named[name])
        seat.put_form(form)
        self._seeds.use(entry.seed)
        self.rest(roll)

    def look_at(self, roll: int) -> None:
        """Show a roll of the history; the form stays as it is, and this is no step.

        Parameters:
            roll: the number of the roll; 0 to show none, as before the first.
        """
        self._seat.replace_form(self._seat.form._replace(shown=roll))
        self.rest(roll)

    def rest(self, roll: int = 0, *, attempted: bool = False) -> None:
        """Forget what was just tried or chosen to be shown.

        Parameters:
            roll: the number of the roll that is now chosen to be shown; 0 for none.
            attempted: whether a roll is tried now.
        """
        self.selected, self.attempted = roll, attempted
