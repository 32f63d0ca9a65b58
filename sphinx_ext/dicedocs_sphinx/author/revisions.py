"""Revisions in git: a repository as it was, in a folder for a while."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dicedocs import DiceError, ParameterError
from dicedocs.errors import quoted

_PROJECT: Final = "pyproject.toml"
_PROJECTS: Final = (_PROJECT, "setup.py")
_SUBMODULE: Final = b"160000"
"""The mode of a submodule in a tree of git."""


class GitError(DiceError):
    """Git refused something; the message is what git says."""


def repository_of(folder: Path) -> Path:
    """Return the top folder of the repository that a folder is in.

    Raises:
        DiceError: it is in none that git reads, or git is not installed.
    """
    try:
        return Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))
    except GitError as error:
        message = f"{quoted(folder)} is not in a git repository that can be read; git says: {error}"
        raise DiceError(message, hint="name two folders instead") from None


@contextmanager
def checked_out(repository: Path, revision: str) -> Iterator[Path]:
    """Yield a folder with the files of a revision, as git checks them out; it is removed whatever happens.

    Raises:
        ParameterError: there is no such revision.
        GitError: git cannot check it out.
    """
    try:
        words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        commit = _git(repository, *words).decode().strip()
    except GitError:
        message = f"{quoted(revision)} is neither the folder of a book nor a revision of {repository}"
        raise ParameterError(message, hint="write a folder, or a revision such as HEAD") from None
    with TemporaryDirectory() as temporary, ExitStack() as stack:
        folder = Path(temporary).resolve() / repository.name
        _check_out(stack, repository, commit, folder)
        yield folder


def _check_out(stack: ExitStack, repository: Path, commit: str, folder: Path) -> None:
    """Check a revision out, and its submodules from where they are checked out already."""
    # No hook of the author runs for a folder that is gone in a moment.
    _git(repository, "-c", f"core.hooksPath={os.devnull}", "worktree", "add", "-q", "--detach", str(folder), commit)
    stack.callback(_git, repository, "worktree", "remove", "--force", str(folder))
    for line in _git(folder, "ls-tree", "-r", "-z", "HEAD").split(b"\0"):
        entry, _, name = line.partition(b"\t")
        if entry.startswith(_SUBMODULE):
            # One that is not there, or not of that revision, is left out, and the games in it are not found.
            with suppress(GitError):
                path = os.fsdecode(name)
                if (repository / path / ".git").exists():
                    _check_out(stack, repository / path, entry.split()[2].decode(), folder / path)


def module_folders(root: Path) -> list[Path]:
    """Return the folders from which the packages below a folder would be installed.

    Those are the folders with ``pyproject.toml`` or ``setup.py``; if such a folder has a folder ``src``, this comes
    first.
    """
    return _module_folders(path for name in _PROJECTS for path in root.rglob(name))


def working_module_folders(folder: Path) -> list[Path]:
    """Return those folders of the working tree that a folder is in, without what git ignores; none outside of git."""
    patterns = [f"*{name}" for name in _PROJECTS]
    try:
        root = repository_of(folder)
        files = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns)
    except DiceError:
        return []
    names = (os.fsdecode(name) for name in files.split(b"\0") if name)
    return _module_folders(root / name for name in names if Path(name).name in _PROJECTS)


def _module_folders(projects: Iterable[Path]) -> list[Path]:
    folders = sorted({path.parent for path in projects})
    return [folder for project in folders for folder in (project / "src", project) if folder.is_dir()]


def outside_of_hooks() -> dict[str, str]:
    """Return the environment without what git sets in a hook, which would mean another repository."""
    return {name: value for name, value in os.environ.items() if name not in _local_variables()}


@cache
def _local_variables() -> frozenset[str]:
    done = subprocess.run([_program(), "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=False)  # noqa: S603
    return frozenset(done.stdout.split())


def _program() -> str:
    git = shutil.which("git")
    if git is None:
        raise DiceError("git is not installed", hint="install it, or name two folders")
    return git


def _git(folder: Path, *words: str) -> bytes:
    """Return the output of a command of git.

    Raises:
        GitError: it failed.
    """
    command = [_program(), "-C", str(folder), *words]
    done = subprocess.run(command, capture_output=True, check=False, env=outside_of_hooks())  # noqa: S603
    if done.returncode:
        raise GitError(os.fsdecode(done.stderr).strip().removeprefix("fatal: "))
    return done.stdout
