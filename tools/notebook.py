"""Open JupyterLab on copies of the documentation's notebooks.

The copies, the settings and the kernels' history are kept in build/jupyter; the user's own Jupyter settings are neither
read nor changed. Widget state is saved, so that a panel is displayed again when its notebook is reopened.
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
    # By default Lab looks for news and for updates over the network.
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
    """Copy the notebooks that are missing in the folder, write the settings, and return Lab's environment variables."""
    overrides = home / FOLDERS["JUPYTER_CONFIG_DIR"] / "labconfig" / "default_setting_overrides.d" / "dicedocs.json"
    overrides.parent.mkdir(parents=True, exist_ok=True)
    overrides.write_text(json.dumps(SETTINGS, indent=2), encoding="utf-8")
    folder = home / "notebooks"
    folder.mkdir(exist_ok=True)
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not (folder / notebook.name).exists():
            shutil.copy(notebook, folder)
    return {name: str(home / folder) for name, folder in FOLDERS.items()}


def command(home: Path, *arguments: str) -> list[str]:
    """Return the command that opens Lab on the copies."""
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    lab = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={home / 'notebooks'}", *root, *arguments]
    return [*lab, str(home / "notebooks" / FIRST)]


def main() -> None:
    """Open Lab and wait until it is closed."""
    environment = os.environ | prepare(HOME)
    print(f"The notebooks are copies in {(HOME / 'notebooks').relative_to(ROOT)}; delete one to get a fresh copy.")
    try:
        sys.exit(subprocess.run(command(HOME, *sys.argv[1:]), env=environment, check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
