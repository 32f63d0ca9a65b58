"""Panels and magics for the tables of a book that a notebook has read."""

import json
from pathlib import Path

import pytest
import traitlets as t
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import dicedocs as dd
from dicedocs.rules.registry import announce_book
from dicedocs_sphinx.author import book_contents, reading_apart
from dicedocs_sphinx.author.book_check import check_book
from dicedocs_sphinx.author.book_reading import check_folders
from dicedocs_widgets import evening, panel, roller

from ..command_server import APART, Starting
from .conftest import state_of

PAGE = """
# Road

```{dice:character} Mara
:name: mara
:values: Luck=3, danger=2
```

```{dice:mechanic} road/weather
:danger: 0 (0 to 3)
```

| d6 + danger | Weather | Wind      |
|-------------|---------|-----------|
| 1–3         | Fair    | none      |
| 4–5         | Rain    | breeze    |
| 6+          | Storm   | 2d6 knots |
"""


@pytest.fixture(scope="module", autouse=True)
def _each_page_is_read_once(commands):
    """Books are read by the server, and spare it each page that another test has read."""
    read, known = reading_apart.read_apart, {}

    def read_once(module, book, *rest):
        text = Path(book, "index.md").read_text()
        if text not in known:
            known[text] = json.dumps(read(module, book, *rest))
        return json.loads(known[text])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(APART, Starting(commands))
        patch.setattr(book_contents, "read_apart", read_once)
        yield


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """The folder of a book, in the working directory."""
    monkeypatch.chdir(tmp_path)
    write(Path("docs"))
    yield Path("docs")
    announce_book({})


def write(folder, page=PAGE):
    folder.mkdir(exist_ok=True)
    (folder / "conf.py").write_text("extensions = ['myst_parser', 'dicedocs_sphinx']\n")
    (folder / "index.md").write_text(page)


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "dicedocs_widgets")
    yield shell
    InteractiveShell.clear_instance()


def test_a_panel_has_the_parameters_the_facts_and_the_odds_of_a_table(docs):
    dd.book("docs")
    weather = panel("road/weather", danger=2, seed=3)
    assert repr(weather) == "panel('road/weather', danger=2)"
    (field,) = weather._session.form()["fields"]
    assert (field["name"], field["control"]["kind"]) == ("danger", "whole")
    assert weather.roll() == dd.play("road/weather", danger=2, seed=3)
    assert weather.odds == dd.odds("road/weather", "Weather", danger=2)
    weather.danger = 0
    weather.odds_of = "Wind_rolled"
    # Only a 6 brings a storm; then 7 is the likeliest.
    assert weather.odds.p("= 7") == dd.odds("2d6").p("= 7") / 6
    with pytest.raises(t.TraitError, match="from 0 to 3"):
        weather.danger = 4


def test_the_code_of_a_panel_stands_alone(docs, commands):
    dd.book("docs")
    weather = panel("road/weather", danger=1, seed=3)
    outcome = weather.roll()
    assert weather.code.splitlines()[1:] == ["", 'dd.book("docs")', 'dd.play("road/weather", danger=1, seed=3)']
    *lines, call = weather.code.splitlines()
    script = Path("script.py").absolute()
    script.write_text("\n".join([*lines, f"print({call}.facts())"]))
    done = commands.run(script.parent, script)
    assert (done.stdout, done.stderr) == (f"{outcome.facts()}\n", "")


def test_the_directive_of_a_panel_holds_in_the_pages_of_the_book(docs):
    book = dd.book("docs")
    weather = panel("road/weather", actor=book.characters["mara"], seed=3)
    assert weather.danger == 2
    weather.roll()
    assert ":danger: mara.danger\n" in weather.directive
    write(docs, f"{PAGE}\n{weather.directive}\n")
    check = check_book(check_folders(docs))
    assert check.problems == []
    assert check.is_right
    (example,) = (block for blocks in check.blocks.values() for block in blocks if block.kind == "example")
    assert example.expect.startswith("Weather=")


def test_a_panel_keeps_its_table_when_the_book_is_read_again(docs):
    weather = panel(dd.book("docs")["road/weather"], danger=3)
    write(docs, PAGE.replace("Storm", "Snow").replace("danger", "peril"))
    dd.book("docs")
    weather._session.hand_dice.choose([6, 1, 1])
    assert weather.roll().value == "Storm"
    assert weather.code.endswith('dd.play("road/weather", danger=3, dice=[6, 1, 1])')
    assert ":expect: Weather=Storm" in weather.directive
    assert state_of(weather)["error"] is None
    assert panel("road/weather", peril=3, dice=[6, 1, 1]).roll().value == "Snow"


def test_two_books_at_one_table(docs):
    write(Path("other"), PAGE.replace("Storm", "Snow"))
    here, there = dd.book("docs"), dd.book("other")
    storm = panel(here["road/weather"], dice=[6, 1, 1], label="here")
    snow = panel(there["road/weather"], dice=[6, 1, 1], label="there")
    tonight = evening(storm, snow, roller("1d6", dice=[4]))
    for each in (snow, storm):
        each.roll()
    first, second = tonight.log().splitlines()
    assert "Snow" in first
    assert "Storm" in second
    assert 'dd.book("other")' in snow.code
    assert 'dd.book("docs")' in storm.code


def test_the_rolls_of_a_table_are_kept(docs):
    dd.book("docs")
    panel("road/weather", log="rolls.json", dice=[6, 1, 1], danger=1).roll()
    again = panel("road/weather", log="rolls.json")
    assert again.value == "Storm"
    write(docs, PAGE.replace("Storm", "Snow"))
    dd.book("docs")
    with pytest.raises(dd.DiceError, match="has roll 1 of 'road/weather', which"):
        panel("road/weather", log="rolls.json")


def test_magics_know_tables(docs, shell):
    dd.book("docs")
    assert shell.run_line_magic("play", "road/weather --seed 3") == dd.play("road/weather", seed=3)
    assert shell.run_cell_magic("play", "road/weather --seed 3", "danger: 2") == dd.play(
        "road/weather", seed=3, danger=2
    )
    expected = dd.odds("road/weather", "Wind_rolled", danger=3)
    assert shell.run_line_magic("odds", "road/weather Wind_rolled danger=3") == expected
    with provisionalcompleter():
        (found,) = shell.Completer.completions("%odds road/w", 12)
    assert "%odds road/w"[: found.start] + found.text == "%odds road/weather"
