"""What happens to a page when it is written: our nodes give way to HTML, or to nodes that every writer knows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import I18nBuilder

from dicedocs import DiceError, Outcome
from dicedocs.errors import near, quoted
from dicedocs.render.html import outcome_html
from dicedocs.render.text import chosen_parameters, result, rows
from dicedocs.render.words import clean
from dicedocs_sphinx.block import true_line
from dicedocs_sphinx.boxes import box, error_box, error_html
from dicedocs_sphinx.charts import setup_charts, show_counted
from dicedocs_sphinx.domain import dice_domain
from dicedocs_sphinx.nodes import dice_character, dice_counted, dice_example, dice_fact
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem, report
from dicedocs_sphinx.roles import UNKNOWN, computed, held_text
from dicedocs_sphinx.ruled import engine_message
from dicedocs_sphinx.worked import Worked, example_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dicedocs_sphinx.character import Character
    from dicedocs_sphinx.domain import DiceDomain


def show_page(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Show what of ours is on a page: characters, examples, what is counted, and the facts it takes from others.

    Parameters:
        app: the application, for its builder.
        doctree: the page, its references resolved.
        docname: its name.
    """
    domain = dice_domain(app.env)
    for fact in list(doctree.findall(dice_fact)):
        fact.replace_self(computed(fact["text"] if "text" in fact else _far(domain, docname, fact)))
    if isinstance(app.builder, I18nBuilder):
        # A catalogue takes the author's words, which stand there as they were read.
        return
    for character in list(doctree.findall(dice_character)):
        _show_character(app, character)
    for counted in list(doctree.findall(dice_counted)):
        show_counted(app, counted)
    for example in list(doctree.findall(dice_example)):
        _show(app, docname, example)


def far_text(domain: DiceDomain, path: str) -> str:
    """Give a fact, a value or a figure that stands elsewhere, as prose has it; ``?`` when there is none for it.

    Parameters:
        domain: where the examples and characters are, and what is counted.
        path: the name of one, a point, and the fact, the value or the figure.

    Raises:
        KeyError: there is none of that name.
        DiceError: it has no such fact or value.
    """
    name, _, inner = path.partition(".")
    block = domain.named()[name][1]
    if "seed" not in block:
        return held_text(block, inner)
    try:
        outcome = example_of(block).play()
    except Exception:  # noqa: BLE001  # what is wrong was said where the example stands
        return UNKNOWN
    return held_text(outcome, inner)


def _far(domain: DiceDomain, docname: str, fact: dice_fact) -> str:
    """Give the text of what stands on another page, or report that there is none."""
    path: str = fact["path"]
    try:
        return far_text(domain, path)
    except KeyError:
        name = path.partition(".")[0]
        hint = near(name, domain.named())
        problem = Problem.REFERENCE
        message = f"nothing is named {quoted(name)}" + (f"; {hint}" if hint else "")
    except DiceError as error:
        problem, message = Problem.FACT, str(error)
    if not fact.get("quiet") and not isinstance(fact.parent, nodes.substitution_definition):
        domain.rewrite(docname)
        report(problem, message, *role_place(fact.source, fact.line, path))
    return UNKNOWN


def _show(app: Sphinx, docname: str, example: dice_example) -> None:
    """Replace an example by what the builder's writer knows."""
    domain = dice_domain(app.env)
    worked: Worked = example["worked"]
    in_html = app.builder.format == "html"
    example[-1:] = _in_html(domain, docname, worked) if in_html else _in_stock_nodes(domain, docname, worked)
    box(app, example, worked, "Link to this example")


def _show_character(app: Sphinx, node: dice_character) -> None:
    """Replace a character by what the builder's writer knows."""
    character: Character = node["character"]
    wrong = [found["message"] for found in character["misread"]]
    values = [(clean(name), str(value)) for name, value in (character["values"] or {}).items()]
    if app.builder.format == "html":
        shown = "".join(map(error_html, wrong)) + (_values_html(values) if values else "")
        node += [nodes.raw("", shown, format="html")] if shown else []
    else:
        node += [error_box(message, "This character cannot be read") for message in wrong]
        rows = [(nodes.term("", name), nodes.definition("", nodes.paragraph("", value))) for name, value in values]
        items = [nodes.definition_list_item("", *row) for row in rows]
        node += [nodes.definition_list("", *items)] if items else []
    box(app, node, character, "Link to this character")


def _values_html(values: Iterable[tuple[str, str]]) -> str:
    """Give what a character has as a list of names with their values."""
    rows = (f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in values)
    return f'<dl class="dice-values simple">{"".join(rows)}</dl>'


def _played(worked: Worked) -> tuple[Outcome | None, Sequence[str]]:
    """Give the outcome when there is one to show, and the facts to show of it."""
    if not worked["call"]:
        return None, ()
    example = example_of(worked)
    return example.play(), tuple(example.expected())


def _call(worked: Worked) -> str:
    """Give the call that is shown."""
    return "" if "call" in worked["hide"] else worked["call"]


def _in_html(domain: DiceDomain, docname: str, worked: Worked) -> list[nodes.Node]:
    """Give the HTML: what is wrong, the dice, the working, the result, the call."""
    outcome, names = _played(worked)
    shown = ""
    wrong = [found["message"] for found in worked["wrong"]]
    if outcome is not None:
        try:
            shown = outcome_html(
                outcome, names=names, chosen=True, steps="steps" not in worked["hide"], call=_call(worked)
            )
        except Exception as error:  # noqa: BLE001  # a rule that cannot explain itself is told, and the build goes on
            wrong.append(_report_fault(domain, docname, worked, error))
    # The author's words are searched for; the numbers of a thousand examples would drown them.
    return [nodes.raw("", "".join([*map(error_html, wrong), shown]), format="html", classes=["no-search"])]


def _in_stock_nodes(domain: DiceDomain, docname: str, worked: Worked) -> list[nodes.Node]:
    """Give the same in nodes that every writer knows."""
    outcome, names = _played(worked)
    shown: list[nodes.Node] = []
    wrong = [found["message"] for found in worked["wrong"]]
    if outcome is not None:
        try:
            shown = _working(outcome, names, steps="steps" not in worked["hide"])
        except Exception as error:  # noqa: BLE001  # as above
            wrong.append(_report_fault(domain, docname, worked, error))
        if call := _call(worked):
            shown.append(nodes.literal_block(call, call, language="python", xml__space="preserve"))
    return [*(error_box(message, "This example does not hold") for message in wrong), *shown]


def _working(outcome: Outcome, names: Sequence[str], *, steps: bool) -> list[nodes.Node]:
    """Give what was chosen, the dice, the working and the result as a definition list."""
    told = nodes.definition_list(classes=["dice-working"])
    for label, text in chosen_parameters(outcome):
        chosen = nodes.definition("", nodes.paragraph("", "", nodes.literal(text, text)))
        told += nodes.definition_list_item("", nodes.term("", label), chosen)
    # The list at each depth; a deeper one stands in the definition of the line above it.
    lists = [told]
    for row in [row for row in rows(outcome.steps()) if not row.idle] if steps else []:
        del lists[row.depth + 1 :]
        said = nodes.definition("", *([nodes.paragraph("", row.text)] if row.text else []))
        lists[-1] += nodes.definition_list_item("", nodes.term("", row.label), said)
        if not row.text:
            lists.append(nodes.definition_list())
            said += lists[-1]
    for label, text in result(outcome, names):
        said = nodes.definition("", nodes.paragraph("", text))
        told += nodes.definition_list_item("", nodes.term("", label), said)
    return [told] if told.children else []


def _report_fault(domain: DiceDomain, docname: str, worked: Worked, error: Exception) -> str:
    message = engine_message(error)
    line = true_line(worked, worked["lines"].get("mechanic", 0))
    domain.rewrite(docname)
    report(Problem.ENGINE, f"{worked['shown']}: {message}", worked["source"], line)
    return message


def setup_writing(app: Sphinx) -> None:
    """Connect to the pages when they are written."""
    setup_charts(app)
    app.connect("doctree-resolved", show_page)
