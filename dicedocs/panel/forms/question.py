"""A choice to which a roll has come that its player has not made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from dicedocs.render.html import asked_html
from dicedocs.render.text import question
from dicedocs.render.words import clean
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.rules.playing import Seed, dice_from
from dicedocs.rules.record import Die
from dicedocs.rules.replay import play_before_failure
from dicedocs.rules.steps import Step
from dicedocs.syntax.decisions import Choice, Undecided, known_way, way_text
from dicedocs.translation import game_words

_MOST_FACES: Final = 20
"""The dice that a sentence names."""


class Question(NamedTuple):
    """What a player is asked, with the dice on the table.

    Parameters:
        rule: what is rolled, with what was chosen before.
        choice: the choice.
        ways: what can be chosen.
        seed: the seed of the dice; ``None`` if they were thrown by hand.
        faces: those that were thrown by hand.
        steps: what has happened so far.
        dice: the dice that were thrown so far.
        form: what of the form it belongs to; once that is another, nobody is asked any more.
        how: what else is known of the roll.
    """

    rule: Mechanic
    choice: Choice
    ways: tuple[Any, ...]
    seed: Seed | None
    faces: tuple[int, ...]
    steps: tuple[Step, ...]
    dice: tuple[Die, ...]
    form: object = None
    how: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, rule: Mechanic, error: Undecided, seed: Seed | None, faces: tuple[int, ...]) -> Self | None:
        """Return what is asked where the play of a rule ends; ``None`` if it is no parameter of the rule."""
        if error.choice.name not in type(rule).parameters():
            return None
        steps, dice = play_before_failure(rule, dice_from(seed, faces or None))
        return cls(rule, error.choice, error.ways, seed, faces, steps, dice)

    def taking(self, way: object) -> Mechanic:
        """Return what is rolled with one more way, given as itself or as its text.

        Raises:
            ParameterError: it is none that can be chosen.
        """
        name = self.choice.name
        return rule_with(
            self.rule, {name: self.choice.taking(known_way(name, way_text(way), map(way_text, self.ways)))}
        )

    @property
    def _label(self) -> str:
        return type(self.rule).parameters()[self.choice.name].label

    @property
    def asked(self) -> str:
        """What is asked, in words."""
        with game_words(self.rule):
            return question(self._label)

    @property
    def sentence(self) -> str:
        """What is asked with what can be chosen, behind the faces of the dice, in words."""
        faces = ", ".join(clean(die.shown) for die in self.dice[:_MOST_FACES])
        more = ", …" if len(self.dice) > _MOST_FACES else ""
        with game_words(self.rule):
            asked = question(self._label, self.ways)
        return f"{faces}{more}. {asked}" if faces else asked

    def html(self, values: Iterable[str], *, drawn: bool = True) -> str:
        """Return what happened so far as HTML, and a button for each way.

        Parameters:
            values: what each button stands for.
            drawn: whether the dice are drawn.
        """
        with game_words(self.rule):
            ways = zip(self.ways, values, strict=True)
            return asked_html(self.steps, self._label, ways, self.dice if drawn else ())
