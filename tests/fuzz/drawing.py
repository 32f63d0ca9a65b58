"""Hostile values and texts, drawn from a seeded source, and written down as plain data so that each can be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from .. import hostile
from ..hostile import CONTROLS, INLINE, JSON, MARKUP, SURROGATE

Text = list[Any]
"""A text as parts and how often each is repeated: a million letters are one line in a report."""

VALUES: Final = hostile.VALUES | {"10**5": lambda: 10**5, "long list": lambda: [1] * 10**6}
"""Values of any type, by name; the last two take seconds where they are right."""
LETTERS: Final = [
    *(*CONTROLS.values(), SURROGATE, *MARKUP, *INLINE),
    *("\x7f", "\x85", "\u200b", "\u202e", "\u2028", "\ufeff", "\ufffe", "\U0010ffff"),
    *("é", "е", "²", "٣", "३", "½", "Ⅷ", "×", "−", "≥", "　", "🎲", "ﬁ", "ẞ", "İ"),
    *("</style>", "%s", "{0}", "#", "$", "_", ":::", "..", "::", "\t", "\r", "\n", "\r\n", "  ", ";"),
]
"""Characters and markup that mean something somewhere."""
NOTATION: Final = [
    *("1d6", "3d6", "2d20", "d%", "0d6", "1d0", "1d100000", "1d1000000", "10000d20", "10001d6", "1d1000001", "1d1"),
    *(
        "+",
        "-",
        "*",
        "/",
        "(",
        ")",
        "[",
        "]",
        "[Strength]",
        "[Target Defense]",
        "[x]",
        ">=",
        "<",
        "==",
        "!=",
        "><",
        "=",
        "!",
    ),
    *("0", "1", "7", "999999999999", "1000000000000", "1.5", "1e9", "-1", " ", "kh1", "d", "dd", "a", "min(", ","),
    *(
        "kl",
        "dh2",
        "d1",
        "k>3",
        "p1",
        "!",
        "!!",
        "!p",
        "!>=2",
        "x3",
        "r",
        "ro<3",
        "u",
        "uo",
        "mi2",
        "max5",
        ">=4",
        "f1",
    ),
    *("cs", "cf<2", "s", "sd", "dF", "4dF.1", "d66", "d{-,hit,2}", "{", "}", "%", "**", "^", "floor(", "ceil("),
    *("[fire]", " fire", "#", "//", "/*", "*/", "(1d4)d", "d(1d6)"),
]
"""Tokens of the notation, and of what people take for it."""
MODIFIERS: Final = (
    *("kh1", "kl2", "dh1", "dl1", "k>2", "p1", "r1", "ro<3", "mi2", "ma3", "u", "uo", "!", "!!", "!p", "!!p", "!>=2"),
    *("!x3", "!!>=2x1000", "!x999999999999", ">=3", ">=3f1", "cs>2", "cf", "s", "kh5000"),
)
"""Modifiers of dice."""
WORDS: Final = [
    *(
        "total",
        "raw",
        "mean",
        "median",
        "p",
        "at least",
        "at most",
        "between 3 and 5",
        " or ",
        " given ",
        "=",
        "()",
        "(",
        ")",
        ",",
        "%",
        "1/3",
    ),
    *(
        ">=",
        "<=",
        "1",
        "11",
        "999999999999999",
        "10.5%",
        "about",
        "vs",
        "true",
        "x",
        "success",
        "dice",
        "-",
        "to",
        "..",
        "in",
    ),
]
"""Words of claims, events and expected facts."""
SCENE: Final = [
    *("vault", "heat", "vault.full", "arlyn", "arlyn.Stress", "arlyn.Position", "nails-the-cat.Harm", "target.Heat"),
    *("left", "success", "first.left", "first.", "second.success", '"', ' "risky"', "2", "0 of 9", "true", "."),
    *(" += ", " -= ", " = ", "; ", " at least ", " not ", " > ", " + ", " * ", "(", ")", " " * 30),
]
"""What stands in changes and conditions of a scene, and what people take for it."""


KEYS: Final = [
    *(
        "1",
        "2-3",
        "4–5",
        "6+",
        "7-",
        "00",
        "01–05",
        "96-00",
        "-3 to -1",
        "2, 12",
        "below 0",
        "10 or more",
        "3–1",
        "1,000",
    ),
    *("–", "−", "…", " to ", "+", " or ", "less", "999999999999", "0", "", "^id", "×", "attack"),
]
"""What stands in the first column of a table, and what people take for it."""
HEADS: Final = [
    *("d6", "1d6", "2d6", "d66", "d666", "d%", "d100", "d6 + danger", "attack × armour", "attack \\ armour", "d6 × d6"),
    *(
        "Roll (d6)",
        "d1000000",
        "10000d20",
        "Roll",
        "",
        "1",
        "2",
        "dice",
        "roll",
        "Weather",
        "Weather (avg.)",
        "__class__",
    ),
]
"""The heads of a table."""
CELLS: Final = [
    *(
        "Storm",
        "2d6 knots",
        "[table]",
        "[other]",
        "[othr]",
        "1d6 and 2d4",
        "d6×100",
        "3",
        "−1",
        "",
        "none",
        "10000d20!",
    ),
    *("[", "]", "0d6", "1d0", "d1000000", "d66", "999999999999d2", " rats", "[other][other]", "(1d4+1)"),
]
"""What stands in the other cells."""
RULES: Final = [
    *("pool", "total", "stat", "mood", "favor", "points", "x", "yes", "no", '"calm"', "“wild”", '"', "“", "__class__"),
    *(" if ", " else ", ", else ", " and ", " or ", "not ", "repeat ", " until ", " times", "up to ", ":", " = ", "="),
    *("count(", "highest(", "lowest(", "matches(", "sides(", "roll(", "max(", "sum(", ")", "(", ", ", ">=", "<", "?"),
    *("6- miss", "7-9 weak hit", "10+ hit", "1-", "+", "d", "4d6", "[x]d[stat]", "(pool)d(stat)", "poolkh1", "then "),
]
"""What stands in the lines of a rule, and what people take for it."""
LONG: Final = [
    *("1d6 = 1 or ", "not ", "((", "1d6 + ", "1 if 1d6 = 2, ", "count(pool = 1) + ", "1 < ", "-", "1d6 * "),
]
"""What a line may begin with many times."""
NUMBERS: Final = [
    *range(-2, 13),
    20,
    50,
    100,
    999,
    1000,
    1001,
    10_000,
    30_000,
    10**5,
    10**6,
    10**7,
    10**9,
    10**12 - 1,
    10**12,
    10**40,
]
"""Numbers of every size."""


def expression(random: Random, depth: int = 2, *, modified: bool = False) -> str:
    """Draw notation that has no mistake but its size.

    Parameters:
        modified: whether dice have modifiers, and there are sets, functions and computed dice.
    """
    draw = random.random()
    if depth and draw < 0.5:
        left, right = (expression(random, depth - 1, modified=modified) for _ in range(2))
        if modified and draw < 0.15:
            form = random.choice(
                ["{{{}, {}}}kh1", "max({}, {})", "({})d({})", "({}) ** ({})", "{{{}, {}}}>=3", "({}) % ({})"]
            )
            return form.format(left, right)
        return f"{left} {random.choice('++-**/')} {right}"
    if depth and draw < 0.65:
        return f"({expression(random, depth - 1, modified=modified)})"
    if draw < 0.85:
        count, sides = random.choice(NUMBERS[3:]), random.choice(NUMBERS[3:])
        modifiers = random.sample(MODIFIERS, random.choice([0, 0, 1, 1, 2])) if modified else ()
        return f"{count}d{sides}{''.join(modifiers)}"
    return random.choice(["[Strength]", "[Target Defense]", str(random.choice(NUMBERS[2:]))])


class RuleDrawing:
    """Draws the lines of a rule, most of which make sense.

    Parameters:
        random: what draws.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.numbers, self.pools, self.words = ["stat"], ["pool"], ["mood"]
        self._given = 0

    def lines(self) -> list[Text]:
        """Return the lines, each a text."""
        lines: list[Text] = [[["pool = 4d6", 1]]]
        for _ in range(self.random.choice([1, 2, 2, 3, 5, 9])):
            lines += self._line()
        return lines

    def _name(self, known: list[str]) -> str:
        self._given += 1
        known.append(f"v{self._given}")
        return known[-1]

    def _line(self) -> list[Text]:
        random, draw = self.random, self.random.random()
        if draw < 0.04:
            return [[[random.choice(["repeat ", "total = ", ""]), 1], *text(random, [*RULES, *NOTATION])]]
        if draw < 0.08:
            often = random.choice([8, 30, 90, 1000])
            value = self.number(1)
            return [[[f"{self._name(self.numbers)} = ", 1], [random.choice(LONG), often], [value, 1]]]
        if draw < 0.2:
            modifiers = "".join(random.sample(MODIFIERS, random.choice([0, 0, 1, 2])))
            count, sides = random.choice([1, 2, 3, 6, 10, "[stat]"]), random.choice([2, 6, 20, "F", "%", "{-,hit,2}"])
            dice = random.choice([f"{count}d{sides}{modifiers}", f"{random.choice(self.pools)} + 2d6", "roll(traits)"])
            return [[[f"{self._name(self.pools)} = {dice}", 1]]]
        if draw < 0.35:
            value, other, truth = self.number(1), self.number(1), self.truth(1)
            name, ends = self._name(self.numbers), random.choice(["", f" until {truth}"])
            often = random.choice(["3 times", "up to 5 times", "10000 times", f"{other} times", ""])
            body = f"  {name} = {random.choice([name, '0'])} + {value}"
            return [[[f"{name} = 0", 1]], [[f"repeat {often}{ends}", 1]], [[body, 1]]]
        if draw < 0.45:
            subject = self.number(1)
            often = random.choice([1, 30])
            rows: Text = [["1- calm, ", 1], ["2 hit, ", often], ["3+ wild", 1]]
            if random.random() < 0.5:
                rows = [["6- miss, 7-9 weak hit, 10+ hit", 1]]
            return [[[f"{self._name(self.words)} = {subject}: ", 1], *rows]]
        if draw < 0.6:
            value = f'"calm" if {self.truth()}, "hit" if {self.truth(1)}, else "wild"'
            return [[[f"{self._name(self.words)} = {value}", 1]]]
        value = self.number() if random.random() < 0.7 else self.truth()
        return [[[f"{self._name(self.numbers)} = {value}", 1]]]

    def number(self, depth: int = 2) -> str:
        """Return a value that is a number, or here and there something else."""
        random = self.random
        if random.random() < 0.02:
            return random.choice([*RULES, *self.words, *self.pools, "__class__"])
        pool = random.choice(self.pools)
        if not depth or random.random() < 0.3:
            number = random.choice([*range(9), random.choice(NUMBERS[2:])])
            known = random.choice(self.numbers)
            return str(random.choice([number, known, known, f"{random.choice([1, 2, 3])}d{random.choice([4, 6, 20])}"]))
        one, other, truth = self.number(depth - 1), self.number(depth - 1), self.truth(depth - 1)
        forms = [
            "{one} {sign} {other}",
            "{one} {sign} {other}",
            "({one} {sign} {other})",
            "{one} if {truth}, else {other}",
        ]
        forms += ["max({one}, {other})", "abs({one})", "({one})d6", "count({pool} >= {one})", "count({pool})"]
        forms += ["highest({pool})", "lowest({pool}, 2)", "matches({pool})", "({pool})kh2", "{pool}", "sides({pool})"]
        sign = random.choice("++-*/%")
        return random.choice(forms).format(one=one, other=other, truth=truth, pool=pool, sign=sign)

    def truth(self, depth: int = 2) -> str:
        """Return a value that is yes or no."""
        random = self.random
        if not depth or random.random() < 0.6:
            sign = random.choice([">=", "<", "=", "!="])
            words = f"{random.choice(self.words)} = {random.choice(['calm', 'hit', 'weak hit'])}"
            return random.choice([words, *[f"{self.number(0)} {sign} {self.number(0)}"] * 3])
        one, other = self.truth(depth - 1), self.truth(depth - 1)
        return random.choice([f"{one} and {other}", f"({one} or {other})", f"not {one}", f"1 < {self.number(0)} <= 5"])


def text(random: Random, tokens: Sequence[str]) -> Text:
    """Draw a text: tokens and hostile letters, sometimes repeated very often."""
    parts: Text = []
    for _ in range(random.choice([1, 2, 3, 3, 5, 8])):
        part = random.choice(LETTERS if random.random() < 0.15 else tokens)
        parts.append([part, random.choice([60, 1000, 30_000]) if random.random() < 0.03 else 1])
    if random.random() < 0.1:
        parts.append([" ", 1])
    return parts


def written(parts: Text) -> str:
    """Return the text that was drawn."""
    return "".join(part * times for part, times in parts)


def value(random: Random) -> str:
    """Draw the name of a hostile value."""
    return random.choice(list(VALUES))


def json_value(random: Random, words: Sequence[str], depth: int = 3) -> Any:
    """Draw what JSON can hold."""
    draw = random.random()
    if depth and draw < 0.2:
        return [json_value(random, words, depth - 1) for _ in range(random.randrange(4))]
    if depth and draw < 0.4:
        return {random.choice(words): json_value(random, words, depth - 1) for _ in range(random.randrange(4))}
    if draw < 0.7:
        return random.choice(words)
    return random.choice([*JSON, False, 1, 3, 10**6, 10**12])
