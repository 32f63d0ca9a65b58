"""Whether a condition holds: the one evaluator of conditions without dice, compiled once and asked of many outcomes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any, Final, TypeAlias

from dicedocs.rules.lists import NOTHING
from dicedocs.rules.steps import COMPARISONS, Comparison
from dicedocs.syntax.arithmetic import WholeNumbers, compute
from dicedocs.syntax.tree import (
    Cases,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Logic,
    Node,
    Number,
    Question,
    Reference,
    Set,
    Words,
)

Row: TypeAlias = Sequence[Any]
Test: TypeAlias = Callable[[Row], Any]
_EQUALITY: Final = {"=": operator.eq, "!=": operator.ne}
_ARITHMETIC: Final = WholeNumbers()


def compiled(node: Node, places: Mapping[str, int]) -> Test:
    """Return the function that returns what a value without dice comes to, given what its names stand for.

    Parameters:
        node: the value, in which each comparison has both sides.
        places: where each of its names stands in a row; numbers, yes or no, words, and ``None`` for nothing.

    >>> from dicedocs.syntax.rule_values import parse_rule_value
    >>> compiled(parse_rule_value("low >= 2 and not high = 6"), {"low": 0, "high": 1})((2, 5))
    True
    """
    match node:
        case Number(value) | Words(value):
            return lambda _row: value
        case Reference(name=name):
            return operator.itemgetter(places[name])
        case Group(inner) | Labelled(inner):
            return compiled(inner, places)
        case Compared(left, op, right):
            return _comparison(left, op, right, places)
        case Logic("not", (operand,)):
            holds = compiled(operand, places)
            return lambda row: not holds(row)
        case Logic(name, operands):
            tests = [compiled(operand, places) for operand in operands]
            stop = name == "any"
            return lambda row: stop if any(bool(test(row)) is stop for test in tests) else not stop
        case Cases(cases, otherwise):
            pairs = [(compiled(condition, places), compiled(value, places)) for value, condition in cases]
            default = compiled(otherwise, places)
            return lambda row: next((value for test, value in pairs if test(row)), default)(row)
        case DiceTerm() | Set() | Question():
            raise TypeError("dice have no value before they are thrown")
    return lambda row: compute(node, lambda leaf, _sign: _number(compiled(leaf, places)(row)), _ARITHMETIC)


def _number(value: Any) -> Any:
    return nan if value is None else value


def _comparison(left: Node, op: Comparison, right: Node, places: Mapping[str, int]) -> Test:
    value, other = compiled(left, places), compiled(right, places)
    if op in _EQUALITY:
        equal = _EQUALITY[op]
        if isinstance(right, Number | Words):
            constant = other(())
            if constant == NOTHING:
                return lambda row: equal(value(row) in (None, NOTHING), True)
            return lambda row: equal(value(row), constant)
        return lambda row: equal(value(row), other(row))
    compare = COMPARISONS[op]

    def holds(row: Row) -> bool:
        one, two = value(row), other(row)
        return one is not None and two is not None and compare(one, two)

    return holds
