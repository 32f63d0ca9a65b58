"""The verbs of `say`: each computes a value, and records its step while steps are recorded."""

import json
import operator
import re
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs import Dice, Die, Faces, Mechanic, Operand, Operation, Outcome, Say, ScriptedDice, Step, highest
from dicedocs.panel.view.outcome_view import outcome_view
from dicedocs.render.html import outcome_html
from dicedocs.render.shown_dice import throw_groups
from dicedocs.rules.steps import Face, RecordingSay

from ..every import every

numbers = st.integers(-(10**12), 10**12)
labels = st.text(max_size=5)
names = st.text("abc", min_size=1, max_size=3)


def value_and_step(verb, *args, **named):
    """The value of a verb, which must be the same with and without recording, and the one step it records."""
    silent, recording = Say(), RecordingSay()
    value = getattr(silent, verb)(*args, **named)
    recorded = getattr(recording, verb)(*args, **named)
    assert value == recorded
    assert type(value) is type(recorded)
    [step] = recording.steps
    return value, step


def operands(*terms):
    return tuple(Operand(*term) if isinstance(term, tuple) else Operand(term) for term in terms)


def test_the_truth_of_a_say_is_whether_it_records():
    assert not Say()
    assert RecordingSay()
    assert RecordingSay().steps == []


# Each verb, with steps written by hand


DEGREES = ((None, "failure"), (-3, "partial"), (0, "success"))


@every(
    ("verb", "args", "named", "value", "step"),
    [
        (
            "sum",
            ("Total", 5, ("d8", 6), -2),
            {"step_up": 1, "wild": 0},
            10,
            Step("Total", "sum", operands(5, (6, "d8"), -2, (1, "step up")), 10),
        ),
        ("sum", ("Total", 0, ("nothing", 0)), {}, 0, Step("Total", "sum", operands(0), 0)),
        ("sum", ("Total",), {}, 0, Step("Total", "sum", (), 0)),
        ("compare", ("Holds", 13, ">=", 14), {}, False, Step("Holds", "compare", operands(13, 14), False, ">=")),
        ("compare", ("Holds", 3, "!=", 4), {}, True, Step("Holds", "compare", operands(3, 4), True, "!=")),
        ("bound", ("Cap", 5), {"high": 3}, 3, Step("Cap", "bound", operands(5), 3, "lowered")),
        ("bound", ("Cap", -5), {"low": 0, "high": 3}, 0, Step("Cap", "bound", operands(-5), 0, "raised")),
        ("bound", ("Cap", 3), {"low": 0, "high": 3}, 3, Step("Cap", "bound", operands(3), 3, idle=True)),
        ("bound", ("Cap", 9), {}, 9, Step("Cap", "bound", operands(9), 9, idle=True)),
        ("scale", ("Half", 7), {"over": 2}, 3, Step("Half", "scale", operands(7, (2, "over")), 3)),
        ("scale", ("Half", -7), {"over": 2}, -4, Step("Half", "scale", operands(-7, (2, "over")), -4)),
        (
            "scale",
            ("Part", 5),
            {"times": 3, "over": 2},
            7,
            Step("Part", "scale", operands(5, (3, "times"), (2, "over")), 7),
        ),
        ("scale", ("Half", 1), {"over": 2, "low": 1}, 1, Step("Half", "scale", operands(1, (2, "over")), 1, "raised")),
        ("scale", ("Same", 4), {"low": 1}, 4, Step("Same", "scale", operands(4), 4, idle=True)),
        ("scale", ("Same", 0), {"low": 1}, 1, Step("Same", "scale", operands(0), 1, "raised")),
        (
            "look_up",
            ("Degree", -1, {None: "failure", -3: "partial", 0: "success"}),
            {},
            "partial",
            Step("Degree", "look_up", operands(-1, (-3, "from"), (0, "below")), "partial", table=DEGREES),
        ),
        (
            "look_up",
            ("Degree", -9, {0: "success", None: "failure", -3: "partial"}),
            {},
            "failure",
            Step("Degree", "look_up", operands(-9, (-3, "below")), "failure", table=DEGREES),
        ),
        (
            "look_up",
            ("Degree", 0, {None: "failure", 0: "success"}),
            {},
            "success",
            Step("Degree", "look_up", operands(0, (0, "from")), "success", table=(DEGREES[0], DEGREES[2])),
        ),
        (
            "move",
            ("Step", ("low", "mid", "high"), "mid", 2),
            {},
            ("high", 1),
            Step("Step", "move", operands("mid", (2, "by"), (1, "beyond")), "high"),
        ),
        (
            "move",
            ("Step", [4, 6, 8], 4, -3),
            {},
            (4, -3),
            Step("Step", "move", operands(4, (-3, "by"), (-3, "beyond")), 4),
        ),
        (
            "move",
            ("Step", "abc", "b", 0),
            {},
            ("b", 0),
            Step("Step", "move", operands("b", (0, "by"), (0, "beyond")), "b", idle=True),
        ),
        (
            "pick",
            ("Effect", {"low": 2, "mid": 5}, "mid"),
            {},
            5,
            Step("Effect", "pick", operands((2, "low"), (5, "mid")), 5, "mid"),
        ),
        (
            "leaders",
            ("Winner", {"Ann": (2, 1), "Bo": (2, 3), "Cy": (1, 9)}, ("result", "training")),
            {},
            ["Bo"],
            Step("Winner", "leaders", operands("Bo"), "Bo", "training"),
        ),
        (
            "leaders",
            ("Winner", {"Ann": (2, 1), "Bo": (2, 1), "Cy": (1, 9)}, ("result", "training")),
            {},
            ["Ann", "Bo"],
            Step("Winner", "leaders", operands("Ann", "Bo"), "Ann, Bo", "result"),
        ),
        (
            "leaders",
            ("Winner", {"Ann": (2,), "Bo": (2,)}, ("result",)),
            {},
            ["Ann", "Bo"],
            Step("Winner", "leaders", operands("Ann", "Bo"), "Ann, Bo"),
        ),
        (
            "fact",
            ("Two alike", True, 4, "a word", ("Bo", 3)),
            {},
            True,
            Step("Two alike", "fact", operands(4, "a word", (3, "Bo")), True),
        ),
        ("fact", ("Nothing", None), {}, None, Step("Nothing", "fact", (), None)),
        (
            "rewrite",
            ("Add", "1 + 2", "3", Operation(1, "+", 2, 3)),
            {},
            "3",
            Step("Add", "rewrite", operands("1 + 2"), "3", operations=(Operation(1, "+", 2, 3),)),
        ),
        ("rewrite", ("Add", "3", "3"), {}, "3", Step("Add", "rewrite", operands("3"), "3", idle=True)),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isalpha() else "",
)
def test_the_value_and_the_step_of_a_verb(verb, args, named, value, step):
    given, kept = value_and_step(verb, *args, **named)
    assert given == value
    assert kept == step


@every("name", ["label", "self", "terms", "named"])
def test_a_named_term_may_have_any_name(name):
    assert value_and_step("sum", "Total", 1, **{name: 2}) == (3, Step("Total", "sum", operands(1, (2, name)), 3))


def test_a_name_is_converted_to_text_only_while_recording():
    class Named:
        asked = 0

        def __str__(self):
            Named.asked += 1
            return "Freya"

    assert Say().sum("Total", (Named(), 3)) == 3
    assert Named.asked == 0
    say = RecordingSay()
    say.sum("Total", (Named(), 3))
    assert say.steps[0].terms == operands((3, "Freya"))


# Against plain Python


@given(
    label=labels, plain=st.lists(numbers), named=st.lists(st.tuples(names, numbers)), kw=st.dictionaries(names, numbers)
)
def test_sum(label, plain, named, kw):
    value, step = value_and_step("sum", label, *plain, *named, **kw)
    expected = 0
    for number in [*plain, *[number for _, number in named], *kw.values()]:
        expected = expected + number
    assert value == step.value == expected == sum(term.value for term in step.terms)
    assert not any(term.name and term.value == 0 for term in step.terms)
    assert [term.value for term in step.terms if not term.name] == plain


@given(left=numbers, right=numbers | st.just(0), op=st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
def test_compare(left, right, op):
    plain = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
    for other in (right, left):
        value, step = value_and_step("compare", "", left, op, other)
        assert value is step.value is getattr(operator, plain[op])(left, other)


@given(number=numbers, ends=st.lists(numbers, min_size=2, max_size=2), low=st.booleans(), high=st.booleans())
def test_bound(number, ends, low, high):
    given_low, given_high = min(ends) if low else None, max(ends) if high else None
    value, step = value_and_step("bound", "", number, low=given_low, high=given_high)
    expected = sorted([number, *ends])[1] if low and high else number
    if low != high:
        expected = max(number, min(ends)) if low else min(number, max(ends))
    assert value == step.value == expected
    assert step.idle == (expected == number)


@given(number=numbers, times=numbers, over=numbers.filter(bool), low=st.none() | numbers)
def test_scale(number, times, over, low):
    value, step = value_and_step("scale", "", number, times=times, over=over, low=low)
    exact = Fraction(number) * Fraction(times) / Fraction(over)
    expected = floor(exact)
    assert value == step.value == (expected if low is None else max(low, expected))
    assert (step.how == "raised") == (low is not None and expected < low)
    if step.idle:
        assert value == number


@given(number=st.integers(-30, 30), bounds=st.sets(st.integers(-20, 20)), order=st.randoms(use_true_random=False))
def test_look_up(number, bounds, order):
    rows = [(None, "below"), *[(bound, f"from {bound}") for bound in bounds]]
    order.shuffle(rows)
    value, step = value_and_step("look_up", "", number, dict(rows))
    reached = [bound for bound in range(-20, number + 1) if bound in bounds]
    assert value == step.value == (f"from {reached[-1]}" if reached else "below")
    above = [bound for bound in range(number + 1, 21) if bound in bounds]
    assert [term.value for term in step.terms if term.name == "below"] == above[:1]
    assert [term.value for term in step.terms if term.name == "from"] == reached[-1:]


@given(length=st.integers(1, 8), at=st.integers(0, 7), by=st.integers(-12, 12))
def test_move(length, at, by):
    scale = [f"place {i}" for i in range(length)]
    at = at % length
    (place, beyond), step = value_and_step("move", "", scale, scale[at], by)
    here, passed = at, 0
    for _ in range(abs(by)):
        ahead = here + (1 if by > 0 else -1)
        if 0 <= ahead < length:
            here = ahead
        else:
            passed += 1 if by > 0 else -1
    assert (place, beyond) == (scale[here], passed)
    assert step.value == place
    assert step.idle == (by == 0)


@given(st.dictionaries(names, st.tuples(*[st.integers(0, 2)] * 3), min_size=1))
def test_leaders(standings):
    by = ["first", "second", "third"]
    value, step = value_and_step("leaders", "", standings, by)
    left, decided = list(standings), ""
    for place, figure in enumerate(by):
        best = max(standings[name][place] for name in left)
        behind = [name for name in left if standings[name][place] < best]
        if behind:
            decided = figure
        left = [name for name in left if name not in behind]
    assert value == left
    assert step.how == decided
    assert step.value == ", ".join(left)


@given(value=st.none() | st.booleans() | numbers | st.text() | st.tuples(numbers), of=st.lists(numbers | st.text()))
def test_fact(value, of):
    given_back, step = value_and_step("fact", "", value, *of)
    assert given_back is value
    assert step.value == value
    assert [term.value for term in step.terms] == of


# Faces that know their die, and the steps of dice calls


class Tells(Mechanic):
    """A rule with each kind of dice call."""

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        dice.roll(20)
        pool = dice.pool(6, 8, 6, keep=highest(2), unread={2: "exhausted"})
        pool.mark(0, "scratched", "The lower")
        pool.mark(1, "spent")
        dice.total(2, 4, keep=highest(1))
        dice.tally(3, 10, {10}, {1})
        dice.tally(1, 10, {10})
        dice.total(0, 4)
        dice.each()
        dice.play(Inner(), "Inside")
        dice.play(Inner())
        return self.Result(say.sum("Total", *pool, ("Bo", pool[1])))


class Inner(Mechanic):
    """A die."""

    class Result(Outcome):
        face: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(12)
        return self.Result(say.fact("Face", face, ("shown", face), (face, "word")))


def test_every_dice_call_is_a_step():
    outcome = Tells().play(ScriptedDice([13, 2, 7, 6, 1, 3, 10, 1, 10, 9, 12, 11]))
    steps = outcome.steps()
    assert [step.played.facts("face") for step in steps if isinstance(step.played, Inner.Result)] == [
        "face=12",
        "face=11",
    ]
    assert tuple(step._replace(played=None) for step in steps) == (
        Step("Dice", "throw", (Operand(13, "", 1, 20),)),
        Step("Dice", "throw", (Operand(2, "", 2, 6), Operand(7, "", 3, 8), Operand(6, "exhausted", 4, 6))),
        Step("The lower", "mark", (Operand(2, "", 2, 6),), 2, "scratched"),
        Step("Dice", "throw", (Operand(1, "dropped", 5, 4), Operand(3, "", 6, 4)), 3, "total"),
        Step("Dice", "throw", tuple(Operand(f, "", 7 + i, 10) for i, f in enumerate([10, 1, 10])), (2, 1), "tally"),
        Step("Dice", "throw", (Operand(9, "", 10, 10),), 0, "tally", uncounted=(10,)),
        Step(
            "Inside",
            "play",
            steps=(
                Step("Dice", "throw", (Operand(12, "", 11, 12),)),
                Step("Face", "fact", (Operand(12, "shown", 11, 12), Operand("word", "d12 12", 11, 12)), 12),
            ),
        ),
        Step(
            "Inner",
            "play",
            steps=(
                Step("Dice", "throw", (Operand(11, "", 12, 12),)),
                Step("Face", "fact", (Operand(11, "shown", 12, 12), Operand("word", "d12 11", 12, 12)), 11),
            ),
        ),
        Step("Total", "sum", (Operand(2, "", 2, 6), Operand(7, "", 3, 8), Operand(7, "Bo", 3, 8)), 16),
    )
    assert outcome.thrown[1:4] == (Die(6, 2, "scratched"), Die(8, 7, "spent"), Die(6, 6, "exhausted"))


class Abilities(Mechanic):
    """Two labelled throws and one that is not."""

    class Result(Outcome):
        strength: int
        wit: int
        luck: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        strength = say.throw("STR", dice.total(3, 6))
        (wit,) = say.throw("WIT", dice.pool(6, 6, keep=highest(1)))
        say.throw("None", dice.each())
        return self.Result(strength, wit, dice.roll(20))


def test_a_throw_can_have_a_label():
    outcome = Abilities().play(ScriptedDice([4, 2, 5, 1, 6, 17]))
    assert outcome.facts() == "strength=11, wit=6, luck=17"
    assert [(step.label, step.verb) for step in outcome.steps()] == [
        ("STR", "throw"),
        ("WIT", "throw"),
        ("Dice", "throw"),
    ]
    assert str(outcome).splitlines() == ["STR: 3d6: 4 + 2 + 5 = 11", "WIT: 2d6: 1 (dropped), 6", "Dice: d20: 17"]
    with pytest.raises(TypeError, match="its label is not text"):
        RecordingSay().throw(3, 4)


def test_the_dice_of_labelled_throws_are_drawn_apart():
    outcome = Abilities().play(ScriptedDice([4, 2, 5, 1, 6, 17]))
    groups = throw_groups(outcome.steps(), outcome.thrown)
    assert [(label, [die.face for die in dice]) for label, dice in groups] == [
        ("STR", [4, 2, 5]),
        ("WIT", [1, 6]),
        ("Dice", [17]),
    ]
    html = outcome_html(outcome)
    assert re.findall(r'dice-thrown"><span class="dice-label">(\w+)<', html) == ["STR", "WIT", "Dice"]
    # Each die is drawn once.
    assert html.count("<svg") == 6
    panel = outcome_view(outcome, 1, "", 7)[0]
    assert [(label, len(dice)) for label, dice, _more in panel["pools"]] == [("STR", 3), ("WIT", 2), ("Dice", 1)]
    assert panel["dice"] == []
    assert throw_groups(Tells().play(ScriptedDice([13, 2, 7, 6, 1, 3, 10, 1, 10, 9, 12, 11])).steps(), range(12)) == []


def plain(value):
    """Whether a value is plain data, without faces."""
    if isinstance(value, tuple | list):
        return type(value) in {tuple, Step, Operand, Operation} and all(map(plain, value))
    return type(value) in {int, str, bool, type(None)}


def test_a_step_is_plain_data():
    class Pools(Mechanic):
        class Result(Outcome):
            pool: tuple[int, ...]

        def resolve(self, dice: Dice, say: Say) -> Result:
            pool = dice.pool(6, 6)
            say.fact("Pool", pool, pool, ("named", pool), [*pool])
            say.pick("One", {"all": pool, "low": pool[:1]}, "all")
            say.look_up("Row", pool[0], {None: pool, 3: pool[0]})
            say.move("Along", pool, pool[0], pool[0])
            say.bound("At most", pool[0], high=pool[1])
            say.scale("Twice", pool[0], times=pool[1], over=pool[1])
            say.compare("Less", pool[0], "<", pool[1])
            return self.Result(pool)

    steps = Pools().play(ScriptedDice([5, 2])).steps()
    assert [step.verb for step in steps] == ["throw", "fact", "pick", "look_up", "move", "bound", "scale", "compare"]
    assert plain(steps)
    assert json.loads(json.dumps(steps[1].value)) == [2, 5]
    assert hash(steps)


def test_a_face_is_a_number():
    face = Face.of(5, 2, 8)
    assert (face, face + 1, str(face), face.die, face.sides) == (5, 6, "5", 2, 8)
    assert isinstance(Faces((1, 2)), tuple)
