"""What in a book plays what: tables that a cell names in brackets, rules that a line plays; circles, dependencies."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import cycle
from typing import NamedTuple

from dicedocs.errors import DiceError, listed, quoted
from dicedocs.page_rules.cells import find_mentions
from dicedocs.page_rules.page_rule import PageRule, PageTable
from dicedocs.page_rules.played_rules import find_plays
from dicedocs.page_rules.row_faults import Fault
from dicedocs.similar_words import is_near
from dicedocs.syntax.parts import RuleError
from dicedocs.ways import find_way, reach


class Link(NamedTuple):
    """What a cell names in brackets.

    Parameters:
        written: the text in the cell.
        table: the id that it may be.
        row: the index of its row.
        column: the head of its column.
    """

    written: str
    table: str
    row: int
    column: str


def find_links(rule: PageRule) -> Iterator[Link]:
    """Yield what the cells of a table name in brackets, whether there is such a table or not; of lines nothing."""
    for row, column, cell in rolled_cells(rule.table) if rule.table is not None and not rule.lines else ():
        # A cell that names a table twice names it.
        for written, named in dict.fromkeys(find_mentions(cell, rule.system)):
            yield Link(written, named, row, column)


def rolled_cells(table: PageTable) -> Iterator[tuple[int, str, str]]:
    """Yield the cells of a table whose column is not plain, each with the index of its row and the head of its column.

    >>> from dicedocs.page_rules.page_rule import TableRow
    >>> rows = (TableRow(("1",), ("bow", "two hands")),)
    >>> list(rolled_cells(PageTable(("d1",), ("Arm", "Note"), rows, plain=("note",))))
    [(0, 'Arm', 'bow')]
    """
    for row, (_keys, cells) in enumerate(table.rows):
        # All cells of a matrix are one column.
        pairs = zip(cells, cycle(table.columns), strict=False)
        yield from ((row, column, cell) for cell, column in pairs if not table.is_plain(column))


def find_link_faults(rules: Mapping[str, PageRule]) -> Iterator[tuple[str, Fault]]:
    """Yield what is wrong with the links among tables, each with the id of its table: circles, and names of no table.

    A circle is wrong if it never ends: where each row rolls on. A name that no table has may be text, which is a
    note, unless a table is called nearly so, or it begins like the ids of the book.
    """
    tables = tables_of(rules)
    systems = {rule.system for rule in rules.values()}
    links = {id: list(find_links(rule)) for id, rule in rules.items()}
    ending = _ending(tables, links)
    for id, of_table in links.items():
        said = set[tuple[str, bool]]()
        for link in of_table:
            line = tables[id].line(link.row, link.column)
            if link.table in tables:
                way = find_way([link.table], id, lambda one: [each.table for each in links.get(one, ())])
                if way and id not in ending and (link.table, False) not in said:
                    said.add((link.table, False))
                    circle = " → ".join([id, *way])
                    message = f"these tables roll on each other without end: {circle}"
                    yield id, Fault(message, "add a row that rolls on none of them", line)
                continue
            is_id = "/" in link.written and link.table.partition("/")[0] in systems
            similar = [other for other in tables if _is_near(link.table, other)]
            is_note = not (similar or is_id)
            if (link.column, is_note) not in said:
                said.add((link.column, is_note))
                meant = f"did you mean {listed(map(quoted, similar))}? If not," if similar else "correct it, or"
                hint = f"{meant} write plain: {link.column}, where brackets are text"
                yield id, Fault(f"there is no table {quoted(link.table)}", hint, line, is_note)


def _ending(tables: Mapping[str, PageTable], links: Mapping[str, Sequence[Link]]) -> set[str]:
    """Return the tables of which a row rolls on none, or only on others of these."""
    ending = set[str]()
    while more := {id for id in tables.keys() - ending if _has_end(tables[id], links[id], tables.keys() - ending)}:
        ending |= more
    return ending


def _has_end(table: PageTable, links: Iterable[Link], endless: Collection[str]) -> bool:
    return len({link.row for link in links if link.table in endless}) < len(table.rows)


def tables_of(rules: Mapping[str, PageRule]) -> dict[str, PageTable]:
    """Return the tables among rules, on which cells may roll, by id: those that have no lines of their own."""
    return {id: rule.table for id, rule in rules.items() if rule.table is not None and not rule.lines}


def _is_near(id: str, other: str) -> bool:
    """Return whether two ids are similar; what they have in common before the slash makes them no more so."""
    system, _, name = id.partition("/")
    return is_near(name, other.removeprefix(f"{system}/"))


def linked_rules(id: str, rules: Mapping[str, PageRule]) -> list[PageRule]:
    """Return a rule of a book, the tables on which it rolls and the rules that it plays, also through others."""
    return [rules[each] for each in reach([id], lambda one: _linked(rules[one], rules))]


def rule_digests(rules: Mapping[str, PageRule]) -> dict[str, str]:
    """Return by id what changes when a rule does, or a table on which it rolls, or a rule that it plays."""
    own = {id: hashlib.sha256(rule.to_json().encode()).hexdigest() for id, rule in rules.items()}
    links = {id: _linked(rule, rules) for id, rule in rules.items()}
    return {
        id: hashlib.sha256("".join(own[each] for each in sorted(reach([id], links.__getitem__))).encode()).hexdigest()
        for id in rules
    }


def _linked(rule: PageRule, rules: Mapping[str, PageRule]) -> list[str]:
    named = dict.fromkeys(link.table for link in find_links(rule))
    played = dict.fromkeys(each.id for each in find_plays(rule.lines))
    return [*(id for id in named if id in rules and not rules[id].lines), *(id for id in played if id in rules)]


def find_play_circles(rules: Mapping[str, PageRule]) -> dict[str, DiceError]:
    """Return what is wrong with the rules that play each other in a circle, by id."""
    played = {id: [each.id for each in find_plays(rule.lines) if each.id in rules] for id, rule in rules.items()}
    return {
        id: _circle_error([id, *way], rules) for id in rules if (way := find_way(played[id], id, played.__getitem__))
    }


def play_order(rules: Mapping[str, PageRule], apart_from: Container[str]) -> Iterator[str]:
    """Return the ids of rules in an order in which each comes after those that it plays.

    Parameters:
        rules: the rules, by id.
        apart_from: those that play each other in a circle, which are left out.
    """
    played = {
        id: [each.id for each in find_plays(rule.lines) if each.id in rules and each.id not in apart_from]
        for id, rule in rules.items()
        if id not in apart_from
    }
    return iter(TopologicalSorter(played).static_order())


def _circle_error(way: Sequence[str], rules: Mapping[str, PageRule]) -> RuleError:
    """Return the error at the line that plays the second of some rules, each of which plays the next one."""
    rule = rules[way[0]]
    row, at, _id = next(each for each in find_plays(rule.lines) if each.id == way[1])
    message = f"these rules play each other without end: {' → '.join(way)}"
    if len(way) == 2:
        message = f"{way[0]} plays itself, without end"
    hint = "leave one of these lines out; what is done again stands below repeat"
    return RuleError(message, text=rule.lines[row], at=at, hint=hint, row=row)
