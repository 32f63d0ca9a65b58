"""What all panels share: one model with the module, its styles, and the form of each mechanic.

A widget's front end is part of its state, so a copy in each panel would stand in every saved notebook.
Here each panel has only a loader, which finds this model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import traitlets as t
from ipywidgets import Widget

from dicedocs.render.html import stylesheet


class Front(Widget):
    """The model that all panels share."""

    js = t.Unicode(help="the module").tag(sync=True)
    css = t.Unicode(help="its styles, and those of an outcome").tag(sync=True)
    hash = t.Unicode(help="what both are known by in a page").tag(sync=True)
    forms = t.Dict(help="the form of each mechanic, by its key").tag(sync=True)
    shapes = t.Dict(help="drawings of dice, to be filled in").tag(sync=True)


_shared: list[Front] = []


def front(form: Mapping[str, Any]) -> tuple[Front, str]:
    """Give the model that all panels share, holding a form, and the key of the form.

    Parameters:
        form: as :meth:`dicedocs.session.Session.form` gives it.
    """
    if not _shared or _shared[0].comm is None:
        js = "\n".join(_lines(_static("panel.mjs")))
        css = "\n".join(_lines(stylesheet() + _static("panel.css")))
        _shared[:] = [Front(js=js, css=css, hash=_hash(js + css), shapes=form["shapes"])]
    shared = _shared[0]
    own = {name: held for name, held in form.items() if name != "shapes"}
    key = _hash(json.dumps(own))
    if key not in shared.forms:
        shared.forms = {**shared.forms, key: own}
    return shared, key


@cache
def loader() -> str:
    """Give the module that stands in each panel; JSON escapes no single quotes."""
    return "".join(_lines(_static("stub.mjs"))).replace('"', "'")


def _lines(text: str) -> Iterator[str]:
    """Give the lines of a script or of styles, without indents and without comments that have a line of their own."""
    comment = False
    for line in map(str.strip, text.splitlines()):
        comment = comment or line.startswith("/*")
        if not comment and line and not line.startswith("//"):
            yield line
        comment = comment and not line.endswith("*/")


@cache
def _static(name: str) -> str:
    return files("dicedocs_widgets").joinpath("static", name).read_text("utf-8")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
