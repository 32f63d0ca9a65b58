"""Pages never go stale: one is read again if the code of its rules changes, and written again if its content does."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.render.html import stylesheet
from dicedocs_sphinx.blocks import kind_of
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.rule import RULE
from dicedocs_sphinx.code_digest import CodeDigests
from dicedocs_sphinx.coverage import checked_blocks, coverage_data
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.domain import DiceDomain, dice_domain
from dicedocs_sphinx.imported_code import find_unit
from dicedocs_sphinx.output.listing import path_in_book
from dicedocs_sphinx.reroll import digest_of_rolling
from dicedocs_sphinx.resolve import remote_fact
from dicedocs_sphinx.run_time_uses import note_uses, watch

_DEPENDS: Final = (
    "files and folders, relative to `conf.py` and also as patterns, and names of modules, on which every page with a "
    "mechanic depends: the page is read again if one of them changes"
)


def pages_to_read(
    app: Sphinx, env: BuildEnvironment, _added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages whose code has changed since they were read, and those that gave a warning.

    With these, and with pages that changed, come those that share the name of a block with one of them.
    """
    domain = dice_domain(env)
    digests = _code_digests(app, domain)
    stale = {code for code, digest in domain.digests.items() if digests.of(code) != digest}
    pages = {page for page, code in domain.code.items() if stale.intersection(code)}
    duplicates = {page for page, _, _ in domain.duplicates()}
    pages |= duplicates | set(domain.troubled)
    return sorted((pages | _sharing_names(domain, pages | changed | removed)) & env.found_docs)


def _sharing_names(domain: DiceDomain, pages: set[str]) -> set[str]:
    """Return the other pages that share the name of a block with some pages, with which Sphinx forgets its label."""
    names = {block["name"] for page in pages for block in domain.blocks.get(page, ())} - {""}
    return {page for page, those in domain.blocks.items() if any(block["name"] in names for block in those)} - pages


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages whose dependencies have changed since this builder last wrote them.

    Note the digests of the code as well: all pages have been read by now.
    """
    domain = dice_domain(env)
    note_uses(domain.run_time_uses)
    used = sorted({code for page in domain.code.values() for code in page})
    digests = _code_digests(app, domain)
    domain.digests.clear()
    domain.digests.update({code: digests.of(code) for code in used})
    before, now = _recorded_state(app), _state(app, env)
    if before.get("stylesheet", now["stylesheet"]) != now["stylesheet"]:
        return sorted(env.found_docs)
    pages: dict[str, str] = before.get("pages", {})
    return sorted(page for page, state in pages.items() if page in env.found_docs and now["pages"].get(page) != state)


def note_uses_of_page(app: Sphinx, _doctree: nodes.document) -> None:
    """Note what games were seen to do before a process that reads some of the pages sends back its environment."""
    note_uses(dice_domain(app.env).run_time_uses)


def _code_digests(app: Sphinx, domain: DiceDomain) -> CodeDigests:
    files, modules, _ = find_dependencies(app)
    return CodeDigests(domain.run_time_uses, files, modules)


def find_dependencies(app: Sphinx) -> tuple[set[Path], list[str], list[str]]:
    """Return the files, the modules, and the names of neither, that the setting ``dicedocs_depends`` names.

    A file or a folder is named relative to ``conf.py``, and may be a pattern.
    """
    files: set[Path] = set()
    modules, unknown = [], []
    written = {Path(app.outdir), Path(app.doctreedir)}
    names = app.config.dicedocs_depends
    for name in [names] if isinstance(names, str) else map(str, names):
        # A path may be absolute, which that of pathlib refuses.
        found = set(map(Path, glob(str(Path(app.confdir) / name), recursive=True)))  # noqa: PTH207
        if found:
            # What a build writes is no reason for another.
            files |= {path for path in found if written.isdisjoint((path, *path.parents))}
        elif find_unit(name) is not None:
            modules.append(name)
        else:
            unknown.append(name)
    return files, modules, unknown


def report_unknown_dependencies(app: Sphinx) -> None:
    """Warn about names in the setting ``dicedocs_depends`` that name nothing."""
    for name in find_dependencies(app)[2]:
        message = f"dicedocs_depends: {quoted(name)} is neither a file, relative to conf.py, nor a module"
        report(Problem.REFERENCE, message, str(Path(app.confdir) / "conf.py"), 1)


def _used_text(domain: DiceDomain, use: str) -> str:
    """Return what a page uses from another as text: a fact, or where a block is and its title."""
    if "." in use and use not in domain.named():
        return remote_fact(domain, use)
    return _link_text(domain, *domain.named()[use])


def _link_text(domain: DiceDomain, docname: str, block: Block) -> str:
    """Return where a link to a block leads, and what it says."""
    return f"{docname}#{block['anchor']} {block['kind']} {domain.link_title(docname, block) or block['label']}"


def _listed(app: Sphinx, domain: DiceDomain) -> str:
    """Return what the lists of all blocks say."""
    blocks = checked_blocks(domain)
    mechanics = [kind_of(block).mechanic(block) for _, block, _ in blocks]
    return json.dumps([coverage_data(blocks, partial(path_in_book, app.srcdir)), mechanics])


def _state(app: Sphinx, env: BuildEnvironment) -> dict[str, Any]:
    """Return the digest of what each page depends on besides its own text, and that of the stylesheet."""
    domain = dice_domain(env)
    pages = {}
    pages_with_state = domain.code.keys() | domain.uses.keys() | domain.listings.keys()
    listed = _listed(app, domain) if domain.listings else ""
    rolling = digest_of_rolling(app)
    for page in sorted(env.found_docs & pages_with_state):
        code = domain.code.get(page, ())
        parts = [domain.digests.get(one, "") for one in code]
        parts += [rolling] if code else []
        parts += [f"{name} {text}" for name, text in domain.character_stamps(page).items()]
        for use in (*domain.uses.get(page, ()), *domain.character_uses.get(page, ())):
            try:
                parts.append(_used_text(domain, use))
            except (KeyError, DiceError) as error:
                parts.append(repr(error))
        rules = [block["name"] for block in domain.blocks.get(page, ()) if block["kind"] == RULE]
        parts += [listed] if page in domain.listings else []
        for rule in rules:
            parts += [rule, *(_link_text(domain, *showing) for showing in domain.showing(rule))]
        pages[page] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    style = hashlib.sha256(stylesheet().encode()).hexdigest() if app.builder.format == "html" else ""
    return {"pages": pages, "stylesheet": style}


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


def record_state(app: Sphinx, exception: Exception | None) -> None:
    """Record the state that the pages were written from."""
    if exception is None:
        state = _state(app, app.env)
        state["pages"].update(dict.fromkeys(dice_domain(app.env).pages_to_rewrite, ""))
        _record_path(app).write_text(json.dumps(state), "utf-8")


def extension_version() -> int:
    """Return a number that changes with the code of this extension, which makes its data in the environment void."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6])


def setup_staleness(app: Sphinx) -> None:
    app.add_config_value("dicedocs_depends", [], "", (list, tuple), _DEPENDS)
    watch()
    app.connect("builder-inited", report_unknown_dependencies)
    app.connect("env-get-outdated", pages_to_read)
    app.connect("doctree-read", note_uses_of_page)
    app.connect("env-updated", pages_to_write)
    app.connect("build-finished", record_state)
