"""What all panels share: one model with the module, its styles, and the form of each mechanic.

A widget's front end is part of its state, so a copy in each panel would stand in every saved notebook.
Here each panel has only a stub, which finds this model and what it holds.
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


class Front(Widget):
    """The model that all panels share."""

    unpack = t.Unicode(help="a module that unpacks the rest").tag(sync=True)
    packed = t.Unicode(help="the module, NUL and its styles, as gzip in base64").tag(sync=True)
    hash = t.Unicode(help="what both are known by in a page").tag(sync=True)
    forms = t.Dict(help="the form of each mechanic, by its key").tag(sync=True)
    shapes = t.Dict(help="drawings of dice, to be filled in").tag(sync=True)


_shared: list[Front] = []


def front(form: Mapping[str, Any]) -> tuple[Front, str]:
    """Give the model that all panels share, holding a form, and the key of the form.

    Parameters:
        form: as :meth:`dicedocs.panel.session.Session.form` gives it.
    """
    if not _shared or _shared[0].comm is None:
        _shared[:] = [
            Front(unpack=_static("unpack.mjs"), packed=packed(), hash=_hash(_source()), shapes=form["shapes"])
        ]
    shared = _shared[0]
    own = {name: held for name, held in form.items() if name != "shapes"}
    key = _hash(json.dumps(own))
    if key not in shared.forms:
        shared.forms = {**shared.forms, key: own}
    return shared, key


@cache
def packed() -> str:
    """Give the module and its styles as they are sent and saved; another zlib may pack them otherwise."""
    return b64encode(compress(_source().encode(), mtime=0)).decode()


@cache
def stub() -> str:
    """Give the module that stands in each panel, on one line; JSON escapes no single quotes."""
    lines = map(str.strip, _static("stub.mjs").splitlines())
    return "".join(line for line in lines if not line.startswith(("//", "/*"))).replace('"', "'")


def _source() -> str:
    return f"{_static('panel.mjs')}\0{_static('panel.css')}"


@cache
def _static(name: str) -> str:
    return files("dicedocs_widgets").joinpath("static", name).read_text("utf-8")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
