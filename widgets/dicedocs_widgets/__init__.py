"""Dice rules in a notebook: panels for mechanics, and magics.

>>> from dicedocs_widgets import panel
>>> p = panel("total-effect/roll", advantage=1, seed=7)
>>> p.roll().value == p.value
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from dicedocs_widgets.factory import panel, roller
    from dicedocs_widgets.widget import GamePanel, Panel

__all__ = ["GamePanel", "Panel", "load_ipython_extension", "panel", "roller"]

_LAZY: Final = {
    "GamePanel": "dicedocs_widgets.widget",
    "Panel": "dicedocs_widgets.widget",
    "panel": "dicedocs_widgets.factory",
    "roller": "dicedocs_widgets.factory",
}
"""The modules of names that need ipywidgets, which the magics do not."""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; ``%load_ext dicedocs_widgets`` calls this."""
    from dicedocs_widgets.magics import load

    load(shell)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
