"""A beat of a story: what happens at a place of it, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from dicedocs.rules.example import Example
from dicedocs.rules.kinds import as_code, as_text
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.change import as_counted, as_operand

IF: Final = ":if:"
THEN: Final = ":then:"
"""The blanks of a beat that are those of its conditions and of its changes; no parameter is called so."""


class Blank(NamedTuple):
    """A place of a text where a value stands that may be another one.

    Parameters:
        name: the name of the value: of a track, of a character's value, or of a fact, such as ``bar.total``.
        text: the value that it has in the book.
    """

    name: str
    text: str


class Beat(NamedTuple):
    """What happens at a place of a story.

    Parameters:
        label: its label.
        example: what is played, with the dice of the book; ``None`` where something is only changed.
        when: what must hold before it.
        then: what it changes.
        expect: the expected facts, and the expected state after the changes.
        blanks: the texts that take values of the story, each as its pieces: parameters by their names, the conditions
            as ``IF``, and the changes as ``THEN``.

    >>> bar = Example("dice/roll", {"notation": "0 + 1d4"}, dice="3")
    >>> beat = Beat("bar", bar, then="breach += total", blanks={"notation": [Blank("breach", "0"), " + 1d4"]})
    >>> beat.with_values({"breach": "4"}).roll().total, Beat.from_data(beat.data()) == beat
    (7, True)
    """

    label: str = ""
    example: Example | None = None
    when: str = ""
    then: str = ""
    expect: str = ""
    blanks: Mapping[str, Sequence[str | Blank]] = MappingProxyType({})

    def roll(self) -> Outcome | None:
        """Return the outcome of what is played; ``None`` where something is only changed.

        Raises:
            DiceError: it cannot be played.
        """
        return None if self.example is None else self.example.play()

    def names(self) -> set[str]:
        """Return the names of the values that the beat takes."""
        return {each.name for pieces in self.blanks.values() for each in pieces if not isinstance(each, str)}

    def parameters(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return the parameters that take values of the story, with these; those unknown are as in the book.

        Parameters:
            values: the text of each value by its name; in a notation true counts 1, and false 0.
        """
        if self.example is None:
            return {}
        fields, counted = mechanic(self.example.mechanic).parameters(), _with_each(as_counted, values)
        return {
            name: joined(pieces, counted if isinstance(fields[name].kind, NotationKind) else values)
            for name, pieces in self.blanks.items()
            if name in self.example.parameters
        }

    def with_values(self, values: Mapping[str, str]) -> Self:
        """Return the beat with values of the story in its texts; those unknown are as in the book."""
        example, operands = self.example, _with_each(as_operand, values)
        return self._replace(
            example=example and example._replace(parameters={**example.parameters, **self.parameters(values)}),
            when=joined(self.blanks.get(IF, [self.when]), operands),
            then=joined(self.blanks.get(THEN, [self.then]), operands),
        )

    def code(self, scene: str) -> str:
        """Return the Python call by which the beat happens in a scene, for use after ``import dicedocs as dd``.

        Parameters:
            scene: the code of the scene.

        >>> print(Beat(then="vault += 1", expect="vault=5").code("scene"))
        scene.change("vault += 1", expect="vault=5")
        """
        played = [] if self.example is None else [self.example.code()]
        more = [f"{name}={as_code(text)}" for name, text in (("when", self.when), ("expect", self.expect)) if text]
        return f"{scene}.change({', '.join([as_code(self.then), *played, *more])})"

    def data(self) -> dict[str, Any]:
        """Return the beat as data that JSON can hold; :meth:`from_data` reads it."""
        example = self.example and self.example._asdict()
        if example:
            example["parameters"] = {name: as_text(value) for name, value in example["parameters"].items()}
        blanks = {
            name: [each if isinstance(each, str) else tuple(each) for each in pieces]
            for name, pieces in self.blanks.items()
        }
        return {**self._asdict(), "example": example, "blanks": blanks}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the beat that :meth:`data` wrote."""
        example = data["example"] and Example(**data["example"])
        blanks = {name: named_pieces(pieces) for name, pieces in data["blanks"].items()}
        return cls(**{**data, "example": example, "blanks": blanks})


def _with_each(written: Callable[[str], str], values: Mapping[str, str]) -> dict[str, str]:
    return {name: written(text) for name, text in values.items()}


def joined(pieces: Iterable[str | Blank], values: Mapping[str, str]) -> str:
    """Return the text of pieces, with other values in its blanks where there are any.

    >>> joined(["breach -= ", Blank("bar.total", "2")], {"bar.total": "5"})
    'breach -= 5'
    """
    return "".join(each if isinstance(each, str) else values.get(each.name, each.text) for each in pieces)


def named_pieces(pieces: Iterable[str | Sequence[str]]) -> list[str | Blank]:
    """Return the pieces of a text, given as plain data.

    >>> named_pieces([["breach", "4"], " + 1d4"])
    [Blank(name='breach', text='4'), ' + 1d4']
    """
    return [each if isinstance(each, str) else Blank(*each) for each in pieces]
