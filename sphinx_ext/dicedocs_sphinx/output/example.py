"""A worked example as it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs import DiceError, Outcome
from dicedocs.render.look import LOOKS, Look, is_look, no_such_look
from dicedocs.render.page_example import PageExample
from dicedocs.render.pools import drawn_parameters, table_pools
from dicedocs.render.text import Origin, chosen_parameters, rows
from dicedocs.render.verdict import result_lines
from dicedocs.render.words import clean_lines
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.base import source_line
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.mechanic_block import engine_message
from dicedocs_sphinx.containment import RuleError, contained
from dicedocs_sphinx.diagnostics import Problem, report
from dicedocs_sphinx.domain import dice_domain
from dicedocs_sphinx.nodes import dice_block, title_of
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.output.container import issue_boxes, issue_html, replace_by_container, target
from dicedocs_sphinx.output.latex import boxed, choices_line, outcome_lines
from dicedocs_sphinx.output.numbers import number_example
from dicedocs_sphinx.output.parameters import value_nodes, written_parameters
from dicedocs_sphinx.output.playable import playable_html

_LOOK: Final = (
    "how much room examples take on a page that do not say it themselves: `full` (the working is open), `compact` (one "
    "row, and the working is folded) or `line` (a single line)"
)


def look_of(app: Sphinx, block: ExampleBlock) -> Look:
    """Return how much room an example takes: as it says itself, or as the book says."""
    book: str = app.config.dicedocs_look
    return block.look or (book if is_look(book) else LOOKS[0])


def check_look(app: Sphinx) -> None:
    """Warn about a setting that is not the name of a look."""
    if not is_look(app.config.dicedocs_look):
        message = f"dicedocs_look: {no_such_look(app.config.dicedocs_look)}"
        report(Problem.OPTION, message, str(Path(app.confdir) / "conf.py"), 1)


@writes(ExampleBlock.kind)
def write_example(app: Sphinx, node: dice_block, docname: str) -> None:
    """Replace an example by the outcome, with its working and the Python call, and by its issues."""
    block = cast("ExampleBlock", node.block)
    in_html, in_latex = app.builder.format == "html", app.builder.format == "latex"
    messages = [issue["message"] for issue in block.issues]
    call: str = node.get("computed") or ""
    shown_call = "" if "call" in block.hide else clean_lines(call)
    look = look_of(app, block)
    html, stock_nodes = "", []
    if call:
        example, steps = block.example(), "steps" not in block.hide
        try:
            with contained(app.config.dicedocs_seconds):
                outcome, names = example.play(), tuple(example.expected())
                written = written_parameters(app, block, docname)
                if in_html:
                    shown = PageExample(
                        mechanic=block.mechanic,
                        parameters=block.parameters,
                        facts=names,
                        written=written,
                        steps=steps,
                        call=bool(shown_call),
                        look=look,
                        title=block.title,
                    )
                    # Few readers of e-books can unfold anything.
                    html = shown.html(outcome, shown_call, opened=app.builder.name == "epub")
                    html = playable_html(app, node, html, shown, chance=bool(outcome.dice))
                elif in_latex:
                    choices = chosen_parameters(outcome, written, drawn_parameters(table_pools(outcome)))
                    given = choices_line((choice.label, value_nodes(choice)) for choice in choices)
                    stock_nodes = [*given, outcome_lines(outcome, names, steps=steps)]
                else:
                    stock_nodes = _working(outcome, written, names, steps=steps)
        except DiceError as error:
            messages.append(_report_fault(app, docname, block, error))
    number_example(app, node, docname)
    title = title_of(node)
    prose = [child for child in node[:-1] if child is not title]
    if in_html:
        html = "".join([*map(issue_html, messages), html])
        # The author's words are searched for; the numbers of a thousand examples would drown them.
        outcome_node = nodes.raw("", html, format="html", classes=["no-search"])
        head = [title] if title is not None else []
        node[:] = [*head, outcome_node, *prose] if look == "line" else [*head, *prose, outcome_node]
    elif in_latex:
        # Who reads on paper cannot call anything.
        boxes = issue_boxes(app, messages, _("This example does not hold"))
        block_nodes = boxed(title.children if title is not None else [], [*prose, *stock_nodes])
        node.replace_self([*target(node), *block_nodes, *boxes])
        return
    else:
        code = nodes.literal_block(shown_call, shown_call, language="python", xml__space="preserve")
        boxes = issue_boxes(app, messages, _("This example does not hold"))
        node[-1:] = [*boxes, *stock_nodes, *([code] if shown_call else [])]
    replace_by_container(app, node, _("Link to this example"))


def _working(
    outcome: Outcome, written: Mapping[str, Origin | None], names: Sequence[str], *, steps: bool
) -> list[nodes.Node]:
    """Return the parameters, the dice, the working and the result as a definition list."""
    working = nodes.definition_list(classes=["dice-working"])
    for choice in chosen_parameters(outcome, written):
        working += _item(choice.label, nodes.paragraph("", "", *value_nodes(choice)))
    # The list at each depth; a deeper one is in the definition of the line above it.
    lists = [working]
    for row in [row for row in rows(outcome.steps()) if not row.idle] if steps else []:
        del lists[row.depth + 1 :]
        content = nodes.paragraph("", row.text) if row.text else nodes.definition_list()
        lists[-1] += _item(row.label, content)
        if isinstance(content, nodes.definition_list):
            lists.append(content)
    for label, text in result_lines(outcome, names):
        working += _item(label, nodes.paragraph("", text))
    return [working] if working.children else []


def _item(label: str, content: nodes.Element) -> nodes.definition_list_item:
    return nodes.definition_list_item("", nodes.term("", label), nodes.definition("", content))


def _report_fault(app: Sphinx, docname: str, block: ExampleBlock, error: DiceError) -> str:
    message = str(error) if isinstance(error, RuleError) else engine_message(error, block)
    location = block.source, source_line(block, block.option_lines.get("mechanic", 0))
    dice_domain(app.env).report_written(docname, Problem.ENGINE, f"{block.label}: {message}", *location)
    return message


def setup_examples(app: Sphinx) -> None:
    app.add_config_value("dicedocs_look", LOOKS[0], "html", str, _LOOK)
    app.connect("builder-inited", check_look)
