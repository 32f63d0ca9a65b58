"""One number is changed in one example of a book, and all three checks fail and name it."""

import os
import re
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from ..command_server import CommandServer

Run = Callable[..., subprocess.CompletedProcess[str]]
SOURCES = Path(__file__).parents[2]
BOOK = {
    "conf.py": 'extensions = ["dicedocs_sphinx", "myst_parser"]\n',
    "index.md": "# Book\n\n```{toctree}\nfight\nmore\n```\n",
    "fight.md": """# Fight

```{dice:example} Renna looses a Power Shot
:name: renna-power-shot
:mechanic: methuen/expression
:expression: 3d6
:dice: 4 2 5
:expect: total=11

Renna rolls {dice:fact}`dice` and deals {dice:fact}`total` damage.
```

```{dice:example} Life Drain
:name: life-drain
:mechanic: methuen/expression
:expression: 1d6 + [Strength]
:actor: Strength=4
:dice: 3
:expect: total=7
```
""",
    "more.rst": """
More
====

.. dice:example:: A check
   :name: sera-attack
   :mechanic: methuen/check
   :check: 1d20 + [Attack] >= [Target Defense]
   :actor: Attack=6
   :target: Defense=12
   :dice: 8
   :expect: success=true, left=14

   It is :dice:fact:`success`.

.. dice:odds:: The odds
   :name: odds-of-3d6
   :mechanic: methuen/expression
   :expression: 3d6
   :expect: mean=10.5, p(at least 13)=25.9%

.. dice:claim::
   :mechanic: methuen/expression
   :expression: 3d6
   :claim: p(at least 13) = 25% ± 1%

.. dice:claim::
   :mechanic: methuen/check
   :check: 1d20 + [Attack] >= [Target Defense]
   :actor: kira
   :fact: success
   :claim: p(true | target.Defense=12) > 75%
   :loose:

.. dice:character:: Kira
   :name: kira
   :values: Attack=6
""",
}
CLAIMS = [
    (
        "mean=10.5",
        "mean=10.6",
        20,
        "odds-of-3d6",
        "mean=10.5, p(at least 13)=25.9%",
        "got 10.5; write mean=10.5 [",
    ),
    ("25% ± 1%", "25% ± 0.5%", 25, "claim-1", "p(at least 13) = 25.9% ± 0.5%", "got 25.9%"),
    ("> 75%", ">= 75%", 32, "claim-2", "True", "take :loose: away"),
]
"""What is changed, the line, the name, what the doctest prints, and what is so."""


class Change(NamedTuple):
    """A number changed in a book: the page, the example, the line, the facts that are written and that are."""

    page: str
    example: str
    line: int
    expected: str
    actual: str


def change_one_number(folder: Path, page: str, example: str) -> Change:
    """Add one to the first number that an example expects."""
    path = folder / page
    lines = path.read_text("utf-8").splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if f"name: {example}" in line)
    at = next(number for number in range(start, len(lines)) if "expect:" in lines[number])
    actual = lines[at].partition("expect:")[2].strip()
    expected = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), actual, count=1)
    lines[at] = lines[at].replace(actual, expected)
    path.write_text("".join(lines), "utf-8")
    return Change(page, example, at + 1, expected, actual)


@pytest.fixture
def run(commands: CommandServer) -> Run:
    """Runs a module as a person runs it."""
    mine = {"PYTHONPATH": os.pathsep.join([str(SOURCES), str(SOURCES / "sphinx_ext")])}
    return partial(commands.run, **mine, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", NO_COLOR="1")


class Said(NamedTuple):
    """The mismatches that the build warns of, the report of the doctests, and the output of pytest."""

    warnings: list[str]
    doctest: str
    pytest: str

    def assert_named(self, folder: Path, change: Change) -> None:
        """See that all three name an example, and what is so."""
        said = f"expected {change.expected}, got {change.actual}; write :expect: {change.actual}"
        place = f"{folder / change.page}:{change.line}"
        assert f"{place}: WARNING: {change.example}: {said} [dicedocs.mismatch]" in self.warnings
        assert f'File "{change.page}", line {change.line}, in {change.example}\n' in self.doctest
        assert f"Expected:\n    {change.expected}\nGot:\n    {change.actual}\n" in self.doctest
        assert f"{place}: {said}\n" in self.pytest
        assert f"FAILED {folder.name}/{change.page}::{change.example}" in self.pytest


def fail_three_checks(run: Run, folder: Path, failures: int) -> Said:
    """Build the pages, run the doctests and run pytest, and see that each fails so many times."""
    built = run(folder.parent, "sphinx", "-q", "-W", "--keep-going", "-d", "trees", "-b", "html", str(folder), "built")
    tested = run(folder.parent, "sphinx", "-q", "-d", "trees", "-b", "doctest", str(folder), "doctest")
    checked = run(folder.parent, "pytest", "-p", "dicedocs_sphinx.pytest_plugin", "--dicedocs", folder.name, "-q")
    assert (built.returncode, tested.returncode, checked.returncode) == (1, 1, 1)
    warnings = [line for line in built.stderr.splitlines() if "dicedocs.mismatch" in line]
    output = (folder.parent / "doctest/output.txt").read_text("utf-8")
    assert len(warnings) == failures
    assert re.search(rf"\n +{failures} failures? in tests", output)
    assert f"{failures} failed" in checked.stdout
    return Said(warnings, output, checked.stdout)


def test_the_unchanged_book_passes_all_three(tmp_path, run):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in BOOK.items():
        (folder / name).write_text(text, "utf-8")
    for builder in ("html", "doctest"):
        assert run(tmp_path, "sphinx", "-q", "-W", "-d", "trees", "-b", builder, str(folder), builder).returncode == 0
    done = run(tmp_path, "pytest", "-p", "dicedocs_sphinx.pytest_plugin", "--dicedocs", "docs", "-q")
    assert "8 passed" in done.stdout


def test_changed_numbers_and_claims_fail_in_all_three_checks(tmp_path, run):
    folder = tmp_path / "docs"
    folder.mkdir()
    changed = BOOK["more.rst"]
    for old, new, *_ in CLAIMS:
        changed = changed.replace(old, new, 1)
    for page, text in {**BOOK, "more.rst": changed}.items():
        (folder / page).write_text(text, "utf-8")
    places = [("fight.md", "renna-power-shot"), ("more.rst", "sera-attack")]
    numbers = [change_one_number(folder, *place) for place in places]
    said = fail_three_checks(run, folder, len(numbers) + len(CLAIMS))
    for number in numbers:
        said.assert_named(folder, number)
    for _, new, line, name, printed, so in CLAIMS:
        place = f"{folder / 'more.rst'}:{line}: "
        [warning] = [each for each in said.warnings if each.startswith(f"{place}WARNING: {name}: ")]
        assert new in warning
        assert so in warning
        assert f'File "more.rst", line {line}, in {name}\n' in said.doctest
        assert f"Got:\n    {printed}\n" in said.doctest
        assert place in said.pytest
        assert f"FAILED docs/more.rst::{name}" in said.pytest
    assert "5 failed, 3 passed" in said.pytest
