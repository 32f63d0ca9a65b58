"""A roll of the log as it should have been: what it changed, and what changed after it, is worked out again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dicedocs.errors import ParameterError
from dicedocs.panel.effects import effect_text
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.characters import scene_state
from dicedocs.panel.forms.slots import referred
from dicedocs.panel.state import State
from dicedocs.rules.mechanic import rule_with
from dicedocs.rules.playing import dice_from
from dicedocs.rules.resources import Resources
from dicedocs.scenes.change import Changed, make_changes, net_changes
from dicedocs.scenes.track import track_of
from dicedocs.translation import gettext as _


class Replayed(NamedTuple):
    """A log whose changes were made again.

    Parameters:
        log: the rolls, with what each changed.
        before: what changed before the first.
        values: the values of characters and tracks after them, by their names in a scene.
        differing: the values that rolls read and that were others then, with what they are at that time now.
    """

    log: tuple[Entry, ...]
    before: tuple[Changed, ...]
    values: Mapping[str, str]
    differing: Mapping[int, tuple[Changed, ...]]

    def named(self, state: State, known: Mapping[int, tuple[Changed, ...]]) -> list[str]:
        """Return in words which rolls read a value that is another one now, but for those that are known."""
        rolls = {roll: changes for roll, changes in self.differing.items() if changes != known.get(roll)}
        message = _("Roll {number} was made with another value, and stays as it is: {changes}")
        return [message.format(number=roll, changes=effect_text(state, each)) for roll, each in rolls.items()]


def corrected(state: State, start: Mapping[str, str], entry: Entry) -> tuple[Replayed, list[str]]:
    """Return what comes of the log of a state with another roll in the place of the one of its number.

    What rolls did to characters is worked out anew, in the order in which it was applied; what was changed by hand goes
    up or down by as much as it did.

    Parameters:
        state: the state.
        start: the values of characters and tracks at the beginning, by their names in a scene.
        entry: the roll as it should have been.

    Returns:
        The log, and the rolls that cannot follow, in words.

    Raises:
        DiceError: what followed cannot be worked out again.
    """
    old, present = replayed(state.log, state.before, start), scene_state(state.people.values(), state.tracks)
    if any(old.values.get(name) != text for name, text in present.items()):
        raise ParameterError(f"what followed roll {entry.roll} cannot be worked out again", hint="set values by hand")
    new = replayed(tuple(entry if one.roll == entry.roll else one for one in state.log), state.before, start)
    log = tuple(
        one._replace(effect=effect_text(state, net_changes(c for each in new.log for c in _changes(each, one.roll))))
        if one.effect
        else one
        for one in new.log
    )
    return new._replace(log=log), new.named(state, old.differing)


def replayed(log: tuple[Entry, ...], before: tuple[Changed, ...], start: Mapping[str, str]) -> Replayed:
    """Return a log whose changes are made again.

    Parameters:
        log: the rolls, oldest first.
        before: what changed before the first.
        start: the values of characters and tracks at the beginning, by their names in a scene.
    """
    values, entries = dict(start), {one.roll: one for one in log}
    # What was applied, taken back and applied again counts the last time.
    lists = [before, *(changes for one in log for changes in (one.made, one.later))]
    last = {change.by: at for at, changes in enumerate(lists) for change in changes}

    def made(at: int, changes: tuple[Changed, ...]) -> Iterator[Changed]:
        done: set[int] = set()
        for change in changes:
            roll = entries.get(change.by)
            if roll is None or not roll.effect or last[change.by] != at:
                now = values.get(change.name, "")
                values[change.name] = change.on(now)
                yield change._replace(before=now, after=values[change.name])
            elif change.by not in done:
                done.add(change.by)
                for one in make_changes(roll.then, values, roll.outcome):
                    values[one.name] = one.after
                    yield one._replace(by=change.by)

    first, again = tuple(made(0, before)), list[Entry]()
    differing: dict[int, tuple[Changed, ...]] = {}
    for index, one in enumerate(log):
        if found := () if one.struck else tuple(_differing(one, values)):
            differing[one.roll] = found
        beside, own = _beside(one, values), tuple(made(2 * index + 1, one.made))
        again.append(beside._replace(made=own, later=tuple(made(2 * index + 2, one.later))))
    return Replayed(tuple(again), first, {name: text for name, text in values.items() if text}, differing)


def _changes(entry: Entry, roll: int) -> Iterator[Changed]:
    return (change for change in (*entry.made, *entry.later) if change.by == roll)


def _beside(entry: Entry, values: Mapping[str, str]) -> Entry:
    """Return a roll whose characters have what they have now, but for what it reads."""
    rule: Any = entry.outcome.rule
    changed: dict[str, Resources] = {}
    for parameter, text in entry.refers.items():
        if isinstance(value := getattr(rule, parameter, None), Resources):
            unread = (one for one in referred(rule, parameter, text) if not one.is_read and not one.is_typed)
            now = {one.resource: track_of(values.get(one.name, "")) for one in unread}
            beside = Resources({**value, **{name: track.value for name, track in now.items() if track}})
            if beside != value:
                changed[parameter] = beside
    if not changed:
        return entry
    return entry._replace(outcome=rule_with(rule, changed).play(dice_from(None, entry.outcome.dice)))


def _differing(entry: Entry, values: Mapping[str, str]) -> Iterator[Changed]:
    """Yield which values of characters a roll read otherwise than they are, each with what it is."""
    for parameter, text in entry.refers.items():
        for one in referred(entry.outcome.rule, parameter, text):
            track = track_of(values.get(one.name, ""))
            if track is not None and track.value != one.value and one.is_read and not one.is_typed:
                yield Changed(one.name, str(one.value), str(track.value))
