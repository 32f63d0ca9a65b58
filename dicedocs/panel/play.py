"""What is made of a state: by a character who has other values, and by what rolls do.

A session is asked for nothing but who has which slot of its form, how its form follows, and what its rolls do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.characters import ACTOR, TARGET, Character, scene_state, with_values
from dicedocs.panel.state import State
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.change import (
    Changed,
    make_changes,
    net_changes,
    parse_changes,
    state_facts,
)
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import track_of
from dicedocs.syntax.formula import near_name, read_formula
from dicedocs.syntax.names import folded

if TYPE_CHECKING:
    from dicedocs.panel.forms.form_session import FormSession


_REMEMBERED: Final = 5_000
"""What so many rolls change is not worked out again."""


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


class _Rolled:
    """An outcome as a key: equal to itself alone, since to compare two takes as long as to play one.

    Parameters:
        outcome: the outcome.
    """

    __slots__ = ("outcome",)

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rolled) and other.outcome is self.outcome

    def __hash__(self) -> int:
        return id(self.outcome)


@lru_cache(_REMEMBERED)
def _made(then: str, rolled: _Rolled, there: tuple[tuple[str, str], ...]) -> list[Changed]:
    """Return what a roll changes of some values; rolls that wait are asked for it at each roll that is made."""
    return make_changes(then, dict(there), rolled.outcome)


@lru_cache(_REMEMBERED)
def _named(then: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return which of the values may be named in changes; the others cannot alter what these come to."""
    text = folded(then)
    return tuple(name for name in names if folded(name) in text)


class Effect(NamedTuple):
    """What a roll does to characters.

    Parameters:
        entry: the roll, as it is after that.
        changes: each change, with the number of the roll.
    """

    entry: Entry
    changes: tuple[Changed, ...]


def effects_of(
    sessions: Sequence[FormSession], state: State, entries: Iterable[Entry], shown: Entry | None = None
) -> list[Effect]:
    """Return what some rolls do to characters, one after the other; those that change nothing are left out.

    Parameters:
        sessions: those whose forms are in the state.
        state: the state.
        entries: the rolls, oldest first; struck ones, and those that were applied, do nothing.
        shown: the roll that is shown, which may do something although nobody was there when it was made.

    Raises:
        DiceError: what the roll that is shown does is not possible with the characters that there are.
    """
    values, found = scene_state(state.people.values(), state.tracks), list[Effect]()
    for entry in entries:
        if entry.effect or entry.struck or not (entry.pending or entry is shown):
            continue
        try:
            then = entry.then or sessions[entry.form].then_of(entry.outcome)
            there = tuple((name, values[name]) for name in _named(then, tuple(values)))
            made = tuple(one._replace(by=entry.roll) for one in _made(then, _Rolled(entry.outcome), there))
        except DiceError:
            if entry is shown:
                raise
            continue  # what it changes was removed since
        values |= {one.name: one.after for one in made}
        if entry.pending or net_changes(made):
            text = effect_text(state, net_changes(made))
            found.append(Effect(entry._replace(then=then, pending=False, effect=text), made))
    return found


def with_effects(sessions: Sequence[FormSession], state: State, effects: Sequence[Effect]) -> State:
    """Return a state after what rolls do; the same one if that changes nothing."""
    after = state
    for one in net_changes(one for effect in effects for one in effect.changes):
        after = with_change(sessions, after, one)
    if after is state:
        return state
    for effect in effects:
        after = after.with_entry(effect.entry)
    return after


def taken_back(state: State, entry: Entry) -> Effect:
    """Return what takes back what a roll has done, which then waits again.

    Raises:
        ParameterError: it has done nothing, or something else has changed a value since.
    """
    if not entry.effect:
        raise ParameterError(f"roll {entry.roll} changed nothing that can be taken back")
    values = scene_state(state.people.values(), state.tracks)
    logged = (*state.before, *(one for each in state.log for one in (*each.made, *each.later)))
    own = net_changes(one for one in logged if one.by == entry.roll)
    for one in own:
        if values.get(one.name) != one.after:
            was, now = (track_of(text) or text for text in (one.after, values.get(one.name, "")))
            name = effect_text(state, [one]).rpartition(f" {one.before} → ")[0]
            hint = "take back first what changed it, or set it by hand"
            raise ParameterError(
                f"{name} was changed since: it is {quoted(str(now))}, not {quoted(str(was))}", hint=hint
            )
    return Effect(entry._replace(effect="", pending=True), tuple(one.reverse for one in reversed(own)))


def effect_text(state: State, changes: Iterable[Changed]) -> str:
    """Return changes in words, with the names of the characters."""
    people = {character_key(one.name): one.name for one in state.people.values()}
    paths = [(one, *one.name.partition(".")) for one in changes]
    return ", ".join(str(one._replace(name=f"{people.get(key, key)} {name}".strip())) for one, key, _dot, name in paths)


def with_person(
    sessions: Sequence[FormSession],
    state: State,
    one: Character,
    slots: Mapping[int, Iterable[str]] = MappingProxyType({}),
) -> State:
    """Return a state in which a character has other values, in each form that has them.

    Parameters:
        sessions: those whose forms are in it.
        state: the state.
        one: the character with its values.
        slots: the slots that take them in some forms, by the index of the form; by default those that it has.
    """
    forms = []
    for session, form in zip(sessions, state.forms, strict=True):
        taken = (slot for slot, name in session.taken(form, state).items() if name == one.name)
        followed = session.slots.follow(form, slots.get(session.index, taken), one)
        forms.append(form if followed is form else session.adjusted(followed))
    return state._replace(forms=tuple(forms), people={**state.people, one.name: one})


def with_change(sessions: Sequence[FormSession], state: State, change: Changed) -> State:
    """Return a state after a change of a character or a track, if that still has the value.

    Parameters:
        sessions: those whose forms are in it.
        state: the state.
        change: the change, with the name that the value has in a scene.
    """
    key, dot, value = change.name.partition(".")
    people = {character_key(one.name): one for one in state.people.values()}
    owner, name = (people.get(key), value) if dot else (state.tracks, key)
    if owner is None or name not in owner.sheet:
        return state  # it was removed since
    changed = with_values(owner, {name: change.on(owner.sheet[name])})
    return with_person(sessions, state, changed) if dot else state._replace(tracks=changed)


def turn_number(entry: Entry) -> int:
    """Return the number that a roll is ordered by: its main fact, a truth as 1 or 0, and 0 of anything else."""
    value = entry.outcome.value
    return int(value) if isinstance(value, int) else 0
