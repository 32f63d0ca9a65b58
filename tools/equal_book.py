"""A generated book with all kinds of blocks, and the edits that `make equal` makes in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

Edit = Callable[[Path], object]
"""Changes a book in a folder."""
CONF: Final = """\
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import luck

project = "Equal"
author = "N"
copyright = "2026"
version = release = "1"
language = "en"
extensions = ["dicedocs_sphinx", "myst_parser"]
html_theme = "basic"
html_title = "The book"
numfig = True
myst_enable_extensions = ["colon_fence", "substitution"]
man_pages = [("index", "equal", "Equal", ["N"], 1)]
epub_basename = "Equal"
rst_prolog = ".. |word| replace:: a word"
"""
LUCK: Final = '''\
"""A game beside conf.py, which takes a table from another module and one from a file, and plays another game."""

import json
from pathlib import Path

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say, highest, param
from luck_table import BONUS

LEVELS = json.loads((Path(__file__).parent / "luck.json").read_text("utf-8"))


class Lucky(Mechanic, id="luck/lucky"):
    """Throw two d20, keep the higher, and add the skill."""

    skill: int = param(default=0, help="added to the die")

    class Result(Outcome):
        total: int
        level: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        (best,) = dice.pool(20, 20, keep=highest(1))
        total = say.sum("Total", best, skill=self.skill, bonus=BONUS)
        return self.Result(total, say.fact("Level", LEVELS[total > 20]))


class Borrowed(Mechanic, id="luck/borrowed"):
    """Play an expression of another game."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        from luck_late import EXTRA

        outcome = dd.play("methuen/" + "expression", expression="2d6", dice=dice)
        return self.Result(say.sum("Total", outcome.total, extra=EXTRA))
'''
FILES: Final = {
    "conf.py": CONF,
    "luck.py": LUCK,
    "luck_table.py": "BONUS = 0\n",
    "luck_late.py": "EXTRA = 0\n",
    "luck.json": '["low", "high"]\n',
    "prices.csv": "Sword,10\nShield,7\n",
    "part.txt": """\
.. dice:example:: Included
   :name: included
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=11

   The total is :dice:fact:`total`.
""",
}
RST: Final = """\
Page {n} of reStructuredText
============================

This is |word|, :dice:ref:`ex-{after}`, :dice:roll:`2d6 @ {n}`, and :dice:odds:`1d20 >= {low}`.
The next example has :dice:fact:`ex-{after}.total`, the hero of two pages on :dice:fact:`hero-{second}.Strength`.

Section {n}
-----------

.. dice:example:: The title of {n}
   :name: ex-{n}
   :mechanic: luck/lucky
   :skill: {low}
   :dice: 7 9
   :expect: total={lucky}, level=low

   :dice:fact:`dice` and :dice:fact:`ex-{after}.total`.

.. dice:character:: Hero {n}
   :name: hero-{n}
   :values: Strength={n}

.. note::

   .. dice:example:: Nested {n}
      :name: nested-{n}
      :mechanic: methuen/expression
      :expression: 1d6 + [Strength]
      :actor: hero-{second}
      :dice: 4
      :expect: total={nested}

      * A list.

        .. dice:claim:: A claim in it
           :name: claim-{n}
           :mechanic: methuen/expression
           :expression: 1d6 + [Strength]
           :actor: hero-{second}
           :claim: mean={second}+3.5

.. dice:table:: The odds of {n}
   :name: table-{n}
   :mechanic: methuen/expression
   :expression: 2d4 + {n}

.. dice:odds:: The chart of {n}
   :name: chart-{n}
   :mechanic: luck/lucky
   :vary: skill=0..2

.. csv-table:: Prices
   :file: prices.csv

See :numref:`table-{n}` and :numref:`table-{after}`.
"""
MYST: Final = """\
# Page {n} of MyST

{{dice:ref}}`ex-{after}`, {{dice:roll}}`2d6 @ {n}`, {{dice:odds}}`1d20 >= {low}`.
The next example has {{dice:fact}}`ex-{after}.total`, and {{dice:fact}}`claim-{after}.exact` is a figure.

## Section {n}

```{{dice:example}} The title of {n}
:name: ex-{n}
:mechanic: methuen/expression
:expression: 3d6 + {n}
:dice: 4 2 5
:expect: total={total}

{{dice:fact}}`total` and {{dice:fact}}`ex-{after}.dice`.
```

```{{dice:example}}
:mechanic: luck/borrowed
:dice: 3 4
:expect: total=7
```

```{{dice:character}} Hero {n}
:name: hero-{n}
:values: Strength={n}
```

::::{{note}}
:::{{dice:example}} Nested {n}
:name: nested-{n}
:mechanic: methuen/expression
:expression: 1d6 + [Strength]
:actor: hero-{second}
:dice: 4
:expect: total={nested}

{{dice:fact}}`total`
:::
::::

```{{dice:claim}} A claim of {n}
:name: claim-{n}
:mechanic: methuen/expression
:expression: 1d6 + [Strength]
:actor: hero-{second}
:claim: mean={second}+3.5

{{dice:fact}}`exact`
```

```{{dice:table}} The odds of {n}
:name: table-{n}
:mechanic: luck/lucky
:vary: skill=0..2
:show: at least 15
```

See {{numref}}`table-{n}` and {{numref}}`table-{after}`.
"""
INCLUDE: Final = "\n.. include:: part.txt\n"


def page_text(number: int, count: int) -> str:
    """Return the text of a page; those with odd numbers are in MyST.

    Parameters:
        number: its number, from 0.
        count: how many numbered pages there are, the last of which goes on with the first.
    """
    after, second = (number + 1) % count, (number + 2) % count
    low = number % 10 + 1
    values = {"n": number, "after": after, "second": second, "low": low, "lucky": 9 + low}
    values |= {"total": 11 + number, "nested": 4 + second}
    text = (MYST if number % 2 else RST).format(**values)
    return re.sub(r"mean=(\d+)\+3\.5", lambda match: f"mean={int(match[1]) + 3}.5", text)


def page_name(number: int) -> str:
    return f"page{number}.{'md' if number % 2 else 'rst'}"


def index_text(names: list[str]) -> str:
    return "The book\n========\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in names)


def write_book(folder: Path, pages: int, *, plain: bool = False) -> None:
    """Write a book of an index and numbered pages.

    Parameters:
        folder: an empty folder.
        pages: how many pages, at least 6.
        plain: whether our extension is left out, so that only what Sphinx does by itself can be seen.
    """
    texts = {page_name(number): page_text(number, pages - 1) for number in range(pages - 1)}
    texts["page2.rst"] += INCLUDE
    names = [name.partition(".")[0] for name in texts]
    for name, text in {**FILES, **texts, "index.rst": index_text(names)}.items():
        (folder / name).write_text(as_plain(name, text) if plain else text, "utf-8")


def as_plain(name: str, text: str) -> str:
    """Return a text in which our directives are code blocks, tables numbered ones, and our roles are code."""
    if name == "conf.py":
        return text.replace('"dicedocs_sphinx", ', "").replace("import luck\n", "")
    text = re.sub(
        r"^\.\. dice:table:: (.*)\n   :name: (.*)$",
        r".. code-block:: text\n   :caption: \1\n   :name: \2\n",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(
        r"^```\{dice:table\} (.*)\n:name: (.*)$",
        r"```{code-block} text\n:caption: \1\n:name: \2\n",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^( *)\.\. dice:\w+::(.*)$", r"\1.. code-block:: text\n\n\1   \2", text, flags=re.MULTILINE)
    text = re.sub(r"^([`:]{3,})\{dice:\w+\}(.*)$", r"\1{code-block} text\n\n\2", text, flags=re.MULTILINE)
    text = re.sub(r":dice:\w+:`([^`]*)`", r"``\1``", text)
    return re.sub(r"\{dice:\w+\}`", "`", text)


def replace(name: str, old: str, new: str) -> Edit:
    """Return the edit that replaces a text in a file."""

    def edit(folder: Path) -> None:
        path = folder / name
        text = path.read_text("utf-8")
        if old not in text:
            raise ValueError(f"{name} does not hold {old!r}")
        path.write_text(text.replace(old, new), "utf-8")

    return edit


def append(name: str, text: str) -> Edit:
    """Return the edit that adds a text to the end of a file, which may be new."""

    def edit(folder: Path) -> None:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return edit


def delete(name: str) -> Edit:
    return lambda folder: (folder / name).unlink()


def rename(old: str, new: str) -> Edit:
    return lambda folder: (folder / old).rename(folder / new)


def several(*edits: Edit) -> Edit:
    """Return the edit that makes some edits at once."""

    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)

    return edit


NEW: Final = """
.. dice:example:: A new one
   :name: new
   :mechanic: methuen/expression
   :expression: 1d4
   :dice: 3
   :expect: total=3
"""
EDITS: Final[dict[str, Edit]] = {
    "change an example": replace("page1.md", ":dice: 4 2 5\n:expect: total=12", ":dice: 4 4 4\n:expect: total=13"),
    "break an example": replace("page1.md", "total=12", "total=13"),
    "add an example": append("page2.rst", NEW),
    "add an example before others": replace("page2.rst", "Section 2\n", f"{NEW}\nSection 2\n"),
    "remove an example": replace("page1.md", ":name: ex-1\n:mechanic: methuen/", ":mechanic: methuen/"),
    "rename an example": replace("page2.rst", ":name: ex-2", ":name: ex-renamed"),
    "swap two names on one page": several(
        replace("page1.md", ":name: ex-1", ":name: ex-swap"),
        replace("page1.md", ":name: nested-1", ":name: ex-1"),
        replace("page1.md", ":name: ex-swap", ":name: nested-1"),
    ),
    "swap two names on two pages": several(
        replace("page1.md", ":name: ex-1", ":name: ex-swap"),
        replace("page3.md", ":name: ex-3", ":name: ex-1"),
        replace("page1.md", ":name: ex-swap", ":name: ex-3"),
    ),
    "give two examples one name": replace("page4.rst", ":name: ex-4", ":name: ex-1"),
    "change the title of an example": replace("page1.md", "The title of 1", "Another *title*"),
    "show a fact in a title": replace("page3.md", "The title of 3", "A total of {dice:fact}`total`"),
    "change prose in an example": replace("page1.md", "{dice:fact}`total` and", "{dice:fact}`total` et"),
    "use another fact of another page": replace("page0.rst", "fact:`ex-1.total`", "fact:`ex-3.total`"),
    "refer to another example": replace("page0.rst", ":dice:ref:`ex-1`", ":dice:ref:`ex-3`"),
    "change a character": replace("page3.md", "Strength=3", "Strength=30"),
    "rename a character": replace("page3.md", ":name: hero-3", ":name: heroine"),
    "remove a character": replace("page4.rst", ":name: hero-4\n   :values: Strength=4", ":values: Strength=4"),
    "change a value's name": replace("page3.md", "Strength=3", "Wit=3"),
    "move a character to another page": several(
        replace("page3.md", ":name: hero-3", ":name: gone"),
        append("page4.rst", "\n.. dice:character:: Hero 3\n   :name: hero-3\n   :values: Strength=3\n"),
    ),
    "change a nested example": replace("page2.rst", "Nested 2", "Nested still"),
    "change a nested claim": replace("page2.rst", ":claim: mean=7.5", ":claim: mean=8"),
    "change a table": replace("page2.rst", "2d4 + 2", "2d4 + 5"),
    "change the title of a table": replace("page2.rst", "The odds of 2", "Other odds of 2"),
    "remove a table that others number": replace("page2.rst", ":name: table-2\n", ":name: table-others\n"),
    "change a chart": replace("page2.rst", ":vary: skill=0..2", ":vary: skill=0..3"),
    "change a figure in prose": replace("page1.md", "1d20 >= 2", "1d20 >= 7"),
    "change a roll in prose": replace("page1.md", "2d6 @ 1`", "2d6 @ 99`"),
    "change an included file": replace("part.txt", "4 2 5\n   :expect: total=11", "1 1 1\n   :expect: total=3"),
    "move an include": several(replace("page2.rst", INCLUDE, ""), append("page4.rst", INCLUDE)),
    "include on two pages": append("page4.rst", INCLUDE),
    "remove an include": replace("page2.rst", INCLUDE, ""),
    "change a data file of pages": replace("prices.csv", "10", "11"),
    "change a game's rule": replace("luck.py", "best, skill", "best + 1, skill"),
    "change the words of a game": replace("luck.py", '"Total", best', '"Sum", best'),
    "change a module that a game imports": replace("luck_table.py", "0", "2"),
    "change a module that a rule imports": replace("luck_late.py", "0", "3"),
    "change a data file of a game": replace("luck.json", "low", "small"),
    "break a game's rule": replace("luck.py", "LEVELS[total > 20]", "LEVELS[total // 0]"),
    "add a page": several(
        append("new.rst", f"New\n===\n{NEW}"),
        replace("index.rst", "   page2\n", "   page2\n   new\n"),
    ),
    "delete a page": several(delete("page3.md"), replace("index.rst", "   page3\n", "")),
    "rename a page": several(rename("page3.md", "third.md"), replace("index.rst", "   page3\n", "   third\n")),
    "move a page into a folder": several(
        lambda folder: (folder / "inner").mkdir(),
        rename("page3.md", "inner/page3.md"),
        replace("index.rst", "   page3\n", "   inner/page3\n"),
    ),
    "change the title of a page": replace("page2.rst", "Page 2 of reStructuredText", "Page 2 of something else "),
    "change the title of a section": replace("page1.md", "## Section 1", "## Another section"),
    "change the order of the pages": replace("index.rst", "   page1\n   page2\n", "   page2\n   page1\n"),
    "change the title of the book": replace("conf.py", '"The book"', '"Another book"'),
    "change a substitution": replace("conf.py", "a word", "another word"),
    "check the numbers in prose": append("conf.py", "dicedocs_literal_numbers = True\n"),
    "name what rules depend on": append("conf.py", 'dicedocs_depends = ["prices.csv"]\n'),
    "number no tables": replace("conf.py", "numfig = True", "numfig = False"),
    "save a page unchanged": append("page1.md", ""),
}  # fmt: skip
"""Each kind of edit by its name."""
NOT_WRITTEN: Final[dict[str, set[str]]] = {
    "add a page": {"page2.html", "page3.html"},
    "rename a page": {"page4.html"},
    "move a page into a folder": {"page4.html"},
    "change the title of a page": {"page1.html", "page3.html"},
    "change the order of the pages": {"page0.html", "page3.html", "page0.txt"},
    "remove a table that others number": {"page1.html", "page1.txt"},
}
"""The files that Sphinx itself does not write again after an edit, although they change.

A page links to the one before and the one after it, and to the tables of other pages. Sphinx writes such a page again
only if something else in it changes.
"""
