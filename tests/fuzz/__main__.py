"""``python -m tests.fuzz``: hostile inputs on every surface, for so many seconds or so many inputs."""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicedocs import DiceError, check, odds

from .pages import build_page
from .surfaces import SURFACES, draw, run
from .watch import Ending, limit_memory, slowness, watch

_FORK: Final = multiprocessing.get_context("fork")
_SHOWN: Final = 40
FOUND: Final = Path(__file__).with_name("found.json")
_PATIENCE: Final = 10
"""How much longer than on a machine at rest an input may take: what was found took far longer, or for ever."""


class Tried(NamedTuple):
    """An input that was tried: its surface, its number and how it ended."""

    surface: str
    number: int
    ending: Ending


class Batch(NamedTuple):
    """Inputs that one process tries."""

    surface: str
    first: int
    size: int
    scale: float


def try_batch(connection: Connection, batch: Batch) -> None:
    """Try some inputs of a surface, and send how each ended."""
    limit_memory()
    scale = batch.scale * slowness()
    for number in range(batch.first, batch.first + batch.size):
        drawn = draw(batch.surface, number)
        ending = _watch(batch.surface, drawn, scale)
        connection.send(Tried(batch.surface, number, ending))


def try_found(numbers: list[int]) -> list[Ending]:
    """Return how inputs of ``found.json`` end, a few in each process, with much patience."""
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    with _FORK.Pool(1, limit_memory, maxtasksperchild=10) as pool:
        return pool.map(_try_again, [found[number] for number in numbers], chunksize=1)


def _try_again(found: tuple[str, Any]) -> Ending:
    return _watch(*found, _PATIENCE)


def _watch(surface: str, drawn: Any, scale: float) -> Ending:
    return watch(partial(run, surface, drawn), scale, SURFACES[surface].patience)


class Worker:
    """A process that tries a batch; what it did not live to report was its end."""

    def __init__(self, batch: Batch) -> None:
        self.connection, child = multiprocessing.Pipe(duplex=False)
        self.batch = batch
        self.next = batch.first
        self.process = _FORK.Process(target=try_batch, args=(child, batch), daemon=True)
        self.process.start()
        child.close()

    def receive(self) -> Iterator[Tried]:
        """Yield an input that was tried, or the one that ended the process."""
        try:
            tried = self.connection.recv()
        except EOFError:
            self.process.join()
            self.connection.close()
            if self.next < self.batch.first + self.batch.size:
                yield Tried(self.batch.surface, self.next, Ending("the process ended", "", 0, 0))
        else:
            self.next = tried.number + 1
            yield tried

    @property
    def finished(self) -> bool:
        return self.connection.closed


def batches(options: Any, started: float) -> Iterator[Batch]:
    """Yield batches while there is time, or until there are as many inputs as wanted, each surface with its share."""
    shares = {name: surface.share for name, surface in SURFACES.items() if options.only in name}
    done = dict.fromkeys(shares, 0)
    while sum(done.values()) < options.inputs if options.inputs else time.monotonic() - started < options.seconds:
        surface = min(done, key=lambda name: done[name] / shares[name])
        yield Batch(surface, options.seed + done[surface], options.batch, options.scale)
        done[surface] += options.batch


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (60)")
    parser.add_argument("--inputs", type=int, default=0, help="how many, however long they take")
    today = int(time.time() // 86_400) * 1_000_000
    parser.add_argument("--seed", type=int, default=today, help="the number of the first input; else others each day")
    parser.add_argument("--only", default="", help="a part of the name of the surfaces meant")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument("--batch", type=int, default=200, help="inputs that one process tries (200)")
    parser.add_argument("--scale", type=float, default=1, help="how much more time than a second to grant (1)")
    parser.add_argument("--found", type=int, nargs="+", help="try these of found.json again, and print JSON")
    options = parser.parse_args()
    # Each process is a fork of this one: it need not load parsers, hints and Sphinx, nor look at them as garbage.
    check("1d20 >= 12")
    with suppress(DiceError):
        odds("2d6").p("total is 7 or twice")
    build_page("rst", "roll", "", {}, "")
    gc.freeze()
    if options.found:
        print(json.dumps(try_found(options.found)))
        return 0
    print(f"seed={options.seed}, {options.jobs} processes", flush=True)
    started = shown = time.monotonic()
    counts: dict[str, Counter[str]] = {name: Counter() for name in SURFACES if options.only in name}
    slowest = dict.fromkeys(counts, 0.0)
    largest = dict.fromkeys(counts, 0)
    wrong: list[Tried] = []
    total = 0
    planned = batches(options, started)
    workers: list[Worker] = []
    while True:
        workers = [worker for worker in workers if not worker.finished]
        workers += [Worker(batch) for batch in islice(planned, options.jobs - len(workers))]
        if not workers:
            break
        for connection in wait([worker.connection for worker in workers]):
            for one in next(worker for worker in workers if worker.connection is connection).receive():
                total += 1
                counts[one.surface][one.ending.how if not one.ending.wrong else "wrong"] += 1
                slowest[one.surface] = max(slowest[one.surface], one.ending.seconds)
                largest[one.surface] = max(largest[one.surface], one.ending.memory)
                if one.ending.wrong:
                    wrong.append(one)
            if time.monotonic() - shown > 2:
                shown = time.monotonic()
                print(f"{shown - started:5.0f} s  {total} inputs, {len(wrong)} wrong", file=sys.stderr, flush=True)
    report(counts, slowest, largest, wrong)
    print(f"{total} inputs in {time.monotonic() - started:.0f} s, {len(wrong)} wrong")
    return bool(wrong)


def report(
    counts: dict[str, Counter[str]], slowest: dict[str, float], largest: dict[str, int], wrong: list[Tried]
) -> None:
    """Print the figures by surface, and what was wrong, each kind once."""
    print(f"{'surface':20}{'accepted':>10}{'refused':>10}{'wrong':>8}{'slowest':>10}{'largest':>10}")
    for name, how in counts.items():
        figures = f"{how['accepted']:>10}{how['refused']:>10}{how['wrong']:>8}"
        print(f"{name:20}{figures}{slowest[name]:>8.2f} s{largest[name] / 1e6:>7.0f} MB")
    kinds: dict[tuple[str, str, str], list[Tried]] = {}
    for one in wrong:
        kinds.setdefault((one.surface, one.ending.how.partition(":")[0], one.ending.where[:70]), []).append(one)
    for (surface, _, where), group in sorted(kinds.items(), key=lambda item: -len(item[1]))[:_SHOWN]:
        first = min(group, key=lambda one: len(json.dumps(draw(one.surface, one.number))))
        ending = first.ending
        cost = f"{ending.seconds:.2f} s, {ending.memory / 1e6:.0f} MB"
        print(f"\n{len(group)} x {surface}: {ending.how} ({cost})\n   {where}")
        print(f"   [{json.dumps(surface)}, {json.dumps(draw(first.surface, first.number))}]")


if __name__ == "__main__":
    # The processes that build pages are ended, and clean up nothing.
    with tempfile.TemporaryDirectory(prefix="dicedocs-fuzz-") as tempfile.tempdir:
        status = main()
    raise SystemExit(status)
