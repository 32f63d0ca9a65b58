"""The setting ``dicedocs_games``: a book finds games that are not installed, and a broken one ends no build."""

import pytest

GAME = '''
from dicedocs import Dice, Mechanic, Outcome, Say, param

class Climb(Mechanic, id="walls/climb"):
    """Climb."""

    skill: int = param(default=0, help="added")

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", dice.roll(6), self.skill))
'''
PAGE = """
.. dice:example:: A wall
   :mechanic: walls/climb
   :dice: 4
   :expect: total=4

.. dice:example:: Another
   :mechanic: walls/climb
   :dice: 5
   :expect: total=5
"""


@pytest.fixture
def walls(book):
    book.write("walls_of_mine.py", GAME)
    book.write("conf.py", "dicedocs_games = {'walls': 'walls_of_mine'}\n")
    book.page(PAGE)
    return book


def test_a_game_is_found_by_the_name_of_its_module(walls):
    assert walls.build().log == ""
    walls.page(PAGE.replace("walls/climb", "walls/klimb"))
    [warning] = walls.build().warnings
    assert warning.text.startswith("example-1: there is no mechanic 'walls/klimb'; did you mean 'walls/climb'?")


def test_a_game_is_found_in_a_folder_that_is_relative_to_the_configuration(book):
    book.write("rules/walls_below.py", GAME)
    book.write("conf.py", "sys.path.insert(0, 'rules')\ndicedocs_games = {'walls': 'walls_below'}\n")
    book.page(PAGE)
    assert book.build().log == ""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("skill: int", "skill", "TypeError: the field 'skill' of Climb needs a type (walls_of_mine.py:3, in <module>)"),
        ("Say, param", "Say, parm", "ImportError: cannot import name 'parm' from 'dicedocs' (walls_of_mine.py:1"),
        ("class Climb", "import sys; sys.exit(3)\nclass Climb", "SystemExit: 3 (walls_of_mine.py:3, in <module>)"),
        ("return self", "return return self", "SyntaxError: invalid syntax (walls_of_mine.py, line 12)"),
    ],
)
def test_one_that_cannot_be_imported_is_one_warning_until_it_is_mended(walls, old, new, reason):
    walls.write("walls_of_mine.py", GAME.replace(old, new))
    [warning] = walls.build().warnings
    assert (warning.line, warning.type) == (6, "dicedocs.mechanic")
    head, _, rest = warning.text.partition("walls_of_mine: ")
    assert head == "example-1: the game 'walls' cannot be loaded from "
    assert rest.replace(" (/", " (").startswith(reason.partition(" (")[0])
    assert reason.partition(" (")[2] in rest
    assert rest.endswith("; fix this module (so for 1 more block)")


def test_a_class_without_its_id_is_told_where_to_write_it(walls):
    walls.write("walls_of_mine.py", GAME.replace(', id="walls/climb"', ""))
    [warning] = walls.build().warnings
    hint = "write it in walls_of_mine after the name of the class: (Mechanic, id='walls/climb')"
    assert warning.text == f"example-1: there is no mechanic 'walls/climb'; {hint} (so for 1 more block)"


def test_a_dataclass_is_told_that_it_is_none(walls):
    game = GAME.replace("class Climb", "@dataclass\nclass Climb")
    walls.write("walls_of_mine.py", f"from dataclasses import dataclass\n{game}")
    [warning] = walls.build().warnings
    assert "Climb has an __init__ that is not Mechanic's; leave @dataclass and __init__ out" in warning.text


@pytest.mark.parametrize("value", ["walls_of_mine", ["walls_of_mine"], {"walls": 3}])
def test_a_value_that_names_no_modules_is_a_warning(book, value):
    book.write("conf.py", f"dicedocs_games = {value!r}\n")
    book.page("Words.")
    [warning] = book.build().warnings
    assert (warning.file, warning.type) == ("conf.py", "dicedocs.option")
    assert warning.text.endswith(" names no modules; write {'my-game': 'my_game'}")


def test_a_module_that_there_is_not_is_named(book):
    book.write("conf.py", "dicedocs_games = {'walls': 'wals'}\n")
    book.page(PAGE)
    [warning] = book.build().warnings
    assert "ModuleNotFoundError: No module named 'wals'" in warning.text


def test_a_parameter_with_the_name_of_an_option_has_an_underscore_there_alone(walls):
    walls.write("walls_of_mine.py", GAME.replace("skill", "rows").replace("rows: int = param(", "rows: int = param("))
    walls.page(
        """
        .. dice:example:: A wall
           :mechanic: walls/climb
           :rows: 2
           :dice: 4
           :expect: total=6

        .. dice:table:: Walls
           :mechanic: walls/climb
           :rows: rows=2 3
           :show: at least 8
           :expect: 2: 16.7%; 3: 33.3%

        .. dice:table:: A wall
           :mechanic: walls/climb
           :rows_: 3
           :expect: 4: 16.7%; 5: 16.7%; 6: 16.7%; 7: 16.7%; 8: 16.7%; 9: 16.7%

        .. dice:table:: No wall
           :mechanic: walls/climb
           :rows_: high
        """
    )
    [warning] = walls.build().warnings
    lines = (walls.src / "index.rst").read_text().splitlines()
    assert warning.text == "table-3: rows: 'high' is not a whole number"
    assert lines[warning.line - 1].strip() == ":rows_: high"
    # A d6 and 2 is at least 8 for one face in six, with 3 for two. Only the last table fails.
    assert "4 tests\n    1 failure" in walls.build("doctest").read("output.txt")
