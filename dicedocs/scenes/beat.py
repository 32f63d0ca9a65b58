"""A beat of a story: what happens at a place of it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


Pieces = Sequence[str | tuple[str, str]]
"""The pieces of a text: words, and blanks, which from JSON are lists."""


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
        scene: on a page that its reader plays, the scene, by a name that no other one of the page has.
        before: there, the state before it in the book.
        labels: there, the names of the values of the scene for readers.
        name, url: there, the name of the block for readers, and its address.

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
    blanks: Mapping[str, Pieces] = MappingProxyType({})
    scene: str = ""
    before: Mapping[str, str] = MappingProxyType({})
    labels: Mapping[str, str] = MappingProxyType({})
    name: str = ""
    url: str = ""

    def roll(self) -> Outcome | None:
        """Return the outcome of what is played; ``None`` where something is only changed.

        Raises:
            DiceError: it cannot be played.
        """
        return None if self.example is None else self.example.play()

    def names(self) -> set[str]:
        """Return the names of the values that the beat takes."""
        return {each[0] for pieces in self.blanks.values() for each in pieces if not isinstance(each, str)}

    def with_values(self, values: Mapping[str, str]) -> Self:
        """Return the beat with values of the story in its texts; those unknown are as in the book.

        Parameters:
            values: the text of each value by its name; in a notation true counts 1, and false 0.
        """
        beat, operands = self, {name: as_operand(text) for name, text in values.items()}
        counted = {name: as_counted(text) for name, text in values.items()}
        for name, pieces in self.blanks.items():
            if name == IF:
                beat = beat._replace(when=joined(pieces, operands))
            elif name == THEN:
                beat = beat._replace(then=joined(pieces, operands))
            elif beat.example:
                kind = mechanic(beat.example.mechanic).parameters()[name].kind
                text = joined(pieces, counted if isinstance(kind, NotationKind) else values)
                beat = beat._replace(example=beat.example._replace(parameters={**beat.example.parameters, name: text}))
        return beat

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
        """Return what the beat has as data that JSON can hold; :meth:`from_data` reads it."""
        data = {name: value for name, value in self._asdict().items() if value}
        if self.example is not None:
            texts = {name: as_text(value) for name, value in self.example.parameters.items()}
            data["example"] = {**self.example._asdict(), "parameters": texts}
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the beat that :meth:`data` wrote."""
        example = data.get("example")
        return cls(**{**data, "example": example and Example(**example)})


def joined(pieces: Pieces, values: Mapping[str, str]) -> str:
    """Return the text of pieces, with other values in its blanks where there are any.

    >>> joined(["breach -= ", Blank("bar.total", "2")], {"bar.total": "5"})
    'breach -= 5'
    """
    return "".join(each if isinstance(each, str) else values.get(*each) for each in pieces)
