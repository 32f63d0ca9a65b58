"""A mechanic of the page, a table or the lines of a rule: what its author says of it, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar, Final, NamedTuple, final, get_args

from dicedocs import DiceError
from dicedocs.errors import listed, quoted
from dicedocs.page_rules.cell_checks import check_by_rule, check_cells, check_figures, stated_heads
from dicedocs.page_rules.compared import Compared, count_compared, find_uncompared
from dicedocs.page_rules.draws import EACH_COLUMN
from dicedocs.page_rules.grid import Grid
from dicedocs.page_rules.layout import TableError, read_layout, written_dice
from dicedocs.page_rules.page_rule import Meaning, PageRule, PageTable
from dicedocs.page_rules.parameter_text import read_items
from dicedocs.page_rules.played_rules import find_plays
from dicedocs.page_rules.row_faults import Fault, fitting_dice
from dicedocs.page_rules.rule_lines import Given, Line, LookedUp, Repeated, read_lines
from dicedocs.page_rules.rule_mechanic import book_mechanics, others_of
from dicedocs.page_rules.rule_program import Program, stated_table
from dicedocs.page_rules.table_links import find_play_circles, linked_rules, tables_of
from dicedocs.page_rules.text_dice import DIE, find_dice
from dicedocs.render.rule_table import RuleTable, find_rule_table
from dicedocs.rules.mechanic import ID
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.registry import in_book, is_installed
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs.rules.reserved import read_parameter
from dicedocs.similar_words import is_near
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.parts import Part, RuleError, node_name
from dicedocs_sphinx.blocks.base import Block, CheckResult, locate_issues
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

_MEANINGS: Final[tuple[Meaning, ...]] = get_args(Meaning)
_BOUNDED: Final = re.compile(r"\s*[-+\u2212]?[0-9]+\s*\(")
_OF_TABLES: Final = ("dice", "draw", "from")
"""The options that only a table has to which no lines belong."""
_OF_COLUMNS: Final = ("columns", "plain", "cells")
"""The options of any table."""
RULE: Final = "rule"
"""What hides the lines of a rule."""
WORDS: Final = "words"
"""The option of a rule with the words that sentences have for yes and for no."""
_OTHERS: Final = others_of(mechanic_of)
"""The rules of all pages, once these have been read, and those that are installed."""
_NO_ID: Final = "write it after the directive's name, like book/weather, in lower case"


class Said(NamedTuple):
    """What is said of the die of a table: where, which one, and the line of that; 0 if it is unknown."""

    place: str
    dice: str
    line: int = 0


@final
@dataclass(frozen=True, kw_only=True)
class PageMechanicBlock(
    Block,
    kind="mechanic",
    options=(*_OF_TABLES, *_OF_COLUMNS, *_MEANINGS, WORDS, "hide"),
):
    """A table or a list of the page, or the lines of a rule, that are a mechanic; its name is the id of that.

    ``settings`` are the texts of its options, ``parameters`` those of its parameters. ``table`` is what stands in the
    page as plain data, empty if that cannot be read; ``lines`` are those of its head and of its rows, and those of its
    columns where it lies on its side. ``rule`` are the lines of a rule, the first of which is ``rule_below`` lines
    below that of the block; there may be a table too.
    """

    has_parameters: ClassVar[bool] = True

    settings: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[int] = ()
    rule: Sequence[str] = ()
    rule_below: int = 0

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read("", {}, issues)
        own = {name: text for name, text in options.items() if name in cls.options}
        parameters = {name: text for name, text in options.items() if name not in cls.options}
        if "from" in own:
            for name in own.keys() - {"from"}:
                message = f"{quoted(name)} does nothing for a printed table; leave it out"
                issues.append(issue(Problem.OPTION, message, name))
            mechanic, _space, which = " ".join(own["from"].split()).partition(" ")
            own |= {"caption": title, "which": which}
            system = mechanic.partition("/")[0]
            return {**fields, "mechanic": mechanic, "system": system, "settings": own, "parameters": parameters}
        if not title:
            issues.append(issue(Problem.OPTION, f"no id is given; {_NO_ID}"))
        elif not ID.fullmatch(title):
            issues.append(issue(Problem.OPTION, f"{quoted(title)} is not an id; {_NO_ID}"))
        known = title if ID.fullmatch(title) else ""
        return {
            **fields,
            "name": known,
            "mechanic": known,
            "system": known.partition("/")[0],
            "settings": own,
            "parameters": parameters,
        }

    @property
    def prints(self) -> bool:
        """Whether it prints a table that a rule has, in place of reading one of the page."""
        return "from" in self.settings and not self.rule

    def printed_table(self) -> RuleTable:
        """Return the table to print.

        Raises:
            DiceError: there is none.
        """
        if not self.mechanic:
            raise DiceError("no rule is named", hint="write from: game/rule")
        rule = mechanic_of(self.mechanic)
        known = rule.parameters()
        chosen = {read_parameter(name, self.options): text for name, text in self.parameters.items()}
        for name in chosen.keys() - known.keys():
            error = no_such_parameter(name, known, self.mechanic)
            error.parameter = name
            raise error
        # Where its author leaves something open that a play needs, it is the table of the rule's example.
        is_open = any(field.required and name not in chosen for name, field in known.items())
        examples = {name: field.example for name, field in known.items()} if is_open else {}
        return find_rule_table(rule(**examples | chosen), self.settings["which"])

    @property
    def takes_table(self) -> bool:
        """Whether the next table of its section belongs to it: a rule has one if a line or ``cells`` is about it."""
        return (
            not self.rule
            or "cells" in self.settings
            or any(
                line.rstrip().endswith(":") for line in self.rule if not line.lstrip().casefold().startswith("repeat")
            )
        )

    def is_stated(self) -> bool:
        """Return whether its table states what the lines of the rule come to."""
        try:
            return bool(self.rule) and stated_table(self.page_rule(), read_lines(self.rule)) is not None
        except TableError:
            return True  # though with a mistake
        except DiceError:
            return False

    @property
    def hides_rule(self) -> bool:
        """Whether its page does not print the lines of the rule, whose words say the same."""
        return RULE in self.settings.get("hide", "") and not self.issues

    def without_table(self) -> PageMechanicBlock:
        """Return the block with the issue that there is no table for it."""
        message = "no table or numbered list follows in this section; put one below, or inside this block"
        return replace(self, syntax_issues=[*self.syntax_issues, issue(Problem.TABLE, message)])

    def with_grid(
        self,
        grid: Grid,
        dice: str = "",
        title: str = "",
        statements: Sequence[Said] = (),
        draw: str = "",
    ) -> PageMechanicBlock:
        """Return the block with a table of its page.

        Parameters:
            grid: the table.
            dice: the dice that the text around it names.
            title: its title for readers.
            statements: what is said of its die near it.
            draw: how many rows the text around it says are drawn.
        """
        head = next((row.cells[0] for row in (grid.head, *grid.rows) if row and any(row.cells)), "")
        own = self.settings.get("dice", "")
        issues = [*self.syntax_issues, *self._disagreeing(grid, head, () if self.rule else statements)]
        try:
            columns = self._items("columns")
            facts = self._fact_names(grid)
            is_unnamed = grid.is_list or not (grid.head and grid.head.cells[0])
            axis = own or self._looked_up(head, near_dice=bool(dice)) or (dice if is_unnamed else "")
            axis = axis or ("column" if facts and not self.rule else "")
            table = read_layout(grid, axis, names_columns=not columns, facts=facts)
            if columns and len(columns) != len(table.columns):
                known = f"{len(table.columns)} column{'s' if len(table.columns) > 1 else ''} with results"
                message = f"columns names {len(columns)}, but the table has {known}"
                raise TableError(message, hint="name each of these once", line=table.head_line)
        except DiceError as error:
            return replace(self, syntax_issues=[*issues, _table_issue(error)])
        # What cells ties to a rule with lines is none of its lines.
        cells = self.settings.get("cells", "") if self.rule else ""
        tied = (stated_heads(cells) or table.columns) if cells else ()
        table = replace(
            table,
            axes=tuple(axis or dice for axis in table.axes),
            columns=columns or table.columns,
            plain=(*self._items("plain"), *tied),
            draw=self.settings.get(
                "draw", "" if self.rule or (draw == EACH_COLUMN and len(table.columns) == 1) else draw
            ),
        )
        lines = [table.head_line, *table.lines, *table.column_lines]
        if any(row.file and row.file != self.source for row in grid.rows):
            # They stand in a file of their own, of which a warning has no place.
            lines = [0] * len(lines)
        return replace(self, title=title, table=table.to_plain(), lines=lines, syntax_issues=issues)

    def _disagreeing(self, grid: Grid, head: str, near: Iterable[Said]) -> Iterator[Issue]:
        """Yield the statements of a die that say something else than the one which decides, each where it is wrong."""
        own = self.settings.get("dice", "")
        of_head = Said("the head of the table", written_dice(head), grid.head.line if grid.head else 0)
        stated = [each for each in (Said("dice", own), of_head, *near) if each.dice]
        fitting = _named_dice(fitting_dice(row.cells[0] for row in grid.rows if any(row.cells)))
        for each in stated[1:]:
            decides = stated[0]
            if not _named_dice(each.dice) <= _named_dice(decides.dice):
                message = f"{each.place} says {quoted(each.dice)}, and {decides.place} says {quoted(decides.dice)}"
                wrong = decides if _named_dice(each.dice) == fitting else each
                option = "dice" if own else ""
                yield issue(Problem.TABLE, f"{message}; correct one of the two", option, 0 if own else wrong.line)

    def _fact_names(self, grid: Grid) -> set[str]:
        """Return what columns may be called, or rows if the table lies on its side: lines, or what cells names."""
        try:
            names = {node_name(label) for label, _text in _labelled(read_lines(self.rule))}
        except DiceError:
            names = set()
        stated = {*map(node_name, stated_heads(self.settings.get("cells", "")))}
        heads = set(map(node_name, grid.head.cells if grid.head else ()))
        rows = {node_name(row.cells[0]) for row in grid.rows if any(row.cells)}
        return rows | names if stated & rows and not stated & heads else names | stated if self.rule else set()

    def _looked_up(self, head: str, *, near_dice: bool) -> str:
        """Return the name by which a table without dice is looked up, if a rule has it or its cells are checked."""
        is_name = ("cells" in self.settings or self.rule) and not written_dice(head)
        name = parameter_name(head).lower()
        return head if is_name and name and (not near_dice or name in self.parameters) else ""

    def _meanings(self) -> tuple[tuple[Meaning, str], ...]:
        return tuple((meaning, self.settings[meaning]) for meaning in _MEANINGS if meaning in self.settings)

    def _items(self, option: str) -> tuple[str, ...]:
        return read_items(self.settings.get(option, ""))

    def _located_table(self) -> PageTable | None:
        """Return the table with its lines; ``None`` if there is none."""
        if not self.table:
            return None
        table, (head, *lines) = PageTable.from_plain(self.table), self.lines
        rows, columns = lines[: len(table.rows)], lines[len(table.rows) :]
        return replace(table, head_line=head, lines=tuple(rows), column_lines=tuple(columns))

    def page_rule(self) -> PageRule:
        """Return the rule, which may be one that cannot be read."""
        return PageRule(
            self.name,
            tuple(self.rule),
            self.title,
            tuple(self.parameters.items()),
            self._meanings(),
            self._located_table(),
            self.settings.get(WORDS, "") if self.rule else "",
            self.line + self.rule_below,
        )

    @property
    def played(self) -> dict[str, None]:
        """The ids of the rules and tables that its lines play."""
        return dict.fromkeys(each.id for each in find_plays(self.rule))

    def needs_book(self) -> bool:
        return bool(self.played)

    def plain(self) -> Mapping[str, Any]:
        """Return the table or the rule as plain data, which may be one that cannot be read; empty for none."""
        return self.page_rule().to_plain() if self.rule or self.table else {}

    def program(self) -> Program | None:
        """Return the table or the rule, read; ``None`` if the page has none for the block, or no id is given.

        Raises:
            RuleError, TableError: it cannot be read.
        """
        return Program(self.page_rule(), others=_OTHERS) if self.name and (self.rule or self.table) else None

    def page_mechanic(self) -> PageRule | None:
        """Return the table or the rule; ``None`` if it cannot be read.

        A table with a mistake in its rows is played all the same. Whether a rule can be read that plays others is only
        known with these.
        """
        if self.rule and self.syntax_issues:
            return None
        if self.played:
            return self.page_rule() if self.name else None
        try:
            program = self.program()
        except DiceError:
            return None
        return None if program is None else program.rule

    def check(self) -> CheckResult:
        issues = list(self.syntax_issues)
        for part in self.settings.get("hide", "").replace(",", " ").split():
            if part != RULE or not self.rule:
                hint = f"leave hide out, or write {RULE}" if self.rule else "leave hide out"
                issues.append(issue(Problem.OPTION, f"{quoted(part)} cannot be hidden; {hint}", "hide"))
        if WORDS in self.settings and not self.rule:
            issues.append(issue(Problem.OPTION, "a table has no words for yes and no; leave words out", WORDS))
        if self.name and is_installed(self.name):
            message = f"{quoted(self.name)} is the id of an installed mechanic; choose another one"
            issues.append(issue(Problem.DUPLICATE, message))
        issues += self._mechanic_issues()
        return CheckResult(locate_issues(self, issues), None if issues else self.plain())

    def _mechanic_issues(self) -> Iterator[Issue]:
        """Yield what is wrong with the table or the rule, or with its options if these may mean something else."""
        if wrong := list(self._meaningless()):
            yield from wrong
            return
        try:
            if self.played and (circles := find_play_circles({self.name: self.page_rule()})):
                raise circles[self.name]
            program = None if self.rule and self.syntax_issues else self.program()
            if program is None:
                return
            if program.is_table:
                yield from map(_fault_issue, program.tables[0].faults())
            yield from (_fault_issue(fault, option) for option, fault in program.word_faults())
            if program.is_table:
                if "cells" in self.settings:
                    yield from self._checked(check_cells(program.tables[0], self.settings["cells"]))
            elif program.stated is not None:
                made = mechanic_of(self.name) if self.played else book_mechanics([program.rule])[self.name]
                yield from map(_fault_issue, check_by_rule(program.stated, made, program.stated_facts(program.stated)))
                if "cells" in self.settings:
                    yield from self._checked(check_figures(program.stated, made, self.settings["cells"]))
        except RuleError as error:
            yield issue(Problem.TABLE, str(error), line=self.line + self.rule_below + error.row)
        except DiceError as error:
            yield self._unreadable(error)

    def _meaningless(self) -> Iterator[Issue]:
        """Yield the options that mean nothing to a rule with lines."""
        without_meaning = {*_OF_TABLES, *(() if self.table else _OF_COLUMNS)} - {"cells"}
        for name in self.settings if self.rule else ():
            if name in without_meaning or self._is_parameter(name):
                message = f"{quoted(name)} is an option of dice:mechanic, and means nothing to a rule with lines"
                yield issue(Problem.OPTION, f"{message}; give a parameter another name", name)

    def _is_parameter(self, option: str) -> bool:
        """Return whether what is written as words with a meaning can only be meant as a parameter: it has bounds."""
        return option in {*_MEANINGS, WORDS} and _BOUNDED.match(self.settings[option]) is not None

    def _unreadable(self, error: DiceError) -> Issue:
        """Return the issue of a table that cannot be read; of an option that may be misspelled, with what is meant."""
        name = error.parameter if error.parameter in self.parameters else ""
        similar = [quoted(option) for option in self.options if name and is_near(name, option)]
        if not similar:
            return issue(Problem.OPTION, str(error), name) if name else _table_issue(error)
        message = f"there is no option {quoted(name)}; did you mean {listed(similar)}?"
        return issue(Problem.OPTION, message, name)

    def _checked(self, faults: Iterator[Fault]) -> Iterator[Issue]:
        """Yield what is wrong with the cells, or with what its author says of them."""
        try:
            yield from map(_fault_issue, faults)
        except DiceError as error:
            yield issue(Problem.TABLE, with_hint(error.message, error.hint), "cells")

    def compared(self, rules: Mapping[str, PageRule]) -> Compared | None:
        """Return how much of its tables was compared; ``None`` if it has none, or these cannot be read.

        Parameters:
            rules: those of the book.
        """
        played = book_mechanics(linked_rules(self.name, rules)) if self.played and self.name in rules else {}
        with suppress(DiceError), in_book(played):
            program = None if self.issues else self.program()
            if program is not None and (program.tables or program.stated):
                return count_compared(program, tables_of(rules).keys(), self.settings.get("cells", ""))
        return None

    def uncompared(self) -> str:
        """Return what has dice in its table and is compared with nothing; empty if all is compared, or wrong."""
        with suppress(DiceError):
            program = None if self.syntax_issues else self.program()
            parts = [f"{head} ({why})" for head, why in ([] if program is None else find_uncompared(program))]
            return f"{self.name}: nothing is compared with the dice of {listed(parts, 'and')}" if parts else ""
        return ""

    @property
    def table_line(self) -> int:
        """The line of its table, or else its own."""
        return next(filter(None, self.lines), self.line)

    @property
    def verifies_itself(self) -> bool:
        if self.prints or not self.table or self.rule or "cells" in self.settings:
            return not self.prints
        # Without dice and declared values, nothing says which rows there have to be.
        return bool(self.parameters) or any(find_dice(axis, "head") for axis in self.table["axes"])

    def figures(self, computed: Mapping[str, Any]) -> dict[str, str]:
        """Return its cells, each by its row and, if there are several, its column; the lines of a rule before these."""
        rule = PageRule.from_plain(computed)
        return (_written_lines(rule) if rule.lines else {}) | (_cells(rule.table) if rule.table else {})

    def is_test(self) -> bool:
        return self.verifies_itself or bool(self.issues)


def _written_lines(rule: PageRule) -> dict[str, str]:
    """Return the parameters and the lines of a rule, each by its name, the later of one name with a number."""
    found = dict(rule.parameters)
    for label, text in _labelled(read_lines(rule.lines)):
        name = label
        for number in count(2):
            if name not in found:
                break
            name = f"{label} ({number})"
        found[name] = text
    return found


def _labelled(lines: Iterable[Line]) -> Iterator[tuple[str, str]]:
    """Yield the name of each line, and what it says."""
    for line in lines:
        match line:
            case Repeated(body=body, text=text):
                yield "repeat", text.joined.removeprefix("repeat").strip()
                yield from _labelled(body)
            case Given(label, Part(text=text)) | LookedUp(label=label, text=text):
                yield label, text.joined.partition("=")[2].strip()


def _cells(table: PageTable) -> dict[str, str]:
    heads = table.across or (table.columns if len(table.columns) > 1 else ())
    found: dict[str, str] = {}
    for row in table.rows:
        for at, cell in enumerate(row.cells):
            place = [", ".join(row.keys), *heads[at : at + 1]]
            found[(" × " if table.across else ": ").join(place)] = cell
    return found


def _named_dice(text: str) -> set[str]:
    """Return the dice that a text names.

    >>> sorted(_named_dice("1D6 + 2d8 + d%"))
    ['2d8', 'd100', 'd6']
    """
    return {re.sub("^1d", "d", die.lower()).replace("%", "100") for die in re.findall(DIE, text)}


def _fault_issue(fault: Fault, option: str = "") -> Issue:
    return issue(Problem.TABLE, with_hint(fault.message, fault.hint), option, fault.line)


def _table_issue(error: DiceError) -> Issue:
    return issue(
        Problem.TABLE, with_hint(error.message, error.hint), line=error.line if isinstance(error, TableError) else 0
    )
