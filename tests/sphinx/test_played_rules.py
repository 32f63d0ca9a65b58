"""A whole game in pages whose rules play each other: a step, journeys, a campaign and a contest, without Python."""

import os
import re
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from ..command_server import CommandServer
from .conftest import Book

STEP = """
## The step

```{dice:mechanic} road/step
:stat: 2 (1 to 9)
:adds: 0
:success: strong
:partial: hit
:failure: miss

pool = (stat)d6
hits = count(pool >= 5) + adds
degree = hits: 0- miss, 1 hit, 2+ strong
```

## Weather

```{dice:mechanic} road/weather
```

| d3  | Weather | Mud |
|-----|---------|-----|
| 1   | Rain    | 1   |
| 2-3 | Sun     | 0   |
"""
GAME = """
```{dice:mechanic} road/journey
:stat: 2 (1 to 9)

weather = play road/weather
left = 2 + weather.mud
tired = 0
repeat until left = 0 or tired = 2
  step = play road/step
  left = max(left - step.hits, 0)
  tired = tired + (step.degree = miss)
arrived = left = 0
```

```{dice:mechanic} road/campaign
:stat: 2 (1 to 9)

won = 0
repeat 2 times
  journey = play road/journey
  won = won + journey.arrived
```

```{dice:mechanic} road/contest
:stat: 2 (1 to 9)
:foe: 1 (1 to 9)

mine = play road/campaign
theirs = play road/campaign with stat = foe
ahead = mine.won > theirs.won
```
"""
EXAMPLE = """
```{dice:example} Through the mud
:name: mud
:mechanic: road/journey
:dice: 1 6 2 6 1 1 6
:expect: arrived=true
:look: full
```
"""
WON = """
```{dice:claim} Both journeys
:mechanic: road/campaign
:stat: 3
:claim: p(won = 2) = TWO
```
"""
AHEAD = """
```{dice:claim} How it ends
:mechanic: road/contest
:stat: 3
:foe: 2
:claim: p(ahead) = AHEAD
```
"""
GAMES = """
from dicedocs import Dice, Mechanic, Outcome, Say

class Cast(Mechanic, id="spells/cast"):
    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(6) + {bonus})
"""
SOURCES = Path(__file__).parents[2]
PATH = os.pathsep.join(map(str, (SOURCES, SOURCES / "sphinx_ext")))
TOC = "```{toctree}\nother\n```\n"


@cache
def arrives(stat: int, left: int, tired: int = 0, reserves: tuple[int, ...] = (0,)) -> Fraction:
    """Return the chance that a journey arrives, face by face, where a reserve is taken that is better."""
    if not left or tired == 2:
        return Fraction(not left)
    ends = (
        arrives(stat, max(left - hits, 0), tired + (not hits), reserves)
        for faces in product(range(1, 7), repeat=stat)
        for reserve in reserves
        for hits in [max(reserve, sum(face >= 5 for face in faces))]
    )
    return sum(ends, Fraction()) / Fraction(6**stat * len(reserves))


def wins(stat: int, reserves: tuple[int, ...]) -> list[Fraction]:
    one = arrives(stat, 3, 0, reserves) / 3 + arrives(stat, 2, 0, reserves) * 2 / 3
    return [(1 - one) ** 2, 2 * one * (1 - one), one**2]


def claimed(text: str, *reserves: int) -> str:
    """Return a text with the chances that it claims."""
    mine, theirs = wins(3, reserves or (0,)), wins(2, reserves or (0,))
    chance = sum(mine[a] * theirs[b] for a, b in product(range(3), repeat=2) if a > b)
    return text.replace("AHEAD", f"{float(100 * chance):.1f}%").replace("TWO", f"{float(100 * mine[2]):.1f}%")


PLAYED = claimed(GAME + EXAMPLE + WON)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(PLAYED, STEP, id="plays first"),
        pytest.param(STEP, PLAYED, id="played first", marks=pytest.mark.thorough),
    ],
)
def test_a_whole_game_without_a_copied_line(book: Book, first: str, second: str, jobs: int) -> None:
    book.page(first + TOC, "index.md")
    book.page(second, "other.md", title="Other")
    built = book.build("html", jobs=jobs)
    assert built.log == ""
    page = "index.html" if first is not STEP else "other.html"
    text = built.read(page)
    # Readers go from the line to the step.
    link = re.search(r'step = play <a [^>]*href="([^"#]*)#([^"]*)"[^>]*>(?:<span[^>]*>)?road/step', text)
    assert link is not None
    assert f'id="{link[2]}"' in built.read(link[1] or page)
    # Its working is a part of the journey's.
    working = " ".join(re.sub("<[^>]+>", " ", text[text.index("Through the mud") :]).split())
    assert "Round 1: Step: Pool: 2d6: 6 2 Hits: 1 Degree: 1: hit Left: 2 (left 3, step hits 1)" in working


@pytest.mark.thorough
def test_a_reserve_may_replace_the_score_in_all_that_plays_the_step(book: Book) -> None:
    lines = 'score = count(pool >= 5) + adds\nreserve = 1d2 - 1\nuse = choose("score", "reserve")\n'
    chosen = 'hits = reserve if use = "reserve", else score'
    book.page(STEP.replace("hits = count(pool >= 5) + adds", lines + chosen), "other.md", title="Other")
    claim = (EXAMPLE + AHEAD).replace(":foe: 2\n", ":foe: 2\n:use: reserve if score < reserve, else score\n")
    played = claim.replace("1 6 2 6 1 1 6", "3 6 2 1 1 1 2").replace(":look: full", ":use: score, reserve\n:look: full")
    book.page(claimed(GAME + played + TOC, 0, 1), "index.md")
    built = book.build("html")
    assert built.log == ""
    working = " ".join(re.sub("<[^>]+>", " ", built.read("index.html")).split())
    assert "Choice: Use score, reserve" in working
    assert "Use: reserve (the player" in working


def test_what_plays_a_rule_is_checked_and_written_again_when_that_changes(book: Book) -> None:
    book.page(PLAYED + TOC, "index.md")
    book.page(STEP, "other.md", title="Other")
    assert book.build("text").log == ""
    book.page(STEP.replace(">= 5", ">= 4"), "other.md", title="Other")
    # No die of the example shows a 4, but the campaign has other odds.
    [odds] = book.build("text").warnings
    assert (odds.file, odds.type) == ("index.md", "dicedocs.mismatch")
    book.page(STEP.replace("hits = count", "score = count").replace("hits:", "score:"), "other.md", title="Other")
    [first, *_] = book.build("text").warnings
    assert (first.file, first.line) == ("index.md", 13)
    assert "nothing is called 'step.hits'" in first.text
    book.page(STEP, "other.md", title="Other")
    assert book.build("text").log == ""


def test_a_circle_names_both_places(book: Book) -> None:
    book.page("```{dice:mechanic} road/one\n\na = 1d6\nb = play road/two\n```\n" + TOC, "index.md")
    book.page("```{dice:mechanic} road/two\n\nc = play road/one\n```\n", "other.md", title="Other")
    one, two = book.build("text").warnings
    assert (one.file, one.line, two.file, two.line) == ("index.md", 8, "other.md", 7)
    assert "other.md:7: these rules play each other without end: road/two → road/one → road/two" in one.text
    assert "index.md:8: these rules play each other without end: road/one → road/two → road/one" in two.text


def test_a_rule_that_plays_one_with_a_mistake_says_where_that_is(book: Book) -> None:
    book.page("```{dice:mechanic} road/one\n\nb = play road/two\n```\n" + TOC, "index.md")
    book.page("```{dice:mechanic} road/two\n\nc = 1d6 + lost\n```\n", "other.md", title="Other")
    warnings = {each.file: each for each in book.build("text").warnings}
    assert (warnings["other.md"].line, warnings["index.md"].line) == (7, 7)
    assert "the mechanic 'road/two' of the book has a mistake" in warnings["index.md"].text
    assert "other.md:7: nothing is called 'lost'" in warnings["index.md"].text
    book.page("```{dice:mechanic} road/two\n\nc = 1d6 + 1\n```\n", "other.md", title="Other")
    assert book.build("text").log == ""


def test_a_page_is_read_again_when_the_game_changes_that_its_rule_plays(
    tmp_path: Path, commands: CommandServer
) -> None:
    def build(bonus: int) -> str:
        (tmp_path / "spells.py").write_text(GAMES.format(bonus=bonus))
        done = commands.run(tmp_path, "sphinx", "-q", "-b", "text", tmp_path, tmp_path / "_build", PYTHONPATH=PATH)
        return str(done.stderr)

    conf = "import sys\nsys.path.insert(0, '.')\nextensions = ['myst_parser', 'dicedocs_sphinx']\n"
    (tmp_path / "conf.py").write_text(conf + "import spells\n")
    text = "# One\n\n```{dice:example}\n:name: cast\n:mechanic: road/cast\n:dice: 4\n:expect: cast=5\n```\n\n"
    (tmp_path / "index.md").write_text(text + TOC)
    (tmp_path / "other.md").write_text("# Two\n\n```{dice:mechanic} road/cast\n\ncast = play spells/cast\n```\n")
    assert build(1) == ""
    assert "cast: expected cast=5, got cast=7" in build(3)
    assert build(1) == ""
