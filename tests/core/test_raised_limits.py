"""What authors count is counted, limits are raised where asked for, and what is far beyond is refused at once."""

from __future__ import annotations

import threading
from fractions import Fraction
from itertools import product

import pytest

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, ParameterError, Say, limits, param
from dicedocs.cli import main
from dicedocs.probability.claims.subject import Subject

from ..every import every


class Total(Outcome):
    total: int


class Places(Mechanic):
    """Six dice, each times its place."""

    number: int = param(default=6)

    class Result(Total):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(sum(place * dice.roll(6) for place in range(1, self.number + 1)))


class Step(Mechanic):
    """A die that depends on where it stands."""

    at: int = param(default=0)

    class Result(Total):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(4 + 3 * (self.at % 5)))


class Walk(Mechanic):
    """Steps, each of which begins where the one before it ended."""

    steps: int = param(default=8)

    class Result(Total):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        at = 0
        for _ in range(self.steps):
            at += dice.play(Step(at=at)).total
        return self.Result(at)


def test_six_dice_each_times_its_place_are_counted():
    odds = dd.odds(Places())
    # Each die has the mean 3.5 and the variance 35/12.
    assert odds.mean == Fraction(7, 2) * 21
    assert odds.variance == Fraction(35, 12) * (1 + 4 + 9 + 16 + 25 + 36)
    assert odds.denominator == 6**6


def test_an_action_with_many_dice_is_counted():
    pool = {"pool": "d20 d12 d8 d6", "advantage": True, "both_fortune_dice": True}
    assert sum(dd.odds("mecha-vs-kaiju/action", **pool).to_dict().values()) == 1


def test_a_chain_of_plays_that_is_too_long_is_refused_and_names_the_call():
    with pytest.raises(LimitError, match=r"dice\.play\(Step\)") as caught:
        dd.odds(Walk())
    assert caught.value.limit == "BRANCHES"
    # A shorter one is counted: by hand, every sequence of steps.
    ways: dict[int, Fraction] = {0: Fraction(1)}
    for _ in range(3):
        following: dict[int, Fraction] = {}
        for at, chance in ways.items():
            sides = 4 + 3 * (at % 5)
            for face in range(1, sides + 1):
                following[at + face] = following.get(at + face, Fraction(0)) + chance / sides
        ways = following
    assert dd.odds(Walk(steps=3)).to_dict() == ways


def test_a_limit_is_raised_in_a_with_statement_and_in_no_other_thread():
    long = " + ".join(["1"] * 600)
    with pytest.raises(LimitError, match="TEXT"):
        dd.odds(long)
    seen: list[int] = []
    with dd.raise_limits(DICE=20_000, TEXT=3_000):
        assert dd.odds(long).values == (600,)
        thread = threading.Thread(target=lambda: seen.append(limits.DICE.maximum))
        thread.start()
        thread.join()
        with dd.raise_limits(SIDES=2_000_000):
            assert (limits.DICE.maximum, limits.SIDES.maximum) == (20_000, 2_000_000)
    assert seen == [10_000]
    assert limits.DICE.maximum == 10_000
    with pytest.raises(LimitError, match="TEXT"):
        dd.odds(long)


def test_what_was_counted_under_a_raised_limit_is_counted_again_without_it():
    subject = Subject("dice/roll", {"notation": "1d6!"})
    with dd.raise_limits(EXPLOSIONS=12):
        assert subject.odds().remainder == Fraction(1, 6**13)
    assert subject.odds().remainder == Fraction(1, 6 ** (limits.EXPLOSIONS.default + 1))


@every(
    ("maxima", "message"),
    [
        ({"BRANCHS": 10**6}, "there is no limit 'BRANCHS'; did you mean 'BRANCHES'"),
        ({"BRANCHES": 10}, "cannot be raised to '10'; give a whole number above 55000"),
        ({"BRANCHES": "many"}, "cannot be raised to 'many'"),
        ({"BRANCHES": 1e9}, "cannot be raised"),
    ],
)
def test_what_cannot_be_raised_is_refused(maxima, message):
    with pytest.raises(ParameterError, match=message), dd.raise_limits(**maxima):
        pass


def test_the_command_line_raises_a_limit(capsys):
    long = " + ".join(["1"] * 500) + " + 1d6"
    assert main(["odds", long]) == 2
    assert "the limit TEXT is 1000" in capsys.readouterr().err
    assert main(["odds", long, "--limit", "TEXT=3_000", "--at-least", "505"]) == 0
    assert "33.3%" in capsys.readouterr().out
    assert main(["odds", "3d6", "--limit", "DIC=5"]) == 2
    assert "limit: there is no limit 'DIC'" in capsys.readouterr().err


class Code:
    """A type of a game's own, which refuses a text as Python does."""

    def __init__(self, letters: str) -> None:
        self.letters = letters

    @classmethod
    def from_text(cls, text: str) -> Code:
        if not text.isalpha():
            raise ValueError(f"{text!r} has more than letters")
        return cls(text.upper())

    def __str__(self) -> str:
        return self.letters

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and other.letters == self.letters

    def __hash__(self) -> int:
        return hash(self.letters)


class Cipher(Mechanic):
    """Roll a die for a code."""

    code: Code = param(example=Code("AB"))

    class Result(Total):
        pass

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(6) + len(self.code.letters))


def test_a_value_error_of_a_type_is_a_bad_value():
    assert Cipher(code="ab").code == Code("AB")
    with pytest.raises(ParameterError, match="code: '7b' is not Code: '7b' has more than letters"):
        Cipher(code="7b")


def test_every_pair_of_small_dice_is_still_what_it_was():
    expected = {left * right for left, right in product(range(1, 7), repeat=2)}
    assert set(dd.odds("1d6 * 1d6").values) == expected


def test_the_limits_of_the_process_are_raised_within_those_of_a_block_too():
    try:
        with dd.raise_limits(TEXT=2_000, DIGITS=20):
            limits.set_limits({"DICE": 20_000, "TEXT": 3_000})
            assert dd.roll("15000d1").value == 15_000
            assert (limits.TEXT.maximum, limits.DIGITS.maximum) == (3_000, 20)
            assert limits.raised_limits() == {"TEXT": 3_000, "DIGITS": 20, "DICE": 20_000}
            limits.set_limits({})
            assert (limits.TEXT.maximum, limits.DICE.maximum) == (2_000, 10_000)
            with pytest.raises(LimitError, match="the limit DICE is 10000"):
                dd.roll("15000d1")
    finally:
        limits.set_limits({})
