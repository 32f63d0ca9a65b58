"""Figures that stand beside dice: averages, ranges and percentages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Final, NamedTuple

from dicedocs.errors import DiceError
from dicedocs.expression.odds import tree_distribution
from dicedocs.expression.pool_odds import NotCountedError
from dicedocs.lint.finding import Finding
from dicedocs.lint.page import Page, Passage, Placed, Table
from dicedocs.lint.rolled_tables import rolled_dice
from dicedocs.lint.words import APPROXIMATE, HARM, LEVEL
from dicedocs.page_rules.axis import find_bounds
from dicedocs.page_rules.text_dice import DIE, find_dice, with_plain_dice
from dicedocs.render.numbers import figure_holds, rounded_like
from dicedocs.syntax.joined_dice import joined_terms
from dicedocs.syntax.ranges import Range, read_ranges
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import DiceTerm, Node, Number

_NUMBER: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})"
_DASH: Final = r"[-\u2010-\u2015\u2212]"
_SUM_OF_DICE: Final = (
    rf"(?P<dice>(?:{_NUMBER}\s*[-+\u2212\u2013]\s*)?{DIE}(?:\s*(?:[+×x*]|{_DASH})\s*(?:{DIE}|{_NUMBER}))*+)"
)
_BRACKETED: Final = rf"\(\s*{_SUM_OF_DICE}\s*\)"
_BESIDE: Final = re.compile(
    rf"(?<![\w.,/+×\u2212–—-])(?:(?P<low>{_NUMBER})\s*(?:{_DASH}{{1,3}}|to|bis|à|al?)\s*)?(?P<figure>{_NUMBER})"
    rf"(?:\s+(?i:hp|hit points|damage))?\s*{_BRACKETED}"
)
"""``27 (5d10)``, ``2–12 (2d6)``."""
_BEHIND: Final = re.compile(
    rf"(?<![\w)]){_BRACKETED}\s*=?\s*(?P<figure>{_NUMBER})(?=\s+(?:\w+\s+)?(?i:damage|hit points|schaden)\b)"
)
"""``(2d6 + 4) 11 damage``."""
_BEFORE: Final = re.compile(
    rf"(?<![\w½¼⅓⅛/+×*\u2212–—-])(?<![0-9½¼⅓⅛/+×*\u2212–—-]\s)(?<!\bplus\s)(?<!\band\s){_SUM_OF_DICE}"
    rf"\s*\(\s*(?P<figure>{_NUMBER})\s+(?i:hp|hit points|tp|trefferpunkte|pv|pf|pg)\s*\)"
)
"""``4d8+12 (30 hp)``."""
_MORE: Final = re.compile(rf"\s*(?:\+|plus)\s*{_BRACKETED}")
"""Dice behind others that a number may be the average of as well: ``9 (1d6 + 3) plus (1d6)``."""
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s|\Z)(?<!\bft\.)(?<!\bca\.)|\n")
_NOT_BEFORE: Final = re.compile(
    r"(?:\b(?:on|of|an?|die|dice|HD|DC|AC|page|table|rolls?|rolled|rolling|Hit Dice|CR|if|range|d[0-9]+)\s*:?"
    r"|[=<>≤≥×*/+]|\b(?:appearing|encountered|enc\.?)\s*:?|(?-i:\b(?!HP|TP|LP|PV|PF|PG|KP|DMG|DAM|HITS?)[A-Z]{2,4}:?))\s*\Z",
    re.IGNORECASE,
)
"""What stands before a number that is no average of the dice behind it: ``NA 0 (1d4)``."""
_SUM: Final = re.compile(
    r"(?<![\w.,=+−/×*^-])(?P<sum>[0-9]{1,5}(?:\s*[-+\u2212]\s*[0-9]{1,5}){2,30})\s*=\s*(?P<figure>[-\u2212]?[0-9]{1,6})(?![\w.,]?[0-9]|\s*[-+×x*/=])"
)
_FEW: Final = 2
"""How many percentages of a column may be right by chance."""
_SLIP: Final = 4
"""How far off a figure is at least that is no slip."""
_NEAR: Final = 60
"""How far a percentage and an event stand apart at most."""
_PERCENT: Final = re.compile(r"(?<![\w.,-])(?P<figure>[0-9]{1,3}(?:[.,][0-9]{1,3})?)\s?%")
_IN: Final = re.compile(r"\b(?P<part>[0-9]{1,3})[- ]in[- ](?P<whole>[0-9]{1,3})\b", re.IGNORECASE)
_RANGE: Final = (
    rf"(?:[≤≥<>]|[<>]=)?\s*[0-9]{{1,3}}(?:\s*{_DASH}\s*[0-9]{{1,3}}|\s*\+"
    r"|\s+or\s+(?:less|more|higher|lower|under|over|better|fewer|greater))?"
)
_EVENT: Final = re.compile(
    rf"(?<![\w.,%-])(?P<range>{_RANGE})\s+(?:on|with)\s+(?:an?\s+)?(?P<dice>{DIE})(?!\s*[-+×*/]|\w)", re.IGNORECASE
)
"""``≤ 5 on d8``, ``1-2 on a d6``."""


WAYS: Final = {
    "up": "averages are rounded up throughout",
    "each die up": "the average of each die is rounded up",
    "first die in full": "the first die counts in full",
    "highest": "the dice count in full",
}
"""How books come from dice to one number, if they don't round the mean down, and how that is said of a book."""


class _Counted(NamedTuple):
    """What dice come to: their mean, how low and how high, and their numbers by each of ``WAYS``.

    Of those of a race and of a class the first one of the class counts in full: ``7d8 + 7d10 + 28``.
    """

    mean: Fraction
    bounds: Range
    ways: Mapping[str, Collection[Fraction]]
    of_class: Collection[int]


@lru_cache(4096)
def _counted(dice: str) -> _Counted | None:
    """Return what dice come to; ``None`` if they are no plain dice."""
    if _MIXED.search(dice):
        return None
    found = find_dice(with_plain_dice(dice), "cell")
    if len(found) != 1 or found[0].written.strip() != with_plain_dice(dice).strip():
        return None
    try:
        tree = parse_rule_value(found[0].value)
        mean, bounds = tree_distribution(tree).mean, find_bounds(tree, {})
    except (DiceError, NotCountedError):
        return None
    ways: dict[str, Collection[Fraction]] = {"up": {Fraction(ceil(mean))}}
    try:
        terms = [(sign, *_amount(term)) for sign, term in joined_terms(tree) if not isinstance(term, Number)]
    except ValueError:
        return _Counted(mean, bounds, ways, ())
    firsts = [mean + Fraction(sides - 1, 2) for _, _, sides in terms] if len(terms) > 1 else []
    return _Counted(mean, bounds, ways | _by_dice(terms, mean), {*map(floor, firsts), *map(ceil, firsts)})


def _by_dice(terms: Sequence[tuple[int, int, int]], mean: Fraction) -> dict[str, Collection[Fraction]]:
    """Return the numbers of dice by each way that looks at the dice, of which there are a sign, a count and sides."""
    return {
        "each die up": {mean + sum(sign * Fraction(count * (1 - sides % 2), 2) for sign, count, sides in terms)},
        # Of several kinds of dice any may have been the first.
        "first die in full": {Fraction(floor(mean + Fraction(sides - 1, 2))) for _, _, sides in terms},
        "highest": {mean + sum(sign * Fraction(count * (sides - 1), 2) for sign, count, sides in terms)},
    }


def _amount(dice: Node) -> tuple[int, int]:
    """Return how many dice there are, and their sides."""
    match dice:
        case DiceTerm(Number(count), Number(sides), ()):
            return count, sides
    raise ValueError


_MIXED: Final = re.compile(r"[-+\u2010-\u2015\u2212].*[×x*]|[×x*].*[-+\u2010-\u2015\u2212]")
"""``1d4 + 4 x 5``, of which people read either part first."""


class Figure(NamedTuple):
    """A figure that a page gives beside its dice.

    Parameters:
        finding: what is wrong if it is.
        written: the figure and its dice, as they stand.
        is_right: whether the dice say so; averages are rounded down, and dice for damage do at least 1.
        rounded_up: what is true of the dice if averages are rounded up, and this one is; empty for any other figure.
        ways: by which of ``WAYS`` an average comes to this figure.
        is_full: whether all its dice, or the first one of a class, count in full, on purpose: it is too far off for
            a slip.
    """

    finding: Finding
    written: str
    is_right: bool
    rounded_up: str = ""
    ways: Collection[str] = ()
    is_full: bool = False

    @property
    def is_average(self) -> bool:
        """Whether it is an average."""
        return self.finding.kind == "average"


def find_figures(page: Page) -> Iterator[Figure]:
    """Yield the averages, ranges, percentages and sums of a page, right or wrong."""
    for passage in page.passages():
        text = with_plain_dice(passage.text)
        plain = passage._replace(text=text)
        if "(" in text:
            yield from _beside(page, plain, passage.text)
        if "%" in text or " in " in text or "-in-" in text:
            yield from _chances(page, plain)
        if "=" in text:
            yield from _sums(page, plain)
    yield from _chance_rows(page)
    for placed in page.tables():
        yield from _chance_columns(page, placed)


def _number(written: str) -> int:
    return int(written.replace(",", ""))


def _sentence(text: str, at: int) -> tuple[int, int]:
    """Return where the sentence around a place begins and ends."""
    low = 0
    for end in _SENTENCE_END.finditer(text):
        if end.start() >= at:
            return low, end.start()
        low = end.end()
    return low, len(text)


def _beside(page: Page, passage: Passage, written: str) -> Iterator[Figure]:
    text = passage.text
    for match in (*_BESIDE.finditer(text), *_BEHIND.finditer(text), *_BEFORE.finditer(text)):
        counted = _counted(match["dice"])
        if counted is None:
            continue
        mean, bounds = counted.mean, counted.bounds
        plain = find_dice(match["dice"], "cell")[0].value
        low, high = _sentence(text, match.start())
        sentence, before = text[low:high], text[low : match.start()]
        figure, dice = _number(match["figure"]), written[match.start("dice") : match.end("dice")]
        shown = written[match.start() : match.end()]
        place = page.place(passage._replace(text=written), match.start(), shown, dice, match["figure"])
        is_level = bool(LEVEL.search(sentence) or LEVEL.search(passage.around))
        if match.re is _BESIDE and match["low"]:
            first = _number(match["low"])
            if bounds.low is not None and bounds.high is not None:
                # Of lines 556-725 (D42) the dice can give none.
                overlaps = first <= bounds.high and figure >= bounds.low
                beyond = overlaps and (first < bounds.low or figure > bounds.high)
                message = f"{dice} gives {bounds}, not {first}–{figure}"
                claim = f"minimum(total) = {bounds.low}, maximum(total) = {bounds.high}"
                certain = beyond and not is_level
                finding = Finding("range", *place, message, plain, claim, certain)
                yield Figure(finding, shown, (first, figure) == bounds)
            continue
        is_harm = bool(HARM.search(sentence) or HARM.search(passage.around))
        says_what = match.re is _BEFORE
        is_other = bool(_NOT_BEFORE.search(before) or APPROXIMATE.search(before) or _MORE.match(text, match.end()))
        certain = says_what or (is_harm and not is_level and not is_other and not _is_scaling(sentence))
        message = f"{dice} averages {_shown(mean)}, not {match['figure']}"
        finding = Finding("average", *place, message, plain, f"mean(total) = {_claimed(mean)}", certain)
        is_up = figure == ceil(mean) != floor(mean)
        is_right = figure in {floor(mean), max(1, floor(mean))}
        ways = [way for way in WAYS if (figure in counted.ways[way] if way in counted.ways else is_right)]
        is_full = ("highest" in ways or figure in counted.of_class) and figure - mean >= _SLIP
        yield Figure(finding, shown, is_right, f"mean(total) = {figure} rounded up" if is_up else "", ways, is_full)


def _is_scaling(sentence: str) -> bool:
    """Return whether numbers before dice are levels: 5 (2d10), 11 (3d10), 17 (4d10), in whatever language."""
    numbers = [
        (match["figure"], match["dice"].lstrip()[:1]) for match in _BESIDE.finditer(sentence) if not match["low"]
    ]
    return ("5", "2") in numbers and ("11", "3") in numbers


def _claimed(mean: Fraction) -> str:
    return str(mean) if mean.denominator == 1 else f"{floor(mean)} rounded down"


def _shown(mean: Fraction) -> str:
    return str(mean) if mean.denominator == 1 else f"{float(mean):g} ({floor(mean)} rounded down)"


def _chances(page: Page, passage: Passage) -> Iterator[Figure]:
    """Yield the percentages of sentences that have one, and one event of dice."""
    start = 0
    text = passage.text
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        sentence = text[start:end]
        percents = [*_PERCENT.finditer(sentence), *_IN.finditer(sentence)]
        events = [*_EVENT.finditer(sentence)] if percents else []
        if len(percents) == len(events) == 1 and abs(percents[0].end() - events[0].start()) < _NEAR:
            place = page.place(passage, start + percents[0].start(), percents[0][0])
            yield from _chance(percents[0], events[0], place)
        start = end


def _chance(percent: re.Match[str], event: re.Match[str], place: tuple[int, int]) -> Iterator[Figure]:
    exact = _probability(event["range"], event["dice"])
    if exact is None:
        return
    dice, numbers = event["dice"].replace("D", "d"), " ".join(event["range"].split())
    said, written = " ".join(event[0].split()), f"{percent[0]} ({' '.join(event[0].split())})"
    if percent.re is _IN:
        part, whole = int(percent["part"]), int(percent["whole"])
        if whole:
            message = f"{said} is {exact.numerator} in {exact.denominator}, not {percent[0]}"
            claim = f"p(total {numbers}) = {exact.numerator}/{exact.denominator}"
            yield Figure(
                Finding("percentage", *place, message, dice, claim, is_certain=False),
                written,
                Fraction(part, whole) == exact,
            )
        return
    figure = percent["figure"].replace(",", ".")
    is_right = figure_holds(f"{figure}%", exact) or Fraction(figure) in {floor(exact * 100), ceil(exact * 100)}
    right = rounded_like(f"{figure}%", exact)
    message = f"{said} is {right}, not {percent[0]}"
    yield Figure(Finding("percentage", *place, message, dice, f"p(total {numbers}) = {right}"), written, is_right)


def _probability(numbers: str, dice: str) -> Fraction | None:
    try:
        ranges = read_ranges(numbers)
        odds = tree_distribution(parse_rule_value(dice.replace("D", "d")))
        shares = odds.to_dict().items()
        return sum((share for value, share in shares if any(each.holds(value) for each in ranges)), Fraction())
    except (DiceError, NotCountedError):
        return None


def _chance_rows(page: Page) -> Iterator[Figure]:
    """Yield the percentages of rows of which one cell is a percentage, and another one an event of dice."""
    for block in page.blocks:
        if not isinstance(block, Table):
            continue
        for row in block.grid.rows:
            cells = [with_plain_dice(cell) for cell in row.cells]
            percents = [match for cell in cells if (match := _PERCENT.fullmatch(cell.strip()))]
            events = [match for cell in cells if (match := _EVENT.fullmatch(cell.strip()))]
            if len(percents) == len(events) == 1:
                passage = Passage(percents[0].string, row.line, row.line)
                yield from _chance(percents[0], events[0], page.place(passage, 0, percents[0][0]))


def _chance_columns(page: Page, placed: Placed) -> Iterator[Figure]:
    """Yield the percentages of a column that says how likely each row of a table to roll on is, as most of it does."""
    grid, table = placed.table.grid, placed.table
    named = rolled_dice(grid, table.caption, placed.above, placed.heading)
    if named is None:
        return
    for column in range(1, max(len(row.cells) for row in grid.rows)):
        cells = [(row, row.cells[column].strip()) for row in grid.rows if row.cells[column:]]
        percents = [(row, match) for row, cell in cells if (match := _PERCENT.fullmatch(cell))]
        if len(percents) != len(grid.rows):
            continue
        figures = [
            figure
            for row, percent in percents
            if (event := _EVENT.fullmatch(f"{row.cells[0]} on {named.dice}"))
            for figure in _chance(percent, event, page.place(Passage(percent[0], row.line, row.line), 0, percent[0]))
        ]
        wrong = sum(not figure.is_right for figure in figures)
        if wrong <= 1 and len(figures) == len(percents) > _FEW:
            yield from figures


def _sums(page: Page, passage: Passage) -> Iterator[Figure]:
    for match in _SUM.finditer(passage.text):
        terms = re.findall(r"[-+]?[0-9]+", re.sub(r"\s", "", match["sum"]).replace("\u2212", "-"))
        total, figure = sum(map(int, terms)), int(match["figure"].replace("\u2212", "-"))
        place, written = page.place(passage, match.start(), match[0]), " ".join(match["sum"].split())
        message, claim = f"{written} is {total}, not {figure}", f"mean(total) = {total}"
        finding = Finding("sum", *place, message, written.replace("\u2212", "-"), claim, is_certain=False)
        yield Figure(finding, f"{written} = {match['figure']}", total == figure)
