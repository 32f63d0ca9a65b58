"""The exact odds of dice with modifiers, against icepool, against every sequence of faces and against formulas."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest

import dicedocs as dd
from dicedocs import ParameterError, limits
from dicedocs.errors import DiceError
from dicedocs.probability.enumeration import count_odds, run_to_end
from dicedocs.rules.registry import mechanic
from dicedocs.syntax.faces import DieFaces, DieType
from dicedocs.syntax.modifiers import PoolRules, read_modifier

from ..every import every
from ..examples import some


def odds(text, fact="total", **more):
    return dd.odds("dice/roll", fact, notation=text, **more)


def settled_die(rng, sides):
    """Return modifiers of single dice, and the die of icepool that they make."""
    die, text = icepool.d(sides), ""
    if rng.random() < 0.3:
        low = rng.randint(1, sides - 1)
        text, die = f"r<={low}", die.reroll(list(range(1, low + 1)), depth="inf")
    elif rng.random() < 0.3:
        low = rng.randint(1, sides - 1)
        text, die = f"ro<={low}", die.reroll(list(range(1, low + 1)), depth=1)
    if rng.random() < 0.3:
        low = rng.randint(1, sides)
        text, die = f"{text}mi{low}", die.map(lambda face: max(face, low))
    if rng.random() < 0.3:
        high = rng.randint(1, sides)
        text, die = f"{text}ma{high}", die.map(lambda face: min(face, high))
    return text, die


def pool(rng):
    """Return the text of a pool, and the die of icepool for its total."""
    count, sides = rng.randint(1, 5), rng.choice([2, 3, 4, 6, 8, 10])
    text, die = settled_die(rng, sides)
    if rng.random() < 0.3:
        from_face, cap = rng.randint(1, sides), rng.randint(1, 3)
        faces = [face for face in die.outcomes() if face >= from_face]
        if 0 < len(faces) < len(die.outcomes()):  # icepool has no die whose faces all explode
            text, die = f"{text}!!>={from_face}x{cap}", die.explode(faces, depth=cap)
    kept = die.pool(count)
    low, high = 0, count
    match rng.randint(0, 4):
        case 0:
            low = count - rng.randint(0, count)
            text += f"kh{count - low}"
        case 1:
            high = rng.randint(0, count)
            text += f"kl{high}"
        case 2:
            high -= rng.randint(0, count // 2)
            low += rng.randint(0, count // 2)
            if low >= high:  # what drops all dice is refused
                low, high = 0, 1
            text += f"dl{low}dh{count - high}"
    if low >= high:
        return f"{count}d{sides}{text}", icepool.Die({0: 1})
    if rng.random() < 0.3:
        number = rng.randint(1, sides)
        counted = die.map(lambda value: int(value >= number))
        # Counting is monotonic, so the highest of the counts are the counts of the highest.
        return f"{count}d{sides}{text}>={number}", counted.pool(count)[low:high].sum()
    return f"{count}d{sides}{text}", kept[low:high].sum()


@every("seed", some(range(300)))
def test_pools_against_icepool(seed):
    rng = random.Random(seed)
    (one, first), (two, second) = pool(rng), pool(rng)
    add = rng.randint(-5, 5)
    text = f"({one}) - ({two}) + {add}".replace("+ -", "- ")
    expected = first - second + add
    assert odds(text).to_dict() == {value: Fraction(ways, expected.denominator()) for value, ways in expected.items()}


SMALL = [
    "2d4!x1",
    "2d3!px1",
    "2d4!x1kh1",
    "2d3!x1dl1",
    "3d4u",
    "3d4ukh2",
    "2d4uo",
    "3d4kh1kl1",
    "3d4dh1dl1",
    "3d4k>2",
    "3d4p<3",
    "3d6>=5f1",
    "3d6kh2>=5f<3",
    "2d4!>=3x1>=3",
    "2d6cs>4cf",
    "d66",
    "3dF",
    "2d{-, hit, 3}",
    "(1d3)d4",
    "2d(1d4)",
    "(1d2)d(1d3)kh1",
    "{1d4, 1d6, 2}kh2",
    "{1d4, 1d6, 2}dl1",
    "{1d4 + 1, 1d6}>=4",
    "1d6 % 4",
    "1d3 ** 2",
    "2 ** 1d3",
    "ceil(1d6 / 4)",
    "round(1d6 / 4)",
    "floor((1d6 - 4) / 2)",
    "abs(1d6 - 4)",
    "max(1d4, 1d6) - min(1d4, 3)",
    "-(1d4 - 1d6)",
    "1d4 [fire] - 2d3kl1 [cold]",
    "{2d4 + 1d6}kh2",
    "{2d3 + 1d4 + 2}dl1",
    "{2d4 + 2}k1",
    "{2d4 - 1d3}kh1",
    "{2d4 + 1d6cs}kh2",
    "((4d3kh3)kl2)kh1",
    "((3d3mi2)kh2)kl1",
    "{3d4}kh1kl1",
    "{3d{-, hit, 3}}kh1",
    "(1d6 > 3) * 1d4",
    "(1d4 = 1d4) + 1",
    "2d6 * 1.5",
    "0.5 * 2d4 * 2",
    "1d6 / 1.5",
    "1.5 / 1d3",
    "1.5 * 0.5 * 1d6",
    "3d4uo>2",
    "{2d4cs, 1d6cs + 1}kl1",
    "{2d4!!x1cs, 1d4cf}kh1",
    "{2d4!x1cs, 1d4}kh1",
    "{2d4cs - 3, 1d4cs, -1d3cf}dh1",
    "{2d3>=2f1, 1d4>=3}p<1",
    "{2d3>=2f1, 1d4>=3}>=1f0 + (1d4>=2)",
    "{(1d3)d3cs, 1d4cs}kl1",
    "{max(1d4cs, 2), 2 * (1d3cs = 3)}kh1",
    "{{1d4cs, 1d3cs}kl1, 1d4cs}kh1",
    "{{1d4cs + 1d3}kh1, 1d4cs}kh1",
    "{1d4cs, 1d4cs, 1d4cs}kh2",
    "{2d4kl1cs, 2d3mi2p<3cs}kl1",
]


@every("text", SMALL)
@every("fact", ["total", "successes", "failures", "critical_successes", "critical_failures"])
def test_the_odds_of_each_fact_are_those_of_every_branch_of_the_dice(text, fact):
    rule = mechanic("dice/roll")(notation=text)
    if "u" in text and "uo" not in text:
        pytest.skip("dice that must differ are thrown again without end")
    assert rule.distribution(fact) in (None, run_to_end(count_odds(rule, [fact])))


def lower(first, second):
    """Return the index of the lower of two values, the first of equal ones."""
    return 0 if first <= second else 1


def higher(first, second):
    """Return the index of the higher of two values, the first of equal ones."""
    return 0 if first >= second else 1


def of_one(index, *, fact, members):
    """Return what a set has that keeps one of its members: a fact, and the dice that are dropped."""
    return fact(members[index]), tuple(face for at, faces in enumerate(members) if at != index for face in faces)


def hits(faces, least=4):
    return sum(face >= least for face in faces)


SETS: dict[str, tuple[str, list[int], Callable[..., Any]]] = {
    # Two dice of which one is a critical: the lower one is kept, so both must show it.
    "{1d4cs, 1d4cs}kl1": (
        "critical_successes", [4, 4], lambda a, b: of_one(lower(a, b), fact=hits, members=[[a], [b]])
    ),
    "{1d4cs, 1d4}kl1": (
        "critical_successes", [4, 4],
        lambda a, b: (int(a == 4 and b == 4), (b,) if a <= b else (a,)),
    ),
    "{1d4cf, 1d4cf}dl1": (
        "critical_failures", [4, 4], lambda a, b: of_one(higher(a, b), fact=lambda m: m.count(1), members=[[a], [b]])
    ),
    "{1d4cs + 1, 1d4cs}dh1": (
        "critical_successes", [4, 4],
        lambda a, b: of_one(lower(a + 1, b), fact=hits, members=[[a], [b]]),
    ),
    "{2d5>=4, 2d5>=4}kh1": (
        "successes", [5] * 4,
        lambda a, b, c, d: of_one(higher(hits([a, b]), hits([c, d])), fact=hits, members=[[a, b], [c, d]]),
    ),
    "{2d4>=4, 1d4>=2}p<1": (
        "successes", [4] * 3,
        lambda a, b, c: (hits([a, b]) + hits([c], 2), (*([a, b] if max(a, b) < 4 else []), *([c] if c < 2 else []))),
    ),
    "{{1d4cs, 1d3cs}kl1, 1d4cs}kh1": (
        "critical_successes", [4, 3, 4],
        lambda a, b, c: (
            int(c == 4) if c > min(a, b) else int(a == 4 if a <= b else b == 3),
            (a, b) if c > min(a, b) else ((b, c) if a <= b else (a, c)),
        ),
    ),
    "{2d4kh1, 1d4}kl1": (
        "kept", [4] * 3,
        lambda a, b, c: ((max(a, b),), (min(a, b), c)) if max(a, b) <= c else ((), (a, b)),
    ),
    "{1d4 [fire], 1d4 [cold]}kh1": (
        "labels", [4, 4], lambda a, b: ({"fire": a}, (b,)) if a >= b else ({"cold": b}, (a,))
    ),
    "{2d{hit, -, -}, 1d2}kh1": (
        "labels", [3, 3, 2],
        lambda a, b, c: (
            ({"hit": (a, b).count(1)} if (a, b).count(1) else None, (c,)) if (a, b).count(1) >= c else (None, (a, b))
        ),
    ),
    "{2d4cs + 1d6}kh1": (
        "critical_successes", [4, 4, 6],
        lambda a, b, c: (int(max(a, b) == 4 and max(a, b) >= c), None),
    ),
    # A set that counts its members counts no dice.
    "{2d4>=3, 2d4>=3}>=1": (
        "successes", [4] * 4, lambda a, b, c, d: ((max(a, b) > 2) + (max(c, d) > 2), ())
    ),
}  # fmt: skip
"""Sets, with a fact, the sides of their dice, and a function of the faces: the fact and the faces that are dropped."""


@every("text", SETS)
def test_what_a_set_drops_counts_in_no_fact_and_in_no_odds(text):
    fact, sides, expected = SETS[text]
    counted = {}
    for faces in product(*(range(1, one + 1) for one in sides)):
        outcome = dd.roll(text, dice=faces)
        value, dropped = expected(*faces)
        assert outcome.fact(fact) == value, faces
        assert dropped is None or sorted(outcome.dropped) == sorted(dropped), faces
        assert outcome.steps()
        key = None if value is None else dd.Resources(value) if fact == "labels" else value
        counted[key] = counted.get(key, 0) + 1
    whole = sum(counted.values())
    assert odds(text, fact).to_dict() == {value: Fraction(count, whole) for value, count in counted.items()}


@every(
    ("text", "faces", "states"),
    [
        ("{2d6r1, 1d20}kh1", [1, 5, 5, 11], ["rerolled", "dropped", "dropped", ""]),
        ("{2d6!!, 1d20}kl1", [6, 1, 5, 11], ["dropped", "dropped", "dropped", ""]),
        ("2d6!!kl1", [6, 1, 5], ["dropped", "", "dropped"]),
        ("{1d66, 1d20}kl1 + {1d4, 1d4}kh1", [6, 6, 3, 2, 2], ["dropped", "dropped", "", "", "dropped"]),
    ],
)
def test_every_die_of_what_is_dropped_is_dropped(text, faces, states):
    assert [die.state for die in dd.roll(text, dice=faces).thrown] == states


def test_symbols_that_are_subtracted_are_subtracted_among_dice_that_are_kept_too():
    assert dd.roll("{3d{hit, -} - 2d{hit, -}}kh9", dice=[1, 1, 1, 1, 2]).fact("labels") == {"hit": 2}


def test_dice_that_differ_against_every_permutation():
    totals = [sum(faces) for faces in product(range(1, 7), repeat=3) if len(set(faces)) == 3]
    assert odds("3d6u").to_dict() == {total: Fraction(totals.count(total), len(totals)) for total in set(totals)}


@every(
    ("text", "count", "sides", "different", "kept"),
    [
        ("3d4u>=3", 3, 4, {3, 4}, 3),
        ("3d4u>=3kh2", 3, 4, {3, 4}, 2),
        ("2d3u<>2", 2, 3, {1, 3}, 2),
        ("4d2u=2", 4, 2, {2}, 4),
    ],
)
def test_dice_of_which_some_must_differ_against_every_order_of_throwing(text, count, sides, different, kept):
    totals: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for _ in range(count):
        following: dict[tuple[int, ...], Fraction] = {}
        for faces, chance in totals.items():
            left = [face for face in range(1, sides + 1) if face not in different or face not in faces]
            for face in left:
                following[*faces, face] = chance / len(left)
        totals = following
    expected: dict[int, Fraction] = {}
    for faces, chance in totals.items():
        total = sum(sorted(faces)[-kept:])
        expected[total] = expected.get(total, 0) + chance
    assert odds(text).to_dict() == expected


def test_an_explosion_without_end_leaves_a_remainder():
    die = odds("1d6!")
    depth = limits.EXPLOSIONS.maximum
    # 6 * k + face needs k sixes and then the face.
    for k, face in [(0, 1), (1, 5), (depth, 3)]:
        assert die.exactly(6 * k + face) == Fraction(1, 6 ** (k + 1))
    assert die.remainder == Fraction(1, 6 ** (depth + 1))
    with pytest.raises(ParameterError, match="not all dice were followed to their end"):
        assert die.maximum
    assert sum(die.to_dict().values()) + die.remainder == 1
    assert die.p("at least 1") == 1 - die.remainder


def test_the_remainder_goes_through_every_operation():
    die = odds("1d6!")
    followed = 1 - die.remainder
    for other in (
        die + 1, -die, die * 2, die * 7, die * 0, die // 2, die.map(lambda value: value % 2), die.named("x"), die >= 4,
        die.max(3), die.combine(dd.Distribution.dice(1, 2), max), dd.Distribution.from_json(die.to_json()),
    ):  # fmt: skip
        assert 1 - other.remainder == followed
    assert 1 - (die + die).remainder == followed**2
    assert odds("1d6").remainder == 0
    assert die != odds("1d6")
    assert "Not counted: <0.1%" in str(die)


def test_the_remainder_of_an_explosion_beside_what_is_sure():
    assert odds("{1d6!, 3}kh1").remainder == odds("1d6!").remainder
    assert odds("2d6!>=5").remainder == 1 - (1 - odds("1d6!>=5").remainder) ** 2


def test_successes_are_binomial():
    assert odds("10d10>=8").to_dict() == {
        hits: Fraction(comb(10, hits) * 3**hits * 7 ** (10 - hits), 10**10) for hits in range(11)
    }


@every("text", ["4d6kh3", "8d10!>=8", "5d10>=8f1", "4d6!d1", "2d20kl1 + 5", "3d6u", "4d66", "5d6!!p"])
def test_rolls_come_near_the_odds(text):
    plays = 2_000
    rule, exact = mechanic("dice/roll")(notation=text), odds(text)
    dice = dd.SeededDice(text)
    totals = [rule.play(dice).value for _ in range(plays)]
    assert abs(sum(totals) / plays - exact.mean) <= 6 * exact.standard_deviation / plays**0.5
    half = exact.quantile(Fraction(1, 2))
    below = sum(total <= half for total in totals) / plays
    assert abs(below - exact.at_most(half)) <= 6 * 0.5 / plays**0.5


def endless(die, modifiers):
    try:
        PoolRules(map(read_modifier, modifiers), die)
    except DiceError as error:
        return error.message
    return ""


@every("explode", ["!", "!3", "!<>3", "!>3", "!<6", "!>=0", "!<>9", "!!<=7", "!p>2"])
def test_numbered_sides_are_judged_by_a_few_as_faces_are_one_by_one(explode):
    faces = DieType(DieFaces(tuple("1234567")))
    for settled in product(["", "r3", "r<>3", "r<4", "r>=2", "ro<>9", "r<9"], ["", "mi3", "mi4"], ["", "ma3", "ma6"]):
        modifiers = [*filter(None, settled), explode]
        assert endless(DieType(7), modifiers) == endless(faces, modifiers), modifiers


def test_an_explosion_with_too_many_outcomes_is_refused_while_it_is_followed():
    # 89,999 sides end the first throw, and as many the second.
    with pytest.raises(DiceError, match=r"^179998 outcomes"):
        odds("1d90000!")


@every(
    "text",
    ["{1d90000!9>=5, 1d90001!9>=5}kh1", "{" + ", ".join(f"2d{n}" for n in range(40_000, 40_030)) + "}kh1",
     "(1d150)d6 + (1d149)d6"],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_the_pools_of_one_notation_are_limited_together(text):
    with pytest.raises(dd.LimitError) as caught:
        odds(text)
    assert caught.value.limit == "PAIRS"


@every(
    "text",
    [
        "10000d6!!", "1000d1000kh500r<3", "9d1000000!>=2", "(100d100)d(100d100)", "2 ** 2 ** 2", "9 ** 999999999999",
        "{" + ", ".join(["1d100"] * 40) + "}kh20", "99999d6", "50d1000!kh20", "5d6!!>=2x999999", "(0-5)d6", "d(0)",
        "1d20r<=20", "1d6!<=6", "7d6u", "1 % 0", "1 / (1d2 - 1)", "10d1000000>=5", "{" * 60 + "1" + "}" * 60,
    ],
)  # fmt: skip
def test_hostile_notation_is_counted_or_refused(text):
    for attempt in (odds, lambda text: dd.roll(text, seed=1)):
        # No other exception leaves a public function.
        with contextlib.suppress(DiceError):
            attempt(text)
