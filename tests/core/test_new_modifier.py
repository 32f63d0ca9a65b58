"""A modifier is one class: added to the registry, it is read, rolled, counted, explained and listed."""

from __future__ import annotations

import subprocess
import sys

ADDED = """
from dataclasses import dataclass
from dicedocs.syntax.modifiers import MODIFIERS, Choose, read_number

@dataclass(frozen=True)
class KeepMiddle(Choose):
    pattern = r"km(?P<number>[0-9]+)"
    examples, meaning = ("5d6km3",), "keep those in the middle"
    number: int
    @classmethod
    def read(cls, groups):
        return cls(read_number(groups["number"]))
    def __str__(self):
        return f"km{self.number}"
    def ranks(self, number):
        return range((number - self.number) // 2, (number - self.number) // 2 + self.number)

MODIFIERS.insert(0, KeepMiddle)
"""
USED = """
from fractions import Fraction
from itertools import product
import dicedocs as dd
from dicedocs.syntax.modifiers import MODIFIERS

def counted(dice, sides, middle):
    "Return the odds by listing every sequence of faces."
    start = (dice - middle) // 2
    sums = [sum(sorted(faces)[start : start + middle]) for faces in product(range(1, sides + 1), repeat=dice)]
    return {total: Fraction(sums.count(total), len(sums)) for total in set(sums)}

roll = dd.roll("5d6km3 + 1", dice=[6, 1, 3, 5, 2])
assert roll.value == 3 + 5 + 2 + 1
assert [die.state for die in roll.thrown] == ["dropped", "dropped", "", "", ""]
assert "5d6km3: 10 (6 (dropped), 1 (dropped), 3, 5, 2)" in str(roll)
assert dd.odds("5d6km3").to_dict() == counted(5, 6, 3)
assert dd.odds("3d4km1").to_dict() == counted(3, 4, 1)
# Whether dice that explode can be counted so is not known of it: they are counted by playing, as any rule is.
assert dd.odds("2d4!x1km1").p("at least 1") == 1
assert dd.odds("{1d4, 1d6, 1d8}km1").to_dict()[1] == Fraction(1 * 1 * 8 + 1 * 5 * 1 + 3 * 1 * 1, 4 * 6 * 8)
assert str(dd.roll("5d6km3kh1", seed=1))
for wrong in ("5d6km", "km3", "5d6 km3"):
    try:
        dd.roll(wrong)
    except dd.NotationError as error:
        assert wrong != "5d6 km3" or "write \'5d6km3\'" in error.hint, error.hint
    else:
        raise AssertionError(wrong)
assert MODIFIERS[0].meaning == "keep those in the middle"
"""


def test_keeping_the_middle_dice_is_one_class():
    subprocess.run([sys.executable, "-c", ADDED + USED], check=True, timeout=60)


def test_every_modifier_has_its_row_of_the_cheat_sheet():
    from dicedocs import roll
    from dicedocs.syntax.modifiers import MODIFIERS

    for each in MODIFIERS:
        assert each.meaning
        for example in each.examples:
            roll(example, seed=1)
