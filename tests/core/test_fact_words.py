"""A text with which a fact is compared is one that the fact can be: by its type, by a table, or since it comes up."""

from fractions import Fraction
from typing import ClassVar, Literal

import pytest

import dicedocs as dd
from dicedocs import Dice, Distribution, LimitError, Mechanic, Outcome, ParameterError, Say, fact, param
from dicedocs.probability.claims import Subject, evaluate_claims, parse_claims
from dicedocs.probability.fact_words import is_known_word
from dicedocs.rules import registry

from ..every import every

TARGETS = {None: "Yourself, at a distance", 3: 'The "Baron" (drunk)', 6: "Nobody"}
DEEP = {"day": {None: "rain", 4: "sun"}, "night": {None: "fog", 4: "stars"}}
PLACES = {"north": "the tower"}
"""No table by numbers."""


class Encounter(Mechanic):
    """Look up who is there, and what the sky is like."""

    plus: int = param(default=0, low=0, high=5)
    time: Literal["day", "night"] = param(default="day")

    omens: ClassVar = {None: "raven", 6: "dove"}

    class Result(Outcome):
        face: int
        target: str
        sky: str
        luck: Literal["good", "bad"] | None
        omen: str | None
        mood: str = fact(verdict={"grim": "failure", "glad": "success"})
        things: tuple[str, ...]

    def resolve(self, dice: Dice, say: Say) -> Result:
        face = min(6, dice.roll(6) + self.plus)
        target, sky = say.look_up("Target", face, TARGETS), say.look_up("Sky", face, DEEP[self.time])
        luck: Literal["good", "bad"] = "good" if face > 3 else "bad"
        things = ("pole", "silk rope")[: face - 1] if face < 4 else ()
        return self.Result(face, target, sky, luck, self.omens[6] if face == 6 else None, "calm", things)


class Weather(Mechanic):
    """Say more than any table has."""

    plus: int = param(default=0, low=0, high=1)

    class Result(Outcome):
        wind: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(f"{'east' if dice.roll(2) + self.plus > 1 else 'west'} wind")


class Endless(Mechanic):
    """Ask for more than can be counted."""

    class Result(Outcome):
        word: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result("-".join(str(dice.roll(100)) for _ in range(10)))


class Cries(Mechanic):
    """Cry as often as a die that rolls on says."""

    class Result(Outcome):
        cries: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        times = last = dice.roll(6)
        while last == 6:
            times += (last := dice.roll(6))
        return self.Result(f"{times} cries")

    def distribution(self, *facts: str) -> Distribution:
        return dd.odds("1d6!").map("{} cries".format)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    for rule in (Encounter, Weather, Endless):
        monkeypatch.setitem(registry._registered, f"words/{rule.__name__.lower()}", rule)


@every(
    ("claim", "probability"),
    [
        ('p(target = "Yourself, at a distance")', Fraction(2, 6)),
        ('p(target "Yourself, at a distance", face = 2)', Fraction(1, 6)),
        ('p(target not "Yourself, at a distance")', Fraction(4, 6)),
        ('p(target = The "Baron" (drunk))', Fraction(3, 6)),
        ('p(target = "The "Baron" (drunk)")', Fraction(3, 6)),
        ('p(target = "Nobody")', Fraction(1, 6)),
        # Impossible with this setting, and in a table.
        ("p(target = Nobody | plus=0, time=night)", Fraction(1, 6)),
        ('p(target = "Yourself, at a distance" | plus=5)', Fraction(0)),
        ("p(target Yourself, at a distance | plus=5)", Fraction(0)),
        ("p(sky = stars)", Fraction(0)),
        ("p(omen = raven)", Fraction(0)),
        ("p(omen = none)", Fraction(5, 6)),
        ("p(mood = grim)", Fraction(0)),
        ("p(mood not calm)", Fraction(0)),
        ("p(luck = GOOD)", Fraction(3, 6)),
        ("p(luck = none)", Fraction(0)),
        ("p(things = pole; silk rope)", Fraction(1, 6)),
        ("p(things = none)", Fraction(4, 6)),
    ],
)
def test_a_word_that_a_fact_can_be_is_counted(claim, probability):
    written = f"{probability.numerator}/{probability.denominator}"
    [result] = evaluate_claims(parse_claims(f"{claim} = {written}"), Subject("words/encounter", {}))
    assert result.holds


@every(
    ("claim", "message"),
    [
        ("p(target = Nobdy) = 0%", "'Nobdy' is not a value of target; did you mean 'Nobody'?"),
        ("p(target not Nobdy) = 100%", "'Nobdy' is not a value of target; did you mean 'Nobody'?"),
        ("p(target != Nobdy | plus=5) = 100%", "did you mean 'Nobody'?"),
        ("p(face = 1, sky = snu) = 0%", "'snu' is not a value of sky; did you mean 'sun'?"),
        ("p(sky = the tower) = 0%", "'the tower' is not a value of sky"),
        ("p(omen = doev) = 0%", "'doev' is not a value of omen; did you mean 'dove'?"),
        ("p(mood = gald) = 0%", "'gald' is not a value of mood; did you mean 'glad'?"),
        ("p(luck = god) = 0%", "did you mean 'good'?"),
        ("p(things = silk rop) = 0%", "'silk rop' is not a value of things"),
    ],
)
def test_a_misspelled_word_is_refused(claim, message):
    with pytest.raises(ParameterError) as raised:
        evaluate_claims(parse_claims(claim), Subject("words/encounter", {}))
    assert message in str(raised.value)


def test_a_word_without_a_table_is_one_that_comes_up_with_some_setting():
    never, ever = "p(wind = west wind | plus=1) = 0%", "p(wind = west wind | plus=0) = 50%"
    [result] = evaluate_claims(parse_claims(never), Subject("words/weather", {}))
    assert result.holds
    with pytest.raises(ParameterError, match="'west wind' is not a value of wind; did you mean 'east wind'"):
        evaluate_claims(parse_claims(never), Subject("words/weather", {"plus": 1}))
    assert [
        each.holds for each in evaluate_claims(parse_claims(f"{never}, {ever}"), Subject("words/weather", {"plus": 1}))
    ]


def test_whether_a_word_is_known():
    assert is_known_word(Encounter(), "target", "Nobody")
    assert is_known_word(Encounter(), "face", "7")
    assert is_known_word(Weather(), "wind", "east wind")
    with pytest.raises(ParameterError, match="'esat wind' is not a value of wind"):
        is_known_word(Weather(), "wind", "esat wind")
    with pytest.raises(LimitError):
        Subject("words/endless", {}).odds()
    assert not is_known_word(Endless(), "word", "1-2")
    assert is_known_word(Cries(), "cries", "7 cries")
    assert not is_known_word(Cries(), "cries", "99 cries"), "longer explosions are not followed"
