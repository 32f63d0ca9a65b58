"""JupyterLite with a notebook of one cell, from local files alone: what `page.py` measures a page that rolls beside.

JupyterLite and the wheels of its kernel come from PyPI, Pyodide from `dicedocs-pyodide`. The built site is kept in the
cache of that package, outside the checkout.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from email.parser import Parser
from pathlib import Path
from typing import Any, Final

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runtime"))
from prepare import LOCK, cache, prepared_files

LITE: Final = ("jupyterlite-core[contents]==0.8.6", "jupyterlite-pyodide-kernel==0.8.6")
KERNEL: Final = ("comm==0.2.3", "ipython==9.12.0", "jedi==0.19.2", "micropip==0.11.1")
"""What the kernel asks for when it starts; the newest jedi is three times as large."""
PYTHON: Final = "3.14"
SHOWN: Final = "rolled"
"""With what the output of the cell begins."""
CELL: Final = f'import dicedocs as dd\nprint("{SHOWN}", dd.roll("3d6").value)'
NOTEBOOK: Final = "roll.ipynb"


def lite_site(core: bytes) -> Path:
    """Return the folder of a built site, which is made if it is not in the cache.

    Parameters:
        core: an archive with dicedocs and what it imports.

    Raises:
        OSError, subprocess.CalledProcessError: the packages cannot be had, or the site cannot be built.
    """
    digest = hashlib.sha256(core + Path(__file__).read_bytes() + prepared_files().name.encode()).hexdigest()[:12]
    kept = cache() / f"jupyterlite-{digest}"
    if kept.is_dir():
        return kept
    for old in cache().glob("jupyterlite-*"):
        shutil.rmtree(old)
    with tempfile.TemporaryDirectory(dir=cache()) as temporary:
        folder = Path(temporary)
        python = _environment(folder / "venv")
        wheels = folder / "wheels"
        target = ["--python-version", PYTHON, "--implementation", "cp", "--platform", "any", "--only-binary=:all:"]
        pip: list[str | Path] = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "download", "--dest", wheels, *target, *KERNEL], check=True)
        _write_wheel(wheels / "dicedocs-0-py3-none-any.whl", core)
        pyodide = folder / "lite" / "static" / "pyodide"
        shutil.copytree(prepared_files(), pyodide)
        packages = _write_packages(pyodide, wheels)
        _write_settings(folder / "lite", list(packages))
        _write_notebook(folder / "notebooks")
        command: list[str | Path] = [python.with_name("jupyter-lite"), "build", "--lite-dir", "lite", "--no-sourcemaps"]
        command += ["--apps", "notebooks", "--contents", folder / "notebooks", "--output-dir", folder / "site"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        (folder / "site").replace(kept)
    return kept


def _environment(folder: Path) -> Path:
    """Return the Python of a new environment with JupyterLite."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *LITE]
    subprocess.run(command, check=True)
    return python


def _write_wheel(path: Path, core: bytes) -> None:
    """Write an archive of sources as a wheel, which is the same with some words about it."""
    path.write_bytes(core)
    with zipfile.ZipFile(path, "a") as wheel:
        wheel.writestr("dicedocs-0.dist-info/METADATA", "Metadata-Version: 2.1\nName: dicedocs\nVersion: 0\n")
        wheel.writestr("dicedocs-0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("dicedocs-0.dist-info/RECORD", "")


def _write_packages(pyodide: Path, wheels: Path) -> Mapping[str, Any]:
    """Put wheels beside Pyodide, and into its list of packages, from which it loads them by their names."""
    packages: dict[str, Any] = {}
    needs: dict[str, list[str]] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        shutil.copy(wheel, pyodide)
        name, version = wheel.name.split("-")[:2]
        name = _canonical(name)
        with zipfile.ZipFile(wheel) as archive:
            described = next(one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
            metadata = Parser().parsestr(archive.read(described).decode())
            tops = {one.split("/")[0].removesuffix(".py") for one in archive.namelist() if one.endswith(".py")}
        required = [one for one in metadata.get_all("Requires-Dist") or [] if "extra ==" not in one]
        needs[name] = [_canonical(re.split(r"[^\w.-]", one)[0]) for one in required]
        packages[name] = {
            "name": name,
            "version": version,
            "file_name": wheel.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": sorted(tops),
            "unvendored_tests": False,
        }
    for name, package in packages.items():
        package["depends"] = [one for one in needs[name] if one in packages]
    lock = json.loads((pyodide / LOCK).read_text("utf-8"))
    (pyodide / LOCK).write_text(json.dumps({**lock, "packages": packages}), "utf-8")
    return packages


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _write_settings(folder: Path, packages: list[str]) -> None:
    """Write the settings of a site whose kernel loads these packages at its start, and nothing from elsewhere."""
    kernel = {"loadPyodideOptions": {"packages": packages}, "disablePyPIFallback": True}
    plugins = {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}
    data = {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"litePluginSettings": plugins}}
    (folder / "jupyter-lite.json").write_text(json.dumps(data), "utf-8")


def _write_notebook(folder: Path) -> None:
    folder.mkdir()
    kernel = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
    notebook = new_notebook(cells=[new_code_cell(CELL)], metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / NOTEBOOK)
