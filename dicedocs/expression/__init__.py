"""The Expression notation: text such as ``(2d6 + [Intelligence]) * 2``, and what is computed from it.

:mod:`~dicedocs.expression.parser` turns a text into a frozen tree (:mod:`~dicedocs.expression.tree`).
:mod:`~dicedocs.expression.evaluator` compiles the tree to a function that rolls it,
:mod:`~dicedocs.expression.stages` rolls it and records each stage, and
:mod:`~dicedocs.expression.odds` computes its exact distribution.
"""
