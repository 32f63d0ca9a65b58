"""Faults in the code of games: each is a warning, and the build goes on."""

import gc
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import dicedocs as dd
from dicedocs import limits
from dicedocs_sphinx import game_code
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.game_code import check_block
from dicedocs_sphinx.settings import settings_of

GAME = """
import time
from dicedocs import Dice, Mechanic, Outcome, Say, fact, param

class Bad:
    @classmethod
    def from_text(cls, text):
        return cls()
    def __str__(self):
        {text}

class Faulty(Mechanic, id="faulty/rule"):
    "A rule that fails."
    depth: int = param(default=0, help="how deep")
    class Result(Outcome):
        total: int
        odd: Bad
    def resolve(self, dice: Dice, say: Say) -> Result:
        {body}
        return self.Result(dice.roll(6), Bad())
"""
RULE = """
.. dice:example:: A
   :name: bad
   :mechanic: faulty/rule
   :dice: 4
   :expect: {expect}
"""
GOOD = """
.. dice:example:: B
   :name: good
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=11

   It is :dice:fact:`total`.
"""


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    """Loading the game and the parser of the good block counts against its seconds, which are few here.

    Nor is garbage collected meanwhile: where a limit rings in what watches that, the error is lost.
    """
    dd.play("methuen/expression", expression="3d6", dice=[4, 2, 5])
    dd.odds("total-effect/roll", "total")
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def game(book):
    """A book with a game beside its configuration, which it imports."""

    def write(body="pass", text="return 'odd'"):
        book.write("faulty.py", GAME.format(body=body, text=text))
        book.write("conf.py", "import faulty\ndicedocs_seconds = 0.3\n")
        sys.modules.pop("faulty", None)
        return book

    yield write
    sys.modules.pop("faulty", None)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("while True: pass", "the rule takes longer than 0.3 seconds (faulty.py:"),
        ("raise SystemExit(0)", "the rule failed: SystemExit: 0 (faulty.py:"),
        ("raise BaseException('x')", "the rule failed: BaseException: x (faulty.py:"),
        ("raise GeneratorExit", "the rule failed: GeneratorExit (faulty.py:"),
        ("return self.resolve(dice, say)", "the rule failed: RecursionError: "),
        (
            "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})",
            "the rule failed: Mute: a Mute without a text",
        ),
        ("raise ValueError('x' * 10**7)", "the rule failed: ValueError: xxx"),
    ],
    ids=["loops", "exits", "raises a base", "leaves a generator", "recurses", "is mute", "says too much"],
)
def test_a_rule_that_fails_is_a_warning(game, body, message):
    book = game(body)
    book.page(RULE.format(expect="total=4") + GOOD)
    # On a busy machine a thousand calls may take longer than the limit of this book.
    patience = {"dicedocs_seconds": 30} if "Recursion" in message else {}
    built = book.build("text", **patience)
    [warning] = built.warnings
    assert warning.text.startswith(f"bad: {message}")
    assert len(warning.text) < 3000
    assert (warning.type, warning.line) == ("dicedocs.engine", 7)
    assert "It is 11." in built.read("index.txt")
    assert [w.text for w in book.build("text", **patience).warnings] == [warning.text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise ZeroDivisionError('odd')", "the rule failed: ZeroDivisionError: odd (faulty.py:"),
        ("return 5", "the rule failed: TypeError: __str__ returned non-string"),
        ("raise SystemExit(0)", "the rule failed: SystemExit: 0"),
        ("while True: pass", "the rule takes longer than 0.3 seconds (faulty.py:"),
        ("return 'x' * 10**7", f"10000000 characters in the text of a value; the limit FACT_TEXT is {10**5}"),
    ],
    ids=["raises", "is not text", "exits", "loops", "is too long"],
)
@pytest.mark.parametrize("expect", ["total=4", "odd=1"])
def test_a_value_that_has_no_text_is_a_warning_wherever_it_is_shown(game, text, message, expect):
    book = game(text=text)
    book.page(RULE.format(expect=expect) + "\n   :dice:fact:`odd`\n" + GOOD)
    book.page("See :dice:fact:`bad.odd`.", "other.rst")
    built = book.build("text")
    texts = [w.text for w in built.warnings if "toctree" not in w.text]
    assert texts
    assert all(message in text for text in texts)
    assert "It is 11." in built.read("index.txt")


@pytest.mark.parametrize("jobs", [2])
def test_a_rule_that_loops_is_interrupted_in_a_worker_too(game, jobs):
    book = game("while True: pass")
    for number in range(6):
        book.page(
            RULE.format(expect="total=4").replace("bad", f"bad-{number}") + GOOD.replace("good", f"g{number}"),
            "index.rst" if not number else f"p{number}.rst",
        )
    built = book.build("text", jobs=jobs)
    texts = [w.text for w in built.warnings if w.type == "dicedocs.engine"]
    # On a busy machine the time may be over before the rule is reached, which is another place.
    assert all("takes longer than 0.3 seconds" in text for text in texts)
    assert any(text.endswith("more blocks)") for text in texts)
    blocks = [block for page in built.app.env.domains["dice"].blocks.values() for block in page]
    assert sum(block.mechanic == "faulty/rule" and bool(block.issues) for block in blocks) == 6


TABLE = """
.. dice:table:: Losses
   :name: losses
   :mechanic: {mechanic}
   :fact: {fact}
   :rows: {rows}
   :show: average
"""
LONG = """
.. dice:mechanic:: test/siege
   :hold: 2 (2 to 26)

   walls = 20
   heat = 0
   repeat up to 9 times until walls < 1
     blow = 2d6 + heat
     walls = walls - blow if blow > hold, else walls
     heat = heat + 1d3
"""


WORKING = "end = time.thread_time() + {}; any(time.thread_time() > end for _ in iter(int, 1))"
THROW = "return self.Result(dice.total(9, 6), 0)"


def test_only_of_a_rule_that_does_not_end_it_is_said_to_make_sure_of_that(game):
    table = TABLE.format(mechanic="faulty/rule", fact="total", rows="depth=0..9")
    cases = {
        # No play has ended.
        "while True: pass": (table, "the rule takes", "make sure it ends"),
        # Each play ends, after a while.
        f"{WORKING.format(0.01)}; {THROW}": (table, "10 distributions take", "ask for fewer"),
        f"{WORKING.format(0.02)}; {THROW}": (
            table.replace("dice:table", "dice:odds").replace("   :rows: depth=0..9\n   :show: average\n", ""),
            "the odds take",
            "throw fewer dice",
        ),
    }
    for body, (block, what, hint) in cases.items():
        book = game(body)
        book.page(block)
        [warning] = book.build("text").warnings
        assert f": {what} longer than 0.3 seconds (faulty.py:" in warning.text
        assert warning.text.endswith(f"); {hint}, or raise dicedocs_seconds in conf.py")


def test_rules_of_a_page_that_are_long_to_count_are_not_said_to_have_no_end(book):
    book.page(LONG + TABLE.format(mechanic="test/siege", fact="walls", rows="hold=2..26"))
    # Long enough for a busy machine to have begun to count.
    [warning] = book.build("text", dicedocs_seconds=0.9).warnings
    hint = "ask for fewer, or raise dicedocs_seconds in conf.py"
    assert warning.text == f"losses: 25 distributions take longer than 0.9 seconds; {hint}"


def test_a_role_that_takes_too_long_is_a_warning(book, monkeypatch):
    def forever(*_):
        while True:
            pass

    monkeypatch.setattr("dicedocs_sphinx.directives.inline_dice.percent", forever)
    book.page("The chance :dice:odds:`1d20 >= 12`.\n")
    [warning] = book.build("text", dicedocs_seconds=0.2).warnings
    assert (warning.line, warning.type) == (5, "dicedocs.engine")
    assert "the rule takes longer than 0.2 seconds" in warning.text


IMPORTS = {
    "fails": ("1 / 0", "ZeroDivisionError: division by zero (coins.py:"),
    "loops": ("while True: pass", "it takes too long (coins.py:"),
    "exits": ("raise SystemExit(0)", "SystemExit: 0 (coins.py:"),
    "raises a base": ("raise BaseException('x')", "BaseException: x (coins.py:"),
    "is not Python": ("def", "SyntaxError: invalid syntax (coins.py, line 2)"),
    "fails after its rules": (
        GAME.format(body="pass", text="pass").replace("faulty/", "coins/") + "\n1 / 0",
        "coins.py:",
    ),
}
COINS = """
.. dice:example::
   :mechanic: coins/rule
   :dice: 4
   :expect: total=4
"""


def installed(folder: Path, source: str) -> Path:
    """A folder with an installed game."""
    folder.mkdir()
    (folder / "coins.py").write_text(source, "utf-8")
    about = folder / "coins-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coins\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text("[dicedocs.systems]\ncoins = coins\n", "utf-8")
    return folder


@pytest.mark.parametrize(("source", "message"), IMPORTS.values(), ids=IMPORTS)
def test_an_installed_game_that_cannot_be_imported_is_a_warning(book, tmp_path, monkeypatch, source, message):
    folder = installed(tmp_path / "site", f"open({str(tmp_path / 'imports')!r}, 'a').write('.')\n{source}")
    monkeypatch.syspath_prepend(str(folder))
    book.page(COINS * 3 + GOOD)
    endless = "too long" in message
    built = book.build("text", dicedocs_seconds=0.3 if endless else limits.SECONDS.default)
    [warning] = built.warnings
    assert "the game 'coins' cannot be loaded from coins" in warning.text
    assert warning.type == "dicedocs.mechanic"
    assert message in warning.text
    assert "It is 11." in built.read("index.txt")
    if endless:
        assert (tmp_path / "imports").read_text() == "."


def test_what_a_game_prints_when_it_is_imported_is_not_output(tmp_path):
    folder = installed(
        tmp_path / "site", "print('hello')\n" + GAME.format(body="pass", text="return ''").replace("faulty/", "coins/")
    )
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "dicedocs", "mechanics", "--json"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "coins/rule" in json.dumps(json.loads(done.stdout))
    assert done.stderr == "hello\n"


def test_a_block_made_by_hand_without_a_mechanic_is_reported(book):
    """Another kind of block need not use our directives, which report this where it is written."""
    book.page(GOOD)
    [block] = book.build().app.env.domains["dice"].blocks["index"]
    [found] = check_block(replace(block, mechanic=""), 1).issues
    assert found["problem"] == Problem.MECHANIC.value
    assert found["message"] == "no mechanic is named; the command 'dicedocs mechanics' lists the ids"


def test_a_kind_of_block_that_fails_is_a_warning(book, monkeypatch):
    def fail(*_):
        raise SystemExit(0)

    monkeypatch.setattr("dicedocs_sphinx.blocks.example.ExampleBlock.evaluate", fail)
    book.page(GOOD)
    [warning] = book.build().warnings
    assert "SystemExit: 0" in warning.text
    assert warning.type == "dicedocs.engine"


def test_the_limit_is_that_of_the_core(book):
    book.page(GOOD)
    assert settings_of(book.build().app.config).seconds == limits.SECONDS.maximum == 30
    assert Problem.ENGINE.value == "engine"


def test_a_rule_that_interrupts_the_build_names_its_block(game, monkeypatch):
    reported = []
    monkeypatch.setattr(game_code, "report", lambda *report: reported.append(report))
    book = game("raise KeyboardInterrupt")
    book.page(RULE.format(expect="total=4"))
    with pytest.raises(KeyboardInterrupt):
        book.build()
    [(problem, message, source, line)] = reported
    assert (problem, message) == (Problem.ENGINE, "bad: interrupted while its rule was played")
    assert source.endswith("index.rst")
    assert line == 5


def test_the_rules_of_a_book_have_so_much_time_in_all(game):
    book = game(WORKING.format(0.2))
    book.page("".join(RULE.format(expect="total=4").replace("name: bad", f"name: bad-{n}") for n in range(6)))
    warnings = [each.text for each in book.build(dicedocs_seconds=30, dicedocs_time=0.5).warnings]
    assert any(
        "the rules of this book took more than 0.5 seconds in all, so this one was not played; "
        "raise dicedocs_time in conf.py if they should" in warning
        for warning in warnings
    )
    assert not warnings[0].startswith("bad-0")


def test_a_rule_that_is_stopped_by_the_time_of_the_book_names_that_setting(game):
    book = game("while True: pass")
    book.page(RULE.format(expect="total=4"))
    [warning, *_] = book.build(dicedocs_seconds=30, dicedocs_time=0.3).warnings
    assert warning.text.endswith("; make sure it ends, or raise dicedocs_time in conf.py")
