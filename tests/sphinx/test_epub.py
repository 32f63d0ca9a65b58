"""E-books: what is in them is valid, and their drawings are shown."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from dicedocs.render.html import with_stylesheet

ROOT = Path(__file__).resolve().parents[2]
JAR = Path("/usr/share/java/epubcheck.jar")
PAGE = """
    .. dice:example:: Renna's *shot*
       :mechanic: total-effect/roll
       :dice: 4 2 5
       :expect: total=11, low=2

       She shoots.

    .. dice:table:: Totals
       :mechanic: total-effect/roll
       :vary: disadvantage=1, advantage=0..1
       :mark: at least 13

    .. dice:odds:: Two ways
       :mechanic: total-effect/roll
       :vary: advantage=0..1

    .. dice:odds:: Long
       :mechanic: methuen/expression
       :expression: 1d100
"""


@pytest.fixture(scope="session")
def epubcheck():
    """The command epubcheck; without it tests are skipped, but fail in CI."""
    java = shutil.which("java")
    if java is None or not JAR.is_file():
        if os.environ.get("CI"):
            pytest.fail("there is no epubcheck, and in CI e-books must be checked")
        pytest.skip("there is no epubcheck")
    # It runs too briefly to be optimised.
    return [java, "-XX:TieredStopAtLevel=1", "-jar", str(JAR)]


def complaints(epubcheck: list[str], book: Path) -> list[str]:
    done = subprocess.run([*epubcheck, str(book)], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert "EPUBCheck completed" in said
    return re.findall(r"^(?:FATAL|ERROR|WARNING).*", said, re.MULTILINE)


@pytest.mark.thorough
def test_the_rulebook_and_a_page_of_each_kind_of_block_are_valid(book, epubcheck):
    book.page(PAGE, "everything.rst")
    for page in (ROOT / "docs" / "rulebook").glob("*.md"):
        # Links to the other parts of the documentation lead nowhere here.
        text = re.sub(r"\[([^\]]*)\]\(\.\./[^)]*\)", r"\1", page.read_text("utf-8"))
        (book.src / page.name).write_text(text, "utf-8")
    built = book.build("epub", extensions=["dicedocs_sphinx", "myst_parser"], suppress_warnings=["ref", "myst", "misc"])
    assert (built.out / "methuen.xhtml").is_file()
    assert complaints(epubcheck, built.out / "Book.epub") == []


def test_pages_with_drawings_are_declared_and_others_are_not(book):
    book.page(PAGE + "\n    .. toctree::\n\n       folder/plain & simple\n")
    book.page("Words.", "folder/plain & simple.rst")
    built = book.build("epub")
    with zipfile.ZipFile(built.out / "Book.epub") as packed:
        listing = packed.read("content.opf").decode()
        assert packed.infolist()[0].filename == "mimetype"
    assert listing == built.read("content.opf")
    items = ET.fromstring(listing).iter("{http://www.idpf.org/2007/opf}item")  # noqa: S314
    declared = {item.get("href"): item.get("properties") for item in items if item.get("href").endswith(".xhtml")}
    assert declared["index.xhtml"] == "svg"
    assert declared["folder/plain%20%26%20simple.xhtml"] is None
    assert declared["nav.xhtml"] == "nav"


def test_the_stylesheet_of_an_output_is_left_out(book):
    output = with_stylesheet("<p>11</p>").replace("\n", "\n       ")
    book.page(f"{PAGE}\n    .. raw:: html\n\n       {output}\n")
    assert "<style" in book.build("html", html_theme="basic").read("index.html")
    page = book.build("epub").read("index.xhtml")
    assert "<style" not in page
    assert "<p>11</p>" in page
