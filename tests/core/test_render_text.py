"""An outcome as text: the sentence of each verb, and the working of whole outcomes."""

import pytest

import dicedocs as dd
from dicedocs.errors import ParameterError
from dicedocs.render.sentences import SENTENCES
from dicedocs.render.text import Origin, chosen_parameters, outcome_text, participants, result, rows
from dicedocs.render.words import display_text
from dicedocs.rules.dice import Dice, ScriptedDice, highest
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact
from dicedocs.rules.params import param
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import Face, Operand, Operation, RecordingSay, Say, Step

from ..every import every


def line_of(use_verb) -> str:
    """Return the only line that a function records."""
    say = RecordingSay()
    use_verb(say)
    (row,) = rows(say.steps)
    return str(row)


D6, D10 = Face.of(6, 3, 6), Face.of(10, 2, 10)
DEGREES = {None: "failure", -3: "partial success", 0: "success", 3: "greater success"}
PLACES = ["failure", "partial success", "success", "greater success"]

SENTENCE_OF = [
    (lambda say: say.sum("Total", 2, 5, 6), "Total: 2 + 5 + 6 = 13"),
    (lambda say: say.sum("Total", 2, 5, escalation=0), "Total: 2 + 5 = 7"),
    (lambda say: say.sum("Total", 11), "Total: 11"),
    (lambda say: say.sum("TN", 20, penalty=-6), "TN: 20 - 6 (penalty) = 14"),
    (lambda say: say.sum("Total", -3, 5), "Total: -3 + 5 = 2"),
    (lambda say: say.sum("Bonus", ("Freya", 3)), "Bonus: 3 (Freya)"),
    (lambda say: say.sum("Bonus", training=0), "Bonus: 0"),
    (lambda say: say.sum("Total", D6, Face.of(2, 4, 6)), "Total: 6 + 2 = 8"),
    (lambda say: say.sum("Total", D6, ("d10", D10)), "Total: 6 + 10 (d10) = 16"),
    (lambda say: say.sum("Total", D6, D10), "Total: 6 (d6) + 10 (d10) = 16"),
    (lambda say: say.sum("Impact", (D6, 1), (D10, 2)), "Impact: 1 (d6 6) + 2 (d10 10) = 3"),
    (lambda say: say.compare("Threshold", 13, ">=", 13), "Threshold: 13 >= 13: yes"),
    (lambda say: say.compare("Under", 12, "<", 12), "Under: 12 < 12: no"),
    (lambda say: say.bound("Total", -3, low=0), "Total: -3, raised to 0"),
    (lambda say: say.bound("Advantage", 5, low=0, high=3), "Advantage: 5, lowered to 3"),
    (lambda say: say.bound("Advantage", 2, low=0, high=3), "Advantage: 2"),
    (lambda say: say.scale("TN", 20, times=3, over=2), "TN: 20 * 3 / 2 = 30"),
    (lambda say: say.scale("Half", 5, over=2), "Half: 5 / 2 = 2, rounded down"),
    (lambda say: say.scale("Half", 1, over=2, low=1), "Half: 1 / 2 = 0, rounded down, raised to 1"),
    (lambda say: say.scale("TN", 14), "TN: 14"),
    (lambda say: say.look_up("Degree", 2, DEGREES), "Degree: 2 is 0 to 2: success"),
    (lambda say: say.look_up("Degree", -2, DEGREES), "Degree: -2 is -3 to -1: partial success"),
    (lambda say: say.look_up("Degree", 7, DEGREES), "Degree: 7 is 3 or more: greater success"),
    (lambda say: say.look_up("Degree", -4, DEGREES), "Degree: -4 is below -3: failure"),
    (lambda say: say.look_up("Band", 1, {0: "low", 1: "mid", 2: "high"}), "Band: 1: mid"),
    (lambda say: say.look_up("Band", 1, {None: "any"}), "Band: 1: any"),
    (lambda say: say.move("Critical", PLACES, "success", 1), "Critical: success, 1 up: greater success"),
    (lambda say: say.move("Step", ["low", "mid"], "low", -1), "Step: low, 1 down: low and 1 less"),
    (lambda say: say.move("Step", ["low", "mid"], "low", 3), "Step: low, 3 up: mid and 2 more"),
    (lambda say: say.move("Step", ["low", "mid"], "low", 0), "Step: low"),
    (lambda say: say.pick("Effect", {"low": 2, "high": 6}, "low"), "Effect: low is 2"),
    (
        lambda say: say.leaders("Winner", {"Whitebeard": (2, 2), "Rusk": (2, 1)}, ["result", "training"]),
        "Winner: Whitebeard, by training",
    ),
    (lambda say: say.leaders("Winner", {"A": (2,), "B": (2,)}, ["result"]), "Winner: A and B, level"),
    (lambda say: say.leaders("Winner", {"A": (2,), "B": (2,), "C": (1,)}, ["result"]), "Winner: A and B, by result"),
    (lambda say: say.leaders("Winner", {"A": (2,)}, ["result"]), "Winner: A"),
    (lambda say: say.fact("Result", "success"), "Result: success"),
    (lambda say: say.fact("Critical: two dice alike", True, 5, 5), "Critical: two dice alike: yes (5, 5)"),
    (lambda say: say.fact("Pool", (4, 2, 5), ("stress", 1)), "Pool: 4, 2 and 5 (stress 1)"),
    (lambda say: say.fact("Scratched", None), "Scratched: none"),
    (lambda say: say.rewrite("Substitute", "[X] * 2", "4 * 2"), "Substitute: 4 * 2"),
    (
        lambda say: say.rewrite("Parentheses", "(8 + 4) * 2", "12 * 2", Operation(8, "+", 4, 12)),
        "Parentheses: 12 * 2   (8 + 4 = 12)",
    ),
    (
        lambda say: say.rewrite("Add", "24 - 12 + 5", "17", Operation(24, "-", 12, 12), Operation(12, "+", 5, 17)),
        "Add: 17   (24 - 12 = 12, 12 + 5 = 17)",
    ),
    (
        lambda say: say.rewrite("Divide", "7 / 2 * 2", "6", Operation(7, "/", 2, 3), Operation(3, "*", 2, 6)),
        "Divide: 6   (7 / 2 = 3, rounded down; 3 * 2 = 6)",
    ),
    (
        lambda say: say.rewrite("Divide", "-3 / 2", "-2", Operation(-3, "/", 2, -2)),
        "Divide: -2   (-3 / 2 = -2, rounded down)",
    ),
    (lambda say: say.rewrite("Divide", "8 / 2", "4", Operation(8, "/", 2, 4)), "Divide: 4   (8 / 2 = 4)"),
    (
        lambda say: say.rewrite("Divide", "10 / 0", "0", Operation(10, "/", 0, 0)),
        "Divide: 0   (10 / 0 = 0, a zero divisor gives 0)",
    ),
    # A game may set a zero divisor otherwise; then nothing is claimed of it.
    (lambda say: say.rewrite("Divide", "10 / 0", "10", Operation(10, "/", 0, 10)), "Divide: 10   (10 / 0 = 10)"),
]


@every(("use_verb", "expected"), SENTENCE_OF, ids=[expected for _, expected in SENTENCE_OF])
def test_each_verb_has_its_sentence(use_verb, expected):
    assert line_of(use_verb) == expected


def test_the_sentence_of_an_unknown_verb_is_its_value():
    assert str(*rows([Step("Card", "draw", (Operand("Fool"),), 0)])) == "Card: 0 (Fool)"


def test_every_verb_of_say_has_a_sentence():
    verbs = {name for name in vars(Say) if not name.startswith("_")}
    assert set(SENTENCES) == verbs | {"throw", "mark", "choose", "play"}


THROWN = [
    ([1], [20], "", None, "d20: 1"),
    ([5, 2, 6], [6, 6, 6], "", None, "3d6: 5 2 6"),
    ([4, 10, 6], [8, 10, 6], "", None, "d8 4, d10 10, d6 6"),
    ([4, 2, 5], [6, 6, 6], "total", 11, "3d6: 4 + 2 + 5 = 11"),
    ([4], [6], "total", 4, "d6: 4"),
    ([8, 10, 3], [10, 10, 10], "tally", 2, "3d10: 8 10 3; counted 2"),
    ([8, 10, 3], [10, 10, 10], "tally", (2, 1), "3d10: 8 10 3; counted 2 and 1"),
]


@every(("faces", "sides", "how", "value", "expected"), THROWN)
def test_a_throw_names_its_dice(faces, sides, how, value, expected):
    dice = tuple(Operand(face, "", i + 1, side) for i, (face, side) in enumerate(zip(faces, sides, strict=True)))
    assert str(*rows([Step("Dice", "throw", dice, value, how)])) == f"Dice: {expected}"


def test_dropped_dice_keep_their_position():
    dice = tuple(Operand(face, "dropped" if face == 2 else "", 1, 6) for face in (5, 2, 6, 4))
    assert str(*rows([Step("Dice", "throw", dice)])) == "Dice: 4d6: 5, 2 (dropped), 6, 4"
    assert str(*rows([Step("Dice", "throw", dice, 15, "total")])) == "Dice: 4d6: 5, 2 (dropped), 6, 4; total 15"


def test_many_dice_are_counted_by_face():
    dice = tuple(Operand(face, "", 1, 6) for face in [2] * 20 + [5] + [1] * 9)
    expected = "Dice: 30d6: 1 (9 times), 2 (20 times), 5 (once); total 54"
    assert str(*rows([Step("Dice", "throw", dice, 54, "total")])) == expected
    dropped = (*dice, Operand(1, "dropped", 1, 6), Operand(7, "", 1, 8))
    expected = "Dice: d6 1 (9 times), d6 1 (once, dropped), d6 2 (20 times), d6 5 (once), d8 7 (once)"
    assert str(*rows([Step("Dice", "throw", dropped)])) == expected


def test_of_many_different_faces_the_first_are_listed():
    dice = tuple(Operand(face, "", 1, 100) for face in range(1, 61))
    first = " ".join(map(str, range(1, 25)))
    assert str(*rows([Step("Dice", "throw", dice, 1830, "total")])) == f"Dice: 60d100: {first} and 36 more; total 1830"


def test_long_sums_and_long_arithmetic_are_shortened():
    line = line_of(lambda say: say.sum("Total", *[2] * 100))
    assert line == "Total: " + " + ".join(["2"] * 24) + " + … (76 more) = 200"
    operation = Operation(1, "+", 1, 2)
    line = line_of(lambda say: say.rewrite("Add", "", "2", *[operation] * 30))
    assert line.endswith("1 + 1 = 2 and 6 more)")
    assert line.count("1 + 1 = 2") == 24


class Pin(Mechanic):
    threshold: int = param(default=13)

    class Result(Outcome):
        total: int
        triggered: bool
        second: tuple[int, ...] = fact(label="The second effect")

    def resolve(self, dice: Dice, say: Say) -> Result:
        pool = dice.pool(6, 6, 6, 6, keep=highest(3))
        total = say.sum("Total", *pool)
        triggered = say.compare("Threshold", total, ">=", self.threshold)
        return self.Result(total, triggered, (pool[0], 7))


class Fumble(Mechanic):
    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        dice.roll(20)
        normal = dice.each(8, 10, 6)
        normal.mark(0, "scratched", "Fumble")
        return self.Result(say.sum("Total", normal[2], ("d10", normal[1])))


class Test(Mechanic):
    __test__ = False
    skill: int = param(default=14)
    penalty: int = param(default=0)

    class Result(Outcome):
        difference: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        number = say.sum("TN", self.skill, penalty=-self.penalty)
        return self.Result(say.sum("Difference", number, -dice.total(3, 6)))


class Contest(Mechanic):
    class Result(Outcome):
        winner: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        one = dice.play(Test(), "Whitebeard")
        other = dice.play(Test(skill=20, penalty=6), "Rusk")
        standings = {"Whitebeard": (one.difference, 2), "Rusk": (other.difference, 1)}
        return self.Result(say.leaders("Winner", standings, by=["difference", "training"])[0])


class Hits(Mechanic):
    class Result(Outcome):
        hits: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Hits", dice.tally(5, 10, {8, 9, 10})))


class Number(Mechanic):
    """A rule without dice whose stages all change nothing."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        dice.play(Idle(), "Nobody")
        say.rewrite("Substitute", "5", "5")
        return self.Result(say.bound("Clamp", 5, low=0))


class Idle(Mechanic):
    class Result(Outcome):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result()


class Throw(Mechanic):
    count: int = param(default=10_000)
    sides: int = param(default=6)

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.total(self.count, self.sides))


def test_the_worked_text_of_a_pool():
    assert str(Pin().play(ScriptedDice([5, 2, 6, 1]))) == (
        "Dice: 4d6: 5, 2, 6, 1 (dropped)\nTotal: 2 + 5 + 6 = 13\nThreshold: 13 >= 13: yes"
    )


def test_the_worked_text_of_a_mark():
    assert str(Fumble().play(ScriptedDice([1, 4, 10, 6]))) == (
        "Dice: d20: 1\nDice: d8 4, d10 10, d6 6\nFumble: d8 4 scratched\nTotal: 6 + 10 (d10) = 16"
    )


def test_the_worked_text_of_a_tally():
    assert str(Hits().play(ScriptedDice([8, 10, 3, 1, 9]))) == "Dice: 5d10: 8 10 3 1 9; counted 3\nHits: 3"


def test_played_mechanics_are_nested():
    assert str(Contest().play(ScriptedDice([3, 4, 5, 3, 4, 5]))) == (
        "Whitebeard:\n"
        "  TN: 14\n"
        "  Dice: 3d6: 3 + 4 + 5 = 12\n"
        "  Difference: 14 - 12 = 2\n"
        "Rusk:\n"
        "  TN: 20 - 6 (penalty) = 14\n"
        "  Dice: 3d6: 3 + 4 + 5 = 12\n"
        "  Difference: 14 - 12 = 2\n"
        "Winner: Whitebeard, by training"
    )


def test_rows_carry_depth_and_idleness():
    number, contest = Number().play(ScriptedDice([])), Contest().play(ScriptedDice([3, 4, 5, 3, 4, 5]))
    assert [(row.label, row.text, row.depth, row.idle) for row in rows(number.steps())] == [
        ("Nobody", "", 0, True),
        ("Substitute", "5", 0, True),
        ("Clamp", "5", 0, True),
    ]
    first = rows(contest.steps())[:2]
    assert [(row.label, row.text, row.depth, row.idle) for row in first] == [
        ("Whitebeard", "", 0, False),
        ("TN", "14", 1, False),
    ]


def test_the_text_of_idle_steps_is_the_result():
    assert str(Number().play(ScriptedDice([]))) == "Total: 5"


def test_the_text_of_an_outcome_made_by_hand_is_its_facts():
    assert str(Pin.Result(13, triggered=True, second=())) == "Total: 13\nTriggered: yes\nThe second effect: none"


def test_the_result_is_the_first_fact_or_those_named():
    outcome = Pin().play(ScriptedDice([5, 2, 6, 1]))
    assert result(outcome) == [("Total", "13")]
    assert result(outcome, ["triggered", "dice", "second", "dropped", "scratched", "triggered"]) == [
        ("Triggered", "yes"),
        ("The second effect", "2 and 7"),
    ]
    assert result(outcome, ["dice"]) == [("Total", "13")]
    with pytest.raises(ParameterError, match="there is no fact 'totel'; did you mean 'total'"):
        result(outcome, ["totel"])


def test_a_sentence_shows_canonical_texts_but_for_lists_and_truth():
    pool = Pin().play(ScriptedDice([5, 2, 6, 1]))
    assert [
        display_text(value) for value in (13, "if countered", True, None, (), (4,), (4, 2), [4, 2, 5], pool.dice)
    ] == [
        *("13", "if countered", "yes", "none", "none", "4", "4 and 2", "4, 2 and 5"),
        "5, 2, 6 and 1",
    ]


def test_names_cannot_break_a_line_or_control_a_terminal():
    line = line_of(lambda say: say.sum("Total\nDice: 3d6: 18", ("\x1b[2J\u2028x", 3), 4))
    assert line == "Total Dice: 3d6: 18: 3 (\ufffd[2J x) + 4 = 7"
    assert (
        line_of(lambda say: say.fact("L\u00e9a \U0001f9d9\u200d\u2640", "\ud800"))
        == "Léa \U0001f9d9\u200d\u2640: \ufffd"
    )


@pytest.mark.parametrize("sides", [6, 1_000_000])
def test_ten_thousand_dice_fit_on_a_line(sides):
    steps = Throw(sides=sides).play(SeededDice(1)).steps()
    assert len(str(*rows(steps))) < 400


def test_the_text_can_be_made_from_known_steps():
    outcome = Hits().play(ScriptedDice([1, 1, 1, 1, 1]))
    assert outcome_text(outcome, outcome.steps()) == str(outcome)


def test_the_worked_text_of_an_expression():
    text = str(
        dd.roll(
            "(2d6 + [Intelligence]) * 2 - [Target Defense] + 5",
            actor={"Intelligence": 4},
            target={"Defense": 12},
            dice=[3, 5],
        )
    )
    assert text == (
        "Substitute: (2d6 + 4) * 2 - 12 + 5\n"
        "Dice: 2d6: 3 + 5 = 8\n"
        "Roll: (8 + 4) * 2 - 12 + 5\n"
        "Calculate: 17   (8 + 4 = 12, 12 * 2 = 24, 24 - 12 = 12, 12 + 5 = 17)"
    )


def test_the_text_of_a_number_is_its_total():
    assert str(dd.roll("5")) == "Total: 5"


def test_chosen_parameters_differ_from_their_defaults():
    outcome = dd.roll("1d6 + [<b>Might</b>]", actor={"<b>Might</b>": 4}, dice=[3])
    shown = [(choice.label, choice.text) for choice in chosen_parameters(outcome)]
    assert shown == [("Notation", "1d6 + [<b>Might</b>]"), ("Actor", "<b>Might</b> 4")]
    assert chosen_parameters(type(outcome)(7, *[None] * 7)) == []


@every(
    ("check", "origins", "expected"),
    [
        # Who acts comes first, with the values of the notation in its order, and who it is against last.
        ("[Nerve] + [Attack] > [Target Defense]", [], ["Asa: Nerve, Attack", "against The king"]),
        # A roll that belongs to a character has a name, and needs none of its parts.
        ("1d20 + [Attack] > 3", [Origin("Asa", "Bite", alone=False)], ["Asa: Bite", "against The king"]),
        # Others say with what they take part; examples and tracks are nobody.
        (
            "[Attack] > 10 + 4 + 1",
            [
                Origin("The river", "Damp", alone=False),
                Origin("The river", "Swell", alone=False),
                Origin("The king", "Luck", alone=False),
                Origin("The first pass", "total", character=False),
                Origin("water", character=False),
            ],
            ["Asa: Attack", "The river: Damp, Swell", "against The king"],
        ),
        ("1 > 0", [], ["Asa: ", "against The king"]),
    ],
)
def test_who_takes_part_in_a_roll(check, origins, expected):
    actor, target = {"Attack": 4, "Nerve": 2, "Luck": 1}, {"Defense": 11, "Attack": 3}
    outcome = dd.check(check, actor=actor, target=target, seed=1)
    written = {"check": origins, "target": [Origin("The king")], "actor": [Origin("Asa")]}
    found = participants(outcome, written)
    said = [f"against {each.name}" if each.target else f"{each.name}: {', '.join(each.values)}" for each in found]
    assert said == expected


def test_what_is_drawn_is_no_value_of_who_takes_part():
    written = {"pool": [Origin("Tove", "Pool")], "stat": [Origin("Tove", "Might")]}
    outcome = dd.play("dungeoneers/action-roll", pool="4 3", stat=4, difficulty=9, seed=1)
    assert participants(outcome, written, ["pool"])[0].values == ["Might"]
