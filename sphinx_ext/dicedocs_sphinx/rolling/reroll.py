"""Pages that roll: the script and the worker that they load, Python for the worker, and the core with the games."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging

from dicedocs import DiceError, limits
from dicedocs.errors import quoted
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.translation import SOURCE_LANGUAGE
from dicedocs_sphinx.book.dependencies import find_dependencies
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.book_language import book_language, catalogue_folders
from dicedocs_sphinx.diagnostics import report_configuration
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.rolling.archive_check import play_from_archive
from dicedocs_sphinx.rolling.core_archive import (
    CATALOGUES,
    GameFiles,
    Layout,
    UnloadableError,
    archive,
    compiled,
    core_files,
    game_files,
    is_own,
)
from dicedocs_sphinx.rolling.deck import write_deck
from dicedocs_sphinx.rolling.offline import (
    SERVICE_WORKER,
    integrity,
    remove_service_worker,
    write_service_worker,
)
from dicedocs_sphinx.rolling.runtime_files import FILES, NoRuntimeError, Runtime, find_runtime
from dicedocs_sphinx.rolling.site_files import write_site_file
from dicedocs_sphinx.settings import settings_of

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.character import CharacterBlock

logger = logging.getLogger(__name__)

FOLDER: Final = "dicedocs"
"""The folder of the site's static files that holds everything here."""
CORE: Final = "core.zip"
MANIFEST: Final = "manifest.json"
_PLAYABLE: Final = re.compile(' data-dice(?:-roll)?="')
_BEATS: Final = re.compile(' data-dice(?:-beat)?="[^"]*"')
_SOURCES: Final = Path(__file__).parent / "page_static"
_SCRIPT: Final = "live.js"
_STYLE: Final = "live.css"
_WORDS_SCRIPT: Final = "words.js"
_WORDS_OF_OUTCOMES: Final = ' data-dice-words="'
_WIDGETS: Final = "dicedocs_widgets"
_STATE: Final = "_dicedocs_runtime"
"""A setting of our own: what pages load. When it changes, Sphinx writes them all again."""


def note_runtime(app: Sphinx, config: Config) -> None:
    """Note what the pages get, if they are to roll: a runtime and a deck, or one of them."""
    settings = settings_of(config)
    if settings.reroll:
        runtime = _runtime(app)
        if runtime is not None or settings.deck > 0:
            config[_STATE] = f"{runtime.version if runtime else 'deck'} {_digest_of_sources()}"


def _runtime(app: Sphinx) -> Runtime | None:
    """Return the runtime of the book, if there is one."""
    with suppress(NoRuntimeError):
        return find_runtime(app)
    return None


def rolls(app: Sphinx) -> bool:
    """Return whether the pages of this build roll."""
    return bool(app.config[_STATE]) and is_site(app)


def is_site(app: Sphinx) -> bool:
    """Return whether this build makes a site; the pages of e-books and help systems have no scripts."""
    return app.builder.format == "html" and not getattr(app.builder, "embedded", False)


def is_playable(app: Sphinx, mechanic: str) -> bool:
    """Return whether the pages of this build can roll a mechanic."""
    if not rolls(app) or not isinstance(_games(app).files(mechanic), GameFiles):
        return False
    # The deck alone needs no game in the page.
    return _runtime(app) is None or mechanic not in _worker_files(app).failed


class _Games:
    """The files of the games of a build, each found once."""

    def __init__(self, app: Sphinx) -> None:
        self._layout = Layout(Path(app.confdir), find_dependencies(app)[0])
        self._seconds = settings_of(app.config).seconds
        self._found: dict[str, GameFiles | DiceError] = {}

    def files(self, mechanic: str) -> GameFiles | DiceError:
        """Return the files of the game of a mechanic, or why no page can load them."""
        if mechanic not in self._found:
            try:
                with contained(self._seconds):
                    self._found[mechanic] = game_files(mechanic, self._layout)
            except DiceError as error:
                self._found[mechanic] = error
        return self._found[mechanic]


@lru_cache(maxsize=1)
def _games(app: Sphinx) -> _Games:
    return _Games(app)


def add_script(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Add the script and the styles to a page with something that can be rolled."""
    if not rolls(app) or not _PLAYABLE.search(context.get("body", "")):
        return
    from dicedocs.panel.page_player import player_texts

    files = _worker_files(app) if _runtime(app) else None
    with book_language(app.env):
        data = {
            "texts": player_texts(),
            "deck": write_deck(app, page, context["body"], Path(app.outdir) / "_static" / FOLDER),
            "version": _digest_of_sources(),
            "manifest": files.address if files else "",
            "rules": _digest_of_rules(context["body"], files.address if files else ""),
            "integrity": _module_digests() | ({files.address: integrity(files.manifest)} if files else {}),
            "offline": settings_of(app.config).offline,
        }
    # Without their digests: from a file, no browser could check them, and whoever changes a script beside a page can
    # change the page.
    app.add_css_file(f"{FOLDER}/{_STYLE}")
    attributes: dict[str, Any] = {"data-dicedocs": json.dumps(data, ensure_ascii=False)}
    app.add_js_file(f"{FOLDER}/{_SCRIPT}", **attributes)
    if _WORDS_OF_OUTCOMES in context["body"]:
        app.add_js_file(f"{FOLDER}/{_WORDS_SCRIPT}")


def _digest_of_rules(body: str, manifest: str) -> str:
    """Return what changes when the stories of a page may come out differently: their beats, or what plays them."""
    parts = [manifest, *_BEATS.findall(body)]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:8]


@lru_cache(maxsize=1)
def _digest_of_sources() -> str:
    """Return what changes when the script, the worker or the panel does, so that no browser mixes old with new."""
    files = _page_files() + _panel_files()
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


@lru_cache(maxsize=1)
def _module_digests() -> dict[str, str]:
    """Return the digests of the modules that pages load, by their addresses."""
    modules = [file for file in _page_files() if file.suffix == ".mjs"]
    return {f"{file.name}?v={_digest_of_sources()}": integrity(file.read_bytes()) for file in modules}


def _page_files() -> list[Path]:
    """Return the files that pages load, apart from the panel."""
    return sorted(file for file in _SOURCES.iterdir() if file.name != SERVICE_WORKER)


def _panel_files() -> list[Path]:
    """Return the files of the panel; only these are needed, and the package itself would import Jupyter."""
    spec = find_spec(_WIDGETS)
    if spec is None or spec.origin is None:
        return []
    folder = Path(spec.origin).parent / "static"
    return [*sorted(folder.glob("*.css")), *sorted(folder.glob("*.mjs"))]


def copy_sources(app: Sphinx) -> None:
    """Copy the script and the styles before any page is written, so that pages have their checksums in the links.

    A book that cannot get a runtime is told so on standard error, in one line that is no warning: nothing is wrong.
    """
    if settings_of(app.config).reroll and is_site(app):
        try:
            find_runtime(app)
        except NoRuntimeError as error:
            instead = "the pages have only the rolls of their deck" if rolls(app) else "the pages cannot be rolled"
            sys.stderr.write(f"dicedocs: {instead}: {error}\n")
    if not rolls(app):
        return
    target = Path(app.outdir) / "_static" / FOLDER
    _copy(_SOURCES, target, [file.name for file in _page_files()])
    # The modules of the panel import each other, so they have the version in their folder, not in a query.
    panel = _panel_files()
    if panel:
        _copy(panel[0].parent, target / _panel_folder(), [file.name for file in panel])


def _panel_folder() -> str:
    return f"panel-{_digest_of_sources()}"


class _WorkerFiles(NamedTuple):
    """What the worker loads, apart from Python.

    Parameters:
        core: the core with the games of the book.
        failed: the mechanics that fail when they are played with nothing else.
        manifest: the list of all that pages load after their first scripts.
        digests: the digests in that list, by the addresses of the files.
        sizes: the sizes of the files that the browser fetches before the first roll, by their names.
    """

    core: bytes
    failed: Collection[str]
    manifest: bytes
    digests: Mapping[str, str]
    sizes: Mapping[str, int]

    @property
    def address(self) -> str:
        """The address of the list, with its digest."""
        return _address(MANIFEST, self.manifest)


def _address(name: str, data: bytes) -> str:
    return f"{name}?v={hashlib.sha256(data).hexdigest()[:8]}"


def digest_of_rolling(app: Sphinx) -> str:
    """Return what changes when pages that roll load something else, and so must be written again; else empty."""
    if not rolls(app) or not _runtime(app) or not _mechanics(dice_domain(app.env)):
        return ""
    return _worker_files(app).address


@lru_cache(maxsize=1)
def _worker_files(app: Sphinx) -> _WorkerFiles:
    """Return what the worker loads, once all pages have been read: each of them names it."""
    domain = dice_domain(app.env)
    language = (app.config.language or SOURCE_LANGUAGE).replace("-", "_")
    folders = catalogue_folders(Path(app.srcdir), app.config)
    ids = _mechanics(domain)
    files = core_files(language, {id.partition("/")[0] for id in ids}, folders)
    modules, paths = dict[str, str](), dict[str, None]()
    failures = dict[str, str]()
    for id in ids:
        found = _games(app).files(id)
        if isinstance(found, GameFiles):
            files |= found.files
            paths |= dict.fromkeys(found.paths)
            if not is_own(id):
                modules[id] = mechanic_of(id).__module__
        elif isinstance(found, UnloadableError):
            # Any other error was reported by the check of the block.
            failures[id] = str(found)
    sources = archive(files)
    failures |= play_from_archive(app, sources, list(paths), modules)
    for id, why in sorted(failures.items()):
        message = f"dicedocs_reroll: pages cannot roll {quoted(id)}: {why}"
        report_configuration(app, message)
    runtime = find_runtime(app)
    core = compiled(sources, runtime, Path(app.doctreedir))
    loaded = {_address(CORE, core): core}
    if runtime.folder is not None:
        loaded |= {f"{_runtime_folder(runtime)}/{name}": (runtime.folder / name).read_bytes() for name in FILES}
    panel = {f"{_panel_folder()}/{file.name}": file.read_bytes() for file in _panel_files()}
    digests = {address: integrity(data) for address, data in (loaded | panel).items()}
    characters = _characters(domain)
    manifest = {
        # The parameters of `PagePlayer`, but for its folders.
        "player": {
            "modules": {id: module for id, module in modules.items() if id not in failures},
            "language": language,
            "characters": [(block.system, shown, values) for shown, (block, values) in characters.items()],
            "block_names": {shown: block.name for shown, (block, _values) in characters.items()},
            # Each can be rolled where it stands.
            "mechanics": [each.to_plain() for _id, each in sorted(domain.page_mechanics().items())],
        },
        "runtime": runtime.url or f"{_runtime_folder(runtime)}/",
        "core": next(iter(loaded)),
        "integrity": digests,
        "catalogues": [f"{CATALOGUES}/{number}" for number, _folder in enumerate(folders)],
        "paths": list(paths),
        # What the browser fetches before the first roll; 0 if it is not known.
        "total": 0 if runtime.url else sum(map(len, loaded.values())),
    }
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    sizes = {address.partition("?")[0].rpartition("/")[2]: len(data) for address, data in loaded.items()}
    return _WorkerFiles(core, failures.keys(), text.encode(), digests, sizes)


def _mechanics(domain: DiceDomain) -> list[str]:
    """Return the ids of the mechanics of a book."""
    return sorted({code.partition(" ")[2] for page in domain.code.values() for code in page} - {""})


def write_core(app: Sphinx, exception: Exception | None) -> None:
    """Write what the worker loads: Python, the core with the games of the book, and a list of both."""
    if exception is not None or not is_site(app):
        return
    remove_service_worker(app)
    runtime = _runtime(app)
    if runtime is None or not rolls(app) or not _mechanics(dice_domain(app.env)):
        return
    files, target = _worker_files(app), Path(app.outdir) / "_static" / FOLDER
    write_site_file(target / CORE, files.core)
    write_site_file(target / MANIFEST, files.manifest)
    _copy_runtime(runtime, target)
    hosted = {f"{runtime.url}{name}": "" for name in FILES if runtime.url}
    kept = {**_module_digests(), **files.digests, files.address: integrity(files.manifest), **hosted}
    write_service_worker(app, f"_static/{FOLDER}/", kept)
    shown = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in files.sizes.items() if size >= 1e5)
    logger.info("dicedocs: the pages roll; they load on the first press: %s", shown)


def _copy_runtime(runtime: Runtime, target: Path) -> None:
    """Copy Python for the worker; what an earlier build left is removed."""
    folder = _runtime_folder(runtime)
    for old in [*target.glob("pyodide*"), *target.glob("panel-*")]:
        if old.name not in {folder, _panel_folder()}:
            shutil.rmtree(old)
    if runtime.folder is not None:
        _copy(runtime.folder, target / folder, FILES)


def _runtime_folder(runtime: Runtime) -> str:
    """Return the name of the folder; it holds the version, so that no browser mixes the files of two."""
    return f"pyodide-{runtime.version}" if runtime.folder else ""


def _characters(domain: DiceDomain) -> dict[str, tuple[CharacterBlock, Mapping[str, str]]]:
    """Return the characters among which panels let choose, with their values, by their names for readers."""
    from dicedocs.panel.forms.characters import Character

    found: dict[str, tuple[CharacterBlock, Mapping[str, str]]] = {}
    for name, (_, block) in list(domain.named_characters().items())[: limits.ITEMS.maximum]:
        title = block.title or name
        # Two may have the same title, but not the same name.
        shown = title if title not in found else f"{title} ({name})"
        with suppress(DiceError):
            found[shown] = block, Character(shown, block.values or {}).sheet
    return found


def _copy(source: Path, target: Path, names: Iterable[str]) -> None:
    """Copy files of a folder."""
    for name in names:
        write_site_file(target / name, (source / name).read_bytes())


def setup_reroll(app: Sphinx) -> None:
    app.add_config_value(_STATE, "", "html", str, "what pages load")
    app.connect("config-inited", note_runtime)
    app.connect("builder-inited", copy_sources)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", write_core)
