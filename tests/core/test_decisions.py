"""What a player chooses in play: the dice call, how a choice is written, and the odds of a fixed way.

The expected values come from recursion and from all faces one by one; Pig's turn by "hold at 20" has a mean of 8.14179
in the literature (Neller and Presser, 2004).
"""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import dicedocs as dd
from dicedocs import Decision, Dice, Mechanic, NotationError, Outcome, ParameterError, Say, ScriptedDice, fact, param
from dicedocs.render.text import parameter_text
from dicedocs.rules.registry import in_book
from dicedocs.rules.replay import play_before_failure
from dicedocs.syntax.decisions import Undecided
from dicedocs.translation import language

from ..every import every
from ..pig import MEAN_OF_20, odds_of_holding


class Pig(Mechanic):
    """Throw a d6 and add it up, as often as you like; a 1 loses all."""

    again: Decision = param(help="whether you throw again")

    class Result(Outcome):
        score: int = fact(help="what is added up")

    def throw(self, dice: Dice, say: Say, turn: int, _over: bool) -> tuple[int, bool]:
        if turn and not dice.choose(self.again, turn=turn):
            return turn, True
        face = dice.roll(6)
        return (0, True) if face == 1 else (turn + face, turn + face >= 100)

    def resolve(self, dice: Dice, say: Say) -> Result:
        score, _ = dice.repeat(self.throw, (0, False), until=lambda _, over: over, label="Throw")
        return self.Result(score)


Pig.id = "pig/turn"


@pytest.fixture(autouse=True)
def _played_by_id():
    with in_book({Pig.id: Pig}):
        yield


class Pushed(Mechanic):
    """Throw d6s; push, and what shows neither 6 nor 1 is thrown again."""

    pool: int = param(default=3)
    push: Decision = param(help="whether you push")

    class Result(Outcome):
        sixes: int
        ones: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        sixes, ones = dice.tally(self.pool, 6, {6}, {1})
        if not dice.choose(self.push, sixes=sixes, ones=ones):
            return self.Result(sixes, 0)
        more, worse = dice.tally(self.pool - sixes - ones, 6, {6}, {1})
        return self.Result(sixes + more, ones + worse)


class Guess(Mechanic):
    """Guess whether a die is even: before it is thrown, or after."""

    after: bool = param(default=False)
    guess: Decision = param()

    class Result(Outcome):
        right: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        seen = {"die": dice.roll(6)} if self.after else {}
        even = dice.choose(self.guess, **seen)
        die = seen.get("die") or dice.roll(6)
        return self.Result((die % 2 == 0) == even)


class Doors(Mechanic):
    """Open a door, by its name, in one round of two, which is a rule of its own."""

    door: Decision = param(default='"the red one"')

    class Result(Outcome):
        door: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        die = dice.roll(6)
        return self.Result(dice.choose(self.door, ["the red one", "open", "7"], die=die))


class Twice(Mechanic):
    """Open two doors one after the other."""

    door: Decision = param()

    class Result(Outcome):
        first: str
        second: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        first, second = (dice.play(Doors(door=self.door), label).door for label in ("First", "Second"))
        return self.Result(first, second)


def test_a_turn_of_pig_that_holds_at_20():
    counted = dd.odds(Pig(again="yes if turn < 20, else no"))
    assert {score: counted.exactly(score) for score in counted.values} == odds_of_holding(20)
    assert round(float(counted.mean), 5) == MEAN_OF_20


WAYS = {
    "no": lambda _sixes, _ones: False,
    "yes": lambda _sixes, _ones: True,
    "yes if sixes = 0, else no": lambda sixes, _ones: sixes == 0,
    "no if sixes >= 1 or ones is 2 or more, else yes": lambda sixes, ones: not (sixes >= 1 or ones >= 2),
}


@every("way", [*WAYS])
def test_the_odds_of_a_way_are_those_of_all_faces(way):
    expected = Counter()
    for first in product(range(1, 7), repeat=2):
        sixes, ones = first.count(6), first.count(1)
        again = 2 - sixes - ones if WAYS[way](sixes, ones) else 0
        for second in product(range(1, 7), repeat=again):
            pushed = WAYS[way](sixes, ones)
            key = (sixes + second.count(6), ones + second.count(1) if pushed else 0)
            expected[key] += Fraction(1, 6 ** (2 + again))
            outcome = Pushed(pool=2, push=way).play(ScriptedDice([*first, *second]))
            assert (outcome.sixes, outcome.ones) == key
    odds = dd.odds(Pushed(pool=2, push=way), "sixes", "ones")
    assert {value: odds.exactly(value) for value in odds.values} == expected


def test_at_random_a_die_chooses():
    either = [dd.odds(Pushed(push=way), "sixes") for way in ("no", "yes")]
    mixed = dd.odds(Pushed(push="at random"), "sixes")
    assert all(mixed.exactly(n) == sum(one.exactly(n) for one in either) / 2 for n in range(4))
    outcome = Pushed(push="at random").play(ScriptedDice([6, 1, 3, 2, 4]))
    assert (outcome.thrown[3].sides, outcome.facts()) == (2, "sixes=1, ones=1")


def test_nobody_knows_what_is_thrown_later():
    assert dd.odds(Guess(guess="at random")).p("yes") == Fraction(1, 2)
    assert dd.odds(Guess(after=True, guess="yes if die % 2 = 0, else no")).p("yes") == 1
    with pytest.raises(ParameterError, match="no value that is known when 'guess' is chosen is called 'die'"):
        dd.odds(Guess(guess="yes if die % 2 = 0, else no"))


REFUSED = [
    ({}, [4], "'again' is the player's choice: no or yes; write no or yes, or when: yes if turn > 0, else no"),
    ({"again": "yes, no"}, [1], "'again' is never asked, and 2 ways are given; give one for each time"),
    ({"again": "yes, no, no"}, [4, 3], "'again' is asked only 2 times, and 3 ways are given; give one for each time"),
    ({"again": "yes, yes"}, [4, 3, 2], "'again' is asked more than 2 times, and 2 ways are given; give one for each"),
    ({"again": "yes, open"}, [1], "'again' is never asked, and 1 way is given"),
    ({"again": "maybe"}, [4], "'maybe' is not a way of 'again'; write no or yes, or when: yes if ..., else no"),
    ({"again": "best"}, [4], "'again' is best play, which is for odds; write no or yes"),
    ({"again": "yes, best"}, [4, 3], "'best' is not a way of 'again'"),
    ({"again": "yes no"}, [4], "'yes no' is not one way; write several with commas"),
    ({"again": "open, yes"}, [4], "'open, yes' goes on behind 'open'; write open at the end"),
    ({"again": "yes if turm < 20, else no"}, [4], "is called 'turm'; did you mean 'turn'?"),
    ({"again": "7 if turn < 20, else 8"}, [4], "'7' is not a way of 'again'"),
]


@every(("parameters", "dice", "message"), REFUSED)
def test_what_does_not_say_it_is_refused(parameters, dice, message):
    with pytest.raises(ParameterError) as caught:
        Pig(**parameters).play(ScriptedDice(dice))
    assert message in str(caught.value)
    assert caught.value.parameter == "again"


def test_what_is_no_value_is_refused_at_its_place():
    with pytest.raises(NotationError) as caught:
        Pig(again="yes if turn <, else no").play(ScriptedDice([4]))
    assert caught.value.at == 13


@every(("way", "message"), [("open", "is the player's choice"), ("yes, no", "are the choices of one play")])
def test_odds_are_of_a_fixed_way(way, message):
    with pytest.raises(ParameterError, match=message):
        dd.odds(Pig(again=way))


@every(
    ("way", "door"),
    [
        ("the red one", None),
        ('"the red one"', "the red one"),
        ('"Open"', "open"),
        ("7", "7"),
        ('"the red one" if die > 3, else "open"', "the red one"),
        ('"7" if die < 3, else the red one', "the red one"),
    ],
)
def test_ways_may_be_words(way, door):
    if door is None:
        with pytest.raises(ParameterError, match="'the red one' is not one way"):
            Doors(door=way).play(ScriptedDice([4]))
    else:
        assert Doors(door=way).play(ScriptedDice([4])).door == door


class Better(Mechanic):
    """Take a way that is called as best play is."""

    side: Decision = param(default="open")

    class Result(Outcome):
        points: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(1 if dice.choose(self.side, ["best", "worst"], level=1) == "best" else 2)


def test_best_play_is_named_in_the_language_of_the_reader():
    field = Better.parameters()["side"]
    with language("de"):
        assert parameter_text(field, field.convert("Best")) == "bestes Spiel"


def test_a_way_called_best_stands_in_quotes():
    assert dd.odds(Better(side='"best"')).exactly(1) == dd.odds(Better(), best="mean(points)").exactly(2) == 1
    assert dd.odds(Better(side='"best" if level = 1, else worst')).exactly(1) == 1
    for best in ("", "mean(points)"):
        with pytest.raises(ParameterError, match=r"'best' is a way of 'side', and .*; write \"best\" or open"):
            dd.odds(Better(side="best"), best=best)


def test_a_choice_is_handed_on_to_what_is_played():
    outcome = Twice(door='"open", 7').play(ScriptedDice([4, 5]))
    assert (outcome.first, outcome.second) == ("open", "7")
    with pytest.raises(Undecided) as caught:
        Twice(door='"open", open').play(ScriptedDice([4, 5]))
    assert caught.value.choice.text == '"open", open'


def test_the_working_shows_what_was_chosen():
    outcome = Pig(again="yes if turn < 6, else no").play(ScriptedDice([4, 3]))
    assert str(outcome).split("\n")[2:6] == [
        "Throw 2:",
        "  Again: yes (the player's choice)",
        "  Dice: d6: 3",
        "Throw 3:",
    ]
    assert outcome.look_up("steps.Again") is True
    assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301
    example = dd.Example("pig/turn", {"again": "yes, no"}, dice=[4, 3], expect="score=7")
    example.verify()
    assert example.code() == 'dd.play("pig/turn", again="yes, no", dice=[4, 3])'


def test_the_same_seed_goes_on_with_one_more_answer():
    way, thrown = "open", ()
    while True:
        rule = Pig(again=way)
        try:
            outcome = rule.play(dd.SeededDice(3))
        except Undecided as error:
            steps = play_before_failure(rule, dd.SeededDice(3))[0]
            faces = tuple(die.value for step in steps for part in step.steps for die in part.terms)
            assert faces[: len(thrown)] == thrown
            thrown, way = faces, error.choice.taking(len(faces) < 4).text
        else:
            break
    assert outcome.dice == thrown
    assert Pig(again=way).play(dd.SeededDice(3)) == outcome


def test_a_seed_is_searched_for_choices_in_their_order():
    for again, score in (("yes, no", 9), ("yes, yes, no", 12)):
        seed = dd.find_seed("pig/turn", again=again, where={"score": score})
        tried = [seed for seed in range(seed + 1) if _score(again, seed) == score]
        assert tried == [seed]


def _score(again, seed):
    try:
        return Pig(again=again).play(dd.SeededDice(seed)).score
    except ParameterError:
        return None


def test_a_choice_without_dice_does_not_go_on_for_ever():
    class Endless(Mechanic):
        more: Decision = param()

        class Result(Outcome):
            number: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            number = 0
            while dice.choose(self.more, number=number):
                number += 1
            return self.Result(number)

    assert Endless(more="yes if number < 3, else no").play(ScriptedDice([])).number == 3
    for run in (lambda: Endless(more="yes").play(ScriptedDice([])), lambda: dd.odds(Endless(more="yes"))):
        with pytest.raises(dd.LimitError, match="make sure the rule ends"):
            run()
