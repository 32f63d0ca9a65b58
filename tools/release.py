"""Build both wheels and the notes of a release into `dist`, and install the wheels in an empty environment.

Whatever the wheels lack shows there: neither the checkout nor anything that is installed beside it can be seen.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
OUT: Final = ROOT / "dist"
PROJECTS: Final = (ROOT, ROOT / "runtime")
FOREIGN: Final = ("PIP_REQUIRE", "PYTHON", "PYTEST")
"""The beginnings of environment variables that would let something else into the empty environment."""
RUNTIME: Final = """
from dicedocs_sphinx.rolling.runtime_files import FILES
from importlib.resources import files
print(*(name for name in FILES if not files("dicedocs_pyodide").joinpath("files", name).is_file()))
"""
"""Prints the files of Pyodide that are not installed."""
ROLLING: Final = "python -m sphinx -q -W -D dicedocs_reroll=1 book build/rolling"
"""Builds the book with pages that roll."""


def build_wheels(out: Path) -> list[Path]:
    """Build the wheels of dicedocs and of its Python for browsers, and return where they are."""
    for project in PROJECTS:
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, project, cwd=ROOT)
    return sorted(out.glob("*.whl"))


def notes(changelog: str, version: str, wheels: Sequence[Path]) -> str:
    """Return the notes of a release: what changed, and the wheels with their digests.

    Parameters:
        changelog: the text of the changelog; if the version has no section yet, that of what is unreleased is taken.
    """
    sections = dict(re.findall(r"^## \[(.+?)\].*\n((?:(?!## \[).*\n?)*)", changelog, re.MULTILINE))
    changes = sections.get(version) or sections["Unreleased"]
    digests = [f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}" for wheel in wheels]
    return "\n".join(
        [
            f"# dicedocs {version}",
            "",
            changes.strip(),
            "",
            "## Install",
            "",
            f"    python -m pip install {' '.join(wheel.name for wheel in wheels)}",
            "",
            "The second wheel is only for books whose pages roll. The digests (SHA-256):",
            "",
            *(f"    {digest}" for digest in digests),
            "",
        ]
    )


def try_out(python: Path, folder: Path) -> None:
    """Use what is installed in an environment, in an empty folder, as the author of a new book does.

    The commands are those that ``dicedocs new`` prints.

    Raises:
        RuntimeError: something does not do what it should.
    """
    answer = run(python, "-m", "dicedocs", "roll", "3d6", "--dice", "4 2 5", cwd=folder)
    if not answer.endswith("total=11\n"):
        raise RuntimeError(f"3d6 with 4, 2 and 5 gives\n{answer}")
    if missing := run(python, "-c", RUNTIME, cwd=folder).split():
        raise RuntimeError(f"the package dicedocs_pyodide has no {' '.join(missing)}")
    _, _, following = run(python, "-m", "dicedocs", "new", "ash", cwd=folder).partition("next, in ash:\n")
    for command in (*following.splitlines(), "python -m dicedocs verify book", ROLLING):
        run(python, *command.split()[1:], cwd=folder / "ash")
    if not list((folder / "ash" / "build" / "rolling").rglob("pyodide.mjs")):
        raise RuntimeError("the pages of a new book do not roll")


def run(*command: str | Path, cwd: Path) -> str:
    """Return the output of a command.

    Raises:
        RuntimeError: it failed.
    """
    environment = {name: text for name, text in os.environ.items() if not name.startswith(FOREIGN)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build, install and try out; then say what is there."""
    shutil.rmtree(OUT, ignore_errors=True)
    wheels = build_wheels(OUT)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    (OUT / "notes.md").write_text(notes(changelog, version, wheels), encoding="utf-8")
    with tempfile.TemporaryDirectory() as temporary:
        environment = Path(temporary, "environment")
        venv.create(environment, with_pip=True)
        scripts = sysconfig.get_path("scripts", "venv", vars={"base": str(environment)})
        python = Path(scripts, "python")
        ours, runtime = wheels
        install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*install, f"{ours}[sphinx]", runtime, cwd=environment)
        try_out(python, Path(temporary))
    for path in sorted(OUT.iterdir()):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"release: {error}")
