"""The time of ``import dicedocs``, beyond that of a bare Python and of the standard library modules it needs."""

from __future__ import annotations

import subprocess
import sys
import time

from measured import Table, publish

ROUNDS = 25
NEW_MODULES = (
    "import sys; before = set(sys.modules); import dicedocs; print(*[m for m in sys.modules if m not in before])"
)


def milliseconds(code: str) -> float:
    """Return the minimum wall time of a process that runs a line of Python."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", code], check=True)
        best = min(best, time.perf_counter() - start)
    return best * 1000


def main() -> None:
    """Measure and publish the table."""
    done = subprocess.run([sys.executable, "-I", "-c", NEW_MODULES], check=True, capture_output=True, text=True)
    library = [name for name in done.stdout.split() if not name.startswith("dicedocs")]
    bare = milliseconds("pass")
    needed = milliseconds(f"import {', '.join(library)}") - bare
    ours = milliseconds("import dicedocs") - bare
    table = Table("import", "ms over a bare Python")
    table.row("the modules of the standard library that dicedocs needs", f"{needed:.1f}")
    table.row("`dicedocs`, with them", f"{ours:.1f}")
    table.row("`dicedocs` alone", f"{ours - needed:.1f}")
    publish("importing", table)


if __name__ == "__main__":
    main()
