"""The mechanics in the pages of a book, of whatever kind: tables, and rules of lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.rule_mechanic import rule_mechanics
from dicedocs.page_rules.table_links import table_digests
from dicedocs.page_rules.table_rule import page_mechanics
from dicedocs.rules.mechanic import Mechanic

PageMechanic: TypeAlias = PageTable | PageRule
"""A mechanic of a page as plain data."""


def mechanic_from_plain(data: Mapping[str, Any]) -> PageMechanic:
    """Return the table or the rule of plain data.

    >>> mechanic_from_plain(PageRule("road/climb", ("total = 2d6",)).to_plain()).id
    'road/climb'
    """
    return PageRule.from_plain(data) if "lines" in data else PageTable.from_plain(data)


def book_mechanics(found: Iterable[PageMechanic], folder: str = "") -> dict[str, type[Mechanic]]:
    """Return the mechanics of a book, by id.

    Parameters:
        found: all of them; the cells of tables may name each other.
        folder: the folder that the book was loaded from, as :func:`dicedocs.book` was given it; empty if it was not.

    Raises:
        TableError, RuleError: one of them cannot be read.
    """
    every = list(found)
    return {
        **page_mechanics(tables_of(every).values(), folder),
        **rule_mechanics((each for each in every if isinstance(each, PageRule)), folder),
    }


def mechanic_digests(found: Mapping[str, PageMechanic]) -> dict[str, str]:
    """Return by id what changes when a mechanic does, or a table on which it rolls."""
    rules = {id: each for id, each in found.items() if isinstance(each, PageRule)}
    own = {id: hashlib.sha256(rule.to_json().encode()).hexdigest() for id, rule in rules.items()}
    return own | table_digests(tables_of(found.values()))


def tables_of(found: Iterable[PageMechanic]) -> dict[str, PageTable]:
    """Return the tables among mechanics, by id."""
    return {each.id: each for each in found if isinstance(each, PageTable)}
