"""Values of characters and tracks on the next day: as they were at the end, unless they are given otherwise now."""

from __future__ import annotations

from collections.abc import Mapping

from dicedocs.panel.record import with_recorded
from dicedocs.panel.state import State
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character
from dicedocs.scenes.track import track_of


def with_ends(
    state: State, one: Character, start: Mapping[str, str], path: str, ends: Mapping[str, str]
) -> tuple[Character, State]:
    """Return a character with the values that it had at the end, but with those that are given otherwise now.

    Parameters:
        state: the state, in whose log the latter are recorded; it is returned too.
        one: the character as it is given now.
        start: the values that it was given at that time.
        path: what the names of its values begin with in a scene.
        ends: what changed values became, by these names.
    """
    last = {
        **start,
        **{at.removeprefix(path): ends[at] for at in ends if at.startswith(path) and (path or "." not in at)},
    }
    now = {}
    for name in {**one.sheet, **last}:
        given, kept = one.sheet.get(name, ""), last.get(name, "")
        now[name] = changed_since(start.get(name, ""), given, kept)
        if kept and now[name] != kept:
            state = with_recorded(state, Changed(path + name, kept, now[name]))
    return Character(one.name, {name: text for name, text in now.items() if text}, one.rolls), state


def changed_since(start: str, given: str, kept: str) -> str:
    """Return what a value is: as it was kept, but with what of it is given otherwise than at that time.

    >>> changed_since("18 of 18", "18 of 22", "5 of 18"), changed_since("18 of 18", "20 of 22", "5 of 18")
    ('5 of 22', '20 of 22')
    """
    if given == start:
        return kept
    before, now, then = map(track_of, (start, given, kept))
    if before is None or now is None or then is None or now.value != before.value:
        return given
    return str(now.at(then.value))
