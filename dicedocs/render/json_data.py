"""An outcome as JSON, and back.

The object has, in this order:

``dicedocs``
    the version of this schema, ``1``;
``mechanic``
    the id of the mechanic; empty if it is not registered, in which case the JSON cannot be read back;
``parameters``
    the parameters that differ from their defaults: by name, their text as in a directive;
``dice``
    the dice in the order thrown: ``{"sides": 6, "face": 2}``, with ``"state"`` for a die that has one, and ``"text"``
    for one on whose face something else than a number stands;
``facts``
    the facts by name: booleans, numbers, texts, ``null`` and lists as themselves, any other value as its text;
``text``
    the working as text, as ``str`` returns it;
``steps``
    the working as data: ``label``, ``verb`` and ``value``, and, where not empty, ``terms`` (each a
    ``value``, with its ``name``, ``die`` and ``sides``), ``how``, ``operations`` (each
    ``[left, sign, right, value]``), ``steps``, ``idle`` and ``table``, the rows of the table that was looked up, each
    ``[from, value]`` with ``null`` for the row below all others. A round is a step with the verb ``play``, its number
    in ``how`` and its own working in ``steps``.

The mechanic, the parameters and the faces determine the rest: reading plays the rule again and compares
the facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from dicedocs.errors import DiceError, ParameterError, listed, quoted
from dicedocs.render.text import outcome_text
from dicedocs.render.words import is_list
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.kinds import IntKind, as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.record import Die
from dicedocs.rules.registry import mechanic
from dicedocs.rules.steps import Operand, Step
from dicedocs.translation import SOURCE_LANGUAGE, language

SCHEMA: Final = 1
"""The version of the schema."""
_TOO_DEEP: Final = "the JSON is nested too deep"
_INDENT: Final = IntKind(low=0, high=16)
"""The spaces of each level; more of them would only make the text large."""
_MAX_NAMES: Final = 6
"""Facts named in an error."""


def outcome_json(outcome: Outcome, indent: int | None = None) -> str:
    """Return an outcome as JSON.

    Parameters:
        indent: the spaces of each level; by default all is on one line.

    Raises:
        RuntimeError: the outcome was not played.
    """
    if indent is not None:
        indent = _read_indent(indent)
    return json.dumps(outcome_data(outcome), indent=indent)


def _read_indent(indent: object) -> int:
    """Return the spaces of each level, after checking that they are few."""
    try:
        return _INDENT.accept(indent)
    except DiceError as error:
        error.parameter = "indent"
        raise


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data in the schema of this module."""
    rule = outcome.rule
    dice = [_die(die) for die in outcome.thrown]
    steps = outcome.steps()
    chosen = rule.chosen() if isinstance(rule, Mechanic) else ()
    with language(SOURCE_LANGUAGE):
        text = outcome_text(outcome, steps)
    return {
        "dicedocs": SCHEMA,
        "mechanic": getattr(rule, "id", ""),
        "parameters": {field.name: field.write(value) for field, value in chosen},
        "dice": dice,
        "facts": facts_data(outcome),
        "text": text,
        "steps": [_step(step) for step in steps],
    }


def facts_data(outcome: Outcome) -> dict[str, Any]:
    """Return the declared facts of an outcome by name, as values of JSON."""
    return {name: plain_value(outcome.fact(name)) for name in outcome.facts_of}


def _die(die: Die) -> dict[str, Any]:
    return {"sides": die.sides, "face": die.face, **_not_empty(state=die.state, text=die.text)}


def _step(step: Step) -> dict[str, Any]:
    return {
        "label": step.label,
        "verb": step.verb,
        "value": plain_value(step.value),
        **_not_empty(
            terms=[_operand(term) for term in step.terms],
            how=step.how,
            operations=[list(operation) for operation in step.operations],
            steps=[_step(inner) for inner in step.steps],
            idle=step.idle,
            table=[[plain_value(bound), plain_value(value)] for bound, value in step.table],
        ),
    }


def _operand(operand: Operand) -> dict[str, Any]:
    value, name, die, sides = operand
    data = {"value": plain_value(value)}
    if name:
        data["name"] = name
    if die:
        data["die"] = die
    if sides:
        data["sides"] = sides
    return data


def _not_empty(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def plain_value(value: Any) -> Any:
    """Return a value as JSON has it; the text of one that JSON does not have."""
    if value is None or type(value) in {bool, int, str}:
        return value
    if isinstance(value, int):
        return int(value)
    return [plain_value(item) for item in value] if is_list(value) else as_text(value)


def outcome_from_json(text: str) -> Outcome:
    """Return the outcome written as JSON, equal to the original.

    Its mechanic is played again with its parameters and faces.

    Raises:
        DiceError: the text is not the JSON of an outcome, its mechanic is unknown, a parameter or a face is
            impossible, or the rule gives other facts or dice than those written.
    """
    data = _read(text)
    version = data.get("dicedocs")
    if type(version) is not int or version != SCHEMA:
        message = f"schema {version} is not known" if type(version) is int else "the JSON is not an outcome"
        raise ParameterError(message, hint=f"an outcome has 'dicedocs': {SCHEMA}")
    rule_type = mechanic(_part(data, "mechanic", str, "the id of a mechanic"))
    parameters = _part(data, "parameters", dict, "an object")
    for name, written in parameters.items():
        if name not in rule_type.parameters():
            raise no_such_parameter(name, rule_type.parameters(), rule_type.id)
        if type(written) is not str:
            raise ParameterError("its value is not text", hint="write it as in a directive", parameter=name)
    dice = _part(data, "dice", list, "a list of dice")
    if not all(isinstance(die, dict) and type(die.get("face")) is int for die in dice):
        raise ParameterError("'dice' is not a list of dice", hint="each has 'sides' and 'face'")
    source = ScriptedDice([die["face"] for die in dice])
    outcome = rule_type(**parameters).play(source)
    source.finish()
    _compare({"dice": dice}, {"dice": [_die(die) for die in outcome.thrown]})
    _compare(_part(data, "facts", dict, "an object"), facts_data(outcome))
    return outcome


def _read(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, TypeError) as error:
        raise ParameterError(f"the text is not JSON: {error}") from None
    except RecursionError:
        raise ParameterError(_TOO_DEEP) from None
    if not isinstance(data, dict):
        raise ParameterError("the JSON is not an outcome", hint="an outcome is an object")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _part(data: Mapping[str, Any], name: str, kind: type, description: str) -> Any:
    value = data.get(name)
    if not isinstance(value, kind):
        raise ParameterError(f"{quoted(name)} is not {description}")
    return value


def _compare(written: Mapping[str, Any], played: Mapping[str, Any]) -> None:
    """Raise a ParameterError if a written value is not what the rule gives."""
    names = dict.fromkeys([*played, *written])
    try:
        different = [name for name in names if _canonical(written, name) != _canonical(played, name)]
    except RecursionError:
        raise ParameterError(_TOO_DEEP) from None
    if different:
        raise ParameterError(
            f"the rule gives something else for {listed(map(quoted, different[:_MAX_NAMES]), 'and')}",
            hint="the text was changed, or another version of the rule wrote it",
        )


def _canonical(data: Mapping[str, Any], name: str) -> str | None:
    """Return the JSON of a value, in which 1 and true differ; ``None`` if it is missing."""
    return json.dumps(data[name], sort_keys=True) if name in data else None
