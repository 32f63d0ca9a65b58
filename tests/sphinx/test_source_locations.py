"""Every warning names the file and the line that the author has to open, wherever an example stands."""

import re
from pathlib import Path

import pytest
import sphinx

RST = """
Plain:

.. dice:example:: In a page
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9001

   Prose :dice:fact:`nofact9002`
   and more prose, in which
   a line further down has :dice:fact:`nofact9003`.

.. dice:example::
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9004

.. dice:example:: A title that goes
   on in a second line
   :mechanic: methuen/expression
   :expression: 3d6
     + 0
   :dice: 4 2 5

   :expect: not an option any more

.. dice:example:: Continued
   :mechanic: methuen/expression
   :expression: 3d6
      + 0
      + 0
   :dice: 4 2 5
   :expect: total=9005

* A list

  1. in a list

     .. dice:example:: In a list
        :mechanic: methuen/expression
        :expression: 3d6
        :dice: 4 2 5
        :expect: total=9006

        * :dice:fact:`nofact9007`

.. note::

   .. note:: A note

      .. dice:example:: In a note
         :mechanic: methuen/expression
         :expression: 3d6
         :dice: 4 2 5
         :expect: total=9008

.. tab-set::

   .. tab-item:: One

      .. dice:example:: In a tab
         :mechanic: methuen/expression
         :expression: 3d6
         :dice: 4 2 5
         :expect: total=9009

A quote

   .. dice:example:: In a quote
      :mechanic: methuen/expression
      :expression: 3d6
      :dice: 4 2 5
      :expect: total=9010

.. dice:example:: Around

   :mechanic: nothing9011

.. dice:example:: Outer
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9012

   .. dice:example:: Inner
      :mechanic: methuen/expression
      :expression: 3d6
      :dice: 4 2 5
      :expect: total=9013

      Of the inner: :dice:fact:`nofact9014`.

+-------------------------------------------+
| .. dice:example:: In a table              |
|    :mechanic: methuen/expression          |
|    :expression: 3d6                       |
|    :dice: 4 2 5                           |
|    :expect: total=9015                    |
+-------------------------------------------+

.. include:: part.inc

After the include:

.. dice:example::
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9016

.. include:: tail.inc
   :start-line: 3

.. include:: after.inc
   :start-after: HERE

.. autofunction:: taught.told

.. autoclass:: taught.Told
   :members:

.. dice:example:: Wrong options
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=11
   :unknown9017: 3
   :expression: twice9018
   malformed9019
   :malformed9020:

.. dice:example:: Wrong values
   :mechanic: methuen/expression
   :expression: 3d6 9021
   :actor: Strength 9022
   :dice: 4 2 5
   :expect: total=11

.. dice:example:: Wrong mechanic
   :mechanic: methuen/expresion9023

A reference in a paragraph,
which has a line more, to :dice:ref:`noref-9024`, and
a roll :dice:roll:`9025d6` without a seed, and a fact :dice:fact:`noref-9026.total`.
And one of no example: :dice:fact:`nofact9027`.
"""

PART = """
An included part.

.. dice:example:: Included
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9030

   :dice:fact:`nofact9031`
"""

TAIL = """
one
two
three
four

.. dice:example:: Included from the middle
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9032
"""

AFTER = """
one
HERE

.. dice:example:: Included after a word
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9033
"""

TAUGHT = '''
"""A module."""


def told(one,
         two):
    """Tell.

    More.

    .. dice:example:: In a docstring
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total=9034

       :dice:fact:`nofact9035`
    """


class Told:
    """A class."""

    def method(self):
        """

        A docstring that begins late.

        .. dice:example::
           :mechanic: methuen/expression
           :expression: 3d6
           :dice: 4 2 5
           :expect: total=9036
        """
'''

MYST = """
Words that were pasted.

```{dice:example} In a page
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9101

Prose {dice:fact}`nofact9102`
and more prose, in which
a line further down has {dice:fact}`nofact9103`.
```

:::{dice:example}
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9104
:::

```{dice:example} Continued
:mechanic: methuen/expression
:expression: 3d6
   + 0
   + 0
:dice: 4 2 5
:expect: total=9105
```

```{dice:example} YAML
---
mechanic: methuen/expression
expression: 3d6
# a comment
dice: "4 2 5"
expect: total=9106
---

{dice:fact}`nofact9107`
```

* A list

  1. in a list

     ```{dice:example} In a list
     :mechanic: methuen/expression
     :expression: 3d6
     :dice: 4 2 5
     :expect: total=9108

     * {dice:fact}`nofact9109`
     ```

:::::{note}
::::{note}
```{dice:example} In a note
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9110
```
::::
:::::

:::::{tab-set}
::::{tab-item} One
```{dice:example} In a tab
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9111
```
::::
:::::

> A quote
>
> ```{dice:example} In a quote
> :mechanic: methuen/expression
> :expression: 3d6
> :dice: 4 2 5
> :expect: total=9112
>
> {dice:fact}`nofact9113`
> ```

````{dice:example} Outer
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9114

```{dice:example} Inner
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9115



{dice:fact}`nofact9116`
```
````

```{include} part.txt
```

```{dice:example} After the include
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9117
```

```{include} tail.txt
:start-line: 3
```

```{eval-rst}
.. dice:example:: In eval-rst
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=9118

   :dice:fact:`nofact9119`
```

Term
: ```{dice:example} In a definition
  :mechanic: methuen/expression
  :expression: 3d6
  :dice: 4 2 5
  :expect: total=9120
  ```

```{dice:example} Wrong options
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11
:unknown9121: 3
:expression: twice9122
:malformed9123
```

```{dice:example} Wrong values
---
mechanic: methuen/expression
expression: "3d6 9124"
actor: Strength 9125
dice: 4 2 5
expect: total=11
---
```

```{dice:example} Wrong mechanic
:mechanic: methuen/expresion9126
```

A reference in a paragraph,
which has a line more, to {dice:ref}`noref-9127`, and
a roll {dice:roll}`9128d6` without a seed, and a fact {dice:fact}`noref-9129.total`.
And one of no example: {dice:fact}`nofact9130`.
"""

MYST_PART = """
```{dice:example} Included
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9140

{dice:fact}`nofact9141`
```
"""

MYST_TAIL = """
one

three
four

```{dice:example} Included from the middle
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=9142
```
"""

MARK = re.compile(r"(?<!\d)9[01]\d\d(?!\d)")


@pytest.fixture(scope="module")
def built(shared_book):
    shared_book.write("conf.py", "extensions.append('sphinx.ext.autodoc')")
    shared_book.page(RST + "\n.. toctree::\n\n   myst\n")
    # Soft breaks of a word processor and of a page end no line for an editor, nor for Sphinx from 9 on.
    pasted = "that\u2028 \v\f" if sphinx.version_info >= (9,) else "that"
    shared_book.page(MYST.replace("that", pasted, 1), "myst.md")
    parts = {"part.inc": PART, "tail.inc": TAIL, "after.inc": AFTER, "taught.py": TAUGHT}
    for name, text in {**parts, "part.txt": MYST_PART, "tail.txt": MYST_TAIL}.items():
        shared_book.write(name, text)
    return shared_book.build("text")


def written(folder: Path) -> dict[str, tuple[str, int]]:
    """Where each marked number stands in the sources."""
    files = [*folder.glob("*.rst"), *folder.glob("*.md"), *folder.glob("*.inc"), *folder.glob("*.txt")]
    return {
        mark: (path.name, number)
        for path in [*files, folder / "taught.py"]
        for number, line in enumerate(path.read_text().split("\n"), 1)
        for mark in MARK.findall(line)
    }


def test_each_warning_has_the_line_of_what_it_is_about(shared_book, built):
    places = written(shared_book.src)
    # In this example a blank line ended the options, so nothing was read of its line.
    places["9011"] = (places["9011"][0], places["9011"][1] - 2)
    warned = {}
    for warning in built.warnings:
        marks = MARK.findall(warning.text) or [""]
        warned.setdefault(marks[0], (warning.file, warning.line))
    # These do not repeat what was written: no mechanic in the one, an option written twice in the others.
    silent = {"9011": "no mechanic", "9018": "twice", "9122": "twice"}
    for mark, text in silent.items():
        assert places.pop(mark) in [warning[:2] for warning in built.warnings if text in warning.text]
    assert {mark: place for mark, place in warned.items() if mark in places and places[mark] != place} == {}
    # The notation is judged when all parameters can be read, and the actor cannot.
    assert sorted(places.keys() - warned.keys()) == ["9021", "9124"]


def test_no_warning_is_of_another_kind(built):
    kinds = {warning.type.partition(".")[0] for warning in built.warnings}
    assert kinds == {"dicedocs"}


@pytest.mark.usefixtures("built")
def test_the_doctest_builder_names_the_same_lines(shared_book):
    places = written(shared_book.src)
    output = shared_book.build("doctest").read("output.txt")
    wrong = {}
    blocks = re.findall(r'File "([^"]+)", line (\d+), in \S+\n(.*?)\*\*\*', output, re.DOTALL)
    for file, line, block in blocks:
        marks = re.findall(r"total=(9[01]\d\d)", block)
        if marks and places[marks[0]] != (Path(file).name, int(line)):
            wrong[marks[0]] = (file, line)
    assert wrong == {}
    expecting = f"{RST}{MYST}{PART}{TAIL}{AFTER}{TAUGHT}{MYST_PART}{MYST_TAIL}".count("expect: total=9")
    assert len([block for *_, block in blocks if "total=9" in block]) == expecting


def test_a_fact_outside_of_a_page_has_the_line_where_it_is_used(book):
    example = "```{dice:example}\\n:mechanic: methuen/expression\\n:expression: 2\\n:expect: total=3\\n```"
    book.write("conf.py", f'myst_substitutions = {{"example": "{example}"}}')
    book.page("Before.\n\n{{example}}\n", "index.md")
    [warning] = book.build().warnings
    # The use stands in line 7, from which MyST counts on.
    assert warning[:3] == ("index.md", 8, "dicedocs.mismatch")


def test_options_in_the_head_of_a_page_are_found_there(book):
    book.write(
        "index.md",
        """
        ---
        myst:
          substitutions:
            example: |
              ```{dice:example}
              :mechanic: methuen/expression
              :expression: 2
              :expect: total=3
              ```
        ---

        # Page

        {{ example }}
        """,
    )
    [warning] = book.build().warnings
    assert warning[:3] == ("index.md", 8, "dicedocs.mismatch")


def test_an_example_that_says_less_than_another_is_found_in_an_included_file(book):
    example = ".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 2\n"
    book.write("part.inc", f"HERE\n\n{example}   :expect: total=2\n\nWords.\n\n{example}   :expression: 3\n")
    book.page(".. include:: part.inc\n   :start-after: HERE\n")
    [warning] = book.build().warnings
    assert warning[:3] == ("part.inc", 13, "dicedocs.option")
