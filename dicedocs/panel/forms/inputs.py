"""The inputs of a form while somebody fills them in: texts, values and errors."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ParameterError, is_text, quoted
from dicedocs.panel.forms.controls import box_text
from dicedocs.rules.kinds import Parts, Places
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param, no_such_parameter


class Inputs(NamedTuple):  # noqa: PLW1641  # no tuple can be without a hash
    """The inputs of some fields; what changes them returns other inputs.

    Parameters:
        fields: the fields by name.
        values: the last valid value of each field.
        texts: the text in each field's box.
        errors: the error of each field whose text or parts are not valid.
        rows: the rows or dice of a control as they were typed, where they say more than the value.

    >>> from dicedocs.rules.registry import mechanic
    >>> fields = mechanic("methuen/expression").parameters()
    >>> inputs = Inputs.of(fields, {name: field.example for name, field in fields.items()})
    >>> typed = inputs.with_text("actor", "Strength")
    >>> print(typed.errors["actor"])
    actor: 'Strength' has no value; write resources such as Strength=4, Health Maximum=20
    >>> print(typed.values["actor"])
    Intelligence=4
    """

    fields: Mapping[str, Param]
    values: Mapping[str, Any]
    texts: Mapping[str, str]
    errors: Mapping[str, DiceError] = MappingProxyType({})
    rows: Mapping[str, Parts] = MappingProxyType({})

    @classmethod
    def of(cls, fields: Mapping[str, Param], values: Mapping[str, object]) -> Self:
        """Return the inputs of some fields with a value for each."""
        return cls(fields, dict(values), {name: box_text(field, values[name]) for name, field in fields.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inputs) and self._typed == other._typed

    @property
    def _typed(self) -> object:
        return self.texts, self.rows, {name: str(error) for name, error in self.errors.items()}

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return the inputs with other values of some fields, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist.
        """
        converted = {name: self._field(name).convert(value) for name, value in values.items()}
        made = self
        for name, value in converted.items():
            made = made._with_value(self.fields[name], value)
        return made

    def with_text(self, name: str, text: str) -> Self:
        """Return the inputs with another text in a field's box; an empty one stands for the default."""
        field = self._field(name)
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not text", parameter=name)
        try:
            made = self._accepting(field, _read(field, text))
        except DiceError as error:
            made = self._refusing(name, error)
        return made._replace(texts={**made.texts, name: text}, rows=_without(made.rows, name))

    def with_parts(self, name: str, parts: Parts) -> Self:
        """Return the inputs with other rows or dice in a field's control."""
        field = self._field(name)
        try:
            value = field.kind.value_from_parts(parts, self.values[name])
            if not value and field.required:
                raise _missing(field)
            made = self._with_value(field, value)._without_missing(field)
        except DiceError as error:
            error.parameter = error.parameter or name
            made = self._refusing(name, error)
        # Half-filled rows stay too, so that nothing moves while somebody types.
        kept = type(parts) is list and len(parts) <= limits.ITEMS.maximum
        return made._replace(rows={**made.rows, name: parts}) if kept else made

    @property
    def choices(self) -> list[str]:
        """The fields that say how a player chooses during a roll."""
        return [name for name, field in self.fields.items() if field.kind.undecided]

    @property
    def open_choices(self) -> list[str]:
        """The fields whose player is asked during a roll."""
        return [name for name in self.choices if self.values[name].is_open]

    def state(self) -> dict[str, Any]:
        """Return ``parts`` by field for the controls that have them, and ``texts`` for the others."""
        all_parts = {name: self._parts_of(field) for name, field in self.fields.items()}
        parts = {name: own for name, own in all_parts.items() if own is not None}
        return {"texts": {name: text for name, text in self.texts.items() if name not in parts}, "parts": parts}

    def _parts_of(self, field: Param) -> Parts | None:
        own = field.kind.parts_of(self.values[field.name]) if field.kind.has_parts else None
        return self.rows.get(field.name) or own

    def _without_missing(self, pool: Param) -> Self:
        """Unmark the dice that a pool does not have any more: nothing is left to press to unmark them."""
        made, count = self, len(self._parts_of(pool) or ())
        for field in self.fields.values():
            if isinstance(field.kind, Places) and field.kind.of == pool.name:
                positions = self.values[field.name]
                made = made._with_value(field, tuple(position for position in positions if position <= count))
        return made

    def _field(self, name: str) -> Param:
        if name not in self.fields:
            raise no_such_parameter(name, self.fields)
        return self.fields[name]

    def _with_value(self, field: Param, value: object) -> Self:
        made = self._accepting(field, value)
        return made._replace(texts={**made.texts, field.name: box_text(field, value)})

    def _accepting(self, field: Param, value: object) -> Self:
        return self._replace(
            values={**self.values, field.name: value},
            errors=_without(self.errors, field.name),
            rows=_without(self.rows, field.name),
        )

    def _refusing(self, name: str, error: DiceError) -> Self:
        return self._replace(errors={**self.errors, name: error})


def _without(items: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return {other: item for other, item in items.items() if other != name} if name in items else items


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
