"""The dice tray as a Jupyter widget."""

from __future__ import annotations

from dicedocs.panel.forms.dice_tray import Favourite, TraySession, tray_fields
from dicedocs.panel.forms.tray_notation import Mode, mode, modifier
from dicedocs_widgets.locking import acting, locked
from dicedocs_widgets.traits import ParameterTrait
from dicedocs_widgets.widget import RollPanel, trait_name

_FIELDS = {trait_name(name): field for name, field in tray_fields().items()}


class TrayPanel(RollPanel):
    """A dice tray: dice to press, a modifier, advantage, favourite rolls and a log; created by ``tray``."""

    _session: TraySession
    _fields = _FIELDS

    notation = ParameterTrait(_FIELDS["notation"])
    actor = ParameterTrait(_FIELDS["actor"])
    target = ParameterTrait(_FIELDS["target"])
    target_number = ParameterTrait(_FIELDS["target_number"])

    press = acting(TraySession.press)
    press_resource = acting(TraySession.press_resource)
    keep = acting(TraySession.keep)
    roll_favourite = acting(TraySession.roll_favourite)

    @locked
    def add_modifier(self, number: int) -> None:
        """Add a number to the modifier."""
        self._session.set_modifier(modifier(self._session.notation) + number)
        self._publish()

    @property
    def mode(self) -> Mode | None:
        """How the only d20 is thrown: ``normal``, ``advantage`` or ``disadvantage``; it may be set.

        ``None`` if this needs exactly one d20.
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

    def __repr__(self) -> str:
        return f"tray({self._session.notation!r})"
