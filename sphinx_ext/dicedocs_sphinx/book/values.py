"""The values of all pages: what references stand for, and the blocks that have to be checked because of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

from sphinx.environment import BuildEnvironment

from dicedocs import DiceError, ParameterError
from dicedocs.errors import quoted
from dicedocs.page_rules.table_links import rule_digests
from dicedocs.scenes.beat import Values
from dicedocs.scenes.change import state_facts
from dicedocs.ways import find_way
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts, is_mismatch, story_until
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.named_values import KnownValues, SourceError
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.game_code import check_block, contained
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import path_in_book
from dicedocs_sphinx.statements import issue

_Key = tuple[str, str]
"""A page, and the label of a block there."""


class Recheck(NamedTuple):
    """A block with the values that its references stand for now, and what its check found."""

    block: Block
    result: CheckResult


class BookValues:
    """The values of all pages, to which blocks refer.

    Parameters:
        env: the environment, when all pages have been read.
    """

    def __init__(self, env: BuildEnvironment) -> None:
        self._domain: Final[DiceDomain] = dice_domain(env)
        self._seconds: Final = settings_of(env.config).seconds
        self._srcdir: Final = env.srcdir
        # An example that has the name of a character is reported as such.
        self._named: Final[dict[str, tuple[str, Block]]] = {
            name: (page, block)
            for name, (page, block) in {**self._domain.named(), **self._domain.named_characters()}.items()
            if isinstance(block, CharacterBlock | ExampleBlock)
        }
        self._digests: Final = rule_digests(self._domain.page_mechanics())
        self._facts: dict[str, Facts | None] = {}
        self._cycles: dict[str, str] = {}
        self._checking = ""
        self._cause: Block | None = None
        self._causes: dict[_Key, Block] = {}
        self._rechecked: dict[_Key, Recheck] = {}

    def in_state(self, before: Block) -> KnownValues:
        """Return the values of all pages in the state of a scene after one of its blocks."""
        return SceneValues(self, before.after or {}, self._where(before))

    # What references are read with

    def block(self, name: str) -> Block | None:
        """Return the character or the example of a name as it is now; ``None`` if there is none."""
        if name not in self._named:
            return None
        page, block = self._named[name]
        return self._now(block, page)

    def _now(self, block: Block, page: str) -> Block:
        again = self._rechecked.get((page, block.label))
        return again.block if again else block

    def character(self, name: str) -> CharacterBlock | None:
        """Return the character of a name as it is now; ``None`` if there is none."""
        block = self.block(name)
        return block if isinstance(block, CharacterBlock) else None

    def facts(self, name: str) -> Facts:
        """Return the facts of a block that exists.

        Raises:
            SourceError: it has none, because it has a mistake, or depends on something that has one.
            ParameterError: it has none, because it refers to itself.
        """
        if name in self._cycles and self._checking in self._cycles:
            circle = self._cycles.get(self._checking, self._cycles[name])
            message = f"these refer to each other in a circle: {circle}"
            raise ParameterError(message, hint="give one of them a value of its own", parameter="cycle")
        if name not in self._facts:
            self._facts[name] = None if name in self._cycles else self._facts_of(name)
        facts = self._facts[name]
        if facts is None:
            page, block = self._named[name]
            self._cause = self._causes.get((page, block.label), block)
            raise SourceError(self._depends_on(self._cause))
        return facts

    def _depends_on(self, block: Block) -> str:
        return f"depends on {quoted(block.label)} ({self._where(block)}), which has a mistake"

    def scene(self) -> Values:
        """Return no values: outside of scenes there is nothing that changes."""
        return {}

    def location(self, name: str) -> str:
        """Return the file and the line of a block that exists."""
        return self._where(self._named[name][1])

    def _where(self, block: Block) -> str:
        return f"{path_in_book(self._srcdir, block.source)}:{block.line}"

    def names(self) -> Collection[str]:
        """Return the names of the characters and the examples."""
        return self._named

    def character_names(self) -> Collection[str]:
        """Return the names of the characters."""
        return self._domain.named_characters()

    def _facts_of(self, name: str) -> Facts | None:
        page, block = self._named[name]
        if again := self._rechecked.get((page, block.label)):
            return again.result.facts if all(map(is_mismatch, again.result.issues)) else None
        try:
            with contained(self._seconds):
                return block.facts()
        except DiceError:
            return None

    # The order of the checks

    def recheck(self) -> dict[str, dict[str, Recheck]]:
        """Check the blocks that waited for other pages, or whose references stand for something else than before.

        Return them by page and label.
        """
        blocks = {(page, block.label): block for page, of_page in self._domain.blocks.items() for block in of_page}
        named = {name: (page, block.label) for name, (page, block) in self._named.items()}
        follows = {
            (page, block.label): (page, story[-1].label)
            for page, of_page in self._domain.blocks.items()
            for block in of_page
            if (story := [each for each in story_until(of_page, block) if each is not block])
        }
        uses: dict[_Key, set[_Key]] = {}
        for key, block in blocks.items():
            names = self._possible_names(block)
            # What it referred to, it may refer to no longer.
            if names or block.sources or block.waits or block.unresolved or block.scene or self._needs_book(block):
                uses[key] = {named[name] for name in names} | ({follows[key]} if key in follows else set())
        found: dict[str, dict[str, Recheck]] = {}
        for key in self._in_order(uses, blocks):
            page, label = key
            before = self._now(blocks[follows[key]], page) if key in follows else None
            # Those behind it name the same one.
            self._cause = None if before is None or before.after is not None else self._causes.get(follows[key], before)
            if key in uses and (again := self._check(blocks[key], before)) is not None:
                self._rechecked[key] = found.setdefault(page, {})[label] = again
            if self._cause is not None:
                self._causes[key] = self._cause
        return found

    def _check(self, block: Block, before: Block | None) -> Recheck | None:
        """Check a block with the present values; ``None`` if these are the ones that it was checked with.

        Parameters:
            block: the block.
            before: the block before it in its scene, if it is in one.
        """
        self._checking = block.name
        if self._cause is not None:
            # Its values are those of a state that nobody knows.
            wrong = issue(Problem.REFERENCE, self._depends_on(self._cause), elsewhere=True)
            now = replace(
                block.as_written(), before=None, sources={}, refers={}, formulas={}, operands={}, unresolved=[wrong]
            )
        else:
            now = self._resolved(block, before)
        now = replace(now, waits=False)
        now = replace(now, digest=self._digests.get(now.mechanic, ""))
        if now == block:
            return None
        result = check_block(now, self._seconds)
        return Recheck(replace(now, after=result.after), result)

    def _resolved(self, block: Block, before: Block | None) -> Block:
        """Return a block with the values that its references stand for, and with the state of its scene."""
        state = None if before is None else before.after
        for name in sorted(self._possible_names(block) - self._cycles.keys() - self._facts.keys()):
            # Their rules are not played within the time of this block.
            self._facts[name] = self._facts_of(name)
        values: KnownValues = self
        if before is not None and state is not None:
            values = self.in_state(before)
        try:
            with contained(self._seconds):
                placed = block.with_values(values).placed(values, state)
                return replace(placed, state_words=self._words_of(placed.before or {}))
        except DiceError as error:
            return replace(block, unresolved=[issue(Problem.ENGINE, str(error), "mechanic")])

    def _words_of(self, state: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Return the words of the values of characters in the state of a scene."""
        names = {path.partition(".")[0] for path in state if "." in path}
        cast = {name: character for name in names if (character := self.character(name)) is not None}
        return {f"{name}.{value}": words for name, each in sorted(cast.items()) for value, words in each.words.items()}

    def _needs_book(self, block: Block) -> bool:
        """Return whether a block may need a table of a page: whether it does may take the import of a game to know."""
        try:
            with contained(self._seconds):
                return block.needs_book()
        except DiceError:  # reported when the block is checked
            return False

    def _possible_names(self, block: Block) -> set[str]:
        """Return the names of the blocks that a block may refer to."""
        try:
            with contained(self._seconds):
                return block.possible_names(self.character_names()) & self._named.keys()
        except DiceError:
            return set()

    def _in_order(self, uses: dict[_Key, set[_Key]], blocks: dict[_Key, Block]) -> Iterator[_Key]:
        """Yield the blocks so that each comes after those that it refers to; those of a circle come before the rest."""
        order = dict.fromkeys(_sorted(uses))
        yield from order
        left = {key: used for key, used in uses.items() if key not in order}
        uses_of = {key: sorted(used) for key, used in left.items()}
        circles = {
            key: [key, *way] for key in left if (way := find_way(uses_of[key], key, lambda one: uses_of.get(one, ())))
        }
        for key, path in circles.items():
            self._cycles[blocks[key].name] = " → ".join(blocks[each].label for each in path)
        yield from circles
        rest = {key: used - circles.keys() for key, used in left.items() if key not in circles}
        yield from (key for key in _sorted(rest) if key in rest)


class SceneValues:
    """The values of all pages where a scene is played: those of its characters and tracks are as they are there.

    Parameters:
        values: the values of all pages.
        state: the state of the scene.
        where: the file and the line of what came before in the scene.
    """

    def __init__(self, values: BookValues, state: Mapping[str, str], where: str) -> None:
        self._values, self._state, self._where = values, state, where
        self._cast = {name.partition(".")[0] for name in state if "." in name}

    def block(self, name: str) -> Block | None:
        """Return the character or the example of a name."""
        return self.character(name) or self._values.block(name)

    def character(self, name: str) -> CharacterBlock | None:
        """Return the character of a name, in the scene with the values that it has there."""
        character = self._values.character(name)
        if character is None or name not in self._cast:
            return character
        start = f"{name}."
        own = {path.removeprefix(start): text for path, text in self._state.items() if path.startswith(start)}
        return replace(character, values=own)

    def facts(self, name: str) -> Facts:
        """Return the facts of a block that exists, or raise a :class:`DiceError` that says why it has none."""
        facts, character = self._values.facts(name), self.character(name)
        if character is None or name not in self._cast:
            return facts
        return StateFacts(character.values or {}, name, character.words)

    def scene(self) -> Values:
        """Return the values of the characters and the tracks of the scene."""
        return state_facts(self._state)

    def location(self, name: str) -> str:
        """Return the file and the line of a block that exists, or of what came before in the scene of a track."""
        return self._where if name in self._state else self._values.location(name)

    def names(self) -> Collection[str]:
        """Return the names of the characters and the examples."""
        return self._values.names()

    def character_names(self) -> Collection[str]:
        """Return the names of the characters."""
        return self._values.character_names()


def _sorted(uses: dict[_Key, set[_Key]]) -> Iterator[_Key]:
    """Yield those that are in no circle, and depend on none, in the order of their uses."""
    sorter = TopologicalSorter(uses)
    with suppress(CycleError):
        sorter.prepare()
    while ready := sorter.get_ready():
        yield from sorted(ready)
        sorter.done(*ready)
