"""What a game rule is, and what it gives: :class:`Mechanic` and :class:`Outcome`.

A mechanic is one small class. Its fields are what a player chooses, its method ``resolve`` throws
the dice, applies the rule and says what it does, and what it returns, an outcome, holds the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, dataclass_transform, get_type_hints

from dicedocs import limits
from dicedocs.errors import ParameterError, listed, near, quoted
from dicedocs.rules.dice import Dice, Rule
from dicedocs.rules.kinds import Kind, as_line, kind_of
from dicedocs.rules.params import MISSING, Param, no_such_parameter, param
from dicedocs.rules.record import Die, Record
from dicedocs.rules.reserved import RESERVED
from dicedocs.rules.steps import RecordingSay, Say, Step

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

R = TypeVar("R", bound="Outcome")

READ_FROM_DICE: Final = ("dice", "dropped", "scratched")
"""The facts of every outcome that are read from the record of its dice, in the order thrown."""
ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""A mechanic's id: the system, a slash, the mechanic."""


_OVERRIDDEN: Final = frozenset({"resolve", "validate", "distribution"})
"""What a mechanic defines anew; all else that it has from :class:`Mechanic` is not its to change."""


class Fact:
    """A fact of an outcome; :func:`fact` makes it, and the class gives it its name and place."""

    def __init__(self, help: str = "", label: str = "") -> None:
        self.help = help
        self._label = label

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.label = self._label or name.replace("_", " ").capitalize()

    def at(self, place: int) -> property:
        """Give the attribute that reads the fact at a place of the tuple of facts."""

        def read(outcome: Outcome) -> Any:
            return outcome._facts[place]

        return property(read, doc=self.help)


def fact(*, help: str = "", label: str = "") -> Any:
    """Declare a fact that wants more than a type.

    Parameters:
        help: what it means, in a few words.
        label: its name as a person reads it; made from the fact's name when left out.
    """
    return Fact(help, label)


@dataclass_transform(frozen_default=True, field_specifiers=(fact,))
class Outcome:
    """What a mechanic gave: an immutable object with the facts as typed fields.

    A subclass annotates its facts, the most important one first. Two outcomes are equal when facts,
    dice and rule are.

    >>> class Result(Outcome):
    ...     total: int
    ...     triggered: bool | None
    >>> Result(13, triggered=None).facts("total", "triggered")
    'total=13, triggered=none'
    """

    __slots__ = ("_facts", "_play")

    facts_of: ClassVar[Mapping[str, Fact]] = MappingProxyType({})
    """The declared facts by name, in order."""

    _facts: tuple[Any, ...]
    _play: tuple[Any, Record | None]

    def __init_subclass__(cls) -> None:
        declared: dict[str, Fact] = dict(cls.facts_of)
        _refuse_untyped(cls, Fact, "fact")
        for name in _annotated(cls):
            _refuse_name(name, "fact", cls, Outcome, {*READ_FROM_DICE, *RESERVED})
            given = cls.__dict__.get(name)
            if given is None:
                given = Fact()
                given.__set_name__(cls, name)
            elif not isinstance(given, Fact):
                raise TypeError(f"the fact {name!r} of {cls.__qualname__} cannot have a default")
            declared[name] = given
            setattr(cls, name, given.at(list(declared).index(name)))
        cls.facts_of = MappingProxyType(declared)

    def __init__(self, /, *facts: Any, **named: Any) -> None:
        if named or len(facts) != len(self.facts_of):
            facts = self._bound(facts, named)
        _put_facts(self, facts)

    def _bound(self, facts: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        values = dict(zip(self.facts_of, facts, strict=False)) | dict(named)
        wrong = len(facts) > len(self.facts_of) or len(values) < len(facts) + len(named)
        if wrong or values.keys() != self.facts_of.keys():
            wants = listed(self.facts_of, "and") if self.facts_of else "no facts"
            raise TypeError(f"{type(self).__qualname__} takes {wants}, each once")
        return tuple(values[name] for name in self.facts_of)

    def _attach(self, rule: object, record: Record | None) -> None:
        """Note the rule and the dice; called by the dice that played the rule, once."""
        _put_play(self, (rule, record))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an outcome cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an outcome cannot be changed: {name}")

    @property
    def rule(self) -> Any:
        """The mechanic, with its parameters, that gave this outcome; ``None`` while nothing was played."""
        return getattr(self, "_play", (None, None))[0]

    @property
    def _record(self) -> Record | None:
        return getattr(self, "_play", (None, None))[1]

    def _own_record(self) -> Record:
        if self._record is None:
            raise RuntimeError("the dice of this outcome are not its own: a rule reads facts of what it plays")
        return self._record

    @property
    def thrown(self) -> tuple[Die, ...]:
        """Every die in the order thrown, with what became of it."""
        return self._own_record().dice()

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces in the order thrown."""
        return tuple(self._own_record().faces)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The faces that were dropped, in the order thrown."""
        return tuple(die.face for die in self.thrown if die.state == "dropped")

    @property
    def scratched(self) -> tuple[int, ...]:
        """The faces that were scratched, in the order thrown."""
        return tuple(die.face for die in self.thrown if die.state == "scratched")

    @property
    def value(self) -> Any:
        """The first fact."""
        return self._facts[0] if self._facts else None

    def fact(self, name: str) -> Any:
        """Give the value of a fact.

        Parameters:
            name: a declared fact, or ``dice``, ``dropped``, ``scratched``.

        Raises:
            ParameterError: there is no such fact.
        """
        if name in self.facts_of or name in READ_FROM_DICE:
            return getattr(self, name)
        known = [*self.facts_of, *READ_FROM_DICE]
        raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, known))

    def facts(self, *names: str) -> str:
        """Give facts as canonical one-line text, in the order asked; without names, those declared.

        Runs of blanks in a text fold to one.

        Raises:
            ParameterError: there is no such fact.
        """
        return ", ".join(f"{name}={as_line(self.fact(name))}" for name in names or self.facts_of)

    def look_up(self, path: str) -> Any:
        """Give what a document may name: a fact, a die, a parameter, or a value of a parameter.

        Parameters:
            path: ``total``, ``skill``; a fact comes first. After a point, one value of what holds
                several: ``dice.1`` (from 1), ``actor.Strength``, the field of a record.

        Raises:
            ParameterError: there is nothing of that name.
        """
        parameters = type(self.rule).parameters() if isinstance(self.rule, Mechanic) else {}
        facts = [*self.facts_of, *READ_FROM_DICE]
        name, dot, inner = path.partition(".")
        if name not in facts and name not in parameters:
            raise ParameterError(f"there is no fact {quoted(path)}", hint=near(path, [*facts, *parameters]))
        held = getattr(self if name in facts else self.rule, name)
        return _value_in(held, name, " ".join(inner.split())) if dot else held

    def steps(self) -> tuple[Step, ...]:
        """Give the working: ``resolve`` is run again beside the recorded faces while somebody listens.

        Raises:
            RuntimeError: the rule then gives another outcome, so it is no function of its dice.
        """
        from dicedocs.rules.replay import Replay

        if self._record is None:
            raise RuntimeError("an outcome that was not played has no working")
        say = RecordingSay()
        replay = Replay(self._record, say)
        again = self.rule.resolve(replay, say)
        if again._facts != self._facts or not replay.done():
            message = f"{type(self.rule).__qualname__} gives {again.facts()} when somebody listens, not {self.facts()}"
            raise RuntimeError(message)
        return tuple(say.steps)

    def to_json(self, indent: int | None = None) -> str:
        """Give the outcome as JSON; :mod:`dicedocs.render.json_data` documents the schema."""
        from dicedocs.render.json_data import outcome_json

        return outcome_json(self, indent)

    def to_html(self) -> str:
        """Give the outcome as HTML: dice, working and result, everything escaped."""
        from dicedocs.render.html import outcome_html

        return outcome_html(self)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        # How IPython shows what stands on a cell's last line, where it can show text alone.
        printer.text(str(self))

    def _repr_html_(self) -> str:
        from dicedocs.render.html import with_stylesheet

        return with_stylesheet(self.to_html())

    def _repr_latex_(self) -> str:
        from dicedocs.render.latex import outcome_latex

        return outcome_latex(self)

    def __str__(self) -> str:
        from dicedocs.render.text import outcome_text

        return outcome_text(self)

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({self.facts()})"

    def _key(self) -> tuple[object, ...]:
        record = self._record
        thrown = None if record is None else record.dice()
        return (self._facts, thrown, self.rule)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


# An outcome cannot be changed, so these two write past its __setattr__; twice as fast as object's.
_put_facts = vars(Outcome)["_facts"].__set__
_put_play = vars(Outcome)["_play"].__set__


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(param,))
class Mechanic:
    """A game rule: a class with fields, made by :func:`~dicedocs.rules.params.param`, and ``resolve``.

    ``class Save(Mechanic, id="my-game/save")`` registers the rule under that id; a class
    without an id is not registered. An instance is the rule with its parameters chosen.

    Raises:
        ParameterError: a parameter is unknown, missing, or has a value it cannot have.
        LimitError: the text of a parameter is too long.

    >>> class Save(Mechanic):
    ...     "Roll a d20 and add the modifier."
    ...     modifier: int = param(default=0, help="added to the d20")
    ...     class Result(Outcome):
    ...         total: int
    ...     def resolve(self, dice: Dice, say: Say) -> Result:
    ...         return self.Result(say.sum("Total", dice.roll(20), modifier=self.modifier))
    >>> from dicedocs.rules.dice import ScriptedDice
    >>> print(Save(modifier=3).play(ScriptedDice([14])))
    Dice: d20: 14
    Total: 14 + 3 (modifier) = 17
    """

    id: ClassVar[str] = ""
    """The id under which the mechanic is registered; empty when it is not."""

    _declared: ClassVar[Mapping[str, Param]] = MappingProxyType({})

    def __init_subclass__(cls, id: str = "") -> None:
        declared = dict(cls._declared)
        _refuse_untyped(cls, Param, "field")
        for name in _annotated(cls):
            given = cls.__dict__.get(name)
            if not isinstance(given, Param):
                raise TypeError(f"the field {name!r} of {cls.__qualname__} needs a param(...)")
            _refuse_name(name, "parameter", cls, Mechanic, RESERVED)
            declared[name] = given
        taken = sorted(name for name in vars(cls).keys() & vars(Mechanic).keys() - _OVERRIDDEN if name[0] != "_")
        if taken:
            raise TypeError(f"{cls.__qualname__} cannot have a {taken[0]!r} of its own: every mechanic has one")
        cls._declared = MappingProxyType(declared)
        cls.id = id
        if id:
            from dicedocs.rules.registry import register

            if not ID.fullmatch(id):
                raise TypeError(f"{id!r} is no id: write it like 'my-game/my-check', in lower case")
            register(cls)

    def __init__(self, /, **values: Any) -> None:
        parameters = type(self).parameters()
        for name in values:
            if name not in parameters:
                raise no_such_parameter(name, parameters, type(self).id)
        held = self.__dict__
        for name, field in parameters.items():
            given = values.get(name, MISSING)
            if given is not MISSING:
                held[name] = field.convert(given)
            elif field.required:
                raise ParameterError("a value is needed", hint=f"write {field.kind.expects}", parameter=name)
            else:
                held[name] = field.default
        self.validate()

    def validate(self) -> None:
        """Refuse what only all parameters together show to be wrong; a rule may override it.

        Raises:
            ParameterError: some parameters do not go together.
        """

    def resolve(self, dice: Dice, say: Say) -> Outcome:
        """Throw the dice, apply the rule, say what it does, and give the facts.

        A rule is a function of its parameters and its dice: it takes chance from nowhere else.
        """
        raise NotImplementedError

    def distribution(self, *facts: str) -> Distribution | None:
        """Give exact odds by other means than playing every answer of the dice; a rule may override it.

        Parameters:
            facts: the facts that are asked for, each of which there is.

        Returns:
            Their distribution, or ``None`` where playing is to be counted.
        """
        return None

    def play(self: Rule[R], dice: Dice) -> R:
        """Play the rule.

        Parameters:
            dice: where its faces come from.

        Returns:
            Its outcome, with the record of the dice.
        """
        return dice.begin(self)

    @classmethod
    def parameters(cls) -> Mapping[str, Param]:
        """Give the fields by name, in the order declared, with their types resolved.

        Raises:
            TypeError: a field has a type without a text form.
        """
        known: Mapping[str, Param] | None = cls.__dict__.get("_parameters")
        if known is None:
            hints = get_type_hints(cls, include_extras=True)
            known = MappingProxyType({name: field.named(name, hints[name]) for name, field in cls._declared.items()})
            cls._parameters = known
        return known

    _parameters: ClassVar[Mapping[str, Param]]

    @classmethod
    def result(cls) -> type[Outcome]:
        """Give the class of the outcomes, as ``resolve`` declares it.

        Raises:
            TypeError: it declares none.
        """
        known: type[Outcome] | None = cls.__dict__.get("_result")
        if known is not None:
            return known
        hint = (_lazily(cls.resolve) or cls.resolve.__annotations__).get("return")
        if isinstance(hint, str):
            # The other annotations of resolve may name what only a type checker imports.
            alone = type("Alone", (), {"__annotations__": {"return": hint}})
            hint = get_type_hints(alone, cls.resolve.__globals__, _names(cls))["return"]
        if not (isinstance(hint, type) and issubclass(hint, Outcome)):
            raise TypeError(f"{cls.__qualname__}.resolve must say which outcome it gives, as in -> Result")
        cls._result = hint
        return hint

    _result: ClassVar[type[Outcome]]

    @classmethod
    def fact_kinds(cls) -> Mapping[str, Kind]:
        """Give the kind of each declared fact, by name."""
        result = cls.result()
        hints = get_type_hints(result, localns=_names(cls), include_extras=True)
        return {name: kind_of(hints[name]) for name in result.facts_of}

    @classmethod
    def example(cls) -> Mechanic:
        """Give the rule with the example of each field."""
        return cls(**{name: field.example for name, field in cls.parameters().items()})

    def chosen(self) -> Iterator[tuple[Param, Any]]:
        """Give the fields that differ from their default, with their values."""
        for name, field in type(self).parameters().items():
            value = getattr(self, name)
            if field.required or value != field.default:
                yield field, value

    @cached_property
    def _key(self) -> tuple[object, ...]:
        return tuple(self.__dict__[name] for name in type(self)._declared)

    @cached_property
    def _hash(self) -> int:
        return hash((type(self).__qualname__, self._key))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a mechanic cannot be changed: make another with {name}={value!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a mechanic cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        return other is self or (type(other) is type(self) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = ", ".join(f"{field.name}={field.code(value)}" for field, value in self.chosen())
        return f"{type(self).__qualname__}({shown})"


def _annotated(cls: type) -> list[str]:
    """Give the names that a class itself annotates, class variables left out, in order."""
    own = getattr(cls, "__annotations__", {}) if "__annotations__" in vars(cls) else _lazily(cls)
    return [name for name, hint in own.items() if "ClassVar" not in str(hint)]


def _names(cls: type) -> dict[str, Any]:
    """Give what a class and its bases hold, which annotations within them may name."""
    return {name: held for base in reversed(cls.__mro__) for name, held in vars(base).items()}


def _lazily(owner: object) -> Mapping[str, object]:
    """Give annotations that Python 3.14 has not evaluated yet."""
    try:
        import annotationlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return {}
    own: Mapping[str, object] = annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF)
    return own


def _refuse_untyped(cls: type, made: type, what: str) -> None:
    for name in vars(cls).keys() - set(_annotated(cls)):
        if isinstance(vars(cls)[name], made):
            raise TypeError(f"the {what} {name!r} of {cls.__qualname__} needs a type")


def _value_in(held: object, name: str, inner: str) -> Any:
    """Give one value of a fact or a parameter that holds several."""
    fields = getattr(held, "_fields", ())
    if inner in fields:
        return getattr(held, inner)
    if isinstance(held, Mapping) and inner in held:
        return held[inner]
    if isinstance(held, tuple) and not fields:
        if inner.isascii() and inner.isdigit() and len(inner) <= limits.DIGITS.maximum and 0 < int(inner) <= len(held):
            return held[int(inner) - 1]
        raise ParameterError(f"{quoted(name)} has no {quoted(inner)}", hint=f"it has {len(held)}, counted from 1")
    known = held if isinstance(held, Mapping) else fields
    raise ParameterError(f"{quoted(name)} has no {quoted(inner)}", hint=near(inner, known))


def _refuse_name(name: str, what: str, cls: type, base: type, reserved: set[str] | frozenset[str]) -> None:
    if name in reserved or hasattr(base, name) or name.startswith("_"):
        raise TypeError(f"{cls.__qualname__} cannot have a {what} called {name!r}: the name is taken")
