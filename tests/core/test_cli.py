"""The command `dicedocs`, in process and as people run it."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import dicedocs as dd
import dicedocs.cli
from dicedocs import limits

from ..every import every
from .pseudo_terminal import run_served_in_terminal

CREW = "crew=Ash: skill 2; Bo: skill 1, tool 3"


def bad_input_message(result):
    """Return the message of a command that got bad input: status 2 and nothing on standard output."""
    status, out, message = result
    assert (status, out) == (2, "")
    assert message.endswith("\n")
    return message


# roll, check, play


def test_a_roll_prints_its_working_then_its_facts(run):
    status, out, err = run("roll", "3d6", "--dice", "4 2 5")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "total=11"
    assert out.splitlines()[:-1] == str(dd.roll("3d6", dice=[4, 2, 5])).splitlines()


def test_a_roll_with_resources(run):
    status, out, _ = run("roll", "1d6 + [Luck] - [Target Defense]", "actor=Luck=4", "target=Defense=2", "--dice", "3")
    assert status == 0
    assert out.splitlines()[-1] == "total=5"


def test_a_seed_repeats_a_roll(run):
    first = run("roll", "10d10", "--seed", "theron")
    assert first == run("roll", "10d10", "--seed", "theron")
    assert first[1].splitlines()[-1] == dd.roll("10d10", seed="theron").facts()
    assert run("roll", "10d10", "--seed", "-3") == run("roll", "10d10", "--seed=-3")
    assert run("roll", "10d10", "--seed", "-3") != run("roll", "10d10", "--seed", "3")


def test_a_roll_without_a_seed_prints_the_seed_that_repeats_it(run):
    _, out, _ = run("roll", "10d1000")
    *working, seed = out.splitlines()
    assert seed.startswith("seed=")
    assert run("roll", "10d1000", "--seed", seed.removeprefix("seed="))[1].splitlines() == working
    assert run("roll", "10d1000")[1] != run("roll", "10d1000")[1]


def test_a_roll_without_dice_prints_no_seed(run):
    assert run("roll", "3 + 4")[1].splitlines()[-1] == "total=7"


@every(
    ("arguments", "status"),
    [
        (("check", "1d20 >= 15", "--dice", "15"), 0),
        (("check", "1d20 >= 15", "--dice", "14"), 1),
        (("check", "1d20 >= 15", "--dice", "14", "--json"), 1),
        (("check", "1d20 >= 15", "--dice", "14", "--expect", "success=false"), 0),
        (("check", "1d20 >= 15", "--dice", "15", "--expect", "success=false"), 1),
        (("play", "methuen/check", "check=1 > 2"), 1),
        (("play", "methuen/check", "check=1 < 2"), 0),
        (("roll", "0"), 0),
        (("roll", "3d6", "--dice", "4 2 5", "--expect", "total=11"), 0),
        (("roll", "3d6", "--dice", "4 2 5", "--expect", "total=12"), 1),
        (("play", "ember/haul", CREW, "weight=99", "--dice", "1 1"), 0),
    ],
)
def test_status_1_means_that_something_does_not_hold(run, arguments, status):
    assert run(*arguments)[0] == status


def test_a_wrong_expectation_prints_the_actual_facts(run):
    status, out, err = run("roll", "3d6", "--dice", "4 2 5", "--expect", "total=12")
    assert (status, out) == (1, "")
    assert err == "dicedocs: expect: expected 'total=12', got 'total=11'; write total=11\n"


def test_any_mechanic_is_played_by_its_id(run):
    status, out, err = run("play", "ember/blaze", "trait=2", "cap=1", "--dice", "10 8 3")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == "hits=2, blaze=1"
    assert run("play", "ember/haul", CREW, "--dice", "2,4")[1].splitlines()[-1].endswith("degree=held")


def test_json_is_the_outcome(run):
    status, out, err = run("play", "ember/blaze", "trait=2", "cap=1", "--dice", "10 8 3", "--json")
    assert (status, err) == (0, "")
    outcome = dd.play("ember/blaze", trait=2, cap=1, dice=[10, 8, 3])
    assert json.loads(out) == json.loads(outcome.to_json())
    assert out == outcome.to_json(indent=2) + "\n"


# find-seed


def test_find_seed(run):
    seed = dd.find_seed("methuen/expression", expression="3d6", faces=[4, 2, 5])
    assert run("find-seed", "methuen/expression", "expression=3d6", "--faces", "4 2 5") == (0, f"{seed}\n", "")
    status, out, _ = run("find-seed", "ember/blaze", "trait=2", "--where", "hits=2, blaze=0", "--json")
    data = json.loads(out)
    assert (status, list(data)) == (0, ["seed"])
    assert dd.play("ember/blaze", trait=2, seed=data["seed"]).facts() == "hits=2, blaze=0"


def test_an_endless_search_is_stopped(run, monkeypatch):
    monkeypatch.setattr(limits, "SEEDS", limits.SEEDS.fixed(20))
    message = bad_input_message(run("find-seed", "methuen/expression", "expression=1d6", "--where", "total=7"))
    assert message.startswith("dicedocs: none of the first 20 seeds gives that")


@every("name", ["faces", "where", "progress", "id", "seed", "dice", "rule", "self"])
def test_an_option_of_the_command_is_not_a_parameter(run, name):
    message = bad_input_message(run("find-seed", "ember/blaze", f"{name}=3", "--faces", "1 2 3 4 5"))
    assert message.startswith(f"dicedocs: there is no parameter '{name}' of ember/blaze")
    message = bad_input_message(run("play", "ember/blaze", f"{name}=3"))
    assert message.startswith(f"dicedocs: there is no parameter '{name}' of ember/blaze")


# mechanics


def test_mechanics_are_listed(run):
    assert run("mechanics") == (0, "\n".join(dd.mechanics()) + "\n", "")
    assert json.loads(run("mechanics", "--json")[1]) == dd.mechanics()


def test_a_mechanic_is_described(run):
    status, out, err = run("mechanics", "ember/haul")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "ember/haul",
        "  A crew hauls together: every hand throws a d6, the two best count, and",
        "  skills and tools are added.",
        "",
        "Parameters",
        "  crew",
        "      who hauls",
        "      'name: skill …, tool …', or several separated by semicolons (required;",
        "      for example Ash: skill 2; Bo: skill 1, tool 3)",
        "  weight",
        "      the total that is needed",
        "      a whole number, at least 1 (default 10)",
        "  mood",
        "      wild throws one die more and scratches it on a 1",
        "      'calm' or 'wild' (default calm)",
        "  note",
        "      what is hauled",
        "      text (default no text)",
        "",
        "Facts",
        "  success",
        "      true or false",
        "  total",
        "      a whole number",
        "  degree",
        "      'dropped it', 'held' or 'heaved'",
    ]


def test_a_mechanic_is_described_as_json(run):
    described = json.loads(run("mechanics", "ember/blaze", "--json")[1])
    assert described == {
        "id": "ember/blaze",
        "help": "Throw d10s: each 8 or more is a hit, and each 10 is thrown again.",
        "parameters": [
            {
                "name": "trait",
                "expects": "a whole number from 0 to 20",
                "help": "how many d10s are thrown",
                "default": "5",
                "example": "5",
                "required": False,
            },
            {
                "name": "cap",
                "expects": "a whole number from 0 to 5",
                "help": "how often tens may be thrown again",
                "default": "3",
                "example": "3",
                "required": False,
            },
        ],
        "facts": [
            {"name": "hits", "gives": "a whole number", "help": "dice that show 8 or more"},
            {"name": "blaze", "gives": "a whole number", "help": "dice that were thrown again"},
        ],
    }


@every("id", dd.mechanics())
def test_every_mechanic_is_described_and_plays_its_example(run, id):
    from dicedocs.rules.registry import mechanic

    assert run("mechanics", id)[0] == 0
    rows = json.loads(run("mechanics", id, "--json")[1])["parameters"]
    status, out, _ = run("play", id, *[f"{row['name']}={row['example']}" for row in rows], "--seed", "1")
    assert status in {0, 1}
    assert out.splitlines()[-1] == mechanic(id).example().play(dd.SeededDice(1)).facts()


# Bad input

BAD = [
    (("roll", "2 + * 3"), "notation: expected"),
    (("roll", "3d6", "notation=2d6"), "dicedocs: notation: it is given twice; leave it out"),
    (("roll", "3d6", "--dice", "4 2"), "dicedocs: dice: die 3 is a d6, and 2 faces are given"),
    (("roll", "3d6", "--dice", "4 2 7"), "dicedocs: dice: die 3 is a d6 and cannot show 7"),
    (("roll", "3d6", "--dice", ""), "dicedocs: dice: die 1 is a d6, and no face is given"),
    (("roll", "3d6", "--dice", "-1 2 3"), "dicedocs: dice: '-1' is not a face"),
    (("roll", "3d6", "--expect", "totl=3"), "dicedocs: expect: there is no fact 'totl'; did you mean 'total'?"),
    (("roll", "3d6", "--expect", "11"), "dicedocs: expect: '11' is not a fact with a value"),
    (("roll", "3d6", "word"), "dicedocs: 'word' is not a parameter with its value; write key=value"),
    (("roll", "3d6", "actor=A=1", "actor=B=1"), "dicedocs: actor: it is given twice; give it once"),
    (("roll", "3d6", "actor=A"), "dicedocs: actor: 'A' has no value"),
    (("roll", "[Strenght]", "actor=Strength=4"), "did you mean 'Strength'?"),
    (("roll", "3d6", "--seed", "\udc80"), "dicedocs: seed: '\ufffd' is not a seed: it cannot be encoded"),
    (("play", "ember/blase"), "dicedocs: mechanic: there is no mechanic 'ember/blase'; did you mean 'ember/blaze'"),
    (("play", "ember/blaze", "trial=2"), "there is no parameter 'trial' of ember/blaze; did you mean 'trait'?"),
    (("play", "ember/blaze", "trait=21"), "dicedocs: trait: '21' is not a whole number from 0 to 20"),
    (("play", "ember/blaze", "=2"), "dicedocs: there is no parameter ''"),
    (("play", "ember/haul"), "dicedocs: crew: a value is needed"),
    (("mechanics", "nope/nope"), "there is no mechanic 'nope/nope'; the command 'dicedocs mechanics' lists them"),
    (("play", "4d6kh3"), "lists them; for notation write 'dice/roll', notation='4d6kh3'"),
    (("find-seed", "ember/blaze"), "dicedocs: there is nothing to search for; give faces, or facts as where"),
    (("find-seed", "ember/blaze", "--where", "hits"), "dicedocs: where: 'hits' is not a fact with a value"),
    (("roll", "3d6", "--seed", "1", "--dice", "1 2 3"), "not allowed with argument"),
    (("roll",), "required: NOTATION"),
    (("dance",), "invalid choice: 'dance'"),
    (("rol", "3d6"), "; did you mean 'roll'?"),
    ((), "required: COMMAND"),
    (("roll", "3d6", "--loud"), "unrecognized arguments: --loud"),
]


@every(("arguments", "message"), BAD, ids=[" ".join(ascii(a) for a in row[0]) for row in BAD])
def test_bad_input_is_status_2_with_the_message_on_standard_error(run, arguments, message):
    assert message in bad_input_message(run(*arguments))


@every(("text", "value"), [("-3 + 5", 2), ("-3+5", 2), ("-3", -3), ("-(2)", -2), ("--3", 3), ("- 3", -3)])
def test_text_that_begins_with_a_minus_is_text(run, text, value):
    status, out, err = run("roll", text)
    assert (status, out.splitlines()[-1], err) == (0, f"total={value}", "")
    assert run("check", f"{text} > 1")[0] == int(value <= 1)
    assert run("roll", "3d6", "--seed", text)[0] == 0


ORDERS = [
    # 8 with 5 added, from 3 less than 0, and the value of a character that follows an option
    (("roll", "-1d20+5", "--dice", "8"), "total=-3"),
    (("roll", "--dice", "8", "-1d20+5"), "total=-3"),
    (("roll", "--dice", "8", "--", "-1d20+5"), "total=-3"),
    (("roll", "1d6 + [X]", "--dice", "4", "actor=X=3"), "total=7"),
    (("roll", "--dice=4", "1d6 + [X]", "actor=X=3"), "total=7"),
    (("roll", "-1d6 + [X]", "actor=X=3", "--dice", "4", "--expect", "total=-1"), "total=-1"),
    (("roll", "--dice", "4", "--limit", "DICE=20000", "--expect", "total=-1", "-1d6 + [X]", "actor=X=3"), "total=-1"),
    (("check", "--dice", "8", "-1d20 + [X] >= -10", "--expect", "left=-5", "actor=X=3"), "left=-5"),
    (("play", "--dice", "8", "dice/roll", "--expect", "total=-3", "notation=-1d20+5"), "total=-3"),
    (("play", "dice/roll", "--di", "8", "notation=-1d20+5"), "total=-3"),
    (("odds", "-1d4", "--at-least", "-2", "total"), "at least -2: 50%"),
    (("odds", "--at-least", "-2", "-1d4"), "at least -2: 50%"),
    (("odds", "--csv", "-1d1", "--", "total"), "-1,1,1"),
    (("find-seed", "--faces", "1", "dice/roll", "notation=-1d1"), "0"),
    (("find-seed", "dice/roll", "--faces", "1", "notation=-1d1", "--where", "total=-1"), "0"),
    (("mechanics", "--json", "--", "ember/blaze"), '"id": "ember/blaze"'),
]


@every(("arguments", "shown"), ORDERS, ids=[" ".join(row[0]) for row in ORDERS])
def test_options_and_other_words_stand_in_any_order(run, arguments, shown):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert shown in out


@every("seed", [("--seed", "-3"), ("--seed=-3",), ("--se", "-3")])
def test_a_seed_below_0_stands_anywhere(run, seed):
    expected = run("roll", "10d10", "--seed=-3")
    assert expected[0] == 0
    assert run("roll", *seed, "10d10") == run("roll", "10d10", *seed) == expected


@every(
    ("arguments", "message"),
    [
        (("roll", "--sede", "1", "3d6"), "unrecognized arguments: --sede"),
        (("roll", "-1d6", "--sede=1"), "unrecognized arguments: --sede=1"),
        (("odds", "3d6", "--at", "3"), "ambiguous option: --at"),
        (("roll", "3d6", "--seed"), "argument --seed: expected one argument"),
        (("roll", "3d6", "--seed", "--json"), "argument --seed: expected one argument"),
        (("roll", "3d6", "-seed", "1"), "'-seed' is not a parameter with its value"),
        (("roll", "--seed", "1", "--", "3d6", "--json"), "'--json' is not a parameter with its value"),
        (("roll", "--dice", "1 2 3", "3d6", "--seed", "1"), "not allowed with argument"),
        (("roll", "--json"), "required: NOTATION"),
    ],
    ids=lambda row: " ".join(row) if isinstance(row, tuple) else "",
)
def test_a_misspelled_option_is_refused_in_any_order(run, arguments, message):
    assert message in bad_input_message(run(*arguments))


def test_a_minus_alone_is_text(run):
    message = bad_input_message(run("roll", "-"))
    assert message.startswith("dicedocs: notation: expected a number")
    assert message.splitlines()[1:] == ["    -", "     ^"]


@every(
    "word",
    [
        os.fsdecode(b"\xff\xfe"),
        "x" * 1_000_000,
        "\x1b[31m",
        "a\nb",
        "２d６",
        "<script>",
        "%s %d {0}",
        "\u202e",
        "🎲",
        "''",
    ],
    ids=lambda word: ascii(word[:8]),
)
def test_hostile_words(run, word):
    for arguments in (
        ("roll", word),
        ("check", word),
        ("play", word),
        ("play", "ember/blaze", f"trait={word}"),
        ("play", "ember/blaze", f"{word}=3"),
        ("play", "ember/haul", f"crew={word}"),
        ("roll", "[A]", f"actor={word}"),
        ("roll", "3d6", "--dice", word),
        ("roll", "3d6", "--seed", "1", "--expect", word),
        ("roll", "3d6", "--seed", "1", "--expect", f"total={word}"),
        ("find-seed", "ember/blaze", "--where", word),
        ("find-seed", "ember/blaze", "--faces", word),
        ("mechanics", word),
    ):
        status, out, err = run(*arguments)
        assert status == (1 if f"total={word}" in arguments and len(word) < 10_000 else 2)
        assert out == ""
        assert err.startswith("dicedocs: ")
        assert len(err) < 1_000


def test_help_lists_the_commands(run):
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    for name in ("roll", "check", "play", "find-seed", "mechanics", "Exit status"):
        assert name in out
    for name in ("roll", "check", "play", "find-seed", "mechanics"):
        status, out, _ = run(name, "-h")
        assert status == 0
        assert "--json" in out


def test_a_module_of_the_package_adds_its_command(run, tmp_path, monkeypatch):
    source = (
        "def add_commands(commands):\n    commands.add('wave', lambda options: print('hello') or 0, help='Wave.')\n"
    )
    (tmp_path / "wave_command.py").write_text(source)
    monkeypatch.setattr(dicedocs.cli, "__path__", [*dicedocs.cli.__path__, str(tmp_path)])
    assert run("wave") == (0, "hello\n", "")
    assert run("roll", "3")[0] == 0
    del sys.modules["dicedocs.cli.wave_command"]


def test_other_packages_are_looked_through_only_for_a_command_of_theirs(run, monkeypatch):
    looked_for = []

    def entry_points(group):
        looked_for.append(group)
        return ()

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    assert run("roll", "3")[0] == 0
    assert looked_for == []
    assert run("verify", "docs")[0] == 2
    assert looked_for == ["dicedocs.commands"]


def test_commands_of_another_package_that_cannot_be_loaded_are_told(run, monkeypatch):
    broken = EntryPoint("broken", "there_is_no_such_module", "dicedocs.commands")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [broken])
    status, out, err = run("--help")
    assert (status, "find-seed" in out) == (0, True)
    assert err.startswith("dicedocs: the commands of 'there_is_no_such_module' cannot be added: ")


# As people run it


def command(*arguments, **more):
    """Start the command in a process of its own, with buffered output as for most people."""
    env = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    named: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": env} | more
    return subprocess.Popen([sys.executable, "-m", "dicedocs", *arguments], **named)


def test_python_m_dicedocs_is_the_command():
    for arguments, status in [(("roll", "3"), 0), (("check", "1 > 2"), 1), (("roll", "x"), 2)]:
        process = command(*arguments)
        out, err = process.communicate()
        assert process.returncode == status
        assert b"Traceback" not in err
        assert bool(out) == (status < 2)


def test_the_installed_command_is_the_same():
    script = os.path.join(os.path.dirname(sys.executable), "dicedocs")  # noqa: PTH118, PTH120
    done = subprocess.run([script, "roll", "3"], capture_output=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"total=3")


def test_a_name_in_another_encoding_is_printed_in_any_encoding():
    for encoding in ("ascii", "utf-8"):
        env = os.environ | {"PYTHONIOENCODING": encoding}
        process = command("play", "ember/haul", b"crew=\xff\xe9: skill 1", "weight=3", "--dice", "2", env=env)
        out, err = process.communicate()
        assert (process.returncode, err) == (0, b"")
        assert out.splitlines()[-1] == b"success=true, total=3, degree=held"
        process = command("roll", b"[\xff]", b"actor=\xff=3", env=env)
        out, err = process.communicate()
        assert (process.returncode, out) == (2, b"")
        assert err.startswith(b"dicedocs: notation: ")
        assert b"Traceback" not in err


@pytest.fixture
def terminal(commands, tmp_path):
    """A function that runs the command in a terminal."""
    return partial(run_served_in_terminal, commands, tmp_path, "dicedocs")


def test_colour_is_for_a_terminal_alone_and_never_with_no_color(terminal):
    status, written = terminal("roll", "3d6", "--dice", "4 2 5")
    assert status == 0
    assert "\x1b[1mtotal=11\x1b[0m\n" in written
    for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        status, written = terminal("roll", "3d6", "--dice", "4 2 5", **more)
        assert "\x1b" not in written
        assert "total=11\n" in written
    assert "\x1b" in terminal("roll", "3", NO_COLOR="")[1]
    assert "\x1b" not in terminal("roll", "3", "--json")[1]
    out, _ = command("roll", "3d6", "--dice", "4 2 5").communicate()
    assert b"\x1b" not in out


def test_a_long_search_shows_its_progress_in_a_terminal(terminal):
    seed = dd.find_seed("methuen/expression", expression="4d10", faces=[7, 7, 7, 7])
    assert seed > 10_000
    status, written = terminal("find-seed", "methuen/expression", "expression=4d10", "--faces", "7 7 7 7")
    assert status == 0
    assert "\r10000 seeds tried" in written
    assert written.endswith(f"\r\x1b[K{seed}\n")


@every("arguments", [("roll", "3d6"), ("--help",)])
def test_a_closed_pipe_is_not_an_error(arguments):
    read, write = os.pipe()
    os.close(read)
    process = command(*arguments, stdout=write)
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


def test_an_interrupt_ends_the_command_silently(tmp_path):
    started = tmp_path / "started"
    # An interrupt while a file is closed by itself would be one that Python ignores, and tells.
    body = f"import os, time; os.mkdir({str(started)!r}); time.sleep(60); return self.Result()"
    env = install_game(tmp_path, body)
    # The jobs that a shell runs in the background ignore interrupts, and so would the command.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = command("play", "broken/rule", env=env, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    while not started.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_output_that_cannot_be_written_is_an_error_without_traceback():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        process = command("roll", "3", stdout=full)
        _, err = process.communicate()
    assert process.returncode == 2
    assert err == b"dicedocs: [Errno 28] No space left on device\n"


@every("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
@every("arguments", ["roll 3", "roll x"])
def test_a_closed_stream_ends_in_no_traceback(closed, arguments):
    line = f"'{sys.executable}' -m dicedocs {arguments} {closed}"
    done = subprocess.run(line, shell=True, capture_output=True, check=False)  # noqa: S602
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert done.returncode == (2 if arguments == "roll x" or closed.startswith(">") else 0)


@pytest.mark.parametrize("error", ["MemoryError()", "OverflowError('too large')", "RecursionError()", "KeyError('hp')"])
def test_an_error_of_python_within_a_rule_is_no_answer(error, tmp_path, commands):
    """Status 1 says that a check does not hold, which is not known here."""
    install_game(tmp_path, f"raise {error}")
    for verb in ("play", "odds"):
        done = commands.run(tmp_path, "dicedocs", verb, "broken/rule")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith("dicedocs: the rule failed: " + error.partition("(")[0])


def test_what_a_game_prints_is_not_part_of_the_output(tmp_path, commands):
    install_game(tmp_path, "print('hello'); return self.Result(dice.roll(6))")
    for words in (["play", "broken/rule", "--seed", "7"], ["odds", "broken/rule"]):
        done = commands.run(tmp_path, "dicedocs", *words, "--json")
        assert done.returncode == 0
        json.loads(done.stdout)
        assert "hello" in done.stderr


def install_game(tmp_path, body):
    """Write a game with an entry point, and return the environment in which it is installed."""
    (tmp_path / "dicedocs_broken.py").write_text(
        "from dicedocs import Dice, Mechanic, Outcome, Say\n"
        "class Broken(Mechanic, id='broken/rule'):\n"
        "    class Result(Outcome):\n"
        "        total: int\n"
        f"    def resolve(self, dice: Dice, say: Say) -> Result:\n        {body}\n",
        encoding="utf-8",
    )
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[dicedocs.systems]\nbroken = dicedocs_broken\n", encoding="utf-8")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
