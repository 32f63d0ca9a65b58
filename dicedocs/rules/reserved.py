"""Reserved names: options and arguments that people type beside the parameters of a mechanic."""

from __future__ import annotations

from typing import Final

RESERVED_OPTIONS: Final = ("name", "mechanic", "seed", "dice", "fact", "expect", "shows", "class", "title")
"""Options that several directives have, or may have one day, beside a mechanic's parameters."""
PYTHON_ARGUMENTS: Final = ("faces", "where", "progress", "samples")
"""Arguments of the functions that also take a mechanic's parameters by name."""
RESERVED: Final = frozenset({*RESERVED_OPTIONS, *PYTHON_ARGUMENTS})
"""The names that neither a parameter nor a fact can have."""


def written_parameter(name: str, options: tuple[str, ...]) -> str:
    """Return how a parameter is written beside options: with an underscore behind it if one of them has its name.

    >>> written_parameter("hide", ("seed", "hide")), written_parameter("skill", ("seed", "hide"))
    ('hide_', 'skill')
    """
    return f"{name}_" if name in options else name


def read_parameter(written: str, options: tuple[str, ...]) -> str:
    """Return the name of a parameter, given how it is written beside options.

    >>> read_parameter("hide_", ("seed", "hide")), read_parameter("gear_", ("seed", "hide"))
    ('hide', 'gear_')
    """
    name = written.removesuffix("_")
    return name if name in options else written
