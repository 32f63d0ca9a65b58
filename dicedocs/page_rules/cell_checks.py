"""Whether the cells of a table are what a formula says, ``20 - level - armour``, or the rule of lines above it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain, islice, product
from math import ceil, floor
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, quoted
from dicedocs.expression.odds import tree_distribution
from dicedocs.page_rules.cells import Part
from dicedocs.page_rules.parameter_text import parameter_of
from dicedocs.page_rules.row_faults import Fault
from dicedocs.page_rules.table_reading import ROLL, Column, Key, TableReader
from dicedocs.probability.claims import Subject, Term, parse_term
from dicedocs.probability.claims.terms import margin
from dicedocs.probability.enumeration import odds
from dicedocs.render.numbers import Rounding, figure_holds, rounded_like
from dicedocs.rules.kinds import as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.yes_and_no import typed_truth
from dicedocs.similar_words import near
from dicedocs.syntax.formula import Formula, read_formula
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.tree import Compared, Logic

_SHOWN: Final = 20
"""The most cells of one table that are reported."""
_NAMED: Final = re.compile(r"(?P<column>[^=<>!()]+?)\s*=(?!=)\s*(?P<formula>.+)")
_ROUNDED: Final = re.compile(r"(?P<formula>.*\S)\s+rounded\s+(?P<way>up|down)", re.IGNORECASE)
_MEAN: Final = re.compile(r"(?:mean|average)\s*\((?P<column>[^()]*)\)", re.IGNORECASE)
_NUMBER: Final = re.compile(
    r"(?P<letter>[^\W\d_])?(?P<sign>[-+\u2212]?)(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?P<part>\.[0-9]+)?(?P<percent>\s?%)?"
)
_DASHES: Final = frozenset({"", "-", "\u2013", "\u2014", "\u2212"})
_SIGNS: Final = str.maketrans({"×": "*", "\u2212": "-", "÷": "/"})
_MINUS: Final = frozenset({"-", "\u2212"})
_Value = int | str | None


class _Check(NamedTuple):
    """What the cells of a column have to be.

    Parameters:
        column: the column.
        text: the formula, as written.
        formula: what is computed; a text if it is a single name or number.
        mean_of: the column whose mean it is; ``None`` if it is a formula.
        rounding: how the cells are rounded.
    """

    column: Column
    text: str
    formula: Formula | str = ""
    mean_of: Column | None = None
    rounding: Rounding = "exact"

    def value(self, values: Mapping[str, _Value]) -> int | None:
        """Return what a cell has to be; ``None`` if nothing stands where it should come from."""
        if isinstance(self.formula, str):
            value = read_formula(self.formula, values)
            return value if isinstance(value, int) else _no_number(self.formula, value)
        numbers: list[int] = []
        for name in self.formula.names:
            value = values[name]
            if not isinstance(value, int):
                return _no_number(name, value)
            numbers.append(value)
        computed = self.formula._replace(values=numbers).compute()
        return int(computed) if isinstance(computed, int) else _no_number(self.text, computed)


def _no_number(name: str, value: object) -> int | None:
    """Raise an error for what is no number, unless it is nothing."""
    if value is not None:
        raise DiceError(f"{name} is {quoted(value)}, which is not a whole number", hint="leave it out of the formula")
    return None


def check_cells(reader: TableReader, text: str) -> Iterator[Fault]:
    """Yield the cells of a table that are not what its author says of them.

    A formula is a notation without dice. Its names are the parameters that choose a row or a column, ``roll`` for the
    number rolled, and the other columns, for what stands there in the same row. Division rounds down, as anywhere in
    the notation. A row for several numbers has to be right for each of them; of an open end that is the number written.
    A number may have a sign and a unit; a cell that is empty, or a dash, is not compared.

    Parameters:
        reader: the table.
        text: a formula, if there is only one column or the table is a matrix; else one for each column to check, with
            semicolons between them: ``Bonus = level / 4 + 1; HP = 8 + 3 * level``. ``Average = mean(Damage)`` is the
            mean of the dice that stand in a column, which may be the same, exact or rounded to a whole number; or
            ``rounded up``, or ``rounded down``.

    Raises:
        DiceError: the text is no such thing.
    """
    names, checks = _names(reader), _checks(reader, text)
    yield from _first(reader, (fault for check in checks for fault in _differing(check, reader, names)))


def checked_columns(reader: TableReader, text: str) -> list[Column]:
    """Return the columns of which an author says what their cells are, as for :func:`check_cells`."""
    return [check.column for check in _checks(reader, text)]


def check_by_rule(reader: TableReader, rule: type[Mechanic], facts: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the cells of a table that are not what a rule comes to; other parameters have their defaults.

    Cells are compared as by :func:`check_cells`; words and yes and no in whatever case.

    Parameters:
        reader: the table, whose rows are for values of parameters.
        rule: the rule.
        facts: the fact that stands in each column, by the name of the column; none of them needs dice.
    """
    names = [parameter_of(axis.names[0]) for axis in reader.axes]

    def differs(fact: str, _index: int, cell: str, place: Sequence[int | str]) -> str:
        [value] = odds(rule(**dict(zip(names, place, strict=True))), fact)
        if isinstance(value, int) and not isinstance(value, bool):
            return "" if _number(cell) == value else f"the rule gives {value}"
        word = typed_truth(cell.casefold()) if isinstance(value, bool) else cell.casefold()
        return "" if word == as_text(value).casefold() else f"the rule gives {as_text(value)}"

    columns = [column for column in reader.columns if column.name in facts]
    found = (_unlike(reader, column, partial(differs, facts[column.name])) for column in columns)
    yield from _first(reader, chain.from_iterable(found))


def check_figures(reader: TableReader, rule: type[Mechanic], text: str) -> Iterator[Fault]:
    """Yield the cells of a table that are not the odds of a rule that its author says they are.

    Parameters:
        reader: the table, whose rows are for values of parameters; the others have their defaults.
        rule: the rule.
        text: a term of claims for each column, ``Hit = p(hit); Average = mean(total) rounded down``.

    Raises:
        DiceError: the text is no such thing, or odds cannot be counted.
    """
    names = [parameter_of(axis.names[0]) for axis in reader.axes]

    def unlike(column: Column, term: Term, written: str, rounding: Rounding) -> Iterator[Fault]:
        def differs(_index: int, cell: str, place: Sequence[int | str]) -> str:
            subject, figure = Subject(rule, dict(zip(names, place, strict=True))), _figure(cell)
            exact = term.value(subject)
            if figure and (off := margin(term, subject)) and abs(Fraction(figure) - exact) <= off:
                return ""
            right = rounded_like(figure or "0", exact, rounding)
            return "" if figure and _holds(figure, exact, rounding) else f"{written} is {right}"

        return _unlike(reader, column, differs)

    found: list[Iterator[Fault]] = []
    for part in stated_cells(text):
        column, written = _split(part, reader)
        rounding, inner = _rounding(written)
        found.append(unlike(column, parse_term(inner), written, rounding))
    yield from _first(reader, chain.from_iterable(found))


def stated_cells(text: str) -> list[str]:
    """Return what an author says of each column."""
    limits.VALUE_TEXT.check(len(text), hint="write less")
    return [part for part in (" ".join(part.split()) for part in text.split(";")) if part]


def stated_heads(text: str) -> list[str]:
    """Return the names of columns, or of rows, of which an author says what stands there.

    >>> stated_heads("Hit = p(hit); Average = mean(total)"), stated_heads("20 - level")
    (['Hit', 'Average'], [])
    """
    return [match["column"].strip() for part in stated_cells(text) if (match := _NAMED.fullmatch(part))]


def _first(reader: TableReader, found: Iterator[Fault]) -> Iterator[Fault]:
    yield from islice(found, _SHOWN)
    if more := sum(1 for _ in found):
        yield Fault(f"{more} more cells differ", line=reader.table.head_line)


def _names(reader: TableReader) -> dict[str, int | Column]:
    """Return what a formula may name: the index of an axis, or a column."""
    throwing = [at for at, axis in enumerate(reader.axes) if axis.throws]
    known: list[tuple[str, int | Column]] = [(ROLL, at) for at in throwing if len(throwing) == 1]
    known += [(axis.names[0], at) for at, axis in enumerate(reader.axes) if not axis.throws]
    known += [(column.head, column) for column in reader.columns if not reader.table.across]
    # A parameter goes before a column of the same name.
    names = dict(reversed(known))
    plain = {parameter_name(name): what for name, what in names.items() if not re.fullmatch(r"[\w ]+", name)}
    return {**plain, **names}


def _read(part: str, reader: TableReader, names: Mapping[str, int | Column]) -> _Check:
    column, text = _split(part, reader)
    rounding, inner = _rounding(text)
    if mean := _MEAN.fullmatch(inner):
        return _Check(column, text, mean_of=_column(mean["column"], reader), rounding=rounding)
    formula = inner.translate(_SIGNS)
    if rounding != "exact":
        formula = f"{'ceil' if rounding == 'up' else 'floor'}({formula})"
    try:
        read = read_formula(formula, dict.fromkeys(names, 1), "column and no parameter")
    except DiceError as error:
        raise DiceError(error.message, hint=error.hint) from error
    if isinstance(read, str):
        raise DiceError(f"{quoted(text)} is not a notation without dice", hint="write one, as in 20 - level - armour")
    if isinstance(read, Formula) and isinstance(read.tree, Compared | Logic):
        raise DiceError(f"{quoted(text)} is a comparison", hint=f"write ({text}) for 1 or 0, or min(a, b) for a bound")
    return _Check(column, text, read if isinstance(read, Formula) else formula)


def _checks(reader: TableReader, text: str) -> list[_Check]:
    names = _names(reader)
    checks = [_read(part, reader, names) for part in stated_cells(text)]
    if not checks:
        raise DiceError("nothing says what the cells have to be", hint="write a formula, as in 20 - level - armour")
    return checks


def _split(part: str, reader: TableReader) -> tuple[Column, str]:
    """Return the column of which a part speaks, and what it says; the only column needs no name."""
    if match := _NAMED.fullmatch(part):
        return _column(match["column"], reader), match["formula"]
    first, *others = reader.columns
    if others:
        raise DiceError(f"{quoted(part)} does not name a column", hint=f"write {first.head} = {part}")
    return first, part


def _rounding(text: str) -> tuple[Rounding, str]:
    """Return how a figure is rounded, and of what it is."""
    rounded = _ROUNDED.fullmatch(text)
    if rounded is None:
        return "exact", text
    return ("up" if rounded["way"].casefold() == "up" else "down"), rounded["formula"]


def _column(name: str, reader: TableReader) -> Column:
    known = {each.casefold(): column for column in reader.columns for each in (column.head, column.name)}
    if (column := known.get(name.strip().casefold())) is None:
        hint = near(name.strip(), [column.head for column in reader.columns])
        raise DiceError(f"there is no column {quoted(name.strip())}", hint=hint)
    return column


def _differing(check: _Check, reader: TableReader, names: Mapping[str, int | Column]) -> Iterator[Fault]:
    """Yield the cells of a column that differ, of each the first number for which it does."""

    @cache
    def mean(column: Column, index: int) -> Fraction | None:
        return _mean(column.parts[index])

    def differs(index: int, cell: str, place: Sequence[int | str]) -> str:
        values = {
            name: place[what] if isinstance(what, int) else _whole(what.values[index]) for name, what in names.items()
        }
        value = mean(check.mean_of, index) if check.mean_of else check.value(values)
        figure = _figure(_beside_dice(cell, check.column.parts[index]))
        if value is None or (figure and _holds(figure, Fraction(value), check.rounding)):
            return ""
        return f"{check.text} is {_decimal(value)}"

    yield from _unlike(reader, check.column, differs)


def _unlike(
    reader: TableReader, column: Column, differs: Callable[[int, str, Sequence[int | str]], str]
) -> Iterator[Fault]:
    """Yield the cells of a column that differ from something, of each the first number for which it does.

    Parameters:
        differs: returns what a cell should be, given its index, its text and what chooses it; empty if it is right.
    """
    for index, value in enumerate(column.values):
        if not is_written(value):
            continue
        cell = as_text(value)
        line = reader.table.line(index // reader.table.cells_per_row, column.head)
        places = [_numbers(key) for key in reader.keys(index)]
        try:
            for place in product(*places):
                if other := differs(index, cell, place):
                    what = "the table" if reader.table.across else column.head
                    yield Fault(f"{_said(reader, place)}: {what} has {cell}, but {other}", line=line)
                    break
        except DiceError as error:
            yield Fault(f"{_said(reader, [each[0] for each in places])}: {error.message}", error.hint, line)


def is_written(value: _Value) -> bool:
    """Return whether anything stands in a cell but a dash."""
    return value is not None and value not in _DASHES


def _numbers(key: Key) -> Sequence[int | str]:
    """Return what a key stands for; of an open end the number that is written."""
    if isinstance(key, str):
        return (key,)
    numbers: list[int] = []
    for low, high in key:
        first, last = low if low is not None else high, high if high is not None else low
        if first is not None and last is not None:
            limits.ITEMS.check(last - first + 1, hint="check a table with shorter ranges")
            numbers += range(first, last + 1)
    return numbers


def _said(reader: TableReader, place: Sequence[int | str]) -> str:
    """Return what chooses a cell, as readers say it."""
    pairs = zip(reader.axes, place, strict=True)
    return ", ".join(f"{ROLL if axis.throws else axis.text} {value}" for axis, value in pairs)


def _beside_dice(cell: str, parts: Sequence[Part]) -> str:
    """Return what stands in a cell beside its dice: of ``11 (2d8 + 2)`` the 11."""
    for part in parts:
        cell = cell.replace(part.written, " ", 1)
    return cell


def _holds(figure: str, exact: Fraction, rounding: Rounding) -> bool:
    """Return whether a figure is right; without a word of how it was rounded a whole number may be so either way."""
    if rounding != "exact" or figure.endswith("%"):
        return figure_holds(figure, exact, rounding)
    return Fraction(figure) in {exact, floor(exact), ceil(exact)} or figure_holds(figure, exact)


def _figure(cell: str) -> str:
    """Return the number that a cell has, without its unit but a percent sign; empty if it has none, or several.

    >>> _figure("+2"), _figure("1,500 gp"), _figure("4.5"), _figure("17 %"), _figure("d6"), _figure("3 of 5")
    ('2', '1500', '4.5', '17%', '', '')
    """
    found = [*_NUMBER.finditer(cell)]
    if len(found) != 1 or found[0]["letter"]:
        return ""
    _, sign, digits, part, percent = found[0].groups(default="")
    return f"{'-' if sign in _MINUS else ''}{digits.replace(',', '')}{part}{percent.strip()}"


def _number(cell: str) -> Fraction | None:
    figure = _figure(cell).removesuffix("%")
    return Fraction(figure) if figure else None


def _whole(cell: _Value) -> _Value:
    """Return the value that a formula takes from a cell: a whole number where there is one, else its text."""
    if not isinstance(cell, str):
        return cell
    number = _number(cell)
    return None if cell in _DASHES else int(number) if number is not None and number.denominator == 1 else cell


def _mean(parts: Sequence[Part]) -> Fraction | None:
    """Return the mean of all dice of a cell; ``None`` if it has none."""
    means = [tree_distribution(part.dice).mean for part in parts if part.dice is not None and not part.table]
    return sum(means, Fraction()) if means else None


def _decimal(value: Fraction | int) -> str:
    return f"{float(value):g}" if value != floor(value) else str(floor(value))
