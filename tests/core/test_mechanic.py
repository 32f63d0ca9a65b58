"""Mechanics and outcomes: what a class of a game's author becomes."""

import subprocess
import sys
import textwrap
import types
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, cast

import pytest

from dicedocs import (
    Dice,
    Mechanic,
    Outcome,
    ParameterError,
    Resources,
    Say,
    ScriptedDice,
    SeededDice,
    fact,
    highest,
    lowest,
    param,
)
from dicedocs.rules.description import describe


class Roll(Mechanic):
    """Roll three d6.

    DESIGN's own sketch of a game.
    """

    advantage: int = param(default=0, low=0, help="instances of Advantage")
    disadvantage: int = param(default=0, low=0)
    threshold: int | None = param(default=None, example=13)

    class Result(Outcome):
        total: int = fact(help="the sum", label="The total")
        low: int
        high: int
        triggered: bool | None

    @cached_property
    def net(self) -> int:
        return max(-3, min(3, self.advantage - self.disadvantage))

    def resolve(self, dice: Dice, say: Say) -> Result:
        keep = highest(3) if self.net >= 0 else lowest(3)
        low, mid, high = dice.pool(*[6] * (3 + abs(self.net)), keep=keep)
        total = say.sum("Total", low, mid, high)
        triggered = None if self.threshold is None else say.compare("Threshold", total, ">=", self.threshold)
        return self.Result(total, low, high, triggered)


class Needs(Mechanic):
    """Fields without a default are required."""

    skill: int = param(example=5, low=1, high=20)
    favor: Literal["with", "without"] = param(default="with")
    gear: Resources = param(default=Resources())
    pool: tuple[int, ...] = param(default=(), example="4 3")
    tool_bonus: int = param(default=0, label="Bonus of the tool")

    class Result(Outcome):
        pool: tuple[int, ...]
        skill_used: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.each(*[6] * len(self.pool)), self.skill)


needs: Any = Needs
"""The same for a caller whom no type checker sees."""


def module(source, name="stranger_module"):
    """A module of a stranger, made from its source."""
    made = sys.modules[name] = types.ModuleType(name)
    exec(compile(textwrap.dedent(source), name, "exec"), made.__dict__)  # noqa: S102
    return made


# Fields


def test_fields_are_attributes_as_given_or_by_default():
    rule = Needs(skill=7)
    assert (rule.skill, rule.favor, dict(rule.gear), rule.pool, rule.tool_bonus) == (7, "with", {}, (), 0)
    rule = needs(skill="7", favor="Without", gear="Rope=2", pool="4 3", tool_bonus="-1")
    assert rule == needs(skill=7, favor="without", gear={"Rope": 2}, pool=[4, 3], tool_bonus=-1)
    assert (rule.skill, rule.gear["Rope"], rule.pool, rule.tool_bonus) == (7, 2, (4, 3), -1)


def test_what_a_field_says_of_itself():
    fields = Roll.parameters()
    assert list(fields) == ["advantage", "disadvantage", "threshold"]
    assert (fields["advantage"].help, fields["advantage"].label) == ("instances of Advantage", "Advantage")
    assert fields["threshold"].kind.expects == "a whole number or 'none'"
    assert [field.required for field in Needs.parameters().values()] == [True, False, False, False, False]
    assert Needs.parameters()["tool_bonus"].label == "Bonus of the tool"
    assert describe(Roll).help == "Roll three d6."
    assert Roll.example() == Roll(threshold=13)
    assert Needs.example() == Needs(skill=5, pool=(4, 3))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "skill: a value is needed; write a whole number from 1 to 20"),
        ({"skill": 21}, "skill: '21' is not a whole number from 1 to 20"),
        ({"skill": "x"}, "skill: 'x' is not a whole number from 1 to 20"),
        ({"skill": 5, "favour": "with"}, "there is no parameter 'favour'; did you mean 'favor'?"),
        ({"skil": 5}, "there is no parameter 'skil'; did you mean 'skill'?"),
        (
            {"skill": 5, "favor": "witout"},
            "favor: 'witout' is not 'with' or 'without'; did you mean 'without' or 'with'?",
        ),
        (
            {"skill": 5, "gear": "Rope"},
            "gear: 'Rope' has no value; write resources such as Strength=4, Health Maximum=20",
        ),
        (
            {"skill": 5, "pool": "4 x"},
            "pool: 'x' is not a whole number; write a whole number, or several separated by spaces",
        ),
        ({"skill": None}, "skill: 'None' is not a whole number from 1 to 20"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_wrong_parameter_is_named(values, text):
    with pytest.raises(ParameterError) as caught:
        Needs(**values)
    assert str(caught.value) == text
    assert caught.value.parameter == text.partition(": ")[0] or caught.value.parameter == ""


def test_of_several_unknown_parameters_the_first_is_named():
    for names in (["zeta", "alpha", "mid"], ["mid", "zeta", "alpha"], ["alpha", "mid", "zeta"]):
        with pytest.raises(ParameterError, match=f"there is no parameter '{names[0]}'"):
            needs(skill=1, **dict.fromkeys(names, 1))


def test_an_unknown_parameter_of_a_registered_mechanic_names_it():
    from ember.rules import Blaze

    blaze: Any = Blaze
    with pytest.raises(ParameterError) as caught:
        blaze(trail=3)
    assert str(caught.value) == "there is no parameter 'trail' of ember/blaze; did you mean 'trait'?"


def test_a_rule_may_refuse_what_does_not_go_together():
    class Both(Mechanic):
        one: bool = param(default=False)
        other: bool = param(default=False)

        def validate(self) -> None:
            if self.one and self.other:
                raise ParameterError("one or the other", parameter="other")

    assert Both(one=True).one
    with pytest.raises(ParameterError, match=r"^other: one or the other$"):
        Both(one=True, other=True)


def test_a_rule_cannot_be_changed():
    rule = Roll()
    for name in ("advantage", "unknown"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(rule, name, 3)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del rule.advantage
    assert rule == Roll(advantage=0)


def test_a_cached_property_counts_for_nothing_in_equality():
    roll: Any = Roll
    one, other = roll(advantage=5), roll(advantage="5")
    assert one.net == 3
    assert one == other
    assert hash(one) == hash(other)
    assert one != Roll(advantage=4)
    assert {one: "seen"}[other] == "seen"


def test_rules_of_other_classes_are_other_rules():
    class Same(Roll):
        pass

    assert Same() != Roll()
    assert Roll() != 3


def test_a_rule_shows_itself_as_python():
    assert repr(needs(skill=7, gear="Rope=2", pool=4)) == 'Needs(skill=7, gear={"Rope": 2}, pool=[4])'
    assert repr(Roll()) == "Roll()"


# Names that are taken


TAKEN = ["seed", "dice", "expect", "mechanic", "name", "class", "hide", "shows", "title"]


@pytest.mark.parametrize("name", [*TAKEN, "faces", "where", "progress", "play", "resolve", "id", "chosen", "_own"])
def test_a_parameter_cannot_have_a_name_that_is_needed(name):
    with pytest.raises(TypeError, match=f"cannot have a parameter called '{name}': the name is taken"):
        type("Clash", (Mechanic,), {"__annotations__": {name: int}, name: param(default=0)})


@pytest.mark.parametrize("name", [*TAKEN, "dropped", "scratched", "rule", "value", "facts", "steps", "thrown", "_own"])
def test_a_fact_cannot_have_a_name_that_is_needed(name):
    with pytest.raises(TypeError, match=f"cannot have a fact called '{name}': the name is taken"):
        type("Clash", (Outcome,), {"__annotations__": {name: int}})


def test_a_field_needs_param_and_a_type():
    with pytest.raises(TypeError, match=r"the field 'skill' of .*Bare needs a param"):

        class Bare(Mechanic):
            skill: int

    with pytest.raises(TypeError, match=r"the field 'skill' of .*Plain needs a param"):

        class Plain(Mechanic):
            skill: int = 3

    with pytest.raises(TypeError, match=r"the field 'skill' of .*Untyped needs a type"):

        class Untyped(Mechanic):
            skill = param(default=3)


def test_a_fact_has_a_type_and_no_default():
    with pytest.raises(TypeError, match=r"the fact 'total' of .* cannot have a default"):

        class Defaulted(Outcome):
            total: int = 3

    with pytest.raises(TypeError, match=r"the fact 'total' of .* needs a type"):

        class Untyped(Outcome):
            total = fact(help="the sum")


@pytest.mark.parametrize("hint", [dict, list[int], float, tuple[int, int], complex, object])
def test_a_field_needs_a_type_with_a_text_form(hint):
    made: Any = type("Odd", (Mechanic,), {"__annotations__": {"odd": hint}, "odd": param(default=None)})
    with pytest.raises(TypeError, match=r"the field 'odd': .* has no text form"):
        made.parameters()


def test_a_default_and_an_example_are_values_of_the_field():
    class Late(Mechanic):
        skill: int = param(default=cast("int", "x"))

    with pytest.raises(TypeError, match="the field 'skill': 'x' is not a whole number"):
        Late()

    class Bad(Mechanic):
        skill: int = param(example=0, low=1)

    with pytest.raises(TypeError, match="the field 'skill': '0' is not a whole number, at least 1"):
        Bad(skill=3)

    class Neither(Mechanic):
        skill: int = cast("Any", param)(low=1)

    with pytest.raises(TypeError, match="the field 'skill': it needs a default or an example"):
        Neither(skill=3)


@pytest.mark.parametrize("name", ["self", "values", "cls", "label", "help", "count"])
def test_other_names_may_be_had(name):
    made = type("Free", (Mechanic,), {"__annotations__": {name: int}, name: param(default=0)})
    assert getattr(made(**{name: 3}), name) == 3
    result = type("Result", (Outcome,), {"__annotations__": {name: int}})
    assert result(**{name: 3}).facts() == f"{name}=3"


# Ids


@pytest.mark.parametrize(
    "id", ["roll", "a/b/c", "A/b", "a/B", "a_b/c", "/b", "a/", "-a/b", "a-/b", "a/1", "a--b/c", "a/b\n", "ä/b"]
)
def test_an_id_has_a_form(id):
    with pytest.raises(TypeError, match="is not an id: write it like 'my-game/my-check', in lower case"):
        type("Named", (Mechanic,), {}, id=id)


# Modules with postponed annotations, inheritance, class variables

POSTPONED = """
    from __future__ import annotations
    from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple
    from dicedocs import Mechanic, Outcome, fact, param
    if TYPE_CHECKING:
        from dicedocs import Dice, Say

    class Hand(NamedTuple):
        who: str
        skill: int = 0

    class Haul(Mechanic):
        '''A crew hauls.'''
        SIZES: ClassVar[tuple[int, ...]] = (4, 6, 8)
        crew: tuple[Hand, ...] = param(example="Ash: skill 2")
        mood: Literal["calm", "wild"] = param(default="calm")

        class Result(Outcome):
            limit: ClassVar[int] = 3
            success: bool = fact(help="whether")
            total: int | None

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(True, dice.roll(6) + self.crew[0].skill)

    class More(Haul):
        '''The same and more.'''
        weight: int = param(default=3)
"""


def test_postponed_annotations():
    postponed = module(POSTPONED)
    for made in (postponed.Haul, postponed.More):
        assert list(made.parameters())[:2] == ["crew", "mood"]
        assert made.result() is postponed.Haul.Result
        assert [(name, kind.expects) for name, kind in made.fact_kinds().items()] == [
            ("success", "true or false"),
            ("total", "a whole number or 'none'"),
        ]
        assert made.example().play(ScriptedDice([4])).facts() == "success=true, total=6"
        assert made.example().play(ScriptedDice([4])).limit == 3
    assert postponed.More(crew="Bo:", weight=4).weight == 4


def test_fields_and_facts_are_inherited_in_order():
    class Base(Mechanic):
        one: int = param(default=1)
        two: int = param(default=2)

        class Result(Outcome):
            total: int
            rest: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(self.one, self.two)

    class Child(Base):
        three: int = param(default=3)
        one: int = param(default=10, help="again")

        class Result(Base.Result):
            more: str
            total: bool  # a bool is an int, and the fact keeps its place

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(total=True, rest=self.two, more="yes")

    assert list(Child.parameters()) == ["one", "two", "three"]
    assert (Child().one, Child().two, Child().three) == (10, 2, 3)
    assert list(Base.parameters()) == ["one", "two"]
    assert Base().one == 1
    outcome = Child().play(SeededDice(1))
    assert outcome.facts() == "total=true, rest=2, more=yes"
    assert (outcome.total, outcome.rest, outcome.more) == (True, 2, "yes")
    assert Base().play(SeededDice(1)).facts() == "total=1, rest=2"
    assert Child.result() is Child.Result
    assert Base.result() is Base.Result


def test_class_variables_are_no_fields():
    class Sized(Mechanic):
        SIZES: ClassVar[tuple[int, ...]] = (4, 6)
        PLAIN = 3
        skill: int = param(default=1)

    assert list(Sized.parameters()) == ["skill"]
    assert (Sized.SIZES, Sized().PLAIN) == ((4, 6), 3)


def test_a_rule_must_say_what_it_gives():
    class Silent(Mechanic):
        def resolve(self, dice, say):
            return None

    with pytest.raises(TypeError, match=r"Silent\.resolve .*-> Result"):
        Silent.result()
    with pytest.raises(NotImplementedError):
        Mechanic().resolve(SeededDice(1), Say())


# Outcomes


def play(faces=(5, 2, 6), **parameters):
    return Roll(**parameters).play(ScriptedDice(faces))


def test_facts_are_typed_attributes():
    outcome = play(threshold=13)
    assert (outcome.total, outcome.low, outcome.high, outcome.triggered) == (13, 2, 6, True)
    assert outcome.value == 13
    assert outcome.rule == Roll(threshold=13)
    assert outcome.dice == (5, 2, 6)


def test_facts_have_help_and_a_label():
    facts = Roll.Result.facts_of
    assert list(facts) == ["total", "low", "high", "triggered"]
    assert (facts["total"].help, facts["total"].label) == ("the sum", "The total")
    assert (facts["triggered"].help, facts["triggered"].label) == ("", "Triggered")
    assert Needs.Result.facts_of["skill_used"].label == "Skill used"


def test_an_outcome_is_made_with_each_fact_once():
    made: Any = Roll.Result
    assert made(13, 2, high=6, triggered=None).facts() == "total=13, low=2, high=6, triggered=none"
    for facts, named in [
        ((), {}),
        ((1, 2, 3), {}),
        ((1, 2, 3, None, 5), {}),
        ((1, 2, 3), {"total": 1}),
        ((1, 2, 3), {"other": 1}),
        ((1, 2, 3, None), {"total": 1}),
    ]:
        with pytest.raises(TypeError, match="takes total, low, high and triggered, each once"):
            made(*facts, **named)


def test_facts_as_text():
    outcome = play(threshold=14)
    assert outcome.facts() == "total=13, low=2, high=6, triggered=false"
    assert outcome.facts("high", "total") == "high=6, total=13"
    assert outcome.facts("dice", "dropped", "scratched") == "dice=5 2 6, dropped=none, scratched=none"
    assert play((1, 2, 3, 4), advantage=1).facts("dropped") == "dropped=1"
    assert play().facts("triggered") == "triggered=none"


def test_a_fact_may_be_what_the_dice_answered():
    outcome = Needs(skill=3, pool=(1, 1)).play(ScriptedDice([4, 2]))
    assert outcome.facts() == "pool=4 2, skill_used=3"
    assert Needs(skill=3).play(SeededDice(1)).facts() == "pool=none, skill_used=3"


def test_a_record_as_a_fact():
    class Place(NamedTuple):
        x: int
        y: int

        def __str__(self):
            return f"({self.x}, {self.y})"

    class Result(Outcome):
        place: Place
        places: tuple[Place, ...]

    assert Result(Place(1, 2), (Place(1, 2), Place(3, 4))).facts() == "place=(1, 2), places=(1, 2) (3, 4)"


@pytest.mark.parametrize("name", ["totl", "rule", "facts", "_facts", "__class__", "skill"])
def test_a_fact_that_there_is_not(name):
    with pytest.raises(ParameterError, match=f"there is no fact '{name}'"):
        play().facts(name)


def test_a_fact_that_there_is_not_names_near_ones():
    with pytest.raises(ParameterError) as caught:
        play().fact("totl")
    assert str(caught.value) == "there is no fact 'totl'; did you mean 'total'?"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("skill_used", 7),
        ("pool", (4, 6)),  # a fact comes before a parameter
        ("dice", (4, 6)),
        ("dice.1", 4),
        ("dice.2", 6),
        ("scratched", ()),
        ("skill", 7),
        ("favor", "with"),
        ("gear.Rope", 2),
        ("gear.Long Rope", -3),
        ("gear.Long  Rope", -3),
        ("gear.v1.2", 9),
        ("pool.2", 6),  # of the fact
    ],
)
def test_what_a_document_may_name(path, value):
    rule = needs(skill=7, pool=[1, 2], gear={"Rope": 2, "Long Rope": -3, "v1.2": 9})
    assert rule.play(ScriptedDice([4, 6])).look_up(path) == value


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("dice.0", "'dice' has no '0'; it has 2, counted from 1"),
        ("dice.3", "'dice' has no '3'; it has 2, counted from 1"),
        ("dice.-1", "'dice' has no '-1'; it has 2, counted from 1"),
        ("dice.x", "'dice' has no 'x'; it has 2, counted from 1"),
        ("dice.0000000011", "'dice' has no '0000000011'; it has 2, counted from 1"),
        ("dice." + "9" * 5000, None),
        ("dice.²", "'dice' has no '²'; it has 2, counted from 1"),
        ("dice.", None),
        ("gear.Robe", "'gear' has no 'Robe'; did you mean 'Rope'?"),
        ("gear.", None),
        ("skil", "there is no fact 'skil'; did you mean 'skill'?"),
        ("skill.x", None),
        ("rule", None),
        ("", None),
        (".", None),
        ("__class__", None),
        ("gear.__class__", None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_there_is_not(path, text):
    rule = needs(skill=7, pool=[1, 2], gear={"Rope": 2})
    with pytest.raises(ParameterError) as caught:
        rule.play(ScriptedDice([4, 6])).look_up(path)
    assert text is None or str(caught.value) == text


def test_a_fact_of_every_outcome_comes_before_a_parameter_too():
    class Clash(Mechanic):
        dropped: int = param(default=5)

        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(dice.total(2, 6, keep=highest(1)))

    assert Clash().play(ScriptedDice([3, 1])).look_up("dropped") == (1,)


def test_equality_is_over_facts_dice_and_rule():
    outcome = play()
    assert outcome == play()
    assert hash(outcome) == hash(play())
    assert outcome != play((6, 2, 5))  # the same facts, other dice
    assert outcome != play(advantage=1, disadvantage=1)  # the same facts and dice, another rule
    assert outcome != play(threshold=99)
    assert outcome != play((5, 5, 2, 6), advantage=1)
    assert outcome != Roll.Result(13, 2, 6, None)  # not played
    assert Roll.Result(13, 2, 6, None) == Roll.Result(13, 2, 6, None)
    assert outcome != 13
    other = type("Result", (Outcome,), {"__annotations__": dict.fromkeys(Roll.Result.facts_of, int)})
    assert other(13, 2, 6, None) != Roll.Result(13, 2, 6, None)


def test_the_state_of_a_die_counts_in_equality():
    class Marks(Mechanic):
        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            faces = dice.each(6)
            if Marks.mark:
                faces.mark(0, "scratched")
            return self.Result(1)

        mark = False

    one = Marks().play(ScriptedDice([3]))
    Marks.mark = True
    other = Marks().play(ScriptedDice([3]))
    assert one != other
    assert (one.scratched, other.scratched) == ((), (3,))


def test_an_outcome_cannot_be_changed():
    outcome = play()
    for name in ("total", "rule", "_facts", "unknown"):
        with pytest.raises(AttributeError):
            setattr(outcome, name, 3)
        with pytest.raises(AttributeError):
            delattr(outcome, name)
    assert outcome == play()


def test_an_outcome_that_was_not_played_has_no_dice_and_no_working():
    alone = Roll.Result(13, 2, 6, None)
    assert alone.rule is None
    assert repr(alone) == "Roll.Result(total=13, low=2, high=6, triggered=none)"
    for ask in (lambda: alone.dice, lambda: alone.thrown, alone.steps, lambda: alone.facts("dropped")):
        with pytest.raises(RuntimeError):
            ask()


def test_an_outcome_without_facts():
    class Empty(Mechanic):
        class Result(Outcome):
            pass

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result()

    outcome = Empty().play(SeededDice(1))
    assert (outcome.facts(), outcome.value, outcome.steps()) == ("", None, ())
    with pytest.raises(TypeError, match="takes no facts"):
        Empty.Result(3)


def test_a_rule_may_give_what_it_played():
    class Outer(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Roll.Result:
            dice.roll(20)
            return dice.play(Roll(), "Inner")

    outcome = Outer().play(ScriptedDice([20, 1, 2, 3]))
    assert outcome.rule == Outer()
    assert outcome.dice == (20, 1, 2, 3)
    assert [step.verb for step in outcome.steps()] == ["throw", "play"]


def test_what_a_rule_raises_comes_through():
    class Wrong(Mechanic):
        error: str = param(default="own")

        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            raise ZeroDivisionError if self.error == "bug" else ParameterError("cannot be", parameter="error")

    with pytest.raises(ParameterError, match=r"^error: cannot be$"):
        Wrong().play(SeededDice(1))
    with pytest.raises(ZeroDivisionError):
        Wrong(error="bug").play(SeededDice(1))


def test_a_module_from_elsewhere_registers_once_and_again():
    """Reloading replaces a class by itself; another class of that id is refused."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(REGISTERING)], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "replaced True",
        "'trial/one' is already the id of <class '__main__.One'>",
        "the child has no id ''",
    ], done.stderr


REGISTERING = """
    from dicedocs import Mechanic
    from dicedocs.rules.registry import mechanic
    class One(Mechanic, id="trial/one"): pass
    first = One
    class One(Mechanic, id="trial/one"): pass
    print("replaced", mechanic("trial/one") is One is not first)
    try:
        class Two(Mechanic, id="trial/one"): pass
    except TypeError as error:
        print(error)
    class Three(One): pass
    print("the child has no id", repr(Three.id))
"""
