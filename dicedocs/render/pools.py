"""The dice of a pool on the table: those that a parameter names, before and after the rule was applied.

A parameter of the kind ``PoolFaces`` is a pool. The parameters of the kind ``Places`` that refer to it say in which
state its dice are before, the facts of that kind in which state they are afterwards, and a fact of the kind
``PoolFaces`` with the name of the parameter says what they show then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from dicedocs.render.drawing import HIDDEN_FACE, MAX_DRAWN, SPENT, STATES, Drawing, dice_message, draw_face
from dicedocs.render.words import clean
from dicedocs.rules.kinds import Kind, Places, PoolFacesKind
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.translation import game_words, word
from dicedocs.translation import gettext as _


class DrawnDie(NamedTuple):
    """A die of a pool.

    Parameters:
        sides: the number of its sides.
        face: the text of its face.
        state: its state; empty for none.
    """

    sides: int
    face: str
    state: str

    @property
    def name(self) -> str:
        """The die in words."""
        hidden = self.face == HIDDEN_FACE
        return dice_message(1, with_state=bool(self.state), hidden=hidden).format(
            sides=self.sides, face=self.face, state=clean(word(self.state))
        )

    def draw(self) -> Drawing:
        """Return the drawing of the die."""
        return draw_face(*self, self.name)


class Pool(NamedTuple):
    """The dice of a pool at one time.

    Parameters:
        label: its name for a reader.
        dice: the first of its dice.
        rest: how many dice are not drawn.
        parameters: the parameters that its drawing shows completely.
        facts: the facts that its drawing shows completely.
    """

    label: str
    dice: tuple[DrawnDie, ...]
    rest: int
    parameters: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def drawn_parameters(pools: Iterable[Pool]) -> frozenset[str]:
    """Return the parameters that drawings of pools show completely, and that need no words beside them."""
    return frozenset(name for pool in pools for name in pool.parameters)


def drawn_facts(pools: Iterable[Pool]) -> frozenset[str]:
    """Return the facts that drawings of pools show completely, and that need no words beside them."""
    return frozenset(name for pool in pools for name in pool.facts)


def table_pools(outcome: Outcome) -> list[Pool]:
    """Return the pools that the parameters of an outcome name, each before and, if it changes, after.

    >>> import dicedocs as dd
    >>> roll = dd.play("dungeoneers/action-roll", pool="5 2", spend=2, difficulty=5, stat=3, dice=[])
    >>> [(pool.label, [die.name for die in pool.dice]) for pool in table_pools(roll)]
    [('Pool before', ['d6 showing 5', 'd6 showing 2']), ('Pool after', ['d6 showing 5', 'd6 showing 2, spent'])]
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic):
        return []
    fields = type(rule).parameters()
    given = {name: (field.kind, getattr(rule, name)) for name, field in fields.items()}
    pools = []
    for name, field in fields.items():
        if isinstance(field.kind, PoolFacesKind):
            facts = _facts(rule, outcome)
            before = _draw_pool(name, field.kind.sides, given[name][1], given)
            after = _draw_pool(name, field.kind.sides, _faces_after(name, given[name][1], facts), facts)
            with game_words(rule):
                label = clean(word(field.label))
            if after.dice == before.dice or not _has_after(name, facts):
                pools.append(Pool(label, before.dice, before.rest, before.shown, after.shown))
            else:
                pools.append(Pool(_("{pool} before").format(pool=label), before.dice, before.rest, before.shown))
                said = _same_places(name, given, facts, after.shown)
                pools.append(Pool(_("{pool} after").format(pool=label), after.dice, after.rest, said, after.shown))
    return pools


def spent_faces(outcome: Outcome) -> tuple[int, ...]:
    """Return the faces of the dice of a pool that were spent, as they show afterwards.

    >>> import dicedocs as dd
    >>> roll = dd.play("dungeoneers/action-roll", pool="5 2 3", spend="2 3", difficulty=5, stat=3, dice=[])
    >>> roll.dice, spent_faces(roll)
    ((), (2, 3))
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic):
        return ()
    fields, facts = type(rule).parameters(), _facts(rule, outcome)
    spent: list[int] = []
    for name, (kind, positions) in facts.items():
        if isinstance(kind, Places) and isinstance(positions, tuple) and _state_of(name, kind) == SPENT:
            pool = fields.get(kind.of)
            if pool is not None and isinstance(pool.kind, PoolFacesKind):
                faces = _faces_after(kind.of, getattr(rule, kind.of), facts)
                spent += [face for position, face in enumerate(faces, 1) if position in positions]
    return tuple(spent)


_Values = Mapping[str, tuple[Kind, Any]]
"""Parameters or facts by name, each with its kind and its value."""


def _facts(rule: Mechanic, outcome: Outcome) -> _Values:
    kinds: Mapping[str, Kind] = {}
    with suppress(TypeError):  # a fact whose type has no text form
        kinds = type(rule).fact_kinds()
    return {name: (kind, outcome.fact(name)) for name, kind in kinds.items() if name in outcome.facts_of}


def _faces_after(pool: str, before: Any, facts: _Values) -> Any:
    """Return what the dice of a pool show afterwards: what a fact of its name says, or else what they showed before."""
    kind, faces = facts.get(pool, (None, before))
    return faces if isinstance(kind, PoolFacesKind) else before


def _same_places(pool: str, given: _Values, facts: _Values, drawn: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters that name the same dice of a pool as a drawn fact does."""
    positions = {facts[name][1] for name in drawn if isinstance(facts[name][0], Places)}
    return tuple(
        name
        for name, (kind, value) in given.items()
        if isinstance(kind, Places) and kind.of == pool and value and value in positions
    )


def _has_after(pool: str, facts: _Values) -> bool:
    """Return whether facts say something about a pool."""
    return any(
        isinstance(kind, Places) and kind.of == pool if name != pool else isinstance(kind, PoolFacesKind)
        for name, (kind, _value) in facts.items()
    )


class _DrawnPool(NamedTuple):
    """The first dice of a pool, how many others it has, and the values that the drawing shows completely."""

    dice: tuple[DrawnDie, ...]
    rest: int
    shown: tuple[str, ...]


def _draw_pool(pool: str, sides: int, faces: Sequence[int | None], values: _Values) -> _DrawnPool:
    """Return a pool as parameters or facts describe it; of several states of a die the one declared first is drawn."""
    states: dict[int, str] = {}
    shown = [name for name, (kind, _faces) in values.items() if name == pool and isinstance(kind, PoolFacesKind)]
    for name, (kind, positions) in values.items():
        if isinstance(kind, Places) and kind.of == pool and isinstance(positions, tuple):
            state = _state_of(name, kind)
            for position in positions if state else ():
                states.setdefault(position, state)
            if state and all(states[position] == state and position <= len(faces) for position in positions):
                shown.append(name)
    dice = tuple(
        DrawnDie(sides, HIDDEN_FACE if face is None else str(face), clean(states.get(position, "")))
        for position, face in enumerate(faces[:MAX_DRAWN], 1)
    )
    rest = len(faces) - len(dice)
    return _DrawnPool(dice, rest, () if rest else tuple(shown))


def _state_of(name: str, kind: Places) -> str:
    """Return the state of the dice that a parameter or a fact names; empty for none."""
    return kind.state or (name if name in STATES else "")
