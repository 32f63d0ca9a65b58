"""A game of another distribution: found by its entry point, typed, played and explained."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
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


# Types

TYPED = """
from typing import assert_type
from ember.rules import Blaze, Hand, Haul
import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say, highest, param

def plays(dice: Dice) -> None:
    assert_type(Blaze(trait=3).play(dice).hits, int)
    assert_type(Haul(crew=(Hand("Ash", 2),)).play(dice).success, bool)
    assert_type(dice.play(Blaze(), "again").blaze, int)
    assert_type(dice.tally(3, 6, {6}), int)
    assert_type(dice.tally(3, 6, {6}, {1}), tuple[int, ...])
    assert_type(dice.pool(6, 6, keep=highest(1))[0], int)
    assert_type(Blaze().trait, int)

class Own(Mechanic, id="own/own"):
    skill: int = param(default=1, low=0)
    class Result(Outcome):
        total: int
        word: str
    def round(self, dice: Dice, say: Say, points: int, word: str) -> tuple[int, str]:
        return points - dice.roll(6), word
    def rounds(self, dice: Dice) -> None:
        points, word = dice.repeat(self.round, (20, "x"), lambda points, word: points <= 0 and word == "x")
        assert_type((points, word), tuple[int, str])
        assert_type(dice.repeat(self.round, (20, "x"), over, count=True, label="Round"), tuple[int, int, str])
        assert_type(dice.repeat(one, (1,), lambda state: not state), tuple[tuple[int, ...]])
        assert_type(dice.sweep(sets, (), [6] * 4, labels=("Pool",)), tuple[int, ...])
    def resolve(self, dice: Dice, say: Say) -> Result:
        if dice.roll(2) == 1:
            return dice.play(self)
        rolled = dice.roll(6)
        assert_type(say.fact("Word", "x", rolled), str)
        assert_type(say.move("Step", (4, 6), 4, 1), tuple[int, int])
        assert_type(say.look_up("Row", 3, {None: "a", 2: "b"}), str)
        return self.Result(say.sum("Total", rolled, ("skill", self.skill)), word="x")

def over(points: int, word: str) -> bool:
    return points <= 0
def one(dice: Dice, say: Say, state: tuple[int, ...]) -> tuple[tuple[int, ...]]:
    return (state[1:],)
def sets(state: tuple[int, ...], face: int, number: int) -> tuple[int, ...]:
    return (*state, number) if number > 1 else state
"""
WRONG = {
    'Blaze(trait="3")': 'Argument "trait" to "Blaze" has incompatible type "str"; expected "int"',
    "Blaze(trial=3)": 'Unexpected keyword argument "trial" for "Blaze"',
    "Blaze(3)": 'Too many positional arguments for "Blaze"',
    "Haul()": 'Missing named argument "crew" for "Haul"',
    "Blaze.Result(1)": 'Missing positional argument "blaze" in call to "Result"',
    'Blaze.Result("1", 2)': 'Argument 1 to "Result" has incompatible type "str"; expected "int"',
    "Blaze().trait = 3": 'Property "trait" defined in "Blaze" is read-only',
    "Blaze().play(dd.SeededDice(1)).hist": '"Result" has no attribute "hist"',
    'Haul(crew=(), mood="angry")': 'Argument "mood" to "Haul" has incompatible type',
    'dd.Say().compare("x", 1, "==", 2)': 'Argument 3 to "compare" of "Say" has incompatible type',
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory, pytestconfig):
    """The output of strict mypy for the game and for some code that uses it."""
    folder = tmp_path_factory.mktemp("typed")
    folder.joinpath("typed.py").write_text(TYPED, encoding="utf-8")
    wrong = "\n".join(WRONG)
    head = "import dicedocs as dd\nfrom ember.rules import Blaze, Hand, Haul\n"
    folder.joinpath("wrong.py").write_text(f"{head}{wrong}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--explicit-package-bases", "--no-error-summary",
         "--cache-dir", pytestconfig.cache.mkdir("mypy"),
         ROOT / "tests" / "ember" / "ember", folder / "typed.py", folder / "wrong.py"],
        cwd=folder,
        env=os.environ | {"MYPYPATH": os.pathsep.join(map(str, [ROOT, ROOT / "tests" / "ember", folder]))},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_mypy_accepts_the_game_as_it_is(checked):
    assert [line for line in checked if "wrong.py" not in line] == []
    for path in (ROOT / "tests" / "ember").rglob("*.py"):
        assert "type: ignore" not in path.read_text(encoding="utf-8")


@every(("line", "message"), WRONG.items())
def test_mypy_reports_an_author_s_mistakes(checked, line, message):
    place = f"wrong.py:{list(WRONG).index(line) + 3}: error: "
    said = [text.partition(place)[2] for text in checked if place in text]
    assert any(text.startswith(message) for text in said)
