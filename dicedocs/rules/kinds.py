"""The text form of values, and their controls: one kind for each type that a field or a fact can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, cast

from dicedocs import limits, translation
from dicedocs.errors import ParameterError, is_text, listed, printable, quoted
from dicedocs.rules.lists import NOTHING, join_items, split_items
from dicedocs.rules.steps import Face
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.similar_words import near

Control: TypeAlias = dict[str, Any]
"""The control of a value in a form, as plain data: a dictionary whose ``kind`` is one of

``whole``
    a box for a whole number, with ``low``, ``high`` and ``optional``;
``truth``
    a switch;
``choice``
    one of ``choices``, or none if ``optional``; ``names``, if any, are what is displayed for them;
``text``, ``list``, ``notation``
    a text box; ``choices``, if any, are suggestions;
``resources``
    rows of a name and a number;
``dice``, ``faces``
    dice by their sides, or by the faces that they show, one of their ``sides``, which can be added and removed;
``places``
    a switch for each die of the field ``of``, with the ``sides`` of these dice where that is known;
``rows``
    records, with ``columns``, each described like a field; the first column names the row.

The last five have *parts*: their value as lists of texts and numbers, so that a front end parses nothing.
"""
Parts: TypeAlias = list[Any]
"""The rows or dice of a control."""


def as_text(value: object) -> str:
    """Return the canonical text of the value of a parameter or a fact.

    >>> as_text(True), as_text(None), as_text((4, 2, 5)), as_text(()), as_text(("Pole", "Silk rope"))
    ('true', 'none', '4 2 5', 'none', 'Pole; Silk rope')
    """
    if value is True or value is False:
        return "true" if value else "false"
    if value is None:
        return NOTHING
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        limits.FACT_TEXT.check(len(value))  # each item has a character at least
        text = join_items([*map(as_text, value)]) if any(isinstance(item, str) for item in value) else _spaced(value)
    else:
        text = str(value)
    limits.FACT_TEXT.check(len(text))
    return text


def _spaced(values: Iterable[object]) -> str:
    return " ".join(map(as_text, values)) or NOTHING


def as_line(value: object) -> str:
    """Return the canonical text of a value on one line, each run of white space as one space.

    >>> as_line("a   door"), as_line((4, 2))
    ('a door', '4 2')
    """
    return " ".join(as_text(value).split())


def as_code(value: object) -> str:
    """Return the Python expression of a value, text in double quotes where it needs no escapes.

    >>> print(as_code("3d6"), as_code({"Strength": 4}), as_code((4, 2)))
    "3d6" {"Strength": 4} [4, 2]
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_code(name)}: {as_code(item)}" for name, item in value.items()) + "}"
    if type(value) is tuple:
        return f"[{', '.join(map(as_code, value))}]"
    if type(value) is str and value.isprintable() and not set('"\\') & set(value):
        return f'"{value}"'
    return repr(value)


def all_integers(values: Iterable[object]) -> bool:
    """Return whether all values are integers; ``True`` and ``False`` are not.

    >>> all_integers([1, 2]), all_integers([1, True])
    (True, False)
    """
    return set(map(type, values)) <= {int}


class Kind:
    """The text form of the values of one type, and their control.

    Attributes:
        expects: the values it accepts, in words: "a whole number from 0 to 3".
        free: whether its texts may contain the separators of a list or a record.
        any_text: whether a value, or one in a list of values, may be any text.
        words: the words that a value can be, by their texts.
        has_parts: whether its control has parts.
        undecided: the text of the value that stands for none yet; empty unless a player chooses it in play.
    """

    expects: str = "text"
    free: bool = False
    any_text: bool = False
    words: Mapping[str, object] = MappingProxyType({})
    has_parts: bool = False
    undecided: str = ""

    @property
    def members(self) -> Sequence[Kind]:
        """The kinds of which a value has one: several for a union."""
        return (self,)

    def of_field(self, name: str) -> Kind:
        """Return the kind of the values of a field, which know what it is called if a player chooses them in play."""
        return self

    def read(self, text: str) -> object:
        """Return the value of a text, or raise a :class:`ParameterError`."""
        raise NotImplementedError

    def accept(self, value: object) -> object:
        """Return a Python value in its normal form, or raise a :class:`ParameterError`."""
        raise NotImplementedError

    def write(self, value: Any) -> str:
        """Return the text of a value, which :meth:`read` reads as the same value."""
        return as_text(value)

    def code(self, value: Any) -> str:
        """Return the Python expression of a value."""
        return as_code(value)

    def holds(self, value: Any) -> bool:
        """Return whether a value is of this kind as it stands: the text of a number is not that number.

        >>> IntKind().holds(4), IntKind().holds(4.0), ChoiceKind(["a", "b"]).holds("c")
        (True, False, False)
        """
        try:
            return bool(convert(self, value) == value)
        except ParameterError:
            return False

    def texts(self) -> Iterator[str]:
        """Yield the texts to translate: the words that a value can be, and the heads of the columns of records."""
        yield from self.words

    def control(self) -> Control:
        """Return the control of a value.

        >>> UnionKind([IntKind(low=1), NoneKind()]).control()
        {'kind': 'whole', 'low': 1, 'high': None, 'optional': True}
        """
        return {"kind": "text"}

    def optional_control(self) -> Control:
        """Return the control of a value or ``None``; parts could not show ``None`` beside an empty list."""
        own = self.control()
        return own | {"optional": True} if "optional" in own else {"kind": "text"}

    def parts_of(self, value: Any) -> Parts:
        """Return the parts of a value in a control that has parts."""
        return list(value)

    def value_from_parts(self, parts: object, current: Any = None) -> object:
        """Return the value that a control's parts stand for; empty rows are ignored.

        Parameters:
            parts: in the form returned by :meth:`parts_of`.
            current: the current value; a custom type keeps the rest of it when its dice change.

        Raises:
            ParameterError: a part is not valid.
            LimitError: there are more than ``ITEMS`` parts.
        """
        if not isinstance(parts, list | tuple):
            raise ParameterError("the parts are not a list")
        limits.ITEMS.check(len(parts))
        return self._join_parts(parts, current)

    def _join_parts(self, parts: Sequence[Any], _current: Any) -> object:
        return convert(self, list(parts))

    def error(self, value: object, hint: str = "") -> ParameterError:
        """Return the error for a value that is not of this kind."""
        return ParameterError(f"{quoted(value)} is not {self.expects}", hint=hint)

    def check_text(self, value: Any) -> Any:
        """Return a value, or raise an error when its text is too long, or would be read as another value."""
        if not self.free:
            return value
        text = self.write(value)
        limits.VALUE_TEXT.check(len(text), hint="write less")
        with suppress(ParameterError):
            if self.read(text) == value:
                return value
        raise ParameterError(f"{quoted(text)} would be read as something else", hint=f"write {self.expects}")


class TextKind(Kind):
    """Any text."""

    free = True
    any_text = True

    def read(self, text: str) -> str:
        return text

    def accept(self, value: object) -> object:
        raise self.error(value)

    def holds(self, value: Any) -> bool:
        return isinstance(value, str)


class IntKind(Kind):
    """A whole number within bounds."""

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self.low = low
        self.high = high
        both = low is not None and high is not None
        one = "" if low is None and high is None else f", at most {high}" if low is None else f", at least {low}"
        self.expects = "a whole number" + (f" from {low} to {high}" if both else one)

    def read(self, text: str) -> int:
        text = text.strip().replace("\u2212", "-")
        digits = text[1:] if text[:1] in {"-", "+"} else text
        if not (digits.isascii() and digits.isdigit()):
            raise self.error(text)
        limits.DIGITS.check(len(digits), hint="write a smaller number")
        return self.accept(int(text))

    def accept(self, value: object) -> int:
        if type(value) is not int:
            raise self.error(value)
        if abs(value) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, hint="give a smaller number")
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise self.error(value)
        return value

    def holds(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def control(self) -> Control:
        return {"kind": "whole", "low": self.low, "high": self.high, "optional": False}


class BoolKind(Kind):
    """A truth value; as a directive option, the name alone means true."""

    expects = "true or false"
    _words: Final = {"": True, **TYPED_TRUTHS}

    def read(self, text: str) -> bool:
        try:
            return self._words[text.strip().lower()]
        except KeyError:
            raise self.error(text) from None

    def accept(self, value: object) -> bool:
        if type(value) is not bool:
            raise self.error(value)
        return value

    def holds(self, value: Any) -> bool:
        return isinstance(value, bool)

    def control(self) -> Control:
        return {"kind": "truth"}

    def optional_control(self) -> Control:
        return ChoiceKind([True, False]).optional_control()


class ChoiceKind(Kind):
    """One of a fixed set of words."""

    def __init__(self, words: Iterable[object]) -> None:
        self.words = {as_text(word): word for word in words}
        self.expects = listed(map(quoted, self.words))

    def read(self, text: str) -> object:
        folded = " ".join(text.split())
        by_case = {word.casefold(): word for word in self.words}
        if folded.casefold() not in by_case:
            raise self.error(text, hint=near(folded, self.words))
        return self.words[by_case[folded.casefold()]]

    def accept(self, value: object) -> object:
        for word in self.words.values():
            if type(value) is type(word) and value == word:
                return word
        raise self.error(value)

    def holds(self, value: Any) -> bool:
        return any(type(value) is type(word) and value == word for word in self.words.values())

    def control(self) -> Control:
        choices, names = list(self.words), list(map(translation.word, self.words))
        own_names = {} if names == choices else {"names": names}
        return {"kind": "choice", "choices": choices, **own_names, "optional": False}


class NoneKind(Kind):
    """``None``."""

    expects = f"'{NOTHING}'"
    _texts: Collection[str] = ("", NOTHING)

    def read(self, text: str) -> None:
        if text.strip().lower() not in self._texts:
            raise self.error(text)

    def accept(self, value: object) -> None:
        if value is not None:
            raise self.error(value)

    def holds(self, value: Any) -> bool:
        return value is None


class UnionKind(Kind):
    """The first of several kinds that accepts a value."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        # Any text is a TextKind, so it comes last whatever the order of the union.
        self.kinds = sorted(kinds, key=lambda kind: (isinstance(kind, TextKind), not isinstance(kind, NoneKind)))
        self._of_values = [kind for kind in self.kinds if not isinstance(kind, NoneKind)]
        self.free = any(kind.free for kind in self.kinds)
        self.any_text = any(kind.any_text for kind in self.kinds)
        self.words = {text: value for kind in self.kinds for text, value in kind.words.items()}
        none_last = sorted(self.kinds, key=lambda kind: isinstance(kind, NoneKind))
        self.expects = listed(
            part for kind in none_last for part in (map(quoted, kind.words) if kind.words else [kind.expects])
        )

    @property
    def members(self) -> Sequence[Kind]:
        return self.kinds

    def read(self, text: str) -> object:
        return self._first(text, "read", self.kinds)

    def accept(self, value: object) -> object:
        return self._first(value, "accept", self._possible(value))

    def write(self, value: Any) -> str:
        return self._member(value).write(value)

    def code(self, value: Any) -> str:
        return self._member(value).code(value)

    def holds(self, value: Any) -> bool:
        return any(kind.holds(value) for kind in self.kinds)

    def texts(self) -> Iterator[str]:
        for kind in self.kinds:
            yield from kind.texts()

    def control(self) -> Control:
        if len(self._of_values) == 1:
            return self._of_values[0].optional_control()
        return {"kind": "text", "choices": list(self.words)} if self.words else {"kind": "text"}

    def _member(self, value: object) -> Kind:
        """Return the member kind of a value."""
        for kind in self._possible(value):
            with suppress(ParameterError):
                if kind.accept(value) == value:
                    return kind
        return TextKind()

    def _possible(self, value: object) -> Sequence[Kind]:
        """Return the kinds that may accept a value; the kind of ``None`` accepts nothing else."""
        return self.kinds if value is None else self._of_values

    def _first(self, value: Any, method: Literal["read", "accept"], kinds: Iterable[Kind]) -> object:
        hint = ""
        for kind in kinds:
            try:
                return getattr(kind, method)(value)
            except ParameterError as error:
                # The message lists the known words already.
                hint = hint or ("" if error.hint.startswith("known:") else error.hint)
        raise self.error(value, hint=hint)


_GROUPED: Final = re.compile(r"(?<![0-9,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")
"""Digits in groups of three, as many people write one number."""


class ListKind(Kind):
    """A list of values, in text separated by spaces or commas, and texts with spaces by semicolons."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.free = kind.free
        self.any_text = kind.any_text
        self._is_choice = isinstance(kind, ChoiceKind)
        separated = "semicolons" if isinstance(kind, TextKind) else "spaces"
        self.expects = f"{kind.expects}, or several separated by {separated}"

    def read(self, text: str) -> tuple[object, ...]:
        if text.strip().lower() in {"", NOTHING}:
            return ()
        if isinstance(self.kind, IntKind) and (grouped := _GROUPED.search(text)):
            number = grouped[0]
            hint = f"write {number.replace(',', '')} for one number, {number.replace(',', ', ')} for several"
            raise ParameterError(f"{quoted(number)} may be one number or several", hint=hint)
        items = self._split(text)
        limits.ITEMS.check(len(items))
        return tuple(self.kind.read(item.strip()) for item in items)

    def _split(self, text: str) -> Sequence[str]:
        return split_items(text) if self.free or self._is_choice else text.replace(",", " ").split()

    def accept(self, value: object) -> tuple[object, ...]:
        single = not isinstance(value, Iterable) or isinstance(value, bytes | Mapping) or hasattr(value, "_fields")
        items = (value,) if single else limits.ITEMS.take(value)
        return cast("tuple[object, ...]", self.check_text(tuple(convert(self.kind, item) for item in items)))

    def write(self, value: Any) -> str:
        texts = list(map(self.kind.write, value))
        return join_items(texts) if self.free or self._is_choice else " ".join(texts) or NOTHING

    def code(self, value: Any) -> str:
        return f"[{', '.join(map(self.kind.code, value))}]"

    def holds(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(map(self.kind.holds, value))

    def texts(self) -> Iterator[str]:
        return self.kind.texts()

    def control(self) -> Control:
        return {"kind": "list", "choices": list(self.kind.words)} if self._is_choice else {"kind": "list"}


class Places(ListKind):
    """Positions of dice in another parameter, from 1.

    Parameters:
        of: the name of the other parameter.
        state: the state in which these dice are drawn; by default the name of the parameter or fact that has this
            kind, if dice are drawn in a way of their own for it, such as ``exhausted`` and ``spent``.

    >>> Places("pool").read("1 3")
    (1, 3)
    """

    has_parts = True

    def __init__(self, of: str, state: str = "") -> None:
        super().__init__(IntKind(low=1))
        if not is_text(of):
            raise TypeError(f"{quoted(of)} is not the name of a parameter")
        if not is_text(state):
            raise TypeError(f"{quoted(state)} is not the state of a die")
        self.of = of
        self.state = state
        self.expects = f"positions in the {spaced(of)}, counted from 1 and separated by spaces"

    def control(self) -> Control:
        return {"kind": "places", "of": self.of}


class HiddenFaceKind(NoneKind):
    """A face that does not matter, ``None``, written ``-``."""

    expects = "'-'"
    _texts = ("-",)

    def write(self, value: Any) -> str:
        return "-"


class PoolFacesKind(ListKind):
    """The faces of some dice, ``4 3 - 1``, which are drawn as dice.

    Parameters:
        sides: the number of sides of each die.

    >>> PoolFacesKind().read("4 3 -"), PoolFacesKind().parts_of((4, None)), PoolFacesKind().value_from_parts(["4", ""])
    ((4, 3, None), ['4', '-'], (4, None))
    """

    has_parts = True

    def __init__(self, sides: int = 6) -> None:
        super().__init__(UnionKind([IntKind(low=1), HiddenFaceKind()]))
        if type(sides) is not int or sides < 1:
            raise TypeError(f"{quoted(sides)} is not a number of sides")
        self.sides = sides
        self.expects = "faces such as 4 3 1, or '-' for one that does not matter"

    def control(self) -> Control:
        return {"kind": "faces", "sides": self.sides}

    def parts_of(self, value: Any) -> Parts:
        return list(map(self.kind.write, value))

    def _join_parts(self, parts: Sequence[Any], _current: Any) -> object:
        return convert(self, [self.kind.read(cell_text(face) or "-") for face in parts])


class DiceSizesKind(Kind):
    """The sides of some dice, written ``d20 d8 2d6``.

    >>> DiceSizesKind().read("d20 D8 2d6")
    (20, 8, 6, 6)
    """

    expects = "dice such as d20 d8 2d6"
    has_parts = True

    def read(self, text: str) -> tuple[int, ...]:
        if text.strip().lower() in {"", NOTHING}:
            return ()
        sizes: list[int] = []
        for word in text.replace(",", " ").split():
            number, _, sides = word.lower().partition("d")
            valid = (number + sides).isascii() and sides.isdigit() and (number.isdigit() or not number)
            if not valid or max(len(number), len(sides)) > limits.DIGITS.maximum:
                raise self.error(word)
            limits.ITEMS.check(len(sizes) + int(number or 1), hint="write fewer dice")
            sizes += [int(sides)] * int(number or 1)
        return self.accept(tuple(sizes))

    def accept(self, value: object) -> tuple[int, ...]:
        sizes = (value,) if type(value) is int else value
        if not isinstance(sizes, tuple | list):
            raise self.error(value)
        limits.ITEMS.check(len(sizes), hint="write fewer dice")
        if not (all_integers(sizes) and min(sizes, default=1) >= 1):
            raise self.error(value)
        for sides in sizes:
            limits.SIDES.check(sides, hint="use a die with fewer sides")
        return tuple(sizes)

    def write(self, value: Any) -> str:
        runs = ((sides, len(list(run))) for sides, run in groupby(value))
        return " ".join(f"{number if number > 1 else ''}d{sides}" for sides, number in runs) or NOTHING

    def code(self, value: Any) -> str:
        return as_code(self.write(value))

    def control(self) -> Control:
        return {"kind": "dice"}


class CustomKind(Kind):
    """A type that defines its own text form: ``from_text`` reads it and ``str`` writes it.

    It may also have ``expects``, as a kind has, and ``from_value``, which is as ``accept`` of a kind.
    """

    free = True

    def __init__(self, owner: type[Any]) -> None:
        self.owner = owner
        self.expects = getattr(owner, "expects", owner.__name__)

    def read(self, text: str) -> object:
        return self._made(self.owner.from_text, text)

    def accept(self, value: object) -> object:
        if isinstance(value, self.owner):
            return value
        from_value = getattr(self.owner, "from_value", None)
        if from_value is None:
            raise self.error(value)
        return self._made(from_value, value)

    def _made(self, make: Callable[[Any], object], value: object) -> object:
        """Return what a class makes of a value; a ``ValueError`` says that it is a bad one, as it does in Python."""
        try:
            return make(value)
        except ValueError as error:
            bad = self.error(value)
            bad.message += f": {printable(str(error))}" if str(error) else ""
            raise bad from error

    def write(self, value: Any) -> str:
        return str(value)

    def code(self, value: Any) -> str:
        return as_code(value if isinstance(value, Mapping) else str(value))

    def holds(self, value: Any) -> bool:
        return isinstance(value, self.owner)


class CustomDiceKind(CustomKind):
    """A custom type with ``sizes``, its dice by their sides, and ``with_sizes``, which returns a copy with others."""

    has_parts = True

    def control(self) -> Control:
        return {"kind": "dice"}

    def parts_of(self, value: Any) -> Parts:
        return list(value.sizes)

    def _join_parts(self, parts: Sequence[Any], current: Any) -> object:
        return current.with_sizes(DiceSizesKind().accept(tuple(parts)))


def convert(kind: Kind, value: object) -> object:
    """Return the value of a text or of a Python value.

    Raises:
        ParameterError: the value is not of this kind.
        LimitError: the text is longer than ``VALUE_TEXT``.
    """
    if isinstance(value, str):
        if len(value) > limits.VALUE_TEXT.maximum:
            limits.VALUE_TEXT.check(len(value), hint="write less")
        # A subclass of str is read as its text.
        return kind.read(value if type(value) is str else str.__str__(value))
    # While steps are recorded a face knows its die; a parameter is the same plain number as in a play.
    return kind.accept(int(value) if isinstance(value, Face) else value)


def cell_text(cell: object) -> str:
    """Return the text of a cell of a form, which is text or a number."""
    if type(cell) is str:
        return cell.strip()
    if type(cell) is not int:
        raise ParameterError(f"{quoted(cell)} is neither text nor a number")
    return str(IntKind().accept(cell))


def spaced(name: str) -> str:
    """Return a name with spaces instead of underscores.

    >>> spaced("step_up")
    'step up'
    """
    return name.replace("_", " ")
