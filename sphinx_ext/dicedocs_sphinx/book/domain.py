"""The domain ``dice``: what all pages state, what they use, and how references to blocks are resolved."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.logging import is_suppressed_warning
from sphinx.util.nodes import make_refnode

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.layout import TableError
from dicedocs.page_rules.page_rule import PageRule, PageTable
from dicedocs.page_rules.row_faults import Fault
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.page_rules.table_links import find_link_faults, tables_of
from dicedocs.render.words import clean
from dicedocs.similar_words import near
from dicedocs.syntax.parts import RuleError
from dicedocs_sphinx.blocks import read_block
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.mechanic_block import shared_fault
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.diagnostics import TYPE, Problem, report, with_hint
from dicedocs_sphinx.directives import find_directives
from dicedocs_sphinx.directives.case import CaseDirective
from dicedocs_sphinx.directives.misspelled import UnknownDirective
from dicedocs_sphinx.directives.quick_reference import ReferenceDirective
from dicedocs_sphinx.directives.report import ReportDirective
from dicedocs_sphinx.directives.roles import FactRole, InlineDiceRole, RefRole, TrackRole, WordsRole
from dicedocs_sphinx.directives.series import ExamplesDirective
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import path_in_book
from dicedocs_sphinx.statements import Inline, Issue, Statement

_MAX_HINTS = 100
"""The names in one build for which similar ones are searched, which takes longer the more blocks have a name."""
FOUND_FIRST, _FOUND_LATER, _NOT_FOUND = 0, 1, -1
"""The priorities that Sphinx's search knows: of what readers look up, and of everything else."""
_BY_PAGE = ("blocks", "inlines", "code", "sources", "reports")


class DiceDomain(Domain):
    """The statements of all pages, and what their checks depend on.

    The data is kept by page; a dictionary whose values are None is a set in order. ``blocks`` and ``inlines``, the
    statements in the text, are in the order of the page. ``code`` are the kinds of check that a page needs, each with
    its mechanic, as in ``"table ember/blaze"``; ``sources`` are the files and folders of that code, each with the
    digest of what it held when the page was read. ``reports`` are the pages that list all blocks.
    ``troubled`` are the pages that gave a warning while they were read, which are read again until they do not.
    """

    name = "dice"
    label = "dice"
    directives: ClassVar[dict[str, Any]] = {
        "case": CaseDirective,
        "examples": ExamplesDirective,
        "reference": ReferenceDirective,
        "report": ReportDirective,
    }
    roles: ClassVar[dict[str, Any]] = {
        "fact": FactRole(),
        "odds": InlineDiceRole("odds"),
        "ref": RefRole(),
        "roll": InlineDiceRole("roll"),
        "rule": RefRole(),
        "track": TrackRole(),
        "words": WordsRole(),
    }
    initial_data: ClassVar[dict[str, Any]] = {
        **{key: {} for key in _BY_PAGE},
        "troubled": {},
    }
    data_version = 12

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        for kind, directive in find_directives().items():
            self.directives.setdefault(kind, directive)
            self.add_object_type(kind, ObjType(kind, *directive.xref_roles))
        self.code: dict[str, dict[str, None]] = self.data["code"]
        self.sources: dict[str, dict[str, str]] = self.data["sources"]
        self.reports: dict[str, None] = self.data["reports"]
        self.troubled: dict[str, None] = self.data["troubled"]
        self.digests: dict[str, str] = {}
        self.pages_to_rewrite: set[str] = set()
        self._hints = 0
        self._blocks: dict[str, list[Block]] | None = None
        self._inlines: dict[str, list[Inline]] = {}
        self._named: dict[str, tuple[str, Block]] | None = None
        self._characters: dict[str, tuple[str, CharacterBlock]] | None = None
        self._mechanics: dict[str, PageRule] | None = None
        self._play_faults: dict[str, DiceError] = {}
        self._link_faults: dict[str, list[Fault]] | None = None
        self._showing: dict[str, list[tuple[str, Block]]] | None = None

    def directive(self, name: str) -> Any:
        """Return a directive. An unknown `dice:` name gets one that reports the misspelling."""
        found = super().directive(name)
        mine = self.env.temp_data.get("default_domain") is self
        return found if found is not None or mine else UnknownDirective

    def note_code(self, docname: str, kind: str, mechanic: str = "") -> None:
        """Note that a page needs a kind of check, and a mechanic."""
        self.code.setdefault(docname, {})[f"{kind} {mechanic}"] = None

    @property
    def blocks(self) -> dict[str, list[Block]]:
        """The blocks of each page; those that their kind cannot read any more are left out until their page is read."""
        if self._blocks is None:
            self._blocks = {docname: self._blocks_of(docname) for docname in self.data["blocks"]}
        return self._blocks

    def _blocks_of(self, docname: str) -> list[Block]:
        blocks = []
        for data in self.data["blocks"].get(docname, ()):
            with suppress(KeyError, TypeError):
                blocks.append(read_block(data))
        return blocks

    def note_blocks(self, docname: str, blocks: Iterable[Block]) -> None:
        """Note the blocks of a page."""
        self.data["blocks"][docname] = [block.data() for block in blocks]
        self._forget_names()

    def inlines(self, docname: str) -> list[Inline]:
        """Return the statements in the text of a page."""
        if docname not in self._inlines:
            kept = self.data["inlines"].get(docname, ())
            self._inlines[docname] = [Inline(**data) for data in kept]
        return self._inlines[docname]

    def note_inlines(self, docname: str, inlines: Sequence[Inline]) -> None:
        """Note the statements in the text of a page."""
        self.data["inlines"][docname] = [inline.data() for inline in inlines]
        self._inlines[docname] = list(inlines)

    def statements(self) -> Iterator[tuple[str, Statement]]:
        """Yield all that the book states, each with its page, by page: its blocks, then what stands in its text."""
        for docname in sorted({*self.blocks, *self.data["inlines"]}):
            for statement in (*self.blocks.get(docname, ()), *self.inlines(docname)):
                yield docname, statement

    def report(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page, which the next build reads again."""
        self.note_trouble(docname, problem)
        report(problem, message, source, line, docname)

    def report_inline(self, docname: str, inline: Inline) -> None:
        """Log what is wrong with a statement in the text."""
        for each in inline.issues:
            self.report(docname, Problem(each["problem"]), each["message"], inline.source, each["line"])

    def note_trouble(self, docname: str, problem: Problem) -> None:
        """Note that a page gives a warning, so that the next build reads it again, and warns again."""
        if not is_suppressed_warning(TYPE, problem.value, self.env.config.suppress_warnings):
            self.troubled[docname] = None

    def report_written(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page that is being written; the next build writes it again."""
        self.pages_to_rewrite.add(docname)
        report(problem, message, source, line, docname)

    def no_such_name(self, name: str) -> str:
        """Return the message about a name that no block has, for the first ones with similar names."""
        self._hints += 1
        hint = near(name, self.named()) if self._hints <= _MAX_HINTS else ""
        return with_hint(f"nothing is named {quoted(name)}", hint)

    def tests(self) -> dict[str, list[Block]]:
        """Return the blocks of each page that are tests."""
        tests = {
            docname: [block for block in blocks if block.is_test()] for docname, blocks in sorted(self.blocks.items())
        }
        return {docname: blocks for docname, blocks in tests.items() if blocks}

    def _all(self) -> Iterator[tuple[str, Block]]:
        for docname in sorted(self.blocks):
            for block in self.blocks[docname]:
                yield docname, block

    def named(self) -> dict[str, tuple[str, Block]]:
        """Return the blocks that have a name, each with its page.

        Of two with one name it is the first, by page, but one that a page has to its own comes before one that stands
        in a file that it includes.
        """
        if self._named is None:
            self._named = {}
            for docname, block in self._by_name():
                self._named.setdefault(block.name, (docname, block))
        return self._named

    def named_characters(self) -> dict[str, tuple[str, CharacterBlock]]:
        """Return the characters by name, each with its page; of two with one name as for all blocks."""
        if self._characters is None:
            self._characters = {}
            for docname, block in self._by_name():
                if isinstance(block, CharacterBlock):
                    self._characters.setdefault(block.name, (docname, block))
        return self._characters

    def page_mechanics(self) -> dict[str, PageRule]:
        """Return the mechanics in all pages that can be read, by id; of two with one id as for all blocks.

        What is wrong with a row or a cell is reported at the table; what refers to the table needs no second report.
        """
        if self._mechanics is None:
            self._mechanics = {}
            for _docname, block in self._by_name():
                found = block.page_mechanic() if isinstance(block, PageMechanicBlock) else None
                if found is not None:
                    self._mechanics.setdefault(found.id, found)
            # Some faults are seen only when all rules and tables are known.
            self._play_faults = {}
            book_mechanics(self._mechanics.values(), faults=self._play_faults)
            self._mechanics = {id: each for id, each in self._mechanics.items() if id not in self._play_faults}
        return self._mechanics

    def page_tables(self) -> dict[str, PageTable]:
        """Return the tables among these, by id."""
        return tables_of(self.page_mechanics())

    def mechanic_faults(self) -> dict[str, str]:
        """Return what is wrong with the mechanics in all pages that cannot be played, by id, with file and line."""
        known, found = self.page_mechanics(), dict[str, str]()
        for _docname, block in self._by_name():
            if not isinstance(block, PageMechanicBlock) or block.name in known:
                continue
            fault = self._play_faults.get(block.name)
            if fault is not None:
                row = fault.row if isinstance(fault, RuleError) else 0
                line, message = block.line + block.rule_below + row, with_hint(fault.message, fault.hint)
            elif block.issues:
                line, message = block.issues[0]["line"], block.issues[0]["message"]
            else:
                continue
            place = f"{path_in_book(self.env.srcdir, block.source)}:{line}"
            found.setdefault(block.name, f"{place}: {message}")
        return found

    def link_faults(self) -> dict[str, list[Fault]]:
        """Return what is wrong with the names of tables in the cells of others, by the id of their table."""
        if self._link_faults is None:
            self._link_faults = {}
            for id, fault in find_link_faults(self.page_mechanics()):
                self._link_faults.setdefault(id, []).append(fault)
            for id, error in self._play_faults.items():
                if isinstance(error, TableError):
                    self._link_faults.setdefault(id, []).append(Fault(error.message, error.hint, error.line))
        return self._link_faults

    def _by_name(self) -> list[tuple[str, Block]]:
        """Return the blocks that have a name, by page, those of included files last."""
        named = [(docname, block) for docname, block in self._all() if block.name]
        return sorted(named, key=lambda each: each[1].source != os.path.abspath(self.env.doc2path(each[0])))  # noqa: PTH100

    def release_labels(self, docname: str) -> None:
        """Take the labels from Sphinx that blocks of a page have on other pages too.

        A block in a file that two pages include is one block, and Sphinx would warn of two.
        """
        # Those of all pages would be read anew after each page.
        for block in self._blocks_of(docname):
            page, *_rest = self._labels.labels.get(block.name, (docname,))
            if page != docname and any(_place(block) == _place(each) for each in self._blocks_of(page)):
                del self._labels.labels[block.name]

    def settle_labels(self) -> None:
        """Let Sphinx's own references to a block lead to the same page as ours."""
        kinds, labels = find_directives(), self._labels
        for name, (docname, block) in self.named().items():
            known = labels.anonlabels.get(name, ("", block.anchor))[1] == block.anchor
            if known and block.title and not block.is_hidden and kinds[block.kind].is_referable(self.env.config):
                labels.anonlabels[name] = docname, block.anchor
                labels.labels[name] = docname, block.anchor, block.title

    @property
    def _labels(self) -> StandardDomain:
        return cast("StandardDomain", self.env.get_domain("std"))

    def showing(self, rule: str) -> list[tuple[str, Block]]:
        """Return the blocks that show a rule, each with its page, by page."""
        if self._showing is None:
            self._showing = {}
            for docname, block in self._all():
                for shown in block.shows:
                    self._showing.setdefault(shown, []).append((docname, block))
        return self._showing.get(rule, [])

    def rule(self, name: str) -> tuple[str, Block] | None:
        """Return the rule with an id, with its page; ``None`` if there is none."""
        found = self.named().get(name)
        return found if found is not None and isinstance(found[1], RuleBlock) else None

    def link_title(self, docname: str, block: Block) -> str:
        """Return what a link to a named block says: its title, or its name; of a rule both, if readers see its id."""
        if not isinstance(block, RuleBlock):
            return block.name if block.is_hidden else block.title or block.name
        stated = (each for each in self.blocks[docname] if isinstance(each, RuleBlock) and block.name in each.ids)
        title = next(stated, block).title
        return f"{block.name} {title}".strip() if settings_of(self.env.config).rule_ids else title or block.name

    def no_such_rule(self, name: str) -> str:
        """Return the message about an id that no rule has."""
        rules = [known for known, (_, block) in self.named().items() if isinstance(block, RuleBlock)]
        return with_hint(f"there is no rule {quoted(name)}", near(name, rules))

    def _forget_names(self) -> None:
        self._blocks = self._named = self._characters = self._showing = None
        self._mechanics = self._link_faults = None
        self._play_faults = {}
        self._inlines = {}

    def clear_doc(self, docname: str) -> None:
        self._forget_names()
        for key in _BY_PAGE:
            self.data[key].pop(docname, None)
        self.troubled.pop(docname, None)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        self._forget_names()
        for docname in docnames:
            for key in _BY_PAGE:
                if docname in otherdata[key]:
                    self.data[key][docname] = otherdata[key][docname]
            if docname in otherdata["troubled"]:
                self.troubled[docname] = None

    def check_consistency(self) -> None:
        for docname, issue, block, others in self._shared_faults():
            more = f" (so for {others} more block{'s' if others > 1 else ''})" if others else ""
            message = f"{block.label}: {issue['message']}{more}"
            report(Problem(issue["problem"]), message, block.source, issue["line"], docname)

    def _shared_faults(self) -> list[tuple[str, Issue, Block, int]]:
        """Return each fault of a game once: in the first block that shows it, and the number of the others."""
        found: dict[str, tuple[str, Issue, Block, int]] = {}
        for docname, block in self._all():
            keys: dict[str, Issue] = {}
            for each in block.issues:
                if key := shared_fault(block, each):
                    keys.setdefault(key, each)
            for key, each in keys.items():
                page, first, where, others = found.get(key, (docname, each, block, -1))
                found[key] = page, first, where, others + 1
        return list(found.values())

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
        if typ not in find_directives()[block.kind].xref_roles:
            return None
        if not node.get("refexplicit"):
            # Books that show the ids of their rules name them in a sentence by these.
            by_id = typ == RuleBlock.kind and settings_of(self.env.config).rule_ids
            text = target if by_id else self.link_title(docname, block)
            contnode = nodes.inline("", text, classes=contnode.get("classes", []))
        title = "" if block.is_hidden else clean(block.title)
        return make_refnode(builder, fromdocname, docname, block.anchor, contnode, title or None)

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
            title = self.link_title(docname, block)
            if isinstance(block, RuleBlock) and block.heading:
                title = f"{name} {block.heading}" if settings_of(self.env.config).rule_ids else block.heading
            priority = FOUND_FIRST if isinstance(block, RuleBlock | PageMechanicBlock) else _FOUND_LATER
            if isinstance(block, RuleBlock) and title == name and not settings_of(self.env.config).rule_ids:
                priority = _NOT_FOUND  # readers see no ids; what it says is found in its section
            yield name, title or "-", block.kind, docname, block.anchor, priority

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        return type.lname


def _place(block: Block) -> tuple[str, str, int]:
    return block.name, block.source, block.line


def dice_domain(env: BuildEnvironment) -> DiceDomain:
    """Return the domain of an environment."""
    domain = env.domains["dice"]
    if not isinstance(domain, DiceDomain):
        raise TypeError(f"another extension took the domain 'dice': {domain!r}")
    return domain


def setup_domain(app: Sphinx) -> None:
    app.add_domain(DiceDomain)
