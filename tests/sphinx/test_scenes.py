"""Scenes of a book: their tracks and characters change from example to example, and the text shows how."""

import re
import textwrap
import time
from html import unescape

import pytest

from dicedocs_sphinx.author.acceptance import accept_blocks
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.summary import checked_blocks, checked_statements, reason
from dicedocs_sphinx.nodes import dice_mechanic

PEOPLE = """
    .. dice:character:: Arlyn
       :name: arlyn
       :values: Prowl=2, Stress=6 of 9, Position=risky

    .. dice:character:: Moth
       :name: moth
       :values: Prowl=1
"""
SCENE = """
    The vault
    ---------

    .. dice:scene:: The vault job
       :name: job
       :cast: arlyn, moth
       :tracks: vault 1 of 8, heat

       It is dark. The clock is at :dice:fact:`vault`.

    Before: :dice:fact:`vault`, :dice:fact:`arlyn.Stress`, :dice:fact:`arlyn.Position`, :dice:fact:`free.total`.

    .. dice:example:: Arlyn sneaks
       :name: sneak
       :mechanic: dice/roll
       :notation: 2d6 + [Prowl]
       :actor: arlyn
       :dice: 1 3
       :then: vault += total - 1; arlyn.Stress += 2; heat = vault
       :expect: total=6, vault=6, arlyn.Stress=8

       The clock is at :dice:fact:`vault` of 8, Stress at :dice:fact:`arlyn.Stress`.

    .. dice:change:: arlyn.Prowl += 3; moth.Prowl = arlyn.Prowl

       She learns, and sneaks with :dice:fact:`moth.Prowl`.

    Between: :dice:fact:`arlyn.Prowl`, :dice:fact:`moth.Prowl`, :dice:fact:`vault.full`.

    .. dice:example:: Free
       :name: free
       :mechanic: dice/roll
       :notation: [Prowl]
       :actor: moth
       :scene: none
       :expect: total=1

    On
    ~~

    .. dice:example:: Moth runs
       :name: run
       :mechanic: dice/roll
       :notation: [Prowl] + arlyn.Stress + 1
       :actor: moth
       :then: vault += total; arlyn.Stress += total
       :expect: total=14, vault=8, vault.full=true, arlyn.Stress=9, heat=6

    After: :dice:fact:`vault`, :dice:fact:`heat`, :dice:fact:`vault.full`.

    Elsewhere
    ---------

    .. dice:example:: Outside
       :name: outside
       :mechanic: dice/roll
       :notation: arlyn.Prowl + sneak.vault
       :expect: total=8

    Now: :dice:fact:`arlyn.Prowl`, :dice:fact:`run.vault`.
"""
TOCTREE = "\n    .. toctree::\n\n       people\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_scene_changes_from_example_to_example(book, jobs):
    book.page(SCENE + TOCTREE)
    book.page(PEOPLE, "people.rst")
    built = book.build("text", jobs=jobs)
    assert built.log == ""
    text = " ".join(built.read("index.txt").split())
    assert "The clock is at 1." in text
    assert "Before: 1, 6, risky, 1." in text
    # 1 + 3 + 2 makes 6, five of which go to the vault.
    assert "The clock is at 6 of 8, Stress at 8." in text
    assert "Arlyn, Stress: 6 of 9 → 8 of 9; Vault: 1 of 8 → 6 of 8; Heat: 0 → 6" in text
    assert "She learns, and sneaks with 5." in text
    assert "Between: 5, 5, no." in text
    # 5 + 8 + 1, and both stop at their bounds.
    assert "Arlyn, Stress: 8 of 9 → 9 of 9; Vault: 6 of 8 → 8 of 8" in text
    assert "After: 8, 6, yes." in text
    # Outside the scene a character is as it was written.
    assert "Now: 2, 8." in text
    done = book.build("doctest")
    # Each example, and the scene as a whole: two lines to begin, one for each step, and one for the state at its end.
    assert re.search(r"\n +(\d+) tests\n +0 failures in tests", done.read("output.txt"))[1] == str(4 + 2 + 3 + 1)
    job = next(node for node in done.doctree("index").findall(dice_mechanic) if node.block.name == "job")
    test = job[-1]["test"]
    assert ">>> scene = dd.Scene.from_state({" in test
    assert '"arlyn.Stress": "6 of 9"' in test
    assert test.count(">>> scene.change(") == 3
    assert "'vault': '8 of 8', 'heat': '6'}" in test


def test_a_scene_looks_the_same_in_every_format(book):
    book.page(PEOPLE + SCENE)
    html = book.build("html", html_theme="basic").read("index.html")
    changes = html.partition('<div class="dice-changes docutils container">')[2].partition("</div>")[0]
    drawn = re.findall(r'aria-label="([^"]*)"', changes)
    assert drawn == ["Arlyn, Stress: 6 of 9", "Arlyn, Stress: 8 of 9", "Vault: 1 of 8", "Vault: 6 of 8"]
    said = " ".join(re.sub(r"<svg.*?</svg>|<[^>]*>", "", changes).split())
    assert said.startswith("→ Arlyn, Stress: 6 of 9 → 8 of 9; → Vault: 1 of 8 → 6 of 8; Heat: 0 → 6")
    assert "<dt>Vault</dt><dd>1 of 8</dd>" in html
    assert '<p>Cast: <a class="reference internal" href="#dice-arlyn"' in html
    latex = book.build("latex").read("book.tex")
    assert re.search(r"Arlyn, Stress: 6 of 9 \S+ 8 of 9; Vault: 1 of 8", latex)


def test_a_changed_value_moves_the_scene_behind_it_and_no_more(book):
    book.page(SCENE + TOCTREE)
    book.page(PEOPLE, "people.rst")
    book.build("text")
    book.page(PEOPLE.replace("Prowl=2", "Prowl=3"), "people.rst")
    grown = book.build("text")
    run = "total={}, vault=8, vault.full=true, arlyn.Stress=9, heat={}"
    assert [(w.line, w.text.partition(";")[0]) for w in grown.warnings] == [
        (24, "sneak: expected total=6, vault=6, arlyn.Stress=8, got total=7, vault=7, arlyn.Stress=8"),
        (51, f"run: expected {run.format(14, 6)}, got {run.format(15, 7)}"),
        (62, "outside: expected total=8, got total=10"),
    ]
    clean = book.build("text", out="clean", doctrees="clean-trees")
    assert sorted(clean.warnings) == sorted(grown.warnings)
    assert grown.read("index.txt") == clean.read("index.txt")


CRATE = (
    PEOPLE
    + """
    .. dice:character:: Crate
       :name: crate
       :values: HP=9 of 9, State=whole

    .. dice:example:: First blow
       :name: first-blow
       :mechanic: methuen/check
       :check: 2d6 + 1 >= 6
       :dice: 3 4
       :expect: success=true, left=8

    .. dice:scene:: The crate
       :name: smash
       :cast: crate
       :tracks: luck 0, first-blow-left 2

    .. dice:example:: The crate gives way
       :name: second
       :mechanic: dice/roll
       :notation: 4
       {then}
       :expect: {expect}

    .. dice:change:: crate.HP -= second.total - first-blow.left + 2 * second.luck; luck += low.Luck

    .. dice:character:: Low
       :name: low
       :values: Luck=-2

    .. dice:change:: crate.State = arlyn.Position
"""
)


def test_changes_take_facts_of_other_examples_and_values_of_other_characters(book):
    then = ":then: crate.HP -= first-blow.left-total; luck = 5 * first-blow.success"
    book.page(CRATE.format(then=then, expect="total=4, crate.HP=5, luck=5") + "\n    :dice:fact:`crate.State`\n")
    built = book.build("text")
    assert built.log == ""
    text = " ".join(built.read("index.txt").split())
    # The crate loses 8 less 4, and then 4 less 8 and ten more.
    assert "Crate, HP: 9 of 9 → 5 of 9; Luck: 0 → 5" in text
    assert "Crate, HP: 5 of 9 → 0 of 9; Luck: 5 → 3" in text
    assert "Crate, State: whole → risky" in text
    test = next(node for node in built.doctree("index").findall(dice_mechanic) if node.block.name == "smash")[-1][
        "test"
    ]
    assert '"crate.HP -= first-blow.left-total; luck = 5 * first-blow.success"' in test
    assert 'values={"first-blow.left": 8, "first-blow.success": True}' in test
    assert 'values={"second.total": 4, "first-blow.left": 8, "second.luck": 5, "low.Luck": -2}' in test
    assert 'values={"arlyn.Position": "risky"}' in test
    assert "0 failures in tests" in book.build("doctest").read("output.txt")
    book.page(
        CRATE.format(then=then, expect="total=4, crate.HP=5, luck=5").replace("3 4", "1 2").replace(", left=8", "")
    )
    # The first blow misses with 4, so nothing happens to the crate, and later 4 - 4 + 0.
    found = [w.text.partition(";")[0] for w in book.build("text").warnings]
    assert found == [
        "first-blow: expected success=true, got success=false",
        "second: expected total=4, crate.HP=5, luck=5, got total=4, crate.HP=9, luck=0",
    ]


def test_only_the_first_of_those_that_depend_on_each_other_is_reported(book):
    page = CRATE.format(then=":then: crate.HP -= first-blow.left", expect="total=4").replace("3 4", "3")
    page += """
    .. dice:odds::
       :name: chance
       :mechanic: dice/check
       :check: 1d20 >= luck
       :expect: p(= true)=100%

    .. dice:example:: Too much
       :name: wrong
       :mechanic: dice/roll
       :notation: second.total
       :scene: none
       :dice: 3
       :expect: total=1
       :looks: line

    Never :dice:fact:`second.total`.
    """
    book.page(page)
    built = book.build("text")
    # What is wrong with one itself is reported all the same.
    assert [(w.line, w.text.partition(":")[0]) for w in built.warnings] == [(21, "first-blow"), (57, "wrong")]
    text = " ".join(built.read("index.txt").split())
    assert text.count("depends on 'first-blow' (index.rst:17), which has a mistake") == 5
    assert "Never ?." in text
    states = {
        each.label: state.value for _, each, state in checked_blocks(checked_statements(dice_domain(built.app.env)))
    }
    assert states == {
        "first-blow": "failed",
        "smash": "unverified",
        "second": "unverified",
        "change-1": "unverified",
        "change-2": "unverified",
        "chance": "unverified",
        "wrong": "failed",
    }
    assert re.search(r" 2 failures in tests", book.build("doctest").read("output.txt"))


LIMITS = """
    .. dice:character:: Limits
       :name: limits
       :values: Full=8, Low=-2

    .. dice:character:: Kira
       :name: kira
       :values: Glow=2 of {kira}, Stress=1 of -3..3

    .. dice:example:: Strength of the gate
       :name: gate
       :mechanic: dice/roll
       :notation: 2d4
       :dice: 3 3
       :expect: total=6

    .. dice:scene:: The trail
       :name: trail-scene
       :cast: kira
       :tracks: trail 0 of {trail}, breach 1 of gate.total

    .. dice:change:: trail += 20; kira.Glow -= 20; breach += 9; kira.Stress -= 3
       :expect: {expect}

    :dice:track:`trail`, :dice:track:`kira.Glow`, :dice:track:`breach`
"""


def test_bounds_may_be_references_and_begin_below_zero(book):
    expect = "trail=8, trail.full=true, kira.Glow=-2, breach=6, breach.full=true, kira.Stress=-2"
    page = LIMITS.format(kira="limits.Low..limits.Full", trail="limits.Full", expect=expect)
    book.page(page)
    built = book.build("text")
    assert built.log == ""
    text = " ".join(built.read("index.txt").split())
    assert "8 of 8, -2 of -2 to 8, 6 of 6" in text
    assert "Kira, Stress: 1 of -3 to 3 → -2 of -3 to 3" in text
    # They follow.
    book.page(page.replace("Full=8", "Full=9").replace("3 3", "3 2").replace("total=6", "total=5"))
    [moved] = book.build("text").warnings
    assert "got trail=9, trail.full=true, kira.Glow=-2, breach=5, breach.full=true, kira.Stress=-2" in moved.text
    drawn = re.findall(r'aria-label="([^"]*)"', book.build("html").read("index.html"))
    assert "Kira, Glow: \N{MINUS SIGN}2 of \N{MINUS SIGN}2 to 9" in drawn
    for kira, trail, line, message in (
        ("limits.Ful", "8", 11, "kira: values: 'limits' (index.rst:5) has no 'Ful'; did you mean 'Full'?"),
        ("-6..limit.Full", "8", 11, "kira: values: there is no character or example 'limit'; did you mean 'limits'"),
        ("limits.Low", "8", 11, "kira: values: 'Glow': '-2' is not a whole number, at least 1"),
        ("1", "8", 11, "kira: values: 'Glow': '2' is not a whole number from 0 to 1"),
        ("9", "limits.Ful", 23, "trail-scene: tracks: 'limits' (index.rst:5) has no 'Ful'; did you mean 'Full'?"),
        ("9", "-2..-4", 23, "trail-scene: tracks: '-4' is not a whole number, at least -1"),
    ):
        book.page(LIMITS.format(kira=kira, trail=trail, expect="trail=8"))
        first, *_others = book.build("text").warnings
        assert (first.line, first.text[: len(message)]) == (line, message)


TEXTS = (
    PEOPLE
    + """
    .. dice:scene:: The trail
       :cast: arlyn
       :tracks: trail 6 of 8, heat 2

       A: {it}.

    B: {it}, :dice:odds:`1d20 + arlyn.Prowl >= trail + 2 * heat`, :dice:roll:`1d6 + trail @ dice 3`.

    :dice:odds:`1d20>4` of them.

    .. dice:example:: A step
       :name: step
       :mechanic: dice/roll
       :notation: trail + 1
       :then: trail -= 2; arlyn.Prowl += 1
       :expect: total=7, trail=4

       C: {it}, :dice:fact:`total`.

    .. dice:claim::
       :mechanic: dice/check
       :check: 1d20 > trail
       :claim: p(= true) = 80%

       D: {it}, :dice:fact:`arlyn.Prowl`, :dice:fact:`exact`.

    .. dice:odds:: The chance
       :mechanic: dice/check
       :check: 1d20 > trail

       E: {it}.

    .. dice:example:: Apart
       :mechanic: dice/roll
       :notation: 3
       :scene: none
       :expect: total=3

       F: {it}, :dice:fact:`total`.

    .. dice:change:: trail += 1

       G: {it}.

    - H: {it}, :dice:odds:`1d20 > step.total`.

    Elsewhere
    =========

    I: {last}.
"""
)


def test_any_text_of_a_scene_has_its_values(book):
    it = ":dice:fact:`trail`, :dice:odds:`1d20 > trail`"
    page = TEXTS.format(it=it, last=":dice:odds:`1d20 > 5`")
    book.page(page)
    built = book.build("text")
    assert built.log == ""
    text = " ".join(built.read("index.txt").split())
    for said in (
        "A: 6, 70%.",
        # 2 is added, and 10 needed.
        "B: 6, 70%, 65%, 9 (1d6 + 6: 3). 80% of them.",
        "C: 4, 80%, 7.",
        "D: 4, 80%, 3, 80%.",
        "E: 4, 80%.",
        "F: 4, 80%, 3.",
        "G: 5, 75%.",
        "H: 5, 75%, 65%.",
    ):
        assert said in text
    # They follow, and what is wrong is one statement.
    book.page(page.replace("trail 6 of 8", "trail 8 of 8").replace("1d20>4", "1d20 > trial"))
    moved = book.build("text")
    assert "A: 8, 60%." in moved.read("index.txt")
    wrong = sorted((w.type.removeprefix("dicedocs."), w.text.partition(":")[0]) for w in moved.warnings)
    assert wrong == [("mismatch", "claim-1"), ("mismatch", "step"), ("value", "1d20 > trial")]
    assert "? (1d20 > trial)" in moved.read("index.txt")
    # Outside of the scene it has no values.
    book.page(TEXTS.format(it=it, last=":dice:odds:`1d20 > trail`"))
    [outside] = book.build("text").warnings
    assert outside.text.startswith("1d20 > trail: check: expected a number")
    # A character on another page, of whom no block here takes anything.
    book.page(TEXTS.format(it=":dice:odds:`1d20 > sage.Wits`", last="x") + "\n.. toctree::\n\n   sage\n")
    for wits, chance in ((5, "75%"), (10, "50%")):
        book.page(f".. dice:character:: Sage\n   :name: sage\n   :values: Wits={wits}\n", "sage.rst")
        built = book.build("text")
        assert f"G: {chance}." in built.read("index.txt")
    assert built.log == ""


FORGE = """
    .. dice:scene:: At the forge
       :name: forge
       :tracks: heat 1 of 6, coal 9

    .. dice:change:: heat += 2; coal -= 1
       :name: stoke
       :expect: {expect}

    .. dice:change:: coal -= 1

    .. dice:example:: Blows
       :name: blows
       :mechanic: dice/roll
       :notation: heat + 1
       :then: heat += total
       :expect: total={total}, heat=6
"""


def test_a_change_expects_the_state_after_it(book):
    def states(expect, total=4):
        book.page(FORGE.format(expect=expect, total=total))
        built = book.build("text")
        found = {
            each.label: state.value for _, each, state in checked_blocks(checked_statements(dice_domain(built.app.env)))
        }
        return found, [(w.line, w.text) for w in built.warnings], built

    # A change that expects nothing is fine.
    right, warnings, _built = states("heat=3, heat.full=false, coal=8")
    assert (right, warnings) == ({"forge": "verified", "stoke": "verified", "blows": "verified"}, [])
    assert "0 failures in tests" in book.build("doctest").read("output.txt")
    wrong, warnings, built = states("heat=4")
    assert wrong == {"forge": "unverified", "stoke": "failed", "blows": "verified"}
    assert warnings == [(11, "stoke: expected heat=4, got heat=3; write :expect: heat=3")]
    assert "This does not hold" in built.read("index.txt")
    [change] = accept_blocks(built.app, dice_domain(built.app.env).blocks["index"], time.time_ns()).changes
    assert ":expect: heat=3\n" in change.after
    assert "stoke" in book.build("doctest").read("output.txt")
    # One wrong beat is one wrong statement.
    assert states("heat=3", total=5)[0] == {"forge": "unverified", "stoke": "verified", "blows": "failed"}
    # What is left empty waits for accept.
    waiting, warnings, built = states("")
    assert waiting["stoke"] == "unverified"
    assert warnings == [(11, "stoke: nothing is expected; write :expect: heat=3, coal=8")]
    [change] = accept_blocks(built.app, dice_domain(built.app.env).blocks["index"], time.time_ns()).changes
    assert [each.value for each in change.corrections] == ["heat=3, coal=8"]
    for expect, message in (
        ("heet=3", "stoke: expect: there is no fact or track 'heet'; did you mean 'heat'?"),
        ("heat", "stoke: expect: 'heat' is not a fact with a value"),
        ("heat=first.heat", "stoke: expect: there is no character or example 'first'"),
    ):
        _states, [(line, text), *_], _built = states(expect)
        assert (line, text.startswith(message)) == (11, True), text


IF = CRATE.format(then=":if: {}", expect="total=4")


def test_an_example_may_happen_only_if_something_holds(book):
    page = IF.format("first-blow.success; crate.HP at least first-blow.left; crate.State = whole")
    page = page.replace(
        "crate.State = arlyn.Position\n", "crate.State = arlyn.Position\n       :if: second.total = 4\n"
    )
    book.page(page)
    built = book.build("text")
    assert built.log == ""
    tests = {node.block.name: node[-1].get("test") for node in built.doctree("index").findall(dice_mechanic)}
    when = 'when="first-blow.success; crate.HP at least first-blow.left; crate.State = whole"'
    assert when in tests["second"]
    assert when in tests["smash"]
    assert 'when="second.total = 4"' in tests["smash"]
    assert "0 failures in tests" in book.build("doctest").read("output.txt")
    # With another die the first blow misses, and hits with no more than 4.
    book.page(page.replace("3 4", "1 2").replace("success=true, left=8", "success=false, left=4"))
    wrong = book.build("text")
    message = "second: this happens only if first-blow.success; first-blow.success is false"
    assert [(w.line, w.type, w.text) for w in wrong.warnings] == [(33, "dicedocs.mismatch", message)]
    # What comes after it goes on: the crate loses 4 less 4.
    assert "Crate, State: whole → risky" in wrong.read("index.txt")
    assert "1 failure in tests" in book.build("doctest").read("output.txt")
    started = time.time_ns()
    acceptance = accept_blocks(wrong.app, dice_domain(wrong.app.env).blocks["index"], started)
    [refusal] = acceptance.refusals
    assert f"{message}; no expectation can change that" in refusal.reason
    assert acceptance.changes == []


WRONG_IF = [
    ("crate.HP >= frist-blow.left", "value", "second: if: there is no character or example 'frist-blow'; did you mean"),
    (
        "crate.HP",
        "value",
        "second: if: crate.HP is 9, which is neither true nor false; compare it, as in crate.HP at",
    ),
    ("crate.HP < 9", "mismatch", "second: this happens only if crate.HP < 9; crate.HP is 9"),
    ("total = 4", "value", "second: if: nothing is called 'total'"),
    ("first-blow.left = 7", "mismatch", "second: this happens only if first-blow.left = 7; first-blow.left is 8"),
]


def test_a_condition_that_does_not_hold_is_named_at_its_line(book):
    for condition, kind, message in WRONG_IF:
        book.page(IF.format(condition))
        first = book.build("text").warnings[0]
        assert first.text.startswith(message)
        assert first.line == 33
        assert first.type in {f"dicedocs.{kind}", "dicedocs.reference"}
    book.page(".. dice:example::\n   :mechanic: dice/roll\n   :notation: 3\n   :if: true\n   :expect: total=3\n")
    [outside] = book.build("text").warnings
    assert outside.text.startswith("example-1: no scene begins above it in this section")


WRONG_THEN = [
    (
        "crate.HP -= frist-blow.left",
        "second: then: there is no character or example 'frist-blow'; did you mean 'first-",
    ),
    ("crate.HP -= first-blow.lift", "second: then: 'first-blow' (index.rst:17) has no 'lift'; did you mean 'left'?"),
    ("luck += third.total", "second: then: these refer to each other in a circle: second → third → "),
    ("luck += arlyn.Position", "second: then: arlyn.Position is 'risky', which is not a whole number"),
]


def test_what_a_change_cannot_take_is_named_as_in_any_reference(book):
    third = "\n    .. dice:example::\n       :name: third\n       :mechanic: dice/roll\n       :notation: 3\n"
    for then, message in WRONG_THEN:
        page = CRATE.format(then=f":then: {then}", expect="total=4") + third
        book.page(page.replace("total=4 - ", "total - ") + "       :expect: total=3\n")
        first = next(w for w in book.build("text").warnings if w.text.startswith("second"))
        assert first.text.startswith(message)
        assert first.line == 33


ROWING = """
    .. dice:character:: Low
       :name: low
       :values: Luck=-2

    .. dice:scene::
       :name: crossing
       :tracks: river 3 of 8, the-ford 1

    .. dice:mechanic:: t/row
       :boost: 0 (-5 to 5)

       total = 1d6 + boost

    .. dice:example:: They row
       :name: row
       :mechanic: t/row
       :boost: {boost}
       :dice: 4
       :expect: total={total}
"""
COMPUTED = [
    # Each with the total of a 4, or with what is wrong.
    ("river - 1", 6),
    ("RIVER minus the-ford", 6),
    ("the-ford-low.Luck", 7),
    ("LOW.luck + The-Ford", 3),
    ("Low.luck", 2),
    ("2 * low.Luck + river", 3),
    ("2 if river >= 3, else 0", 6),
    ("=river", 7),
    ("rivr - 1", "no value is called 'rivr'; did you mean 'river'?"),
    ("river - 9", "river - 9 is '-6', not a whole number from -5 to 5"),
    ("river -", "'river -' is not a whole number from -5 to 5"),
    ("2d6 - river", "'2d6 - river' is not a notation without dice"),
    ("low.Lick + 1", "'low' (index.rst:5) has no 'Lick'; did you mean 'Luck'?"),
    ("lo.Luck + 1", "there is no character or example 'lo'; did you mean 'low' (index.rst:5)?"),
]


def test_a_number_is_computed_of_values_by_their_names(book):
    wrong = {}
    for boost, meant in COMPUTED:
        book.page(ROWING.format(boost=boost, total=meant if isinstance(meant, int) else 0))
        found = [w.text for w in book.build("text").warnings]
        if found != ([] if isinstance(meant, int) else [f"row: boost: {meant}"]):
            wrong[boost] = found
    assert wrong == {}


FORD = """
    .. dice:scene::
       :name: ford
       :tracks: river 1 of 8

    .. dice:example::
       :name: wade
       :mechanic: dice/roll
       :notation: 3
       :then: river += depth
       :expect: total=3

       :dice:words:`river.full | In it. | Not in it.`

    :dice:words:`river.full | It is over. | It rises.` :dice:words:`{name} | Yes. | No.`
"""


def test_words_behind_a_beat_that_fails_wait_for_it(book):
    for name, message in (("river = 3", ""), ("rover.full", "nothing is named 'rover'")):
        book.page(FORD.format(name=name))
        first, *others = (w.text for w in book.build("text").warnings)
        assert first.startswith("wade: then: no fact and nothing in the scene is called 'depth'")
        assert [text[: len(message)] for text in others] == [message] * bool(message)


JOB = """
    .. dice:scene::
       :name: job-{n}
       :cast: arlyn
       :tracks: vault 0 of 8

    .. dice:example::
       :name: first-{n}
       :mechanic: dice/roll
       :notation: 3
       {first}
       :expect: total=3

    .. dice:example::
       :name: next-{n}
       :mechanic: dice/roll
       :notation: 4
       {more}
       :expect: {expect}
"""


def job(first=":then: vault += total", more=":hide: call", expect="total=4"):
    return JOB.replace("{first}", first).replace("{more}", more).replace("{expect}", expect)


WRONG = [
    (job(more=":then: vault += ticks"), 21, "value", "next: then: no fact and nothing in the scene is called 'ticks'"),
    (job(more=":then: vault"), 21, "value", "next: then: 'vault' is not a change; write vault += 1"),
    (job(expect="total=4, valt=3"), 22, "fact", "next: expect: there is no fact or track 'valt'; did"),
    (
        job(more=':then: vault += total; arlyn.Position = "dire"', expect=""),
        17,
        "unverified",
        "next: nothing is expected; write :expect: total=4, arlyn.Position=dire, vault=7",
    ),
    (job(expect="total"), 22, "fact", "next: expect: 'total' is not a fact with a value; write name=value"),
    (job(expect="total=4, vault=4"), 22, "mismatch", "next: expected total=4, vault=4, got total=4, vault=3; write"),
    (job(more=":scene: other"), 21, "option", "next: 'other' is not 'none', which takes the example out of its scene"),
    (
        job(more=":scene: none\n       :then: vault += 1"),
        22,
        "option",
        "next: no scene begins above it in this section",
    ),
    (
        job().replace("vault 0 of 8", "vault, vault"),
        8,
        "value",
        "job: tracks: 'vault' is not a track, or is listed",
    ),
    (
        job().replace("vault 0 of 8", "HP 1, Hp 2"),
        8,
        "value",
        "job: tracks: 'HP' and 'Hp' are the same name: capitals don't matter; rename one of them",
    ),
    (job().replace(":tracks:", ":track:"), 8, "option", "job: a scene has no option 'track'; did you mean 'tracks'"),
    (
        ".. dice:change:: vault += 1\n",
        5,
        "option",
        "change-1: no scene begins above it in this section; write a",
    ),
    (
        job() + "\n    .. dice:change::\n",
        24,
        "option",
        "change-1: no change is given; write it after",
    ),
    (job() + "\n    .. dice:change:: vault += 1d4\n", 24, "value", "change-1: '1d4' is not a notation without dice"),
    (
        job() + f"\n    .. dice:change:: vault += {'nobody.Stress + ' * 1_000}1\n",
        24,
        "value",
        "change-1: 16010 characters in the text of a parameter; the limit VALUE_TEXT is 10000",
    ),
    (job() + "\n    Now :dice:fact:`valt.full`.\n", 24, "reference", "nothing is named 'valt'"),
    (job(more=":then: vault += 1").replace(":cast: arlyn", ":cast: "), 0, "", ""),
]


def test_wrong_scenes_have_one_warning_each(book):
    book.page(PEOPLE + "\n.. toctree::\n\n" + "".join(f"   p{n}\n" for n in range(len(WRONG))))
    for number, (text, *_) in enumerate(WRONG):
        book.page(textwrap.dedent(text.replace("{n}", str(number))), f"p{number}.rst")
    warned = book.build("text").warnings
    for number, (_, line, kind, message) in enumerate(WRONG):
        found = [w for w in warned if w.file == f"p{number}.rst"]
        if not kind:
            assert found == []
            continue
        [first] = found
        text = re.sub(rf"^(\w+)-{number}:", r"\1:", first.text)
        assert (first.line, first.type) == (line, f"dicedocs.{kind}"), (number, found)
        assert text.startswith(message), (number, text)


def test_of_two_scenes_in_a_section_the_last_one_holds_and_the_first_one_behind_its_section(book):
    book.page("""
    .. dice:scene::
       :tracks: heat 1

    Below
    -----

    .. dice:scene::
       :tracks: heat 5

    Inner :dice:fact:`heat`.

    .. dice:change:: heat += 1

    Deep
    ~~~~

    Still :dice:fact:`heat`.

    Behind
    ------

    Outer :dice:fact:`heat`.
    """)
    built = book.build("text")
    assert built.log == ""
    text = " ".join(built.read("index.txt").split())
    assert ("Inner 5." in text, "Still 6." in text, "Outer 1." in text) == (True, True, True)


def test_a_track_may_stand_where_a_value_may(book):
    book.page(
        PEOPLE
        + """
    .. dice:scene::
       :cast: arlyn
       :tracks: vault 4 of 8

    .. dice:example::
       :mechanic: ember/haul
       :crew: Ash: skill arlyn.Prowl
       :weight: vault
       :dice: 5
       :expect: total=7

    .. dice:example::
       :mechanic: dice/roll
       :notation: 2*vault-vault+min(vault, 3)-arlyn.Prowl
       :expect: total=5

    .. dice:example::
       :mechanic: dice/roll
       :notation: Vault
       :expect: total=4

    .. dice:example::
       :mechanic: ember/haul
       :crew: Ash: skill 2
       :note: vault
       :dice: 5
       :expect: total=7
    """
    )
    built = book.build("html", html_theme="basic")
    [warning] = built.warnings
    assert "note: 'vault' is text that is valid here, and also a reference (index.rst:" in warning.text
    assert '4 <span class="dice-note">(vault)</span>' in built.read("index.html")


def test_values_of_characters_are_escaped(book):
    book.page(PEOPLE.replace("Position=risky", "Position=<b>risky</b>"))
    assert "<dd>&lt;b&gt;risky&lt;/b&gt;</dd>" in book.build("html", html_theme="basic").read("index.html")


DUEL = """
    .. dice:character:: The river king
       :name: king
       :values: Attack=4, Bite=1d20 + [Attack]

    .. dice:character:: Asa
       :name: asa
       :values: Defense=11

    .. dice:scene::
       :cast: king, asa
       :tracks: warned 1

    .. dice:example:: It lunges
       :mechanic: dice/check
       :check: king.Bite >= [Target Defense] + 2 * warned
       :actor: king
       :target: asa
       :dice: 7
       :expect: success=false, left=11, right=13

       It goes by.

    .. dice:example:: A twig
       :mechanic: dice/roll
       :notation: 1d4 + 1
       :dice: 3
       :expect: total=4

       It drifts.
"""
CHECK = "1d20 + [Attack] >= [Target Defense] + 2 * 1"


@pytest.mark.parametrize(("builder", "file"), [("html", "index.html"), ("epub", "index.xhtml")])
def test_in_a_scene_a_line_says_who_rolls_and_how_is_folded(book, builder, file):
    book.page(DUEL)
    page = unescape(book.build(builder, dicedocs_look="compact").read(file))
    box = page.partition("It lunges</p>")[2].partition("A twig")[0]
    line, _, fold = box.partition("It goes by.")
    assert " ".join(re.sub(r"<[^>]*>", "", line).split()) == "The river king · Bite · against Asa"
    assert line.count("<a ") == 2
    how = re.sub(r"<[^>]*>", "", fold.partition('<details class="dice-how"')[2])
    assert "11 ≥ 13: no" in how
    # An e-book folds nothing, and has only the working.
    assert (f"Check: {CHECK} (The river king: Bite; warned)" in how) == (builder == "html")
    # Where nobody is named, the story begins at once.
    assert "dice-given" not in page.partition("A twig")[2]


def test_on_paper_and_in_text_a_scene_has_the_line_and_no_parameters(book):
    book.page(DUEL)
    text = " ".join(book.build("text").read("index.txt").split())
    assert "It lunges: The river king · Bite · against Asa It goes by." in text
    assert "A twig: It drifts." in text
    latex = book.build("latex").read("book.tex")
    assert re.search("The river king.* · Bite · against .*Asa", latex)
    assert CHECK not in text + latex
    assert "Actor" not in text + latex


DRAWN = """
    .. dice:scene::
       :cast: arlyn
       :tracks: clock 3 of 4, row 13 of 20, long 50 of 100, coin 7

    At :dice:track:`clock`, :dice:track:`row`, :dice:track:`long`, :dice:track:`coin`, :dice:track:`arlyn.Stress`,
    :dice:track:`arlyn.Position`.

    .. dice:example:: A step
       :name: step
       :mechanic: dice/roll
       :notation: 1
       :then: clock += total; coin -= 2; arlyn.Stress = 0
       :expect: clock=4

       Now at :dice:track:`clock`.

    .. dice:change:: arlyn.Stress += 1

    .. dice:scene-sheet:: What became of it
"""


def test_tracks_are_drawn_at_their_place_and_a_sheet_shows_their_way(book):
    book.page(PEOPLE + DRAWN)
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    html = built.read("index.html")
    prose = html.partition("At ")[2].partition("</p>")[0]
    svgs = re.findall(r"<svg.*?</svg>", prose)
    assert [re.search(r'aria-label="([^"]*)"', svg)[1] for svg in svgs] == [
        "Clock: 3 of 4",
        "Row: 13 of 20",
        "Long: 50 of 100",
        "Arlyn, Stress: 6 of 9",
    ]
    # A clock has as many segments as there are, a row as many boxes; half of a bar is filled.
    assert [svg.count("<path") + svg.count("<rect") for svg in svgs] == [4, 20, 2, 9]
    assert [svg.count("fill-opacity") for svg in svgs] == [3, 13, 1, 6]
    assert '<span class="dice-track">Coin: 7</span>' in prose
    assert "risky" in prose
    assert 'aria-label="Clock: 4 of 4"' in html.partition("Now at ")[2].partition("</p>")[0]
    sheet = html.partition("What became of it")[2]
    words = " ".join(re.sub(r"<[^>]*>", " ", sheet).split())
    assert "Arlyn, Stress 6 of 9 → 0 of 9 ( A step ) → 1 of 9 ( change )" in words
    assert "Clock 3 of 4 → 4 of 4 ( A step ) Coin 7 → 5 ( A step )" in words
    assert "Row" not in words
    assert '<a class="reference internal" href="#dice-step"' in sheet
    text = " ".join(book.build("text").read("index.txt").split())
    assert "At 3 of 4, 13 of 20, 50 of 100, 7, 6 of 9, risky." in text
    assert "Now at 4 of 4." in text
    assert "Stress 6 of 9 → 0 of 9 (A step)" in text
    # A document of LaTeX is made of several pages.
    book.page(PEOPLE + DRAWN, "night.rst")
    book.page(".. toctree::\n\n   night\n")
    tex = book.build("latex").read("book.tex").partition("What became of it")[2]
    assert "0 of 9 (" in tex


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (
            f"{DRAWN}\n    Heat of :dice:fact:`coin`\n    -------------------------------",
            "a heading cannot show 'coin', which is known only when all pages are read",
        ),
        (".. dice:scene-sheet::", "scene-sheet-1: no scene begins above it in this section; write a dice:scene there"),
        (
            DRAWN.replace("At :dice:track:`clock`", "At :dice:track:`clck`"),
            "there is no track 'clck'; did you mean 'clock'?",
        ),
    ],
)
def test_a_wrong_track_is_one_warning(book, page, message):
    book.page(f"{PEOPLE}\n{textwrap.indent(textwrap.dedent(page), '    ')}")
    [warning] = book.build("text").warnings
    assert warning.text == message


def test_the_title_of_a_character_is_never_stale_in_a_scene(book):
    book.page(DRAWN + "\n    .. toctree::\n\n       people\n")
    book.page(PEOPLE, "people.rst")
    book.build("text")
    book.page(PEOPLE.replace(":: Arlyn", ":: Arlyn the Bold"), "people.rst")
    assert "Arlyn the Bold, Stress" in book.build("text").read("index.txt")


def test_odds_in_a_scene_take_its_state_and_leave_it_as_it_is(book):
    book.page(
        PEOPLE
        + """
    .. dice:scene::
       :cast: arlyn
       :tracks: heat 2

    .. dice:change:: arlyn.Prowl += 2

    .. dice:odds::
       :mechanic: dice/roll
       :notation: 1d4 + [Prowl] + heat
       :actor: arlyn
       :expect: mean=8.5

    .. dice:example::
       :mechanic: dice/roll
       :notation: [Prowl]
       :actor: arlyn
       :then: heat += total
       :expect: total=4, heat=6

       With 6 heat, not 7.
    """
    )
    [warning] = book.build(dicedocs_literal_numbers=True).warnings
    # 2.5 + 4 + 2.
    assert "the number 7 is not one of this example's values" in warning.text


def test_a_scene_speaks_the_language_of_the_book(book):
    book.page(PEOPLE + SCENE + "\n    :dice:track:`vault`\n")
    text = " ".join(book.build("text", language="de").read("index.txt").split())
    assert "Besetzung: Arlyn, Moth" in text
    assert "Arlyn, Stress: 6 von 9 → 8 von 9; Vault: 1 von 8 → 6 von 8; Heat: 0 → 6" in text


def test_a_scene_with_too_many_tracks_is_refused_before_anything_is_played(book):
    tracks = ", ".join(f"t{number} 0 of 4" for number in range(1_001))
    book.page(f".. dice:scene:: Many\n   :tracks: {tracks}\n")
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (6, "dicedocs.value")
    assert "1001" in warning.text.replace(",", "")


WORDS = '''
from typing import Literal

from dicedocs import Dice, Mechanic, Outcome, Say, param

TARGETS = {None: "yourself", 4: "a guard"}


class Shot(Mechanic, id="bow/shot"):
    """Shoot at whoever is there."""

    at: str = param(default="dawn")
    times: int = param(default=1)

    class Result(Outcome):
        total: int
        target: str
        result: Literal["hit", "near miss"]
        cry: str

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces = [dice.roll(100) for _ in range(self.times)]
        total = faces[0] % 6 + 1
        cry = ", ".join(map(str, [each % 2 for each in faces]))
        return self.Result(total, say.look_up("Target", total, TARGETS), "hit" if total > 1 else "near miss", cry)
'''


def story(*conditions, times=1):
    """A page with a section for each of some conditions, in each of which the same story begins anew."""
    people = ".. dice:character:: Moth\n   :name: moth\n   :values: Mood=grim\n"
    shot = f".. dice:example:: A shot\n   :name: bow\n   :mechanic: bow/shot\n   :dice: {'3 ' * times}\n"
    shot += f"   :times: {times}\n   :expect: total=4, target=a guard, result=hit\n"
    scene = ".. dice:scene::\n   :cast: moth\n   :tracks: heat\n"
    return "\n".join(
        [people, shot, *(f"Then\n----\n\n{scene}\n.. dice:change:: heat += 1\n   :if: {each}\n" for each in conditions)]
    )


@pytest.fixture
def archery(book):
    book.write("bow.py", WORDS)
    book.write("conf.py", "dicedocs_games = {'bow': 'bow'}\n")
    return book


def test_a_condition_names_words_that_a_fact_can_be(archery):
    right = [
        "bow.result != near miss",
        'bow.result != "near miss"; bow.target not yourself',
        '"yourself" != bow.target',
        "bow.cry = 1",
        "bow.cry != 0",
        "bow.total != 5",
        "bow.at != dsuk",
        "bow.target != moth.Mood",
        "moth.Mood != gilm",
        "heat not 77",
    ]
    wrong = {
        "bow.result != near mis": "did you mean 'near miss'?",
        "bow.result not Near Miss": "'Near Miss' is not a value of result; did you mean 'near miss'?",
        'bow.target != "yurself"': "'yurself' is not a value of target; did you mean 'yourself'?",
        '"yurself" != bow.target': "'yurself' is not a value of target; did you mean 'yourself'?",
        "heat < 99; bow.target = a gard": "'a gard' is not a value of target; did you mean 'a guard'?",
        "bow.cry != 2": "'2' is not a value of cry; known: '0', '1'",
    }
    archery.page(story(*right, *wrong))
    warnings = archery.build().warnings
    assert [each.type for each in warnings] == ["dicedocs.value"] * len(wrong)
    for warning, message in zip(warnings, wrong.values(), strict=True):
        assert "if: " in warning.text
        assert message in warning.text


def test_a_word_of_which_nothing_is_known_is_counted_as_unchecked(archery):
    archery.page(story("bow.cry != 7", "bow.cry not 7; bow.target != yourself", "bow.target != yourself", times=12))
    built = archery.build()
    assert built.warnings == []
    changes = [each for each in checked_statements(dice_domain(built.app.env)) if each.statement.kind == "change"]
    assert [each.state.value for each in changes] == ["unverified", "unverified"]
    assert [reason(each.statement) for each in changes] == ["nothing says whether bow.cry can be '7'"] * 2


def test_a_text_with_a_comma_is_accepted_in_quotes(archery):
    path = archery.page(".. dice:odds:: Cries\n   :mechanic: bow/shot\n   :fact: cry\n   :times: 2\n")
    started = time.time_ns()
    with read_book(check_folders(archery.src)) as app:
        [change] = accept_blocks(app, domain_of(app).blocks["index"], started).changes
    # Each of two cries is even or odd, as likely as not.
    assert re.search(r'\n   :expect: p\(cry = "[01], [01]"\)=25%\n', change.after)
    path.write_text(change.after)
    assert archery.build().warnings == []
