"""Chains of states against numbers worked out by hand, and against a plain solution of the linear equations."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import Dice, DiceError, LimitError, Mechanic, Outcome, Say, limits
from dicedocs.probability.chains import Following, NeverEnds, ends, ends_by_round, explore

from ..every import every
from ..examples import many

tried = settings(max_examples=many(60), deadline=None, derandomize=True, database=None)


def follows(**ways):
    """The ways to the states and ends of these names; an end is written ``end_`` and its value."""
    ends = {name[4:]: number for name, number in ways.items() if name.startswith("end_")}
    states = {name: number for name, number in ways.items() if not name.startswith("end_")}
    return Following(ends, states, sum(ways.values()))


def shares(found):
    return {value: Fraction(ways, found.total_ways) for value, ways in found.ways.items()}


def explored(start, follow):
    """What is found, and the progress on the way."""
    edges: dict[object, Following] = {}

    def following(state):
        yield 0.5
        return follow(state)

    return edges, list(explore(start, following, edges))


# By hand


def test_a_chain_without_a_circle():
    edges = {"a": follows(b=1, end_x=2), "b": follows(end_x=1, end_y=3)}
    assert shares(ends("a", edges)) == {"x": Fraction(3, 4), "y": Fraction(1, 4)}
    assert shares(ends_by_round("a", edges)) == {
        (1, "x"): Fraction(2, 3),
        (2, "x"): Fraction(1, 12),
        (2, "y"): Fraction(1, 4),
    }


def test_a_state_that_leads_to_itself():
    # 1/6 + 5/6 * 1/6 + ... : by the ratio of its ends, 1 to 2.
    edges = {"a": follows(a=3, end_x=1, end_y=2)}
    assert shares(ends("a", edges)) == {"x": Fraction(1, 3), "y": Fraction(2, 3)}
    by_round = shares(ends_by_round("a", edges))
    assert all(by_round[n, "x"] == Fraction(1, 6) * Fraction(1, 2) ** (n - 1) for n in range(1, 90))
    assert 0 < 1 - sum(by_round.values()) < Fraction(1, 10**30)


def test_two_circles_in_a_row():
    # a <-> b, then c <-> d: from a it is 1/2 + 1/2 p for b, and so on; each circle ends with the odds of its exits.
    edges = {
        "a": follows(b=1, end_x=1),
        "b": follows(a=1, c=1),
        "c": follows(d=2, end_x=1),
        "d": follows(c=1, end_y=1),
    }
    # The first circle: a is left to x by 1/2 a visit, b to c by 1/2; a is visited 4/3 times, b 2/3: x 2/3, c 1/3.
    # The second: c is visited 3/2 times from c, d once: x 1/2, y 1/2.
    assert shares(ends("a", edges)) == {"x": Fraction(2, 3) + Fraction(1, 6), "y": Fraction(1, 6)}


def test_a_circle_that_is_entered_at_two_places():
    # start leads to a and b alike; a -> b or x, b -> a or y. From a: x = 1/2 + 1/4 x, so 2/3; from b 1/3.
    edges = {"start": follows(a=1, b=1), "a": follows(b=1, end_x=1), "b": follows(a=1, end_y=1)}
    assert shares(ends("start", edges)) == {"x": Fraction(1, 2), "y": Fraction(1, 2)}
    assert shares(ends("a", edges)) == {"x": Fraction(2, 3), "y": Fraction(1, 3)}


@every("solve", [ends, ends_by_round])
@every(
    "edges",
    [
        {"a": follows(a=1)},
        {"a": follows(b=1, end_x=1), "b": follows(c=1), "c": follows(b=1)},
        {"a": follows(b=1), "b": follows(a=1)},
    ],
)
def test_a_circle_without_an_end_is_an_error(solve, edges):
    with pytest.raises(NeverEnds, match="no end follows"):
        solve("a", edges)


@pytest.mark.parametrize("solve", [ends, ends_by_round])
def test_states_that_lead_to_one_another_are_limited(solve):
    def circle(size):
        return {n: Following({"out": 1}, {(n + 1) % size: 1}, 2) for n in range(size)}

    assert shares(ends(0, circle(limits.CHAIN.maximum))) == {"out": 1}
    with pytest.raises(LimitError) as caught:
        solve(0, circle(limits.CHAIN.maximum + 1))
    assert caught.value.limit == "CHAIN"


def test_a_long_chain_takes_no_recursion():
    edges = {n: Following({}, {n + 1: 1}, 1) for n in range(3_000)} | {3_000: Following({"done": 1}, {}, 1)}
    assert shares(ends(0, edges)) == {"done": 1}
    assert explored(0, edges.__getitem__)[0] == edges


def test_what_is_not_followed_is_left_out_of_the_ways():
    assert shares(ends("a", {"a": follows(far=1, end_x=3)})) == {"x": Fraction(3, 4)}
    assert shares(ends_by_round("a", {"a": follows(far=1, end_x=3)})) == {(1, "x"): Fraction(3, 4)}


@pytest.mark.parametrize("solve", [ends, ends_by_round])
def test_a_chain_of_which_no_end_is_followed_is_an_error(solve):
    with pytest.raises(NeverEnds, match="the rule hardly ever ends; make the rule end sooner"):
        solve("a", {"a": follows(a=9, far=1)})


def test_the_rounds_are_limited():
    slow = {"a": Following({"out": 1}, {"a": 999}, 1000)}
    assert shares(ends("a", slow)) == {"out": 1}
    with pytest.raises(LimitError) as caught:
        ends_by_round("a", slow)
    assert caught.value.limit == "COUNT_BITS"


# What is followed


def test_every_state_is_followed_once():
    asked = []

    def follow(state):
        asked.append(state)
        reached = [state + face for face in range(1, 7)]
        return Following({one: 1 for one in reached if one >= 20}, {one: 1 for one in reached if one < 20}, 6)

    edges, progress = explored(0, follow)
    assert sorted(asked) == sorted(edges) == list(range(20))
    assert all(0 <= part <= 1 for part in progress)


def test_known_edges_are_not_asked_for_again():
    edges = {"a": follows(b=1), "b": follows(end_x=1)}
    assert list(explore("a", None, edges)) == []


def test_what_hardly_ever_happens_is_not_followed():
    def follow(state):
        return Following({state: 6}, {state + 1: 1}, 7)

    edges, _ = explored(0, follow)
    assert sorted(edges) == list(range(36))  # 7 ** 35 is below 10 ** 30, and 7 ** 36 above
    assert 1 - sum(shares(ends(0, edges)).values()) == Fraction(1, 7**36)


def test_what_is_rare_at_first_and_common_later_is_followed():
    # A fair walk comes to its borders in any case; the shortest way there has a probability of 4 to the minus 60.
    def follow(state):
        near = {state - 1: 1, state + 1: 1}
        ends = {one: 1 for one in near if one in {0, 120}}
        return Following(ends, {state: 2} | {one: 1 for one in near if one not in ends}, 4)

    edges, _ = explored(60, follow)
    assert sorted(edges) == list(range(1, 120))
    assert shares(ends(60, edges)) == {0: Fraction(1, 2), 120: Fraction(1, 2)}


def test_a_state_that_is_first_reached_by_a_rare_way():
    known = {
        "start": follows(x=1, m=10**25 - 1),
        "m": follows(x=1, end_lost=1),
        "x": follows(y=1, end_lost=10**6 - 1),
        "y": follows(end_won=1),
    }
    edges, _ = explored("start", known.__getitem__)
    assert edges == known
    # x is reached by 10 ** -25 and by half of the rest; y by a millionth of that.
    x = Fraction(1, 10**25) + Fraction(1, 2) * (1 - Fraction(1, 10**25))
    assert shares(ends("start", edges)) == {"won": x / 10**6, "lost": 1 - x / 10**6}


def test_an_endless_chain_beside_a_slow_circle_comes_to_an_end():
    def follow(state):
        if state == 0:
            return Following({"out": 1}, {0: 998, 1: 1}, 1000)
        return Following({"out": 19}, {state + 1: 1}, 20)

    edges, _ = explored(0, follow)
    assert len(edges) < 40
    assert 0 < 1 - sum(shares(ends(0, edges)).values()) < Fraction(1, 10**25)


# Random chains: a table has for each state what follows by the face of a die, a state from 0 on or an end below 0


class Ended(Outcome):
    end: int
    rounds: int


def chain(table, *, counted=False):
    """A rule that throws a die for each state and looks up what follows."""

    class Chain(Mechanic):
        def step(self, dice: Dice, say: Say, state: int) -> tuple[int]:
            return (table[state][dice.roll(len(table[state])) - 1],)

        def resolve(self, dice: Dice, say: Say) -> Ended:
            if counted:
                rounds, state = dice.repeat(self.step, (0,), over, count=True)
                return Ended(state, rounds)
            return Ended(*dice.repeat(self.step, (0,), over), 0)

    return Chain()


def over(state):
    return state < 0


@st.composite
def tables(draw):
    size = draw(st.integers(1, 7))
    follows = st.integers(-3, size - 1)
    return tuple(tuple(draw(st.lists(follows, min_size=1, max_size=6))) for _ in range(size))


def reachable(table, state):
    found, left = set(), [state]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += table[one] if one >= 0 else ()
    return found


def solved(table):
    """The probability of each end from the state 0: (1 - Q) x = R by elimination, a column of R for each end."""
    size = len(table)
    results = {}
    for end in {-1, -2, -3}:
        rows = []
        for state, follows in enumerate(table):
            row = [Fraction(int(state == other)) for other in range(size)] + [Fraction(0)]
            for one in follows:
                row[one if one >= 0 else size] -= Fraction(1, len(follows)) * (1 if one >= 0 else -(one == end))
            rows.append(row)
        for at in range(size):
            pivot = next(row for row in range(at, size) if rows[row][at])
            rows[at], rows[pivot] = rows[pivot], rows[at]
            rows[at] = [value / rows[at][at] for value in rows[at]]
            for other in range(size):
                if other != at:
                    rows[other] = [a - rows[other][at] * b for a, b in zip(rows[other], rows[at], strict=True)]
        results[end] = rows[0][size]
    return {end: probability for end, probability in results.items() if probability}


def by_round(table, rounds):
    """The probability of each number of rounds and end, step by step."""
    level, found = {0: Fraction(1)}, {}
    for number in range(1, rounds + 1):
        following: dict[int, Fraction] = {}
        for state, probability in level.items():
            for one in table[state]:
                target = following if one >= 0 else found
                key = one if one >= 0 else (one, number)
                target[key] = target.get(key, Fraction(0)) + probability / len(table[state])
        level = following
    return found


def kept(table):
    """The table without what cannot be reached, or nothing if it may never end."""
    states = [state for state in sorted(reachable(table, 0)) if state >= 0]
    if any(min(reachable(table, state)) >= 0 for state in states):
        return None
    return tuple(tuple(one if one < 0 else states.index(one) for one in table[state]) for state in states)


@tried
@given(tables())
def test_random_chains_against_a_plain_solution(table):
    small = kept(table)
    if small is None:
        with pytest.raises(DiceError, match="no end follows"):
            dd.odds(chain(table))
    else:
        odds = dd.odds(chain(table))
        assert odds.to_dict() == solved(small)
        assert odds.remainder == 0


@settings(tried, max_examples=many(25))
@given(tables())
def test_random_chains_by_round_against_steps_one_by_one(table):
    small = kept(table)
    if small is None:
        return
    odds = dd.odds(chain(table, counted=True), "end", "rounds")
    first = by_round(small, 12)
    assert {value: p for value, p in odds.to_dict().items() if value[1] <= 12} == first
    assert odds.remainder * 10**29 < 1


@tried
@given(tables(), st.integers(0, 10**6))
def test_random_chains_end_in_play_where_their_odds_say(table, seed):
    if kept(table) is not None:
        rule = chain(table, counted=True)
        outcome = rule.play(dd.SeededDice(seed))
        assert outcome.rounds == len(outcome.dice)
        assert dd.odds(chain(table)).exactly(outcome.end) > 0
        assert [step.how for step in outcome.steps()] == [str(n + 1) for n in range(outcome.rounds)]
