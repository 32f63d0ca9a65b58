"""What holds for every mechanic, whatever is chosen and whatever the dice show.

A game's test draws parameters with :func:`parameters` and hands them to :func:`assert_sound`.
"""

from __future__ import annotations

import types
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dicedocs import DiceError, Mechanic, Outcome, ScriptedDice, SeededDice
from dicedocs.render.json_data import outcome_from_json
from dicedocs.rules.kinds import (
    BoolKind,
    ChoiceKind,
    CustomKind,
    DiceSizesKind,
    IntKind,
    Kind,
    ListKind,
    NoneKind,
    PoolFacesKind,
    TextKind,
    UnionKind,
)
from dicedocs.rules.records import RecordKind

SEEDS = st.integers(0, 10_000)


def of_kind(kind: Kind) -> SearchStrategy[Any]:
    """Draw what a field of this kind may be given: values, and for what reads itself texts, most of them wrong."""
    if isinstance(kind, IntKind):
        low = -3 if kind.low is None else kind.low
        high = low + 9 if kind.high is None else kind.high
        return st.integers(low, high)
    if isinstance(kind, ChoiceKind):
        return st.sampled_from(list(kind.words.values()))
    if isinstance(kind, UnionKind):
        return st.one_of([of_kind(each) for each in kind.kinds])
    if isinstance(kind, PoolFacesKind):
        return st.lists(st.none() | st.integers(1, 6), max_size=8)
    if isinstance(kind, ListKind):
        return st.lists(of_kind(kind.kind), max_size=5)
    if isinstance(kind, DiceSizesKind):
        return st.lists(st.sampled_from([4, 6, 8, 10, 12, 20]), max_size=6)
    if isinstance(kind, RecordKind):
        return st.builds(kind.record, **{name: of_kind(each) for name, each in kind.kinds.items()})
    if isinstance(kind, BoolKind):
        return st.booleans()
    if isinstance(kind, NoneKind):
        return st.none()
    if isinstance(kind, TextKind | CustomKind):
        return st.text(max_size=20)
    raise TypeError(f"nothing is known of {kind!r}: give a strategy")


def parameters(mechanic: type[Mechanic], **chosen: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """Draw parameters of a mechanic, each of them left out now and then.

    Parameters:
        chosen: what a parameter is drawn from, by name, where its kind alone draws too little that is legal.
    """
    fields = mechanic.parameters()
    drawn = {name: chosen.get(name, of_kind(field.kind)) for name, field in fields.items()}
    required = {name: drawn[name] for name, field in fields.items() if field.required}
    return st.fixed_dictionaries(required, optional={name: drawn[name] for name in drawn if name not in required})


def assert_sound(mechanic: type[Mechanic], parameters: Mapping[str, Any], seed: int) -> Outcome | None:
    """Play a mechanic and see that everything that is made of its outcome can be made, and agrees.

    Returns:
        The outcome; ``None`` when the parameters were refused, which only a :class:`DiceError` may do.
    """
    try:
        outcome = mechanic(**parameters).play(SeededDice(seed))
    except DiceError as error:
        if not error.message:
            raise AssertionError("an error without a message") from error
        return None
    assert_of_declared_types(mechanic, outcome)
    assert str(outcome).strip()
    ET.fromstring(outcome.to_html())  # noqa: S314 - our own
    assert outcome_from_json(outcome.to_json()) == outcome
    assert mechanic(**parameters).play(SeededDice(seed)) == outcome
    scripted = ScriptedDice(outcome.dice)
    assert outcome.rule.play(scripted) == outcome
    scripted.finish()
    written = {name: field.write(getattr(outcome.rule, name)) for name, field in mechanic.parameters().items()}
    assert mechanic(**written) == outcome.rule
    return outcome


def assert_of_declared_types(mechanic: type[Mechanic], outcome: Outcome) -> None:
    """See that each fact is of the type that its class says."""
    hints = get_type_hints(mechanic.result(), localns=dict(vars(mechanic)), include_extras=True)
    for name in outcome.facts_of:
        assert fits(outcome.fact(name), hints[name]), f"{name}={outcome.fact(name)!r} is no {hints[name]}"


def fits(value: object, hint: Any) -> bool:
    """Tell whether a value is of a type, truth being no number."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, inner[0])
    if origin in {Union, types.UnionType}:
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, inner[0]) for one in value)
    return value is None if hint is None else type(value) is hint
