"""Stories of what players do at a panel or a table, and what there is then: one table for every host.

A press is a message, which a session and a widget receive, and a control, which a page presses to send it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.form_session import FormSession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.rules.mechanic import Mechanic
from dicedocs_widgets.panels.dungeoneers import PLAYER

from .pig import turn_of_pig

AT = "2026-11-22T21:04:07"
"""The time on the clock of the page."""
TABLE = -1
"""Where a press is that is not made in a panel."""


class Form(NamedTuple):
    """A panel: of a mechanic, of a game, or a tray."""

    id: str | type[Mechanic]
    values: Mapping[str, Any]
    characters: Sequence[Character] = ()
    then: str = ""
    seed: int | None = None

    def session(self) -> FormSession:
        """Return a session of it."""
        made: FormSession
        if self.id == "tray":
            made = TraySession(self.values["notation"], seed=self.seed, characters=self.characters)
        elif self.id == PLAYER.id:
            made = GameSession(PLAYER, self.values)
        else:
            made = Session(self.id, self.values, seed=self.seed, characters=self.characters)
        made.changes.then = self.then
        return made


class Press(NamedTuple):
    """A press.

    Parameters:
        control: the name of the control on the page.
        message: what the page sends.
        typed: what is typed into the control, or chosen there; a button is pressed.
        at: the index of the panel, or `TABLE`.
    """

    control: str
    message: Mapping[str, Any]
    typed: str | None = None
    at: int = 0


class Story(NamedTuple):
    """What happens in panels, of which several are at a table: presses, and what there is then, as `seen` names it."""

    name: str
    forms: Sequence[Form]
    acts: Sequence[tuple[Sequence[Press], Mapping[str, Any]]] = ()

    def act(self, presses: Sequence[Press], **then: Any) -> Story:
        """Return it with further presses, and what there is after them."""
        return self._replace(acts=(*self.acts, (presses, then)))

    def own_forms(self) -> Sequence[Form]:
        """Return its panels with characters of their own, which change at a table."""
        return deepcopy(self.forms)

    def play(self) -> tuple[list[FormSession], Evening | None]:
        """Return the sessions and, if there are several, their table, with nothing pressed yet."""
        sessions = [form.session() for form in self.own_forms()]
        return sessions, Evening(sessions) if len(sessions) > 1 else None


def seen(state: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], log: str) -> dict[str, Any]:
    """Return what there is.

    Parameters:
        state: what a page shows.
        rows: the rolls in the order of a page.
        log: the log as text.
    """
    game, favourites = state.get("game", {}).get("dice", ()), state.get("tray", {}).get("favourites", ())
    return {
        "log": log.splitlines(),
        "rolls": [row["roll"] for row in rows],
        "waits": {row["roll"]: row["waits"] for row in rows if "waits" in row},
        "says": state["outcome"]["sentence"] if state["outcome"] else "No roll yet.",
        "chosen": state["outcome"]["roll"] if state["outcome"] else 0,
        "can": [name for name, can in state["can"].items() if can and name != "roll"],
        "texts": {**state.get("texts", {}), "label": state.get("label", ""), "seed": state.get("seed")},
        "compared": [one["label"] for one in state.get("comparison", {}).get("series", ())],
        "dice": [die["state"] or (f"to {die['pressed']}" if die["pressed"] else "") for die in game],
        "favourites": [name for group in favourites for name, *_ in group["rolls"]],
        "people": {name: dict(values) for name, values in state.get("people", [])},
        "turn": [name for name, _, now in state.get("order", {}).get("turns", ()) if now],
    }


def press(control: str, do: str, at: int = 0, **more: Any) -> Press:
    """Return a press of a button."""
    return Press(control, {"do": do, **more}, at=at)


def enter(control: str, text: str, do: str = "set", at: int = 0, **more: Any) -> Press:
    """Return what is typed or chosen."""
    return Press(control, {"do": do, **more}, text, at)


def throw(faces: str, button: Press | None = None, at: int = 0) -> tuple[Press, Press]:
    """Return a roll with the faces of real dice."""
    return enter("Faces", faces, faces=faces, at=at), (button or ROLL)._replace(at=at)


def notation(text: str) -> Press:
    """Return a notation as it is typed."""
    return enter("Notation", text, texts={"notation": text})


def struck(number: int, line: str) -> str:
    """Return a line of the log with another number, struck out."""
    return f"{number}. 21:04 (struck out) {line.partition(' 21:04 ')[2]}"


ROLL, UNDO, REDO, CLEAR = (
    press(name, name.partition(" ")[0].lower()) for name in ("Roll", "Undo", "Redo", "Clear history")
)
UNDO_ALL, REDO_ALL = UNDO._replace(at=TABLE), REDO._replace(at=TABLE)
KIRA = Character("Kira", "Attack=6, Dex=3", {"Sword": "1d20 + [Attack]"})
ORC = Character("Orc", "Attack=4, HP=9 of 9, Dex=1")
DICE = Form("dice/roll", {"notation": "3d6", "actor": {}, "target": {}}, seed=61)
"""It throws 4, 2 and 5."""
TRAY = Form("tray", {"notation": "1d20"}, [KIRA])
ACTS = Form("dice/check", {"check": "1d20 + [Attack] >= 12", "actor": KIRA.resources, "target": {}}, [KIRA, ORC])
HITS = Form(
    "dice/check",
    {"check": "1d20 >= 12", "actor": {}, "target": ORC.resources},
    [ORC],
    then="target.HP -= 5 * success",
)
FREYA = Form("dungeoneers", {"stat": 4, "difficulty": 5})
[PIG] = book_mechanics([PageRule("pig/turn", tuple(turn_of_pig(100).strip().split("\n")), "", ())]).values()
"""A turn in which the player is asked after each die."""
ASKS = Form(PIG, {}, seed=3)
"""It throws 2, 5 and 5."""
YES, NO = (press(way, "answer", item=item) for item, way in enumerate(("yes", "no")))
TURNS = Form("tray", {"notation": "[Dex]"}, [KIRA, ORC])

TOTAL = "target.HP -= total"
ELEVEN = "1. 21:04 3d6: 4 2 5. Total 11 (seed 61)"
THREE = "2. 21:04 1d4: 3. Total 3 (rolled by hand)"
HIT = "1. 21:04 → Orc: 1d20 >= 12: 15. Success, 15 vs 12 (rolled by hand)"
SECOND_HIT = "2. 21:04 → Orc: 1d20 >= 12: 16. Success, 16 vs 12 (rolled by hand)"
PIG_LOG = "1. 21:04 Pig: turn (Again yes, no): 2d6: 2 5. Score 7 (seed 3)"
LONGER = "3. 21:04 Pig: turn (Again yes, yes, no): 3d6: 2 5 5. Score 12 (seed 3)"
HURT, KILLED = "Orc HP 9 of 9 → 4 of 9", "Orc HP 4 of 9 → 0 of 9"

TYPED = (ROLL, enter("Label", "Two", label="Two"), notation("2d6"), *throw("1 6"))
HURT_LOG, NOTED = f"{HIT}. {HURT}", "2. 21:04 1d20: 3. Total 3 (rolled by hand). over the gap"

STORIES = [
    Story("undo goes back step by step, and redo forth", [DICE])
    .act(
        [*TYPED, UNDO, UNDO, UNDO, REDO],
        log=[ELEVEN],
        says="Roll 1. Total 11.",
        texts={"notation": "3d6", "label": "Two", "seed": "61"},
        can=["undo", "redo", "clear"],
    )
    .act(
        [REDO, REDO],
        log=[ELEVEN, "2. 21:04 Two: 2d6: 1 6. Total 7 (rolled by hand)"],
        says="Roll 2. Two: Total 7.",
        texts={"notation": "2d6"},
        can=["undo", "clear"],
    ),
    Story("the first roll is undone, and the history cleared", [DICE])
    .act([ROLL, UNDO], log=[], says="No roll yet.", texts={"seed": ""}, can=["redo"])
    .act([REDO, CLEAR], log=[], says="Roll 1. Total 11.", can=["undo"])
    .act([UNDO], log=[ELEVEN], can=["undo", "redo", "clear"]),
    Story("a roll is recalled, and then its dice are thrown again", [DICE])
    .act(
        [ROLL, notation("1d4"), *throw("3"), press("1", "recall", roll=1)],
        log=[ELEVEN, THREE],
        says="Roll 1. Total 11.",
        texts={"notation": "3d6", "seed": "61"},
    )
    .act(
        [press("Roll these dice again", "replay", roll=1)],
        log=[ELEVEN, THREE, "3. 21:04 the same dice again: 3d6: 4 2 5. Total 11 (seed 61)"],
        says="Roll 3. Total 11.",
    ),
    Story("a wrong notation is not rolled until it is corrected", [DICE])
    .act([notation("3d6 +"), ROLL], log=[])
    .act([notation("3d6 + 2"), ROLL], log=["1. 21:04 3d6 + 2: 4 2 5. Total 13 (seed 61)"], says="Roll 1. Total 13."),
    Story("a pinned roll stands first", [DICE]).act(
        [ROLL, *throw("1 1 1"), press("Pin roll 1", "pin-roll", roll=1)], rolls=[1, 2]
    ),
    Story("a seed is typed, and the next one chosen", [DICE._replace(values={"notation": "2 + 5"})]).act(
        [enter("Seed", "theron", seed="theron"), ROLL, press("Next seed", "next-seed")],
        says="Roll 1. Total 7.",
        texts={"seed": "theron 2"},
    ),
    Story("settings are compared", [Form("total-effect/roll", {})])
    .act(
        [press("Compare", "pin"), enter("Advantage", "2", texts={"advantage": "2"})],
        compared=["Advantage 0", "Advantage 2"],
        texts={"advantage": "2"},
    )
    .act([press("Remove Advantage 0", "unpin", item=0)], compared=[])
    .act([UNDO], compared=["Advantage 0", "Advantage 2"]),
    Story("whoever is chosen rolls, and the choice is undone", [ACTS])
    .act(
        [enter("Actor: character", "Orc", "character", name="actor", item=1), *throw("9")],
        log=["1. 21:04 Orc: 1d20 + [Attack] >= 12: 9. Success, 13 vs 12 (rolled by hand)"],
    )
    .act(
        [UNDO, UNDO, *throw("9")], log=["2. 21:04 Kira: 1d20 + [Attack] >= 12: 9. Success, 15 vs 12 (rolled by hand)"]
    ),
    Story("rolls are applied and taken back", [HITS])
    .act(
        [*throw("15"), *throw("16"), press("Apply roll 1", "apply", roll=1)],
        log=[HURT_LOG, SECOND_HIT],
        waits={2: KILLED},
    )
    .act([press("Take back roll 1", "take-back", roll=1)], log=[HIT, SECOND_HIT], waits={1: HURT, 2: HURT})
    .act([press("Apply all", "apply")], log=[HURT_LOG, f"{SECOND_HIT}. {KILLED}"], waits={})
    .act([UNDO], log=[HIT, SECOND_HIT], waits={1: HURT, 2: HURT}),
    Story("a roll without a target says that it changes nobody", [TRAY._replace(characters=[KIRA, ORC], then=TOTAL)])
    .act([*throw("3")], log=["1. 21:04 1d20: 3. Total 3 (rolled by hand); no change: no target is chosen"], waits={})
    .act(
        [enter("Target: character", "Orc", "character", name="target", item=1), *throw("2")],
        waits={2: "Orc HP 9 of 9 → 7 of 9"},
    ),
    Story("a notation is pressed in a tray", [TRAY])
    .act(
        [
            press("Advantage", "mode", name="advantage"),
            press("Attack 6", "resource", name="Attack", item=0),
            press("Disadvantage", "mode", name="disadvantage"),
        ],
        texts={"notation": "2d20kl1 + [Attack]"},
    )
    .act(
        [
            press("Empty", "empty"),
            *(press(f"Add d6, {count} so far", "add", die=6, dice=1) for count in (0, 1)),
            press("Modifier: one more", "add", die=0, dice=1),
            *throw("4 2"),
        ],
        log=["1. 21:04 Kira: 2d6 + 1: 4 2. Total 7 (rolled by hand)"],
        texts={"notation": "2d6 + 1"},
    ),
    Story("a favourite is kept, rolled, removed and brought back", [TRAY])
    .act(
        [
            *throw("9", press("Roll Kira Sword", "favourite", item=0)),
            notation("3d8"),
            enter("Label", "Fireball", label="Fireball"),
            press("Keep as favourite", "keep"),
            *throw("1 1 2", press("Roll Kira Fireball", "favourite", item=1)),
        ],
        log=[
            "1. 21:04 Kira: Sword: 1d20 + [Attack]: 9. Total 15 (rolled by hand)",
            "2. 21:04 Kira: Fireball: 3d8: 1 1 2. Total 4 (rolled by hand)",
        ],
        favourites=["Sword", "Fireball"],
    )
    .act([press("Remove Fireball", "forget", item=1)], favourites=["Sword"])
    .act([UNDO], favourites=["Sword", "Fireball"]),
    # D15: the die showing 1 is enough, with a stat of 4.
    Story("a game is played with the dice that were pressed", [FREYA])
    .act(
        [
            *throw("4 3 4 1 2", press("Start player phase", "press", play="round")),
            press("Die 4 showing 1", "press", die=4),
        ],
        dice=["", "", "", "to spend", ""],
    )
    .act(
        [enter("Seed", "7", seed="7"), press("Action roll", "press", play="roll")],
        dice=["", "", "", "exhausted", ""],
        says="Roll 2. Success, 5 vs 5, Dice spent 4, Exhausted dice 4, Stress 0.",
    )
    .act([press("Start afresh", "restart")], dice=["not thrown"] * 5)
    .act([UNDO, UNDO], dice=["", "", "", "to spend", ""], rolls=[1]),
    Story("a player chooses when the dice are there, and chooses again after Undo", [ASKS])
    .act([ROLL], log=[], says="Roll 1. 2. Again? yes, no.", can=["undo"], texts={"again": "open"})
    .act([YES], log=[], says="Roll 1. 2, 5. Again? yes, no.")
    .act(
        [NO],
        log=[PIG_LOG],
        says="Roll 1. Score 7, Again no.",
        texts={"again": "open"},
    )
    .act(
        [press("1", "recall", roll=1), press("Roll these dice again", "replay", roll=1)],
        log=[PIG_LOG, PIG_LOG.replace("1.", "2.", 1).replace("no): ", "no): the same dice again: ")],
        says="Roll 2. Score 7, Again no.",
        texts={"again": "open"},
    )
    .act([UNDO, UNDO, YES], log=[], says="Roll 3. 2, 5, 5. Again? yes, no.")
    .act([NO], log=[LONGER])
    .act([*throw("6 1"), YES], says="Roll 4. Score 0, Again no.")
    .act(
        [
            enter("Choice: Again", "yes if score < 6, else no", texts={"again": "yes if score < 6, else no"}),
            *throw("4 4"),
        ],
        says="Roll 5. Score 8, Again no.",
    ),
    Story("a question is gone once the form is another one, and there again after Undo", [ASKS])
    .act([ROLL, enter("Choice: Again", "no", texts={"again": "no"})], says="No roll yet.")
    .act([UNDO, NO], log=["1. 21:04 Pig: turn (Again no): d6: 2. Score 2 (seed 3)"]),
    Story("somebody else rolls while a player is asked, and undo at the table goes back to the question", [ASKS, DICE])
    .act([ROLL, ROLL._replace(at=1)], log=[ELEVEN])
    .act([YES, NO], log=[ELEVEN, PIG_LOG.replace("1.", "2.", 1)])
    .act([UNDO_ALL, YES, NO], log=[ELEVEN, struck(2, PIG_LOG), LONGER])
    .act([UNDO_ALL] * 4, log=[struck(1, ELEVEN), struck(2, PIG_LOG), struck(3, LONGER)], can=["undo", "redo"])
    .act(
        [NO],
        log=[
            *map(struck, (1, 2, 3), (ELEVEN, PIG_LOG, LONGER)),
            "4. 21:04 Pig: turn (Again no): d6: 2. Score 2 (seed 3)",
        ],
    ),
    Story("a table has one log with notes and strikes", [HITS, TRAY])
    .act(
        [
            *throw("15"),
            *throw("3", at=1),
            enter("Note on roll 2", "over the gap", "note", TABLE, roll=2, note="over the gap"),
            press("Strike out roll 1", "strike", TABLE, roll=1),
        ],
        log=[HIT.replace("→", "(struck out) →"), NOTED],
        waits={},
    )
    .act([UNDO_ALL], log=[HIT, NOTED], waits={1: HURT}, can=["undo", "redo"])
    .act([UNDO_ALL, UNDO_ALL], log=[HIT, "2. 21:04 (struck out) 1d20: 3. Total 3 (rolled by hand)"])
    .act([press("1", "recall", TABLE, roll=1)], chosen=1),
    Story("a hit is applied in its panel, and its value goes on at the table", [HITS, TRAY])
    .act([*throw("15"), press(f"Apply: {HURT}", "apply", roll=0)], log=[HURT_LOG])
    .act(
        [press("Orc, HP: one less", "set", TABLE, texts={"0.HP": "3"})],
        log=[f"{HURT_LOG}; then Orc HP 4 of 9 → 3 of 9"],
        people={"Orc": {"Attack": 4, "HP": 3, "Dex": 1}, "Kira": {"Attack": 6, "Dex": 3}},
    ),
    Story("turns go round in the order of what was rolled", [TURNS, HITS])
    .act(
        [
            press("Roll for the order of turns", "roll-each", items=[0, 1], name="order"),
            press("Next turn", "next-turn", TABLE),
        ],
        turn=["Kira"],
        rolls=[2, 1],
    )
    .act([press("Next turn", "next-turn", TABLE)], turn=["Orc"])
    .act([UNDO_ALL, UNDO_ALL, UNDO_ALL], turn=[], rolls=[2, 1], can=["redo"])
    .act([REDO_ALL, REDO_ALL], turn=["Kira"], rolls=[2, 1], can=["undo", "redo"]),
]
