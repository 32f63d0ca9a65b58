"""What a player chooses, in rules of a page and in examples, which show it as a choice."""

import json
import re
from fractions import Fraction
from functools import cache, reduce
from html import unescape
from itertools import combinations, product

import pytest

from ..pig import turn_of_pig
from .conftest import Book
from .test_reroll import ON, write_rolling

PIG = f"""
```{{dice:mechanic}} pig/turn
{turn_of_pig(12)}```
"""
EXAMPLE = """
```{{dice:example}} A turn
:name: turn
:mechanic: pig/turn
:again: {again}
:dice: {dice}
:expect: score={score}

You come to {{dice:fact}}`score`, with {{dice:fact}}`again`.
```
"""
ODDS = """
```{{dice:table}} When to stop
:mechanic: pig/turn
:vary: again={ways}
:show: score >= 1
```

```{{dice:claim}}
:mechanic: pig/turn
:claim: mean(score | again=yes if score < 6, else no) = {mean}, mean(score | again=no) = 20/6
```
"""
WAYS = "yes if score < 4, else no; yes if score < 6, else no"


@cache
def mean(stop: int, score: int = 0) -> Fraction:
    """The mean of a turn that stops at a score."""
    if score >= stop:
        return Fraction(score)
    return sum((mean(stop, score + face) for face in range(2, 7)), Fraction(0)) / 6


def kept(stop: int, score: int = 0) -> float:
    """How often a turn that stops at a score is not lost."""
    return 1.0 if score >= stop else sum(kept(stop, score + face) for face in range(2, 7)) / 6


def build(book: Book, again: str, dice: str = "4 3", score: int = 7, more: str = ""):
    book.page(PIG + EXAMPLE.format(again=again, dice=dice, score=score) + more, "index.md")
    return book.build("html")


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.parametrize("again", ["yes, no", "yes if score < 7, else no"])
def test_an_example_says_what_was_chosen(book: Book, again: str) -> None:
    built = build(book, again)
    assert built.log == ""
    page = text_of(built.read("index.html"))
    assert f"Choice: Again {again}" in page
    assert "Again: yes (the player's choice)" in page
    assert "Again: no (the player's choice)" in page
    assert f'again="{again}"' in book.build("doctest").doctree()[0][-1][-1]["test"]


def test_what_is_left_over_too_short_or_nothing_is_an_error_at_the_option(book: Book) -> None:
    for again, message in [
        ("yes", "turn: dice: die: die 3 is a d6, and 2 faces are given"),
        ("yes, no, no", "turn: again: 'again' is asked only 2 times, and 3 ways are given; give one for each time"),
        ("no", "turn: dice: 2 faces are given, and 1 thrown"),
        ("yes, no, yes if score", "turn: expected an operator"),
        ("open", "turn: again: 'again' is the player's choice: yes or no; write yes or no, or when:"),
        ("maybe", "turn: again: 'maybe' is not a way of 'again'; write yes or no, or when: no if ..., else yes"),
        ("yes if scor < 7, else no", "turn: again: nothing is called 'scor'"),
    ]:
        [warning] = build(book, again).warnings
        assert warning.text.startswith(message), warning.text
        assert warning.line == (19 if ": dice:" in message else 18), warning


def test_tables_and_claims_are_of_a_fixed_way(book: Book) -> None:
    built = build(book, "yes, no", more=ODDS.format(ways=WAYS, mean=mean(6)))
    assert built.log == ""
    page = text_of(built.read("index.html"))
    for stop in (4, 6):
        assert f"{kept(stop):.1%}" in page


@pytest.mark.parametrize(
    ("ways", "message"),
    [
        ("no open", "'again' is the player's choice: yes or no; write yes or no, or when:"),
        ("no open", "; for best play add :best: p(...) or :best: mean(...)"),
        ("yes if score < 4", "expected 'else', found the end (line 1, column 17); write yes if score < 4, else no"),
        ("yes, no, stop", "'stop' is not a way of 'again'; write yes or no, or when: no if ..., else yes"),
    ],
)
def test_odds_say_what_to_write_for_a_way(book: Book, ways: str, message: str) -> None:
    warnings = build(book, "yes, no", more=ODDS.format(ways=ways, mean=mean(6))).warnings
    assert message in warnings[0].text


BEST = """
```{dice:table} Not to lose it all
:mechanic: pig/turn
:best: p(score at least 1)
:vary: again=no; yes if score < 6, else no; best
:show: score >= 1
:expect: score: 83.3% SAFE 83.3%
```

```{dice:table} The way
:mechanic: pig/turn
:best: mean(score)
:rows: again=no best
:show: average
:expect: no: 3.33; best play: MOST
```

```{dice:odds} Holding
:mechanic: pig/turn
:best: p(score at least 1)
:expect: mean = 20/6, mean(score | again=yes if score < 6, else no) = SIX
```

```{dice:claim} At six
:name: at-six
:mechanic: pig/turn
:best: mean(score)
:claim: mean(score) = EXACT, mean(score | again=yes if score < 6, else no) < mean(score)

Best play is worth {dice:fact}`mean(score)`, {dice:fact}`mean(score | again=best)`.
```
"""


@cache
def best(score: int = 0) -> Fraction:
    """The mean of a turn that is played for it, and stops at 12."""
    thrown = sum((best(score + face) for face in range(2, 7)), Fraction(0)) / 6 if score < 12 else Fraction(0)
    return max(Fraction(score), thrown)


def best_page() -> str:
    shown = {"SAFE": f"{kept(6):.1%}", "MOST": f"{float(best()):.2f}", "SIX": str(mean(6)), "EXACT": str(best())}
    return reduce(lambda page, name: page.replace(name, shown[name]), shown, BEST)


def test_tables_charts_and_claims_are_of_best_play(book: Book) -> None:
    built = build(book, "yes, no", more=best_page())
    assert built.log == ""
    page = text_of(built.read("index.html"))
    most = f"{float(best()):.2f}"
    assert f"Best play is worth {most} , {most} ." in page
    assert re.search(r"Again no yes if score < 6, else no best play", page)
    assert "5 tests\n    0 failures" in book.build("doctest").read("output.txt")


TIED = """
```{dice:mechanic} road/push

pool = 2d6
sixes = count(pool = 6)
ones = count(pool = 1)
push = choose(no, yes)
more = 2 - sixes - ones if push, else 0
again = [more]d6
success = sixes + count(again = 6) > 0
hurt = ones + count(again = 1) if push, else 0
```

```{dice:table} Wounds
:mechanic: road/push
:best: p(success)
:fact: hurt sixes
:vary: push=yes best
:show: at least 1
```

```{dice:table} All wounds
:mechanic: road/push
:best: p(success)
:fact: hurt
```

```{dice:odds} Successes
:name: successes
:mechanic: road/push
:best: p(success)
:fact: success
:expect: p(success) > 0

{dice:fact}`mean(hurt)`
```

```{dice:odds} Wounds again
:mechanic: road/push
:best: p(success)
:fact: hurt
:vary: push=yes best
```

```{dice:claim}
:mechanic: road/push
:best: p(success)
:claim: mean(hurt | push=yes) < 1, mean(hurt) < 1
```
"""


def hurt_by(policy: set[tuple[int, int]]) -> tuple[Fraction, list[int]]:
    """How often two dice succeed that are pushed with so many sixes and ones, and how often they hurt so much."""
    success, hurt = 0, [0, 0, 0]
    for first in product(range(1, 7), repeat=2):
        for again in product(range(1, 7), repeat=2):
            sixes, ones = first.count(6), first.count(1)
            more = again[: 2 - sixes - ones] if (sixes, ones) in policy else ()
            success += 6 in first or 6 in more
            hurt[ones + more.count(1) if (sixes, ones) in policy else 0] += 1
    return Fraction(success, 6**4), hurt


def test_a_page_says_what_depends_on_how_ties_are_broken(book: Book) -> None:
    seen = sorted({(dice.count(6), dice.count(1)) for dice in product(range(1, 7), repeat=2)})
    played = [hurt_by({*policy}) for count in range(7) for policy in combinations(seen, count)]
    most = max(success for success, _ in played)
    hurt = [counts for success, counts in played if success == most]
    wounded = sorted(1 - counts[0] / 6**4 for counts in hurt)
    mean = sorted((counts[1] + 2 * counts[2]) / 6**4 for counts in hurt)
    book.page(TIED, "index.md")
    built = book.build("html")
    broken = "depending on how ties are broken"
    bounds = f"{mean[0]:.2f} to {mean[-1]:.2f}"
    page = built.read("index.html")
    assert re.findall('<p class="dice-note">(?:<span>)?([^<]* ties [^<]*)<', page) == [
        f"Hurt, Push best play: {wounded[0]:.1%} to {wounded[-1]:.1%}, {broken}.",
        f"Average: {bounds}, {broken}.",
        f"Push best play, Average: {bounds}, {broken}.",
    ]
    claim, fact = built.warnings
    refused = f"mean(hurt) is {bounds}, {broken}; write best: p(success), -mean(hurt) or best: p(success), mean(hurt)"
    assert refused in claim.text
    assert refused in fact.text
    assert f"Average: {bounds}, {broken}." in " ".join(book.build("text").read("index.txt").split())


def test_what_is_played_for_is_refused_at_its_line(book: Book) -> None:
    more = """
```{{dice:claim}}
:mechanic: {mechanic}
:best: {best}
:claim: mean({fact}) = 3
```
"""
    for mechanic, best, fact, message in [
        ("pig/turn", "median(score)", "score", "claim-1: best: best play is for p(...) or mean(...), not for median"),
        ("pig/turn", "mean(scores)", "score", "claim-1: best: there is no fact 'scores'; did you mean 'score'?"),
        ("pig/turn", "mean(score", "score", "claim-1: best: this parenthesis is not closed"),
        ("pig/turn", "", "score", "claim-1: nothing is played for; write it like best: p(success), -mean(hurt)"),
        ("dice/roll", "mean(total)", "total", "claim-1: best: nothing is chosen in this mechanic; leave out best"),
    ]:
        claim = more.format(mechanic=mechanic, best=best, fact=fact)
        claim = claim.replace(":best:", ":notation: 1d6\n:best:") if mechanic == "dice/roll" else claim
        [warning] = build(book, "yes, no", more=claim).warnings
        assert warning.text.startswith(message), warning.text
        assert warning.line == 27 + (mechanic == "dice/roll"), warning


def test_a_choice_before_which_no_die_is_thrown_can_be_rolled(book: Book) -> None:
    rule = "push = choose(yes, no)\nmore = 1 if push, else 0\npool = [more]d6\ntotal = pool\n"
    example = ":mechanic: road/push\n:push: no\n:expect: total=0\n"
    write_rolling(book)
    odds = ":mechanic: road/push\n:best: mean(total)\n"
    blocks = {"mechanic": f"road/push\n\n{rule}", "example": f"A push\n{example}", "odds": f"What it is worth\n{odds}"}
    book.page("\n".join(f"```{{dice:{kind}}} {block}```\n" for kind, block in blocks.items()), "rules.md")
    data = re.findall('data-dice="([^"]*)"', book.build("html", **ON).read("rules.html"))
    played = [json.loads(unescape(each)) for each in data]
    assert [each["chance"] for each in played] == [True, True, False]
    # Whoever opens the chart has its odds.
    assert [each["example"]["best"] for each in played] == ["", "", "mean(total)"]


def test_a_player_of_a_game_in_python(book: Book) -> None:
    book.write(
        "cliff.py",
        """
        from dicedocs import Decision, Dice, Mechanic, Outcome, Say, param

        class Climb(Mechanic, id="cliff/ascent"):
            push: Decision = param(label="Push yourself")

            class Result(Outcome):
                total: int

            def resolve(self, dice: Dice, say: Say) -> Result:
                die = dice.roll(6)
                return self.Result(say.sum("Total", die, push=2 * dice.choose(self.push, die=die)))
        """,
    )
    book.write("conf.py", "dicedocs_games = {'cliff': 'cliff'}\n")
    example = (
        EXAMPLE.replace("pig/turn", "cliff/ascent").replace(", with {{dice:fact}}`again`", "").replace("score", "total")
    )
    book.page(
        example.format(again="x", dice="4", score=6, total=6).replace(":again: x", ":push: yes if die < 5, else no"),
        "index.md",
    )
    built = book.build("html")
    assert built.log == ""
    assert "Choice: Push yourself yes if die < 5, else no" in text_of(built.read("index.html"))
