"""Every command and snippet of the README and the documentation does what its page says.

A page is a story, told in a folder of its own: what it shows is done there from top to bottom.

- ``console``: lines that begin with ``$`` are run; output is compared where the page shows some, ``...`` standing
  for anything, and otherwise the command must end with status 0. What would install something is compared with
  pyproject.toml and the Makefile instead.
- a block with ``:caption:`` is written to the file of that name; the files of the first story are there in all.
- ``pycon``: a doctest; names live on through the page. ``python``: run by itself. ``ipython``: a cell of a notebook,
  run after those before it.
- ``markdown`` and ``rst``: built by Sphinx, without a warning; or, when a ``text`` block follows, with exactly that.
- a line ``% edit FILE: OLD -> NEW``, which no reader sees, is done to the file.

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
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BIN = Path(sys.executable).parent
FIRST = DOCS / "guide" / "first-example.md"
PAGES = [ROOT / "README.md", *sorted(path for path in DOCS.rglob("*.md") if not path.parent.name.startswith("_"))]

BUILT_WITH_THE_PAGE = {
    "admonition",
    "dice:character",
    "dice:claim",
    "dice:example",
    "dice:odds",
    "dice:table",
    "errata",
    "eval-rst",
    "figure",
    "generated",
    "literalinclude",
    "measured",
    "toctree",
}
"""Directives that the build of the documentation itself runs."""


CELLS = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
for cell in sys.argv[1:]:
    shell.run_cell(cell).raise_error()
"""
"""Runs the cells of a notebook, each of which must work."""


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
    """The blocks of a page, in order."""
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
class Story:
    """A page whose blocks are done one after another."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    cells: list[str] = field(default_factory=list)

    def tell(self, page: Path) -> list[str]:
        """Do all blocks; what does not come out is returned."""
        if page != FIRST:
            for block in blocks(FIRST):
                if block.caption:
                    self.write(block)
        wrong = []
        told = blocks(page)
        for block, after in zip_longest(told, told[1:]):
            try:
                if block.kind == "text":
                    assert after is None or after.kind != "text", "two outputs, one after the other"
                elif block.kind in {"markdown", "rst"} and not block.caption:
                    self.build(block, after.text if after and after.kind == "text" else "")
                else:
                    self.do(block)
            except AssertionError as error:
                wrong.append(f"{block}: {error}")
        for before, block in zip([None, *told], told, strict=False):
            if block.kind == "text" and (before is None or before.kind not in {"markdown", "rst"}):
                wrong.append(f"{block}: a text that belongs to nothing")
        return wrong

    def do(self, block: Block) -> None:
        """Do one block."""
        if block.kind.startswith("{"):
            assert block.kind[1:-1] in BUILT_WITH_THE_PAGE, f"what is {block.kind}?"
            return
        doing = self.kinds.get(block.kind)
        assert doing is not None, f"a block of the unknown kind {block.kind!r}"
        if block.caption:
            self.write(block)
        doing(self, block)

    def write(self, block: Block) -> None:
        """Write a file that the page shows."""
        path = self.folder / block.caption
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def edit(self, block: Block) -> None:
        """Change a file as the page tells its reader to."""
        name, _, change = block.text.partition(": ")
        old, _, new = change.partition(" -> ")
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def console(self, block: Block) -> None:
        """Run commands, and compare what they print where it is shown."""
        for command, shown in commands(block.text):
            self.run(command, shown)

    def run(self, command: str, shown: str = "") -> None:
        """Run a command, or compare it with the project when it would install something."""
        if sets_up(command):
            return
        status, printed = self.output(command)
        if shown:
            assert same(shown, printed), f"{command}\n{printed}\n--- and the page shows\n{shown}"
        else:
            assert status == 0, f"{command} ends with {status}\n{printed}"

    def output(self, command: str) -> tuple[int, str]:
        """Give the status and the output of a command."""
        environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "80"}
        environment.pop("FORCE_COLOR", None)
        # A reader's pytest has our plugin, and not those that our own tests need.
        environment["PYTEST_ADDOPTS"] = "-p no:hypothesispytest -p no:anyio -p no:xdist -p no:timeout"
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.replace(f"{self.folder}{os.sep}", "")

    def pycon(self, block: Block) -> None:
        """Run a doctest among the names of the page."""
        test = doctest.DocTestParser().get_doctest(block.text, self.names, str(block), str(block.page), block.line)
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=out.write, clear_globs=False)
        self.names = test.globs
        assert not runner.failures, out.getvalue()

    def python(self, block: Block) -> None:
        """Run Python by itself; a file is only read, since what it is for runs it."""
        if block.caption:
            ast.parse(block.text)
        else:
            done = subprocess.run(
                [sys.executable, "-c", block.text], cwd=self.folder, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr

    def ipython(self, block: Block) -> None:
        """Run a cell of a notebook after those before it."""
        self.cells.append(block.text)
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
        """Read TOML."""
        tomllib.loads(block.text)

    def yaml(self, block: Block) -> None:
        """Read a workflow, and run what it runs."""
        jobs = yaml.safe_load(block.text)["jobs"]
        for step in (step for job in jobs.values() for step in job["steps"] if "run" in step):
            self.run(step["run"])

    def written(self, block: Block) -> None:
        """Leave a file to what the page does with it."""

    def build(self, block: Block, shown: str) -> None:
        """Build a snippet; its warnings must be what is shown, and with nothing shown there must be none."""
        printed = self.warnings_of(block, alone=bool(shown))
        assert same(shown, printed), f"\n{printed}\n--- and the page shows\n{shown or 'nothing'}"

    def warnings_of(self, block: Block, *, alone: bool) -> str:
        """Give the warnings of a snippet in a little book, beside that of the first story or alone."""
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

    kinds: "dict[str, Callable[[Story, Block], None]]" = field(
        init=False,
        default_factory=lambda: {
            "console": Story.console,
            "edit": Story.edit,
            "ipython": Story.ipython,
            "markdown": Story.written,
            "pycon": Story.pycon,
            "python": Story.python,
            "toml": Story.toml,
            "yaml": Story.yaml,
        },
    )


def commands(text: str) -> list[tuple[str, str]]:
    """Give the commands of a console, each with the output that is shown; a backslash at its end continues a line."""
    head, *rest = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not head.strip(), f"not a command: {head!r}"
    pairs = [re.fullmatch(r"((?:.*\\\n)*.*)\n?((?s:.*))", one) for one in rest]
    return [(pair[1].strip(), pair[2].strip("\n")) for pair in pairs if pair]


def same(shown: str, printed: str) -> bool:
    """Whether an output is the one shown, blanks at the ends of lines aside."""

    def plain(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

    pattern = ".*?".join(re.escape(part) for part in plain(shown).split("..."))
    return re.fullmatch(pattern, plain(printed), re.DOTALL) is not None


def sets_up(command: str) -> bool:
    """Whether a command sets something up; then it must be one that this project knows."""
    words = shlex.split(command)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(BIN)", ".venv/bin")
    if words[0] == "make":
        for target in words[1:]:
            assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"there is no target {target!r}"
        return True
    if words[0].startswith(".venv/bin/"):
        assert (BIN / Path(words[0]).name).exists(), f"there is no {words[0]}"
        for word in words[1:]:
            assert word in makefile, f"the Makefile does without {word!r}"
        return True
    if words[:2] == ["pip", "install"]:
        for word in words[2:]:
            path, _, extras = word.rstrip("]").partition("[")
            assert (ROOT / path).exists(), f"there is no {path}"
            assert set(extras.split(",")) <= {"", *project()["optional-dependencies"]}, f"no such extra: {word}"
        return True
    return words[1:3] == ["-m", "venv"] or words == [".", ".venv/bin/activate"]


def project() -> dict[str, Any]:
    """What pyproject.toml says of the project."""
    data: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return data


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_is_true(page: Path, tmp_path: Path) -> None:
    wrong = Story(tmp_path).tell(page)
    assert not wrong, "\n\n".join(wrong)


def test_there_are_pages_to_test() -> None:
    kinds = {block.kind for page in PAGES for block in blocks(page)}
    assert {"console", "pycon", "python", "markdown", "rst", "yaml", "text", "edit"} <= kinds


def test_a_block_of_an_unknown_kind_fails(tmp_path: Path) -> None:
    page = ROOT / "README.md"
    with pytest.raises(AssertionError, match="unknown kind 'sh'"):
        Story(tmp_path).do(Block(page, 1, "sh", "make"))
    with pytest.raises(AssertionError, match="what is"):
        Story(tmp_path).do(Block(page, 1, "{card}", ""))
    with pytest.raises(AssertionError, match="no target 'sit'"):
        Story(tmp_path).do(Block(page, 1, "console", "$ make sit\n"))
    with pytest.raises(AssertionError, match="the page shows"):
        Story(tmp_path).do(Block(page, 1, "console", "$ echo 12\n11\n"))


def test_what_is_public_stands_in_the_reference() -> None:
    import dicedocs

    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)$", page, re.MULTILINE)
    without_docstring = [name for _, name in ModuleAnalyzer.for_module("dicedocs.rules.params").find_attr_docs()]
    assert set(documented) == set(dicedocs.__all__) - set(without_docstring)
    assert "{generated} types" in page


def test_the_reference_has_every_option_and_role() -> None:
    from dicedocs_sphinx.directives import find_directives
    from dicedocs_sphinx.domain import DiceDomain

    page = (DOCS / "reference" / "directives.md").read_text(encoding="utf-8")
    terms = re.findall(r"^(`.*)\n: ", page, re.MULTILINE)
    documented = {name for term in terms for name in re.findall(r"`([^`]+)`", term)}
    options = {option for directive in find_directives().values() for option in directive.kind.options}
    assert documented == {*options, *(f"dice:{role}" for role in DiceDomain.roles)}


def test_what_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


ROW = re.compile(r"^\| `(\d+)d(\d+)` \| (\d+) \| (\d+) \| ([\d.]+) \|$", re.MULTILINE)


def test_the_table_of_averages_is_right() -> None:
    page = (DOCS / "rulebook" / "methuen.md").read_text(encoding="utf-8")
    rows = ROW.findall(page)
    assert len(rows) == 5
    for count, sides, least, most, average in rows:
        assert int(least) == int(count)
        assert int(most) == int(count) * int(sides)
        assert float(average) == int(count) * (int(sides) + 1) / 2
