"""A mechanic's fields: what a player chooses.

A field is declared once, by :func:`param`; the directive's options, ``key=value`` on the command
line, the list of mechanics and a notebook's controls all come from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Self, TypeAlias, TypeVar, cast, overload

from dicedocs import limits
from dicedocs.errors import LimitError, ParameterError, near, quoted
from dicedocs.rules.kinds import (
    NOTHING,
    DiceSizesKind,
    IntKind,
    Kind,
    NotationKind,
    PoolFacesKind,
    convert,
    kind_of,
    spaced,
)

T = TypeVar("T")


Sizes: TypeAlias = Annotated[tuple[int, ...], DiceSizesKind()]
"""Dice by their sides, written ``d20 d8 2d6``."""
PoolFaces: TypeAlias = Annotated[tuple[int | None, ...], PoolFacesKind()]
"""What the dice of a pool show, written ``4 3 - 1``; ``None`` where it does not matter."""
Notation: TypeAlias = Annotated[str, NotationKind()]
"""A text in a notation that the mechanic reads, such as ``2d6 + 3``."""
Numbers: TypeAlias = tuple[int, ...]
"""Several whole numbers, written ``4, 2``; from Python one number will do."""


class MissingType:
    """What stands where nothing was given; ``None`` is a value of its own."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = MissingType()


class Resources(Mapping[str, int]):
    """What somebody has: names with whole numbers, written ``Strength=4, Health Maximum=20``.

    Names match exactly, but runs of spaces in them fold to one (DM6); values may be negative (DM5).

    Parameters:
        values: the numbers by name.

    >>> kira = Resources.from_text("Strength=4, Health  Maximum=20")
    >>> kira["Health Maximum"], str(kira)
    (20, 'Strength=4, Health Maximum=20')
    """

    expects: Final = "resources such as Strength=4, Health Maximum=20"
    _number: Final = IntKind()

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self._values: dict[str, int] = {}
        for name, value in (values or {}).items():
            self._add(name, value)

    def _add(self, name: object, value: object) -> None:
        folded = " ".join(name.split()) if isinstance(name, str) else ""
        limits.VALUE_TEXT.check(len(folded), hint="write less")
        if not folded or any(mark in folded for mark in "[]=,"):
            raise ParameterError(f"{quoted(name)} is not the name of a resource", hint="names hold no [ ] = or ,")
        if folded in self._values:
            raise ParameterError(f"the resource {quoted(folded)} is written twice")
        limits.ITEMS.check(len(self._values) + 1)
        try:
            self._values[folded] = cast("int", convert(self._number, value))
        except ParameterError as error:
            raise ParameterError(f"{error.message}, in {quoted(folded)}", hint=error.hint) from None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read ``name=value`` pairs separated by commas; ``none`` and an empty text have none."""
        self = cls()
        if text.strip().lower() in {"", NOTHING}:
            return self
        for pair in text.split(","):
            name, sign, value = pair.partition("=")
            if not sign:
                raise ParameterError(f"{quoted(pair.strip())} has no value", hint=f"write {cls.expects}")
            self._add(name, value)
        return self

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[object, object]]) -> Self:
        """Return the resources of pairs of a name and its number, each as itself or as its text."""
        self = cls()
        for name, value in pairs:
            self._add(name, value)
        return self

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Take any mapping of names to whole numbers."""
        if value is None:
            return cls()
        if not isinstance(value, Mapping):
            raise ParameterError(f"{quoted(value)} is not {cls.expects}")
        return cls(value)

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self._values.items()) or NOTHING

    def __repr__(self) -> str:
        return f"Resources({self._values})"


class Param:
    """A field of a mechanic; :func:`param` makes it and the class gives it name and type.

    Attributes:
        name: the field's name, which is also what people type.
        default: the value when none is given, or ``MISSING``.
        low, high: the bounds of its whole numbers, or ``None``.
        help: what it means, in a few words.
        label: its name as a person reads it.
        kind: how it is written.
        example: a value that shows it.
    """

    name: str
    label: str
    kind: Kind
    example: object

    def __init__(
        self, default: object, example: object, low: int | None, high: int | None, help: str, label: str
    ) -> None:
        self.default = default
        self._example = example
        self.low = low
        self.high = high
        self.help = help
        self._label = label

    def named(self, name: str, hint: object) -> Param:
        """Give the same field with the name and the type it has in a class.

        Raises:
            TypeError: its default or its example is no value of its type, or it has neither.
        """
        field = Param(self.default, self._example, self.low, self.high, self.help, self._label)
        field.name = name
        field.label = self._label or spaced(name).capitalize()
        try:
            field.kind = kind_of(hint, self.low, self.high)
            if self.default is not MISSING:
                field.default = field.convert(self.default)
            elif self._example is MISSING:
                raise TypeError("it needs a default or an example")
            field.example = field.default if self._example is MISSING else field.convert(self._example)
        except (TypeError, ParameterError) as error:
            reason = error.message if isinstance(error, ParameterError) else error
            raise TypeError(f"the field {name!r}: {reason}") from None
        return field

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is MISSING

    def convert(self, value: object) -> object:
        """Give the value of what was given, as itself or as its text.

        Raises:
            ParameterError: it is no value of this field, which the error names.
            LimitError: its text is longer than ``VALUE_TEXT``.
        """
        try:
            return convert(self.kind, value)
        except ParameterError as error:
            error.parameter = error.parameter or self.name
            error.hint = error.hint or ("" if self.kind.expects in error.message else f"write {self.kind.expects}")
            raise
        except LimitError as error:
            error.parameter = self.name
            raise

    def write(self, value: object) -> str:
        """Give the text of a value."""
        return self.kind.write(value)

    def code(self, value: object) -> str:
        """Give the Python of a value."""
        return self.kind.code(value)


def no_such_parameter(name: str, known: Iterable[str], owner: str = "") -> ParameterError:
    """Return the error for a parameter that does not exist, with near matches as its hint.

    Parameters:
        name: the name that was written.
        known: the names that exist.
        owner: whose parameters they are, such as a mechanic's id; may be empty.

    >>> print(no_such_parameter("skil", ["skill", "favor"], "my-game/check"))
    there is no parameter 'skil' of my-game/check; did you mean 'skill'?
    """
    message = f"there is no parameter {quoted(name)}" + (f" of {owner}" if owner else "")
    return ParameterError(message, hint=near(name, known))


@overload
def param(
    *, example: object, low: int | None = None, high: int | None = None, help: str = "", label: str = ""
) -> Any: ...
@overload
def param(
    *,
    default: T,
    example: object = MISSING,
    low: int | None = None,
    high: int | None = None,
    help: str = "",
    label: str = "",
) -> T: ...
def param(
    *,
    default: object = MISSING,
    example: object = MISSING,
    low: int | None = None,
    high: int | None = None,
    help: str = "",
    label: str = "",
) -> Any:
    """Declare a field of a mechanic.

    Parameters:
        default: the value when none is given; without it the field is required.
        example: a value that shows the field, as itself or as text; required without a default.
        low, high: the smallest and the largest whole number it takes.
        help: what it means, in a few words.
        label: its name as a person reads it; made from the field's name when left out.
    """
    return Param(default, example, low, high, help, label)
