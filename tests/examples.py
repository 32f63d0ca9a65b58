"""How many examples hypothesis draws: in CI as many as found what was wrong, after each change a fifth."""

import os


def many(number: int) -> int:
    """Return so many in CI, and a fifth elsewhere."""
    return number if os.environ.get("CI") else number // 5
