"""How values are written: text to value, and back, for each type that a field or a fact can have."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Annotated, Any, Final, Literal, Protocol, Self, Union, cast, get_args, get_origin, get_type_hints

from dicedocs import limits
from dicedocs.errors import ParameterError, listed, near, quoted
from dicedocs.rules.steps import Face

NOTHING: Final = "none"
"""How nothing, and an empty list, is written."""


def as_text(value: object) -> str:
    """Give the canonical text of a value: of a parameter or of a fact.

    >>> as_text(True), as_text(None), as_text((4, 2, 5)), as_text(())
    ('true', 'none', '4 2 5', 'none')
    """
    if value is True or value is False:
        return "true" if value else "false"
    if value is None:
        return NOTHING
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return " ".join(map(as_text, value)) if value else NOTHING
    return str(value)


def as_line(value: object) -> str:
    """Give the canonical text of a value in one line: runs of blanks fold to one, as they do in what is expected.

    >>> as_line("a   door"), as_line((4, 2))
    ('a door', '4 2')
    """
    return " ".join(as_text(value).split())


def as_code(value: object) -> str:
    """Give the Python that gives a value, texts in double quotes where they are plain.

    >>> print(as_code("3d6"), as_code({"Strength": 4}), as_code((4, 2)))
    "3d6" {"Strength": 4} [4, 2]
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_code(name)}: {as_code(held)}" for name, held in value.items()) + "}"
    if type(value) is tuple:
        return f"[{', '.join(map(as_code, value))}]"
    if type(value) is str and value.isprintable() and not set('"\\') & set(value):
        return f'"{value}"'
    return repr(value)


class Kind:
    """A way of writing values of one type: text to value, and back.

    Attributes:
        expects: what is to be written, in words: "a whole number from 0 to 3".
        free: whether its texts may hold what separates values in a list or a record.
    """

    expects: str = "text"
    free: bool = False

    def read(self, text: str) -> object:
        """Read a text, or raise a :class:`ParameterError`."""
        raise NotImplementedError

    def take(self, value: object) -> object:
        """Take a value that was given as itself, or raise a :class:`ParameterError`."""
        raise NotImplementedError

    def write(self, value: Any) -> str:
        """Give the text that reads as the value again."""
        return as_text(value)

    def code(self, value: Any) -> str:
        """Give the Python that gives the value."""
        return as_code(value)

    def refuse(self, value: object, hint: str = "") -> ParameterError:
        """Give the error that says what was found and what is expected."""
        return ParameterError(f"{quoted(value)} is not {self.expects}", hint=hint)

    def legible(self, value: Any) -> Any:
        """Give a value back, or refuse it when its text would be read as another."""
        text = self.write(value)
        try:
            same = not self.free or self.read(text) == value
        except ParameterError:
            same = False
        if not same:
            raise ParameterError(f"{quoted(text)} would be read as something else", hint=f"write {self.expects}")
        return value


class TextKind(Kind):
    """Any text."""

    free = True

    def read(self, text: str) -> str:
        return text

    def take(self, value: object) -> object:
        raise self.refuse(value)


class NotationKind(TextKind):
    """A text in a notation, which its mechanic reads: shown as such where it is typed."""


class IntKind(Kind):
    """A whole number within bounds."""

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self.low = low
        self.high = high
        self.expects = "a whole number" + (
            f" from {low} to {high}"
            if low is not None and high is not None
            else f", at least {low}"
            if low is not None
            else f", at most {high}"
            if high is not None
            else ""
        )

    def read(self, text: str) -> int:
        text = text.strip()
        digits = text[1:] if text[:1] in {"-", "+"} else text
        if not (digits.isascii() and digits.isdigit()):
            raise self.refuse(text)
        limits.DIGITS.check(len(digits), hint="write a smaller number")
        return self.take(int(text))

    def take(self, value: object) -> int:
        if type(value) is not int:
            raise self.refuse(value)
        if abs(value) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, hint="give a smaller number")
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise self.refuse(value)
        return value


class BoolKind(Kind):
    """A switch; in a document the name alone switches it on."""

    expects = "true or false"
    _words: Final = {"true": True, "yes": True, "": True, "false": False, "no": False}

    def read(self, text: str) -> bool:
        try:
            return self._words[text.strip().lower()]
        except KeyError:
            raise self.refuse(text) from None

    def take(self, value: object) -> bool:
        if type(value) is not bool:
            raise self.refuse(value)
        return value


class ChoiceKind(Kind):
    """One of some words."""

    def __init__(self, words: Iterable[object]) -> None:
        self.words = {as_text(word): word for word in words}
        self.expects = listed(map(quoted, self.words))

    def read(self, text: str) -> object:
        folded = " ".join(text.split())
        by_case = {word.casefold(): word for word in self.words}
        if folded.casefold() not in by_case:
            raise self.refuse(text, hint=near(folded, self.words))
        return self.words[by_case[folded.casefold()]]

    def take(self, value: object) -> object:
        for word in self.words.values():
            if type(value) is type(word) and value == word:
                return word
        raise self.refuse(value)


class NoneKind(Kind):
    """Nothing at all."""

    expects = f"'{NOTHING}'"

    def read(self, text: str) -> None:
        if text.strip().lower() not in {"", NOTHING}:
            raise self.refuse(text)

    def take(self, value: object) -> None:
        if value is not None:
            raise self.refuse(value)


class UnionKind(Kind):
    """The first of several kinds that fits."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        # Free text fits everything, so it comes last whatever the order of the union.
        self.kinds = sorted(kinds, key=lambda kind: (isinstance(kind, TextKind), not isinstance(kind, NoneKind)))
        self.free = any(kind.free for kind in self.kinds)
        each = sorted(self.kinds, key=lambda kind: isinstance(kind, NoneKind))
        self.expects = listed(
            part
            for kind in each
            for part in (map(quoted, kind.words) if isinstance(kind, ChoiceKind) else [kind.expects])
        )

    def read(self, text: str) -> object:
        return self._first(text, "read")

    def take(self, value: object) -> object:
        return self._first(value, "take")

    def write(self, value: Any) -> str:
        return self._of(value).write(value)

    def code(self, value: Any) -> str:
        return self._of(value).code(value)

    def _of(self, value: object) -> Kind:
        """Give the kind that a value of this union has."""
        for kind in self.kinds:
            try:
                if kind.take(value) == value:
                    return kind
            except ParameterError:
                pass
        return TextKind()

    def _first(self, value: Any, how: Literal["read", "take"]) -> object:
        hint = ""
        for kind in self.kinds:
            try:
                return getattr(kind, how)(value)
            except ParameterError as error:
                # Which words there are is said already.
                hint = hint or ("" if error.hint.startswith("known:") else error.hint)
        raise self.refuse(value, hint=hint)


class ListKind(Kind):
    """A list of values: in text separated by spaces or commas, and records by semicolons."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.rows = isinstance(kind, RecordKind)
        self.free = kind.free
        self.expects = f"{kind.expects}, or several separated by {'semicolons' if self.rows else 'spaces'}"

    def read(self, text: str) -> tuple[object, ...]:
        if text.strip().lower() in {"", NOTHING}:
            return ()
        items = [item for item in text.split(";") if item.strip()] if self.rows else text.replace(",", " ").split()
        limits.ITEMS.check(len(items))
        return tuple(self.kind.read(item.strip()) for item in items)

    def take(self, value: object) -> tuple[object, ...]:
        alone = not isinstance(value, Iterable) or isinstance(value, Mapping) or hasattr(value, "_fields")
        items = (value,) if alone else tuple(cast("Iterable[object]", value))
        limits.ITEMS.check(len(items))
        return cast("tuple[object, ...]", self.legible(tuple(convert(self.kind, item) for item in items)))

    def write(self, value: Any) -> str:
        return ("; " if self.rows else " ").join(map(self.kind.write, value)) or NOTHING

    def code(self, value: Any) -> str:
        return as_code(self.write(value)) if self.rows else f"[{', '.join(map(self.kind.code, value))}]"


class Places(ListKind):
    """Which dice are meant: their places in another parameter, counted from 1.

    Parameters:
        of: the name of that parameter.

    >>> Places("pool").read("1 3")
    (1, 3)
    """

    def __init__(self, of: str) -> None:
        super().__init__(IntKind(low=1))
        self.of = of
        self.expects = f"places in the {spaced(of)}, counted from 1 and separated by spaces"


class HiddenFaceKind(Kind):
    """A face that does not matter, written ``-``."""

    expects = "'-'"

    def read(self, text: str) -> None:
        if text.strip() != "-":
            raise self.refuse(text)

    def take(self, value: object) -> None:
        if value is not None:
            raise self.refuse(value)

    def write(self, value: Any) -> str:
        return "-"


class PoolFacesKind(ListKind):
    """The faces that some dice show, ``4 3 - 1``.

    >>> PoolFacesKind().read("4 3 -")
    (4, 3, None)
    """

    def __init__(self) -> None:
        super().__init__(UnionKind([IntKind(low=1), HiddenFaceKind()]))
        self.expects = "faces such as 4 3 1, or '-' for one that does not matter"


class DiceSizesKind(Kind):
    """Dice by their sides, written ``d20 d8 2d6``.

    >>> DiceSizesKind().read("d20 D8 2d6")
    (20, 8, 6, 6)
    """

    expects = "dice such as d20 d8 2d6"

    def read(self, text: str) -> tuple[int, ...]:
        if text.strip().lower() in {"", NOTHING}:
            return ()
        sizes: list[int] = []
        for word in text.replace(",", " ").split():
            number, _, sides = word.lower().partition("d")
            plain = (number + sides).isascii() and sides.isdigit() and (number.isdigit() or not number)
            if not plain or max(len(number), len(sides)) > limits.DIGITS.maximum:
                raise self.refuse(word)
            limits.ITEMS.check(len(sizes) + int(number or 1), hint="write fewer dice")
            sizes += [int(sides)] * int(number or 1)
        return self.take(tuple(sizes))

    def take(self, value: object) -> tuple[int, ...]:
        sizes = (value,) if type(value) is int else value
        if not isinstance(sizes, tuple | list) or not all(type(sides) is int and sides >= 1 for sides in sizes):
            raise self.refuse(value)
        for sides in sizes:
            limits.SIDES.check(sides, hint="use a die with fewer sides")
        return tuple(sizes)

    def write(self, value: Any) -> str:
        runs = ((sides, len(list(run))) for sides, run in groupby(value))
        return " ".join(f"{number if number > 1 else ''}d{sides}" for sides, number in runs) or NOTHING

    def code(self, value: Any) -> str:
        return as_code(self.write(value))


class RecordKind(Kind):
    """A record, written with its first field as its name: ``Ash: skill 2, tool 3``.

    A field that is a list is written as often as it has values: ``penalty 10, penalty 2``.
    """

    def __init__(self, record: type[tuple[Any, ...]]) -> None:
        self.record = record
        hints = get_type_hints(record, include_extras=True)
        self.name, *self.rest = hints
        self.kinds = {name: kind_of(hint) for name, hint in hints.items()}
        self.free = any(kind.free for kind in self.kinds.values())
        self.defaults: Mapping[str, object] = getattr(record, "_field_defaults", {})
        self.expects = f"'{self.name}: {', '.join(f'{spaced(name)} …' for name in self.rest)}'"

    def read(self, text: str) -> tuple[Any, ...]:
        name, colon, rest = text.partition(":")
        if not name.strip() or (not colon and self.rest):
            raise self.refuse(text)
        values: dict[str, Any] = {self.name: self.kinds[self.name].read(name.strip())}
        labels = {spaced(field): field for field in self.rest}
        for part in filter(None, map(str.strip, rest.split(","))):
            folded = " ".join(part.split())
            label = max((known for known in labels if f"{folded} ".startswith(f"{known} ")), key=len, default="")
            if not label:
                raise self.refuse(text, hint=near(folded.split(" ")[0], labels))
            field = labels[label]
            kind = self.kinds[field]
            value = kind.read(folded[len(label) + 1 :])
            if isinstance(kind, ListKind):
                values[field] = (*values.get(field, ()), *cast("tuple[object, ...]", value))
            elif field in values:
                raise ParameterError(f"{quoted(label)} is written twice for {quoted(name.strip())}")
            else:
                values[field] = value
        missing = [spaced(field) for field in self.rest if field not in values and field not in self.defaults]
        if missing:
            raise ParameterError(
                f"{quoted(name.strip())} has no {listed(missing, 'and')}", hint=f"write {self.expects}"
            )
        return self.record(**values)

    def take(self, value: object) -> tuple[Any, ...]:
        if not isinstance(value, self.record):
            raise self.refuse(value)
        named = zip(self.kinds.items(), value, strict=True)
        return cast(
            "tuple[Any, ...]", self.legible(self.record(**{name: convert(kind, item) for (name, kind), item in named}))
        )

    def write(self, value: Any) -> str:
        parts = []
        for field in self.rest:
            kind, item = self.kinds[field], getattr(value, field)
            if field in self.defaults and item == self.defaults[field]:
                continue
            each = [(kind.kind, one) for one in item] if isinstance(kind, ListKind) and item else [(kind, item)]
            parts += [f"{spaced(field)} {one_kind.write(one)}" for one_kind, one in each]
        return f"{self.kinds[self.name].write(getattr(value, self.name))}: {', '.join(parts)}".rstrip()

    def code(self, value: Any) -> str:
        return as_code(self.write(value))


class TextForm(Protocol):
    """A type of one's own that a field may have: its text form is ``from_text``, and ``str`` the way back."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a text, or raise a :class:`ParameterError`."""
        ...


class CustomKind(Kind):
    """A type that reads itself."""

    free = True

    def __init__(self, owner: type[TextForm]) -> None:
        self.owner = owner
        self.expects = getattr(owner, "expects", owner.__name__)

    def read(self, text: str) -> object:
        return self.owner.from_text(text)

    def take(self, value: object) -> object:
        if isinstance(value, self.owner):
            return value
        convert = getattr(self.owner, "from_value", None)
        if convert is None:
            raise self.refuse(value)
        return convert(value)

    def write(self, value: Any) -> str:
        return str(value)

    def code(self, value: Any) -> str:
        return as_code(value if isinstance(value, Mapping) else str(value))


def kind_of(hint: Any, low: int | None = None, high: int | None = None) -> Kind:
    """Give the kind that a type has.

    Parameters:
        hint: whole numbers, truth, text, ``Literal``, ``None``, unions and tuples of them, a
            ``NamedTuple``, a type with ``from_text``, or ``Annotated`` with a kind.
        low, high: the bounds of each whole number in it.

    Raises:
        TypeError: the type has no text form.

    >>> kind_of(int | None, low=0).expects
    "a whole number, at least 0 or 'none'"
    """
    origin = get_origin(hint)
    if origin is Annotated:
        named = (extra for extra in get_args(hint)[1:] if isinstance(extra, Kind))
        return next(named, None) or kind_of(get_args(hint)[0], low, high)
    simple: dict[object, Kind] = {bool: BoolKind(), str: TextKind(), None: NoneKind(), type(None): NoneKind()}
    if hint is int:
        return IntKind(low, high)
    if hint in simple:
        return simple[hint]
    if origin is Literal:
        return ChoiceKind(get_args(hint))
    if origin in {Union, types.UnionType}:
        return UnionKind(kind_of(member, low, high) for member in get_args(hint))
    if origin is tuple and len(get_args(hint)) == 2 and get_args(hint)[1] is ...:
        return ListKind(kind_of(get_args(hint)[0], low, high))
    if isinstance(hint, type) and hasattr(hint, "from_text"):
        return CustomKind(cast("type[TextForm]", hint))
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return RecordKind(hint)
    raise TypeError(
        f"{hint!r} has no text form: use int, bool, str, a Literal, None, a union or tuple[..., ...] of them, "
        "a NamedTuple, or a class with from_text"
    )


def convert(kind: Kind, value: object) -> object:
    """Give the value of what was given, as itself or as its text.

    Raises:
        ParameterError: it is no value of this kind.
        LimitError: its text is longer than ``VALUE_TEXT``.
    """
    if isinstance(value, str):
        if len(value) > limits.VALUE_TEXT.maximum:
            limits.VALUE_TEXT.check(len(value), hint="write less")
        return kind.read(value)
    # A face knows its die while somebody listens; here it is the number that it is when nobody does.
    return kind.take(int(value) if isinstance(value, Face) else value)


def spaced(name: str) -> str:
    """Give a name as it is said: with spaces.

    >>> spaced("step_up")
    'step up'
    """
    return name.replace("_", " ")
