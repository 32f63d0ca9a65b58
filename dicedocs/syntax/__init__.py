"""What people write about dice, read: the notation, and the values and conditions of which it is a part.

:mod:`~dicedocs.syntax.parser` turns a notation such as ``(2d6 + [Intelligence]) * 2`` into a frozen tree
(:mod:`~dicedocs.syntax.tree`), :mod:`~dicedocs.syntax.rule_values` a value or a condition.
"""
