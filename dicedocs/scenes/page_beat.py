"""A beat of a scene of a page as plain data, by which its reader plays it in another state than that of the book."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from dicedocs.rules.playing import Seed
from dicedocs.scenes.beat import Blank, joined, named_pieces
from dicedocs.scenes.change import as_counted


class PageBeat(NamedTuple):
    """What is played or changed at a place of a scene, apart from the rule and its parameters.

    Parameters:
        scene: the scene, by a name that no other one of its page has.
        label: the label of the block.
        before: the state before it in the book.
        then: what it changes, as the pieces of a text.
        seed, dice: the dice of the book.
        refers: the parameters that take values of the scene or of its examples, each as its pieces.
        labels: the names of the values of the scene for readers.
        name, url: the name of the block for readers, and its address.
        when: what must hold before it, as the pieces of a text.

    >>> beat = PageBeat("gate", "bar", {"breach": "0 of 6"}, refers={"notation": [Blank("breach", "0"), " + 1d4"]})
    >>> beat.parameters({"breach": "4"}), PageBeat.from_data(beat._asdict()) == beat
    ({'notation': '4 + 1d4'}, True)
    """

    scene: str
    label: str
    before: Mapping[str, str]
    then: Sequence[str | Blank] = ()
    seed: Seed | None = None
    dice: str | None = None
    refers: Mapping[str, Sequence[str | Blank]] = MappingProxyType({})
    labels: Mapping[str, str] = MappingProxyType({})
    name: str = ""
    url: str = ""
    when: Sequence[str | Blank] = ()

    def parameters(self, values: Mapping[str, str], notations: Container[str] = ()) -> dict[str, str]:
        """Return the parameters that refer to something, with values of the scene; what is unknown is as in the book.

        Parameters:
            values: the text of each value by its name.
            notations: the parameters that are notations, in which true counts 1, and false 0.
        """
        counted = {name: as_counted(text) for name, text in values.items()}
        return {name: joined(pieces, counted if name in notations else values) for name, pieces in self.refers.items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the beat whose fields a page has."""
        refers = {name: named_pieces(each) for name, each in data["refers"].items()}
        texts = {name: tuple(named_pieces(data[name])) for name in ("then", "when")}
        return cls(**{**data, **texts, "refers": refers})
