"""Make the interface ``Message`` of the page's types from the message that Python reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from dicedocs.panel.wire import Action, Message

WIRE: Final = Path(__file__).resolve().parents[1] / "widgets/dicedocs_widgets/static/wire.d.ts"
_INTERFACE: Final = re.compile(r"(?<=export interface Message \{\n).*?(?=^\})", re.DOTALL | re.MULTILINE)
_ITEM: Final = re.compile(r"^    (\w+): (.*?)(?=^    \w|\Z)", re.DOTALL | re.MULTILINE)
_ALWAYS_SENT: Final = frozenset({"do", "view", "n", "texts", "parts"})
_TYPES: Final[Mapping[Any, str]] = {str: "string", int: "number", bool: "boolean", Sequence[int]: "number[]"}


def wire() -> str:
    """Return the types of the page with the present message."""
    return _INTERFACE.sub(lambda _match: "".join(_lines()), WIRE.read_text("utf-8"))


def _lines() -> Iterator[str]:
    hints, helps = get_type_hints(Message), dict(_ITEM.findall(cleandoc(Message.__doc__ or "")))
    for name in Message._fields:
        help = " ".join(helps[name].split()).replace("``", "`")
        yield f"  /** {help[0].upper()}{help[1:]} */\n"
        kind = " | ".join(f'"{each}"' for each in get_args(Action)) if name == "do" else _type(name, hints[name])
        yield f"  {name}{'' if name in _ALWAYS_SENT else '?'}: {kind};\n"


def _type(name: str, hint: Any) -> str:
    if get_origin(hint) is UnionType:
        hint = next(one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is Mapping:
        return f"Record<string, {'Parts' if name == 'parts' else 'string'}>"
    return _TYPES[hint]


if __name__ == "__main__":
    WIRE.write_text(wire(), "utf-8")
