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

latex_engine = "lualatex"
latex_use_xindy = False
latex_documents = [
    ("index", "dicedocs.tex", "dicedocs", author, "manual"),
    ("rulebook/index", "rulebook.tex", "The rulebook", author, "manual"),
]
latex_show_pagerefs = True
dicedocs_cover = {
    "subtitle": "Rules whose examples are played, explained and checked",
    "publisher": "Methuen · Total//Effect · Mecha vs Kaiju · Dungeoneers · The Mage in the Metal",
    "legal": "The text and the code are under the MIT License.",
}
latex_elements = {
    "extraclassoptions": "openany,oneside",
    "fncychap": "",
    # What is grey, and a chapter whose number and title stand above a line.
    "preamble": r"""
\sphinxsetup{verbatimforcewraps=true}
\sphinxsetup{div.note_title-background-TeXcolor={gray}{0.93},div.note_background-TeXcolor={gray}{1}}
\definecolor{dicegrey}{gray}{0.35}
\titleformat{\chapter}[display]{\sffamily\bfseries\raggedright}
    {\color{dicegrey}\large\chaptertitlename\ \thechapter}{0.3em}{\Huge}[\vspace{0.5em}\titlerule]
\titlespacing*{\chapter}{0pt}{0pt}{2em}
""",
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
