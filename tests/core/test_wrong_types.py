"""Values of wrong types: a public function refuses them with one of our errors, and never fails within.

Every value goes to every argument. A call may also succeed: a few of the values are right somewhere. What it returns
is then shown, since a wrong value that is kept would fail there.
"""

from contextlib import suppress
from itertools import product

import pytest

import dicedocs as dd
from dicedocs import (
    DiceError,
    Example,
    Mechanic,
    Outcome,
    ParameterError,
    Resources,
    Say,
    ScriptedDice,
    SeededDice,
)
from dicedocs.panel.forms import inputs
from dicedocs.probability.seed_search import search_seed
from dicedocs.render import json_data, latex
from dicedocs.rules.description import describe
from dicedocs.rules.example import parse_facts
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs.rules.steps import Operation, RecordingSay
from dicedocs.systems import dungeoneers, mage_in_the_metal, mecha_vs_kaiju, total_effect

from ..every import every
from ..examples import some
from ..hostile import VALUES


def shown(outcome):
    """Show an outcome in every form."""
    outcome.facts()
    outcome.to_json()
    outcome.to_html()
    latex.outcome_latex(outcome, chosen=True)
    assert str(outcome)
    assert repr(outcome.rule)


class Calls(Mechanic):
    """A rule that makes one dice call."""

    class Result(Outcome):
        done: bool

    call = staticmethod(lambda _dice: None)

    def resolve(self, dice: dd.Dice, say: Say) -> Result:
        self.call(dice)
        return self.Result(True)


def played(call):
    """Make a dice call within a rule, with seeded dice, and show the outcome, which makes it again."""
    given = [None]
    rule = type("Called", (Calls,), {"call": staticmethod(lambda dice: call(dice, given[0]))})()

    def act(value):
        given[0] = value
        shown(rule.play(SeededDice(1)))

    return act


DICE_CALLS = {
    "roll": lambda dice, value: dice.roll(value),
    "each": lambda dice, value: dice.each(6, value),
    "pool": lambda dice, value: dice.pool(6, value),
    "pool, keep": lambda dice, value: dice.pool(6, 6, keep=value),
    "pool, a Keep": lambda dice, value: dice.pool(6, 6, keep=dd.Keep(value, high=True)),
    "pool, unread": lambda dice, value: dice.pool(6, 6, unread=value),
    "pool, state": lambda dice, value: dice.pool(6, 6, unread={0: value}),
    "total, count": lambda dice, value: dice.total(value, 6),
    "total, sides": lambda dice, value: dice.total(2, value),
    "total, keep": lambda dice, value: dice.total(2, 6, keep=value),
    "tally, count": lambda dice, value: dice.tally(value, 6, {6}),
    "tally, sides": lambda dice, value: dice.tally(2, value, {6}),
    "tally, class": lambda dice, value: dice.tally(2, 6, value),
    "tally, classes": lambda dice, value: dice.tally(2, 6, {6}, value),
    "play": lambda dice, value: dice.play(value),
    "play, label": lambda dice, value: dice.play(mechanic("methuen/expression")(expression="1d6"), value),
    "mark": lambda dice, value: dice.each(6, 6).mark(value, "lost"),
    "mark, state": lambda dice, value: dice.each(6, 6).mark(0, value),
    "mark, why": lambda dice, value: dice.each(6, 6).mark(0, "lost", value),
}

SAID = {
    "sum": lambda say, value: say.sum("L", value, 1),
    "sum, named": lambda say, value: say.sum("L", a=value),
    "sum, pair": lambda say, value: say.sum("L", ("n", value)),
    "sum, name": lambda say, value: say.sum("L", (value, 1)),
    "compare": lambda say, value: say.compare("L", value, ">", 1),
    "compare, sign": lambda say, value: say.compare("L", 1, value, 1),
    "bound": lambda say, value: say.bound("L", value, low=1, high=3),
    "bound, low": lambda say, value: say.bound("L", 2, low=value),
    "scale": lambda say, value: say.scale("L", value, times=2),
    "scale, over": lambda say, value: say.scale("L", 2, over=value),
    "look_up": lambda say, value: say.look_up("L", value, {None: "a", 1: "b"}),
    "look_up, table": lambda say, value: say.look_up("L", 1, value),
    "look_up, no row": lambda say, value: say.look_up("L", value, {5: 1}),
    "move": lambda say, value: say.move("L", value, 1, 1),
    "move, at": lambda say, value: say.move("L", [1, 2], value, 1),
    "move, by": lambda say, value: say.move("L", [1, 2], 1, value),
    "pick": lambda say, value: say.pick("L", value, "a"),
    "pick, key": lambda say, value: say.pick("L", {"a": 1}, value),
    "leaders": lambda say, value: say.leaders("L", value, by=["a"]),
    "leaders, scores": lambda say, value: say.leaders("L", {"a": value, "b": (1,)}, by=["a"]),
    "fact": lambda say, value: say.fact("L", value, value),
}

EXPRESSION = mechanic("methuen/expression")
ROLLED = dd.roll("1d6 + [A]", {"A": 1}, seed=1)


def example(**fields):
    """Every method of an example with a wrong field."""

    def act(value):
        wrong = {name: make(value) for name, make in fields.items()}
        given = {"mechanic": "methuen/expression", "parameters": {"expression": "1d6"}, "dice": [3], **wrong}
        if "seed" in wrong:
            del given["dice"]
        one = Example(**given)
        for method in (one.rule, one.play, one.verify, one.code, one.expected, one.__str__, one._repr_html_):
            with suppress(DiceError):
                method()

    return act


def same(value):
    return value


CALLS = {
    "highest": dd.highest,
    "lowest": dd.lowest,
    "SeededDice": SeededDice,
    "ScriptedDice": ScriptedDice,
    "quoted": dd.quoted,
    "near": lambda value: dd.near(value, ["a"]),
    "roll": lambda value: shown(dd.roll(value, seed=1)),
    "roll, actor": lambda value: shown(dd.roll("1d6 + [A]", value, seed=1)),
    "roll, target": lambda value: shown(dd.roll("1d6 + [Target A]", target=value, seed=1)),
    "roll, a resource": lambda value: shown(dd.roll("1d6 + [A]", {"A": value}, seed=1)),
    "roll, seed": lambda value: shown(dd.roll("1d6", seed=value)),
    "roll, dice": lambda value: shown(dd.roll("1d6", dice=value)),
    "check": lambda value: shown(dd.check(value, seed=1)),
    "check, actor": lambda value: shown(dd.check("1d6 > [A]", value, seed=1)),
    "play": dd.play,
    "play, seed": lambda value: shown(dd.play("total-effect/roll", seed=value)),
    "play, dice": lambda value: shown(dd.play("total-effect/roll", dice=value)),
    "mechanic": mechanic,
    "Mechanic.play": lambda value: EXPRESSION(expression="1d6").play(value),
    "find_seed": lambda value: dd.find_seed(value, where="total=1"),
    "find_seed, faces": lambda value: dd.find_seed("methuen/expression", faces=value, expression="1d6"),
    "find_seed, where": lambda value: dd.find_seed("methuen/expression", where=value, expression="2"),
    "find_seed, a fact": lambda value: dd.find_seed("methuen/expression", where={"x": value}, expression="2"),
    "search_seed": lambda value: search_seed(value, faces=[1]),
    **{f"Example, {name}": example(**{name: same}) for name in Example._fields},
    "Example, a parameter": example(parameters=lambda value: {"expression": value}),
    "Character": dd.Character,
    "Character, values": lambda value: repr(dd.Character("Kira", value)),
    "Character, a value": lambda value: repr(dd.Character("Kira", {"A": value})),
    "Character, rolls": lambda value: dd.Character("Kira", "", value),
    "Track": dd.Track,
    "Track, value": lambda value: dd.Track(8, value),
    "Track.at": lambda value: dd.Track(8).at(value),
    "Track.from_text": dd.Track.from_text,
    "Scene": dd.Scene,
    "Scene, a track": lambda value: dd.Scene(vault=value),
    "Scene, an item": lambda value: dd.Scene(vault=dd.Track(8))[value],
    "Scene.play": lambda value: dd.Scene().play(value),
    "Scene.play, then": lambda value: dd.Scene().play("dice/roll", notation="3", then=value),
    "Scene.play, expect": lambda value: dd.Scene().play("dice/roll", notation="3", expect=value),
    "Scene.change": lambda value: dd.Scene(vault=dd.Track(8)).change(value),
    "Scene.change, outcome": lambda value: dd.Scene(vault=dd.Track(8)).change("vault += 1", value),
    "Scene.change, values": lambda value: dd.Scene(vault=dd.Track(8)).change("vault += 1", values=value),
    "Scene.from_state": lambda value: dd.Scene.from_state(value).facts(),
    "Scene.from_state, a text": lambda value: dd.Scene.from_state({"vault": value}).facts(),
    "Resources": Resources,
    "Resources.from_text": Resources.from_text,
    "Resources.from_pairs": Resources.from_pairs,
    "Resources.from_pairs, one": lambda value: Resources.from_pairs([value]),
    "Resources.from_value": Resources.from_value,
    "Resources, a number": lambda value: Resources({"a": value}),
    "Outcome.fact": ROLLED.fact,
    "Outcome.facts": ROLLED.facts,
    "Outcome.look_up": ROLLED.look_up,
    "Outcome.to_json": ROLLED.to_json,
    "outcome_from_json": json_data.outcome_from_json,
    "describe": describe,
    "parse_facts": lambda value: parse_facts(value, "expect"),
    "Pool": mecha_vs_kaiju.Pool,
    "Pool, one": lambda value: mecha_vs_kaiju.Pool([value]),
    "Pool, conditions": lambda value: mecha_vs_kaiju.Pool((), value),
    "Pool.from_text": mecha_vs_kaiju.Pool.from_text,
    "Pool.from_value": mecha_vs_kaiju.Pool.from_value,
    "Pool.with_sizes": mecha_vs_kaiju.Pool([6]).with_sizes,
    "Penalties": mage_in_the_metal.Penalties,
    "Penalties, one": lambda value: mage_in_the_metal.Penalties([value]),
    "Penalties, points": lambda value: mage_in_the_metal.Penalties([mage_in_the_metal.Penalty(value)]),
    "Penalties, type": lambda value: mage_in_the_metal.Penalties([mage_in_the_metal.Penalty(1, value)]),
    "Penalties.from_text": mage_in_the_metal.Penalties.from_text,
    "Penalties.from_value": mage_in_the_metal.Penalties.from_value,
    "Compare": lambda value: total_effect.Compare(value, 1),
    "Compare, value": lambda value: total_effect.Compare("under", value),
    "Compare.from_text": total_effect.Compare.from_text,
    **{f"a rule's {name}": played(call) for name, call in DICE_CALLS.items()},
    **{
        f"scripted {name}": lambda value, call=call: call(ScriptedDice([1, 1]), value)
        for name, call in DICE_CALLS.items()
    },
    **{f"say.{name}": lambda value, call=call: call(Say(), value) for name, call in SAID.items()},
    **{f"recorded say.{name}": lambda value, call=call: call(RecordingSay(), value) for name, call in SAID.items()},
    "recorded label": lambda value: RecordingSay().sum(value, 1),
    "recorded rewrite": lambda value: RecordingSay().rewrite("L", value, "x", Operation(1, "+", 1, 2)),
}


def with_parameter(rule, name):
    """Play a mechanic with a parameter, the others being the required ones of its example, and show the outcome."""
    needed = {field.name: field.example for field in rule.parameters().values() if field.required}
    return lambda value: shown(rule(**{**needed, name: value}).play(SeededDice(1)))


def with_input(rule, name):
    """Set an input of a panel, by its text, its parts and its value."""
    fields = rule.parameters()
    values = {field.name: field.example for field in fields.values()}

    def act(value):
        form = inputs.Inputs.of(fields, values)
        for set_input in (form.with_text, form.with_parts):
            with suppress(DiceError):
                set_input(name, value).state()
        form.with_values({name: value})
        fields[name].kind.value_from_parts([value], values[name])

    return act


def with_field(rule, parameter, record, name):
    """Play a mechanic with a record that has a field."""
    given = {"name": "Ann", "skill": 3} if "skill" in record._fields else {"name": "Ann"}
    needed = {field.name: field.example for field in rule.parameters().values() if field.required}

    def act(value):
        records = [record(**{**given, name: value}), record(**{**given, "name": "Bo"})]
        shown(rule(**{**needed, parameter: records}).play(SeededDice(1)))

    return act


INPUTS = {}
for id in mechanics():
    rule = mechanic(id)
    CALLS |= {f"{id}, {name}": with_parameter(rule, name) for name in rule.parameters()}
    for name, field in rule.parameters().items():
        # One input of each control: they differ in nothing else.
        INPUTS.setdefault(str(field.kind.control()), (f"the input of {id}, {name}", with_input(rule, name)))
CALLS |= dict(INPUTS.values())
for id, parameter, record in (
    ("dungeoneers/group-roll", "members", dungeoneers.Member),
    ("mage-in-the-metal/contest", "contestants", mage_in_the_metal.Contestant),
):
    CALLS |= {f"{id}, {name}": with_field(mechanic(id), parameter, record, name) for name in record._fields}


AUTHORS = (
    "the step ",
    "integer division",
    "Mechanic has no method resolve",
    "a distribution is neither true nor false",
)


@pytest.mark.timeout(20)  # what is read to an end that it does not have never returns
@every(("name", "kind"), some(product(CALLS, VALUES)))
def test_a_wrong_value_is_refused_by_one_of_our_errors(name, kind):
    said = ""
    try:
        CALLS[name](VALUES[kind]())
    except DiceError as error:
        said = str(error)
    except (TypeError, ZeroDivisionError) as error:
        # What a rule says wrongly is the fault of its author, who expects an error of Python.
        if not str(error).startswith(AUTHORS):
            raise
    assert len(said.encode()) <= 3_000


def test_a_wrong_argument_is_a_parameter_error_that_says_what_to_give():
    for act, text in (
        (lambda: dd.highest("x"), "'x' is not a number of dice; give a whole number"),
        (lambda: dd.roll("1d6", seed=[]), "seed: '[]' is not a seed; a seed is a whole number or text"),
        (lambda: dd.play(5), "mechanic: there is no mechanic '5'; give its id as text"),
        (lambda: SeededDice(1).pool(6, keep="x"), "'x' is not which dice to keep; write highest(3) or lowest(3)"),
        (lambda: SeededDice(1).roll("x"), "'x' is not a number of sides; give a whole number"),
        (lambda: Resources(5), "'5' is not resources such as Strength=4, Health Maximum=20"),
        (lambda: dd.find_seed("methuen/expression", expression="1", where=5), "where: '5' does not say which facts"),
        (lambda: Example("methuen/expression", 5).play(), "parameters: '5' is not a mapping of parameters by name"),
        (lambda: ROLLED.to_json(10**6), "indent: '1000000' is not a whole number from 0 to 16"),
        (lambda: EXPRESSION(expression="1").play(5), "dice: '5' is not dice; give a source of faces"),
    ):
        with pytest.raises(ParameterError) as caught:
            act()
        assert str(caught.value).startswith(text)


@pytest.mark.parametrize("say", [Say(), RecordingSay()])
def test_a_step_with_wrong_values_is_a_type_error_that_names_it(say):
    for act, text in (
        (lambda: say.look_up("Degree", 1, {5: "x"}), "no row of the table covers '1'; add a row None, for all lower"),
        (lambda: say.sum("Degree", "x"), "a term of the sum is not a number; give numbers, or pairs of a name and a"),
        (lambda: say.compare("Degree", 1, "=>", 1), "'1' '=>' '1' is not a comparison of numbers; write '=', '!='"),
        (lambda: say.pick("Degree", {"low": 1}, "lov"), "'lov' is not an option; did you mean 'low'?"),
        (lambda: say.move("Degree", ["low", "mid"], "high", 1), "'high' cannot be moved by '1' along '['low', 'mid']'"),
    ):
        with pytest.raises(TypeError) as caught:
            act()
        assert str(caught.value).startswith(f"the step 'Degree': {text}")


def test_a_rule_that_returns_no_outcome_is_a_type_error():
    class Nothing(Calls):
        def resolve(self, dice: dd.Dice, say: Say) -> Calls.Result:
            return 5  # type: ignore[return-value]

    with pytest.raises(TypeError, match=r"Nothing\.resolve returned '5', which is not an Outcome"):
        Nothing().play(SeededDice(1))


def test_a_custom_type_that_fails_to_read_text_is_the_fault_of_its_game():
    class Colour:
        expects = "a colour"

        @classmethod
        def from_text(cls, text):
            return {"red": cls()}[text]

        @classmethod
        def from_value(cls, value):
            return cls.from_text(str(value))

        def __str__(self):
            return "red"

    class Paint(Calls):
        colour: Colour = dd.param(default=Colour())

    Paint.__annotations__["colour"] = Colour
    with pytest.raises(KeyError):
        Paint(colour="blue")
    with pytest.raises(ParameterError, match=r"colour: '5' is not a colour: reading it failed: KeyError: '5'"):
        Paint(colour=5)
