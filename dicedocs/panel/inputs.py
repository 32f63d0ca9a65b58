"""The fields of a mechanic as they stand while somebody fills them in: texts, values, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dicedocs.errors import DiceError, NotationError, ParameterError
from dicedocs.panel.controls import Parts, box_text, parts_of, value_of
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param, no_such_parameter


class Boxes:
    """What stands in the boxes of some fields.

    Parameters:
        fields: the fields by name.
        values: the value that each begins with.

    Attributes:
        values: the last value of each that could be read by itself.
        texts: the text of each as it stands in its box.
        errors: what is wrong with a box by itself.

    >>> from dicedocs.rules.registry import mechanic
    >>> rule = mechanic("methuen/expression")
    >>> boxes = Boxes(rule.parameters(), {name: field.example for name, field in rule.parameters().items()})
    >>> boxes.write("actor", "Strength")
    >>> print(boxes.errors["actor"])
    actor: 'Strength' has no value; write resources such as Strength=4, Health Maximum=20
    >>> print(boxes.values["actor"])
    Intelligence=4
    """

    def __init__(self, fields: Mapping[str, Param], values: Mapping[str, object]) -> None:
        self.fields = fields
        self.values = dict(values)
        self.texts = {name: box_text(field, self.values[name]) for name, field in fields.items()}
        self.errors: dict[str, DiceError] = {}
        self._parts: dict[str, Parts] = {}

    def read(self, name: str, value: object) -> object:
        """Give the value of a field, from itself or from its text.

        Raises:
            DiceError: it is no value of the field, or there is no such field.
        """
        return self._field(name).convert(value)

    def put(self, name: str, value: object) -> None:
        """Put a value into its box.

        Raises:
            DiceError: it is no value of the field, or there is no such field; nothing has changed then.
        """
        self._keep(self._field(name), self.read(name, value))
        self.texts[name] = box_text(self.fields[name], self.values[name])

    def write(self, name: str, text: str) -> None:
        """Write a text into its box; an empty one stands for the default. What is wrong is noted.

        Raises:
            ParameterError: there is no such field.
        """
        field = self._field(name)
        self.texts[name] = text
        self._parts.pop(name, None)
        try:
            value = _read(field, text)
        except DiceError as error:
            self.errors[name] = error
        else:
            self._keep(field, value)

    def arrange(self, name: str, parts: Parts) -> None:
        """Put the rows or dice of a control in place, as they stand there; what is wrong is noted.

        Raises:
            ParameterError: there is no such field.
        """
        field = self._field(name)
        try:
            value = value_of(field.kind, parts, self.values[name])
            if not value and field.required:
                raise _missing(field)
        except DiceError as error:
            error.parameter = error.parameter or name
            self.errors[name] = error
        else:
            self._keep(field, value)
            self.texts[name] = box_text(field, value)
        # As it was written, half-filled rows too, so that nothing moves under the writer's hands.
        self._parts[name] = parts

    def state(self) -> dict[str, Any]:
        """Give what stands there as plain data, by field.

        Returns:
            ``parts`` for the controls that have them, and ``texts`` for the others.
        """
        taken = {
            name: self._parts.get(name) or parts_of(field.kind, self.values[name])
            for name, field in self.fields.items()
        }
        parts = {name: held for name, held in taken.items() if held is not None}
        return {"texts": {name: text for name, text in self.texts.items() if name not in parts}, "parts": parts}

    def _field(self, name: str) -> Param:
        if name not in self.fields:
            raise no_such_parameter(name, self.fields)
        return self.fields[name]

    def _keep(self, field: Param, value: object) -> None:
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
    """Give an error as plain data.

    Returns:
        ``parameter``, ``message`` and ``hint``; ``text``, all of it in lines, with a caret where a notation goes
        wrong; and ``at``, where that begins and ends, or nothing.

    >>> error_data(NotationError("a number is missing", text="2d6 +", at=5))["at"]
    [5, 5]
    """
    at = [error.at, min(error.at + 1, len(error.text))] if isinstance(error, NotationError) else None
    about = f"{error.parameter}: " if error.parameter else ""
    text = str(error).removeprefix(about)
    return {"parameter": error.parameter, "message": error.message, "hint": error.hint, "text": text, "at": at}


def beginning(mechanic: type[Mechanic], given: Mapping[str, object]) -> dict[str, object]:
    """Give the values that a mechanic begins with: what was given, and the example where that goes with it.

    Parameters:
        given: values by parameter, each as itself or as its text.

    Raises:
        DiceError: one is no value of its field, or there is no such field.
    """
    fields = mechanic.parameters()
    read = {}
    for name, value in given.items():
        if name not in fields:
            raise no_such_parameter(name, fields, mechanic.id or mechanic.__name__)
        read[name] = fields[name].convert(value)
    example = {name: field.example for name, field in fields.items()} | read
    if not read or _fits(mechanic, example):
        return example
    bare = {name: field.example if field.required else field.default for name, field in fields.items()} | read
    return bare if _fits(mechanic, bare) else example


def _fits(mechanic: type[Mechanic], values: Mapping[str, object]) -> bool:
    try:
        mechanic(**values)
    except Exception:  # noqa: BLE001  # whatever it is, it does not fit
        return False
    return True
