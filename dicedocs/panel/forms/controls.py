"""The controls of a mechanic as plain data. The kind of a field decides its control, never its name.

A control is a dictionary whose ``kind`` is one of

``whole``
    a box for a whole number, with ``low``, ``high`` and ``optional``;
``truth``
    a switch;
``choice``
    one of ``choices``, or none if ``optional``; ``names``, if any, are what is displayed for them;
``text``, ``list``, ``notation``
    a text box; ``choices``, if any, are suggestions;
``resources``
    rows of a name and a number;
``dice``, ``faces``
    dice by their sides, or by the faces that they show, which can be added and removed. A custom type has the control
    ``dice`` if it has ``sizes``, its dice by their sides, and ``with_sizes``, which returns a copy with other dice;
``places``
    a switch for each die of the field ``of``, with the ``sides`` of these dice where that is known;
``rows``
    records, with ``columns``, each described like a field; the first column names the row.

The last five have *parts*: their value as lists of texts and numbers, so that a front end parses nothing.
:func:`parts_of` splits a value into its parts, and :func:`value_from_parts` builds the value again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.render.text import parameter_label
from dicedocs.rules.description import describe
from dicedocs.rules.kinds import (
    BoolKind,
    ChoiceKind,
    CustomKind,
    DiceSizesKind,
    IntKind,
    Kind,
    ListKind,
    NoneKind,
    Places,
    PoolFacesKind,
    UnionKind,
    convert,
    spaced,
)
from dicedocs.rules.list_text import NOTHING
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.params import Param
from dicedocs.rules.record_kind import RecordKind
from dicedocs.rules.resources import Resources
from dicedocs.translation import Language, current_language, game_words, word

Control: TypeAlias = dict[str, Any]
"""A control as plain data."""
Parts: TypeAlias = list[Any]
"""The rows or dice of a control."""

_ANY_FACE: Final = "-"
_WHOLE: Final = IntKind()
_CACHED_FORMS: Final = 256
_SINGLE_BOX: Final = frozenset({"whole", "truth", "choice", "text", "list", "notation"})


def form_data(mechanic: type[Mechanic]) -> Mapping[str, Any]:
    """Return the description of a mechanic from which a front end builds its form, in the language of the reader.

    Returns:
        ``id``, ``title`` and ``help``; ``facts``, each with ``name``, ``label`` and ``help``; and
        ``fields``, as returned by :func:`field_data`.

    >>> from dicedocs.rules.registry import mechanic
    >>> [field["control"]["kind"] for field in form_data(mechanic("methuen/check"))["fields"]]
    ['notation', 'resources', 'resources']
    """
    return _form_data(mechanic, current_language())  # type: ignore[arg-type]  # mypy asks for the hash of its instances


@lru_cache(_CACHED_FORMS)
def _form_data(mechanic: type[Mechanic], _language: Language | None) -> Mapping[str, Any]:
    id = mechanic.id or mechanic.__name__
    facts = mechanic.result().facts_of.values()
    with game_words(mechanic):
        return {
            "id": id,
            "title": word(title(id)),
            "help": word(describe(mechanic).help),
            "facts": [{"name": fact.name, "label": word(fact.label), "help": word(fact.help)} for fact in facts],
            "fields": [_with_sides(field_data(field), mechanic) for field in mechanic.parameters().values()],
        }


def title(id: str) -> str:
    """Return an id as a title.

    >>> title("total-effect/roll")
    'Total effect: roll'
    """
    system, _, rule = id.replace("-", " ").partition("/")
    return f"{system.capitalize()}: {rule}" if rule else system


def field_data(field: Param) -> dict[str, Any]:
    """Return a field as plain data: name, label, help, control, whether it is required, and its default as text.

    The label says which fields are choices of the player, as pages do.

    One that is rarely changed also has ``advanced``.
    """
    data = {
        "name": field.name,
        "label": parameter_label(field),
        "help": word(field.help),
        "required": field.required,
        "default": "" if field.required else box_text(field, field.default),
        "control": control(field.kind),
    }
    return data | {"advanced": True} if field.advanced else data


def _with_sides(data: dict[str, Any], mechanic: type[Mechanic]) -> dict[str, Any]:
    """Return a field; one that is a switch for each die of another one has the sides of these dice."""
    pool = mechanic.parameters().get(data["control"].get("of", ""))
    if pool is not None and isinstance(pool.kind, PoolFacesKind):
        data["control"]["sides"] = pool.kind.sides
    return data


def box_text(field: Param, value: object) -> str:
    """Return the text of a value in its input box: empty for ``None`` where that is the default."""
    text = field.write(value)
    return "" if text == NOTHING and not field.required and value == field.default else text


def control(kind: Kind) -> Control:
    """Return the control for a kind of value.

    >>> from dicedocs.rules.annotations import kind_of
    >>> control(kind_of(int | None, low=1))
    {'kind': 'whole', 'low': 1, 'high': None, 'optional': True}
    """
    if isinstance(kind, UnionKind):
        return _union_control(kind)
    if isinstance(kind, IntKind):
        return {"kind": "whole", "low": kind.low, "high": kind.high, "optional": False}
    if isinstance(kind, BoolKind):
        return {"kind": "truth"}
    if isinstance(kind, ChoiceKind):
        return {"kind": "choice", **_choices(kind.words), "optional": False}
    if isinstance(kind, Places):
        return {"kind": "places", "of": kind.of}
    if isinstance(kind, PoolFacesKind):
        return {"kind": "faces"}
    if isinstance(kind, DiceSizesKind):
        return {"kind": "dice"}
    if isinstance(kind, ListKind):
        return _list_control(kind)
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return {"kind": "resources"}
    if _has_dice(kind):
        return {"kind": "dice"}
    return _notation_control(kind) if isinstance(kind, NotationKind) else {"kind": "text"}


def _notation_control(kind: NotationKind) -> Control:
    made: Control = {"kind": "notation"}
    if kind.snippets:
        made["snippets"] = [[text, word(meaning), replaces] for text, meaning, replaces in kind.snippets]
    return made | {"references": dict(kind.references)} if kind.references else made


def _choices(words: Iterable[str]) -> Control:
    """Return the choices of a control, with their names where these differ."""
    choices = list(words)
    names = list(map(word, choices))
    return {"choices": choices} if names == choices else {"choices": choices, "names": names}


def _has_dice(kind: Kind) -> bool:
    """Return whether a custom type has dice by their sides that can be replaced."""
    return isinstance(kind, CustomKind) and hasattr(kind.owner, "sizes") and hasattr(kind.owner, "with_sizes")


def _union_control(kind: UnionKind) -> Control:
    members = [member for member in kind.kinds if not isinstance(member, NoneKind)]
    optional = len(members) < len(kind.kinds)
    if len(members) == 1:
        only = control(members[0])
        if only["kind"] == "truth":
            return {"kind": "choice", **_choices(["true", "false"]), "optional": optional}
        if only["kind"] in {"whole", "choice"}:
            return {**only, "optional": optional}
        # A control with parts could not show the difference between None and an empty list.
        return only if only["kind"] == "notation" else {"kind": "text"}
    words = [word for member in members if isinstance(member, ChoiceKind) for word in member.words]
    return {"kind": "text", "choices": words} if words else {"kind": "text"}


def _list_control(kind: ListKind) -> Control:
    inner = kind.kind
    if isinstance(inner, RecordKind):
        return {"kind": "rows", "columns": [_column(inner, name) for name in inner.kinds]}
    return {"kind": "list", "choices": list(inner.words)} if isinstance(inner, ChoiceKind) else {"kind": "list"}


def _column(row: RecordKind, name: str) -> dict[str, Any]:
    inner = control(row.kinds[name])
    return {
        "name": name,
        "label": word(spaced(name).capitalize()),
        "help": "",
        "required": name not in row.defaults,
        "default": _default_text(row, name),
        "control": inner if inner["kind"] in _SINGLE_BOX else {"kind": "text"},
    }


def _cell_text(row: RecordKind, name: str, value: object) -> str:
    text = row.kinds[name].write(value)
    return "" if text == NOTHING else text


def parts_of(kind: Kind, value: Any) -> Parts | None:
    """Return the parts of a value, or ``None`` for a kind whose control is a single box.

    >>> parts_of(PoolFacesKind(), (4, None))
    ['4', '-']
    """
    if isinstance(kind, Places | DiceSizesKind):
        return list(value)
    if _has_dice(kind):
        return list(value.sizes)
    if isinstance(kind, PoolFacesKind):
        return [_ANY_FACE if face is None else str(face) for face in value]
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return [{"name": name, "value": str(number)} for name, number in value.items()]
    if isinstance(kind, ListKind) and isinstance(kind.kind, RecordKind):
        row = kind.kind
        return [{name: _cell_text(row, name, getattr(record, name)) for name in row.kinds} for record in value]
    return None


def value_from_parts(kind: Kind, parts: object, current: Any = None) -> object:
    """Return the value that a control's parts stand for; empty rows are ignored.

    Parameters:
        parts: in the form returned by :func:`parts_of`.
        current: the current value; a custom type keeps the rest of it when its dice change.

    Raises:
        ParameterError: a part is not valid.
        LimitError: there are more than ``ITEMS`` parts.

    >>> value_from_parts(PoolFacesKind(), ["4", ""])
    (4, None)
    """
    if not isinstance(parts, list | tuple):
        raise ParameterError("the parts are not a list")
    limits.ITEMS.check(len(parts))
    if isinstance(kind, PoolFacesKind):
        return convert(kind, [kind.kind.read(_cell(face) or _ANY_FACE) for face in parts])
    if isinstance(kind, CustomKind) and issubclass(kind.owner, Resources):
        return Resources.from_pairs(_resource_pairs(parts))
    if _has_dice(kind):
        return current.with_sizes(DiceSizesKind().accept(tuple(parts)))
    if isinstance(kind, ListKind) and isinstance(kind.kind, RecordKind):
        row = kind.kind
        return convert(kind, [_record(row, n, cells) for n, cells in enumerate(parts, 1) if _is_filled(row, cells)])
    return convert(kind, list(parts))


def _cell(value: object) -> str:
    """Return the text of a cell, which is text or a number."""
    if type(value) is str:
        return value.strip()
    if type(value) is not int:
        raise ParameterError(f"{quoted(value)} is neither text nor a number")
    return str(_WHOLE.accept(value))


def _resource_pairs(rows: Sequence[object]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if not isinstance(row, Mapping):
            raise ParameterError("a row is not a name with its value")
        name, number = (_cell(row.get(cell, "")) for cell in ("name", "value"))
        if name and not number:
            raise ParameterError(f"{quoted(name)} has no value", hint="write a whole number beside it")
        if name:
            yield name, number
        elif number not in {"", "0"}:
            raise ParameterError(f"the value {quoted(number)} has no name", hint="write its name beside it")


def _is_filled(row: RecordKind, cells: object) -> bool:
    if not isinstance(cells, Mapping):
        raise ParameterError("a row is not a record")
    texts = ((name, _cell(cells.get(name, ""))) for name in row.kinds)
    return any(text and text != _default_text(row, name) for name, text in texts)


def _default_text(row: RecordKind, name: str) -> str:
    return _cell_text(row, name, row.defaults[name]) if name in row.defaults else ""


def _record(row: RecordKind, number: int, cells: Mapping[str, object]) -> object:
    name = _cell(cells.get(row.name, ""))
    title = quoted(name) if name else f"row {number}"
    values: dict[str, object] = {}
    for name, kind in row.kinds.items():
        text = _cell(cells.get(name, ""))
        if not text and name in row.defaults:
            continue
        if not text:
            raise ParameterError(f"{title} has no {spaced(name)}", hint=f"write {kind.expects}")
        try:
            values[name] = convert(kind, text)
        except ParameterError as error:
            raise ParameterError(f"{title}, {spaced(name)}: {error.message}", hint=error.hint) from None
    return row.record(**values)
