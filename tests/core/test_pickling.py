"""What is public survives being copied, deep-copied and pickled, also into a process of its own."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property

import pytest

import dicedocs as dd
from dicedocs.errors import DistributionError
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.books import BookContents

from ..every import every

WAYS = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]  # noqa: S301  # our own


class Climb(dd.Mechanic):
    """A rule that no id names, which computes something from its parameters."""

    skill: int = dd.param(default=3)

    class Result(dd.Outcome):
        total: int
        kept: dd.PoolFaces

        @cached_property
        def twice(self):
            return 2 * self.total

    @cached_property
    def bonus(self):
        return self.skill + 1

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        faces = dice.pool(6, 6, keep=dd.highest(1))
        return self.Result(say.sum("Total", *faces, bonus=self.bonus), faces)


def scene():
    made = dd.Scene(KIRA, vault=dd.Track(8))
    made.play("dice/roll", notation="2d6", seed=1, then="vault += total; kira.Stress += 2")
    return made


def dice(made):
    made.each(6, 6)
    return made


def error(function, *arguments, **named):
    with pytest.raises(dd.DiceError) as raised:
        function(*arguments, **named)
    return raised.value


KIRA = dd.Character("Kira", "Attack=6, Stress=0 of 9, Weapon=long sword", {"Sword": "1d20 + [Attack]"})
CALM = PageRule(
    "road/calm",
    table=PageTable(("d2",), ("result",), (TableRow(("1",), ("Mild",)), TableRow(("2",), ("Hot",)))),
)
SKY = PageRule(
    "road/sky",
    parameters=(("danger", "0 (0 to 3)"),),
    table=PageTable(
        ("d2 + danger",),
        ("Sky", "Wind"),
        (TableRow(("1-2",), ("Blue", "[calm]")), TableRow(("3+",), ("Grey", "2d6"))),
    ),
)
BOOK = dd.Book(BookContents([SKY, CALM], {"road/omens": "road.md:3: no rows"}, {"kira": KIRA}), "docs")
SHOWN = dd.roll("2d{-, hit}kh1 [fire] + 1d6", dice=[2, 1, 4])
PUBLIC = {
    "Book": BOOK,
    "Character": KIRA,
    "Dice": dd.Dice(),
    "DiceError": dd.DiceError("no", hint="yes", parameter="notation"),
    "Die": SHOWN.thrown[0],
    "Distribution": dd.odds("2d6!"),
    "Estimate": dd.estimate("dice/roll", notation="3d6", samples=20, seed="a"),
    "Example": dd.Example("dice/roll", {"notation": "3d6"}, seed=7, expect="total=3"),
    "ExpectationError": DistributionError("no", expected="a", actual="b", hint="yes"),
    "Faces": Climb().play(dd.ScriptedDice([2, 5])).kept,
    "Keep": dd.highest(3),
    "LimitError": error(dd.roll, "99999d6"),
    "Mechanic": Climb(skill=4),
    "NotationError": error(dd.roll, "2 + * 3"),
    "Operand": SHOWN.steps()[0].terms[0],
    "Operation": dd.Operation(1, "+", 2, 3),
    "Outcome": SHOWN,
    "ParameterError": error(dd.play, "total-effect/roll", advantage="x"),
    "PoolFacesKind": dd.PoolFacesKind(),
    "Places": dd.Places("pool"),
    "ResourceError": error(dd.roll, "[Strength]"),
    "Resources": dd.Resources({"Strength": 4}, {"Weapon": "sword"}),
    "Say": dd.Say(),
    "Scene": scene(),
    "ScriptedDice": dice(dd.ScriptedDice("1 2 3 4 5 6 1 2")),
    "SeededDice": dice(dd.SeededDice(7)),
    "Step": SHOWN.steps()[0],
    "Track": dd.Track(8, 3),
}
"""An instance of each public class."""


def parts(value):
    """Return what can be seen of a value."""
    match value:
        case dd.Outcome():
            rule = (value.rule, hash(value.rule))
            return hash(value), value.thrown, value.steps(), str(value), value.to_html(), value.to_json(), rule
        case dd.Estimate():
            return value.samples, value.seed, value.names, str(value)
        case dd.Distribution():
            return value.remainder, value.names, value.to_json()
        case dd.Book():
            return list(value.items()), value.faults, value.characters, value.folder
        case dd.Scene():
            return value.state(), value.log, value["kira"], value["vault"]
        case dd.Character() | dd.Mechanic():
            return hash(value), repr(value)
        case dd.Places():
            return value.read("1 3"), value.expects
        case dd.Resources():
            return value.others, str(value)
        case dd.DiceError():
            return vars(value), value.args, str(value)
        case dd.ScriptedDice() | dd.SeededDice():
            return value.each(6, 6, 6), value.each(6, 6, 6)
    return ()


UNEQUAL = (dd.Dice, dd.DiceError, dd.Places, dd.PoolFacesKind, dd.Say, dd.Scene)
"""Classes whose instances are equal to none but themselves."""


@every("way", WAYS)
@every("name", PUBLIC)
def test_an_instance_of_each_public_class_survives(name, way):
    value = PUBLIC[name]
    copied, again = way(value), way(value)
    assert type(copied) is type(value)
    assert copied == value or isinstance(value, UNEQUAL)
    # Dice that were copied go on by themselves, so the parts of the original are read from another copy.
    assert parts(copied) == parts(again)
    if not isinstance(value, dd.Dice):
        assert parts(copied) == parts(value)


@every("way", WAYS)
@every("name", dd.__all__)
def test_each_public_name_survives(name, way):
    value = getattr(dd, name)
    assert name in PUBLIC or not isinstance(value, type)
    copied = way(value)
    assert copied == value or name in {"Decision", "Notation", "PoolFaces", "Sizes"}  # whose kinds are other objects


@every("way", WAYS)
@every("id", dd.mechanics())
def test_an_outcome_of_each_mechanic_survives(id, way):
    for seed in range(3):
        outcome = mechanic(id).example().play(dd.SeededDice(seed))
        copied = way(outcome)
        assert copied == outcome
        assert parts(copied) == parts(outcome)


@every("way", WAYS)
def test_a_table_of_a_page_survives(way):
    """No module has its class, which is made from the table, and from those on which it rolls."""
    rule = BOOK["road/sky"](danger=1)
    copied = way(rule)
    assert (type(copied), copied, repr(copied)) == (type(rule), rule, "road/sky(danger=1)")
    outcome = rule.play(dd.ScriptedDice([1, 2]))
    assert way(outcome) == outcome
    assert parts(way(outcome)) == parts(outcome)
    assert outcome.facts("Sky", "Wind_rolled") == "Sky=Blue, Wind_rolled=Hot"


@every("way", WAYS)
def test_a_rule_of_a_page_survives(way):
    lines = ("total = 2d6 + stat", "result = total: 9- miss, 10+ hit")
    [made] = book_mechanics([PageRule("road/climb", lines, parameters=(("stat", "0"),))]).values()
    rule = made(stat=2)
    copied = way(rule)
    assert (type(copied), copied, repr(copied)) == (type(rule), rule, "road/climb(stat=2)")
    outcome = rule.play(dd.ScriptedDice([3, 5]))
    assert way(outcome) == outcome
    assert parts(way(outcome)) == parts(outcome)
    assert outcome.facts() == "total=10, result=hit"


def test_a_table_is_played_in_another_process():
    rule = BOOK["road/sky"](danger=1)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        odds, played = pool.submit(dd.odds, rule, "Sky"), pool.submit(rule.play, dd.ScriptedDice([2, 3, 4]))
        # 1 and 2 and one more: one half is at least 3.
        assert odds.result().p("= Grey") * 2 == 1
        there, here = played.result(), rule.play(dd.ScriptedDice([2, 3, 4]))
    assert (there, str(there), there.facts("Wind_rolled")) == (here, str(here), "Wind_rolled=7")


def test_dice_go_on_where_they_are():
    original = dice(dd.SeededDice(7))
    copies = [way(original) for way in WAYS]
    faces = [dice.each(*[20] * 9) for dice in (original, *copies)]
    assert len(set(faces)) == 1
    untouched = dd.SeededDice(7)
    untouched.each(6, 6)
    assert untouched.each(*[20] * 9) == faces[0]


def test_what_was_computed_is_computed_anew():
    """The hash of a text is another one in each process."""
    rule = Climb()
    assert (hash(rule), rule.bonus) == (hash(Climb()), 4)
    assert b"_hash" not in pickle.dumps(rule)
    assert b"bonus" not in pickle.dumps(rule)


def test_a_frozen_copy_is_frozen():
    copied = copy.copy(SHOWN)
    with pytest.raises(AttributeError, match="an outcome cannot be changed"):
        copied.total = 3
    made_by_hand = Climb.Result(1, (1, None))
    assert copy.deepcopy(made_by_hand) == made_by_hand
    assert copy.copy(made_by_hand).rule is None


def test_other_processes_roll_and_fail():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        rolled, failed = pool.submit(dd.roll, "3d6", seed=7), pool.submit(dd.roll, "3d")
        here = dd.roll("3d6", seed=7)
        there = rolled.result()
        assert (there, hash(there), str(there)) == (here, hash(here), str(here))
        with pytest.raises(dd.NotationError) as raised:
            failed.result()
    assert str(raised.value) == str(error(dd.roll, "3d"))
