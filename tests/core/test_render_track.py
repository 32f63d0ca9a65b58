"""Tracks as drawings: clocks, boxes and bars."""

import xml.etree.ElementTree as ET

from dicedocs.render.track import track_svg

from ..every import every

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*track):
    return ET.fromstring(track_svg(*track))  # noqa: S314 - our own


@every(
    ("value", "maximum", "shape", "count", "filled"),
    [
        (0, 4, "path", 4, 0),
        (4, 4, "path", 4, 4),
        (1, 12, "path", 12, 1),
        (1, 1, "circle", 1, 1),
        (12, 13, "rect", 13, 12),
        (24, 24, "rect", 24, 24),
        (10, 40, "rect", 2, 1),
    ],
)
def test_as_much_is_filled_as_the_track_has(value, maximum, shape, count, filled):
    drawing = drawn("A <clock>", value, maximum)
    assert drawing.get("aria-label") == f"A <clock>: {value} of {maximum}"
    shapes = list(drawing.iter(SVG + shape))
    assert len(shapes) == len(list(drawing)) == count
    assert sum(each.get("fill") == "currentColor" for each in shapes) == filled


@every(
    ("value", "minimum", "maximum", "shape", "count", "filled"),
    [
        (-6, -6, 0, "path", 6, 0),
        (2, -6, 3, "path", 9, 8),
        (2, 1, 2, "circle", 1, 1),
        (2, -6, 10, "rect", 16, 8),
        (0, -30, 10, "rect", 2, 1),
    ],
)
def test_what_is_filled_begins_at_the_lowest_value(value, minimum, maximum, shape, count, filled):
    drawing = drawn("Glow", value, maximum, minimum)
    words = f"Glow: {value} of {minimum} to {maximum}".replace("-", "\N{MINUS SIGN}")
    assert drawing.get("aria-label") == words
    shapes = list(drawing.iter(SVG + shape))
    assert len(shapes) == len(list(drawing)) == count
    assert sum(each.get("fill") == "currentColor" for each in shapes) == filled


def test_a_bar_below_zero_is_filled_in_proportion():
    outline, filled = drawn("Long", 0, 10, -30).iter(SVG + "rect")
    assert float(filled.get("width")) == float(outline.get("width")) * 3 / 4


def test_a_bar_is_filled_in_proportion():
    outline, filled = drawn("Long", 10, 40).iter(SVG + "rect")
    assert float(filled.get("width")) == float(outline.get("width")) / 4


def test_the_segments_of_a_clock_begin_at_the_top_and_go_round():
    first, second, *_ = drawn("Clock", 1, 4).iter(SVG + "path")
    # A quarter from the top to the right, and the next one to the bottom.
    assert first.get("d") == "M24 24L24.00 3.00A21 21 0 0 1 45.00 24.00Z"
    assert second.get("d") == "M24 24L45.00 24.00A21 21 0 0 1 24.00 45.00Z"


def test_a_track_without_bounds_is_text():
    assert track_svg("<b>", 7, None) == '<span class="dice-track">&lt;b&gt;: 7</span>'
