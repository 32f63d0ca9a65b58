"""A kind of block that a project adds is checked by the build, by doctest and by pytest, without an edit of ours."""

import os
import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
KIND = '''
"""A countdown: a block without a mechanic, whose steps must end at zero."""

from docutils import nodes

from dataclasses import dataclass

from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts, locate_issues
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.base import BlockDirective
from dicedocs_sphinx.nodes import dice_mechanic
from dicedocs_sphinx.output import writes
from dicedocs_sphinx.statements import issue


@dataclass(frozen=True, kw_only=True)
class Countdown(Block, kind="countdown", options=("name", "start", "steps", "class")):
    start: int
    expect_option = "steps"

    @classmethod
    def read(cls, title, options, issues):
        fields = super().read(title, options, issues)
        return {**fields, "start": int(options["start"]), "expect": options["steps"]}

    def check(self):
        facts = CountdownFacts(self)
        message = f"the countdown ends at {facts.left}"
        issues = [issue(Problem.MISMATCH, message, "steps")] if facts.left else []
        return CheckResult(locate_issues(self, [*self.syntax_issues, *issues]), facts.left, facts)

    def facts(self):
        return CountdownFacts(self)

    def doctest(self, computed):
        return f">>> {self.start} - sum({[int(step) for step in self.expect.split()]})\\n0\\n"


class CountdownFacts(Facts):
    def __init__(self, block):
        self.left = block.start - sum(map(int, block.expect.split()))

    def has(self, path):
        return path == "left"

    def text(self, path):
        return str(self.left)


class CountdownDirective(BlockDirective, block=Countdown):
    node = dice_mechanic


@writes("countdown")
def write_countdown(writer, node, docname):
    messages = [issue["message"] for issue in node.block.issues]
    node[-1:] = [nodes.paragraph("", f"Steps: {node.block.expect}."), *writer.boxes(messages, "Wrong")]
    writer.place(node, "Link to this countdown")
'''
CONF = """
import os, sys; sys.path.insert(0, os.path.dirname(__file__))
import countdown
extensions = ["dicedocs_sphinx"]
html_theme = "basic"
"""
PAGE = """
Page
====

.. dice:countdown:: The bomb
   :name: bomb
   :start: 6
   :steps: 3 2 1

   It ends at :dice:fact:`left`.

.. dice:example::
   :mechanic: methuen/expression
   :expression: 2
   :expect: total=2

.. toctree::

   far
"""
FAR = "Far\n===\n\n:dice:ref:`bomb` ends at :dice:fact:`bomb.left`.\n"
PLUGIN = "dicedocs_sphinx.pytest_plugin"


@pytest.fixture
def docs(tmp_path):
    """A project that has a kind of its own in a module beside its configuration."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in {"countdown.py": KIND, "conf.py": CONF, "index.rst": PAGE, "far.rst": FAR}.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def run(commands, docs):
    """Runs a command as a person does."""
    path = os.pathsep.join([str(SOURCES), str(SOURCES / "sphinx_ext")])

    def run(*words):
        return commands.run(docs.parent, *words, PYTHONPATH=path, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", NO_COLOR="1")

    return run


def build(run, builder, *words):
    return run("sphinx", "-q", "-d", "trees", "-b", builder, *words, "docs", builder)


def test_the_build_shows_the_block_its_facts_and_links_to_it(docs, run):
    done = build(run, "html", "-j", "2")
    assert (done.returncode, done.stderr) == (0, "")
    html = (docs.parent / "html/index.html").read_text("utf-8")
    assert '<div class="dice-countdown docutils container" id="dice-bomb">' in html
    assert "It ends at <span>0</span>." in html
    assert "Steps: 3 2 1." in html
    far = (docs.parent / "html/far.html").read_text("utf-8")
    assert 'href="index.html#dice-bomb" title="The bomb"' in far
    assert "ends at <span>0</span>" in far
    build(run, "text")
    assert "*The bomb* ends at 0." in (docs.parent / "text/far.txt").read_text("utf-8")


def test_the_build_doctest_and_pytest_check_it(docs, run):
    assert build(run, "doctest").returncode == 0
    assert "4 passed" in run("pytest", "-p", PLUGIN, "--dicedocs", "docs", "-q").stdout
    (docs / "index.rst").write_text(PAGE.replace("3 2 1", "3 2"), "utf-8")
    [warning] = build(run, "html").stderr.splitlines()
    location = f"{docs / 'index.rst'}:8"
    assert warning == f"{location}: WARNING: bomb: the countdown ends at 1 [dicedocs.mismatch]"
    assert build(run, "doctest").returncode == 1
    assert re.search(
        r"line 8, in bomb\n.*Expected:\n    0\nGot:\n    1\n",
        (docs.parent / "doctest/output.txt").read_text("utf-8"),
        re.DOTALL,
    )
    # A worker of xdist gets its items from another process.
    for plugins in (["-p", PLUGIN], ["-p", PLUGIN, "-p", "xdist", "-n", "1"]):
        done = run("pytest", *plugins, "--dicedocs", "docs", "-q")
        assert f"{location}: the countdown ends at 1\n" in done.stdout
        assert "1 failed, 3 passed" in done.stdout


def test_an_edit_of_the_kind_has_its_pages_read_again(docs, run):
    build(run, "html")
    page, other = (docs.parent / f"trees/{name}.doctree" for name in ("index", "far"))
    before = page.stat().st_mtime_ns, other.stat().st_mtime_ns
    build(run, "html")
    assert (page.stat().st_mtime_ns, other.stat().st_mtime_ns) == before
    (docs / "countdown.py").write_text(KIND.replace("Steps: ", "Counting: "), "utf-8")
    build(run, "html")
    assert page.stat().st_mtime_ns != before[0]
    assert other.stat().st_mtime_ns == before[1]
    assert "Counting: 3 2 1." in (docs.parent / "html/index.html").read_text("utf-8")


def test_a_kind_that_is_gone_is_an_unknown_directive(docs, run):
    build(run, "html")
    (docs / "conf.py").write_text(CONF.replace("import countdown\n", ""), "utf-8")
    done = build(run, "html")
    assert done.returncode == 0
    assert "there is no directive 'dice:countdown'" in done.stderr
