"""Records as text, ``Ash: skill 2, tool 3``, and as the rows of a form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from dicedocs.errors import ParameterError, listed, quoted
from dicedocs.rules.kinds import Control, Kind, ListKind, Parts, as_code, cell_text, convert, spaced
from dicedocs.rules.lists import NOTHING
from dicedocs.similar_words import near
from dicedocs.translation import word


class RecordKind(Kind):
    """A named tuple, written with its first field as its name: ``Ash: skill 2, tool 3``.

    A field that is a list is written once for each of its values: ``penalty 10, penalty 2``.

    Parameters:
        record: the named tuple's class.
        kinds: the kind of each field.
    """

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

    def holds(self, value: Any) -> bool:
        return isinstance(value, self.record) and all(
            kind.holds(item) for kind, item in zip(self.kinds.values(), value, strict=True)
        )

    def texts(self) -> Iterator[str]:
        yield from map(_head, self.kinds)
        for kind in self.kinds.values():
            yield from kind.texts()


class RowsKind(ListKind):
    """A list of records, in text separated by semicolons."""

    has_parts = True
    kind: RecordKind

    def __init__(self, kind: RecordKind) -> None:
        super().__init__(kind)
        self.expects = f"{kind.expects}, or several separated by semicolons"

    def _split(self, text: str) -> Sequence[str]:
        return [item for item in text.split(";") if item.strip()]

    def write(self, value: Any) -> str:
        return "; ".join(map(self.kind.write, value)) or NOTHING

    def code(self, value: Any) -> str:
        return as_code(self.write(value))

    def control(self) -> Control:
        return {"kind": "rows", "columns": list(map(self._column, self.kind.kinds))}

    def _column(self, name: str) -> dict[str, Any]:
        kind = self.kind.kinds[name]
        return {
            "name": name,
            "label": word(_head(name)),
            "help": "",
            "required": name not in self.kind.defaults,
            "default": self._default_cell(name),
            "control": {"kind": "text"} if kind.has_parts else kind.control(),
        }

    def parts_of(self, value: Any) -> Parts:
        return [{name: self._cell(name, getattr(record, name)) for name in self.kind.kinds} for record in value]

    def _cell(self, name: str, value: object) -> str:
        text = self.kind.kinds[name].write(value)
        return "" if text == NOTHING else text

    def _default_cell(self, name: str) -> str:
        return self._cell(name, self.kind.defaults[name]) if name in self.kind.defaults else ""

    def _join_parts(self, parts: Sequence[Any], _current: Any) -> object:
        return convert(self, [self._record(n, cells) for n, cells in enumerate(parts, 1) if self._is_filled(cells)])

    def _is_filled(self, cells: object) -> bool:
        if not isinstance(cells, Mapping):
            raise ParameterError("a row is not a record")
        texts = ((name, cell_text(cells.get(name, ""))) for name in self.kind.kinds)
        return any(text and text != self._default_cell(name) for name, text in texts)

    def _record(self, number: int, cells: Mapping[str, object]) -> object:
        name = cell_text(cells.get(self.kind.name, ""))
        title = quoted(name) if name else f"row {number}"
        values: dict[str, object] = {}
        for name, kind in self.kind.kinds.items():
            text = cell_text(cells.get(name, ""))
            if not text and name in self.kind.defaults:
                continue
            if not text:
                raise ParameterError(f"{title} has no {spaced(name)}", hint=f"write {kind.expects}")
            try:
                values[name] = convert(kind, text)
            except ParameterError as error:
                raise ParameterError(f"{title}, {spaced(name)}: {error.message}", hint=error.hint) from None
        return self.kind.record(**values)


def _head(name: str) -> str:
    return spaced(name).capitalize()
