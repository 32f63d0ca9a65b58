"""A worked example of a page as it is displayed: in the book, and again whenever its reader rolls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from dicedocs.render.html import chosen_html, outcome_html, participants_html
from dicedocs.render.outcome_looks import LOOKS, Look
from dicedocs.render.text import Origin
from dicedocs.rules.outcome import Outcome

EXAMPLE_OPTIONS: Final = (
    "name",
    "mechanic",
    "seed",
    "dice",
    "expect",
    "shows",
    "class",
    "hide",
    "look",
    "if",
    "then",
    "scene",
    "text",
)
"""The options of ``dice:example``, which the extension reads and panels write."""


class PageExample(NamedTuple):
    """A worked example of a page, without its dice.

    Parameters:
        mechanic: the id of its mechanic.
        parameters: the parameters as text.
        facts: the facts of the result; by default the first one.
        written: the parameters that the author wrote, each with what it was taken from.
        steps: whether the working is shown.
        call: whether the Python call is shown.
        look: how much room it takes.
        title: its title.
        whole: whether the result is all facts that are there, whatever ``facts`` are.
        in_scene: whether it is in a scene, so that a line says who takes part and the parameters are in the working.
        best: what open choices are played for in its odds; empty if that is not said.

    >>> shot = PageExample("dice/roll", {"notation": "3d6"}, facts=("total",), title="Power Shot")
    >>> PageExample.from_data(shot.data()) == shot
    True
    """

    mechanic: str
    parameters: Mapping[str, str]
    facts: tuple[str, ...] = ()
    written: Mapping[str, Sequence[Origin]] = MappingProxyType({})
    steps: bool = True
    call: bool = True
    look: Look = LOOKS[0]
    title: str = ""
    whole: bool = False
    in_scene: bool = False
    best: str = ""

    def given_html(self, outcome: Outcome) -> str:
        """Return what goes into the roll as HTML, which stands below the title; empty if an outcome has it.

        Parameters:
            outcome: an outcome of the example.
        """
        if self.look == "line":
            return ""
        return (participants_html if self.in_scene else chosen_html)(outcome, self.written)

    def with_values(self, values: Mapping[str, Any], book: Mapping[str, Any]) -> PageExample:
        """Return the example with other values, of which those that differ are no longer taken from anywhere.

        Parameters:
            values: the value of each parameter by its name.
            book: those that it had.
        """
        written = {name: origins if values[name] == book[name] else () for name, origins in self.written.items()}
        return self._replace(written=written)

    def html(self, outcome: Outcome, call: str, *, opened: bool = False) -> str:
        """Return an outcome of the example as HTML.

        Parameters:
            outcome: the outcome.
            call: the Python code that gives it again.
            opened: whether the working is unfolded.

        Raises:
            ParameterError: the outcome has not one of the facts.
        """
        present = [name for name in outcome.facts_of if outcome.fact(name) not in (None, ())]
        return outcome_html(
            outcome,
            names=present if self.whole else self.facts,
            chosen=self.look == "line",
            in_scene=self.in_scene,
            written=self.written,
            steps=self.steps,
            call=call if self.call else "",
            look=self.look,
            title=self.title,
            opened=opened,
        )

    def data(self) -> dict[str, Any]:
        """Return the example as data that JSON can hold; :meth:`from_data` reads it."""
        return self._asdict() | {"parameters": dict(self.parameters), "written": dict(self.written)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> PageExample:
        """Return the example that :meth:`data` wrote into a page."""
        written = {name: [Origin(*origin) for origin in origins] for name, origins in data["written"].items()}
        return cls(**{**data, "facts": tuple(data["facts"]), "written": written})
