"""Code and directives reproduce an outcome, and texts in them are escaped."""

import ast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say, fact, param
from dicedocs.panel.view.outcome_source import code, directive, directive_rst
from dicedocs.render.text import expected
from dicedocs.rules.example import Example, parse_facts
from dicedocs.rules.registry import mechanic

from ..every import every
from ..examples import many
from ..hostile import INLINE, MARKUP
from .drawing import of_any_mechanic


def run(text):
    """Run some Python, and return the value of its last line."""
    lines = ast.parse(text).body
    last = lines.pop()
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(ast.Module(lines, []), "code", "exec"), names)  # noqa: S102 - our own, as a reader would run it
    return eval(compile(ast.Expression(last.value), "code", "eval"), names)  # noqa: S307


@given(st.data())
@settings(max_examples=many(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_code_gives_the_same_outcome(data):
    outcome, seed, _ = data.draw(of_any_mechanic())
    assert run(code(outcome, seed)) == outcome
    assert run(code(outcome)) == outcome


@given(st.data())
@settings(max_examples=many(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_directives_are_lines_of_options_that_verify(data):
    outcome, seed, label = data.draw(of_any_mechanic())
    first, *options, last = directive(outcome, seed, label).split("\n")
    assert first.startswith(f"{last}{{dice:example}}")
    assert set(last) < set("`~")
    assert all(option.startswith(":") for option in options)
    head, *lines = directive_rst(outcome, seed, label).split("\n")
    assert head.startswith(".. dice:example::")
    assert all(line.startswith("   :") for line in lines)
    written = dict(line[4:].split(": ", 1) if ": " in line else (line[4:-1], "") for line in lines)
    assert len(written) == len(lines)
    assert (written.pop("mechanic"), written.pop("seed")) == (outcome.rule.id, str(seed))
    assert Example(outcome.rule.id, written, seed, expect=written.pop("expect")).verify().dice == outcome.dice


@every("label", [*MARKUP, *INLINE, "\n:seed: 9"])
def test_a_label_is_one_line_of_a_title(label):
    outcome = dd.roll("3d6", seed=61)
    assert len(directive(outcome, 61, label).splitlines()) == len(directive(outcome, 61).splitlines())
    assert len(directive_rst(outcome, 61, label).splitlines()) == len(directive_rst(outcome, 61).splitlines())


def test_a_label_without_markup_is_not_escaped():
    assert directive(dd.roll("3d6", seed=61), 61, "Theron, Arcane Bolt (2nd): 10%").splitlines()[0] == (
        "```{dice:example} Theron, Arcane Bolt (2nd): 10%"
    )


def test_a_title_with_backticks_has_a_fence_of_tildes():
    first, *_, last = directive(dd.roll("3d6", seed=61), 61, "a `b`").splitlines()
    assert (first, last) == (r"~~~{dice:example} a \`b\`", "~~~")


class Motto(Mechanic):
    """A rule whose facts are texts."""

    text: str = param(default="")

    class Result(Outcome):
        said: str
        again: str | None
        face: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(self.text, self.text or None, dice.roll(6))


@every(
    ("text", "expects"),
    [
        ("plain", "said=plain, again=plain, face=4"),
        ("", "said=, face=4"),
        ("a, b", "said=a, b, again=a, b, face=4"),
        ("a, face=3", "face=4"),
        ("a\x00", "face=4"),
    ],
)
def test_facts_that_do_not_read_back_are_not_expected(text, expects):
    outcome = Motto(text=text).play(dd.ScriptedDice([4]))
    assert expected(outcome) == expects
    assert ", ".join(f"{name}={text}" for name, text in parse_facts(expects, "expect").items()) == expects


def test_without_a_seed_the_export_has_the_faces():
    outcome = dd.roll("2d6", dice=[4, 2])
    assert run(code(outcome)) == outcome
    assert ":dice: 4 2" in directive(outcome).splitlines()
    assert "   :dice: 4 2" in directive_rst(outcome).splitlines()
    nothing = dd.roll("1 + 1")
    assert "dice:" not in directive(nothing).split("\n", 1)[1]
    assert run(code(nothing)) == nothing


def test_a_quoted_value_is_quoted_again_for_markdown():
    outcome = mechanic("ember/haul")(crew="Ash: skill 2", note="'it''s' \"so\"'").play(dd.SeededDice(1))
    assert ":note: '''it''''s'' \"so\"'''" in directive(outcome, 1).splitlines()
    assert "   :note: 'it''s' \"so\"'" in directive_rst(outcome, 1).splitlines()


def test_several_resources_are_expected_and_found():
    outcome = dd.roll("2d6[fire] + 1d8[cold]", dice=[1, 2, 4])
    assert expected(outcome).startswith("total=7, ")
    assert "labels=fire=3, cold=4" in expected(outcome)
    seed = dd.find_seed("dice/roll", notation="1d2[fire] + 1d2[cold]", where="labels=fire=2, cold=1, total=3")
    assert dd.roll("1d2[fire] + 1d2[cold]", seed=seed).dice == (2, 1)


def test_the_facts_that_are_declared_as_the_result_are_expected():
    class Strike(Outcome):
        face: int
        damage: int = fact(result=True)
        effect: str | None = fact(result=True)

    assert expected(Strike(4, 7, "stunned")) == "damage=7, effect=stunned"
    assert expected(Strike(4, 7, None)) == "damage=7"
