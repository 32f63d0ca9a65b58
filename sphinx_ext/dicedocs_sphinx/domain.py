"""The domain ``dice``: what examples there are, what the pages use, and how they are referred to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.domains import Domain, ObjType
from sphinx.util.logging import is_suppressed_warning
from sphinx.util.nodes import make_refnode

from dicedocs.errors import near, quoted
from dicedocs_sphinx.example import ExampleDirective
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import TYPE, Problem, report
from dicedocs_sphinx.roles import FactRole, RefRole, RollRole
from dicedocs_sphinx.worked import Worked, true_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment


class DiceDomain(Domain):
    """Worked examples and what refers to them; all data is kept by page."""

    name = "dice"
    label = "dice"
    object_types: ClassVar[dict[str, ObjType]] = {"example": ObjType("example", "ref")}
    directives: ClassVar[dict[str, Any]] = {"example": ExampleDirective}
    roles: ClassVar[dict[str, Any]] = {"fact": FactRole(), "ref": RefRole(), "roll": RollRole()}
    initial_data: ClassVar[dict[str, Any]] = {
        "examples": {},
        "mechanics": {},
        "uses": {},
        "troubled": [],
        "digests": {},
    }
    data_version = 1

    _named: dict[str, tuple[str, Worked]] | None = None

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        self.unsound: set[str] = set()

    @property
    def examples(self) -> dict[str, list[Worked]]:
        """The examples of each page, in their order there."""
        held: dict[str, list[Worked]] = self.data["examples"]
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

    def note_example(self, docname: str, worked: Worked) -> None:
        """Note the next example of a page."""
        self.examples.setdefault(docname, []).append(worked)
        self._named = None

    def report(self, docname: str, problem: Problem, message: str, source: str, line: int) -> None:
        """Log a warning about a page that is being read; it is read again until there is none."""
        silenced = is_suppressed_warning(TYPE, problem.value, self.env.config.suppress_warnings)
        if docname not in self.troubled and not silenced:
            self.troubled.append(docname)
        report(problem, message, source, line)

    def named(self) -> dict[str, tuple[str, Worked]]:
        """Give the named examples, each with its page; of two with one name the first, by page."""
        if self._named is None:
            self._named = {}
            for docname, worked in self._all():
                if worked["name"]:
                    self._named.setdefault(worked["name"], (docname, worked))
        return self._named

    def _all(self) -> Iterator[tuple[str, Worked]]:
        for docname in sorted(self.examples):
            for worked in self.examples[docname]:
                yield docname, worked

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self._named = None
        for held in (self.examples, self.mechanics, self.uses):
            held.pop(docname, None)
        if docname in self.troubled:
            self.troubled.remove(docname)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        """Take over the pages that another process has read."""
        self._named = None
        for docname in docnames:
            for held in ("examples", "mechanics", "uses"):
                if docname in otherdata[held]:
                    self.data[held][docname] = otherdata[held][docname]
            if docname in otherdata["troubled"] and docname not in self.troubled:
                self.troubled.append(docname)

    def check_consistency(self) -> None:
        """Report names that two examples have, with both places."""
        for _, worked, known in self.duplicates():
            place = f"{known['source']}:{true_line(known, known['lines']['name'])}"
            message = f"the name {quoted(worked['name'])} is taken already at {place}"
            report(Problem.DUPLICATE, message, worked["source"], true_line(worked, worked["lines"]["name"]))

    def duplicates(self) -> Iterator[tuple[str, Worked, Worked]]:
        """Give the examples whose name another has already: the page, the example, and the other."""
        for docname, worked in self._all():
            first = self.named().get(worked["name"], (docname, worked))[1]
            # What two pages include is one example.
            if first is not worked and (first["source"], first["line"]) != (worked["source"], worked["line"]):
                yield docname, worked, first

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
        """Give the link to an example; its text is the title unless another was written."""
        found = self.named().get(target)
        if found is None:
            return None
        docname, worked = found
        if not node.get("refexplicit"):
            contnode = nodes.inline("", worked["title"] or target, classes=contnode.get("classes", []))
        return make_refnode(builder, fromdocname, docname, worked["anchor"], contnode, worked["title"] or None)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """Give the link to an example for a reference of no particular kind."""
        found = self.resolve_xref(env, fromdocname, builder, "ref", target, node, contnode)
        return [("dice:ref", found)] if found is not None else []

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """Give what other projects may refer to."""
        for name, (docname, worked) in sorted(self.named().items()):
            yield name, worked["title"] or "-", "example", docname, worked["anchor"], 1


def dice_domain(env: BuildEnvironment) -> DiceDomain:
    """Give the domain of an environment."""
    domain = env.domains["dice"]
    if not isinstance(domain, DiceDomain):
        raise TypeError(f"another extension took the domain 'dice': {domain!r}")
    return domain


def report_missing(_app: Sphinx, domain: Domain | None, node: pending_xref) -> bool | None:
    """Report a reference to an example that there is not, here or in another project's inventory."""
    if not isinstance(domain, DiceDomain):
        return None
    target = node["reftarget"]
    source, line = role_place(node.source, node.line, node.get("written", target))
    hint = near(target, domain.named())
    domain.rewrite(node["refdoc"])
    report(Problem.REFERENCE, f"there is no example {quoted(target)}" + (f"; {hint}" if hint else ""), source, line)
    return True


def setup_domain(app: Sphinx) -> None:
    """Add the domain, with its directive and its roles."""
    app.add_domain(DiceDomain)
    app.connect("warn-missing-reference", report_missing)
