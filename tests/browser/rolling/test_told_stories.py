"""The texts of the rulebook say of any roll what its dice say; Python plays them here as it does on the page."""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from dicedocs.panel.page_player import PagePlayer
from dicedocs.rules.registry import announce_book

MANY = pytest.param(40, marks=pytest.mark.thorough)
STORIES = ("dungeoneers", "mage-in-the-metal", "mecha-vs-kaiju", "methuen", "night-ferry", "total-effect")
PAGES = ("guide/rolling-pages", "rulebook/how-to-read", *(f"rulebook/{name}" for name in STORIES))
Conditions = dict[str, list[list[str]]]


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Leave the tests after these without the mechanics of the documentation, which a page's player announces."""
    yield
    announce_book({})


def conditions(page: Tag) -> Conditions:
    """Return by block the conditions of the words about it; those in one place are the words for each outcome."""
    found: Conditions = defaultdict(list)
    for words in page.select("[data-dice-case]"):
        before = words.previous_sibling
        is_next = isinstance(before, Tag) and "data-dice-case" in before.attrs and "data-dice-words" in words.attrs
        own, key = str(words["data-dice-case"]), str(words["data-dice-words"])
        if is_next and isinstance(before, Tag) and before["data-dice-words"] == key and words.name == "span":
            found[key][-1].append(own)
        else:
            found[key].append([own])
    return found


def scenes(page: Tag) -> dict[str, list[dict[str, Any]]]:
    """Return what happens in each scene of a page, as the page tells it to Python."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for element in page.select("[data-dice], [data-dice-beat]"):
        told = json.loads(str(element.get("data-dice") or element["data-dice-beat"]))
        if told.get("beat"):
            beat = {key: told.get(key) for key in ("beat", "text", "example", "odds")}
            found[told["beat"]["scene"]].append({**beat, "tracks": [], "sheet": False})
    return found


def alone(page: Tag) -> list[dict[str, Any]]:
    """Return the examples of a page outside its scenes that throw dice, as the page tells them to Python."""
    told = [json.loads(str(element["data-dice"])) for element in page.select("[data-dice]")]
    return [each for each in told if each["chance"] and not (each.get("beat") or each["odds"] or each["table"])]


def page_of(site: Path, name: str) -> Tag:
    """Return a page of the documentation."""
    return BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")


def true_of(each: list[str], words: dict[str, Any]) -> list[bool]:
    """Return which of the words in one place are true of a roll; of words for each outcome just one must be."""
    true = [words["holds"][condition] for condition in each]
    assert sum(true) == 1 or len(each) == 1, each
    return true


@pytest.mark.parametrize("rolls", [3, MANY])
@pytest.mark.parametrize("name", PAGES)
def test_the_text_of_an_example_that_stands_alone_has_the_values_of_any_roll(
    built_site: Path, name: str, rolls: int
) -> None:
    page = page_of(built_site, name)
    places, examples = conditions(page), alone(page)
    mechanics = json.loads((built_site / "_static" / "dicedocs" / "manifest.json").read_text("utf-8"))["player"][
        "mechanics"
    ]
    assert examples or name == "rulebook/night-ferry"
    for one in examples:
        player, kept = PagePlayer(mechanics=mechanics), 0
        for seed in range(rolls):
            # Each as the first one of its example, so that no other has to be kept.
            told = player.receive({**one, "do": "roll", "key": f"{one['name']} {seed}", "link": f"seed={seed}"})
            assert "error" not in told, (one["name"], told)
            shown = [told["facts"], (told.get("words") or {}).get("facts")]
            # A fact that a roll does not have would be shown as a question mark.
            assert all("?" not in facts.values() for facts in shown if facts), one["name"]
            for each in places[one["text"]["key"]] if told.get("words") else ():
                true_of(each, told["words"])
            kept += told["facts"] is not None or bool(told.get("words"))
        # Only a text that its author ties to the book, or to a verdict, stays the book's.
        assert kept or one["text"]["choice"] == "book" or one["text"]["words"], one["name"]


@pytest.mark.parametrize("rolls", [8, MANY])
@pytest.mark.parametrize("name", STORIES)
def test_of_any_rolls_just_one_of_the_words_for_each_outcome_is_true(built_site: Path, name: str, rolls: int) -> None:
    page = page_of(built_site, f"rulebook/{name}")
    places = conditions(page)
    assert any(len(one) > 1 for of_block in places.values() for one in of_block)
    said = defaultdict[str, set[bool]](set)
    for beats in scenes(page).values():
        for seed in range(rolls):
            seeds = count(1000 * seed)
            rolled = [{**beat, "link": f"seed={next(seeds)}", "rolled": index == 0} for index, beat in enumerate(beats)]
            asked = {"do": "roll", "key": f"{seed}", "example": beats[0]["example"], "text": beats[0]["text"]}
            answer = PagePlayer().receive({**asked, "link": rolled[0]["link"], "beats": rolled})
            for beat, told in zip(beats, [answer, *answer["followed"]], strict=True):
                assert "error" not in told, told
                # No beat keeps the text of the book's roll.
                assert told.get("missed") or told.get("words") or told["facts"] is not None, beat["beat"]["name"]
                for each in places[beat["text"]["key"]] if told.get("words") and not told.get("missed") else ():
                    for condition, holds in zip(each, true_of(each, told["words"]), strict=True):
                        said[f"{beat['text']['key']}: {condition}"].add(holds)
    # Most words come up at some time and fail at another, or nobody could read both.
    part = 0.8 if rolls > 20 else 0.7
    assert sum(len(truths) == 2 for truths in said.values()) > part * len(said)
