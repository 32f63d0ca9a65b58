"""``dicedocs new``: a rulebook to start from, with a game of its own."""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from importlib.metadata import distribution
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Final

from dicedocs import ParameterError
from dicedocs.cli.commands import ExitStatus
from dicedocs.errors import printable, quoted
from dicedocs.render.json_data import SCHEMA
from dicedocs.rules.registry import systems
from dicedocs_sphinx.author.installation import requirement_of, wheel_of

_TEMPLATES: Final = Path(__file__).parents[1] / "starter"
_SUFFIX: Final = ".template"
_FOLDERS: Final = {"project": "", "markdown": "book", "rst": "book"}
"""Where the files of each folder of templates go, if :data:`_PATHS` does not say otherwise."""
_PATHS: Final = {
    "package.py": "$module/__init__.py",
    "test_module.py": "tests/test_$module.py",
    "gitignore": ".gitignore",
    "workflow.yml": ".github/workflows/book.yml",
    "conf.py": "book/conf.py",
}
_OWN_FOLDERS: Final = frozenset({"book", "build", "dist", "tests", "vendor"})
"""Names at the top of the new folder, which its package cannot have."""
_NEXT: Final = (
    "python -m pip install -r requirements.txt",
    "python -m sphinx -W -b html book build/site",
    "python -m pytest",
)
_OTHER: Final = "-game"
"""What is added to a name that is taken."""


def run(options: argparse.Namespace) -> int:
    """Write the files and list them.

    Raises:
        ParameterError: the folder is not empty, or its name has no letters.
    """
    folder: Path = options.folder
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        message = f"{quoted(folder)} exists and is not an empty folder"
        raise ParameterError(message, hint="name a new folder", parameter="folder")
    words = _words(folder.resolve().name, markdown=not options.rst)
    vendored, words["dicedocs"] = _dicedocs()
    files = dict(sorted({**_texts(words, "rst" if options.rst else "markdown"), **vendored}.items()))
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if options.json:
        print(json.dumps({"dicedocs": SCHEMA, "folder": str(folder), "files": list(files)}, indent=2))
    else:
        for name in files:
            print(printable(str(folder / name)))
        print(f"next, in {printable(str(folder))}:")
        for command in _NEXT:
            print(f"    {command}")
    return ExitStatus.HOLDS


def _dicedocs() -> tuple[dict[str, bytes], str]:
    """Return the files that the book needs of dicedocs, by their path in the new folder, and what pip installs."""
    installed = distribution("dicedocs")
    requirement = requirement_of(installed)
    if requirement:
        return {}, requirement
    name, wheel = wheel_of(installed)
    path = f"vendor/{name}"
    return {path: wheel}, f"./{path}"


def _words(name: str, *, markdown: bool) -> dict[str, str]:
    """Return what the templates contain for a folder of this name."""
    ascii = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    system = "-".join(re.findall(r"[a-z0-9]+", ascii)).lstrip("0123456789-")
    if not system:
        message = f"{quoted(name)} has no letters of which the name of a game could be made"
        raise ParameterError(message, hint="name the folder like my-game", parameter="folder")
    module = system.replace("-", "_")
    if iskeyword(module) or module in _OWN_FOLDERS or system in systems() or find_spec(module) is not None:
        system, module = f"{system}{_OTHER}", f"{system}{_OTHER}".replace("-", "_")
    title = system.replace("-", " ").title()
    extensions = [*(["myst_parser"] if markdown else []), "dicedocs_sphinx"]
    return {
        "system": system,
        "distribution": system,
        "module": module,
        "title": title,
        "underlined_title": f"{title}\n{'=' * len(title)}",
        "extensions": ", ".join(map(json.dumps, extensions)),
    }


def _texts(words: dict[str, str], markup: str) -> dict[str, bytes]:
    """Return each file, by its path in the new folder."""
    texts = {}
    for source in ("project", markup):
        for template in sorted((_TEMPLATES / source).glob(f"*{_SUFFIX}")):
            name = template.name.removesuffix(_SUFFIX)
            path = _PATHS.get(name, f"{_FOLDERS[source]}/{name}".lstrip("/"))
            text = Template(template.read_text("utf-8")).substitute(words)
            texts[Template(path).substitute(words)] = text.encode()
    return texts
