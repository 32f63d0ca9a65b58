"""What is computed from a notation.

:mod:`~dicedocs.expression.roll` rolls it, and :mod:`~dicedocs.expression.odds` counts its odds.
"""
