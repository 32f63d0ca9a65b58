"""What the rolls of a form do to characters and tracks, as it is written: ``target.HP -= damage``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.forms.characters import ACTOR, TARGET, Character, scene_state
from dicedocs.panel.forms.seat import Seat
from dicedocs.rules.example import fact_names
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.change import (
    make_changes,
    net_changes,
    outcome_facts,
    parse_changes,
    possible_changes,
    state_facts,
)
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import track_of
from dicedocs.syntax.formula import near_name, read_formula

_SLOT: Final = re.compile(rf"(?<![\w.-])({ACTOR}|{TARGET})\.")


class Known(NamedTuple):
    """What is known of what an outcome does to characters, named as in an :class:`~dicedocs.panel.entry.Entry`.

    Parameters:
        then: what it does, each by its name; empty for nothing, or if it is not possible.
        pending: whether it changes them now.
        refused: why it is not possible.
    """

    then: str = ""
    pending: bool = False
    refused: str = ""


class Changes:
    """What the rolls of a form do to characters, and what that comes to with an outcome.

    Parameters:
        seat: where the form stands.
        facts: the facts of whatever it can play.
        present_facts: returns the facts of what it plays now.
    """

    def __init__(self, seat: Seat, facts: Collection[str], present_facts: Callable[[], Collection[str]]) -> None:
        self.facts = frozenset(facts)
        self._seat, self._present_facts, self._then = seat, present_facts, ""

    @property
    def then(self) -> str:
        """What a roll does to characters when that is applied, ``target.HP -= damage``; it may be set.

        The fields then have live values of theirs. Setting one that names what does not exist raises a
        :class:`~dicedocs.errors.ParameterError`.
        """
        return self._then

    @then.setter
    def then(self, then: str) -> None:
        everybody, tracks = self._seat.within_reach(self._seat.store.state)
        self.check(then, everybody, tracks, at_table=self._seat.store.at_table)
        self._then = then

    def check(
        self, then: str, people: Collection[Character], tracks: Character | None, *, at_table: bool = True
    ) -> None:
        """Check what a roll does to characters, with the parameters of :func:`check_then`."""
        offered = [one for one in people if one.name in self._seat.offered]
        check_then(then, self.facts, people, tracks, slots=offered, at_table=at_table)

    @property
    def present(self) -> str:
        """What a roll of what is played now does to characters: what it says itself, or what the table says."""
        return self._of(self._present_facts())

    def _of(self, facts: Iterable[str]) -> str:
        """Return what a roll with some facts does to characters: of what the table says, what needs no others."""
        if self._then or not self._seat.store.state.then:
            return self._then
        own = frozenset(facts)
        others = frozenset().union(*(one.changes.facts for one in self._seat.players)) - own
        return _without(self._seat.store.state.then, others, own)

    @property
    def named_slots(self) -> set[str]:
        """Whom what a roll does names as the one who acts, or the one to whom it is done."""
        return set(_SLOT.findall(self.present))

    @property
    def _values(self) -> dict[str, str]:
        """The values of the characters and the tracks, by the names that they have in a scene."""
        return scene_state(*self._seat.within_reach(self._seat.store.state))

    def on(self, outcome: Outcome, taken: Mapping[str, str]) -> str:
        """Return what an outcome does to characters, given who has which slot, by name.

        Raises:
            DiceError: what a roll does is not possible with the outcome or the characters.
        """
        called = {slot or ACTOR: character_key(name) for slot, name in taken.items()}
        changes = self._of(fact_names(type(outcome.rule)))
        if missing := sorted(set(_SLOT.findall(changes)) - called.keys()):
            raise ParameterError(f"no {missing[0]} is chosen", hint="choose a character", parameter="then")
        facts = self.facts if self._then else set().union(*(one.changes.facts for one in self._seat.players))
        make_changes(changes, self._values, outcome, called, facts)
        own = {name: 1 if value is None else value for name, value in outcome_facts(outcome).items()}
        return possible_changes(changes, self._values, dict.fromkeys(facts) | own, called)

    def known(self, outcome: Outcome, taken: Mapping[str, str]) -> Known:
        """Return what an outcome does to characters, or why it cannot.

        Parameters:
            outcome: the outcome.
            taken: who has which slot, by name.
        """
        if not self.present:
            return Known()
        try:
            then = self.on(outcome, taken)
            return Known(then, bool(net_changes(make_changes(then, self._values, outcome))))
        except DiceError as error:
            return Known(refused=error.message)


def check_then(
    then: str,
    facts: Collection[str],
    people: Iterable[Character],
    tracks: Character | None = None,
    *,
    slots: Iterable[Character] | None = None,
    at_table: bool = True,
) -> None:
    """Check whether what rolls do to characters names only facts, characters and tracks that exist.

    Without a table nobody knows the tracks that there will be: whatever changes and is no character value is one.

    Parameters:
        then: the changes, ``target.HP -= damage``.
        facts: the facts of the rolls.
        people: the characters; if there are none and no table either, any of their values may be named.
        tracks: whoever has the tracks of the table.
        slots: those of the characters who can be the actor or the target; by default all.
        at_table: whether these are all characters and tracks that there will be.

    Raises:
        ParameterError: it names anything else, or is malformed.

    >>> kira = Character("Kira", "HP=9")
    >>> check_then("actor.HP -= damage; vault += 1", ["damage"], [kira], at_table=False)
    >>> check_then("kira.Hp -= damage", ["damage"], [kira], at_table=False)
    Traceback (most recent call last):
    dicedocs.errors.ParameterError: then: no character in this panel has 'kira.Hp'; did you mean 'kira.HP'?
    """
    changes, people = parse_changes(then), list(people)
    state = scene_state(people, tracks)
    if not at_table:
        state = {change.target: "0 of 1" for change in changes if "." not in change.target} | state
    for one in people if slots is None else slots:
        named = {f"{slot}.{name}": text for slot in (ACTOR, TARGET) for name, text in one.sheet.items()}
        # It is enough if one of them has a number there.
        state |= {name: text for name, text in named.items() if track_of(state.get(name, "")) is None}
    anybody = not (at_table or people)
    values = {**state_facts(state), **dict.fromkeys(facts, 0)}
    for change in changes:
        if change.target in facts:
            message = f"{quoted(change.target)} is a fact of the roll and cannot change"
            raise ParameterError(message, hint=f"write target.HP -= {change.target}", parameter="then")
        if change.target not in state and not anybody:
            there = "nothing at the table is called" if at_table else "no character in this panel has"
            message = f"{there} {quoted(change.target)}"
            raise ParameterError(message, hint=near_name(change.target, state), parameter="then")
        if not (anybody and "." in change.text):
            read_formula(change.text, values)


@lru_cache
def _without(changes: str, facts: frozenset[str], others: frozenset[str]) -> str:
    """Return changes without those that need some facts; others they may have."""
    return possible_changes(changes, {}, dict.fromkeys(facts) | dict.fromkeys(others, 1)) if facts else changes
