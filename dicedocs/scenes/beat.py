"""A beat of a story: what happens at a place of it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from dicedocs.rules.example import Example
from dicedocs.rules.kinds import as_code, as_line, as_text
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.change import as_counted
from dicedocs.scenes.track import track_facts
from dicedocs.syntax.formula import evaluate


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
Values = Mapping[str, int | str]
"""Values by their names."""


class Beat(NamedTuple):
    """What happens at a place of a story.

    Parameters:
        label: its label.
        example: what is played, with the dice of the book; ``None`` where something is only changed.
        when: what must hold before it.
        then: what it changes.
        expect: the expected facts, and the expected state after the changes.
        values: those of the story, beside the state, that the conditions and the changes name.
        formulas: the parameters that are computed: of each its formula, and the values that this names.
        blanks: the other parameters that take values of the story, each as its pieces.
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
    values: Values = MappingProxyType({})
    formulas: Mapping[str, tuple[str, Values]] = MappingProxyType({})
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
        return {*self.values}.union(*self.parameter_names().values())

    def parameter_names(self) -> dict[str, set[str]]:
        """Return the names of the values that each parameter takes."""
        computed = {name: set(values) for name, (_text, values) in self.formulas.items()}
        filled = {
            name: {each[0] for each in pieces if not isinstance(each, str)} for name, pieces in self.blanks.items()
        }
        return computed | filled

    def with_values(self, values: Mapping[str, str]) -> Self:
        """Return the beat with values of the story; those unknown are as in the book.

        Parameters:
            values: the text of each value by its name; in a notation true counts 1, and false 0.

        Raises:
            ParameterError: a parameter cannot be computed.
        """
        now = {name: track_facts(name, text)[name] for name, text in values.items()}
        beat = self._replace(values=_taken(self.values, now))
        if beat.example is None:
            return beat
        counted = {name: as_counted(text) for name, text in values.items()}
        texts = {
            name: as_line(evaluate(text, _taken(named, now), name)) for name, (text, named) in self.formulas.items()
        }
        for name, pieces in self.blanks.items():
            kind = mechanic(beat.example.mechanic).parameters()[name].kind
            texts[name] = joined(pieces, counted if isinstance(kind, NotationKind) else values)
        return beat._replace(example=beat.example._replace(parameters={**beat.example.parameters, **texts}))

    def code(self, scene: str) -> str:
        """Return the Python call by which the beat happens in a scene, for use after ``import dicedocs as dd``.

        Parameters:
            scene: the code of the scene.

        >>> print(Beat(then="vault += 1", expect="vault=5").code("scene"))
        scene.change("vault += 1", expect="vault=5")
        """
        played = [] if self.example is None else [self.example.code()]
        texts = {"when": self.when, "expect": self.expect, "values": dict(self.values)}
        more = [f"{name}={as_code(value)}" for name, value in texts.items() if value]
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


def _taken(values: Values, now: Values) -> Values:
    return {name: now.get(name, value) for name, value in values.items()}


def joined(pieces: Pieces, values: Mapping[str, str]) -> str:
    """Return the text of pieces, with other values in its blanks where there are any.

    >>> joined([Blank("bar.total", "2"), "d6"], {"bar.total": "5"})
    '5d6'
    """
    return "".join(each if isinstance(each, str) else values.get(*each) for each in pieces)
