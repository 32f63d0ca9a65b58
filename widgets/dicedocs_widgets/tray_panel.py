"""The dice tray as a Jupyter widget."""

from __future__ import annotations

from dicedocs.panel.dice_tray import Favourite, TraySession, tray_fields
from dicedocs.panel.tray_notation import Mode, mode, modifier
from dicedocs.rules.outcome import Outcome
from dicedocs_widgets.locking import locked
from dicedocs_widgets.trait_names import trait_name
from dicedocs_widgets.traits import ParameterTrait
from dicedocs_widgets.widget import Panel

_FIELDS = {trait_name(name): field for name, field in tray_fields().items()}


class TrayPanel(Panel):
    """A dice tray: dice to press, a modifier, advantage, favourite rolls and a log; created by ``tray``."""

    _session: TraySession
    _fields = _FIELDS

    notation = ParameterTrait(_FIELDS["notation"])
    actor = ParameterTrait(_FIELDS["actor"])
    target = ParameterTrait(_FIELDS["target"])
    target_number = ParameterTrait(_FIELDS["target_number"])

    @locked
    def press(self, sides: int, times: int = 1) -> None:
        """Add dice, as their button does, or take some away.

        Parameters:
            sides: the sides of the dice: 4, 6, 8, 10, 12, 20 or 100.
            times: how many are added; a negative number takes them away, as many as there are.

        Raises:
            ParameterError: the tray has no such die.
        """
        self._session.press(sides, times)
        self._publish()

    @locked
    def add_modifier(self, number: int) -> None:
        """Add a number to the modifier."""
        self._session.set_modifier(modifier(self._session.notation) + number)
        self._publish()

    @locked
    def press_resource(self, name: str, who: str) -> None:
        """Add a resource of a character to the notation, as its button does, or remove it.

        Parameters:
            name: the name of the resource.
            who: the name of the character, who is then the one who rolls.

        Raises:
            ParameterError: there is no such character or resource.
        """
        self._session.press_resource(name, who)
        self._publish()

    @property
    def mode(self) -> Mode | None:
        """How the only d20 is thrown: ``normal``, ``advantage`` or ``disadvantage``; it may be set.

        ``None`` if there is not exactly one d20.
        """
        return mode(self._session.notation)

    @mode.setter
    @locked
    def mode(self, name: str) -> None:
        self._session.set_mode(name)
        self._publish()

    @property
    def favourites(self) -> list[Favourite]:
        """The rolls that can be made at once: those of the characters, and those that were kept."""
        return self._session.favourites

    @locked
    def keep(self, name: str = "") -> None:
        """Keep the present notation as a favourite, which can be undone.

        Parameters:
            name: its name; by default the label, or else the notation.

        Raises:
            DiceError: the notation is not valid.
        """
        self._session.keep(name)
        self._publish()

    @locked
    def roll_favourite(self, name: str, who: str | None = None) -> Outcome:
        """Make one of the favourite rolls.

        Parameters:
            name: its name.
            who: the name of its character; by default that of any.

        Raises:
            DiceError: there is no such roll, or it cannot be rolled.
        """
        try:
            return self._session.roll_favourite(name, who)
        finally:
            self._publish()

    def __repr__(self) -> str:
        return f"tray({self._session.notation!r})"
