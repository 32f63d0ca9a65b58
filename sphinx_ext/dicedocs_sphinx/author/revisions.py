"""Revisions in git: a repository as it was, in a folder for a while."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dicedocs import DiceError, ParameterError
from dicedocs.errors import quoted

_PROJECT: Final = "pyproject.toml"


def repository_of(folder: Path) -> Path:
    """Return the top folder of the repository that a folder is in.

    Raises:
        DiceError: it is in none, or git is not installed.
    """
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        raise DiceError(f"{quoted(folder)} is not in a git repository", hint="name two folders instead")
    return Path(top.decode().rstrip("\n"))


@contextmanager
def checked_out(repository: Path, revision: str) -> Iterator[Path]:
    """Yield a folder with the files of a revision; the repository stays as it is.

    Raises:
        ParameterError: there is no such revision.
    """
    commit = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        message = f"{quoted(revision)} is neither the folder of a book nor a revision of {repository}"
        raise ParameterError(message, hint="write a folder, or a revision such as HEAD")
    files = _git(repository, "archive", "--format=tar", commit.decode().strip())
    with TemporaryDirectory() as temporary, tarfile.open(fileobj=io.BytesIO(files or b"")) as archive:
        folder = Path(temporary).resolve()
        archive.extractall(folder, filter="data")
        yield folder


def module_folders(root: Path) -> list[Path]:
    """Return the folders from which the packages below a folder would be installed: those with ``pyproject.toml``.

    If such a folder has a folder ``src``, this comes first.
    """
    return _module_folders(root.rglob(_PROJECT))


def working_module_folders(folder: Path) -> list[Path]:
    """Return those folders of the working tree that a folder is in, without what git ignores; none outside of git."""
    try:
        root = repository_of(folder)
    except DiceError:
        return []
    files = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", f"*{_PROJECT}") or b""
    names = (os.fsdecode(name) for name in files.split(b"\0") if name)
    return _module_folders(root / name for name in names if Path(name).name == _PROJECT)


def _module_folders(projects: Iterable[Path]) -> list[Path]:
    folders = sorted({path.parent for path in projects})
    return [folder for project in folders for folder in (project / "src", project) if folder.is_dir()]


def _git(folder: Path, *words: str) -> bytes | None:
    """Return the output of a command of git; None if it failed."""
    git = shutil.which("git")
    if git is None:
        raise DiceError("git is not installed", hint="install it, or name two folders")
    done = subprocess.run([git, "-C", str(folder), *words], capture_output=True, check=False)  # noqa: S603
    return done.stdout if done.returncode == 0 else None
