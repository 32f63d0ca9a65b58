"""The errors that the public functions raise, and the words they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

_WINDOW = 60
"""Characters of a long text that an error shows on each side of the error."""
_LONGEST = 2_000
"""Characters of the message of an exception that is not of this package."""


class DiceError(Exception):
    """Bad input; the base class of all errors of this package.

    An error is data, so that a page, a panel and a terminal can each show it in their own way; ``str`` joins the parts.

    Parameters:
        message: what is wrong, as a sentence without a full stop.
        hint: what to write instead; may be empty.
        parameter: the name of the parameter at fault; may be empty.

    Attributes:
        text: the notation that is at fault; empty if it is something else.
        at: the position of the error in it, from 0; the length of the text means its end.

    >>> print(DiceError("there is no d1x", hint="write d12"))
    there is no d1x; write d12
    """

    text: str = ""
    at: int = 0

    def __init__(self, message: str, *, hint: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.parameter = parameter

    @property
    def located(self) -> bool:
        """Whether the error has a position in a notation."""
        return bool(self.text)

    @property
    def line(self) -> int:
        """The line of the error in the notation, from 1."""
        return self.text.count("\n", 0, self.at) + 1

    @property
    def column(self) -> int:
        """The column of the error in its line, from 1."""
        return self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1

    def __str__(self) -> str:
        if not self.located:
            return self._join(self.message)
        start = self.at - self.column + 1
        end = self.text.find("\n", start)
        line, caret = _excerpt(self.text[start : end if end >= 0 else None], self.column - 1)
        first = self._join(f"{self.message} (line {self.line}, column {self.column})")
        return f"{first}\n    {line}\n    {' ' * caret}^"

    def _join(self, message: str) -> str:
        message = f"{printable(self.parameter)}: {message}" if self.parameter else message
        return f"{message}; {self.hint}" if self.hint else message


class NotationError(DiceError):
    """A syntax error in an expression, a check or a claim, with its position.

    Parameters:
        text: the whole text.
        at: the position of the error, from 0; the length of the text means its end.

    >>> print(NotationError("expected a number or dice, found '*'", text="2 + * 3", at=4))
    expected a number or dice, found '*' (line 1, column 5)
        2 + * 3
            ^
    """

    def __init__(self, message: str, *, text: str = "", at: int = 0, hint: str = "", parameter: str = "") -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.text = text
        self.at = at

    @property
    def located(self) -> bool:
        return True


@contextmanager
def located(at: int) -> Iterator[None]:
    """Give an error that is raised in this context a position in the text that is being read.

    Parameters:
        at: the position, from 0.
    """
    try:
        yield
    except DiceError as error:
        error.at = at
        raise


class ResourceError(DiceError):
    """A resource that an expression reads and the character does not have.

    Parameters:
        scope: whose resource it is: ``"actor"`` or ``"target"``.
        name: the resource's name.
    """

    def __init__(self, message: str, *, scope: str = "", name: str = "", hint: str = "", parameter: str = "") -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.scope = scope
        self.name = name


class ParameterError(DiceError):
    """An invalid parameter value, face, seed, fact or mechanic id."""


class LimitError(DiceError):
    """A limit was exceeded; it is raised before the expensive work begins.

    Parameters:
        limit: the name of the limit in :mod:`dicedocs.limits`.
        mechanic: the mechanic that exceeded it while it was played; may be empty.
    """

    def __init__(
        self, message: str, *, limit: str = "", mechanic: str = "", hint: str = "", parameter: str = ""
    ) -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.limit = limit
        self.mechanic = mechanic


class ExpectationError(DiceError):
    """An outcome or a distribution that differs from what its author expects.

    Parameters:
        expected: the expected facts, in canonical text.
        actual: the same facts of the actual outcome.
    """

    def __init__(
        self, message: str, *, expected: str = "", actual: str = "", hint: str = "", parameter: str = ""
    ) -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.expected = expected
        self.actual = actual


class DistributionError(ExpectationError):
    """The odds that a mechanic computes itself differ from those of its dice: the fault is the game's.

    Parameters:
        expected: a figure of its own distribution.
        actual: the same figure, counted or played.
    """


def printable(text: str) -> str:
    """Return a text with each unprintable character replaced by U+FFFD, so that its length stays the same.

    >>> printable("2d6" + chr(0))
    '2d6\ufffd'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def quoted(text: object) -> str:
    """Return a value as an error message shows it: quoted, printable and shortened.

    It never fails, since it is for values that nobody has checked.

    >>> quoted("2d6")
    "'2d6'"
    """
    start = printable(_text(_beginning(text))[: _WINDOW + 1])
    return f"'{start[:_WINDOW]}…'" if len(start) > _WINDOW else f"'{start}'"


def _text(value: object) -> str:
    """Return the text of a value, or a description of one whose own methods fail."""
    try:
        return str(value)
    except ValueError:  # Python does not convert numbers of several thousand digits to text
        return "a number too long to be written"
    except Exception:  # noqa: BLE001  # the value's own method may raise anything
        return f"a {type(value).__name__} without a text"


def _beginning(value: object) -> object:
    """Return the beginning of a long text or collection, whose whole text would be as long."""
    if type(value) in {str, bytes, bytearray, list, tuple}:
        return value[: _WINDOW + 1]  # type: ignore[index]
    if type(value) in {set, frozenset}:
        return set(islice(value, _WINDOW + 1))  # type: ignore[call-overload]
    if type(value) is dict:
        return dict(islice(value.items(), _WINDOW + 1))
    return value


def is_text(value: object) -> bool:
    """Return whether a value is text; for values that are text by their annotation, and come from anywhere."""
    return isinstance(value, str)


def listed(words: Iterable[str], last: str = "or") -> str:
    """Join words with commas and a last conjunction.

    >>> listed(["a number", "dice", "'('"])
    "a number, dice or '('"
    """
    *init, end = [*words] or [""]
    return f"{', '.join(init)} {last} {end}" if init else end


def wrap_error(error: BaseException, what: str = "the rule") -> DiceError:
    """Return an exception of ``what``, a rule or a plugin, as an error; a :class:`DiceError` stays as it is.

    >>> print(wrap_error(ZeroDivisionError("division by zero")))
    the rule failed: ZeroDivisionError: division by zero
    """
    if isinstance(error, DiceError):
        return error
    wrapped = DiceError(f"{what} failed: {error_text(error)}")
    wrapped.__cause__ = error
    return wrapped


def error_text(error: BaseException) -> str:
    """Return the type of an exception and its message, shortened; the exception may be of any class.

    >>> error_text(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    text = _text(error)
    text = f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _excerpt(line: str, at: int) -> tuple[str, int]:
    """Return the part of a long line around a position, and the position within that part."""
    start = max(0, at - _WINDOW)
    end = at + _WINDOW
    head = "…" if start else ""
    tail = "…" if end < len(line) else ""
    return head + printable(line[start:end]) + tail, at - start + len(head)
