"""Pages never go stale: one is read again when the code of its rules changes, and written again when its text does."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import dicedocs
from dicedocs import DiceError
from dicedocs.render.html import stylesheet
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.domain import DiceDomain, dice_domain
from dicedocs_sphinx.writing import far_text

_CORE: Final = dicedocs.__name__
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n#]+)"
    r"|import[ \t]+(?P<modules>[^\n#]+))",
    re.MULTILINE,
)
"""An import. What only looks like one, in a docstring, does no harm; parsing would take ten times as long."""
_WORD: Final = re.compile(r"[\w.]+")
_NO_CODE: Final = frozenset({".css", ".pyc", ".pyi"})
"""Files of a package that no page depends on; a changed stylesheet has all pages written again, none read."""


def digest(id: str) -> str:
    """Give the digest of all code that the outcome of a mechanic, and how it is shown, depends on.

    That is the mechanic's module, what it imports of its own package and of dicedocs, and the data
    files beside them. A mechanic that there is not has the empty digest.

    Parameters:
        id: the mechanic's id.
    """
    try:
        module = mechanic(id).__module__
    except DiceError:
        return ""
    return module_digest(module)


@cache
def module_digest(module: str) -> str:
    """Give the digest of a module and of what it imports of its own package and of dicedocs."""
    files = imported(module)
    folders = {path.parent for path in files.values() if path.name == "__init__.py"}
    data = {
        f"{folder.name}/{path.name}": path
        for folder in folders
        for path in folder.iterdir()
        if path.is_file() and path.suffix != ".py" and path.suffix not in _NO_CODE
    }
    held = hashlib.sha256()
    for name, path in sorted({**files, **data}.items()):
        held.update(f"{name}\0".encode())
        held.update(hashlib.sha256(path.read_bytes()).digest())
    return held.hexdigest()


def imported(module: str) -> dict[str, Path]:
    """Give the modules that a module imports of its own package and of dicedocs, itself included, with their files."""
    tops = {top: _top_file(top) for top in (module.partition(".")[0], _CORE)}
    found: dict[str, Path] = {}
    # The core draws, explains and counts whatever a game may be.
    waiting = [
        module,
        *(f"{_CORE}.{name}" for name in ("render.html", "render.chart_html", "rules.example", "probability.claims")),
    ]
    while waiting:
        name = waiting.pop()
        file = _file(name, tops)
        if name in found or file is None:
            continue
        found[name] = file
        waiting += _parents(name)
        waiting += _imports(name, file)
    return found


def _top_file(top: str) -> Path | None:
    known = sys.modules.get(top)
    origin = getattr(known, "__file__", None)
    if origin is None:
        spec = importlib.util.find_spec(top) if known is None else None
        origin = spec.origin if spec else None
    return Path(origin) if origin else None


def _file(name: str, tops: dict[str, Path | None]) -> Path | None:
    """Give the file of a module of these packages, without importing it."""
    top, *parts = name.split(".")
    file = tops.get(top)
    if file is None or not parts:
        return file
    inside = file.parent.joinpath(*parts)
    return next((path for path in (inside.with_suffix(".py"), inside / "__init__.py") if path.is_file()), None)


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _imports(name: str, file: Path) -> Iterator[str]:
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for found in _IMPORT.finditer(file.read_text("utf-8", errors="replace")):
        if found["modules"]:
            yield from _WORD.findall(found["modules"])
            continue
        level = len(found["dots"])
        parts = package.split(".")
        base = ".".join([*(parts[: len(parts) - level + 1] if level else ()), *filter(None, [found["module"]])])
        yield base
        # Each name may be a module.
        yield from (f"{base}.{word}" for word in _WORD.findall(found["names"]))


def pages_to_read(
    _app: Sphinx, env: BuildEnvironment, _added: set[str], _changed: set[str], _removed: set[str]
) -> list[str]:
    """Give the pages whose rules have changed since they were read, and those that gave a warning."""
    domain = dice_domain(env)
    stale = {id for id, known in domain.digests.items() if digest(id) != known}
    pages = {page for page, ids in domain.mechanics.items() if stale.intersection(ids)}
    doubled = {page for page, _, _ in domain.duplicates()}
    return sorted((pages | doubled | set(domain.troubled)) & env.found_docs)


def _used(domain: DiceDomain, use: str) -> str:
    """Give what a page takes from another, as text: a fact, or where an example is and what it is called."""
    if "." in use:
        return far_text(domain, use)
    docname, worked = domain.named()[use]
    return f"{docname}#{worked['anchor']} {worked['title']}"


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give the pages that this builder wrote last when they depended on something that has changed.

    Note the digests of the rules as well: all pages have been read by now.
    """
    domain = dice_domain(env)
    played = sorted({id for ids in domain.mechanics.values() for id in ids})
    domain.digests.clear()
    domain.digests.update({id: digest(id) for id in played})
    before, now = _recorded(app), _state(app, env)
    if before.get("stylesheet", now["stylesheet"]) != now["stylesheet"]:
        return sorted(env.found_docs)
    old: dict[str, str] = before.get("pages", {})
    return sorted(page for page, held in old.items() if page in env.found_docs and now["pages"].get(page) != held)


def _state(app: Sphinx, env: BuildEnvironment) -> dict[str, Any]:
    """Give what the pages depend on beside their own text, hashed by page, and the stylesheet."""
    domain = dice_domain(env)
    pages = {}
    for page in sorted(env.found_docs & (domain.mechanics.keys() | domain.uses.keys())):
        held = [domain.digests.get(id, "") for id in domain.mechanics.get(page, ())]
        held += [f"{name} {text}" for name, text in domain.stamps(page).items()]
        for use in domain.uses.get(page, ()):
            try:
                held.append(_used(domain, use))
            except (KeyError, DiceError) as error:
                held.append(repr(error))
        pages[page] = hashlib.sha256("\0".join(held).encode()).hexdigest()
    style = hashlib.sha256(stylesheet().encode()).hexdigest() if app.builder.format == "html" else ""
    return {"pages": pages, "stylesheet": style}


def _record(app: Sphinx) -> Path:
    """Give the file that says what a builder wrote from; builders that share doctrees have one each.

    Not in the environment, which is kept only when a page was read, and not beside the pages,
    where an e-book would take it up.
    """
    builder = f"{app.builder.name} {app.outdir}"
    return Path(app.doctreedir) / f"dicedocs-{hashlib.sha256(builder.encode()).hexdigest()[:16]}.json"


def _recorded(app: Sphinx) -> dict[str, Any]:
    try:
        held: dict[str, Any] = json.loads(_record(app).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return held


def note_written(app: Sphinx, exception: Exception | None) -> None:
    """Record what the pages were written from."""
    if exception is None:
        state = _state(app, app.env)
        state["pages"].update(dict.fromkeys(dice_domain(app.env).unsound, ""))
        _record(app).write_text(json.dumps(state), "utf-8")


def own_version() -> int:
    """Give a number that changes with the code of this extension: what it put into the environment is then void."""
    held = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        held.update(path.read_bytes())
    return int.from_bytes(held.digest()[:6])


def setup_freshness(app: Sphinx) -> None:
    """Connect to what Sphinx asks before it reads and before it writes."""
    app.connect("env-get-outdated", pages_to_read)
    app.connect("env-updated", pages_to_write)
    app.connect("build-finished", note_written)
