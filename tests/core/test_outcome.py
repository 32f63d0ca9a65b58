"""Outcomes: facts, what a document may look up, equality, and what an outcome without a play has."""

from typing import Any, NamedTuple

import pytest

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, ParameterError, Say, ScriptedDice, SeededDice, fact, highest, param
from dicedocs.render.words import display_text
from dicedocs.rules.example import parse_facts

from ..every import every
from .sample_rules import Needs, Roll, needs


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


def test_the_constructor_takes_each_fact_once():
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


def test_a_fact_may_be_the_result_of_a_dice_call():
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


@every("name", ["totl", "rule", "facts", "_facts", "__class__", "skill"])
def test_unknown_facts(name):
    with pytest.raises(ParameterError, match=f"there is no fact '{name}'"):
        play().facts(name)


def test_the_error_for_an_unknown_fact_lists_similar_ones():
    with pytest.raises(ParameterError) as caught:
        play().fact("totl")
    assert str(caught.value) == "there is no fact 'totl'; did you mean 'total'?"


@every(
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
def test_paths_that_a_document_may_look_up(path, value):
    rule = needs(skill=7, pool=[1, 2], gear={"Rope": 2, "Long Rope": -3, "v1.2": 9})
    assert rule.play(ScriptedDice([4, 6])).look_up(path) == value


@every(
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
def test_invalid_paths(path, text):
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


def test_a_rule_may_return_the_outcome_of_a_nested_play():
    class Outer(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Roll.Result:
            dice.roll(20)
            return dice.play(Roll(), "Inner")

    outcome = Outer().play(ScriptedDice([20, 1, 2, 3]))
    assert outcome.rule == Outer()
    assert outcome.dice == (20, 1, 2, 3)
    assert [step.verb for step in outcome.steps()] == ["throw", "play"]


def test_a_fact_has_a_type_and_no_default():
    with pytest.raises(TypeError, match=r"the fact 'total' of .* cannot have a default"):

        class Defaulted(Outcome):
            total: int = 3

    with pytest.raises(TypeError, match=r"the fact 'total' of .* needs a type"):

        class Untyped(Outcome):
            total = fact(help="the sum")


def test_a_list_of_texts_is_written_in_one_way_as_an_expectation_as_a_parameter_and_in_prose():
    class Packed(Outcome):
        items: tuple[str, ...]
        total: int

    items = ('Pole, 6" long', "Soap", "spool; wire")
    text = 'Pole, 6" long; Soap; spool;; wire'
    assert Packed(items, total=3).facts() == f"items={text}, total=3"
    assert parse_facts(f"items={text}, total=3", "expect") == {"items": text, "total": "3"}
    assert display_text(items) == 'Pole, 6" long; Soap; spool; wire'
    assert Packed(("Silk rope",), total=1).facts("items") == "items=Silk rope;"
    assert display_text(("Silk rope",)) == "Silk rope"
    assert Packed(("rope", "soap"), total=2).facts("items") == "items=rope soap"


def test_the_value_of_a_step_is_looked_up_by_its_label():
    # TN 20 - 10 = 10; three dice of 12, and the contest below repeats the labels of its checks.
    check = dd.play("mage-in-the-metal/check", skill=20, penalties="difficulty 10", dice=[2, 5, 5])
    assert (check.look_up("steps.TN"), check.look_up("steps.Under the  TN")) == (10, False)
    contest = dd.play("mage-in-the-metal/contest", contestants="Ash: skill 9; Bo: skill 7", dice=[3, 3, 2, 4, 4, 4])
    assert contest.look_up("steps.TN") == 9
    with pytest.raises(ParameterError, match=r"^the working has no step 'Tn'; did you mean 'TN'\?$"):
        check.look_up("steps.Tn")
    with pytest.raises(ParameterError, match=r"^there is no fact 'steps'"):
        check.look_up("steps")
