"""The exact distribution of a pool with modifiers, counted from the distribution of one of its dice.

A die is settled first, so that it has a distribution of its own. Dice that are added up or counted are independent,
and where dice are kept by rank, values are given out from the lowest to the highest, to any number of dice at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import comb, lcm
from operator import add
from typing import Final, TypeAlias, TypeVar

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.probability.convolution import FEWER_DICE, byte_width, check_size, unpack
from dicedocs.probability.distribution import Distribution
from dicedocs.rules.dice import Keep
from dicedocs.syntax.faces import DieType
from dicedocs.syntax.modifiers import Differ, Explode, PoolRules, added_up

_WORK_PER_STEP: Final = 25_000
"""The ``WORK`` of giving a value to some more dice, whatever the counts are."""
_PAIRS_PER_STEP: Final = 8
"""The ``PAIRS`` that take as long as putting one more value in order with some others."""
BITS_PER_PAIR: Final = 30
"""The bits in the counts of a pool whose counting takes as long as one of the ``PAIRS``."""
S = TypeVar("S")
Score: TypeAlias = Callable[[int], int]
"""A function that tells what a value adds to the result if its die is kept."""


class NotCountedError(Exception):
    """What is known of each die does not tell the odds of the whole: the dice have to be enumerated."""


def pool_distribution(
    count: int, die: DieType, rules: PoolRules, score: Score, choices: Sequence[PoolRules] = ()
) -> Distribution:
    """Return the distribution of a pool.

    Parameters:
        count: the number of dice.
        die: what kind they are.
        rules: what is done with them.
        score: what a value adds to the result if its die is kept.
        choices: what is then kept and dropped, one after the other, of the dice that the rules keep.

    Raises:
        DiceError: the dice cannot all differ.
        LimitError: there is too much to count.
        NotCountedError: the dice have to be enumerated.

    >>> pool_distribution(4, DieType(6), PoolRules(()), int).mean
    Fraction(14, 1)
    """
    if choices and (rules.explode is not None or rules.filters):
        raise NotCountedError  # how many dice there are to choose from depends on what they show
    if not count:
        return Distribution.from_dense_counts(0, [1])
    ranks = ranks_in_turn(count, (rules, *choices))
    if rules.only_chooses and die.faces is None:
        keep = end_of_ranks(ranks, count)
        if keep is not None:
            return Distribution.pool(*[die.sides] * count, keep=keep)
    limits.OUTCOMES.check(die.sides, hint=FEWER_DICE)
    weights = rules.settled_odds(added_up((value, 1) for value in die.values))
    if rules.differ is not None:
        return _unique(weights, count, rules.differ, ranks, score)
    explode = rules.explode
    if explode is None:
        return _kept(weights, count, ranks, score)
    if explode.compound:
        compound = _chain(explode, weights, int)
        return _kept(dict(compound.items()), count, ranks, score, compound.denominator)
    if rules.choices:
        return _kept_of_chains(explode, weights, count, rules, score)
    return _repeated(_chain(explode, weights, score), count)


def end_of_ranks(ranks: Sequence[int], count: int) -> Keep | None:
    """Return how some ranks are kept of some dice, if they are the lowest or the highest; ``None`` for others.

    >>> end_of_ranks([2, 3], 4), end_of_ranks([1, 2], 4)
    (Keep(number=2, high=True), None)
    """
    if not ranks:
        return Keep(0, high=False)
    together = ranks[-1] - ranks[0] + 1 == len(ranks)
    return Keep(len(ranks), high=ranks[0] > 0) if together and (ranks[0] == 0 or ranks[-1] == count - 1) else None


def ranks_in_turn(count: int, choices: Sequence[PoolRules]) -> list[int]:
    """Return the ranks of the dice that are kept, where each chooses among those that the one before kept.

    >>> from dicedocs.syntax.modifiers import read_modifier
    >>> ranks_in_turn(10, [PoolRules([read_modifier(text)]) for text in ("kh5", "kl2", "kh1")])
    [6]
    """
    ranks = list(range(count))
    for rules in choices:
        ranks = [ranks[index] for index in rules.ranks(len(ranks))]
    return ranks


def _kept(
    weights: Mapping[int, int], count: int, ranks: Sequence[int], score: Score, denominator: int = 0
) -> Distribution:
    """Return the distribution of what the dice of some ranks add, of independent dice with the same weights."""
    denominator = denominator or sum(weights.values())
    if len(ranks) == count:
        scores = added_up((score(value), weight) for value, weight in weights.items())
        return _repeated(Distribution.from_counts(scores, (), (), denominator), count)
    return _ranked(weights, count, ranks, score, denominator**count)


def _repeated(one: Distribution, count: int) -> Distribution:
    """Return the distribution of the sum of so many dice, if it is not too large to be counted."""
    if one.dense:
        bits = ((max(one) - min(one)) * count + 1) * count * one.denominator.bit_length()
        limits.PAIRS.check(bits // BITS_PER_PAIR, hint=FEWER_DICE)
    return one.repeat(count)


def _ranked(
    weights: Mapping[int, int],
    count: int,
    ranks: Sequence[int],
    score: Score,
    denominator: int,
    *,
    different: bool = False,
) -> Distribution:
    """Give out the values from the lowest up, each to any number of dice, or to one at most if all are different.

    A list of counts is packed into one integer, so that adding a value to all sums is a shift.
    """
    values = sorted(weights)
    scores = [score(value) for value in values]
    lowest = min(scores)
    length = (max(scores) - lowest) * len(ranks) + 1
    bits = denominator.bit_length()
    check_size(length, bits)
    limits.WORK.check(len(values) * count * count * (length * bits + _WORK_PER_STEP) // 2, hint=FEWER_DICE)
    width = byte_width(denominator)
    in_rank = set(ranks)
    kept_below = [0, *accumulate(rank in in_rank for rank in range(count))]
    ways = [1, *[0] * count]
    for value, more in zip(values, scores, strict=True):
        weight, shift = weights[value], 8 * width * (more - lowest)
        following = list(ways)
        for before, packed in enumerate(ways[:count]):
            if not packed:
                continue
            choices = 1
            for number in range(1, 2 if different else count - before + 1):
                choices *= 1 if different else weight
                places = 1 if different else comb(count - before, number)
                kept = kept_below[before + number] - kept_below[before]
                following[before + number] += packed * (choices * places) << shift * kept
        ways = following
    counts = unpack(ways[count], width, length)
    low = lowest * len(ranks)
    found = {low + index: number for index, number in enumerate(counts) if number}
    return Distribution.from_counts(found, (), (), denominator)


def _unique(weights: Mapping[int, int], count: int, differ: Differ, ranks: Sequence[int], score: Score) -> Distribution:
    if not differ.once and all(map(differ.must_differ, weights)):
        if count > len(weights):
            raise DiceError(f"{count} dice cannot all differ", hint=f"throw {len(weights)} or fewer")
        if len(set(weights.values())) == 1:
            return _ranked(weights, count, ranks, score, comb(len(weights), count), different=True)
    # The dice are thrown one after the other; what each may show in the end depends on what the others show.
    thrown: dict[tuple[int, ...], int] = {(): 1}
    denominator = 1
    spend = _budget()
    for before in range(count):
        # Each step copies the values of the dice before, too.
        spend(len(thrown) * len(weights) * (_PAIRS_PER_STEP + before), len(thrown))
        left = {values: differ.differ_odds(weights, values) for values in thrown}
        common = lcm(*{sum(odds.values()) for odds in left.values()})
        denominator *= common
        limits.DENOMINATOR.check(denominator.bit_length(), hint=FEWER_DICE)
        following: dict[tuple[int, ...], int] = {}
        for values, ways in thrown.items():
            share = ways * (common // sum(left[values].values()))
            for value, weight in left[values].items():
                new = tuple(sorted((*values, value)))
                following[new] = following.get(new, 0) + share * weight
        thrown = following
    results = added_up((sum(score(values[rank]) for rank in ranks), ways) for values, ways in thrown.items())
    return Distribution.from_counts(results, (), (), denominator)


def _chain(explode: Explode, weights: Mapping[int, int], score: Score) -> Distribution:
    """Return the distribution of what one die and those that it explodes into add, followed to a depth."""
    counts = explode.explode_odds({0: 1}, weights, score, add, _budget())
    return Distribution.from_counts(counts, (), (), sum(weights.values()) ** (explode.depth + 1))


def _kept_of_chains(
    explode: Explode, weights: Mapping[int, int], count: int, rules: PoolRules, score: Score
) -> Distribution:
    """Return the distribution of the dice kept of a pool whose dice explode, so that their number varies.

    Only the lowest and the highest values are known one by one; those between are all kept, or all dropped.
    """
    ends = [choice.ends for choice in rules.choices]
    low, high = (max(end[side] if end else -1 for end in ends) for side in (0, 1))
    if None in ends:
        raise NotCountedError
    middle_is_kept = low in rules.ranks(low + high + 1)

    @cache
    def insert(values: tuple[int, ...], value: int) -> tuple[tuple[int, ...], int]:
        ordered = sorted((*values, value))
        middle = ordered.pop(low) if len(ordered) > low + high else None
        return tuple(ordered), 0 if middle is None or not middle_is_kept else score(middle)

    def insert_value(state: tuple[tuple[int, ...], int], value: int) -> tuple[tuple[int, ...], int]:
        values, more = insert(state[0], value)
        return values, state[1] + more

    states: dict[tuple[tuple[int, ...], int], int] = {((), 0): 1}
    spend = _budget(_PAIRS_PER_STEP)
    for _ in range(count):
        states = explode.explode_odds(states, weights, int, insert_value, spend)
    results = added_up(
        (total + sum(score(values[rank]) for rank in rules.ranks(len(values))), ways)
        for (values, total), ways in states.items()
    )
    return Distribution.from_counts(results, (), (), sum(weights.values()) ** ((explode.depth + 1) * count))


def fold_odds(
    count: int, die: DieType, rules: PoolRules, start: S, add: Callable[[S, int], S]
) -> tuple[Mapping[S, int], int]:
    """Return the ways to each state to which dice lead, added one after the other, and the ways to all, or beyond.

    Parameters:
        count: the number of dice.
        die: what kind they are.
        rules: what is done with them.
        start: the state without dice.
        add: returns the state with one more value.

    Raises:
        LimitError: there is too much to count.
        NotCountedError: dice are kept, dropped or must differ.

    >>> fold_odds(1, DieType(4), PoolRules(()), 0, lambda most, value: max(most, value))
    ({1: 1, 2: 1, 3: 1, 4: 1}, 4)
    """
    if rules.differ is not None or rules.choices or rules.filters:
        raise NotCountedError
    limits.OUTCOMES.check(die.sides, hint=FEWER_DICE)
    weights = rules.settled_odds(added_up((value, 1) for value in die.values))
    per_die, explode = sum(weights.values()), rules.explode
    if explode is not None and explode.compound:
        compound = _chain(explode, weights, int)
        weights, per_die, explode = dict(compound.items()), compound.denominator, None
    elif explode is not None:
        per_die **= explode.depth + 1
    states: Mapping[S, int] = {start: 1}
    spend = _budget(_PAIRS_PER_STEP)
    for _ in range(count):
        if explode is not None:
            states = explode.explode_odds(states, weights, int, add, spend)
        else:
            spend(len(states) * len(weights), len(states))
            following: dict[S, int] = {}
            for state, ways in states.items():
                for value, weight in weights.items():
                    new = add(state, value)
                    following[new] = following.get(new, 0) + ways * weight
            states = following
    return states, per_die**count


def set_distribution(members: Sequence[Distribution], rules: PoolRules, score: Score) -> Distribution:
    """Return the distribution of what the members of a set that are kept add.

    >>> die = Distribution.dice(1, 6)
    >>> from dicedocs.syntax.modifiers import read_modifier
    >>> set_distribution([die, die], PoolRules([read_modifier("kh1")]), int).mean
    Fraction(161, 36)
    """
    number, ranks = len(members), rules.ranks(len(members))
    if len(ranks) == number:
        whole, *rest = [member.map(score) for member in members]
        for part in rest:
            whole += part
        return whole
    if ranks in ([0], [number - 1]):
        extreme, *rest = members
        for member in rest:
            extreme = extreme.max(member) if ranks[0] else extreme.min(member)
        return extreme.map(score)
    joint = members[0].map(lambda value: (value,))
    for member in members[1:]:
        joint = joint.combine(member, lambda values, value: tuple(sorted((*values, value))))
    return joint.map(lambda values: sum(score(values[rank]) for rank in ranks))


def mixture(parts: Sequence[tuple[int, Distribution]], whole: int) -> Distribution:
    """Return the distribution of one of several distributions, chosen by chance.

    Parameters:
        parts: the ways to choose each, and the distribution.
        whole: the ways in all; more than those of the parts leave a remainder.

    >>> mixture([(1, Distribution.dice(1, 2)), (1, Distribution.dice(1, 4))], 2).p("= 1")
    Fraction(3, 8)
    """
    common = lcm(*(part.denominator for _, part in parts))
    counts: dict[int, int] = {}
    spend = _budget()
    for ways, part in parts:
        factor = ways * (common // part.denominator)
        spend(len(part), len(counts))
        for value, number in part.items():
            counts[value] = counts.get(value, 0) + number * factor
    return Distribution.from_counts(counts, (), (), whole * common)


def _budget(pairs_per_step: int = 1) -> Callable[[int, int], None]:
    """Return a function that is told of the pairs and the outcomes of a calculation, and refuses too many."""
    spent = 0

    def spend(pairs: int, outcomes: int) -> None:
        nonlocal spent
        spent += pairs * pairs_per_step
        limits.PAIRS.check(spent, hint=FEWER_DICE)
        limits.OUTCOMES.check(outcomes, hint=FEWER_DICE)

    return spend
