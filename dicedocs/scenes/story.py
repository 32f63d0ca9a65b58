"""A story: a scene from its beginning, and the beats that happen in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from dicedocs.errors import DiceError, ExpectationError, wrap_error
from dicedocs.rules.kinds import as_line
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.scene import Scene


class Told(NamedTuple):
    """What a beat came to in a story.

    Parameters:
        beat: the beat.
        before, after: the state before and after it.
        outcome: what was played, if anything was.
        error: why it did not happen; ``None`` if it did.
    """

    beat: Beat
    before: Mapping[str, str]
    after: Mapping[str, str]
    outcome: Outcome | None = None
    error: DiceError | None = None

    @property
    def missed(self) -> bool:
        """Whether the beat did not happen because a condition does not hold."""
        return isinstance(self.error, ExpectationError) and self.error.parameter == "when"


class Story:
    """A scene from a state on. Each beat that happens in it takes values of those before it.

    Parameters:
        state: the state at its beginning.

    Raises:
        DiceError: it is not the state of a scene.

    >>> from dicedocs.rules.example import Example
    >>> bar = Beat("bar", Example("dice/roll", {"notation": "1d6"}, dice="2"), then="breach += total")
    >>> noise = Beat("noise", then="breach += bar.total", values={"bar.total": 2})
    >>> story = Story({"breach": "0 of 20"})
    >>> [told.after["breach"] for told in story.play([bar, noise], lambda beat: beat.example and bar.example.play())]
    ['2 of 20', '4 of 20']
    """

    def __init__(self, state: Mapping[str, str]) -> None:
        self._scene = Scene.from_state(state)
        self._played: dict[str, tuple[Outcome, Mapping[str, int | str]]] = {}
        self._missed: set[str] = set()

    def play(self, beats: Iterable[Beat], roll: Callable[[Beat], Outcome | None] = Beat.roll) -> Iterator[Told]:
        """Play beats, and yield what each came to.

        One whose conditions do not hold is left out, and so is what takes values of it. One that fails is the last one,
        since there is no state behind it.

        Parameters:
            beats: the beats, in their order.
            roll: returns the outcome of a beat, which has the values that it takes, ``None`` if nothing is played; by
                default that of the book's dice.
        """
        for beat in beats:
            told = self._play(beat, roll)
            yield told
            if told.missed:
                self._missed.add(beat.label)
            elif told.error:
                return

    def _play(self, beat: Beat, roll: Callable[[Beat], Outcome | None]) -> Told:
        before = self._scene.state()
        try:
            for name in beat.names() - self._scene.facts().keys():
                if (label := name.partition(".")[0]) in self._missed:
                    raise ExpectationError(f"this happens only if {label} does", parameter="when")
            outcome = self._scene.play_beat(self.here(beat), roll)
        except Exception as error:  # noqa: BLE001  # a rule may raise anything
            return Told(beat, before, before, error=wrap_error(error))
        if outcome is not None:
            self._played[beat.label] = outcome, self._scene.facts()
        return Told(beat, before, self._scene.state(), outcome)

    @property
    def state(self) -> dict[str, str]:
        """The text of each value of the scene as it is now."""
        return self._scene.state()

    def here(self, beat: Beat) -> Beat:
        """Return a beat with the values that the story has now; those that it does not know are as in the book."""
        facts = self._scene.facts()
        found = ((name, self._value(name, facts)) for name in beat.names())
        return beat.with_values({name: text for name, text in found if text is not None})

    def _value(self, name: str, facts: Mapping[str, int | str]) -> str | None:
        """Return a value of the scene, now or after an example in it, or a fact of that; ``None`` if it is neither."""
        if name in facts:
            return as_line(facts[name])
        label, _dot, fact = name.partition(".")
        if label not in self._played:
            return None
        outcome, after = self._played[label]
        return as_line(after[fact] if fact in after else outcome.look_up(fact))


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield each value that is another one in a later state: its name, and its texts before and after.

    >>> list(moved({"vault": "0 of 8", "heat": "1"}, {"vault": "2 of 8", "heat": "1"}))
    [('vault', '0 of 8', '2 of 8')]
    """
    return ((name, before[name], text) for name, text in after.items() if before.get(name, text) != text)
