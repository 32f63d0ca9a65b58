"""The resources of a character: names with whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Self, cast

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.kinds import Control, CustomKind, IntKind, Parts, cell_text, convert
from dicedocs.rules.lists import NOTHING


class Resources(Mapping[str, int]):
    """The resources of a character by name, written ``Strength=4, Health Maximum=20``.

    Names match exactly, except that runs of spaces count as one; values may be negative.

    Parameters:
        values: the numbers by name.
        others: what the character has besides, by name, which is no number; for messages.

    >>> kira = Resources.from_text("Strength=4, Health  Maximum=20")
    >>> kira["Health Maximum"], str(kira)
    (20, 'Strength=4, Health Maximum=20')
    """

    expects: Final = "resources such as Strength=4, Health Maximum=20"
    _number: Final = IntKind()

    def __init__(self, values: Mapping[str, int] | None = None, others: Mapping[str, str] | None = None) -> None:
        if not isinstance(others, Mapping | None):
            raise ParameterError(f"{quoted(others)} is not what a character has besides", hint="give texts by name")
        self.others: Final[Mapping[str, str]] = {} if others is None else others
        self._values: dict[str, int] = {}
        self._letters = 0
        if values is not None:
            if not isinstance(values, Mapping):
                raise ParameterError(f"{quoted(values)} is not {self.expects}")
            self._add_pairs(values.items() if type(values) is dict else limits.ITEMS.take(values.items()))

    def _add_pairs(self, pairs: Iterable[object]) -> None:
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise ParameterError(f"{quoted(pair)} is not a name and its number")
            self._add(*pair)

    def _add(self, name: object, value: object) -> None:
        folded = " ".join(name.split()) if isinstance(name, str) else ""
        self._letters += len(folded)
        limits.VALUE_TEXT.check(self._letters, hint="write less")
        if not folded or set("[]=,") & set(folded):
            raise ParameterError(
                f"{quoted(name)} is not the name of a resource", hint="a name cannot contain [ ] = or ,"
            )
        if folded in self._values:
            raise ParameterError(f"the resource {quoted(folded)} is written twice")
        limits.ITEMS.check(len(self._values) + 1)
        try:
            self._values[folded] = cast("int", convert(self._number, value))
        except ParameterError as error:
            raise ParameterError(f"{error.message}, in {quoted(folded)}", hint=error.hint) from None

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[object, object]]) -> Self:
        """Return the resources of pairs of a name and its number, each as itself or as its text."""
        self = cls()
        self._add_pairs(limits.ITEMS.take(pairs))
        return self

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the resources of ``name=value`` pairs separated by commas; ``none`` and an empty text have none."""
        self = cls()
        if not isinstance(text, str):
            raise ParameterError(f"{quoted(text)} is not {cls.expects}")
        if text.strip().lower() in {"", NOTHING}:
            return self
        for pair in text.split(","):
            name, sign, value = pair.partition("=")
            if not sign:
                raise ParameterError(f"{quoted(pair.strip())} has no value", hint=f"write {cls.expects}")
            self._add(name, value)
        return self

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Return the resources of a character, or of a mapping of names to whole numbers; of ``None``, no resources."""
        own = getattr(value, "resources", None) if isinstance(value, Mapping) else None
        return own if isinstance(own, cls) else cls(cast("Mapping[str, int] | None", value))

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


class ResourcesKind(CustomKind):
    """The kind of resources, whose control has a row for each."""

    has_parts = True

    def control(self) -> Control:
        return {"kind": "resources"}

    def parts_of(self, value: Any) -> Parts:
        return [{"name": name, "value": str(number)} for name, number in value.items()]

    def _join_parts(self, parts: Sequence[Any], _current: Any) -> object:
        return self.owner.from_pairs(_pairs(parts))


def _pairs(rows: Sequence[object]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if not isinstance(row, Mapping):
            raise ParameterError("a row is not a name with its value")
        name, number = (cell_text(row.get(cell, "")) for cell in ("name", "value"))
        if name and not number:
            raise ParameterError(f"{quoted(name)} has no value", hint="write a whole number beside it")
        if name:
            yield name, number
        elif number not in {"", "0"}:
            raise ParameterError(f"the value {quoted(number)} has no name", hint="write its name beside it")
