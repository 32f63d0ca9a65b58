"""Records as text: ``Ash: skill 2, tool 3``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from dicedocs.errors import ParameterError, listed, near, quoted
from dicedocs.rules.kinds import Kind, ListKind, as_code, convert, spaced


class RecordKind(Kind):
    """A named tuple, written with its first field as its name: ``Ash: skill 2, tool 3``.

    A field that is a list is written once for each of its values: ``penalty 10, penalty 2``.

    Parameters:
        record: the named tuple's class.
        kinds: the kind of each field.
    """

    is_record = True

    def __init__(self, record: type[tuple[Any, ...]], kinds: Mapping[str, Kind]) -> None:
        self.record = record
        self.kinds = kinds
        self.name, *self.rest = kinds
        self.free = any(kind.free for kind in kinds.values())
        self.defaults: Mapping[str, object] = getattr(record, "_field_defaults", {})
        self.expects = f"'{self.name}: {', '.join(f'{spaced(name)} …' for name in self.rest)}'"

    def read(self, text: str) -> tuple[Any, ...]:
        name, colon, rest = text.partition(":")
        name = name.strip()
        if not name or (not colon and self.rest):
            raise self.error(text)
        values: dict[str, Any] = {self.name: self.kinds[self.name].read(name)}
        for part in filter(None, map(str.strip, rest.split(","))):
            field, value = self._read_field(part, text)
            if isinstance(self.kinds[field], ListKind):
                values[field] = (*values.get(field, ()), *cast("tuple[object, ...]", value))
            elif field in values:
                raise ParameterError(f"{quoted(spaced(field))} is written twice for {quoted(name)}")
            else:
                values[field] = value
        missing = [spaced(field) for field in self.rest if field not in values and field not in self.defaults]
        if missing:
            raise ParameterError(f"{quoted(name)} has no {listed(missing, 'and')}", hint=f"write {self.expects}")
        return self.record(**values)

    def _read_field(self, part: str, text: str) -> tuple[str, object]:
        labels = {spaced(field): field for field in self.rest}
        folded = " ".join(part.split())
        label = max((known for known in labels if f"{folded} ".startswith(f"{known} ")), key=len, default="")
        if not label:
            raise self.error(text, hint=near(folded.split(" ")[0], labels))
        field = labels[label]
        return field, self.kinds[field].read(folded[len(label) + 1 :])

    def accept(self, value: object) -> tuple[Any, ...]:
        if not isinstance(value, self.record):
            raise self.error(value)
        fields = zip(self.kinds.items(), value, strict=True)
        values = {name: convert(kind, item) for (name, kind), item in fields}
        return cast("tuple[Any, ...]", self.check_text(self.record(**values)))

    def write(self, value: Any) -> str:
        parts = []
        for field in self.rest:
            kind, item = self.kinds[field], getattr(value, field)
            if field in self.defaults and item == self.defaults[field]:
                continue
            pairs = [(kind.kind, one) for one in item] if isinstance(kind, ListKind) and item else [(kind, item)]
            parts += [f"{spaced(field)} {one_kind.write(one)}" for one_kind, one in pairs]
        return f"{self.kinds[self.name].write(getattr(value, self.name))}: {', '.join(parts)}".rstrip()

    def code(self, value: Any) -> str:
        return as_code(self.write(value))
