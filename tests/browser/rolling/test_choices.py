"""Whoever rolls a rule with a choice is asked when its dice are on the page, in Chromium."""

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from dicedocs import SeededDice

from ...pig import turn_of_pig
from ..accessible import accessibility_issues
from ..conftest import Visit
from .conftest import FIRST, ROLLING

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]

PAGES = {
    "conf.py": ROLLING.replace('"dicedocs_sphinx"', '"dicedocs_sphinx", "myst_parser"') + "dicedocs_deck = 2\n",
    "index.md": f"""
# Pig

```{{dice:mechanic}} pig/turn
{turn_of_pig(12)}```

```{{dice:example}} A turn
:name: turn
:mechanic: pig/turn
:again: yes, no
:dice: 4 3
:expect: score=7
```
""",
    "scene.md": """---
orphan: true
---
# A hunt

```{dice:scene} The hunt
:name: hunt
:tracks: food 0 of 40, days 0 of 9
```

```{dice:example} They hunt
:name: catch
:mechanic: pig/turn
:again: yes, no
:dice: 4 3
:then: food += score
:expect: score=7, food=7
```

```{dice:example} They eat
:name: meal
:mechanic: dice/roll
:notation: 1d4
:dice: 2
:then: food -= total
:expect: total=2, food=5
```

Now they have {dice:track}`food`.
""",
}
SEED = next(seed for seed in range(1000) if 1 not in (faces := SeededDice(seed).each(6, 6, 6)) and sum(faces[:2]) < 12)
FACES = SeededDice(SEED).each(6, 6, 6)


def example(page: Page) -> Locator:
    return page.locator("#dice-turn")


def ask(visit: Visit, width: int) -> Page:
    page = visit.open(f"index.html#turn?seed={SEED}")
    page.set_viewport_size({"width": width, "height": 800})
    expect(example(page).get_by_role("group", name="Again?")).to_be_visible(timeout=FIRST)
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_the_reader_is_asked_when_the_dice_are_there(reader: Visit, width: int) -> None:
    page = ask(reader, width)
    box = example(page)
    assert f"d6: {FACES[0]}" in box.inner_text()
    group = box.get_by_role("group", name="Again?")
    assert group.get_by_role("button").all_inner_texts() == ["yes", "no"]
    assert not [issue for issue in accessibility_issues(page) if "dice-" in issue]
    page.set_viewport_size({"width": width, "height": 800})
    for button in group.get_by_role("button").all():
        bounds = button.bounding_box()
        assert bounds
        assert bounds["x"] + bounds["width"] <= width
        assert min(bounds["height"], bounds["width"]) >= 24
    group.get_by_role("button", name="yes").click()
    expect(box).to_contain_text(f"d6: {FACES[1]}", timeout=FIRST)
    # The dice that were there stay.
    assert f"d6: {FACES[0]}" in box.inner_text()
    # With the keyboard: the next choice has the focus.
    expect(group.get_by_role("button", name="yes")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(box.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    expect(group).to_have_count(0, timeout=FIRST)
    expect(box.locator(".dice-outcome")).to_contain_text(f"{sum(FACES[:2])}")
    expect(page.get_by_role("status")).to_contain_text(f"Score {sum(FACES[:2])}")
    box.get_by_role("button", name="Copy the link").click()
    link = parse_qs(urlsplit(page.evaluate("location.hash")[1:]).query)
    assert link["seed"] == [f"{SEED}"]
    assert link["again"] == ["yes, no, open"]
    end = page.evaluate("location.hash")
    page.goto("about:blank")
    again = reader.open(f"index.html{end}")
    expect(example(again).locator(".dice-outcome")).to_contain_text(f"{sum(FACES[:2])}", timeout=FIRST)
    expect(example(again).get_by_role("group", name="Again?")).to_have_count(0)


def test_a_press_of_roll_asks(reader: Visit) -> None:
    page = reader.open("index.html")
    box = example(page)
    chosen = box.get_by_text("Choice: Again").first
    expect(chosen).to_be_visible()
    box.get_by_role("button", name="Roll").click()
    # From the deck of the book: of its two rolls none begins with a 1.
    expect(box.get_by_role("group", name="Again?")).to_be_visible(timeout=FIRST)
    box.get_by_role("button", name="no", exact=True).click()
    expect(box.get_by_role("group", name="Again?")).to_have_count(0, timeout=FIRST)
    expect(box.locator(".dice-outcome")).to_contain_text("Again: no (the player's choice)")
    # What the book chose is not said of it.
    expect(chosen).to_be_hidden()
    box.get_by_role("button", name="Back").click()
    expect(chosen).to_be_visible()


def test_the_reader_of_a_scene_is_asked_and_its_link_keeps_the_answers(reader: Visit) -> None:
    page = reader.open("scene.html")
    page.set_viewport_size({"width": 390, "height": 800})
    hunt, meal = (page.locator(f"#dice-{name}") for name in ("catch", "meal"))
    # What the reader has rolled behind it stays theirs while they are asked.
    meal.get_by_role("button", name="Roll").click()
    expect(page).to_have_url(re.compile("#meal.*;rules="), timeout=FIRST)
    own = parse_qs(urlsplit(page.evaluate("location.hash")[1:]).query.partition(";")[0])["seed"]
    page.goto("about:blank")
    page = reader.open(f"scene.html#catch?seed={SEED};meal?seed={own[0]};rules=0")
    hunt, meal = (page.locator(f"#dice-{name}") for name in ("catch", "meal"))
    group = hunt.get_by_role("group", name="Again?")
    expect(group).to_be_visible(timeout=FIRST)
    assert "4 of 40" not in hunt.inner_text()
    # What follows is not the book's story meanwhile.
    expect(meal).to_be_hidden()
    expect(page.get_by_role("img", name="Food: 0 of 40")).to_be_visible()
    group.get_by_role("button", name="yes").click()
    expect(hunt.locator(".dice-thrown svg")).to_have_count(2, timeout=FIRST)
    assert re.findall(";(.*);", unquote(page.evaluate("location.hash"))) == [f"meal?seed={own[0]}"]
    group.get_by_role("button", name="no").press("Enter")
    score = sum(FACES[:2])
    expect(hunt.locator(".dice-changes")).to_contain_text(f"0 of 40 → {score} of 40", timeout=FIRST)
    expect(hunt.locator(".dice-press")).to_be_focused()
    expect(meal.locator(".dice-changes")).to_contain_text(f"{score} of 40 → ")
    expect(meal.locator(".dice-notice")).to_contain_text(f"the seed {own[0]}")
    rest, end = meal.locator(".dice-changes").inner_text(), page.evaluate("location.hash")
    assert f"seed={SEED}&again=yes%2C+no%2C+open" in end
    page.reload()
    expect(page.locator("#dice-catch .dice-changes")).to_contain_text(f"0 of 40 → {score} of 40", timeout=FIRST)
    expect(page.locator("#dice-meal .dice-changes")).to_have_text(rest)
