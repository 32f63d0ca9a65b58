"""Dice rules in a notebook: a panel for any mechanic, and magics.

>>> from dicedocs_widgets import panel
>>> p = panel("total-effect/roll", advantage=1, seed=7)
>>> p.roll().value == p.value
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from dicedocs_widgets.making import panel, roller
    from dicedocs_widgets.widget import GamePanel, Panel

__all__ = ["GamePanel", "Panel", "load_ipython_extension", "panel", "roller"]

_LATE: Final = {
    "GamePanel": "dicedocs_widgets.widget",
    "Panel": "dicedocs_widgets.widget",
    "panel": "dicedocs_widgets.making",
    "roller": "dicedocs_widgets.making",
}
"""Names that need ipywidgets, and their modules: the magics do without."""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add the magics: what ``%load_ext dicedocs_widgets`` does."""
    from dicedocs_widgets.magics import load

    load(shell)


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    held = globals()[name] = getattr(import_module(_LATE[name]), name)
    return held


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
