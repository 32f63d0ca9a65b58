"""The Dungeoneers player panel: a dice pool through phases, spent on actions and won back by rest.

>>> from dicedocs_widgets import panel
>>> freya = panel("dungeoneers", stat=4, difficulty=5, seed=3, lock=True)
>>> freya.play("round").pool == freya.state.faces
True
>>> freya.press(1)
>>> freya.play("roll").spent
(1,)
>>> freya.state.exhausted
(1,)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from dicedocs.panel.game import Game, Gauge, Laid, Play, ShownDie, Values
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param, param
from dicedocs.rules.registry import mechanic
from dicedocs.systems.dungeoneers import PUSHED, SIDES

_SYSTEM: Final = "dungeoneers"
_MOST_SHOWN: Final = 8
"""Abilities that the table shows; more are still counted down."""


class Ability(NamedTuple):
    """An ability that was used.

    Parameters:
        name: what it is called.
        cooldown: the rounds until it can be used again (D46).
        duration: the rounds that it still lasts (D47); nothing when it has no duration (D42).
    """

    name: str
    cooldown: int
    duration: int | None


class Pool(NamedTuple):
    """What lies before a player.

    Parameters:
        faces: what each die shows; nothing before it was thrown.
        exhausted: the dice that were spent, by their places from 1.
        spend: those to be spent on the next action roll.
        reroll: those to be rerolled at the start of the next player phase, besides the exhausted ones.
        stress: how much was taken.
        round: which round it is; 0 before the first.
        abilities: those that are cooling down or still last.
    """

    faces: tuple[int | None, ...] = ()
    exhausted: tuple[int, ...] = ()
    spend: tuple[int, ...] = ()
    reroll: tuple[int, ...] = ()
    stress: int = 0
    round: int = 0
    abilities: tuple[Ability, ...] = ()

    @property
    def free(self) -> list[int]:
        """The dice that can be spent, by their places."""
        return [place for place in range(1, len(self.faces) + 1) if place not in self.exhausted]

    @property
    def held(self) -> dict[str, object]:
        """The parameters of whatever is done with a pool."""
        return {"pool": self.faces, "exhausted": self.exhausted}


def _start_round(pool: Pool, _: Values) -> Mapping[str, object]:
    return {**pool.held, "reroll": pool.reroll}


def _after_start(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    # Each die on an ability loses 1 when a round starts (D45), never below 0 (DD7).
    counted = (Ability(one.name, _less(one.cooldown) or 0, _less(one.duration)) for one in pool.abilities)
    abilities = tuple(one for one in counted if one.cooldown or one.duration)
    faces = outcome.fact("pool")
    return Pool(faces, stress=pool.stress, round=pool.round + 1, abilities=abilities)


def _less(die: int | None) -> int | None:
    return None if die is None else max(0, die - 1)


def _roll(pool: Pool, values: Values) -> Mapping[str, object]:
    chosen = {name: values[name] for name in ("stat", "difficulty", "fight")}
    # Pushing is for who has no dice left (D20), so until then the switch waits.
    return {**pool.held, **chosen, "spend": pool.spend, "push": values["push"] and not pool.free}


def _after_roll(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    faces = list(pool.faces)
    if outcome.dice:
        faces[PUSHED - 1] = outcome.dice[0]
    exhausted: tuple[int, ...] = outcome.fact("exhausted")
    reroll = tuple(place for place in pool.reroll if place not in exhausted)
    stress = pool.stress + outcome.fact("stress")
    return pool._replace(faces=tuple(faces), exhausted=exhausted, spend=(), reroll=reroll, stress=stress)


def _rest(pool: Pool, _: Values) -> Mapping[str, object]:
    return pool.held


def _after_rest(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    return pool._replace(faces=outcome.fact("pool"), exhausted=())


def _use(_: Pool, values: Values) -> Mapping[str, object]:
    return {"cooldown": values["cooldown"], "duration": values["duration"]}


def _after_use(pool: Pool, outcome: Outcome, values: Values) -> Pool:
    name = values["ability"]
    others = tuple(one for one in pool.abilities if one.name != name)
    used = Ability(name, outcome.fact("cooldown"), outcome.fact("duration"))
    return pool._replace(abilities=(*others, used))


def _not_started(pool: Pool, _: Values) -> str:
    return "" if pool.round else "the pool is thrown when the player phase starts"


def _no_rest(pool: Pool, values: Values) -> str:
    return _not_started(pool, values) or ("" if pool.exhausted else "no die is exhausted")


def _cooling(pool: Pool, values: Values) -> str:
    used = next((one for one in pool.abilities if one.name == values["ability"]), None)
    if used is None or not used.cooldown:
        return _not_started(pool, values)
    return f"{used.name or 'the ability'} can be used again in {_rounds(used.cooldown)}"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number} rounds"


def _settle(pool: Pool, values: Values) -> Pool:
    """Let the pool have as many dice as its box says; a new one is exhausted until it is thrown."""
    size = values["size"]
    new = range(len(pool.faces) + 1, size + 1)
    faces = (*pool.faces[:size], *(None for _ in new))

    def there(places: Iterable[int]) -> tuple[int, ...]:
        return tuple(place for place in places if place <= size)

    exhausted, spend, reroll = there((*pool.exhausted, *new)), there(pool.spend), there(pool.reroll)
    return pool._replace(faces=faces, exhausted=exhausted, spend=spend, reroll=reroll)


def _press(pool: Pool, place: int) -> Pool:
    """Mark a die to be spent, then to be rerolled, then neither."""
    spend = tuple(one for one in pool.spend if one != place)
    reroll = tuple(one for one in pool.reroll if one != place)
    if place in pool.spend:
        reroll = (*reroll, place)
    elif place not in pool.reroll:
        spend = (*spend, place)
    return pool._replace(spend=tuple(sorted(spend)), reroll=tuple(sorted(reroll)))


def _laid(pool: Pool) -> Laid:
    dice = [_shown(pool, place, face) for place, face in enumerate(pool.faces, 1)]
    gauges = [Gauge("Dice left", len(pool.free), len(pool.faces)), Gauge("Stress", pool.stress)]
    for name, cooldown, duration in pool.abilities[:_MOST_SHOWN]:
        gauges.append(Gauge(f"{name or 'Ability'}: cooldown", cooldown))
        if duration is not None:
            gauges.append(Gauge(f"{name or 'Ability'}: duration", duration))
    return Laid(f"Round {pool.round}" if pool.round else "Not started", dice, gauges)


def _shown(pool: Pool, place: int, face: int | None) -> ShownDie:
    state = ("exhausted" if face else "not thrown") if place in pool.exhausted else ""
    pressed = "spend" if place in pool.spend else "reroll" if place in pool.reroll else ""
    return ShownDie(SIDES, face or "-", state, pressed)


def _field(rule: str, name: str) -> Param:
    return mechanic(f"{_SYSTEM}/{rule}").parameters()[name]


def _ability() -> Param:
    field: Any = param(default="", help="what the ability is called")
    named: Param = field.bind("ability", str)
    return named


PLAYER: Final = Game(
    id=_SYSTEM,
    title="Dungeoneers: player",
    help="A dice pool through the phases of a game: spend dice on actions, rest, start the next round.",
    fields=(
        *(_field("action-roll", name) for name in ("stat", "difficulty", "fight", "push")),
        _ability(),
        *(_field("timer", name) for name in ("cooldown", "duration")),
        _field("fresh-pool", "size"),
    ),
    start=Pool(),
    plays=(
        Play("roll", "Action roll", f"{_SYSTEM}/action-roll", _roll, _after_roll, _not_started),
        Play("round", "Start player phase", f"{_SYSTEM}/player-phase", _start_round, _after_start),
        Play("rest", "Rest", f"{_SYSTEM}/rest", _rest, _after_rest, _no_rest),
        Play("ability", "Use ability", f"{_SYSTEM}/timer", _use, _after_use, _cooling),
    ),
    laid=_laid,
    press=_press,
    settle=_settle,
)
"""The panel, found as ``dungeoneers``."""
