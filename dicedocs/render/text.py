"""An outcome as text: its working line by line, and the facts of its result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple

from dicedocs.errors import LimitError, ParameterError, is_text, quoted
from dicedocs.render.sentences import Sentence, sentence, step_label
from dicedocs.render.words import clean, display_text, is_list, labelled
from dicedocs.rules.example import parse_facts
from dicedocs.rules.kinds import ListKind, as_line, as_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.record import Die
from dicedocs.rules.record_kind import RowsKind
from dicedocs.rules.resources import Resources
from dicedocs.rules.steps import Step
from dicedocs.translation import display_in, game_words, word
from dicedocs.translation import gettext as _

_MAX_FACES: Final = 20
"""The most faces that a roll in a sentence shows."""
_ZERO_TERM: Final = re.compile(r" [-+] 0(?![\w.])(?!\s*[*/%])")
"""A zero that is added or subtracted."""
_AFTER: Final = "after the step "
_ACTOR: Final = "actor"
_TARGET: Final = "target"
"""The parameters that hold who rolls, and against whom."""


class Row(NamedTuple):
    """A line of the working.

    Parameters:
        label: the subject of the step.
        said: what the step did; empty above the lines of a nested mechanic.
        depth: how many mechanics it is nested in.
        idle: whether the step changed nothing, so that it may be left out.
    """

    label: str
    said: Sentence
    depth: int = 0
    idle: bool = False

    @property
    def text(self) -> str:
        """What the step did, with the arithmetic of a rewriting."""
        return str(self.said)

    def __str__(self) -> str:
        return "  " * self.depth + (labelled(self.label, self.text) if self.text else before_value(self.label))


def before_value(label: str) -> str:
    """Return a label with the colon before what stands beside it.

    >>> before_value("Total")
    'Total:'
    """
    return _("{label}:").format(label=label)


def rows(steps: Iterable[Step], depth: int = 0) -> list[Row]:
    """Return the lines of the working; those of a nested mechanic follow its label, one level deeper.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> triggered = say.compare("Threshold", 13, ">=", 13)
    >>> [(row.label, row.text, row.depth) for row in rows(say.steps)]
    [('Threshold', '13 >= 13: yes', 0)]
    """
    lines = []
    for step in steps:
        lines.append(Row(step_label(step), sentence(step), depth, is_idle(step)))
        lines += rows(step.steps, depth + 1)
    return lines


def is_idle(step: Step) -> bool:
    """Return whether a step changed nothing; a nested mechanic is idle if all its steps are."""
    return step.idle or (step.verb == "play" and all(map(is_idle, step.steps)))


def thrown_dice(outcome: Outcome) -> tuple[Die, ...] | None:
    """Return the dice of an outcome; ``None`` if it has no record: made by hand, or played within another rule."""
    try:
        return outcome.thrown
    except RuntimeError:
        return None


def was_played(outcome: Outcome) -> bool:
    """Return whether an outcome has a record of its dice, without making a list of them."""
    try:
        _ = outcome.dice
    except RuntimeError:
        return False
    return True


def outcome_text(outcome: Outcome, steps: Sequence[Step] | None = None) -> str:
    """Return the working of an outcome, a line for each step that changed something.

    Without such a step it is the result; without a record of its dice, all facts.

    Parameters:
        steps: the steps of the outcome, if the caller has them.

    Raises:
        RuntimeError: the rule is not a function of its dice.
    """
    with game_words(outcome.rule):
        if steps is None and not was_played(outcome):
            return _result_text(outcome, tuple(outcome.facts_of))
        lines = rows(outcome.steps() if steps is None else steps)
        return "\n".join(str(line) for line in lines if not line.idle) or _result_text(outcome)


def _result_text(outcome: Outcome, names: Sequence[str] = ()) -> str:
    return "\n".join(labelled(label, text) for label, text in result(outcome, names))


class Origin(NamedTuple):
    """What a parameter, or a part of it, was taken from: a character, or another example.

    Parameters:
        name: the name of the character or the example for a reader.
        value: the name of the value that was taken; empty if all were.
        url: its address on a page; empty for none.
        character: whether it was taken from a character.
        alone: whether the parameter is all of this value, so that another character may have another one.
    """

    name: str
    value: str = ""
    url: str = ""
    character: bool = True
    alone: bool = True

    def __str__(self) -> str:
        return clean(f"{self.name}: {self.value}" if self.value else self.name)


class Choice(NamedTuple):
    """A parameter that is shown.

    Parameters:
        name: the name that people type.
        label: its name for a reader.
        text: its value.
        notation: whether the text is notation, not words.
        origins: what it was taken from, if anything.
        on: whether it is switched on, which its label says alone.
        asked: whether it says what the player chose when asked in play.
    """

    name: str
    label: str
    text: str
    notation: bool = False
    origins: Sequence[Origin] = ()
    on: bool = False
    asked: bool = False

    @property
    def stands_alone(self) -> bool:
        """Whether the name of a character stands for all of the value."""
        return [(each.value, each.character, each.alone) for each in self.origins] == [("", True, True)]

    def __str__(self) -> str:
        if self.stands_alone:
            return str(self.origins[0])
        return f"{self.text} ({'; '.join(map(str, self.origins))})" if self.origins else self.text


def chosen_parameters(
    outcome: Outcome, written: Mapping[str, Sequence[Origin]] = MappingProxyType({}), drawn: Collection[str] = ()
) -> list[Choice]:
    """Return the parameters that differ from their defaults or were written; no choice that was not made.

    Parameters:
        outcome: the outcome.
        written: the parameters that were written, each with what it was taken from.
        drawn: the parameters that are left out, since they are drawn.

    >>> import dicedocs as dd
    >>> shot = dd.roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3])
    >>> [(choice.label, str(choice)) for choice in chosen_parameters(shot, {"actor": [Origin("Renna")]})]
    [('Notation', '1d6 + [Strength]'), ('Actor', 'Renna')]
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic):
        return []
    chosen = {field.name for field, _value in rule.chosen()}
    fields = type(rule).parameters()
    asks = {name: field.kind.undecided for name, field in fields.items() if field.kind.undecided}
    unmade = {name for name, undecided in asks.items() if str(getattr(rule, name)) == undecided}
    with game_words(rule):
        return [
            Choice(
                name,
                parameter_label(field),
                _without_zeros(parameter_text(field, getattr(rule, name)), written.get(name, ())),
                isinstance(field.kind, NotationKind),
                written.get(name, ()),
                getattr(rule, name) is True and not written.get(name),
                name in asks,
            )
            for name, field in fields.items()
            if name not in {*drawn, *unmade} and (name in chosen or name in written)
        ]


class Participant(NamedTuple):
    """A character who takes part in a roll.

    Parameters:
        name: the name for a reader.
        url: the address on a page; empty for none.
        values: the names of the values that go into the roll; none need be known of the target.
        target: whether the roll is against this character.
    """

    name: str
    url: str
    values: Sequence[str] = ()
    target: bool = False


def participants(
    outcome: Outcome, written: Mapping[str, Sequence[Origin]], drawn: Collection[str] = ()
) -> list[Participant]:
    """Return the characters who take part in a roll: first who rolls, and last against whom.

    Parameters:
        outcome: the outcome.
        written: the parameters that were written, each with what it was taken from.
        drawn: the parameters whose values are left out, since they are drawn.

    >>> import dicedocs as dd
    >>> bite = dd.roll("1d20 + [Attack] - [Target Luck]", actor={"Attack": 4}, target={"Luck": 1}, dice=[7])
    >>> written = {"target": [Origin("Asa")], "actor": [Origin("The river king")]}
    >>> [(each.name, each.values, each.target) for each in participants(bite, written)]
    [('The river king', ['Attack'], False), ('Asa', [], True)]
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic):
        return []
    values: dict[tuple[str, str], list[str]] = {}
    whole: dict[tuple[str, str], str] = {}
    for parameter in sorted(written, key=lambda name: name != _ACTOR):
        for origin in written[parameter]:
            if origin.character:
                key = clean(origin.name), origin.url
                taken = values.setdefault(key, [])
                if not origin.value:
                    whole.setdefault(key, parameter)
                elif origin.value not in taken and parameter not in drawn:
                    taken.append(origin.value)
    found = [
        Participant(*key, taken or (_names_read(rule) if whole.get(key) == _ACTOR else []), whole.get(key) == _TARGET)
        for key, taken in values.items()
    ]
    return sorted(found, key=lambda each: each.target)


def against_whom() -> str:
    """Return the words about the target of a roll, with a placeholder for the name."""
    return _("against {character}")


def _names_read(rule: Mechanic) -> list[str]:
    """Return the values of the actor that the notation of a rule names, in the order of the text."""
    notations = (
        getattr(rule, name) for name, field in type(rule).parameters().items() if isinstance(field.kind, NotationKind)
    )
    text = " ".join(filter(is_text, notations))
    places = {name: text.find(f"[{name}]") for name in getattr(rule, _ACTOR)}
    return sorted((name for name, place in places.items() if place >= 0), key=places.__getitem__)


def _without_zeros(text: str, origins: Sequence[Origin]) -> str:
    """Return a value without the terms that add nothing just now, if it was taken from elsewhere.

    >>> _without_zeros("1d20 + 3 + 0 >= 13 - 0", [Origin("Planks")]), _without_zeros("1d20 + 0 * 2", [Origin("Planks")])
    ('1d20 + 3 >= 13', '1d20 + 0 * 2')
    """
    return _ZERO_TERM.sub("", text) if origins else text


def parameter_label(field: Param) -> str:
    """Return the label of a parameter, which says so if the player is asked for it in play.

    >>> from dicedocs import Decision, param
    >>> parameter_label(param(label="Push yourself").bind("push", Decision))
    'Choice: Push yourself'
    """
    label = clean(word(field.label))
    return _("Choice: {label}").format(label=label) if field.kind.undecided else label


def question(label: str, ways: Iterable[object] = ()) -> str:
    """Return what a player is asked, perhaps with what can be chosen.

    >>> question("Push"), question("Push", [False, True])
    ('Push?', 'Push? no, yes')
    """
    asked, listed = _("{choice}?").format(choice=clean(word(label))), ", ".join(map(display_text, ways))
    return f"{asked} {listed}" if listed else asked


def parameter_phrase(field: Param, value: object, label: str = "") -> str:
    """Return a parameter with its value, as the head of a column has it.

    Parameters:
        field: the parameter.
        value: its value.
        label: its name for a reader; by default that of the field.

    >>> from dicedocs.rules.registry import mechanic
    >>> action = mechanic("dungeoneers/action-roll").parameters()
    >>> [parameter_phrase(action["fight"], value) for value in (True, False)], parameter_phrase(action["stat"], 4)
    (['Fight', 'Fight: no'], 'Stat 4')
    """
    label = label or clean(word(field.label))
    if value is True:
        return label
    text = parameter_text(field, value)
    return labelled(label, text) if value is False else f"{label} {text}"


def parameter_text(field: Param, value: object) -> str:
    """Return the value of a parameter as a reader sees it: what its author writes, but in words.

    >>> from dicedocs.rules.registry import mechanic
    >>> parameter_text(mechanic("dice/roll").parameters()["actor"], Resources({"Aim": 2, "Arrows": 7}))
    'Aim 2, Arrows 7'
    >>> action = mechanic("dungeoneers/action-roll").parameters()
    >>> parameter_text(action["fight"], True), parameter_text(action["spend"], (1, 3))
    ('yes', '1 and 3')
    """
    kind = field.kind
    if isinstance(value, bool):
        return display_text(value)
    if isinstance(value, Resources):
        return clean(", ".join(f"{name} {number}" for name, number in value.items()))
    if is_list(value) and isinstance(kind, ListKind) and not isinstance(kind, RowsKind):
        return clean(display_text(tuple(map(kind.kind.write, value))))
    return clean(word(field.write(value)))


def fact_text(outcome: Outcome, path: str) -> str:
    """Return a value of an outcome as a sentence shows it: yes and no in the words that were declared for them.

    Parameters:
        outcome: the outcome.
        path: a fact, a parameter, or whatever else :meth:`.Outcome.look_up` finds.

    Raises:
        ParameterError: nothing has that name.

    >>> from dicedocs.rules.outcome import fact
    >>> class Strike(Outcome):
    ...     hit: bool = fact(words=("a hit", "a miss"))
    ...     critical: bool
    >>> fact_text(Strike(False, False), "hit"), fact_text(Strike(True, True), "critical")
    ('a miss', 'yes')
    """
    value = outcome.look_up(path)
    parameters = {} if outcome.rule is None else type(outcome.rule).parameters()
    declared = outcome.facts_of.get(path) or parameters.get(path)
    with game_words(outcome.rule):
        return display_text(value, declared.words if declared else ())


def inline_roll(notation: str, outcome: Outcome) -> str:
    """Return a roll as a sentence shows it.

    Parameters:
        notation: what was rolled.
        outcome: the outcome, of whose faces the first 20 are shown.

    >>> import dicedocs as dd
    >>> inline_roll("3d6", dd.roll("3d6", dice=[4, 2, 5]))
    '11 (3d6: 4, 2, 5)'
    """
    faces = ", ".join(map(str, outcome.dice[:_MAX_FACES])) + (", …" if len(outcome.dice) > _MAX_FACES else "")
    return clean(f"{as_text(outcome.value)} ({notation}{f': {faces}' if faces else ''})")


def result(outcome: Outcome, names: Sequence[str] = (), drawn: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return the labels and texts of the facts that make the result.

    Parameters:
        outcome: the outcome.
        names: the facts in order; by default the first one. Facts that only repeat the dice are left out.
        drawn: the facts that are left out, since they are drawn.

    Raises:
        ParameterError: there is no such fact.

    >>> class Strike(Outcome):
    ...     hit: bool
    ...     damage: int
    >>> result(Strike(True, 5)), result(Strike(True, 5), ["damage", "hit"])
    ([('Hit', 'yes')], [('Damage', '5'), ('Hit', 'yes')])
    """
    values = {name: outcome.fact(name) for name in names}
    visible = [name for name in values if name not in outcome.read_from_dice] or [*filter(None, [outcome.main_fact])]
    with game_words(outcome.rule):
        return [
            (clean(word(outcome.facts_of[name].label)), clean(fact_text(outcome, name)))
            for name in visible
            if name not in drawn
        ]


def expected(outcome: Outcome) -> str:
    """Return the facts of the result in the form of ``expect``: the first one, and the others that are not ``None``.

    Those are the facts that their author declares with ``fact(result=True)``, or else all. A fact whose text could not
    be read back is left out.

    >>> import dicedocs as dd
    >>> expected(dd.play("total-effect/roll", dice=[5, 2, 6]))
    'total=13, low=2, mid=5, high=6'
    """
    declared = [name for name, fact in outcome.facts_of.items() if fact.result] or list(outcome.facts_of)
    present = [name for name in declared if name == declared[0] or outcome.fact(name) is not None]
    names = [name for name in present if _reads_back(outcome, name, as_line(outcome.fact(name)))]
    return outcome.facts(*names) if names else ""


def _reads_back(outcome: Outcome, name: str, text: str) -> bool:
    """Return whether the text of a fact is read back as it is, also before another fact."""
    if clean(text) != text:
        return False
    if "," not in text:
        return True
    with suppress(ParameterError):
        known = {*outcome.facts_of, *outcome.read_from_dice, f"{name}_"}
        return parse_facts(f"{name}={text}, {name}_=", "expect", known) == {name: text, f"{name}_": ""}
    return False


def last_step(steps: Iterable[Step]) -> str:
    """Return the clause that says what a rule did last, in English, as every error is; empty if it did nothing.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> total = say.sum("Power", 4, 1)
    >>> last_step(say.steps)
    "after the step 'Power: 4 + 1 = 5'"
    """
    with display_in(None):
        lines = rows(steps)
        return f"{_AFTER}{quoted(lines[-1])}" if lines else ""


def note_last_step(error: Exception, steps: Iterable[Step]) -> None:
    """Add to the error of a rule what the rule did last, unless it is an error of what the rule was given."""
    if not isinstance(error, LimitError) and (clause := last_step(steps)):
        error.add_note(clause)


def noted_step(error: BaseException) -> str:
    """Return what :func:`note_last_step` added to an error; empty if it added nothing."""
    return next((note for note in getattr(error, "__notes__", ()) if note.startswith(_AFTER)), "")
