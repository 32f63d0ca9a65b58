"""What a page says of figures of best play that depend on how ties are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dicedocs import Distribution
from dicedocs.probability.best_odds import BestOdds, Bounds
from dicedocs.probability.claims.terms import bounds_texts
from dicedocs.render.chart import column_title, value_label
from dicedocs.render.numbers import local_figure
from dicedocs.render.words import clean, join_words, labelled
from dicedocs.translation import gettext as _


def figures_note(bounds: Mapping[str, Bounds], *, as_percentage: bool) -> str:
    """Return the sentence about figures, given their bounds by what they are called; empty without any."""
    return _sentence([_figure(name, each, as_percentage=as_percentage) for name, each in bounds.items()])


def series_note(series: Mapping[str, Distribution]) -> str:
    """Return the sentences about distributions, given by their labels; empty if no tie changes them."""
    figures: list[str] = []
    others: list[str] = []
    for label, odds in series.items():
        if not isinstance(odds, BestOdds):
            continue
        tied = list(odds.tied_figures())
        for each in tied:
            is_mean = each.value is None
            of = _("Average") if is_mean else value_label(each.value)
            figures.append(_figure(f"{label}, {of}" if label else of, each.bounds, as_percentage=not is_mean))
        if not tied and odds.are_tied:
            others.append(clean(label or column_title(odds)))
    message = _("The odds depend on how ties are broken: {names}.").format(names=join_words(others)) if others else ""
    return " ".join(filter(None, (_sentence(figures), message)))


def _sentence(figures: Sequence[str]) -> str:
    return _("{figures}, depending on how ties are broken.").format(figures="; ".join(figures)) if figures else ""


def _figure(name: str, bounds: Bounds, *, as_percentage: bool) -> str:
    low, high = map(local_figure, bounds_texts(bounds, as_percentage=as_percentage))
    return labelled(clean(name), _("{low} to {high}").format(low=low, high=high))
