"""The name of the theme, for what only it has."""

from __future__ import annotations

from typing import Final

THEME: Final = "dicedocs"
"""What an author writes in ``html_theme``."""
