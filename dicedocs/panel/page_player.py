"""The examples of a page as its reader plays them: the Python side of the worker behind a book's page.

Messages and answers are plain data. The page decides nothing: it displays the HTML, the text and the state of a panel
that it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from dicedocs.errors import DiceError, wrap_error
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.panel.page_scene import PageScene, Rolled, text_of
from dicedocs.panel.played_example import BookCharacters, PlayedExample
from dicedocs.render.page_example import PageExample
from dicedocs.rules.registry import announce_book
from dicedocs.translation import SOURCE_LANGUAGE, pgettext
from dicedocs.translation import gettext as _
from dicedocs.translation import language as display_language


class PagePlayer:
    """The examples of one page, each with the session that its rolls and its panel share.

    Parameters:
        modules: the modules of the games that are not found by the id of a mechanic, by that id.
        language, folders: in which language everything is displayed, as for :func:`~dicedocs.translation.language`.
        characters: those of the book, among which a panel lets choose if there is one in the example.
        block_names: how the book calls them, by their names for readers.
        mechanics: those in the pages of the book, as their method ``to_plain`` returns them.

    >>> example = PageExample("dice/roll", {"notation": "3d6"}, facts=("total",)).data()
    >>> answer = PagePlayer().receive({"do": "roll", "key": "shot", "example": example, "link": "seed=61"})
    >>> answer["sentence"], answer["link"]
    ('Roll 1. Total 11.', 'seed=61')
    """

    def __init__(
        self,
        modules: Mapping[str, str] = MappingProxyType({}),
        language: str = SOURCE_LANGUAGE,
        folders: Iterable[str] = (),
        characters: BookCharacters = (),
        block_names: Mapping[str, str] = MappingProxyType({}),
        mechanics: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self._mechanics = {each["id"]: each for each in mechanics}
        self._modules, self._characters, self._block_names = modules, characters, block_names
        self._language, self._folders = language, tuple(folders)
        self._examples: dict[str, PlayedExample] = {}

    def receive(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a message of the page.

        Parameters:
            message: ``key``, which names the example in its page; ``do``, one of ``roll``, ``roll-text``, ``open``,
                ``panel``, ``follow`` and ``count``; with the first three ``example``, what
                :meth:`~dicedocs.render.page_example.PageExample.data` wrote, and ``text``, its
                :class:`~dicedocs.scenes.page_text.PageText`, if it has one; with ``roll`` and ``open`` ``link``, what
                a link that somebody opened says of it, or empty; with ``panel`` ``message``, that of a panel; and for
                an example that was played by a worker that had to be ended, ``kept``, the last one it answered. With
                ``roll``, ``open``, and ``follow``, which goes on from a roll of the panel, an example in a scene has
                ``beats``, what happens there: of each the ``beat`` (:class:`~dicedocs.scenes.beat.Beat`), its
                ``text``, its ``example`` if there is one, whether it is the one that is ``rolled`` or opened now,
                whether it shows ``odds``, ``link``, what was ``own`` of an earlier roll, the ``tracks`` that the text
                shows after it, and whether it shows the ``sheet`` of the scene.

        Returns:
            ``error``, why it cannot be done, for the reader; or for ``roll`` the ``html`` of the outcome, a
            ``sentence`` that says it, its ``seed`` and its ``link``, and the ``facts`` that the text shows of it, as
            HTML, ``None`` if the text stays that of the book's roll, and ``words``, which conditions hold and the facts
            of texts that follow every roll; in a scene also the part of the link that is its
            ``own``, whatever came before, who takes part as ``given``, ``changes``, ``tracks`` and ``sheet`` as HTML,
            and ``followed``, the same for each beat behind it; of a beat that does not happen, or waits until its
            reader has chosen, only ``facts`` and the last two, a sentence about that as ``missed``, and if it waits
            its ``own``, and of odds one as ``odds``; for ``roll-text``, a roll in a sentence, its ``text`` instead of
            ``html``; for the others the ``state`` of the panel, whether its odds are still being ``counting``, its
            ``link``, and ``facts`` and ``words`` of the roll that it shows; beside it for ``open`` its ``form``, and
            for ``panel`` its ``answer``. With all but ``roll-text`` and ``count`` comes ``kept``, with which another
            worker can go on.
        """
        try:
            with display_language(self._language, self._folders):
                return self._do(message)
        except BaseException as error:  # noqa: BLE001  # the game of a book may raise anything, and the page shows it
            return {"error": str(wrap_error(error))}

    def _do(self, message: Mapping[str, Any]) -> dict[str, Any]:
        key, action, beats = message["key"], message["do"], message.get("beats") or ()
        if key not in self._examples:
            example = PageExample.from_data(message["example"])
            others = (PageExample.from_data(one["example"]) for one in beats if one["example"])
            self._load({one.mechanic for one in (example, *others)})
            new = PlayedExample(example, text_of(message), self._characters, self._block_names)
            if message.get("kept"):
                new.restore(message["kept"])
            self._examples[key] = new
        played = self._examples[key]
        if action == "roll-text":
            return played.roll_text(message["link"])
        if action == "count":
            return played.count()
        if action == "open":
            answer = played.open(message["link"], _story_parameters(beats))
        elif beats:
            answer = self._roll_beat(played, None if action == "follow" else message["link"], beats)
        else:
            answer = played.roll(message["link"]) if action == "roll" else played.handle(message["message"])
        return {**answer, "kept": played.kept()}

    def _load(self, played: set[str]) -> None:
        """Let what is played be found: the games, and the mechanics of the book."""
        if played & self._modules.keys():
            # All of them: one game may play a mechanic of another.
            for module in sorted(set(self._modules.values())):
                import_module(module)
        if played & self._mechanics.keys():
            self._announce_mechanics()

    def _announce_mechanics(self) -> None:
        """Let the mechanics of the book be played, which takes longer the more there are, so not before one is."""
        mechanics, self._mechanics = map(PageRule.from_plain, self._mechanics.values()), {}
        faults: dict[str, DiceError] = {}
        made = book_mechanics(mechanics, faults=faults)
        # What plays a game that this page cannot load says so when it is played.
        announce_book({**{id: str(fault) for id, fault in faults.items()}, **made})

    def _roll_beat(self, played: PlayedExample, link: str | None, beats: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Roll an example in a scene, and play those behind it in the state that they have then.

        Parameters:
            played: the example.
            link: the link of the roll, or empty; ``None`` for the roll that its panel has.
            beats: what happens in the scene.
        """
        answer: dict[str, Any] = {}
        followed: list[dict[str, Any]] = []
        try:
            told = PageScene(beats[0]).play(beats, partial(reader_roll, played=played, link=link))
            for one, made in zip(beats, told, strict=False):
                if one["rolled"]:
                    answer = made
                elif answer:
                    # Only what was pressed is spoken.
                    followed.append({**made, "sentence": ""})
        except Exception as error:  # as in `receive`
            if not answer:
                raise
            # What is behind it has no state.
            followed.append({"error": str(wrap_error(error))})
        return {**answer, "followed": followed}


def _story_parameters(beats: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the parameters that what is opened in a scene has in the story of its reader, given what happens there."""
    before = list(takewhile(lambda one: not one["rolled"], beats))
    # What cannot be played says so in its own place.
    with suppress(Exception):
        scene = PageScene(beats[0])
        for _answer in scene.play(before, reader_roll):
            pass
        return scene.parameters(beats[len(before)])
    return {}


def reader_roll(
    message: Mapping[str, Any],
    parameters: Mapping[str, str],
    played: PlayedExample | None = None,
    link: str | None = "",
) -> Rolled | None:
    """Return a roll of the reader in a scene; ``None`` where the dice are those of the book.

    Parameters:
        message: what happens there, as for :meth:`PagePlayer.receive`.
        parameters: the parameters that take values of the scene.
        played, link: the example and the roll that the reader asks for now.
    """
    if not message["rolled"] or played is None:
        if not message["link"]:
            return None
        played, link = PlayedExample(PageExample.from_data(message["example"]), text_of(message)), message["link"]
    return played.roll_beat(link, parameters)


def player_texts() -> dict[str, str]:
    """Return the texts of a page that can be played, by their keys.

    >>> player_texts()["change"]
    'Change it'
    """
    return {
        "back": _("Back to the book's roll"),
        "change": _("Change it"),
        "changed": _("{file} is not the file that was built with this page"),
        "close": _("Close"),
        "all_shown": _("These were all {count} rolls that come with this page."),
        "copied": _("Copied"),
        "copy": _("Copy the link"),
        "ended": _("It took more than {seconds} seconds and was stopped."),
        "failed": _("It cannot be rolled here: {error}"),
        "loading": _("Loading Python: {loaded} of {total} MB"),
        "loading_some": _("Loading Python: {loaded} MB"),
        "no_python": _("For more, the book must be built with Python for browsers."),
        "no_server": _("For more, this page needs a web server."),
        "no_wasm": _("For more, your browser must allow WebAssembly."),
        "other_build": _("The rules have changed since this link was made, so the story may be another one."),
        "reload": _("This book has changed; reload the page."),
        "roll": pgettext("button", "Roll"),
        "rolled": _("Your own roll, with the seed {seed}."),
        "starting": _("Loading… This takes a moment the first time."),
        "stays": _("The story does not go on from your roll."),
        "story": _("Your own story from here."),
        "told": _("The story above is the book's roll, not yours."),
        "typed": _("Your own roll, with your own dice."),
    }
