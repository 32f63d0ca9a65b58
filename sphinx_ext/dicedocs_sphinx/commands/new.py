"""``dicedocs new``: a rulebook to start from, with a game of its own.

Each text stands once in the templates. A line marked ``page|`` is only in a book whose rule stands in a page, one
marked ``python|`` only in one whose rule is a class, one marked ``github|`` only in one that GitHub publishes. Pages
are in Markdown and are translated for ``--rst``.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Set as AbstractSet
from importlib.metadata import Distribution
from importlib.util import find_spec
from itertools import islice
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Final

from dicedocs import ParameterError
from dicedocs.cli.commands import ExitStatus
from dicedocs.errors import printable, quoted
from dicedocs.render.json_data import SCHEMA
from dicedocs.rules.registry import systems
from dicedocs_sphinx.author.installation import PACKAGES, requirement_of, wheel_of
from dicedocs_sphinx.author.restructured_text import as_restructured_text
from dicedocs_sphinx.rolling import PYTHON_FOR_BROWSERS

_TEMPLATES: Final = Path(__file__).parents[1] / "starter"
_SUFFIX: Final = ".template"
_PAGES: Final = "book"
_PATHS: Final = {
    "package.py": "$module/__init__.py",
    "test_module.py": "tests/test_$module.py",
    "gitignore": ".gitignore",
    "workflow.yml": ".github/workflows/book.yml",
    "conf.py": "book/conf.py",
}
_OWN_FOLDERS: Final = frozenset({"book", "build", "dist", "tests", "vendor"})
"""Names at the top of the new folder, which its package cannot have."""
_MARK: Final = re.compile(r"(page|python|github)\|[ ]?")
"""What begins a line that only one kind of book has."""
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
    words = _words(folder.resolve().name, python=options.python, rst=options.rst)
    installed = [each for name in PACKAGES for each in islice(Distribution.discover(name=name), 1)]
    needed = [_needed(each) for each in installed]
    words["dicedocs"] = "\n".join(requirement for requirement, _ in needed)
    texts = _texts(words, {"python" if options.python else "page", options.pages}, rst=options.rst)
    files = dict(sorted([*texts.items(), *(wheel for _, vendored in needed for wheel in vendored.items())]))
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if options.json:
        print(json.dumps({"dicedocs": SCHEMA, "folder": str(folder), "files": list(files)}, indent=2))
    else:
        for name in files:
            print(printable(str(folder / name)))
        if len(installed) < len(PACKAGES):
            print(f"Python for browsers, from which pages roll, is not installed: {PYTHON_FOR_BROWSERS}")
        print(f"next, in {printable(str(folder))}:")
        for command in _NEXT:
            print(f"    {command}")
    return ExitStatus.HOLDS


def _needed(installed: Distribution) -> tuple[str, dict[str, bytes]]:
    """Return what pip installs for a distribution, and the wheel that the book brings for that, by its path in it."""
    requirement = requirement_of(installed)
    if requirement:
        return requirement, {}
    name, wheel = wheel_of(installed)
    path = f"vendor/{name}"
    return f"./{path}", {path: wheel}


def _words(name: str, *, python: bool, rst: bool) -> dict[str, str]:
    """Return what the templates contain for a folder of this name."""
    ascii = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    system = "-".join(re.findall(r"[a-z0-9]+", ascii)).lstrip("0123456789-")
    if not system:
        message = f"{quoted(name)} has no letters of which the name of a game could be made"
        raise ParameterError(message, hint="name the folder like my-game", parameter="folder")
    if system in systems() or (python and not _is_free(system.replace("-", "_"))):
        system += _OTHER
    return {
        "system": system,
        "module": system.replace("-", "_"),
        "suffix": "rst" if rst else "md",
        "title": system.replace("-", " ").title(),
        "extensions": ", ".join(map(json.dumps, [*([] if rst else ["myst_parser"]), "dicedocs_sphinx"])),
    }


def _is_free(module: str) -> bool:
    """Return whether a package can have this name."""
    return not (iskeyword(module) or module in _OWN_FOLDERS or find_spec(module) is not None)


def _texts(words: dict[str, str], kinds: AbstractSet[str], *, rst: bool) -> dict[str, bytes]:
    """Return each file, by its path in the new folder."""
    texts = {}
    for folder in ("project", "pages", *({"python"} & kinds)):
        for template in sorted((_TEMPLATES / folder).glob(f"*{_SUFFIX}")):
            name = template.name.removesuffix(_SUFFIX)
            text = Template(_chosen(template.read_text("utf-8"), kinds)).substitute(words)
            path = Template(_PATHS.get(name, name)).substitute(words)
            if folder == "pages":
                path = f"{_PAGES}/{path.removesuffix('.md')}.{words['suffix']}"
                text = as_restructured_text(text) if rst else text
            texts[path] = text.encode()
    return texts


def _chosen(text: str, kinds: AbstractSet[str]) -> str:
    """Return the lines of a template that these kinds of books have, without their marks."""
    lines = ((_MARK.match(line), line) for line in text.splitlines(keepends=True))
    return "".join(line[mark.end() :] if mark else line for mark, line in lines if not mark or mark[1] in kinds)
