"""Worked examples: expected facts, verification, and the Python call that plays them."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Example, ExpectationError, LimitError, ParameterError, SeededDice
from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.rules.example import parse_facts
from dicedocs.rules.registry import in_book

from ..every import every
from ..examples import many
from .language_places import rule_of

CREW = "Ash: skill 2; Bo: skill 1, tool 3"


def expression(text="3d6", **more):
    return Example("methuen/expression", {"expression": text}, **more)


def roll(text="3d6", **more):
    return Example("dice/roll", {"notation": text}, **more)


# Expected facts


@every(
    ("text", "facts"),
    [
        ("", {}),
        ("  \n ", {}),
        ("total=11", {"total": "11"}),
        ("total=11, raw=11", {"total": "11", "raw": "11"}),
        (" total = 11 ,raw=  11\n", {"total": "11", "raw": "11"}),
        ("degree=partial   success", {"degree": "partial success"}),
        ("totals=4 2, 5, winner=Ann, Bo", {"totals": "4 2, 5", "winner": "Ann, Bo"}),
        ("a=x = y", {"a": "x = y"}),
        ("a=, b=1", {"a": "", "b": "1"}),
        ("note=one, two, three, total=3", {"note": "one, two, three", "total": "3"}),
        ("note=<b>, x", {"note": "<b>, x"}),
    ],
)
def test_expected_facts_are_read(text, facts):
    assert parse_facts(text, "expect") == facts


@every(
    ("text", "message"),
    [
        ("total", "expect: 'total' is not a fact with a value; write name=value, separated by commas"),
        ("=11", "expect: '=11' is not a fact with a value; write name=value, separated by commas"),
        ("total is 11", "expect: 'total is 11' is not a fact with a value; write total=11"),
        ("total: 11", "expect: 'total: 11' is not a fact with a value; write total=11"),
        ("11, total=11", "expect: '11' is not a fact with a value; write name=value, separated by commas"),
        ("total=3, raw", "expect: 'raw' is not a fact with a value; write raw=yes"),
        ("total=3, not raw", "expect: 'not raw' is not a fact with a value; write raw=no"),
        ("total=11, total=12", "expect: the fact 'total' is written twice"),
        ("total=11, total=11", "expect: the fact 'total' is written twice"),
        ("totl=11", "expect: there is no fact 'totl'; did you mean 'total'?"),
        ("a b=3", "expect: there is no fact 'a b'; known: 'dice', 'dropped', 'raw', 'scratched', 'total'"),
        ("rule=3", "expect: there is no fact 'rule'; known: 'dice', 'dropped', 'raw', 'scratched', 'total'"),
        ("total=3, steps.Total=6", "expect: there is no fact 'steps.Total'; did you mean 'total'?"),
        (
            "total=3, sum of it=6",
            "expect: there is no fact 'sum of it'; known: 'dice', 'dropped', 'raw', 'scratched', 'total'",
        ),
        ("total=3, row=6", "expect: there is no fact 'row'; did you mean 'raw'?"),
    ],
)
def test_invalid_expectations(text, message):
    with pytest.raises(ParameterError) as caught:
        expression("3", expect=text).verify()
    assert str(caught.value) == message
    assert caught.value.parameter == "expect"


def test_a_fact_with_several_resources_is_expected_as_it_is_printed():
    bolt = roll("2d6[fire] + 1d8[cold]", dice=[1, 2, 4], expect="labels=fire=3, cold=4, total=7")
    assert bolt.play().facts("labels", "total") == bolt.expect
    assert bolt.expected() == {"labels": "fire=3, cold=4", "total": "7"}
    assert bolt.verify().labels == {"fire": 3, "cold": 4}


def test_a_wrong_one_of_several_resources_is_a_difference_and_not_an_unknown_fact():
    with pytest.raises(ExpectationError) as caught:
        roll("2d6[fire] + 1d8[cold]", dice=[1, 2, 4], expect="labels=fire=3, cold=5").verify()
    assert (caught.value.expected, caught.value.actual) == ("labels=fire=3, cold=5", "labels=fire=3, cold=4")


RESULT = ("total = 2d6", "band = total: 6- miss, 7-9 weak hit, 10+ Strong hit", "hit = total >= 7")


def test_expected_words_are_read_in_any_case_and_in_quotes():
    rules = book_mechanics([PageRule("t/rule", RESULT, words="hit = a hit / a miss")])
    wrong = {}
    with in_book(rules):
        for expect in ("band = strong hit", 'band = "Strong Hit"', "band=STRONG  hit, hit=Yes", "hit=A hit"):
            example = Example("t/rule", {}, dice=[5, 6], expect=expect)
            # The doctest prints them so, too.
            meant = ", ".join(f"{name}={text}" for name, text in example.expected().items())
            try:
                if example.verify().facts(*example.expected()) != meant:
                    wrong[expect] = meant
            except DiceError as error:
                wrong[expect] = str(error)
        with pytest.raises(ExpectationError, match="expected 'band=weak hit', got 'band=Strong hit'"):
            Example("t/rule", {}, dice=[5, 6], expect="band = Weak Hit").verify()
    assert wrong == {}


def test_a_pair_that_compares_is_refused_and_one_that_is_no_value_differs():
    wrong, claim = {}, "write the value that comes up, as in total=7, or a claim, p({})"
    pairs = {pair: f"{quoted(pair)} is not one value; {claim.format(pair)}" for pair in ("total >= 5", "total != 5")}
    for pair in ("total=7 or 11", "total=7-9", "total=7+", "total=seven", "total=13"):
        pairs[pair] = f"expected 'hit=true, {pair}', got 'hit=true, total=11'; write hit=true, total=11"
    pairs["band=miss or weak hit"] = "expected 'hit=true, band=miss or weak hit', got 'hit=true, band=Strong hit'; "
    for pair, message in pairs.items():
        try:
            with in_book({"t/rule": rule_of(*RESULT)}):
                wrong[pair] = Example("t/rule", {}, dice=[5, 6], expect=f"hit=yes, {pair}").verify()
        except DiceError as error:
            if not str(error).startswith(f"expect: {message}"):
                wrong[pair] = str(error)
    assert wrong == {}


def test_the_length_of_an_expectation_is_limited():
    with pytest.raises(LimitError) as caught:
        expression("3", expect="total=" + "1" * 10_000).verify()
    assert (caught.value.limit, caught.value.parameter) == ("VALUE_TEXT", "expect")


# Verifying


@every(
    "example",
    [
        expression(dice=[4, 2, 5], expect="total=11"),
        expression(dice="4 2 5", expect="raw=11, dice=4 2 5, dropped=none, scratched=none"),
        expression(dice=[4, 2, 5]),
        expression(seed=58, expect=""),
        expression("3 + 4", expect="total=7, dice=none"),
        expression("0d6", expect="total=0"),
        expression("1d6 + [A  b]", dice=[3], expect="total=7")._replace(
            parameters={"expression": "1d6 + [A b]", "actor": "A b=4"}
        ),
        Example("methuen/check", {"check": "1 > 2"}, expect="success=false"),
        Example("ember/blaze", {"trait": 2, "cap": 1}, dice=[10, 7, 8], expect="hits=2, blaze=1"),
        Example("ember/haul", {"crew": CREW, "weight": 9}, dice=[2, 4], expect="degree=held, total=12, success=true"),
        Example("ember/haul", {"crew": CREW, "weight": 7}, dice=[2, 4], expect="degree =  heaved"),
        Example("ember/haul", {"crew": CREW, "weight": 13}, dice=[2, 4], expect="degree=dropped   it"),
    ],
    ids=str,
)
def test_an_example_that_holds(example):
    outcome = example.verify()
    assert outcome == example.play()
    assert str(example) == str(outcome)


def test_the_error_of_a_wrong_example_says_what_to_write():
    with pytest.raises(ExpectationError) as caught:
        expression(dice=[4, 2, 5], expect="dice=4 2 5,  total = 12").verify()
    error = caught.value
    assert (error.expected, error.actual) == ("dice=4 2 5, total=12", "dice=4 2 5, total=11")
    assert error.parameter == "expect"
    assert error.hint == "write dice=4 2 5, total=11"
    assert expression(dice=[4, 2, 5], expect=error.actual).verify()


@every("expect", ["total=11.0", "total=eleven", "total=011", "total=", "raw=none", "dice=4, 2, 5", "dice=[4, 2, 5]"])
def test_an_expected_fact_is_compared_as_exact_text(expect):
    with pytest.raises(ExpectationError):
        expression(dice=[4, 2, 5], expect=expect).verify()


def test_white_space_in_a_fact_is_folded():
    from dicedocs import Dice, Mechanic, Outcome, Say

    class Speak(Mechanic):
        class Result(Outcome):
            words: str

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result("two  blanks\nand a line")

    outcome = Speak().play(SeededDice(1))
    assert outcome.facts() == "words=two blanks and a line"


@every(
    ("example", "message"),
    [
        (expression(), "a d6 is thrown, and no dice are given; add a seed, or the faces as dice"),
        (expression(seed=1, dice=[1, 2, 3]), "dice: a seed and dice were given; give one of them"),
        (
            expression(dice=[1, 2]),
            "dice: die 3 is a d6, and 2 faces are given; give a face for each die that is thrown",
        ),
        (
            expression(dice=[1, 2, 3, 4]),
            "dice: 4 faces are given, and 3 thrown; give only the dice that are thrown: d6, d6, d6",
        ),
        (expression("3", dice=[1]), "dice: 1 face is given, and 0 thrown; give only the dice that are thrown"),
        (expression(seed=1.5), "seed: '1.5' is not a seed; a seed is a whole number or text"),
        (Example("ember/haul", {"crew": "none"}, seed=1), "crew: nobody hauls; name at least one hand"),
        (Example("ember/blaze", {"trial": 3}), "there is no parameter 'trial' of ember/blaze; did you mean 'trait'?"),
    ],
    ids=["no dice", "both", "too few", "too many", "one too many", "no seed", "refused by the rule", "no parameter"],
)
def test_an_example_that_cannot_be_played(example, message):
    for act in (example.play, example.verify):
        with pytest.raises(ParameterError) as caught:
            act()
        assert str(caught.value) == message


# The Python call


def called(code):
    """The outcome of a call, whose arguments are literals."""
    [statement] = ast.parse(code).body
    call = statement.value
    assert ast.unparse(call.func).partition(".")[0] == "dd"
    arguments = [ast.literal_eval(argument) for argument in call.args]
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    return getattr(dd, call.func.attr)(*arguments, **named)


@every(
    ("example", "code"),
    [
        (roll(dice="4 2 5"), 'dd.roll("3d6", dice=[4, 2, 5])'),
        (roll(dice=4), 'dd.roll("3d6", dice=[4])'),
        (roll(seed=58), 'dd.roll("3d6", seed=58)'),
        (roll(seed="58"), 'dd.roll("3d6", seed="58")'),
        (roll("3"), 'dd.roll("3")'),
        (
            Example("dice/roll", {"actor": "A=4", "notation": "[A]", "target": ""}),
            'dd.roll("[A]", actor={"A": 4})',
        ),
        (Example("dice/check", {"check": "1 > 2"}, seed=0), 'dd.check("1 > 2", seed=0)'),
        (Example("ember/blaze", {"trait": "5", "cap": 1}, seed=-3), 'dd.play("ember/blaze", cap=1, seed=-3)'),
        (
            Example("ember/haul", {"crew": CREW, "note": 'a "q" \\ \n'}, dice=[1, 2]),
            """dd.play(
    "ember/haul",
    crew="Ash: skill 2; Bo: skill 1, tool 3",
    note='a "q" \\\\ \\n',
    dice=[1, 2],
)""",
        ),
    ],
)
def test_the_call_of_an_example(example, code):
    assert example.code() == code


def test_the_longest_line():
    text = "111+1" * 13  # with dd.roll("") around these 65 characters it is 76
    assert roll(text + "11").code() == f'dd.roll("{text}11")'
    assert roll(text + "111").code() == f'dd.roll(\n    "{text}111",\n)'


def test_an_invalid_example_has_no_call():
    with pytest.raises(ParameterError):
        Example("ember/blaze", {"trait": 99}).code()


seeds = st.integers(-(10**9), 10**9) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
crews = st.lists(
    st.tuples(st.text("Aé'\"\\x", min_size=1, max_size=3), st.integers(-9, 9), st.integers(-9, 9)),
    min_size=1,
    max_size=3,
).map(lambda crew: "; ".join(f"{name}: skill {skill}, tool {tool}" for name, skill, tool in crew))
hauls = st.fixed_dictionaries(
    {"crew": crews},
    optional={
        "weight": st.integers(1, 20) | st.integers(1, 20).map(str),
        "mood": st.sampled_from(["calm", "wild"]),
        "note": st.text(max_size=40),
    },
)
blazes = st.fixed_dictionaries({}, optional={"trait": st.integers(0, 20), "cap": st.integers(0, 5).map(str)})
names = st.text("abé'\"\\ <&>", min_size=1, max_size=6).filter(str.strip).map(lambda name: " ".join(name.split()))
rolls = st.dictionaries(names, st.integers(-99, 99), min_size=1, max_size=3).map(
    lambda held: {"expression": " + ".join(["2d6", *[f"[{name}]" for name in held]]), "actor": held}
)


@settings(max_examples=many(60))
@given(
    example=st.one_of(
        st.tuples(st.just("ember/haul"), hauls, seeds),
        st.tuples(st.just("ember/blaze"), blazes, seeds),
        st.tuples(st.just("methuen/expression"), rolls, seeds),
    ).map(lambda parts: Example(*parts))
)
def test_the_call_gives_the_same_outcome(example):
    outcome = example.play()
    assert called(example.code()) == outcome
    scripted = example._replace(seed=None, dice=outcome.dice, expect=outcome.facts())
    assert scripted.verify() == outcome
    assert called(scripted.code()) == outcome
    assert all(len(line) <= 78 for line in example.code().split("\n") if "=" not in line)


# Expectations that say nothing


def check(text, dice, expect, **more):
    return Example("methuen/check", {"check": text, **more}, dice=dice, expect=expect)


def skill(expect, **more):
    return Example("mage-in-the-metal/check", {"skill": "14", **more}, dice="3 4 6", expect=expect)


@every(
    "example",
    [
        check("1d20 + 4 >= 12", [8], "right=12"),
        check("1d20 + 4 >= [Target Defense]", [8], "right=12", target="Defense=12"),
        expression("12", expect="total=12, raw=12"),
        roll("1d4", dice=[3], expect="total=3"),
        roll("1d4", dice="3", expect="dice=3, total=3"),
        expression(dice=[4, 2, 5], expect="dice=4 2 5"),
        skill("tn=14"),
    ],
)
def test_an_expectation_that_only_repeats_the_text_says_nothing(example):
    assert example.says_nothing()
    assert example.verify()


@every(
    "example",
    [
        check("1d20 + 4 >= 12", [8], "right=12, left=12"),
        check("1d20 + 4 >= 12", [8], "success=true"),
        check("1d20 >= 10 - 5", [8], "right=5"),
        roll("1d6 - 3 + 12", dice=[3], expect="total=12"),
        # What else there is comes to nothing, and that is what they say.
        expression("5 + 10 / 0", expect="total=5"),
        Example("methuen/expression", {"expression": "[Charges]d6 + 1", "actor": "Charges=0"}, expect="total=1"),
        skill("tn=14", equipment="4", penalties="4"),
        roll("1d4", seed=7, expect="total=3"),
        roll("2d4kh1", dice=[3, 1], expect="total=3"),
        roll("1d6!", dice=[3], expect="total=3"),
        roll("1d4 * 1 + 1 - 1", dice=[3], expect=""),
        expression("2 + 2", expect="total=4"),
        expression(dice=[4, 2, 5], expect="total=11"),
        expression(dice=[4, 2, 5], expect="dice=4 2 5, total=11"),
        expression(dice=[4, 2, 5], expect="dropped=none"),
        skill("total=13"),
        skill("tn=18", equipment="4"),
    ],
)
def test_an_expectation_that_follows_from_the_rule_says_something(example):
    assert not example.says_nothing()
