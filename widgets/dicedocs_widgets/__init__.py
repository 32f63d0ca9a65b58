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

    from dicedocs.panel.forms.characters import Character
    from dicedocs_widgets.evening_panel import EveningPanel
    from dicedocs_widgets.factory import evening, panel, roller, tray
    from dicedocs_widgets.tray_panel import TrayPanel
    from dicedocs_widgets.widget import GamePanel, Panel, RollPanel

__all__ = [
    "Character",
    "EveningPanel",
    "GamePanel",
    "Panel",
    "RollPanel",
    "TrayPanel",
    "evening",
    "load_ipython_extension",
    "panel",
    "roller",
    "tray",
]

_LAZY: Final = {
    "Character": "dicedocs.panel.forms.characters",
    "EveningPanel": "dicedocs_widgets.evening_panel",
    "GamePanel": "dicedocs_widgets.widget",
    "Panel": "dicedocs_widgets.widget",
    "RollPanel": "dicedocs_widgets.widget",
    "TrayPanel": "dicedocs_widgets.tray_panel",
    "evening": "dicedocs_widgets.factory",
    "panel": "dicedocs_widgets.factory",
    "roller": "dicedocs_widgets.factory",
    "tray": "dicedocs_widgets.factory",
}
"""The modules of names that need ipywidgets, which the magics do not."""
_EXTRA: Final = ("ipywidgets", "anywidget", "traitlets", "IPython")
"""The packages that the extra ``widgets`` installs."""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; ``%load_ext dicedocs_widgets`` calls this."""
    from dicedocs_widgets.magics import load

    load(shell)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        module = import_module(_LAZY[name])
    except ImportError as error:
        package = str(error.name).partition(".")[0]
        if package not in _EXTRA:
            raise
        what = f"{name}()" if name.islower() else name
        raise ImportError(f"{what} needs {package}: pip install 'dicedocs[widgets]'", name=package) from None
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
