"""Settings of parameters: ``advantage=1``, or values that are taken in turn, ``disadvantage=3..1, advantage=0..3``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.rules.kinds import IntKind
from dicedocs.rules.params import Param, no_such_parameter

if TYPE_CHECKING:
    from dicedocs.rules.mechanic import Mechanic

_NEXT: Final = re.compile(r",\s*(?=\w+(?:\.[^=,]+)?\s*=)")
_RANGE: Final = re.compile(r"([+-]?[0-9]+)\.\.([+-]?[0-9]+)")
_NUMBER: Final = IntKind()


class Setting(NamedTuple):
    """A parameter as it is set, or one value of it.

    Parameters:
        name: the parameter; after a point the value that is meant of one that holds several, ``target.Defense``.
        text: its text.
    """

    name: str
    text: str

    def label(self, rule: type[Mechanic]) -> str:
        """Give the name of what is set as a person reads it.

        >>> from dicedocs.rules.registry import mechanic
        >>> Setting("target.Defense", "5").label(mechanic("methuen/check"))
        'Target Defense'
        """
        field, inner = _field(rule, self.name)
        return f"{field.label} {inner}" if inner else field.label


def parse_sweep(rule: type[Mechanic], text: str) -> list[list[Setting]]:
    """Read settings with the values that they take in turn.

    What is a value of its parameter as a whole is one; otherwise values stand side by side, and
    ``3..1`` counts from one number to the other.

    Parameters:
        rule: the mechanic whose parameters they are.
        text: settings, separated by commas.

    Returns:
        For each of them its values, one after another.

    Raises:
        ParameterError: there is no such parameter, or something is no value of it.
        LimitError: there are too many values.

    >>> from dicedocs.rules.registry import mechanic
    >>> parse_sweep(mechanic("total-effect/roll"), "disadvantage=2..1, effect=low high")[1]
    [Setting(name='effect', text='low'), Setting(name='effect', text='high')]
    """
    found = [_values(rule, name, value) for name, value in _parts(text)]
    limits.ITEMS.check(sum(map(len, found)), hint="name fewer settings")
    return found


def parse_settings(rule: type[Mechanic], text: str) -> tuple[Setting, ...]:
    """Read settings that have one value each.

    Raises:
        ParameterError: one has several, there is no such parameter, or something is no value of it.

    >>> from dicedocs.rules.registry import mechanic
    >>> parse_settings(mechanic("total-effect/roll"), "advantage=1, effect=low")
    (Setting(name='advantage', text='1'), Setting(name='effect', text='low'))
    """
    found = []
    for each in parse_sweep(rule, text):
        if len(each) > 1:
            message = f"{quoted(each[0].name)} has {len(each)} values here"
            raise ParameterError(message, hint="write one", parameter=each[0].name)
        found += each
    return tuple(found)


def apply_settings(rule: type[Mechanic], parameters: Mapping[str, Any], chosen: Iterable[Setting]) -> Mechanic:
    """Give a rule whose parameters are as given, but for what is set.

    Parameters:
        rule: the mechanic.
        parameters: its parameters, each as itself or as its text.
        chosen: what is set; of a parameter that holds several values only those named.

    Raises:
        DiceError: a parameter cannot be what it is.

    >>> from dicedocs.rules.registry import mechanic
    >>> apply_settings(mechanic("methuen/check"), {"check": "1d20 >= [Target AC]"}, [Setting("target.AC", "5")])
    Check(check="1d20 >= [Target AC]", target={"AC": 5})
    """
    values = dict(parameters)
    for setting in chosen:
        field, inner = _field(rule, setting.name)
        values[field.name] = {**_held(field, values), inner: _NUMBER.read(setting.text)} if inner else setting.text
    return rule(**values)


def _parts(text: str) -> list[tuple[str, str]]:
    limits.VALUE_TEXT.check(len(text), hint="write less")
    parts = []
    for part in _NEXT.split(text.strip()) if text.strip() else []:
        name, sign, value = part.partition("=")
        if not sign or not name.strip():
            message = f"{quoted(part)} is no setting"
            raise ParameterError(message, hint="write name=value, separated by commas")
        parts.append((" ".join(name.split()), " ".join(value.split())))
    return parts


def _field(rule: type[Mechanic], name: str) -> tuple[Param, str]:
    """Give the parameter that is set, and the name of the value within it that is; empty when it is set as a whole."""
    outer, _, inner = name.partition(".")
    known = rule.parameters()
    if outer not in known:
        raise no_such_parameter(outer, known, rule.id or rule.__qualname__)
    return known[outer], inner.strip()


def _held(field: Param, values: Mapping[str, Any]) -> Mapping[str, int]:
    """Give what a parameter that is set in part holds otherwise."""
    held = field.convert(values.get(field.name, {} if field.required else field.default))
    if not isinstance(held, Mapping):
        message = f"{quoted(field.name)} holds no values with names"
        raise ParameterError(message, hint=f"write {field.name}=", parameter=field.name)
    return cast("Mapping[str, int]", held)


def _values(rule: type[Mechanic], name: str, text: str) -> list[Setting]:
    field, inner = _field(rule, name)
    if inner:
        _held(field, {})
    try:
        return [Setting(name, _written(field, inner, text))]
    except DiceError:
        words = [each for word in text.split() for each in _counted(word)]
        if words in ([], [text]):
            raise
    return [Setting(name, _written(field, inner, word)) for word in words]


def _written(field: Param, inner: str, text: str) -> str:
    try:
        return _NUMBER.write(_NUMBER.read(text)) if inner else field.write(field.convert(text))
    except ParameterError as error:
        error.parameter = error.parameter or field.name
        raise


def _counted(word: str) -> list[str]:
    """Give the numbers that ``3..1`` stands for; another word is itself."""
    found = _RANGE.fullmatch(word)
    if found is None:
        return [word]
    first, last = (_NUMBER.read(end) for end in found.groups())
    limits.ITEMS.check(abs(last - first) + 1, hint="count fewer")
    step = 1 if last >= first else -1
    return [str(number) for number in range(first, last + step, step)]
