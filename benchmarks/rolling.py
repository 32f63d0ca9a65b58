"""Rolling, compared with d20: an expression seen before, with and without the explanation, and a new one.

d20 installs an old lark that would overwrite ours, so it gets its own environment. The two run alternately, each in its
own process, and the best of five rounds is published. Both roll the same expressions; dicedocs returns a complete
Outcome, and one SeededDice is shared by all rolls.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

from measured import Table, publish

ROOT = Path(__file__).resolve().parents[1]
D20 = ROOT / "build" / "bench" / "d20"
ROUNDS = 5
TEXTS = ("1d20+5", "(2d6+4)*2-12+5", "4d6kh3")
CASES = ("seen", "seen, explained", "new number", "new shape: nine more terms")

TIMING = """
import json, time
def best(run, number, rounds=3):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(number):
            run()
        times.append((time.perf_counter() - start) / number * 1e6)
    return min(times)
def fresh(run, texts, number):
    start = time.perf_counter()
    for new in texts:
        run(new)
    return (time.perf_counter() - start) / number * 1e6
def figures(total, explained, texts):
    rows = {}
    for text in texts:
        total(text)
        rows[text] = [
            best(lambda: total(text), 5000),
            best(lambda: explained(text), 2000),
            fresh(total, [f"{text}+{n}" for n in range(2000)], 2000),
            fresh(total, [text + "".join(f"{'+-'[n >> bit & 1]}1" for bit in range(9)) for n in range(512)], 512),
        ]
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


def measure(python: Path | str, code: str) -> dict[str, list[float]]:
    """Run timing code in a new process; return the microseconds per roll of each expression."""
    script = TIMING + code.format(texts=TEXTS)
    done = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True)
    rows: dict[str, list[float]] = json.loads(done.stdout)
    return rows


def main() -> None:
    """Measure both alternately and publish the table."""
    theirs_python = environment()
    ours: list[dict[str, list[float]]] = []
    theirs: list[dict[str, list[float]]] = []
    for _ in range(ROUNDS):
        ours.append(measure(sys.executable, OURS))
        theirs.append(measure(theirs_python, THEIRS))
    table = Table("µs a roll", "dicedocs", "d20", "ratio")
    for text in TEXTS:
        for column, case in enumerate(CASES):
            mine = min(rows[text][column] for rows in ours)
            other = min(rows[text][column] for rows in theirs)
            table.row(f"`{text}`, {case}", f"{mine:.1f}", f"{other:.1f}", f"{other / mine:.2f}")
    publish("rolling", table)


if __name__ == "__main__":
    main()
