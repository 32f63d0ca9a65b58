"""What rolls have done to characters and tracks, what those that wait would do, and how that is taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.characters import scene_state
from dicedocs.panel.forms.people import People, with_change
from dicedocs.panel.state import State
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.change import Changed, make_changes, net_changes, parse_changes
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import track_of
from dicedocs.syntax.names import folded

_REMEMBERED: Final = 5_000
"""What so many rolls change is not worked out again."""


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
    players: Sequence[People], state: State, entries: Iterable[Entry], asked: Entry | None = None
) -> list[Effect]:
    """Return what some rolls do to characters, one after the other; those that change nothing are left out.

    Parameters:
        players: those who play the forms of the state.
        state: the state.
        entries: the rolls, oldest first; struck ones, and those that were applied, do nothing.
        asked: the roll that somebody looks at, which may do something although nobody was there when it was made.

    Raises:
        DiceError: what that roll does is not possible with the characters that there are.
    """
    values, found = scene_state(state.people.values(), state.tracks), list[Effect]()
    for entry in entries:
        if entry.effect or entry.struck or not (entry.pending or entry is asked):
            continue
        try:
            effect = _effect(players, state, values, entry)
        except DiceError:
            if entry is asked:
                raise
            continue  # what it changes was removed since
        values |= {one.name: one.after for one in effect.changes}
        if entry.pending or effect.entry.effect:
            found.append(effect)
    return found


def waiting_effects(
    players: Sequence[People], state: State, entries: Iterable[Entry]
) -> Iterator[tuple[Entry, Effect | DiceError]]:
    """Yield what each of some rolls that wait would do to characters by itself, or why it cannot.

    Parameters:
        players: those who play the forms of the state.
        state: the state.
        entries: the rolls, of which those that wait are asked.
    """
    values = scene_state(state.people.values(), state.tracks)
    for entry in entries:
        if entry.pending and not entry.struck:
            found: Effect | DiceError
            try:
                found = _effect(players, state, values, entry)
            except DiceError as error:
                found = error
            yield entry, found


def effect_of(players: Sequence[People], state: State, entry: Entry) -> Effect:
    """Return what one roll does to characters, even if nobody was there when it was made.

    Parameters:
        players: those who play the forms of the state.
        state: the state.
        entry: the roll.

    Raises:
        DiceError: it is struck out, was applied already or changes nothing, or what it does is not possible.
    """
    if entry.struck:
        raise ParameterError(f"roll {entry.roll} is struck out", hint="bring it back first")
    if entry.effect:
        raise ParameterError(f"roll {entry.roll} was applied already", hint="take it back first")
    effect = Effect(entry, ())
    if entry.then or entry.form >= 0:
        effect = _effect(players, state, scene_state(state.people.values(), state.tracks), entry)
    if not effect.entry.effect:
        raise ParameterError(f"roll {entry.roll} changes nothing")
    return effect


def _effect(players: Sequence[People], state: State, values: Mapping[str, str], entry: Entry) -> Effect:
    """Return what a roll does to the values of characters and tracks.

    Raises:
        DiceError: it is not possible.
    """
    try:
        then = entry.then
        if not then:
            player = players[entry.form]
            then = player.changes.on(entry.outcome, player.taken_now)
        there = tuple((name, values[name]) for name in _named(then, tuple(values)))
        made = tuple(one._replace(by=entry.roll) for one in _made(then, _Rolled(entry.outcome), there))
    except DiceError as error:
        raise _gone(entry, values) or error from None
    text = effect_text(state, net_changes(made))
    return Effect(entry._replace(then=then, pending=False, refused="", effect=text), made)


def _gone(entry: Entry, values: Mapping[str, str]) -> ParameterError | None:
    """Return an error that names whom a roll changes, and who is not there any more; ``None`` if all are there."""
    there = {name.partition(".")[0] for name in values}
    called = {character_key(name): name for name in (entry.who, entry.target) if name}
    for change in parse_changes(entry.then):
        if (key := change.target.partition(".")[0]) not in there:
            return ParameterError(f"{quoted(called.get(key, key))} is not here any more", parameter="then")
    return None


def with_effects(players: Sequence[People], state: State, effects: Sequence[Effect]) -> State:
    """Return a state after what rolls do; the same one if that changes nothing."""
    after = state
    for one in net_changes(one for effect in effects for one in effect.changes):
        after = with_change(players, after, one)
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
