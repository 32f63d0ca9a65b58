"""Settings of parameters and sweeps over their values: parsing them, and applying them to a mechanic."""

import pytest

from dicedocs import LimitError, ParameterError
from dicedocs.probability.sweep import Setting, apply_settings, parse_settings, parse_sweep
from dicedocs.rules.registry import mechanic

from ..every import every

ROLL = mechanic("total-effect/roll")
CHECK = mechanic("methuen/check")


@every(
    ("id", "text", "expected"),
    [
        ("total-effect/roll", "", []),
        ("total-effect/roll", "advantage=2", [[("advantage", "2")]]),
        (
            "total-effect/roll",
            "disadvantage=3..1,  advantage=0..1",
            [
                [("disadvantage", "3"), ("disadvantage", "2"), ("disadvantage", "1")],
                [("advantage", "0"), ("advantage", "1")],
            ],
        ),
        ("total-effect/roll", "advantage=0 2..3 1", [[("advantage", number) for number in "0231"]]),
        ("total-effect/roll", "effect=LOW  mid", [[("effect", "low"), ("effect", "mid")]]),
        # A value with spaces; and a setting that stands twice.
        ("total-effect/roll", "compare=at least 3", [[("compare", "at least 3")]]),
        ("total-effect/roll", "compare=at least 3; over 3", [[("compare", "at least 3"), ("compare", "over 3")]]),
        ("mecha-vs-kaiju/action", "pool=d20 d8 d8, pool=d20", [[("pool", "d20 2d8")], [("pool", "d20")]]),
        ("methuen/expression", "expression=2d6 + 1d4, actor.A=1", [[("expression", "2d6 + 1d4")], [("actor.A", "1")]]),
        ("methuen/check", "target.Defense=9..10", [[("target.Defense", "9"), ("target.Defense", "10")]]),
        (
            "methuen/check",
            "actor.Health Maximum=-1..1",
            [[("actor.Health Maximum", number) for number in ("-1", "0", "1")]],
        ),
    ],
)
def test_parsing_a_sweep(id, text, expected):
    assert parse_sweep(mechanic(id), text) == expected


@every(
    ("text", "message"),
    [
        (
            "advantag=1",
            "there is no parameter 'advantag' of total-effect/roll; did you mean 'advantage' or 'disadvantage'?",
        ),
        ("advantage", "'advantage' is not a setting; write advantage=0, or another value"),
        ("=1", "'=1' is not a setting; write name=value, as in skilled=no yes"),
        ("advantage=", "advantage: '' is not a whole number, at least 0"),
        ("advantage=1 x", "advantage: 'x' is not a whole number, at least 0"),
        ("advantage=-1..1", "advantage: '-1' is not a whole number, at least 0"),
        ("advantage.low=1", "advantage: 'advantage' does not hold named values; write advantage="),
    ],
)
def test_errors_of_a_sweep(text, message):
    with pytest.raises(ParameterError) as raised:
        parse_sweep(ROLL, text)
    assert str(raised.value) == message


@every(
    ("text", "spelling"),
    [
        ("advantage: 0, 1, 2", "advantage=0 1 2"),
        ("advantage from 0 to 2", "advantage=0..2"),
        ("advantage 0..2", "advantage=0..2"),
        ("advantage=0 .. 2", "advantage=0..2"),
        ("advantage=0 to 2 step 1", "advantage=0 1 2"),
        ("advantage=0; advantage=1; advantage=2", "advantage=0, advantage=1, advantage=2"),
    ],
)
def test_a_list_in_other_signs_has_a_spelling_with_the_same_values(text, spelling):
    with pytest.raises(ParameterError) as raised:
        parse_sweep(ROLL, text)
    assert raised.value.hint == f"write {spelling}"
    assert [each.text for settings in parse_sweep(ROLL, spelling) for each in settings] == ["0", "1", "2"]


@every("text", ["advantage=0..1000", "advantage=0..999, escalation=1", "escalation=-999999999999..0"])
def test_too_many_values_are_refused(text):
    with pytest.raises(LimitError) as raised:
        parse_sweep(ROLL, text)
    assert raised.value.limit == "ITEMS"


def test_settings_of_one_value():
    assert parse_settings(ROLL, "advantage=1, effect=low") == (Setting("advantage", "1"), Setting("effect", "low"))
    with pytest.raises(ParameterError, match="'advantage' has 2 values here; write one"):
        parse_settings(ROLL, "advantage=0..1")


def test_parameters_without_a_setting_stay():
    rule = apply_settings(ROLL, {"advantage": "1", "threshold": 13}, [Setting("advantage", "2")])
    assert rule == ROLL(advantage=2, threshold=13)
    parameters = {"check": "1d20 + [Attack] >= [Target Defense]", "target": "Defense=12, Luck=1"}
    rule = apply_settings(CHECK, parameters, [Setting("target.Defense", "5"), Setting("actor.Attack", "4")])
    assert rule == CHECK(check=parameters["check"], target={"Defense": 5, "Luck": 1}, actor={"Attack": 4})
    assert parameters["target"] == "Defense=12, Luck=1"


def test_labels():
    assert Setting("step_up", "1").label(ROLL) == "Step up"
    assert Setting("target.Defense", "1").label(CHECK) == "Target Defense"
