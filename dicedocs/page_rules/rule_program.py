"""A rule of a page, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, listed, quoted
from dicedocs.expression.pool_odds import NotCountedError
from dicedocs.page_rules.axis import Reach, ends, find_bounds, find_certain, find_numbers, find_reach
from dicedocs.page_rules.band_rows import check_rows, with_bands
from dicedocs.page_rules.draws import DRAW, Draws
from dicedocs.page_rules.layout import TableError
from dicedocs.page_rules.page_rule import Meaning, PageRule, PageTable
from dicedocs.page_rules.parameter_text import (
    Declared,
    declared_parameters,
    is_reserved,
    parameter_of,
    read_items,
    read_parameter,
)
from dicedocs.page_rules.played_rules import (
    NO_OTHERS,
    Others,
    ReadFact,
    joined_facts,
    plays,
    read_facts,
    resolve_plays,
)
from dicedocs.page_rules.player_choices import Asked, ask, check_choice, chooses, refuse_choice
from dicedocs.page_rules.pool_needs import live_before, needs_of, pools_of
from dicedocs.page_rules.row_faults import Fault, RowRanges, find_faults
from dicedocs.page_rules.rule_lines import Banded, Given, Line, LookedUp, Repeated, read_lines
from dicedocs.page_rules.rule_steps import (
    CHOICE,
    DRAWN,
    ROWS,
    Assign,
    Found,
    LookUp,
    PlayedFact,
    Repeat,
    Step,
    Together,
    every_step,
    given_by,
    names_in,
    needed_steps,
    read_by,
    throws_dice,
    trees_of,
)
from dicedocs.page_rules.rule_tables import read_rows, rest_of, row_items
from dicedocs.page_rules.rule_walk import Lines, PlayedLine
from dicedocs.page_rules.table_reading import ROLL, Column, TableReader
from dicedocs.page_rules.text_dice import find_dice
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.enumerator import Enumerator
from dicedocs.rules.kinds import as_text, spaced
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Sizes
from dicedocs.rules.yes_and_no import read_truth_words
from dicedocs.similar_words import is_near, near
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.parts import Part, RuleError, node_name
from dicedocs.syntax.ranges import OPEN, Range, is_range
from dicedocs.syntax.rule_names import DICE, NUMBER, TRUTH, Kind, Named, RuleNames
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Compared,
    Logic,
    Node,
    Number,
    Play,
    Reference,
    Words,
    case_values,
    format_name,
    nodes,
)
from dicedocs.translation import mark

_COUNTED: Final = " counted"
"""The name of a value whose numbers are counted: one that no line can have."""
_MOST_SETTINGS: Final = 20
_MOST_BRANCHES: Final = 1_000
"""For how many settings of parameters a value is counted that chooses a row, and over how many branches of each."""


class FactOfRule(NamedTuple):
    """A fact of a rule.

    Parameters:
        name: the name of the value.
        label: as written.
        kind: what it is.
        bounds: how low and how high it can be, as far as that is known.
        column: the column of the table that it is; ``None`` for one that lines give.
        what: what it is of the column.
        type: its type, if a table says it.
    """

    name: str
    label: str
    kind: Kind
    bounds: Range = OPEN
    column: Column | None = None
    what: str = ""
    type: Any = None

    @property
    def field(self) -> str:
        """The name of the fact."""
        return self.name if self.what else parameter_name(self.label)

    def called(self, word: str) -> list[str]:
        """Return the words that a word is, in whatever case; a number is neither good nor bad."""
        known = self.kind if isinstance(self.kind, tuple) else ()
        return [text for text in known if text.casefold() == word.casefold()]


def stated_table(rule: PageRule, lines: Sequence[Line]) -> TableReader | None:
    """Return the table of a rule, read, if it states what the lines come to: its rows are for values of parameters.

    Lines give its columns, and at least one of these needs no dice. What needs some is not compared.

    Parameters:
        rule: the rule.
        lines: its lines, read.

    Raises:
        TableError: lines give some of the columns only, or the table cannot be read.
    """
    table, every = rule.table, list(_each_line(lines))
    if table is None or any(isinstance(line, LookedUp) and not line.bands for line in every):
        return None
    thrown = _thrown(lines)
    given = {node_name(line.label): line.label for line in every if not isinstance(line, Repeated)}
    columns = [] if table.across else [column for column in table.columns if not table.is_plain(column)]
    missing = [column for column in columns if node_name(column) not in given]
    settings = {parameter_of(name): text for name, text in rule.parameters}
    if columns and not missing and settings.keys().isdisjoint(map(parameter_of, table.axes)) and not _throws(table):
        # Its rows may be for the only parameter that they fit, such as where its corner is a title.
        fitting = [name for name, text in settings.items() if _fits(table, read_parameter(text))]
        if len(fitting) != 1:
            named = f"no parameter is called {quoted(table.axes[0])}" if table.axes[0] else "no head names a parameter"
            hint = f"write {listed(fitting or settings or ['one'])} into the first head"
            raise TableError(f"{named}, so the table is not compared", hint=hint, line=table.head_line)
        table = replace(table, axes=tuple(fitting))
    axes = {*map(parameter_of, table.axes)}
    chosen = tuple((name, text) for name, text in rule.parameters if parameter_of(name) in axes)
    known = {node_name(column) for column in columns} & given.keys() if columns else set(list(given)[-1:])
    # Where its author says something of its columns, none has to be a line.
    if len(chosen) < len(axes) or (known <= thrown and not table.plain):
        return None
    if missing:
        is_misspelled = any(is_near(missing[0], name) for name in given.values())
        hint = near(missing[0], given.values()) if is_misspelled else f"write plain: {missing[0]} if none should"
        raise TableError(f"no line computes {quoted(missing[0])}", hint=hint, line=table.head_line)
    return TableReader(table, rule.system, chosen)


def _throws(table: PageTable) -> bool:
    """Return whether dice choose a row."""
    return any(find_dice(axis, "head") for axis in table.axes)


def _fits(table: PageTable, declared: Declared) -> bool:
    """Return whether all rows of a table are for values of a parameter."""
    keys = [row.keys[0] for row in table.rows]
    if declared.words is None:
        return all(map(is_range, keys))
    return {key.casefold() for key in keys} <= {word.casefold() for word in declared.values}


class Program:
    """A rule of a page, read.

    Parameters:
        rule: the rule.
        titles: the titles of all tables of the book, which a cell may name, by id.
        others: the other rules, which a line may play.

    Attributes:
        rule: the rule.
        parameters: its parameters, as a mechanic declares them.
        asked: what its lines ask a player, by their names.
        choices: what a player can choose, there and in the rules that lines play, by the name of the choice.
        steps: what its lines do.
        tables: those that its lines look something up in.
        stated: its table, if that states what the lines come to, for values of parameters; ``None`` otherwise.
        draws: how many rows of its table are drawn; ``None`` for one.
        facts: its facts.
        verdict_fact: the fact that says how well a play went, or else the last one, which is the main fact.
        verdict: what its words mean; ``True`` if it is yes or no; ``None`` if nothing is said of it.
        needs: what is asked of the dice of each name, for names whose dice are read.
        words: what sentences say of values that are yes or no, by the names of these.

    Raises:
        RuleError, TableError: it cannot be read.
    """

    def __init__(
        self, rule: PageRule, titles: Mapping[str, str] = MappingProxyType({}), others: Others = NO_OTHERS
    ) -> None:
        self.rule = rule
        self._others = others
        self.tables: list[TableReader] = []
        self.stated: TableReader | None = None
        self.draws: Draws | None = None
        self.asked: dict[str, Asked] = {}
        self.choices: dict[str, tuple[str, ...]] = {}
        self._types: dict[str, Any] = {}
        self.words = {node_name(name): words for name, words in read_truth_words(rule.words)}
        if rule.table is not None and not rule.lines:
            self._read_table(TableReader(rule.table, rule.system, rule.parameters, titles))
        else:
            self._read_lines()
        self.needs = needs_of(self.steps, self.parameters)
        self.verdict_fact, self.verdict = self._read_verdict()

    # How it is read

    def _read_table(self, reader: TableReader) -> None:
        """Read a table, which is one look-up, or several for the rows that are drawn."""
        self.tables.append(reader)
        self.parameters = {parameter_of(name): declared for name, declared in reader.parameters.items()}
        self.names = {name: parameter_of(name) for name in reader.parameters}
        draws = self.draws = reader.draws
        if each_column := draws is not None and draws.each_column:
            draws = self.draws = None
        if draws is not None and draws.parameter is not None:
            self.parameters[DRAW] = draws.parameter
        self.names |= {name: name for name in self.parameters}
        self.facts = []
        names: list[Found] = []
        for at, column in enumerate(reader.columns):
            words: Kind = column.words or NUMBER
            given = column.value_type if draws is None else _list_of(column.drawn_type)
            names.append(Found(column.name, column.head, "cell", at))
            self.facts.append(FactOfRule(column.name, column.head, words, OPEN, column, "cell", given))
            if column.rolled:
                given = column.rolled_type if draws is None else _list_of(column.result_type)
                names.append(Found(column.rolled, column.head, "rolled", at))
                self.facts.append(FactOfRule(column.rolled, column.head, NUMBER, OPEN, column, "rolled", given))
            if each_column:
                own = f"{column.name}_{ROLL}"
                names.append(Found(own, column.head, "roll", at))
                self.facts.append(FactOfRule(own, own, NUMBER, OPEN, None, "roll"))
        thrown = [axis.tree for axis in reader.axes if axis.throws]
        if thrown and not each_column:
            bounds = find_bounds(thrown[0], reader.reaches)
            given = None if draws is None and len(thrown) == 1 else _list_of(int)
            names.append(Found(ROLL, ROLL, "roll"))
            self.facts.append(FactOfRule(ROLL, ROLL, NUMBER, bounds, None, "roll", given))
        subjects = tuple([axis.tree for axis in reader.axes])
        links = any(part.table for column in reader.columns for parts in column.parts for part in parts)
        id = self.rule.id
        is_own = any(part.table == id for column in reader.columns for parts in column.parts for part in parts)
        passed = tuple(self.parameters) if links else ()
        look_up = LookUp(tuple(names), subjects, 0, "Roll", passed, id=id if is_own else "")
        self.steps: tuple[Step, ...] = (look_up,)
        if each_column:
            of_columns = [tuple([each for each in names if each.column == at]) for at in range(len(reader.columns))]
            self.steps = tuple([look_up._replace(names=of_column) for of_column in of_columns])
        if draws is not None:
            hidden = [Found(DRAWN, "", "drawn"), *([Found(ROWS, "", "rows")] if draws.without_repeats else [])]
            body = (look_up._replace(names=(*names, *hidden), draws=draws),)
            number: Node = Number(draws.number) if draws.parameter is None else Reference(ACTOR, DRAW)
            until = Compared(Reference(ACTOR, DRAWN), "=", number)
            self.steps = (Repeat(body, None, until, given_by(body[0]), mark("Draw")),)

    def _read_lines(self) -> None:
        rule = self.rule
        self.parameters = declared_parameters(rule.parameters)
        self.names = {name: name for name in self.parameters}
        self._counted: dict[str, Reach] = {}
        self._reaches = {name: declared.reach for name, declared in self.parameters.items()}
        names = RuleNames(
            {name: Named(name, _kind(each), bounds=each.bounds) for name, each in self.parameters.items()}, find_bounds
        )
        self._above: list[Step] = []
        words = [word for declared in self.parameters.values() for word in declared.values]
        self._known = {name: name for name in (*words, *self.parameters)}
        lines = tuple(with_bands(read_lines(rule.lines, self._known), self.parameters, words))
        if not lines and rule.table is None:
            raise RuleError("the rule has no lines", hint="write one, as in total = 2d6 + stat")
        self.stated, self._thrown = stated_table(rule, lines), _thrown(lines)
        if self.stated is None:
            lines = self._with_table(lines)
        self.steps = _with_states(tuple(self._steps(lines, names, again=False)))
        self._check_parameters(names)
        for name, ways in names.handed_on.items():
            self.choices[name] = (*self.choices.get(name, ()), *ways)
        self.names |= {CHOICE + name: name for name in self.choices}
        pools = pools_of(self.steps)
        self._check_pools(lines, names, pools)
        lasting = _lasting(self.steps)
        self.facts = [
            FactOfRule(name, named.label, named.kind, named.bounds, type=self._types.get(name))
            for name, named in names.known.items()
            # Those of a rule that a line plays belong to that.
            if name not in {*self.parameters, *pools} and name in lasting and "." not in named.label
        ]
        played = [each for each in lines if isinstance(each, Given) and plays(each.value.tree)]
        if not self.facts and played:
            hint = f"read one of its facts on a line below, as in total = {played[-1].label}.total"
            raise played[-1].value.error("what this rule comes to is a list, which is no value of a line", 0, hint)
        if not self.facts:
            last = next(line for line in reversed(lines) if isinstance(line, Repeated))
            raise last.text.error("nothing uses the result of the rounds", 0, "read it on a line below the last round")

    def reach(self, fact: str) -> Reach:
        """Return the numbers that a fact can come to, in any play."""
        of = next(each for each in self.facts if each.field == fact)
        if of.column is not None:
            return of.column.reach(of.what)
        if self.is_table:
            thrown = [axis.tree for axis in self.tables[0].axes if axis.throws]
            return OPEN if thrown[1:] else find_certain(thrown[0], self.tables[0].reaches)
        reach = OPEN if of.bounds == OPEN else self._reaches.get(of.name, OPEN)
        if isinstance(reach, Range) and of.name not in self._counted:
            self._counted[of.name] = self._counted_numbers(Reference(ACTOR, of.name)) or reach
        found = self._counted.get(of.name, reach)
        # A fixed number is a setting of the author's, who may change it.
        return found if isinstance(found, Range) or found[1:] else OPEN

    def stated_facts(self, reader: TableReader) -> dict[str, str]:
        """Return the facts without dice that a table states, by the name of its column; of a matrix, the main fact."""
        known = {each.name: each.field for each in self.facts if each.name not in self._thrown}
        if reader.table.across:
            main = self.verdict_fact
            return {reader.columns[0].name: main.field} if main.name in known else {}
        return {each.name: known[node_name(each.head)] for each in reader.columns if node_name(each.head) in known}

    def _with_table(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return lines with one that looks something up in the table, if none of them does."""
        table = self.rule.table
        if table is None or any(isinstance(line, LookedUp) and not line.bands for line in _each_line(lines)):
            return lines
        written = f"{table.columns[0]} = {', '.join(table.axes)}:"
        try:
            return (*lines, *read_lines([written], self._known))
        except RuleError as error:
            message = f"the table is looked up by {quoted(', '.join(table.axes))}: {error.message}"
            raise TableError(
                message, hint=f"write a line such as result = {table.axes[0]}:", line=table.head_line
            ) from None

    def _check_parameters(self, names: RuleNames) -> None:
        for name in self.parameters:
            if name not in names.read:
                message = "there is no such option, and no line reads it"
                raise TableError(message, hint=near(name, names.read), parameter=name)

    def _steps(self, lines: Sequence[Line], names: RuleNames, *, again: bool) -> Iterator[Step]:
        for line in lines:
            for part in () if isinstance(line, Given) else _parts_of(line):
                refuse_choice(part)
            match line:
                case Given(label, value):
                    self._check_name(label, value)
                    play = self._play if plays(value.tree) else self._assign
                    step: Step = play(line, names, again=again)
                case LookedUp(label):
                    step = self._look_up(line, names, again=again)
                case Banded():
                    step = self._look_up_cases(line, names, again=again)
                case Repeated():
                    step = self._repeat(line, names)
            if not again:
                self._above.append(step)
            yield step

    def _assign(self, line: Given, names: RuleNames, *, again: bool) -> Assign:
        check_choice(line.value)
        value = names.resolve(line.value)
        if chooses(value.tree):
            name = node_name(line.label)
            value, self.asked[name] = ask(value, name, names)
            self.choices[name] = (*self.choices.get(name, ()), *self.asked[name].ways)
        return self._given(line.label, value, names, again=again)

    def _given(self, label: str, value: Part, names: RuleNames, *, again: bool) -> Assign:
        kind = names.kind_of(value.tree, value)
        names.give(label, kind, value, again=again, tree=value.tree)
        if not again and kind == NUMBER:
            self._reaches[node_name(label)] = find_reach(value.tree, self._reaches)
            bounds = find_bounds(value.tree, {name: named.bounds for name, named in names.known.items()})
            if bounds.low is None or bounds.low != bounds.high:
                # A fixed number is a setting of the author's, who may change it.
                names.bound(node_name(label), bounds)
        return Assign(node_name(label), label, value.tree, kind)

    def _play(self, line: Given, names: RuleNames, *, again: bool) -> Assign:
        """Return a line that plays other rules, whose facts have the name of the line and a dot before their own."""
        find, label = self._others.find, line.label
        refuse_choice(line.value)
        part = resolve_plays(line.value, names, find)
        values = list(case_values(part.tree))
        read = {each.id: read_facts(each, part, find) for each in values if isinstance(each, Play)}
        names.played |= {id: facts[""].kind if "" in facts else NUMBER for id, facts in read.items()}
        kind, known = names.kind_of(part.tree, part), joined_facts(read.values())
        names.facts[node_name(label)] = tuple(name for name in known if name)
        if not all(isinstance(each, Play) for each in values):
            # Where one case plays nothing, only the value is known in all of them.
            lacking = next((id for id, facts in read.items() if "" not in facts), None)
            if lacking is not None:
                hint = "play it on a line of its own"
                raise part.error(f"the main fact of {lacking} is a list, which no case can have", 0, hint)
            known, names.facts[node_name(label)] = {"": ReadFact(kind)}, ()
        given = list[PlayedFact]()
        for fact, each in known.items():
            written = f"{label}.{fact}" if fact else label
            name = node_name(written)
            names.give(written, each.kind, part, again=again)
            if not again:
                names.bound(name, each.bounds)
            if each.may_be_none:
                self._types[name] = each.type
            given.append(PlayedFact(name, fact, isinstance(each.kind, tuple)))
        return Assign(node_name(label), label, part.tree, kind, tuple(given))

    @staticmethod
    def _check_name(label: str, part: Part) -> None:
        if is_reserved(parameter_name(label), Outcome):
            raise part.text.error(f"{quoted(label)} is a reserved name", 0, "choose another")

    def _look_up(self, line: LookedUp, names: RuleNames, *, again: bool) -> Step:
        subjects = tuple(map(names.resolve, line.subjects))
        self._check_name(line.label, subjects[0])
        kinds = [names.kind_of(subject.tree, subject) for subject in subjects]
        match kinds:
            case [(_, *_) as words] if line.bands:
                return self._look_up_word(line, subjects[0], words, names, again=again)
        for subject, kind in zip(subjects, kinds, strict=True):
            if isinstance(kind, tuple):
                hint = "look up a number, or write rows for the words in the line: small 2, large 5"
                raise subject.error("words are looked up", 0, hint)
        if not line.bands:
            table = TableReader(self._table_below(line), numbers=True)
        elif len(subjects) > 1:
            raise line.text.error("two values have no rows in one line", line.at, "write a table below the rule")
        else:
            written = read_rows(line, {named.label: name for name, named in names.known.items()})
            table = TableReader(PageTable(("value",), (line.label,), tuple(written)), numbers=True)
        if len(table.axes) != len(subjects):
            wanted = len(table.axes)
            message = (
                f"the table is looked up by {wanted} value{'s' if wanted > 1 else ''}, and the line has {len(subjects)}"
            )
            raise line.text.error(message, line.at, "write one for the rows and, of a matrix, one for its columns")
        # Where a row is for two numbers, each of them may stand in several rows.
        checked = subjects if table.table.across or len(subjects) == 1 else ()
        for axis, (what, subject) in enumerate(zip(("row", "column"), checked, strict=False)):
            possible = self._possible(subject.tree, again=again)
            # Each row has its index for a line.
            rows = [RowRanges(ranges, index) for index, ranges in enumerate(table.ranges(axis))]
            for fault in find_faults(rows, possible, what, for_more=True):
                raise self._row_error(line, fault.line, fault.message, fault.hint, is_column=bool(axis))
        self.tables.append(table)
        given = list[Found]()
        for at, column in enumerate(table.columns):
            label = column.head if at else line.label
            names.give(label, column.words or NUMBER, subjects[0], again=again)
            given.append(Found(node_name(label), label, "cell", at))
            if None in column.values:
                self._types[node_name(label)] = column.value_type
        for at, column in enumerate(table.columns):
            if column.rolled:
                names.give(column.rolled, NUMBER, subjects[0], again=again)
                given.append(Found(node_name(column.rolled), column.rolled, "rolled", at))
                self._types[node_name(column.rolled)] = column.rolled_type
        return LookUp(tuple(given), tuple(subject.tree for subject in subjects), len(self.tables) - 1)

    def _look_up_word(
        self, line: LookedUp, subject: Part, words: tuple[str, ...], names: RuleNames, *, again: bool
    ) -> Assign:
        """Return a line that looks a word up as one with cases: ``size: small 2, large 5``."""
        rows = list(read_rows(line, {named.label: name for name, named in names.known.items()}, words))
        cases = list[tuple[Node, Node]]()
        for keys, (cell,) in rows:
            tests = tuple([Compared(subject.tree, "=", Words(key)) for key in keys])
            value = Number(int(cell)) if cell.removeprefix("-").isdecimal() else Words(cell)
            cases.append((value, tests[0] if len(tests) == 1 else Logic("any", tests)))
        tree = Cases(tuple(cases[:-1]), cases[-1][0]) if cases[1:] else cases[0][0]
        return self._given(line.label, subject._replace(tree=tree), names, again=again)

    def _look_up_cases(self, line: Banded, names: RuleNames, *, again: bool) -> Assign:
        """Return a line whose rows are conditions and values as one with cases, if one of them always holds."""
        subject = names.resolve(line.subject)
        self._check_name(line.label, subject)
        tests = [names.resolve(row.test) for row in line.rows if row.test is not None]
        values = [names.resolve(row.value).tree for row in line.rows]
        if all(row.ranges or row.test is None for row in line.rows):
            found = [each for row in line.rows for each in row.ranges]
            rows = [RowRanges(row.ranges or tuple(rest_of(found)), index) for index, row in enumerate(line.rows)]
            for fault in find_faults(rows, self._possible(subject.tree, again=again), for_more=True):
                raise line.text.error(fault.message, line.rows[fault.line].at, fault.hint)
        else:
            trees = [test.tree for test in tests]
            read = sorted(set[str]().union(*map(names_in, trees)))
            check_rows(line, trees, {name: self._values_of(name, names, again=again) for name in read})
        cases = tuple(zip(values[:-1], [test.tree for test in tests], strict=False))
        tree = Cases(cases, values[-1]) if cases else values[-1]
        return self._given(line.label, subject._replace(tree=tree), names, again=again)

    def _values_of(self, name: str, names: RuleNames, *, again: bool) -> Sequence[Any]:
        """Return all that a name can be; empty if that is unknown."""
        kind = names.known[name].kind
        if kind == NUMBER:
            return self._possible(Reference(ACTOR, name), again=again) or ()
        return (False, True) if kind == TRUTH else kind if isinstance(kind, tuple) else ()

    def _possible(self, tree: Node, *, again: bool) -> Sequence[int] | None:
        """Return the numbers that what is looked up can come to; ``None`` if they are unknown."""
        possible = find_numbers(tree, self._reaches)
        return self._counted_numbers(tree) if possible is None and not again else possible

    def _counted_numbers(self, tree: Node) -> Sequence[int] | None:
        """Return the numbers that a value comes to, counted over all dice of the lines above; ``None`` for too much."""
        asked = Assign(_COUNTED, _COUNTED, tree, NUMBER)
        steps = needed_steps(_with_states((*self._above, asked)), [_COUNTED])
        if not all(map(ends, chain(*map(trees_of, every_step(steps))))):
            return None
        needs = needs_of(steps, self.parameters)
        read = sorted(live_before(steps, [_COUNTED], needs)[0])
        if not self.parameters.keys() >= {*read}:
            return None  # a player has chosen
        choices = [_choices(self.parameters[name]) for name in read]
        if not 0 < prod(map(len, choices)) <= _MOST_SETTINGS:
            return None
        lines = Lines(steps, self.tables, needs, self._others.play, is_counted=True)
        found = set[int]()
        for chosen in product(*choices):
            played = PlayedLine(lines, Together(steps, (_COUNTED,)), tuple(zip(read, chosen, strict=True)))
            counter = Enumerator(limits.LINE_BRANCHES.fixed(_MOST_BRANCHES), is_pure=True)
            try:
                counts = run_to_end(counter.outcomes(played, itemgetter(0)))
            except (DiceError, NotCountedError):
                return None
            found |= {number for (number,) in counts.ways}
        return tuple(sorted(found))

    def _row_error(self, line: LookedUp, row: int, message: str, hint: str, *, is_column: bool) -> DiceError:
        """Return an error at a row: where it stands in the line, or in the table below if its place is known."""
        if line.bands:
            return line.text.error(message, [at for at, _item in row_items(line)][row], hint)
        table = self.rule.table
        place = 0 if table is None else table.head_line if is_column else table.line(row)
        return TableError(message, hint=hint, line=place) if place else line.text.error(message, line.at, hint)

    def _table_below(self, line: LookedUp) -> PageTable:
        if self.rule.table is None:
            hint = "add one there, or write the rows after the colon: 6- miss, 7+ hit"
            raise line.text.error("there is no table in or below this rule", len(line.text.joined), hint)
        # The line says what is looked up.
        axes = tuple(f"value {number}" for number, _ in enumerate(self.rule.table.axes, 1))
        return replace(self.rule.table, axes=axes)

    def _repeat(self, line: Repeated, names: RuleNames) -> Repeat:
        inner = next((inner for inner in line.body if isinstance(inner, Repeated)), None)
        if inner is not None:
            raise inner.text.error("a repetition inside another one", 0, "repeat each by itself, one below the other")
        before = set(names.known)
        # A round may change what is known of them.
        for each in line.body:
            if not isinstance(each, Repeated):
                self._reaches.pop(node_name(each.label), None)
                names.bound(node_name(each.label), OPEN)
        times = None if line.times is None else names.resolve(line.times)
        if times is not None and names.kind_of(times.tree, times) != NUMBER:
            raise times.error("this is not a number of times", 0, "write repeat 3 times")
        body = tuple(self._steps(line.body, names, again=True))
        until = None if line.until is None else names.resolve(line.until)
        if until is not None:
            names.check_truth(until.tree, until)
            if throws_dice(until.tree):
                raise until.error(
                    "dice in the condition that ends a repetition", 0, "give them a name on a repeated line"
                )
        given = {name for step in every_step(body) for name in given_by(step)}
        ends = set() if until is None else names_in(until.tree)
        if until is not None and times is None and not ends & given:
            raise until.error("no repeated line changes this", 0, "set one of its names in a round")
        # What is given before goes from round to round.
        return Repeat(body, times and times.tree, until and until.tree, tuple(sorted(given & (before | ends))))

    def _read_verdict(self) -> tuple[FactOfRule, Mapping[str, Meaning] | bool | None]:
        """Return the fact that says how well a play went, and what its words mean: that which most words are of."""
        words = [(word, meaning) for meaning, text in self.rule.meanings for word in read_items(text)]
        # Of lines the last one says it, and of columns the first; what a player chooses is no result.
        own = [each for each in self.facts if each.name not in self.asked] or self.facts
        in_order = own if self.is_table else own[::-1]
        meant = [{known: meaning for word, meaning in words for known in each.called(word)} for each in in_order]
        best = max(range(len(meant)), key=lambda at: len(meant[at]))
        if meant[best] and self.draws is None:
            return in_order[best], meant[best]
        if self.is_table:
            return self.facts[0], None
        # Without a word of its author, what is called so is one.
        named = (
            [text for meaning, text in self.rule.meanings if meaning == "success"]
            if self.rule.meanings
            else ["success"]
        )
        truths = [each for each in own if each.kind == TRUTH]
        truth = next((each for each in truths if each.label in named), None)
        # The last of several is no more the verdict than the others.
        return (truth, True) if truth else (own[-1], False if len(truths) > 1 else None)

    def truth_words(self, name: str) -> tuple[str, str] | tuple[()]:
        """Return what sentences say of a fact or a parameter that is yes or no; empty for yes and no."""
        return self.words.get(node_name(name), ())

    def _words_faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the words for yes and no."""
        known = {each.name: each.label for each in self.facts if each.kind == TRUTH}
        known |= {node_name(name): spaced(name) for name, each in self.parameters.items() if each.type is bool}
        for name, words in read_truth_words(self.rule.words):
            if node_name(name) not in known:
                yield Fault(f"no yes-or-no value is called {quoted(name)}", near(name, known.values()))
            elif not words:
                yield Fault(f"{quoted(name)} has no words for yes and no", f"write {name} = a hit / a miss")

    def word_faults(self) -> Iterator[tuple[str, Fault]]:
        """Yield what is wrong with words: those that are a success, partial or a failure, and those for yes and no.

        Each has its option before it.
        """
        yield from (("words", fault) for fault in self._words_faults())
        first: dict[str, Meaning] = {}
        for meaning, text in self.rule.meanings:
            if self.draws is not None:
                message = "several rows are drawn, so no single word says how well it went"
                yield meaning, Fault(message, f"leave out {meaning}, or draw")
                continue
            for word in read_items(text):
                other = first.setdefault(word.casefold(), meaning)
                if other != meaning:
                    yield meaning, Fault(f"{quoted(word)} is also listed as {other}", "leave it out of one of them")
                fault = self._in_no_cell(word) if self.is_table else self._on_no_line(word)
                if fault is not None:
                    yield meaning, fault

    def _on_no_line(self, word: str) -> Fault | None:
        fact = self.verdict_fact
        has_words = isinstance(fact.kind, tuple)
        known = fact.kind if has_words else [one.label for one in self.facts if one.kind == TRUTH]
        if fact.called(word) if has_words else word in known:
            return None
        return Fault(f"no line computes {quoted(word)}", near(word, known) or "write a word of the result")

    def _in_no_cell(self, word: str) -> Fault | None:
        facts = [each for each in self.facts if each.what == "cell"]
        where = f" of {self.verdict_fact.label}" if self.verdict and len(facts) > 1 else ""
        facts = [self.verdict_fact] if self.verdict else facts
        if any(each.called(word) for each in facts):
            return None
        cells = [value for each in facts if each.column is not None for value in each.column.values]
        return Fault(f"{quoted(word)} is in no cell{where}", near(word, dict.fromkeys(map(as_text, cells))))

    @property
    def is_table(self) -> bool:
        """Whether it is a table, whose rows are its lines."""
        return not self.rule.lines

    def bands(self) -> dict[int | None, str] | None:
        """Return what the number rolled means, as a table of ``Say.look_up``: the words that are good or bad.

        It is ``None`` without such words, and where more than one number chooses a row, or none does.
        """
        reader, column = self.tables[0], self.verdict_fact.column
        if not self.verdict or column is None or len(reader.axes) > 1 or not reader.axes[0].throws:
            return None
        return reader.bands_of(column)

    def _check_pools(self, lines: Iterable[Line], names: RuleNames, pools: Collection[str]) -> None:
        for line in _each_line(lines):
            name = node_name(line.label) if isinstance(line, Given) else ""
            if isinstance(line, Given) and name in pools and not names.known[name].is_dice:
                message = f"the dice of {quoted(line.label)} are read below, but it is more than dice"
                raise line.value.error(message, 0, "give the dice a name on a line of their own")
            for part in _parts_of(line):
                # Again, now that all names are known: a bare word may be the name of a later line.
                known = resolve_plays(part, names, self._others.find) if plays(part.tree) else names.resolve(part)
                self._check_comparisons(known, pools)
                subject = known.tree
                if isinstance(line, LookedUp) and isinstance(subject, Reference) and subject.name in pools:
                    name = format_name(subject)
                    hint = f"write sum = {name} above, and look up sum, or count({name} >= 8)"
                    raise part.error(f"{quoted(name)} is dice, which could be counted or added up", 0, hint)

    @staticmethod
    def _check_comparisons(part: Part, pools: Collection[str]) -> None:
        for node in nodes(part.tree):
            if isinstance(node, Compared):
                for side, other in ((node.left, node.right), (node.right, node.left)):
                    if isinstance(side, Reference) and side.name in pools:
                        name, rest = format_name(side), format_name(other)
                        message = f"{quoted(f'{name} {node.op} {rest}')} could count dice, or compare their sum"
                        hint = f"write count({name} {node.op} {rest}), or sum = {name} above, and sum {node.op} {rest}"
                        raise part.error(message, node.at, hint)


def _choices(declared: Declared) -> Sequence[Any]:
    """Return all that a parameter can be; none if these are too many to say."""
    if declared.type is bool:
        return (False, True)
    return declared.values if declared.type is not int else () if isinstance(declared.reach, Range) else declared.reach


def _list_of(item: Any) -> Any:
    return tuple.__class_getitem__((item, ...))


def _parts_of(line: Line) -> Iterable[Part]:
    match line:
        case Given(value=value):
            return (value,)
        case LookedUp(subjects=subjects):
            return subjects
        case Banded(subject=subject, rows=rows):
            return filter(None, (subject, *(part for row in rows for part in (row.test, row.value))))
        case Repeated(times=times, until=until):
            return filter(None, (times, until))


def _thrown(lines: Iterable[Line]) -> set[str]:
    """Return the names of the lines on which dice are thrown, or that read what was thrown; of rounds all are alike."""
    thrown = set[str]()
    for line in lines:
        of_line = [line, *_each_line(line.body)] if isinstance(line, Repeated) else [line]
        trees = [part.tree for each in of_line for part in _parts_of(each)]
        if any(throws_dice(tree) or not thrown.isdisjoint(_lines_in(tree)) for tree in trees):
            thrown |= {node_name(each.label) for each in of_line if not isinstance(each, Repeated)}
    return thrown


def _lines_in(tree: Node) -> set[str]:
    """Return the names in a value, each without the fact behind it."""
    written = (node.written.partition(".")[0] for node in nodes(tree) if isinstance(node, Reference))
    return {*names_in(tree), *map(node_name, written)}


def _kind(declared: Declared) -> Kind:
    if declared.type is int:
        return NUMBER
    if declared.type is bool:
        return TRUTH
    return DICE if declared.type is Sizes else declared.values


def _each_line(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        if isinstance(line, Repeated):
            yield from _each_line(line.body)


def _with_states(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return steps that leave behind what only a round gives, where a later step reads it."""
    found: list[Step] = []
    for index, step in enumerate(steps):
        found.append(step)
        if isinstance(step, Repeat):
            later = set[str]().union(*map(read_by, steps[index + 1 :]))
            given = {name for inner in every_step(step.body) for name in given_by(inner)}
            found[-1] = step._replace(state=tuple(sorted({*step.state, *(given & later)})))
    return tuple(found)


def _lasting(steps: Iterable[Step]) -> set[str]:
    """Return the names that have a value at the end."""
    return {name for step in steps for name in given_by(step)}
