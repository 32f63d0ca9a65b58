"""Common mistakes in questions about dice: ``count pool >= 8``, ``pool has a 6``, ``pool.highest``."""

from __future__ import annotations

from typing import Final

from dicedocs.syntax.mistakes import Groups, Mistake, Row
from dicedocs.syntax.notation_mistakes import ACTION, chosen_dice

COUNTED: Final = "dice are counted by a question"


def _chosen_of(groups: Groups) -> str:
    """Return some of the dice that have a name: ``(pool)dl1``."""
    action = groups["action"] or "drop"
    return chosen_dice({**groups, "dice": f"({groups['pool']})", "action": action})


# fmt: off
QUESTIONS: Final[tuple[Row, ...]] = (
    Mistake(
        "operand", "", r"(?ai:any|all|each|every|some|none|no)\b",
        COUNTED, "write it as in count(pool >= 8), which is >= 1 for any, = count(pool) for all",
    ),
    Mistake(
        "operand", "", r"(?ai:count|number\s+of)\s+(?P<pool>[^\W\d_][\w ]*?)\s*(?P<test>[<>=!]+\s*\w+)",
        "", "write count(pool >= 8)", "count({pool} {test})",
    ),
    Mistake(
        "", r"(?P<number>[0-9]+)\s*(?:\bis\s+)?", r"in\s+(?P<pool>[^\W\d_][\w ]*)",
        COUNTED, "", "count({pool} = {number}) >= 1",
    ),
    Mistake(
        "operator", r"(?P<pool>[^\W\d_][\w ]*?)\s+",
        r"(?ai:has|have|shows?|contains?|rolls?)\s+(?:an?\s+)?(?P<what>\w+[+]?)",
        COUNTED, "write it as in count(pool = 6) >= 1", "count({pool} is {what}) >= 1",
    ),
    Mistake(
        "", r"(?P<first>count\s*\([^(),]+?)\s*,\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s+", r"if\s+(?P<more>[^()]+)\)",
        "count() takes one question about dice", "write a sum of them", "{first}) {sign} {number} * count({more})",
    ),
    Mistake(
        "operand", r"count\s*\(\s*(?P<pool>[^(),]+?)\s*,\s*(?P<number>[0-9]+)\s*\+\s*", r"\)",
        "", "", "count({pool} >= {number})",
    ),
    Mistake(
        "", r"count\s*\(\s*(?P<number>[0-9]+\+?|)\s*", r"(?P<word>[^\W\d]\w*|)\s*\b(?:in|on|of)\s+(?P<pool>[^()]+)\)",
        "", "", "count({pool} is {number}{word})",
    ),
    Mistake(
        "operand", r"count\s*\(\s*(?P<number>[0-9]+)\s*\+\s*", r"\)",
        "it does not say which dice are counted", "write count(pool >= {number})",
    ),
    Mistake(
        "operand", "",
        r"(?:(?:the\s+)?number\s+of|count|how\s+many)?\s*(?P<number>[0-9]+)s\s+(?:in|of|on)\s+(?P<pool>\w+)",
        "", "", "count({pool} = {number})",
    ),
    Mistake(
        "operand", "", r"(?ai:number\s+of|count|how\s+many|ones|twos|sixes|tens|doubles?|pairs?|triples?)\b",
        COUNTED, "write it as in count(pool = 6), or matches(pool) >= 2 for a pair",
    ),
    Mistake(
        "operand", "", r"(?P<pool>\w+)\.(?P<question>highest|lowest|count|matches|sides)\b(?:\(\))?",
        "", "", "{question}({pool})",
    ),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+",
        rf"(?ai:(?P<without>without)|{ACTION})\s+(?:the\s+)?(?P<end>high|low|best|worst)(?:est)?(?:\s+(?P<number>[0-9]+))?"
        r"(?:\s+(?:die|dice)\b)?", "", "", _chosen_of,
    ),
    Mistake(
        "operand", "", r"(?ai:nat(?:ural)?)\s+(?P<number>[0-9]+)(?!\w)",
        "a die is named, and compared", "write it as in die = {number}",
    ),
    Mistake(
        "operator", r"[0-9]\s+", r"(?ai:ones|twos|threes|fours|fives|sixes|sevens|eights|nines|tens|doubles|pairs)\b",
        COUNTED, "write it as in count(pool = 6) >= 2",
    ),
)
# fmt: on
