"""Rolling, compared with d20: a text seen before, with and without the explanation, and a new one.

A new text, with one or with nine more terms, measures the parsers: both keep what they parsed. Pools are measured
beside plain arithmetic, in the spelling of each package.

d20 installs an old lark that would overwrite ours, so it gets its own environment. The two run alternately, each in its
own process, and the best of five rounds is published. Both roll the same dice; dicedocs returns a complete Outcome, and
one SeededDice is shared by all rolls.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Iterable
from pathlib import Path

from measured import Table, publish

ROOT = Path(__file__).resolve().parents[1]
D20 = ROOT / "build" / "bench" / "d20"
ROUNDS = 5
TEXTS = {
    "1d20+5": "1d20+5",
    "(2d6+4)*2-12+5": "(2d6+4)*2-12+5",
    "4d6kh3": "4d6kh3",
    "2d20kl1+5": "2d20kl1+5",
    "3d6!": "3d6e6",
    "4d6r1": "4d6rr1",
    "4d6ro<3": "4d6ro<3",
    "4d6mi2": "4d6mi2",
    "5d10k>7": "5d10k>7",
    "{3d6,2d8}kh1": "(3d6,2d8)kh1",
    "2d6 [fire]+3": "2d6 [fire]+3",
}
"""The texts of dicedocs, each with that of d20."""
CASES = ("seen", "seen, explained", "new", "new, with nine more terms")

TIMING = """
import gc, json, time
def best(run, number, rounds=3):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(number):
            run()
        times.append((time.perf_counter() - start) / number * 1e6)
    return min(times)
def fresh(run, texts, number):
    gc.collect()  # what other texts left behind is not counted
    start = time.perf_counter()
    for new in texts:
        run(new)
    return (time.perf_counter() - start) / number * 1e6
def figures(total, explained, texts):
    rows = []
    for text in texts:
        total(text)
        rows.append([
            best(lambda: total(text), 5000),
            best(lambda: explained(text), 2000),
            fresh(total, [f"{text}+{n}" for n in range(2000)], 2000),
            fresh(total, [text + "".join(f"{'+-'[n >> bit & 1]}1" for bit in range(9)) for n in range(512)], 512),
        ])
    print(json.dumps(rows))
"""
OURS = """
import dicedocs as dd
dice = dd.SeededDice(7)
figures(lambda text: dd.roll(text, dice=dice).value, lambda text: str(dd.roll(text, dice=dice)), {texts})
"""
THEIRS = """
import d20
roller = d20.Roller()
figures(lambda text: roller.roll(text).total, lambda text: str(roller.roll(text)), {texts})
"""


def environment() -> Path:
    """Return the Python of an environment that has d20 and not dicedocs; create it if it is missing."""
    python = D20 / "bin" / "python"
    if not python.exists():
        venv.create(D20, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "d20==1.1.2"], check=True)
    return python


def measure(python: Path | str, code: str, texts: Iterable[str]) -> list[list[float]]:
    """Run timing code in a new process; return the microseconds per roll of each text, one for each case."""
    script = TIMING + code.format(texts=list(texts))
    done = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True)
    rows: list[list[float]] = json.loads(done.stdout)
    return rows


def main() -> None:
    """Measure both alternately and publish the table."""
    theirs_python = environment()
    ours: list[list[list[float]]] = []
    theirs: list[list[list[float]]] = []
    for _ in range(ROUNDS):
        ours.append(measure(sys.executable, OURS, TEXTS))
        theirs.append(measure(theirs_python, THEIRS, TEXTS.values()))
    table = Table("µs a roll", "dicedocs", "d20", "ratio")
    for row, (text, their_text) in enumerate(TEXTS.items()):
        name = f"`{text}`" if text == their_text else f"`{text}` (`{their_text}`)"
        for column, case in enumerate(CASES):
            mine = min(rows[row][column] for rows in ours)
            other = min(rows[row][column] for rows in theirs)
            table.row(f"{name}, {case}", f"{mine:.1f}", f"{other:.1f}", f"{other / mine:.2f}")
    publish("rolling", table)


if __name__ == "__main__":
    main()
