"""The inputs of a form while somebody fills them in: texts, values and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ParameterError, is_text, quoted
from dicedocs.panel.controls import Parts, box_text, parts_of, value_from_parts
from dicedocs.rules.kinds import Places
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param, no_such_parameter


class FormInputs:
    """The inputs of some fields.

    Parameters:
        fields: the fields by name.
        values: the initial value of each.

    Attributes:
        values: the last valid value of each field.
        texts: the text in each field's box.
        errors: the error of each field whose text or parts are not valid.

    >>> from dicedocs.rules.registry import mechanic
    >>> fields = mechanic("methuen/expression").parameters()
    >>> inputs = FormInputs(fields, {name: field.example for name, field in fields.items()})
    >>> inputs.set_text("actor", "Strength")
    >>> print(inputs.errors["actor"])
    actor: 'Strength' has no value; write resources such as Strength=4, Health Maximum=20
    >>> print(inputs.values["actor"])
    Intelligence=4
    """

    def __init__(self, fields: Mapping[str, Param], values: Mapping[str, object]) -> None:
        self.fields = fields
        self.values = dict(values)
        self.texts = {name: box_text(field, self.values[name]) for name, field in fields.items()}
        self.errors: dict[str, DiceError] = {}
        self._parts: dict[str, Parts] = {}

    def copy(self) -> FormInputs:
        """Return the same inputs, which later changes of these leave alone."""
        other = FormInputs(self.fields, self.values)
        other.texts, other.errors, other._parts = dict(self.texts), dict(self.errors), dict(self._parts)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FormInputs) and self._typed == other._typed

    __hash__ = None  # type: ignore[assignment]

    @property
    def _typed(self) -> object:
        return self.texts, self._parts, {name: str(error) for name, error in self.errors.items()}

    def set_values(self, values: Mapping[str, object]) -> None:
        """Set the values of some fields, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist; nothing has changed then.
        """
        converted = {name: self._field(name).convert(value) for name, value in values.items()}
        for name, value in converted.items():
            self._accept(self.fields[name], value)
            self.texts[name] = box_text(self.fields[name], value)

    def set_text(self, name: str, text: str) -> None:
        """Set the text of a field's box; an empty one stands for the default. An error goes to ``errors``."""
        field = self._field(name)
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not text", parameter=name)
        self.texts[name] = text
        self._parts.pop(name, None)
        try:
            value = _read(field, text)
        except DiceError as error:
            self.errors[name] = error
        else:
            self._accept(field, value)

    def set_parts(self, name: str, parts: Parts) -> None:
        """Set the rows or dice of a field's control. An error goes to ``errors``."""
        field = self._field(name)
        try:
            value = value_from_parts(field.kind, parts, self.values[name])
            if not value and field.required:
                raise _missing(field)
        except DiceError as error:
            error.parameter = error.parameter or name
            self.errors[name] = error
        else:
            self._accept(field, value)
            self.texts[name] = box_text(field, value)
            self._forget_missing(field)
        # Half-filled rows stay too, so that nothing moves while somebody types.
        if type(parts) is list and len(parts) <= limits.ITEMS.maximum:
            self._parts[name] = parts

    def _parts_of(self, field: Param) -> Parts | None:
        return self._parts.get(field.name) or parts_of(field.kind, self.values[field.name])

    def _places_of(self, pool: str) -> list[Param]:
        return [one for one in self.fields.values() if isinstance(one.kind, Places) and one.kind.of == pool]

    def _forget_missing(self, pool: Param) -> None:
        """Unmark the dice that a pool does not have any more: nothing is left to press to unmark them."""
        count = len(self._parts_of(pool) or ())
        for field in self._places_of(pool.name):
            positions: Any = self.values[field.name]
            self._accept(field, tuple(position for position in positions if position <= count))
            self.texts[field.name] = box_text(field, self.values[field.name])

    def state(self) -> dict[str, Any]:
        """Return ``parts`` by field for the controls that have them, and ``texts`` for the others."""
        all_parts = {name: self._parts_of(field) for name, field in self.fields.items()}
        parts = {name: own for name, own in all_parts.items() if own is not None}
        return {"texts": {name: text for name, text in self.texts.items() if name not in parts}, "parts": parts}

    def _field(self, name: str) -> Param:
        if name not in self.fields:
            raise no_such_parameter(name, self.fields)
        return self.fields[name]

    def _accept(self, field: Param, value: object) -> None:
        self.values[field.name] = value
        self.errors.pop(field.name, None)
        self._parts.pop(field.name, None)


def _read(field: Param, text: str) -> object:
    if text.strip():
        return field.convert(text)
    if field.required:
        raise _missing(field)
    return field.default


def _missing(field: Param) -> ParameterError:
    return ParameterError("a value is needed", hint=f"write {field.kind.expects}", parameter=field.name)


def error_data(error: DiceError) -> dict[str, Any]:
    """Return an error as plain data.

    Returns:
        ``parameter``, ``message`` and ``hint``; ``text``, the whole error in lines, with a caret below a notation;
        and ``at``, the start and end of the wrong character in the notation, or ``None``.

    >>> from dicedocs import NotationError
    >>> error_data(NotationError("a number is missing", text="2d6 +", at=5))["at"]
    [5, 5]
    """
    at = [error.at, min(error.at + 1, len(error.text))] if error.located else None
    prefix = f"{error.parameter}: " if error.parameter else ""
    text = str(error).removeprefix(prefix)
    if isinstance(error, LimitError):
        # Its name is for those who read the documentation of limits.
        text = text.replace(f"the limit {error.limit} is", "at most")
    return {"parameter": error.parameter, "message": error.message, "hint": error.hint, "text": text, "at": at}


def initial_values(mechanic: type[Mechanic], values: Mapping[str, object]) -> dict[str, object]:
    """Return the given values, completed by the mechanic's example or, if that does not go with them, its defaults.

    Parameters:
        values: some parameters of the mechanic, each as itself or as its text.

    Raises:
        DiceError: a value is not valid, or a parameter does not exist.
    """
    if not isinstance(values, Mapping):
        raise ParameterError(f"{quoted(values)} is not a mapping of parameters", hint="give their values by name")
    fields = mechanic.parameters()
    converted = {}
    for name, value in values.items():
        if name not in fields:
            raise no_such_parameter(name, fields, mechanic.id or mechanic.__name__)
        converted[name] = fields[name].convert(value)
    example = {name: field.example for name, field in fields.items()} | converted
    if not converted or _is_valid(mechanic, example):
        return example
    defaults = {name: field.example if field.required else field.default for name, field in fields.items()} | converted
    return defaults if _is_valid(mechanic, defaults) else example


def _is_valid(mechanic: type[Mechanic], values: Mapping[str, object]) -> bool:
    try:
        mechanic(**values)
    except Exception:  # noqa: BLE001  # a third-party mechanic may raise anything
        return False
    return True
