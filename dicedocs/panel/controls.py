"""A mechanic's controls as plain data: the kind of a field decides its control, never its name.

A control is a dictionary whose ``kind`` is one of

``whole``
    a box for a whole number, with ``low``, ``high`` and ``optional``;
``truth``
    a switch;
``choice``
    one of ``choices``, or none where ``optional``;
``text``, ``list``, ``notation``
    a box for text; ``choices`` are words that may stand in it, where there are any;
``resources``
    rows of a name and a number;
``dice``, ``faces``
    dice by their sides, or by what they show, that are added and removed; a type of a game's own has
    this control when it has ``sizes``, its dice by their sides, and ``with_sizes``, which gives the same with others;
``places``
    a switch for each die of the field ``of``;
``rows``
    records, with ``columns``, each as a field is; the first names the row.

The last five have *parts*: their value as lists of texts and numbers, so that whoever draws them
parses nothing. :func:`parts_of` takes a value apart, and :func:`value_of` puts it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.description import describe
from dicedocs.rules.kinds import (
    NOTHING,
    BoolKind,
    ChoiceKind,
    CustomKind,
    DiceSizesKind,
    IntKind,
    Kind,
    ListKind,
    NoneKind,
    NotationKind,
    Places,
    PoolFacesKind,
    UnionKind,
    convert,
    spaced,
)
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param
from dicedocs.rules.records import RecordKind
from dicedocs.rules.resources import Resources

Control: TypeAlias = dict[str, Any]
"""A control as plain data."""
Parts: TypeAlias = list[Any]
"""What the rows or dice of a control hold."""

_UNSEEN: Final = "-"
_REMEMBERED: Final = 256
"""Mechanics whose forms are kept, since twenty panels of one have the same."""


@lru_cache(_REMEMBERED)
def form(mechanic: type[Mechanic]) -> Mapping[str, Any]:
    """Describe a mechanic for whoever lays out its controls: what never changes while it is played.

    Returns:
        ``id``, ``title`` and ``help``; ``facts``, each with ``name``, ``label`` and ``help``; and
        ``fields``, as :func:`field_data` gives them.

    >>> from dicedocs.rules.registry import mechanic
    >>> [field["control"]["kind"] for field in form(mechanic("methuen/check"))["fields"]]
    ['notation', 'resources', 'resources']
    """
    declared = mechanic.result().facts_of.values()
    return {
        "id": mechanic.id or mechanic.__name__,
        "title": title(mechanic.id or mechanic.__name__),
        "help": describe(mechanic).help,
        "facts": [{"name": fact.name, "label": fact.label, "help": fact.help} for fact in declared],
        "fields": [field_data(field) for field in mechanic.parameters().values()],
    }


def title(id: str) -> str:
    """Give an id as a title.

    >>> title("total-effect/roll")
    'Total effect: roll'
    """
    system, _, rule = id.replace("-", " ").partition("/")
    return f"{system.capitalize()}: {rule}" if rule else system


def field_data(field: Param) -> dict[str, Any]:
    """Describe a field: its name, label, help and control, whether it is required, and its default as text."""
    return {
        "name": field.name,
        "label": field.label,
        "help": field.help,
        "required": field.required,
        "default": "" if field.required else box_text(field, field.default),
        "control": control(field.kind),
    }


def box_text(field: Param, value: object) -> str:
    """Give the text of a value as it stands in a box, where nothing is an empty box when it is the default."""
    text = field.write(value)
    return "" if text == NOTHING and not field.required and value == field.default else text


def control(kind: Kind) -> Control:
    """Give the control of a kind of value.

    >>> from dicedocs.rules.annotations import kind_of
    >>> control(kind_of(int | None, low=1))
    {'kind': 'whole', 'low': 1, 'high': None, 'optional': True}
    """
    if isinstance(kind, UnionKind):
        return _either(kind)
    if isinstance(kind, IntKind):
        return {"kind": "whole", "low": kind.low, "high": kind.high, "optional": False}
    if isinstance(kind, BoolKind):
        return {"kind": "truth"}
    if isinstance(kind, ChoiceKind):
        return {"kind": "choice", "choices": list(kind.words), "optional": False}
    if isinstance(kind, Places):
        return {"kind": "places", "of": kind.of}
    if isinstance(kind, PoolFacesKind):
        return {"kind": "faces"}
    if isinstance(kind, DiceSizesKind):
        return {"kind": "dice"}
    if isinstance(kind, ListKind):
        return _several(kind)
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return {"kind": "resources"}
    if _holds_dice(kind):
        return {"kind": "dice"}
    return {"kind": "notation" if isinstance(kind, NotationKind) else "text"}


def _holds_dice(kind: Kind) -> bool:
    """Tell whether a type of a game's own says which dice it holds, and takes others."""
    return isinstance(kind, CustomKind) and hasattr(kind.owner, "sizes") and hasattr(kind.owner, "with_sizes")


def _either(kind: UnionKind) -> Control:
    rest = [one for one in kind.kinds if not isinstance(one, NoneKind)]
    optional = len(rest) < len(kind.kinds)
    if len(rest) == 1:
        alone = control(rest[0])
        if alone["kind"] == "truth":
            return {"kind": "choice", "choices": ["true", "false"], "optional": optional}
        if alone["kind"] in {"whole", "choice"}:
            return {**alone, "optional": optional}
        # What has parts has none for nothing at all.
        return alone if alone["kind"] == "notation" else {"kind": "text"}
    words = [word for one in rest if isinstance(one, ChoiceKind) for word in one.words]
    return {"kind": "text", "choices": words} if words else {"kind": "text"}


def _several(kind: ListKind) -> Control:
    inner = kind.kind
    if isinstance(inner, RecordKind):
        return {"kind": "rows", "columns": [_column(inner, name) for name in inner.kinds]}
    return {"kind": "list", "choices": list(inner.words)} if isinstance(inner, ChoiceKind) else {"kind": "list"}


def _column(row: RecordKind, name: str) -> dict[str, Any]:
    inner = control(row.kinds[name])
    return {
        "name": name,
        "label": spaced(name).capitalize(),
        "help": "",
        "required": name not in row.defaults,
        "default": _untouched(row, name),
        # Within a row a value is one box.
        "control": inner if inner["kind"] in _IN_A_BOX else {"kind": "text"},
    }


_IN_A_BOX: Final = frozenset({"whole", "truth", "choice", "text", "list", "notation"})


def cell_text(row: RecordKind, name: str, value: object) -> str:
    """Give the text of a value in a column, empty for nothing."""
    text = row.kinds[name].write(value)
    return "" if text == NOTHING else text


def parts_of(kind: Kind, value: Any) -> Parts | None:
    """Take a value apart; ``None`` for a kind whose control is one box.

    >>> parts_of(PoolFacesKind(), (4, None))
    ['4', '-']
    """
    if isinstance(kind, Places | DiceSizesKind):
        return list(value)
    if _holds_dice(kind):
        return list(value.sizes)
    if isinstance(kind, PoolFacesKind):
        return [_UNSEEN if face is None else str(face) for face in value]
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return [{"name": name, "value": str(number)} for name, number in value.items()]
    if isinstance(kind, ListKind) and isinstance(kind.kind, RecordKind):
        row = kind.kind
        return [{name: cell_text(row, name, getattr(record, name)) for name in row.kinds} for record in value]
    return None


def value_of(kind: Kind, parts: object, before: Any = None) -> object:
    """Put a value together from its parts; rows that are empty count for nothing.

    Parameters:
        parts: as :func:`parts_of` gives them.
        before: the value until now, of which dice of a game's own keep what is no die.

    Raises:
        ParameterError: a part cannot be what it is.
        LimitError: there are too many.

    >>> value_of(PoolFacesKind(), ["4", ""])
    (4, None)
    """
    if not isinstance(parts, Sequence) or isinstance(parts, str):
        raise ParameterError("its parts are no list")
    limits.ITEMS.check(len(parts))
    if isinstance(kind, PoolFacesKind):
        # An empty box is a face that does not matter.
        return convert(kind, [kind.kind.read(str(face).strip() or _UNSEEN) for face in parts])
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return _resources(parts)
    if _holds_dice(kind):
        return before.with_sizes(DiceSizesKind().accept(tuple(parts)))
    if isinstance(kind, ListKind) and isinstance(kind.kind, RecordKind):
        row = kind.kind
        filled = [(place, cells) for place, cells in enumerate(parts, 1) if _filled(row, cells)]
        return convert(kind, [_record(row, place, cells) for place, cells in filled])
    return convert(kind, list(parts))


def _resources(rows: Sequence[object]) -> Resources:
    held = Resources()
    for row in rows:
        if not isinstance(row, Mapping):
            raise ParameterError("a row is no name with its value")
        name, number = (str(row.get(cell, "")).strip() for cell in ("name", "value"))
        if name and not number:
            raise ParameterError(f"{quoted(name)} has no value", hint="write a whole number beside it")
        if name:
            held._add(name, number)
        elif number not in {"", "0"}:
            raise ParameterError(f"the value {quoted(number)} has no name", hint="write what it is a value of")
    return held


def _filled(row: RecordKind, cells: object) -> bool:
    """Tell whether somebody wrote anything into a row."""
    if not isinstance(cells, Mapping):
        raise ParameterError("a row is no record")
    written = ((name, str(cells.get(name, "")).strip()) for name in row.kinds)
    return any(text and text != _untouched(row, name) for name, text in written)


def _untouched(row: RecordKind, name: str) -> str:
    return cell_text(row, name, row.defaults[name]) if name in row.defaults else ""


def _record(row: RecordKind, place: int, cells: Mapping[str, object]) -> object:
    name = str(cells.get(row.name, "")).strip()
    called = quoted(name) if name else f"row {place}"
    values: dict[str, object] = {}
    for name, kind in row.kinds.items():
        text = str(cells.get(name, "")).strip()
        if not text and name in row.defaults:
            continue
        if not text:
            raise ParameterError(f"{called} has no {spaced(name)}", hint=f"write {kind.expects}")
        try:
            values[name] = convert(kind, text)
        except ParameterError as error:
            raise ParameterError(f"{called}, {spaced(name)}: {error.message}", hint=error.hint) from None
    return row.record(**values)
