"""A game rule as a class.

Its fields are what a player chooses; its method ``resolve`` throws the dice, applies the rule and
returns an :class:`~dicedocs.rules.outcome.Outcome`, which holds the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, dataclass_transform

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.rules.annotations import (
    annotated_names,
    check_annotated,
    check_name,
    kind_of,
    return_type,
    types_of,
)
from dicedocs.rules.dice import Dice, Rule
from dicedocs.rules.kinds import Kind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING, Param, no_such_parameter, param
from dicedocs.rules.reserved import RESERVED
from dicedocs.rules.steps import Say
from dicedocs.similar_words import is_near

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

R = TypeVar("R", bound=Outcome)
M = TypeVar("M", bound="Mechanic")

ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""A mechanic's id: the system, a slash, the mechanic."""
_VARARGS: Final = 0x04
_LATER: Final = 0x20 | 0x80 | 0x200
"""The flags of code that takes any number of arguments, and of generators and coroutines: those of ``inspect``, which
takes long to import."""
_ARGUMENTS: Final = 3
"""Those of ``resolve``, with ``self``."""
_OVERRIDABLE: Final = frozenset({"resolve", "validate", "distribution", "doubt"})
"""The methods of :class:`Mechanic` that a rule may override."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(param,))
class Mechanic:
    """A game rule: a class with fields, declared by :func:`~dicedocs.rules.params.param`, and ``resolve``.

    ``class Save(Mechanic, id="my-game/save")`` registers the rule under that id; a class
    without an id is not registered. An instance is the rule with its parameters chosen.

    Raises:
        ParameterError: a parameter is unknown, missing or invalid.
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
    """The id under which the mechanic is registered; empty when it is not registered."""

    _declared: ClassVar[Mapping[str, Param]] = MappingProxyType({})

    def __init_subclass__(cls, id: str = "") -> None:
        declared = dict(cls._declared)
        check_annotated(cls, Param, "field")
        for name in annotated_names(cls):
            field = cls.__dict__.get(name)
            if not isinstance(field, Param):
                raise TypeError(f"the field {name!r} of {cls.__qualname__} needs a param(...)")
            check_name(name, "parameter", cls, Mechanic, RESERVED)
            declared[name] = field
        if id and "__init__" in vars(cls):
            hint = "leave it out, Mechanic has one; write validate(self) to check parameters together"
            raise TypeError(f"{cls.__qualname__} has an __init__ of its own; {hint}")
        _check_resolve(cls)
        taken = sorted(name for name in vars(cls).keys() & vars(Mechanic).keys() - _OVERRIDABLE if name[0] != "_")
        if taken:
            raise TypeError(f"{cls.__qualname__} cannot override {taken[0]!r} of Mechanic")
        cls._declared = MappingProxyType(declared)
        cls.id = id
        if id:
            from dicedocs.rules.registry import register

            if not ID.fullmatch(id):
                raise TypeError(f"{id!r} is not an id: write it like 'my-game/my-check', in lower case")
            register(cls)

    def __init__(self, /, **values: Any) -> None:
        parameters = type(self).parameters()
        for name in values:
            if name not in parameters:
                raise no_such_parameter(name, parameters, type(self).id)
        fields = self.__dict__
        for name, field in parameters.items():
            value = values.get(name, MISSING)
            if value is not MISSING:
                fields[name] = field.convert(value)
            elif field.required:
                raise ParameterError("a value is needed", hint=f"write {field.kind.expects}", parameter=name)
            else:
                fields[name] = field.default
        self.validate()

    def validate(self) -> None:
        """Check the parameters together; a rule may override it.

        Raises:
            ParameterError: some parameters contradict each other.
        """

    def resolve(self, dice: Dice, say: Say) -> Outcome:
        """Throw the dice, apply the rule, say what it does, and return the facts.

        A rule is a function of its parameters and its dice: the dice are its only source of chance.
        """
        raise NotImplementedError(no_resolve(type(self)))

    def distribution(self, *facts: str) -> Distribution | None:
        """Compute exact odds without enumerating the dice; a rule may override it.

        Parameters:
            facts: the names of declared facts.

        Returns:
            Their joint distribution, or ``None`` to have the rule enumerated.
        """
        return None

    def doubt(self) -> DiceError | None:
        """Return what its author may not have meant, as an error with a hint; ``None`` for nothing.

        A page reports it, and the command line notes it; from Python the rule is played as it is. A rule may override
        it.
        """
        return None

    def play(self: Rule[R], dice: Dice) -> R:
        """Play the rule.

        Parameters:
            dice: the source of its faces.

        Returns:
            The outcome, with the record of the dice.
        """
        try:
            begin = dice.begin
        except Exception:  # noqa: BLE001  # the attributes of what is not dice may raise anything
            hint = "give a source of faces, such as SeededDice(7)"
            raise ParameterError(f"{quoted(dice)} is not dice", hint=hint, parameter="dice") from None
        return begin(self)

    @classmethod
    def parameters(cls) -> Mapping[str, Param]:
        """Return the fields by name, in the order declared.

        Raises:
            TypeError: the type of a field has no text form.
        """
        fields: Mapping[str, Param] | None = cls.__dict__.get("_parameters")
        if fields is None:
            hints = types_of(cls, cls._declared, cls)
            fields = MappingProxyType({name: field.bind(name, hints[name]) for name, field in cls._declared.items()})
            cls._parameters = fields
            cls._choices = tuple(name for name, field in fields.items() if field.kind.undecided)
        return fields

    _parameters: ClassVar[Mapping[str, Param]]
    _choices: ClassVar[tuple[str, ...]] = ()
    """The fields that a player chooses in play."""

    @classmethod
    def result(cls) -> type[Outcome]:
        """Return the class of the outcomes, which is the return type of ``resolve``.

        Raises:
            TypeError: ``resolve`` has no return type.
        """
        result: type[Outcome] | None = cls.__dict__.get("_result")
        if result is None:
            if cls.resolve is Mechanic.resolve:
                raise TypeError(no_resolve(cls))
            hint = return_type(cls, cls.resolve)
            if not (isinstance(hint, type) and issubclass(hint, Outcome)):
                raise TypeError(f"{cls.__qualname__}.resolve needs a return type that is an Outcome, as in -> Result")
            result = cls._result = hint
        return result

    _result: ClassVar[type[Outcome]]

    @classmethod
    def fact_kinds(cls) -> Mapping[str, Kind]:
        """Return the kind of each declared fact, by name.

        Raises:
            TypeError: the type of a fact has no text form.
        """
        found: Mapping[str, Kind] | None = cls.__dict__.get("_fact_kinds")
        if found is None:
            result, kinds = cls.result(), dict[str, Kind]()
            hints = types_of(result, result.facts_of, cls)
            for name in result.facts_of:
                try:
                    kinds[name] = kind_of(hints[name])
                except TypeError as error:
                    raise TypeError(f"the fact {name!r}: {error}") from None
            found = cls._fact_kinds = MappingProxyType(kinds)
        return found

    _fact_kinds: ClassVar[Mapping[str, Kind]]

    @classmethod
    def example(cls) -> Mechanic:
        """Return the rule with the example value of each field."""
        return cls(**{name: field.example for name, field in cls.parameters().items()})

    def chosen(self) -> Iterator[tuple[Param, Any]]:
        """Yield the fields that differ from their default, with their values."""
        for name, field in type(self).parameters().items():
            value = getattr(self, name)
            if field.required or value != field.default:
                yield field, value

    def _key(self) -> tuple[object, ...]:
        return tuple([self.__dict__[name] for name in type(self)._declared])

    def __setattr__(self, name: str, value: object) -> None:
        if type(self).__init__ is not Mechanic.__init__:
            message = f"{type(self).__qualname__} has an __init__ that is not Mechanic's"
            raise AttributeError(f"{message}; leave @dataclass and __init__ out")
        raise AttributeError(f"a mechanic cannot be changed: make another with {name}={value!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a mechanic cannot be changed: {name}")

    def __getstate__(self) -> dict[str, object]:
        # Without what a game computed from the parameters and keeps.
        return {name: self.__dict__[name] for name in type(self)._declared}

    def __eq__(self, other: object) -> bool:
        return other is self or (type(other) is type(self) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((type(self).__qualname__, self._key()))

    def __repr__(self) -> str:
        arguments = ", ".join(f"{field.name}={field.code(value)}" for field, value in self.chosen())
        return f"{type(self).__qualname__}({arguments})"


def _check_resolve(rule: type[Mechanic]) -> None:
    """Raise a ``TypeError`` if the attribute ``resolve`` of a class cannot be the method that it should be."""
    resolve = vars(rule).get("resolve", Mechanic.resolve)
    cause = ""
    if not callable(resolve):
        cause = "is not a method; leave out @property and whatever else is above it"
    elif isinstance(resolve, FunctionType):
        code = resolve.__code__
        if code.co_flags & _LATER:
            cause = "does not return its outcome at once; leave out async and yield"
        elif not code.co_flags & _VARARGS and code.co_argcount != _ARGUMENTS:
            cause = "takes the rule itself, the dice and what says the steps; name all three"
    if cause:
        raise TypeError(f"{rule.__qualname__}.resolve {cause}: def resolve(self, dice: Dice, say: Say) -> Result")


def rule_with(rule: M, values: Mapping[str, object]) -> M:
    """Return a rule with some other parameters."""
    return type(rule)(**{**{name: getattr(rule, name) for name in type(rule).parameters()}, **values})


def no_resolve(rule: type[Mechanic]) -> str:
    """Return the message about a mechanic without a method ``resolve``, with one whose name is similar."""
    own = [name for name, value in vars(rule).items() if isinstance(value, FunctionType) and name[0] != "_"]
    hint = next((f"write resolve instead of {quoted(name)}" for name in own if is_near(name, "resolve")), "")
    return f"{rule.__qualname__} has no method resolve; {hint or 'write def resolve(self, dice, say), the rule itself'}"
