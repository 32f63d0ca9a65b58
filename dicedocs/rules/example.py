"""A worked example: a mechanic, its dice, and the expected facts.

Documents, doctests, pytest and the command line all check an example by :meth:`Example.verify`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, ExpectationError, ParameterError, is_text, printable, quoted
from dicedocs.parsing import unquoted
from dicedocs.rules.dice import Dice, ScriptedDice, parse_faces
from dicedocs.rules.fact_types import check_fact_types
from dicedocs.rules.kinds import BoolKind, ChoiceKind, IntKind, Kind, NoneKind, as_code, as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed, dice_from
from dicedocs.rules.registry import CHECK, ROLL, mechanic
from dicedocs.rules.replay import play_before_failure
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import Step
from dicedocs.rules.yes_and_no import typed_truth

SHORT_NAMES: Final[Mapping[str, str]] = {ROLL: "roll", CHECK: "check"}
"""The function that plays each of these mechanics; it takes their first parameter by position."""
_WIDTH: Final = 78
"""Characters of a call on one line."""
_FACES: Final = "dice"
"""The fact that has the faces thrown."""
_SHIFTED_SIDES: Final = 100
"""The most sides of a die whose faces are all tried."""
_OTHER_SEEDS: Final = 10
"""The plays with other dice after which a number that was always the same is taken for constant."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_NEXT_ITEM: Final = re.compile(r",\s+|\s*;\s*|\s+and\s+")
_NEXT_FACT: Final = re.compile(r",\s*(?=[^\s,=][^,=]*=)")


class Example(NamedTuple):
    """A worked example as plain data.

    Parameters:
        mechanic: the id of a mechanic.
        parameters: the mechanic's parameters, each as itself or as its text.
        seed: the seed of the dice; or
        dice: the faces in the order thrown. Neither is needed when no die is thrown.
        expect: the expected facts in canonical text, ``total=11, effect=2``; may be empty.

    >>> shot = Example("dice/roll", {"notation": "3d6"}, dice=[4, 2, 5], expect="total=11")
    >>> shot.verify().total
    11
    >>> print(shot.code())
    dd.roll("3d6", dice=[4, 2, 5])
    """

    mechanic: str
    parameters: Mapping[str, Any]
    seed: Seed | None = None
    dice: Iterable[int] | str | int | None = None
    expect: str = ""

    def rule(self) -> Mechanic:
        """Return the mechanic with its parameters.

        Raises:
            DiceError: the mechanic is unknown, or a parameter is invalid.
        """
        rule_type = mechanic(self.mechanic)
        _check_parameters(self.parameters)
        return rule_type(**self.parameters)

    def play(self) -> Outcome:
        """Return the outcome.

        Raises:
            DiceError: the example cannot be played.
            TypeError: a fact is not of the type that the rule declares.
        """
        rule, dice = self.rule(), self._fresh_dice()
        outcome = rule.play(dice)
        dice.finish()
        check_fact_types(rule, outcome)
        return outcome

    def steps_before_failure(self) -> tuple[Step, ...]:
        """Return the steps of a rule that fails with an error of its own, up to where it does.

        Raises:
            DiceError: the mechanic is unknown, or a parameter is invalid.
        """
        return play_before_failure(self.rule(), self._fresh_dice())[0]

    def _fresh_dice(self) -> Dice:
        return _NoDice() if self.seed is None and self.dice is None else dice_from(self.seed, self.dice)

    def expected(self) -> dict[str, str]:
        """Return the canonical text of each expected fact.

        Raises:
            ParameterError: ``expect`` is not a list of facts.
            DiceError: the mechanic is unknown.

        >>> Example("methuen/check", {}, expect="success=true,  left=14").expected()
        {'success': 'true', 'left': '14'}
        """
        rule = mechanic(self.mechanic)
        return canonical_facts(parse_facts(self.expect, "expect", fact_names(rule)), rule)

    def verify(self) -> Outcome:
        """Return the outcome after comparing its facts with the expected ones.

        Raises:
            ExpectationError: a fact differs from the expected text.
            DiceError: the example cannot be played, or an expected fact does not exist.
        """
        outcome = self.play()
        expected = self.expected()
        try:
            actual = {name: as_line(outcome.fact(name)) for name in expected}
        except ParameterError as error:
            error.parameter = "expect"
            raise
        compare_facts(expected, actual)
        return outcome

    def says_nothing(self) -> bool:
        """Return whether the expected facts only repeat what the example says itself: a number in it, or a face.

        An example that expects nothing says nothing either, but that is another matter.

        Raises:
            DiceError: the example cannot be played.

        >>> Example("dice/check", {"check": "1d20 >= 12"}, dice=[15], expect="right=12").says_nothing()
        True
        >>> Example("dice/check", {"check": "1d20 >= 12"}, dice=[15], expect="right=12, success=true").says_nothing()
        False
        """
        names = tuple(self.expected())
        if not names:
            return False
        outcome = self.play()
        return all(self._repeats_a_face(outcome, name) or self._repeats_a_number(outcome, name) for name in names)

    def _repeats_a_face(self, outcome: Outcome, name: str) -> bool:
        """Return whether a fact is the face that is given, or are all of them, whatever they are."""
        if self.dice is None:
            return False
        if name == _FACES:
            return True
        if len(outcome.thrown) != 1 or outcome.thrown[0].sides > _SHIFTED_SIDES:
            return False
        faces = range(1, outcome.thrown[0].sides + 1)
        return all(self._plays_to(outcome.rule, ScriptedDice([face]), name, face) for face in faces)

    def _repeats_a_number(self, outcome: Outcome, name: str) -> bool:
        """Return whether a fact is a number of a parameter, whatever else is written, and whatever is thrown."""
        value = outcome.fact(name)
        if type(value) is not int:
            return False
        others = list(self._with_other_numbers(outcome.rule))
        return any(
            number == value
            and self._plays_to(rule, self._fresh_dice(), name, value + 1)
            and all(self._plays_to(outcome.rule, SeededDice(seed), name, value) for seed in range(_OTHER_SEEDS))
            and all(self._plays_to(other, SeededDice(0), name, value) for _, other in others if other is not rule)
            for number, rule in others
        )

    def _with_other_numbers(self, rule: Mechanic) -> Iterator[tuple[int, Mechanic]]:
        """Yield each number in the parameters, with the rule that has one more there, if it is valid."""
        chosen = {field.name: field.write(value) for field, value in rule.chosen()}
        for name, text in chosen.items():
            for match in _NUMBER.finditer(text):
                number = int(match[0])
                changed = f"{text[: match.start()]}{number + 1}{text[match.end() :]}"
                with suppress(DiceError):
                    yield number, type(rule)(**{**chosen, name: changed})

    def _plays_to(self, rule: Mechanic, dice: Dice, name: str, value: int) -> bool:
        """Return whether a fact comes to a value with some dice."""
        try:
            outcome = rule.play(dice)
            dice.finish()
        except DiceError:
            return False
        return bool(outcome.fact(name) == value)

    def code(self) -> str:
        """Return the Python call that plays the example, for use after ``import dicedocs as dd``.

        Raises:
            DiceError: the mechanic is unknown, or a parameter is invalid.
        """
        return call_code(self.rule(), self.seed, self.dice)

    def __str__(self) -> str:
        return str(self.play())

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(str(self.play()))

    def _repr_html_(self) -> str:
        return self.play()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.play()._repr_latex_()


def call_code(rule: Mechanic, seed: Seed | None = None, dice: Iterable[int] | str | int | None = None) -> str:
    """Return the Python call that plays a mechanic with an id, for use after ``import dicedocs as dd``.

    Raises:
        ParameterError: the seed or a face is invalid.
    """
    chosen = [(field.name, field.code(value)) for field, value in rule.chosen()]
    dice_from(seed, None)
    short_name = SHORT_NAMES.get(rule.id)
    arguments = [chosen.pop(0)[1] if short_name else as_code(rule.id)]
    arguments += [f"{name}={code}" for name, code in chosen]
    if seed is not None:
        arguments.append(f"seed={as_code(seed)}")
    elif dice is not None:
        arguments.append(f"dice={list(parse_faces(dice))}")
    function = f"dd.{short_name or 'play'}"
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= _WIDTH:
        return line
    return f"{function}(\n" + "".join(f"    {argument},\n" for argument in arguments) + ")"


def compare_facts(expected: Mapping[str, str], actual: Mapping[str, str]) -> None:
    """Compare the texts of facts with the expected ones, which name the same facts; yes is true, and no is false.

    Raises:
        ExpectationError: a fact differs.

    >>> compare_facts({"hit": "yes", "mood": "no"}, {"hit": "true", "mood": "no"})
    """
    truths = {name for name, text in actual.items() if text in {"true", "false"}}
    meant = {name: typed_truth(text.casefold()) if name in truths else text for name, text in expected.items()}
    wanted, found = (", ".join(f"{name}={facts[name]}" for name in expected) for facts in (meant, actual))
    if found != wanted:
        message = f"expected {quoted(wanted)}, got {quoted(found)}"
        raise ExpectationError(message, expected=wanted, actual=found, hint=f"write {found}", parameter="expect")


class _NoDice(Dice):
    """The dice of an example without a seed and without faces, which cannot be thrown."""

    def throw(self, count: int, sides: int) -> list[int]:
        if count == 0:
            return []
        raise ParameterError(f"a d{sides} is thrown, and no dice are given", hint="add a seed, or the faces as dice")


def _check_parameters(parameters: object) -> None:
    """Check that parameters are a mapping by name; its names are checked by the mechanic."""
    if not isinstance(parameters, Mapping) or not all(map(is_text, limits.ITEMS.take(parameters.keys()))):
        message = f"{quoted(parameters)} is not a mapping of parameters by name"
        raise ParameterError(message, hint='write {"expression": "3d6"}', parameter="parameters")


def fact_names(rule: Mechanic | type[Mechanic]) -> tuple[str, ...]:
    """Return the names of the facts of a mechanic's outcomes.

    >>> fact_names(mechanic("dice/check"))
    ('success', 'left', 'right', 'dice', 'dropped', 'scratched', 'highest', 'lowest')
    """
    return (*rule.result().facts_of, *rule.result().read_from_dice)


def parse_facts(text: str, parameter: str, known: Collection[str] | None = None) -> dict[str, str]:
    """Return the text of each fact of ``total=11, effect=2``.

    Parameters:
        text: the facts; each run of white space becomes one space.
        parameter: the parameter that holds the text, for errors.
        known: the names of the facts that there are; what is none of them goes on with a value that has ``name=value``
            itself, as :class:`~dicedocs.Resources` have.

    Raises:
        ParameterError: a part is not ``name=value``, or a fact is written twice.

    >>> parse_facts("labels=fire=3, cold=4, total=7", "expect", ("total", "labels"))
    {'labels': 'fire=3, cold=4', 'total': '7'}
    """
    if not is_text(text):
        message = f"{quoted(text)} is not a list of facts"
        raise ParameterError(message, hint="write text such as total=11, effect=2", parameter=parameter)
    limits.VALUE_TEXT.check(len(text), parameter=parameter)
    facts: dict[str, str] = {}
    last = ""
    for part in _NEXT_FACT.split(text.strip()) if text.strip() else []:
        name, sign, value = part.partition("=")
        folded = " ".join(value.split())
        if not sign or not name.strip():
            meant = "" if part in (known or ()) else _said_fact(part, known or ())
            hint = f"write {meant or 'name=value, separated by commas'}"
            raise ParameterError(f"{quoted(part)} is not a fact with a value", hint=hint, parameter=parameter)
        if name.strip() in facts:
            raise ParameterError(f"the fact {quoted(name.strip())} is written twice", parameter=parameter)
        if known is not None and name.strip() not in known and "=" in facts.get(last, ""):
            facts[last] += f", {' '.join(part.split())}"
            continue
        last = name.strip()
        if known is not None and last not in known and not last[-1].isalnum():
            raise _says_more(part, parameter)
        for item in _NEXT_ITEM.split(folded)[1:]:
            fact, sign, _ = item.partition("=")
            meant = "" if sign else _said_fact(item, known or ())
            if meant or (sign and fact.strip() in (known or ())):
                hint = f"write {meant}" if meant else f"write a comma before it: , {item}"
                raise ParameterError(f"{quoted(item)} is not a fact with a value", hint=hint, parameter=parameter)
        facts[last] = folded
    return facts


def _said_fact(text: str, known: Iterable[str]) -> str:
    """Return how a fact with a value is written that is said in other words; empty for any other text.

    >>> [_said_fact(text, ("total", "best_two", "hit")) for text in ("total is 8", "best two: 11", "not hit", "hot 8")]
    ['total=8', 'best_two=11', 'hit=no', '']
    """
    for name in sorted(known, key=len, reverse=True):
        spaced = re.escape(name).replace("_", "[_ ]")
        found = re.fullmatch(rf"(?P<denied>not\s+)?{spaced}(?:(?:\s*:|\s+is\b|\s)\s*(?P<value>.+))?", text.strip())
        if found and found["value"]:
            return "" if found["denied"] else f"{name}={re.sub('^(?:an?|the) ', '', found['value'])}"
        if found:
            return f"{name}={'no' if found['denied'] else 'yes'}"
    return ""


def canonical_facts(facts: Mapping[str, str], rule: type[Mechanic]) -> dict[str, str]:
    """Return the canonical texts of facts of a rule: a word is written in any case, in double quotes or not.

    Parameters:
        facts: the text of each.
        rule: the rule.

    >>> canonical_facts({"success": "YES", "left": "8"}, mechanic("dice/check"))
    {'success': 'true', 'left': '8'}
    """
    kinds: Mapping[str, Kind] = {}
    with suppress(Exception):  # a type without a text form is reported when the rule is played
        kinds = rule.fact_kinds()
    words = {name: fact.words for name, fact in rule.result().facts_of.items()}
    return {name: _canonical(text, kinds[name], words[name]) if name in kinds else text for name, text in facts.items()}


def _canonical(text: str, kind: Kind, words: tuple[str, ...]) -> str:
    word = unquoted(text)
    by_case = {each.casefold(): truth for each, truth in zip(words, (True, False), strict=False)}
    if word.casefold() in by_case:
        return as_line(by_case[word.casefold()])
    if not word or not all(isinstance(each, BoolKind | ChoiceKind | IntKind | NoneKind) for each in kind.members):
        return text
    try:
        read = kind.read(word)
    except DiceError:  # it differs from every value
        return text
    # A number is compared as it is written.
    return text if type(read) is int else as_line(read)


def _says_more(pair: str, parameter: str) -> ParameterError:
    hint = f"write the value that comes up, as in total=7, or a claim, p({printable(pair)})"
    return ParameterError(f"{quoted(pair)} is not one value", hint=hint, parameter=parameter)
