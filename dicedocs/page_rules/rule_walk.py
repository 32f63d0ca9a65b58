"""The walk over a rule of a page: its lines one after the other, for a roll and for its odds alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, TypeVar

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, quoted
from dicedocs.expression.odds import tree_distribution
from dicedocs.expression.pool import RerollBudget, ThrownPool, keep, pool_rules
from dicedocs.expression.pool_odds import NotCountedError, fold_odds
from dicedocs.expression.references import substitute
from dicedocs.expression.roll import Roller
from dicedocs.page_rules.cells import Part
from dicedocs.page_rules.parameter_text import label_of
from dicedocs.page_rules.player_choices import chooses, way_of
from dicedocs.page_rules.pool_folds import EVERY, TOTAL, Best, Count, Face, Faces, Fold, fold_faces
from dicedocs.page_rules.pool_needs import Needs, fold_of, has_dice, live_before, reads
from dicedocs.page_rules.rule_steps import (
    CHOICES,
    ROWS,
    WITHOUT,
    Assign,
    FindRow,
    LookUp,
    Repeat,
    Step,
    Together,
    every_step,
    given_by,
    names_in,
    throws_dice,
    trees_of,
)
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.probability.chains import Counts
from dicedocs.probability.dice_calls import Counted
from dicedocs.rules.dice import Choosing, Dice, Rule, check_limits
from dicedocs.rules.kinds import as_text, spaced
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.steps import SILENT, Say, Term
from dicedocs.syntax.arithmetic import WholeNumbers, compute
from dicedocs.syntax.decisions import written_way
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.faces import DieFaces, DieType
from dicedocs.syntax.modifiers import Modifier, PoolRules
from dicedocs.syntax.rule_names import TRUTH
from dicedocs.syntax.tree import (
    IT,
    Cases,
    Chain,
    DiceTerm,
    Group,
    Labelled,
    Logic,
    Node,
    Number,
    Play,
    Question,
    Reference,
    Set,
    Words,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    nodes,
    rebuild,
)
from dicedocs.translation import mark

R = TypeVar("R", bound=Outcome)
Value = Any
"""What a name stands for: a number, yes or no, words, or what is known of dice."""
Result = int | str
"""What dice or a table in a cell come to."""
PlayOther: TypeAlias = Callable[["Other", Dice], tuple[Value, ...]]
"""Plays another rule or table; returns its facts that are asked for."""
Line: TypeAlias = Assign | LookUp | FindRow | Together
"""A step that gives its names at once."""
States = tuple[Any, ...]
"""What is known of dice: the states of the folds that are asked of them."""
Turn: TypeAlias = tuple[tuple[Step, ...], frozenset[str]]
"""Lines of a round up to its next throw, and the names that are read behind them."""


class Other(NamedTuple):
    """Another rule or table that is played.

    Parameters:
        id: its id.
        values: its parameters; of a table those that it may read.
        facts: the facts that are asked for, of which an empty one is the main one; none for what a cell shows.
        label: what the working calls it; empty for its title.
        is_counted: whether odds are counted, for which nothing is thrown that is not asked for.
        without: the rows of a table on which it is rolled again.
    """

    id: str
    values: Mapping[str, Value]
    facts: Sequence[str]
    label: str
    is_counted: bool
    without: tuple[int, ...] = ()


class Thrown(Outcome):
    """The total of dice."""

    total: int


@dataclass(frozen=True)
class Throw(Counted):
    """A rule that throws dice with modifiers, whose odds are known without playing it.

    Parameters:
        tree: a notation without names.
        written: the notation with them.
    """

    tree: Node
    written: Node = field(compare=False)

    def resolve(self, dice: Dice, say: Say) -> Thrown:
        (total,) = Roller(dice, say).roll(self.tree, self.written)
        return Thrown(total)

    @staticmethod
    def result() -> type[Thrown]:
        """Return the class of its outcomes."""
        return Thrown

    def counts(self) -> Counts | None:
        """Return the ways to each total; ``None`` if the dice have to be counted one by one."""
        try:
            odds = tree_distribution(self.tree)
        except NotCountedError:
            return None
        return Counts({(total,): ways for total, ways in odds.items()}, odds.denominator)


class Lines:
    """Lines of a rule, in the order in which they are done.

    Parameters:
        steps: what they do.
        tables: those that they look something up in.
        needs: what is asked of the dice of each name whose dice are read.
        play: plays the rules that lines name, and the tables that cells name.
        is_counted: whether odds are counted, for which nothing is thrown that is not asked for.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        tables: Sequence[TableReader],
        needs: Needs,
        play: PlayOther,
        *,
        is_counted: bool = False,
    ) -> None:
        self.steps, self.tables, self.needs = tuple(steps), tables, needs
        self.play, self.is_counted = play, is_counted
        every = list(every_step(self.steps))
        self._throwing = {id(step) for step in every if self._may_throw(step)}
        self._plays = {id(step) for step in every if self._is_play(step)}
        self._read = {id(step): tuple(sorted(reads(step, needs))) for step in every}
        self._turns = {id(step): tuple(self._parts(step)) for step in every if isinstance(step, Repeat)}

    def _may_throw(self, step: Step) -> bool:
        if isinstance(step, LookUp) and (step.throw or any(each.what == "rolled" for each in step.names)):
            return True
        return isinstance(step, Repeat | Together) or any(map(throws_dice, trees_of(step)))

    def _is_play(self, step: Step) -> bool:
        match step:
            case LookUp(throw=throw):
                return bool(throw)
            case Assign(tree=tree, facts=facts):
                return (bool(facts) and not self.is_counted) or chooses(tree)
        return False

    def _parts(self, step: Repeat) -> Iterator[Turn]:
        given = {name for inner in every_step(step.body) for name in given_by(inner)}
        live = live_before(step.body, step.state, self.needs)
        starts = [0, *[at for at, inner in enumerate(step.body) if self.throws(inner)][1:], len(step.body)]
        for start, end in pairwise(starts):
            yield step.body[start:end], frozenset(live[end] & given)

    def throws(self, step: Step) -> bool:
        """Return whether one of these steps may throw dice."""
        return id(step) in self._throwing

    def is_play(self, step: Step) -> bool:
        """Return whether a line is made no play of its own: it is one, or a player chooses by all that is known there.

        One is what is thrown for a row, and another rule in a roll.
        """
        return id(step) in self._plays

    def turns(self, step: Repeat) -> tuple[Turn, ...]:
        """Return the lines from one throw of a round to the next, and the names that are read later.

        What is alike there is counted once, however the dice before it fell.
        """
        return self._turns[id(step)]

    def read(self, step: Step) -> tuple[str, ...]:
        """Return the names that one of these steps reads."""
        return self._read[id(step)]


class LineValues(Outcome):
    """What a line gives its names to."""

    given: tuple[Any, ...]


@dataclass(frozen=True)
class ChangedDice(Counted):
    """A rule that throws dice of which some are thrown again, changed or explode, and returns what is asked of them.

    Parameters:
        count: the number of dice.
        sides: their sides, or their faces.
        modifiers: what is done with them.
        folds: what is asked.
    """

    count: int
    sides: int | DieFaces
    modifiers: tuple[Modifier, ...]
    folds: tuple[Fold, ...]

    def resolve(self, dice: Dice, say: Say) -> LineValues:
        die, rules = pool_rules(self.sides, self.modifiers)
        thrown = keep(rules, ThrownPool(die, rules, self.count, dice, RerollBudget()).dice)
        faces = tuple(sorted(Face(each.value, die.sides, each.symbols) for each in thrown))
        return LineValues(tuple([fold_faces(fold, faces) for fold in self.folds]))

    @staticmethod
    def result() -> type[LineValues]:
        """Return the class of its outcomes."""
        return LineValues

    def counts(self) -> Counts | None:
        """Return the ways to each outcome; ``None`` if the dice have to be counted one by one."""
        die, rules = pool_rules(self.sides, self.modifiers)
        weights: dict[int, list[Any]] = {}

        def add(states: States, value: int) -> States:
            if value not in weights:
                weights[value] = [fold.weigh(Face(value, die.sides)) for fold in self.folds]
            each = zip(self.folds, states, weights[value], strict=True)
            return tuple([fold.add(state, weight, 1) for fold, state, weight in each])

        start = tuple([fold.start for fold in self.folds])
        if any(die.faces.symbols if die.faces is not None else ()):
            return None
        try:
            ways, total_ways = fold_odds(self.count, die, rules, start, add)
        except NotCountedError:
            return None
        return Counts({(states,): number for states, number in ways.items()}, total_ways)


@dataclass(frozen=True)
class PlayedLine(Counted):
    """A line that throws dice, as a rule of its own: whatever reads the same has the same odds, counted once.

    Parameters:
        lines: the lines of the rule.
        step: the line.
        values: what it reads, by name.
    """

    lines: Lines
    step: Line = field(hash=False)  # which would take as long as the line
    values: tuple[tuple[str, Value], ...]

    def resolve(self, dice: Dice, say: Say) -> LineValues:
        walk = RuleWalk(self.lines, dict(self.values), dice, say)
        return LineValues(walk.values_of(self.step))

    @staticmethod
    def result() -> type[LineValues]:
        """Return the class of its outcomes."""
        return LineValues


class RuleWalk:
    """A walk over lines of a rule.

    Parameters:
        lines: all of them.
        values: what its names stand for so far; those that its lines give are added.
        dice, say: those of the rule.
    """

    def __init__(self, lines: Lines, values: Mapping[str, Value], dice: Dice, say: Say) -> None:
        self._lines = lines
        self.values = dict(values)
        self._dice = dice
        self._say = say
        self._arithmetic = WholeNumbers()

    def run(self, step: Step) -> None:
        """Do what a line says."""
        match step:
            case Repeat():
                self._repeat(step)
            case _ if self._say or not self._lines.throws(step) or self._lines.is_play(step):
                self._give(step, self.values_of(step))
            case _:
                self._give(step, self._played(step, self._lines.read(step)))

    def _played(self, step: Line, read: Iterable[str]) -> tuple[Value, ...]:
        """Return what a line gives its names to, as a play of its own."""
        values = tuple([(name, self.values[name]) for name in read if name in self.values])
        try:
            return self._dice.play(PlayedLine(self._lines, step, values)).given
        except LimitError as error:
            error.mechanic = ""  # a line is none
            raise

    def _play(self, rule: Rule[R]) -> R:
        """Return the outcome of a part of a line; its steps are those of the line."""
        return rule.resolve(self._dice, self._say) if self._say else self._dice.play(rule)

    def _give(self, step: Assign | LookUp | Together, values: tuple[Value, ...]) -> None:
        self.values.update(zip(given_by(step), values, strict=True))

    def values_of(self, step: Line) -> tuple[Value, ...]:
        """Return what a line gives its names to.

        Raises:
            DiceError: it has no value, such as a quotient by 0; the error names the line.
        """
        if isinstance(step, Together):
            for line in step.steps:
                self.run(line)
            return tuple([self.values[name] for name in step.names])
        try:
            return self._values_of(step)
        except LimitError:
            raise
        except DiceError as error:
            if isinstance(step, FindRow) or (isinstance(step, LookUp) and step.throw):
                raise  # a table has no lines to name
            name = spaced(step.name if isinstance(step, Assign) else given_by(step)[0])
            if error.parameter != name and not error.message.startswith(f"{name}: "):
                error.message = f"{name}: {error.message}"
            raise

    def _values_of(self, step: Assign | LookUp | FindRow) -> tuple[Value, ...]:
        match step:
            case FindRow():
                return self._found(step)
            case Assign(facts=(_, *_)):
                return self._played_facts(step, step.tree)
            case Assign(name, label, tree) if name in self._lines.needs:
                return (self._pool(tree, self._lines.needs[name], label),)
            case Assign():
                return (self._assigned(step),)
            case LookUp():
                return tuple(self._looked_up(step))

    def _looked_up(self, step: LookUp) -> Iterator[Value]:
        table = self._lines.tables[step.table]
        asked = {(each.what, each.column) for each in step.names}
        row, *values = self._row(step)
        drawn = self.values.get(ROWS) or ()
        if step.draws is not None and step.draws.without_repeats and row in drawn:
            self._say.fact(mark("Already drawn"), as_text(table.columns[0].values[row]))
            yield from (self.values[each.name] for each in step.names)
            return
        numbers = [value for axis, value in zip(table.axes, values, strict=False) if axis.throws]
        results: dict[int, tuple[Result, ...]] = {}
        for at, column in enumerate(table.columns):
            results[at] = tuple(self._rolled(step, row, column.parts[row])) if ("rolled", at) in asked else ()
            if self._say and ("cell", at) in asked:
                self._say_cell(step, at, row, values, results[at])
        for each in step.names:
            column = table.columns[each.column]
            before = () if step.draws is None else self.values.get(each.name) or ()
            match each.what, step.draws:
                case "cell", None:
                    yield column.values[row]
                case "cell", _:
                    yield (*before, column.drawn(column.values[row]))
                case "rolled", None:
                    yield column.rolled_value(results[each.column], column.values[row])
                case "rolled", _:
                    yield (*before, *map(column.result, results[each.column]))
                case "roll", None:
                    yield numbers[0] if len(numbers) == 1 else tuple(numbers)
                case "roll", _:
                    yield (*before, *numbers)
                case "rows", _:
                    yield (*before, row)
                case "drawn", _:
                    yield (self.values.get(each.name) or 0) + 1

    def _row(self, step: LookUp) -> tuple[Value, ...]:
        """Return the row that is chosen, and by which values; one that is to be left out is rolled again."""
        is_read = not step.throw or any(each.what == "roll" for each in step.names)
        find = FindRow(step.subjects, step.table, step.throw, is_read)
        read = tuple(sorted({name for tree in step.subjects for name in names_in(tree)}))
        without: tuple[int, ...] = self.values.get(WITHOUT) or ()
        if not without:
            return self._thrown_row(find, read)
        lines, known = self._lines, tuple([(name, self.values[name]) for name in read])

        def turn(dice: Dice, say: Say, *_: Value) -> tuple[Value, ...]:
            return RuleWalk(lines, dict(known), dice, say)._thrown_row(find, read)

        def is_over(row: int | None, *_: Value) -> bool:
            return row is not None and row not in without

        start = (None,) * (1 + len(step.subjects) * is_read)
        return self._dice.repeat(turn, start, is_over, label=step.throw)

    def _thrown_row(self, find: FindRow, read: Iterable[str]) -> tuple[Value, ...]:
        return self._found(find) if self._say or not find.throw else self._played(find, read)

    def _found(self, find: FindRow) -> tuple[Value, ...]:
        """Return the row that some values choose, and these if they are asked for."""
        table = self._lines.tables[find.table]
        values = [self._worked(find.throw, tree) if find.throw else self.number(tree) for tree in find.subjects]
        return (table.find(values), *(values if find.with_values else ()))

    def _say_cell(self, step: LookUp, at: int, row: int, values: Sequence[Value], results: Sequence[Result]) -> None:
        """Say what stands in a cell, with what it came to behind it."""
        table = self._lines.tables[step.table]
        column, label = table.columns[at], step.names[0].label if at == 0 else table.columns[at].head
        if step.throw or table.rolls:
            self._say.fact(column.label, with_results(table.shown(column, row), results))
        elif at == 0 and len(table.axes) == 1 and (bands := table.bands_of(column)) is not None:
            self._say.look_up(label_of(label), values[0], bands)
        else:
            self._say.fact(label_of(label), column.values[row], *self._operands(*step.subjects))

    def _rolled(self, step: LookUp, row: int, parts: Iterable[Part]) -> Iterator[Result]:
        """Yield what the dice and the tables in a cell come to."""
        for part in parts:
            label = format(part.dice) if part.table and part.dice else part.written
            number = part.times if part.dice is None else self._worked(label, part.dice)
            if not part.table:
                yield number
                continue
            limits.ITEMS.check(number, hint="roll less often")
            passed = {name: self.values[name] for name in step.passed}
            for _ in range(number):
                # A row that rolls on its own table does so without itself, so that it ends.
                without = (*(self.values.get(WITHOUT) or ()), row) if part.table == step.id else ()
                other = Other(part.table, passed, (), "", self._lines.is_counted, tuple(sorted(without)))
                value, *rolled = self._lines.play(other, self._dice)
                every = [one for each in rolled for one in (each if isinstance(each, tuple) else (each,))]
                yield with_results(value, [one for one in every if one is not None])

    def _played_facts(self, step: Assign, tree: Node) -> tuple[Value, ...]:
        """Return the facts of the rule that is played, or the value that a case has in place of one."""
        match tree:
            case Group(inner):
                return self._played_facts(step, inner)
            case Cases():
                return self._played_facts(step, self._case(tree))
            case Play(id, settings):
                values = {each.name: self._setting(each.value) for each in settings}
                facts = [each.fact for each in step.facts]
                other = Other(id, values, facts, label_of(step.label), self._lines.is_counted)
                found = zip(step.facts, self._lines.play(other, self._dice), strict=True)
                return tuple([_as_word(value) if each.is_word else value for each, value in found])
        return (self._assigned(step._replace(tree=tree, facts=())),)

    def _setting(self, node: Node) -> Value:
        """Return what a parameter is set to; dice of a parameter are handed on as they are."""
        value = self.values[node.name] if isinstance(node, Reference) else None
        is_dice = isinstance(value, tuple) and isinstance(node, Reference) and node.name not in self._lines.needs
        return value if is_dice else self.number(node)

    # Values

    def _assigned(self, step: Assign) -> Value:
        label, tree = label_of(step.label), step.tree
        asked: list[Node] = []
        while self._say and isinstance(tree, Cases):
            tree, conditions = self._decide(tree)
            asked += conditions
        match tree:
            case DiceTerm() if self._say:
                return self._thrown(tree, label)
            case Chain() if tree.is_sum and self._say:
                terms = [*self._terms(tree, self.number)]
                numbers = [term if isinstance(term, int) else term[1] for term in terms]
                # A sum of which nothing but one number is shown would not say which case it is.
                if not asked or numbers.count(0) < len(numbers) - 1:
                    return self._say.sum(label, *terms)
                return self._say.fact(label, sum(numbers), *self._operands(tree, *asked))
        value = self.number(tree)
        if step.kind == TRUTH:
            value = bool(value)
        if isinstance(tree, Question) and tree.name in CHOICES:
            return value  # the choice is a step of its own
        return self._say.fact(label, value, *self._operands(tree, *asked)) if self._say else value

    def _terms(self, tree: Chain, value_of: Callable[[Node], int]) -> Iterator[Term]:
        for sign, operand in [("+", tree.first), *tree.rest]:
            value = value_of(operand)
            value = -value if sign == "-" else value
            yield (spaced(operand.name), value) if isinstance(operand, Reference) else value

    def _worked(self, label: str, tree: Node) -> Value:
        """Return what a value in a table comes to; where it is more than dice or a name, the working says how."""
        match tree:
            case _ if not self._say:
                return self.number(tree)
            case Chain() if tree.is_sum:
                return self._say.sum(label, *self._terms(tree, lambda part: self._worked(format(part), part)))
            case Chain(first, (("*", Number(factor)),)):
                return self._say.scale(label, self._worked(format(first), first), times=factor)
            case Number() | Reference():
                return self.number(tree)
        numbers = {name: self.values[name] for name in names_in(tree)}
        return self._play(Throw(substitute(tree, numbers), tree)).total

    def _operands(self, *trees: Node) -> Iterator[tuple[str, object]]:
        """Yield what a value is made of: the names in it, with what they stand for."""
        for name in dict.fromkeys(node.name for tree in trees for node in nodes(tree) if isinstance(node, Reference)):
            value = self.values.get(name)
            if name and value is not None and not isinstance(value, tuple):
                yield spaced(name), value

    def number(self, node: Node, sign: int = 1) -> Value:
        """Return what a value comes to: a number, 1 or 0 for yes or no, or words."""
        return compute(node, self._leaf, self._arithmetic, sign)

    def _leaf(self, node: Node, sign: int) -> Value:
        match node:
            case Reference(name=name):
                return self._value_of(name)
            case Words(text):
                return text
            case Logic("not", (operand,)):
                return int(not self.number(operand))
            case Logic(name, operands):
                return int((all if name == "all" else any)(self.number(operand) for operand in operands))
            case Cases():
                return self.number(self._case(node))
            case Question("choose", (Reference(name=how), *ways)):
                return self._chosen(self.values[how], ways)
            case Question("decided", (Reference(name=how), decided, *ways)):
                way = self.number(decided)
                text = written_way(bool(way) if isinstance(way_of(ways[0]), bool) else way)
                return self._chosen(self.values[how]._replace(text=text), ways)
            case Question("roll"):
                return TOTAL.value(self._ask(node, TOTAL))
            case Question(_, (pool, *_)):
                fold = fold_of(node)
                return fold.value(self._ask(pool, fold))
            case Set((inner,), modifiers) if _has_names(inner):
                rules = PoolRules(modifiers)
                return sum(rules.score(face.value) for face in _kept(self._ask(inner, EVERY), rules))
        return self._thrown(node)

    def _chosen(self, choice: Choosing, ways: Iterable[Node]) -> Value:
        """Return what the player chooses, who has seen all dice thrown so far."""
        seen = {name: value for name, value in self.values.items() if isinstance(value, int | str) and name[0] != " "}
        way = self._dice.choose(choice, list(map(way_of, ways)), **seen)
        return int(way) if isinstance(way, bool) else way

    def _value_of(self, name: str) -> Value:
        value = self.values[name]
        if name in self._lines.needs:
            return TOTAL.value(self._known(self._lines.needs[name], value, TOTAL))
        if value is None:
            raise DiceError(f"{quoted(spaced(name))} has no value: nothing gave it one")
        return value

    def _case(self, node: Cases) -> Node:
        """Return the value whose condition holds."""
        return self._decide(node)[0]

    def _decide(self, node: Cases) -> tuple[Node, list[Node]]:
        """Return the value whose condition holds, and the conditions that were asked for it."""
        asked: list[Node] = []
        for value, condition in node.cases:
            asked.append(condition)
            if self.number(condition):
                return value, asked
        return node.otherwise, asked

    def _thrown(self, node: Node, label: str = "") -> int:
        """Return what dice come to, which are only added up."""
        if isinstance(node, DiceTerm) and not node.modifiers and not isinstance(node.sides, DieFaces):
            count, sides = self.number(node.count), self.number(node.sides)
            check_limits(0, count, sides)
            total = self._dice.total(count, sides) if count else 0
            return self._say.throw(label, total) if label and count else total
        tree = rebuild(node, self._without_names)
        return self._play(Throw(tree, tree)).total

    def _without_names(self, node: Node) -> Node:
        """Return dice with numbers in place of names, and of what does not throw any."""
        if not any(isinstance(each, DiceTerm | Set) for each in nodes(node)):
            return Number(self.number(node))
        return rebuild(node, self._without_names)

    # Dice

    def _ask(self, node: Node, fold: Fold) -> Any:
        """Return the state of a fold of dice: those of a name, or dice that are thrown here for one question."""
        if isinstance(node, Reference):
            return self._known(self._lines.needs[node.name], self.values[node.name], fold)
        if has_dice(fold):
            (faces,) = self._pool(node, (EVERY,))
            # Its own dice are thrown after those that are counted.
            return fold_faces(self._settled(fold), faces)
        return self._pool(node, (fold,))[0]

    def _settled(self, fold: Fold) -> Fold:
        """Return a fold with numbers in place of all that does not depend on the dice."""
        match fold:
            case Count(condition) if condition is not None:
                return Count(self._without_dice(condition))
            case Best(number, high):
                return Best(Number(self.number(number)), high)
        return fold

    def _without_dice(self, node: Node) -> Node:
        if isinstance(node, Words) or IT in nodes(node):
            return node if node == IT else rebuild(node, self._without_dice)
        return Number(self.number(node))

    def _known(self, folds: tuple[Fold, ...], states: States, fold: Fold) -> Any:
        """Return the state of a fold of dice that are known so far as others say."""
        if fold in folds:
            return states[folds.index(fold)]
        return fold_faces(self._settled(fold), states[folds.index(EVERY)])

    def _pool(self, node: Node, folds: tuple[Fold, ...], label: str = "") -> States:
        """Return what is asked of dice."""
        match node:
            case Reference():
                return tuple([self._ask(node, fold) for fold in folds])
            case Group(inner) | Labelled(inner):
                return self._pool(inner, folds, label)
            case Cases():
                return self._pool(self._case(node), folds, label)
            case Chain():
                parts = [self._pool(operand, folds, label) for operand in node.operands]
                together = zip(folds, zip(*parts, strict=True), strict=True)
                return tuple([self._settled(fold).merge(states) for fold, states in together])
            case Set((inner,), modifiers):
                return self._of_faces(_kept(self._ask(inner, EVERY), PoolRules(modifiers)), folds)
            case Question("roll", (Reference(name=name),)):
                return self._swept([(1, int(sides)) for sides in self.values[name]], folds, label)
            case DiceTerm():
                return self._of_dice(node, folds, label)
        raise TypeError(f"{node} is not dice")

    def _of_faces(self, faces: Faces, folds: Sequence[Fold]) -> States:
        return tuple([fold_faces(self._settled(fold), faces) for fold in folds])

    def _of_dice(self, term: DiceTerm, folds: tuple[Fold, ...], label: str) -> States:
        count = self.number(term.count)
        sides = term.sides if isinstance(term.sides, DieFaces) else self.number(term.sides)
        die, rules = pool_rules(sides, term.modifiers)
        check_limits(0, count, die.sides)
        if not term.modifiers and len(die.thrown) == 1:
            return self._swept([(count, sides)], folds, label)
        if rules.only_chooses and len(die.thrown) == 1:
            (every,) = self._swept([(count, sides)], (EVERY,), label)
            return self._of_faces(_kept(every, rules), folds)
        throw = ChangedDice(count, sides, term.modifiers, tuple(map(self._settled, folds)))
        return self._play(throw).given

    def _swept(self, dice: Sequence[tuple[int, int | DieFaces]], folds: tuple[Fold, ...], label: str) -> States:
        """Return what is asked of dice that are thrown."""
        groups: dict[int | DieFaces, int] = {}
        for count, sides in dice:
            groups[sides] = groups.get(sides, 0) + count
        kinds = {sides: DieType(sides) for sides in groups}
        faces: list[Face] = []
        offsets = []
        for sides, kind in kinds.items():
            offsets.append(len(faces) - 1)
            symbols = sides.symbols if isinstance(sides, DieFaces) else [()] * kind.sides
            faces += [Face(value, kind.sides, each) for value, each in zip(kind.values, symbols, strict=True)]
        settled = tuple(map(self._settled, folds))
        weights = tuple([tuple([fold.weigh(face) for fold in settled]) for face in faces])
        ends = tuple([kind.sides for kind in kinds.values()])
        starts = tuple(offsets)

        def add(state: tuple[Any, ...], face: int, *numbers: int) -> tuple[Any, ...]:
            for start, end, number in zip(starts, ends, numbers, strict=True):
                if number and face <= end:
                    each = zip(settled, state, weights[start + face], strict=True)
                    state = tuple([fold.add(one, weight, number) for fold, one, weight in each])
            return state

        pools = [[kind.sides] * count for kind, count in zip(kinds.values(), groups.values(), strict=True)]
        labels = [label_of(label)] * len(pools) if label else ()
        start = tuple([fold.start for fold in settled])
        states = self._dice.sweep(add, start, *pools, labels=labels) if any(pools) else start
        return tuple([fold.end(state) for fold, state in zip(settled, states, strict=True)])

    # Rounds

    def _repeat(self, step: Repeat) -> None:
        lines, names = self._lines, step.state
        around = tuple((name, value) for name, value in self.values.items() if name not in names)
        until = step.until
        ends = () if until is None else tuple(names_in(until))
        times = None if step.times is None else self.number(step.times)
        if times is not None and until is None:
            limits.ROUNDS.check(times, hint="make sure the rule ends")

        turns = ((step.body, frozenset(names)),) if self._say else lines.turns(step)
        every = tuple(dict.fromkeys([*names, *sorted({name for _, kept in turns for name in kept})]))

        def turn(dice: Dice, say: Say, number: int, at: int, *state: Value) -> tuple[Value, ...]:
            walk = RuleWalk(lines, {**dict(around), **dict(zip(every, state, strict=True))}, dice, say)
            steps, kept = turns[at]
            for inner in steps:
                walk.run(inner)
            is_done = at + 1 == len(turns)
            values = [walk.values[name] if name in kept else None for name in every]
            return (number + (is_done and times is not None), 0 if is_done else at + 1, *values)

        def is_over(number: int, at: int, *state: Value) -> bool:
            if times is not None and number >= times:
                return True
            if until is None or at:
                return False
            known = {**dict(around), **dict(zip(every, state, strict=True))}
            # What only a round gives is not known before the first.
            if any(known[name] is None for name in ends):
                return False
            return bool(RuleWalk(lines, known, _NO_DICE, SILENT).number(until))

        start = (0, 0, *(self.values.get(name) for name in every))
        _, _, *state = self._dice.repeat(turn, start, is_over, label=step.label)
        self.values.update(zip(names, state, strict=False))


class _NoDice(Dice):
    """Dice that are never thrown."""


def play_none(other: Other, _dice: Dice) -> NoReturn:
    """Raise an error: there are no other rules and tables."""
    raise DiceError(f"there is no rule {quoted(other.id)}")


def _as_word(value: Value) -> str:
    """Return a fact as one of the words that it can be: yes and no are such words if it may be none."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else as_text(value)


_NO_DICE: Final = _NoDice()


def with_results(value: Result | None, results: Sequence[Result]) -> str:
    """Return what stands in a cell, with what it came to behind it.

    >>> with_results("2d6 knots", [7])
    '2d6 knots (7)'
    """
    return f"{as_text(value)} ({', '.join(map(as_text, results))})" if results else as_text(value)


def known_number(node: Node) -> int | None:
    """Return the number of a value that neither names nor dice decide; ``None`` for any other, and for none."""
    if any(isinstance(each, Reference | DiceTerm | Question) for each in nodes(node)):
        return None
    try:
        return int(compiled(node, {})(()))
    except DiceError:
        return None


def _has_names(node: Node) -> bool:
    return any(isinstance(each, Reference) for each in nodes(node) if not isinstance(each, DiceTerm))


def _kept(faces: Faces, rules: PoolRules) -> Faces:
    """Return the dice that are kept; of equal ones that with fewer sides counts as the higher, whatever is kept."""
    order = sorted(faces, key=lambda face: (face.value, -face.sides))
    return tuple(sorted([order[rank] for rank in rules.ranks(len(order)) if rules.passes(order[rank].value)]))
