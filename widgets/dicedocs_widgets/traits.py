"""The traits of a panel, and how its observers are called."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import traitlets as t

from dicedocs.errors import DiceError
from dicedocs.panel.history import plain_value
from dicedocs.panel.seeds import read_seed
from dicedocs.render.words import whole_characters
from dicedocs.rules.kinds import BoolKind, IntKind, as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param

_MAX_EXACT: Final = 2**53 - 1
"""The highest whole number that JavaScript holds exactly."""


_missing: dict[object, object] = {}
"""What a page has instead of ``None``, by the mechanic."""


class ParameterTrait(t.TraitType[Any, Any]):
    """A parameter of a mechanic as a trait, which accepts only what the parameter can convert.

    Numbers, truth values, texts and resources read as themselves, every other kind as its text.

    Parameters:
        field: the parameter.
    """

    def __init__(self, field: Param) -> None:
        super().__init__(default_value=plain_value(field, field.example), help=field.help)
        self.field = field

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return plain_value(self.field, self.field.convert(value))
        except DiceError as error:
            raise t.TraitError(str(error)) from None


def page_value(value: object, mechanic: type[Mechanic]) -> object:
    """Return the value of a panel as a page has it, where other widgets can be linked to it.

    Truth values and numbers that JavaScript holds exactly are themselves, anything else is its text. Other widgets
    cannot show ``None``: before the first roll, a page has 0, false or an empty text.

    Parameters:
        value: the first fact of an outcome, or ``None``.
        mechanic: its mechanic.

    >>> from dicedocs.rules.registry import mechanic
    >>> total = mechanic("total-effect/roll")
    >>> page_value(3, total), page_value(10**20, total), page_value((4, 2), total), page_value(None, total)
    (3, '100000000000000000000', '4 2', 0)
    """
    if value is None:
        if mechanic not in _missing:
            kind = next(iter(mechanic.fact_kinds().values()))
            _missing[mechanic] = False if isinstance(kind, BoolKind) else 0 if isinstance(kind, IntKind) else ""
        return _missing[mechanic]
    if isinstance(value, int) and abs(value) <= _MAX_EXACT:
        return value
    return whole_characters(as_text(value))


class SeedTrait(t.TraitType[Any, Any]):
    """A seed as a trait: a whole number, a text or ``None``."""

    default_value = None

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return read_seed(value)
        except DiceError as error:
            raise t.TraitError(str(error)) from None


def same_value(one: Any, other: Any) -> bool:
    """Return whether two values of a trait are the same; ``True`` is not 1, and errors are compared by their text."""
    if isinstance(one, Exception):
        return type(one) is type(other) and str(one) == str(other)
    return type(one) is type(other) and bool(one == other)


class ObservedTraits(t.HasTraits):
    """Traits that change together, and whose observers are all called, even after one that raises."""

    def _set_all(self, values: Mapping[str, Any]) -> Exception | None:
        """Set traits, then call the observers of those that changed, in the order of ``values``.

        Returns:
            The first exception that an observer raised.
        """
        changes = []
        for name, new in values.items():
            old = self._trait_values.get(name)
            self._trait_values[name] = new
            if not same_value(old, new):
                changes.append(t.Bunch(name=name, old=old, new=new, owner=self, type="change"))
        raised = None
        for change in changes:
            # An observer that set the trait again has already caused its own notification.
            if self._trait_values[change.name] is change.new:
                try:
                    self.notify_change(change)
                except Exception as error:  # noqa: BLE001  # raised once all observers are called
                    raised = raised or error
        return raised

    def _notify_observers(self, event: Any) -> None:
        """Call all observers of a trait; traitlets would stop at one that raises.

        Raises:
            Exception: the first exception that an observer raised.
        """
        raised = None
        for trait, kind in product((event["name"], t.All), (event["type"], t.All)):
            for observer in [*self._trait_notifiers.get(trait, {}).get(kind, ())]:
                # A method with the decorator `observe` is registered by its name.
                decorated = isinstance(observer, t.EventHandler) and observer.name
                call = getattr(self, decorated) if decorated else observer
                try:
                    call(event)
                except Exception as error:  # noqa: BLE001  # raised once all observers are called
                    raised = raised or error
        if raised is not None:
            raise raised
