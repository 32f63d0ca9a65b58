"""The language of a book, in which all that its blocks and roles display is written.

Sphinx has catalogues for extensions (``app.add_message_catalog``), which only code that imports Sphinx can read. Most
of our texts are the core's and the games', so all of them, the extension's too, are in the catalogues of
:mod:`dicedocs.translation`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.registry import systems
from dicedocs.translation import CORE_DOMAIN, SOURCE_LANGUAGE, current_language, game_words, language, reload_catalogues
from dicedocs_sphinx.blocks.base import Block

_CATALOGUES: Final = "_dicedocs_catalogues"
"""A setting of our own: the digest of the catalogues of a book, with which Sphinx reads all pages again."""


@contextmanager
def book_language(env: BuildEnvironment) -> Iterator[None]:
    """Display everything in the language of a book in a ``with`` statement; its own catalogues come first."""
    with language(env.config.language or SOURCE_LANGUAGE, map(str, catalogue_folders(Path(env.srcdir), env.config))):
        yield


def catalogue_folders(source: Path, config: Config) -> list[Path]:
    """Return the folders of a book that may have catalogues."""
    return [folder for name in config.locale_dirs if (folder := source / name).is_dir()]


@contextmanager
def block_words(block: Block) -> Iterator[None]:
    """Translate the words of the game that a block is about in a ``with`` statement."""
    rule: object = None
    if current_language() is not None and (id := block.mechanic):
        try:
            rule = mechanic_of(id)
        except Exception:  # noqa: BLE001  # the check of the block reports it
            rule = None
    with game_words(rule):
        yield


def note_catalogues(app: Sphinx, config: Config) -> None:
    """Note the state of the book's own catalogues of our texts; Sphinx compiles them after the configuration."""
    reload_catalogues()
    digest = hashlib.sha256()
    for folder in catalogue_folders(Path(app.srcdir), config):
        for domain in sorted({CORE_DOMAIN, *systems()}):
            for file in sorted(folder.glob(f"*/LC_MESSAGES/{domain}.[mp]o")):
                if file.suffix == ".po" or not file.with_suffix(".po").exists():
                    digest.update(file.read_bytes())
    config[_CATALOGUES] = digest.hexdigest()


def setup_book_language(app: Sphinx) -> None:
    app.add_config_value(_CATALOGUES, "", "env", str, "the state of the book's catalogues of our texts")
    app.connect("config-inited", note_catalogues)
