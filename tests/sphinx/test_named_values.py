"""References to values: wherever a value may stand, so may a character, one of its values, or a fact of an example."""

import re
from html import unescape

import pytest

from dicedocs_sphinx.nodes import dice_mechanic

PEOPLE = """
    .. dice:character:: Pepper
       :name: pepper
       :values: Strength=3, Health Maximum=20, weapon=long sword, Off-Hand=2

    .. dice:character:: Rat
       :name: rat
       :values: HP=4, Strength=1, Damage=1d4

    .. dice:character:: Low
       :name: low
       :values: Luck=-2, Awake=true

    .. dice:example:: First *blow*
       :name: first-blow
       :mechanic: methuen/expression
       :expression: 2d6 + [Strength]
       :actor: pepper
       :dice: 4 2
       :expect: total=9
"""
TOCTREE = "\n    .. toctree::\n\n       {}\n"


def plain(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def given(html):
    """The parameters of each example as text."""
    return [plain(part.partition("</div>")[0]) for part in html.split('<span class="dice-given">')[1:]]


HAUL = """
    .. dice:example:: Haul
       :name: {name}
       :mechanic: ember/haul
       :crew: {crew}
       {more}
       :dice: {dice}
       :expect: {expect}
"""
ROLL = """
    .. dice:example:: Roll
       :name: {name}
       :mechanic: methuen/expression
       :expression: {expression}
       :actor: {actor}
       :expect: {expect}
"""


def haul(name="one", crew="Ash: skill 2", more=":note: x", dice="5", expect="total=7"):
    return HAUL.format(name=name, crew=crew, more=more, dice=dice, expect=expect)


def roll(name="one", expression="1", actor="none", expect="total=1"):
    return ROLL.format(name=name, expression=expression, actor=actor, expect=expect)


RIGHT = [
    # In a record, several; a die 5 + 3 + 1 and a tool of 2.
    haul(
        "a", "Ash: skill pepper.Strength, tool pepper.Off-Hand; Bo: skill rat.Strength", dice="5 1", expect="total=12"
    ),
    # A fact of an example, as a number; one of its dice, in the list of faces.
    haul("b", more=":weight: first-blow.total", dice="first-blow.dice.1", expect="total=6, success=false"),
    # In an expectation, and in a chain: b's total.
    haul("c", dice="4", expect="total=b.total"),
    # In notation: 3 * 20 - 2, without spaces; a minus is no hyphen of a name.
    roll("d", "pepper.Strength*pepper.Health Maximum-pepper.Off-Hand", expect="total=58"),
    roll("e", "30-pepper.Strength", expect="total=27"),
    # Resources: a character with values of its own, and one value of another.
    roll("f", "[HP] + [Strength]", "rat, HP=pepper.Off-Hand", "total=3"),
    roll("g", "[HP]", "HP=first-blow.total", "total=9"),
    # A value whose name begins like another one, and a value of a parameter of an example.
    roll("h", "first-blow.actor.Health Maximum", expect="total=20"),
    # Text: the reference, or the text, or both in a list of words.
    haul("i", more=":note: =pepper.weapon"),
    haul("j", more=':note: "pepper.weapon"'),
    # With an equals sign before it a number is the same.
    haul("k", more=":weight: =first-blow.total"),
    # In notation true counts 1, and false 0: a fact, b's success, and a value of a character; alone, too.
    roll("l", "2 * b.success + 3 * low.Awake", expect="total=3"),
    roll("m", "low.Awake", expect="total=1"),
    # Capitals don't matter, nor does _ in place of a space.
    roll("n", "Pepper.strength + RAT.hp", "rat, Strength=Pepper.health_maximum", "total=7"),
    haul("o", more=":weight: First-blow.TOTAL"),
    """
    .. dice:odds:: Fights
       :mechanic: dice/roll
       :notation: 1d4 + 4 * low.Awake
       :expect: mean=6.5
""",
]


def test_references_stand_for_values_wherever_a_value_may_stand(book):
    book.page("".join(RIGHT) + TOCTREE.format("people"))
    book.page(PEOPLE, "people.rst")
    built = book.build("html", dicedocs_python_calls=True)
    assert built.log == ""
    page = built.read("index.html")
    shown = given(page)
    assert "Crew Ash: skill 3, tool 2; Bo: skill 1 (Pepper: Strength; Pepper: Off-Hand; Rat: Strength)" in shown[0]
    assert "Weight 9 (First blow: total)" in shown[1]
    assert "HP 2, Strength 1 (Pepper: Off-Hand; Rat)" in shown[5]
    assert "Note long sword (Pepper: weapon)" in shown[8]
    assert "Note pepper.weapon" in shown[9]
    assert "Expression 3 + 4 (Pepper: Strength; Rat: HP)" in shown[13]
    assert '<a href="people.html#dice-first-blow">First blow</a>: total' in page
    assert 'expression="3*20-2"' in unescape(page)
    # What must stand alone has the values.
    tests = {node.block.name: node[-1]["test"] for node in built.doctree("index").findall(dice_mechanic)}
    assert tests["c"].endswith("total=6\n")
    assert "dice=[4]" in tests["b"]
    assert "doctest" in book.build("doctest").read("output.txt").lower()
    assert "0 failures in tests" in book.build("doctest").read("output.txt")


WRONG = [
    (
        haul(more=":mood: low"),
        9,
        "value",
        "mood: 'low' (people.rst:13) is a character, not 'calm' or 'wild'; write one",
    ),
    (
        haul(more=":note: low"),
        9,
        "value",
        "note: 'low' is text that is valid here, and also a reference (people.rst:13); write =low for the reference, ",
    ),
    (
        haul(more=":note: pepper.weapon"),
        9,
        "value",
        "note: 'pepper.weapon' is text that is valid here, and also a reference (people.rst:5); write =pepper.weapon ",
    ),
    (
        haul(more=":weight: frist-blow.total"),
        9,
        "reference",
        "weight: there is no character or example 'frist-blow'; did you mean 'first-blow' (people.rst:17)?",
    ),
    (
        haul(more=":weight: first-blow.totl"),
        9,
        "fact",
        "weight: 'first-blow' (people.rst:17) has no 'totl'; did you mean 'total'?",
    ),
    (
        haul(more=":weight: pepper.Strenght + 2"),
        9,
        "fact",
        "weight: 'pepper' (people.rst:5) has no 'Strenght'; did you mean 'Strength'?",
    ),
    (haul(expect="total=peper.Strength"), 11, "reference", "expect: there is no character or example 'peper'; did you"),
    (haul(more=":note: =peper.weapon"), 9, "reference", "note: there is no character or example 'peper'; did you"),
    (haul(more=":weight: low.Luck"), 9, "value", "weight: '-2' is not a whole number, at least 1"),
    (
        roll(actor="rat, pepper, HP"),
        9,
        "reference",
        "actor: there is no character 'HP'; known: 'low' (",
    ),
    (roll(actor="rat, HP=many"), 9, "value", "actor: 'many' is not a whole number, in 'HP'"),
    (
        roll(actor="rat, peper"),
        9,
        "reference",
        "actor: there is no character 'peper'; did you mean 'pepper' (people.rst:5)?",
    ),
    (
        roll(expression="1 + peper.Strength"),
        8,
        "reference",
        "expression: there is no character or example 'peper'; did",
    ),
    (roll(expression="[peper.Strength]", actor="peper.Strength=1"), 0, "", ""),
    (haul(more=":weight: broken.total"), 0, "", ""),
    (
        haul().replace(":dice: 5", ":seed: first-blow.seed"),
        10,
        "value",
        "seed: 'first-blow.seed' names 'first-blow' (people.rst:17); a seed takes no reference; write another one, or",
    ),
    (haul(expect="success=false").replace(":dice: 5", ":seed: 1.5"), 0, "", ""),
    (haul(expect="total=first-blow.total"), 11, "mismatch", "expected total=9, got total=7"),
]
BROKEN = """
    .. dice:example::
       :name: broken
       :mechanic: methuen/expression
       :expression: nothing
       :expect: total=1
"""


def test_wrong_references_say_what_there_is_and_where(book):
    book.page(TOCTREE.format("\n       ".join(["people", *(f"p{n}" for n in range(len(WRONG)))])))
    book.page(PEOPLE + BROKEN, "people.rst")
    for number, (text, *_) in enumerate(WRONG):
        book.page(text.replace(":name: one", f":name: one-{number}"), f"p{number}.rst")
    warned = [w for w in book.build("text").warnings if w.file != "people.rst"]
    for number, (_, line, kind, message) in enumerate(WRONG):
        found = [w for w in warned if w.file == f"p{number}.rst"]
        if not kind:
            assert found == []
            continue
        assert [(w.line, w.type) for w in found] == [(line, f"dicedocs.{kind}")], (number, found)
        assert found[0].text.startswith(f"one-{number}: {message}"), found[0].text


def test_circles_are_shown_as_a_chain(book):
    ring = roll("a", "b.total") + roll("b", "1 + c.total") + roll("c", "a.total") + roll("d", "a.total")
    book.page(ring + roll("own", "own.total"))
    found = {w.text for w in book.build().warnings}
    circle = "expression: these refer to each other in a circle: {}; give one of them a value of its own"
    assert found == {
        f"a: {circle.format('a → b → c → a')}",
        f"b: {circle.format('b → c → a → b')}",
        f"c: {circle.format('c → a → b → c')}",
        f"own: {circle.format('own → own')}",
    }
    book.page(ring.replace("1 + c.total", "1"))
    assert {w.text.partition(";")[0] for w in book.build().warnings} == set()


def test_a_long_chain_is_followed_to_its_end(book):
    links = "".join(roll(f"n{number}", f"n{number - 1}.total + 1", expect=f"total={number}") for number in range(1, 60))
    book.page(links + roll("n0", "0", expect="total=0"))
    assert book.build().log == ""


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_refers_to_a_changed_value_is_checked_again_and_written_again_and_nothing_else(book, jobs):
    last = haul("last", more=":weight: middle.total", expect="success=true")
    middle = roll("middle", "first-blow.total - 3", expect="total=first-blow.total")
    book.page(last.replace("total=7", "success=true") + TOCTREE.format("middle\n       people\n       other"))
    book.page(middle.replace("total=first-blow.total", "total=6"), "middle.rst")
    book.page(PEOPLE, "people.rst")
    book.page(roll("other", "rat.HP", expect="total=4"), "other.rst")
    assert book.build("text", jobs=jobs).log == ""
    other = (book.folder / "out-text/other.txt").stat().st_mtime_ns
    book.page(PEOPLE.replace("Strength=3", "Strength=5").replace("total=9", "total=11"), "people.rst")
    grown = book.build("text", jobs=jobs)
    # The middle comes to 8 now, more than the 7 of the haul.
    assert {(w.file, w.text.partition(";")[0]) for w in grown.warnings} == {
        ("middle.rst", "middle: expected total=6, got total=8"),
        ("index.rst", "last: expected success=true, got success=false"),
    }
    assert (book.folder / "out-text/other.txt").stat().st_mtime_ns == other
    clean = book.build("text", out="clean", doctrees="clean-trees")
    assert sorted(clean.warnings) == sorted(grown.warnings)
    for name in ("index", "middle", "people", "other"):
        assert grown.read(f"{name}.txt") == clean.read(f"{name}.txt")


def test_a_name_that_comes_later_makes_a_text_ambiguous_and_one_that_goes_does_not(book):
    book.page(haul(more=":note: hilt.edge") + TOCTREE.format("later"))
    book.page("Nothing.", "later.rst")
    assert book.build("html").log == ""
    book.page(".. dice:character:: Hilt\n   :name: hilt\n   :values: edge=3\n", "later.rst")
    [warning] = book.build("html").warnings
    assert (warning.file, warning.line) == ("index.rst", 9)
    assert "also a reference (later.rst:5)" in warning.text
    book.page("Nothing.", "later.rst")
    grown = book.build("html")
    assert grown.log == ""
    assert grown.read("index.html") == book.build("html", out="clean", doctrees="clean-trees").read("index.html")


def test_a_character_may_take_a_value_from_an_example(book):
    book.page(
        PEOPLE
        + """
    .. dice:character:: Heir
       :name: heir
       :values: HP=first-blow.total, Title=Sir

    :dice:fact:`heir.HP`
    """
        + roll("x", "[HP]", "heir", "total=9")
    )
    built = book.build("text")
    assert built.log == ""
    assert "HP\n   9\n" in built.read("index.txt")


def test_values_of_any_kind_are_judged_by_the_parameter_that_reads_them(book):
    wells = """
    .. dice:character:: Wells
       :name: wells
       :values: STR=3, pool=d8 d6, mood=wild, gear=rope, a long pole, harm=0/1/0,
         hand=Ash: skill 2

    Her :dice:fact:`wells.gear`, :dice:fact:`wells.harm`, :dice:fact:`wells.STR`.
    """
    first = haul("moody", "wells.hand", ":mood: wells.mood", "5 4", "total=10")
    second = haul("wrong", more=":weight: wells.pool", expect="total=7")
    third = roll("hurt", "[STR] + [harm]", "wells", "total=3")
    book.page(wells + first + second + third)
    built = book.build("text")
    # The wild die counts as 3.
    assert [w.line for w in built.warnings] == [24, 31]
    assert built.warnings[0].text == "wrong: weight: 'd8 d6' is not a whole number, at least 1"
    assert "the actor has no 'harm'" in built.warnings[1].text
    assert "the harm is '0/1/0', which is not a whole number" in built.warnings[1].text
    assert "Her rope, a long pole, 0/1/0, 3." in built.read("index.txt")


def test_odds_take_values_in_all_their_options(book):
    book.page(
        PEOPLE
        + """
    .. dice:table:: To hit
       :mechanic: dice/check
       :check: 1d20 + pepper.Strength >= [Target Defense]
       :vary: target.Defense=pepper.Health Maximum..21
       :show: true

    .. dice:odds:: The roll
       :mechanic: dice/roll
       :notation: 1d6 + pepper.Strength
       :mark: first-blow.total
       :expect: mean=6.5, p(at least first-blow.total)=16.7%
    """
    )
    built = book.build("text")
    assert built.log == ""
    # Seventeen or more of a d20, then eighteen or more; and a six.
    table = " ".join(built.read("index.txt").partition("To hit")[2].partition("The roll")[0].split())
    assert re.search(r"Defense 20 .*Defense 21 .*20% .*15%", table)
