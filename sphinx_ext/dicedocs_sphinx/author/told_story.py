"""The story of a scene as a reader has it on the page: played at random, and written as plain text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from dicedocs.errors import DiceError
from dicedocs.panel.page_player import reader_roll
from dicedocs.panel.page_scene import PageScene, Rolled
from dicedocs.render.verdict import verdict
from dicedocs.rules.kinds import as_line
from dicedocs.rules.playing import fresh_seed
from dicedocs.rules.seeds import SeededDice
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.track import Track
from dicedocs.syntax.decisions import AT_RANDOM

_HIGHEST_SEED: Final = 999_999
_LINES: Final = frozenset(
    [
        "p",
        "div",
        "li",
        "dt",
        "dd",
        "section",
        "figure",
        "table",
        "tr",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "blockquote",
        "aside",
    ]
)
"""The tags that begin a line of their own."""
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_SILENT: Final = frozenset({"script", "style", "nav", "template"})
_BOXES: Final = frozenset({"dice-example", "dice-change"})
_BOOKS: Final = "[the book's roll]"


class Element:
    """An element of a page.

    Parameters:
        tag: its tag; empty for the whole.
        attributes: its attributes.
        parent: what is around it.
    """

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @property
    def classes(self) -> set[str]:
        """Its classes."""
        return set(self.attributes.get("class", "").split())

    @property
    def around(self) -> Iterator[Element]:
        """Itself, and what is around it, the innermost first."""
        one: Element | None = self
        while one is not None:
            yield one
            one = one.parent

    def __iter__(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self._now = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self._now)
        self._now.children.append(made)
        if tag not in _VOID:
            self._now = made

    def handle_endtag(self, tag: str) -> None:
        ended = next((one for one in self._now.around if one.tag == tag), None)
        if ended is not None and ended.parent is not None:
            self._now = ended.parent

    def handle_data(self, data: str) -> None:
        self._now.children.append(data)


def read_html(html: str) -> Element:
    """Return what is in a page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


class Place(NamedTuple):
    """Where something happens in a scene.

    Parameters:
        element: its place in the page.
        message: what happens there, as a page tells it to Python.
        chance: whether a reader can roll it.
        chosen: how whatever is asked there is chosen, as a link says it.
    """

    element: Element
    message: dict[str, Any]
    chance: bool
    chosen: str = ""


class Telling(NamedTuple):
    """A story that was played.

    Parameters:
        text: what a reader reads, line by line.
        rolls: what came up, by the names of the beats: the seed, the dice and the verdict.
        missed: the beats that did not happen.
        worn: who acted although a value of theirs had gone down to its minimum: the beat, the value and its text.
        error: why it could not be played to its end; empty if it was.
    """

    text: list[str]
    rolls: dict[str, dict[str, Any]]
    missed: list[str]
    worn: list[tuple[str, str, str]]
    error: str


class TellableScene:
    """A scene of a page that was written, which can be played any number of times.

    Parameters:
        page: the page.
        scene: the scene, by its name in the data of the page.
        anchor: the id of its element.
    """

    def __init__(self, page: Element, scene: str, anchor: str) -> None:
        self.places = list(_places(page, scene))
        begin = next((one for one in page if one.attributes.get("id") == anchor), None)
        if not self.places:
            raise DiceError("nothing in this scene can be rolled on a page", hint="put a dice:example into it")
        self._begin = begin or self.places[0].element
        self._end = _box(self.places[-1].element)
        self._section = next(
            (one for one in self._begin.around if one.tag == "section" and any(each is self._end for each in one)), page
        )

    def tell(self, dice: SeededDice | None = None) -> Telling:
        """Play the scene, with seeds that the dice decide, and return what a reader then reads."""
        dice = dice or SeededDice(fresh_seed())
        messages = [
            {**place.message, "link": f"seed={dice.roll(_HIGHEST_SEED)}{place.chosen}" if place.chance else ""}
            for place in self.places
        ]
        scene, rolls, worn = PageScene(messages[0]), dict[str, dict[str, Any]](), list[tuple[str, str, str]]()
        start = scene.state

        def roll(message: Mapping[str, Any], parameters: Mapping[str, str]) -> Rolled | None:
            beat = Beat.from_data(message["beat"])
            worn.extend(
                (beat.name, beat.labels.get(name, name), text) for name, text in _worn(beat, start, scene.state)
            )
            made = reader_roll(message, parameters)
            if made is not None and (outcome := made[1]) is not None:
                judged = verdict(outcome)
                rolls[beat.label] = {
                    "name": beat.name,
                    "seed": made[2],
                    "dice": list(outcome.dice),
                    "result": judged.headline,
                    "tone": judged.tone,
                }
            return made

        answers, error = list[dict[str, Any]](), ""
        try:
            answers.extend(scene.play(messages, roll))
        except DiceError as failure:
            error = str(failure)
        missed = [
            place.message["beat"].get("name", "")
            for place, answer in zip(self.places, answers, strict=False)
            if answer.get("missed")
        ]
        text = _Text(self.places, answers, rolls)
        return Telling(text.lines(self._section, self._begin, self._end), rolls, missed, worn, error)


def _places(page: Element, scene: str) -> Iterator[Place]:
    for element in page:
        data = element.attributes.get("data-dice") or element.attributes.get("data-dice-beat")
        told = json.loads(data) if data else {}
        if (told.get("beat") or {}).get("scene") != scene:
            continue
        key = (told.get("text") or {}).get("key")
        after = [one for one in page if key and one.attributes.get("data-dice-after") == key]
        message = {
            **{name: told.get(name) for name in ("beat", "text", "example")},
            "odds": told.get("odds", False),
            "rolled": False,
            "tracks": [one.attributes["data-dice-track"] for one in after if "data-dice-track" in one.attributes],
            "sheet": any("data-dice-sheet" in one.attributes for one in after),
        }
        chosen = "".join(f"&{urlencode({name: AT_RANDOM})}" for name in told.get("asks", ()))
        yield Place(element, message, bool(told.get("chance")) and not told.get("odds"), chosen)


def _box(element: Element) -> Element:
    return next((one for one in element.around if one.classes & _BOXES), element)


def _worn(beat: Beat, start: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the values of whoever acts in a beat that have gone down to their minimum, each with its text."""
    named = beat.parameter_names()
    of_actor = named.get("actor") or set().union(*(names for name, names in named.items() if name != "target"))
    actors = {name.partition(".")[0] for name in of_actor if "." in name}
    for name, text in now.items():
        if name.partition(".")[0] in actors and "." in name and " of " in text and text != start.get(name):
            track = Track.from_text(text)
            if track.value == track.minimum:
                yield name, text


class _Text:
    """What a page says of a story.

    Parameters:
        places: where something happens.
        answers: what each came to.
        rolls: what came up, by label.
    """

    def __init__(
        self, places: Sequence[Place], answers: Sequence[Mapping[str, Any]], rolls: Mapping[str, Mapping[str, Any]]
    ) -> None:
        told = list(zip(places, answers, strict=False))
        self._answers = {place.message["text"]["key"]: answer for place, answer in told if place.message["text"]}
        self._boxes = {id(_box(place.element)): (place, answer) for place, answer in told}
        self._missed = {id(_box(place.element)) for place, answer in told if answer.get("missed")}
        self._drawn: dict[int, str] = {}
        self._rolls, self._lines, self._line = rolls, list[str](), list[str]()
        self._tracks = Counter[str]()

    def lines(self, section: Element, begin: Element, end: Element) -> list[str]:
        """Return the lines of a section from one element to another, and to the next heading behind that."""
        self._begin, self._end = begin, end
        self._state = "before"
        self._write(section)
        self._break()
        return self._lines

    def _break(self) -> None:
        line = " ".join("".join(self._line).split())
        self._line = []
        if line:
            self._lines.append(line)

    def _write(self, one: Element | str) -> None:
        if isinstance(one, str):
            if self._state in {"in", "behind"}:
                self._line.append(one)
            return
        if one is self._begin:
            self._state = "in"
        if self._state == "behind" and one.tag in _HEADINGS:
            self._state = "over"
        if one.tag in _LINES:
            self._break()
        if self._state != "over" and not self._is_left_out(one):
            html = self._told(one)
            if html is None:
                for child in one.children:
                    self._write(child)
            else:
                self._state, state = (
                    "in" if self._state == "before" and one is self._begin else self._state,
                    self._state,
                )
                self._write_html(html)
                self._state = state
        if one.tag in _LINES:
            self._break()
        if one is self._end:
            self._state = "behind"

    def _write_html(self, html: str) -> None:
        for child in read_html(html).children:
            self._write(child)

    def _is_left_out(self, one: Element) -> bool:
        if one.tag in _SILENT or "headerlink" in one.classes or id(one) in self._missed:
            return True
        case = one.attributes.get("data-dice-case")
        if case is None:
            return bool({"hidden", "popover"} & one.attributes.keys())
        words = self._answers.get(one.attributes["data-dice-words"], {}).get("words")
        return not words["holds"][case] if words else "hidden" in one.attributes

    def _told(self, one: Element) -> str | None:
        """Return the HTML that stands in an element instead of the book's; ``None`` if nothing does."""
        if one.tag == "svg":
            # Beside the drawing of a change are its words.
            return (
                "" if any("dice-move" in each.classes for each in one.around) else one.attributes.get("aria-label", "")
            )
        if one.classes & {"no-search"}:
            return self._roll(one)
        fact = one.attributes.get("data-dice-fact")
        if fact is not None and "data-dice-words" in one.attributes:
            words = self._answers.get(one.attributes["data-dice-words"], {}).get("words")
            return None if words is None else str(words["facts"].get(fact, ""))
        if fact is not None and "data-dice-of" in one.attributes:
            keys = json.loads(one.attributes["data-dice-of"])
            facts = [self._answers.get(key, {}).get("facts", {}) for key in keys]
            if None in facts:
                self._line.append(f"{_BOOKS} ")
                return None
            return (facts[0] or {}).get(fact)
        if "data-dice-track" in one.attributes:
            answer = self._answers.get(one.attributes.get("data-dice-after", ""), {})
            tracks = list(answer.get("tracks") or [])
            number = self._tracks[one.attributes["data-dice-after"]]
            self._tracks[one.attributes["data-dice-after"]] += 1
            return tracks[number] if number < len(tracks) else None
        if "data-dice-sheet" in one.attributes:
            return self._answers.get(one.attributes.get("data-dice-after", ""), {}).get("sheet")
        if "dice-changes" in one.classes:
            found = self._boxes.get(id(_box(one)))
            return None if found is None else str(found[1].get("changes", ""))
        return None

    def _roll(self, one: Element) -> str:
        """Return the seed and the dice of a roll, instead of its outcome."""
        place, _answer = self._boxes.get(id(_box(one)), (None, None))
        if place is None or not any(each is place.element for each in one):
            return ""
        rolled = self._rolls.get(place.message["beat"]["label"])
        if rolled is None:
            return ""
        return f"<p>[seed {rolled['seed']}: {as_line(rolled['dice'])}] {rolled['result']}</p>"
