"""Settings of parameters, and sweeps over their values: ``advantage=1``, ``disadvantage=3..1, advantage=0..3``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.rules.kinds import BoolKind, ChoiceKind, IntKind
from dicedocs.rules.lists import split_items
from dicedocs.rules.params import Param, no_such_parameter
from dicedocs.translation import word

if TYPE_CHECKING:
    from dicedocs.rules.mechanic import Mechanic

_NEXT_SETTING: Final = re.compile(r",\s*(?=\w+(?:\.[^=,]+)?\s*=)")
_RANGE: Final = re.compile(r"([+-]?[0-9]+)\.\.([+-]?[0-9]+)")
_NUMBER: Final = IntKind()


class Setting(NamedTuple):
    """One value for a parameter, or for one of the named values that it holds.

    Parameters:
        name: the parameter; of one that holds named values also which, after a point: ``target.Defense``.
        text: the value as text.
    """

    name: str
    text: str

    def label(self, rule: type[Mechanic]) -> str:
        """Return the name as people read it.

        >>> from dicedocs.rules.registry import mechanic
        >>> Setting("target.Defense", "5").label(mechanic("methuen/check"))
        'Target Defense'
        """
        field, key = _field(rule, self.name)
        return f"{word(field.label)} {key}" if key else word(field.label)


def parse_sweep(rule: type[Mechanic], text: str) -> list[list[Setting]]:
    """Parse settings of one or more values each.

    A text that is one value of its parameter stands for itself; otherwise it is a list of values
    separated by spaces, or by semicolons if one has a space in it, where ``3..1`` counts from one number to the other.

    Parameters:
        rule: the mechanic whose parameters are set.
        text: the settings, separated by commas.

    Returns:
        For each setting its values, in the order written.

    Raises:
        ParameterError: there is no such parameter, or it cannot have such a value.
        LimitError: there are too many values.

    >>> from dicedocs.rules.registry import mechanic
    >>> parse_sweep(mechanic("total-effect/roll"), "disadvantage=2..1, effect=low high")[1]
    [Setting(name='effect', text='low'), Setting(name='effect', text='high')]
    """
    sweep = [_values(rule, name, value) for name, value in _split(rule, text)]
    limits.ITEMS.check(sum(map(len, sweep)), hint="name fewer settings")
    return sweep


def parse_settings(rule: type[Mechanic], text: str) -> tuple[Setting, ...]:
    """Parse settings of one value each.

    Raises:
        ParameterError: there are several values, no such parameter, or it cannot have such a value.

    >>> from dicedocs.rules.registry import mechanic
    >>> parse_settings(mechanic("total-effect/roll"), "advantage=1, effect=low")
    (Setting(name='advantage', text='1'), Setting(name='effect', text='low'))
    """
    settings = []
    for values in parse_sweep(rule, text):
        if len(values) > 1:
            message = f"{quoted(values[0].name)} has {len(values)} values here"
            raise ParameterError(message, hint="write one", parameter=values[0].name)
        settings += values
    return tuple(settings)


def apply_settings(rule: type[Mechanic], parameters: Mapping[str, Any], settings: Iterable[Setting]) -> Mechanic:
    """Return a mechanic with its parameters, some of them changed.

    Parameters:
        rule: the mechanic.
        parameters: its parameters, each as itself or as its text.
        settings: the changes; named values that are not set keep theirs.

    Raises:
        DiceError: a parameter cannot have its value.

    >>> from dicedocs.rules.registry import mechanic
    >>> apply_settings(mechanic("methuen/check"), {"check": "1d20 >= [Target AC]"}, [Setting("target.AC", "5")])
    Check(check="1d20 >= [Target AC]", target={"AC": 5})
    """
    values = dict(parameters)
    for setting in settings:
        field, key = _field(rule, setting.name)
        values[field.name] = {**_named_values(field, values), key: _NUMBER.read(setting.text)} if key else setting.text
    return rule(**values)


def _split(rule: type[Mechanic], text: str) -> list[tuple[str, str]]:
    """Return the name and the text of each setting."""
    given: object = text
    if not isinstance(given, str):
        raise ParameterError(f"{quoted(given)} is not text", hint="write name=value, separated by commas")
    limits.VALUE_TEXT.check(len(text), hint="write less")
    parts: list[tuple[str, str]] = []
    for part in _NEXT_SETTING.split(text.strip()) if text.strip() else []:
        name, sign, value = part.partition("=")
        if not sign or not name.strip():
            said = re.fullmatch(r"(.+?)(?:\s*:\s*|\s+(?:is|from)\s+|\s+)([\w+-].*)", name.strip())
            known = rule.parameters().get(" ".join(name.split()))
            hint = _every_value(known) if known else "write name=value, as in skilled=no yes"
            if said:
                hint = _listed(*said.groups()) or f"write {said[1]}={said[2]}"
            if parts and not said and re.fullmatch(r"(?:or\s+|and\s+)?[\w+-]+", name.strip()):
                last, value = parts[-1]
                hint = f"write {last}={value} {name.split()[-1]}, with spaces between values"
            raise ParameterError(f"{quoted(part)} is not a setting", hint=hint)
        parts.append((" ".join(name.split()), " ".join(value.split())))
    return parts


def _field(rule: type[Mechanic], name: str) -> tuple[Param, str]:
    """Return the parameter that a setting names, and the key of the named value in it, or an empty key."""
    parameter, _, key = name.partition(".")
    known = rule.parameters()
    if parameter not in known:
        raise no_such_parameter(parameter, known, rule.id or rule.__qualname__)
    return known[parameter], key.strip()


def _named_values(field: Param, parameters: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the named values that a parameter holds."""
    value = field.convert(parameters.get(field.name, {} if field.required else field.default))
    if not isinstance(value, Mapping):
        message = f"{quoted(field.name)} does not hold named values"
        raise ParameterError(message, hint=f"write {field.name}=", parameter=field.name)
    return cast("Mapping[str, int]", value)


def _values(rule: type[Mechanic], name: str, text: str) -> list[Setting]:
    field, key = _field(rule, name)
    if key:
        _named_values(field, {})
    try:
        return [Setting(name, _canonical(field, key, text))]
    except DiceError as whole:
        if field.kind.undecided and ";" not in text and re.search(r",|\bif\b", text):
            raise  # it is one way to choose
        listed = split_items(text) if ";" in text else text.split()
        words = [number for each in listed for number in _expand_range(each)]
        try:
            if words in ([], [text]):
                raise
            return [Setting(name, _canonical(field, key, word)) for word in words]
        except ParameterError as error:
            if field.kind.undecided and ";" not in text:
                raise whole from None
            error.hint = _listed(name, text) or error.hint
            raise


def _every_value(field: Param) -> str:
    """Return how one value of a parameter is written, and how all of them, if they have an end."""
    kind, values = field.kind, ""
    if isinstance(kind, BoolKind):
        values = "no yes"
    elif isinstance(kind, ChoiceKind):
        values = " ".join(kind.words)
    elif field.low is not None and field.high is not None:
        values = f"{field.low}..{field.high}"
    one = "yes" if isinstance(kind, BoolKind) else field.write(field.default)
    return f"write {field.name}={one}{f', or {field.name}={values} for each' if values else ', or another value'}"


def _listed(name: str, text: str) -> str:
    """Return how several values are written that are listed in another way; empty if none are."""
    if _RANGE.fullmatch(text):
        return ""
    if ends := re.fullmatch(
        r"(-?[0-9]+)\s*(?:-|\u2013|to|\.{2,3}|\u2026)\s*(-?[0-9]+)(?:\s*,?\s*(?:step|by)\s+([0-9]+))?", text
    ):
        low, high = int(ends[1][:9]), int(ends[2][:9])
        if ends[3] and low < high and int(ends[3][:9]) > 0 and (high - low) <= 20 * int(ends[3][:9]):
            return f"write {name}={' '.join(map(str, range(low, high + 1, int(ends[3][:9]))))}"
        return "" if ends[3] else f"write {name}={ends[1]}..{ends[2]}"
    if (more := re.search(r"(?<=[^\s;,])\s+(?=\w+\s*=)", text)) is not None:
        return f"write {name}={text[: more.start()]}, {text[more.end() :]}"
    if (apart := re.sub(r"\s*;\s*(?=\w+\s*=)", ", ", text)) != text:
        return f"write {name}={apart}"
    items = re.split(r"\s*(?:,|/|\||\bor\b|\band\b)\s*", text)
    return f"write {name}={' '.join(items)}" if len(items) > 1 and all(items) else ""


def _canonical(field: Param, key: str, text: str) -> str:
    """Return the canonical text of a value; an option without one is yes, and a setting is not."""
    if not text and isinstance(field.kind, BoolKind):
        hint = f"write {field.name}=yes, or {field.name}=no"
        raise ParameterError("a value is missing", hint=hint, parameter=field.name)
    try:
        return _NUMBER.write(_NUMBER.read(text)) if key else field.write(field.convert(text))
    except ParameterError as error:
        error.parameter = error.parameter or field.name
        raise


def _expand_range(word: str) -> list[str]:
    """Return the numbers that ``3..1`` stands for; any other word stands for itself."""
    match = _RANGE.fullmatch(word)
    if match is None:
        return [word]
    first, last = (_NUMBER.read(end) for end in match.groups())
    limits.ITEMS.check(abs(last - first) + 1, hint="count fewer")
    step = 1 if last >= first else -1
    return [str(number) for number in range(first, last + step, step)]
