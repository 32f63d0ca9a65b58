"""How a book rounds the averages that its claims state without decimals."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.config import Config

from dicedocs.errors import near, quoted
from dicedocs.render.numbers import ROUNDINGS, Rounding
from dicedocs_sphinx.diagnostics import Problem, report, with_hint

_AVERAGES: Final = (
    "how means and medians that claims state without decimals were rounded: `exact` (not at all), `down`, `up` or "
    "`about` (either way)"
)


def averages_of(config: Config) -> Rounding:
    """Return how the averages of a book were rounded."""
    written: str = config.dicedocs_averages
    return next((each for each in ROUNDINGS if each == written), "exact")


def check_averages(app: Sphinx) -> None:
    """Warn about a setting that does not say how averages were rounded."""
    written = app.config.dicedocs_averages
    if written not in ROUNDINGS:
        message = f"dicedocs_averages: {quoted(written)} is not a way to round"
        report(Problem.OPTION, with_hint(message, near(written, ROUNDINGS)), str(Path(app.confdir) / "conf.py"), 1)


def setup_averages(app: Sphinx) -> None:
    app.add_config_value("dicedocs_averages", "exact", "env", str, _AVERAGES)
    app.connect("builder-inited", check_averages)
