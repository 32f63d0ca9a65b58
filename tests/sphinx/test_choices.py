"""The choices of a player are shown as such."""

import re
from html import unescape

RULES = """
from dicedocs import Dice, Mechanic, Outcome, Say, param

class Climb(Mechanic, id="cliff/ascent"):
    skill: int = param(example=2)
    push: bool = param(default=False, label="Push yourself", choice=True)
    style: str = param(default="", choice=True)

    class Result(Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.sum("Total", dice.roll(6), skill=self.skill, push=2 * self.push))
"""
CONF = "dicedocs_games = {'cliff': 'cliff'}\n"
PAGE = """
    .. dice:example:: Up
       :name: up
       :mechanic: cliff/ascent
       :skill: 3
       :choose: {choose}
       :dice: 4
       :expect: total={total}
"""


def build(book, choose, total=9, builder="html"):
    book.write("cliff.py", RULES)
    book.write("conf.py", CONF)
    book.page(PAGE.format(choose=choose, total=total))
    return book.build(builder)


def test_choices_are_parameters_that_are_shown_as_choices(book):
    built = build(book, "push yes, style with one hand")
    assert built.log == ""
    given = built.read("index.html").partition('<span class="dice-given">')[2].partition("</div>")[0]
    words = " ".join(unescape(re.sub(r"<[^>]+>", "", given)).split())
    assert words.startswith("Skill 3 Choice: Push yourself Choice: Style with one hand")
    assert "push=True" in build(book, "push yes", builder="doctest").doctree()[0][-1][-1]["test"]


def test_wrong_choices_are_warnings_at_the_option(book):
    for choose, message in [
        ("skill 4", "up: 'skill' is written twice; leave one of the two out"),
        ("push", "up: 'push' has no value; write it after the name, as in push yes"),
        ("push maybe", "up: push: 'maybe' is not true or false"),
        ("puhs yes", "up: there is no parameter 'puhs' of cliff/ascent; did you mean 'push'?"),
    ]:
        [warning] = build(book, choose).warnings
        assert (warning.line, warning.text) == (9, message)
    book.page(PAGE.replace("       :skill: 3\n", "").format(choose="skill 4", total=8))
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (8, "dicedocs.option")
    assert warning.text.startswith("up: 'skill' is not a choice; write :skill: instead")
