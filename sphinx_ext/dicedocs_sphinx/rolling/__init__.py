"""Pages that roll: the files that they load, with Python, the core and the games of the book."""

from typing import Final

PYTHON_FOR_BROWSERS: Final = (
    "install the wheel dicedocs_pyodide, which comes with each release, or run `npm pack pyodide`, unpack it, and name "
    'the folder in conf.py, as in dicedocs_pyodide = "../package"'
)
"""How to get what pages roll with."""
