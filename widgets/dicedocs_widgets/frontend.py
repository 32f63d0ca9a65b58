"""The front end that all panels share: one model with the module, its styles, and the form of each mechanic.

The front end of a widget is part of its state, so a saved notebook would contain a copy for each panel. Instead, each
panel has only a stub, which loads the module from this model.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from typing import Any

import traitlets as t
from ipywidgets import Widget


class SharedFrontend(Widget):
    """The model that all panels share."""

    unpack = t.Unicode(help="a module that unpacks the rest").tag(sync=True)
    packed = t.Unicode(help="the module, NUL and its styles, as gzip in base64").tag(sync=True)
    hash = t.Unicode(help="the key of module and styles in a page").tag(sync=True)
    forms = t.Dict(help="the form of each mechanic, by its key").tag(sync=True)
    shapes = t.Dict(help="templates of the drawings of dice").tag(sync=True)


_shared: list[SharedFrontend] = []


def shared_frontend(form: Mapping[str, Any]) -> tuple[SharedFrontend, str]:
    """Return the model that all panels share, with a form added, and the key of the form.

    Parameters:
        form: the form, as returned by :meth:`dicedocs.panel.session.Session.form`.
    """
    if not _shared or _shared[0].comm is None:
        hash = _hash(_source())
        _shared[:] = [SharedFrontend(unpack=_static("unpack.mjs"), packed=packed(), hash=hash, shapes=form["shapes"])]
    shared = _shared[0]
    own = {name: item for name, item in form.items() if name != "shapes"}
    key = _hash(json.dumps(own))
    if key not in shared.forms:
        shared.forms = {**shared.forms, key: own}
    return shared, key


@cache
def packed() -> str:
    """Return the module and its styles as they are sent and saved; the bytes depend on the version of zlib."""
    return b64encode(compress(_source().encode(), mtime=0)).decode()


@cache
def stub() -> str:
    """Return the module of each panel on one line, with single quotes, which JSON does not escape."""
    lines = map(str.strip, _static("stub.mjs").splitlines())
    return "".join(line for line in lines if not line.startswith(("//", "/*"))).replace('"', "'")


def _source() -> str:
    return f"{_static('panel.mjs')}\0{_static('panel.css')}"


@cache
def _static(name: str) -> str:
    return files("dicedocs_widgets").joinpath("static", name).read_text("utf-8")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
