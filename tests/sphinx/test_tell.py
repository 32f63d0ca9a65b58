"""`dicedocs tell` prints the story of a scene as readers read it after random plays."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import dicedocs as dd

from ..command_server import CommandServer

SOURCES = Path(__file__).parents[2]
Tell = Callable[..., subprocess.CompletedProcess[str]]

CONF = 'extensions = ["dicedocs_sphinx"]\nproject = "Book"\nhtml_theme = "basic"\n'
PAGE = """
The river
=========

Before it.

.. dice:scene:: The river
   :name: river
   :cast: ines
   :tracks: shore 0 of 60

.. dice:example:: The knot
   :name: knot
   :mechanic: dice/check
   :check: 1d20 >= 12
   :dice: 14
   :then: ines.Health -= 9 - 9 * success
   :expect: success=true, ines.Health=9

   :dice:words:`success | It holds. | It slips, and pulls her under.`

.. dice:example:: The pull
   :name: pull
   :mechanic: dice/roll
   :notation: 2d6 + 9
   :dice: 1 1
   :if: knot.success
   :then: shore += total
   :expect: total=11, shore=11

   They pull, to :dice:fact:`shore`.

.. dice:example:: The climb
   :name: climb
   :mechanic: dice/check
   :check: 1d6 + [Arm] >= 2
   :actor: ines
   :dice: 1
   :text: follows
   :expect: success=true

   She climbs out, with :dice:fact:`left`.

.. raw:: html

   <p>All are <a>wet</a><span popover>A card that opens on a press</span>.</p>

Another night
-------------

Behind it.

.. dice:character:: Ines
   :name: ines
   :values: Arm=2, Health=9 of 9
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    (folder / "conf.py").write_text(CONF)
    (folder / "index.rst").write_text(PAGE)
    return folder


@pytest.fixture
def tell(book: Path, commands: CommandServer) -> Tell:
    """Runs the command in the folder of the book."""
    path = os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))

    def tell(*words: str) -> subprocess.CompletedProcess[str]:
        return commands.run(book, "dicedocs", "tell", *words, PYTHONPATH=path)

    return tell


def test_each_story_is_that_of_its_dice(tell: Tell) -> None:
    done = tell("river", "--times", "10", "--seed", "7", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["scene"], told["seed"], len(told["stories"])) == ("river", 7, 10)
    slipped = 0
    for story in told["stories"]:
        text, rolls = "\n".join(story["text"]), story["rolls"]
        holds = dd.check("1d20 >= 12", seed=rolls["knot"]["seed"]).fact("success")
        slipped += not holds
        assert ("It holds." in text, "It slips, and pulls her under." in text) == (holds, not holds)
        assert ("pull" in rolls, "They pull" in text, story["missed"]) == (holds, holds, [] if holds else ["The pull"])
        if holds:
            assert f"They pull, to {dd.roll('2d6 + 9', seed=rolls['pull']['seed']).value}." in text
        left = dd.check("1d6 + 2 >= 2", seed=rolls["climb"]["seed"]).fact("left")
        assert f"She climbs out, with {left}." in text
        assert "All are wet." in text
        assert "Before it." not in text
        assert "Behind it." not in text
        assert "A card" not in text
    assert told["never_failed"] == ["The climb"]
    assert told["never_succeeded"] == told["never_happened"] == []
    [worn] = told["at_minimum"]
    assert (worn["beat"], worn["is"], worn["plays"]) == ("The climb", "0 of 9", slipped)
    assert 0 < slipped < 10


def test_the_stories_are_printed_with_what_never_came_up(tell: Tell) -> None:
    done = tell("river", "--seed", "7")
    assert done.returncode == 0, done.stderr
    assert "river, play 1 of 1" in done.stdout
    assert "[seed " in done.stdout
    assert "1 play with the seed 7" in done.stdout
    assert "never failed: " in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [(("rivr",), "did you mean 'river'?"), (("river", "--times", "0"), "0 is not from 1 to 1000")],
)
def test_what_cannot_be_told_is_refused(tell: Tell, words: tuple[str, ...], says: str) -> None:
    done = tell(*words)
    assert done.returncode == 2
    assert says in done.stderr
