"""A scene of the rulebook with other dice: what no longer holds is reported, and accepted as a second play has it."""

import re
import time
from collections.abc import Mapping
from pathlib import Path

from dicedocs.rules.example import parse_facts
from dicedocs_sphinx.author.acceptance import accept_blocks, write_change
from dicedocs_sphinx.book.domain import dice_domain

CHAPTER = (Path(__file__).parents[2] / "docs" / "rulebook" / "methuen.md").read_text("utf-8")
SCENE = re.search(r"(?ms)^### A troll under the bridge$.*?(?=^### )", CHAPTER)[0]
HEROES = re.findall(
    r"^```\{dice:character\}[^\n]*\n:name: (?:sera|theron)\n.*?^```$", CHAPTER, re.MULTILINE | re.DOTALL
)
DICE = {
    "taunt": (11,), "charge": (5,), "lance": (7,), "answer": (4,), "bolt": (3, 5), "plank": (10,),
}  # fmt: skip
CHANGES = [
    ("taunt", 0, 10),
    ("charge", 0, 6),
    ("lance", 0, 1),
    ("answer", 0, 6),
    ("bolt", 1, 6),
    ("plank", 0, 9),
]
"""Of each roll another face, where the scene turns or just does not; without a hit the lance would not happen."""


def played(dice: Mapping[str, tuple[int, ...]]) -> dict[str, dict[str, object]]:
    """Return what each roll of the scene expects, played without dicedocs."""
    troll, wace, planks = 26, 12, 5
    found: dict[str, dict[str, object]] = {}

    left = dice["taunt"][0] + 3
    distracted = 2 if left >= 13 else 0
    found["taunt"] = {"success": left >= 13, "left": left, "right": 13, "distracted": distracted}

    left = dice["charge"][0] + 6 + distracted
    assert left >= 13
    found["charge"] = {"success": True, "left": left, "right": 13, "distracted": 0}

    total = dice["lance"][0] + 6
    troll -= total
    found["lance"] = {"total": total, "troll.Health": troll}

    total = max(0, dice["answer"][0] + 5 - planks)
    wace, planks = max(0, wace - total), planks - 4
    found["answer"] = {"total": total, "wace.Health": wace, "planks": planks}

    total = max(0, sum(dice["bolt"]) + 4 - 5)
    troll = max(0, troll - total)
    found["bolt"] = {"total": total, "troll.Health": troll}

    distracted = 0 if wace >= troll else 1
    found["nerve"] = {"success": wace >= troll, "left": wace, "right": troll, "distracted": distracted}

    left, right = dice["plank"][0] + 3 + planks + distracted, 13
    if left > right:
        troll, planks = 0, planks - 1
    found["plank"] = {"success": left > right, "left": left, "right": right, "troll.Health": troll, "planks": planks}
    return found


def page(number: int, dice: Mapping[str, tuple[int, ...]]) -> str:
    """Return the scene with other dice, under names of its own."""

    def renamed(match: re.Match[str]) -> str:
        return re.sub(r"\b(toll|sera|theron|wace|troll)\b", rf"\g<1>{number}", match[0])

    text = "\n\n".join([*HEROES, SCENE.removeprefix("#")])
    for name, faces in dice.items():
        shown = " ".join(map(str, faces))
        text, count = re.subn(rf"(?s)(:name: toll-{name}\n.*?\n:dice: )[^\n]*", rf"\g<1>{shown}", text, count=1)
        assert count == 1
    return re.sub(r"(?m)^:(?!dice:|mechanic:)\w+: .*$|\{dice:\w+\}`[^`]*`", renamed, text)


def expectations(text: str) -> dict[str, dict[str, str]]:
    """Return what each roll of a page expects."""
    found = re.findall(r"(?ms)^:name: toll\d+-(\w+)$.*?^:expect: ([^\n]*)$", text)
    return {name: parse_facts(re.sub(r"(wace|troll)\d+", r"\1", expect), "expect") for name, expect in found}


def as_text(facts: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value).lower() for name, value in facts.items()}


def test_other_dice_break_what_depends_on_them_and_accepting_it_plays_the_scene_again(book):
    games = [DICE]
    for name, index, face in CHANGES:
        faces = list(DICE[name])
        assert faces[index] != face
        faces[index] = face
        games.append({**DICE, name: tuple(faces)})
    pages = [book.page(page(number, dice), f"p{number}.md") for number, dice in enumerate(games)]
    book.page("```{toctree}\n" + "\n".join(f"p{number}" for number in range(len(games))) + "\n```", "index.md")

    started = time.time_ns()
    built = book.build("text")
    texts = [built.read(f"p{number}.txt") for number in range(len(games))]
    original = played(DICE)
    for number, dice in enumerate(games):
        now = played(dice)
        wrong = {name for name, facts in now.items() if facts != original[name]}
        warned = [w for w in built.warnings if w.file == f"p{number}.md" and w.type == "dicedocs.mismatch"]
        assert {re.match(r"toll\d+-(\w+):", w.text)[1] for w in warned} == wrong
        assert (texts[number] != texts[0]) == (number > 0)
    assert {w.type for w in built.warnings} == {"dicedocs.mismatch"}

    blocks = [block for of_page in dice_domain(built.app.env).blocks.values() for block in of_page]
    acceptance = accept_blocks(built.app, blocks, started)
    assert acceptance.refusals == []
    assert [*filter(None, map(write_change, acceptance.changes))] == []
    for path, dice in zip(pages, games, strict=True):
        assert expectations(path.read_text("utf-8")) == {name: as_text(each) for name, each in played(dice).items()}
    assert book.build().log == ""
