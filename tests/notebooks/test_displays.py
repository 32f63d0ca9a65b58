"""A saved notebook in each tool; tests/browser/test_saved.py shows the same in a real browser."""

import re
import warnings
from html.parser import HTMLParser
from io import StringIO

import nbformat
import pytest
from nbconvert import HTMLExporter, LatexExporter, MarkdownExporter
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dicedocs_sphinx.output import staleness
from dicedocs_widgets.packing import unpack_data

from .saved_notebook import LAST, STATE, THEN, VIEW, saved


class VisibleWords(HTMLParser):
    """The words that a page shows without scripts."""

    def __init__(self, page):
        super().__init__()
        self.words = []
        self.hidden = 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in {"script", "style"}

    def handle_endtag(self, tag):
        self.hidden -= tag in {"script", "style"}

    def handle_data(self, data):
        self.words += [] if self.hidden else data.split()


def visible_text(page):
    return " ".join(VisibleWords(page).words)


def converted(exporter, *, state):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text, _ = exporter.from_notebook_node(saved(state=state))
    return text


@pytest.fixture
def site(tmp_path):
    """Return a function that builds a book with the notebook in MyST-NB, and returns its page."""

    def build(builder, *, state, **settings):
        book = tmp_path / "book"
        book.mkdir()
        nbformat.write(saved(state=state), book / "index.ipynb")
        # Without this setting, MyST-NB changes the default of all later books in this process.
        suffixes = {".ipynb": "myst-nb"}
        settings = {"extensions": ["myst_nb"], "source_suffix": suffixes, "nb_execution_mode": "off", **settings}
        warning = StringIO()
        with warnings.catch_warnings(), patch_docutils(), docutils_namespace():
            warnings.simplefilter("ignore")
            Sphinx(
                book, None, tmp_path / "out", tmp_path / "read", builder, settings, status=None, warning=warning
            ).build()
        # MyST-NB warns of every notebook without a title.
        issues = [line for line in warning.getvalue().splitlines() if "document has no title" not in line]
        suffix = {"html": "html", "latex": "tex", "text": "txt"}[builder]
        pages = [page for page in (tmp_path / "out").glob(f"*.{suffix}") if page.stem not in {"genindex", "search"}]
        assert issues == []
        return pages[0].read_text("utf-8")

    return build


def test_a_build_says_that_saved_outputs_are_not_computed(site, monkeypatch):
    said = []
    monkeypatch.setattr(staleness.logger, "info", lambda text, *values: said.append(text % values))
    site("text", state=False, extensions=["myst_nb", "dicedocs_sphinx"])
    assert said == ["dicedocs: index shows its saved outputs, which may no longer match the rules"]


# The saved notebook


def test_the_output_of_the_cell_has_the_outcome_in_every_format():
    [output] = saved(state=False).cells[0].outputs
    assert f"Total {THEN}" in output.data["text/plain"]
    assert f">{THEN}<" in output.data["text/html"]
    assert "dice-outcome" in output.data["text/html"]
    assert THEN in output.data["text/latex"]


def test_the_widget_state_has_the_last_outcome():
    models = saved(state=True).metadata["widgets"][STATE]["state"].values()
    [panel] = [one["state"] for one in models if "_state" in one["state"]]
    assert unpack_data(panel["_state"])["outcome"]["headline"] == f"Total {LAST}"


# nbconvert


def test_nbconvert_to_html_shows_the_outcome_without_state():
    page = converted(HTMLExporter(), state=False)
    assert f"Total {THEN}" in visible_text(page)
    assert "4 + 2 + 5" in visible_text(page)
    assert VIEW not in re.findall(r'<script type="([^"]+)">', page)


def test_nbconvert_to_html_leaves_a_panel_with_state_to_its_widget_manager():
    page = converted(HTMLExporter(), state=True)
    assert {VIEW, STATE} <= set(re.findall(r'<script type="([^"]+)">', page))
    assert "unpkg.com/@jupyter-widgets/html-manager" in page
    assert "widgetRendererSrc = 'saved.js'" in converted(HTMLExporter(widget_renderer_url="saved.js"), state=True)


@pytest.mark.parametrize("state", [True, False], ids=["with-state", "without"])
def test_nbconvert_to_latex_shows_the_outcome(state):
    text = converted(LatexExporter(), state=state)
    body = text[text.index(r"\begin{document}") :]
    assert r"\begin{description}" in body
    assert f"4 + 2 + 5 = {THEN}" in body


@pytest.mark.parametrize("state", [True, False], ids=["with-state", "without"])
def test_nbconvert_to_markdown_shows_the_outcome(state):
    assert f">{THEN}<" in converted(MarkdownExporter(), state=state)


def test_other_outputs_are_the_same_with_and_without_state():
    for state in (True, False):
        words = visible_text(converted(HTMLExporter(), state=state))
        assert "Total 13" in words
        assert "16.7%" in words


# MyST-NB


def test_mystnb_leaves_a_panel_to_scripts_by_default(site):
    page = site("html", state=True, nb_ipywidgets_js={})
    assert {VIEW, STATE} <= set(re.findall(r'<script type="([^"]+)">', page))
    assert f"Total {THEN}" not in visible_text(page)


def test_mystnb_shows_the_outcome_without_the_widget(site):
    page = site("html", state=False, nb_mime_priority_overrides=[("html", VIEW, None)])
    assert f"Total {THEN}" in visible_text(page)
    assert VIEW not in page


def test_mystnb_to_latex_shows_the_outcome(site):
    text = site("latex", state=True)
    assert r"\begin{description}" in text
    assert f"4 + 2 + 5 = {THEN}" in text


def test_mystnb_to_text_shows_the_outcome_without_latex(site):
    text = site("text", state=True, nb_mime_priority_overrides=[("text", "text/latex", None)])
    assert f"Dice: 3d6: 4 + 2 + 5 = {THEN}" in text
    assert f"Total {THEN}" in text
