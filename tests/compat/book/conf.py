"""A book among other extensions; the test sets the theme."""

project = "Among others"
author = "An author"
copyright = "2026, An author"
version = release = "1"
extensions = [
    "dicedocs_sphinx",
    "myst_nb",  # sets myst_parser up
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.intersphinx",
]
# Otherwise Sphinx would write those of MyST-NB into its defaults, which the other tests of this process share.
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
nb_execution_mode = "off"
intersphinx_mapping = {"elsewhere": ("https://elsewhere.test/", "elsewhere.inv")}
numfig = True
html_title = "Among others"
