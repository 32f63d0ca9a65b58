"""The signs of print in what readers see on a page: a minus for a hyphen, × for an asterisk, ≥ for two characters.

Figures, facts and notation keep the signs that people type, since they are compared, computed with and typed again; so
do consoles, some of which cannot print others. Writers of HTML and LaTeX replace them last, but not in code.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

_PRINTED: Final = {"-": "\N{MINUS SIGN}", "*": "×", ">=": "≥", "<=": "≤", "!=": "≠"}
_SIGN: Final = re.compile(r"(?<![^\s(\[:,;])-(?=[.\d])|(?<=\S )[-*](?= [\d(\[])|^-$|[<>!]=")
"""A sign before a number, an operator between two, the face of a die that is a sign, or a comparison."""


def in_print(text: str) -> str:
    """Return a text that readers see, with the signs of print.

    >>> in_print("12 (skill) - 2 * 3 = 6"), in_print("-3"), in_print("13 >= 13: yes")
    ('12 (skill) − 2 × 3 = 6', '−3', '13 ≥ 13: yes')
    >>> in_print("half-track, 2d6-1, 3-5, Health=-20")
    'half-track, 2d6-1, 3-5, Health=-20'
    """
    return _SIGN.sub(lambda sign: _PRINTED[sign[0]], text)


def html_text(text: str) -> str:
    """Return a text that readers see as HTML.

    >>> html_text('-3 or <less>')
    '−3 or &lt;less&gt;'
    """
    return escape(in_print(text))
