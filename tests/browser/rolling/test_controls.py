"""What a reader presses in an example is seen without a pointer, moves nothing, and one example can be shown alone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ..accessible import accessibility_issues, low_contrast, overflow
from ..conftest import Visit, served
from ..loopback import Loopback
from .conftest import roll
from .python_here import PythonHere
from .test_documentation import CHAPTERS

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]

WIDTHS = (1280, 390)
SEEN = "one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })"
HEIGHT = "one => one.getBoundingClientRect().height"
TURNS = """one => [...one.querySelectorAll(".dice-svg")].flatMap((die) => die.getAnimations())
  .map((turn) => [turn.animationName, turn.effect.getTiming().duration])"""


def test_what_can_be_pressed_is_seen_without_a_pointer(guest: Visit) -> None:
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    expect(example.locator(".dice-press")).to_have_text("Roll")
    page.mouse.move(0, 0)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for control in (".dice-press", ".dice-change", ".dice-link"):
            assert example.locator(control).evaluate(SEEN), (control, width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert low_contrast(page, ".dice-example") == []
        assert overflow(page) <= 0, width
    # Nor is one needed to reach it.
    example.get_by_role("button", name="Roll").focus()
    reached = set()
    for _ in range(5):
        reached.add(page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent"))
        page.keyboard.press("Tab")
    assert {"Roll The house", "Change it The house", "Copy the link The house"} <= reached


def test_a_box_keeps_its_height_at_the_first_press(guest: Visit) -> None:
    for width in WIDTHS:
        guest.page.set_viewport_size({"width": width, "height": 900})
        page = guest.open("index.html")
        example = page.locator("#dice-house")
        expect(example.locator(".dice-press")).to_be_visible()
        before = example.evaluate(HEIGHT)
        roll(page, "house")
        assert example.evaluate(HEIGHT) == pytest.approx(before, abs=0.5), width
        expect(example.locator(".dice-notice")).to_contain_text("with the seed")


def test_the_dice_turn_at_each_roll_unless_motion_is_reduced(guest: Visit) -> None:
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    # Slow enough to be seen here, each roll of which begins it anew.
    page.add_style_tag(content=".dice-svg { animation-play-state: paused !important }")
    expect(example.locator(".dice-press")).to_be_visible()
    assert example.evaluate(TURNS) == []
    roll(page, "house")
    assert example.evaluate(TURNS) == [["dice-turn", 150]]
    page.emulate_media(reduced_motion="reduce")
    example.locator(".dice-press").click()
    expect(example.locator(".dice-play")).not_to_have_attribute("aria-busy", "true")
    assert example.evaluate(TURNS) == []


def test_one_icon_copies_the_address_of_an_example_or_of_its_roll(guest: Visit) -> None:
    guest.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    link = example.get_by_role("button", name="Copy the link The house")
    link.click()
    expect(page.locator(".dice-status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{guest.site}/index.html#dice-house"
    # The theme's own sign, which only shows the address, gives way.
    expect(example.locator(".headerlink")).to_be_hidden()
    roll(page, "house")
    link.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(f"{guest.site}/index.html") + r"#house\?seed=\w+", copied)


SHOWN = """() => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()
  && !one.matches(".dice-status") && !one.closest(".dice-alone") && !one.querySelector(".dice-alone"))
  .map((one) => one.outerHTML.slice(0, 80))"""


def test_an_example_is_shown_alone_and_rolls(guest: Visit) -> None:
    page = guest.page
    example = page.locator("#dice-house")
    for address in ("#house", "#dice-house", "#house?seed=8"):
        page.goto("about:blank")
        guest.open(f"index.html?only{address}")
        expect(example.locator(".dice-play")).to_be_attached()
        expect(page.locator("html.dice-only .dice-alone")).to_have_count(1)
        assert page.evaluate(SHOWN) == [], address
    expect(example.locator(".dice-notice")).to_contain_text("seed 8.")
    roll(page, "house")
    # Nothing keeps room for the rest of the page.
    assert page.evaluate("document.body.offsetHeight") < 400
    assert not guest.console_errors
    # A link to another one shows that, and a name that no example has shows the page.
    page.evaluate("location.hash = '#ember'")
    expect(page.locator("#dice-ember")).to_be_visible()
    expect(example).to_be_hidden()
    page.evaluate("location.hash = '#no'")
    expect(example).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_another_page_embeds_an_example(
    context: BrowserContext, house: str, tmp_path: Path, loopback: Loopback | None
) -> None:
    frame = f'<iframe src="{house}/index.html?only#house" title="The house" width="390" height="260"></iframe>'
    (tmp_path / "shop.html").write_text(f"<!doctype html><title>Shop</title><h1>Shop</h1>{frame}")
    with served(tmp_path, listening=loopback and loopback.listen()) as address:
        page = context.new_page()
        page.goto(f"{address}/shop.html")
        inside = page.frame_locator("iframe")
        inside.get_by_role("button", name="Roll The house").click()
        expect(inside.get_by_role("button", name="Back")).to_be_visible()
        expect(inside.get_by_role("heading", level=1)).to_be_hidden()
        page.close()


def beside(page: Page) -> bool:
    """Return whether the result of a chapter's opening stands beside its dice."""
    found: bool = page.locator(".opening").evaluate("""one => {
      const at = (part) => one.querySelector(part).getBoundingClientRect();
      const dice = at(".dice-drawn"), result = at(".dice-result");
      return result.left >= dice.right && result.top < dice.bottom && result.bottom > dice.top;
    }""")
    return found


def test_in_openings_results_stand_beside_the_dice(visit: Visit) -> None:
    for chapter in CHAPTERS:
        page = visit.open(f"rulebook/{chapter}.html")
        expect(page.locator(".dice-link").first).to_be_visible()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert beside(page), (chapter, width)
            assert page.locator(".opening .dice-how > summary").evaluate(SEEN), (chapter, width)
            assert overflow(page) <= 0, (chapter, width)


def test_in_our_theme_an_example_is_alone_too(visit: Visit) -> None:
    page = visit.open("index.html?only#landing")
    example = page.locator("#dice-landing")
    expect(example.locator(".dice-press")).to_be_visible()
    for part in (".sidebar-drawer", ".page-contents-button", ".mobile-header", "footer", "h1"):
        expect(page.locator(part).first).to_be_hidden()
    assert page.evaluate(SHOWN) == []
    # The heading of the page is hidden with the rest; whoever embeds the example gives its frame a title.
    assert [one for one in accessibility_issues(page) if not one.startswith("page-has-heading-one")] == []
    roll(page, "landing")


def test_on_a_phone_a_player_changes_who_acts_with_the_dice_in_view(
    browser: Browser, python_here: PythonHere, site: str
) -> None:
    phone = browser.new_context(
        service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    python_here.play_in(phone)
    page = phone.new_page()
    page.goto(f"{site}/rulebook/night-ferry.html")
    example = page.locator("#dice-ferry-bite")
    example.get_by_role("button", name="Change it").tap()
    panel, roll_it = example.locator(".dd-panel"), example.get_by_role("button", name="Roll", exact=True)
    # The king has less Health here than where the book introduces him.
    acting = panel.get_by_label("Actor: character").locator("option:checked")
    expect(acting).to_have_text("The river king")
    expect(panel.locator(".dd-rows legend:visible")).to_have_text(["Attack", "Defense"])
    roll_it.tap()
    expect(panel.locator(".dd-latest svg")).to_have_count(1)
    for block in ("start", "center"):
        panel.evaluate("(one, block) => one.scrollIntoView({ block })", block)
        expect(panel.locator(".dd-latest")).to_be_in_viewport(ratio=1)
        expect(roll_it).to_be_in_viewport(ratio=1)
    panel.get_by_role("button", name="Value: one more").first.tap()
    expect(panel.get_by_label("Value", exact=True).and_(panel.locator(":visible")).first).to_have_value("5")
    expect(acting).to_have_text("The river king")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert low_contrast(page, "#dice-ferry-bite") == []
    assert accessibility_issues(page) == []
    assert overflow(page) <= 0
    phone.close()
