"""The Python side of a page that rolls: what it answers to the page."""

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.session import Session
from dicedocs.panel.page_player import PagePlayer
from dicedocs.panel.played_example import rolled_ahead
from dicedocs.render.page_example import PageExample
from dicedocs.render.text import Origin
from dicedocs.rules import registry
from dicedocs.rules.example import Example
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.beat import Beat, Blank
from dicedocs.scenes.change import state_facts
from dicedocs.scenes.page_text import PageText

from ..every import every

INSTALLED = dd.mechanics()
"""The ids at the start: other tests register games of their own."""
SHOT = PageExample(
    "methuen/expression", {"expression": "3d6 + [Aim]", "actor": "Aim=2"}, facts=("total",), title="Shot"
)


def ask(player: PagePlayer, do: str, link: str = "", example: PageExample = SHOT, key: str = "0", **more: object):
    return player.receive({"do": do, "key": key, "example": example.data(), "link": link, **more})


def test_a_roll_is_what_the_core_plays_with_the_same_seed() -> None:
    short = SHOT._replace(parameters={"expression": "3d6"})
    answer = ask(PagePlayer(), "roll", "seed=7", short)
    outcome = dd.play("methuen/expression", expression="3d6", seed=7)
    assert answer["html"] == short.html(outcome, 'dd.play("methuen/expression", expression="3d6", seed=7)')
    assert answer["sentence"] == f"Roll 1. Total {outcome.value}."
    assert (answer["seed"], answer["link"]) == ("7", "seed=7")


def test_a_roll_draws_a_new_seed_and_plays_the_book_whatever_was_changed() -> None:
    player = PagePlayer()
    message = {"do": "roll", "view": "v", "n": 1, "texts": {"expression": "1d4"}}
    ask(player, "open")
    changed = ask(player, "panel", message=message)
    assert changed["answer"]["for"] == {"v": 1}
    assert "expression=1d4" in changed["link"]
    one, two = ask(player, "roll"), ask(player, "roll")
    assert one["seed"] != two["seed"]
    assert "3d6 + [Aim]" in one["html"]
    assert one["link"] == f"seed={one['seed']}"


def test_the_panel_and_the_rolls_of_an_example_have_one_history() -> None:
    player = PagePlayer()
    ask(player, "roll", "seed=1")
    opened = ask(player, "open")
    assert opened["state"]["rolls"] == 1
    assert opened["form"]["id"] == "methuen/expression"
    assert ask(player, "open", key="1")["state"]["rolls"] == 0


def test_a_panel_opens_with_the_roll_that_is_shown_and_does_not_roll_it_again() -> None:
    player = PagePlayer()
    link = ask(player, "roll")["link"]
    # One of the deck, which the worker has not rolled.
    dealt = ask(player, "open", "seed=shot+2", key="1")["state"]
    assert [dealt["rolls"], dealt["seed"]] == [1, "shot 2"]
    opened = ask(player, "open", link)
    assert [opened["state"]["rolls"], opened["link"]] == [1, link]


@every("id", INSTALLED)
def test_every_mechanic_rolls_and_opens_as_data_that_json_can_hold(id: str) -> None:
    fields = mechanic(id).parameters().items()
    example = PageExample(id, {name: field.write(field.example) for name, field in fields})
    player = PagePlayer()
    for answer in (ask(player, "roll", "", example), ask(player, "open", "", example)):
        assert "error" not in answer
        assert json.loads(json.dumps(answer)) == answer


BOOK = [
    ("methuen", "Nobody", {}),
    ("methuen", "Renna", {"Aim": 2, "Range": 6}),
    ("dungeoneers", "Freya", {"Stat": 4}),
    ("", "Bryn", {"Aim": 1}),
    ("methuen", "Kira", {"Strength": 4}),
    ("mage-in-the-metal", "Whitebeard", {"Mundocraft": 20, "Prayer": 9}),
    ("mage-in-the-metal", "Rusk", {"Mundocraft": 14}),
    ("mage-in-the-metal", "Vigo", {"Prayer": 8}),
]


def test_the_panel_offers_the_characters_of_the_book_for_what_one_fills_in() -> None:
    player = PagePlayer(characters=BOOK)
    renna = SHOT._replace(parameters={**SHOT.parameters, "actor": "Aim=2, Range=6"})
    slots = ask(player, "open", "", renna)["state"]["characters"]
    assert [slot["slot"] for slot in slots] == ["actor"]  # 3d6 + [Aim] reads no target
    assert slots[0]["names"] == ["Renna", "Bryn", "Kira (no Aim)"]
    assert slots[0]["chosen"] == 0
    ask(player, "panel", message={"do": "character", "view": "v", "n": 1, "name": "actor", "item": 1})
    rolled = ask(player, "panel", message={"do": "roll", "view": "v", "n": 2})
    assert rolled["state"]["characters"][0]["chosen"] == 1
    seed = int(rolled["link"].split("seed=")[1].split("&")[0])
    expected = dd.play("methuen/expression", expression="3d6 + [Aim]", actor="Aim=1", seed=seed)
    assert rolled["state"]["outcome"]["headline"] == f"Total {expected.value}"


def test_the_directive_of_a_panel_calls_characters_as_the_book_does() -> None:
    player = PagePlayer(
        characters=[("", "Bryn the Guard", {"Aim": 1}), ("", "Kira", {"Aim": 4})],
        block_names={"Bryn the Guard": "bryn"},
    )
    aimed = SHOT._replace(parameters={**SHOT.parameters, "actor": "Aim=1"})
    ask(player, "open", "", aimed)
    for item, name in ((0, "bryn"), (1, "kira")):
        ask(player, "panel", message={"do": "character", "view": "v", "n": item * 2, "name": "actor", "item": item})
        rolled = ask(player, "panel", message={"do": "roll", "view": "v", "n": item * 2 + 1})
        assert f"\n:actor: {name}\n" in rolled["state"]["directive"]


def test_of_two_characters_with_the_same_values_the_panel_shows_the_one_of_the_author() -> None:
    player = PagePlayer(characters=[*BOOK, ("methuen", "Twin", {"Strength": 4})])
    shove = SHOT._replace(parameters={"expression": "[Strength]", "actor": "Strength=4"})
    for name in ("Kira", "Twin"):
        written = shove._replace(written={"actor": [Origin(name, "", "")]})
        slot = ask(player, "open", "", written, key=name)["state"]["characters"][0]
        assert slot["names"][slot["chosen"]] == name


def test_a_value_of_one_character_is_the_same_value_of_another() -> None:
    player = PagePlayer(characters=BOOK)
    origin = Origin("Whitebeard", "Mundocraft", "#whitebeard")
    craft = PageExample("mage-in-the-metal/check", {"skill": "20"}, ("total",), written={"skill": [origin]})
    [slot] = ask(player, "open", "", craft)["state"]["characters"]
    assert (slot["names"], slot["chosen"]) == (["Whitebeard", "Rusk"], 0)
    ask(player, "panel", message={"do": "character", "view": "v", "n": 1, "name": "", "item": 1})
    assert "skill=14" in ask(player, "panel", message={"do": "roll", "view": "v", "n": 2})["link"]


def panel(player: PagePlayer, do: str, **more: object):
    return ask(player, "panel", message={"do": do, "view": "v", "n": 1, **more})


def choose(player: PagePlayer, item: int, slot: str = ""):
    """Choose a character in the panel, and return its state."""
    return panel(player, "character", name=slot, item=item)["state"]


def test_a_character_without_a_value_of_the_one_before_is_said_to_lack_it() -> None:
    moth, rook = {"Mundocraft": 20, "Gear": 3}, {"Mundocraft": 14}
    player = PagePlayer(characters=[("", "Moth", moth), ("", "Rook", rook)])
    written = {"skill": [Origin("Moth", "Mundocraft")], "equipment": [Origin("Moth", "Gear")]}
    craft = PageExample("mage-in-the-metal/check", {"skill": "20", "equipment": "3"}, ("total",), written=written)
    [slot] = ask(player, "open", "", craft)["state"]["characters"]
    assert slot["names"] == ["Moth", "Rook (no Equipment)"]
    # By the names of the fields, as in a notebook, it is the same.
    sheets = Session(
        "mage-in-the-metal/check",
        characters=[Character("Moth", "Skill=20, Equipment=3"), Character("Rook", "Skill=14")],
    )
    assert sheets.state()["characters"][0]["names"] == ["Moth", "Rook (no Equipment)"]


def test_who_acts_has_texts_as_well_as_numbers_and_nothing_of_anybody_else() -> None:
    tove, freya = {"Might": 4, "Pool": "5 2 6", "Exhausted": "none"}, {"Might": 2, "Pool": "1 1", "Exhausted": "1"}
    others = ("", "The warden", {"Difficulty": 9}), ("", "Bryn", {"Damage": 2})
    player = PagePlayer(characters=[("", "Tove", tove), ("", "Freya", freya), *others])
    taken = {"pool": "Pool", "exhausted": "Exhausted", "stat": "Might"}
    written = {name: [Origin("Tove", value)] for name, value in taken.items()}
    written["difficulty"] = [Origin("The warden", "Difficulty")]
    parameters = {"pool": "5 2 6", "exhausted": "none", "stat": "4", "difficulty": "9"}
    hammer = PageExample("dungeoneers/action-roll", parameters, ("total",), written=written)
    [slot] = ask(player, "open", "", hammer)["state"]["characters"]
    assert (slot["names"], slot["chosen"]) == (["Tove", "Freya"], 0)
    choose(player, 1)
    rolled = panel(player, "roll")
    assert rolled["link"].endswith("&pool=1+1&exhausted=1&stat=2")
    assert "\n:pool: freya.Pool\n" in rolled["state"]["directive"]


@pytest.fixture
def own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test define games of its own."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.mark.usefixtures("own_games")
def test_what_an_example_takes_from_who_acts_is_taken_from_the_one_chosen() -> None:
    class Climb(dd.Mechanic, id="climb/climb"):
        actor: dd.Resources = dd.param(default="", help="who climbs")
        bonus: int = dd.param(low=0, high=9, default=0, help="what is added")

        class Result(dd.Outcome):
            total: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            return self.Result(say.sum("Total", dice.roll(6), bonus=self.bonus))

    characters = [("", "Moth", {"Speed": 7}), ("", "Rook", {"Speed": 2}), ("", "Owl", {"Wits": 3})]
    written = {"actor": [Origin("Moth")], "bonus": [Origin("Moth", "Speed")]}
    example = PageExample("climb/climb", {"actor": "Speed=7", "bonus": "7"}, ("total",), written=written)
    player = PagePlayer(characters=characters)
    [slot] = ask(player, "open", "", example)["state"]["characters"]
    assert slot["names"] == ["Moth", "Rook", "Owl (no Bonus)"]
    choose(player, 1, "actor")
    assert "bonus=2" in panel(player, "roll")["link"]


def test_an_example_with_nobody_in_it_offers_no_characters() -> None:
    player = PagePlayer(characters=BOOK)
    for key, parameters in enumerate(({"expression": "3d6"}, {"expression": "[Aim]", "actor": "Aim=2"})):
        state = ask(player, "open", "", SHOT._replace(parameters=parameters), key=f"{key}")["state"]
        assert ("characters" in state) == ("actor" in parameters)
    skilled = PageExample("mage-in-the-metal/check", {"skill": "20"}, ("total",), written={"skill": []})
    assert "characters" not in ask(player, "open", "", skilled, key="skill")["state"]


def test_odds_are_counted_to_the_end() -> None:
    player = PagePlayer()
    answer = ask(player, "open")
    while answer["counting"]:
        answer = ask(player, "count")
    assert answer["state"]["odds"]["fact"] == "total"


def test_the_odds_of_a_page_are_of_best_play_where_it_says_what_for() -> None:
    values = {"pool": "d20", "counter": "1", "scratch": "lowest", "choice": "impact"}
    example = PageExample("mecha-vs-kaiju/action-in-play", values, facts=("inspiration",), best="mean(inspiration)")
    player = PagePlayer()
    answer = ask(player, "open", example=example)
    while answer["counting"]:
        answer = ask(player, "count", example=example)
    # A 1 and a 20.
    assert answer["state"]["odds"]["mean"] == "0.1"
    assert answer["state"]["odds"]["message"] == "Best play for mean(inspiration)."


def test_a_link_sets_parameters_and_the_character_is_no_longer_named() -> None:
    # On a line: otherwise the book shows the parameters, which a roll leaves as they are.
    example = SHOT._replace(written={"actor": [Origin("Renna", "", "#renna")]}, look="line")
    player = PagePlayer()
    assert "Renna" in ask(player, "roll", "seed=7", example)["html"]
    changed = ask(player, "roll", "seed=7&actor=Aim%3D5", example)
    assert "Renna" not in changed["html"]
    assert changed["link"] == "seed=7&actor=Aim%3D5"


@every(
    ("link", "message"),
    [
        ("aim=5", "the link has a value for 'aim', which is not a parameter"),
        ("seed", "the link is not complete; write it like #name?seed=7"),
        ("expression=" + "1%2B" * 5000, "20011 characters in the text of a parameter"),
        ("expression=99999d6", "99999 dice"),
        ("&".join(f"a{number}=1" for number in range(200)), "the link is not complete"),
        ("seed=" + "x" * 200, "characters in a seed"),
    ],
)
def test_a_bad_link_is_an_error_and_the_next_roll_works(link: str, message: str) -> None:
    player = PagePlayer()
    assert message in ask(player, "roll", link)["error"]
    assert "html" in ask(player, "roll")


def test_everything_is_in_the_language_of_the_book() -> None:
    answer = ask(PagePlayer(language="de"), "roll", "seed=7", SHOT._replace(look="line"))
    assert "Wurf 1" in answer["sentence"]
    assert "Ausdruck" in answer["html"]


def test_a_game_that_fails_is_an_error() -> None:
    assert "there is no mechanic 'no/such'" in ask(PagePlayer(), "roll", "", PageExample("no/such", {}))["error"]
    assert "No module" in ask(PagePlayer({"no/such": "no_such"}), "roll", "", PageExample("no/such", {}))["error"]


def test_another_worker_goes_on_where_one_was_ended() -> None:
    first, second = PagePlayer(), PagePlayer()
    ask(first, "open", "seed=1")
    panel(first, "pin")
    panel(first, "roll", texts={"expression": "10d6+1"}, seed="7", label="Ada", time="2026-11-22T21:04:07")
    panel(first, "roll", texts={"actor": "Aim=4"}, seed="theron 2")
    panel(first, "pin-roll", roll=2)
    panel(first, "replay", roll=2)
    panel(first, "odds-show", name="at least")
    before = panel(first, "set", texts={"expression": "1d20 +"}, seed="9", lock=True)
    kept = json.loads(json.dumps(before["kept"]))
    after = ask(second, "panel", message={"do": "history", "view": "v", "n": 2}, kept=kept)
    while after["counting"] or before["counting"]:
        before, after = ask(first, "count"), ask(second, "count")
    assert after["state"] == before["state"]
    assert [row["roll"] for row in after["state"]["log"]] == [2, 4, 3, 1]
    # What was typed last cannot be rolled; what the log shows can be undone.
    assert "expression" in after["state"]["errors"]
    for player in (first, second):
        panel(player, "set", texts={"expression": "1d20"})
    assert panel(second, "roll")["state"]["outcome"] == panel(first, "roll")["state"]["outcome"]
    for _ in range(3):
        panel(second, "undo")
    undone = panel(second, "undo")
    assert undone["link"].startswith("seed=7&")
    assert undone["state"]["rolls"] == 5


def test_dice_rolled_by_hand_go_on_in_another_worker() -> None:
    first, second = PagePlayer(), PagePlayer()
    ask(first, "open", "seed=1")
    before = panel(first, "roll", texts={"expression": "3d6"}, faces="4 2 5")
    assert before["state"]["outcome"]["seed"] == ""
    kept = json.loads(json.dumps(before["kept"]))
    after = ask(second, "panel", message={"do": "history", "view": "v", "n": 2}, kept=kept)
    while after["counting"] or before["counting"]:
        before, after = ask(first, "count"), ask(second, "count")
    assert after["state"] == before["state"]
    assert "dice=[4, 2, 5]" in after["state"]["code"]


def test_a_log_that_was_cleared_stays_so() -> None:
    first = PagePlayer()
    ask(first, "open", "seed=1")
    before = panel(first, "clear")
    after = ask(PagePlayer(), "count", kept=before["kept"])
    assert after["state"]["log"] == []
    assert after["state"]["outcome"]["headline"] == before["state"]["outcome"]["headline"]


@pytest.fixture
def quitting(own_games: None) -> None:
    """A game that is there for one test: ``quits/roll``."""

    class Quits(dd.Mechanic, id="quits/roll"):
        """A rule that ends its program."""

        why: str = dd.param(default="exit", help="what it raises")

        class Result(dd.Outcome):
            total: int

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            face = dice.roll(6)
            if self.why == "exit":
                raise SystemExit(3)
            if self.why == "interrupt":
                raise KeyboardInterrupt
            return self.Result(face)


@pytest.mark.usefixtures("quitting")
@pytest.mark.parametrize(("why", "error"), [("exit", "SystemExit: 3"), ("interrupt", "KeyboardInterrupt")])
def test_a_rule_that_ends_its_program_is_said_to_fail(why: str, error: str) -> None:
    player, example = PagePlayer(), PageExample("quits/roll", {"why": "no"}, facts=("total",))
    failed = f"the rule failed: {error}"
    assert ask(player, "roll", f"why={why}", example)["error"] == failed
    ask(player, "open", "", example)
    rolled = ask(player, "panel", "", example, message={"do": "roll", "view": "v", "n": 1, "texts": {"why": why}})
    assert rolled["answer"]["failed"] == failed
    assert rolled["state"]["odds"]["message"] == failed
    assert "failed" not in ask(player, "panel", "", example, message={"do": "roll", "texts": {"why": "no"}})["answer"]


def in_scene(beat: Beat, **message: object):
    """Return a beat of the scene as the page sends it: by default one that the book has, with nothing in the text."""
    played = beat.example
    example = PageExample("dice/roll", played.parameters, facts=("total",)).data() if played else None
    return {
        "beat": json.loads(json.dumps(beat.data())),
        "example": example,
        "rolled": False,
        "odds": False,
        "link": "",
        "tracks": [],
        "sheet": False,
        **message,
    }


def shows(*paths: str, book: str | None = None, dice: list[int] | None = None, **state: str):
    """Return the text of a beat, given what is shown there, and its roll and the state after it in the book."""
    outcome = None if book is None else dd.roll(book, dice=dice)
    return PageText("page beat", paths).of_book(outcome, state_facts(state))._asdict()


def beat(
    label: str,
    before: str,
    then: str,
    notation: str = "",
    dice: str = "",
    refers: list[str | Blank] | None = None,
) -> Beat:
    blanks = {"notation": refers} if refers else {}
    example = Example("dice/roll", {"notation": notation}, dice=dice or None) if notation else None
    page = {"scene": "page gate", "before": {"breach": before}, "labels": {"breach": "Breach"}}
    return Beat(label, example, then=then, blanks=blanks, name=label, url=f"#{label}", **page)


BAR = in_scene(beat("bar", "0 of 20", "breach += total", "1d6", "2"))
NOISE = in_scene(beat("change-1", "2 of 20", "breach += 1"))
SPLIT = in_scene(beat("split", "3 of 20", "breach = total", "3 + 1d4", "3", [Blank("breach", "3"), " + 1d4"]))
POOL = in_scene(beat("pool", "6 of 20", "breach = 1", "6d6", "1 1 1 1 1 1", [Blank("split.total", "6"), "d6"]))


def ask_beats(link: str, *beats: dict[str, object], rolled: int = 0, player: PagePlayer | None = None):
    beats = tuple({**one, "rolled": index == rolled} for index, one in enumerate(beats))
    message = {"do": "roll", "key": f"{rolled}", "example": beats[rolled]["example"], "link": link, "beats": beats}
    return (player or PagePlayer()).receive(json.loads(json.dumps(message)))


def said(html: str) -> str:
    return re.sub("<svg.*?</svg>|<[^>]*>", "", html)


def test_what_is_behind_a_roll_in_a_scene_follows_from_it() -> None:
    face = dd.roll("1d6", seed=6).value
    assert face != 2, "the book rolls 2"
    after = shows("breach", "total", book="3 + 1d4", dice=[3], breach="6 of 20")
    split = {**SPLIT, "text": after, "tracks": ["breach"], "sheet": True}
    bar = {**BAR, "text": shows("total", book="1d6", dice=[2], breach="2 of 20")}
    answer = ask_beats("seed=6", bar, NOISE, split, POOL)
    assert (answer["seed"], answer["link"], answer["own"]) == ("6", "seed=6", "seed=6")
    assert (said(answer["changes"]), answer["facts"]) == (f"Breach: 0 of 20 → {face} of 20", {"total": f"{face}"})
    noise, split, pool = answer["followed"]
    assert (said(noise["changes"]), "html" in noise) == (f"Breach: {face} of 20 → {face + 1} of 20", False)
    # The die of the book, and what the breach is now.
    total = face + 1 + 3
    assert f'dd.roll("{face + 1} + 1d4", dice=[3])' in unescape(split["html"])
    assert split["facts"] == {"breach": f"{total}", "total": f"{total}"}
    assert f'aria-label="Breach: {total} of 20"' in split["tracks"][0]
    way = f"0 of 20 → {face} of 20 (bar) → {face + 1} of 20 (change-1) → {total} of 20 (split)"
    assert said(split["sheet"]) == f"Breach{way}"
    assert '<a class="reference internal" href="#bar">' in split["sheet"]
    # Six faces are not enough for so many dice, so others are drawn.
    assert f'dd.roll("{total}d6", seed=7)' in unescape(pool["html"])
    assert said(pool["changes"]) == f"Breach: {total} of 20 → 1 of 20"


def test_dice_of_the_book_stay_where_they_fit() -> None:
    seed = next(seed for seed in range(100) if dd.roll("1d6", seed=seed).value == 2)
    pool = ask_beats(f"seed={seed}", BAR, NOISE, SPLIT, POOL)["followed"][2]
    assert 'dd.roll("6d6", dice=[1, 1, 1, 1, 1, 1])' in unescape(pool["html"])


def test_a_roll_further_on_in_a_story_goes_on_with_it() -> None:
    player = PagePlayer()
    face, die = dd.roll("1d6", seed=6).value, dd.roll("1d4", seed=5).value
    later = ask_beats("seed=5", {**BAR, "link": "seed=6"}, NOISE, SPLIT, POOL, rolled=2, player=player)
    assert said(later["changes"]) == f"Breach: {face + 1} of 20 → {face + 1 + die} of 20"
    # By itself its link shows the same roll; in the story it may be another.
    assert (later["link"], later["own"]) == (f"seed=5&notation={face + 1}+%2B+1d4", "seed=5")
    assert len(later["followed"]) == 1
    again = ask_beats("seed=3", BAR, NOISE, {**SPLIT, "link": later["own"]}, player=player)
    other = dd.roll("1d6", seed=3).value
    assert other != face
    assert (again["followed"][1]["seed"], again["followed"][1]["sentence"]) == ("5", "")
    assert said(again["followed"][1]["changes"]) == f"Breach: {other + 1} of 20 → {other + 1 + die} of 20"


def test_a_change_takes_what_an_earlier_roll_came_to_in_the_story() -> None:
    change = beat("change-1", "2 of 20", "breach = 20 - bar.total")
    change = in_scene(change._replace(values={"bar.total": 2}))
    face = dd.roll("1d6", seed=6).value
    [changed] = ask_beats("seed=6", BAR, change)["followed"]
    assert said(changed["changes"]) == f"Breach: {face} of 20 → {20 - face} of 20"


def test_true_counts_one_in_a_notation_of_the_story() -> None:
    pieces = [Blank("breach.full", "0"), " * 5 + 1d4"]
    late = in_scene(beat("late", "2 of 20", "breach -= total", "0 * 5 + 1d4", "3", pieces))
    full = in_scene(beat("change-1", "2 of 20", "breach += 18"))
    for beats, end in (((BAR, full, late), 12), ((BAR, late), 2)):
        changed = ask_beats("seed=6", *beats)["followed"][-1]["changes"]
        assert said(changed).endswith(f"→ {end} of 20")


def test_what_happens_only_if_something_holds_is_missed_in_another_story() -> None:
    lucky = beat("lucky", "3 of 20", "breach = 20", "2")
    lucky = lucky._replace(when="breach > 3; bar.total = 6", values={"bar.total": 4})
    hold = in_scene(lucky, text=shows("breach", book="2", breach="20 of 20"))
    late = beat("late", "3 of 20", "breach = 19", "2 + 1", refers=[Blank("lucky.total", "2"), " + 1"])
    late = in_scene(late, text=shows("breach", "total", book="3", breach="19 of 20"))
    seeds = {dd.roll("1d6", seed=seed).value: seed for seed in range(60)}
    missed, later, after = ask_beats(f"seed={seeds[5]}", BAR, NOISE, hold, late, SPLIT)["followed"][1:]
    # The breach is not full, as it is where it happens.
    assert missed == {
        "sentence": "",
        "missed": "This does not happen in your story.",
        "facts": None,
        "tracks": [],
        "sheet": "",
    }
    # What takes something of it does not happen either, and what does not goes on.
    assert later["missed"]
    # A text behind it says how things stand: 5 of the bar and 1 of the noise.
    assert later["facts"] == {"breach": "6"}
    assert said(after["changes"]) == "Breach: 6 of 20 → 9 of 20"
    happens = ask_beats(f"seed={seeds[6]}", BAR, NOISE, hold, late)["followed"]
    assert [said(each["changes"]) for each in happens[1:]] == [
        "Breach: 7 of 20 → 20 of 20",
        "Breach: 20 of 20 → 19 of 20",
    ]


def test_a_text_whose_words_are_those_of_another_state_stays_the_book_s() -> None:
    # It says of the change that the gate is open, which it is in the book when the breach is at 3, and that is all.
    full = beat("change-1", "2 of 3", "breach += 1")
    gate = in_scene(full._replace(before={"breach": "2 of 3"}), text=shows("breach", breach="3 of 3"))
    bar = {**BAR, "beat": {**BAR["beat"], "before": {"breach": "0 of 3"}}}
    seeds = {dd.roll("1d6", seed=seed).value: seed for seed in range(60)}
    for face, facts in ((1, None), (2, {"breach": "3"}), (3, {"breach": "3"})):
        [opened] = ask_beats(f"seed={seeds[face]}", bar, gate)["followed"]
        assert opened["facts"] == facts, face


def test_the_panel_and_the_deck_say_what_the_text_shows() -> None:
    check = PageExample("dice/check", {"check": "1d20 >= 11"})
    text = PageText("page climb", ("left",)).of_book(dd.check("1d20 >= 11", dice=[12]))
    player = PagePlayer()
    opened = player.receive({"do": "open", "key": "c", "example": check.data(), "text": text._asdict(), "link": ""})
    assert "facts" not in opened, "nothing is rolled yet"
    for seed in range(8):
        message = {"do": "roll", "view": "v", "n": seed, "seed": f"{seed}"}
        rolled = player.receive({"do": "panel", "key": "c", "message": message})
        outcome = dd.check("1d20 >= 11", seed=seed)
        assert rolled["facts"] == ({"left": f"{outcome.fact('left')}"} if outcome.fact("success") else None)
    facts = [one["facts"] for one in rolled_ahead(check, "climb", 20, text)]
    shown = [dd.check("1d20 >= 11", seed=f"climb {number}") for number in range(2, 22)]
    assert facts == [{"left": f"{one.fact('left')}"} if one.fact("success") else None for one in shown]
    assert None in facts
    assert facts != [None] * 20


def test_a_roll_of_the_panel_is_followed_and_a_panel_opens_with_the_values_of_the_story() -> None:
    player = PagePlayer()
    chance = in_scene(beat("chance", "6 of 20", "", "6 + 1d4", refers=[Blank("breach", "6"), " + 1d4"]), odds=True)
    story = [{**BAR, "link": "seed=6"}, NOISE, SPLIT, chance]
    face = dd.roll("1d6", seed=6).value

    def ask(do: str, index: int, **more: object):
        beats = [{**one, "rolled": number == index} for number, one in enumerate(story)]
        example = PageExample("dice/roll", {"notation": "3 + 1d4" if index == 2 else "6 + 1d4"}).data()
        return player.receive({"do": do, "key": f"{index}", "example": example, "link": "", "beats": beats, **more})

    opened = ask("open", 2)
    assert opened["state"]["texts"]["notation"] == f"{face + 1} + 1d4"
    assert (opened["link"], "error" in ask("follow", 2)) == ("", True)
    rolled = player.receive({"do": "panel", "key": "2", "message": {"do": "roll", "view": "a", "n": 1}})
    followed = ask("follow", 2)
    assert followed["link"] == rolled["link"] != ""
    total = player.receive({"do": "panel", "key": "2", "message": {"do": "history", "view": "a", "n": 2}})
    assert total["link"] == rolled["link"], "following rolls nothing"
    [odds] = followed["followed"]
    assert odds == {"sentence": "", "odds": "These are the odds of the book's story."}
    # The odds are those behind the roll of the panel.
    story[2] = {**SPLIT, "link": followed["own"]}
    made = re.search(r"→ (\d+) of 20", said(followed["changes"]))[1]
    assert ask("open", 3)["state"]["texts"]["notation"] == f"{made} + 1d4"


def test_the_line_of_a_roll_names_no_character_whose_value_the_panel_changed() -> None:
    written = {"actor": [Origin("The king")], "target": [Origin("Asa")]}
    parameters = {"notation": "1d6 + [Bite] - [Target Luck]", "actor": "Bite=4", "target": "Luck=1"}
    example = PageExample("dice/roll", parameters, written=written, look="compact", in_scene=True)
    bite = {**in_scene(beat("bite", "0 of 20", "", "1")), "example": example.data()}
    bite["beat"] = {**bite["beat"], "example": Example("dice/roll", parameters)._asdict()}
    rolled = ask_beats("seed=6", bite)
    assert said(rolled["given"]) == "The king · Bite · against Asa"
    # The fold has what the line leaves out.
    assert "Notation: 1d6 + [Bite] - [Target Luck]" in said(rolled["html"])
    changed = ask_beats("seed=6&target=Luck%3D2", bite)
    assert said(changed["given"]) == "The king · Bite"
    assert said(ask_beats("seed=6&actor=Bite%3D1&target=Luck%3D2", bite)["given"]) == ""
    in_line = {**bite, "example": example._replace(look="line").data()}
    assert "given" not in ask_beats("seed=6", in_line), "a line has it in its outcome"


def test_what_cannot_be_played_ends_a_story() -> None:
    wrong = in_scene(beat("wrong", "6 of 20", "breach = 1", "6", refers=[Blank("breach", "6"), " + "]))
    answer = ask_beats("seed=1", BAR, wrong, SPLIT)
    assert "html" in answer
    [failed] = answer["followed"]
    assert failed.keys() == {"error"}
    assert "notation" in failed["error"]


def test_a_beat_can_take_what_the_state_was_after_an_earlier_one() -> None:
    later = in_scene(beat("later", "3 of 20", "", "2 + 1", refers=[Blank("bar.breach", "2"), " + 1"]))
    face = dd.roll("1d6", seed=6).value
    assert f'dd.roll("{face} + 1")' in unescape(ask_beats("seed=6", BAR, NOISE, later)["followed"][1]["html"])


SKY = PageRule(
    "road/sky",
    table=PageTable(
        ("d2",), ("Sky", "Wind"), (TableRow(("1",), ("grey", "2d6 knots")), TableRow(("2",), ("blue", "none")))
    ),
)


@pytest.fixture
def no_book() -> Iterator[None]:
    """Let the tables of a test be known to none after it."""
    yield
    registry.announce_book({})


@pytest.mark.usefixtures("no_book")
def test_the_tables_of_a_book_are_played_and_only_what_is_there_is_shown() -> None:
    player, sky = PagePlayer(mechanics=[json.loads(SKY.to_json())]), PageExample("road/sky", {}, whole=True)
    # Until one is played, none is made a rule.
    assert ask(player, "roll", "seed=1")["seed"] == "1"
    with pytest.raises(dd.ParameterError):
        mechanic("road/sky")
    shown = {}
    for seed in range(1, 9):
        answer = ask(player, "roll", f"seed={seed}", sky, "1")
        [first, *_rest] = dice = dd.play("road/sky", seed=seed).dice
        shown[first] = values = re.findall(r'<strong class="dice-value">(.*?)</strong>', answer["html"])
        assert values == (["grey", "2d6 knots", str(sum(dice[1:])), "1"] if first == 1 else ["blue", "none", "2"])
    assert len(shown) == 2


TURN = """score = 0
again = yes
repeat until not again
  die = 1d6
  score = score + die
  again = choose(yes, no) if score < most, else no"""
"""Whoever plays it is asked after each die, as long as the score is below what the scene says."""


def turn_in_scene() -> dict[str, object]:
    """Return a beat in which the book throws 2 and 3 and then stops, with the breach as the score to which it asks."""
    example = Example("page/turn", {"most": "20", "again": "yes, no"}, dice="2 3")
    page = {"scene": "page gate", "before": {"breach": "20 of 20"}, "labels": {"breach": "Breach"}}
    there = Beat("turn", example, then="breach -= score", blanks={"most": [Blank("breach", "20")]}, name="turn", **page)
    shown = PageExample("page/turn", example.parameters, facts=("score",), in_scene=True).data()
    return {**in_scene(there), "example": shown}


def ways(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the link of each button."""
    found = re.findall('data-dice-way="([^"]*)">([^<]*)<', answer["html"])
    return {text: unescape(link) for link, text in found}


def test_the_reader_of_a_scene_is_asked_and_the_story_goes_on_from_the_answer() -> None:
    rule = PageRule("page/turn", tuple(TURN.split("\n")), "", (("most", "20 (0 to 20)"),))
    player, turn = PagePlayer(mechanics=[rule.to_plain()]), turn_in_scene()
    other = PagePlayer(mechanics=[rule.to_plain()])  # in which the first beat is another
    full = in_scene(beat("late", "15 of 20", "breach -= total", "1d6", "1"))
    one, two = dd.SeededDice(8).each(6, 6)
    asked = ask_beats("seed=8", turn, full, player=player)
    assert (asked["sentence"], asked["own"]) == (f"{one}. Again? yes, no", "seed=8")
    assert (asked["changes"], asked["facts"]) == ("", None)
    # What is behind it waits, and says nothing of the book's story.
    [waits] = asked["followed"]
    assert waits["missed"] == "This waits until you have chosen."
    assert not {"html", "changes"} & waits.keys()
    again = ask_beats(ways(asked)["yes"], turn, full, player=player)
    assert again["sentence"] == f"{one}, {two}. Again? yes, no"
    end = ask_beats(ways(again)["no"], turn, full, player=player)
    assert said(end["changes"]) == f"Breach: 20 of 20 → {20 - one - two} of 20"
    assert said(end["followed"][0]["changes"]).endswith(f"→ {20 - one - two - 1} of 20")
    assert parse_qs(end["own"]) == {"seed": ["8"], "again": ["yes, no, open"]}
    # The working says what was chosen, and nothing that is still open.
    assert "Again:yes, no" in said(end["html"]).replace(" ", "").replace("yes,no", "yes, no")
    assert "open" not in said(end["html"])
    # Whoever opens the link of the story has the same; where what is before it changes, the answers may be too few.
    hole = in_scene(beat("hole", "20 of 20", "breach = total", "1d20", "20"))
    seeds = {dd.roll("1d20", seed=seed).value: seed for seed in range(400)}
    story = hole, {**turn, "link": end["own"]}, full
    registry.announce_book({})
    same = ask_beats(f"seed={seeds[20]}", *story, player=other)
    assert said(same["followed"][0]["changes"]) == said(end["changes"])
    fewer = ask_beats(f"seed={seeds[one]}", *story, player=other)
    assert said(fewer["followed"][0]["changes"]) == f"Breach: {one} of 20 → 0 of 20"
    # With 3 the book is asked only once, so its reader is, with other dice; what is behind that keeps its roll.
    longer = in_scene(beat("longer", "20 of 20", "breach = total", "1d4", "4"))
    few = (seed for seed in range(99) if dd.roll("1d4", seed=seed).value == 3)
    seed = next(seed for seed in few if dd.SeededDice(seed + 1).roll(6) < 3)
    later = {**full, "link": "seed=5"}
    [left, waits] = ask_beats(f"seed={seed}", longer, turn, later, player=PagePlayer())["followed"]
    assert (sorted(ways(left)), left["own"], left["changes"]) == (["no", "yes"], f"seed={seed + 1}", "")
    assert waits["own"] == "seed=5"
    registry.announce_book({})
