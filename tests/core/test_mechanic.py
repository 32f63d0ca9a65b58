"""Mechanics: fields, names, ids, annotations and inheritance."""

import subprocess
import sys
import textwrap
import types
from typing import Any, ClassVar, cast

import pytest

from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say, ScriptedDice, SeededDice, param
from dicedocs.rules.description import describe

from ..every import every
from .sample_rules import Needs, Roll, needs


def module(source, name="game_module"):
    """A module with the given source."""
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


def test_the_description_of_a_field():
    fields = Roll.parameters()
    assert list(fields) == ["advantage", "disadvantage", "threshold"]
    assert (fields["advantage"].help, fields["advantage"].label) == ("instances of Advantage", "Advantage")
    assert fields["threshold"].kind.expects == "a whole number or 'none'"
    assert [field.required for field in Needs.parameters().values()] == [True, False, False, False, False]
    assert Needs.parameters()["tool_bonus"].label == "Bonus of the tool"
    assert describe(Roll).help == "Roll three d6."
    assert Roll.example() == Roll(threshold=13)
    assert Needs.example() == Needs(skill=5, pool=(4, 3))


@every(
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
def test_errors_name_the_parameter(values, text):
    with pytest.raises(ParameterError) as caught:
        Needs(**values)
    assert str(caught.value) == text
    assert caught.value.parameter == text.partition(": ")[0] or caught.value.parameter == ""


def test_of_several_unknown_parameters_the_first_is_named():
    for names in (["zeta", "alpha", "mid"], ["mid", "zeta", "alpha"], ["alpha", "mid", "zeta"]):
        with pytest.raises(ParameterError, match=f"there is no parameter '{names[0]}'"):
            needs(skill=1, **dict.fromkeys(names, 1))


def test_the_error_for_an_unknown_parameter_names_the_mechanic():
    from ember.rules import Blaze

    blaze: Any = Blaze
    with pytest.raises(ParameterError) as caught:
        blaze(trail=3)
    assert str(caught.value) == "there is no parameter 'trail' of ember/blaze; did you mean 'trait'?"


def test_validate_may_refuse_a_combination():
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


def test_equality_ignores_cached_properties():
    roll: Any = Roll
    one, other = roll(advantage=5), roll(advantage="5")
    assert one.net == 3
    assert one == other
    assert hash(one) == hash(other)
    assert one != Roll(advantage=4)
    assert {one: "seen"}[other] == "seen"


def test_rules_of_different_classes_are_not_equal():
    class Same(Roll):
        pass

    assert Same() != Roll()
    assert Roll() != 3


def test_the_repr_of_a_rule_is_python():
    assert repr(needs(skill=7, gear="Rope=2", pool=4)) == 'Needs(skill=7, gear={"Rope": 2}, pool=[4])'
    assert repr(Roll()) == "Roll()"


# Reserved names


RESERVED = ["seed", "dice", "expect", "mechanic", "name", "class", "shows", "title"]


@every("name", [*RESERVED, "faces", "where", "progress", "play", "resolve", "id", "chosen", "_own"])
def test_a_parameter_cannot_have_a_reserved_name(name):
    with pytest.raises(TypeError, match=f"cannot have a parameter called '{name}': the name is taken"):
        type("Clash", (Mechanic,), {"__annotations__": {name: int}, name: param(default=0)})


@every("name", [*RESERVED, "dropped", "scratched", "rule", "value", "facts", "steps", "thrown", "_own"])
def test_a_fact_cannot_have_a_reserved_name(name):
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


@every("hint", [dict, list[int], float, tuple[int, int], complex, object])
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


@every("name", ["self", "values", "cls", "label", "help", "count"])
def test_other_names_are_allowed(name):
    made = type("Free", (Mechanic,), {"__annotations__": {name: int}, name: param(default=0)})
    assert getattr(made(**{name: 3}), name) == 3
    result = type("Result", (Outcome,), {"__annotations__": {name: int}})
    assert result(**{name: 3}).facts() == f"{name}=3"


# Ids


@every("id", ["roll", "a/b/c", "A/b", "a/B", "a_b/c", "/b", "a/", "-a/b", "a-/b", "a/1", "a--b/c", "a/b\n", "ä/b"])
def test_an_id_must_match_the_form(id):
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


def test_what_others_add_to_the_annotations_is_not_evaluated():
    haul = module(POSTPONED).Haul
    for cls in (haul, haul.Result):
        # autodoc of Sphinx 8 adds the annotations of the bases.
        cls.__annotations__ = {**cls.__annotations__, "id": "Missing[str]", "facts_of": "Missing[str]"}
    assert list(haul.parameters()) == ["crew", "mood"]
    assert list(haul.fact_kinds()) == ["success", "total"]


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
            total: bool  # a bool is an int, and the fact keeps its position

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


def test_class_variables_are_not_fields():
    class Sized(Mechanic):
        SIZES: ClassVar[tuple[int, ...]] = (4, 6)
        PLAIN = 3
        skill: int = param(default=1)

    assert list(Sized.parameters()) == ["skill"]
    assert (Sized.SIZES, Sized().PLAIN) == ((4, 6), 3)


def test_resolve_needs_a_return_type():
    class Silent(Mechanic):
        def resolve(self, dice, say):
            return None

    with pytest.raises(TypeError, match=r"Silent\.resolve .*-> Result"):
        Silent.result()
    with pytest.raises(NotImplementedError):
        Mechanic().resolve(SeededDice(1), Say())


def test_an_exception_of_a_rule_is_not_caught():
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


def test_a_reloaded_class_replaces_itself():
    """Another class with the same id is refused."""
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
