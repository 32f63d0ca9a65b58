"""What is installed of dicedocs here, so that others can install the same: its requirement, or its wheel.

It needs no Sphinx.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

PACKAGES: Final = {
    "dicedocs": ("dicedocs", "dicedocs_lint", "dicedocs_sphinx", "dicedocs_widgets"),
    "dicedocs-pyodide": ("dicedocs_pyodide",),
}
"""The packages of each distribution, which a checkout has in folders of its own."""
_OF_THIS_DISK: Final = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})
"""What the installer notes beside the metadata."""
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The date of all files of a wheel, so that the same files give the same wheel."""


def requirement_of(distribution: Distribution) -> str:
    """Return the requirement with which anybody gets a distribution from where it was installed from.

    It is empty if that was a path, which is on this disk alone. Where it came from is what the installer recorded
    (https://packaging.python.org/en/latest/specifications/direct-url/); there is no record of an index.
    """
    record = json.loads(distribution.read_text("direct_url.json") or "{}")
    name, url = distribution.metadata["Name"], record.get("url", "")
    if not url:
        return f"{name}=={distribution.version}"
    if urlsplit(url).scheme == "file":
        return ""
    repository = record.get("vcs_info")
    if repository:
        url = f"{repository['vcs']}+{url}@{repository['commit_id']}"
    hashes = record.get("archive_info", {}).get("hashes", {})
    fragments = [f"{algorithm}={digest}" for algorithm, digest in hashes.items() if algorithm == "sha256"]
    if "subdirectory" in record:
        fragments.append(f"subdirectory={record['subdirectory']}")
    return f"{name} @ {url}{'#' if fragments else ''}{'&'.join(fragments)}"


def wheel_of(distribution: Distribution) -> tuple[str, bytes]:
    """Return the name and the content of the wheel of a distribution as it is installed, also from a checkout.

    Building it once more would need the checkout, its build system and often a network.
    """
    name = distribution.metadata["Name"]
    release = f"{name.replace('-', '_')}-{distribution.version}"
    files = _package_files(PACKAGES[name])
    for path in distribution.files or ():
        if path.parts[0] == f"{release}.dist-info" and path.name not in _OF_THIS_DISK:
            files[path.as_posix()] = path.read_binary()
    record = f"{release}.dist-info/RECORD"
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return f"{release}-py3-none-any.whl", out.getvalue()


def _package_files(packages: Iterable[str]) -> dict[str, bytes]:
    files = {}
    for package in packages:
        spec = find_spec(package)
        for root in (spec and spec.submodule_search_locations) or ():
            for path in sorted(Path(root).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    files[f"{package}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return files


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
