import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / folder) for folder in ("_ext", "guide")]

project = "dicedocs"
author = "The authors of dicedocs"
copyright = f"2026, {author}"
extensions = ["notebooks", "dicedocs_sphinx", "generated", "errata", "drawn_dice"]

dicedocs_games = {"rounds": "rounds"}
dicedocs_look = "compact"
dicedocs_reroll = True

html_theme = "dicedocs"
html_favicon = "_static/favicon.svg"
html_title = "dicedocs"
version = "0.1.0"
html_static_path = ["_static", "../widgets/dicedocs_widgets/static/saved.js"]
html_css_files = ["book.css", "themes.css"]
html_show_sourcelink = False
templates_path = ["_templates"]

exclude_patterns = ["_measured", "rulebook/games.txt"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
doctest_test_doctest_blocks = ""  # pytest runs the doctests of the docstrings and the guide

dicedocs_books = [("rulebook/index", "rulebook", "The rulebook", author)]
dicedocs_book_css = ["_static/book.css"]
dicedocs_cover = {
    "subtitle": "Rules whose examples are played, explained and checked",
    "publisher": "Methuen · Total//Effect · Mecha vs Kaiju · Dungeoneers · The Mage in the Metal",
    "legal": "The text and the code are under the MIT License.",
}
