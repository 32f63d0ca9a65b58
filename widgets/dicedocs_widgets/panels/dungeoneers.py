"""The panel of a Dungeoneers player: a dice pool that is spent on actions and restored by rest.

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

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from dicedocs.panel.game import DieView, Game, GameView, Meter, Play, Values
from dicedocs.probability.enumeration import odds
from dicedocs.render.numbers import local_figure, percent
from dicedocs.render.words import display_text
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param, param
from dicedocs.rules.registry import mechanic
from dicedocs.systems.dungeoneers import DEGREES, PUSHED, SIDES, SUCCEEDING, RerolledAction, minimum_count
from dicedocs.translation import gettext as _

_SYSTEM: Final = "dungeoneers"
_ABILITIES_SHOWN: Final = 8
_MAX_REROLLED: Final = 10
"""Dice whose reroll is counted at every key, within 50 ms."""
_CACHED_CHANCES: Final = 64


class Ability(NamedTuple):
    """An ability that was used.

    Parameters:
        name: its name.
        cooldown: the rounds until it can be used again.
        duration: the rounds that it still lasts; ``None`` if it has no duration.
    """

    name: str
    cooldown: int
    duration: int | None


class Pool(NamedTuple):
    """The dice and counters of a player; dice are given by their numbers, from 1.

    Parameters:
        faces: the face of each die; ``None`` before it is thrown.
        exhausted: the dice that were spent.
        spend: the dice to spend on the next action roll.
        reroll: the dice to reroll at the start of the next player phase, besides the exhausted ones.
        stress: the stress taken.
        round: the number of the round; 0 before the first.
        abilities: the abilities that are cooling down or still last.
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
        """The dice that can be spent."""
        exhausted = set(self.exhausted)
        return [die for die in range(1, len(self.faces) + 1) if die not in exhausted]

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters that all mechanics of a pool have."""
        return {"pool": self.faces, "exhausted": self.exhausted}


def _start_parameters(pool: Pool, _: Values) -> Mapping[str, object]:
    return {**pool.parameters, "reroll": pool.reroll}


def _after_start(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    # Each die on an ability loses 1 when a round starts (D45), never below 0 (DD7).
    counted = (Ability(name, _count_down(rest) or 0, _count_down(last)) for name, rest, last in pool.abilities)
    abilities = tuple(ability for ability in counted if ability.cooldown or ability.duration)
    return Pool(outcome.fact("pool"), stress=pool.stress, round=pool.round + 1, abilities=abilities)


def _count_down(die: int | None) -> int | None:
    return None if die is None else max(0, die - 1)


def _roll_parameters(pool: Pool, values: Values) -> Mapping[str, object]:
    chosen = {name: values[name] for name in ("stat", "difficulty", "fight")}
    # Only a player without free dice can push (D20); until then the switch has no effect.
    return {**pool.parameters, **chosen, "spend": pool.spend, "push": values["push"] and not pool.free}


def _after_roll(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    faces = list(pool.faces)
    if outcome.dice:
        faces[PUSHED - 1] = outcome.dice[0]
    exhausted: tuple[int, ...] = outcome.fact("exhausted")
    reroll = tuple(die for die in pool.reroll if die not in exhausted)
    stress = pool.stress + outcome.fact("stress")
    return pool._replace(faces=tuple(faces), exhausted=exhausted, spend=(), reroll=reroll, stress=stress)


def _rest_parameters(pool: Pool, _: Values) -> Mapping[str, object]:
    return pool.parameters


def _after_rest(pool: Pool, outcome: Outcome, _: Values) -> Pool:
    return pool._replace(faces=outcome.fact("pool"), exhausted=())


def _ability_parameters(_: Pool, values: Values) -> Mapping[str, object]:
    return {"cooldown": values["cooldown"], "duration": values["duration"]}


def _after_ability(pool: Pool, outcome: Outcome, values: Values) -> Pool:
    name = values["ability"]
    others = tuple(ability for ability in pool.abilities if ability.name != name)
    return pool._replace(abilities=(*others, Ability(name, outcome.fact("cooldown"), outcome.fact("duration"))))


def _roll_obstacle(pool: Pool, _: Values) -> str:
    return "" if pool.round else "the pool is thrown when the player phase starts"


def _rest_obstacle(pool: Pool, values: Values) -> str:
    return _roll_obstacle(pool, values) or ("" if pool.exhausted else "no die is exhausted")


def _ability_obstacle(pool: Pool, values: Values) -> str:
    rounds = next((ability.cooldown for ability in pool.abilities if ability.name == values["ability"]), 0)
    if not rounds:
        return _roll_obstacle(pool, values)
    return f"{values['ability'] or 'the ability'} can be used again in {rounds} round{'' if rounds == 1 else 's'}"


def _resize(pool: Pool, values: Values) -> Pool:
    """Return the pool with the number of dice in the input; a new die is exhausted until it is thrown."""
    size = values["size"]
    new = range(len(pool.faces) + 1, size + 1)
    exhausted, spend, reroll = (
        tuple(die for die in dice if die <= size) for dice in ((*pool.exhausted, *new), pool.spend, pool.reroll)
    )
    faces = (*pool.faces[:size], *(None for _ in new))
    return pool._replace(faces=faces, exhausted=exhausted, spend=spend, reroll=reroll)


def _press(pool: Pool, die: int) -> Pool:
    """Mark a die to be spent, then to be rerolled, then not at all."""
    spend, reroll = {*pool.spend} - {die}, {*pool.reroll} - {die}
    if die in pool.spend:
        reroll.add(die)
    elif die not in pool.reroll:
        spend.add(die)
    return pool._replace(spend=tuple(sorted(spend)), reroll=tuple(sorted(reroll)))


def _view(pool: Pool) -> GameView:
    dice = [_die_view(pool, die, face) for die, face in enumerate(pool.faces, 1)]
    meters = [Meter("Dice left", len(pool.free), len(pool.faces)), Meter("Stress", pool.stress)]
    for name, cooldown, duration in pool.abilities[:_ABILITIES_SHOWN]:
        meters.append(Meter(f"{name or 'Ability'}: cooldown", cooldown))
        if duration is not None:
            meters.append(Meter(f"{name or 'Ability'}: duration", duration))
    return GameView(f"Round {pool.round}" if pool.round else "Not started", dice, meters)


def _die_view(pool: Pool, die: int, face: int | None) -> DieView:
    state = ("exhausted" if face else "not thrown") if die in pool.exhausted else ""
    pressed = "spend" if die in pool.spend else "reroll" if die in pool.reroll else ""
    return DieView(SIDES, face or "-", state, pressed)


def _preview(pool: Pool, values: Values) -> Sequence[str]:
    """Return the action roll with the chosen dice, and the chances of a push and of a reroll."""
    if not pool.round:
        return ()
    sentences = [*_action_preview(pool, values)]
    rerolled = tuple(sorted({*pool.exhausted, *pool.reroll}))
    if pool.reroll and len(rerolled) <= _MAX_REROLLED:
        need = values["difficulty"] - values["stat"]
        before = minimum_count((face for die in pool.free if (face := pool.faces[die - 1])), need)
        better, worse = _reroll_chances(pool.faces, rerolled, need, before)
        text = _("Rerolling for the next action: it takes fewer dice in {better}, and more in {worse}.")
        sentences.append(text.format(better=local_figure(better), worse=local_figure(worse)))
    return sentences


def _action_preview(pool: Pool, values: Values) -> Iterator[str]:
    rule = mechanic(f"{_SYSTEM}/action-roll")(**_roll_parameters(pool, values))
    if not pool.free and values["push"]:
        chance = local_figure(percent(odds(rule, "success").p("= true")))
        yield _("With a push: success in {chance}.").format(chance=chance)
        return
    outcome = rule.play(ScriptedDice([]))
    faces = [pool.faces[die - 1] for die in outcome.fact("spent")]
    terms = " + ".join(map(str, [*faces, values["stat"]]))
    degree = outcome.fact("degree") or (SUCCEEDING[0] if outcome.fact("success") else DEGREES[0])
    sum_text = f"{terms} = {outcome.fact('total')}" if faces else terms
    text = _("If you choose no dice: {sum}: {verdict}") if faces and not pool.spend else _("{sum}: {verdict}")
    yield text.format(sum=sum_text, verdict=display_text(degree))


@lru_cache(_CACHED_CHANCES)
def _reroll_chances(
    faces: tuple[int | None, ...], rerolled: tuple[int, ...], need: int, before: int | None
) -> tuple[str, str]:
    """Return the percentages of the rerolls after which an action takes fewer dice than before, and more."""
    fewest = odds(RerolledAction(pool=faces, exhausted=rerolled, need=need), "fewest")
    # More than all dice stand for those that fall short.
    none = len(faces) + 1
    change = fewest.map(lambda count: (count or none) - (before or none))
    return percent(change.p("< 0")), percent(change.p("> 0"))


def _field(rule: str, name: str) -> Param:
    return mechanic(f"{_SYSTEM}/{rule}").parameters()[name]


def _ability_field() -> Param:
    field: Any = param(default="", help="the name of the ability")
    named: Param = field.bind("ability", str)
    return named


_ROLL_FIELDS: Final = ("stat", "difficulty", "fight", "push")
_TIMER_FIELDS: Final = ("cooldown", "duration")
PLAYER: Final = Game(
    id=_SYSTEM,
    title="Dungeoneers: player",
    help="A dice pool through the phases of a game: spend dice on actions, rest, start the next round.",
    fields=(
        *(_field("action-roll", name) for name in _ROLL_FIELDS),
        _ability_field(),
        *(_field("timer", name) for name in _TIMER_FIELDS),
        _field("fresh-pool", "size"),
    ),
    start=Pool(),
    plays=(
        Play(
            *("roll", "Action roll", f"{_SYSTEM}/action-roll", _roll_parameters, _after_roll, _roll_obstacle),
            fields=_ROLL_FIELDS,
        ),
        Play("round", "Start player phase", f"{_SYSTEM}/player-phase", _start_parameters, _after_start),
        Play("rest", "Rest", f"{_SYSTEM}/rest", _rest_parameters, _after_rest, _rest_obstacle),
        Play(
            *("ability", "Use ability", f"{_SYSTEM}/timer", _ability_parameters, _after_ability, _ability_obstacle),
            fields=("ability", *_TIMER_FIELDS),
        ),
    ),
    view=_view,
    press=_press,
    adjust=_resize,
    preview=_preview,
)
"""The game behind ``panel("dungeoneers")``."""
