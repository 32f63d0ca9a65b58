"""What can be wrong with what a person wrote: every error that the public functions raise."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

_WINDOW = 60
"""Characters of a long text that an error shows around the place it is about."""
_COMPARED = 100
"""Words that a misspelt one is compared with letter by letter, which takes its time: those that share most with it."""


class DiceError(Exception):
    """Something that a person wrote cannot be played; the base of every error here.

    An error is data, so that each surface can show it in its own way; ``str`` joins the parts.

    Parameters:
        message: what is wrong, in one sentence without a full stop.
        hint: what to write instead, in the same form; may be empty.
        parameter: the name of the parameter it is about; empty when it is about none.

    >>> print(DiceError("there is no d1x", hint="write d12"))
    there is no d1x; write d12
    """

    def __init__(self, message: str, *, hint: str = "", parameter: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.parameter = parameter

    def __str__(self) -> str:
        return self._joined(self.message)

    def _joined(self, message: str) -> str:
        about = f"{self.parameter}: {message}" if self.parameter else message
        return f"{about}; {self.hint}" if self.hint else about


class NotationError(DiceError):
    """A text that is not the notation it should be, with the place where it goes wrong.

    Parameters:
        text: the whole text.
        at: the place in it, counted from 0; the length of the text means its end.

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
    def line(self) -> int:
        """The line of the place, from 1."""
        return self.text.count("\n", 0, self.at) + 1

    @property
    def column(self) -> int:
        """The column of the place in its line, from 1."""
        return self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1

    def __str__(self) -> str:
        start = self.at - self.column + 1
        end = self.text.find("\n", start)
        shown, caret = _window(self.text[start : end if end >= 0 else None], self.column - 1)
        first = self._joined(f"{self.message} (line {self.line}, column {self.column})")
        return f"{first}\n    {shown}\n    {' ' * caret}^"


class ResourceError(DiceError):
    """A resource that a text names and nobody has.

    Parameters:
        scope: whose resource it is, ``"actor"`` or ``"target"``.
        name: the resource's name.
    """

    def __init__(self, message: str, *, scope: str = "", name: str = "", hint: str = "", parameter: str = "") -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.scope = scope
        self.name = name


class ParameterError(DiceError):
    """A value that a parameter cannot have; faces, seeds and names of mechanics too."""


class LimitError(DiceError):
    """A budget was passed; nothing was begun that would have taken too long.

    Parameters:
        limit: the name of the budget in :mod:`dicedocs.limits`.
    """

    def __init__(self, message: str, *, limit: str = "", hint: str = "", parameter: str = "") -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.limit = limit


class ExpectationError(DiceError):
    """A worked example does not give what was written of it.

    Parameters:
        expected: the facts as they were written, in canonical text.
        actual: the same facts as they are.
    """

    def __init__(
        self, message: str, *, expected: str = "", actual: str = "", hint: str = "", parameter: str = ""
    ) -> None:
        super().__init__(message, hint=hint, parameter=parameter)
        self.expected = expected
        self.actual = actual


def printable(text: str) -> str:
    """Give a text in which every character can be printed, one for one, so that a caret still fits.

    >>> printable("2d6" + chr(0))
    '2d6\ufffd'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)


def quoted(text: object) -> str:
    """Give a value as an error shows it: in quotes, printable and not too long.

    >>> quoted("2d6")
    "'2d6'"
    """
    try:
        shown = printable(str(text)[: _WINDOW + 1])
    except ValueError:  # Python writes no number of more than some thousand digits
        shown = "a number too long to be written"
    return f"'{shown[:_WINDOW]}…'" if len(shown) > _WINDOW else f"'{shown}'"


def listed(words: Iterable[str], last: str = "or") -> str:
    """Join words as a sentence does.

    >>> listed(["a number", "dice", "'('"])
    "a number, dice or '('"
    """
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end


def near(word: str, choices: Iterable[str]) -> str:
    """Give the hint that names what resembles a word, or else all there is when that is little.

    >>> near("Strenght", ["Strength", "Health"])
    "did you mean 'Strength'?"
    >>> near("Mana", ["Strength", "Health"])
    "known: 'Health', 'Strength'"
    >>> near("Mana", [])
    ''
    """
    from difflib import get_close_matches
    from heapq import nlargest

    known = sorted(set(choices))
    word = word[:_WINDOW].casefold()
    by_case = {choice[:_WINDOW].casefold(): choice for choice in known}
    compared: Iterable[str] = by_case
    if len(by_case) > _COMPARED:
        pairs = set(pairwise(word))
        compared = nlargest(_COMPARED, by_case, key=lambda choice: len(pairs.intersection(pairwise(choice))))
    close = list(dict.fromkeys(by_case[choice] for choice in get_close_matches(word, compared, n=3, cutoff=0.6)))
    if close:
        return f"did you mean {listed(map(quoted, close))}?"
    few = 12
    if known and len(known) <= few:
        return f"known: {', '.join(map(quoted, known))}"
    return ""


def wrap_error(error: Exception, what: str = "the rule") -> DiceError:
    """Give what went wrong within somebody's code as an error that can be shown: its type and its message.

    Parameters:
        error: what was raised; an error of ours is shown as it is.
        what: whose code it was.

    >>> print(wrap_error(ZeroDivisionError("division by zero")))
    the rule failed: ZeroDivisionError: division by zero
    """
    if isinstance(error, DiceError):
        return error
    told = DiceError(f"{what} failed: {type(error).__name__}: {error}")
    told.__cause__ = error
    return told


def _window(line: str, at: int) -> tuple[str, int]:
    """Cut a long line to the part around a place; give it with the place of the caret in it."""
    start = max(0, at - _WINDOW)
    end = at + _WINDOW
    head = "…" if start else ""
    tail = "…" if end < len(line) else ""
    return head + printable(line[start:end]) + tail, at - start + len(head)
