"""Pages that roll without a network: the service worker in the root of the site, and what it keeps."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from dicedocs_sphinx.settings import settings_of

SERVICE_WORKER: Final = "service_worker.js"
"""Its text, to which the build adds the files that it keeps."""
_WRITTEN: Final = "dicedocs-offline.js"
"""Its name in the site; it answers for what lies beside it and below."""


def integrity(data: bytes) -> str:
    """Return the digest of the content of a file, as browsers check it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def write_service_worker(app: Sphinx, folder: str, files: Mapping[str, str]) -> None:
    """Write the service worker, if the book has one.

    Parameters:
        app: the application.
        folder: the folder of the files, as seen from the root of the site.
        files: their digests by their addresses in that folder; or of those that lie elsewhere, by whole ones.
    """
    if not settings_of(app.config).offline:
        return
    kept = {name if "://" in name else f"{folder}{name}": digest for name, digest in sorted(files.items())}
    text = (Path(__file__).parent / "page_static" / SERVICE_WORKER).read_text("utf-8")
    version = hashlib.sha256(f"{kept}{text}".encode()).hexdigest()[:8]
    build = json.dumps({"version": version, "files": kept}, indent=2)
    (Path(app.outdir) / _WRITTEN).write_text(f"self.dicedocs = {build};\n{text}", "utf-8")


def remove_service_worker(app: Sphinx) -> None:
    """Remove the service worker of an earlier build."""
    (Path(app.outdir) / _WRITTEN).unlink(missing_ok=True)
