"""Every input that ever ended otherwise than in success or in a documented error, and a taste of the fuzzer."""

import json
import time
from pathlib import Path

import pytest

from .surfaces import SURFACES
from .watch import Ending, slowness, watch

ROOT = Path(__file__).parents[2]
FOUND = json.loads(Path(__file__).with_name("found.json").read_text(encoding="utf-8"))
SLOW = {"odds of parameters", "command line"}
OPTIONS = ["--inputs", len(SURFACES), "--batch", 1, "--seed", 0, "--jobs", 1, "--scale", 10]


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_what_was_found_is_accepted_or_refused(commands, slow):
    numbers = [number for number, (surface, _) in enumerate(FOUND) if (surface in SLOW) == slow]
    done = commands.run(ROOT, "tests.fuzz", "--found", *numbers)
    endings = [Ending(*each) for each in json.loads(done.stdout)]
    wrong = [
        f"{json.dumps(FOUND[number])[:200]}: {ending}"
        for number, ending in zip(numbers, endings, strict=True)
        if ending.wrong
    ]
    assert not wrong, "\n".join(wrong)


def test_each_surface_is_tried(commands):
    done = commands.run(ROOT, "tests.fuzz", *OPTIONS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(name in done.stdout for name in SURFACES)


def test_what_is_wrong_is_told():
    assert watch(lambda: {}["x"]).how.startswith("KeyError")
    assert watch(lambda: json.loads("{")).wrong
    assert watch(lambda: bytearray(300_000_000), scale=10).how == "large"
    assert not watch(lambda: len(5)).wrong, "a call that Python itself refuses"


def test_time_is_that_of_the_processor():
    assert not watch(lambda: time.sleep(0.3), scale=0.05).wrong
    assert watch(lambda: all(zero == 0 for zero in iter(int, 1)), scale=0.05).how == "did not end in 0.25 s"


def test_a_slow_machine_is_granted_more_time(monkeypatch):
    clock = iter([5.0, 5.15, 7.0, 7.01])
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    assert slowness() == pytest.approx(3), "0.15 seconds where 0.05 are usual"
    assert slowness() == 1
