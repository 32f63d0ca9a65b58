"""The contents of a page, "On this page": beside it on a laptop, at the thumb on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
CHAPTER = "rulebook/methuen.html"


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a chapter, given the settings of a browser's context."""
    contexts = []

    def opened(address: str = "", **context: object) -> Page:
        contexts.append(browser.new_context(reduced_motion="reduce", **context))
        page: Page = contexts[-1].new_page()
        page.goto(f"{site}/{CHAPTER}{address}")
        return page

    yield opened
    for context in contexts:
        context.close()


def contents(page: Page) -> Locator:
    return page.get_by_role("navigation", name="On this page")


def marked(page: Page) -> Locator:
    return contents(page).locator("[aria-current=location]")


def test_the_contents_stand_beside_the_page_and_mark_the_place(opened: Callable[..., Page]) -> None:
    page = opened()
    for width in (1150, 1280):
        # In a low window the contents are longer than it.
        page.set_viewport_size({"width": width, "height": 500})
        expect(contents(page)).to_be_in_viewport()
        expect(page.get_by_role("button", name="On this page")).to_be_hidden()
        text, beside = page.locator("article h1").bounding_box(), contents(page).bounding_box()
        assert text is not None
        assert beside is not None
        assert text["x"] + text["width"] <= beside["x"]
        assert beside["x"] + beside["width"] <= width
    page.locator("#writing-your-own").evaluate("(section) => section.scrollIntoView()")
    expect(marked(page)).to_have_text("Writing your own")
    expect(marked(page)).to_be_in_viewport()


def test_on_a_phone_a_button_at_the_thumb_opens_the_contents(opened: Callable[..., Page]) -> None:
    page = opened("#division-rounds-down", **PHONE)
    button = page.get_by_role("button", name="On this page")
    expect(contents(page)).to_be_hidden()
    box = button.bounding_box()
    assert box is not None
    assert box["y"] > 800 * 0.8
    assert box["height"] >= 44
    button.tap()
    expect(marked(page)).to_have_text("Division rounds down")
    expect(marked(page)).to_be_in_viewport()
    contents(page).get_by_role("link", name="Dividing by zero").tap()
    expect(contents(page)).to_be_hidden()
    expect(page.get_by_role("heading", name="Dividing by zero")).to_be_in_viewport()


def test_keys_open_the_contents_reach_the_links_and_close_them(opened: Callable[..., Page]) -> None:
    page = opened(**PHONE)
    button = page.get_by_role("button", name="On this page")
    button.focus()
    page.keyboard.press("Enter")
    expect(contents(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(contents(page).get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(contents(page)).to_be_hidden()
    expect(button).to_be_focused()
