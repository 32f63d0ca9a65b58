"""The Expression language: text such as ``(2d6 + [Intelligence]) * 2``, and what can be made of it.

:mod:`~dicedocs.expression.parser` reads a text into the frozen tree of
:mod:`~dicedocs.expression.tree`. The tree has readers: :mod:`~dicedocs.expression.evaluator` compiles
it to a closure that rolls it, :mod:`~dicedocs.expression.stages` rolls it while it tells how.
"""
