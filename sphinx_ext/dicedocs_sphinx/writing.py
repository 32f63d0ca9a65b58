"""What happens to a page when it is written: our nodes give way to HTML, or to nodes that every writer knows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import I18nBuilder

from dicedocs import DiceError, Outcome
from dicedocs.errors import near, quoted
from dicedocs.render.html import outcome_html
from dicedocs.render.text import given, result, rows
from dicedocs.render.words import clean_lines
from dicedocs_sphinx.domain import dice_domain
from dicedocs_sphinx.nodes import dice_example, dice_fact, title_of
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem, report
from dicedocs_sphinx.roles import UNKNOWN, computed, fact_text
from dicedocs_sphinx.worked import Worked, engine_message, example_of, true_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dicedocs_sphinx.domain import DiceDomain

_PERMALINK: Final = "Link to this example"


def show_page(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Show the examples of a page and the facts it takes from others.

    Parameters:
        app: the application, for its builder.
        doctree: the page, its references resolved.
        docname: its name.
    """
    domain = dice_domain(app.env)
    for fact in list(doctree.findall(dice_fact)):
        fact.replace_self(computed(_far(domain, docname, fact)))
    if isinstance(app.builder, I18nBuilder):
        # A catalogue takes the author's words, which stand there as they were read.
        return
    for example in list(doctree.findall(dice_example)):
        _show(app, docname, example)


def far_text(domain: DiceDomain, path: str) -> str:
    """Give a fact of another example as prose has it; ``?`` when that example cannot be played.

    Parameters:
        domain: where the examples are.
        path: the example's name, a point, and the fact.

    Raises:
        KeyError: there is no such example.
        DiceError: it has no such fact.
    """
    name, _, inner = path.partition(".")
    worked = domain.named()[name][1]
    try:
        outcome = example_of(worked).play()
    except Exception:  # noqa: BLE001  # what is wrong was said where the example stands
        return UNKNOWN
    return fact_text(outcome, inner)


def _far(domain: DiceDomain, docname: str, fact: dice_fact) -> str:
    """Give the text of a fact of another example, or report that there is none."""
    path: str = fact["path"]
    try:
        return far_text(domain, path)
    except KeyError:
        name = path.partition(".")[0]
        hint = near(name, domain.named())
        problem, message = Problem.REFERENCE, f"there is no example {quoted(name)}" + (f"; {hint}" if hint else "")
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
    title = title_of(example)
    if app.builder.format == "html":
        permalinks = app.config.html_permalinks and getattr(app.builder, "add_permalinks", False)
        if title is not None and worked["anchor"] and permalinks:
            title += _permalink(worked["anchor"], app.config.html_permalinks_icon)
        example[-1:] = _in_html(domain, docname, worked)
        box = nodes.container("", *example.children, ids=example["ids"], classes=example["classes"])
        example.replace_self(box)
        return
    example[-1:] = _in_stock_nodes(domain, docname, worked)
    target = [nodes.target("", "", ids=example["ids"])] if example["ids"] else []
    if title is not None:
        example[0] = nodes.title("", "", *title.children)
    kind = nodes.container if title is None else nodes.admonition
    example.replace_self([*target, kind("", *example.children, classes=example["classes"])])


def _permalink(anchor: str, icon: str) -> nodes.raw:
    """Give the link to an example that its title carries; the icon is HTML, as the configuration says."""
    link = f'<a class="headerlink" href="#{escape(anchor)}" title="{_PERMALINK}">{icon}</a>'
    return nodes.raw("", link, format="html")


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
    return [nodes.raw("", "".join([*map(_error_html, wrong), shown]), format="html", classes=["no-search"])]


def _error_html(message: str) -> str:
    return f'<div class="dice-error" role="note"><pre>{escape(clean_lines(message))}</pre></div>'


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
    return [*map(_error_box, wrong), *shown]


def _working(outcome: Outcome, names: Sequence[str], *, steps: bool) -> list[nodes.Node]:
    """Give what was chosen, the dice, the working and the result as a definition list."""
    told = nodes.definition_list(classes=["dice-working"])
    for label, text in given(outcome):
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


def _error_box(message: str) -> nodes.admonition:
    title = nodes.title("", "This example does not hold")
    return nodes.admonition("", title, nodes.literal_block(message, message, language="none"), classes=["dice-error"])


def _report_fault(domain: DiceDomain, docname: str, worked: Worked, error: Exception) -> str:
    message = engine_message(error)
    line = true_line(worked, worked["lines"].get("mechanic", 0))
    domain.rewrite(docname)
    report(Problem.ENGINE, f"{worked['shown']}: {message}", worked["source"], line)
    return message


def setup_writing(app: Sphinx) -> None:
    """Connect to the pages when they are written."""
    app.connect("doctree-resolved", show_page)
