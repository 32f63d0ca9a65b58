"""The front end that all panels share: one model with the module, its styles, and the form of each mechanic.

The front end of a widget is part of its state, so a saved notebook would contain a copy for each panel. Instead, each
panel has only a stub, which loads the module from this model. The state of this model is what shows a panel; what plays
one is needed only where Python is, which sends it as a message, so that no notebook saves it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import traitlets as t
from ipywidgets import Widget

from dicedocs.render.html import verdict_colours
from dicedocs_widgets.packing import pack, pack_data, packed_bytes

_IMPORT: Final = re.compile(r'^import {.+} from "\./(\w+\.mjs)";\n', re.MULTILINE)
_COMMENT: Final = re.compile(r"^\s*(?://.*|/\*.*\*/)$")


class SharedFrontend(Widget):
    """The model that all panels share."""

    unpack = t.Unicode(help="a module that unpacks the rest").tag(sync=True)
    packed = t.Unicode(help="the module, its styles and the templates of the drawings of dice, packed").tag(sync=True)
    hash = t.Unicode(help="the key of modules and styles in a page").tag(sync=True)
    forms = t.Dict(help="the form of each mechanic, packed, by its key").tag(sync=True)
    texts = t.Dict(help="the texts of the page, packed, by their language").tag(sync=True)

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        self.on_msg(self._receive)

    def _receive(self, _: object, _message: object, _buffers: object) -> None:
        self.send({"module": self.hash}, [packed_bytes(playing_source())])


_shared: list[SharedFrontend] = []


def shared_frontend(form: Mapping[str, Any]) -> tuple[SharedFrontend, str]:
    """Return the model that all panels share, with a form added, and the key of the form.

    Parameters:
        form: the form, as returned by :meth:`dicedocs.panel.forms.session.Session.form`.
    """
    gone = [one for one in _shared if _is_gone(one)]
    if not _shared or gone:
        shapes = json.dumps(form["shapes"], separators=(",", ":"))
        hash = _hash(_source() + playing_source() + shapes)
        _shared[:] = [SharedFrontend(unpack=_code(_static("unpack.mjs")), packed=_packed(shapes), hash=hash)]
        for one in gone:
            if one.comm is not None:
                # Its panels are still there, and an evening shows them with the new model.
                _shared[0].texts, _shared[0].forms = one.texts, one.forms
    shared = _shared[0]
    own = {name: item for name, item in form.items() if name not in {"shapes", "texts"}}
    if form["language"] not in shared.texts:
        # Before the form: a page takes the form to be complete.
        shared.texts = {**shared.texts, form["language"]: pack_data(form["texts"])}
    key = _hash(json.dumps(own))
    if key not in shared.forms:
        shared.forms = {**shared.forms, key: pack_data(own)}
    return shared, key


def _is_gone(shared: SharedFrontend) -> bool:
    """Return whether the page no longer has a model.

    marimo closes the comm of a model, not the model itself, when the cell that made it is run again.
    """
    return shared.comm is None or getattr(shared.comm, "_closed", False)


def _packed(shapes: str) -> str:
    return pack(f"{_source()}\0{shapes}")


@cache
def stub() -> str:
    """Return the module of each panel on one line, with single quotes, which JSON does not escape."""
    return _code(_static("stub.mjs")).replace("\n", "").replace('"', "'")


@cache
def joined(name: str) -> str:
    """Return a module of the static files together with all that it imports, as one module.

    A module that is loaded from text has no address, so that it cannot import another one.

    Parameters:
        name: the file name of a module; what it exports is exported.

    >>> "import" in joined("own_game.mjs"), joined("own_game.mjs").count("export")
    (False, 1)
    """
    before = [_IMPORT.sub("", _static(one)).replace("\nexport const ", "\nconst ") for one in imports(name)]
    return _code("".join([*before, _IMPORT.sub("", _static(name))]))


def imports(name: str) -> list[str]:
    """Return the file names of the modules that a module imports, directly or not, each after those that it imports.

    Parameters:
        name: the file name of the module.

    >>> imports("errors.mjs")
    ['elements.mjs']
    """
    found: dict[str, None] = {}
    for one in _IMPORT.findall(_static(name)):
        found.update(dict.fromkeys([*imports(one), one]))
    return list(found)


def playing_source() -> str:
    """Return the module and the styles that play a panel, which are sent to a page."""
    return f"{joined('panel.mjs')}\0{_code(_static('controls.css'))}"


def _source() -> str:
    return f"{joined('start.mjs')}\0{_code(verdict_colours() + _static('panel.css'))}"


def _code(text: str) -> str:
    """Return JavaScript or CSS without indentation and without the lines that are comments."""
    return "\n".join(line.strip() for line in text.splitlines() if not _COMMENT.match(line))


@cache
def _static(name: str) -> str:
    return files("dicedocs_widgets").joinpath("static", name).read_text("utf-8")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
