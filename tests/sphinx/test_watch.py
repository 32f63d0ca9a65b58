"""`dicedocs watch` runs sphinx-autobuild, or says what to install."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..command_server import run_alone

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
    # Whatever is in the folder that is served anybody can read, and a doctree is a pickle.
    assert words[:1] == ["-d"]
    assert not Path(words.pop(1)).is_relative_to(out)
    assert words == [
        "-d",
        *("--port", "8123"),
        *("--watch", str(game / "src" / "more")),
        *("--watch", str(game / "rules.py")),
        *("--watch", "notes"),
        "--open-browser",
    ]
    assert not Path(out).exists()


SLOW = """
import json, os, signal, socket, sys, time
signal.signal(signal.SIGTERM, {handler})
server = socket.create_server(("127.0.0.1", 0))
with open("asked.tmp", "w") as file:
    json.dump([os.getpid(), server.getsockname()[1], *sys.argv[1:]], file)
os.rename("asked.tmp", "asked.json")
time.sleep(60)
"""


@pytest.mark.parametrize("handler", [pytest.param("signal.SIG_DFL", marks=pytest.mark.thorough), "signal.SIG_IGN"])
def test_who_ends_it_ends_its_server(handler, watch, tmp_path):
    (tmp_path / "sphinx_autobuild.py").write_text(SLOW.format(handler=handler))
    (tmp_path / "sitecustomize.py").write_text("from dicedocs_sphinx.commands import watch\nwatch._PATIENCE = 0.5\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, SOURCES, SOURCES / "sphinx_ext")))}
    command = [sys.executable, "-m", "dicedocs", "watch", "game/book"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as process:
        while not (tmp_path / "asked.json").exists():
            assert process.poll() is None
            time.sleep(0.05)
        server, port, _, out, _, doctrees, *_ = json.loads((tmp_path / "asked.json").read_text())
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    with socket.socket() as again:
        again.bind(("127.0.0.1", port))
    assert not Path(out).exists()
    assert not Path(doctrees).exists()
