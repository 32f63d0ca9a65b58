"""The clock for code that may never return."""

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dicedocs import LimitError
from dicedocs.clock import TimeUp, time_limit

from ..every import every

SHORT = 0.05


def turn():
    while True:
        pass


def wait():
    time.sleep(60)


def swallow():
    """A loop that catches everything but goes on, once."""
    try:
        turn()
    except BaseException:  # noqa: BLE001
        turn()


def swallow_errors():
    while True:
        try:
            turn()
        except Exception:  # noqa: BLE001, S112
            continue


def in_thread(call):
    """What a call raises in another thread, where there is no alarm."""
    raised = []

    def run():
        try:
            call()
        except BaseException as error:  # noqa: BLE001
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    [error] = raised
    return error


def raised_by(call, where):
    if where == "another thread":
        return in_thread(call)
    with pytest.raises(LimitError) as caught:
        call()
    return caught.value


def limited(call, seconds=SHORT):
    with time_limit(seconds, "a loop"):
        call()


@pytest.fixture
def alarm():
    """The alarm of this process, which pytest-timeout uses too."""
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, *timer)


@every("call", [turn, wait, swallow, swallow_errors], ids=lambda call: call.__name__)
def test_code_that_does_not_return_is_interrupted(call):
    with pytest.raises(LimitError, match=r"a loop takes longer than 0\.05 seconds") as caught:
        limited(call)
    assert caught.value.limit == "SECONDS"


@every("call", [turn, swallow, swallow_errors], ids=lambda call: call.__name__)
def test_so_it_is_in_another_thread(call):
    error = in_thread(lambda: limited(call))
    assert isinstance(error, LimitError)


@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_time_without_the_processor_counts_a_tenth(where):
    """Code that waits may take longer, and so may code on a busy machine; but not for ever."""
    passed = []

    def wait():
        for _ in range(100):
            time.sleep(SHORT)

    def call():
        limited(lambda: time.sleep(4 * SHORT))
        start = time.monotonic()
        try:
            limited(wait)
        finally:
            passed.append(time.monotonic() - start)

    assert isinstance(raised_by(call, where), LimitError)
    assert passed[0] >= 10 * SHORT


def test_the_line_is_named():
    with pytest.raises(LimitError) as caught:
        limited(turn)
    assert "(test_clock.py:" in str(caught.value)
    assert ", in turn)" in str(caught.value)


@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_the_outer_limit_ends_the_inner_context_too(where):
    def call():
        with time_limit(SHORT, "the outer"):
            limited(turn, 60)

    error = raised_by(call, where)
    assert str(error).startswith("the outer takes")


def test_the_outer_limit_holds_after_the_inner_one():
    """In the main thread, and in another at the same time."""
    inner = []

    def call():
        # Far more than the inner one, so that this ends first wherever the two threads are interrupted.
        with time_limit(10 * SHORT, "the outer"):
            try:
                limited(turn)
            except LimitError as error:
                inner.append(error)
            turn()

    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(call)
        with pytest.raises(LimitError) as here:
            call()
    assert [str(error).partition(" longer")[0] for error in inner] == ["a loop takes"] * 2
    assert [str(error).partition(" longer")[0] for error in (here.value, there.exception())] == ["the outer takes"] * 2


def test_an_error_of_the_code_stays_itself():
    with pytest.raises(ZeroDivisionError), time_limit(SHORT, "a division"):
        1 / 0  # noqa: B018


def test_no_limit_is_none():
    with time_limit(0, "nothing"):
        assert signal.getsignal(signal.SIGALRM) is signal.getsignal(signal.SIGALRM)


def test_the_alarm_of_others_rings_at_its_time_and_is_left_as_it_was(alarm):
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    mine = signal.getsignal(signal.SIGALRM)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, SHORT)
    with pytest.raises(LimitError):
        limited(turn, 3 * SHORT)
    assert len(rung) == 1
    assert SHORT <= rung[0] - start < 3 * SHORT
    assert signal.getsignal(signal.SIGALRM) is mine
    signal.setitimer(signal.ITIMER_REAL, 100)
    limited(lambda: None, 50)
    assert 90 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100
    signal.setitimer(signal.ITIMER_REAL, 0)
    del handler


def test_the_default_of_the_alarm_is_not_lost():
    """A process that set an alarm without a handler is ended by it."""
    code = (
        "import signal; from dicedocs.clock import time_limit\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
        "with time_limit(20, 'x'):\n    while True: pass"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=20)
    assert done.returncode == -signal.SIGALRM


@pytest.mark.parametrize("where", ["main thread", "another thread"])
def test_nothing_arrives_after_the_end(where):
    def call():
        for _ in range(20):
            limited(lambda: None)
        end = time.monotonic() + 3 * SHORT
        while time.monotonic() < end:
            time.sleep(0.001)
        raise LimitError("the end was reached")

    assert str(raised_by(call, where)) == "the end was reached"


def test_no_except_clause_of_a_game_catches_it():
    assert not issubclass(TimeUp, Exception)
