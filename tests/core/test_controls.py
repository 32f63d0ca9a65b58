"""The kind of a field decides its control, and the parts of a control give the value again."""

import json
from itertools import count
from typing import Annotated, Literal, NamedTuple

import pytest

import dicedocs as dd
from dicedocs import LimitError, Mechanic, Outcome, ParameterError, param
from dicedocs.panel.forms.controls import box_text, form_data
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import Places, PoolFacesKind
from dicedocs.rules.registry import mechanic

from ..every import every


class Hand(NamedTuple):
    name: str
    skill: int
    tool: int | None = None
    marks: tuple[int, ...] = ()
    calm: bool = False


ROWS = kind_of(tuple[Hand, ...])


@every(
    ("hint", "expected"),
    [
        (int, {"kind": "whole", "low": 0, "high": 9, "optional": False}),
        (int | None, {"kind": "whole", "low": 0, "high": 9, "optional": True}),
        (bool, {"kind": "truth"}),
        (bool | None, {"kind": "choice", "choices": ["true", "false"], "optional": True}),
        (Literal["low", "high"], {"kind": "choice", "choices": ["low", "high"], "optional": False}),
        (Literal["low", "high"] | None, {"kind": "choice", "choices": ["low", "high"], "optional": True}),
        (Literal["low", "high"] | int | None, {"kind": "text", "choices": ["low", "high"]}),
        (str, {"kind": "text"}),
        (str | None, {"kind": "text"}),
        (dd.Notation, {"kind": "notation"}),
        (dd.Resources, {"kind": "resources"}),
        (dd.Sizes, {"kind": "dice"}),
        (dd.PoolFaces, {"kind": "faces", "sides": 6}),
        (Annotated[tuple[int, ...], Places("pool")], {"kind": "places", "of": "pool"}),
        (tuple[int, ...], {"kind": "list"}),
        (tuple[Literal["with", "without"], ...], {"kind": "list", "choices": ["with", "without"]}),
        (tuple[int, ...] | None, {"kind": "text"}),
    ],
    ids=count(),
)
def test_a_kind_decides_the_control(hint, expected):
    assert kind_of(hint, 0, 9).control() == expected


def test_switches_for_dice_know_the_sides_of_these_dice():
    class Throw(Mechanic):
        """Throw some dice of a hand again."""

        hand: Annotated[tuple[int | None, ...], PoolFacesKind(10)] = param(default=(), help="the hand")
        again: Annotated[tuple[int, ...], Places("hand")] = param(default=(), help="which are thrown again")

        def resolve(self, dice, say) -> Outcome:
            return Outcome()

    assert form_data(Throw)["fields"][1]["control"] == {"kind": "places", "of": "hand", "sides": 10}


def test_a_record_is_a_row_with_a_box_per_column():
    columns = ROWS.control()["columns"]
    assert [(one["name"], one["required"], one["default"], one["control"]["kind"]) for one in columns] == [
        ("name", True, "", "text"),
        ("skill", True, "", "whole"),
        ("tool", False, "", "whole"),
        ("marks", False, "", "list"),
        ("calm", False, "false", "truth"),
    ]


def test_the_words_of_a_kind_and_the_heads_of_its_columns_are_translated():
    assert list(kind_of(tuple[Hand, ...] | Literal["nobody"] | None).texts()) == [
        "Name", "Skill", "Tool", "Marks", "Calm", "nobody",
    ]  # fmt: skip


@every("id", dd.mechanics())
def test_every_mechanic_has_a_form_that_is_plain_data(id):
    data = form_data(mechanic(id))
    assert json.loads(json.dumps(data)) == data
    assert [field["name"] for field in data["fields"]] == list(mechanic(id).parameters())
    assert all(field["label"] and field["help"] for field in data["fields"])


@every("id", dd.mechanics())
def test_texts_and_parts_give_the_value_again(id):
    for field in mechanic(id).parameters().values():
        for value in {field.example} if field.required else {field.example, field.default}:
            text = box_text(field, value)
            assert (field.convert(text) if text else field.default) == value
            if field.kind.has_parts:
                parts = field.kind.parts_of(value)
                assert json.loads(json.dumps(parts)) == parts
                assert field.kind.value_from_parts(parts, value) == value


def test_rows_give_records():
    ash = {"name": " Ash ", "skill": "2", "tool": "", "marks": "1, 2", "calm": "true"}
    assert ROWS.value_from_parts([ash, {"name": "Bo", "skill": "-1"}]) == (
        Hand("Ash", 2, None, (1, 2), calm=True),
        Hand("Bo", -1),
    )


def test_empty_rows_are_ignored():
    untouched = {"name": "", "skill": "", "tool": "", "marks": "", "calm": "false"}
    assert ROWS.value_from_parts([untouched]) == ()
    assert (
        kind_of(dd.Resources).value_from_parts([{"name": "", "value": "0"}, {"name": "", "value": ""}])
        == dd.Resources()
    )


@every(
    ("kind", "parts", "message"),
    [
        (ROWS, [{"name": "Ash"}], "'Ash' has no skill"),
        (ROWS, [{"skill": "2"}], "row 1 has no name"),
        (ROWS, [{"name": "Ash", "skill": "much"}], "'Ash', skill: 'much' is not a whole number"),
        (ROWS, [{"name": "A: b", "skill": "1"}], "would be read as something else"),
        (ROWS, ["Ash"], "not a record"),
        (kind_of(dd.Resources), [{"name": "Wit", "value": ""}], "'Wit' has no value"),
        (kind_of(dd.Resources), [{"name": "", "value": "3"}], "'3' has no name"),
        (kind_of(dd.Resources), [{"name": "Wit", "value": "x"}], "'x' is not a whole number, in 'Wit'"),
        (kind_of(dd.Resources), [{"name": "Wit", "value": "1"}] * 2, "written twice"),
        (kind_of(dd.Resources), ["Wit"], "not a name with its value"),
        (kind_of(dd.Sizes), ["six"], "not dice such as"),
        (kind_of(dd.PoolFaces), ["4", "x"], "'x' is not"),
        (kind_of(dd.PoolFaces), "4", "not a list"),
    ],
)
def test_invalid_parts_are_refused(kind, parts, message):
    with pytest.raises(ParameterError, match=message):
        kind.value_from_parts(parts)


def test_the_dice_of_a_custom_type_can_be_replaced():
    pool = mechanic("mecha-vs-kaiju/action").parameters()["pool"]
    assert pool.kind.control() == {"kind": "dice"}
    before = pool.convert("d20 d8 d10 advantage")
    assert pool.kind.parts_of(before) == [20, 8, 10]
    assert str(pool.kind.value_from_parts([20, 8, 10, 6, 6], before)) == "d20 d8 d10 2d6 advantage"
    assert str(pool.kind.value_from_parts([], before)) == "d20 advantage"
    with pytest.raises(ParameterError, match="'d7' is not a character die"):
        pool.kind.value_from_parts([20, 7], before)
    with pytest.raises(ParameterError, match="not dice"):
        pool.kind.value_from_parts(["x"], before)


def test_the_number_of_parts_is_limited():
    with pytest.raises(LimitError, match="ITEMS"):
        kind_of(dd.PoolFaces).value_from_parts(["1"] * 1001)


def test_none_is_an_empty_box_only_if_it_is_the_default():
    class Rule(Mechanic):
        one: int | None = param(default=None)
        two: int | None = param(default=2)

        class Result(dd.Outcome):
            face: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            return self.Result(1)

    one, two = Rule.parameters().values()
    assert (box_text(one, None), box_text(two, None), box_text(two, 2)) == ("", "none", "2")
