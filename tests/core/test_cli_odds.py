"""The command `dicedocs odds`, in process and at a terminal."""

import csv
import io
import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs import limits
from dicedocs.probability import explorer
from dicedocs.probability.claims import worth
from dicedocs.render.chart_text import bars_text
from dicedocs.render.words import display_width
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.registry import in_book

from ..every import every
from .pseudo_terminal import run_in_terminal

ADVANTAGE = ("odds", "total-effect/roll", "total", "advantage=1")


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_the_odds_of_a_fact(run):
    status, out, err = run(*ADVANTAGE)
    assert (status, err) == (0, "")
    odds = dd.odds("total-effect/roll", "total", advantage=1)
    assert out == bars_text({"": odds}, width=78, cumulative=True) + "\n"
    row = next(line.split() for line in out.splitlines() if line.split()[0] == "13")
    assert row[:4] == ["13", "13.3%", "48.8%", "64.5%"]  # 48.77 by FACTS T62


def test_the_odds_are_of_the_first_fact_by_default(run):
    assert run("odds", "total-effect/roll", "advantage=1") == run(*ADVANTAGE)


def test_the_odds_of_notation(run):
    status, out, _ = run("odds", "3d6 + 2")
    assert status == 0
    assert out.splitlines()[1].split()[:4] == ["5", "0.5%", "100%", "0.5%"]
    status, out, _ = run("odds", "1d20 + [Attack] >= [Target Defense]", "actor=Attack=6", "target=Defense=12")
    assert status == 0
    assert out.splitlines()[2].split()[:2] == ["yes", "75%"]
    assert run("odds", "d6/2")[0] == 0  # notation, although it looks like an id


def test_the_probability_of_an_event(run):
    out = run(*ADVANTAGE, "--at-least", "13")[1]
    assert out.splitlines()[-1] == "at least 13: 48.8% (79 in 162)"
    assert [line.split()[1] for line in out.splitlines() if line.startswith("> ")] == [*map(str, range(13, 19))]
    out = run("odds", "3d6", "--at-least", "10", "--at-most", "11")[1]
    assert out.splitlines()[-2:] == ["at least 10: 62.5% (5 in 8)", "at most 11: 62.5% (5 in 8)"]
    assert [line.split()[1] for line in out.splitlines() if line.startswith("> ")] == ["10", "11"]
    assert run("odds", "3d6", "--at-most", "-1")[1].splitlines()[-1] == "at most -1: 0%"
    assert run("odds", "100d6", "--at-least", "350")[1].splitlines()[-1] == "at least 350: 51.2%"


def test_several_facts_are_a_table(run):
    status, out, _ = run("odds", "total-effect/roll", "low", "high")
    assert status == 0
    assert out.splitlines()[:2] == ["Low  High  Chance", "  1     1    0.5%"]
    assert "bar" not in out
    joint = dd.odds("total-effect/roll", "low", "high")
    assert len(out.splitlines()) == 1 + len(joint)


def test_csv_and_json_have_all_values(run):
    odds = dd.odds("total-effect/roll", "total", "low", advantage=1)
    rows = list(
        csv.DictReader(io.StringIO(run("odds", "total-effect/roll", "total", "low", "advantage=1", "--csv")[1]))
    )
    assert {(int(row["total"]), int(row["low"])): Fraction(int(row["count"]), int(row["of"])) for row in rows} == (
        odds.to_dict()
    )
    data = json.loads(run(*ADVANTAGE, "--json", "--at-least", "13")[1])
    assert (data["mechanic"], data["parameters"], data["facts"]) == ("total-effect/roll", {"advantage": "1"}, ["total"])
    assert sum(int(row["count"]) for row in data["odds"]) == int(data["denominator"])
    assert data["odds"][0] == {"value": 3, "count": data["odds"][0]["count"], "p": pytest.approx(1 / 1296)}
    assert data["chances"]["at least 13"] == {"p": pytest.approx(79 / 162), "exact": "79/162"}
    assert data["mean"] == pytest.approx(12.2446, abs=1e-4)  # 10.5 and 1.745, by FACTS T60
    data = json.loads(run("odds", "1d20 > 5", "--json")[1])
    assert [row["value"] for row in data["odds"]] == [False, True]
    assert "mean" not in data


def test_an_estimate_has_bounds(run):
    arguments = (*ADVANTAGE, "--estimate", "2000", "--seed", "7")
    status, out, err = run(*arguments, "--at-least", "13")
    assert (status, err) == (0, "")
    estimate = dd.estimate("total-effect/roll", "total", advantage=1, samples=2000, seed="7")
    low, high = estimate.interval("at least 13")
    assert low < 79 / 162 < high
    event, spread = out.splitlines()[-2:]
    assert event.startswith("at least 13: ")
    assert f"between {low:.1%} and {high:.1%}" in event
    assert spread.startswith("estimated from 2000 plays, the mean between 12.")
    assert spread.endswith(" (99% sure)")
    assert run(*arguments) == run(*arguments)
    data = json.loads(run(*arguments, "--json", "--at-least", "13")[1])
    assert (data["samples"], data["seed"]) == (2000, "7")
    assert data["chances"]["at least 13"]["interval"] == [low, high]


def test_an_estimate_without_a_seed_prints_its_own(run):
    first = run(*ADVANTAGE, "--estimate", "50")[1]
    *lines, last = first.splitlines()
    name, _, seed = last.partition("=")
    assert name == "seed"
    assert run(*ADVANTAGE, "--estimate", "50", "--seed", seed)[1].splitlines() == lines


@every("columns", ["20", "40", "80", "300"])
def test_the_output_fits_the_terminal(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    for what in (["100d6", "--at-least", "350"], ["mage-in-the-metal/check", "result", "skill=20"]):
        lines = run("odds", *what)[1].split("\n\n")[0].splitlines()
        assert max(map(display_width, lines)) <= max(int(columns), 44)


def test_bars_in_a_stream_without_blocks(run):
    assert "#" in run("odds", "3d6", "--ascii")[1]
    assert run("odds", "3d6", "--ascii")[1].isascii()
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "dicedocs", "odds", "2d6"], capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"#" in done.stdout


BAD = [
    (("odds", "ember/blase"), "mechanic: there is no mechanic 'ember/blase'; did you mean 'ember/blaze'"),
    (("odds", "total-effect/roll", "totl"), "there is no fact 'totl'; did you mean 'total'?"),
    (("odds", "total-effect/roll", "dice"), "'dice' has no odds of its own"),
    (("odds", "total-effect/roll", "advantge=1"), "there is no parameter 'advantge' of total-effect/roll; did"),
    (("odds", "total-effect/roll", "advantage=x"), "advantage: 'x' is not a whole number"),
    (("odds", "2 + * 3"), "notation: expected"),
    (("odds", "3d6", "expression=4"), "expression: notation has no such parameter; it has 'actor' and 'target'"),
    (("odds", "3d6", "--at-least", "x"), "at-least: 'x' is not a whole number"),
    (("odds", "1d20 > 3", "--at-most", "3"), "words have no order, so '<=' cannot compare them"),
    (("odds", "total-effect/roll", "low", "high", "--at-least", "3"), "take the odds of a single fact; name one fact"),
    (("odds", "3d6", "--estimate", "0"), "estimate: '0' is not a whole number, at least 1"),
    (("odds", "3d6", "--estimate", "999999999999"), "the limit ESTIMATE is"),
    (("odds", "3d6", "--seed", "3"), "seed: exact odds need no seed; leave it out, or add --estimate N"),
    (("odds", "3d6", "--json", "--csv"), "--json and --csv are both given; give one of them"),
    (("odds", "999d999 * 999d999"), "; the limit "),
    (("odds", ""), "notation: "),
    (("odds",), "required: WHAT"),
]


@every(("arguments", "message"), BAD, ids=[" ".join(row[0]) for row in BAD])
def test_bad_input_is_status_2_with_the_message_on_standard_error(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_too_much_to_count_suggests_an_estimate(run, monkeypatch):
    monkeypatch.setattr(limits, "BRANCHES", limits.BRANCHES.fixed(20))
    status, out, err = run(*ADVANTAGE)
    assert (status, out) == (2, "")
    assert "the limit BRANCHES is 20" in err
    assert "estimate" in err


def test_a_rule_that_is_not_a_function_of_its_dice_is_an_error_message(run):
    ticks = iter(range(10_000))

    class Clock(Mechanic, id="test-odds/clock"):
        """Tick."""

        class Result(Outcome):
            total: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            return self.Result(dice.roll(6) + next(ticks))

    try:
        status, out, err = run("odds", "test-odds/clock")
    finally:
        from dicedocs.rules import registry

        del registry._registered["test-odds/clock"]
    assert (status, out) == (2, "")
    assert err.startswith("dicedocs: ")
    assert "Clock is not a function of its dice" in err


def test_long_counting_shows_its_progress_in_a_terminal():
    no_delay = "import sys; from dicedocs.cli import main, terminal; terminal.PROGRESS_INTERVAL = 0; "
    status, written = run_in_terminal(
        "-c",
        f"{no_delay} sys.exit(main(['odds', 'mecha-vs-kaiju/action', 'total', 'pool=d20 d8 d10', '--at-least', '12']))",
    )
    assert status == 0
    assert "% counted" in written
    assert written.index("\r\x1b[K") > written.rindex("% counted")
    assert written.splitlines()[-1].startswith("\x1b[1mat least 12: ")


def test_best_play_is_refused_where_nothing_is_chosen_or_counted(run):
    status, _, err = run("odds", "3d6", "--best", "mean(total)")
    assert status != 0
    assert "nothing is chosen in this mechanic" in err
    status, _, err = run("odds", "3d6", "--best", "mean(total)", "--estimate", "10")
    assert status != 0
    assert "--best and --estimate are both given" in err


class Keep(dd.Mechanic):
    """Keep a d6, or throw it again."""

    sides: int = dd.param(default=6)
    again: dd.Decision = dd.param()

    class Result(dd.Outcome):
        face: int

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        face = dice.roll(self.sides)
        return self.Result(dice.roll(self.sides) if dice.choose(self.again, face=face) else face)


Keep.id = "keep/one"


def test_best_play_is_explored_once(run, monkeypatch):
    explored: Counter[str] = Counter()

    def counted(rule, select):
        explored["rule"] += 1
        return explorer.explored(rule, select)

    monkeypatch.setattr(worth, "explored", counted)
    with in_book({Keep.id: Keep}):
        status, out, _ = run("odds", "keep/one", "--best", "p(face at most 6)")
    assert (status, explored["rule"]) == (0, 1)
    assert "ties" in out


def test_best_play(run):
    with in_book({Keep.id: Keep}):
        status, out, _ = run("odds", "keep/one", "--best", "mean(face)", "--at-least", "4")
        assert status == 0
        assert out.splitlines()[-1] == "at least 4: 75% (3 in 4)"  # 4, 5 and 6 are kept
        # All ways are equally good; for the highest mean 4, 5 and 6 are kept, for the lowest 1, 2 and 3.
        _, out, _ = run("odds", "keep/one", "--best", "p(face at most 6)")
        assert out.splitlines()[-1] == "mean(face): 2.75 to 4.25, depending on how ties are broken"
        _, out, _ = run("odds", "keep/one", "--best", "p(face at most 6)", "--json")
        assert json.loads(out)["tied"] == {"mean(face)": [2.75, 4.25]}
        # The next throw of a d5 is worth 3, as is a 3 that is kept.
        _, out, _ = run("odds", "keep/one", "sides=5", "--best", "mean(face)")
        assert out.splitlines()[-1] == "the odds differ, depending on how ties are broken"
        status, _, err = run("odds", "keep/one")
        assert status != 0
        assert "for best play add --best 'p(...)' or --best 'mean(...)'" in err
