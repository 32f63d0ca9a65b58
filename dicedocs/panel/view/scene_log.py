"""The log of a table as a scene of a book, which builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dicedocs.errors import DiceError
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.characters import scene_state
from dicedocs.panel.forms.slots import referred
from dicedocs.panel.view.log import heading
from dicedocs.panel.view.outcome_source import directive, example, markdown_block, markdown_title
from dicedocs.rules.lists import NOTHING
from dicedocs.scenes.change import Changed, make_changes, outcome_facts, possible_changes
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import Track, track_of


def scene_markdown(
    title: str,
    people: Iterable[Character],
    entries: Iterable[Entry],
    *,
    before: Sequence[Changed] = (),
    tracks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a scene in Markdown: its characters, its rolls, and what changed; without rolls that were struck out.

    What a roll took from a character, and what it did, stands there by name, and follows when the book is changed.

    Parameters:
        title: its title.
        people: the characters as they were at its beginning.
        entries: the rolls, with what changed after each.
        before: what changed before the first roll.
        tracks: the tracks by name, as they were at its beginning.

    >>> import dicedocs as dd
    >>> blow, made = dd.roll("3d6", dice=[4, 2, 5]), (Changed("orc.HP", "19", "8", by=1),)
    >>> entry = Entry(1, "", None, blow, who="Kira", made=made, then="orc.HP -= total")
    >>> print(scene_markdown("Tonight", [dd.Character("Orc", "HP=19")], [entry]))
    # Tonight
    <BLANKLINE>
    ```{dice:character} Orc
    :name: orc
    :values: HP=19
    ```
    <BLANKLINE>
    ```{dice:scene} Tonight
    :cast: orc
    ```
    <BLANKLINE>
    ```{dice:example} Kira
    :mechanic: dice/roll
    :notation: 3d6
    :dice: 4 2 5
    :expect: total=11
    :then: orc.HP -= total
    ```
    """
    cast = {character_key(one.name): one for one in people}
    start = {**tracks, **scene_state(cast.values(), None)}
    entries, before, start = _with_one_bound(list(entries), before, start)
    tracks = {name: start[name] for name in tracks}
    cast = {key: _with_values(key, one, start) for key, one in cast.items()}
    options = {"cast": ", ".join(cast), "tracks": ", ".join(f"{name} {text}" for name, text in tracks.items())}
    story = _Story(start, entries)
    blocks = [
        f"# {markdown_title(title)}",
        *map(_character, cast.values()),
        markdown_block("scene", title, [(name, text) for name, text in options.items() if text]),
        _change(story.between(before)),
    ]
    for one in entries:
        shown = not one.struck and example(one.outcome, one.seed) is not None
        blocks += [story.example(one)] if shown else [_change(story.between(one.made))]
        blocks.append(_change(story.between(one.later, one.roll)))
    return "\n\n".join(filter(None, blocks))


class _Story:
    """A scene while it is written: its state in the book so far.

    Parameters:
        state: the values at its beginning.
        entries: the rolls.
    """

    def __init__(self, state: Mapping[str, str], entries: Sequence[Entry]) -> None:
        self._state = dict(state)
        self._entries = {one.roll: one for one in entries}
        # Of an effect that was taken back and applied again, the last time counts.
        after = {change.by: one.roll for one in entries for change in one.later if change.by}
        self._applied_after = {one.roll: after[one.roll] for one in entries if one.roll in after and not one.pending}

    def example(self, entry: Entry) -> str:
        """Return the directive of a roll, with what it changed before anything else did."""
        applied_later = entry.roll in self._applied_after
        refers = {name: text for name, text in entry.refers.items() if self._holds(entry, name, text)}
        name = f"roll-{entry.roll}" if applied_later else ""
        then = "" if applied_later else self._by_rule(entry, entry.made)
        then = then or self.between(entry.made)
        return directive(entry.outcome, entry.seed, heading(entry), then, refers, name)

    def _holds(self, entry: Entry, parameter: str, text: str) -> bool:
        """Return whether what a roll reads of a character is the same in the book."""
        values = referred(entry.outcome.rule, parameter, text)
        return all(self._number(one.name) == one.value for one in values if one.is_read and not one.is_typed)

    def _number(self, path: str) -> int | None:
        track = track_of(self._state.get(path, ""))
        return None if track is None else track.value

    def between(self, changes: Sequence[Changed], after: int = 0) -> str:
        """Return changes as a scene has them; the effects of earlier rolls by their facts.

        Parameters:
            changes: the changes.
            after: the number of the roll behind which they stand.
        """
        written: list[str] = []
        effects: dict[int, str] = {}
        for one in changes:
            if one.by and one.by not in effects and self._applied_after.get(one.by) == after:
                effects[one.by] = self._by_facts(one.by, [each for each in changes if each.by == one.by])
                written.append(effects[one.by])
            if not effects.get(one.by) and one.name in self._state and one.written:
                self._state[one.name] = one.on(self._state[one.name])
                written.append(one.written)
        return "; ".join(filter(None, written))

    def _by_facts(self, roll: int, changes: Sequence[Changed]) -> str:
        """Return the effect of an earlier roll with its facts; empty if it is none, or if it is not in the book."""
        entry, state = self._entries.get(roll), dict(self._state)
        if entry is None or entry.struck or not self._by_rule(entry, changes):
            return ""
        facts = outcome_facts(entry.outcome)
        return possible_changes(entry.then, state, facts, names={name: f"roll-{roll}.{name}" for name in facts})

    def _by_rule(self, entry: Entry, changes: Iterable[Changed]) -> str:
        """Return what a roll does, if in the book it comes to the changes that were made; else an empty text."""
        after = dict(self._state)
        for one in changes:
            if one.name in after:
                after[one.name] = one.on(after[one.name])
        try:
            made = make_changes(entry.then, self._state, entry.outcome)
        except DiceError:  # it changes what nobody had at the beginning
            return ""
        if entry.pending or {**self._state, **{one.name: one.after for one in made}} != after:
            return ""
        self._state = after
        return entry.then


def _with_one_bound(
    entries: Sequence[Entry], before: Sequence[Changed], start: Mapping[str, str]
) -> tuple[list[Entry], list[Changed], dict[str, str]]:
    """Return rolls, what changed before them, and values at the beginning; each value has the same bounds throughout.

    No change in a book moves bounds, as a cell does from one evening to the next. The widest hold all values.
    """
    changes = [*before, *(change for entry in entries for change in (*entry.made, *entry.later))]
    texts: dict[str, list[str]] = {name: [text] for name, text in start.items()}
    for one in changes:
        texts.setdefault(one.name, []).extend((one.before, one.after))
    widest = {name: bounds for name, each in texts.items() if (bounds := _widest(each)) is not None}

    def widened(name: str, text: str) -> str:
        track, bounds = track_of(text), widest.get(name)
        return text if track is None or bounds is None else str(bounds.at(track.value))

    def of(made: Sequence[Changed]) -> tuple[Changed, ...]:
        return tuple(
            one._replace(before=widened(one.name, one.before), after=widened(one.name, one.after)) for one in made
        )

    again = [one._replace(made=of(one.made), later=of(one.later)) for one in entries]
    return again, list(of(before)), {name: widened(name, text) for name, text in start.items()}


def _widest(texts: Iterable[str]) -> Track | None:
    """Return a track with the widest bounds of some texts; ``None`` if all have the same."""
    tracks = [track for text in texts if (track := track_of(text)) is not None]
    if len({(one.minimum, one.maximum) for one in tracks}) < 2:
        return None
    maxima = [one.maximum for one in tracks if one.maximum is not None]
    if len(maxima) < len(tracks):
        return Track()
    return Track(max(maxima), minimum=min(one.minimum for one in tracks))


def _with_values(key: str, one: Character, start: Mapping[str, str]) -> Character:
    return Character(one.name, {name: start.get(f"{key}.{name}", text) for name, text in one.sheet.items()})


def _character(one: Character) -> str:
    values = ", ".join(f"{name}={text}" for name, text in one.sheet.items()) or NOTHING
    return markdown_block("character", one.name, [("name", character_key(one.name)), ("values", values)])


def _change(changes: str) -> str:
    return f"```{{dice:change}} {changes}\n```" if changes else ""
