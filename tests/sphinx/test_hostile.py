"""Text from anywhere is inert in every output format: it is shown, and nothing else."""

import json
import re
import shutil
import subprocess
import zipfile
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

import dicedocs as dd
from dicedocs.render.words import clean

from ..hostile import EVERYTHING, TRAP
from ..pango import has_pango
from . import hostile_book
from .conftest import Book

# The others write what one of these writes, into other files.
BUILDERS = [
    "html",
    "epub",
    "latex",
    "text",
    "man",
    "texinfo",
    "xml",
    "json",
    "gettext",
    "doctest",
]
PAPER = [pytest.param("dicebook", marks=pytest.mark.thorough)] if has_pango() else []
ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
BIDI = re.compile(r"[\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def built(shared_book, tmp_path_factory):
    """Builds the pages by a builder, once: HTML has each text in blocks of its own, the others few, joined texts."""
    hostile_book.write_book(shared_book.src, shared_book.write)
    short = Book(tmp_path_factory.mktemp("short"))
    hostile_book.write_book(short.src, short.write, few=True)
    return cache(lambda builder: (shared_book if builder == "html" else short).build(builder))


class Elements(HTMLParser):
    """The elements of a page that could do something, and all attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.active: list[str] = []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag in {"script", "iframe", "object", "embed", "base", "meta", "link", "style"} and not self._expected(
            tag, names
        ):
            self.active.append(f"<{tag} {names}>")
        self.active += [f"{name}={value}" for name, value in attributes if name.startswith("on")]
        urls = [names.get(name) or "" for name in ("href", "src", "xlink:href", "action", "data")]
        if tag == "a" and "download" in names:
            # CSV, which a browser saves and never shows.
            urls = [url for url in urls if not re.fullmatch(r"data:text/csv;charset=utf-8,[\w.~%-]*", url, re.ASCII)]
        self.active += [url for url in urls if re.match(r"\s*(javascript|data|vbscript):", url, re.IGNORECASE)]
        self.active += [url for url in urls if "evil.example" in url and tag != "a"]

    def _expected(self, tag, names):
        """Whether the theme has written an element."""
        own = names.get("src", names.get("href")) or ""
        return "_static/" in own or own.endswith("searchindex.js") or tag in {"meta", "link"}


def test_pages_contain_nothing_active(built):
    pages = hostile_book.files(built("html").out, ".html")
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        elements = Elements()
        elements.feed(text)
        assert elements.active == []
        assert f"<script>{TRAP}" not in text


@pytest.mark.parametrize("builder", [name for name in BUILDERS if name not in {"gettext", "json"}])
def test_no_output_has_control_characters_of_others(built, builder):
    suffixes = {".html", ".xhtml", ".tex", ".txt", ".1", ".texi", ".xml", ".pseudoxml", ".fjson", ".pot"}
    for path in hostile_book.files(built(builder).out, *suffixes):
        text = path.read_text("utf-8")
        assert not ILLEGAL.findall(text), path
        assert "\x1b" not in text


@pytest.mark.parametrize("builder", [*BUILDERS, *PAPER])
def test_the_terminal_gets_no_escape_sequences(built, builder):
    assert not ILLEGAL.findall(re.sub(r"\x1b\[[0-9;]*m", "", built(builder).log))
    assert not BIDI.findall(built(builder).log)
    ours = [w for w in built(builder).warnings if w.type.startswith("dicedocs")]
    assert all(w.file in {"index.rst", "more.md"} for w in ours)


@pytest.mark.parametrize("name", ["index.xml", "more.xml"])
def test_xml_is_wellformed(built, name):
    root = ET.fromstring(built("xml").read(name))  # noqa: S314
    assert root.tag == "document"


def test_epub_is_wellformed_xml(built):
    [book] = built("epub").out.glob("*.epub")
    with zipfile.ZipFile(book) as archive:
        names = [name for name in archive.namelist() if name.endswith((".xhtml", ".opf", ".ncx", ".xml"))]
        for name in names:
            ET.fromstring(archive.read(name))  # noqa: S314
    assert len(names) >= 4


def test_json_is_json(built):
    for path in hostile_book.files(built("json").out, ".fjson"):
        assert json.loads(path.read_text("utf-8"))


def commands(latex):
    """The commands of a text in LaTeX, apart from its comments and what stands there literally."""
    return set(re.findall(r"\\([A-Za-z@]+)", latex))


def test_latex_has_only_commands_of_sphinx(built):
    text = built("latex").read("book.tex")
    body = "\\chapter{" + text.partition("\\chapter{")[2]
    assert not commands(body) & {"input", "write", "verb", "include", "openin", "immediate", "catcode", "def", "read"}
    assert body.count("\\end{document}") == 1
    assert not re.search(r"\^\^[0-9a-zA-Z]", body)
    # What follows an unescaped percent sign is lost, except at the end of a line, where Sphinx writes it itself.
    for line in body.splitlines():
        comment = re.search(r"(?<!\\)(?:\\\\)*%(.+)", line)
        assert comment is None or comment[1].startswith("\\"), line
    # Braces are balanced, or what follows would be an argument.
    bare = re.sub(r"\\[\\{}]", "", body)
    assert bare.count("{") == bare.count("}")


def test_man_pages_have_only_requests_of_docutils(built):
    text = built("man").read("book.1")
    requests = {match[1] for match in re.finditer(r"^[.']\s*(\S*)", text, re.MULTILINE)}
    assert not requests & {"so", "sy", "pso", "open", "opena", "pi", "mso", "cf", "x"}
    assert not re.findall(r"^'(?!\\\")", text, re.MULTILINE)


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_reads_no_file(built):
    page = built("man").out / "book.1"
    done = subprocess.run(
        [str(shutil.which("groff")), "-man", "-Tutf8", "-Kutf8", page], capture_output=True, check=True, timeout=60
    )
    assert b"root:x:" not in done.stdout


def test_texinfo_has_only_commands_of_sphinx(built):
    text = built("texinfo").read("book.texi")
    body = text.partition("@node Top")[2].replace("@@", "")
    assert not re.findall(r"@(?:input|include|ifset|macro|verbatiminclude|tex)\b", body)
    assert len(re.findall(r"^@bye", text, re.MULTILINE)) == 1


def test_a_catalogue_can_be_read(built):
    for path in hostile_book.files(built("gettext").out, ".pot"):
        for line in path.read_text("utf-8").splitlines():
            assert not line or line[0] == "#" or re.fullmatch(r'(?:msgid |msgstr )?"(?:[^"\\]|\\.)*"', line), line


def test_the_doctest_of_each_block_ends(built):
    assert "exited" not in built("doctest").log
    assert "UnicodeEncodeError" not in built("doctest").read("output.txt")


def test_turned_text_stays_where_it_is():
    assert clean("\u202egnp.exe\u2066") == "\ufffdgnp.exe\ufffd"
    assert clean("שלום") == "שלום"


def test_an_outcome_in_a_notebook_is_inert(built, monkeypatch):
    outcome = dd.play("hostile/rule", text=EVERYTHING, dice=[4])
    elements = Elements()
    elements.feed(outcome.to_html())
    assert elements.active == []
    odds = dd.odds("hostile/counted")
    elements.feed(odds._repr_html_().partition("</style>")[2])
    assert elements.active == []
    assert not commands(outcome._repr_latex_()) & {"input", "write", "verb"}
    for text in (outcome.to_html(), outcome._repr_latex_(), str(outcome), odds._repr_html_(), str(odds)):
        assert not ILLEGAL.findall(text)
        assert not BIDI.findall(text)
    assert json.loads(outcome.to_json())
