"""Pages never go stale: one is read again if its games change, and written again if what it shows does.

A game is a package, or a module with the files beside and below it. Its pages depend besides on the modules that are
loaded and not installed, and all pages with a mechanic on what ``dicedocs_depends`` names. All this is compared by what
it contains, since a changed file may have an older time, as rsync, tar and caches leave it. A new version of dicedocs
makes the whole environment void.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import dicedocs
from dicedocs import DiceError
from dicedocs.page_rules.played_rules import find_plays
from dicedocs.page_rules.table_links import find_links
from dicedocs.rules.registry import game_modules
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.blocks import find_kind
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.dependencies import files_in, find_dependencies, find_places, is_installed
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.book.summary import checked_statements, summary_data
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.rolling.reroll import digest_of_rolling
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import path_in_book

logger = logging.getLogger(__name__)

_CORE: Final = Path(dicedocs.__path__[0])
_OURS: Final = frozenset({dicedocs.__name__, __name__.partition(".")[0]})
_NO_GAMES: Final = _OURS | sys.stdlib_module_names | {"__main__"}
_READ_WHOLE: Final = 1_000_000
"""The largest file, in bytes, that is compared by its content; a larger one is by its size and time."""


# What pages depend on


def note_sources(app: Sphinx, _doctree: nodes.document) -> None:
    """Note the files and folders on which a page depends that was just read, each with the digest of what it holds."""
    domain, page = dice_domain(app.env), app.env.docname
    places = _find_sources(app, domain.code[page]) if page in domain.code else set()
    if _is_executed(app.env, page):
        places |= _notebook_sources(app)
    elif hasattr(app.env, "mystnb_config") and _shows_saved_outputs(Path(app.env.doc2path(page))):
        logger.info("dicedocs: %s shows its saved outputs, which may no longer match the rules", page)
    if places or page in domain.code:
        domain.sources[page] = {str(place): _digest(app, str(place)) for place in places}


def _find_sources(app: Sphinx, code: Iterable[str]) -> set[Path]:
    """Return the files and folders on which code depends that is not ours."""
    places = set[Path]()
    for one in code:
        kind, id = one.split(" ", 1)
        with suppress(KeyError):
            places.update(_of_module(find_kind(kind).__module__))
        if id:
            # A game that could not be imported is tried again.
            with suppress(DiceError), contained(settings_of(app.config).seconds):
                game = mechanic_of(id)
                # The class of a game in conf.py is in no module that Python knows.
                file = getattr(getattr(game.resolve, "__code__", None), "co_filename", "")
                places.update(_of_module(game.__module__) or ([Path(file)] if Path(file).is_file() else []))
    places = {_with_files_beside(place) for place in places if not place.is_relative_to(_CORE)}
    if places:
        loaded = [module for module in sys.modules if "." not in module]
        places.update(place for module in loaded for place in _of_module(module) if not is_installed(place))
    return {place.resolve() for place in places.union(find_dependencies(app)[0])}


def _with_files_beside(place: Path) -> Path:
    """Return the folder of a module that is not installed; any other place as it is."""
    return place.parent if place.is_file() and not is_installed(place) else place


def _of_module(module: str) -> list[Path]:
    return [] if module.partition(".")[0] in _NO_GAMES else find_places(module)


def _digest(app: Sphinx, place: str) -> str:
    """Return the digest of what a file or folder holds, the same for the whole build."""
    digests = dice_domain(app.env).digests
    if place not in digests:
        pages = {Path(app.env.doc2path(page)) for page in app.env.found_docs}
        digests[place] = _digest_files(Path(place), {Path(app.outdir), Path(app.doctreedir), *pages})
    return digests[place]


def _digest_files(place: Path, apart_from: Collection[Path] = ()) -> str:
    digest = hashlib.sha256()
    for file in files_in(place, apart_from):
        digest.update(f"\0{file.relative_to(place)}\0".encode())
        # A file that cannot be read, or is gone by now, is no content either.
        with suppress(OSError):
            digest.update(_digest_code(file) if file.suffix == ".py" else _digest_file(file))
    return digest.hexdigest()


@cache
def _digest_code(file: Path) -> bytes:
    """Return the digest of code, which a process loads once, even if it builds several times."""
    return _digest_file(file)


def _digest_file(file: Path) -> bytes:
    status = file.stat()
    if status.st_size > _READ_WHOLE:
        return f"{status.st_size} {status.st_mtime_ns}".encode()
    return hashlib.sha256(file.read_bytes()).digest()


@cache
def extension_version() -> int:
    """Return a number that changes with the code of dicedocs and of this extension, which voids the environment."""
    digests = (_digest_files(place) for module in sorted(_OURS) for place in find_places(module))
    return int.from_bytes(hashlib.sha256("".join(digests).encode()).digest()[:6])


# What notebooks compute, in processes of their own


def _is_executed(env: BuildEnvironment, page: str) -> bool:
    """Return whether MyST-NB has executed a page that mentions dicedocs, now or once."""
    executed = getattr(env, "nb_metadata", {}).get(page, {}).get("exec_data")
    return bool(executed) and _mentions_us(Path(env.doc2path(page)))


def _shows_saved_outputs(page: Path) -> bool:
    return page.suffix == ".ipynb" and _mentions_us(page)


def _mentions_us(page: Path) -> bool:
    return dicedocs.__name__.encode() in page.read_bytes()


def _notebook_sources(app: Sphinx) -> set[Path]:
    """Return the files and folders on which any notebook may depend: those of all games, and what the book names."""
    places = {_with_files_beside(place) for module in game_modules().values() for place in _of_module(module)}
    return {place.resolve() for place in places.union(find_dependencies(app)[0])}


def forget_outputs(app: Sphinx, env: BuildEnvironment) -> None:
    """Let MyST-NB forget the outputs that it has kept, by the code of the notebooks alone, if a rule has changed."""
    settings = getattr(env, "mystnb_config", None)
    if settings is None or settings.execution_mode != "cache":
        return
    from jupyter_cache import get_cache  # type: ignore[import-untyped, unused-ignore]

    digests = sorted(_digest(app, str(place)) for place in _notebook_sources(app))
    now = hashlib.sha256("\0".join([str(extension_version()), *digests]).encode()).hexdigest()
    # It stands with the outputs, which outlive the environment.
    folder = Path(settings.execution_cache_path)
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / f"dicedocs-{hashlib.sha256(str(app.srcdir).encode()).hexdigest()[:16]}"
    if record.is_file() and record.read_text("utf-8") == now:
        return
    cache = get_cache(str(folder))
    pages = {str(env.doc2path(page)) for page in env.found_docs}
    for kept in cache.list_cache_records():
        if kept.uri in pages and _mentions_us(Path(kept.uri)):
            cache.remove_cache(kept.pk)
    record.write_text(now, "utf-8")


# Which pages are read and written again


def pages_to_read(
    app: Sphinx, env: BuildEnvironment, _added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages whose games have changed since they were read, and those that gave a warning.

    With these, and with pages that changed, come those that share the name of a block with one of them.
    """
    domain = dice_domain(env)
    domain.digests.clear()
    forget_outputs(app, env)
    pages = {
        page
        for page, sources in domain.sources.items()
        if any(_digest(app, place) != digest for place, digest in sources.items())
    }
    while playing := _playing(domain, pages):
        pages |= playing
    pages |= set(domain.troubled)
    return sorted((pages | _sharing_names(domain, pages | changed | removed)) & env.found_docs)


def _playing(domain: DiceDomain, pages: set[str]) -> set[str]:
    """Return the other pages with what plays the rules of some pages that play those of a game."""
    blocks = (block for page in pages for block in domain.blocks.get(page, ()))
    ids = {block.name for block in blocks if isinstance(block, PageMechanicBlock) and block.played}
    return {page for page, code in domain.code.items() if any(one.partition(" ")[2] in ids for one in code)} - pages


def _sharing_names(domain: DiceDomain, pages: set[str]) -> set[str]:
    """Return the other pages that share the name of a block with some pages, with which Sphinx forgets its label."""
    names = {block.name for page in pages for block in domain.blocks.get(page, ())} - {""}
    return {page for page, those in domain.blocks.items() if any(block.name in names for block in those)} - pages


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages whose dependencies have changed since this builder last wrote them: all, if it did not end."""
    before, now = _recorded_state(app), _state(app, env)
    if before.get("version") != now["version"]:
        return sorted(env.found_docs)
    pages: dict[str, str] = before.get("pages", {})
    return sorted(page for page, state in pages.items() if page in env.found_docs and now["pages"].get(page) != state)


def _link_text(domain: DiceDomain, docname: str, block: Block) -> str:
    """Return where a link to a block leads, and what it says."""
    return f"{docname}#{block.anchor} {block.kind} {domain.link_title(docname, block) or block.label}"


def _reported(app: Sphinx, domain: DiceDomain) -> str:
    """Return what the report says."""
    checked = checked_statements(domain)
    return json.dumps(summary_data(checked, partial(path_in_book, app.srcdir)))


def _state(app: Sphinx, env: BuildEnvironment) -> dict[str, Any]:
    """Return the digest of what each page depends on besides its own text, and the version."""
    domain = dice_domain(env)
    pages = {}
    named, mechanics, tables = domain.named(), domain.page_mechanics(), domain.page_tables()
    pages_with_state = domain.code.keys() | domain.data["inlines"].keys() | domain.reports.keys()
    reported = _reported(app, domain) if domain.reports else ""
    rolling = digest_of_rolling(app)
    for page in sorted(env.found_docs & pages_with_state):
        parts = [*domain.sources.get(page, {}).values()]
        parts += [rolling] if page in domain.code else []
        for block in domain.blocks.get(page, ()):
            parts.append(json.dumps([block.sources, block.before, block.after, block.digest]))
        parts += [inline.shown for inline in domain.inlines(page)]
        uses = [inline.path for inline in domain.inlines(page)]
        uses += [rule for block in domain.blocks.get(page, ()) for rule in block.shows]
        uses += [name for block in domain.blocks.get(page, ()) for name in sorted(block.source_names())]
        parts += [_link_text(domain, *named[use]) if use in named else use for use in uses]
        own = [mechanics[block.name] for block in domain.blocks.get(page, ()) if block.name in mechanics]
        links = [link.table for rule in own for link in find_links(rule)]
        parts += [_link_text(domain, *named[link]) if link in tables else link for link in links]
        played = [each.id for rule in own for each in find_plays(rule.lines)]
        parts += [_link_text(domain, *named[id]) if id in mechanics else id for id in played]
        rules = [block.name for block in domain.blocks.get(page, ()) if isinstance(block, RuleBlock)]
        parts += [reported] if page in domain.reports else []
        for rule in rules:
            parts += [rule, *(_link_text(domain, *showing) for showing in domain.showing(rule))]
        pages[page] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return {"pages": pages, "version": extension_version()}


def _record_path(app: Sphinx) -> Path:
    """Return the file with the state that a builder wrote; builders that share doctrees have one each.

    It is not in the environment, which is stored only if a page was read, and not in the output folder, all of whose
    files an e-book contains.
    """
    builder = f"{app.builder.name} {app.outdir}"
    return Path(app.doctreedir) / f"dicedocs-{hashlib.sha256(builder.encode()).hexdigest()[:16]}.json"


def _recorded_state(app: Sphinx) -> dict[str, Any]:
    try:
        state: dict[str, Any] = json.loads(_record_path(app).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return state


def forget_state(app: Sphinx, _builder: Builder) -> None:
    """Forget the state while pages are written: Sphinx takes half a page for a whole one, since its file is newer."""
    _record_path(app).unlink(missing_ok=True)


def record_state(app: Sphinx, exception: Exception | None) -> None:
    """Record the state that the pages were written from."""
    if exception is None:
        state = _state(app, app.env)
        state["pages"].update(dict.fromkeys(dice_domain(app.env).pages_to_rewrite, ""))
        _record_path(app).write_text(json.dumps(state), "utf-8")


def setup_staleness(app: Sphinx) -> None:
    app.connect("env-get-outdated", pages_to_read)
    app.connect("doctree-read", note_sources)
    app.connect("env-updated", pages_to_write)
    app.connect("write-started", forget_state)
    app.connect("build-finished", record_state)
