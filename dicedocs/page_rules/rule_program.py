"""A rule of a page, read and checked: what each line does, which names it gives, and what later lines read of these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from dicedocs.errors import DiceError, near, quoted
from dicedocs.expression.faces import DieFaces
from dicedocs.expression.tree import (
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Node,
    Number,
    Question,
    Reference,
    Set,
    children,
    nodes,
)
from dicedocs.page_rules.axis import find_reach
from dicedocs.page_rules.layout import TableError, TableRow
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.page_table import Meaning, PageTable
from dicedocs.page_rules.parameter_text import Declared, parameter_name, parameter_of, read_items, read_parameter
from dicedocs.page_rules.pool_folds import DIE, EVERY, TOTAL, Alike, Best, Count, Fold, Largest
from dicedocs.page_rules.ranges import Range, read_ranges
from dicedocs.page_rules.row_faults import Fault
from dicedocs.page_rules.rule_lines import Given, Line, LookedUp, Part, Repeated, RuleError, node_name, read_lines
from dicedocs.page_rules.rule_names import DICE, NUMBER, TRUTH, Kind, Named, RuleNames, format_name
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.page_rules.table_rule import TableRule, page_mechanics
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Sizes
from dicedocs.rules.reserved import RESERVED

_ONE: Final = Number(1)


class Assign(NamedTuple):
    """Give a name to a value.

    Parameters:
        name, label: the name, and how it is written.
        tree: the value.
        kind: what it is.
    """

    name: str
    label: str
    tree: Node
    kind: Kind


class LookUp(NamedTuple):
    """Give names to what a table has for some values.

    Parameters:
        names: each name, and how it is written, for each column.
        subjects: the values.
        table: the index of the table among those of the program.
    """

    names: tuple[tuple[str, str], ...]
    subjects: tuple[Node, ...]
    table: int


class Repeat(NamedTuple):
    """Do lines again.

    Parameters:
        body: the lines.
        times: how often; ``None`` for no such number.
        until: what ends it; ``None`` if only the number does.
        state: the names whose values a round takes from the one before, or leaves behind.
    """

    body: tuple[Step, ...]
    times: Node | None
    until: Node | None
    state: tuple[str, ...]


Step: TypeAlias = Assign | LookUp | Repeat


class LookedUpTable:
    """A table that a rule looks something up in.

    Parameters:
        table: the table.

    Attributes:
        reader: the table, read.
        rule: the table as a rule, if dice are thrown in its cells.
        facts: what it gives: each with its head, and its kind.
    """

    def __init__(self, table: PageTable) -> None:
        self.reader = TableReader(table)
        self.rule: type[TableRule] | None = None
        self.facts: list[tuple[str, Kind]] = []
        for column in self.reader.columns:
            words = tuple(dict.fromkeys(value for value in column.values if isinstance(value, str)))
            self.facts.append((column.head, words or NUMBER))
        if any(column.rolled for column in self.reader.columns):
            self.rule = page_mechanics([table])[table.id]
            self.facts += [(column.rolled, NUMBER) for column in self.reader.columns if column.rolled]

    @property
    def facts_of_rule(self) -> list[str]:
        """The names of what it gives among the facts of its rule."""
        columns = self.reader.columns
        return [*(column.name for column in columns), *(column.rolled for column in columns if column.rolled)]

    def bands(self) -> dict[int | None, str] | None:
        """Return its first column as a table of ``Say.look_up``; ``None`` if that is more than a number's meaning."""
        return self.reader.bands_of(self.reader.columns[0]) if len(self.reader.axes) == 1 else None


class FactOfRule(NamedTuple):
    """A fact of a rule.

    Parameters:
        name: the name of the value.
        label: as written.
        kind: what it is.
    """

    name: str
    label: str
    kind: Kind

    @property
    def field(self) -> str:
        """The name of the fact."""
        return parameter_name(self.label)

    def called(self, word: str) -> list[str]:
        """Return the words that a word is, in whatever case."""
        known = self.kind if isinstance(self.kind, tuple) else ()
        return [text for text in known if text.casefold() == word.casefold()]


class Program:
    """A rule of a page, read.

    Parameters:
        rule: the rule.

    Attributes:
        rule: the rule.
        parameters: its parameters, as a mechanic declares them.
        steps: what its lines do.
        tables: those that its lines look something up in.
        facts: its facts.
        verdict_fact: the fact that says how well a play went, or else the last one, which is the main fact.
        verdict: what its words mean; ``True`` if it is yes or no; ``None`` if nothing is said of it.
        needs: what is asked of the dice of each name, for names whose dice are read.

    Raises:
        RuleError, TableError: it cannot be read.
    """

    def __init__(self, rule: PageRule) -> None:
        self.rule = rule
        self.parameters = {parameter_of(name): self._parameter(name, text) for name, text in rule.parameters}
        self.tables: list[LookedUpTable] = []
        self._reaches = {name: _bounds(declared) for name, declared in self.parameters.items()}
        names = RuleNames({name: Named(name, _kind(declared)) for name, declared in self.parameters.items()})
        lines = self._with_table(read_lines(rule.lines))
        if not lines:
            raise RuleError("the rule has no lines", hint="write one, as in total = 2d6 + stat")
        self.steps = _with_states(tuple(self._steps(lines, names, again=False)))
        self._check_parameters(names)
        pools = _pools(self.steps)
        self._check_pools(lines, names, pools)
        self.facts = [
            FactOfRule(name, named.label, named.kind)
            for name, named in names.known.items()
            if name not in self.parameters and name not in pools and name in _lasting(self.steps)
        ]
        self.needs = needs_of(self.steps, self.parameters)
        self.verdict_fact, self.verdict = self._read_verdict()

    # How it is read

    def _parameter(self, name: str, text: str) -> Declared:
        key = parameter_of(name)
        try:
            if key in RESERVED or hasattr(Mechanic, key):
                raise DiceError(f"{quoted(name)} is a reserved name", hint="choose another")
            return read_parameter(text)
        except DiceError as error:
            wrong = TableError(error.message, hint=error.hint)
            wrong.parameter = name
            raise wrong from error

    def _with_table(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return lines with one that looks something up in the table, if none of them does."""
        table = self.rule.table
        if table is None or any(isinstance(line, LookedUp) and not line.bands for line in _each_line(lines)):
            return lines
        written = f"{table.columns[0]} = {', '.join(table.axes)}:"
        try:
            return (*lines, *read_lines([written]))
        except RuleError as error:
            message = f"the table is looked up by {quoted(', '.join(table.axes))}: {error.message}"
            raise TableError(
                message, hint=f"write a line such as result = {table.axes[0]}:", line=table.head_line
            ) from None

    def _check_parameters(self, names: RuleNames) -> None:
        for name in self.parameters:
            if name not in names.read:
                unused = TableError("there is no such option, and no line reads it", hint=near(name, names.read))
                unused.parameter = name
                raise unused

    def _steps(self, lines: Sequence[Line], names: RuleNames, *, again: bool) -> Iterator[Step]:
        for line in lines:
            match line:
                case Given(label, value):
                    self._check_name(label, value)
                    value = names.resolve(value)
                    kind, is_dice = names.kind_of(value.tree, value), names.is_dice(value.tree)
                    names.note_symbols(label, value.tree)
                    names.give(label, kind, value, again=again, is_dice=is_dice)
                    if not again and kind == NUMBER:
                        self._reaches[node_name(label)] = find_reach(value.tree, self._reaches)
                    yield Assign(node_name(label), label, value.tree, kind)
                case LookedUp(label):
                    yield self._look_up(line, names, again=again)
                case Repeated():
                    yield self._repeat(line, names)

    @staticmethod
    def _check_name(label: str, part: Part) -> None:
        name = parameter_name(label)
        if name in RESERVED or hasattr(Outcome, name):
            raise part.text.error(f"{quoted(label)} is a reserved name", 0, "choose another")

    def _look_up(self, line: LookedUp, names: RuleNames, *, again: bool) -> LookUp:
        subjects = tuple(map(names.resolve, line.subjects))
        self._check_name(line.label, subjects[0])
        for subject in subjects:
            if isinstance(names.kind_of(subject.tree, subject), tuple):
                raise subject.error(
                    "words are looked up", 0, "look up a number, or write cases: 90 if odds = sure, else 50"
                )
        if not line.bands:
            looked_up = LookedUpTable(self._table_below(line))
        elif len(subjects) > 1:
            raise line.text.error("two values have no rows in one line", line.at, "write a table below the rule")
        else:
            looked_up = LookedUpTable(PageTable(self.rule.id, ("value",), (line.label,), tuple(_bands(line))))
        if len(looked_up.reader.axes) != len(subjects):
            wanted = len(looked_up.reader.axes)
            message = (
                f"the table is looked up by {wanted} value{'s' if wanted > 1 else ''}, and the line has {len(subjects)}"
            )
            raise line.text.error(message, line.at, "write one for the rows and, of a matrix, one for its columns")
        if len(subjects) == 1:
            for message, hint in row_faults(looked_up.reader, find_reach(subjects[0].tree, self._reaches)):
                raise line.text.error(message, line.at, hint)
        self.tables.append(looked_up)
        labels = [line.label, *(label for label, _ in looked_up.facts[1:])]
        for label, (_, kind) in zip(labels, looked_up.facts, strict=True):
            names.give(label, kind, subjects[0], again=again)
        given = tuple((node_name(label), label) for label in labels)
        return LookUp(given, tuple(subject.tree for subject in subjects), len(self.tables) - 1)

    def _table_below(self, line: LookedUp) -> PageTable:
        if self.rule.table is None:
            hint = "write one there, or the rows behind the colon: 6- miss, 7+ hit"
            raise line.text.error("no table stands in or below this rule", len(line.text.joined), hint)
        # The line says what is looked up.
        axes = tuple(f"value {number}" for number, _ in enumerate(self.rule.table.axes, 1))
        return replace(self.rule.table, axes=axes, parameters=(), meanings=())

    def _repeat(self, line: Repeated, names: RuleNames) -> Repeat:
        inner = next((inner for inner in line.body if isinstance(inner, Repeated)), None)
        if inner is not None:
            raise inner.text.error("a repetition inside another one", 0, "repeat each by itself, one below the other")
        before = set(names.known)
        # A round may change what is known of them.
        self._reaches.update({node_name(each.label): None for each in line.body if not isinstance(each, Repeated)})
        times = None if line.times is None else names.resolve(line.times)
        if times is not None and names.kind_of(times.tree, times) != NUMBER:
            raise times.error("this is no number of times", 0, "write repeat 3 times")
        body = tuple(self._steps(line.body, names, again=True))
        until = None if line.until is None else names.resolve(line.until)
        if until is not None:
            names.check_truth(until.tree, until)
        given = {name for step in every_step(body) for name in given_by(step)}
        ends = set() if until is None else _names(until.tree)
        if until is not None and times is None and not ends & given:
            raise until.error("no line that is repeated changes this", 0, "give one of its names in a round")
        # What is given before goes from round to round.
        return Repeat(body, times and times.tree, until and until.tree, tuple(sorted(given & (before | ends))))

    def _read_verdict(self) -> tuple[FactOfRule, Mapping[str, Meaning] | Literal[True] | None]:
        """Return the fact that says how well a play went, and what its words mean: that which most words are of."""
        words = [(word, meaning) for meaning, text in self.rule.meanings for word in read_items(text)]
        best, most = self.facts[-1], dict[str, Meaning]()
        for each in self.facts:
            meant = {known: meaning for word, meaning in words for known in each.called(word)}
            if len(meant) >= max(1, len(most)):
                best, most = each, meant
        if most:
            return best, most
        truth = next(
            (each for each in self.facts if each.kind == TRUTH and ("success", each.label) in self.rule.meanings), None
        )
        return (truth, True) if truth else (self.facts[-1], None)

    def word_faults(self) -> Iterator[tuple[Meaning, Fault]]:
        """Yield what is wrong with the words that are a success, partial or a failure, each with its option."""
        first: dict[str, Meaning] = {}
        fact = self.verdict_fact
        for meaning, text in self.rule.meanings:
            for word in read_items(text):
                other = first.setdefault(word.casefold(), meaning)
                if other != meaning:
                    yield meaning, Fault(f"{quoted(word)} is listed as {other}, too", "leave it out of one of them")
                known = (
                    fact.kind
                    if isinstance(fact.kind, tuple)
                    else [one.label for one in self.facts if one.kind == TRUTH]
                )
                if not (fact.called(word) if isinstance(fact.kind, tuple) else word in known):
                    message = f"no line gives {quoted(word)}"
                    yield meaning, Fault(message, near(word, known) or "write a word of the result")

    def _check_pools(self, lines: Iterable[Line], names: RuleNames, pools: Collection[str]) -> None:
        for line in _each_line(lines):
            if (
                isinstance(line, Given)
                and node_name(line.label) in pools
                and not names.known[node_name(line.label)].is_dice
            ):
                message = f"the dice of {quoted(line.label)} are read below, and it is more than dice"
                raise line.value.error(message, 0, "give the dice a name on a line of their own")
            parts = (
                [line.value]
                if isinstance(line, Given)
                else [p for p in (line.times, line.until) if p]
                if isinstance(line, Repeated)
                else line.subjects
            )
            for part in parts:
                self._check_comparisons(names.resolve(part), pools)

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


def _bounds(declared: Declared) -> Sequence[int] | None:
    """Return the numbers that a parameter can be; ``None`` if these have no end, or it is no number."""
    low, high = (declared.field.low, declared.field.high) if declared.type is int else (None, None)
    return None if low is None or high is None else range(low, high + 1)


def _kind(declared: Declared) -> Kind:
    if declared.type is int:
        return NUMBER
    if declared.type is bool:
        return TRUTH
    return DICE if declared.type is Sizes else declared.values


def _bands(line: LookedUp) -> Iterator[TableRow]:
    """Yield the rows that stand in a line: ``6- miss, 7-9 weak hit``."""
    for item in read_items(line.bands):
        words = item.split()
        cuts = [at for at in range(1, len(words)) if _is_range(" ".join(words[:at]))]
        if not cuts:
            hint = "write numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit"
            raise line.text.error(f"{quoted(item)} is not a row", max(line.at, line.text.joined.find(item)), hint)
        yield TableRow((" ".join(words[: cuts[-1]]),), (" ".join(words[cuts[-1] :]).strip('"“”'),))


def row_faults(reader: TableReader, reach: Sequence[int] | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the rows for one number, each with a hint.

    Parameters:
        reader: the table.
        reach: the numbers that are looked up; ``None`` if these are unknown.
    """
    keys = [reader.keys(row)[0] for row in range(len(reader.columns[0].values))]
    ranges = sorted((each for key in keys for each in key if isinstance(each, Range)), key=_ends)
    for one, two in pairwise(ranges):
        (_, end), (start, _) = _ends(one), _ends(two)
        if start <= end:
            yield f"the rows {one} and {two} are for the same numbers", "let one end before the other begins"
        elif reach is None and start > end + 1:
            yield f"no row is for {Range(int(end) + 1, int(start) - 1)}", "add one"
    missing = None if reach is None else next(_missing(ranges, reach), None)
    if missing:
        yield f"no row is for {missing}", "add one, or leave an end open, as in 6- or 10+"


def _missing(ranges: Iterable[Range], reach: Sequence[int]) -> Iterator[Range]:
    """Yield the numbers that can come up and are in none of some ranges, which are in order."""
    if not isinstance(reach, range):
        yield from (Range(number, number) for number in reach if not any(each.holds(number) for each in ranges))
        return
    low = float(reach[0])
    for start, end in [*map(_ends, ranges), (float("inf"), float("inf"))]:
        if low < start and low <= reach[-1]:
            yield Range(int(low), int(min(start - 1, reach[-1])))
        low = max(low, end + 1)


def _ends(numbers: Range) -> tuple[float, float]:
    low, high = numbers
    return float("-inf") if low is None else low, float("inf") if high is None else high


def _is_range(text: str) -> bool:
    try:
        return bool(read_ranges(text))
    except DiceError:
        return False


# What steps give and read


def _each_line(lines: Iterable[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        if isinstance(line, Repeated):
            yield from _each_line(line.body)


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps, and those that they repeat."""
    for step in steps:
        yield step
        if isinstance(step, Repeat):
            yield from every_step(step.body)


def given_by(step: Step) -> tuple[str, ...]:
    """Return the names that have a value after a step, or another one than before."""
    match step:
        case Assign(name):
            return (name,)
        case LookUp(names):
            return tuple(name for name, _ in names)
        case Repeat(state=state):
            return state


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


def trees_of(step: Step) -> tuple[Node, ...]:
    """Return the values that a step computes, without those of the steps that it repeats."""
    match step:
        case Assign(tree=tree):
            return (tree,)
        case LookUp(subjects=subjects):
            return subjects
        case Repeat(times=times, until=until):
            return tuple(tree for tree in (times, until) if tree is not None)


def _names(tree: Node) -> set[str]:
    return {node.name for node in nodes(tree) if isinstance(node, Reference) and node != DIE}


def read_by(step: Step) -> set[str]:
    """Return the names that a step reads, with those of the steps that it repeats."""
    found = set[str]().union(*map(_names, trees_of(step)))
    if isinstance(step, Repeat):
        found |= set[str]().union(*map(read_by, step.body), step.state)
    return found


def _lasting(steps: Iterable[Step]) -> set[str]:
    """Return the names that have a value at the end."""
    return {name for step in steps for name in given_by(step)}


def needed_steps(steps: Sequence[Step], wanted: Collection[str]) -> tuple[Step, ...]:
    """Return the steps on which some names depend."""
    live, kept = set(wanted), list[Step]()
    for step in reversed(steps):
        if live & set(given_by(step)):
            kept.insert(0, step)
            live = (live - ended_by(step)) | read_by(step)
    return tuple(kept)


def ended_by(step: Step) -> set[str]:
    """Return the names whose values before a step nothing reads after it."""
    return set() if isinstance(step, Repeat) else {*given_by(step)}


def reads(step: Step, needs: Needs) -> set[str]:
    """Return the names that a step reads, with those that decide what is asked of dice that it throws."""
    inner = every_step([step])
    asked = {
        name for one in inner for given in given_by(one) for fold in needs.get(given, ()) for name in names_of(fold)
    }
    return read_by(step) | asked


def throws(step: Step, tables: Sequence[LookedUpTable]) -> bool:
    """Return whether a step may throw dice."""
    if isinstance(step, LookUp) and tables[step.table].rule is not None:
        return True
    return isinstance(step, Repeat) or any(map(_has_dice, trees_of(step)))


# Dice


def _pools(steps: Sequence[Step]) -> set[str]:
    """Return the names whose dice are read: by a question, by a modifier, or under another name."""
    found: set[str] = set()
    every = list(every_step(steps))
    for step in every:
        for tree in trees_of(step):
            for node in nodes(tree):
                match node:
                    case Question(name, (first, *_)) if name != "roll":
                        found |= _parts(first)
                    case Set((inner,)):
                        found |= _parts(inner)
    while True:
        more = found.union(*(_parts(step.tree) for step in every if isinstance(step, Assign) and step.name in found))
        if more == found:
            return found
        found = more


def _parts(node: Node) -> set[str]:
    """Return the names of the dice of which a value consists."""
    match node:
        case Reference(name=name):
            return {name}
        case Group(inner) | Labelled(inner) | Set((inner,)):
            return _parts(inner)
        case Chain():
            return set[str]().union(*map(_parts, node.operands))
        case Cases(cases, otherwise):
            return _parts(otherwise).union(*(_parts(value) for value, _ in cases))
    return set()


def fold_of(question: Question) -> Fold:
    """Return what a question asks of dice."""
    match question:
        case Question("count", (_, condition)):
            return Count(condition)
        case Question("count"):
            return Count()
        case Question("highest" | "lowest" as name, (_, *rest)):
            return Best(rest[0] if rest else _ONE, name == "highest")
        case Question("matches"):
            return Alike()
        case Question("sides"):
            return Largest()
    return TOTAL


Needs: TypeAlias = Mapping[str, tuple[Fold, ...]]
"""What is asked of the dice of each name whose dice are read."""


def needs_of(steps: Sequence[Step], parameters: Iterable[str]) -> Needs:
    """Return what is asked of the dice of each name."""
    pools = _pools(steps)
    found: dict[str, dict[Fold, None]] = {name: {} for name in pools}
    every = list(every_step(steps))
    throws = {step.name: step.tree for step in every if isinstance(step, Assign) and step.name in pools}
    places = {name: place for place, step in enumerate(every) for name in given_by(step)} | dict.fromkeys(
        parameters, -1
    )

    def need(node: Node, fold: Fold) -> None:
        match node:
            case Reference(name=name) if name in found:
                found[name][fold] = None
            case Group(inner) | Labelled(inner):
                need(inner, fold)
            case Set((inner,)):
                need(inner, EVERY)
            case Chain():
                for operand in node.operands:
                    need(operand, EVERY if isinstance(fold, Alike) else fold)
            case Cases(cases, otherwise):
                for value in (otherwise, *(value for value, _ in cases)):
                    need(value, fold)

    def visit(node: Node) -> None:
        match node:
            case Question(name, (pool, *others)) if name != "roll":
                need(pool, fold_of(node))
                for other in (*others, *([] if isinstance(pool, Reference) else [pool])):
                    visit(other)
            case Reference(name=name) if name in found:
                found[name][TOTAL] = None
            case Set((inner,)):
                need(inner, EVERY)
            case _:
                for child in children(node):
                    visit(child)

    for step in every:
        for tree in trees_of(step):
            # The parts of dice are asked for what is asked of the whole.
            for node in _beside_dice(tree) if isinstance(step, Assign) and step.name in pools else [tree]:
                visit(node)
    before: object = None
    while before != (before := {name: tuple(folds) for name, folds in found.items()}):
        for name, tree in throws.items():
            for fold in tuple(found[name]):
                need(tree, fold)
            for fold in tuple(found[name]):
                is_known = all(places.get(other, 0) < places[name] for other in names_of(fold))
                if not is_known or has_dice(fold) or (isinstance(fold, Alike) and _is_mixed(tree)):
                    del found[name][fold]
                    found[name][EVERY] = None
    return {name: (EVERY,) if EVERY in folds else tuple(folds) for name, folds in found.items()}


def _beside_dice(tree: Node) -> Iterator[Node]:
    """Yield the numbers and the conditions in a value that is dice."""
    match tree:
        case DiceTerm():
            yield from children(tree)
        case Cases(cases, otherwise):
            for value, condition in cases:
                yield condition
                yield from _beside_dice(value)
            yield from _beside_dice(otherwise)
        case Chain() | Group() | Labelled() | Set():
            for child in children(tree):
                yield from _beside_dice(child)


def _parts_of(fold: Fold) -> tuple[Node, ...]:
    match fold:
        case Count(condition) if condition is not None:
            return (condition,)
        case Best(number):
            return (number,)
    return ()


def names_of(fold: Fold) -> set[str]:
    """Return the names that a fold reads beside the dice."""
    return set[str]().union(*map(_names, _parts_of(fold)))


def has_dice(fold: Fold) -> bool:
    """Return whether other dice are thrown for a fold."""
    return any(map(_has_dice, _parts_of(fold)))


def _has_dice(tree: Node) -> bool:
    return any(
        isinstance(node, DiceTerm) or (isinstance(node, Question) and node.name == "roll") for node in nodes(tree)
    )


def _is_mixed(tree: Node) -> bool:
    """Return whether dice do not all show the numbers from 1 to the same one, each once when they are thrown."""
    return any(
        isinstance(node, Chain)
        or (isinstance(node, DiceTerm) and (isinstance(node.sides, DieFaces) or bool(node.modifiers)))
        for node in nodes(tree)
    )
