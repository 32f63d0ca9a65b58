"""The magics, in an IPython shell."""

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import dicedocs as dd
import dicedocs_widgets


@pytest.fixture(scope="module")
def shell():
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "dicedocs_widgets")
    yield shell
    InteractiveShell.clear_instance()


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("3d6+2 --seed 7", lambda: dd.roll("3d6+2", seed=7)),
        ("--seed=theron 3d6", lambda: dd.roll("3d6", seed="theron")),
        ('3d6 --dice "4 2 5"', lambda: dd.roll("3d6", dice=[4, 2, 5])),
        (
            "[Wit] + [Target Guard] --actor 'Wit=4, Grace=2' --target \"Guard=3\"",
            lambda: dd.roll("[Wit] + [Target Guard]", {"Wit": 4, "Grace": 2}, {"Guard": 3}),
        ),
    ],
)
def test_roll_returns_the_outcome(shell, line, same):
    assert shell.run_line_magic("roll", line) == same()


def test_check_returns_the_outcome(shell):
    assert shell.run_line_magic("check", "1d20 + 6 >= 12 --seed 7") == dd.check("1d20 + 6 >= 12", seed=7)


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("3d6", lambda: dd.odds("methuen/expression", expression="3d6")),
        ("1d20 + 6 >= 12", lambda: dd.odds("methuen/check", check="1d20 + 6 >= 12")),
        ("1d6 + [Wit] --actor Wit=2", lambda: dd.odds("methuen/expression", expression="1d6 + 2")),
        ("total-effect/roll", lambda: dd.odds("total-effect/roll")),
        ("total-effect/roll total advantage=1", lambda: dd.odds("total-effect/roll", "total", advantage=1)),
        ('total-effect/roll holds effect=low compare="at most 3"', None),
    ],
)
def test_odds_returns_the_distribution(shell, line, same):
    found = shell.run_line_magic("odds", line)
    assert found == (same() if same else dd.odds("total-effect/roll", "holds", effect="low", compare="at most 3"))


def test_play_reads_one_parameter_per_line(shell):
    cell = "advantage: 1\n\n# as in the book\neffect = low\n:threshold: 13\n".replace(":threshold:", "threshold:")
    outcome = shell.run_cell_magic("play", "total-effect/roll --seed 7", cell)
    assert outcome == dd.play("total-effect/roll", seed=7, advantage=1, effect="low", threshold=13)


@pytest.mark.parametrize("line", ["3d6 --at-least 13", "dice/roll notation=3d6 --at-least 13"])
def test_odds_print_the_probability_of_a_number_or_more(shell, capsys, line):
    assert shell.run_line_magic("odds", line) == dd.odds("3d6")
    assert capsys.readouterr().out == "at least 13: 25.9% (7 in 27)\n"


def test_play_without_parameters_is_a_line_magic(shell):
    assert shell.run_line_magic("play", "dungeoneers/fresh-pool --seed 7") == dd.play("dungeoneers/fresh-pool", seed=7)


def test_the_result_of_a_magic_can_be_assigned(shell):
    shell.run_cell("r = %roll 3d6 --seed 61")
    assert shell.user_ns["r"].total == 11


@pytest.mark.parametrize(
    ("kind", "name", "line", "cell", "message"),
    [
        ("line", "roll", "3d6 + * 2", "", r"expected .*\n +3d6 \+ \* 2\n +\^"),
        ("line", "roll", "3d6 --sed 7", "", "did you mean 'seed'"),
        ("line", "roll", "3d6 --seed", "", "--seed has no value"),
        ("line", "roll", "", "", "nothing to play"),
        ("line", "check", "3d6", "", "comparison"),
        ("line", "odds", "total-effect/roll totl", "", "did you mean 'total'"),
        ("line", "odds", 'total-effect/roll "', "", "quotation"),
        ("line", "odds", "3d6 --at-least many", "", "at-least: 'many' is not a whole number"),
        ("line", "odds", "total-effect/roll total low --at-least 3", "", "of a single fact"),
        ("line", "odds", '3d6 --best "mean(total)"', "", "best: nothing is chosen in this mechanic"),
        ("line", "odds", 'total-effect/roll --best "mean(totl)"', "", "best: there is no fact 'totl'"),
        ("line", "play", "total-effect/rol", "", "did you mean 'total-effect/roll'"),
        ("cell", "play", "total-effect/roll", "advantag: 1", "did you mean 'advantage'"),
        ("cell", "play", "total-effect/roll", "advantage: x", "'x' is not a whole number"),
        ("cell", "play", "total-effect/roll", "what is this", "is not a parameter; write name: value"),
        ("cell", "play", "total-effect/roll", "mechanic: x", "there is no parameter 'mechanic'"),
    ],
)
def test_an_error_is_shown_without_a_traceback(shell, kind, name, line, cell, message):
    with pytest.raises(UsageError, match=message) as caught:
        shell.run_line_magic(name, line) if kind == "line" else shell.run_cell_magic(name, line, cell)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", ["roll", "check", "odds", "play"])
def test_each_magic_has_help(shell, name):
    found = shell.object_inspect_mime(f"%{name}")["text/plain"]
    assert f"%{name} " in found
    assert "--seed" in found or name == "odds"


def completed(shell, text):
    with provisionalcompleter():
        return {text[: one.start] + one.text for one in shell.Completer.completions(text, len(text))}


@pytest.mark.parametrize(
    ("text", "completion"),
    [
        ("%%play total-e", "%%play total-effect/roll"),
        ("%%play total-effect/r", "%%play total-effect/roll"),
        ("%odds mage-in-the-metal/c", "%odds mage-in-the-metal/check"),
        ("%odds total-effect/roll tot", "%odds total-effect/roll total"),
        ("%odds total-effect/roll total adv", "%odds total-effect/roll total advantage="),
        ("%roll 3d6 --se", "%roll 3d6 --seed"),
        ("%%play total-effect/roll\nthr", "%%play total-effect/roll\nthreshold: "),
        ("%%play total-effect/roll\nadvantage: 1\nesc", "%%play total-effect/roll\nadvantage: 1\nescalation: "),
        ("%%play ", "%%play ember/haul"),
    ],
)
def test_ids_names_and_options_are_completed(shell, text, completion):
    assert completion in completed(shell, text)


def test_nothing_is_completed_elsewhere(shell):
    assert not any("total-effect/roll" in one for one in completed(shell, "total-e"))
    assert not any("advantage" in one for one in completed(shell, "%%play nobody/knows\nadv"))


def test_loading_twice_completes_once(shell):
    before = len(shell.Completer.custom_matchers)
    dicedocs_widgets.load_ipython_extension(shell)
    assert len(shell.Completer.custom_matchers) == before
