"""The game of the guide as a reader makes it: a package, installed with our wheel, with its book and strict types."""

import json
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from .docs.test_snippets import DOCS, blocks
from .test_wheel import Environment, run, wheel  # noqa: F401  # a fixture here too
from .test_windows import IN_TURN

pytestmark = pytest.mark.thorough
PAGE = DOCS / "guide" / "your-own-game.md"
EMBER = Path(__file__).parent / "ember"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game, with every file that the guide shows, beside a built book."""
    folder = tmp_path_factory.mktemp("game")
    for block in blocks(PAGE):
        if block.caption.startswith("tale/"):
            path = folder / block.caption
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    site = folder / "tale" / "site"
    site.mkdir()
    (site / "index.html").write_text("built")
    return folder / "tale"


@pytest.fixture(scope="module")
def game(folder: Path) -> Path:
    """The wheel of the game."""
    run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder.parent, folder, cwd=folder.parent
    )
    [game] = folder.parent.glob("*.whl")
    return game


@pytest.fixture(scope="module")
def environment(wheel: Path, game: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:  # noqa: F811
    """An environment with our wheel, that of the game, and, behind them, what else is installed here."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    environment.copy_packages("lark")
    environment.install(wheel, game)
    (environment.site / "others.pth").write_text(sysconfig.get_paths()["purelib"])
    return environment


def test_the_package_is_installed_without_its_book(game: Path, environment: Environment) -> None:
    with zipfile.ZipFile(game) as archive:
        assert [name for name in archive.namelist() if ".dist-info/" not in name] == ["tale/__init__.py"]
    imported = environment.python(
        "import dicedocs, dicedocs_sphinx, tale, sphinx; print(dicedocs.__file__, tale.__file__)"
    )
    assert all(Path(path).is_relative_to(environment.site) for path in imported.split())


def test_its_book_builds_and_its_examples_hold(folder: Path, environment: Environment) -> None:
    commands = [
        ["sphinx", "-q", "-W", "-b", "text", "book", "text"],
        ["sphinx", "-q", "-W", "-b", "doctest", "book", "doctest"],
        ["pytest", "-q", "--dicedocs", "-p", "no:cacheprovider", "book"],
    ]
    said = run(environment.bin / "python", "-I", "-c", IN_TURN, json.dumps(commands), cwd=folder)
    assert "3 passed" in said
    text = " ".join((folder / "text" / "index.txt").read_text("utf-8").split())
    for line in (
        "LV 2 STR 3d6: 4 + 2 + 5 = 11",
        "HP 2d8: 7 + 3 = 10",
        "Against plate 13 is 12 to 17: hit",
        "HP left 9 - 3 (harm) = 6",
    ):
        assert line in text


def test_a_target_that_lacks_a_resource_is_an_issue_of_the_page(folder: Path, environment: Environment) -> None:
    command = (environment.bin / "dicedocs", "play", "tale/strike", "target=MP=3", "--seed", "7")
    with pytest.raises(AssertionError, match="target: the target has no 'HP'; write HP=9"):
        run(*command, cwd=folder)


def test_the_games_of_the_guide_have_strict_types(folder: Path, environment: Environment) -> None:
    snippets = folder.parent / "snippets"
    snippets.mkdir()
    for block in blocks(PAGE):
        if block.kind == "python" and "class " in block.text and not block.caption.startswith("tale/"):
            (snippets / f"line_{block.line}.py").write_text(block.text, encoding="utf-8")
    assert len(list(snippets.iterdir())) == 5
    mypy = (environment.bin / "python", "-I", "-m", "mypy", "--strict", "--cache-dir", folder.parent / "cache")
    run(*mypy, "tale", *snippets.iterdir(), EMBER / "ember" / "rules.py", cwd=folder)
