"""The files of Pyodide that a built page needs; the extension of dicedocs copies them into a site."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "files"
"""The folder with ``pyodide.mjs`` and what it loads."""
