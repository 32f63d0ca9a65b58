"""A scene: characters and tracks, which change with what is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, TypeVar

from dicedocs import limits
from dicedocs.errors import ExpectationError, ParameterError, is_text, quoted
from dicedocs.parsing import unquoted
from dicedocs.rules.example import canonical_facts, compare_facts, parse_facts
from dicedocs.rules.kinds import as_line
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import DiceSource, Seed, play
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.change import Changed, make_changes, outcome_facts, state_facts
from dicedocs.scenes.character import Character
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.scenes.track import Track
from dicedocs.similar_words import near
from dicedocs.syntax.names import check_distinct

_TRACK_NAME: Final = re.compile(r"[^\W\d][\w-]*")
OutcomeT = TypeVar("OutcomeT", bound=Outcome | None)


class SceneEntry(NamedTuple):
    """What happened in a scene: an outcome, if something was played, and the values that changed."""

    outcome: Outcome | None
    changes: tuple[Changed, ...]

    def __str__(self) -> str:
        played = [] if self.outcome is None else [self.outcome.facts()]
        return "; ".join([*played, *map(str, self.changes)])


class Scene:
    """Characters and tracks that change with what is played.

    Parameters:
        cast: the characters; each is called by its name in small letters, with hyphens for spaces.
        tracks: the tracks by name, each as itself or as its text, like a book's: ``0 of 6``, ``2 of -6..10`` or ``3``.

    Raises:
        ParameterError: two have the same name, or something is no character or no track.

    >>> import dicedocs as dd
    >>> arlyn = dd.Character("Arlyn", "Prowl=2, Stress=0 of 9")
    >>> scene = dd.Scene(arlyn, vault="0 of 8")
    >>> roll = scene.play("dice/roll", notation="2d6", dice=[4, 3], then="vault += total; arlyn.Stress += 2")
    >>> str(scene["vault"]), scene["arlyn"].Stress
    ('7 of 8', 2)
    >>> scene.change("vault += arlyn.Stress")
    >>> scene["vault"].full, str(scene.log[-1])
    (True, 'vault 7 of 8 → 8 of 8')
    """

    def __init__(self, *cast: Character, **tracks: Track | str) -> None:
        self.log: tuple[SceneEntry, ...] = ()
        self._cast: dict[str, Character] = {}
        self._state: dict[str, str] = {}
        limits.ITEMS.check(len(cast) + len(tracks))
        for one in cast:
            if not isinstance(one, Character):
                raise ParameterError(f"{quoted(one)} is not a character", hint="write Character(name, values)")
            key = character_key(one.name)
            if key in self._cast or key in tracks:
                raise ParameterError(f"two in the scene are called {quoted(key)}", hint="name each differently")
            self._cast[key] = one
            self._state |= {f"{key}.{name}": text for name, text in one.sheet.items()}
        check_distinct((*self._cast, *tracks))
        for name, track in tracks.items():
            if not (isinstance(track, Track) or is_text(track)):
                hint = f'write {name}="0 of 8", or {name}="3" for a number without bounds'
                raise ParameterError(f"{quoted(track)} is not a track", hint=hint, parameter=name)
            if not _TRACK_NAME.fullmatch(name):
                raise ParameterError(f"{quoted(name)} is not the name of a track", hint="begin it with a letter")
            try:
                self._state[name] = str(track if isinstance(track, Track) else Track.from_text(track))
            except ParameterError as error:
                raise ParameterError(error.message, hint=error.hint, parameter=name) from error

    @classmethod
    def from_state(cls, state: Mapping[str, str]) -> Self:
        """Return a scene in the state that :meth:`state` returned, with nothing in its log.

        Raises:
            ParameterError: it is not such a state.
            LimitError: it has more than ``ITEMS`` characters and tracks.

        >>> Scene.from_state({"vault": "7 of 8", "arlyn.Stress": "2 of 9"})["arlyn"].Stress
        2
        """
        if not isinstance(state, Mapping):
            raise ParameterError(f"{quoted(state)} is not the state of a scene", hint='write {"vault": "7 of 8"}')
        for path, text in state.items() if type(state) is dict else limits.ITEMS.take(state.items()):
            if not (is_text(path) and is_text(text)):
                message = f"{quoted(path)}: {quoted(text)} is not a part of the state of a scene"
                raise ParameterError(message, hint='write {"vault": "7 of 8"}')
        limits.ITEMS.check(len({path.partition(".")[0] for path in state}))
        scene = cls()
        names = dict.fromkeys(path.partition(".")[0] for path in state if "." in path)
        scene._cast = {name: Character(name) for name in names}
        scene._state = dict(state)
        return scene

    def __getitem__(self, name: str) -> Any:
        """Return a character or a track as it is now.

        Raises:
            ParameterError: there is none of this name.
        """
        if not is_text(name):
            raise ParameterError(f"{quoted(name)} is not the name of a character or a track", hint="write its name")
        if name in self._cast:
            one, start = self._cast[name], f"{name}."
            sheet = {path.removeprefix(start): text for path, text in self._state.items() if path.startswith(start)}
            return Character(one.name, sheet, one.rolls)
        if name not in self._state or "." in name:
            hint = near(name, [*self._cast, *(path for path in self._state if "." not in path)])
            raise ParameterError(f"nothing in the scene is called {quoted(name)}", hint=hint)
        return Track.from_text(self._state[name])

    def state(self) -> dict[str, str]:
        """Return the text of each track and of each value of a character: ``{"vault": "7 of 8"}``."""
        return dict(self._state)

    def facts(self) -> dict[str, int | str]:
        """Return the state as facts: ``vault`` and ``vault.full``, ``arlyn.Stress``."""
        return state_facts(self._state)

    def play(
        self,
        mechanic: str,
        /,
        *,
        then: str = "",
        seed: Seed | None = None,
        dice: DiceSource | None = None,
        when: str = "",
        expect: str = "",
        **parameters: Any,
    ) -> Outcome:
        """Play a mechanic, change the state, and return the outcome.

        Parameters:
            mechanic: the id of a mechanic.
            then: the changes, ``vault += ticks; arlyn.Stress += stress``.
            seed, dice, parameters: as for :func:`dicedocs.play`.
            when: what must hold before it, as for :meth:`holds`.
            expect: the expected facts, and the expected state after the changes: ``ticks=2, vault=5``.

        Raises:
            ExpectationError: a fact or the state differs from the expected text, or a condition does not hold; then
                nothing has changed.
            DiceError: something cannot be played or changed.
        """
        beat = Beat(when=when, then=then, expect=expect)
        return self.play_beat(beat, lambda _beat: play(mechanic, seed=seed, dice=dice, **parameters))

    def holds(self, conditions: str) -> bool:
        """Return whether all of some conditions hold now, which semicolons separate.

        Parameters:
            conditions: each a value that is true or false, or a comparison with a sign or in words, as for odds.

        Raises:
            DiceError: a condition is wrong.

        >>> import dicedocs as dd
        >>> scene = dd.Scene(vault=dd.Track(8, 8), heat=dd.Track())
        >>> scene.holds("vault.full; heat at most 2"), scene.holds("heat > vault - 8")
        (True, False)
        """
        return not any(unmet_conditions(conditions, self.facts()))

    def change(
        self,
        changes: str,
        outcome: Outcome | None = None,
        *,
        when: str = "",
        expect: str = "",
        values: Mapping[str, int | str] = MappingProxyType({}),
    ) -> None:
        """Change the state.

        Parameters:
            changes: the changes, ``vault += ticks; arlyn.Stress += stress``.
            outcome: what was played, whose facts they use.
            when: what must hold before it, as for :meth:`holds`.
            expect: the expected facts, and the expected state after the changes.
            values: further values by name, which the conditions and the changes may use.

        Raises:
            ExpectationError: a fact or the state differs from the expected text, or a condition does not hold; then
                nothing has changed.
            DiceError: a change, a condition or an expectation is wrong; then nothing has changed.
        """
        if not (outcome is None or isinstance(outcome, Outcome)):
            raise ParameterError(f"{quoted(outcome)} is not an outcome", hint="give what a roll returned")
        _check_values(values)
        self.play_beat(Beat(when=when, then=changes, expect=expect, values=values), lambda _beat: outcome)

    def play_beat(self, beat: Beat, roll: Callable[[Beat], OutcomeT]) -> OutcomeT:
        """Play a beat of a story: check its conditions, throw its dice, make its changes, and compare what it expects.

        Parameters:
            beat: the beat.
            roll: returns its outcome, ``None`` if nothing is played.

        Returns:
            What ``roll`` returned.

        Raises:
            ExpectationError: a fact or the state differs from the expected text, or a condition does not hold; then
                nothing has changed.
            DiceError: something cannot be played or changed; then nothing has changed.
        """
        if not is_text(beat.expect):
            raise ParameterError(f"{quoted(beat.expect)} is not a list of facts", parameter="expect")
        for unmet in unmet_conditions(beat.when, {**beat.values, **self.facts()}):
            raise ExpectationError(str(unmet), expected=unmet.expected, actual=unmet.actual, parameter="when")
        outcome = roll(beat)
        made = tuple(make_changes(beat.then, self._state, outcome, values=beat.values))
        after = {**self._state, **{one.name: one.after for one in made}}
        if beat.expect:
            _compare(beat.expect, {**state_facts(after), **outcome_facts(outcome)}, outcome)
        limits.ITEMS.check(len(self.log) + 1, hint="begin another scene")
        self._state, self.log = after, (*self.log, SceneEntry(outcome, made))
        return outcome


def _check_values(values: object) -> None:
    if not isinstance(values, Mapping) or not all(
        is_text(name) and isinstance(value, int | str) for name, value in limits.ITEMS.take(values.items())
    ):
        message = f"{quoted(values)} are not values by name"
        raise ParameterError(message, hint='write {"bar.total": 5}', parameter="values")


def _compare(expect: str, facts: Mapping[str, object], outcome: Outcome | None) -> None:
    """Compare facts, those of the state included, with what is expected."""
    actual = {name: as_line(value) for name, value in facts.items()}
    expected = parse_facts(expect, "expect", actual)
    for name in expected:
        if name not in actual:
            message = f"there is no fact or track {quoted(name)}"
            raise ParameterError(message, hint=near(name, actual), parameter="expect")
    if outcome is not None and outcome.rule is not None:
        expected = canonical_facts(expected, type(outcome.rule))
    played = outcome_facts(outcome)
    expected |= {name: _as_state(expected[name], facts[name]) for name in expected if name not in played}
    compare_facts(expected, actual)


def _as_state(text: str, value: object) -> str:
    """Return an expected word as the state has it, if it is the same one in another case or in quotes."""
    own = as_line(value)
    return own if isinstance(value, str) and unquoted(text).casefold() == own.casefold() else text


@lru_cache
def character_key(name: str) -> str:
    """Return how a scene calls a character.

    >>> character_key("Arlyn the Bold")
    'arlyn-the-bold'
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")
