"""The registry: installed mechanics, and that a game is imported only when it is used."""

import json
import os
import subprocess
import sys

import pytest

from dicedocs import DiceError, ParameterError, mechanics
from dicedocs.rules import registry
from dicedocs.rules.registry import mechanic

from ..every import every


def python(text, *folders):
    """The JSON that a new Python process prints, with more folders on its path."""
    path = os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", f"import json, sys, warnings\nimport dicedocs as dd\n{text}"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def package(folder, name, source, systems):
    """An installed package with games."""
    folder.joinpath(name).mkdir(parents=True)
    folder.joinpath(name, "__init__.py").write_text(source, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    about.joinpath("entry_points.txt").write_text(f"[dicedocs.systems]\n{systems}\n", encoding="utf-8")
    return folder


GOOD = """
from dicedocs import Dice, Mechanic, Outcome, Say, param
class Coin(Mechanic, id="coins/coin"):
    sides: int = param(default=2)
    class Result(Outcome):
        face: int
    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(self.sides))
"""
LOADED = "print(json.dumps([name for name in {} if name in sys.modules]))"


def test_installed_games_are_listed_in_order():
    ids = mechanics()
    assert {"ember/blaze", "ember/haul", "methuen/check", "methuen/expression"} <= set(ids)
    assert ids == sorted(ids)


def test_a_mechanic_is_found_by_its_id():
    from ember.rules import Blaze

    assert mechanic("ember/blaze") is Blaze
    assert mechanic("methuen/check").id == "methuen/check"


def test_only_the_game_that_is_used_is_imported(tmp_path):
    package(tmp_path, "coins", GOOD, "coins = coins")
    modules = ["ember", "coins", "dicedocs.systems.methuen", "dicedocs.systems"]
    loaded = LOADED.format(modules)
    assert python(loaded, tmp_path) == []
    assert python(f"dd.play('coins/coin', seed=1)\n{loaded}", tmp_path) == ["coins", "dicedocs.systems"]
    ours = ["dicedocs.systems.methuen", "dicedocs.systems"]
    assert python(f"dd.play('methuen/expression', expression='3', seed=1)\n{loaded}", tmp_path) == ours
    assert python(f"dd.roll('3', seed=1)\n{loaded}", tmp_path) == ["dicedocs.systems"]
    assert python(f"dd.mechanics()\n{loaded}", tmp_path) == modules


def test_entry_points_are_read_only_for_an_unknown_id():
    loaded = LOADED.format(["importlib.metadata"])
    assert python(f"dd.roll('3d6', seed=1); dd.check('3d6 > 1', seed=1)\n{loaded}") == []
    assert python(f"dd.play('ember/blaze', seed=1)\n{loaded}") == ["importlib.metadata"]


def test_a_game_of_another_package_is_played(tmp_path):
    package(tmp_path, "coins", GOOD, "coins = coins")
    assert python("print(json.dumps(dd.play('coins/coin', dice=[2]).facts()))", tmp_path) == "face=2"
    assert "coins/coin" in python("print(json.dumps(dd.mechanics()))", tmp_path)


REPORT = """
try:
    dd.play({id!r}, seed=1)
except dd.DiceError as error:
    print(json.dumps([type(error).__name__, error.message, error.hint]))
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import nonsense_there_is_not", "ModuleNotFoundError: No module named 'nonsense_there_is_not'"),
        ("def", "SyntaxError: "),
        (GOOD.replace("coins/coin", "Coins"), "TypeError: 'Coins' is not an id: "),
    ],
    ids=["raises", "imports a missing module", "is not Python", "has a wrong id"],
)
def test_a_broken_package_is_named(tmp_path, source, reason):
    package(tmp_path, "coins", source, "coins = coins")
    kind, message, hint = python(REPORT.format(id="coins/coin"), tmp_path)
    assert kind == "DiceError"
    assert message.startswith(f"the game 'coins' cannot be loaded from coins: {reason}")
    assert hint == "fix or uninstall the package that provides it"


def test_a_package_whose_import_is_interrupted_is_not_broken(tmp_path):
    stop = "import sys\nif sys.argv.pop() != 'again':\n    sys.argv.append('again')\n    raise KeyboardInterrupt\n"
    package(tmp_path, "coins", stop + GOOD, "coins = coins")
    play = "dd.play('coins/coin', dice=[2]).facts()"
    assert python(f"try: {play}\nexcept KeyboardInterrupt: print(json.dumps({play}))", tmp_path) == "face=2"


def test_a_broken_package_does_not_hide_other_games(tmp_path):
    package(tmp_path, "coins", "1 / 0", "coins = coins")
    ids, warned = python(
        "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n"
        "    ids = dd.mechanics()\nprint(json.dumps([ids, [str(one.message) for one in caught]]))",
        tmp_path,
    )
    assert {"ember/blaze", "methuen/expression"} <= set(ids)
    assert len(warned) == 1
    assert "the game 'coins' cannot be loaded" in warned[0]
    assert python("print(json.dumps(dd.roll('3', seed=1).value))", tmp_path) == 3
    kind, message, hint = python("warnings.simplefilter('ignore')" + REPORT.format(id="ember/blase"), tmp_path)
    assert (kind, message) == ("ParameterError", "there is no mechanic 'ember/blase'")
    assert hint.startswith("did you mean 'ember/blaze'")


def test_a_package_that_does_not_register_its_mechanic(tmp_path):
    package(tmp_path, "coins", "", "coins = coins")
    kind, message, _ = python(REPORT.format(id="coins/coin"), tmp_path)
    assert (kind, message) == ("ParameterError", "there is no mechanic 'coins/coin'")


@pytest.mark.parametrize("what", ["coins:Coin", "coins [extra]"])
def test_an_entry_point_may_name_more_than_its_module(tmp_path, what):
    package(tmp_path, "coins", GOOD, f"coins = {what}")
    assert python("print(json.dumps(dd.play('coins/coin', dice=[2]).facts()))", tmp_path) == "face=2"


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("methuen/expresion", "mechanic: there is no mechanic 'methuen/expresion'; did you mean 'methuen/expression'"),
        ("ember/haull", "mechanic: there is no mechanic 'ember/haull'; did you mean 'ember/haul'"),
    ],
)
def test_the_error_for_an_unknown_id_lists_similar_ones(id, text):
    with pytest.raises(ParameterError) as caught:
        mechanic(id)
    assert str(caught.value).startswith(text)


@every(
    "id",
    ["", "/", "methuen", "methuen/", "/x", "..", "../x", "a" * 100_000, "\udc80/x", "\x00/x", ".cli/x", "__init__/x",
     None, 3, ["methuen/check"], {}],
    ids=lambda given: repr(given)[:20],
)  # fmt: skip
def test_no_such_id(id):
    with pytest.raises(ParameterError, match="there is no mechanic"):
        mechanic(id)


def test_another_package_cannot_replace_a_game_of_this_one(tmp_path):
    package(tmp_path, "coins", "print('imported')", "methuen = coins")
    assert python("print(json.dumps(dd.roll('3', seed=1).value))", tmp_path) == 3


def test_loading_twice_does_nothing_twice():
    before = dict(registry._registered)
    mechanics()
    mechanics()
    assert registry._registered == before
    assert issubclass(ParameterError, DiceError)
