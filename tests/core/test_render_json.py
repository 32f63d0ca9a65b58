"""An outcome as JSON, and back by playing it again."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import dicedocs as dd
from dicedocs.errors import DiceError, ParameterError
from dicedocs.render.json_data import SCHEMA, outcome_data, outcome_from_json, outcome_json
from dicedocs.rules import registry
from dicedocs.rules.dice import Dice, ScriptedDice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import param
from dicedocs.rules.resources import Resources
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import Operation, Say

from ..every import every
from ..hostile import JSON


class Ally(NamedTuple):
    name: str
    stat: int


class Played(Mechanic):
    class Result(Outcome):
        ready: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.fact("Ready", True))


@pytest.fixture(autouse=True)
def strike() -> Iterator[type[Mechanic]]:
    class Strike(Mechanic, id="trial/strike"):
        modifier: int = param(default=0)
        who: str = param(default="")
        actor: Resources = param(default=Resources())
        allies: tuple[Ally, ...] = param(default=())

        class Result(Outcome):
            total: int
            hit: bool
            pair: tuple[int, ...]
            nothing: None
            who: str
            actor: Resources

        def resolve(self, dice: Dice, say: Say) -> Result:
            faces = dice.pool(6, 6)
            faces.mark(0, "scratched", "Fumble")
            total = say.sum("Total", *faces, modifier=self.modifier)
            say.rewrite("Double", "", str(total * 2), Operation(total, "*", 2, total * 2))
            say.bound("Clamp", total, low=0)
            hit = dice.play(Played(), "Aim").ready
            return self.Result(total, hit, tuple(faces), None, self.who, self.actor)

    yield Strike
    # Only our own goes: a game that was loaded meanwhile registers itself but once.
    del registry._registered[Strike.id]


def played(strike: type[Mechanic], **values: Any) -> Outcome:
    return strike(**values).play(ScriptedDice([5, 2]))


def test_the_schema(strike):
    outcome = played(strike, modifier=3, actor={"Strength": 4})
    assert outcome_data(outcome) == {
        "dicedocs": 1,
        "mechanic": "trial/strike",
        "parameters": {"modifier": "3", "actor": "Strength=4"},
        "dice": [{"sides": 6, "face": 5}, {"sides": 6, "face": 2, "state": "scratched"}],
        "facts": {
            "total": 10,
            "hit": True,
            "pair": [2, 5],
            "nothing": None,
            "who": "",
            "actor": "Strength=4",
        },
        "text": (
            "Dice: 2d6: 5 2\nFumble: d6 2 scratched\nTotal: 2 + 5 + 3 (modifier) = 10\n"
            "Double: 20   (10 * 2 = 20)\nAim:\n  Ready: yes"
        ),
        "steps": [
            {
                "label": "Dice",
                "verb": "throw",
                "value": None,
                "terms": [{"value": 5, "die": 1, "sides": 6}, {"value": 2, "die": 2, "sides": 6}],
            },
            {
                "label": "Fumble",
                "verb": "mark",
                "value": 2,
                "terms": [{"value": 2, "die": 2, "sides": 6}],
                "how": "scratched",
            },
            {
                "label": "Total",
                "verb": "sum",
                "value": 10,
                "terms": [
                    {"value": 2, "die": 2, "sides": 6},
                    {"value": 5, "die": 1, "sides": 6},
                    {"value": 3, "name": "modifier"},
                ],
            },
            {
                "label": "Double",
                "verb": "rewrite",
                "value": "20",
                "terms": [{"value": ""}],
                "operations": [[10, "*", 2, 20]],
            },
            {"label": "Clamp", "verb": "bound", "value": 10, "terms": [{"value": 10}], "idle": True},
            {
                "label": "Aim",
                "verb": "play",
                "value": None,
                "steps": [{"label": "Ready", "verb": "fact", "value": True}],
            },
        ],
    }


@every(
    "values",
    [
        {},
        {"modifier": -2, "who": ' <b>"née"\n\ud83e ', "actor": {"Health Maximum": -3}},
        {"allies": (Ally("Freya", 3), Ally("Ulfarmi", 4))},
    ],
)
@every("indent", [None, 2])
def test_an_outcome_read_back_is_equal(strike, values, indent):
    outcome = played(strike, **values)
    text = outcome_json(outcome, indent)
    assert outcome_from_json(text) == outcome
    assert outcome_from_json(text).to_json(indent) == text
    text.encode("ascii")


def changed(strike, **parts: Any) -> str:
    return json.dumps(outcome_data(played(strike)) | parts)


FACTS = {"total": 7, "hit": True, "pair": [2, 5], "nothing": None, "who": "", "actor": "none"}
WRONG = [
    ({"dicedocs": 2}, "schema 2 is not known; an outcome has 'dicedocs': 1"),
    ({"dicedocs": True}, "the JSON is not an outcome; an outcome has 'dicedocs': 1"),
    ({"dicedocs": None}, "the JSON is not an outcome; an outcome has 'dicedocs': 1"),
    ({"mechanic": "trial/strikes"}, "mechanic: there is no mechanic 'trial/strikes'; did you mean 'trial/strike'?"),
    ({"mechanic": ["trial/strike"]}, "'mechanic' is not the id of a mechanic"),
    ({"parameters": []}, "'parameters' is not an object"),
    (
        {"parameters": {"modifer": "1"}},
        "there is no parameter 'modifer' of trial/strike; did you mean 'modifier'?",
    ),
    ({"parameters": {"modifier": 1}}, "modifier: its value is not text; write it as in a directive"),
    ({"parameters": {"modifier": "x"}}, "modifier: 'x' is not a whole number"),
    ({"dice": "5 2"}, "'dice' is not a list of dice"),
    ({"dice": [5, 2]}, "'dice' is not a list of dice; each has 'sides' and 'face'"),
    ({"dice": [{"sides": 6, "face": True}]}, "'dice' is not a list of dice; each has 'sides' and 'face'"),
    ({"dice": [{"sides": 6, "face": 5}]}, "dice: die 2 is a d6, and 1 face is given"),
    ({"dice": [{"sides": 6, "face": 5}] * 3}, "dice: 3 faces are given, and 2 thrown"),
    ({"dice": [{"sides": 6, "face": 7}] * 2}, "dice: die 1 is a d6 and cannot show 7"),
    (
        {"dice": [{"sides": 8, "face": 5}, {"sides": 6, "face": 2}]},
        "the rule gives something else for 'dice'; the text was changed",
    ),
    ({"facts": FACTS | {"total": 8}}, "the rule gives something else for 'total'; the text was changed"),
    (
        {"facts": FACTS | {"hit": 1, "who": "X"}},
        "the rule gives something else for 'hit' and 'who'; the text was changed",
    ),
    ({"facts": FACTS | {"more": None}}, "the rule gives something else for 'more'; the text was changed"),
    ({"facts": {}}, "the rule gives something else for 'total', 'hit', 'pair'"),
    ({"facts": None}, "'facts' is not an object"),
]


@every(("parts", "message"), WRONG, ids=[message for _, message in WRONG])
def test_the_message_names_the_mistake(strike, parts, message):
    with pytest.raises(ParameterError) as error:
        outcome_from_json(changed(strike, **parts))
    assert str(error.value).startswith(message)


DEEP = 100_000


@every(
    "text",
    [
        *map(json.dumps, JSON),
        *("", "{", "nothing", "\ud800", b"\xff", None),
        *('{"dicedocs": Infinity}', '{"dicedocs": 1}'),
        "[" * DEEP,
        "[" * DEEP + "]" * DEEP,
        '{"dicedocs":' * DEEP + "1" + "}" * DEEP,
        '{"dicedocs": 1, "mechanic": "trial/strike", "parameters": {"self": "1"}, "dice": []}',
        '{"dicedocs": ' + "9" * 5000 + "}",
    ],
    ids=lambda text: str(text)[:20],
)
def test_hostile_input_is_refused(text):
    with pytest.raises(ParameterError):
        outcome_from_json(text)


@every("part", ["facts", "dice", "parameters"])
@every("depth", [500, 900, 10_000])
def test_deep_parts_are_refused(strike, part, depth):
    whole = changed(strike, **{part: "HERE"})
    deep = '{"a":' * depth + "1" + "}" * depth
    if part == "dice":
        deep = '[{"face": 5, "sides": ' + deep + '}, {"face": 2}]'
    with pytest.raises(DiceError):
        outcome_from_json(whole.replace('"HERE"', deep))


def test_an_unregistered_mechanic_is_written_but_not_read():
    class Own(Mechanic):
        class Result(Outcome):
            total: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            return self.Result(dice.total(2, 6))

    text = Own().play(SeededDice(1)).to_json()
    assert json.loads(text)["mechanic"] == ""
    with pytest.raises(ParameterError, match="there is no mechanic ''"):
        outcome_from_json(text)


def test_an_outcome_that_was_not_played_has_no_json(strike):
    with pytest.raises(RuntimeError):
        strike.Result(7, hit=True, pair=(), nothing=None, who="", actor=Resources()).to_json()


def test_the_version_comes_first(strike):
    assert outcome_json(played(strike)).startswith(f'{{"dicedocs": {SCHEMA}, "mechanic": "trial/strike"')


@every(
    "outcome",
    [
        dd.roll("1d6 + [Strength]", actor={"Strength": 4}, dice=[3]),
        dd.roll("1000d6", seed="theron"),
        dd.check("1d20 + [Attack] >= [Target Defense]", {"Attack": 6}, {"Defense": 12}, dice=[8]),
    ],
    ids=repr,
)
def test_expressions_and_checks_are_read_again(outcome):
    assert outcome_from_json(outcome.to_json()) == outcome
