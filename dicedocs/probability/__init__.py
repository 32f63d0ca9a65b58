"""Exact odds: distributions, their arithmetic, the enumeration of a rule's dice, and claims about odds.

The package is not called ``odds`` because a module of that name would hide the function ``dicedocs.odds``.
"""
