"""Update the catalogues of all languages: extract the messages from the code, merge them, and compile.

A message that is new or has changed stands in the catalogues without a translation; a test names it. The messages of
a game that no tool can find, such as those that a function of the game returns, are added to its catalogues by hand;
they stay there as long as their texts are in its module.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from dicedocs.cli.game_messages import game_messages

ROOT: Final = Path(__file__).resolve().parents[1]
CORE: Final = "dicedocs"
"""The text domain of the core, the extension and the widgets."""
SOURCES: Final = ("dicedocs", "sphinx_ext/dicedocs_sphinx", "widgets/dicedocs_widgets")
GAMES: Final = ROOT / "dicedocs" / "systems"
NOTATION: Final = ROOT / "dicedocs" / "expression"
PANELS: Final = ROOT / "widgets" / "dicedocs_widgets" / "panels"
HEADER: Final = "# Messages of dicedocs; `make messages` updates and compiles them.\n#"
SINGLE: Final = frozenset({"_", "gettext", "mark"})
"""The functions whose first argument is a message."""


class Message(NamedTuple):
    """A message, its plural if it depends on a number, its context, and the file it is in."""

    id: str
    plural: str
    context: str | None
    file: str


@cache
def core_messages() -> list[Message]:
    """Return the messages of the core, the extension and the widgets."""
    paths = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    return [message for path in paths if not path.is_relative_to(GAMES) for message in _messages_in(path)]


def _messages_in(path: Path) -> Iterator[Message]:
    # Babel's own reader does not look into f-strings.
    file = path.relative_to(ROOT).as_posix()
    text = path.read_text("utf-8")
    if "from dicedocs.translation import" not in text:
        return
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        constants = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        texts = [value for value in constants if isinstance(value, str)]
        if name in SINGLE and texts:
            yield Message(texts[0], "", None, file)
        elif name == "ngettext" and len(texts) == 2:
            yield Message(texts[0], texts[1], None, file)
        elif name == "pgettext" and len(texts) == 2:
            yield Message(texts[1], "", texts[0], file)


def template(domain: str, present: Catalog) -> Catalog:
    """Return the messages of a text domain, without translations.

    Parameters:
        domain: the text domain.
        present: its catalogue in one language, for the messages that were added by hand.
    """
    catalog = Catalog(project=CORE, fuzzy=False)
    found = core_messages() if domain == CORE else _game_messages(domain, present)
    for id, plural, context, file in found:
        catalog.add((id, plural) if plural else id, locations=[(file, 0)], context=context)
    return catalog


def _game_messages(system: str, present: Catalog) -> Iterator[Message]:
    """Yield the messages of a game, and those added by hand whose texts are still in its module or its panel."""
    name = system.replace("-", "_")
    files = [path for folder in (GAMES, PANELS) if (path := folder / f"{name}.py").exists()]
    files = files or [NOTATION / name for name in ("roll_and_check.py", "roll.py")]
    sources = {path: path.read_text("utf-8") for path in files}
    for text in game_messages(system):
        yield Message(text, "", None, files[0].relative_to(ROOT).as_posix())
    for message in present:
        pieces = [piece.strip() for piece in re.split(r"{\w+}", str(message.id)) if piece.strip()]
        for path, source in sources.items():
            if pieces and all(piece in source for piece in pieces):
                yield Message(str(message.id), "", None, path.relative_to(ROOT).as_posix())
                break


def catalogues() -> Iterator[Path]:
    """Yield the catalogues of all languages and text domains."""
    for folder in (ROOT / CORE / "locale", NOTATION / "locale", GAMES / "locale"):
        yield from sorted(folder.glob("*/LC_MESSAGES/*.po"))


def read(path: Path) -> Catalog:
    """Return a catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=path.stem)


def compiled(catalog: Catalog) -> bytes:
    """Return a catalogue as it is compiled."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def update(path: Path) -> None:
    """Merge the present messages into a catalogue, and compile it."""
    catalog = read(path)
    created = catalog.creation_date
    catalog.update(template(path.stem, catalog), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    # Otherwise every run would change every catalogue.
    catalog.creation_date = created
    catalog.header_comment = HEADER
    catalog.project, catalog.version = CORE, "0.1"
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
    with path.open("wb") as file:
        write_po(file, catalog, width=100, include_lineno=False, omit_header=False, sort_output=False)
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def create(code: str) -> None:
    """Create the catalogues of a language that does not have them: those that the other languages have."""
    for path in list(catalogues()):
        own = path.parents[2] / code / "LC_MESSAGES" / path.name
        if not own.exists():
            own.parent.mkdir(parents=True, exist_ok=True)
            with own.open("wb") as file:
                write_po(file, Catalog(locale=code, fuzzy=False))


def main() -> None:
    """Update the catalogues, after creating those of the languages that are named as arguments."""
    for code in sys.argv[1:]:
        create(code)
    for path in catalogues():
        update(path)
        catalog = read(path)
        missing = sum(not message.string or not all(message.string) for message in catalog if message.id)
        print(f"{path.relative_to(ROOT)}: {len(catalog)} messages, {missing} without a translation")


if __name__ == "__main__":
    main()
