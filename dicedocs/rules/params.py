"""The fields of a mechanic, which are what a player chooses.

:func:`param` declares a field once; the options of directives, ``key=value`` on the command line,
the reference and the controls of panels are all derived from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Annotated, Any, Final, TypeAlias, TypeVar, cast

from dicedocs.errors import DiceError, LimitError, ParameterError, quoted, wrap_error
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import DiceSizesKind, Kind, PoolFacesKind, convert, spaced
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.yes_and_no import truth_words
from dicedocs.similar_words import near

T = TypeVar("T")

Sizes: TypeAlias = Annotated[tuple[int, ...], DiceSizesKind()]
"""The sides of some dice, written ``d20 d8 2d6``."""
PoolFaces: TypeAlias = Annotated[tuple[int | None, ...], PoolFacesKind()]
"""The faces of a pool of d6, written ``4 3 - 1``; ``None`` where a face does not matter."""
Notation: TypeAlias = Annotated[str, NotationKind()]
"""A text that the mechanic parses, such as ``2d6 + 3``."""
Numbers: TypeAlias = tuple[int, ...]
"""Several whole numbers, written ``4, 2``; from Python also a single number."""


class MissingType:
    """The type of :data:`MISSING`, which marks an absent value where ``None`` is a value."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final[Any] = MissingType()


class Param:
    """A field of a mechanic, declared by :func:`param`; its class gives it a name and a type.

    Attributes:
        name: the name that people type.
        default: the value when none is given, or ``MISSING``.
        low, high: the bounds of its whole numbers, or ``None``.
        help: what it means, in a few words.
        label: its name for a reader.
        kind: the kind of its values.
        example: an example value.
        advanced: whether it is rarely changed, so that a panel folds it away.
        words: what sentences say where it is true, and where it is false; empty for "yes" and "no".
    """

    name: str
    default: object
    low: int | None
    high: int | None
    help: str
    label: str
    kind: Kind
    example: object
    advanced: bool
    words: tuple[str, str] | tuple[()]

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        vars(self).update(arguments)
        self.words = truth_words(self.words)

    def bind(self, name: str, hint: object) -> Param:
        """Return the field with its name and type; raise a ``TypeError`` when its values are not of the type."""
        bound = copy(self)
        bound.name = name
        bound.label = self.label or spaced(name).capitalize()
        try:
            bound.kind = kind_of(hint, self.low, self.high).of_field(name)
            if bound.kind.undecided and self.required:
                bound.default = bound.kind.undecided
            if not bound.required:
                bound.default = bound.convert(bound.default)
            elif self.example is MISSING:
                raise TypeError("it needs a default or an example")
            bound.example = bound.default if self.example is MISSING else bound.convert(self.example)
        except (TypeError, ParameterError) as error:
            reason = error.message if isinstance(error, ParameterError) else error
            raise TypeError(f"the field {name!r}: {reason}") from None
        return bound

    @property
    def required(self) -> bool:
        """Whether a value must be given."""
        return self.default is MISSING

    def convert(self, value: object) -> object:
        """Return the value of a text or of a Python value.

        Raises:
            ParameterError: the field does not accept it; the error names the field.
            LimitError: the text is longer than ``VALUE_TEXT``, or a list than ``ITEMS``.
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
        except (DiceError, MemoryError):
            raise
        except Exception as error:  # a value's own methods may raise anything
            if isinstance(value, str):
                raise  # text has no methods that fail: it is the fault of a custom type
            message = f"{quoted(value)} is not {self.kind.expects}: {wrap_error(error, 'reading it').message}"
            raise ParameterError(message, parameter=self.name) from error

    def write(self, value: object) -> str:
        """Return the text of a value."""
        return self.kind.write(value)

    def code(self, value: object) -> str:
        """Return the Python expression of a value."""
        return self.kind.code(value)


def no_such_parameter(name: str, known: Iterable[str], owner: str = "") -> ParameterError:
    """Return the error for a name that is not a parameter of ``owner``, with similar known names as its hint.

    >>> print(no_such_parameter("skil", ["skill", "favor"], "my-game/check"))
    there is no parameter 'skil' of my-game/check; did you mean 'skill'?
    """
    return ParameterError(f"there is no parameter {quoted(name)}{owner and f' of {owner}'}", hint=near(name, known))


def param(
    *,
    default: T = MISSING,
    example: object = MISSING,
    low: int | None = None,
    high: int | None = None,
    help: str = "",
    label: str = "",
    advanced: bool = False,
    words: tuple[str, str] | tuple[()] = (),
) -> T:
    """Declare a field of a mechanic.

    Parameters:
        default: the value when none is given; without a default the field is required.
        example: an example value, as itself or as text; required without a default.
        low, high: the smallest and the largest whole number allowed.
        help: what it means, in a few words.
        label: its name for a reader; made from the field's name by default.
        advanced: whether it is rarely changed: a panel folds it away.
        words: what a sentence says of a field that is true or false: first where it is true, then where it is false.
    """
    return cast("T", Param(locals()))
