"""What a roll does to characters: the changes of ``target.HP -= damage``, with the facts of its outcome."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from dicedocs.errors import DiceError, ParameterError, near, quoted
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.change import Change, evaluate, parse_changes
from dicedocs.scenes.character import Character
from dicedocs.scenes.track import Track, track_facts


class Effect(NamedTuple):
    """A value of a character, or a track of nobody, that a roll changes, with its texts before and after."""

    who: str
    name: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.who} {self.name} {self.before} → {self.after}".strip()

    @property
    def reverse(self) -> Effect:
        """What takes it back."""
        return self._replace(before=self.after, after=self.before)

    def on(self, now: str) -> str:
        """Return what a value becomes that may have changed since, given its text now.

        >>> Effect("Orc", "HP", "9", "4").reverse.on("3"), Effect("Orc", "Mood", "calm", "grim").on("glad")
        ('8', 'grim')
        """
        try:
            before, after, track = map(Track.from_text, (self.before, self.after, now))
        except DiceError:
            return self.after
        return str(track.at(track.value + after.value - before.value))


def effects(then: str, outcome: Outcome, people: Mapping[str, Character]) -> list[Effect]:
    """Return what a roll changes; nothing if a fact that it needs is ``None``.

    Parameters:
        then: the changes, as in ``target.HP -= damage * (1 + critical)``: a truth counts 1 or 0.
        outcome: the outcome of the roll.
        people: the characters by what they are called there; by an empty text, whoever has the tracks of a scene.

    Raises:
        DiceError: a change is malformed, or names something that does not exist.

    >>> import dicedocs as dd
    >>> orc = dd.Character("Orc", "HP=9 of 9")
    >>> hit = dd.check("1d20 + 6 >= 12", dice=[8])
    >>> [str(effect) for effect in effects("target.HP -= 5 * success", hit, {"target": orc})]
    ['Orc HP 9 of 9 → 4 of 9']
    """
    known = {name: outcome.fact(name) for name in outcome.facts_of}
    facts = {name: value for name, value in known.items() if value is not None}
    sheets = {one.name: dict(one.sheet) for one in people.values()}
    for change in parse_changes(then):
        if any(_names(change.text, name) for name in known.keys() - facts.keys()):
            continue
        sheet, name = _place(change, people, sheets)
        values: dict[str, object] = dict(facts)
        for key, one in people.items():
            for each, text in sheets[one.name].items():
                values |= track_facts(f"{key}.{each}".removeprefix("."), text)
        sheet[name] = change.applied(sheet[name], evaluate(change.text, values))
    return [
        Effect(who, name, one.sheet[name], text)
        for who, one in {one.name if key else "": one for key, one in people.items()}.items()
        for name, text in sheets[one.name].items()
        if text != one.sheet[name]
    ]


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text) is not None


def _place(
    change: Change, people: Mapping[str, Character], sheets: Mapping[str, dict[str, str]]
) -> tuple[dict[str, str], str]:
    """Return the values of the character that a change is about, and the name of the value."""
    key, _dot, name = change.target.rpartition(".")
    if key not in people:
        what = f"nobody here is {quoted(key)}" if key else f"there is no track {quoted(name)}"
        raise ParameterError(what, hint=near(key, list(filter(None, people))), parameter="then")
    sheet = sheets[people[key].name]
    if name not in sheet:
        message = f"{people[key].name} has no {quoted(name)}" if key else f"there is no track {quoted(name)}"
        raise ParameterError(message, hint=near(name, sheet), parameter="then")
    return sheet, name
