"""The domain ``dice``: what examples there are, what the pages use, and how they are referred to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.domains import Domain, ObjType
from sphinx.util.logging import is_suppressed_warning
from sphinx.util.nodes import clean_astext, make_refnode

from dicedocs.errors import near, quoted
from dicedocs_sphinx.block import true_line
from dicedocs_sphinx.character import Character, CharacterDirective, stamp
from dicedocs_sphinx.counted import Counted
from dicedocs_sphinx.example import ExampleDirective
from dicedocs_sphinx.nodes import dice_figure, dice_table, title_of
from dicedocs_sphinx.odds import ClaimDirective, OddsDirective, TableDirective
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import TYPE, Problem, report
from dicedocs_sphinx.roles import FactRole, OddsRole, RefRole, RollRole
from dicedocs_sphinx.worked import Worked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from dicedocs_sphinx.block import Block


class DiceDomain(Domain):
    """Worked examples, characters, and what refers to them; all data is kept by page."""

    name = "dice"
    label = "dice"
    object_types: ClassVar[dict[str, ObjType]] = {
        "example": ObjType("example", "ref"),
        "character": ObjType("character", "ref"),
        "table": ObjType("table", "ref"),
        "odds": ObjType("odds", "ref"),
        "claim": ObjType("claim", "ref"),
    }
    directives: ClassVar[dict[str, Any]] = {
        "example": ExampleDirective,
        "character": CharacterDirective,
        "table": TableDirective,
        "odds": OddsDirective,
        "claim": ClaimDirective,
    }
    roles: ClassVar[dict[str, Any]] = {
        "fact": FactRole(),
        "odds": OddsRole(),
        "ref": RefRole(),
        "roll": RollRole(),
    }
    initial_data: ClassVar[dict[str, Any]] = {
        "examples": {},
        "characters": {},
        "counted": {},
        "waiting": {},
        "mechanics": {},
        "uses": {},
        "troubled": [],
        "digests": {},
    }
    data_version = 1

    _named: dict[str, tuple[str, Worked | Character | Counted]] | None = None
    _characters: dict[str, Character] | None = None

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self.unsound: set[str] = set()

    @property
    def examples(self) -> dict[str, list[Worked]]:
        """The examples of each page, in their order there."""
        held: dict[str, list[Worked]] = self.data["examples"]
        return held

    @property
    def characters(self) -> dict[str, list[Character]]:
        """The characters of each page, in their order there."""
        held: dict[str, list[Character]] = self.data["characters"]
        return held

    @property
    def counted(self) -> dict[str, list[Counted]]:
        """The tables, charts and claims of each page, in their order there."""
        held: dict[str, list[Counted]] = self.data["counted"]
        return held

    @property
    def waiting(self) -> dict[str, dict[str, str | None]]:
        """The characters that the examples of each page ask for, as they were when those were played last."""
        held: dict[str, dict[str, str | None]] = self.data["waiting"]
        return held

    @property
    def mechanics(self) -> dict[str, list[str]]:
        """The ids of the mechanics that each page plays."""
        held: dict[str, list[str]] = self.data["mechanics"]
        return held

    @property
    def uses(self) -> dict[str, list[str]]:
        """What each page takes from examples elsewhere: a name, or a name with a path, ``sera.total``."""
        held: dict[str, list[str]] = self.data["uses"]
        return held

    @property
    def troubled(self) -> list[str]:
        """The pages that gave a warning when they were read, and are read again until they do not."""
        held: list[str] = self.data["troubled"]
        return held

    @property
    def digests(self) -> dict[str, str]:
        """The digest of the code of each mechanic, as it was when the pages that play it were read."""
        held: dict[str, str] = self.data["digests"]
        return held

    def note(self, docname: str, mechanic: str = "", use: str = "") -> None:
        """Note that a page plays a mechanic, or takes something from another example."""
        for held, word in ((self.mechanics, mechanic), (self.uses, use)):
            known = held.setdefault(docname, [])
            if word and word not in known:
                known.append(word)

    def rewrite(self, docname: str) -> None:
        """Have a page written again by the next build, because it gave a warning when it was written."""
        self.unsound.add(docname)

    def note_block(self, docname: str, block: Worked | Counted) -> None:
        """Note the next example of a page, or the next table, chart or claim."""
        self._among(block).setdefault(docname, []).append(block)
        self._forget()

    def replace_block(self, docname: str, block: Worked | Counted) -> None:
        """Note an example, or what is counted, as it is now, in the place of what was noted of it before."""
        held = self._among(block).get(docname, [])
        held[:] = [block if _place(known) == _place(block) else known for known in held]
        self._forget()

    def _among(self, block: Worked | Counted) -> dict[str, list[Any]]:
        return self.counted if "sort" in block else self.examples

    def note_character(self, docname: str, character: Character) -> None:
        """Note the next character of a page."""
        self.characters.setdefault(docname, []).append(character)
        self._forget()

    def wait(self, docname: str, names: Iterable[str]) -> None:
        """Note that examples of a page cannot be played before all characters are known."""
        self.waiting.setdefault(docname, {}).update(dict.fromkeys(names))

    def stamps(self, docname: str) -> dict[str, str | None]:
        """Give the characters that the examples of a page ask for, as they are now."""
        known = self.named_characters()
        return {name: stamp(known.get(name)) for name in sorted(self.waiting.get(docname, ()))}

    def _forget(self) -> None:
        """Forget which names there are; they are gathered again when asked for."""
        self._named = self._characters = None

    def report(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page that is being read; it is read again until there is none."""
        silenced = is_suppressed_warning(TYPE, problem.value, self.env.config.suppress_warnings)
        if docname not in self.troubled and not silenced:
            self.troubled.append(docname)
        report(problem, message, source, line)

    def tests(self) -> dict[str, list[Worked | Counted]]:
        """Give what there is to be tested of each page: its examples, and what is claimed or cannot be counted."""
        pages = sorted(self.examples.keys() | self.counted.keys())
        found: dict[str, list[Worked | Counted]] = {docname: [*self.examples.get(docname, ())] for docname in pages}
        for docname, each in self.counted.items():
            found[docname] += [counted for counted in each if counted["expect"] or counted["wrong"]]
        return {docname: tests for docname, tests in found.items() if tests}

    def named(self) -> dict[str, tuple[str, Worked | Character | Counted]]:
        """Give what has a name, each with its page; of two with one name the first, by page."""
        if self._named is None:
            self._named = {}
            for docname, block in self._all():
                if block["name"]:
                    self._named.setdefault(block["name"], (docname, block))
        return self._named

    def _all(self) -> Iterator[tuple[str, Worked | Character | Counted]]:
        held = (self.characters, self.examples, self.counted)
        for docname in sorted({docname for pages in held for docname in pages}):
            for pages in held:
                for block in pages.get(docname, ()):
                    yield docname, block

    def named_characters(self) -> dict[str, Character]:
        """Give the named characters; of two with one name the first, by page."""
        if self._characters is None:
            pages = (self.characters[docname] for docname in sorted(self.characters))
            each = [character for page in pages for character in page if character["name"]]
            self._characters = {character["name"]: character for character in reversed(each)}
        return self._characters

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self._forget()
        for held in (self.examples, self.characters, self.counted, self.waiting, self.mechanics, self.uses):
            held.pop(docname, None)
        if docname in self.troubled:
            self.troubled.remove(docname)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        """Take over the pages that another process has read."""
        self._forget()
        for docname in docnames:
            for held in ("examples", "characters", "counted", "waiting", "mechanics", "uses"):
                if docname in otherdata[held]:
                    self.data[held][docname] = otherdata[held][docname]
            if docname in otherdata["troubled"] and docname not in self.troubled:
                self.troubled.append(docname)

    def check_consistency(self) -> None:
        """Report names that two have, with both places."""
        for _, block, known in self.duplicates():
            place = f"{known['source']}:{true_line(known, known['lines']['name'])}"
            message = f"the name {quoted(block['name'])} is taken already at {place}"
            report(Problem.DUPLICATE, message, block["source"], true_line(block, block["lines"]["name"]))

    def duplicates(self) -> Iterator[tuple[str, Block, Block]]:
        """Give the examples and characters whose name another has already: the page, the one, and the other."""
        for docname, block in self._all():
            first = self.named().get(block["name"], (docname, block))[1]
            # What two pages include is one.
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
        """Give the link to an example or a character; its text is the title unless another was written."""
        found = self.named().get(target)
        if found is None:
            return None
        docname, block = found
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
        """Give the link to an example or a character for a reference of no particular kind."""
        found = self.resolve_xref(env, fromdocname, builder, "ref", target, node, contnode)
        return [("dice:ref", found)] if found is not None else []

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """Give what other projects may refer to."""
        for name, (docname, block) in sorted(self.named().items()):
            yield name, block["title"] or "-", sort_of(block), docname, block["anchor"], 1


def sort_of(block: Worked | Character | Counted) -> str:
    """Give the name of the directive that a block was written with."""
    if "sort" in block:
        return block["sort"]
    return "character" if "values" in block else "example"


def _place(block: Worked | Counted) -> tuple[str, str, int]:
    """Give what tells a block from every other of its page."""
    return block["shown"], block["source"], block["line"]


def _caption(node: Element) -> str | None:
    """Give the title by which Sphinx numbers a table, and refers to it; without one it does neither."""
    title = title_of(node)
    return None if title is None else clean_astext(title)


def dice_domain(env: BuildEnvironment) -> DiceDomain:
    """Give the domain of an environment."""
    domain = env.domains["dice"]
    if not isinstance(domain, DiceDomain):
        raise TypeError(f"another extension took the domain 'dice': {domain!r}")
    return domain


def report_missing(_app: Sphinx, domain: Domain | None, node: pending_xref) -> bool | None:
    """Report a reference to an example or a character that there is not, here or in another project's inventory."""
    if not isinstance(domain, DiceDomain):
        return None
    target = node["reftarget"]
    source, line = role_place(node.source, node.line, node.get("written", target))
    hint = near(target, domain.named())
    domain.rewrite(node["refdoc"])
    message = f"nothing is named {quoted(target)}" + (f"; {hint}" if hint else "")
    report(Problem.REFERENCE, message, source, line)
    return True


def setup_domain(app: Sphinx) -> None:
    """Add the domain, with its directive and its roles."""
    app.add_domain(DiceDomain)
    for node in (dice_table, dice_figure):
        app.add_enumerable_node(node, "table", _caption)  # type: ignore[arg-type]  # it may give none
    app.connect("warn-missing-reference", report_missing)
