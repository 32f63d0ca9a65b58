"""The outcome of a rule: its facts, and the dice and the rule they came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, dataclass_transform

from dicedocs import limits
from dicedocs.errors import ParameterError, is_text, listed, quoted
from dicedocs.rules.annotations import annotated_names, check_annotated, check_name
from dicedocs.rules.kinds import as_line, spaced
from dicedocs.rules.record import Die, Record
from dicedocs.rules.reserved import RESERVED
from dicedocs.rules.steps import RecordingSay, Step
from dicedocs.rules.yes_and_no import truth_words
from dicedocs.similar_words import near

READ_FROM_DICE: Final = ("dice", "dropped", "scratched")
"""The facts of every outcome that are read from the record of its dice, in the order thrown."""

STEPS: Final = "steps"
"""The beginning of a path to the value of a step."""


Table = Mapping[int | None, object]
"""What each number from a bound on means; the row ``None`` is for all lower numbers."""
Bands = Table | Callable[[Any], Table | None]
"""A table, or a function of the mechanic that returns one."""
_MEANINGS: Final = ("success", "partial", "failure")
ADDS: Final = "adds"
"""The ``verdict`` of a fact that adds to the verdict of another one."""
VerdictOf = Literal[True, False, "adds"] | Mapping[Any, Literal["success", "partial", "failure"]]
"""That a fact is the verdict, that it adds to another one, or what its values mean."""
Needed = str | Callable[[Any], str]
"""What a number had to be, with ``{target}`` for its target, or a function of the outcome that returns that."""


class Fact:
    """A declared fact of an outcome, made by :func:`fact`.

    Attributes:
        name: its name.
        help: what it means, in a few words.
        label: its name for a reader.
        verdict: whether it is the verdict, or what its values mean for whoever rolled; ``None`` if it is not.
        against: the name of the fact or the parameter that its number is compared with; may be empty.
        bands: what its numbers mean: a table, or a function of the mechanic; see :meth:`bands_for`.
        needed: how it is compared, in the words of the game.
        repeats: the name of a fact beside which it tells nothing where both are equal; may be empty.
        result: whether it is declared as part of the result.
        missed: the verdict where it is the verdict, and false; empty for the label and "no".
        words: what sentences say where it is true, and where it is false; empty for "yes" and "no".
    """

    name: str
    help: str
    label: str
    bands: Bands | None
    verdict: VerdictOf | None
    against: str
    needed: Needed
    repeats: str
    result: bool
    missed: str
    words: tuple[str, str] | tuple[()]

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        vars(self).update(arguments)
        bands, verdict, needed, missed = self.bands, self.verdict, self.needed, self.missed
        if bands is not None and not (isinstance(bands, Mapping) or callable(bands)):
            raise TypeError(f"{quoted(bands)} are not bands: give a table by numbers, or a function that returns it")
        meanings = verdict.values() if isinstance(verdict, Mapping) else ()
        if not (verdict in {None, True, False, ADDS} if not meanings else all(each in _MEANINGS for each in meanings)):
            hint = f"give True, False, {quoted(ADDS)}, or {listed(_MEANINGS)} for each of its values"
            raise TypeError(f"{quoted(verdict)} is not a verdict: {hint}")
        if not (is_text(needed) or callable(needed)):
            raise TypeError(
                f"{quoted(needed)} is not text: give what the number must be, as in 'needed {{target}} or less'"
            )
        if not is_text(missed):
            raise TypeError(f"{quoted(missed)} is not text: give the verdict where the fact is false")
        self.words = truth_words(self.words)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.label = self.label or spaced(name).capitalize()

    def bands_for(self, rule: Any) -> Table | None:
        """Return what each number from a bound on means, as a table of ``Say.look_up``; ``None`` without bands.

        Parameters:
            rule: the mechanic with its parameters; ``None`` for an outcome made by hand.
        """
        if not callable(self.bands):
            return self.bands
        return None if rule is None else self.bands(rule)

    def reader(self, index: int) -> property:
        """Return the property that reads the fact from an outcome's values."""

        def read(outcome: Outcome) -> Any:
            return outcome._facts[index]

        return property(read, doc=self.help)


def fact(
    *,
    help: str = "",
    label: str = "",
    bands: Bands | None = None,
    verdict: VerdictOf | None = None,
    against: str = "",
    repeats: str = "",
    result: bool = False,
    needed: Needed = "",
    missed: str = "",
    words: tuple[str, str] | tuple[()] = (),
) -> Any:
    """Declare a fact that needs more than a type.

    Parameters:
        help: what it means, in a few words.
        label: its name for a reader; made from the fact's name by default.
        bands: what its numbers mean, as a table of ``Say.look_up``, ``{None: "failure", 13: "success"}``, or a function
            of the mechanic that returns one, or ``None`` if its parameters leave none. Without it the bands are those
            of a number that the rule compares or looks up.
        verdict: ``True`` if the fact is what the outcome comes to: true or a text is a success. For a fact with several
            values, what they are: ``{"hit": "success", "graze": "partial", "miss": "failure"}``, which goes before
            other facts. ``"adds"`` if it adds to the verdict where it is true, as a critical does.
            ``False`` if it is none, though it is the first fact, and true or false.
        against: the name of the fact or the parameter that this number has to reach: ``14 vs 12``.
        repeats: the name of a fact; beside it, this one is left out of a panel where both are equal.
        result: whether it is part of what an example expects that a panel or ``dicedocs accept`` writes; without any
            such fact all facts are.
        needed: with ``against``, how the number is compared with its target, in the words of the game:
            ``"needed {target} or less"``, or a function of the outcome that returns this, or an empty text for none.
        missed: what a fact that is the verdict comes to where it is false, such as ``"Threshold missed"``.
        words: what a sentence says of a fact that is true or false: first where it is true, then where it is false,
            ``("a critical hit", "an ordinary hit")``. Without them it says yes or no.

    >>> class Climb(Outcome):
    ...     height: int = fact(against="wall")
    ...     up: bool = fact(verdict=True, label="Over the wall")
    >>> Climb.facts_of["up"].verdict
    True
    """
    return Fact(locals())


_Play = tuple[Any, Record | None, tuple[Step, ...] | None]
"""The rule of an outcome, the record of its dice, and its steps once they were asked for; a quickly made tuple."""
_UNPLAYED: Final[_Play] = (None, None, None)


@dataclass_transform(frozen_default=True, field_specifiers=(fact,))
class Outcome:
    """The result of a mechanic: an immutable object with the facts as typed fields.

    A subclass annotates its facts, the most important one first. Two outcomes are equal when their
    facts, dice and rules are.

    >>> class Result(Outcome):
    ...     total: int
    ...     triggered: bool | None
    >>> Result(13, triggered=None).facts("total", "triggered")
    'total=13, triggered=none'
    """

    __slots__ = ("_facts", "_play")

    facts_of: ClassVar[Mapping[str, Fact]] = MappingProxyType({})
    """The declared facts by name, in order."""
    main_fact: ClassVar[str] = ""
    """The fact that is meant where none is named: the first one, unless a class says another; empty without facts."""
    read_from_dice: ClassVar[tuple[str, ...]] = READ_FROM_DICE
    """The facts that are read from the record of the dice where somebody asks for them."""

    _facts: tuple[Any, ...]
    _play: _Play

    def __init_subclass__(cls) -> None:
        declared: dict[str, Fact] = dict(cls.facts_of)
        check_annotated(cls, Fact, "fact")
        for name in annotated_names(cls):
            check_name(name, "fact", cls, Outcome, {*READ_FROM_DICE, *RESERVED})
            declaration = cls.__dict__.get(name)
            if declaration is None:
                declaration = fact()
                declaration.__set_name__(cls, name)
            elif not isinstance(declaration, Fact):
                raise TypeError(f"the fact {name!r} of {cls.__qualname__} cannot have a default")
            declared[name] = declaration
            setattr(cls, name, declaration.reader(list(declared).index(name)))
        cls.facts_of = MappingProxyType(declared)
        cls.main_fact = cls.main_fact or next(iter(declared), "")

    def __init__(self, /, *facts: Any, **named: Any) -> None:
        if named or len(facts) != len(self.facts_of):
            facts = self._bind(facts, named)
        _set_facts(self, facts)

    def _bind(self, facts: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        values = dict(zip(self.facts_of, facts, strict=False)) | dict(named)
        wrong = len(facts) > len(self.facts_of) or len(values) < len(facts) + len(named)
        if wrong or values.keys() != self.facts_of.keys():
            names = listed(self.facts_of, "and") if self.facts_of else "no facts"
            raise TypeError(f"{type(self).__qualname__} takes {names}, each once")
        return tuple(values[name] for name in self.facts_of)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an outcome cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an outcome cannot be changed: {name}")

    # A copy, and what is unpickled, records its steps again.

    def __getstate__(self) -> tuple[tuple[Any, ...], Any, Record | None]:
        return self._facts, self.rule, self._record

    def __setstate__(self, state: tuple[tuple[Any, ...], Any, Record | None]) -> None:
        facts, rule, record = state
        _set_facts(self, facts)
        attach(self, rule, record)

    @property
    def rule(self) -> Any:
        """The mechanic, with its parameters, that was played; ``None`` for an outcome made by hand."""
        return getattr(self, "_play", _UNPLAYED)[0]

    @property
    def _record(self) -> Record | None:
        return getattr(self, "_play", _UNPLAYED)[1]

    def _require_record(self) -> Record:
        record = self._record
        if record is None:
            raise RuntimeError("this outcome has no dice: a rule reads only the facts of what it plays")
        return record

    @property
    def thrown(self) -> tuple[Die, ...]:
        """Every die in the order thrown, with its final state."""
        return self._require_record().dice()

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces in the order thrown."""
        return tuple(self._require_record().faces)

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
        """The main fact."""
        return getattr(self, self.main_fact) if self.main_fact else None

    def fact(self, name: str) -> Any:
        """Return the value of a fact.

        Parameters:
            name: a declared fact, or one that is read from the dice: ``dice``, ``dropped``, ``scratched``.

        Raises:
            ParameterError: there is no such fact.
        """
        if is_text(name) and (name in self.facts_of or name in self.read_from_dice):
            return getattr(self, name)
        known = [*self.facts_of, *self.read_from_dice]
        raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, known))

    def facts(self, *names: str) -> str:
        """Return facts as canonical one-line text, in the order of the names; all declared facts by default.

        Each run of white space in a text becomes one space.

        Raises:
            ParameterError: there is no such fact.
        """
        values = [(name, self.fact(name)) for name in names or self.facts_of]
        return ", ".join(f"{name}={as_line(value)}" for name, value in values)

    def look_up(self, path: str) -> Any:
        """Return what a document may refer to: a fact, a die, a parameter, a value of a parameter, or a step's value.

        Parameters:
            path: a fact, such as ``total``, or else a parameter, such as ``skill``. After a point,
                one value of a collection: ``dice.1`` (from 1), ``actor.Strength``, the field of a record.
                ``steps.`` and the label of a step, such as ``steps.Target number``, is the value of the first such
                step.

        Raises:
            ParameterError: nothing has that name.
        """
        from dicedocs.rules.mechanic import Mechanic

        parameters = type(self.rule).parameters() if isinstance(self.rule, Mechanic) else {}
        facts = [*self.facts_of, *self.read_from_dice]
        if not is_text(path):
            hint = "give its name, such as 'total' or 'dice.1'"
            raise ParameterError(f"{quoted(path)} is not the name of a fact", hint=hint)
        name, dot, key = path.partition(".")
        if name == STEPS and dot and name not in parameters:
            return self._step_value(" ".join(key.split()))
        if name not in facts and name not in parameters:
            raise ParameterError(f"there is no fact {quoted(path)}", hint=near(path, [*facts, *parameters]))
        value = getattr(self if name in facts else self.rule, name)
        return _item(value, name, " ".join(key.split())) if dot else value

    def _step_value(self, label: str) -> Any:
        values: dict[str, Any] = {}
        left = list(self.steps())
        while left:
            step = left.pop(0)
            left[:0] = step.steps
            if step.value is not None:
                values.setdefault(step.label, step.value)
        if label not in values:
            raise ParameterError(f"the working has no step {quoted(label)}", hint=near(label, list(values)))
        return values[label]

    def steps(self) -> tuple[Step, ...]:
        """Return the working: ``resolve`` runs again, once, with the recorded faces while its steps are recorded.

        Raises:
            RuntimeError: the rule then returns another outcome, so it is not a function of its dice.
        """
        from dicedocs.rules.replay import Replay

        rule, record, steps = getattr(self, "_play", _UNPLAYED)
        if record is None:
            raise RuntimeError("an outcome that was not played has no working")
        if steps is not None:
            return steps
        say = RecordingSay()
        replay = Replay(record, say)
        again = rule.resolve(replay, say)
        name = type(rule).__qualname__
        if again._facts != self._facts:
            message = f"{name} gives {again.facts()} while its steps are recorded, not {self.facts()}"
            raise RuntimeError(f"{message}; {ONLY_DICE}")
        if not replay.matches():
            raise RuntimeError(f"{name} throws or marks other dice while its steps are recorded; {ONLY_DICE}")
        steps = tuple(say.steps)
        _set_play(self, (rule, record, steps))
        return steps

    def to_json(self, indent: int | None = None) -> str:
        """Return the outcome as JSON; :mod:`dicedocs.render.json_data` documents the schema."""
        from dicedocs.render.json_data import outcome_json

        return outcome_json(self, indent)

    def to_html(self) -> str:
        """Return the outcome as escaped HTML: dice, working and result."""
        from dicedocs.render.html import outcome_html

        return outcome_html(self)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        # IPython calls this where it can show text alone.
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
        return (self._facts, self._record, self.rule)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


# An outcome refuses assignment; the slots themselves write past it, twice as fast as object.__setattr__.
_set_facts = vars(Outcome)["_facts"].__set__
_set_play = vars(Outcome)["_play"].__set__

ONLY_DICE: Final = "throw with the dice that it is given, and keep nothing between two plays"
"""What to do about a rule whose result does not depend on its parameters and its dice alone."""

# Functions, not methods: a public method would take its name from the facts that an outcome can have.
fact_values: Callable[[Outcome], tuple[Any, ...]] = attrgetter("_facts")
"""Return the values of the declared facts, in order."""


def attach(outcome: Outcome, rule: object, record: Record | None = None) -> None:
    """Set the rule and the dice of an outcome that was just played; a ``TypeError`` if a rule returned none."""
    try:
        _set_play(outcome, (rule, record, None))
    except TypeError:
        raise not_an_outcome(rule, outcome) from None


def not_an_outcome(rule: object, returned: object) -> TypeError:
    """Return the error for a rule that returned something else than an outcome."""
    name = f"{type(rule).__qualname__}.resolve"
    if returned is None:
        return TypeError(f"{name} returned nothing; write return before its outcome")
    return TypeError(f"{name} returned {quoted(returned)}, which is not an Outcome; write return self.Result(...)")


def _item(value: object, name: str, key: str) -> Any:
    """Return one value of a fact or a parameter that has several."""
    fields = getattr(value, "_fields", ())
    if key in fields:
        return getattr(value, key)
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, tuple) and not fields:
        if key.isascii() and key.isdigit() and len(key) <= limits.DIGITS.maximum and 0 < int(key) <= len(value):
            return value[int(key) - 1]
        raise ParameterError(f"{quoted(name)} has no {quoted(key)}", hint=f"it has {len(value)}, counted from 1")
    known = value if isinstance(value, Mapping) else fields
    raise ParameterError(f"{quoted(name)} has no {quoted(key)}", hint=near(key, known))
