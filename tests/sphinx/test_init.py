"""`dicedocs init` adds dicedocs to an existing project, and leaves the rest as it is."""

import os
from pathlib import Path

import pytest

from dicedocs_sphinx.author.extension_edit import add_extension
from dicedocs_sphinx.author.option_edit import CannotEdit

ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(str(Path(__file__).parents[2] / part) for part in ("", "sphinx_ext"))}

EDITED = {
    "extensions = []": "extensions = [|]",
    "project = 'Ash'\nextensions = []": "project = 'Ash'\nextensions = [|]",
    'extensions = ["a"]  # ours': 'extensions = ["a", |]  # ours',
    "extensions = ['a', \"b\", 'c',]": "extensions = ['a', \"b\", 'c', |,]",
    "extensions: list[str] = ['ä'];x = 1": "extensions: list[str] = ['ä', |];x = 1",
    "extensions = [\n]\n": "extensions = [\n    |,\n]\n",
    "extensions = [\n    'a',\n    'b',  # why, not\n    # 'c',\n]\n": (
        "extensions = [\n    'a',\n    'b',  # why, not\n    |,\n    # 'c',\n]\n"
    ),
    "extensions = [\r\n\t'a',\r\n\t'b'  # ö\r\n]\r\nx = 1": (
        "extensions = [\r\n\t'a',\r\n\t'b',  # ö\r\n\t|\r\n]\r\nx = 1"
    ),
    "extensions = ['a',\r\n              'b']\r\n": "extensions = ['a',\r\n              'b',\r\n              |]\r\n",
    "extensions = [\n    'a', 'b']\n": "extensions = [\n    'a', 'b', |]\n",
    "extensions = ['a',\n]\n": "extensions = ['a',\n    |,\n]\n",
    "\ufeffextensions = ['a']": "\ufeffextensions = ['a', |]",
    "x = '''\n''', 'ö'; extensions = ['a']": "x = '''\n''', 'ö'; extensions = ['a', |]",
    "extensions = ['a']\nif 1:\n    extensions += ['b']\n": "extensions = ['a', |]\nif 1:\n    extensions += ['b']\n",
    "extensions = []\nextensions.append('a')\n": "extensions = [|]\nextensions.append('a')\n",
    # what is elsewhere is not among the extensions
    "x = ['dicedocs_sphinx']\nextensions = []": "x = ['dicedocs_sphinx']\nextensions = [|]",
    "# dicedocs_sphinx\nextensions = []": "# dicedocs_sphinx\nextensions = [|]",
}
"""Configurations, and what they become; the extension stands at the bar."""


@pytest.mark.parametrize(("before", "after"), EDITED.items())
def test_a_plain_list_gets_it_as_its_last_element_and_keeps_its_style(before, after):
    edited = add_extension(before)
    assert edited in {after.replace("|", f"{quote}dicedocs_sphinx{quote}") for quote in "'\""}
    old, new = {}, {}
    exec(before.lstrip("\ufeff"), old)  # noqa: S102  # ours
    exec(edited.lstrip("\ufeff"), new)  # noqa: S102  # what is written is a program that means the same
    assert [each for each in new["extensions"] if each != "dicedocs_sphinx"] == old["extensions"]
    assert new["extensions"].count("dicedocs_sphinx") == 1
    assert add_extension(edited) == edited


def test_its_quotes_are_those_of_the_list_or_else_of_the_file():
    assert add_extension("x = 'a', 'b'\nextensions = [\"a\"]").endswith('["a", "dicedocs_sphinx"]')
    assert add_extension("x = 'a', \"b\", 'c'\nextensions = []").endswith("['dicedocs_sphinx']")


@pytest.mark.parametrize(
    "conf",
    [
        "extensions = ('dicedocs_sphinx',)",
        "extensions = []\nextensions.append('dicedocs_sphinx')",
        "extensions = BASE\nextensions += ['dicedocs_sphinx']",
        "if 1:\n    extensions = ['dicedocs_sphinx']",
    ],
)
def test_wherever_it_is_it_is_not_added_again(conf):
    assert add_extension(conf) == conf


ALL = 'extensions = [*extensions, "dicedocs_sphinx"]'
NO_PLAIN_LIST = {
    "": 'extensions = ["dicedocs_sphinx"]',
    "from pathlib import Path": 'extensions = ["dicedocs_sphinx"]',
    "from base import *": ALL,
    "from base import extensions": ALL,
    "extensions = ('a',)": ALL,
    "extensions = BASE + ['a']": ALL,
    "extensions = ['a'] + BASE": ALL,
    "extensions = ['a', ('b')]": ALL,
    "extensions = other = ['a']": ALL,
    "extensions = ['a']\nextensions = ['b']": ALL,
    "if tags:\n    extensions = ['a']\nelse:\n    extensions = []": ALL,
    "extensions = []\nfor extensions in []: pass": ALL,
}


@pytest.mark.parametrize(("conf", "line"), NO_PLAIN_LIST.items())
def test_anything_else_is_left_with_the_line_to_add(conf, line):
    with pytest.raises(CannotEdit) as error:
        add_extension(conf)
    assert str(error.value) == line
    assert add_extension(f"{conf}\n{line}\n") == f"{conf}\n{line}\n"


PAGE = """
Luck
====

.. dice:mechanic:: ash/luck

   luck = 1d6
"""


@pytest.fixture
def init(commands, tmp_path):
    def init(*words: str):
        return commands.run(tmp_path, "dicedocs", "init", *words, **ENVIRONMENT)

    return init


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("words", [(), (".",), ("docs",), ("docs/source",), ("docs/source/conf.py",)])
def test_a_project_as_sphinx_begins_it_has_its_first_rule(words, init, commands, tmp_path):
    done = commands.run(tmp_path, "sphinx.cmd.quickstart", "-q", "--sep", "-p", "Ash", "-a", "Ada", "-v", "1", "docs")
    assert done.returncode == 0, done.stderr
    source = tmp_path / "docs" / "source"
    done = init(*words)
    assert (done.returncode, done.stderr) == (0, "docs/source/conf.py written\n")
    assert [line for line in done.stdout.splitlines() if line[0] in "+-"] == [
        "--- a/docs/source/conf.py",
        "+++ b/docs/source/conf.py",
        "-extensions = []",
        "+extensions = ['dicedocs_sphinx']",
    ]
    write(source, "index.rst", PAGE)
    built = commands.run(tmp_path, "sphinx", "-W", "-b", "html", "docs/source", "site", **ENVIRONMENT)
    assert built.returncode == 0, built.stderr
    again = init(*words)
    assert (again.returncode, again.stdout, again.stderr) == (
        0,
        "docs/source/conf.py: dicedocs_sphinx is already there\n",
        "",
    )


def test_a_project_in_markdown_needs_no_other_setting(init, commands, tmp_path):
    write(tmp_path, "conf.py", "extensions = ['myst_parser']\n")
    write(tmp_path, "index.md", "# Luck\n\n```{dice:mechanic} ash/luck\n\nluck = 1d6\n```\n\n{dice:odds}`1d6 >= 6`\n")
    assert init().returncode == 0
    built = commands.run(tmp_path, "sphinx", "-W", "-b", "html", ".", "site", **ENVIRONMENT)
    assert built.returncode == 0, built.stderr


def test_it_names_the_files_that_require_sphinx_alone(init, tmp_path):
    write(tmp_path, "docs/conf.py", "extensions = []\n")
    write(tmp_path, "docs/requirements.txt", "Sphinx>=8\n")
    write(tmp_path, "pyproject.toml", '[project]\ndependencies = ["numpy"]\n')
    write(tmp_path, "requirements.txt", "sphinx\ndicedocs\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "conf.py"}
    lines = init().stderr.splitlines()
    assert lines == ["docs/conf.py written", "docs/requirements.txt does not name dicedocs; add dicedocs[sphinx]"]
    assert init().stderr.splitlines() == lines[1:]
    assert {path: path.read_bytes() for path in before} == before


def test_what_cannot_be_edited_is_left_and_said(init, tmp_path):
    text = "raise SystemExit('it was executed')\nfrom base import *\n"
    conf = write(tmp_path, "conf.py", text)
    done = init()
    assert (done.returncode, done.stdout) == (1, f"    {ALL}\n")
    assert done.stderr == "conf.py: it has no plain list of extensions; left as it is. Add this line at the end:\n"
    assert conf.read_text() == text


@pytest.mark.parametrize(
    ("data", "mode", "reason"),
    [(b"extensions = [] # \xe4", 0o644, "conf.py is not UTF-8"), (b"extensions = []", 0o444, "conf.py is read-only")],
)
def test_what_is_protected_stays(data, mode, reason, init, tmp_path):
    conf = tmp_path / "conf.py"
    conf.write_bytes(data)
    conf.chmod(mode)
    done = init()
    assert (done.returncode, done.stdout) == (1, f"    {ALL}\n")
    assert done.stderr.startswith(f"conf.py: {reason}; left as it is.")
    assert conf.read_bytes() == data


@pytest.mark.parametrize(
    ("files", "words", "message"),
    [
        ({}, (), "there is no conf.py in '.', nor in the folders below; name the folder of a Sphinx project, or start"),
        ({}, ("x" * 5000,), "there is no conf.py in 'xxx"),
        ({".tox/conf.py": "", "_build/conf.py": ""}, (), "there is no conf.py in '.'"),
        ({"a/conf.py": "", "b/c/conf.py": ""}, (), "there is a conf.py in a and b/c; name one of these folders"),
        ({"conf.py": "if x:"}, (), "Python cannot read conf.py: IndentationError: "),
        ({"conf.py": "x = '\0'"}, (), "Python cannot read conf.py: "),
    ],
)
def test_bad_input_is_told_without_a_traceback(files, words, message, init, tmp_path):
    for name, text in files.items():
        write(tmp_path, name, text)
    done = init(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dicedocs: {message}")
    assert len(done.stderr.splitlines()) == 1
