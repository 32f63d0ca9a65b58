import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from printed_book import COVER, PREAMBLE

project = "dicedocs"
author = "The authors of dicedocs"
extensions = ["notebooks", "dicedocs_sphinx", "generated", "errata"]

dicedocs_look = "compact"
dicedocs_reroll = True

html_theme = "dicedocs"
html_favicon = "_static/favicon.svg"
html_title = "dicedocs"
html_show_copyright = False
version = "0.1.0"
epub_copyright = "2026 dicedocs authors"
html_static_path = ["_static", "../widgets/dicedocs_widgets/static/saved.js"]
html_css_files = ["book.css", "themes.css"]
html_show_sourcelink = False
templates_path = ["_templates"]

exclude_patterns = ["_measured", "rulebook/games.txt"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist"]
doctest_test_doctest_blocks = ""  # pytest runs the doctests of the docstrings and the guide

latex_engine = "lualatex"
latex_use_xindy = False
latex_documents = [
    ("index", "dicedocs.tex", "dicedocs", author, "manual"),
    ("rulebook/index", "rulebook.tex", "The rulebook", author, "manual"),
]
latex_show_pagerefs = True
latex_elements = {
    "extraclassoptions": "openany,oneside",
    "fncychap": "",
    "maketitle": COVER,
    "preamble": PREAMBLE,
    # By their files: the names of fonts are not known to every TeX.
    "fontpkg": r"""
\setmainfont{texgyrepagella}[
    Extension=.otf, UprightFont=*-regular, BoldFont=*-bold, ItalicFont=*-italic, BoldItalicFont=*-bolditalic]
\setsansfont{texgyreheros}[
    Extension=.otf, UprightFont=*-regular, BoldFont=*-bold, ItalicFont=*-italic, BoldItalicFont=*-bolditalic,
    Scale=0.92]
\setmonofont{DejaVuSansMono}[Extension=.ttf, UprightFont=*, BoldFont=*-Bold, ItalicFont=*-Oblique, Scale=0.8]
""",
}
