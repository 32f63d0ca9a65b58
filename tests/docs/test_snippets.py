"""Every command and snippet of the README and the documentation does what its page says.

The blocks of a page are executed from top to bottom in a temporary folder.

- ``console``: lines that begin with ``$`` are run. Their output is compared with the output on the page, where ``...``
  stands for anything; if the page shows none, the command must end with status 0. Commands that install something are
  not run, but compared with pyproject.toml and the Makefile.
- A block with ``:caption:`` is written to the file of that name. The files of the first page exist on all pages.
- ``pycon``: a doctest, run by itself, as readers copy it. ``python``: run by itself. ``ipython``: a cell of a notebook,
  run after the previous ones.
- ``markdown`` and ``rst``: built by Sphinx; the warnings must be those in the ``text`` block that follows, or none.
- A comment ``% edit FILE: OLD -> NEW``, which readers do not see, is applied to the file.

A block of any other kind fails.
"""

import ast
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dicedocs import NotationError, ScriptedDice
from dicedocs.render.html import stylesheet
from dicedocs.rules.playing import rule_from_notation

from ..command_server import CommandServer

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BIN = Path(sys.executable).parent
FIRST = DOCS / "guide" / "first-example.md"
PAGES = [ROOT / "README.md", *sorted(path for path in DOCS.rglob("*.md") if not path.parent.name.startswith("_"))]

BUILT_WITH_THE_PAGE = {
    "admonition",
    "container",
    "dice:advice",
    "dice:case",
    "dice:change",
    "dice:character",
    "dice:claim",
    "dice:example",
    "dice:examples",
    "dice:mechanic",
    "dice:odds",
    "dice:reference",
    "dice:report",
    "dice:rule",
    "dice:scene",
    "dice:scene-sheet",
    "dice:table",
    "errata",
    "eval-rst",
    "figure",
    "generated",
    "glossary",
    "image",
    "index",
    "literalinclude",
    "measured",
    "only",
    "raw",
    "rst-class",
    "rubric",
    "table",
    "toctree",
}
"""Directives that only the build of the documentation executes."""


SCRIPTS = ("dicedocs", "pytest", "sphinx-build")
"""The commands that run in a server, which has loaded what they need."""

CELLS = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
for cell in sys.argv[1:]:
    shell.run_cell(cell).raise_error()
"""
"""Runs the cells of a notebook, none of which may fail."""


@dataclass
class Block:
    """A fenced block, or an edit."""

    page: Path
    line: int
    kind: str
    text: str
    caption: str = ""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    return list(_blocks(page))


def _blocks(page: Path) -> Iterator[Block]:
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        line = (token.map or [0])[0] + 1
        if token.type == "inline" and token.content.startswith("% edit "):
            yield Block(page, line, "edit", token.content.removeprefix("% edit "))
        if token.type not in {"fence", "code_block"}:
            continue
        directive = re.fullmatch(r"\{([\w:-]+)\}\s*(.*)", token.info.strip())
        if directive is None:
            yield Block(page, line, token.info.strip(), token.content)
        elif directive[1] != "code-block":
            yield Block(page, line, f"{{{directive[1]}}}", token.content)
        else:
            options = re.match(r"(?::[\w-]+:.*\n)*", token.content)
            head = options[0] if options else ""
            caption = re.search(r"^:caption: (.*)$", head, re.MULTILINE)
            text = token.content[len(head) :].lstrip("\n")
            yield Block(page, line, directive[2], text, caption[1] if caption else "")


@dataclass
class PageRunner:
    """Executes the blocks of a page in a folder."""

    folder: Path
    server: CommandServer
    cells: list[str] = field(default_factory=list)

    def run_page(self, page: Path) -> list[str]:
        """Execute all blocks and return the failures."""
        if page != FIRST:
            for block in blocks(FIRST):
                if block.caption:
                    self.write(block)
        failures = []
        page_blocks = blocks(page)
        for block, following in zip_longest(page_blocks, page_blocks[1:]):
            try:
                if block.kind == "text":
                    assert following is None or following.kind != "text", "two consecutive outputs"
                elif block.kind in {"markdown", "rst"} and not block.caption:
                    self.build(block, following.text if following and following.kind == "text" else "")
                else:
                    self.execute(block)
            except AssertionError as error:
                failures.append(f"{block}: {error}")
        if self.cells:
            try:
                self.run_cells()
            except AssertionError as error:
                failures.append(f"{page}: {error}")
        for previous, block in zip([None, *page_blocks], page_blocks, strict=False):
            if block.kind == "text" and (previous is None or previous.kind not in {"markdown", "rst"}):
                failures.append(f"{block}: an output that does not follow a snippet")
        return failures

    def execute(self, block: Block) -> None:
        """Execute one block."""
        if block.kind.startswith("{"):
            assert block.kind[1:-1] in BUILT_WITH_THE_PAGE, f"{block.kind} is not a known directive"
            return
        method = self.kinds.get(block.kind)
        assert method is not None, f"a block of the unknown kind {block.kind!r}"
        if block.caption:
            self.write(block)
        method(self, block)

    def write(self, block: Block) -> None:
        """Write a block to the file named in its caption."""
        path = self.folder / block.caption
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def edit(self, block: Block) -> None:
        """Replace a text in a file, as the page tells its reader to."""
        name, _, change = block.text.partition(": ")
        old, _, new = change.partition(" -> ")
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def console(self, block: Block) -> None:
        """Run commands and compare their output with the output on the page."""
        for command, expected in commands(block.text):
            self.run(command, expected)

    def run(self, command: str, expected: str = "") -> None:
        """Run a command; one that would install something is only compared with the project."""
        if is_setup(command):
            return
        status, output = self.output(command)
        if expected:
            assert same(expected, output), f"{command}\n{output}\n--- but the page shows\n{expected}"
        else:
            assert status == 0, f"{command} ends with {status}\n{output}"

    def output(self, command: str) -> tuple[int, str]:
        """Return the status and the output of a command."""
        settings = {
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
            "COLUMNS": "80",
            # Readers have our pytest plugin, but not the plugins that our tests need, nor what the server has loaded.
            "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:anyio -p no:xdist -p no:timeout"
            " -W 'ignore:Module already imported'",
        }
        words = simple_command(command)
        if words and words[0] in SCRIPTS:
            done = self.server.run(self.folder, BIN / words[0], *words[1:], merge=True, **settings)
        else:
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                cwd=self.folder,
                env=os.environ | settings,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
        return done.returncode, done.stdout.replace(f"{self.folder}{os.sep}", "")

    def pycon(self, block: Block) -> None:
        """Run a doctest by itself."""
        test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block.page), block.line)
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=out.write)
        assert not runner.failures, out.getvalue()

    def python(self, block: Block) -> None:
        """Run Python code by itself; a file is only parsed, since other blocks use it."""
        if block.caption:
            ast.parse(block.text)
        else:
            script = self.folder / f"line_{block.line}.py"
            script.write_text(block.text, encoding="utf-8")
            done = self.server.run(self.folder, script)
            script.unlink()
            assert done.returncode == 0, done.stderr

    def ipython(self, block: Block) -> None:
        """Keep a cell of a notebook, which runs after the previous ones when all are there."""
        self.cells.append(block.text)

    def run_cells(self) -> None:
        """Run the cells of the page as one notebook; the error names the line of the one that fails."""
        done = subprocess.run(
            [sys.executable, "-c", CELLS, *self.cells],
            cwd=self.folder,
            env=os.environ | {"IPYTHONDIR": str(self.folder / "ipython")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def toml(self, block: Block) -> None:
        """Parse TOML."""
        tomllib.loads(block.text)

    def html(self, block: Block) -> None:
        """Check that a frame has a title, and shows an example of the guide."""
        address = r"https://example\.org/([\w-]+)\.html\?only#([\w-]+)"
        found = re.fullmatch(rf'<iframe src="{address}" title=".+?" .+></iframe>\s*', block.text)
        assert found, block.text
        assert f":name: {found[2]}\n" in (ROOT / "docs" / "guide" / f"{found[1]}.md").read_text("utf-8")

    def yaml(self, block: Block) -> None:
        """Parse a workflow and run its commands."""
        jobs = yaml.safe_load(block.text)["jobs"]
        for step in (step for job in jobs.values() for step in job["steps"] if "run" in step):
            self.run(step["run"])

    def css(self, block: Block) -> None:
        """Check that the stylesheet reads the variables that are set."""
        unknown = set(re.findall(r"(--dice-[a-z-]+)\s*:", block.text)) - variables()
        assert not unknown, f"the stylesheet reads no {sorted(unknown)}"

    def no_op(self, block: Block) -> None:
        """Do nothing: the file has been written, and other blocks use it."""

    def build(self, block: Block, expected: str) -> None:
        """Build a snippet and compare its warnings."""
        output = self.build_warnings(block, alone=bool(expected))
        assert same(expected, output), f"\n{output}\n--- but the page shows\n{expected or 'nothing'}"

    def build_warnings(self, block: Block, *, alone: bool) -> str:
        """Return the warnings of a snippet in a small book, alone or together with the page of the first example."""
        book = self.folder / f"snippet-{block.line}"
        book.mkdir()
        suffix = {"markdown": "md", "rst": "rst"}[block.kind]
        (book / f"rulebook.{suffix}").write_text(block.text, encoding="utf-8")
        if not alone:
            page = next(block.text for block in blocks(FIRST) if block.caption.endswith("index.md"))
            (book / "book.md").write_text(page, encoding="utf-8")
        settings = {
            "extensions": "myst_parser,dicedocs_sphinx",
            "root_doc": "rulebook",
            "suppress_warnings": "toc.not_included",
        }
        out = io.StringIO()
        with warnings.catch_warnings(), patch_docutils(), docutils_namespace():
            warnings.simplefilter("ignore")
            app = Sphinx(book, None, book / "_out", book / "_read", "dummy", settings, status=None, warning=out)
            app.build()
        return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).replace(f"{book}{os.sep}", "")

    kinds: "dict[str, Callable[[PageRunner, Block], None]]" = field(
        init=False,
        default_factory=lambda: {
            "console": PageRunner.console,
            "css": PageRunner.css,
            "edit": PageRunner.edit,
            "html": PageRunner.html,
            "ipython": PageRunner.ipython,
            "markdown": PageRunner.no_op,
            "pycon": PageRunner.pycon,
            "python": PageRunner.python,
            "toml": PageRunner.toml,
            "yaml": PageRunner.yaml,
        },
    )


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console with their outputs; a backslash at the end continues a line."""
    head, *rest = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not head.strip(), f"not a command: {head!r}"
    pairs = [re.fullmatch(r"((?:.*\\\n)*.*)\n?((?s:.*))", one) for one in rest]
    return [(pair[1].strip(), pair[2].strip("\n")) for pair in pairs if pair]


def simple_command(command: str) -> list[str]:
    """Return the words of a command; none if it means more to a shell than these words."""
    lexer = shlex.shlex(command.replace("\\\n", ""), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    return words if "$" not in command and not any(re.fullmatch(r"[();<>|&]+", word) for word in words) else []


def same(expected: str, output: str) -> bool:
    """Return whether an output matches, apart from spaces at the ends of lines."""

    def plain(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

    pattern = ".*?".join(re.escape(part) for part in plain(expected).split("..."))
    return re.fullmatch(pattern, plain(output), re.DOTALL) is not None


def is_setup(command: str) -> bool:
    """Return whether a command installs something; check such a command against the project."""
    words = shlex.split(command)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(BIN)", ".venv/bin")
    if words[0] == "make":
        for target in words[1:]:
            assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"{target!r} is not a target"
        return True
    if words[:2] == ["python", "-m"] and words[2] in {"pip", "pytest", "sphinx"}:
        for word in words[3:]:
            assert word in makefile, f"{word!r} is not in the Makefile"
        return True
    if words[:2] == ["pip", "install"]:
        for word in words[2:]:
            path, _, extras = word.rstrip("]").partition("[")
            assert (ROOT / path).exists(), f"{path} does not exist"
            assert set(extras.split(",")) <= {"", *project()["optional-dependencies"]}, f"{word} has an unknown extra"
        return True
    if words[:2] == ["apt-get", "install"]:
        tool = (ROOT / "tools" / "pdf.py").read_text(encoding="utf-8")
        assert [word for word in words[2:] if word not in tool] == []
        return True
    return words[1:3] == ["-m", "venv"] or words == [".", ".venv/bin/activate"]


def variables() -> set[str]:
    """Return the variables of CSS that the stylesheets of pages read."""
    buttons = ROOT / "sphinx_ext" / "dicedocs_sphinx" / "rolling" / "page_static" / "live.css"
    return set(re.findall(r"var\((--dice-[a-z-]+)", stylesheet() + buttons.read_text(encoding="utf-8")))


def project() -> dict[str, Any]:
    """Return the project table of pyproject.toml."""
    data: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return data


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_is_true(page: Path, tmp_path: Path, commands: CommandServer) -> None:
    failures = PageRunner(tmp_path, commands).run_page(page)
    assert not failures, "\n\n".join(failures)


def test_there_are_pages_to_test() -> None:
    kinds = {block.kind for page in PAGES for block in blocks(page)}
    assert {"console", "pycon", "python", "markdown", "rst", "yaml", "text", "edit"} <= kinds


def test_the_variables_of_the_stylesheet_stand_in_the_guide() -> None:
    page = (DOCS / "guide" / "themes.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^`(--dice-[a-z-]+)`\n: ", page, re.MULTILINE)) == variables()
    for path in (DOCS / "_static").glob("*.css"):
        assert set(re.findall(r"(--dice-[a-z-]+)\s*:", path.read_text(encoding="utf-8"))) <= variables()


def test_a_block_of_an_unknown_kind_fails(tmp_path: Path, commands: CommandServer) -> None:
    page = ROOT / "README.md"
    with pytest.raises(AssertionError, match="unknown kind 'sh'"):
        PageRunner(tmp_path, commands).execute(Block(page, 1, "sh", "make"))
    with pytest.raises(AssertionError, match="not a known directive"):
        PageRunner(tmp_path, commands).execute(Block(page, 1, "{card}", ""))
    with pytest.raises(AssertionError, match="'sit' is not a target"):
        PageRunner(tmp_path, commands).execute(Block(page, 1, "console", "$ make sit\n"))
    with pytest.raises(AssertionError, match="the page shows"):
        PageRunner(tmp_path, commands).execute(Block(page, 1, "console", "$ echo 12\n11\n"))


def test_what_is_public_stands_in_the_reference() -> None:
    import dicedocs

    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)$", page, re.MULTILINE)
    aliases = [
        ModuleAnalyzer.for_module(f"dicedocs.{name}").find_attr_docs() for name in ("rules.params", "syntax.decisions")
    ]
    assert set(documented) == set(dicedocs.__all__) - {name for found in aliases for _, name in found}
    assert "{generated} types" in page


def test_the_reference_has_every_option_and_role() -> None:
    from dicedocs_sphinx.book.domain import DiceDomain
    from dicedocs_sphinx.directives import find_directives

    page = (DOCS / "reference" / "directives.md").read_text(encoding="utf-8")
    terms = re.findall(r"^(`.*)\n: ", page, re.MULTILINE)
    documented = {name for term in terms for name in re.findall(r"`([^`]+)`", term)}
    options = {option for directive in find_directives().values() for option in directive.block.options}
    options |= {option for directive in DiceDomain.directives.values() for option in directive.option_spec or ()}
    assert documented == {*options, *(f"dice:{role}" for role in DiceDomain.roles)}


def built_example(folder: Path, name: str, page: str, **settings: str) -> str:
    """Return the HTML of a page's example in a small book with these settings."""
    (folder / "index.md").write_text(page, encoding="utf-8")
    settings = {"extensions": "myst_parser,dicedocs_sphinx", "html_theme": "basic", **settings}
    with warnings.catch_warnings(), patch_docutils(), docutils_namespace():
        warnings.simplefilter("ignore")
        app = Sphinx(folder, None, folder / "_out", folder / "_read", "html", settings, status=None, warning=None)
        app.build()
    html = (folder / "_out" / "index.html").read_text(encoding="utf-8")
    found = re.search(rf'<div class="dice-example[^>]*id="dice-{name}">.*?(?=</section>)', html, re.DOTALL)
    assert found
    return found[0]


def test_the_first_example_looks_as_it_does_in_the_book_of_its_reader(tmp_path: Path) -> None:
    page = FIRST.read_text(encoding="utf-8")
    [shown] = re.findall(r"it looks like this:\n\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    [conf, index] = [block.text for block in blocks(FIRST) if block.caption.startswith("book/")]
    assert "dicedocs_" not in conf.partition("dicedocs_sphinx")[2]
    look = run_path(str(DOCS / "conf.py"))["dicedocs_look"]
    for name in ("shown", "reader"):
        (tmp_path / name).mkdir()
    ours = built_example(tmp_path / "shown", "power-shot", f"# Page\n\n{shown}", dicedocs_look=look)
    assert ours == built_example(tmp_path / "reader", "power-shot", index)


def test_the_rulebook_describes_its_examples_as_they_are(tmp_path: Path) -> None:
    page = (DOCS / "rulebook" / "how-to-read.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\{dice:example\}(?:.*\n)*?```\n", page, re.MULTILINE)[0]
    described = page.partition(shown)[2]
    look = run_path(str(DOCS / "conf.py"))["dicedocs_look"]
    html = built_example(tmp_path, "how-to-read", f"# Page\n\n{shown}", dicedocs_look=look)
    parts = {
        "the roll": 'class="dice-given"',
        "the story": "She rolls",
        "the dice": 'class="dice-dice"',
        "the result": 'class="dice-result"',
        "How?": "How?</summary>",
        "working": 'class="dice-working"',
    }
    assert (
        sorted(parts, key=described.index) == list(parts) == sorted(parts, key=lambda words: html.index(parts[words]))
    )
    assert html.index("<details") < html.index('class="dice-working"')


def test_the_rulebook_draws_the_dice_that_it_describes() -> None:
    from dicedocs.render.drawing import STATES

    page = (DOCS / "rulebook" / "how-to-read.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \{drawn-die\}`d6 3 ([\w ]+)` \| (.*?) \|", page, re.MULTILINE))
    # Those that the dice of its games come to.
    assert rows.keys() == {"not in the total", "dropped", "scratched", "spent", "exhausted", "rerolled"}
    assert {name for name, text in rows.items() if "smaller" in text} == {
        name for name in rows if not STATES[name].counts
    }


def test_what_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


ROW = re.compile(r"^\| `(\d+)d(\d+)` \| (\d+) \| (\d+) \| ([\d.]+) \|$", re.MULTILINE)


def test_the_table_of_averages_is_right() -> None:
    page = (DOCS / "rulebook" / "methuen.md").read_text(encoding="utf-8")
    rows = ROW.findall(page)
    assert len(rows) == 5
    for count, sides, minimum, maximum, average in rows:
        assert int(minimum) == int(count)
        assert int(maximum) == int(count) * int(sides)
        assert float(average) == int(count) * (int(sides) + 1) / 2


def test_the_notations_of_the_reference_give_their_results() -> None:
    page = (DOCS / "reference" / "notation.md").read_text(encoding="utf-8")
    rolls = re.findall(r"^\| `([^`]+)` \| ([\d ]*)\| (\w+) \| .+ \|$", page, re.MULTILINE)
    assert len(rolls) > 30
    for notation, faces, result in rolls:
        rule = rule_from_notation(notation, {"Level": 2, "Strength": 4})
        value = rule.play(ScriptedDice([int(face) for face in faces.split()])).value
        assert f"{notation}: {str(value).lower()}" == f"{notation}: {result}"
    refused = re.findall(r"^\| `([^`]+)` \| ((?:`[^`]+`(?: or )?)+) \|$", page, re.MULTILINE)
    assert len(refused) > 5
    for notation, instead in refused:
        with pytest.raises(NotationError) as error:
            rule_from_notation(notation)
        for text in re.findall(r"`([^`]+)`", instead):
            assert f"'{text}'" in str(error.value.hint)


def test_the_guide_has_every_state_that_is_drawn() -> None:
    from dicedocs.render.drawing import STATES

    page = (DOCS / "guide" / "your-own-game.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w ]+)` \| (.*) \|$", page.partition("| State |")[2], re.MULTILINE))
    assert rows.keys() == STATES.keys()
    assert {name for name, text in rows.items() if "smaller" in text} == {
        name for name, state in STATES.items() if not state.counts
    }


def test_glossaries_are_short_and_linked_from_the_pages() -> None:
    pages = [path.read_text(encoding="utf-8") for path in PAGES]
    glossaries = [re.findall(r"^(\w.*)\n  \S", part, re.MULTILINE) for text in pages for part in glossary_of(text)]
    assert max(map(len, glossaries)) <= 30
    reference = max(glossaries, key=len)
    assert reference == sorted(reference, key=str.lower)
    linked = {link.rpartition("<")[2] for link in re.findall(r"{term}`([^`>]+)", "".join(pages))}
    assert linked == {term for terms in glossaries for term in terms}


def glossary_of(text: str) -> list[str]:
    return re.findall(r"^```{glossary}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
