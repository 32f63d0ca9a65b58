"""How blocks are written in nodes that every writer of Sphinx knows; other formats extend this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from dicedocs import DiceError, Outcome
from dicedocs.render.table import Table
from dicedocs.render.text import Origin, before_value, chosen_parameters, participants, rows
from dicedocs.render.verdict import result_lines
from dicedocs.render.words import clean, clean_lines
from dicedocs.scenes.state_view import Shift, shift_text, shown_state, truth_text
from dicedocs.translation import gettext as _
from dicedocs_lint.docutils_grids import shown_text
from dicedocs_sphinx.blocks.advice import AdviceBlock
from dicedocs_sphinx.blocks.base import Block, source_line, story_until
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.mechanic_block import engine_message
from dicedocs_sphinx.blocks.odds import ChartBlock, ClaimBlock, OddsBlock, TableBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SceneBlock, SheetBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book_language import block_words
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.game_code import RuleError, contained
from dicedocs_sphinx.nodes import (
    TITLE,
    dice_block,
    dice_case,
    dice_reference,
    dice_result,
    dice_words,
    title_of,
    value_node,
)
from dicedocs_sphinx.output.links import block_link, change_name, page_of
from dicedocs_sphinx.output.numbering import number_example
from dicedocs_sphinx.output.odds_tables import chart_as_table, claim_list, paragraphs, stock_table
from dicedocs_sphinx.output.page_table import link_tables, marked_tables
from dicedocs_sphinx.output.parameters import participant_nodes, value_nodes, written_parameters
from dicedocs_sphinx.output.quick_reference import reference_list
from dicedocs_sphinx.output.rule import add_ids, add_shown_rules, compact_rule, is_compact, rule_lines
from dicedocs_sphinx.settings import settings_of

Way = tuple[str, str, Sequence[tuple[str, Block]]]
"""The way of a value through a scene: its name, its first text, and what it became, with the block that changed it."""


class Writer:
    """Writes blocks for builders of which nothing more is known.

    Parameters:
        app: the application.
    """

    counts = False
    """Whether the writer of Sphinx knows the numbers of blocks."""

    def __init__(self, app: Sphinx) -> None:
        self.app = app

    def prepare(self) -> None:
        """Do what must be done before any page is written."""

    def begin(self, doctree: nodes.document, docname: str) -> None:
        """Change a page, or look at it, before any of its facts and blocks is written."""
        self._tables = marked_tables(doctree)

    def finish(self, doctree: nodes.document) -> None:
        """Change a page whose blocks are all written."""

    def write(self, node: dice_block, docname: str) -> None:
        """Replace a block by what the writer of Sphinx knows; nothing but its target is left of a hidden one."""
        if node.block.is_hidden:
            node["classes"] = []
            node.replace_self(self.hidden(node))
            return
        with block_words(node.block):
            add_shown_rules(self.app, node, docname)
            if elsewhere := [_apart("dice-elsewhere", nodes.Text(clean(text))) for text in node.block.elsewhere()]:
                index = len(node) - sum(isinstance(child, dice_result) for child in node)
                node[index:index] = elsewhere
            match node.block:
                case ExampleBlock() as block:
                    self.example(node, block, docname)
                case TableBlock() | ChartBlock() | AdviceBlock() as block:
                    self.odds(node, block)
                case ClaimBlock() as block:
                    self.claim(node, block)
                case PageMechanicBlock() as block:
                    self.mechanic(node, block, docname)
                case RuleBlock() as block:
                    self.rule(node, block, docname)
                case CharacterBlock() as block:
                    self.character(node, block)
                case SceneBlock() as block:
                    self.scene(node, block, docname)
                case ChangeBlock() as block:
                    self.change(node, block)
                case SheetBlock() as block:
                    self.sheet(node, block, docname)
                case block:
                    FUNCTIONS.get(block.kind, _write_plain)(self, node, docname)

    # The kinds of blocks

    def example(self, node: dice_block, block: ExampleBlock, docname: str) -> None:
        """Replace an example by the outcome, with its working, and by its issues."""
        messages = _messages(block)
        call = clean_lines(node.get("computed") or "")
        given, content = list[nodes.Node](), list[nodes.Node]()
        if call:
            shown_call = call if settings_of(self.app.config).python_calls and "call" not in block.hide else ""
            try:
                with contained(settings_of(self.app.config).seconds):
                    example = block.example()
                    outcome, names = example.play(), tuple(example.expected())
                    written = written_parameters(self.app, block, docname)
                    given = self.given(block, outcome, written)
                    content = self.outcome(node, block, outcome, names, written, shown_call)
            except DiceError as error:
                messages.append(_report_fault(self.app, docname, block, error))
        number_example(self.app, node, docname)
        node[-1:-1] = self.moves(block)
        index = int(title_of(node) is not None)
        node[index:index] = given
        self.place_example(node, block, content, messages)

    def given(self, block: ExampleBlock, outcome: Outcome, written: Mapping[str, Sequence[Origin]]) -> list[nodes.Node]:
        """Return what stands below the title of an example: in a scene, who takes part."""
        found = participants(outcome, written) if block.scene else []
        return [_apart("dice-participants", *participant_nodes(found))] if found else []

    def outcome(
        self,
        _node: dice_block,
        block: ExampleBlock,
        outcome: Outcome,
        names: Sequence[str],
        written: Mapping[str, Sequence[Origin]],
        call: str,
    ) -> list[nodes.Node]:
        """Return the outcome of an example: the parameters, the dice, the working, the result, and the Python call.

        In a scene it is without the parameters: who takes part is all that a story needs of them.
        """
        working = nodes.definition_list(classes=["dice-working"])
        for choice in [] if block.scene else chosen_parameters(outcome, written):
            working += _item(choice.label, nodes.paragraph("", "", *value_nodes(choice)))
        # The list at each depth; a deeper one is in the definition of the line above it.
        lists = [working]
        for row in [] if "steps" in block.hide else [row for row in rows(outcome.steps()) if not row.idle]:
            del lists[row.depth + 1 :]
            content = nodes.paragraph("", row.text) if row.text else nodes.definition_list()
            lists[-1] += _item(row.label, content)
            if isinstance(content, nodes.definition_list):
                lists.append(content)
        for label, text in result_lines(outcome, names):
            working += _item(label, nodes.paragraph("", text))
        code = nodes.literal_block(call, call, language="python", xml__space="preserve")
        return [*([working] if working.children else []), *([code] if call else [])]

    def place_example(
        self, node: dice_block, _block: ExampleBlock, content: list[nodes.Node], messages: list[str]
    ) -> None:
        """Replace an example, given its outcome and what is wrong with it."""
        node[-1:] = [*self.boxes(messages, _("This example does not hold")), *content]
        self.place(node, _("Link to this example"))

    def odds(self, node: dice_block, block: OddsBlock) -> None:
        """Replace a table or a chart."""
        content, prose, boxes = self._odds_parts(node, block)
        if content is None:
            node[:] = [*prose, *boxes]
            self.place(node, _("Link to this table"))
            return
        head = title_of(node)
        caption = head.children if head is not None else []
        figure = self.table if isinstance(content, Table) else self.chart
        written = figure(node, block, content, caption)
        node.replace_self([*written, *(child for child in prose if child is not head), *boxes])

    def table(
        self, node: dice_block, _block: OddsBlock, table: Table, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        """Return a table of odds with its caption."""
        return [*self.captioned(node, stock_table(table), caption), *paragraphs(table.note)]

    def chart(
        self, node: dice_block, _block: OddsBlock, odds: ChartedOdds, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        """Return a chart of odds with its caption: its figures as a table."""
        table, below = chart_as_table(odds)
        return [*self.captioned(node, stock_table(table), caption), *below]

    def captioned(self, node: dice_block, tables: list[nodes.Node], caption: Sequence[nodes.Node]) -> list[nodes.Node]:
        """Return tables, the first with the caption and the anchor of their block."""
        if not caption:
            return [*self.target(node), *tables]
        first = next(each for each in tables if isinstance(each, nodes.table))
        first["ids"] = node["ids"]
        first.insert(0, nodes.title("", "", *caption))
        return tables

    def claim(self, node: dice_block, block: ClaimBlock) -> None:
        """Replace a claim by its prose, its exact figures and its issues."""
        claims, prose, boxes = self._odds_parts(node, block)
        node[:] = [*prose, *(self.figures(block, claims) if claims else []), *boxes]
        self.place(node, _("Link to this claim"))

    def figures(self, block: ClaimBlock, claims: Sequence[CheckedClaim]) -> list[nodes.Node]:
        """Return the exact figures of a claim."""
        return [claim_list(block, claims)]

    def _odds_parts(self, node: dice_block, block: OddsBlock) -> tuple[Any, list[nodes.Node], list[nodes.Node]]:
        """Return what a block of odds shows, if it could be counted, its title and prose, and its issues."""
        content = node.get("computed")
        title = _("This does not hold") if content is not None else _("This cannot be counted")
        prose = [child for child in node if not isinstance(child, dice_result)]
        return content, prose, self.boxes(_messages(block), title)

    def mechanic(self, node: dice_block, block: PageMechanicBlock, docname: str) -> None:
        """Replace a mechanic of the page: a table stands there as any other, the lines of a rule are printed."""
        if block.rule:
            self.page_rule(node, block, docname)
            return
        tables = self._tables.get(block.name)
        if tables:
            table = tables.pop(0)
            link_tables(self.app, table, block, docname)
            table.parent.insert(table.parent.index(table) + 1, self.roll(node, block))
        boxes = self.boxes(_messages(block), _("This table cannot be read"))
        node["classes"] = []
        node.replace_self([*self.target(node), *node.children, *boxes])

    def page_rule(self, node: dice_block, block: PageMechanicBlock, docname: str) -> None:
        """Replace a rule of the page by its title, its parameters, its lines and its words, or only by the last."""
        if block.hides_rule:
            node["classes"] = []
            # Buttons below nothing would be below whatever stands before the rule.
            words = [*node.children, *self.roll(node, block)] if node.children else []
            node.replace_self([*self.target(node), *words])
            return
        parameters = [(clean(name), clean(text)) for name, text in block.parameters.items()]
        title = block.title or block.name
        node[:0] = [
            *([] if title == _heading_above(node) else [nodes.paragraph("", clean(title), classes=[TITLE])]),
            *([self.values(parameters)] if parameters else []),
            rule_lines(self.app, docname, block),
            *self.roll(node, block),
        ]
        node += self.boxes(_messages(block), _("This rule cannot be read"))
        self.place(node, _("Link to this rule"))

    def roll(self, _node: dice_block, _block: PageMechanicBlock) -> list[nodes.Node]:
        """Return what stands below a table or a rule so that readers can roll it; nothing where they cannot."""
        return []

    def rule(self, node: dice_block, block: RuleBlock, docname: str) -> None:
        """Replace a rule by its title and its words, and what only authors see."""
        if block.name and not block.ids:
            # It was stated together with the rule before it.
            node["classes"] = []
            node.replace_self(self.target(node))
            return
        boxes = self.boxes(_messages(block), _("This rule cannot be read"))
        if is_compact(self.app) and not boxes:
            self.place_in_text(node, compact_rule(self.app, node, block, docname))
            return
        node += boxes
        add_ids(self.app, node, block, docname)
        self.place(node, _("Link to this rule"))

    def character(self, node: dice_block, block: CharacterBlock) -> None:
        """Replace a character by its prose and its values."""
        node += self.boxes(_messages(block), _("This character cannot be read"))
        if block.values:
            words = block.words
            shown = ((clean(name), shown_state(truth_text(text, name, words))) for name, text in block.values.items())
            node += self.values(shown)
        self.place(node, _("Link to this character"))

    def scene(self, node: dice_block, block: SceneBlock, docname: str) -> None:
        """Replace a scene by its prose, its cast and its tracks as it begins."""
        node[-1:] = self.boxes(_messages(block), _("This scene cannot be read"))
        named = dice_domain(self.app.env).named_characters()
        cast = [(*named[name], named[name][1].title or name) for name in block.cast if name in named]
        links = [block_link(self.app, docname, page, character, text=title) for page, character, title in cast]
        if links:
            parts = [part for link in links for part in (nodes.Text(", "), link)]
            node += _apart("dice-cast", nodes.Text(f"{before_value(_('Cast'))} "), *parts[1:])
        if block.tracks:
            node += self.values([(track_label(name), shown_state(text)) for name, text in block.tracks.items()])
        self.place(node, _("Link to this scene"))

    def change(self, node: dice_block, block: ChangeBlock) -> None:
        """Replace a change by what it changes, and its prose."""
        title = _("This change cannot be made") if block.after is None else _("This does not hold")
        node[-1:] = [*self.moves(block), *self.boxes(_messages(block), title)]
        self.place(node, _("Link to this change"))

    def sheet(self, node: dice_block, block: SheetBlock, docname: str) -> None:
        """Replace a sheet by the way of each value that changed in its scene, with links to what changed it."""
        docname = page_of(self.app, node, docname)
        story = story_until(dice_domain(self.app.env).blocks.get(docname, ()), block)
        ways = []
        for path, text in (story[0].after or {}).items() if story else ():
            moves = ((each, after) for each in story for name, _, after in each.moved() if name == path)
            if stops := [(truth_text(after, path, block.state_words), each) for each, after in moves]:
                ways.append((self.state_label(path), truth_text(text, path, block.state_words), stops))
        if ways:
            node += self.ways(block, ways, docname)
        node += self.boxes(_messages(block), _("This sheet cannot be shown"))
        self.place(node, _("Link to this sheet"))

    def ways(self, _block: SheetBlock, ways: Sequence[Way], docname: str) -> nodes.Node:
        """Return the ways of values through a scene."""
        items = []
        for label, start, stops in ways:
            parts: list[nodes.Node] = [value_node(shown_state(start))]
            for text, each in stops:
                link = block_link(self.app, docname, docname, each, text=change_name(each))
                parts += [value_node(f" → {shown_state(text)} ("), link, nodes.Text(")")]
            items.append(_item(label, nodes.paragraph("", "", *parts)))
        return nodes.definition_list("", *items, classes=["dice-sheet"])

    def moves(self, block: Block) -> list[nodes.Node]:
        """Return what a block changes in its scene: a paragraph, if that is anything."""
        changes = [
            Shift(self.state_label(path), *(truth_text(text, path, block.state_words) for text in texts))
            for path, *texts in block.moved()
        ]
        return [_apart("dice-changes", self.changes(changes))] if changes else []

    def changes(self, changes: Sequence[Shift]) -> nodes.Node:
        """Return what became of values, with their names."""
        return value_node("; ".join(map(shift_text, changes)))

    def reference(self, node: dice_reference, docname: str) -> None:
        """Replace a quick reference by the list of the rules of its page, whose blocks are written later."""
        written = reference_list(self.app, node, docname)
        if written is None:
            node.parent.remove(node)
        else:
            node.replace_self(written)

    def fact(self, _fact: nodes.inline, shown: nodes.Node) -> list[nodes.Node]:
        """Return a fact or a track in a sentence, given what is shown of it."""
        return [shown]

    def words(self, words: dice_words) -> list[nodes.Node]:
        """Return the words that are true of the book's roll."""
        if "cases" not in words:
            return list(words.children)
        told = zip(words.children, words["cases"], strict=True)
        return [each for child, (_, holds) in told if holds for each in child.children]

    def case(self, case: dice_case) -> list[nodes.Node]:
        """Return what stands in the text if a condition holds for the book's roll, or else nothing."""
        return case.content if case.holds else []

    def track(self, path: str, text: str) -> nodes.Node:
        """Return a track in a sentence."""
        return value_node(shown_state(text))

    def state_label(self, path: str) -> str:
        """Return the name of a value of a scene for readers."""
        name, _dot, value = path.partition(".")
        named = dice_domain(self.app.env).named_characters()
        return clean(f"{named[name][1].title or name}, {value}") if value and name in named else track_label(path)

    def values(self, values: Iterable[tuple[str, str]]) -> nodes.Node:
        """Return the values of a character."""
        items = (_item(name, nodes.paragraph("", "", value_node(value))) for name, value in values)
        return nodes.definition_list("", *items)

    # What they are made of

    def boxes(self, messages: Iterable[str], title: str) -> list[nodes.Node]:
        """Return a box for each message about what is wrong."""
        return [
            nodes.admonition(
                "",
                nodes.title("", title),
                nodes.literal_block(message, message, language="none"),
                classes=["dice-error"],
            )
            for message in map(clean_lines, messages)
        ]

    def target(self, node: dice_block) -> list[nodes.Node]:
        """Return the target of links to a block, if it has a name."""
        # A comment follows it, since the LaTeX writer leaves the label to a table or a section that is next.
        return [nodes.target("", "", ids=node["ids"]), nodes.comment()] if node["ids"] else []

    def hidden(self, node: dice_block) -> list[nodes.Node]:
        """Return what is left of a block that nobody sees."""
        return self.target(node)

    def place(self, node: dice_block, _permalink: str) -> None:
        """Replace a block, whose children every writer knows by now, by a container with its title.

        Parameters:
            node: the block.
            permalink: the text of the link to it.
        """
        title = title_of(node)
        if title is not None:
            node[0] = nodes.title("", "", *title.children)
        element = nodes.container if title is None else nodes.admonition
        node.replace_self([*self.target(node), element("", *node.children, classes=node["classes"])])

    def place_in_text(self, node: dice_block, content: list[nodes.Node]) -> None:
        """Replace a block by what stands in the text of the book."""
        node.replace_self([*self.target(node), *content])


def _heading_above(node: nodes.Element) -> str:
    """Return the heading right above a node; empty if there is none, or readers see something between them."""
    above = node.parent.children[: node.parent.index(node)]
    seen = [each for each in above if not isinstance(each, nodes.Invisible | nodes.target | addnodes.index)]
    return shown_text(seen[-1]) if seen and isinstance(seen[-1], nodes.title) else ""


WriteFunction = Callable[[Writer, dice_block, str], None]
"""Replaces a node, given the writer, the node, and the name of the page."""
FUNCTIONS: Final[dict[str, WriteFunction]] = {}
"""How kinds of blocks are written that are not ours, by kind."""


def writes(*kinds: str) -> Callable[[WriteFunction], WriteFunction]:
    """Register a function that writes some kinds of blocks."""

    def register(function: WriteFunction) -> WriteFunction:
        FUNCTIONS.update(dict.fromkeys(kinds, function))
        return function

    return register


def _write_plain(writer: Writer, node: dice_block, _docname: str) -> None:
    """Replace a block by its title, its prose and its issues."""
    noun = node.block.kind
    boxes = writer.boxes(_messages(node.block), _("This {block} does not hold").format(block=noun))
    node[:] = [*(child for child in node if not isinstance(child, dice_result)), *boxes]
    writer.place(node, _("Link to this {block}").format(block=noun))


def _apart(css_class: str, *content: nodes.Node) -> nodes.Node:
    """Return a paragraph that no writer joins with the one before it."""
    return nodes.container("", nodes.paragraph("", "", *content), classes=[css_class])


def track_label(name: str) -> str:
    """Return the name of a track for readers."""
    return clean(name.replace("-", " ").capitalize())


def _messages(block: Block) -> list[str]:
    return [issue["message"] for issue in block.issues if not issue["elsewhere"]]


def _item(label: str, content: nodes.Element) -> nodes.definition_list_item:
    return nodes.definition_list_item("", nodes.term("", label), nodes.definition("", content))


def _report_fault(app: Sphinx, docname: str, block: ExampleBlock, error: DiceError) -> str:
    message = str(error) if isinstance(error, RuleError) else engine_message(error, block)
    location = block.source, source_line(block, block.option_lines.get("mechanic", 0))
    dice_domain(app.env).report_written(docname, Problem.ENGINE, f"{block.label}: {message}", *location)
    return message
