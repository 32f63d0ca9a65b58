"""A game of another distribution: found by its entry point, typed, played and explained."""

import importlib.metadata
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import ParameterError, ScriptedDice, SeededDice
from dicedocs.rules.description import describe
from ember.rules import Blaze, Hand, Haul

from ..every import every

ROOT = Path(__file__).parents[2]
CREW = "Ash: skill 2; Bo: skill 1, tool 3; Cy: skill 0"


def test_the_game_is_installed_as_a_distribution_of_its_own():
    found = importlib.metadata.distribution("dicedocs-ember")
    assert [(entry.group, entry.name, entry.value) for entry in found.entry_points] == [
        ("dicedocs.systems", "ember", "ember.rules")
    ]
    assert found.requires == ["dicedocs"]


def test_the_core_does_not_name_the_game():
    for path in (ROOT / "dicedocs").rglob("*.py"):
        assert not re.search(r"\bember\b|blaze", path.read_text(encoding="utf-8"), re.IGNORECASE)


# Facts, worked out by hand


@every(
    ("parameters", "dice", "facts"),
    [
        ({}, "1 7 8 9 10 8", "hits=4, blaze=1"),
        ({"trait": 0}, "", "hits=0, blaze=0"),
        ({"trait": 2}, "10 10 10 3 10 10", "hits=5, blaze=4"),
        ({"trait": 1}, "10 10 10 10", "hits=4, blaze=3"),
        ({"trait": 1, "cap": 0}, "10", "hits=1, blaze=0"),
        ({"trait": 3, "cap": 5}, "7 7 7", "hits=0, blaze=0"),
    ],
)
def test_blazes(parameters, dice, facts):
    assert dd.play("ember/blaze", dice=dice, **parameters).facts() == facts


@every(
    ("parameters", "dice", "facts", "dropped", "scratched"),
    [
        ({"crew": CREW}, "2 5 4", "success=true, total=15, degree=heaved", (2,), ()),
        ({"crew": CREW, "weight": 15}, "2 5 4", "success=true, total=15, degree=held", (2,), ()),
        ({"crew": CREW, "weight": 16}, "2 5 4", "success=false, total=15, degree=dropped it", (2,), ()),
        ({"crew": CREW, "mood": "wild"}, "2 5 4 1", "success=true, total=15, degree=heaved", (2,), (1,)),
        ({"crew": CREW, "mood": "wild"}, "2 5 4 2", "success=true, total=17, degree=heaved", (2,), ()),
        ({"crew": CREW, "mood": "wild"}, "2 5 4 6", "success=true, total=18, degree=heaved", (2,), ()),
        ({"crew": "Ash: skill -3", "weight": 1}, "3", "success=false, total=0, degree=dropped it", (), ()),
    ],
)
def test_hauls(parameters, dice, facts, dropped, scratched):
    outcome = dd.play("ember/haul", dice=dice, **parameters)
    assert outcome.facts() == facts
    assert (outcome.dropped, outcome.scratched) == (dropped, scratched)


@given(st.integers(0, 20), st.integers(0, 5), st.integers(0, 10**6))
def test_a_blaze_against_a_loop(trait, cap, seed):
    outcome = Blaze(trait=trait, cap=cap).play(SeededDice(seed))
    faces, hits, again, thrown = list(SeededDice(seed).each(*[10] * 200)), 0, 0, trait
    for left in range(cap, -1, -1):
        now, faces = faces[:thrown], faces[thrown:]
        hits += sum(face >= 8 for face in now)
        thrown = now.count(10) if left else 0
        again += thrown
    assert (outcome.hits, outcome.blaze) == (hits, again)


# Working


def test_a_blaze_is_explained():
    text = str(dd.play("ember/blaze", trait=2, cap=1, dice=[10, 8, 3]))
    assert "The tens again" in text
    assert [line.strip() for line in text.splitlines() if "Hits" in line] == ["Hits: 0", "Hits: 2 + 0 (again) = 2"] or (
        "Hits: 2" in text
    )
    assert all(f" {face}" in text for face in (10, 8, 3))


def test_a_haul_is_explained():
    outcome = dd.play("ember/haul", crew=CREW, mood="wild", dice=[2, 5, 4, 6])
    text = str(outcome)
    for said in ("(Ash)", "(Bo)", "(tool)", "(wild)", "Against the weight", "heaved", "= 18"):
        assert said in text
    assert "(Cy)" not in text  # adds 0
    verbs = [step.verb for step in outcome.steps()]
    assert verbs == ["throw", "throw", "bound", "fact", "sum", "compare", "sum", "look_up"]
    scratched = dd.play("ember/haul", crew=CREW, mood="wild", dice=[2, 5, 4, 1])
    assert [step.how for step in scratched.steps() if step.verb == "mark"] == ["scratched"]
    assert "The wild die" in str(scratched)


HANDS = st.builds(Hand, st.text("<&>é'", min_size=1), st.integers(-9, 9), st.integers(0, 9))


@given(crew=st.lists(HANDS, min_size=1, max_size=4), seed=st.integers(0, 99))
def test_any_input_is_explained_in_every_format(crew, seed):
    outcome = Haul(crew=tuple(crew), mood="wild").play(SeededDice(seed))
    assert str(outcome)
    html = outcome.to_html()
    assert "<&" not in html
    assert json.loads(outcome.to_json())
    assert outcome == Haul(crew=crew, mood="wild").play(ScriptedDice(outcome.dice))


# Its description


def test_it_describes_itself():
    about = describe(Haul)
    assert about.id == "ember/haul"
    assert about.help == (
        "A crew hauls together: every hand throws a d6, the two best count, and skills and tools are added."
    )
    assert [(row.name, row.required, row.default, row.example) for row in about.parameters] == [
        ("crew", True, None, "Ash: skill 2; Bo: skill 1, tool 3"),
        ("weight", False, "10", "10"),
        ("mood", False, "calm", "calm"),
        ("note", False, "", ""),
    ]
    assert [row.expects for row in about.parameters] == [
        "'name: skill …, tool …', or several separated by semicolons",
        "a whole number, at least 1",
        "'calm' or 'wild'",
        "text",
    ]
    assert [(row.name, row.gives) for row in about.facts] == [
        ("success", "true or false"),
        ("total", "a whole number"),
        ("degree", "'dropped it', 'held' or 'heaved'"),
    ]
    assert [(row.name, row.help) for row in describe(Blaze).facts] == [
        ("hits", "dice that show 8 or more"),
        ("blaze", "dice that were thrown again"),
    ]


@every("id", dd.mechanics())
def test_the_example_of_every_mechanic_is_played(id):
    from dicedocs.rules.registry import mechanic

    rule = mechanic(id).example()
    outcome = rule.play(SeededDice(1))
    assert outcome.facts()
    assert str(outcome)
    texts = {name: field.write(getattr(rule, name)) for name, field in rule.parameters().items()}
    assert type(rule)(**texts) == rule
    assert describe(type(rule)).facts


def test_the_errors_that_the_game_raises():
    with pytest.raises(ParameterError, match=r"^crew: nobody hauls; name at least one hand$"):
        Haul(crew=())
    with pytest.raises(ParameterError, match=r"^crew: a value is needed"):
        dd.play("ember/haul")


def test_the_game_has_types_without_an_exception():
    for path in (ROOT / "tests" / "ember" / "ember").rglob("*.py"):
        assert "type: ignore" not in path.read_text(encoding="utf-8")
