"""What pages use from each other: facts, links and rules, which are known when all pages are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.errors import NoUri

from dicedocs import DiceError
from dicedocs.errors import quoted
from dicedocs.render.words import clean
from dicedocs_sphinx.blocks.base import Block, option_line
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.directives import find_directives
from dicedocs_sphinx.game_code import contained, problem_of
from dicedocs_sphinx.nodes import UNKNOWN
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.statements import OPTION, Inline, Issue, State, issue


def settle_references(app: Sphinx, env: BuildEnvironment) -> None:
    """Find what each page uses from others, and report what there is not."""
    domain = dice_domain(env)
    domain.settle_labels()
    with book_language(env):
        for docname in sorted({*domain.blocks, *domain.data["inlines"]}):
            kept = [each for each in domain.inlines(docname) if each.role != OPTION]
            inlines = [_settled(app, docname, each) if each.path else each for each in kept]
            wrong = list(_wrong_options(domain, docname))
            domain.note_inlines(docname, [*inlines, *wrong])
            for inline in [*(each for each in inlines if each.path), *wrong]:
                domain.report_inline(docname, inline)


def _settled(app: Sphinx, docname: str, inline: Inline) -> Inline:
    """Return a fact or a reference with the text that readers see, or with what is wrong with it."""
    domain = dice_domain(app.env)
    if inline.role == "fact":
        shown, issues = _fact(domain, inline)
        return replace(inline, shown=shown, issues=issues, state=(State.FAILED if issues else State.COMPUTED).value)
    if _is_here(domain, inline) or _is_elsewhere(app, docname, inline):
        return replace(inline, issues=[], state="")
    is_rule = inline.role == RuleBlock.kind
    message = domain.no_such_rule(inline.path) if is_rule else domain.no_such_name(inline.path)
    return replace(inline, issues=[issue(Problem.REFERENCE, message, line=inline.line)], state=State.FAILED.value)


def _wrong_options(domain: DiceDomain, docname: str) -> Iterator[Inline]:
    """Yield the names on a page that other blocks have already, and the rules that are shown there and do not exist."""
    for block in domain.blocks.get(docname, ()):
        if isinstance(block, PageMechanicBlock):
            for fault in domain.link_faults().get(block.name, ()):
                message = f"{block.label}: {with_hint(fault.message, fault.hint)}"
                wrong = _wrong(block, "", Problem.TABLE, message, fault.line)
                note = replace(wrong, label=message, issues=(), state=State.UNCOMPARED.value)
                yield note if fault.is_note else wrong
        _, first = domain.named().get(block.name, (docname, block))
        if not _is_the_same(first, block):
            taken = f"is taken already at {first.source}:{option_line(first, 'name')}; choose another one"
            yield _wrong(block, "name", Problem.DUPLICATE, f"the name {quoted(block.name)} {taken}")
        for rule in block.shows:
            if domain.rule(rule) is None:
                yield _wrong(block, "shows", Problem.REFERENCE, f"{block.label}: {domain.no_such_rule(rule)}")


def _is_the_same(first: Block, block: Block) -> bool:
    """Return whether two blocks of one name are one: they stand in an included file, or say the same."""
    if isinstance(first, PageMechanicBlock) and isinstance(block, PageMechanicBlock):
        # Each may stand below a heading of its own.
        return {**first.plain(), "title": ""} == {**block.plain(), "title": ""}
    return (first.source, first.line) == (block.source, block.line)


def _wrong(block: Block, option: str, problem: Problem, message: str, line: int = 0) -> Inline:
    line = line or option_line(block, option)
    issues = [issue(problem, message, line=line)]
    return Inline(
        label=block.label, source=block.source, line=line, issues=issues, state=State.FAILED.value, role=OPTION
    )


def _fact(domain: DiceDomain, inline: Inline) -> tuple[str, list[Issue]]:
    """Return a fact of a block on any page as prose shows it, or ``?`` and what is wrong."""
    name, _, inner = inline.path.partition(".")
    found = domain.named().get(name)
    if found is None:
        problem, message = Problem.REFERENCE, domain.no_such_name(name)
    else:
        try:
            with contained(settings_of(domain.env.config).seconds):
                facts = found[1].facts()
                return UNKNOWN if facts is None else clean(facts.text(inner)), []
        except DiceError as error:
            problem, message = problem_of(error, Problem.FACT), str(error)
    return UNKNOWN, [issue(problem, message, line=inline.line)]


def _is_here(domain: DiceDomain, inline: Inline) -> bool:
    found = domain.named().get(inline.path)
    return found is not None and inline.role in find_directives()[found[1].kind].xref_roles


def _is_elsewhere(app: Sphinx, docname: str, inline: Inline) -> bool:
    """Return whether another project has what a reference leads to."""
    node = pending_xref(
        "", refdomain=DiceDomain.name, reftype=inline.role, reftarget=inline.path, refdoc=docname, refexplicit=False
    )
    event = "missing-reference"
    return app.emit_firstresult(event, app.env, node, nodes.inline(), allowed_exceptions=(NoUri,)) is not None


def is_reported(_app: Sphinx, domain: Domain | None, _node: pending_xref) -> bool | None:
    """Return True for a reference of ours that leads nowhere, which was reported when all pages were read."""
    return True if isinstance(domain, DiceDomain) else None


def setup_references(app: Sphinx) -> None:
    app.connect("env-updated", settle_references)
    app.connect("warn-missing-reference", is_reported)
