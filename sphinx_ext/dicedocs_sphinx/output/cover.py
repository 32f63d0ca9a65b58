"""The cover and the title page of a book in LaTeX, from the setting ``dicedocs_cover``.

Title, author and release are those that Sphinx knows. ``dicedocs.sty`` lays them out, so that a book can change that.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import near, quoted
from dicedocs.render.latex import latex_text
from dicedocs.render.tikz import die_tikz
from dicedocs.rules.record import Die
from dicedocs_sphinx.diagnostics import report_configuration, with_hint
from dicedocs_sphinx.settings import settings_of

_SETTING: Final = "dicedocs_cover"
_KEYS: Final = ("picture", "subtitle", "publisher", "legal")
_FORMATS: Final = (".png", ".jpg", ".jpeg", ".pdf")
_FACES: Final = {4: 2, 6: 5, 8: 7, 10: 3, 12: 11, 20: 17}
"""The dice of a cover without a picture, with their faces."""


def choose_cover(app: Sphinx, config: Config) -> None:
    """Let the document begin with its cover; what is wrong in the setting is reported and left out."""
    wanted = settings_of(config).cover
    if not wanted or "maketitle" in config.latex_elements:
        return
    texts = {key: text for key, text in wanted.items() if key in _KEYS and isinstance(text, str)}
    for key in wanted.keys() - texts.keys():
        report_configuration(app, _wrong_entry(key))
    picture = _picture(app, texts.get("picture", ""))
    file, dice = ("", _dice()) if picture is None else (_copy_name(picture), "")
    subtitle, publisher, legal = (_paragraphs(texts.get(key, "")) for key in _KEYS[1:])
    cover = rf"\dicecover{{{file}}}{{{dice}}}{{{subtitle}}}"
    title_page = rf"\dicetitlepage{{{subtitle}}}{{{publisher}}}{{{legal}}}"
    config.latex_elements = {**config.latex_elements, "maketitle": f"{cover}\n{title_page}"}


def copy_picture(app: Sphinx) -> None:
    """Copy the picture beside the document, under a name that needs no escaping."""
    picture = _path(app, settings_of(app.config).cover.get("picture"))
    if app.builder.format == "latex" and picture is not None and not _fault(picture):
        shutil.copyfile(picture, app.outdir / _copy_name(picture))


def _picture(app: Sphinx, name: str) -> Path | None:
    picture = _path(app, name)
    fault = _fault(picture) if picture is not None else ""
    if fault:
        report_configuration(app, f"{_SETTING}: the picture {quoted(name)} {fault}")
    return None if fault else picture


def _path(app: Sphinx, name: object) -> Path | None:
    return Path(app.confdir, name) if isinstance(name, str) and name else None


def _fault(picture: Path) -> str:
    """Return what is wrong with a picture; empty if nothing is."""
    if picture.suffix.lower() not in _FORMATS:
        return f"has a format that LaTeX cannot read; write the name of a file that ends in {', '.join(_FORMATS)}"
    return "" if picture.is_file() else "is not there; write its path from the folder of conf.py"


def _dice() -> str:
    return r"\hspace{1em}".join(die_tikz(Die(sides, face)) for sides, face in _FACES.items())


def _wrong_entry(key: object) -> str:
    if key in _KEYS:
        return f"{_SETTING}: {quoted(key)} is no text"
    return with_hint(f"{_SETTING}: there is no {quoted(key)}", near(str(key), _KEYS))


def _copy_name(picture: Path) -> str:
    return f"dicedocs-cover{picture.suffix.lower()}"


def _paragraphs(text: str) -> str:
    return r"\par ".join(map(latex_text, filter(str.strip, text.splitlines())))


def setup_cover(app: Sphinx) -> None:
    app.connect("config-inited", choose_cover)
    app.connect("builder-inited", copy_picture)
