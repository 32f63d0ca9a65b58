"""A mechanic that computes its odds itself, and not those of its dice, fails wherever odds are published."""

import os
from functools import partial
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
RULE = """
from dicedocs import Dice, Distribution, Mechanic, Outcome, Say

class Light(Mechanic, id="{id}"):
    "Roll two dice."
    class Result(Outcome):
        lit: int
    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.total(2, 6))
    def distribution(self, *facts: str) -> Distribution:
        return Distribution.dice(2, {sides}).named(*facts)
"""
PAGE = """
Page
====

.. dice:odds:: A chart
   :name: chart
   :mechanic: {id}
   :expect: mean={mean}

.. dice:table:: A table
   :name: table
   :mechanic: {id}

.. dice:claim::
   :name: claim
   :mechanic: {id}
   :claim: mean={mean}
"""
# The odds of 2d4 have a mean of 5, and 5 has 4 in 16 ways; with two d6 it has 4 in 36.
FIGURES = "gives 25%, and counting its dice gives 11.11%"


@pytest.fixture
def run(commands, tmp_path):
    path = os.pathsep.join([str(SOURCES), str(SOURCES / "sphinx_ext"), str(tmp_path / "docs")])
    return partial(commands.run, tmp_path, PYTHONPATH=path, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", NO_COLOR="1")


def write_book(folder, **values):
    docs = folder / "docs"
    docs.mkdir()
    module = f"odds_of_{values['id'].partition('/')[2].replace('-', '_')}"
    (docs / f"{module}.py").write_text(RULE.format(**values))
    (docs / "conf.py").write_text(f"import {module}\nextensions = ['dicedocs_sphinx']\n")
    (docs / "index.rst").write_text(PAGE.format(**values))


def test_false_odds_fail_in_all_three_checks(tmp_path, run):
    write_book(tmp_path, id="lamp/false-light", sides=4, mean=5)
    built = run("sphinx", "-q", "-W", "--keep-going", "-d", "trees", "-b", "html", "docs", "built")
    tested = run("sphinx", "-q", "-d", "trees", "-b", "doctest", "docs", "doctest")
    checked = run("pytest", "-p", "dicedocs_sphinx.pytest_plugin", "--dicedocs", "docs", "-q")
    assert (built.returncode, tested.returncode, checked.returncode) == (1, 1, 1)
    warnings = [text for text in built.stderr.splitlines() if "[dicedocs.engine]" in text]
    assert len(warnings) == 1
    assert FIGURES in warnings[0]
    assert "(so for 2 more blocks)" in warnings[0]
    assert FIGURES in (tmp_path / "doctest/output.txt").read_text()
    assert FIGURES in checked.stdout
    assert FIGURES in (tmp_path / "built/index.html").read_text().replace("&#x27;", "'")


def test_true_odds_pass_all_three(tmp_path, run):
    write_book(tmp_path, id="lamp/true-light", sides=6, mean=7)
    # The builder of doctests checks what that of HTML does, and its own.
    done = run("sphinx", "-q", "-W", "-d", "trees", "-b", "doctest", "docs", "doctest")
    assert (done.returncode, done.stderr) == (0, "")
    assert run("pytest", "-p", "dicedocs_sphinx.pytest_plugin", "--dicedocs", "docs", "-q").returncode == 0
