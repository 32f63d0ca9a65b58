"""What the text of a page says of an example, and whether it is so of another roll too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Self, TypeGuard

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.outcome_conditions import OutcomeValues, holds
from dicedocs.render.scale import fact_bands
from dicedocs.render.signs import html_text
from dicedocs.render.text import fact_text
from dicedocs.render.words import clean, display_text
from dicedocs.rules.kinds import as_line
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.yes_and_no import TruthWords
from dicedocs.similar_words import near

TextChoice = Literal["follows", "book"]
TEXT_CHOICES: Final[tuple[TextChoice, ...]] = ("follows", "book")
"""The text tells the roll of whoever reads it; it tells that of the book."""
_UNKNOWN: Final = "?"
"""What is shown in place of a fact that an outcome has not."""


def is_text_choice(name: str) -> TypeGuard[TextChoice]:
    """Return whether it says whether the text of a block follows the rolls of readers."""
    return name in TEXT_CHOICES


def no_such_text_choice(name: str) -> str:
    """Return the message about a text that does not say that.

    >>> no_such_text_choice("folows")
    "'folows' does not say whether the text follows; did you mean 'follows'?"
    """
    return f"{quoted(name)} does not say whether the text follows; {near(name, TEXT_CHOICES)}"


class PageText(NamedTuple):
    """The text of a page about an example, or about a change in a scene.

    Parameters:
        key: the name of the block, which no other one of the book has.
        shown: the facts that the page shows of it.
        words: its facts that are no numbers in the book, and what the numbers in bands mean there: on these hang the
            words of the text.
        choice: what its author says of it, if anything.
        conditions: those on the block on which words of the page depend.
        followed: the facts that the page shows of it in texts that have such words, and so are true of every roll.
        state_words: the words of values of its scene that are yes or no.

    >>> import dicedocs as dd
    >>> check = lambda die: dd.check("1d20 + 4 >= 15", dice=[die])
    >>> text = PageText("wall climb", ("left",), conditions=("left >= 17",)).of_book(check(12))
    >>> text.facts(check(13)), text.facts(check(3)), PageText.from_data(text._asdict()) == text
    ({'left': '17'}, None, True)
    >>> text.told(check(3))
    {'facts': None, 'words': {'holds': {'left >= 17': False}, 'facts': {}}}
    """

    key: str
    shown: tuple[str, ...] = ()
    words: Mapping[str, str] = MappingProxyType({})
    choice: TextChoice | Literal[""] = ""
    conditions: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()
    state_words: TruthWords = MappingProxyType({})

    def of_book(self, outcome: Outcome | None, state: Mapping[str, object] = MappingProxyType({})) -> Self:
        """Return the text with its words in the book.

        Parameters:
            outcome: the outcome in the book; ``None`` for a change.
            state: the state of the scene after it, as facts.
        """
        return self._replace(words=self._words(outcome, state), state_words=dict(self.state_words))

    def told(self, outcome: Outcome | None, state: Mapping[str, object] = MappingProxyType({})) -> dict[str, Any]:
        """Return what a page is told of another roll: :meth:`facts`, and :meth:`chosen` if words depend on it.

        Parameters:
            outcome, state: as for :meth:`of_book`.
        """
        chosen = {"words": self.chosen(outcome, state)} if self.conditions or self.followed else {}
        return {"facts": self.facts(outcome, state), **chosen}

    def of_state(self, state: Mapping[str, object]) -> dict[str, Any]:
        """Return what a page is told where the block did not happen: only what its text says of the scene.

        >>> text = PageText("page climb", ("left", "shore"), followed=("total", "light"))
        >>> text.of_state({"shore": 7, "light": 1})
        {'facts': {'shore': '7'}, 'words': {'holds': {}, 'facts': {'light': '1'}}}
        """
        shown, followed = (tuple(path for path in paths if path in state) for paths in (self.shown, self.followed))
        words = {name: word for name, word in self.words.items() if name in state}
        values = OutcomeValues(None, state, self.state_words)
        known = []
        for condition in self.conditions:
            with suppress(DiceError):
                holds(condition, values)
                known.append(condition)
        own = self._replace(shown=shown, followed=followed, words=words, conditions=tuple(known))
        return own.told(None, state)

    def chosen(
        self, outcome: Outcome | None, state: Mapping[str, object] = MappingProxyType({})
    ) -> dict[str, Any] | None:
        """Return whether each condition ``holds`` for another roll, and the ``facts`` that follow it, as HTML.

        It is ``None`` if the text is about the book's roll only.

        Parameters:
            outcome, state: as for :meth:`of_book`.
        """
        if self.choice == "book":
            return None
        values, truths = OutcomeValues(outcome, state, self.state_words), dict.fromkeys(self.conditions, False)
        for condition in self.conditions:
            # What has no value for these parameters, such as a quotient by 0, is not true.
            with suppress(DiceError):
                truths[condition] = holds(condition, values)
        return {"holds": truths, "facts": self._html(self.followed, outcome, state)}

    def facts(
        self, outcome: Outcome | None, state: Mapping[str, object] = MappingProxyType({})
    ) -> dict[str, str] | None:
        """Return the facts that the text shows of another roll, as HTML; ``None`` if it is about the book's roll only.

        Parameters:
            outcome: the outcome; ``None`` for a change.
            state: the state of the scene after it, as facts.
        """
        values = [_value(path, outcome, state) for path in self.shown]
        if self.choice == "book" or (not self.choice and (None in values or self._words(outcome, state) != self.words)):
            return None
        return self._html(self.shown, outcome, state)

    def _words(self, outcome: Outcome | None, state: Mapping[str, object]) -> dict[str, str]:
        shown = {path: value[0] for path in self.shown if (value := _value(path, outcome, state)) is not None}
        values = {**dict(_own_values(outcome) if outcome else ()), **shown, **state}
        return {name: as_line(value) for name, value in values.items() if not _is_number(value)}

    def _html(self, paths: Iterable[str], outcome: Outcome | None, state: Mapping[str, object]) -> dict[str, str]:
        """Return values as sentences show them, as HTML."""
        found = {}
        for path in paths:
            value = _value(path, outcome, state)
            if value is None:
                text = _UNKNOWN
            elif path in state or outcome is None:
                text = display_text(value[0], self.state_words.get(path, ()))
            else:
                text = fact_text(outcome, path)
            found[path] = html_text(clean(text))
        return found

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the text whose fields a page has."""
        return cls(**{**data, **{name: tuple(data.get(name, ())) for name in ("shown", "conditions", "followed")}})


def _own_values(outcome: Outcome) -> Iterator[tuple[str, object]]:
    """Yield the facts of an outcome, what its numbers in bands mean, and the words among its parameters."""
    rule = outcome.rule
    for name in outcome.facts_of:
        value = outcome.fact(name)
        yield name, value
        for band in fact_bands(rule, outcome, name) if type(value) is int else ():
            if band.has(value):
                yield f"{name} means", band.label
    for name, field in ({} if rule is None else type(rule).parameters()).items():
        # A notation is text, and no word.
        if not field.kind.free:
            yield name, getattr(rule, name)


def _value(path: str, outcome: Outcome | None, state: Mapping[str, object]) -> tuple[object] | None:
    """Return a value, that of the scene first, in a tuple; ``None`` if there is none."""
    if path in state:
        return (state[path],)
    with suppress(DiceError):
        return None if outcome is None else (outcome.look_up(path),)
    return None


def _is_number(value: object) -> bool:
    """Return whether a value is a number, or only has numbers in it."""
    if isinstance(value, Mapping):
        return all(map(_is_number, value.values()))
    if isinstance(value, list | tuple):
        return all(each is None or _is_number(each) for each in value)
    return isinstance(value, int | float) and not isinstance(value, bool)
