"""The log of a table as a scene of a book, which builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dicedocs.panel.export import directive, markdown_block, markdown_title
from dicedocs.panel.history import Entry
from dicedocs.rules.list_text import NOTHING
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import character_key


def scene_markdown(
    title: str,
    people: Iterable[Character],
    entries: Iterable[Entry],
    *,
    before: Sequence[Changed] = (),
    tracks: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a scene in Markdown: its characters, its rolls, and what changed; without rolls that were struck out.

    Parameters:
        title: its title.
        people: the characters as they were at its beginning.
        entries: the rolls, with what changed after each.
        before: what changed before the first roll.
        tracks: the tracks by name, as they were at its beginning.

    >>> import dicedocs as dd
    >>> hurt = Changed("orc.HP", "9", "4")
    >>> entry = Entry(1, "", None, dd.roll("3d6", dice=[4, 2, 5]), who="Kira", made=(hurt,))
    >>> print(scene_markdown("Tonight", [dd.Character("Orc", "HP=9")], [entry]))
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
    cast = {character_key(one.name): one for one in people}
    known = {*tracks, *(f"{key}.{name}" for key, one in cast.items() for name in one.sheet)}

    def written(changes: Iterable[Changed]) -> str:
        return "; ".join(one.written for one in changes if one.name in known and one.written)

    options = {"cast": ", ".join(cast), "tracks": ", ".join(f"{name} {text}" for name, text in tracks.items())}
    blocks = [
        f"# {markdown_title(title)}",
        *map(_character, cast.values()),
        markdown_block("scene", title, [(name, text) for name, text in options.items() if text]),
        _change(written(before)),
    ]
    for one in entries:
        block = "" if one.struck else directive(one.outcome, one.seed, one.note or one.title, written(one.made))
        blocks += [block, _change(written(one.later if block else (*one.made, *one.later)))]
    return "\n\n".join(filter(None, blocks))


def _character(one: Character) -> str:
    values = ", ".join(f"{name}={text}" for name, text in one.sheet.items()) or NOTHING
    return markdown_block("character", one.name, [("name", character_key(one.name)), ("values", values)])


def _change(changes: str) -> str:
    return f"```{{dice:change}} {changes}\n```" if changes else ""
