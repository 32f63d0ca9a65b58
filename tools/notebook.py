"""Open JupyterLab on copies of the notebooks of the documentation.

All that it keeps is in build/jupyter: the copies, its settings, and the history of its kernels. Of whoever calls it,
nothing is read and nothing changed. Widget state is saved, so that a panel is there when its notebook is opened again.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
NOTEBOOKS: Final = ROOT / "docs" / "notebooks"
HOME: Final = ROOT / "build" / "jupyter"
FIRST: Final = "first-session.ipynb"
SETTINGS: Final = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    # Lab would ask the network for news and for a newer Lab.
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
FOLDERS: Final = {
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
}


def prepare(home: Path) -> dict[str, str]:
    """Copy the notebooks that are not there yet, and write the settings.

    Parameters:
        home: the folder that holds everything.

    Returns:
        The environment in which Lab finds it.
    """
    overrides = home / FOLDERS["JUPYTER_CONFIG_DIR"] / "labconfig" / "default_setting_overrides.d" / "dicedocs.json"
    overrides.parent.mkdir(parents=True, exist_ok=True)
    overrides.write_text(json.dumps(SETTINGS, indent=2), encoding="utf-8")
    folder = home / "notebooks"
    folder.mkdir(exist_ok=True)
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not (folder / notebook.name).exists():
            shutil.copy(notebook, folder)
    return {name: str(home / place) for name, place in FOLDERS.items()}


def command(home: Path, *more: str) -> list[str]:
    """Give the command that opens Lab on the copies."""
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    lab = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={home / 'notebooks'}", *root, *more]
    return [*lab, str(home / "notebooks" / FIRST)]


def main() -> None:
    """Open Lab, and stay until it is left."""
    environment = os.environ | prepare(HOME)
    print(f"The notebooks are copies in {(HOME / 'notebooks').relative_to(ROOT)}; delete one to have it anew.")
    try:
        sys.exit(subprocess.run(command(HOME, *sys.argv[1:]), env=environment, check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
