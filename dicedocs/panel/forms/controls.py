"""A mechanic as plain data for its form: its fields, each with the control of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from dicedocs.render.text import parameter_label
from dicedocs.rules.description import describe
from dicedocs.rules.kinds import PoolFacesKind
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param
from dicedocs.translation import Language, current_language, game_words, word

_CACHED_FORMS: Final = 256


def form_data(mechanic: type[Mechanic]) -> Mapping[str, Any]:
    """Return the description of a mechanic from which a front end builds its form, in the language of the reader.

    Returns:
        ``id``, ``title`` and ``help``; ``facts``, each with its label; and ``fields``, as returned by
        :func:`field_data`.

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
            "facts": {fact.name: word(fact.label) for fact in facts},
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
        "control": field.kind.control(),
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
