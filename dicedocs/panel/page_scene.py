"""A scene of a page as its reader plays it: its state, and what happens in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from dicedocs.errors import DiceError
from dicedocs.panel.forms.seed_choice import next_seed
from dicedocs.render.page_example import PageExample
from dicedocs.rules.example import Example
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.change import state_facts
from dicedocs.scenes.page_text import PageText
from dicedocs.scenes.state_view import Shift, Stop, changes_html, track_html, truth_text, way_html
from dicedocs.scenes.story import Story, Told, moved
from dicedocs.translation import game_words
from dicedocs.translation import gettext as _

Message = Mapping[str, Any]
"""What happens at a place of a scene, as for :meth:`.PagePlayer.receive`."""
Rolled = tuple[dict[str, Any], Outcome | None, Seed | None]
"""A roll of the reader: its answer, its outcome, ``None`` while the reader is asked something, and its seed, from which
other dice are drawn behind it."""


class _Asked(DiceError):
    """The reader is asked something; ``answer`` is what the page shows of it."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__("the reader is asked")
        self.answer = answer


class PageScene:
    """A scene in the state that it has at its beginning, and what happens in it from there.

    Parameters:
        first: what happens first.
    """

    def __init__(self, first: Message) -> None:
        beat = Beat.from_data(first["beat"])
        self._start = beat.before
        self._story = Story(self._start)
        self._ways: dict[str, list[Stop]] = {name: [] for name in self._start}
        self._seed: Seed = beat.scene
        self._words: dict[str, tuple[str, str]] = {}

    @property
    def state(self) -> dict[str, str]:
        """The text of each value of the scene as it is now."""
        return self._story.state

    def parameters(self, message: Message) -> dict[str, str]:
        """Return the parameters that take values of the scene, with those that it has now."""
        return _taken(self._story.here(Beat.from_data(message["beat"])))

    def play(
        self, messages: Sequence[Message], roll: Callable[[Message, Mapping[str, str]], Rolled | None]
    ) -> Iterator[dict[str, Any]]:
        """Play what happens, and yield the answer to each.

        Parameters:
            messages: what happens, in its order.
            roll: returns what the reader rolls there, given the parameters that take values of the scene; ``None``
                where the dice are those of the book. Where the reader is asked something, the rest of the story waits.

        Raises:
            DiceError: something cannot be played in the state that the scene has then.
        """
        by_label = {one["beat"]["label"]: one for one in messages}
        answers: dict[str, dict[str, Any]] = {}

        def rolled(beat: Beat) -> Outcome | None:
            if beat.example is None:
                return None
            message = by_label[beat.label]
            example = PageExample.from_data(message["example"])
            taken = _taken(beat)
            made = roll(message, taken) or self._follow(example, beat.example)
            if made is None:
                # What the book chose belongs to its dice, so the reader is asked.
                made = roll({**message, "link": urlencode({"seed": self._seed})}, taken)
            answer, outcome, seed = made or ({}, None, None)
            if outcome is None:
                raise _Asked(answer)
            if seed is not None:
                self._seed = seed
            if example.look != "line":
                names, book = type(outcome.rule).parameters(), beat.example.rule()
                values, others = ({name: getattr(rule, name) for name in names} for rule in (outcome.rule, book))
                with game_words(outcome.rule):
                    answer = {**answer, "given": example.with_values(values, others).given_html(outcome)}
            answers[beat.label] = answer
            return outcome

        # Odds have a place in the story, and nothing happens there.
        beats = (Beat() if one["odds"] else Beat.from_data(one["beat"]) for one in messages)
        waiting = iter(messages)
        for message, told in zip(waiting, self._story.play(beats, rolled), strict=False):
            if isinstance(told.error, _Asked):
                yield self._answer(message, told, told.error.answer)
                break
            if told.error and not told.missed:
                raise told.error
            yield self._answer(message, told, answers.get(told.beat.label, {}))
        for message in waiting:
            # What the reader rolled there before is theirs again once they have chosen.
            why = _("This waits until you have chosen.")
            yield _odds_answer() if message["odds"] else {**self._missed(message, why), "own": message["link"]}

    def _follow(self, example: PageExample, played: Example) -> Rolled | None:
        """Play an example with the dice of the book, or with others if they do not fit; ``None`` if it has a choice."""
        try:
            outcome = played.play()
        except DiceError:
            self._seed = next_seed(self._seed)
            if any(field.kind.undecided for field in type(played.rule()).parameters().values()):
                return None
            played = played._replace(seed=self._seed, dice=None)
            outcome = played.play()
        with game_words(outcome.rule):
            return {"html": example.html(outcome, played.code())}, outcome, None

    def _answer(self, message: Message, told: Told, rolled: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a message, given what its beat came to and what is shown of its roll."""
        if message["odds"]:
            return _odds_answer()
        if told.missed:
            return self._missed(message, _("This does not happen in your story."))
        beat, text = told.beat, text_of(message)
        self._words.update(text.state_words)
        changed = [
            (name, *(truth_text(each, name, self._words) for each in texts))
            for name, *texts in moved(told.before, told.after)
        ]
        for name, _before, after in changed:
            self._ways[name].append(Stop(after, beat.name, beat.url))
        changes = changes_html([Shift(beat.labels.get(name, name), *texts) for name, *texts in changed])
        said = {} if told.error else text.told(told.outcome, state_facts(told.after))
        return {**rolled, "changes": changes, **said, **self._shown(message)}

    def _missed(self, message: Message, why: str) -> dict[str, Any]:
        """Return the answer to a message whose beat shows nothing; a text behind it still says how things stand."""
        text = text_of(message)
        self._words.update(text.state_words)
        said = text.of_state(state_facts(self.state))
        return {"sentence": "", "missed": why, **said, **self._shown(message)}

    def _shown(self, message: Message) -> dict[str, Any]:
        """Return the tracks and the sheet that the page shows at a message, as they are now."""
        labels, state = Beat.from_data(message["beat"]).labels, self.state
        tracks = [track_html(labels.get(path, path), state[path]) for path in message["tracks"]]
        return {"tracks": tracks, "sheet": self._sheet(labels) if message["sheet"] else ""}

    def _sheet(self, labels: Mapping[str, str]) -> str:
        """Return the way of each value that has changed so far as items of an HTML list."""
        ways = (
            (labels.get(name, name), truth_text(self._start[name], name, self._words), way)
            for name, way in self._ways.items()
            if way
        )
        return "".join(way_html(*each) for each in ways)


def _odds_answer() -> dict[str, str]:
    return {"sentence": "", "odds": _("These are the odds of the book's story.")}


def _taken(beat: Beat) -> dict[str, str]:
    """Return the parameters of a beat that take values of its story."""
    return {name: text for name, text in beat.example.parameters.items() if name in beat.blanks} if beat.example else {}


def text_of(message: Message) -> PageText:
    """Return the text about what a message is about."""
    return PageText.from_data(message["text"]) if message.get("text") else PageText("")
