# ruff: noqa: E501 - what people read is written as they read it, each in one line
"""Kinds: how each kind of value is written and read, and what is refused."""

import ast
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicedocs import LimitError, Mechanic, ParameterError, Resources, param
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import as_text

from ..every import every
from ..examples import many


class Hand(NamedTuple):
    """One of a crew."""

    name: str
    skill: int
    tool: int = 0


UNREAD: Any = Hand


class Contestant(NamedTuple):
    """A record with a list, a truth value, words, and a label that is the beginning of another."""

    name: str
    skill: int
    penalty: tuple[int, ...] = (1,)
    penalty_of_shield: int | None = None
    favor: Literal["with", "without", "none"] = "none"
    ready: bool = False
    plain: tuple[int, ...] = ()


class Bare(NamedTuple):
    """A record whose list has no default."""

    place: int
    marks: tuple[int, ...]


class Dice:
    """A type with its own text form."""

    expects = "dice such as 3d6"

    def __init__(self, number, sides):
        self.held = (number, sides)

    @classmethod
    def from_text(cls, text):
        number, letter, sides = text.strip().partition("d")
        if not (letter and number.isdigit() and sides.isdigit()):
            raise ParameterError(f"'{text}' is not {cls.expects}")
        return cls(int(number), int(sides))

    def __str__(self):
        return f"{self.held[0]}d{self.held[1]}"

    def __eq__(self, other):
        return isinstance(other, Dice) and other.held == self.held

    def __hash__(self):
        return hash(self.held)


WORDS = Literal["low", "mid", "high"]
PHRASES = Literal["at most", "over", "none"]
NUMBERS = Literal[4, 6, 8]

digits = st.integers(-(10**12) + 1, 10**12 - 1)
resource_names = st.text(st.characters(exclude_characters="[]=,"), min_size=1, max_size=8).filter(str.strip)
resources = st.dictionaries(resource_names, digits, max_size=4).filter(
    lambda held: len({" ".join(name.split()) for name in held}) == len(held)
)
words = st.text("abc'ÿ北-.", min_size=1, max_size=4)
hands = st.builds(Hand, words, digits, digits)
contestants = st.builds(
    Contestant,
    words,
    digits,
    st.lists(digits, max_size=3).map(tuple),
    st.none() | digits,
    st.sampled_from(["with", "without", "none"]),
    st.booleans(),
    st.lists(digits, max_size=3).map(tuple),
)
KINDS = [
    (int, digits),
    (bool, st.booleans()),
    (str, st.text(max_size=20)),
    (WORDS, st.sampled_from(["low", "mid", "high"])),
    (PHRASES, st.sampled_from(["at most", "over", "none"])),
    (NUMBERS, st.sampled_from([4, 6, 8])),
    (int | None, st.none() | digits),
    (WORDS | int, digits | st.sampled_from(["low", "mid", "high"])),
    (WORDS | int | None, st.none() | digits | st.sampled_from(["low", "mid", "high"])),
    (bool | WORDS, st.booleans() | st.sampled_from(["low", "mid", "high"])),
    (str | None, st.none() | st.text(min_size=1).filter(lambda text: text.strip().lower() not in {"", "none"})),
    (tuple[int, ...], st.lists(digits, max_size=5).map(tuple)),
    (tuple[WORDS, ...], st.lists(st.sampled_from(["low", "mid", "high"]), max_size=5).map(tuple)),
    (tuple[int | WORDS, ...], st.lists(digits | st.sampled_from(["low", "high"]), max_size=5).map(tuple)),
    (tuple[bool, ...], st.lists(st.booleans(), max_size=5).map(tuple)),
    (tuple[str, ...], st.lists(words, min_size=2, max_size=5).map(tuple)),
    (tuple[str, ...], st.lists(st.text(";, anoe", max_size=4).map(str.strip), max_size=4).map(tuple)),
    (tuple[PHRASES, ...], st.lists(st.sampled_from(["at most", "over", "none"]), max_size=3).map(tuple)),
    (Resources, resources.map(Resources)),
    (Resources | None, st.none() | resources.filter(bool).map(Resources)),
    (Hand, hands),
    (tuple[Hand, ...], st.lists(hands, max_size=4).map(tuple)),
    (Contestant, contestants),
    (tuple[Contestant, ...], st.lists(contestants, max_size=3).map(tuple)),
    (tuple[Bare, ...], st.lists(st.builds(Bare, digits, st.lists(digits, max_size=2).map(tuple))).map(tuple)),
    (Dice, st.builds(Dice, st.integers(0, 99), st.integers(0, 99))),
    (tuple[Dice, ...], st.lists(st.builds(Dice, st.integers(0, 99), st.integers(0, 99)), max_size=3).map(tuple)),
]
IDS = [str(hint).replace("typing.", "") for hint, _ in KINDS]


@every(("hint", "values"), KINDS, ids=IDS)
@settings(max_examples=many(20))
@given(data=st.data())
def test_the_text_of_a_value_reads_as_the_value(hint, values, data):
    made = one_field(hint, data.draw(values))
    value = data.draw(values)
    taken = made.convert(value)
    assert taken == value
    assert type(taken) is type(value)
    text = made.write(value)
    assert type(text) is str
    again = made.convert(text)
    assert again == value
    assert type(again) is type(value)
    if isinstance(value, tuple) and set(map(type, value)) == {str}:
        # A fact has no kind, and the same text.
        assert as_text(value) == text
    if not isinstance(value, str):
        assert hash(again) == hash(value)
    # The Python expression that code() returns has the same value, as itself or as its text.
    assert made.convert(ast.literal_eval(made.code(value))) == value


def one_field(hint, default=None, low=None, high=None):
    """The only field of a mechanic."""
    made = param(default=default, low=low, high=high)
    rule: Any = type("Rule", (Mechanic,), {"__annotations__": {"it": hint}, "it": made})
    return rule.parameters()["it"]


# Texts, written by hand


@every(
    ("hint", "texts", "value"),
    [
        (int, ["7", " 7 ", "+7", "007"], 7),
        (tuple[str, ...], ['Pole, 6" long; Soap', 'Pole, 6" long;Soap;'], ('Pole, 6" long', "Soap")),
        (tuple[str, ...], ["Silk rope;", " Silk rope ; "], ("Silk rope",)),
        (tuple[str, ...], ["a b", "a, b", "a; b", "a;b"], ("a", "b")),
        (tuple[str, ...], ["none;"], ("none",)),
        (tuple[str, ...], ["a;;b;", "a;;b"], ("a;b",)),
        (tuple[str, ...], [";"], ("",)),
        (int, ["-7", " -07"], -7),
        (bool, ["true", "yes", "", " True ", "YES"], True),
        (bool, ["false", "no", "False"], False),
        (str, [" as it is "], " as it is "),
        (WORDS, ["mid", " Mid ", "MID"], "mid"),
        (PHRASES, ["at most", " At   most"], "at most"),
        (PHRASES, ["none"], "none"),
        (NUMBERS, ["6", " 6 "], 6),
        (int | None, ["none", "", " None "], None),
        (str | None, ["none", ""], None),
        (tuple[int, ...], ["4 3 5", "4,3,5", " 4 , 3  5 ", "4,,3,5,"], (4, 3, 5)),
        (tuple[int, ...], ["none", "", " NONE "], ()),
        (tuple[int, ...], ["4"], (4,)),
        (Resources, ["Strength=4, Health Maximum=20", " Strength = 4 ,Health   Maximum=+20 "], {"Strength": 4, "Health Maximum": 20}),
        (Resources, ["none", "", " None"], {}),
        (Resources, ["none=3"], {"none": 3}),
        (Resources, ["Luck=-3"], {"Luck": -3}),
        (Hand, ["Ash: skill 2", " Ash :  skill   2 ,", "Ash: tool 0, skill 2"], Hand("Ash", 2)),
        (tuple[Hand, ...], ["Ash: skill 2; Bo: skill 1, tool 3", "Ash: skill 2 ;; Bo: tool 3, skill 1;"], (Hand("Ash", 2), Hand("Bo", 1, 3))),
        (Contestant, ["Ann: skill 4, penalty 10, penalty 2"], Contestant("Ann", 4, (10, 2))),
        (Contestant, ["Ann: skill 4, penalty 10 2, ready"], Contestant("Ann", 4, (10, 2), ready=True)),
        (Contestant, ["Ann: skill 4, penalty none"], Contestant("Ann", 4, ())),
        (Contestant, ["Ann: skill 4, penalty of shield 3"], Contestant("Ann", 4, penalty_of_shield=3)),
        (Dice, ["3d6", " 3d6 "], Dice(3, 6)),
    ],
)  # fmt: skip
def test_texts_of_the_same_value(hint, texts, value):
    for text in texts:
        read = one_field(hint, value).convert(text)
        assert read == value
        assert type(read) is (type(value) if hint is not Resources else Resources)


@every(
    ("hint", "value", "text"),
    [
        (int, -7, "-7"),
        (bool, True, "true"),
        (int | None, None, "none"),
        (tuple[int, ...], (4, 3), "4 3"),
        (tuple[int, ...], (), "none"),
        (Resources, {"Strength": 4, "Health  Maximum": -2}, "Strength=4, Health Maximum=-2"),
        (Resources, {}, "none"),
        (Hand, Hand("Ash", 2), "Ash: skill 2"),
        (tuple[Hand, ...], [Hand("Ash", 2), Hand("Bo", 1, 3)], "Ash: skill 2; Bo: skill 1, tool 3"),
        (Contestant, Contestant("Ann", 4, (10, 2)), "Ann: skill 4, penalty 10, penalty 2"),
        (Contestant, Contestant("Ann", 4, ()), "Ann: skill 4, penalty none"),
        (Bare, Bare(1, ()), "1: marks none"),
        (Dice, Dice(3, 6), "3d6"),
    ],
)
def test_the_text_of_a_value(hint, value, text):
    made = one_field(hint, value)
    assert made.write(made.convert(value)) == text


@every(
    ("value", "text"),
    [(True, "true"), (False, "false"), (None, "none"), (3, "3"), ("a b", "a b"), ((), "none"), ([], "none"),
     ((4, None, True), "4 none true"), (("a", "b"), "a b")],
)  # fmt: skip
def test_the_text_of_a_fact(value, text):
    assert as_text(value) == text


def test_the_text_of_a_list_is_no_longer_than_that_of_a_value():
    for values in (["x" * 60_000] * 2, [[11, 22, 33] * 10_000, [4] * 10_000]):
        with pytest.raises(LimitError, match=r"characters in the text of a value; the limit FACT_TEXT is 100000"):
            as_text(values)


def test_a_list_whose_text_would_be_too_long_is_not_written():
    class Unwritten:
        def __str__(self):
            raise AssertionError

    with pytest.raises(LimitError, match="100001 characters in the text of a value; the limit FACT_TEXT is 100000"):
        as_text([Unwritten()] * 100_001)


# Values given as themselves or as text


class Several(Mechanic):
    """One field of each kind."""

    number: int = param(default=0, low=-3, high=3)
    switch: bool = param(default=False)
    equipment: tuple[int, ...] = param(default=())
    favor: WORDS | None = param(default=None)
    crew: tuple[Hand, ...] = param(default=())
    actor: Resources = param(default=Resources())


@every(
    ("itself", "text"),
    [
        ({"number": 3}, {"number": "3"}),
        ({"switch": True}, {"switch": "true"}),
        ({"equipment": [4, 2]}, {"equipment": "4 2"}),
        ({"equipment": 4}, {"equipment": "4"}),
        ({"equipment": (4, 2)}, {"equipment": ["4", "2"]}),
        ({"equipment": iter([4, 2])}, {"equipment": range(4, 0, -2)}),
        ({"favor": None}, {"favor": "none"}),
        ({"crew": Hand("Ash", 2)}, {"crew": "Ash: skill 2"}),
        ({"crew": [Hand("Ash", 2)]}, {"crew": ["Ash: skill 2"]}),
        ({"crew": [UNREAD("Ash", "2")]}, {"crew": "Ash: skill 2"}),
        ({"actor": {"Strength": 4}}, {"actor": "Strength=4"}),
        ({"actor": {"Strength": "4"}}, {"actor": Resources({"Strength": 4})}),
        ({"actor": None}, {"actor": "none"}),
    ],
)
def test_a_parameter_is_given_as_itself_or_as_its_text(itself, text):
    assert Several(**itself) == Several(**text)
    assert Several(**itself) != Several(number=-3)


# Errors, as a person reads them


@every(
    ("hint", "low", "high", "value", "text"),
    [
        (int, None, None, "x", "it: 'x' is not a whole number"),
        (int, None, None, "", "it: '' is not a whole number"),
        (int, None, None, "3.0", "it: '3.0' is not a whole number"),
        (int, None, None, 3.0, "it: '3.0' is not a whole number"),
        (int, None, None, True, "it: 'True' is not a whole number"),
        (int, None, None, "1_000", "it: '1_000' is not a whole number"),
        (int, None, None, "٣", "it: '٣' is not a whole number"),
        (int, None, None, "３", "it: '３' is not a whole number"),
        (int, None, None, "²", "it: '²' is not a whole number"),
        (int, None, None, "--3", "it: '--3' is not a whole number"),
        (int, None, None, "-", "it: '-' is not a whole number"),
        (int, None, None, "- 3", "it: '- 3' is not a whole number"),
        (int, None, None, "3\x00", "it: '3�' is not a whole number"),
        (int, None, None, "\udc80", "it: '�' is not a whole number"),
        (int, None, None, b"3", "it: 'b'3'' is not a whole number"),
        (int, 0, None, -1, "it: '-1' is not a whole number, at least 0"),
        (int, None, 5, "6", "it: '6' is not a whole number, at most 5"),
        (int, 1, 5, "0", "it: '0' is not a whole number from 1 to 5"),
        (int, 1, 5, "6", "it: '6' is not a whole number from 1 to 5"),
        (bool, None, None, "maybe", "it: 'maybe' is not true or false"),
        (bool, None, None, 1, "it: '1' is not true or false"),
        (WORDS, None, None, "midd", "it: 'midd' is not 'low', 'mid' or 'high'; did you mean 'mid'?"),
        (WORDS, None, None, 3, "it: '3' is not 'low', 'mid' or 'high'"),
        (NUMBERS, None, None, True, "it: 'True' is not '4', '6' or '8'"),
        (NUMBERS, None, None, 4.0, "it: '4.0' is not '4', '6' or '8'"),
        (NUMBERS, None, None, 5, "it: '5' is not '4', '6' or '8'"),
        (int | None, 0, None, "x", "it: 'x' is not a whole number, at least 0 or 'none'"),
        (int | None, 0, None, -2, "it: '-2' is not a whole number, at least 0 or 'none'"),
        (WORDS | int, None, None, "midd", "it: 'midd' is not 'low', 'mid', 'high' or a whole number; did you mean 'mid'?"),
        (str, None, None, 5, "it: '5' is not text"),
        (str, None, None, None, "it: 'None' is not text"),
        (tuple[int, ...], None, None, "4 x", "it: 'x' is not a whole number; write a whole number, or several separated by spaces"),
        (tuple[int, ...], 1, 6, [4, 7], "it: '7' is not a whole number from 1 to 6; write a whole number from 1 to 6, or several separated by spaces"),
        (tuple[int, ...], None, None, [4, None], "it: 'None' is not a whole number; write a whole number, or several separated by spaces"),
        (tuple[int, ...], None, None, {"a": 1}, "it: '{'a': 1}' is not a whole number; write a whole number, or several separated by spaces"),
        (Hand, None, None, "Ash", "it: 'Ash' is not 'name: skill …, tool …'"),
        (Hand, None, None, "Ash: skil 2", "it: 'Ash: skil 2' is not 'name: skill …, tool …'; did you mean 'skill'?"),
        (Hand, None, None, "Ash: skill x", "it: 'x' is not a whole number; write 'name: skill …, tool …'"),
        (Hand, None, None, "Ash: tool 2", "it: 'Ash' has no skill; write 'name: skill …, tool …'"),
        (Hand, None, None, "Ash: skill 2, skill 3", "it: 'skill' is written twice for 'Ash'; write 'name: skill …, tool …'"),
        (Hand, None, None, ": skill 2", "it: ': skill 2' is not 'name: skill …, tool …'"),
        (Hand, None, None, ("Ash", 2), "it: '('Ash', 2)' is not 'name: skill …, tool …'"),
        (Hand, None, None, "Ash: skill 2; Bo: skill 3", "it: '2; Bo: skill 3' is not a whole number; write 'name: skill …, tool …'"),
        (Resources, None, None, "Strength", "it: 'Strength' has no value; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, "Strength=x", "it: 'x' is not a whole number, in 'Strength'; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, "Strength=4=5", "it: '4=5' is not a whole number, in 'Strength'; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, "=4", "it: '' is not the name of a resource; a name cannot contain [ ] = or ,"),
        (Resources, None, None, "[Str]=4", "it: '[Str]' is not the name of a resource; a name cannot contain [ ] = or ,"),
        (Resources, None, None, "A=1, A=2", "it: the resource 'A' is written twice; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, "A=1,", "it: '' has no value; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, {"A": True}, "it: 'True' is not a whole number, in 'A'; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, {"A": None}, "it: 'None' is not a whole number, in 'A'; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, {3: 4}, "it: '3' is not the name of a resource; a name cannot contain [ ] = or ,"),
        (Resources, None, None, {"A ": 1, " A": 2}, "it: the resource 'A' is written twice; write resources such as Strength=4, Health Maximum=20"),
        (Resources, None, None, [4], "it: '[4]' is not resources such as Strength=4, Health Maximum=20"),
        (Dice, None, None, "3x6", "it: '3x6' is not dice such as 3d6"),
        (Dice, None, None, 36, "it: '36' is not dice such as 3d6"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, str) and not value.startswith("it:") else "",
)  # fmt: skip
def test_an_error_says_what_is_expected(hint, low, high, value, text):
    defaults: dict[object, object] = {
        int: low or 0,
        bool: False,
        WORDS: "low",
        NUMBERS: 4,
        str: "",
        int | None: None,
        WORDS | int: 0,
    }
    defaults |= {Hand: Hand("Ash", 1), Resources: {}, Dice: Dice(1, 6), tuple[int, ...]: ()}
    made = one_field(hint, defaults[hint], low, high)
    with pytest.raises(ParameterError) as caught:
        made.convert(value)
    assert str(caught.value) == text
    assert caught.value.parameter == "it"


# Values without an unambiguous text


@every(
    ("hint", "value"),
    [
        (tuple[str, ...], ["a", " b"]),
        (Hand, Hand("A: b", 1)),
        (Hand, Hand(" A", 1)),
        (Hand, Hand("", 1)),
        (tuple[Hand, ...], [Hand("A; B", 1)]),
        (tuple[Hand, ...], [Hand("A", 1), Hand("B:", 1)]),
    ],
    ids=str,
)
def test_a_value_whose_text_reads_differently_is_refused(hint, value):
    default = Hand("Ash", 1) if hint is Hand else ()
    with pytest.raises(ParameterError) as caught:
        one_field(hint, default).convert(value)
    assert caught.value.parameter == "it"


# Limits


@every(
    ("hint", "value", "limit"),
    [
        (str, "a" * 10_001, "VALUE_TEXT"),
        (int, "1" * 10_001, "VALUE_TEXT"),
        (int, "1" * 13, "DIGITS"),
        (int, "-" + "1" * 13, "DIGITS"),
        (int, 10**12, "DIGITS"),
        (int, -(10**12), "DIGITS"),
        (int, 10**5000, "DIGITS"),
        (int | None, 10**5000, "DIGITS"),
        (WORDS | int, 10**5000, "DIGITS"),
        (tuple[int, ...], "1 " * 1001, "ITEMS"),
        (tuple[int, ...], [1] * 1001, "ITEMS"),
        (tuple[Hand, ...], "A:;" * 1001, "ITEMS"),
        (Resources, {str(number): 1 for number in range(1001)}, "ITEMS"),
        (Resources, ",".join(f"{number}=1" for number in range(1001)), "ITEMS"),
        (Resources, "A=" + "1" * 13, "DIGITS"),
        (Resources, {"A": 10**5000}, "DIGITS"),
        (Resources, {"A" * 10_001: 1}, "VALUE_TEXT"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isupper() else "",
)
def test_limits(hint, value, limit):
    defaults: dict[object, object] = {str: "", int: 0, int | None: None, WORDS | int: 0, Resources: {}}
    made = one_field(hint, defaults.get(hint, ()))
    with pytest.raises(LimitError) as caught:
        made.convert(value)
    assert (caught.value.limit, caught.value.parameter) == (limit, "it")


@every("hint", [bool, WORDS, Hand, Dice, str], ids=str)
def test_a_number_too_long_to_be_shown_is_refused_too(hint):
    defaults = {bool: False, WORDS: "low", Hand: Hand("Ash", 1), Dice: Dice(1, 6), str: ""}
    with pytest.raises(ParameterError):
        one_field(hint, defaults[hint]).convert(10**5000)


def test_values_at_the_limits():
    assert one_field(int, 0).convert("9" * 12) == 10**12 - 1
    assert len(one_field(str, "").convert("a" * 10_000)) == 10_000
    assert len(one_field(tuple[int, ...], ()).convert("1 " * 1000)) == 1000
    assert len(Resources({str(number): 1 for number in range(1000)})) == 1000


# How a kind is described


@every(
    ("hint", "expects"),
    [
        (int, "a whole number from 1 to 5"),
        (int | None, "a whole number from 1 to 5 or 'none'"),
        (None | int, "a whole number from 1 to 5 or 'none'"),
        (bool, "true or false"),
        (str, "text"),
        (WORDS, "'low', 'mid' or 'high'"),
        (WORDS | int | None, "'low', 'mid', 'high', a whole number from 1 to 5 or 'none'"),
        (tuple[int, ...], "a whole number from 1 to 5, or several separated by spaces"),
        (tuple[Hand, ...], "'name: skill …, tool …', or several separated by semicolons"),
        (Dice, "dice such as 3d6"),
        (type(None), "'none'"),
    ],
)
def test_the_description_of_a_kind(hint, expects):
    assert kind_of(hint, 1, 5).expects == expects
