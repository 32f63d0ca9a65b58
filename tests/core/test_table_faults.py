"""Faults of the rows of a table: each kind once, and all of them against a set per row."""

from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from dicedocs.page_rules.row_faults import RowRanges, find_faults
from dicedocs.syntax.ranges import Range, read_ranges

from ..every import every

D6, D20, D100, TWO_DICE = range(1, 7), range(1, 21), range(1, 101), range(2, 13)
D66 = tuple(10 * tens + ones for tens, ones in product(D6, D6))


def faults(keys, possible, zero=0):
    """The faults of rows with these keys; their lines are 1, 2, 3."""
    rows = [RowRanges(read_ranges(key, zero=zero), line) for line, key in enumerate(keys, 1)]
    return [(fault.line, f"{fault.message}; {fault.hint}") for fault in find_faults(rows, possible)]


@every(
    ("keys", "possible"),
    [
        (["1", "2-3", "4-6"], D6),
        (["4-6", "2-3", "1"], D6),
        (["1, 6", "2-5"], D6),
        (["1, 1-3", "4-6"], D6),
        (["6-", "7-9", "10+"], TWO_DICE),
        (["6-", "7-9", "10+"], None),
        (["3-5", "6-8"], None),
        (["2-11", "12+"], TWO_DICE),
        (["11-16", "21-36", "41-66"], D66),
        (["11-20", "21-40", "41-66"], D66),
        (["1", "2", "3"], None),
        ([], None),
    ],
)
def test_rows_without_a_fault(keys, possible):
    assert faults(keys, possible) == []


@every(
    ("keys", "possible", "expected"),
    [
        (["1-2", "4", "5-6"], D6, [(1, "3 is in no row; add a row for it, or extend one")]),
        (["1-2", "5-6"], D6, [(1, "3–4 are in no row; add a row for them, or extend one")]),
        (["3-4", "5-6"], D6, [(1, "1–2 are in no row; add a row for them, or extend one")]),
        (["5-6", "3-4"], D6, [(2, "1–2 are in no row; add a row for them, or extend one")]),
        (["11"], range(2, 14), [(1, "2–10 are in no row; add a row for them, or extend one"),
                                (1, "12–13 are in no row; add a row for them, or extend one")]),
        (["2-3", "4-5"], D6, [(1, "1 is in no row; add a row for it, or extend one"),
                              (2, "6 is in no row; add a row for it, or extend one")]),
        (["7", "7"], D6, [(1, "no roll gives 7; take it out, or roll other dice"),
                          (1, "1–6 are in no row; add a row for them, or extend one"),
                          (2, "no roll gives 7; take it out, or roll other dice")]),
        (["2-3", "3-6", "1"], D6, [(2, "3 is in two rows; keep it in only one")]),
        (["1-2", "3-4"], D6,
         [(0, "the rows cover 1–4, but a roll gives 1–6; roll 1d4, or add a row for the other numbers")]),
        (["1-2", "3-5"], D6, [(2, "6 is in no row; add a row for it, or extend one")]),
        (["2-6", "7-12"], range(2, 17),
         [(0, "the rows cover 2–12, but a roll gives 2–16; roll 2d6, or add a row for the other numbers")]),
        (["5-6", "1-3"], D6, [(2, "4 is in no row; add a row for it, or extend one")]),
        (["11-14", "21-66"], D66, [(1, "15–16 are in no row; add a row for them, or extend one")]),
        (["11-14", "17", "23-66"], D66, [(1, "15–22 are in no row; add a row for them, or extend one"),
                                         (2, "no roll gives 17; take it out, or roll other dice")]),
        (["3-5", "8-9"], None, [(1, "6–7 are in no row; add a row for them, or extend one")]),
        (["6-", "8+"], None, [(1, "7 is in no row; add a row for it, or extend one")]),
        ([], D6, [(0, "1–6 are in no row; add a row for them, or extend one")]),
        (["1-3", "3-6"], D6, [(2, "3 is in two rows; keep it in only one")]),
        (["3-6", "1-3"], D6, [(2, "3 is in two rows; keep it in only one")]),
        (["1-4", "2-3", "3", "5-6"], D6, [(2, "2 is in two rows; keep it in only one"),
                                          (3, "3 is in three rows; keep it in only one")]),
        (["7+", "10+"], None, [(2, "10+ is in two rows; keep it in only one")]),
        (["2-7", "7+", "10+"], TWO_DICE, [(2, "7 is in two rows; keep it in only one"),
                                          (3, "10–12 are in two rows; keep them in only one")]),
        (["11-22", "15-26", "31-66"], D66, [(2, "15–22 are in two rows; keep them in only one")]),
        (["1-3", "6-4"], D6, [(2, "6–4 runs backwards; write 4–6")]),
        (["1-95", "96-00"], D100, [(2, "96–0 runs backwards; write 96–100")]),
        (["1-4", "5-8"], D6, [(2, "5–8 goes up to 8, but no roll gives more than 6; write 5–6, or roll other dice")]),
        (["0-3", "4-6"], D6, [(1, "0–3 begins at 0, but no roll gives less than 1; write 1–3, or roll other dice")]),
        (["0-7"], D6, [(1, "0–7 is wider than what a roll gives, 1–6; write 1–6, or roll other dice")]),
        (["1-6", "7"], D6, [(2, "no roll gives 7; take it out, or roll other dice")]),
        (["1-6", "9+"], D6, [(2, "no roll gives 9+; take it out, or roll other dice")]),
        (["1-5", "6, 8"], D6, [(2, "no roll gives 8; take it out, or roll other dice")]),
        (["1", "2", "4", "4", "5-6"], D6, [(3, "4 stands in the place of 3; write 3")]),
        (["1-2", "7-8", "5-6"], D6, [(2, "7–8 stands in the place of 3–4; write 3–4")]),
        (["1-2", "6", "5", "3-4"], D6, []),
        (["1-2", "2-4", "5-6"], D6, [(2, "2 is in two rows; keep it in only one")]),
        (["-2 to -1", "0", "1"], range(-3, 2), [(1, "-3 is in no row; add a row for it, or extend one")]),
    ],
)  # fmt: skip
def test_each_fault_at_its_row(keys, possible, expected):
    assert faults(keys, possible) == expected


@every(
    ("keys", "possible", "expected"),
    [
        ([str(number) for number in D20], D6, "the rows cover 1–20, but a roll gives 1–6; roll 1d20"),
        ([str(number) for number in TWO_DICE], D20, "the rows cover 2–12, but a roll gives 1–20; roll 2d6"),
        ([str(number) for number in D66], D100, "the rows cover 11–66, but a roll gives 1–100; roll d66"),
        (["111-333", "334-666"], D100, "the rows cover 111–666, but a roll gives 1–100; roll d666"),
        (["3-8", "9-18"], D6, "the rows cover 3–18, but a roll gives 1–6; roll 3d6"),
        (
            [str(number) for number in range(10)],
            range(1, 11),
            "the rows cover 0–9, but a roll gives 1–10; number the rows from 1, or roll 1d10 - 1",
        ),
        (["5-9", "10-13"], D6, "the rows cover 5–13, but a roll gives 1–6; roll dice that give 5–13"),
    ],
)
def test_dice_that_do_not_fit_are_one_fault(keys, possible, expected):
    assert faults(keys, possible) == [(0, expected)]


def test_what_is_wrong_with_other_dice_too_follows():
    keys = [str(number) for number in D20 if number != 13]
    assert faults(keys, D6) == [
        (0, "the rows cover 1–20, but a roll gives 1–6; roll 1d20"),
        (12, "13 is in no row; add a row for it, or extend one"),
    ]


def test_zero_is_the_highest_face_of_dice_that_show_it():
    assert faults(["01-50", "51-95", "96-00"], D100, zero=100) == []
    assert faults([*"1234567890"], range(1, 11), zero=10) == []


ENDS = st.none() | st.integers(-1, 8)
RANGES = st.builds(Range, ENDS, ENDS)
ROWS = st.lists(st.lists(RANGES, min_size=1, max_size=2), max_size=6)
POSSIBLE = st.sampled_from([D6, range(9), range(-2, 4), (1, 2, 5, 6, 9)])


def numbers(text):
    """The numbers of a range as it is written in a message, of those that the tests have."""
    (one,) = read_ranges(text)
    return {number for number in range(-10, 30) if one.holds(number)}


@given(ROWS, POSSIBLE)
def test_faults_are_those_of_a_set_for_each_row(rows, possible):
    def holding(ranges, number):
        return any(one.holds(number) or (None not in one and one.high <= number <= one.low) for one in ranges)

    # What a range that ends in 0 means is a case above.
    rows = [[one for one in ranges if not (one.high == 0 and one.low and one.low > 0)] for ranges in rows]
    sets = [{number for number in possible if holding(ranges, number)} for ranges in rows]
    found = list(find_faults([RowRanges(ranges, line) for line, ranges in enumerate(rows, 1)], possible))
    # Other dice, or other numbers of a row, would leave other faults, which are cases above too.
    others = ("the rows cover", "stands in the place")
    assume(not any(other in fault.message for other in others for fault in found))
    missing, shared, unreached = set(), {}, []
    for message, _, line, _ in found:
        if "in no row" in message:
            missing |= numbers(message.split(" is ")[0].split(" are ")[0])
        elif " in " in message and message.endswith("rows"):
            for number in numbers(message.split(" is ")[0].split(" are ")[0]) & {*possible}:
                assert number not in shared
                shared[number] = line
        elif message.startswith("no roll gives"):
            unreached.append((line, message.removeprefix("no roll gives ")))
    assert missing & {*possible} == {*possible} - set().union(*sets)
    assert shared == {
        number: max(line for line, held in enumerate(sets, 1) if number in held)
        for number in possible
        if sum(number in held for held in sets) > 1
    }
    assert unreached == [
        (line, str(meant))
        for line, ranges in enumerate(rows, 1)
        for one in ranges
        for meant in [Range(one.high, one.low) if None not in one and one.low > one.high else one]
        if not any(meant.holds(number) for number in possible)
    ]
    backwards = [(None not in one and one.low > one.high) for ranges in rows for one in ranges]
    assert sum("backwards" in fault.message for fault in found) == sum(backwards)
    assert [fault.line for fault in found] == sorted(fault.line for fault in found)


@given(ROWS)
def test_gaps_between_rows_of_unknown_dice_are_those_of_sets(rows):
    rows = [[one for one in ranges if None in one or one.low <= one.high] for ranges in rows]
    sets = [{number for number in range(-10, 30) if any(one.holds(number) for one in ranges)} for ranges in rows]
    held = set().union(*sets)
    missing = {number for number in range(min(held, default=0), max(held, default=0)) if number not in held}
    found = [fault.message for fault in find_faults([RowRanges(ranges) for ranges in rows], None)]
    assume(not any("stands in the place" in message for message in found))
    gaps = [numbers(message.split(" is ")[0].split(" are ")[0]) for message in found if "in no row" in message]
    assert sum(map(len, gaps)) == len(missing)
    assert set().union(*gaps) == missing
    assert any("rows" in message for message in found) == (sum(map(len, sets)) > len(held))


def test_a_table_of_any_size_is_read_at_once():
    many = [RowRanges((Range(number, number),), number) for number in range(1, 20_001)]
    assert list(find_faults(many, range(1, 20_001))) == []
    assert [fault.message for fault in find_faults(many, range(1, 10**12))] == [
        "20001–999999999999 are in no row",
    ]
    assert len(list(find_faults([RowRanges((Range(1, 2),))] * 20_000, range(1, 3)))) == 1
