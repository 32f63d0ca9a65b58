"""A seed shows the same faces for ever: recorded streams, and a second implementation of the generator.

The second way is MT19937 as its authors published it (Matsumoto and Nishimura, 1998; ``init_by_array``, 2002),
seeded as Python's documentation and ``random.py`` have it: a whole number by its 32-bit words, text by its bytes
followed by their SHA-512. The file was written from it: ``python tests/core/test_golden_streams.py``.
"""

import hashlib
import json
from itertools import islice
from pathlib import Path

from dicedocs import SeededDice

from ..every import every

GOLDEN = Path(__file__).with_name("golden_streams.json")
SEEDS = [
    0,
    1,
    7,
    2**31,
    2**32 - 1,
    2**32,
    2**64 + 1,
    10**40,
    -1,
    -3,
    -(2**40),
    "3",
    "theron",
    "Renna looses a Power Shot",
    " padded ",
    "3.5",
    "",
    "Königin Ælfgyð",
    "北の竜",
    "🎲🎲",
]
TABLE_DICE = [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 100, 1000]
ROUND_POWERS = [side for power in range(2, 10) for side in (2**power - 1, 2**power, 2**power + 1)]
SIDES = list(islice((side for some in range(40) for side in (*TABLE_DICE, *ROUND_POWERS, 999 - 13 * some)), 200))


class Twister:
    """MT19937 with 32-bit words."""

    def __init__(self, key):
        state = [19650218]
        for i in range(1, 624):
            state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
        i, j = 1, 0
        for _ in range(max(624, len(key))):
            state[i] = ((state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xFFFFFFFF
            i, j = i + 1, (j + 1) % len(key)
            if i == 624:
                state[0], i = state[623], 1
        for _ in range(623):
            state[i] = ((state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * 1566083941)) - i) & 0xFFFFFFFF
            i += 1
            if i == 624:
                state[0], i = state[623], 1
        state[0] = 0x80000000
        self.state = state
        self.at = 624

    def word(self):
        if self.at == 624:
            state = self.state
            for k in range(624):
                mixed = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7FFFFFFF)
                state[k] = state[(k + 397) % 624] ^ (mixed >> 1) ^ (0x9908B0DF if mixed & 1 else 0)
            self.at = 0
        word = self.state[self.at]
        self.at += 1
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        return word ^ (word >> 18)


def words(number):
    """The 32-bit words of a whole number, the lowest first; 0 has one."""
    found = [number & 0xFFFFFFFF]
    while number := number >> 32:
        found.append(number & 0xFFFFFFFF)
    return found


def twister(seed):
    """The generator of a seed; a negative number is seeded by its text, since -3 must differ from 3."""
    if isinstance(seed, str) and seed.removeprefix("-").isdecimal():
        seed = int(seed)
    if isinstance(seed, int) and seed >= 0:
        return Twister(words(seed))
    text = str(seed).encode("utf-8")
    return Twister(words(int.from_bytes(text + hashlib.sha512(text).digest(), "big")))


def faces(seed):
    """A face for each of SIDES, by rejection sampling of the high bits."""
    source = twister(seed)
    thrown = []
    for sides in SIDES:
        width = len(f"{sides - 1:b}") if sides > 1 else 0
        while (face := source.word() >> (32 - width)) >= sides:
            pass
        thrown.append(face + 1)
    return thrown


def golden():
    return json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_second_implementation_gives_the_published_numbers():
    source = Twister([0x123, 0x234, 0x345, 0x456])
    published = [1067595299, 955945823, 477289528, 4107218783, 4228976476]  # mt19937ar.out
    assert [source.word() for _ in published] == published


def test_the_streams_cover_all_kinds_of_seeds_and_dice():
    streams = golden()
    assert [stream["seed"] for stream in streams["streams"]] == SEEDS
    assert len(SEEDS) == 20
    assert streams["sides"] == SIDES
    assert (len(SIDES), min(SIDES), max(SIDES)) == (200, 2, 1000)
    assert all(len(stream["faces"]) == 200 for stream in streams["streams"])


@every("stream", golden()["streams"] if GOLDEN.exists() else [], ids=lambda s: repr(s["seed"]))
def test_a_seed_gives_its_recorded_stream(stream):
    assert list(SeededDice(stream["seed"]).each(*SIDES)) == stream["faces"]


@every("seed", SEEDS, ids=repr)
def test_the_second_implementation_gives_the_same_stream(seed):
    assert next(stream["faces"] for stream in golden()["streams"] if stream["seed"] == seed) == faces(seed)


def test_only_seeds_of_the_same_number_have_the_same_stream():
    streams = {tuple(stream["faces"]) for stream in golden()["streams"]}
    assert len(streams) == len(SEEDS)


def main():
    streams = [json.dumps({"seed": seed, "faces": faces(seed)}) for seed in SEEDS]
    joined = ",\n".join(f"  {stream}" for stream in streams)
    GOLDEN.write_text(f'{{"sides": {json.dumps(SIDES)},\n "streams": [\n{joined}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
