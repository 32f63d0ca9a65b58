"""`dicedocs watch` runs sphinx-autobuild, or says what to install."""

import json
import os
from pathlib import Path

import pytest

from .command_server import run_alone

SOURCES = Path(__file__).parents[2]
SERVER = "import json, sys; open('asked.json', 'w').write(json.dumps(sys.argv[1:])); sys.exit(3)\n"


@pytest.fixture
def watch(commands, tmp_path):
    book = tmp_path / "game" / "book"
    book.mkdir(parents=True)
    (book / "conf.py").write_text("extensions = ['dicedocs_sphinx']\n")

    def watch(*words, path=()):
        environment = {"PYTHONPATH": os.pathsep.join(map(str, (*path, SOURCES, SOURCES / "sphinx_ext")))}
        return commands.run(tmp_path, "dicedocs", "watch", *words, **environment)

    return watch


def test_without_the_server_it_says_what_to_install(tmp_path, watch):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['sphinx_autobuild'] = None\n")
    path = os.pathsep.join(map(str, (tmp_path, SOURCES, SOURCES / "sphinx_ext")))
    done = run_alone(tmp_path, "dicedocs", "watch", "game/book", PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dicedocs: 'dicedocs watch' needs sphinx-autobuild; run: pip install sphinx-autobuild\n"


def test_the_server_watches_the_book_and_its_game(watch, tmp_path):
    game = tmp_path / "game"
    (game / "pyproject.toml").write_text("")
    (game / "rules.py").write_text("")
    (game / "src" / "more").mkdir(parents=True)
    (game / "src" / "more" / "__init__.py").write_text("")
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "sphinx_autobuild.py").write_text(SERVER)
    done = watch("game/book", "--port", "8123", "--open", "--also", "notes", path=(tmp_path / "server",))
    assert (done.returncode, done.stderr) == (3, "")
    book, out, *words = json.loads((tmp_path / "asked.json").read_text())
    assert Path(book) == game / "book"
    assert words == [
        *("--port", "8123"),
        *("--watch", str(game / "src" / "more")),
        *("--watch", str(game / "rules.py")),
        *("--watch", "notes"),
        "--open-browser",
    ]
    assert not Path(out).exists()
