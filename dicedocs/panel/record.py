"""What became of characters and tracks, written into the log: by which roll, or after which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dicedocs.panel.state import State
from dicedocs.scenes.change import Changed
from dicedocs.scenes.scene import character_key


def recorded(before: State, after: State, effects: Iterable[Changed] = ()) -> State:
    """Return a state whose log says how the values of characters and tracks became what they are in it.

    Parameters:
        before: the state before.
        after: the state without that.
        effects: what rolls did, each with the number of its roll; what else changed was done by hand.
    """
    for change in changes_between(before, after, effects):
        after = with_recorded(after, change)
    return after


def changes_between(before: State, after: State, effects: Iterable[Changed] = ()) -> Iterator[Changed]:
    """Yield how the values of characters and tracks became others: what rolls did, and whatever else was done.

    Parameters:
        before, after: the states.
        effects: what rolls did.
    """
    effects = list(effects)
    for path, old, new in _sheets(before, after):
        now, then = ({path + name: text for name, text in sheet.items()} for sheet in (old, new))
        for one in effects:
            if one.name in now and one.name in then:
                yield one._replace(before=now[one.name], after=one.on(now[one.name]))
                now[one.name] = one.on(now[one.name])
        for name in {**now, **then}:
            if now.get(name) != then.get(name):
                yield Changed(name, now.get(name, ""), then.get(name, ""))


def _sheets(before: State, after: State) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, str]]]:
    """Yield the values of whoever has others, before and after, with what their names begin with in a scene."""
    for name, one in after.people.items():
        old = before.people.get(name, one)
        if old is not one:
            yield f"{character_key(name)}.", old.sheet, one.sheet
    if after.tracks is not None and before.tracks is not None and after.tracks is not before.tracks:
        yield "", before.tracks.sheet, after.tracks.sheet


def with_recorded(state: State, change: Changed) -> State:
    """Return a state with a change after its last roll; one that takes the last one of a value back removes that."""
    last = state.log[-1] if state.log else None
    made, later = ([*last.made], [*last.later]) if last else ([], [*state.before])
    group = later if any(one.name == change.name for one in later) else made
    at = next((at for at in reversed(range(len(group))) if group[at].name == change.name), None)
    if at is not None and group[at].reverse == change:
        del group[at]
    elif last and last.roll == change.by and not later:
        made.append(change)
    elif at is not None and group is later and not any(one.by for one in (*later[at:], change)):
        later[at] = later[at]._replace(after=change.after)
    else:
        later.append(change)
    if last is None:
        return state._replace(before=tuple(later))
    return state._replace(log=(*state.log[:-1], last._replace(made=tuple(made), later=tuple(later))))
