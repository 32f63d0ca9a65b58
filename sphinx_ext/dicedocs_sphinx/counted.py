"""A table, a chart or a claim of odds as a page has it: plain data, and what counting it gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict, final

from dicedocs import DiceError, limits
from dicedocs.claim import NAMES, Subject, read_claims, read_figure, shown
from dicedocs.errors import ParameterError, near, quoted
from dicedocs.event import Event
from dicedocs.kinds import as_text
from dicedocs.registry import mechanic as mechanic_of
from dicedocs.render.chart import Series, chart, title
from dicedocs.render.figures import decimals, percents
from dicedocs.render.words import clean, said
from dicedocs.settings import Setting, spread
from dicedocs_sphinx.block import Found, wrong
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.ruled import Ruled, engine_message, misfits, settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from dicedocs import Distribution, Mechanic

_Rows = tuple[tuple[str, ...], ...]
"""The cells of a table, its heads first."""
Sort = Literal["table", "odds", "claim"]
"""Which directive it is."""
OWN: Final[dict[Sort, tuple[str, ...]]] = {
    "table": ("name", "mechanic", "fact", "vary", "rows", "show", "decimals", "class"),
    "odds": ("name", "mechanic", "fact", "vary", "expect", "class"),
    "claim": ("name", "mechanic", "fact", "claim", "loose", "class"),
}
"""The options of each directive, beside the mechanic's parameters."""
TOGETHER: Final = 4
"""Distributions that one chart shows."""
_READS: Final = ("exactly", "at least", "at most")
_AVERAGE: Final = "average"
_HYPHEN: Final = re.compile(r"^at-(least|most)\b")
_ROOM: Final = 3
"""Bars that a chart wants room for beside its values, so that none are grouped."""
_EXACT: Final = re.compile(r"exact(?:\.([1-9][0-9]?))?")
_FIGURE: Final = re.compile(rf"(?:exact|{'|'.join(NAMES)})(?![\w-])")


@final
class Counted(Ruled):
    """A table, a chart or a claim as it was read.

    ``facts``, ``vary``, ``rows``, ``show`` and ``decimals`` are as they were written; ``expect`` holds
    the claims. A loose claim is known not to hold.
    """

    sort: Sort
    facts: list[str]
    vary: str
    rows: str
    show: str
    decimals: str
    loose: bool


class Judged(TypedDict):
    """A claim with its exact figure, as text, and whether it holds."""

    text: str
    figure: str
    holds: bool


class Shown(TypedDict):
    """What there is to show: heads and rows of a table, the distributions of a chart as JSON by their labels, claims.

    ``groups`` are heads over several columns of a table, with what is left of theirs.
    """

    table: _Rows
    groups: list[tuple[str, list[str]]]
    series: list[tuple[str, str]]
    claims: list[Judged]


class Reckoned(NamedTuple):
    """What counting gave: what there is to show, if anything, and what is wrong."""

    shown: Shown | None
    wrong: list[Found]


class _Unfit(Exception):
    """Something that cannot be counted as it is written."""

    def __init__(self, found: Found) -> None:
        super().__init__(found["message"])
        self.found = found


def reckon(counted: Counted) -> Reckoned:
    """Count what a directive shows, compare it with what is expected, and say of everything that is wrong."""
    found = misfits(counted, OWN[counted["sort"]]) if counted["mechanic"] else []
    sure, found = settled(counted, found)
    if not sure or found or not counted["mechanic"]:
        return Reckoned(None, found)
    shown = Shown(table=(), groups=[], series=[], claims=[])
    try:
        _COUNT[counted["sort"]](counted, shown)
        found = _judge(counted, shown)
    except _Unfit as unfit:
        return Reckoned(None, settled(counted, [unfit.found])[1])
    except Exception as error:  # noqa: BLE001  # whatever a game's author got wrong is told, and the build goes on
        return Reckoned(None, settled(counted, [wrong(Problem.ENGINE, engine_message(error), "mechanic")])[1])
    return Reckoned(shown, settled(counted, found)[1])


def subject_of(counted: Counted) -> Subject:
    """Give what the figures of a directive are of."""
    return Subject(counted["mechanic"], counted["parameters"], *counted["facts"][:1])


def has_figure(path: str) -> bool:
    """Tell whether a text names a figure, such as ``exact``, ``mean`` or ``p(at least 13)``."""
    return _FIGURE.match(path) is not None


def figure_text(counted: Counted, path: str) -> str:
    """Give a figure of a table, a chart or a claim as prose has it.

    Parameters:
        counted: the directive.
        path: ``exact``, the figure of the claim, or ``exact.2`` of the second one; or any figure that a
            claim may hold, such as ``mean`` or ``p(at least 13 | advantage=1)``.

    Raises:
        DiceError: there is no such figure, or it cannot be counted.
    """
    exact = _EXACT.fullmatch(path)
    if exact is None:
        if not has_figure(path):
            raise ParameterError(f"there is no figure {quoted(path)}", hint=near(path, ("exact", *NAMES)))
        figure = read_figure(path)
        return shown(figure.value(subject_of(counted)), chance=figure.chance)
    claims = read_claims(counted["expect"]) if counted["expect"] else ()
    place = int(exact[1] or 1)
    if place > len(claims):
        how = f"{len(claims)} claims are" if len(claims) != 1 else "one claim is"
        raise ParameterError(f"there is no {quoted(path)}: {how} made here")
    return claims[place - 1].judge(subject_of(counted)).figure


@contextmanager
def _reading(counted: Counted, option: str, problem: Problem) -> Iterator[None]:
    """Take an error for what is wrong with an option, or with the parameter that it names."""
    try:
        yield
    except DiceError as error:
        about = error.parameter if error.parameter in counted["parameters"] else option
        message = str(error) if error.parameter else f"{about}: {error}"
        raise _Unfit(wrong(problem, message, about)) from None


def _columns(counted: Counted, option: Literal["vary", "rows"]) -> list[Setting]:
    with _reading(counted, option, Problem.VALUE):
        return [setting for each in spread(mechanic_of(counted["mechanic"]), counted[option]) for setting in each]


def _facts(counted: Counted) -> list[str]:
    """Give the facts that are shown; the first when none is named."""
    with _reading(counted, "fact", Problem.FACT):
        return [subject_of(counted).known(name) for name in counted["facts"] or [""]]


def _only_fact(counted: Counted) -> str:
    first, *others = _facts(counted)
    if others:
        message = "the odds of one fact are shown at a time; of several, an average or the chance of an event"
        raise _Unfit(wrong(Problem.OPTION, message, "fact"))
    return first


def _odds(counted: Counted, fact: str, *chosen: Setting) -> Distribution:
    with _reading(counted, "mechanic", Problem.VALUE):
        return subject_of(counted).odds(fact, chosen)


def _series(counted: Counted) -> dict[str, Distribution]:
    """Give the distributions that stand beside one another, by what is set for each."""
    fact = _only_fact(counted)
    columns = _columns(counted, "vary")
    if not columns:
        return {"": _odds(counted, fact)}
    return {_head(counted, each): _odds(counted, fact, each) for each in columns}


def _head(counted: Counted, setting: Setting) -> str:
    return clean(f"{setting.label(mechanic_of(counted['mechanic']))} {_value(counted, setting)}")


def _value(counted: Counted, setting: Setting) -> str:
    """Give what is set as people read it: truth as an answer."""
    field = mechanic_of(counted["mechanic"]).parameters().get(setting.name)
    value = None if field is None else field.convert(setting.text)
    return said(value) if isinstance(value, bool) else setting.text


def _table(counted: Counted, shown: Shown) -> None:
    way = _HYPHEN.sub(r"at \1", " ".join(counted["show"].split())) or _READS[0]
    places = _places(counted)
    if way in _READS:
        if counted["rows"]:
            message = "rows wants the chance of one event, or the average; add show: at least 12, or show: average"
            raise _Unfit(wrong(Problem.OPTION, message, "rows"))
        shown["table"] = _of_values(counted, way, places)
    else:
        shown["table"] = _of_figures(counted, way, places)
    for name, each in groupby(
        _columns(counted, "vary"), lambda setting: setting.label(mechanic_of(counted["mechanic"]))
    ):
        shown["groups"].append((clean(name), [_value(counted, setting) for setting in each]))


def _places(counted: Counted) -> int | None:
    text = counted["decimals"]
    if text and text not in {*"0123456789"}:
        raise _Unfit(
            wrong(Problem.OPTION, f"{quoted(text)} is no number of decimals; write one from 0 to 9", "decimals")
        )
    return int(text) if text else None


def _of_values(counted: Counted, way: str, places: int | None) -> _Rows:
    """Lay out a table whose rows are the values of a fact."""
    series = _series(counted)
    first = next(iter(series.values()))
    drawn = chart(series, most=sum(map(len, series.values())) + _ROOM)
    if way != _READS[0] and not drawn.ordered:
        message = f"not all values of {quoted(first.names[0])} are numbers, so they cannot be shown as {quoted(way)}"
        raise _Unfit(wrong(Problem.OPTION, message, "show"))
    head = title(first) if way == _READS[0] else f"{title(first)} {way}"
    heads = [head, *(name or "Chance" for name in drawn.names)]
    cells = [
        [
            {"exactly": bar.counts[at], "at least": whole - bar.before[at]}.get(way, bar.before[at] + bar.counts[at])
            for at, whole in enumerate(drawn.wholes)
        ]
        for bar in drawn.bars
    ]
    figures = [[Fraction(count, whole) for count, whole in zip(row, drawn.wholes, strict=True)] for row in cells]
    return _filled(heads, [bar.label for bar in drawn.bars], figures, percents, places)


def _of_figures(counted: Counted, way: str, places: int | None) -> _Rows:
    """Lay out a table whose cells are averages, or chances of one event."""
    columns: list[tuple[Setting, ...]] = [(each,) for each in _columns(counted, "vary")] or [()]
    rows: list[tuple[str, str, tuple[Setting, ...]]]
    rule = mechanic_of(counted["mechanic"])
    if counted["rows"]:
        fact = _only_fact(counted)
        settings = _columns(counted, "rows")
        same = len({each.name for each in settings}) == 1
        head = settings[0].label(rule) if same else "Setting"
        rows = [(_value(counted, each) if same else _head(counted, each), fact, (each,)) for each in settings]
    else:
        known = rule.result().facts_of
        head = "Fact"
        rows = [(known[fact].label, fact, ()) for fact in _facts(counted)]
    with _reading(counted, "show", Problem.VALUE):
        limits.ITEMS.check(len(rows) * len(columns), hint="name fewer settings")
        event = None if way == _AVERAGE else Event.read(way)
    figures = [[_cell(counted, way, fact, *column, *beside) for column in columns] for _, fact, beside in rows]
    alone = "Average" if event is None else _said(event, rows[0][1] if counted["rows"] else "", rule)
    heads = [clean(head), *(_head(counted, *column) if column else alone for column in columns)]
    labels = [clean(label) for label, _, _ in rows]
    return _filled(heads, labels, figures, decimals if event is None else percents, places)


def _cell(counted: Counted, way: str, fact: str, *chosen: Setting) -> Fraction:
    odds = _odds(counted, fact, *chosen)
    with _reading(counted, "show", Problem.VALUE):
        return odds.mean if way == _AVERAGE else subject_of(counted).chance(way, fact, chosen)


def _said(event: Event, fact: str, rule: type[Mechanic]) -> str:
    """Give the head of a column of chances: the fact, when there is one, and what it has to be."""
    label = rule.result().facts_of[fact].label if fact else ""
    words = "" if label and str(event) == as_text(True) else str(event)
    return clean(f"{label} {words}".strip()) if label else clean(words).capitalize()


def _filled(
    heads: Sequence[str],
    labels: Sequence[str],
    figures: Sequence[Sequence[Fraction]],
    written: Callable[..., list[str]],
    places: int | None,
) -> _Rows:
    """Give a table, all of whose figures have the same decimals."""
    flat = [figure for row in figures for figure in row]
    texts = iter(written(flat) if places is None else written(flat, places))
    rows = tuple((label, *(next(texts) for _ in row)) for label, row in zip(labels, figures, strict=True))
    return (tuple(heads), *rows)


def _chart(counted: Counted, shown: Shown) -> None:
    if len(_columns(counted, "vary")) > TOGETHER:
        message = f"a chart shows up to {TOGETHER} distributions, and these are {len(_columns(counted, 'vary'))}"
        raise _Unfit(wrong(Problem.OPTION, f"{message}; vary less, or make a dice:table", "vary"))
    series: Series = _series(counted)
    shown["series"] = [(label, each.to_json()) for label, each in series.items()]


def _claim(counted: Counted, shown: Shown) -> None:
    """Show nothing but the claims themselves."""


_COUNT: Final[dict[Sort, Callable[[Counted, Shown], None]]] = {"table": _table, "odds": _chart, "claim": _claim}


def _judge(counted: Counted, shown: Shown) -> list[Found]:
    """Compare the claims with what is counted; a table makes none."""
    if not counted["expect"]:
        return []
    option = "claim" if counted["sort"] == "claim" else "expect"
    found, subject = [], subject_of(counted)
    _only_fact(counted)
    with _reading(counted, option, Problem.VALUE):
        claims = read_claims(counted["expect"])
    if counted["loose"] and len(claims) > 1:
        raise _Unfit(wrong(Problem.OPTION, "a loose claim stands alone; write one", "loose"))
    actual = []
    for claim in claims:
        with _reading(counted, option, Problem.VALUE):
            verdict = claim.judge(subject)
        shown["claims"].append(Judged(text=claim.text, figure=verdict.figure, holds=verdict.holds))
        actual.append(verdict.actual)
        if verdict.holds == counted["loose"]:
            found.append((claim.text, verdict.figure))
    if not found:
        return []
    texts, figures = (", ".join(each) for each in zip(*found, strict=True))
    if counted["loose"]:
        message = f"{texts} is said to be loose, and it holds: it is {figures}; take {counted['colon']}loose: away"
    else:
        message = f"expected {texts}, and it is {figures}"
        if option == "expect":
            message += f"; write {counted['colon']}expect: {', '.join(actual)}"
    return [wrong(Problem.MISMATCH, message, option)]
