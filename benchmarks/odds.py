"""Exact odds, compared with icepool and dyce: cold and warm times, sampling, and the growth of the cost.

Each library computes each row in its own process; the libraries run alternately. Cold is the first computation in the
process, with everything imported, the grammar loaded and all caches empty; warm is any later one. Each computation ends
with a mapping from each value to its count, and the mappings of the libraries are compared.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from math import log10
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from measured import Table, publish

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "bench" / "odds"
PINS = ("icepool==2.1.3", "dyce==0.7.0")
ROUNDS = 5
SLOW = 3.0
"""Rows that take more seconds than this are measured once."""
TIMEOUT = 120
"""Seconds after which a computation is stopped."""

ACTION = """
def action(faces, fortune):
    third, second, first = faces
    if fortune == 1:
        # The lowest die that shows more than 1 is scratched: the third, unless it shows a 1 itself.
        return first + second if third > 1 else first + 1 if second > 1 else 2
    return max(first + second, first + fortune)
"""
"""A formula for the total of a Mecha vs Kaiju action, given its three highest character dice and its d20."""
START = {
    "dicedocs": """
from dicedocs import highest
from dicedocs.probability.distribution import Distribution as D
import dicedocs as dd, dicedocs.probability.sampling
import dicedocs.systems.mecha_vs_kaiju, dicedocs.probability.enumeration, dicedocs.expression.odds
dd.roll("1d4 * 2 + 1")
def text(expression):
    return lambda: dd.odds("methuen/expression", "total", expression=expression)
def counts(odds):
    return dict(odds.items())
"""
    + ACTION
    + """
def formula():
    return D.faces(4, 6, 8, 10, 12, keep=highest(3)).combine(D.pool(20, 20, keep=highest(1)), action)
""",
    "icepool": """
import icepool
from icepool import d, Pool
def counts(die):
    return dict(die.items())
"""
    + ACTION
    + """
def formula():
    faces = Pool([d(4), d(6), d(8), d(10), d(12)]).highest(3).expand()
    return icepool.map(action, faces, d(20).highest(2, 1))
""",
    "dyce": """
from dyce import H, P
def counts(h):
    return dict(h.items())
"""
    + ACTION
    + """
def formula():
    counts = {}
    d20 = P(20, 20).at(-1)
    for faces, ways in P(4, 6, 8, 10, 12).rolls_with_counts(slice(-3, None)):
        for fortune, more in d20.items():
            total = action(faces, fortune)
            counts[total] = counts.get(total, 0) + ways * more
    return H(counts)
""",
}
TIMING = """
import json, sys, time
from hashlib import sha256
from math import gcd
run = lambda: counts({code})
start = time.perf_counter()
odds = run()
cold = time.perf_counter() - start
warm = cold
spent = 0.0
while spent < min(0.3, 3 * cold + 0.02):
    start = time.perf_counter()
    run()
    seconds = time.perf_counter() - start
    spent += seconds
    warm = min(warm, seconds)
common = gcd(*odds.values())
rows = sorted((str(tuple(value) if isinstance(value, (tuple, list)) else value), str(count // common))
              for value, count in odds.items())
value, count = rows[-1]
last = f"p({{value}}) = {{int(count) * common / sum(odds.values()):.2%}}"
print(json.dumps([cold, warm, sha256(json.dumps(rows).encode()).hexdigest(), last]))
"""


class Row(NamedTuple):
    """A distribution, as code for each library; with a text if it can be written as an Expression."""

    name: str
    dicedocs: str
    icepool: str
    dyce: str
    text: str = ""
    minimum_ratio: float = 0
    """The target: the cold time of icepool divided by ours."""


ROWS: Final = (
    Row("3d6", "D.dice(3, 6)", "3 @ d(6)", "3 @ H(6)", "3d6", 4),
    Row("100d6", "D.dice(100, 6)", "100 @ d(6)", "100 @ H(6)", "100d6", 200),
    Row("100d100", "D.dice(100, 100)", "100 @ d(100)", "100 @ H(100)", "100d100", 2000),
    Row("4d6 keep 3", "D.pool(6, 6, 6, 6, keep=highest(3))", "d(6).highest(4, 3)", "(4 @ P(6)).at(slice(-3, None))"),
    Row("6d6 keep 3", "D.pool(*[6] * 6, keep=highest(3))", "d(6).highest(6, 3)", "(6 @ P(6)).at(slice(-3, None))"),
    Row(
        "lowest, middle, highest of 3d6",
        "D.faces(6, 6, 6)",
        "d(6).pool(3).expand()",
        "H.from_counts((3 @ P(6)).rolls_with_counts())",
    ),
    Row(
        "20d20 keep 10",
        "D.pool(*[20] * 20, keep=highest(10))",
        "d(20).highest(20, 10)",
        "(20 @ P(20)).at(slice(-10, None))",
        minimum_ratio=5,
    ),
    Row(
        "20d20 + 10d12 * 2",
        "D.dice(20, 20) + D.dice(10, 12) * 2",
        "20 @ d(20) + (10 @ d(12)) * 2",
        "20 @ H(20) + (10 @ H(12)) * 2",
        "20d20 + 10d12 * 2",
        20,
    ),
    Row(
        "(10d10) * (10d10) / 3",
        "D.dice(10, 10) * D.dice(10, 10) // 3",
        "(10 @ d(10)) * (10 @ d(10)) // 3",
        "(10 @ H(10)) * (10 @ H(10)) // 3",
        "(10d10) * (10d10) / 3",
    ),
    Row("Mecha vs Kaiju, by a formula", "formula()", "formula()", "formula()"),
    Row(
        "Mecha vs Kaiju, by its own rule",
        'dd.odds("mecha-vs-kaiju/action", "total", pool="d20 d4 d6 d8 d10 d12", advantage=True)',
        "formula()",
        "formula()",
    ),
)


class Times(NamedTuple):
    """The times of a row in seconds, and the digest of its result."""

    cold: float
    warm: float
    digest: str
    last: str
    """The probability of the last value."""

    def at(self, when: str) -> float:
        """Return the cold or the warm time."""
        return self.cold if when == "cold" else self.warm


def environment() -> Path:
    """Return the Python of an environment that has the peers and not dicedocs; create it if it is missing."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PINS], check=True)
    return python


def run(python: Path | str, script: str) -> str | None:
    """Run a script in a new process; return its output, or None after :data:`TIMEOUT`."""
    try:
        done = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout


def measure(pythons: dict[str, Path | str], codes: dict[str, str]) -> dict[str, Times | None]:
    """Measure one row with each library, alternately; return the median cold time and the minimum warm time of each."""
    rounds: dict[str, list[Times]] = {name: [] for name in codes}
    for number in range(ROUNDS):
        for name, code in codes.items():
            library = name.partition(",")[0]
            if number and (not rounds[name] or rounds[name][0].cold > SLOW):
                continue
            output = run(pythons[library], START[library] + TIMING.format(code=code))
            if output is not None:
                rounds[name].append(Times(*json.loads(output)))
    digests = {times.digest for measured in rounds.values() for times in measured}
    if len(digests) != 1:
        raise SystemExit(f"the libraries do not agree on {codes['dicedocs']}")
    return {
        name: measured[0]._replace(
            cold=median(times.cold for times in measured), warm=min(times.warm for times in measured)
        )
        if measured
        else None
        for name, measured in rounds.items()
    }


def time_text(seconds: float) -> str:
    """Return a time with three digits and a unit."""
    unit, factor = next((unit for unit in (("s", 1.0), ("ms", 1e3)) if seconds * unit[1] >= 1), ("µs", 1e6))
    return f"{seconds * factor:.3g} {unit}"


def sentence(behind: Sequence[str]) -> str:
    """Return a sentence that names the rows on which another library is faster."""
    return f"dicedocs is not ahead on: {'; '.join(behind)}.\n" if behind else "dicedocs is ahead on every row.\n"


def compare(pythons: dict[str, Path | str]) -> None:
    """Measure all rows and publish the table."""
    table = Table("odds of", "dicedocs", "from text", "icepool", "dyce", "ahead")
    behind: list[str] = []
    targets: list[str] = []
    for row in ROWS:
        codes = {"dicedocs": row.dicedocs, "icepool": row.icepool, "dyce": row.dyce}
        if row.text:
            codes["dicedocs, from text"] = f'text("{row.text}")()'
        measured = measure(pythons, codes)
        ours = measured["dicedocs"]
        if ours is None:
            raise SystemExit(f"{row.name} takes too long")
        for when in ("cold", "warm"):
            seconds = {name: times.at(when) for name, times in measured.items() if times}
            ratio = min(seconds.get(name, TIMEOUT) for name in ("icepool", "dyce")) / seconds["dicedocs"]
            cells = [time_text(seconds[name]) if name in seconds else f"over {TIMEOUT} s" for name in measured]
            text = cells.pop() if row.text else "–"
            table.row(f"{row.name}, {when}", cells[0], text, *cells[1:], speed(ratio))
            if ratio < 1:
                behind.append(f"{row.name}, {when}")
            print(f"{row.name}, {when}: {cells} {ratio:.1f}", flush=True)
        icepool = measured["icepool"]
        if row.minimum_ratio and icepool is not None:
            ratio = icepool.cold / ours.cold
            targets.append(f"{row.name}: {ratio:,.0f} times as fast as icepool, cold; target {row.minimum_ratio:,.0f}")
    print("\n".join(targets))
    publish("odds", table, sentence(behind))


GAMES = {
    "dicedocs": """
from known_games import rules as games
def counts(odds):
    return dict(odds.items())
def merged(odds, beyond, change):
    counts = {beyond: odds.denominator - sum(dict(odds.items()).values())}
    for value, count in odds.items():
        counts[change(value)] = counts.get(change(value), 0) + count
    return counts
def raised(count):
    with dd.raise_limits(BRANCHES=500_000):
        return count()
""",
    "icepool": "from known_games import for_icepool as games\n",
    "dyce": "import warnings\nwarnings.simplefilter('ignore')\nfrom known_games import for_dyce as games\n",
}
"""What goes before the formulas for known games; ``merged`` gives all values beyond some limit as one, as peers do."""


class Game(NamedTuple):
    """A rule with rounds, as code for each library; empty for one that has no means for it.

    Parameters:
        right: the probability of the last value, computed by hand; needed where the libraries differ.
    """

    name: str
    dicedocs: str
    icepool: str
    dyce: str = ""
    right: str = ""


_SNAKES = "merged(dd.odds(games.SnakesAndLadders()), 100, lambda turns: min(turns, 100))"
_OPEN_ENDED = "merged(dd.odds(games.OpenEnded()), 251, lambda total: total if abs(total) <= 250 else 251)"
KNOWN_GAMES: Final = (
    Game("D&D, death saves", "dd.odds(games.DeathSaves())", "games.death_saves()"),
    Game("Craps", "dd.odds(games.Craps())", "games.craps()"),
    Game(
        "Craps, begun after the come-out",
        "dd.odds(games.Craps())",
        "games.craps_from_the_come_out()",
        right="p(True) = 49.29%",
    ),
    Game("Risk, 10 against 10", 'dd.odds(games.Risk(), "attackers", "defenders")', "games.risk(10, 10)"),
    Game("Yahtzee, alike after three throws", "dd.odds(games.Yahtzee())", "games.yahtzee()"),
    Game("Pig, hold at 20", "dd.odds(games.Pig())", "games.pig(20)"),
    Game("Year Zero, 8 dice pushed", 'dd.odds(games.Push(), "successes", "banes")', "games.push(8)"),
    Game(
        "The Black Hack, usage die",
        "merged(dd.odds(games.UsageDie()), 40, lambda uses: min(uses, 40))",
        "games.usage_die(40)",
    ),
    Game(
        "World of Darkness, 8 dice",
        "merged(dd.odds(games.TenAgain()), 12, lambda successes: min(successes, 12))",
        "games.ten_again(8, 12)",
    ),
    Game(
        "Shadowrun, extended test",
        'dd.odds(games.ExtendedTest(), "success", "tests")',
        "games.extended_test(12, 16)",
    ),
    Game(
        "D&D, skill challenge",
        'dd.odds(games.SkillChallenge(), "success", "checks")',
        "games.skill_challenge(7, 15)",
        "games.skill_challenge(7, 15)",
    ),
    Game(
        "Axis & Allies, 9 against 8",
        'dd.odds(games.LandBattle(), "attackers", "defenders")',
        "games.land_battle((6, 3), (6, 2))",
    ),
    Game("D&D, a duel", 'dd.odds(games.Duel(), "winner", "points")', "games.duel()"),
    Game("King of Tokyo, claws", "dd.odds(games.Claws())", "games.claws()", "games.claws()"),
    Game(
        "Call of Cthulhu, ten sessions",
        "dd.odds(games.Sessions())",
        "games.sessions(45, 10)",
        "games.sessions(45, 10)",
    ),
    Game("Zombie Dice", "dd.odds(games.ZombieDice())", "games.zombie_dice()"),
    Game("Snakes and Ladders", _SNAKES, "games.snakes_and_ladders(100)"),
    Game(
        "Savage Worlds, trait and wild die",
        'merged(dd.odds(games.Trait(), "success", "raises"), (True, 10), lambda one: (one[0], min(one[1], 10)))',
        "games.trait(10)",
        "games.trait(10)",
    ),
    Game("Rolemaster, open-ended", _OPEN_ENDED, "games.open_ended(250)", "games.open_ended(250)"),
    Game(
        "Rolemaster, BRANCHES raised",
        f"raised(lambda: {_OPEN_ENDED})",
        "games.open_ended(250)",
        "games.open_ended(250)",
    ),
    Game("Betrayal at House on the Hill", "dd.odds(games.Haunt())", "games.haunt()", "games.haunt()"),
    Game("Traveller, a career", 'dd.odds(games.Career(), "end", "terms")', "games.career(5, 6)"),
)
"""Twenty rules, and two of them in two ways."""


def try_game(pythons: dict[str, Path | str], library: str, code: str) -> Times | str:
    """Return the times of a formula for a known game, or why there are none."""
    start = f"import sys\nsys.path.insert(0, {str(ROOT / 'benchmarks')!r})\n{START[library]}{GAMES[library]}"
    measured: list[Times] = []
    for _ in range(ROUNDS):
        try:
            output = run(pythons[library], start + TIMING.format(code=code))
        except subprocess.CalledProcessError as error:
            limit = re.search(r"the limit (\w+) is", error.stderr)
            if limit is None:
                raise SystemExit(error.stderr) from None
            return f"refused: {limit[1]}"
        if output is None:
            return f"over {TIMEOUT} s"
        measured.append(Times(*json.loads(output)))
        if measured[0].cold > SLOW:
            break
    cold, warm = median(times.cold for times in measured), min(times.warm for times in measured)
    return measured[0]._replace(cold=cold, warm=warm)


def compare_games(pythons: dict[str, Path | str]) -> None:
    """Measure the rules of known games and publish the table; whatever a library refuses or has wrong is in it."""
    table = Table("odds of", "dicedocs", "icepool", "dyce", "ahead")
    behind: list[str] = []
    wrong: list[str] = []
    for game in KNOWN_GAMES:
        codes = {"dicedocs": game.dicedocs, "icepool": game.icepool, "dyce": game.dyce}
        tried = {library: try_game(pythons, library, code) if code else "–" for library, code in codes.items()}
        results = {library: times for library, times in tried.items() if isinstance(times, Times)}
        false = {library for library, times in results.items() if game.right and times.last != game.right}
        if len({times.digest for library, times in results.items() if library not in false}) > 1:
            raise SystemExit(f"the libraries do not agree on {game.name}")
        wrong += [
            f"{game.name}: {library} has {results[library].last}, by hand it is {game.right}" for library in false
        ]
        ours = None if "dicedocs" in false else results.get("dicedocs")
        cells = [
            times if isinstance(times, str) else "wrong" if library in false else game_times(times)
            for library, times in tried.items()
        ]
        peers = [times for library, times in results.items() if library not in {"dicedocs", *false}]
        ratio = min((times.cold for times in peers), default=0) / ours.cold if ours else 0
        behind += [
            f"{game.name}, {when}"
            for when in ("cold", "warm")
            if not ours or any(times.at(when) < ours.at(when) for times in peers)
        ]
        table.row(game.name, *cells, speed(ratio) if ratio else "–")
        print(f"{game.name}: {cells} {ratio:.1f}", flush=True)
    notes = "".join(f"\n{one}.\n" for one in wrong)
    publish("odds_games", table, f"{sentence(behind)}{notes}")


def speed(ratio: float) -> str:
    """Return how many times we are ahead, or behind, of the fastest other library."""
    return f"{ratio:,.1f} times" if ratio >= 1 else f"behind, {1 / ratio:,.1f} times"


def game_times(times: Times) -> str:
    """Return the first and any later time."""
    return f"{time_text(times.cold)}, then {time_text(times.warm)}"


SAMPLING = {
    "dicedocs": "D.dice(3, 6).sample(1_000_000, seed=1)",
    "dicedocs, of 1000d6": "D.dice(1000, 6).sample(1_000_000, seed=1)",
    "icepool": "[die.sample() for die in [3 @ d(6)] * 1_000_000]",
    "dyce": "[h.sample() for h in [3 @ H(6)] * 1_000_000]",
}


def sample(pythons: dict[str, Path | str]) -> None:
    """Draw a million values of 3d6 and publish the table."""
    table = Table("a million samples", "time", "dicedocs is faster")
    ours = 0.0
    for name, code in SAMPLING.items():
        library = name.partition(",")[0]
        script = (
            f"{START[library]}\nimport time\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
        )
        seconds = min(float(run(pythons[library], script) or TIMEOUT) for _ in range(3 if library == "dicedocs" else 1))
        ours = ours or seconds
        of = "" if "," in name else ", of 3d6"
        table.row(name + of, time_text(seconds), "–" if library == "dicedocs" else f"{seconds / ours:,.0f} times")
    publish("odds_sampling", table)


RULE = """
class Rule(dd.Mechanic):
    number: int = dd.param(default=1)
    class Result(dd.Outcome):
        total: int
        high: int
    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        faces = dice.pool(*[6] * self.number)
        fortune = dice.roll(20)
        return self.Result(say.sum("Total", faces[-1], faces[-2], fortune=fortune), faces[-1])
"""
BRANCHES = {2: 420, 4: 2_520, 6: 9_240, 8: 25_740}
"""The number of branches of an enumeration of a d20 and a pool of d6, by the number of d6."""


def grow(python: Path | str) -> None:
    """Measure how the cost grows and publish the table with its chart."""
    lines: dict[str, list[tuple[int, float]]] = {}
    script = START["dicedocs"] + RULE + TIMING
    for name, codes in {
        "dice, N of Nd6": {n: f"D.dice({n}, 6)" for n in (10, 30, 100, 300, 1000)},
        "dice kept of 20d20": {n: f"D.pool(*[20] * 20, keep=highest({n}))" for n in (3, 5, 8, 12, 16, 20)},
        "branches of an enumeration": {size: f'dd.odds(Rule(number={n}), "total")' for n, size in BRANCHES.items()},
    }.items():
        for size, code in codes.items():
            output = run(python, script.replace("{code}", code))
            lines.setdefault(name, []).append((size, Times(*json.loads(output or "")).warm))
    table = Table("what grows", "size", "time", "for each")
    for name, points in lines.items():
        for size, seconds in points:
            table.row(name, f"{size:,}", time_text(seconds), time_text(seconds / size))
    publish("odds_growth", table, f"\n```{{raw}} html\n{chart(lines)}\n```\n")


WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 640, 320, 60, 30, 40
DASHES = ("none", "6 4", "2 3")


def chart(lines: dict[str, list[tuple[int, float]]]) -> str:
    """Return an SVG of the lines with two logarithmic axes, in the colour of the surrounding text."""
    sizes = [log10(size) for points in lines.values() for size, _ in points]
    times = [log10(seconds) for points in lines.values() for _, seconds in points]
    left, right, low, high = int(min(sizes)), -int(-max(sizes) // 1), int(min(times) // 1), -int(-max(times) // 1)

    def at(size: float, seconds: float) -> str:
        x = LEFT + (size - left) / (right - left) * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - (seconds - low) / (high - low) * (HEIGHT - BOTTOM - 10)
        return f"{x:.0f},{y:.0f}"

    def label(x: float, y: float, words: str, anchor: str) -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'

    parts: list[str] = []
    for power in range(low, high + 1):
        y = float(at(left, power).partition(",")[2])
        parts.append(f'<path d="M{LEFT} {y:.0f}H{WIDTH - RIGHT}" opacity="0.2"/>')
        parts.append(label(LEFT - 6, y + 4, time_text(10.0**power), "end"))
    for power in range(left, right + 1):
        x = float(at(power, low).partition(",")[0])
        parts.append(f'<path d="M{x:.0f} 10V{HEIGHT - BOTTOM}" opacity="0.2"/>')
        parts.append(label(x, HEIGHT - BOTTOM + 16, f"{10**power:,}", "middle"))
    for index, (name, points) in enumerate(lines.items()):
        path = " ".join(at(log10(size), log10(seconds)) for size, seconds in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke-width="2" stroke-dasharray="{DASHES[index]}"/>')
        y = 24 + 18 * index
        parts.append(f'<path d="M{LEFT + 12} {y - 4}h40" stroke-width="2" stroke-dasharray="{DASHES[index]}"/>')
        parts.append(label(LEFT + 60, y, name, "start"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="growth-title growth-desc" '
        'style="max-width:100%;height:auto" stroke="currentColor" fill="none">\n'
        '<title id="growth-title">How the cost of exact odds grows</title>\n'
        '<desc id="growth-desc">Time by size, on logarithmic axes. The table has the numbers.</desc>\n'
        "<style>.growth text{stroke:none;fill:currentColor;font:12px sans-serif}</style>\n"
        f'<g class="growth">{"".join(parts)}</g>\n</svg>'
    )


def main(arguments: Iterable[str]) -> None:
    """Run the parts named in the arguments, ``rows``, ``games``, ``sampling`` or ``growth``; all without arguments."""
    peers = environment()
    pythons: dict[str, Path | str] = {"dicedocs": sys.executable, "icepool": peers, "dyce": peers}
    parts = set(arguments)
    if not parts or "growth" in parts:
        grow(sys.executable)
    if not parts or "sampling" in parts:
        sample(pythons)
    if not parts or "rows" in parts:
        compare(pythons)
    if not parts or "games" in parts:
        compare_games(pythons)


if __name__ == "__main__":
    main(sys.argv[1:])
