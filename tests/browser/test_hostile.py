"""Pages full of hostile text in a real browser: nothing of it runs, and nothing is loaded."""

import html
import zipfile

import pytest

import dicedocs as dd

from ..hostile import EVERYTHING, SCRIPT
from ..loaded_games import forget_games
from ..sphinx import hostile_book
from ..sphinx.conftest import Book

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """All pages of each builder, and one with what a notebook shows, as files.

    Each text has blocks of its own in HTML; the others write the same into other files, and have few, joined texts.
    """
    book, short = (Book(tmp_path_factory.mktemp(name)) for name in ("hostile", "short"))
    hostile_book.write_book(book.src, book.write)
    hostile_book.write_book(short.src, short.write, few=True)
    pages = [
        path
        for name, one in {"html": book, "dirhtml": short, "singlehtml": short}.items()
        for path in hostile_book.files(one.build(name).out, ".html")
    ]
    [epub] = short.build("epub").out.glob("*.epub")
    with zipfile.ZipFile(epub) as archive:
        archive.extractall(short.folder / "epub")
    pages += hostile_book.files(short.folder / "epub", ".xhtml")
    outcome = dd.play("hostile/rule", text=EVERYTHING, dice=[4])
    example, odds = (
        dd.Example("hostile/rule", {}, dice=[4]),
        [dd.odds("hostile/counted", fact) for fact in ("said", "total")],
    )
    shown = outcome._repr_html_() + example._repr_html_() + "".join(each._repr_html_() for each in odds)
    notebook = book.folder / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8><title>x</title><body>{shown}", "utf-8")
    yield [*pages, notebook]
    forget_games(book.folder)


def test_no_text_of_a_page_runs_or_loads_anything(browser, pages):
    assert len(pages) > 12
    context = browser.new_context()
    page = context.new_page()
    dialogs, requests, errors = [], [], []

    def dismiss(dialog):
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script("window.addEventListener('securitypolicyviolation', () => { window.trapped = 1 })")
    found = {}
    for path in pages:
        page.goto(path.as_uri())
        shown = page.evaluate(
            """() => {
                for (const one of document.querySelectorAll("details")) one.open = true;
                for (const one of document.querySelectorAll("a[href]")) {
                    if (/^(javascript|data|vbscript):/i.test(one.protocol)) one.click();
                }
                return [window.trapped ?? 0, document.body?.innerText.length ?? 0];
            }"""
        )
        found[path.name, str(path.parent)] = shown
    context.close()
    assert {key: shown for key, shown in found.items() if shown[0] or not shown[1]} == {}
    assert not dialogs
    assert not errors
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


def test_the_trap_works(browser, tmp_path):
    path = tmp_path / "trap.html"
    path.write_text(f"<!doctype html><body>{SCRIPT} {html.escape(SCRIPT)}", "utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("window.trapped") == 1
    context.close()
