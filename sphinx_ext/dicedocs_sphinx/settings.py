"""The settings of a book, ``dicedocs_…`` in ``conf.py``: how Sphinx knows them, what may be written, and the default.

A misspelled name and a wrong value are warnings, and end no build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, NamedTuple

from sphinx.application import Sphinx
from sphinx.config import ENUM, Config

from dicedocs.errors import DiceError, quoted
from dicedocs.limits import SECONDS, checked_maxima, set_limits
from dicedocs.render.numbers import ROUNDINGS, Rounding
from dicedocs.render.outcome_looks import LOOKS, Look, is_look, no_such_look
from dicedocs.similar_words import near
from dicedocs_sphinx.diagnostics import TYPE, report_configuration, with_hint

_OURS: Final = f"{TYPE}_"
_MODULES: Final = frozenset({"dicedocs_sphinx", "dicedocs_widgets", "dicedocs_pyodide"})

THEME: Final = "dicedocs"
"""What an author writes in ``html_theme`` for the theme of dicedocs."""
PAPERS: Final = {"a5": "148mm 210mm", "a4": "210mm 297mm", "letter": "8.5in 11in"}
_LENGTH: Final = r"\d+(?:\.\d+)?(?:mm|cm|in|pt)"
_COVER: Final = ("picture", "subtitle", "publisher", "legal")


class Setting(NamedTuple):
    """What is known of a setting.

    Parameters:
        default: its value if it is not set, or wrong.
        help: what it is about.
        rebuild: whether another value makes Sphinx read all pages again (``env``), write them again (``html``) or not.
        types: what Sphinx checks, and warns of.
        fault: returns what is wrong with a value of these types; empty if nothing is.
    """

    default: Any
    help: str
    rebuild: Literal["", "env", "html"]
    types: Any
    fault: Callable[[Any], str]

    def has_type(self, value: object) -> bool:
        """Return whether Sphinx accepts a value."""
        if isinstance(self.types, ENUM):
            return isinstance(value, str) and self.types.match(value)
        return self.types is Any or isinstance(value, self.types)

    def accepts(self, value: object) -> bool:
        """Return whether a value is used."""
        return value is self.default or (self.has_type(value) and not self.fault(value))


def _setting(
    default: object,
    help: str,
    rebuild: Literal["", "env", "html"] = "html",
    types: object = None,
    fault: Callable[[Any], str] = lambda _: "",
) -> Any:
    """Return a field of :class:`Settings`; by default pages are written again, and the type is that of the default."""
    return field(metadata={"setting": Setting(default, help, rebuild, types or type(default), fault)})


def _below_zero(seconds: float) -> str:
    return f"{quoted(seconds)} is below 0; write 0 for no limit" if seconds < 0 else ""


def _no_games(games: object) -> str:
    names = isinstance(games, Mapping) and all(isinstance(each, str) for pair in games.items() for each in pair)
    return "" if names else f"{quoted(games)} names no modules; write {{'my-game': 'my_game'}}"


def _no_rounding(averages: str) -> str:
    if averages in ROUNDINGS:
        return ""
    return with_hint(f"{quoted(averages)} is not a way to round", near(averages, ROUNDINGS))


def _no_look(look: str) -> str:
    return "" if is_look(look) else no_such_look(look)


def _no_paper(paper: str) -> str:
    if paper in PAPERS or re.fullmatch(f"{_LENGTH} {_LENGTH}", paper):
        return ""
    return f"{quoted(paper)} is no paper; write {', '.join(PAPERS)}, or a width and a height such as '170mm 240mm'"


def _no_bleed(bleed: str) -> str:
    return "" if re.fullmatch(f"({_LENGTH})?", bleed) else f"{quoted(bleed)} is no length; write '3mm'"


def _no_books(books: Sequence[Any]) -> str:
    wrong = [each for each in books if not isinstance(each, list | tuple) or [type(part) for part in each] != [str] * 4]
    return f"{quoted(wrong[0])} is no book; write ('index', 'rulebook', 'The rulebook', 'Renna')" if wrong else ""


def _no_names(names: Sequence[Any]) -> str:
    wrong = [each for each in names if not isinstance(each, str)]
    return f"{quoted(wrong[0])} is no name of a file" if wrong else ""


def _no_cover(cover: Mapping[Any, Any]) -> str:
    for key, text in cover.items():
        if key not in _COVER:
            return with_hint(f"there is no {quoted(key)}", near(str(key), _COVER))
        if not isinstance(text, str):
            return f"{quoted(key)} is no text"
    return ""


def _no_limits(maxima: Mapping[Any, Any]) -> str:
    try:
        checked_maxima(maxima)
    except DiceError as error:
        return str(error)
    return ""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a book; ``conf.py`` writes ``dicedocs_`` before the name of a field."""

    seconds: float = _setting(
        SECONDS.default,
        "how many seconds of processor time the rule of one block, or of one role, may take before it is given up "
        "with a warning; one that only waits may take ten times as long; 0 for no limit",
        "",
        (int, float),
        _below_zero,
    )
    time: float = _setting(
        900,
        "how many seconds of processor time the rules of all blocks may take in each process of a build; blocks after "
        "that give a warning; 0 for no limit",
        "",
        (int, float),
        _below_zero,
    )
    games: Mapping[str, str] = _setting(
        {},
        "the modules of games that are not installed, by the part of their ids before the slash, such as "
        '`{"my-game": "my_game"}`; Python must find them, and each is imported when one of its mechanics is first used',
        "env",
        Any,
        _no_games,
    )
    averages: Rounding = _setting(  # noqa: RUF009  # a field
        "exact",
        "how means and medians that claims state without decimals were rounded: `exact` (not at all), `down`, `up` or "
        "`about` (either way)",
        "env",
        fault=_no_rounding,
    )
    depends: Sequence[object] = _setting(
        [],
        "files and folders, relative to `conf.py` and also as patterns, and names of modules, on which every page with "
        "a mechanic depends: the page is read again if one of them changes, and pages that roll load them",
        "env",
        (list, tuple),
    )
    literal_numbers: bool = _setting(
        False,
        "whether to warn about numbers typed into the text of an example that are not among its values",
        "env",
    )
    python_calls: bool = _setting(
        False, "whether examples end with the Python call that plays them, folded where a page can fold"
    )
    printed_working: Literal["full", "compact", "off"] = _setting(
        "full",
        "how the working of an example is printed: `full` (a line for each step), `compact` (one paragraph) or `off`",
        "",
        ENUM("full", "compact", "off"),
    )
    books: Sequence[Any] = _setting(
        [],
        "the books that `dicebook` makes: for each the page with its table of contents, the name of the PDF without "
        "`.pdf`, the title and the author; by default one book of all pages",
        "",
        (list, tuple),
        _no_books,
    )
    book_paper: str = _setting(
        "a5",
        "the paper of a book: `a5`, `a4`, `letter`, or a width and a height such as `170mm 240mm`",
        "",
        fault=_no_paper,
    )
    book_bleed: str = _setting(
        "",
        "what is printed beyond the edges of the paper, where it is cut, such as `3mm`; then there are marks too",
        "",
        fault=_no_bleed,
    )
    book_css: Sequence[Any] = _setting(
        [], "files with styles for a book, relative to `conf.py`", "", (list, tuple), _no_names
    )
    cover: Mapping[Any, Any] = _setting(
        {},
        "the cover and the title page of a book: the file of a `picture` that fills the cover, and the texts "
        "`subtitle`, `publisher` and `legal`",
        "",
        fault=_no_cover,
    )
    look: Look = _setting(  # noqa: RUF009  # a field
        LOOKS[0],
        "how much room an example takes on a page unless it has a `look` of its own: `full` (the working below "
        "the result), `compact` (the working is folded) or `line` (a single line)",
        fault=_no_look,
    )
    rule_ids: bool = _setting(
        False,
        "whether readers see the ids of rules, which rules an example shows, and what shows a rule; links to rules "
        "work without",
    )
    reroll: bool = _setting(
        False,
        "whether the examples of HTML pages have a button that rolls them again, in the browser of the reader",
    )
    pyodide: str = _setting(
        "",
        "where Pyodide is, from which pages roll: the address of its files, or a folder with them, relative to "
        "`conf.py`; if empty, the package `dicedocs-pyodide`",
    )
    offline: bool = _setting(
        True,
        "whether pages that have rolled are kept by the browser of the reader, and roll without a network too",
    )
    deck: int = _setting(
        20,
        "how many rolls of each example come with a page that rolls, so that a press is answered at once, even on a "
        "page opened from disk; 0 for none",
    )
    limits: Mapping[str, int] = _setting(
        {}, 'limits that are raised, by their names, such as `{"BRANCHES": 2_000_000}`', "env", fault=_no_limits
    )


SETTINGS: Final[Mapping[str, Setting]] = {f"{_OURS}{each.name}": each.metadata["setting"] for each in fields(Settings)}
"""All settings, by the names that ``conf.py`` writes."""


def settings_of(config: Config) -> Settings:
    """Return the settings of a book; the default stands for a wrong value."""
    used = {}
    for name, setting in SETTINGS.items():
        value = config[name]
        used[name.removeprefix(_OURS)] = value if setting.accepts(value) else setting.default
    return Settings(**used)


def check_settings(app: Sphinx, config: Config) -> None:
    """Report unknown settings, and wrong values of which Sphinx does not warn."""
    # Sphinx keeps the names of conf.py, and has no public way to read those that no extension knows.
    written: dict[str, Any] = getattr(config, "_raw_config", {})
    for name in sorted(written):
        if name.startswith(_OURS) and name not in config and name not in _MODULES:
            report_configuration(app, with_hint(f"there is no setting {quoted(name)}", near(name, SETTINGS)))
    for name, setting in SETTINGS.items():
        value = config[name]
        if setting.has_type(value) and (fault := setting.fault(value)):
            report_configuration(app, f"{name}: {fault}")


def raise_limits(_app: Sphinx, config: Config) -> None:
    """Raise the limits that the book names."""
    set_limits(settings_of(config).limits)


def setup_settings(app: Sphinx) -> None:
    for name, setting in SETTINGS.items():
        app.add_config_value(name, setting.default, setting.rebuild, setting.types, setting.help)
    app.connect("config-inited", check_settings)
    app.connect("config-inited", raise_limits)
