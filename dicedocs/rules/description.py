"""A mechanic described as data, for the command line and the reference."""

from __future__ import annotations

from inspect import cleandoc
from typing import NamedTuple

from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.mechanic import Mechanic


class ParameterRow(NamedTuple):
    """A parameter: its name, the values it accepts, its meaning, and the texts of its default and example."""

    name: str
    expects: str
    help: str
    default: str | None
    example: str

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is None


class FactRow(NamedTuple):
    """A fact: its name, its possible values, and its meaning."""

    name: str
    gives: str
    help: str


class Description(NamedTuple):
    """A mechanic: its id, the first paragraph of its docstring, its parameters and its facts."""

    id: str
    help: str
    parameters: tuple[ParameterRow, ...]
    facts: tuple[FactRow, ...]


def _check_class(mechanic: object) -> None:
    if not (isinstance(mechanic, type) and issubclass(mechanic, Mechanic)):
        raise ParameterError(f"{quoted(mechanic)} is not the class of a mechanic", hint="give mechanic(id)")


def describe(mechanic: type[Mechanic]) -> Description:
    """Return the description of a mechanic.

    >>> from dicedocs.rules.registry import mechanic
    >>> [row.name for row in describe(mechanic("methuen/check")).facts]
    ['success', 'left', 'right']
    """
    _check_class(mechanic)
    parameters = tuple(
        ParameterRow(
            field.name,
            field.kind.expects,
            field.help,
            None if field.required else field.write(field.default),
            field.write(field.example),
        )
        for field in mechanic.parameters().values()
    )
    declared = mechanic.result().facts_of
    facts = tuple(FactRow(name, kind.expects, declared[name].help) for name, kind in mechanic.fact_kinds().items())
    paragraph = cleandoc(mechanic.__doc__ or "").split("\n\n")[0]
    return Description(mechanic.id, " ".join(paragraph.split()), parameters, facts)
