"""The deck of a page: rolls of its examples that were played while the book was built.

The first press shows one of them at once; from a file, or where Python cannot be had, they are all there is.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

from dicedocs import DiceError
from dicedocs.render.page_example import PageExample
from dicedocs.scenes.page_text import PageText
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.rolling.site_files import remove_site_file, write_site_file
from dicedocs_sphinx.settings import settings_of

_EXAMPLE: Final = re.compile(' data-dice(?P<in_text>-roll)?="(?P<data>[^"]*)"')


def write_deck(app: Sphinx, page: str, body: str, folder: Path) -> str:
    """Write the deck of a page, and return its address in a folder; empty without a deck.

    It is a script, since a page from a file can load nothing else, and its address has the digest of what is in it, so
    that no page shows the deck of another build.
    """
    name = f"decks/{page.replace('/', '-')}"
    rolls = _rolls(app, body)
    text = f"globalThis.dicedocsDeck = {json.dumps(rolls, ensure_ascii=False)};\n".encode()
    address = f"{name}.{hashlib.sha256(text).hexdigest()[:12]}.js" if rolls else ""
    for old in folder.glob(f"{name}.*.js"):
        if old != folder / address:
            remove_site_file(old)
    if address:
        write_site_file(folder / address, text)
    return address


def _rolls(app: Sphinx, body: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rolls of each example of a page, by the key that the script of the page gives it."""
    from dicedocs.panel.played_example import rolled_ahead

    settings = settings_of(app.config)
    count = settings.deck
    rolls: dict[str, list[dict[str, Any]]] = {}
    numbers = {"": 0, "roll ": 0}
    for found in _EXAMPLE.finditer(body):
        kind = "roll " if found["in_text"] else ""
        key = f"{kind}{numbers[kind]}"
        numbers[kind] += 1
        data = json.loads(unescape(found["data"]))
        if count > 0 and (kind or data["chance"]):
            example, text = PageExample.from_data(data["example"]), None
            if not kind:
                text = PageText.from_data(data["text"])
                if "beat" in data:
                    # What it changes is only known where the whole story is played.
                    text = text._replace(choice="book")
            # With other dice it may have no outcome; the press then says so.
            with suppress(DiceError), contained(settings.seconds):
                rolls[key] = rolled_ahead(example, data["name"] or example.title, count, text, in_text=bool(kind))
    return rolls
