"""The rules as formulas for icepool, as its users would write them."""

from __future__ import annotations

from typing import Any

import icepool  # type: ignore[import-untyped]
from icepool import Die, MultisetEvaluator, d, map_and_time, tupleize

D6: Die[int] = d(6)


def death_saves() -> Die[Any]:
    def save(successes: int, failures: int, end: str, die: int) -> Any:
        if end:
            return 0, 0, end
        if die == 20:
            return 0, 0, "awake"
        if die >= 10:
            return (0, 0, "stable") if successes == 2 else (successes + 1, failures, "")
        failures += 2 if die == 1 else 1
        return (0, 0, "dead") if failures >= 3 else (successes, failures, "")

    return icepool.map(save, Die([(0, 0, "")]), d(20), star=True, repeat="inf").marginals[2]


def craps() -> Die[Any]:
    """Begin the chain with the come-out, which is a state of its own."""

    def throw(state: str, total: int) -> str:
        if state in ("won", "lost"):
            return state
        if state == "come-out":
            return come_out(total)
        return "won" if state == f"point {total}" else "lost" if total == 7 else state

    return icepool.map(throw, "come-out", 2 @ D6, repeat="inf").map({"won": True, "lost": False})


def craps_from_the_come_out() -> Die[Any]:
    """Begin the chain with what the come-out has led to, which may be its end."""

    def throw(state: str, total: int) -> str:
        if state in ("won", "lost"):
            return state
        return "won" if state == f"point {total}" else "lost" if total == 7 else state

    return (2 @ D6).map(come_out).map(throw, 2 @ D6, repeat="inf").map({"won": True, "lost": False})


def come_out(total: int) -> str:
    return "won" if total in (7, 11) else "lost" if total in (2, 3, 12) else f"point {total}"


def risk(attackers: int, defenders: int) -> Die[Any]:
    def battle(attackers: int, defenders: int) -> Any:
        if attackers == 0 or defenders == 0:
            return attackers, defenders
        pairs = min(attackers, defenders, 2)
        attack = D6.pool(min(attackers, 3)).highest(pairs)
        defence = D6.pool(min(defenders, 2)).highest(pairs)
        wins = icepool.map(lambda ours, theirs: sum(a > b for a, b in zip(ours, theirs, strict=True)), attack, defence)
        return icepool.map(lambda won: (attackers - pairs + won, defenders - won), wins)

    return icepool.map(battle, Die([(attackers, defenders)]), star=True, repeat="inf")


def yahtzee() -> Die[Any]:
    class Most(MultisetEvaluator[int, int]):  # type: ignore[misc]
        def next_state(self, state: Any, order: Any, outcome: Any, *counts: Any) -> Any:
            return max(state or 0, counts[0])

    def throw(kept: int) -> Any:
        """Add the dice thrown again with the kept face, or change to the most alike of the others."""
        if kept in (0, 5):
            return Most().evaluate(D6.pool(5)) if kept == 0 else 5
        again = 5 - kept

        def other(same: int) -> Any:
            others = Most().evaluate(d(5).pool(again - same)) if again > same else 0
            return icepool.map(lambda alike: max(kept + same, alike), others)

        return icepool.map(other, again @ (D6 == 1))

    return icepool.map(throw, 0, repeat=3)


def pig(hold: int) -> Die[Any]:
    def throw(points: int, die: int) -> int:
        if points == -1 or points >= hold:
            return points
        return -1 if die == 1 else points + die

    return icepool.map(throw, 0, D6, repeat="inf").map({-1: 0})


def push(pool: int) -> Die[Any]:
    die = D6.map(lambda face: (int(face == 6), int(face == 1), int(face not in (1, 6))))
    die = die.map(icepool.Vector)

    def again(successes: int, banes: int, others: int) -> Any:
        thrown = others @ die if others else Die([icepool.Vector((0, 0, 0))])
        return thrown.map(lambda more, worse, _left: (successes + more, banes + worse))

    return (pool @ die).map(again, star=True)


def usage_die(limit: int) -> Die[Any]:
    """Return how many uses, up to a limit."""
    smaller = {4: 0, 6: 4, 8: 6, 10: 8, 12: 10, 20: 12}

    def use(sides: int) -> Any:
        return d(sides).map(lambda face: smaller[sides] if face <= 2 else sides) if sides else 0

    return map_and_time(use, 8, time_limit=limit).marginals[1]


def ten_again(pool: int, limit: int) -> Die[Any]:
    """Return how many successes, up to a limit."""

    def throw(dice: int, successes: int) -> Any:
        if dice == 0:
            return 0, successes
        die = d(10).map(lambda face: icepool.Vector((int(face == 10), int(face >= 8))))
        return (dice @ die).map(lambda tens, more: (tens, min(limit, successes + more)))

    return icepool.map(throw, Die([(pool, 0)]), star=True, repeat="inf").marginals[1]


def extended_test(pool: int, threshold: int) -> Die[Any]:
    def test(dice: int, hits: int) -> Any:
        if dice == 0 or hits >= threshold:
            return dice, hits
        return tupleize(dice - 1, hits + dice @ (D6 >= 5))

    ended = icepool.map(test, Die([(pool, 0)]), star=True, repeat="inf")
    return ended.map(lambda dice, hits: (hits >= threshold, pool - dice), star=True)


def skill_challenge(skill: int, difficulty: int) -> Die[Any]:
    def check(successes: int, failures: int) -> Any:
        if successes == 6 or failures == 3:
            return successes, failures
        return (d(20) + skill >= difficulty).map({True: (successes + 1, failures), False: (successes, failures + 1)})

    ended = icepool.map(check, Die([(0, 0)]), star=True, repeat="inf")
    return ended.map(lambda successes, failures: (successes == 6, successes + failures), star=True)


def land_battle(attackers: tuple[int, int], defenders: tuple[int, int]) -> Die[Any]:
    def after(army: tuple[int, int], hits: int) -> tuple[int, int]:
        infantry, tanks = army
        dead = min(hits, infantry)
        return infantry - dead, max(0, tanks - hits + dead)

    def fire(ours: Any, theirs: Any) -> Any:
        if sum(ours) == 0 or sum(theirs) == 0:
            return ours, theirs
        hits = ours[0] @ (D6 <= 1) + ours[1] @ (D6 <= 3)
        losses = theirs[0] @ (D6 <= 2) + theirs[1] @ (D6 <= 3)
        return icepool.map(lambda hits, losses: (after(ours, losses), after(theirs, hits)), hits, losses)

    ended = icepool.map(fire, Die([(attackers, defenders)]), star=True, repeat="inf")
    return ended.map(lambda ours, theirs: (sum(ours), sum(theirs)), star=True)


def duel() -> Die[Any]:
    def damage(attack: int, armour: int, sides: int) -> Die[int]:
        def strike(die: int) -> Any:
            if die == 20:
                return 2 @ d(sides) + 3
            return d(sides) + 3 if die > 1 and die + attack >= armour else 0

        return d(20).map(strike)

    by_asa, by_bo = damage(5, 14, 8), damage(4, 15, 10)

    def turn(asa: int, bo: int, first: bool) -> Any:
        if asa == 0 or bo == 0:
            return asa, bo, first
        if first:
            return by_asa.map(lambda damage: (asa, max(0, bo - damage), False))
        return by_bo.map(lambda damage: (max(0, asa - damage), bo, True))

    start = Die([(24, 22, True), (24, 22, False)])
    ended = icepool.map(turn, start, star=True, repeat="inf")
    return ended.map(lambda asa, bo, _first: ("Asa" if asa else "Bo", asa or bo), star=True)


def claws() -> Die[Any]:
    return icepool.map(lambda claws: claws + (6 - claws) @ (D6 == 6), 0, repeat=3)


def sessions(skill: int, number: int) -> Die[Any]:
    def session(skill: int, die: int) -> Any:
        return skill + d(10) if die > min(skill, 95) else skill

    return icepool.map(session, skill, d(100), repeat=number)


def zombie_dice() -> Die[Any]:
    """Draw three dice at a time from a deck of those that are left."""
    dice = tuple(
        Die({"brain": brain, "foot": foot, "shot": shot}) for brain, foot, shot in ((3, 2, 1), (2, 2, 2), (1, 2, 3))
    )

    def hand(cup: Any, feet: Any, brains: int, shots: int) -> Any:
        if not cup:
            return cup, feet, brains, shots
        deal = icepool.Deck({colour: number for colour, number in enumerate(cup) if number}).deal(3 - sum(feet))
        return icepool.map(lambda drawn: throw(cup, feet, brains, shots, drawn), deal, star=False)

    def throw(cup: Any, feet: Any, brains: int, shots: int, drawn: Any) -> Any:
        left = tuple(number - drawn.count(colour) for colour, number in enumerate(cup))
        in_hand = [colour for colour in range(3) for _ in range(feet[colour])] + list(drawn)

        def result(*faces: str) -> Any:
            more, hits = brains + faces.count("brain"), shots + faces.count("shot")
            if hits >= 3 or more >= 5:
                return (), (), 0 if hits >= 3 else more, 0
            again = [colour for colour, face in zip(in_hand, faces, strict=True) if face == "foot"]
            return left, tuple(again.count(colour) for colour in range(3)), more, hits

        return icepool.map(result, *(dice[colour] for colour in in_hand), star=False)

    return icepool.map(hand, Die([((6, 4, 3), (0, 0, 0), 0, 0)]), star=True, repeat="inf").marginals[2]


LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
SNAKES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
JUMPS = LADDERS | SNAKES


def snakes_and_ladders(limit: int) -> Die[Any]:
    """Return how many turns, up to a limit."""

    def turn(square: int, die: int) -> int:
        if square == 100 or square + die > 100:
            return square
        return JUMPS.get(square + die, square + die)

    return map_and_time(turn, 0, D6, time_limit=limit).marginals[1]


def trait(limit: int) -> Die[Any]:
    """Return the raises, up to a limit."""
    best = icepool.highest(d(8).explode(), d(6).explode())
    return best.map(lambda total: (total >= 4, min(limit, max(0, total // 4 - 1))))


def open_ended(limit: int) -> Die[Any]:
    """Return the total, between two limits; what is beyond is one value."""
    again = d(100).explode(range(96, 101))

    def total(die: int) -> Any:
        return die + again if die > 95 else die - again if die < 6 else die

    return d(100).map(total).map(lambda total: total if abs(total) <= limit else limit + 1)


def haunt() -> Die[Any]:
    omen = 6 @ Die([0, 0, 1, 1, 2, 2])

    def next_omen(omens: int, haunted: bool) -> Any:
        if haunted:
            return omens, haunted
        return tupleize(omens + 1, omen < omens + 1)

    return icepool.map(next_omen, Die([(0, False)]), star=True, repeat="inf").marginals[0]


def career(survival: int, reenlistment: int) -> Die[Any]:
    def term(terms: int, end: str) -> Any:
        if end:
            return terms, end

        def fate(survived: bool, stays: bool) -> str:
            return "dead" if not survived else "discharged" if not stays else "retired" if terms == 6 else ""

        return tupleize(terms + 1, icepool.map(fate, dice >= survival, dice >= reenlistment))

    dice = 2 @ D6
    return icepool.map(term, Die([(0, "")]), star=True, repeat="inf").map(lambda terms, end: (end, terms), star=True)
