"""Properties of every mechanic, for all parameters and faces.

``tests/systems`` tests what a game's mechanics do beyond its facts, which ``tests/conformance`` shows: the whole
worked text, the text forms of parameters, errors, limits, agreement with a second implementation, and these
properties. A game's test draws parameters with :func:`parameters` and passes them to :func:`assert_sound`.
"""

from __future__ import annotations

import types
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dicedocs import DiceError, Mechanic, Outcome, ScriptedDice, SeededDice
from dicedocs.render.json_data import outcome_from_json
from dicedocs.render.scale import Band, outcome_scale, step_bands
from dicedocs.render.words import display_text
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
from dicedocs.rules.record_kind import RecordKind
from dicedocs.syntax.decisions import AT_RANDOM, DecisionKind

SEEDS = st.integers(0, 10_000)


def of_kind(kind: Kind) -> SearchStrategy[Any]:
    """Return a strategy for values of a kind; for kinds with a text form it draws texts, most of them wrong."""
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
    if isinstance(kind, DecisionKind):
        return st.just(AT_RANDOM)
    if isinstance(kind, TextKind | CustomKind):
        return st.text(max_size=20)
    raise TypeError(f"no strategy for {kind!r}")


def parameters(mechanic: type[Mechanic], **chosen: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """Return a strategy for the parameters of a mechanic; those with a default are sometimes left out.

    Parameters:
        chosen: strategies by name, for parameters whose kind alone draws too few legal values.
    """
    fields = mechanic.parameters()
    strategies = {name: chosen.get(name, of_kind(field.kind)) for name, field in fields.items()}
    required = {name: strategies[name] for name, field in fields.items() if field.required}
    optional = {name: strategy for name, strategy in strategies.items() if name not in required}
    return st.fixed_dictionaries(required, optional=optional)


def assert_sound(mechanic: type[Mechanic], parameters: Mapping[str, Any], seed: int) -> Outcome | None:
    """Play a mechanic, and assert that every form of its outcome can be made and agrees with the others.

    Returns:
        The outcome; ``None`` when the parameters raise a :class:`DiceError`, the only error they may raise.
    """
    try:
        outcome = mechanic(**parameters).play(SeededDice(seed))
    except DiceError as error:
        if not error.message:
            raise AssertionError("an error without a message") from error
        return None
    assert_of_declared_types(mechanic, outcome)
    assert_scales(outcome)
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


def assert_scales(outcome: Outcome) -> None:
    """Assert that bands have every number once, and say of each number that the rule reads what the rule says."""
    steps = outcome.steps()
    for step in steps:
        bands = step_bands(step)
        if not bands:
            continue
        number = step.terms[0].value
        assert isinstance(number, int)
        assert_partition(bands, number)
        (here,) = [band for band in bands if band.has(number)]
        word = display_text(step.value)
        assert here.label == (word if step.verb == "look_up" else f"{step.label}: {word}")
    scale = outcome_scale(outcome, steps)
    if scale is not None:
        assert_partition(scale.bands, scale.mark)
        assert scale.bands[scale.here].has(scale.mark)
        assert scale.edges[scale.here] < scale.position < scale.edges[scale.here + 1]


def assert_partition(bands: Sequence[Band], number: int) -> None:
    """Assert that each number around the bounds, and the number itself, is in exactly one band."""
    bounds = [band.start for band in bands if band.start is not None]
    for each in {number, *(bound + by for bound in bounds for by in (-1, 0, 1))}:
        assert sum(band.has(each) for band in bands) == 1


def assert_of_declared_types(mechanic: type[Mechanic], outcome: Outcome) -> None:
    """Assert that each fact has the type that its class declares."""
    hints = get_type_hints(mechanic.result(), localns=dict(vars(mechanic)), include_extras=True)
    for name in outcome.facts_of:
        assert fits(outcome.fact(name), hints[name]), f"{name}={outcome.fact(name)!r} is not a {hints[name]}"


def fits(value: object, hint: Any) -> bool:
    """Return whether a value has a type; a boolean is not an integer."""
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
