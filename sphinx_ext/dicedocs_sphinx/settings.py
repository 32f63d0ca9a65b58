"""The settings of a book: misspelled names are warnings, and a value of a wrong type ends no build."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import near, quoted
from dicedocs_sphinx.diagnostics import TYPE, Problem, report, with_hint

_OURS: Final = f"{TYPE}_"
_MODULES: Final = frozenset({"dicedocs_sphinx", "dicedocs_widgets", "dicedocs_pyodide"})
_LAST: Final = 900
"""The priority after Sphinx, which warns of wrong types at 800."""


def check_settings(app: Sphinx, config: Config) -> None:
    """Report settings that there are not; replace values of a wrong type, of which Sphinx has warned."""
    known = {name: option for name, option in config.values.items() if name.startswith(_OURS)}
    conf = str(Path(app.confdir) / "conf.py")
    # Sphinx keeps the names of conf.py, and has no public way to read those that no extension knows.
    written: dict[str, Any] = getattr(config, "_raw_config", {})
    for name in sorted(written):
        if name.startswith(_OURS) and name not in known and name not in _MODULES:
            hint = near(name, [each for each in known if not each.startswith("_")])
            report(Problem.OPTION, with_hint(f"there is no setting {quoted(name)}", hint), conf, 1)
    for name, option in known.items():
        types = option.valid_types if isinstance(option.valid_types, Collection) else ()
        if types and Any not in types and not isinstance(config[name], tuple(types)):
            config[name] = option.default
    if config.dicedocs_seconds < 0:
        message = f"dicedocs_seconds: {quoted(config.dicedocs_seconds)} is below 0; write 0 for no limit"
        report(Problem.OPTION, message, conf, 1)


def setup_settings(app: Sphinx) -> None:
    app.connect("config-inited", check_settings, priority=_LAST)
