"""An evening at the table: forty rolls of four characters on panels, whose log and examples are pasted into a book."""

import re

from dicedocs.panel.characters import Character
from dicedocs.panel.evening import Evening
from dicedocs.panel.session import Session
from dicedocs_sphinx.nodes import dice_mechanic

ROLLS = 40
PEOPLE = [
    Character("Kira", {"Attack": 6, "Aim": 2, "Defense": 12}),
    Character("Old *Theron*", {"Attack": 3, "Aim": 5, "Defense": 14}),
    Character("Renna | the Red", {"Attack": 4, "Aim": 4, "Defense": 13}),
    Character("Sera_", {"Attack": 7, "Aim": 0, "Defense": 10}),
]
CHECKS = ("1d20 + [Attack] >= [Target Defense]", "2d20kh1 + [Aim] >= [Target Defense]", "2d20kl1 + [Attack] >= 15")


def play(session, roll, *, slots, **texts):
    """Choose who plays, against whom, roll as a page does, and return the directive of the roll."""
    player, other = PEOPLE[roll % 4], PEOPLE[(roll // 4 + roll + 1) % 4]
    for slot, one in zip(slots, (player, other), strict=False):
        session.receive({"do": "character", "item": PEOPLE.index(one), "name": slot})
    session.receive(
        {
            "do": "roll",
            "label": f"{player.name}, roll {roll + 1}",
            "texts": texts,
            "time": f"2026-11-22T21:{roll:02}:07",
        }
    )
    assert session.error is None
    return session.view.directive


def test_an_evening_is_written_into_a_book(book):
    check = Session("dice/check", characters=PEOPLE)
    damage = Session("dice/roll", {"notation": "2d6 + [Attack]"}, characters=PEOPLE)
    effect = Session("total-effect/roll")
    directives = []
    for roll in range(ROLLS):
        if roll % 4 == 3:
            directives.append(play(effect, roll, slots=(), advantage=f"{roll % 3}"))
        elif roll % 2:
            directives.append(play(damage, roll, slots=("actor", "target")))
        else:
            directives.append(play(check, roll, slots=("actor", "target"), check=CHECKS[roll % 3]))
    sessions = (check, damage, effect)
    assert sum(len(session.entries) for session in sessions) == ROLLS

    logs = [session.written_log("markdown") for session in sessions]
    book.page(".. toctree::\n\n   evening", "index.rst")
    book.page("\n\n".join([*logs, *directives]), "evening.md", title="An evening")
    built = book.build("html")
    assert built.log == ""  # which -W would make an error

    blocks = [node.block for node in built.doctree("evening").findall(dice_mechanic)]
    assert [block.issues for block in blocks] == [[]] * ROLLS
    titles = [f"{PEOPLE[roll % 4].name}, roll {roll + 1}" for roll in range(ROLLS)]
    assert [block.title for block in blocks] == titles
    # Each roll is in a table too, with its label as it was typed.
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", built.read("evening.html"), re.DOTALL)
    cells = [re.findall(r"<td[^>]*><p>(.*?)</p></td>", row, re.DOTALL) for row in rows]
    assert sorted(", ".join(filter(None, row[2:4])) for row in cells if row) == sorted(titles)
    assert {row[1][:10] for row in cells if row} == {"2026-11-22"}


def test_the_log_of_a_table_is_a_scene_that_builds(book):
    kira = Character("Kira the *Bold`", "Attack=6, HP=18")
    goblins = [Character(f"Goblin {number}", "Defense=12, HP=7 of 7, Mood=grim") for number in (1, 2)]
    check = {"check": "1d20 + [Attack] >= [Target Defense]", "actor": kira.resources, "target": goblins[0].resources}
    attack = Session("dice/check", check, characters=[kira, *goblins])
    attack.seats.set_then("target.HP -= 5 * success")
    effect = Session("total-effect/roll")
    table = Evening([attack, effect])

    def play(session, **message):
        session.receive(message)
        table.update()

    table.set_value("Kira the *Bold`", "HP", 12)
    table.set_value("Kira the *Bold`", "HP", 11)
    play(attack, do="roll", faces="9")
    play(attack, do="apply")
    table.note(1, "Kira hits `the` goblin")
    play(attack, do="roll", faces="20")
    play(attack, do="apply")  # 5 more would be below 0
    play(attack, do="undo")
    play(attack, do="redo")
    play(effect, do="roll")
    table.strike(3)
    table.set_value("Goblin 1", "HP", 3)
    play(attack, do="roll", faces="2")

    scene = table.scene("A fight | <b>")
    assert [line for line in scene.splitlines() if line.startswith(("~~~{", "```{", ":then:", ":cast:"))] == [
        "~~~{dice:character} Kira the \\*Bold\\`",
        "```{dice:character} Goblin 1",
        "```{dice:character} Goblin 2",
        "```{dice:scene} A fight \\| \\<b\\>",
        ":cast: kira-the-bold, goblin-1, goblin-2",
        "```{dice:change} kira-the-bold.HP -= 7",
        "~~~{dice:example} Kira hits \\`the\\` goblin",
        ":then: goblin-1.HP -= 5",
        "~~~{dice:example} Kira the \\*Bold\\`",
        ":then: goblin-1.HP -= 2",
        "```{dice:change} goblin-1.HP += 3",
        "~~~{dice:example} Kira the \\*Bold\\`",
    ]
    at_the_end = "\n\nIn the end {dice:fact}`goblin-1.HP` of {dice:fact}`kira-the-bold.HP`.\n"
    book.page(".. toctree::\n\n   tonight", "index.rst")
    book.page(scene.partition("\n\n")[2] + at_the_end, "tonight.md", title="Tonight")
    built = book.build("html")
    assert built.log == ""
    # What the book adds up is what stood at the table.
    assert re.sub(r"<[^>]+>", "", built.read("tonight.html")).count("In the end 3 of 11.") == 1
