"""The tables and the characters of a book as objects, by their ids, and on the command line."""

import gc
import json
from dataclasses import replace
from importlib.metadata import entry_points

import pytest

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.panel.view import outcome_source
from dicedocs.rules.registry import announce_book, in_book, mechanic, use_book
from dicedocs.scenes import books
from dicedocs.scenes.books import Book, BookContents

from ..every import every
from ..hostile import VALUES


def table(id, *results, axis="", **more):
    """Return a table with these results, by one die, which has a row for each number."""
    rows = tuple(TableRow((str(number),), (text,)) for number, text in enumerate(results, 1))
    return PageRule(id, table=PageTable((axis or f"d{len(results)}",), ("Result",), rows), **more)


MARA = dd.Character("Mara", "Luck=3, HP=7 of 9")
WEATHER = table("road/weather", "Storm", "Rain", "[calm]")
CALM = table("road/calm", "Mild", "Hot")
ROAD = BookContents([WEATHER, CALM], {"road/omens": "road.md:30: no row covers 4"}, {"mara": MARA})
SEA = BookContents([table("road/weather", "Squall", "Swell")])


@pytest.fixture(autouse=True)
def forget():
    yield
    announce_book({})
    use_book({})


@pytest.fixture
def folders(monkeypatch):
    """The books in some folders, which are read without Sphinx."""
    known = {"road": ROAD, "sea": SEA}

    class Reader:
        def load(self):
            return self.read

        def read(self, folder, conf, progress):
            if progress is not None:
                progress(1, 1)
            return known[str(folder)]

    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [Reader()] if group == books.GROUP else entry_points(group=group),
    )
    return known


# As objects


def test_a_book_is_its_mechanics_by_id():
    road = Book(ROAD, "road")
    assert list(road) == ["road/weather", "road/calm"]
    assert len(road) == 2
    assert "road/calm" in road
    assert "road/omens" not in road
    assert road["road/calm"]().play(dd.ScriptedDice([2])).value == "Hot"
    assert repr(road) == "<Book 'road': road/weather and road/calm>"
    assert repr(Book(BookContents([]))) == "<Book '': no mechanics>"
    assert road.characters["mara"] is MARA


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("road/wether", "no mechanic of the book has the id 'road/wether'; did you mean 'road/weather'?"),
        ("road/omens", "the mechanic 'road/omens' of the book has a mistake; road.md:30: no row covers 4"),
    ],
)
def test_a_table_that_is_not_there_is_named(id, message):
    with pytest.raises(dd.ParameterError) as raised:
        Book(ROAD)[id]
    assert str(raised.value) == message


def test_a_character_that_is_not_there_is_named():
    with pytest.raises(dd.ParameterError, match=r"no character of the book is named 'maro'; did you mean 'mara'\?"):
        Book(ROAD).characters["maro"]
    with pytest.raises(dd.ParameterError, match="named 'mara'; the book has no characters"):
        Book(SEA).characters["mara"]


@every("value", VALUES.values(), ids=VALUES)
def test_hostile_ids_and_folders(value):
    try:
        assert value() not in Book(ROAD)
    except TypeError:  # Mapping itself hashes nothing, and nor do we
        pytest.fail("it was hashed")
    with pytest.raises(dd.DiceError):
        Book(ROAD)[value()]
    with pytest.raises(dd.DiceError):
        dd.book(value())


def test_two_books_with_a_table_of_one_id_are_played_side_by_side():
    road, sea = Book(ROAD), Book(SEA)
    assert dd.odds(road["road/weather"](), "Result").p("= Storm") * 3 == 1
    assert dd.odds(sea["road/weather"](), "Result").p("= Squall") * 2 == 1
    # The third row rolls on a table of its own book.
    assert road["road/weather"]().play(dd.ScriptedDice([3, 2])).fact("Result_rolled") == "Hot"


def test_a_table_that_did_not_change_is_the_same_rule_when_it_is_read_again():
    first = book_mechanics([WEATHER, CALM, table("road/other", "a", "b")])
    again = book_mechanics([table("road/other", "a", "c"), CALM, WEATHER])
    assert again["road/weather"] is first["road/weather"]
    assert again["road/weather"]().play(dd.SeededDice(3)) == first["road/weather"]().play(dd.SeededDice(3))
    assert again["road/other"] is not first["road/other"]
    hotter = book_mechanics([WEATHER, table("road/calm", "Hot", "Hot")])
    assert hotter["road/weather"] is not first["road/weather"]
    assert hotter["road/weather"]().play(dd.ScriptedDice([3, 1])).fact("Result_rolled") == "Hot"
    assert first["road/weather"]().play(dd.ScriptedDice([3, 1])).fact("Result_rolled") == "Mild"


def test_rules_that_nobody_has_are_forgotten():
    from dicedocs.page_rules import made_mechanic

    rules = book_mechanics([table("road/passing", "a", "b")])
    key = next(key for key, rule in made_mechanic._known.items() if rule is rules["road/passing"])
    del rules
    gc.collect()
    assert key not in made_mechanic._known


# By their ids


def test_tables_are_known_by_their_ids_after_a_book_is_read(folders):
    with pytest.raises(dd.ParameterError):
        mechanic("road/weather")
    road = dd.book("road")
    assert mechanic("road/weather") is road["road/weather"]
    assert {"road/calm", "road/weather"} <= set(dd.mechanics())
    assert dd.play("road/weather", dice=[1]).value == "Storm"
    assert dd.odds("road/weather").p("= Storm") * 3 == 1
    assert "Storm" in dd.estimate("road/weather", samples=50, seed=1)
    assert dd.play("road/weather", seed=dd.find_seed("road/weather", where="Result=Rain")).value == "Rain"
    assert dd.Example("road/weather", {}, dice=[2], expect="Result=Rain").verify().value == "Rain"
    scene = dd.Scene(road.characters["mara"], storm="0 of 8")
    scene.play("road/weather", dice=[2], then="storm += roll; mara.HP -= roll")
    assert scene.state() == {"mara.Luck": "3", "mara.HP": "5 of 9", "storm": "2 of 8"}


def test_reading_again_brings_what_changed(folders):
    road = dd.book("road")
    folders["road"] = SEA
    assert dd.play("road/weather", dice=[1]).value == "Storm"
    dd.book("road")
    assert dd.play("road/weather", dice=[1]).value == "Squall"
    assert road["road/weather"]().play(dd.ScriptedDice([1])).value == "Storm"
    with pytest.raises(dd.ParameterError):
        mechanic("road/calm")


def test_a_table_with_a_mistake_is_named_and_not_listed(folders):
    dd.book("road")
    with pytest.raises(dd.ParameterError, match=r"the mechanic 'road/omens' of the book has a mistake; road\.md:30"):
        mechanic("road/omens")
    assert "road/omens" not in dd.mechanics()


def test_the_book_in_use_goes_first_and_is_not_disturbed(folders):
    with in_book(book_mechanics(SEA.mechanics)):
        road = dd.book("road")
        assert dd.play("road/weather", dice=[1]).value == "Squall"
        assert dd.play("road/calm", dice=[1]).value == "Mild"
        assert road["road/weather"]().play(dd.ScriptedDice([1])).value == "Storm"
    assert dd.play("road/weather", dice=[1]).value == "Storm"


def test_an_installed_mechanic_goes_first():
    announce_book(book_mechanics([table("methuen/check", "a", "b")]))
    assert mechanic("methuen/check").__module__ == "dicedocs.systems.methuen"


def test_progress_is_reported(folders):
    seen = []
    dd.book("road", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 1)]


def test_what_is_missing_without_sphinx(monkeypatch, run):
    class Reader:
        def load(self):
            raise ModuleNotFoundError("no Sphinx here", name="sphinx.application")

    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [Reader()])
    message = "reading a book needs sphinx, which is not installed; run: pip install 'dicedocs[sphinx]'"
    with pytest.raises(dd.DiceError) as raised:
        dd.book("road")
    assert str(raised.value) == message
    assert run("play", "road/weather", "--book", "road") == (2, "", f"dicedocs: {message}\n")


def test_a_rule_of_a_book_is_a_mechanic_beside_its_tables(folders):
    climb = PageRule("road/climb", ("total = 2d6 + stat",), parameters=(("stat", "0"),))
    folders["road"] = BookContents([WEATHER, CALM, climb])
    road = dd.book("road")
    assert list(road) == ["road/weather", "road/calm", "road/climb"]
    outcome = dd.play("road/climb", stat=2, dice=[3, 4])
    assert outcome.facts() == "total=9"
    assert (
        outcome_source.code(outcome)
        == 'import dicedocs as dd\n\ndd.book("road")\ndd.play("road/climb", stat=2, dice=[3, 4])'
    )
    # A rule that did not change is the same class.
    assert dd.book("road")["road/climb"] is road["road/climb"]
    folders["road"] = BookContents([replace(climb, lines=("total = 3d6 + stat",))])
    assert dd.book("road")["road/climb"] is not road["road/climb"]
    assert "road/climb" not in dd.book("sea")


# Their code


def test_the_code_of_a_table_loads_its_book():
    road, of_page = Book(ROAD, "the 'road'"), Book(ROAD)
    outcome = road["road/weather"]().play(dd.SeededDice(3))
    assert outcome_source.code(outcome, 3) == (
        'import dicedocs as dd\n\ndd.book("the \'road\'")\ndd.play("road/weather", seed=3)'
    )
    assert outcome_source.code(of_page["road/weather"]().play(dd.SeededDice(3)), 3) == (
        'import dicedocs as dd\n\ndd.play("road/weather", seed=3)'
    )


# The command


def test_commands_know_the_tables_of_a_book(folders, run):
    status, out, err = run("play", "road/weather", "--book", "road", "--dice", "3 2")
    outcome = Book(ROAD)["road/weather"]().play(dd.ScriptedDice([3, 2]))
    assert (status, out, err) == (0, f"{outcome}\n{outcome.facts()}\n", "")
    played = json.loads(run("play", "--json", "road/weather", "--book=road", "--dice", "3 2")[1])
    assert (played["mechanic"], played["facts"]["Result_rolled"]) == ("road/weather", "Hot")
    counted = json.loads(run("odds", "road/weather", "Result_rolled", "--book", "road", "--json")[1])
    # None of the two other rows rolls anything.
    assert {each["value"]: each["p"] for each in counted["odds"]} == {"Mild": 1 / 6, "Hot": 1 / 6, None: 2 / 3}
    seed = json.loads(run("find-seed", "road/weather", "--where", "Result=Rain", "--book", "road", "--json")[1])["seed"]
    assert Book(ROAD)["road/weather"]().play(dd.SeededDice(seed)).value == "Rain"
    ids = run("mechanics", "--book", "road")[1].split()
    assert {"road/calm", "road/weather", "dice/roll"} <= set(ids)
    assert json.loads(run("mechanics", "road/calm", "--book", "road", "--json")[1])["id"] == "road/calm"
    # A command leaves nothing behind.
    assert "road/calm" not in dd.mechanics()


@every(
    ("words", "message"),
    [
        (
            ("play", "road/weather"),
            "the command 'dicedocs mechanics' lists them; for a table of a book add --book and its folder",
        ),
        (("odds", "road/weather"), "for a table of a book add --book and its folder"),
        (("find-seed", "road/weather", "--faces", "3"), "for a table of a book add --book and its folder"),
        (("mechanics", "road/weather"), "for a table of a book add --book and its folder"),
        (("play", "methuen/chek"), "did you mean 'methuen/check' or 'methuen/expression'?\n"),
        (("play", "road/wether", "--book", "road"), "did you mean 'road/weather'?\n"),
        (("play", "methuen/chek", "--book", "road"), "did you mean 'methuen/check' or 'methuen/expression'?\n"),
        (("odds", "road/omens", "--book", "road"), "the mechanic 'road/omens' of the book has a mistake; road.md:30"),
    ],
)
def test_what_is_wrong_with_an_id(folders, run, words, message):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert message in err
