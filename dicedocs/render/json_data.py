"""An outcome as JSON, and back.

The object has, in this order:

``dicedocs``
    the version of this schema, ``1``;
``mechanic``
    the id of the mechanic; empty for one that is not registered, which cannot be read again;
``parameters``
    the parameters that differ from their default: by name, their text as in a directive;
``dice``
    every die in the order thrown: ``{"sides": 6, "face": 2}``, and ``"state"`` when it has one;
``facts``
    the facts by name: truth, numbers, texts, ``null`` and lists of them as they are, any other value
    as its text;
``text``
    the worked text, which ``str`` gives;
``steps``
    the working as data: ``label``, ``verb`` and ``value``, and, where not empty, ``terms`` (each a
    ``value``, with ``name``, ``die`` and ``sides`` where it has them), ``how``, ``operations`` (each
    ``[left, sign, right, value]``), ``steps`` and ``idle``.

The mechanic, the parameters and the faces decide the rest: reading plays the rule again and compares
the facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from dicedocs.errors import ParameterError, listed, near, quoted
from dicedocs.render.text import outcome_text
from dicedocs.render.words import is_list
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.kinds import as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.record import Die
from dicedocs.rules.registry import mechanic
from dicedocs.rules.steps import Operand, Step

SCHEMA: Final = 1
"""The version of the schema that is written and read."""
_TOO_DEEP: Final = "the JSON is nested too deep"
_NAMED: Final = 6
"""Facts that an error names."""


def outcome_json(outcome: Outcome, indent: int | None = None) -> str:
    """Give an outcome as JSON.

    Parameters:
        indent: how deep each level is indented; all in one line when left out.

    Raises:
        RuntimeError: the outcome was not played, so there is nothing to play again.
    """
    return json.dumps(outcome_data(outcome), indent=indent)


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Give an outcome as plain data, by the schema of this module.

    Raises:
        RuntimeError: the outcome was not played.
    """
    rule = outcome.rule
    thrown = [_die(die) for die in outcome.thrown]
    steps = outcome.steps()
    chosen = rule.chosen() if isinstance(rule, Mechanic) else ()
    return {
        "dicedocs": SCHEMA,
        "mechanic": getattr(rule, "id", ""),
        "parameters": {field.name: field.write(value) for field, value in chosen},
        "dice": thrown,
        "facts": facts_data(outcome),
        "text": outcome_text(outcome, steps),
        "steps": [_step(step) for step in steps],
    }


def _die(die: Die) -> dict[str, Any]:
    data: dict[str, Any] = {"sides": die.sides, "face": die.face}
    return data | {"state": die.state} if die.state else data


def facts_data(outcome: Outcome) -> dict[str, Any]:
    """Give the declared facts of an outcome as JSON has them, by name."""
    return {name: plain_value(outcome.fact(name)) for name in outcome.facts_of}


def _step(step: Step) -> dict[str, Any]:
    data: dict[str, Any] = {"label": step.label, "verb": step.verb, "value": plain_value(step.value)}
    more = {
        "terms": [_operand(term) for term in step.terms],
        "how": step.how,
        "operations": [list(operation) for operation in step.operations],
        "steps": [_step(inner) for inner in step.steps],
        "idle": step.idle,
    }
    return data | {name: value for name, value in more.items() if value}


def _operand(operand: Operand) -> dict[str, Any]:
    data: dict[str, Any] = {"value": plain_value(operand.value)}
    more = {"name": operand.name, "die": operand.die, "sides": operand.sides}
    return data | {name: value for name, value in more.items() if value}


def plain_value(value: Any) -> Any:
    """Give a value that JSON has, for one that it has not the text."""
    if value is None or type(value) in {bool, int, str}:
        return value
    if isinstance(value, int):
        return int(value)
    return [plain_value(item) for item in value] if is_list(value) else as_text(value)


def outcome_from_json(text: str) -> Outcome:
    """Read an outcome: its mechanic is played again with its parameters on its faces.

    Returns:
        An outcome that is equal to the one written.

    Raises:
        DiceError: the text is no such JSON, its mechanic is unknown, a parameter or a face is impossible, or
            the rule gives other facts or dice than are written.
    """
    data = _read(text)
    version = data.get("dicedocs")
    if type(version) is not int or version != SCHEMA:
        message = f"schema {version} is not known" if type(version) is int else "the JSON holds no outcome"
        raise _refusal(message, hint=f"an outcome has 'dicedocs': {SCHEMA}")
    rule_type = mechanic(_part(data, "mechanic", str, "the id of a mechanic"))
    parameters = _part(data, "parameters", dict, "an object")
    for name, written in parameters.items():
        if name not in rule_type.parameters():
            hint = near(name, rule_type.parameters())
            raise ParameterError(f"there is no parameter {quoted(name)} of {rule_type.id}", hint=hint)
        if type(written) is not str:
            raise ParameterError("its value is not text", hint="write it as in a directive", parameter=name)
    dice = _part(data, "dice", list, "a list of dice")
    if not all(isinstance(die, dict) and type(die.get("face")) is int for die in dice):
        raise _refusal("'dice' is not a list of dice", hint="each has 'sides' and 'face'")
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
        raise _refusal(f"the text is not JSON: {error}") from None
    except RecursionError:
        raise _refusal(_TOO_DEEP) from None
    if not isinstance(data, dict):
        raise _refusal("the JSON holds no outcome", hint="an outcome is an object")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _part(data: Mapping[str, Any], name: str, kind: type, what: str) -> Any:
    value = data.get(name)
    if not isinstance(value, kind):
        raise _refusal(f"{quoted(name)} is not {what}")
    return value


def _compare(written: Mapping[str, Any], played: Mapping[str, Any]) -> None:
    """Refuse what the rule does not give."""
    names = dict.fromkeys([*played, *written])
    try:
        other = [name for name in names if _canonical(written, name) != _canonical(played, name)]
    except RecursionError:
        raise _refusal(_TOO_DEEP) from None
    if other:
        raise _refusal(
            f"the rule gives something else for {listed(map(quoted, other[:_NAMED]), 'and')}",
            hint="the text was changed, or another version of the rule wrote it",
        )


def _canonical(data: Mapping[str, Any], name: str) -> str | None:
    """Give a value's JSON, in which 1 and true are not equal; ``None`` where it is missing."""
    return json.dumps(data[name], sort_keys=True) if name in data else None


def _refusal(message: str, hint: str = "") -> ParameterError:
    return ParameterError(message, hint=hint)
