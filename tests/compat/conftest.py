"""One book among other extensions, built once for each theme."""

import shutil
import zlib
from pathlib import Path

import nbformat
import pytest

import dicedocs as dd

from ..browser.conftest import browser, browsers, chromium, playwright, playwright_at_rest  # noqa: F401  # fixtures here too
from ..sphinx.conftest import Book, Built

PAGES = ("index", "layout", "markup", "code", "notebook")
SOURCES = Path(__file__).parent / "book"
INVENTORY = b"# Sphinx inventory version 2\n# Project: Elsewhere\n# Version: 1\n# The rest is compressed using zlib.\n"
ENTRIES = b"elsewhere dice:example 1 rules.html#dice-elsewhere A blow elsewhere\nint py:class 1 functions.html#int -\n"
NOTE = """\
# A notebook

```{dice:example} Beside a cell
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11

It is {dice:fact}`total`.
```
"""


def notebook() -> str:
    """Return a notebook with one of our directives, an outcome and a distribution."""
    cells = [nbformat.v4.new_markdown_cell(NOTE)]
    shown = (
        ('dd.play("ember/blaze", trait=3, dice=[8, 10, 3, 9])', dd.play("ember/blaze", trait=3, dice=[8, 10, 3, 9])),
        ('dd.odds("methuen/expression", expression="2d6")', dd.odds("methuen/expression", expression="2d6")),
    )
    for source, value in shown:
        data = {"text/plain": str(value), "text/html": value._repr_html_()}
        output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
        cells.append(nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    text: str = nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}))
    return text


class Among:
    """The book; the builds share what they read."""

    def __init__(self, folder: Path) -> None:
        self.book = Book(folder)
        shutil.copytree(SOURCES, self.book.src, dirs_exist_ok=True)
        self.book.write("notebook.ipynb", notebook())
        (self.book.src / "elsewhere.inv").write_bytes(INVENTORY + zlib.compress(ENTRIES))
        self._built: dict[str, Built] = {}

    def in_theme(self, theme: str) -> Built:
        """Return the book in a theme, which is built when it is first asked for."""
        if theme not in self._built:
            self._built[theme] = self.book.build("html", out=theme, html_theme=theme)
        return self._built[theme]


@pytest.fixture(scope="module")
def among(tmp_path_factory: pytest.TempPathFactory) -> Among:
    return Among(tmp_path_factory.mktemp("among"))
