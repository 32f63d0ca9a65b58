"""The settings of a book: misspelled names are warnings, a value of a wrong type ends no build, limits are raised."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import DiceError, near, quoted
from dicedocs.limits import set_limits
from dicedocs_sphinx.diagnostics import TYPE, Problem, report, with_hint

_OURS: Final = f"{TYPE}_"
_MODULES: Final = frozenset({"dicedocs_sphinx", "dicedocs_widgets", "dicedocs_pyodide"})
_LAST: Final = 900
"""The priority after Sphinx, which warns of wrong types at 800."""


def check_settings(app: Sphinx, config: Config) -> None:
    """Report unknown settings; replace values of a wrong type, of which Sphinx has warned."""
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


def raise_limits(app: Sphinx, config: Config) -> None:
    """Raise the limits that the book names; one that cannot be raised is a warning."""
    maxima = config.dicedocs_limits
    try:
        set_limits(maxima if isinstance(maxima, Mapping) else {})
    except DiceError as error:
        set_limits({})
        report(Problem.OPTION, f"dicedocs_limits: {error}", str(Path(app.confdir) / "conf.py"), 1)


def setup_settings(app: Sphinx) -> None:
    about = 'limits that are raised, by their names, such as `{"BRANCHES": 2_000_000}`'
    app.add_config_value("dicedocs_limits", {}, "env", dict, about)
    app.connect("config-inited", check_settings, priority=_LAST)
    app.connect("config-inited", raise_limits, priority=_LAST)
