"""Tables that stand in the pages of a book roll in Chromium: where they stand, in examples, in scenes and in panels."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from dicedocs import Mechanic, Outcome, SeededDice
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics

from ...hostile import TRAP
from ..accessible import accessibility_issues
from ..conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]

CONF = """
extensions = ["dicedocs_sphinx", "myst_parser"]
project = "Road"
html_theme = "basic"
html_sidebars = {"**": []}
dicedocs_reroll = True
dicedocs_deck = 2
"""
INDEX = """
# Book

```{toctree}
road
```

```{dice:example} Loot
:name: loot
:mechanic: road/loot
:danger: 2
:dice: 2 5 4 1 3 4
:expect: Loot_rolled=9
```

```{dice:odds} The weather
:name: chances
:mechanic: road/weather
```

## A journey

```{dice:scene} The road
:name: journey
:tracks: knots 0 of 20
```

```{dice:example} The first day
:name: day
:mechanic: road/weather
:dice: 1 3 4
:then: knots += Wind_rolled
:expect: Wind_rolled=7, knots=7
```

At last {dice:fact}`knots` knots.
"""
ROAD = f"""
# Road

## Weather

```{{dice:mechanic}} road/weather
```

| d2 | Weather | Wind      |
|----|---------|-----------|
| 1  | Storm   | 2d6 knots |
| 2  | Fair    | 1d4 knots |

## Loot

```{{dice:mechanic}} road/loot
:danger: 0 (0 to 3)
```

| d6 + danger | Loot      | Guard     |
|-------------|-----------|-----------|
| 1–4         | 2d6 coins | [Weather] |
| 5–9         | 1d4 rats  | none      |

## Climb

```{{dice:mechanic}} road/climb
:grip: 0 (0 to 3), what you hold on to

total = 2d6 + grip
result = total: 6- fall, 7+ up
```

```{{dice:example}} Up the wall
:name: wall
:mechanic: road/climb
:grip: 1
:dice: 3 4
:expect: total=8, result=up
```

## Signs

```{{dice:mechanic}} road/signs
```

1. `<script>{TRAP}</script> {{}} \\ "quoted" 'too'`
2. `<img src=x onerror="{TRAP}">` [weather]
"""


PAGES = {"conf.py": CONF, "index.md": INDEX, "road.md": ROAD}


@pytest.fixture
def traveller(reader: Visit) -> Iterator[Visit]:
    """Return a page that can be opened in the book, in which Python answers whatever is pressed."""
    reader.page.route("**/decks/*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    yield reader
    assert reader.console_errors == []
    assert reader.external_requests == []


@pytest.fixture(scope="module")
def rules(book: Path) -> Mapping[str, type[Mechanic]]:
    """Return its tables and rules as mechanics of this Python, made from what its pages load."""
    data = json.loads((book / "_static/dicedocs/manifest.json").read_text("utf-8"))["player"]["mechanics"]
    return book_mechanics(map(PageRule.from_plain, data))


def below(page: Page, title: str) -> Locator:
    """Return what stands below a table."""
    return page.locator(f".dice-below-table:has([aria-label='Change it {title}'], [aria-label='Close {title}'])")


def seeded(rule: type[Mechanic], control: Locator, **parameters: object) -> Outcome:
    """Return the outcome of a rule with the seed that a page names."""
    found = re.search(r"with the seed (\d+)\.", control.locator(".dice-notice").inner_text())
    assert found
    return rule(**parameters).play(SeededDice(int(found[1])))


def values(control: Locator) -> list[str]:
    return control.locator(".dice-value").all_inner_texts()


def test_a_table_is_rolled_on_where_it_stands(traveller: Visit, rules: Mapping[str, type[Mechanic]]) -> None:
    page = traveller.open("road.html")
    control = below(page, "Weather")
    button, close = (control.get_by_role("button", name=f"{name} Weather") for name in ("Roll", "Close"))
    for press in (button.click, lambda: button.press("Enter")):
        expect(close).to_be_hidden()
        before = button.bounding_box()
        press()
        expect(close).to_be_visible()
        outcome = seeded(rules["road/weather"], control)
        wind, number = outcome.fact("Wind_rolled"), outcome.fact("roll")
        assert values(control) == [outcome.fact("Weather"), outcome.fact("Wind"), f"{wind}", f"{number}"]
        expect(page.locator(".dice-status")).to_contain_text(f"Weather {outcome.fact('Weather')}")
        # Whoever presses again finds the button in its place.
        after = button.bounding_box()
        assert before
        assert after
        assert abs(before["x"] - after["x"]) < 1
        close.click()
        expect(close).to_be_hidden()
        expect(button).to_be_focused()
        assert control.locator(".dice-row").count() == 0


def test_a_table_that_rolls_on_another_does_so_in_the_page_too(
    traveller: Visit, rules: Mapping[str, type[Mechanic]]
) -> None:
    page = traveller.open("road.html#road/loot?seed=1")
    control = below(page, "Loot")
    expect(control.get_by_role("button", name="Close Loot")).to_be_visible()
    for seed in range(2, 9):
        outcome = rules["road/loot"]().play(SeededDice(seed))
        if outcome.fact("Guard_rolled"):
            break
    page.goto(page.url.partition("#")[0] + f"#road/loot?seed={seed}")
    expect(control.locator(".dice-notice")).to_contain_text(f"seed {seed}.")
    assert outcome.fact("Guard_rolled") in values(control)
    control.locator("summary").click()
    # The other table with its title, and its own working below.
    played = control.locator(".dice-played")
    expect(played.locator("> .dice-label")).to_have_text("Weather:")
    expect(played).to_contain_text("knots (")


def test_examples_and_scenes_play_tables_of_other_pages(traveller: Visit, rules: Mapping[str, type[Mechanic]]) -> None:
    page = traveller.open("index.html")
    loot = page.locator("#dice-loot")
    loot.get_by_role("button", name="Roll").click()
    expect(loot.get_by_role("button", name="Back")).to_be_visible()
    assert values(loot) == [f"{seeded(rules['road/loot'], loot, danger=2).fact('Loot_rolled')}"]
    day, sentence = page.locator("#dice-day"), page.locator("p", has_text="At last")
    expect(sentence).to_have_text("At last 7 knots.")
    day.get_by_role("button", name="Roll").click()
    expect(day.get_by_role("button", name="Back")).to_be_visible()
    rolled = seeded(rules["road/weather"], day)
    # In other weather the words of the book would be false, so that its text stays.
    knots = rolled.fact("Wind_rolled") if rolled.fact("Weather") == "Storm" else 7
    expect(sentence).to_have_text(f"At last {knots} knots.")


def test_the_odds_of_a_table_open_its_panel(traveller: Visit) -> None:
    page = traveller.open("index.html")
    figure = page.locator("figure:has([data-dice])").first
    figure.get_by_role("button", name="Change it").click()
    # One of two rows, by hand.
    expect(figure.locator(".dd-panel .dd-odds")).to_contain_text("50")


def test_a_table_has_a_panel_with_its_parameters(traveller: Visit, rules: Mapping[str, type[Mechanic]]) -> None:
    page = traveller.open("road.html")
    control = below(page, "Loot")
    control.get_by_role("button", name="Change it").focus()
    page.keyboard.press("Enter")
    panel = control.locator(".dd-panel")
    expect(panel).to_be_visible()
    panel.get_by_label("Danger", exact=True).first.fill("3")
    panel.get_by_role("button", name="Roll", exact=True).first.click()
    expect(panel.locator(".dd-past li")).to_have_count(1)
    control.get_by_role("button", name="Copy the link").click()
    link = parse_qs(page.url.partition("?")[2])
    assert page.url.partition("#")[2].startswith("road/loot?seed=")
    assert link["danger"] == ["3"]
    outcome = rules["road/loot"](danger=3).play(SeededDice(int(link["seed"][0])))
    expect(panel.locator(".dd-outcome")).to_contain_text(f"{outcome.fact('Loot')}")
    panel.get_by_label("Danger", exact=True).first.press("Escape")
    expect(panel).to_have_count(0)


def test_the_lines_of_a_rule_are_rolled_where_they_stand_in_an_example_and_in_a_panel(
    traveller: Visit, rules: Mapping[str, type[Mechanic]]
) -> None:
    page = traveller.open("road.html")
    control, wall = below(page, "Climb"), page.locator("#dice-wall")
    control.get_by_role("button", name="Roll Climb").click()
    expect(control.get_by_role("button", name="Close Climb")).to_be_visible()
    outcome = seeded(rules["road/climb"], control)
    assert values(control) == [f"{outcome.fact('total')}", outcome.fact("result")]
    wall.get_by_role("button", name="Roll").click()
    expect(wall.get_by_role("button", name="Back")).to_be_visible()
    outcome = seeded(rules["road/climb"], wall, grip=1)
    assert values(wall) == [f"{outcome.fact('total')}", outcome.fact("result")]
    wall.get_by_role("button", name="Change it").click()
    panel = wall.locator(".dd-panel")
    panel.get_by_label("Grip", exact=True).first.fill("3")
    # Of 36 throws, those of 2 and 3 fall.
    expect(panel.locator(".dd-odds")).to_contain_text("8.3")


def test_hostile_cells_are_text_in_pages_rolls_and_panels(
    traveller: Visit, rules: Mapping[str, type[Mechanic]]
) -> None:
    page = traveller.open("road.html")
    control = below(page, "Signs")
    for seed in (1, 2, 3, 4):
        page.goto(page.url.partition("#")[0] + f"#road/signs?seed={seed}")
        expect(control.locator(".dice-notice")).to_contain_text(f"seed {seed}.")
        text = rules["road/signs"]().play(SeededDice(seed)).fact("result")
        assert TRAP in text
        assert values(control)[0] == text
    control.get_by_role("button", name="Change it").click()
    panel = control.locator(".dd-panel")
    expect(panel.locator(".dd-outcome")).to_contain_text(text)
    assert page.locator("main img, .dd-panel img, .document img").count() == 0
    assert not page.evaluate("() => 'trapped' in window")


def test_what_stands_below_a_table_moves_nothing_and_is_gone_on_paper(traveller: Visit) -> None:
    page = traveller.open("road.html")
    expect(page.locator(".dice-press").first).to_be_visible()
    observe = """() => new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().map((one) => one.value))).observe({ type: "layout-shift", buffered: true })
      || setTimeout(done, 300, []))"""
    assert page.evaluate(observe) == []
    page.emulate_media(media="print")
    for part in (".dice-press", ".dice-play"):
        expect(page.locator(part).first).to_be_hidden()


def test_what_stands_below_a_table_can_be_used_by_everybody(traveller: Visit) -> None:
    page = traveller.open("road.html#road/weather?seed=1")
    expect(below(page, "Weather").get_by_role("button", name="Close")).to_be_visible()
    # The theme has two landmarks of one name.
    assert [one for one in accessibility_issues(page) if not one.startswith("landmark-unique")] == []


def test_a_page_from_a_file_has_the_rolls_of_its_deck(
    context: BrowserContext, book: Path, rules: Mapping[str, type[Mechanic]]
) -> None:
    page = context.new_page()
    page.goto((book / "road.html").as_uri())
    control = page.locator(".dice-below-table").first
    seen = set()
    for _ in range(2):
        control.get_by_role("button", name="Roll Weather").click()
        expect(control.locator(".dice-notice")).to_contain_text("with the seed road/weather ")
        seed = control.locator(".dice-notice").inner_text().partition("with the seed ")[2].split(".")[0]
        assert values(control)[0] == rules["road/weather"]().play(SeededDice(seed)).fact("Weather")
        seen.add(seed)
    assert seen == {"road/weather 2", "road/weather 3"}
    expect(control.get_by_role("button", name="Roll Weather")).to_be_disabled()
    expect(control.locator(".dice-notice")).to_contain_text("These were all 2 rolls")
    page.close()
