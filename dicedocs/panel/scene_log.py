"""The log of a table as a scene of a book, which builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from dicedocs.errors import DiceError
from dicedocs.panel.effects import Effect
from dicedocs.panel.export import directive, markdown_block, markdown_title
from dicedocs.panel.history import Entry
from dicedocs.rules.list_text import NOTHING
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import character_key
from dicedocs.scenes.track import Track


class ValueChange(NamedTuple):
    """A value of a character, or a track of nobody, that changed, with its texts; ``None`` where it does not exist."""

    who: str
    name: str
    before: str | None
    after: str | None

    @property
    def reverse(self) -> ValueChange:
        """The change back."""
        return ValueChange(self.who, self.name, self.after, self.before)

    def written(self) -> str:
        """Return it as a change of a scene; empty if one of the values is no number.

        >>> ValueChange("Goblin 1", "HP", "9 of 9", "4 of 9").written()
        'goblin-1.HP -= 5'
        """
        try:
            before, after = (Track.from_text(text or "").value for text in (self.before, self.after))
        except DiceError:
            return ""
        return f"{self.target} {'-=' if after < before else '+='} {abs(after - before)}"

    @property
    def target(self) -> str:
        """What a scene calls the value."""
        return f"{character_key(self.who)}.{self.name}" if self.who else self.name


Story: TypeAlias = Sequence[int | ValueChange]
"""What happened, in order: the numbers of rolls, and values that changed."""


def scene_markdown(
    title: str,
    people: Iterable[Character],
    story: Story,
    entries: Mapping[int, Entry],
    tracks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a scene in Markdown: its characters, its rolls, and what changed; without rolls that were struck out.

    Parameters:
        title: its title.
        people: the characters as they were at its beginning.
        story: what happened.
        entries: the rolls by number.
        tracks: the tracks by name, as they were at its beginning.

    >>> import dicedocs as dd
    >>> entry = Entry(1, "", None, dd.roll("3d6", dice=[4, 2, 5]), who="Kira", effect="Orc HP 9 → 4")
    >>> hurt = ValueChange("Orc", "HP", "9", "4")
    >>> print(scene_markdown("Tonight", [dd.Character("Orc", "HP=9")], [1, hurt], {1: entry}))
    # Tonight
    <BLANKLINE>
    ```{dice:character} Orc
    :name: orc
    :values: HP=9
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
    :then: orc.HP -= 5
    ```
    """
    cast = {one.name: one for one in people}
    known = {(one.name, name) for one in cast.values() for name in one.sheet} | {("", name) for name in tracks}
    blocks = [f"# {markdown_title(title)}", *map(_character, cast.values())]
    options = {
        "cast": ", ".join(map(character_key, cast)),
        "tracks": ", ".join(f"{name} {text}" for name, text in tracks.items()),
    }
    blocks.append(markdown_block("scene", title, [(name, text) for name, text in options.items() if text]))
    for roll, changes in _grouped(story):
        entry = entries.get(roll)
        possible = [one for one in changes if (one.who, one.name) in known]
        own, others = _written(one for one in possible if is_effect(one, entry)), possible
        block = (
            ""
            if entry is None or entry.struck
            else directive(entry.outcome, entry.seed, entry.note or entry.title, own)
        )
        if block:
            blocks.append(block)
            others = [one for one in possible if not is_effect(one, entry)]
        if changed := _written(others):
            blocks.append(f"```{{dice:change}} {changed}\n```")
    return "\n\n".join(blocks)


def is_effect(change: ValueChange, entry: Entry | None) -> bool:
    """Return whether a roll made a change."""
    text = str(Effect(change.who, change.name, change.before or "", change.after or ""))
    return entry is not None and text in entry.effect.split(", ")


def _written(changes: Iterable[ValueChange]) -> str:
    return "; ".join(filter(None, (one.written() for one in changes)))


def _character(one: Character) -> str:
    values = ", ".join(f"{name}={text}" for name, text in one.sheet.items()) or NOTHING
    return markdown_block("character", one.name, [("name", character_key(one.name)), ("values", values)])


def _grouped(story: Story) -> list[tuple[int, list[ValueChange]]]:
    """Return each roll with what changed after it; 0 stands for what changed before the first."""
    groups: list[tuple[int, list[ValueChange]]] = [(0, [])]
    for item in story:
        if isinstance(item, int):
            groups.append((item, []))
        else:
            groups[-1][1].append(item)
    return groups
