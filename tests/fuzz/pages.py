"""A page of a book with one hostile directive, read and written by Sphinx."""

from __future__ import annotations

import io
import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dicedocs.scenes.scene import character_key

_LOG: Final = io.StringIO()
_TIMES: Final = count(1_000_000_000, 10)
CONF: Final = """
extensions = ['dicedocs_sphinx', 'myst_parser']
html_theme = 'basic'
html_copy_source = False
html_use_index = False
exclude_patterns = ['_build']
"""


@cache
def _application(process: int) -> Sphinx:
    """Return the application of a process, which a fork of it does not share, since it writes files."""
    folder = Path(tempfile.mkdtemp())
    (folder / "conf.py").write_text(CONF, encoding="utf-8")
    for name in ("index.rst", "rst.rst", "md.md"):
        (folder / name).write_text("", encoding="utf-8")
    # For the whole life of the process, so neither context is left.
    patch_docutils(str(folder)).__enter__()
    docutils_namespace().__enter__()
    app = Sphinx(folder, folder, folder / "_build", folder / "_build", "html", status=None, warning=_LOG)
    app.builder.search = False  # type: ignore[attr-defined]  # the builder of HTML has it
    return app


def source(language: str, name: str, argument: str, options: Mapping[str, str], body: str) -> str:
    """Return a page with a directive."""
    if language == "md":
        head = "".join(f":{option}: {value}\n" for option, value in options.items())
        return f"# Page\n\n```{{dice:{name}}} {argument}\n{head}\n{body}\n```\n\n{{dice:roll}}`{body}`\n"
    indented = "".join(f"   {line}\n" for line in body.splitlines())
    return f"Page\n====\n\n{_directive(name, argument, options)}\n{indented}\n:dice:roll:`{body}`\n"


def _directive(name: str, argument: str, options: Mapping[str, str]) -> str:
    """Return a directive of reStructuredText without a body."""
    head = "".join(f"   :{option}: {value}\n" for option, value in options.items())
    return f".. dice:{name}:: {argument}\n{head}"


def build_page(language: str, name: str, argument: str, options: Mapping[str, str], body: str) -> str:
    """Return the HTML of the body of a page with a directive."""
    return _build(language, source(language, name, argument, options, body))


def build_scene(
    cast: Mapping[str, str],
    tracks: Mapping[str, str],
    blocks: Iterable[tuple[str, str, Mapping[str, str]]],
    role: str,
    words: str,
) -> str:
    """Return the HTML of the body of a page with a scene.

    Parameters:
        cast: the values of each character.
        tracks: the value of each track.
        blocks: the directives of the scene: their names, arguments and options.
        role: the role at the end, in the text.
        words: what it names.
    """
    people = [("character", name, {"name": character_key(name), "values": values}) for name, values in cast.items()]
    counted = ", ".join(f"{name} {track}" for name, track in tracks.items())
    scene = ("scene", "", {"cast": ", ".join(map(character_key, cast)), "tracks": counted})
    rolled = {"mechanic": "dice/check", "check": "1d20 >= 12", "seed": "7"}
    first = ("example", "", {"name": "first"})
    directives = (
        _directive(name, argument, {**(rolled if name == "example" else {}), **options})
        for name, argument, options in [*people, scene, first, *blocks]
    )
    return _build("rst", "Page\n====\n\n" + "\n".join([*directives, f":dice:{role}:`{words}`\n"]))


def build_table(language: str, options: Mapping[str, str], rows: Sequence[Sequence[str]]) -> str:
    """Return the HTML of the body of a page with a table that is rolled on.

    Parameters:
        options: those of the directive.
        rows: the cells of each row, the heads first.
    """
    given = "".join(f":{name}: {text}\n" for name, text in options.items())
    # docutils itself makes a link of any address in a cell.
    rows = [[cell.replace("javascript:", "") for cell in cells] for cells in rows]
    if language == "md":
        lines = [f"| {' | '.join(cell.replace('|', '') for cell in cells)} |" for cells in rows]
        lines.insert(1, f"|{'---|' * len(rows[0])}")
        return _build("md", f"# Page\n\n```{{dice:mechanic}} a/table\n{given}```\n\n" + "\n".join(lines) + "\n")
    cells = "".join(f"   {'  ' if at else '* '}- {cell}\n" for row in rows for at, cell in enumerate(row))
    table = f".. list-table::\n   :header-rows: 1\n\n{cells}"
    return _build("rst", f"Page\n====\n\n{_directive('mechanic', 'a/table', options)}\n{table}")


def build_rule(language: str, options: Mapping[str, str], lines: Sequence[str]) -> str:
    """Return the HTML of the body of a page with a rule of lines, and what is rolled and counted by it.

    Parameters:
        options: those of the directive.
        lines: the lines.
    """
    given = "".join(f":{name}: {text}\n" for name, text in options.items())
    asked = {"example": {"mechanic": "a/rule", "seed": "7"}, "odds": {"mechanic": "a/rule"}}
    if language == "md":
        below = "".join(
            f"```{{dice:{name}}}\n{''.join(f':{key}: {text}{chr(10)}' for key, text in chosen.items())}```\n\n"
            for name, chosen in asked.items()
        )
        return _build("md", f"# Page\n\n````{{dice:mechanic}} a/rule\n{given}\n{chr(10).join(lines)}\n````\n\n{below}")
    body = "".join(f"   {line}\n" for line in lines)
    below = "\n".join(_directive(name, "", chosen) for name, chosen in asked.items())
    return _build("rst", f"Page\n====\n\n{_directive('mechanic', 'a/rule', options)}\n{body}\n{below}")


def _build(language: str, text: str) -> str:
    app = _application(os.getpid())
    page = Path(app.srcdir) / ("md.md" if language == "md" else "rst.rst")
    page.write_bytes(text.encode("utf-8", "replace"))
    os.utime(page, (time := next(_TIMES), time))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        app.build(filenames=[page])
    printed = _LOG.getvalue()
    _LOG.seek(0)
    _LOG.truncate()
    assert "Traceback" not in printed, printed
    html = (Path(app.outdir) / f"{page.stem}.html").read_text("utf-8")
    return html.partition('<div class="body"')[2].partition('<div class="sphinxsidebar"')[0]
