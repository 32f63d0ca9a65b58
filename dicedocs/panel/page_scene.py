"""A scene of a page as its reader plays it: its state, and what happens in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dicedocs.errors import DiceError
from dicedocs.panel.forms.seed_choice import next_seed
from dicedocs.render.page_example import PageExample
from dicedocs.render.page_text import PageText
from dicedocs.rules.example import Example
from dicedocs.rules.kinds import as_line
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.scenes.beat import Blank, joined
from dicedocs.scenes.change import as_operand
from dicedocs.scenes.page_beat import PageBeat
from dicedocs.scenes.scene import Scene
from dicedocs.scenes.state_view import Shift, Stop, changes_html, track_html, way_html
from dicedocs.translation import game_words


class PageScene:
    """A scene in the state that it has at its beginning, and what happens in it from there.

    Parameters:
        first: the first beat.
    """

    def __init__(self, first: PageBeat) -> None:
        self._scene = Scene.from_state(first.before)
        self._start = self._scene.state()
        self._ways: dict[str, list[Stop]] = {name: [] for name in self._start}
        self._played: dict[str, tuple[Outcome, dict[str, int | str]]] = {}
        self._missed: set[str] = set()
        self._seed: Seed = first.scene

    def parameters(self, beat: PageBeat, mechanic: str) -> dict[str, str]:
        """Return the parameters of a beat that take values, with those that the scene has now.

        Parameters:
            beat: the beat.
            mechanic: the id of what is played in it.
        """
        fields = find_mechanic(mechanic).parameters()
        notations = [name for name in beat.refers if isinstance(fields[name].kind, NotationKind)]
        return beat.parameters(self._values(piece for pieces in beat.refers.values() for piece in pieces), notations)

    def _values(self, pieces: Iterable[str | Blank]) -> dict[str, str]:
        """Return the values that the scene has now for the blanks of a text; none of what it does not know."""
        names = {each.name for each in pieces if not isinstance(each, str)}
        return {name: text for name in names if (text := self._value(name)) is not None}

    def _value(self, name: str) -> str | None:
        """Return a value of the scene, now or after an example in it, or a fact of that; ``None`` if it is neither."""
        facts = self._scene.facts()
        if name in facts:
            return as_line(facts[name])
        label, _dot, fact = name.partition(".")
        if label not in self._played:
            return None
        outcome, after = self._played[label]
        return as_line(after[fact] if fact in after else outcome.look_up(fact))

    def _joined(self, pieces: Sequence[str | Blank]) -> str:
        """Return the text of changes or conditions with the values that the scene has now."""
        return joined(pieces, {name: as_operand(text) for name, text in self._values(pieces).items()})

    def happens(self, beat: PageBeat) -> bool:
        """Return whether a beat happens: its conditions hold, and so did all that it refers to.

        Raises:
            DiceError: a condition is wrong in the state that the scene has now.
        """
        pieces = [*beat.when, *beat.then, *(piece for each in beat.refers.values() for piece in each)]
        names = {each.name for each in pieces if not isinstance(each, str)} - self._scene.facts().keys()
        happens = not any(name.partition(".")[0] in self._missed for name in names)
        happens = happens and self._scene.holds(self._joined(beat.when))
        if not happens:
            self._missed.add(beat.label)
        return happens

    def follow(self, example: PageExample, beat: PageBeat) -> tuple[Outcome, str]:
        """Play a beat with the dice of the book, or with others if they do not fit; return the outcome and its HTML.

        Raises:
            DiceError: it cannot be played in the state that the scene has now.
        """
        parameters = {**example.parameters, **self.parameters(beat, example.mechanic)}
        played = Example(example.mechanic, parameters, beat.seed, beat.dice)
        try:
            outcome = played.play()
        except DiceError:
            self._seed = next_seed(self._seed)
            played = played._replace(seed=self._seed, dice=None)
            outcome = played.play()
        with game_words(outcome.rule):
            return outcome, example.html(outcome, played.code())

    def happened(self, beat: PageBeat, outcome: Outcome | None, seed: Seed | None = None) -> str:
        """Change the state by a beat, and return what became of its values as HTML.

        Parameters:
            beat: the beat.
            outcome: what was played; ``None`` where something is only changed.
            seed: the seed with which the reader rolled it, from which other dice are drawn behind it.

        Raises:
            DiceError: the changes cannot be made.
        """
        before = self._scene.state()
        self._scene.change(self._joined(beat.then), outcome)
        if outcome is not None:
            self._played[beat.label] = outcome, self._scene.facts()
        if seed is not None:
            self._seed = seed
        after = self._scene.state().items()
        moved = [(name, before[name], text) for name, text in after if text != before[name]]
        for name, _before, text in moved:
            self._ways[name].append(Stop(text, beat.name, beat.url))
        return changes_html([Shift(beat.labels.get(name, name), *texts) for name, *texts in moved])

    def facts(self, beat: PageBeat, text: PageText) -> dict[str, str] | None:
        """Return what the text shows after a beat, as :meth:`.PageText.facts`."""
        outcome, _after = self._played.get(beat.label, (None, {}))
        return text.facts(outcome, self._scene.facts())

    def sheet(self, beat: PageBeat) -> str:
        """Return the way of each value that has changed so far as items of an HTML list."""
        return "".join(
            way_html(beat.labels.get(name, name), self._start[name], way) for name, way in self._ways.items() if way
        )

    def track(self, beat: PageBeat, path: str) -> str:
        """Return a value of the scene after a beat as HTML, drawn if it is a number."""
        return track_html(beat.labels.get(path, path), self._scene.state()[path])
