import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "dicedocs"
extensions = ["notebooks", "dicedocs_sphinx", "generated", "errata"]

html_theme = "furo"
html_favicon = "_static/favicon.svg"
html_title = "dicedocs"
html_show_copyright = False
html_static_path = ["_static", "../widgets/dicedocs_widgets/static/saved.js"]
html_css_files = ["book.css"]
html_show_sourcelink = False
templates_path = ["_templates"]

exclude_patterns = ["_measured"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
doctest_test_doctest_blocks = ""  # pytest runs the doctests of the docstrings and the guide
