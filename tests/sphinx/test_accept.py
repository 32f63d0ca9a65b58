"""`dicedocs accept` writes expectations into the files of a book, and leaves every other byte as it is."""

import json
import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sphinx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dicedocs_sphinx.author.acceptance import accept_blocks, write_change
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book

SOURCES = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))}
CONF = (
    "import os, sys; sys.path.insert(0, os.path.dirname(__file__))\n"
    "extensions = ['dicedocs_sphinx', 'myst_parser', 'sphinx_design', 'sphinx.ext.autodoc']\n"
    "myst_enable_extensions = ['colon_fence', 'substitution', 'deflist']\n"
    "suppress_warnings = ['toc.not_included']\n"
)
WRONG = "total=12"
RIGHT = "total=11"
EXPECT = "«:expect: total=12»"
"""Where a page says what is wrong: before, the text in the marks; afterwards, with the right total."""


def accept(folder: Path, since: int | None = None):
    """Accept everything in a book, and return what was left."""
    started = time.time_ns() if since is None else since
    with read_book(check_folders(folder)) as app:
        blocks = [block for page in domain_of(app).blocks.values() for block in page]
        acceptance = accept_blocks(app, blocks, started)
    refusals = [write_change(change) for change in acceptance.changes]
    return [*acceptance.refusals, *filter(None, refusals)]


def make_book(folder: Path, **pages: bytes) -> Path:
    """Write a book; a double underscore in a name is a point."""
    folder.mkdir(exist_ok=True)
    (folder / "conf.py").write_text(CONF)
    for name, data in pages.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(data)
    if not any(name.startswith("index__") for name in pages):
        (folder / "index.rst").write_text("Book\n====\n")
    return folder


def example(option=f":expect: {WRONG}", indent="   ", **others: str) -> str:
    """Return the options of an example that comes to 11."""
    lines = [":mechanic: methuen/expression", ":expression: 3d6", ":dice: 4 2 5", *([option] if option else [])]
    return "".join(f"{indent}{line}\n" for line in lines)


UGLY_MARKDOWN = {
    "fence": "```{dice:example} E\n" + example(indent="") + "```\n",
    "tildes": "~~~~{dice:example} E\n" + example(indent="") + "~~~~\n",
    "colons": ":::{dice:example} E\n" + example(indent="") + "\nText.\n:::\n",
    "space before the name": "``` {dice:example} E\n" + example(indent="") + "```\n",
    "no title": "```{dice:example}\n" + example(indent="") + "```\n",
    "indented options": "```{dice:example} E\n" + example(indent="  ") + "```\n",
    "yaml": "```{dice:example} E\n---\nmechanic: methuen/expression\nexpression: 3d6\n# a word\ndice: 4 2 5\n"
    "expect: total=12\nname: y\n---\nText.\n```\n",
    "yaml quoted": "```{dice:example} E\n---\nmechanic: methuen/expression\nexpression: 3d6\ndice: 4 2 5\n"
    'expect: "total=12"\n---\n```\n',
    "yaml scalar": "```{dice:example} E\n---\nmechanic: methuen/expression\nexpression: 3d6\ndice: 4 2 5\n"
    "expect: >-\n  total=12,\n  raw=11\n---\n```\n",
    "yaml comments": "```{dice:example} E\n---\nmechanic: methuen/expression # first\nexpression: 3d6\ndice: 4 2 5\n"
    "expect: total=12   # as in the book\n---\n```\n",
    "yaml comments on lines": "```{dice:example} E\n---\nexpression: 3d6 # d\nmechanic: methuen/expression\n"
    "dice: 4 2 5\nexpect: raw=11,   # one\n  total=12 # two\n---\n```\n",
    "yaml comment after quotes": "```{dice:example} E\n---\nmechanic: methuen/expression\nexpression: 3d6\n"
    "dice: 4 2 5\nexpect: 'total=12'  # as in the book\n---\n```\n",
    "yaml comment after nothing": "```{dice:example} E\n---\nmechanic: methuen/expression\nexpression: 3d6\n"
    "dice: 4 2 5\nexpect:  # to be filled in\n---\n```\n",
    "quoted": "```{dice:example} E\n" + example(":expect: 'total=12'", "") + "```\n",
    "spaces": "```{dice:example} E\n" + example(":expect:    total=12   ,    raw=11   ", "") + "```\n",
    "lines": "```{dice:example} E\n" + example(":expect: raw=11,\n   total=12,\n   dice=4 2 5", "") + "```\n",
    "expect first": "```{dice:example} E\n:expect: total=12\n" + example("", "") + "```\n",
    "list": "- Item\n\n  1. Item\n\n     ```{dice:example} E\n" + example(indent="     ") + "     ```\n",
    "list with options indented further": "- ```{dice:example} E\n" + example(indent="      ") + "  ```\n",
    "quotation": "> Words\n>\n> ```{dice:example} E\n" + example(indent="> ") + "> ```\n",
    "quotation without space": ">```{dice:example} E\n" + example(indent=">") + ">```\n",
    "nested fence": "````{note}\n```{dice:example} E\n" + example(indent="") + "```\n````\n",
    "nested examples": "````{dice:example} Outer\n"
    + example(indent="")
    + "\n```{dice:example} Inner\n"
    + example(indent="")
    + "```\n````\n",
    "tab-set": "::::{tab-set}\n:::{tab-item} One\n```{dice:example} E\n" + example(indent="") + "```\n:::\n::::\n",
    "rst in a quotation": "> ```{eval-rst}\n> .. dice:example:: E\n" + example(indent=">    ") + "> ```\n",
    "rst in markdown": "```{eval-rst}\n.. dice:example:: E\n" + example() + "```\n",
    "a tab character": "```{dice:example} E\n" + example(":expect:\ttotal=12\t", "") + "```\n",
    "a form feed before it": "Words.\f\n\n```{dice:example} E\n" + example(indent="") + "```\n",
    "a line separator before it": "Words\u2028words\x85.\n\n```{dice:example} E\n" + example(indent="") + "```\n",
    "letters of all kinds": "Größe 骰子 🎲.\n\n```{dice:example} Ärger 🎲\n" + example(indent="") + "```\n",
    "a literal example above": "````markdown\n```{dice:example} E\n:expect: total=12\n```\n````\n\n"
    "```{dice:example} E\n" + example(indent="") + "```\n",
}
UGLY_RST = {
    "plain": ".. dice:example:: E\n" + example(),
    "title of two lines": ".. dice:example:: A title\n   that goes on\n" + example(),
    "title below": ".. dice:example::\n   E\n" + example(),
    "one space": ".. dice:example:: E\n" + example(indent=" "),
    "tabs": "..\tdice:example:: E\n" + example(indent="\t"),
    "lines": ".. dice:example:: E\n" + example(":expect: raw=11,\n      total=12"),
    "empty": ".. dice:example:: E\n" + example(":expect:"),
    "list": "* Item\n\n  .. dice:example:: E\n" + example(indent="     "),
    "quotation": "Words\n\n    .. dice:example:: E\n" + example(indent="       "),
    "definition": "Term\n    .. dice:example:: E\n" + example(indent="        "),
    "nested": ".. note::\n\n   .. dice:example:: Outer\n"
    + example(indent="      ")
    + "\n      .. dice:example:: Inner\n"
    + example(indent="         "),
    "domain": ".. default-domain:: dice\n\n.. example:: E\n" + example(),
    "form feed": "Words.\f\n\n.. dice:example:: E\n" + example(),
    "line separator": "Words\u2028words.\n\n.. dice:example:: E\n" + example(),
    "no blank line at the end": ".. dice:example:: E\n" + example() + "Words.\n",
    "prose": ".. dice:example:: E\n" + example() + "\n   :dice:fact:`total`, not total=12.\n",
}


def after(text: str) -> str:
    """Return a page as it should be afterwards; what looks like an option elsewhere stays."""
    head, found, rest = text.partition("````markdown\n```{dice:example} E\n:expect: total=12")
    if found:
        return head + found + after(rest)
    head, prose, rest = text.partition("not total=12")
    filled = head.replace(":expect:\n", ":expect: total=11, raw=11\n").replace(
        "\nexpect:  #", "\nexpect: total=11, raw=11  #"
    )
    return filled.replace(WRONG, RIGHT) + prose + rest


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("eol", "bom"),
    [
        ("\n", b""),
        ("\r\n", BOM),
        ("\r", b""),
        *(pytest.param(*ending, marks=pytest.mark.thorough) for ending in (("\n", BOM), ("\r\n", b""), ("\r", BOM))),
    ],
)
@pytest.mark.parametrize(("suffix", "corpus"), [("md", UGLY_MARKDOWN), ("rst", UGLY_RST)], ids=["md", "rst"])
def test_ugly_pages_change_where_they_are_wrong_and_nowhere_else(suffix, corpus, eol, bom, tmp_path):
    pages, expected = {}, {}
    for number, text in enumerate(corpus.values()):
        head = f"# P\n\n{text}" if suffix == "md" else f"P\n=\n\n{text}"
        name = f"page{number}__{suffix}"
        pages[name] = bom + head.replace("\n", eol).encode()
        expected[name] = bom + after(head).replace("\n", eol).encode()
    book = make_book(tmp_path / "book", **pages)
    left = accept(book)
    for (name, wanted), title in zip(expected.items(), corpus, strict=True):
        assert (book / name.replace("__", ".")).read_bytes() == wanted, title
    assert left == []


def test_a_missing_expectation_is_the_last_option_also_at_the_end_of_a_file(tmp_path):
    pages = {
        "a__md": "# A\n\n```{dice:example}\n" + example("", "") + ":class: x\n   y\n\nText.\n```\n",
        "b__md": "# B\n\n> ```{dice:example}\n> ---\n> mechanic: methuen/expression\n> expression: 2\n> ---\n> ```\n",
        "c__rst": "C\n=\n\n.. dice:example::\n" + example("").rstrip("\n"),
        "d__rst": "D\n=\r\n\r\n.. dice:example::\r\n" + example("").replace("\n", "\r\n"),
    }
    book = make_book(tmp_path / "book", **{name: text.encode() for name, text in pages.items()})
    assert accept(book) == []
    read = {name: (book / name.replace("__", ".")).read_bytes().decode() for name in pages}
    assert read["a__md"] == pages["a__md"].replace("   y\n", "   y\n:expect: total=11, raw=11\n")
    assert read["b__md"] == pages["b__md"].replace("> expression: 2\n", "> expression: 2\n> expect: total=2, raw=2\n")
    assert read["c__rst"] == pages["c__rst"] + "\n   :expect: total=11, raw=11"
    assert read["d__rst"] == pages["d__rst"] + "   :expect: total=11, raw=11\r\n"


def test_charts_and_claims_are_accepted_too(tmp_path):
    roll = ":mechanic: methuen/expression\n:expression: 3d6\n"
    page = (
        f"# P\n\n```{{dice:odds}} A\n{roll}:expect: mean=10, p(at least 13) = 26.4%\n```\n"
        f"\n```{{dice:odds}} B\n{roll}```\n"
        "\n```{dice:odds} C\n:mechanic: total-effect/roll\n:vary: advantage=0..1\n```\n"
        "\n```{dice:odds} D\n:mechanic: methuen/check\n:check: 1d20 >= 6\n```\n"
        f"\n```{{dice:claim}}\n{roll}:claim: p(at least 13) = 26.4%\n\nWords.\n```\n"
        f"\n```{{dice:claim}}\n{roll}:claim: p(at least 13) = 25.9%\n:loose: yes\n\nWords.\n```\n"
    )
    book = make_book(tmp_path / "book", page__md=page.encode())
    [left] = accept(book)
    assert "take :loose: away" in left.reason
    # 56 of 216 ways to throw at least 13 with 3d6; 3 × 3.5; 15 of 20 faces; DM: the middle three of four, by hand
    assert (book / "page.md").read_text() == (
        page.replace("mean=10, p(at least 13) = 26.4%", "mean=10.5, p(at least 13) = 25.9%")
        .replace(f"B\n{roll}", f"B\n{roll}:expect: mean(total)=10.5\n")
        .replace("0..1\n", "0..1\n:expect: mean(total | advantage=0)=10.5, mean(total | advantage=1)=12.24\n")
        .replace(">= 6\n", ">= 6\n:expect: p(success = true)=75%\n")
        .replace(":claim: p(at least 13) = 26.4%", ":claim: p(at least 13) = 25.9%")
    )


@pytest.mark.parametrize(
    ("find", "written"),
    [
        ("Left or given away", '"Left or given away"'),
        ("Gold or Find", '"Gold or Find"'),
        ("Gifts, forgiven", '"Gifts, forgiven"'),
        ("Orders and gifts forgiven", "Orders and gifts forgiven"),
    ],
)
def test_a_text_with_words_of_claims_is_accepted_in_quotes(tmp_path, find, written):
    table = f"\n| d6 | Find |\n|---|---|\n| 1-2 | Nothing |\n| 3-6 | {find} |\n"
    page = f"# P\n\n```{{dice:mechanic}} sea/find\n```\n{table}\n```{{dice:odds}} F\n:mechanic: sea/find\n```\n"
    book = make_book(tmp_path / "book", page__md=page.encode())
    assert accept(book) == []
    accepted = page.replace(":mechanic: sea/find\n", f":mechanic: sea/find\n:expect: p(Find = {written})=66.7%\n")
    assert (book / "page.md").read_text() == accepted


def test_the_comparison_of_a_claim_is_never_changed(tmp_path):
    roll = ":mechanic: methuen/expression\n:expression: 3d6\n"
    page = (
        f"# P\n\n```{{dice:claim}}\n{roll}:claim: p(18) = 1/36, p(at least 13) >= 30%, p(>= 13) = 1/4\n\nWords.\n```\n"
        f"\n```{{dice:claim}}\n{roll}:claim: mean > 10.5\n\nWords.\n```\n"
        f"\n```{{dice:claim}}\n{roll}:claim: p(18) = p(17)\n\nWords.\n```\n"
    )
    book = make_book(tmp_path / "book", page__md=page.encode())
    left = accept(book)
    assert [each.reason.partition(";")[0] for each in left] == [
        "claim-2: expected mean > 10.5, got 10.5",
        "claim-3: expected p(18) = p(17), got 0.5% < 1.4%",
    ]
    # 1 of 216 ways to throw 18, and 56 of 216 to throw at least 13.
    right = page.replace("1/36", "1/216").replace("30%", "25.9%").replace("1/4", "7/27")
    assert (book / "page.md").read_text() == right


def test_an_included_file_is_changed_where_it_is_wrong(tmp_path):
    part = "Words\n\nmarker\n\n" + ".. dice:example:: E\n" + example() + "\n.. dice:example:: F\n" + example("")
    book = make_book(
        tmp_path / "book",
        index__rst=b"B\n=\n\n.. include:: part.txt\n   :start-after: marker\n",
        again__rst=b"B\n=\n\n.. include:: part.txt\n",
        part__txt=part.encode(),
    )
    assert accept(book) == []
    assert (book / "part.txt").read_text() == part.replace(WRONG, RIGHT) + "   :expect: total=11, raw=11\n"


def test_an_included_file_with_another_result_on_each_page_is_left_as_it_is(tmp_path):
    part = ".. dice:example:: E\n   :mechanic: dice/roll\n   :notation: 1d6\n   :dice: 2\n"
    part += "   :then: vault += total\n   :expect: vault=8\n"
    scene = "B\n=\n\n.. dice:scene:: S\n   :tracks: vault {} of 8\n\n.. include:: part.txt\n"
    book = make_book(
        tmp_path / "book",
        index__rst=scene.format(1).encode(),
        again__rst=scene.format(3).encode(),
        part__txt=part.encode(),
    )
    left = accept(book)
    assert [one.reason for one in left] == ["example-1: included in several pages, with different results"]
    assert (book / "part.txt").read_text() == part


@pytest.mark.skipif(sphinx.version_info < (9,), reason="Sphinx names no file for the comment of a value")
def test_a_docstring_and_a_comment_are_changed_too(tmp_path):
    module = f'"""M."""\n\n\ndef f():\n    """Do it.\n\n    .. dice:example:: E\n{example(indent="       ")}    """\n'
    module += f"\n\n#: One.\n#:\n#: .. dice:example:: F\n#:    :name: f\n{example(indent='#:    ')}X = 1\n"
    page = b"B\n=\n\n.. autofunction:: told_rules.f\n\n.. autodata:: told_rules.X\n"
    book = make_book(tmp_path / "book", index__rst=page)
    (book / "told_rules.py").write_text(module)
    assert accept(book) == []
    assert (book / "told_rules.py").read_text() == module.replace(WRONG, RIGHT)


@pytest.mark.parametrize(
    "page",
    [
        ".. |roll| replace:: 3d6\n\n.. list-table::\n\n   * - .. dice:example:: E\n" + example(indent="          "),
    ],
)
def test_a_table_of_lists_is_changed_too(page, tmp_path):
    book = make_book(tmp_path / "book", page__rst=f"P\n=\n\n{page}".encode())
    assert accept(book) == []
    assert (book / "page.rst").read_text() == f"P\n=\n\n{page.replace(WRONG, RIGHT)}"


LEFT = {
    "grid__rst": "P\n=\n\n+-------------------------------------+\n| .. dice:example:: E                 |\n"
    + "".join(f"| {line.rstrip():36}|\n" for line in example().splitlines())
    + "+-------------------------------------+\n",
    "first__rst": "P\n=\n\n.. dice:example:: :expect: total=12\n" + example(""),
    "substitution__md": "# P\n\n{{ roll }}\n",
    "produced__rst": "P\n=\n\n.. produced::\n",
    "mistaken__md": "# P\n\n```{dice:example} E\n" + example(":advantage: 2\n:expect: total=12", "") + "```\n",
    "unknown__md": "# P\n\n```{dice:example} E\n" + example(":expect: totl=12", "") + "```\n",
}


def test_what_cannot_surely_be_changed_is_named_and_left(tmp_path):
    book = make_book(tmp_path / "book", **{name: text.encode() for name, text in LEFT.items()})
    roll = f"```{{dice:example}} E\n{example(indent='')}```\n"
    (book / "conf.py").write_text(f"{CONF}extensions.append('produced')\nmyst_substitutions = {{'roll': {roll!r}}}\n")
    (book / "produced.py").write_text(
        "from docutils.statemachine import StringList\nfrom sphinx.util.docutils import SphinxDirective\n"
        "class Produced(SphinxDirective):\n    def run(self):\n"
        f"        lines = {('.. dice:example:: E' + chr(10) + example()).splitlines()!r}\n"
        "        source, line = self.get_source_info()\n"
        "        return self.parse_text_to_nodes(chr(10).join(lines))\n"
        "def setup(app): app.add_directive('produced', Produced)\n"
    )
    before = {path.name: path.read_bytes() for path in book.iterdir()}
    left = accept(book)
    assert {path.name: path.read_bytes() for path in book.iterdir() if path.is_file()} == before
    files = {name.replace("__", ".") for name in LEFT} - {"produced.rst"}
    assert {Path(each.source).name for each in left} == {*files, "<generated text>"}
    assert all(each.line and each.reason for each in left)


# Sources in which other texts look like the examples; a § stands before what is to be changed.


def mark(text: str) -> str:
    return text.replace(WRONG, f"§{WRONG}")


def markdown(indent: str = "") -> str:
    return f"{indent}```{{dice:example}} E\n{example(indent=indent)}{indent}```\n"


def rst(indent: str = "") -> str:
    return f"{indent}.. dice:example:: E\n{example(indent=indent + '   ')}"


SHOWN = f"````markdown\n{markdown()}````\n"
TABS = ":::{{tab-item}} Code\n{}:::\n:::{{tab-item}} Result\n{}:::\n"
LOOKALIKES = {
    "above__md": f"# P\n\n{SHOWN}\n{mark(markdown())}",
    "below__md": f"# P\n\n{mark(markdown())}\n{SHOWN}",
    "indented__md": f"# P\n\nWords\n\n{markdown('    ')}\nWords\n\n{mark(markdown())}",
    "comment__md": f"# P\n\n<!--\n{markdown()}-->\n\n{mark(markdown())}",
    "directive__md": f"# P\n\n````{{code-block}} markdown\n{markdown()}````\n{mark(markdown())}",
    "tabs__md": f"# P\n\n::::{{tab-set}}\n{TABS.format(SHOWN, mark(markdown()))}::::\n",
    "twice__md": f"# P\n\n{mark(markdown())}\n{mark(markdown())}\n{SHOWN}",
    "only__md": f"# P\n\n````{{only}} html\n{mark(markdown())}````\n````{{only}} latex\n{mark(markdown())}````\n",
    "rst__md": f"# P\n\n````{{eval-rst}}\n.. code-block:: rst\n\n{rst('   ')}\n{mark(rst())}````\n",
    "matter__md": "---\nmyst:\n  substitutions:\n    here: |\n"
    + mark(markdown("      "))
    + f"---\n\n# P\n\n{{{{ here }}}}\n\n{SHOWN}",
    "code__rst": f"P\n=\n\n.. code-block:: rst\n\n{rst('   ')}\n{mark(rst())}",
    "literal__rst": f"P\n=\n\nAs::\n\n{rst('   ')}\n{mark(rst())}",
    "parsed__rst": f"P\n=\n\n.. parsed-literal::\n\n{rst('   ')}\n{mark(rst())}",
    "remark__rst": f"P\n=\n\n.. not this\n{rst('   ')}\n{mark(rst())}",
    "quotation__rst": f"P\n=\n\n..\n\n{mark(rst('   '))}",
    "file__rst": f"P\n=\n\n.. literalinclude:: above.md\n\n{mark(rst())}",
    "after__rst": "P\n=\n\n.. include:: after.txt\n   :start-after: begin\n",
    "after__txt": f"As::\n\n{rst('   ')}\nbegin\n\n{mark(rst())}",
    "line__rst": "P\n=\n\n.. include:: line.txt\n   :start-line: 10\n",
    "line__txt": f"T::\n\n{rst('  ')}\n\n\n{mark(rst())}",
    "lines__md": "# P\n\n```{include} lines.txt\n:start-line: 9\n```\n",
    "lines__txt": f"{SHOWN}\n\n{mark(markdown())}",
    "conf__md": f"# P\n\n{{{{ roll }}}}\n\n{SHOWN}",
}
"""Pages and parts; the last one shows an example that stands in ``conf.py``."""


SAME_ELSEWHERE = {"tabs.md", "matter.md", "after.txt", "line.txt", "lines.txt"}
"""Those in which Sphinx counts lines from a place that it does not know, and a sample looks the same."""


def test_what_only_looks_like_an_example_is_never_changed(tmp_path):
    pages = {name: text.replace("§", "").encode() for name, text in LOOKALIKES.items()}
    book = make_book(tmp_path / "book", **pages)
    (book / "conf.py").write_text(f"{CONF}myst_substitutions = {{'roll': {markdown()!r}}}\n")
    left = {Path(each.source).name for each in accept(book)}
    assert left == {"conf.md", *SAME_ELSEWHERE}
    for name, text in LOOKALIKES.items():
        file = name.replace("__", ".")
        accepted = WRONG if file in SAME_ELSEWHERE else RIGHT
        assert (book / file).read_text() == text.replace(f"§{WRONG}", accepted), name


def protected(folder: Path) -> tuple[Path, Path]:
    book = make_book(folder / "book", page__md=("# P\n\n```{dice:example}\n" + example(indent="") + "```\n").encode())
    return book, book / "page.md"


def test_a_symbolic_link_is_left(tmp_path):
    book, page = protected(tmp_path)
    target = tmp_path / "elsewhere.md"
    page.rename(target)
    page.symlink_to(target)
    before = target.read_bytes()
    [left] = accept(book)
    assert left.reason == f"example-1: page.md is a symbolic link, to {target}"
    assert page.is_symlink()
    assert target.read_bytes() == before


def test_a_read_only_file_is_left(tmp_path):
    book, page = protected(tmp_path)
    page.chmod(0o444)
    before = page.read_bytes()
    [left] = accept(book)
    assert left.reason == "example-1: page.md is read-only"
    assert page.read_bytes() == before


def test_a_file_with_another_name_is_left(tmp_path):
    book, page = protected(tmp_path)
    (tmp_path / "other.md").hardlink_to(page)
    [left] = accept(book)
    assert "hard links" in left.reason


def test_a_file_that_changed_while_the_book_was_read_is_left(tmp_path):
    book, page = protected(tmp_path)
    [left] = accept(book, since=page.stat().st_mtime_ns - 1)
    assert left.reason == "example-1: page.md was changed while the book was read; run it again"
    assert WRONG in page.read_text()


def test_a_file_that_changes_before_it_is_written_keeps_the_change(tmp_path):
    book, page = protected(tmp_path)
    with read_book(check_folders(book)) as app:
        blocks = [block for blocks in domain_of(app).blocks.values() for block in blocks]
        [change] = accept_blocks(app, blocks, time.time_ns()).changes
    page.write_text("# Mine\n")
    refusal = write_change(change)
    assert refusal is not None
    assert refusal.reason == "it was changed meanwhile"
    assert page.read_text() == "# Mine\n"
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.rst", "page.md"]


def test_a_write_that_fails_leaves_the_file_whole(tmp_path, monkeypatch):
    book, page = protected(tmp_path)
    before = page.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    [left] = accept(book)
    assert left.reason == "it cannot be written: No space left on device"
    assert page.read_bytes() == before
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.rst", "page.md"]


def test_the_mode_of_a_file_stays(tmp_path):
    book, page = protected(tmp_path)
    page.chmod(0o640)
    assert accept(book) == []
    assert page.stat().st_mode & 0o777 == 0o640


# generated sources

OPTIONS = ["mechanic: methuen/expression", "expression: 3d6", "dice: 4 2 5", "name: NAME", "class: a b"]
FACTS = {"total": ("12", "11"), "raw": ("9", "11"), "dice": ("4 2 6", "4 2 5"), "scratched": ("none", "none")}
PROSE = ["Words.", "expect: total=12", "Größe 🎲 total=12", "", "{dice:fact}`total`"]


@st.composite
def expectations(draw) -> tuple[str, str]:
    """The value of an option with wrong facts, and the same with right ones."""
    names = draw(st.lists(st.sampled_from(["total", "raw", "dice"]), min_size=1, unique=True))
    break_ = draw(st.sampled_from([", ", ",  ", " ,", ",\n      "]))
    wrong = [draw(st.booleans()) for _ in names]
    texts = [
        [f"{name}={FACTS[name][0 if bad and old else 1]}" for name, bad in zip(names, wrong, strict=True)]
        for old in (True, False)
    ]
    quote = draw(st.sampled_from(["", "", "'", '"']))
    return tuple(quote + break_.join(each) + quote for each in texts)  # type: ignore[return-value]


@st.composite
def blocks(draw, number: int, markdown: bool) -> tuple[str, str]:
    """A block before and after."""
    options = draw(st.permutations(OPTIONS))
    options = [each.replace("NAME", f"n{number}") for each in options]
    value = draw(st.none() | expectations())
    if value is not None and not markdown and value[0][0] in "'\"":
        value = (value[0].strip("'\""), value[1].strip("'\""))
    at = draw(st.integers(0, len(options)))
    prose = draw(st.sampled_from(PROSE))
    yaml = markdown and draw(st.booleans())
    colon = "" if yaml else ":"
    margin = draw(st.sampled_from(["", "> ", "  - "] if markdown else ["", "    ", "* "]))
    indent = draw(st.sampled_from(["", "  "] if markdown and not yaml else [""] if markdown else ["   ", " ", "\t"]))
    pages = []
    for old in (True, False):
        lines = [f"{colon}{each}" for each in options]
        if value is not None:
            lines.insert(at, f"{colon}expect: {value[0 if old else 1]}")
        elif not old:
            lines.append(f"{colon}expect: total=11, raw=11")
        body = [f"{indent}{part}" for line in lines for part in line.split("\n")]
        if markdown:
            fence = draw(st.shared(st.sampled_from(["```", "~~~~", ":::"]), key=f"fence{number}"))
            body = ["---", *body, "---"] if yaml else body
            text = [f"{fence}{{dice:example}} Title", *body, "", prose, fence]
        else:
            text = [".. dice:example:: Title", *body, "", f"{indent}{prose}"]
        if margin in {"  - ", "* "}:
            hanging = " " * len(margin)
            text = [f"{margin if not index else hanging}{line}".rstrip() for index, line in enumerate(text)]
        else:
            text = [f"{margin}{line}" for line in text]
        pages.append("\n".join(text) + "\n")
    return pages[0], pages[1]


@st.composite
def generated_pages(draw) -> tuple[str, bytes, bytes]:
    """The suffix of a page, and the page before and after."""
    markdown = draw(st.booleans())
    parts = [draw(blocks(number, markdown)) for number in range(draw(st.integers(1, 6)))]
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    bom = draw(st.sampled_from(["", "\ufeff"]))
    head = "# P\n\n" if markdown else "P\n=\n\n"
    texts = [bom + (head + "\nWords.\n\n".join(part[index] for part in parts)) for index in range(2)]
    return ("md" if markdown else "rst"), *(text.replace("\n", eol).encode() for text in texts)


@pytest.mark.parametrize("books", [3, pytest.param(5, marks=pytest.mark.thorough)])
def test_generated_pages_change_where_they_are_wrong_and_nowhere_else(books):
    health = [HealthCheck.too_slow, HealthCheck.data_too_large]
    generated = given(st.lists(generated_pages(), min_size=8, max_size=8))(pages_change_where_they_are_wrong)
    settings(max_examples=books, suppress_health_check=health)(generated)()


def pages_change_where_they_are_wrong(pages):
    with TemporaryDirectory() as folder:
        names = [f"page{number}__{suffix}" for number, (suffix, *_) in enumerate(pages)]
        book = make_book(Path(folder) / "book", **{name: page[1] for name, page in zip(names, pages, strict=True)})
        for _ in range(2):
            assert accept(book) == []
            for name, (_, _, wanted) in zip(names, pages, strict=True):
                assert (book / name.replace("__", ".")).read_bytes() == wanted


PIECES = {
    "md": (
        "{}",
        "````{{note}}\n{}````\n",
        "````{{tab-set}}\n```{{tab-item}} T\nWords\n```\n````\n\n{}",
        # Sphinx 8 counts another line there, and cannot tell which of two is meant that say the same.
        "Words.\f\n\n{}" if sphinx.version_info >= (9,) else "Words.\n\n{}",
        "````markdown\n{}````\n",
        "<!--\n{}-->\n",
        "````{{code-block}} markdown\n{}````\n",
        "```````````{{toggle}}\n````text\n{}````\n```````````\n",
    ),
    "rst": (
        "{}",
        ".. container::\n\n   Words\n\n{}",
        "Words\u2028words\n\n{}",
        ".. class:: x\n\n{}",
        ".. code-block:: rst\n\n   Words\n\n{}",
        "So::\n\n  Words\n\n{}",
        ".. comment\n   of words\n{}",
        ".. parsed-literal::\n\n   Words\n\n{}",
    ),
}
"""Sources around an example: in the first four it is one, in the others it is shown as code."""
REAL = 4


@st.composite
def generated_lookalikes(draw) -> tuple[str, str, list[tuple[str, bool]], int | None]:
    """A suffix, the end of lines, pieces, each with whether it is an example, and the first that is included."""
    suffix = draw(st.sampled_from(["md", "rst"]))
    numbers = draw(st.lists(st.integers(0, len(PIECES[suffix]) - 1), min_size=1, max_size=7))
    pieces = []
    for index, number in enumerate(numbers):
        around = PIECES[suffix][number]
        nested = around.endswith(("\n   Words\n\n{}", "\n  Words\n\n{}", "\n   of words\n{}"))
        inner = markdown() if suffix == "md" else rst("   " if nested else "")
        # Without a line of its own the included part could be another part of the file, and would be left as it is.
        pieces.append((f"{around.format(inner)}\nPart {index}.\n\n", number < REAL))
    return suffix, draw(st.sampled_from(["\n", "\r\n"])), pieces, draw(st.none() | st.integers(0, len(pieces) - 1))


def lines(text: str, suffix: str) -> int:
    """Return the number of lines, as the parser counts them that includes a part of a file."""
    return text.count("\n") if suffix == "rst" else len(text.splitlines())


@pytest.mark.parametrize("books", [20, pytest.param(30, marks=pytest.mark.thorough)])
def test_generated_lookalikes_are_never_changed(books):
    generated = given(generated_lookalikes())(lookalikes_are_never_changed)
    settings(max_examples=books, suppress_health_check=[HealthCheck.too_slow])(generated)()


def lookalikes_are_never_changed(case):
    suffix, eol, pieces, first = case
    head = "# P\n\n" if suffix == "md" else "P\n=\n\n"
    pieces = [(head if first is None else "Words.\n\n", False), *pieces]
    included = 0 if first is None else first + 1
    with TemporaryDirectory() as folder:
        book = make_book(Path(folder) / "book")
        path = book / (f"page.{suffix}" if first is None else "part.txt")
        path.write_bytes("".join(text for text, _ in pieces).replace("\n", eol).encode())
        if first is not None:
            option = f":start-line: {sum(lines(text, suffix) for text, _ in pieces[:included])}\n"
            include = (
                f"```{{include}} part.txt\n{option}```\n" if suffix == "md" else f".. include:: part.txt\n   {option}"
            )
            (book / f"page.{suffix}").write_text(head + include)
        left = accept(book)
        after = path.read_bytes().decode().replace(eol, "\n")
        for index, (text, real) in enumerate(pieces):
            wanted = text.replace(WRONG, RIGHT) if real and index >= included else text
            piece = wanted if after.startswith(wanted) else text
            # In a part of a file that is included Sphinx does not know the lines: what looks the same may be left.
            assert piece == wanted or (left and included), index
            assert after.startswith(piece)
            after = after.removeprefix(piece)
        assert (after, bool(left) and first is None) == ("", False)


# the command


@pytest.fixture
def run(commands):
    def run(book, *words):
        return commands.run(book.parent, "dicedocs", "accept", book.name, *words, **ENVIRONMENT)

    return run


TWO = (
    "# P\n\n```{dice:example}\n:name: one\n"
    + example(indent="")
    + "```\n\n```{dice:example}\n"
    + example("", "")
    + "```"
)


def test_the_diff_can_be_applied_and_is_what_would_be_written(tmp_path, run):
    book = make_book(tmp_path / "book", page__md=TWO.encode())
    done = run(book, "--diff")
    assert (done.returncode, done.stderr) == (0, "2 expectations in 1 file to be written\n")
    assert (book / "page.md").read_text() == TWO
    checked = run(book, "--check")
    assert (checked.returncode, checked.stdout) == (1, done.stdout)
    assert (book / "page.md").read_text() == TWO
    subprocess.run(["/usr/bin/env", "git", "apply"], input=done.stdout, text=True, check=True, cwd=tmp_path)
    applied = (book / "page.md").read_text()
    (book / "page.md").write_text(TWO)
    written = run(book)
    assert (written.returncode, written.stdout) == (0, done.stdout)
    assert written.stderr == "book/page.md written\n2 expectations in 1 file written\n"
    assert (book / "page.md").read_text() == applied
    again = run(book, "--check")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "nothing to accept\n")


def test_one_block_is_accepted_by_its_name(tmp_path, run):
    book = make_book(tmp_path / "book", page__md=TWO.encode())
    assert run(book, "--only", "one").returncode == 0
    assert (book / "page.md").read_text() == TWO.replace(WRONG, RIGHT)
    done = run(book, "--only", "onee")
    assert (done.returncode, done.stderr) == (
        2,
        "dicedocs: only: no block of the book is named 'onee'; did you mean 'one'?\n",
    )


def test_json_has_what_was_accepted_and_what_was_left(tmp_path, run):
    book = make_book(tmp_path / "book", page__md=TWO.encode(), bad__md=LEFT["unknown__md"].encode())
    done = run(book, "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert [(each["label"], each["line"], each["value"]) for each in data["accepted"]] == [
        ("one", 3, "total=11"),
        ("example-2", 11, "total=11, raw=11"),
    ]
    assert [(Path(each["file"]).name, each["line"]) for each in data["left"]] == [("bad.md", 3)]


# pytest


@pytest.fixture
def pytest_run(commands):
    def run(book, *words):
        environment = ENVIRONMENT | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
        plugin = ("pytest", "-p", "dicedocs_sphinx.pytest_plugin", "-p", "no:cacheprovider", "-q")
        return commands.run(book.parent, *plugin, *words, **environment)

    return run


def test_pytest_accepts_the_tests_that_are_chosen(tmp_path, pytest_run):
    book = make_book(tmp_path / "book", page__md=TWO.encode())
    done = pytest_run(book, "--dicedocs-accept", "book", "-k", "one")
    assert done.returncode == 0
    assert "1 passed, 1 deselected" in done.stdout
    assert f"{book / 'page.md'}:3: one: expect written" in done.stdout
    assert (book / "page.md").read_text() == TWO.replace(WRONG, RIGHT)
    done = pytest_run(book, "--dicedocs-accept", "book")
    assert "2 passed" in done.stdout
    accepted = TWO.replace(WRONG, RIGHT).removesuffix("```") + ":expect: total=11, raw=11\n```"
    assert (book / "page.md").read_text() == accepted
    assert pytest_run(book, "--dicedocs", "book").returncode == 0


def test_pytest_names_what_it_cannot_accept_and_fails(tmp_path, pytest_run):
    book = make_book(tmp_path / "book", page__md=LEFT["unknown__md"].encode())
    done = pytest_run(book, "--dicedocs-accept", "book")
    assert done.returncode == 1
    assert "page.md:3: example-1: " in done.stdout
    assert "left as it is" in done.stdout
    assert (book / "page.md").read_text() == LEFT["unknown__md"]


def test_pytest_accepts_in_one_process_alone(tmp_path, pytest_run):
    book = make_book(tmp_path / "book", page__md=TWO.encode())
    done = pytest_run(book, "-p", "xdist", "-n", "2", "--dicedocs-accept", "book")
    assert done.returncode != 0
    assert "leave -n out" in done.stderr + done.stdout
    assert (book / "page.md").read_text() == TWO


INTERRUPTED = """
import os, runpy, signal
# The jobs that a shell runs in the background ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
calls, sync = [], os.fsync
def fsync(file):
    calls.append(file)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.{name})
    sync(file)
os.fsync = fsync
runpy.run_module("{module}", run_name="__main__", alter_sys=True)
"""
"""A command that gets a signal while it writes the third file."""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_who_ends_it_finds_each_file_whole_and_each_written_one_named(name, status, commands, tmp_path):
    page = ("# P\n\n```{dice:example}\n" + example(indent="") + "```\n").encode()
    book = make_book(tmp_path / "book", **{f"p{number}__md": page for number in range(5)})
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED.format(name=name, module="dicedocs"))
    done = commands.run(tmp_path, script, "accept", "book", **ENVIRONMENT)
    assert done.returncode == status
    assert done.stderr.splitlines() == [
        "book/p0.md written",
        "book/p1.md written",
        "interrupted: 2 expectations in 2 files written",
    ]
    assert [RIGHT in path.read_text() for path in sorted(book.glob("p*.md"))] == [True, True, False, False, False]
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.rst", *(f"p{n}.md" for n in range(5))]


def test_pytest_that_is_ended_leaves_no_file_behind_either(commands, tmp_path):
    page = ("# P\n\n```{dice:example}\n" + example(indent="") + "```\n").encode()
    book = make_book(tmp_path / "book", **{f"p{number}__md": page for number in range(5)})
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED.format(name="SIGTERM", module="pytest"))
    words = ("-p", "dicedocs_sphinx.pytest_plugin", "-p", "no:cacheprovider", "--dicedocs-accept", "book")
    done = commands.run(tmp_path, script, *words, **ENVIRONMENT, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert [f"p{number}.md:3: example-1: expect written" in done.stdout for number in range(3)] == [True, True, False]
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.rst", *(f"p{n}.md" for n in range(5))]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_of_a_file_stays(tmp_path):
    book, page = protected(tmp_path)
    os.chown(page, 1234, 2345)
    assert accept(book) == []
    assert RIGHT in page.read_text()
    assert (page.stat().st_uid, page.stat().st_gid) == (1234, 2345)


def test_a_file_whose_owner_cannot_be_kept_is_left(tmp_path, monkeypatch):
    book, page = protected(tmp_path)
    before = page.read_bytes()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refused)
    [left] = accept(book)
    assert left.reason == "it cannot be written: it would no longer belong to its user and its group"
    assert page.read_bytes() == before
    assert sorted(path.name for path in book.iterdir()) == ["conf.py", "index.rst", "page.md"]


@pytest.mark.parametrize("linked", ["page", "folder"])
def test_a_symbolic_link_is_left_whether_it_is_a_page_or_a_folder(linked, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    page = outside / "page.md"
    page.write_text("# P\n\n```{dice:example}\n" + example(indent="") + "```\n")
    book = make_book(tmp_path / "book")
    if linked == "page":
        (book / "page.md").symlink_to(page)
    else:
        (book / "part").symlink_to(outside)
    before = page.read_bytes()
    [left] = accept(book)
    name, target = ("page.md", page) if linked == "page" else ("part", outside)
    assert left.reason == f"example-1: {name} is a symbolic link, to {target}"
    assert page.read_bytes() == before


def test_a_book_below_a_symbolic_link_is_no_link_itself(tmp_path):
    protected(tmp_path)
    (tmp_path / "way").symlink_to(tmp_path)
    assert accept(tmp_path / "way" / "book") == []
    assert RIGHT in (tmp_path / "book" / "page.md").read_text()


CHAIN = """Book
====

.. dice:example:: Last
   :name: last
   :mechanic: methuen/expression
   :expression: middle.total + 1
   :expect: {last}

.. dice:example:: Middle
   :name: middle
   :mechanic: methuen/expression
   :expression: first.total * 2
   :expect: {middle}

.. dice:example:: First
   :name: first
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: {first}

.. dice:example:: Guard
   :name: guard
   :mechanic: methuen/expression
   :expression: 30
   :expect: {guard}
"""


def test_a_chain_is_accepted_in_one_run_which_says_what_moved_with_what(commands, tmp_path):
    book = make_book(tmp_path / "book")
    page = book / "index.rst"
    old = CHAIN.format(first="total=12", middle="total=24", last="total=25", guard="total=first.total")
    page.write_text(old)
    command = ("dicedocs", "accept", str(book))
    chosen = commands.run(tmp_path, *command, "--only", "first", "--diff", "--json", **ENVIRONMENT)
    data = json.loads(chosen.stdout)
    assert [(each["label"], each["value"]) for each in data["accepted"]] == [("first", "total=11")]
    assert [(each["label"], each["because"], each["accepted"]) for each in data["moved"]] == [
        ("last", ["first"], False),
        ("middle", ["first"], False),
        ("guard", ["first"], False),
    ]
    done = commands.run(tmp_path, *command, **ENVIRONMENT)
    assert page.read_text() == CHAIN.format(
        first="total=11", middle="total=22", last="total=23", guard="total=first.total"
    )
    said = done.stderr.replace(f"{book}{os.sep}", "")
    assert "index.rst:4: last moved with middle\n" in said
    assert "index.rst:10: middle moved with first\n" in said
    assert "index.rst:23: guard moved with first; not accepted\n" in said
    refers = "the expectation 'total=first.total' refers to another block; correct it by hand; left as it is"
    assert f"index.rst:23: guard: {refers}\n" in said
    assert "3 expectations in 1 file written" in said
    assert done.returncode == 1


SCENE = """Book
====

.. dice:scene::
   :tracks: heat

.. dice:example:: First
   :name: first
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :then: heat += total
   :expect: {first}

.. dice:example:: Unnamed
   :mechanic: methuen/expression
   :expression: 2
   :then: heat += total
   :expect: {middle}

.. dice:example:: Last
   :name: last
   :mechanic: methuen/expression
   :expression: 1
   :then: heat += total
   :expect: {last}
"""


def test_what_a_scene_moves_is_accepted_in_one_run(commands, tmp_path):
    book = make_book(tmp_path / "book")
    page = book / "index.rst"
    page.write_text(SCENE.format(first="total=12, heat=12", middle="heat=14", last="total=1, heat=15"))
    done = commands.run(tmp_path, "dicedocs", "accept", str(book), "--json", **ENVIRONMENT)
    assert page.read_text() == SCENE.format(first="total=11, heat=11", middle="heat=13", last="total=1, heat=14")
    assert [(each["label"], each["because"]) for each in json.loads(done.stdout)["moved"]] == [
        ("example-2", ["first"]),
        ("last", ["first"]),
    ]
