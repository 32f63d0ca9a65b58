"""`make notebook`: JupyterLab on copies of the notebooks, without access to the files of the user."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .conftest import NOTEBOOKS

ROOT = NOTEBOOKS.parents[1]
LOADED = """
import json
from jupyterlab_server.settings_utils import _get_overrides
print(json.dumps(_get_overrides("")[0]))
"""


@pytest.fixture(scope="module")
def opening() -> ModuleType:
    """Return the script behind `make notebook`."""
    spec = importlib.util.spec_from_file_location("opening", ROOT / "tools" / "notebook.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_existing_copies_of_the_notebooks_are_kept(opening, tmp_path):
    opening.prepare(tmp_path)
    copies = tmp_path / "notebooks"
    assert {path.name for path in copies.iterdir()} == {path.name for path in NOTEBOOKS.glob("*.ipynb")}
    (copies / opening.FIRST).write_text("scribbled in")
    opening.prepare(tmp_path)
    assert (copies / opening.FIRST).read_text() == "scribbled in"


def test_all_files_of_jupyter_are_in_the_build_folder(opening, tmp_path):
    for folder in opening.prepare(tmp_path).values():
        assert Path(folder).parent == tmp_path
    assert opening.HOME.relative_to(ROOT).parts[0] == "build"
    command = opening.command(tmp_path)
    assert f"--ServerApp.root_dir={tmp_path / 'notebooks'}" in command
    assert command[-1] == str(tmp_path / "notebooks" / "first-session.ipynb")


def test_jupyterlab_reads_the_settings(opening, tmp_path):
    environment = os.environ | opening.prepare(tmp_path)
    done = subprocess.run([sys.executable, "-c", LOADED], env=environment, capture_output=True, text=True, check=True)
    settings = json.loads(done.stdout)
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_the_makefile_calls_it():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "\nnotebook: $(READY) ##" in makefile
    assert "$(BIN)/python tools/notebook.py" in makefile
