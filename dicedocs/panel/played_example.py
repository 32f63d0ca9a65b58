"""An example of a page as its reader plays it: its rolls, its panel, and the links to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.panel.forms.characters import WHOLE_FORM, Character, character_slots
from dicedocs.panel.forms.question import Question
from dicedocs.panel.forms.saved_form import go_on, saved_form
from dicedocs.panel.forms.seed_choice import next_seed, read_seed
from dicedocs.panel.forms.session import Session
from dicedocs.panel.page_scene import Rolled
from dicedocs.panel.saved import SavedForm, entry_data, from_plain, read_entry, to_plain
from dicedocs.render.page_example import PageExample
from dicedocs.render.text import Origin, inline_roll
from dicedocs.rules.dice import parse_faces
from dicedocs.rules.example import Example
from dicedocs.rules.kinds import as_line
from dicedocs.rules.params import Param
from dicedocs.rules.playing import Seed
from dicedocs.scenes.page_text import PageText
from dicedocs.syntax.decisions import Undecided

_COUNT_SECONDS: Final = 0.05
"""How long odds are counted at a time, so that a press meanwhile is answered soon."""
BookCharacters = Sequence[tuple[str, str, Mapping[str, object]]]
"""The characters of a book: the system of each, which is empty if it belongs to several, its name, and its values."""
_SEED: Final = "seed"
_DICE: Final = "dice"
"""The names of the seed and of dice that were typed in a link; no parameter has them."""


class PlayedExample:
    """An example of a page with the session that its rolls and its panel share.

    Parameters:
        example: the example.
        text: the text about it.
        characters: the characters of the book, among which a panel lets choose if there is one in the example.
        block_names: how the book calls them, by their names for readers.
    """

    def __init__(
        self,
        example: PageExample,
        text: PageText,
        characters: BookCharacters = (),
        block_names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._example, self._text = example, text
        rule = Example(example.mechanic, example.parameters).rule()
        fields = type(rule).parameters()
        # All of them: a panel would otherwise begin with the values of the mechanic's own example.
        self._values = {name: getattr(rule, name) for name in fields}
        read = _fields_read(example, fields)
        playing = _characters_for(example, fields, self._values, characters, read)
        self._session = Session(example.mechanic, self._values, best=example.best or None, characters=playing)
        people = self._session.people
        people.slots = people.slots._replace(read=read, block_names=block_names)
        there = {one.name for one in playing}
        people.begin_with({slot: name for slot, name in _seats(example, fields).items() if name in there})
        # Whoever rolls is asked, whatever was chosen in the book.
        asks = {name: field.convert(field.kind.undecided) for name, field in fields.items() if field.kind.undecided}
        self._start = {**self._values, **asks}
        shown = next((fact for fact in example.facts if fact in self._session.mechanic.result().facts_of), "")
        if shown:
            self._session.odds.fact = shown

    def roll_beat(self, link: str | None, parameters: Mapping[str, str]) -> Rolled:
        """Roll the example in a scene, and return what :data:`.Rolled` says.

        Parameters:
            link: what a link says, or empty; ``None`` for the roll that the panel has.
            parameters: those that it has there now instead of the book's.

        Raises:
            ParameterError: there is no such roll.
        """
        session, start = self._session, {**self._start, **self._converted(parameters)}
        answer = {"link": self._link(), "sentence": ""} if link is None else self.roll(link, start)
        outcome = session.outcome if session.question is None else None
        if session.outcome is None and session.question is None:
            raise ParameterError("nothing was rolled in the panel")
        return {**answer, "own": self._link(start)}, outcome, session.seeds.used

    def roll(self, link: str, start: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Roll the example of the book, or what a link says.

        Parameters:
            link: the link, or empty.
            start: the values that the link changes, by default those of the book.
        """
        session, example, start = self._session, self._example, start or self._start
        faces, chosen = self._set(link, start)
        try:
            outcome = session.roll(faces, chosen)
        except Undecided:
            if session.question is None:
                raise
            return self._asked(session.question, start)
        seed, values = session.seeds.used, {name: getattr(outcome.rule, name) for name in session.inputs.fields}
        call = Example(example.mechanic, values, seed, None if seed is not None else outcome.dice).code()
        with session.display():
            html = example.with_values(values, start).html(outcome, call)
        return {
            "html": html,
            "sentence": (session.view.outcome or {})["sentence"],
            "seed": "" if seed is None else str(seed),
            "link": self._link(),
            **self._text.told(outcome),
        }

    def _asked(self, asked: Question, start: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the reader is asked, as the answer to a roll, with a button for each way that has its link."""
        with self._session.display():
            html = asked.html(self._link_of(asked.taking(way), asked.seed, asked.faces, start) for way in asked.ways)
            sentence = asked.sentence
        seed = "" if asked.seed is None else str(asked.seed)
        return {"html": html, "sentence": sentence, "seed": seed, "link": self._link(), "facts": None, "words": None}

    def roll_text(self, link: str = "") -> dict[str, Any]:
        """Roll the notation of a sentence."""
        self._set(link)
        outcome = self._session.roll()
        text = inline_roll(self._example.title, outcome)
        return {"text": text, "sentence": text, "seed": str(self._session.seeds.used), "link": self._link()}

    def open(self, link: str, parameters: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """Open the panel with the last roll, or with the one that a link says.

        Parameters:
            link: the link, or empty.
            parameters: those that it has in the story of its reader instead of the book's; a link says all of them.
        """
        another = bool(link) and link != self._link()
        in_story = {} if link else self._converted(parameters)
        dice: tuple[int, ...] | None = None
        chosen: dict[str, str] = {}
        if another or in_story or not self._session.rolls:
            dice, chosen = self._set(link, {**self._start, **in_story})
        if in_story:
            # What was rolled before was rolled with other values.
            self._session.travel.look_at(0)
        if another:
            with suppress(Undecided):  # the panel asks
                self._session.roll(dice, chosen)
        return {"form": self._session.form(), **self.count()}

    def handle(self, message: object) -> dict[str, Any]:
        """Handle a message of the panel."""
        failure: BaseException | None = None
        try:
            self._session.receive(message)
        except BaseException as error:  # noqa: BLE001  # the game of a book may raise anything
            failure = error
        return {**self.count(), "answer": self._session.reply_to(message, failure)}

    def count(self) -> dict[str, Any]:
        """Count the odds for a moment."""
        session = self._session
        with suppress(BaseException):  # the state shows it
            session.odds.count(_COUNT_SECONDS)
        told = {} if session.outcome is None else self._text.told(session.outcome)
        return {"state": session.state(), "counting": session.odds.counting, "link": self._link(), **told}

    def kept(self) -> dict[str, Any]:
        """Return what another worker must know to go on: the form, the rolls, and what is pinned."""
        session, form = self._session, self._session.seat.form
        seeds, counted = session.seeds, session.odds.live.rule
        return {
            "form": to_plain(saved_form(session)),
            "seed": seeds.text if seeds.chosen is not None or seeds.error else "",
            # Of what was typed last, some may not be valid.
            "counted": self._changes(counted) if counted else {},
            "rolls": [
                [one.roll, entry_data(one)]
                for one in session.seat.store.state.log
                if one.roll > form.cleared or one is session.shown
            ],
            "pinned": [row["roll"] for row in session.log() if row["pinned"]],
            "number": session.rolls,
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on where another worker was ended: :meth:`kept` returned what it knew."""
        session = self._session
        session.set_values({**self._start, **kept["counted"]})
        log = [read_entry(number, roll, session.mechanic) for number, roll in kept["rolls"]]
        saved: SavedForm = from_plain(SavedForm, kept["form"])
        go_on(session, saved, log, kept["number"])
        for roll in kept["pinned"]:
            session.pin_roll(roll)
        session.seeds.type(kept["seed"])

    def _changes(self, rule: Any, start: Mapping[str, Any] | None = None) -> dict[str, str]:
        """Return the values that are not those at the start, by default in the book."""
        inputs, start = self._session.inputs, start or self._start
        fields, values = inputs.fields, {name: getattr(rule, name) for name in inputs.fields}
        values |= {name: values[name].unsettled for name in inputs.open_choices}
        return {name: fields[name].write(value) for name, value in values.items() if value != start[name]}

    def _converted(self, changes: Mapping[str, str]) -> dict[str, Any]:
        fields = self._session.inputs.fields
        return {name: fields[name].convert(text) for name, text in changes.items()}

    def _set(self, link: str, start: Mapping[str, Any] | None = None) -> tuple[tuple[int, ...] | None, dict[str, str]]:
        """Set the parameters at the start, by default those of the book, and what a link says instead.

        Returns:
            The dice of the link, ``None`` if they are thrown with its seed, or with a fresh one; and what was chosen so
            far.

        Raises:
            DiceError: a value of the link is not valid; nothing has changed then.
        """
        changes = _read_link(link)
        seed, dice = read_seed(changes.pop(_SEED, "")), changes.pop(_DICE, None)
        if seed is not None and dice is not None:
            raise ParameterError("the link has a seed and dice", hint="leave one of them out")
        fields = self._session.inputs.fields
        unknown = next((name for name in changes if name not in fields), None)
        if unknown is not None:
            raise ParameterError(f"the link has a value for {quoted(unknown)}, which is not a parameter")
        faces = None if dice is None else parse_faces(dice)
        # What was chosen belongs to the dice; the next roll asks again.
        choices = self._converted({name: text for name, text in changes.items() if fields[name].kind.undecided})
        chosen = {name: changes.pop(name) for name, choice in choices.items() if choice.is_open}
        self._session.set_values({**(start or self._start), **changes})
        self._session.seed = seed
        self._session.hand_dice.choose(None)
        return faces, chosen

    def _link(self, start: Mapping[str, Any] | None = None) -> str:
        """Return the end of a link to the last roll; empty before the first.

        Parameters:
            start: the values that it need not say, by default those of the book.
        """
        session, outcome = self._session, self._session.outcome
        if (asked := session.question) is not None:
            return self._link_of(asked.rule, asked.seed, asked.faces, start)
        return "" if outcome is None else self._link_of(outcome.rule, session.seeds.used, outcome.dice, start)

    def _link_of(
        self, rule: Any, seed: Seed | None, faces: Iterable[int], start: Mapping[str, Any] | None = None
    ) -> str:
        """Return the end of a link to a play, given its rule, and its seed or its faces."""
        thrown = {_DICE: as_line(tuple(faces))} if seed is None else {_SEED: str(seed)}
        return urlencode({**thrown, **self._changes(rule, start)})


def _fields_read(example: PageExample, fields: Mapping[str, Param]) -> dict[str, dict[str, str]]:
    """Return for each slot the fields that take a value of its character, each with the name of the value.

    What is a value of one character in the example is the same value of another who is chosen instead.
    """
    read: dict[str, dict[str, str]] = {}
    origins, seats = _origins(example), _seats(example, fields)
    for slot in character_slots(fields):
        read[slot] = {
            name: origin.value for name, origin in origins.items() if origin.value and origin.name == seats.get(slot)
        }
    return read


def _seats(example: PageExample, fields: Mapping[str, Param]) -> dict[str, str]:
    """Return the names of the characters who have slots; the whole form has the one from whom its first value is."""
    origins = _origins(example)
    first = next(iter(origins.values()), None)
    found = ((slot, first if slot == WHOLE_FORM else origins.get(slot)) for slot in character_slots(fields))
    return {slot: origin.name for slot, origin in found if origin}


def _origins(example: PageExample) -> dict[str, Origin]:
    """Return from which character each field has its value that has all of it from one."""
    return {
        name: origin for name, these in example.written.items() for origin in these if origin.character and origin.alone
    }


def _characters_for(
    example: PageExample,
    fields: Mapping[str, Param],
    values: Mapping[str, Any],
    characters: BookCharacters,
    read: Mapping[str, Mapping[str, str]],
) -> tuple[Character, ...]:
    """Return the characters of a book that may take part in an example; none if it has nobody in it.

    Parameters:
        example: the example.
        fields, values: its parameters.
        characters: those of the book.
        read: what :func:`_fields_read` returned.
    """
    slots = character_slots(fields)
    if not any(values.get(slot) or read[slot] for slot in slots):
        return ()
    system = example.mechanic.partition("/")[0]
    # Those who are in it have what they have there: their story may have changed them.
    now: dict[str, dict[str, Any]] = {}
    for field, origin in _origins(example).items():
        if origin.value or field in slots:
            now.setdefault(origin.name, {}).update({origin.value: values[field]} if origin.value else values[field])
    found = (
        Character(name, {value: now.get(name, {}).get(value, text) for value, text in own.items()})
        for of, name, own in characters
        if own and of in {"", system}
    )
    # Of two with the same values it is the one whom the author named.
    named = {origin.name for these in example.written.values() for origin in these}
    able = (
        one
        for one in found
        if any(one if slot in fields else set(read[slot].values()) & set(one.sheet) for slot in slots)
    )
    return tuple(sorted(able, key=lambda one: one.name not in named))


def _read_link(link: str) -> dict[str, str]:
    """Return the values by name in a link.

    Raises:
        LimitError: it is too long.
        ParameterError: it is not written as ``seed=7&advantage=2``.

    >>> _read_link("seed=7&pool=d8%20d6")
    {'seed': '7', 'pool': 'd8 d6'}
    """
    limits.VALUE_TEXT.check(len(link), "open a shorter link")
    try:
        return dict(parse_qsl(link, keep_blank_values=True, strict_parsing=bool(link), max_num_fields=100))
    except ValueError:
        raise ParameterError("the link is not complete", hint="write it like #name?seed=7") from None


def rolled_ahead(
    example: PageExample, name: str, count: int, text: PageText | None = None, *, in_text: bool = False
) -> list[dict[str, Any]]:
    """Return rolls of an example, each as the answer to ``roll`` or ``roll-text`` with its seed would be.

    Parameters:
        example: the example.
        name: what the seeds are made of.
        count: how many rolls.
        text: the text about it, if there is any.
        in_text: whether it is a roll in a sentence.

    >>> first, second = rolled_ahead(PageExample("dice/roll", {"notation": "3d6"}), "shot", 2)
    >>> first["link"], second["seed"]
    ('seed=shot+2', 'shot 3')
    """
    rolls: list[dict[str, Any]] = []
    seed: Seed = name
    for _number in range(count):
        seed = next_seed(seed)
        played, link = PlayedExample(example, text or PageText("")), urlencode({_SEED: seed})
        rolls.append(played.roll_text(link) if in_text else played.roll(link))
    return rolls
