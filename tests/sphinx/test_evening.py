"""An evening at the table: forty rolls of four characters on panels, whose log and examples are pasted into a book."""

import re

import dicedocs as dd
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.view.outcome_source import markdown_block
from dicedocs.scenes.scene import character_key
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
    people = [
        markdown_block(
            "character",
            one.name,
            [
                ("name", character_key(one.name)),
                ("values", ", ".join(f"{name}={text}" for name, text in one.sheet.items())),
            ],
        )
        for one in PEOPLE
    ]
    book.page("\n\n".join([*logs, *people, *directives]), "evening.md", title="An evening")
    built = book.build("html")
    assert built.log == ""  # which -W would make an error

    blocks = [node.block for node in built.doctree("evening").findall(dice_mechanic)]
    assert [block.issues for block in blocks] == [[]] * ROLLS
    titles = [f"{PEOPLE[roll % 4].name}, roll {roll + 1}" for roll in range(ROLLS)]
    assert [block.title for block in blocks] == titles
    # Each roll is in a table too, with its label as it was typed.
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", built.read("evening.html"), re.DOTALL)
    cells = [re.findall(r"<td[^>]*><p>(.*?)</p></td>", row, re.DOTALL) for row in rows]
    told = [(*row[2].split(" → "), row[3]) for row in cells if row]
    assert sorted(", ".join(filter(None, (who[0], who[-1]))) for who in told) == sorted(titles)
    # A roll whose notation reads no target has none.
    aimed = [roll for roll in range(0, ROLLS, 2) if "Target" in CHECKS[roll % 3]]
    others = {(PEOPLE[roll % 4].name, PEOPLE[(roll // 4 + roll + 1) % 4].name) for roll in aimed}
    assert {who[:2] for who in told if len(who) > 2} == {(who, target) for who, target in others if who != target}
    assert {row[1][:10] for row in cells if row} == {"2026-11-22"}


def test_the_target_of_a_tray_is_by_name_in_the_scene_of_a_table(book):
    kira, goblin = Character("Kira", "Attack=6, HP=18 of 18"), Character("Goblin", "HP=7 of 7, Defense=12")
    damage = TraySession("1d6 + [Target Defense]", characters=[kira, goblin])
    damage.changes.then = "target.HP -= total - 12"
    table = Evening([damage])
    damage.people.choose_character("Goblin", "target")
    damage.receive({"do": "roll", "faces": "2"})
    damage.apply(0)
    scene = table.scene()
    assert ":target: goblin\n" in scene
    book.write("index.md", scene)
    assert book.build().log == ""
    # By hand: with a Defense of 13 a 2 comes to 15.
    book.write("index.md", scene.replace("Defense=12", "Defense=13"))
    [warning] = book.build().warnings
    assert (warning.type, "expected total=14, got total=15" in warning.text) == ("dicedocs.mismatch", True)


def test_the_log_of_a_table_is_a_scene_that_builds(book):
    kira = Character("Kira the *Bold`", "Attack=6, HP=18")
    goblins = [Character(f"Goblin {number}", "Defense=12, HP=7 of 7, Mood=grim") for number in (1, 2)]
    check = {"check": "1d20 + [Attack] >= [Target Defense]", "actor": kira.resources, "target": goblins[0].resources}
    attack = Session("dice/check", check, characters=[kira, *goblins])
    attack.changes.then = "target.HP -= 5 * success"
    effect = Session("total-effect/roll")
    table = Evening([attack, effect])

    def play(session, **message):
        session.receive(message)

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

    table.title = "A fight | <b>"
    scene = table.scene()
    assert [line for line in scene.splitlines() if line.startswith(("~~~{", "```{", ":then:", ":cast:"))] == [
        "~~~{dice:character} Kira the \\*Bold\\`",
        "```{dice:character} Goblin 1",
        "```{dice:character} Goblin 2",
        "```{dice:scene} A fight \\| \\<b\\>",
        ":cast: kira-the-bold, goblin-1, goblin-2",
        "```{dice:change} kira-the-bold.HP -= 7",
        "~~~{dice:example} Kira hits \\`the\\` goblin",
        ":then: goblin-1.HP -= 5 * success",
        "~~~{dice:example} Kira the \\*Bold\\`",
        ":then: goblin-1.HP -= 5 * success",
        "```{dice:change} goblin-1.HP += 3",
        "~~~{dice:example} Kira the \\*Bold\\`",
        ":then: goblin-1.HP -= 5 * success",
    ]
    at_the_end = "\n\nIn the end {dice:fact}`goblin-1.HP` of {dice:fact}`kira-the-bold.HP`.\n"
    book.page(".. toctree::\n\n   tonight", "index.rst")
    book.page(scene.partition("\n\n")[2] + at_the_end, "tonight.md", title="Tonight")
    built = book.build("html")
    assert built.log == ""
    # What the book adds up is what stood at the table.
    assert re.sub(r"<[^>]+>", "", built.read("tonight.html")).count("In the end 3 of 11.") == 1


def ambush():
    """Return a table after ten rolls of four characters with three mechanics; some hits are applied later."""
    mara = Character("Mara", "Attack=6, Glow=1 of 9, Defense=14, HP=40 of 40")
    wolf = Character("Wolf", "Attack=4, Defense=12, HP=18 of 18, Mood=grim")
    imp = Character("Imp", "Attack=2, Defense=10, HP=9 of 9")
    freya = Character("Freya", "Stat=4, Health=10")
    fight = {"check": "1d20 + [Attack] >= [Target Defense]"}
    attack = Session("dice/check", fight, characters=[mara, wolf, imp])
    attack.changes.then = "target.HP -= (left - right) * success; trail += success"
    glow = TraySession("1d6 + [Glow]", characters=[mara])
    glow.changes.then = "actor.Glow = total; trail += 2"
    effort = {"difficulty": 5, "exhausted": "", "pool": "4 4 1 3", "spend": "1 2"}
    action = Session("dungeoneers/action-roll", effort, characters=[freya])
    table = Evening([attack, glow, action], scene=dd.Scene(mara, wolf, trail=dd.Track(16)))

    def roll(session, faces="", apply=True, **seats):
        for slot, name in seats.items():
            session.people.choose_character(name, slot)
        session.receive({"do": "roll", "faces": faces})
        if apply:
            session.receive({"do": "apply"})

    table.set_value("Wolf", "HP", 17)
    roll(attack, "9", actor="Mara", target="Wolf")
    table.note(1, "Mara draws blood")
    roll(glow, "4", actor="Mara")
    roll(glow, "2")
    roll(attack, "14", apply=False, actor="Wolf", target="Mara")
    roll(attack, "3", apply=False, actor="Imp", target="Mara")
    roll(attack, "20", apply=False, actor="Imp", target="Mara")
    roll(attack, "11", actor="Imp", target="Mara")
    table.strike(7)
    typed = {"Attack": "8", "Glow": "7", "Defense": "14", "HP": str(table.characters["Mara"]["HP"])}
    parts = [{"name": name, "value": value} for name, value in typed.items()]
    attack.people.choose_character("Mara", "actor")
    attack.receive({"do": "set", "parts": {"actor": parts}})
    roll(attack, "3", target="Imp")
    action.people.choose_character("Freya")
    roll(action, apply=False)
    roll(glow, "1")
    return table


def test_an_exported_evening_follows_what_is_changed_in_the_book(book):
    table = ambush()
    table.title = "The ambush"
    scene = table.scene().partition("\n\n")[2]
    written = [
        line for line in scene.splitlines() if line.startswith((":actor:", ":then:", ":stat:", "```{dice:change}"))
    ]
    late = "mara.HP -= (roll-{0}.left - roll-{0}.right) * roll-{0}.success; trail += roll-{0}.success".format
    assert written == [
        "```{dice:change} wolf.HP -= 1",
        ":actor: mara",
        ":then: wolf.HP -= (left - right) * success; trail += success",
        *[":actor: mara", ":then: mara.Glow = total; trail += 2"] * 2,
        ":actor: wolf",
        ":actor: imp",
        ":then: mara.HP -= (left - right) * success; trail += success",
        ":actor: imp",
        f"```{{dice:change}} {'; '.join([*map(late, (4, 6)), 'mara.Attack += 2'])}",
        ":actor: mara",
        ":then: imp.HP -= (left - right) * success; trail += success",
        ":stat: freya.Stat",
        ":actor: mara",
        ":then: mara.Glow = total; trail += 2",
    ]
    names = ("mara.Glow", "mara.HP", "wolf.HP", "imp.HP", "trail")
    end = "\n\nIn the end " + ", ".join(f"{{dice:fact}}`{name}`" for name in names) + ".\n"
    book.page(".. toctree::\n\n   tonight", "index.rst")

    def built(**changed):
        text = scene
        for old, new in changed.values():
            assert old in text
            text = text.replace(old, new, 1)
        book.page(text + end, "tonight.md", title="Tonight")
        html = book.build("html")
        blocks = [node.block for node in html.doctree("tonight").findall(dice_mechanic)]
        wrong = [issue["message"].partition(";")[0] for block in blocks for issue in block.issues]
        numbers = re.search(r"In the end (.*)\.", re.sub(r"<[^>]+>", "", html.read("tonight.html")))[1]
        return wrong, numbers, html.log

    wrong, numbers, log = built()
    assert (wrong, log) == ([], "")
    # What the book adds up is what stood at the table.
    here = table.characters
    at_the_table = [
        here["Mara"]["Glow"],
        here["Mara"]["HP"],
        here["Wolf"]["HP"],
        here["Imp"]["HP"],
        table.tracks["trail"],
    ]
    assert numbers == ", ".join(map(str, at_the_table)) == "8, 28, 14, 8, 10"

    # Mara hits no more, nor does she with 2 more.
    wrong, numbers, _log = built(attack=("Attack=6, Glow", "Attack=1, Glow"))
    assert wrong == [
        "expected success=true, left=15, right=12, got success=false, left=10, right=12",
        "expected success=true, left=11, right=10, got success=false, left=6, right=10",
    ]
    assert numbers == "8, 28, 17, 9, 8"
    # The Glow is 11 of 9, so 9, and the last die adds to that.
    wrong, numbers, _log = built(faces=(":dice: 2\n", ":dice: 6\n"))
    assert wrong == ["expected total=7, got total=11", "expected total=8, got total=10"]
    assert numbers == "9, 28, 14, 8, 10"
    # A hit that was applied later does more.
    wrong, numbers, _log = built(faces=(":dice: 14\n", ":dice: 15\n"))
    assert wrong == ["expected success=true, left=18, right=14, got success=true, left=19, right=14"]
    assert numbers == "8, 27, 14, 8, 10"
