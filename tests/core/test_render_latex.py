"""An outcome as LaTeX: complete and escaped."""

import re

import dicedocs as dd
from dicedocs.render.latex import escape_latex, outcome_latex
from dicedocs.rules.registry import mechanic

from ..every import every


def test_the_working_and_the_result():
    shown = outcome_latex(dd.play("total-effect/roll", effect="low", dice=[5, 2, 6]), names=["total", "effect"])
    assert shown.splitlines() == [
        r"\begin{description}",
        r"\item[Dice] 3d6: 5 2 6",
        r"\item[Total] 2 + 5 + 6 = 13",
        r"\item[Effect] low is 2",
        r"\item[Total] \textbf{13}",
        r"\item[Effect] \textbf{2}",
        r"\end{description}",
    ]


def test_chosen_parameters_come_first_and_nested_steps_are_indented():
    outcome = dd.play("ember/blaze", trait=1, dice=[10, 3])
    lines = outcome_latex(outcome, chosen=True).splitlines()
    assert lines[1] == r"\item[Trait] 1"
    assert any(line.startswith(r"\item[\quad{}") for line in lines)


def test_an_outcome_made_by_hand_shows_its_facts():
    rolled = mechanic("methuen/expression").result()
    assert r"\item[Raw] \textbf{\ensuremath{-}1}" in outcome_latex(rolled(0, -1))


@every("character", r"\{}$&#^_%~<>|[]`'\"-")
def test_every_special_character_is_escaped(character):
    kept = re.sub(r"\\(text[a-z]+\{\}|[&%$#_{}])|-\{\}|\{[\[\]]\}", "", escape_latex(f"a{character}b"))
    assert kept == "ab"


@every("id", dd.mechanics())
def test_every_mechanic_has_latex(id):
    outcome = mechanic(id).example().play(dd.SeededDice(1))
    shown = outcome._repr_latex_()
    assert shown.startswith(r"\begin{description}")
    assert shown.count("{") == shown.count("}")


def test_an_example_shows_itself_as_its_outcome_does():
    example = dd.Example("methuen/expression", {"expression": "3d6"}, seed=61)
    assert example._repr_latex_() == example.play()._repr_latex_()
