"""The session of a game with a panel of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Generic, Unpack

from dicedocs.errors import DiceError, ParameterError, quoted, wrap_error
from dicedocs.panel.forms.controls import field_data
from dicedocs.panel.forms.form_session import FormOptions, FormSession
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.game import Game, Play, S
from dicedocs.panel.state import FormState
from dicedocs.panel.view.panel_texts import translations
from dicedocs.panel.wire import Message
from dicedocs.render.words import clean
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import DiceSource
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.similar_words import near
from dicedocs.translation import word


class GameSession(FormSession, Generic[S]):
    """A session of a game with a panel of its own.

    Parameters:
        game: the game.
        parameters: initial values of its fields.
        options: as for :class:`~dicedocs.panel.forms.form_session.FormOptions`.

    Raises:
        DiceError: a value is not valid.
    """

    def __init__(
        self, game: Game[S], parameters: Mapping[str, object] | None = None, **options: Unpack[FormOptions]
    ) -> None:
        self.game = game
        fields = {field.name: field for field in game.fields}
        inputs = Inputs.of(fields, {name: field.example for name, field in fields.items()})
        played = {play.mechanic: find_mechanic(play.mechanic) for play in game.plays}
        super().__init__(played, inputs.with_values(parameters or {}), game.start, **options)

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {"press": self._press_message, "restart": lambda _message: self.restart()}

    @property
    def game_state(self) -> S:
        """The state of the game; it may be set, which is no step."""
        state: S = self.seat.form.own
        return state

    @game_state.setter
    def game_state(self, state: S) -> None:
        self.seat.replace_form(self.adjusted(self.seat.form._replace(own=state)))

    def adjusted(self, form: FormState) -> FormState:
        """Return the form, with the state of the game adjusted to its inputs."""
        return form._replace(own=self.game.adjust(form.own, form.inputs.values))

    def _counted_result(self) -> None:
        """Return nothing: what a game's dice come to depends on what its player does with them."""

    def ready_rule(self, form: FormState) -> Mechanic | None:
        """Return the mechanic of the first play, if that is possible."""
        first = self.game.plays[0]
        return None if form.inputs.errors or _obstacle(first, form) else _rule_of(first, form)

    def roll(self, dice: DiceSource | None = None) -> Outcome:
        """Make the first play."""
        return self.play(self.game.plays[0].id, dice)

    def play(self, id: str, dice: DiceSource | None = None) -> Outcome:
        """Make a play.

        Parameters:
            id: the id of the play.
            dice: the faces of dice that were thrown by hand.

        Returns:
            The outcome of its mechanic.

        Raises:
            DiceError: it is not possible; the state stays as it is.
        """
        self.travel.rest(attempted=True)
        self._failure = None
        plays = {play.id: play for play in self.game.plays}
        if id not in plays:
            raise ParameterError(f"there is no play {quoted(id)}", hint=near(str(id), plays))
        if self.input_error is not None:
            raise self.input_error
        play, form = plays[id], self.seat.form
        try:
            if obstacle := _obstacle(play, form):
                raise DiceError(obstacle)
            rule = _rule_of(play, form)
        except Exception as error:
            self._failure = wrap_error(error)
            raise
        with self.hand_dice.given(dice):
            return self.play_rule(
                rule, lambda outcome: play.next_state(form.own, outcome, form.inputs.values), action=play.label
            )

    def press(self, die: int) -> None:
        """Press a die.

        Parameters:
            die: its number, from 1.

        Raises:
            ParameterError: the die does not exist.
        """
        dice = self.game.view(self.game_state).dice
        if type(die) is not int or not 1 <= die <= len(dice):
            raise ParameterError(f"there is no die {quoted(die)}", hint=f"there are {len(dice)}, counted from 1")
        if not dice[die - 1].state:
            self.game_state = self.game.press(self.game_state, die)

    def restart(self) -> None:
        """Begin the game afresh, with the same inputs; this can be undone, and the history stays."""
        self.seat.put_form(self.seat.form._replace(own=self.game.start))

    def form(self) -> dict[str, Any]:
        """Return what never changes, as :meth:`FormSession.form` does; without facts, since a game has no odds."""
        plays = {name: play.id for play in self.game.plays for name in play.fields}
        with self.display():
            return {
                "id": self.game.id,
                "title": word(self.game.title),
                "help": word(self.game.help),
                "facts": {},
                "fields": [field_data(field) | {"play": plays.get(field.name, "")} for field in self.game.fields],
                **self.page_data(),
            }

    def state(self) -> dict[str, Any]:
        """Return all that changes, as :meth:`FormSession.state` does, and ``game``.

        Its items: ``note``; ``dice``, each with ``sides``, ``face``, ``state`` and ``pressed``; ``gauges``, each with
        ``label``, ``value`` and ``of``; ``plays``, each with ``id``, ``label``, ``can``, ``why``, and ``main``, true
        of the first one that is possible; and ``preview``, sentences.
        """
        form = self.seat.form
        view = self.game.view(form.own)
        obstacles = [(play, _obstacle(play, form)) for play in self.game.plays]
        main = next((play for play, why in obstacles if not why), self.game.plays[0])
        state = super().state()
        with self.display():
            state["words"] |= translations(text for die in view.dice for text in (die.state, die.pressed))
            state["game"] = {
                "note": word(view.note),
                "dice": [die._asdict() for die in view.dice],
                "gauges": [
                    {"label": word(label), "value": value, "of": maximum} for label, value, maximum in view.meters
                ],
                "plays": [
                    {"id": play.id, "label": word(play.label), "can": not why, "why": word(why), "main": play is main}
                    for play, why in obstacles
                ],
                "preview": self._preview(),
            }
        return state

    def _preview(self) -> list[str]:
        """Return what the present choices would lead to; nothing while they are not valid."""
        if self.inputs.errors:
            return []
        try:
            return list(map(clean, self.game.preview(self.game_state, self.inputs.values)))
        except Exception:  # noqa: BLE001  # a game's rule may raise anything; the play itself then shows it
            return []

    def _press_message(self, message: Message) -> None:
        if message.play is None:
            self.press(message.die)
            return
        with suppress(DiceError):  # the state shows it
            self.play(message.play)


def _obstacle(play: Play[Any], form: FormState) -> str:
    return play.obstacle(form.own, form.inputs.values)


def _rule_of(play: Play[Any], form: FormState) -> Mechanic:
    return find_mechanic(play.mechanic)(**play.parameters(form.own, form.inputs.values))
