"""The domain ``dice``: the blocks of all pages, what the pages use, and how references to blocks are resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.util.logging import is_suppressed_warning
from sphinx.util.nodes import make_refnode

from dicedocs.errors import near, quoted
from dicedocs_sphinx.blocks import kind_of
from dicedocs_sphinx.blocks.base import Block, source_line
from dicedocs_sphinx.blocks.character import CHARACTER, CharacterBlock, character_stamp
from dicedocs_sphinx.diagnostics import TYPE, Problem, report, with_hint
from dicedocs_sphinx.directives import find_directives
from dicedocs_sphinx.directives.roles import FactRole, OddsRole, RefRole, RollRole
from dicedocs_sphinx.run_time_uses import Uses, merge_uses, no_uses
from dicedocs_sphinx.source_locations import role_location

_MAX_HINTS = 100
"""The names in one build for which similar ones are searched, which takes longer the more blocks have a name."""
_BY_PAGE = ("blocks", "code", "uses", "character_uses")


class DiceDomain(Domain):
    """The blocks of all pages and what refers to them.

    The data is kept by page; a dictionary whose values are None is a set in order. ``blocks`` are in the order of the
    page. ``code`` are the kinds of check that a page needs, each with its mechanic, as in ``"table ember/blaze"``;
    ``digests`` are those of that code when the pages were read. ``uses`` are names of blocks, with a path where a fact
    is used: ``"sera.total"``. ``character_uses`` are the characters that blocks of a page refer to, as they were when
    these blocks were checked. ``troubled`` are the pages that gave a warning while they were read, which are read again
    until they do not. ``run_time_uses`` are what the modules of games were seen to do so far.
    """

    name = "dice"
    label = "dice"
    roles: ClassVar[dict[str, Any]] = {
        "fact": FactRole(),
        "odds": OddsRole(),
        "ref": RefRole(),
        "roll": RollRole(),
    }
    initial_data: ClassVar[dict[str, Any]] = {
        **{key: {} for key in _BY_PAGE},
        "digests": {},
        "troubled": {},
        "run_time_uses": no_uses(),
    }
    data_version = 3

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        for kind, directive in find_directives().items():
            self.directives.setdefault(kind, directive)
            self.add_object_type(kind, ObjType(kind, "ref"))
        self.blocks: dict[str, list[Block]] = self.data["blocks"]
        self.code: dict[str, dict[str, None]] = self.data["code"]
        self.uses: dict[str, dict[str, None]] = self.data["uses"]
        self.character_uses: dict[str, dict[str, str | None]] = self.data["character_uses"]
        self.digests: dict[str, str] = self.data["digests"]
        self.troubled: dict[str, None] = self.data["troubled"]
        self.run_time_uses: Uses = self.data["run_time_uses"]
        self.pages_to_rewrite: set[str] = set()
        self._hints = 0
        self._named: dict[str, tuple[str, Block]] | None = None
        self._characters: dict[str, CharacterBlock] | None = None

    def note_code(self, docname: str, kind: str, mechanic: str = "") -> None:
        """Note that a page needs a kind of check, and a mechanic."""
        self.code.setdefault(docname, {})[f"{kind} {mechanic}"] = None

    def note_use(self, docname: str, use: str) -> None:
        """Note that a page uses a block, or a fact of one."""
        self.uses.setdefault(docname, {})[use] = None

    def note_characters(self, docname: str, names: Iterable[str]) -> None:
        """Note that blocks of a page cannot be checked before these characters are known."""
        self.character_uses.setdefault(docname, {}).update(dict.fromkeys(names))

    def note_block(self, docname: str, block: Block) -> None:
        """Note the next block of a page."""
        self.blocks.setdefault(docname, []).append(block)
        self._forget_names()

    def replace_blocks(self, docname: str, changed: Iterable[Block]) -> None:
        """Replace blocks that were noted before by their present state."""
        blocks, present = self.blocks.get(docname, []), {_identity(block): block for block in changed}
        blocks[:] = [present.get(_identity(known), known) for known in blocks]
        self._forget_names()

    def report(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page that is being read."""
        suppressed = is_suppressed_warning(TYPE, problem.value, self.env.config.suppress_warnings)
        if not suppressed:
            self.troubled[docname] = None
        report(problem, message, source, line)

    def report_written(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page that is being written; the next build writes it again."""
        self.pages_to_rewrite.add(docname)
        report(problem, message, source, line)

    def no_such_name(self, name: str) -> str:
        """Return the message about a name that no block has, for the first ones with similar names."""
        self._hints += 1
        hint = near(name, self.named()) if self._hints <= _MAX_HINTS else ""
        return with_hint(f"nothing is named {quoted(name)}", hint)

    def tests(self) -> dict[str, list[Block]]:
        """Return the blocks of each page that are tests."""
        tests = {
            docname: [block for block in blocks if kind_of(block).is_test(block)]
            for docname, blocks in sorted(self.blocks.items())
        }
        return {docname: blocks for docname, blocks in tests.items() if blocks}

    def _all(self) -> Iterator[tuple[str, Block]]:
        for docname in sorted(self.blocks):
            for block in self.blocks[docname]:
                yield docname, block

    def named(self) -> dict[str, tuple[str, Block]]:
        """Return the blocks that have a name, each with its page; of two with one name the first, by page."""
        if self._named is None:
            self._named = {}
            for docname, block in self._all():
                if block["name"]:
                    self._named.setdefault(block["name"], (docname, block))
        return self._named

    def named_characters(self) -> dict[str, CharacterBlock]:
        """Return the characters by name; of two with one name the first, by page."""
        if self._characters is None:
            self._characters = {}
            for _, block in self._all():
                if block["kind"] == CHARACTER and block["name"]:
                    self._characters.setdefault(block["name"], block)  # type: ignore[arg-type]  # its kind says so
        return self._characters

    def character_stamps(self, docname: str) -> dict[str, str | None]:
        """Return the present state of the characters that blocks of a page refer to."""
        characters = self.named_characters()
        return {name: character_stamp(characters.get(name)) for name in sorted(self.character_uses.get(docname, ()))}

    def _forget_names(self) -> None:
        self._named = self._characters = None

    def clear_doc(self, docname: str) -> None:
        self._forget_names()
        for key in _BY_PAGE:
            self.data[key].pop(docname, None)
        self.troubled.pop(docname, None)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        self._forget_names()
        merge_uses(self.run_time_uses, otherdata["run_time_uses"])
        for docname in docnames:
            for key in _BY_PAGE:
                if docname in otherdata[key]:
                    self.data[key][docname] = otherdata[key][docname]
            if docname in otherdata["troubled"]:
                self.troubled[docname] = None

    def check_consistency(self) -> None:
        for _, block, first in self.duplicates():
            location = f"{first['source']}:{source_line(first, first['option_lines']['name'])}"
            message = f"the name {quoted(block['name'])} is taken already at {location}"
            report(Problem.DUPLICATE, message, block["source"], source_line(block, block["option_lines"]["name"]))

    def duplicates(self) -> Iterator[tuple[str, Block, Block]]:
        """Return the blocks whose name another block has already: the page, the block, and the other block."""
        for docname, block in self._all():
            first = self.named().get(block["name"], (docname, block))[1]
            # A block in a file that two pages include is one block.
            if first is not block and (first["source"], first["line"]) != (block["source"], block["line"]):
                yield docname, block, first

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        if target not in self.named():
            return None
        docname, block = self.named()[target]
        if not node.get("refexplicit"):
            contnode = nodes.inline("", block["title"] or target, classes=contnode.get("classes", []))
        return make_refnode(builder, fromdocname, docname, block["anchor"], contnode, block["title"] or None)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        link = self.resolve_xref(env, fromdocname, builder, "ref", target, node, contnode)
        return [("dice:ref", link)] if link is not None else []

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        for name, (docname, block) in sorted(self.named().items()):
            yield name, block["title"] or "-", block["kind"], docname, block["anchor"], 1


def _identity(block: Block) -> tuple[str, str, int]:
    """Return what distinguishes a block from the others of its page."""
    return block["label"], block["source"], block["line"]


def dice_domain(env: BuildEnvironment) -> DiceDomain:
    """Return the domain of an environment."""
    domain = env.domains["dice"]
    if not isinstance(domain, DiceDomain):
        raise TypeError(f"another extension took the domain 'dice': {domain!r}")
    return domain


def report_missing(_app: Sphinx, domain: Domain | None, node: pending_xref) -> bool | None:
    """Report a reference to a block that exists neither here nor in another project's inventory."""
    if not isinstance(domain, DiceDomain):
        return None
    target = node["reftarget"]
    location = role_location(node.source, node.line, node.get("written", target))
    domain.report_written(node["refdoc"], Problem.REFERENCE, domain.no_such_name(target), *location)
    return True


def setup_domain(app: Sphinx) -> None:
    app.add_domain(DiceDomain)
    app.connect("warn-missing-reference", report_missing)
