"""The command ``dicedocs lint``: what it reads, what it prints, and its exit status."""

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dicedocs.cli import main

GAP = "| d20 | Result |\n|---|---|\n| 1-6 | ash |\n| 7-11 | brine |\n| 14-20 | copper |\n"
CLEAN = GAP.replace("14-20", "12-20")
HIT = "*Hit:* {} ({}) piercing damage.\n\n"
SAID = "book.md:4:3: d20: 12–13 are in no row; add a row for them, or extend one\n"


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Return a function that writes files and lints a folder: exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(files, *options, paths=None):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        status = main(["lint", *options, *(paths or files)])
        done = capsys.readouterr()
        return status, done.out, done.err

    return run


def test_a_finding_has_its_place_and_the_status_is_1(lint):
    status, out, err = lint({"book.md": GAP})
    assert (status, out, err) == (1, SAID + "1 finding (1 table) in 1 page, 1 table to roll on, 0 averages\n", "")


def test_a_clean_book_has_status_0(lint):
    assert lint({"book.md": CLEAN + "\n" + HIT.format(7, "2d6")}) == (
        0,
        "nothing wrong in 1 page, 1 table to roll on, 1 average\n",
        "",
    )


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["nowhere"], "there is no file or folder 'nowhere'"),
        (["book.pdf"], "unknown kind of file"),
        (["empty"], "there is no file to read"),
    ],
)
def test_what_cannot_be_read_has_status_2(lint, paths, message):
    Path("empty").mkdir()
    status, out, err = lint({"book.pdf": "x"}, paths=paths)
    assert (status, out) == (2, "")
    assert message in err


def test_standard_input(lint, monkeypatch):
    rst = "Weather (d4)\n============\n\n#. ash\n#. brine\n#. copper\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rst.encode())))
    status, out, _ = lint({}, "--format", "rst", paths=["-"])
    assert status == 1
    assert out.startswith("<stdin>:6:1: d4: 4 is in no row")


def test_what_git_ignores_is_left_out(lint, tmp_path):
    files = {".gitignore": "build/\n", "build/book.md": GAP, "docs/book.md": CLEAN}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)  # noqa: S607  # that of the machine
    assert lint(files, paths=["."])[0] == 0
    # What is named is read all the same.
    assert lint(files, paths=["build/book.md"])[0] == 1
    assert lint(files, paths=["build"])[0] == 1


def test_folders_without_git(lint, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert lint({"docs/book.md": CLEAN, ".hidden/book.md": GAP, "docs/_build/book.md": GAP}, paths=["."])[0] == 0
    assert lint({"docs/more/book.html": "<h2>Sky (d4)</h2><ol><li>a<li>b<li>c</ol>"}, paths=["."])[0] == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "<!-- dicedocs: ignore -->\n\n" + GAP),
        ("b.md", GAP.replace("| brine |", "| brine <!-- dicedocs: ignore line --> |")),
        ("c.md", f"{GAP}\n<!-- dicedocs: ignore file -->\n"),
        ("d.rst", "Sky (d4)\n\n.. dicedocs: ignore\n\n1. a\n2. b\n3. c\n"),
        ("e.html", "<!-- dicedocs: ignore --><p>Hit: 6 (1d4 + 3) damage</p>"),
    ],
)
def test_comments_silence(lint, name, text):
    assert lint({name: text})[0] == 0
    assert lint({name: re.sub(r"dicedocs: ignore[ a-z]*", "no word", text)})[0] == 1


def test_directives_that_it_does_not_know_are_read_through(lint):
    text = """
.. boxed:: Hit: 6 (1d4 + 3) damage

   .. inner::
      :die: 1d4
      :class:

      Hit: 8 (2d6) damage
"""
    _, out, _ = lint({"book.rst": text})
    assert [line.partition(" ")[0] for line in out.splitlines()] == ["book.rst:2:17:", "book.rst:8:12:", "2"]


def test_json(lint):
    status, out, _ = lint({"book.md": GAP}, "--json")
    data = json.loads(out)
    assert status == 1
    assert data["findings"] == [
        {
            "file": "book.md",
            "kind": "table",
            "line": 4,
            "column": 3,
            "message": "d20: 12–13 are in no row; add a row for them, or extend one",
            "dice": "d20",
            "claim": "",
            "is_certain": True,
        }
    ]
    assert (data["pages"], data["tables"], data["averages"]) == (1, 1, 0)


def test_github(lint):
    _, out, _ = lint({"a,b.md": HIT.format("6", "1d4 + 3")}, "--github")
    expected = "::error file=a%2Cb.md,line=1,col=8,title=dicedocs::1d4 + 3 averages 5.5 (5 rounded down), not 6"
    assert out.splitlines()[0] == expected


def test_averages_may_be_rounded_up_throughout(lint):
    up = "".join(HIT.format(figure, dice) for figure, dice in ((5, "1d8"), (11, "3d6"), (6, "1d10"), (7, "2d6")))
    status, out, _ = lint({"book.md": up})
    assert status == 0
    assert out.endswith("; averages are rounded up throughout\n")
    status, out, _ = lint({"book.md": up + HIT.format(9, "2d6")})
    assert out.count("averages 7, not 9") == 1
    # A book that rounds down does so everywhere.
    down = "".join(HIT.format(figure, dice) for figure, dice in ((4, "1d8"), (10, "3d6"), (5, "1d10")))
    assert lint({"book.md": down})[0] == 0
    assert lint({"book.md": down + HIT.format(5, "1d8")})[0] == 1


def test_the_directives_hold_in_a_book(lint, tmp_path, commands):
    pages = f"# Sky\n\n{GAP}\n{HIT.format(6, '1d4 + 3')}Nomads come in groups of 4-40 (2d10).\n\n5 or less on d8: 66%\n"
    _, out, _ = lint({"book.md": pages}, "--show-directive")
    blocks = re.findall(r"^    ```.*?^    ```$", out, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    written = "\n\n".join(re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in blocks)
    project = tmp_path / "project"
    project.mkdir()
    (project / "conf.py").write_text("extensions = ['myst_parser', 'dicedocs_sphinx']\n")
    (project / "index.md").write_text(f"# Sky\n\n{written}\n\n{CLEAN}", encoding="utf-8")
    done = commands.run(tmp_path, "dicedocs", "verify", "project")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "4 statements: 4 verified\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.md", "| d20 | a |\n|---|---|\n" + "| 1-20 | b |\n" * 4_000),
        pytest.param(
            "more-rows.md", "| d20 | a |\n|---|---|\n" + "| 1-20 | b |\n" * 20_000, marks=pytest.mark.thorough
        ),
        ("pipes.md", "| d20 | a |\n|---|---|\n" + "|" * 1_000_000 + "\n"),
        ("quotes.md", ">" * 100_000 + " 6 (1d4) damage\n"),
        ("lists.md", "".join(f"{' ' * 3 * depth}1. 6 (1d4) damage\n" for depth in range(500))),
        ("brackets.md", "[" * 50_000 + "(1d6)" * 10_000),
        ("figures.md", "6 (1d4 + " * 20_000),
        ("tables.html", "<table><tr><td>d6" * 20_000),
        ("spans.html", "<table>" + "<tr><td rowspan=999 colspan=999>d6" * 100),
        pytest.param("all.html", "<table>" + "<tr><td rowspan=999 colspan=999>d6" * 500, marks=pytest.mark.thorough),
        ("nested.rst", "".join(f"{'   ' * depth}.. note::\n\n" for depth in range(300)) + "   " * 300 + "6 (1d4)\n"),
        ("range.md", "| d100 | a |\n|--|--|\n" + "| 1-999999999999 | x |\n" * 50),
        ("dice.md", "Hit: 6 (999999d999999) damage, 1 (1d6 + 1d8 * 999999d6) damage\n"),
    ],
)
def test_hostile_files_are_bounded(lint, name, text):
    begun = time.process_time()
    status, _, err = lint({name: text})
    assert status in {0, 1, 2}
    assert "Traceback" not in err
    assert time.process_time() - begun < 8
