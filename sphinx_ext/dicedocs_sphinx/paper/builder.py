"""The builder ``dicebook``: the pages of a book, with a cover, contents and an index, as PDF."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.indexentries import IndexEntries
from sphinx.errors import SphinxError
from sphinx.locale import _ as sphinx_text
from sphinx.util.nodes import process_only_nodes

from dicedocs.errors import quoted
from dicedocs.render.html import verdict_colours
from dicedocs.render.svg import die_svg
from dicedocs.rules.record import Die
from dicedocs.translation import gettext as _
from dicedocs.translation import pgettext
from dicedocs_sphinx.book.index_entries import with_chapters
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.diagnostics import report_configuration
from dicedocs_sphinx.paper.assembly import PAGE
from dicedocs_sphinx.paper.formulas import BookTranslator
from dicedocs_sphinx.settings import PAPERS, settings_of

_FACES: Final = {4: 2, 6: 5, 8: 7, 10: 3, 12: 11, 20: 17}
"""The dice of a cover without a picture, with their faces."""
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".svg")


class BookBuilder(StandaloneHTMLBuilder):
    """Makes a PDF of each book."""

    name = "dicebook"
    epilog = "The PDF is in %(outdir)s."
    embedded = True
    """No page has a script, since nothing can be rolled on paper."""
    add_permalinks = False
    search = False
    copysource = False
    default_translator_class = BookTranslator

    def init(self) -> None:
        super().init()
        try:
            import ziamath  # noqa: F401

            from dicedocs_sphinx.paper import printing
        except (ImportError, OSError) as error:
            message = (
                "The builder dicebook needs WeasyPrint: write pip install 'dicedocs[paper]'. It sets text with Pango: "
                "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0 on Debian, brew install pango on macOS, "
                f"pacman -S mingw-w64-ucrt-x86_64-pango in MSYS2 on Windows ({error})"
            )
            raise SphinxError(message) from error
        self._print = printing.print_book

    def get_theme_config(self) -> tuple[str, dict[str, str | int | bool]]:
        return "basic", {}  # a book needs none, and others want their files to be there

    def get_outdated_docs(self) -> str:  # type: ignore[override]  # a text is for what is not counted
        return "all pages"

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        return f"{PAGE}{docname}"

    def get_relative_uri(self, from_: str, to: str, typ: str | None = None) -> str:
        return self.get_target_uri(to, typ)

    def write_documents(self, _docnames: Collection[str]) -> None:
        self.prepare_writing(set(self.env.all_docs))
        whole = (self.config.root_doc, "book", self.config.project, self.config.author)
        with book_language(self.env):
            for start, name, title, author in settings_of(self.config).books or [whole]:
                if start in self.env.all_docs:
                    self._write_book(start, name, title, author)
                else:
                    report_configuration(self, f"dicedocs_books: there is no page {quoted(start)}")

    def copy_assets(self) -> None:
        """Copy nothing of what a site needs besides its pages; but extensions want a folder for their files."""
        Path(self.outdir, "_static").mkdir(parents=True, exist_ok=True)

    def finish(self) -> None:
        """Write nothing of that either."""

    def _write_book(self, start: str, name: str, title: str, author: str) -> None:
        pages: dict[str, str] = {}
        self._add_page(start, -1, pages)
        self.copy_image_files()
        parts = [
            self._cover(title, author),
            f'<nav class="book-contents"><h1>{escape(sphinx_text("Table of Contents"))}</h1></nav>',
            *pages.values(),
            f'<nav class="book-tables"><h1>{escape(_("Tables and charts"))}</h1></nav>',
            self._index(pages),
        ]
        html = self._document(title, author, "\n".join(filter(None, parts)))
        self._print(self, html, Path(self.outdir, f"{name}.pdf"))

    def _add_page(self, docname: str, depth: int, pages: dict[str, str]) -> None:
        """Add a page, and those that its tables of contents list; the first one only if it says something."""
        doctree = self.env.get_doctree(docname)
        process_only_nodes(doctree, self.tags)
        toctrees = list(doctree.findall(addnodes.toctree))
        for toctree in toctrees:
            toctree.parent.remove(toctree)
        self.env.resolve_references(doctree, docname, self)
        self.current_docname, self.imgpath, self.dlpath = docname, self.imagedir, "_downloads"
        self.secnumbers = self.env.toc_secnumbers.get(docname, {})
        self.fignumbers = self.env.toc_fignumbers.get(docname, {})
        self.post_process_images(doctree)
        doctree.settings = self.docsettings
        if depth >= 0 or not toctrees or _says_something(doctree):
            visitor: Any = self.create_translator(doctree, self)
            doctree.walkabout(visitor)
            kind, place = "chapter" if depth <= 0 else "part", escape(docname)
            content = "".join(visitor.fragment)
            pages[docname] = (
                f'<article class="book-{kind}" data-page="{place}" data-depth="{max(depth, 0)}">{content}</article>'
            )
        for toctree in toctrees:
            for page in toctree["includefiles"]:
                if page in self.env.all_docs and page not in pages:
                    self._add_page(page, depth + 1, pages)

    def _cover(self, title: str, author: str) -> str:
        texts = settings_of(self.config).cover
        subtitle, publisher, legal = (_paragraphs(texts.get(key, "")) for key in ("subtitle", "publisher", "legal"))
        picture = self._picture(texts.get("picture", ""))
        front = f"<h1>{escape(title)}</h1>{subtitle}"
        return (
            '<section class="book-cover">'
            # As backgrounds neither the dice nor a picture is read aloud; the title page says it all.
            + (
                f"<style>@page cover {{ background: url({escape(picture.as_uri())}) center / cover }}</style>"
                if picture
                else f'{front}<div class="book-dice" style="background-image: url({_dice()})"></div>'
                f"<p>{escape(author)}</p>"
            )
            + f'</section><section class="book-title">{front}<p>{escape(author)}</p>'
            f'<div class="book-imprint">{publisher}{legal}</div></section>'
        )

    def _picture(self, name: str) -> Path | None:
        if not name:
            return None
        path = Path(self.confdir, name)
        if path.suffix.lower() not in _PICTURES:
            fault = f"has a format that cannot be set; write the name of a file that ends in {', '.join(_PICTURES)}"
        elif not path.is_file():
            fault = "is not there; write its path from the folder of conf.py"
        else:
            return path
        report_configuration(self, f"dicedocs_cover: the picture {quoted(name)} {fault}")
        return None

    def _index(self, pages: Collection[str]) -> str:
        kept = [
            (letter, list(_of_pages(entries, pages))) for letter, entries in IndexEntries(self.env).create_index(self)
        ]
        groups = ""
        for letter, entries in with_chapters(self.env, self.get_target_uri, [group for group in kept if group[1]]):
            lines = "".join(_index_line(name, links, below) for name, (links, below, _letter) in entries)
            groups += f"<h2>{escape(letter)}</h2><ul>{lines}</ul>"
        return groups and f'<section class="book-index"><h1>{escape(sphinx_text("Index"))}</h1>{groups}</section>'

    def _document(self, title: str, author: str, body: str) -> str:
        settings = settings_of(self.config)
        language = escape((self.config.language or "en").replace("_", "-"))
        size = PAPERS.get(settings.book_paper, settings.book_paper)
        bleed = f" bleed: {settings.book_bleed}; marks: crop cross;" if settings.book_bleed else ""
        page = pgettext("before the number of a page", "p.")
        links = "".join(
            f'<link rel="stylesheet" href="{escape(Path(self.confdir, name).as_uri())}">' for name in settings.book_css
        )
        return (
            f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="author" content="{escape(author)}"><meta name="generator" content="dicedocs">'
            f"<style>{self.highlighter.get_stylesheet()} {verdict_colours()} "
            f"@page {{ size: {size};{bleed} }} "
            f':root {{ --book-page: "{page}"; }}</style>{links}</head>'
            f'<body class="book-{escape(settings.book_paper)} book-working-{settings.printed_working}">'
            f"{body}</body></html>"
        )


def _says_something(doctree: nodes.document) -> bool:
    """Return whether a page has more than its title."""
    silent = nodes.title | nodes.Invisible | nodes.compound | addnodes.index
    return any(not isinstance(child, silent) for section in doctree.findall(nodes.section) for child in section)


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())


def _dice() -> str:
    """Return the dice of a cover without a picture, as the address of a picture."""
    dice = (
        f'<svg x="{index % 3 * 60}" y="{index // 3 * 60}" width="48" height="48">{die_svg(Die(sides, face))}</svg>'
        for index, (sides, face) in enumerate(_FACES.items())
    )
    whole = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 168 108" color="#fff" font-family="Fraunces" '
        f'font-size="21.33">{"".join(dice)}</svg>'
    )
    return f"data:image/svg+xml;base64,{b64encode(whole.encode()).decode()}"


def _of_pages(entries: Sequence[Any], pages: Collection[str]) -> Iterator[Any]:
    """Yield the entries of an index that lead to pages of a book."""

    def kept(links: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        return [link for link in links if link[1].removeprefix(PAGE).partition("#")[0] in pages]

    for name, (links, below, letter) in entries:
        left = [(each, kept(its)) for each, its in below if kept(its)]
        if kept(links) or left:
            yield name, (kept(links), left, letter)


def _index_line(name: str, links: Sequence[tuple[str, str]], below: Sequence[Any] = ()) -> str:
    """Return an entry of the index with its pages, and what stands below it."""
    pages = "".join(f'<a href="{escape(address)}"></a>' for _main, address in links)
    under = "".join(_index_line(each, its) for each, its in below)
    numbers = f' <span class="book-pages">{pages}</span>' if pages else ""
    return f"<li>{escape(name)}{numbers}{f'<ul>{under}</ul>' if under else ''}</li>"


def setup_paper(app: Sphinx) -> None:
    app.add_builder(BookBuilder)
