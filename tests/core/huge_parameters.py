"""Plays every mechanic with huge values, within a limit of memory; the test of parameters runs it in a process.

It prints the name of each play before it begins, so that the last one is the one that does not end.
"""

import itertools
import resource
import sys
import time
from pathlib import Path

import ember.rules  # noqa: F401  # registers its mechanics
from dicedocs import DiceError, SeededDice
from dicedocs.render.html import outcome_html
from dicedocs.render.latex import outcome_latex
from dicedocs.rules.registry import mechanic, mechanics

MEMORY = 500 * 2**20
"""The bytes that all plays together may take above what the process has at the start."""
SECONDS = 5
"""The time for one play; it takes less than one on an idle machine."""

LONG_NAMES = {"x" * 5_000 + str(number): number for number in range(1_000)}

HUGE = {
    "10^3": lambda: 1_000,
    "10^4": lambda: 10_000,
    "10^6": lambda: 10**6,
    "10^7": lambda: 10**7,
    "10^12 - 1": lambda: 10**12 - 1,
    "10^12": lambda: 10**12,
    "10^100": lambda: 10**100,
    "-10^7": lambda: -(10**7),
    "-10^100": lambda: -(10**100),
    "10^7 as text": lambda: "9999999",
    "10^12 as text": lambda: "999999999999",
    "many dice": lambda: "999999999999d12",
    "1,000 dice": lambda: "999d12",
    "10,000 dice": lambda: "10000d12",
    "10,000 letters": lambda: "x" * 10_000,
    "10,000 words": lambda: "1 " * 5_000,
    "10^6 letters": lambda: "x" * 10**6,
    "10^6 words": lambda: "1 " * 500_000,
    "10,000 rows": lambda: "A: skill 1; " * 800,
    "1,000 resources": lambda: {f"R{number}": number for number in range(1_000)},
    "1,000 long resources": LONG_NAMES.copy,
    "1,000 faces": lambda: [1 + index * 7919 % 6 for index in range(1_000)],
    "1,000 character dice": lambda: [12] * 1_000,
    "1,000 positions": lambda: range(1, 1_001),
    "10^5 faces": lambda: [1] * 10**5,
    "a long range": lambda: range(10**12),
    "numbers without end": itertools.count,
    "texts without end": lambda: itertools.repeat("10"),
    "records without end": lambda: itertools.repeat(("A", 1)),
    "lists without end": lambda: itertools.repeat([1]),
}


def memory():
    """The bytes of address space that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def tell(line):
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def played(rule, parameters):
    """Play a rule and show the outcome in every form."""
    outcome = rule(**parameters).play(SeededDice(1))
    html, latex = outcome_html(outcome, chosen=True), outcome_latex(outcome, chosen=True)
    return len(str(outcome)) + len(html) + len(latex) + len(outcome.to_json())


def main():
    rules = {id: mechanic(id) for id in mechanics()}
    assert {"dungeoneers/fresh-pool", "ember/haul"} <= rules.keys()
    for rule in rules.values():
        rule.example().play(SeededDice(1)).to_html()
    start = memory()
    resource.setrlimit(resource.RLIMIT_AS, (start + MEMORY, start + MEMORY))
    slowest = 0.0
    for id, rule in rules.items():
        fields = rule.parameters()
        needed = {name: field.example for name, field in fields.items() if field.required}
        examples = [{name: field.example for name, field in fields.items()}, needed]
        # A pool of the largest size, beside which the other parameters are huge.
        if "pool" in fields:
            largest = "999d12" if id == "mecha-vs-kaiju/action" else [1 + index * 7919 % 6 for index in range(1_000)]
            examples.append({**needed, "pool": largest})
        for name, (kind, make), example in itertools.product(fields, HUGE.items(), examples):
            tell(f"{id}, {name}: {kind}")
            before = time.perf_counter()
            try:
                size = played(rule, {**example, name: make()})
            except DiceError as error:
                size = len(str(error))
            seconds = time.perf_counter() - before
            slowest = max(slowest, seconds)
            assert seconds < SECONDS, f"{seconds:.1f} s"
            assert size < 5_000_000, f"{size} characters"
    tell(f"the slowest took {slowest:.2f} s; {(memory() - start) / 2**20:.0f} MB")
    tell("all ended")


if __name__ == "__main__":
    main()
