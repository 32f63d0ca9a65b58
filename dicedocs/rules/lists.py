"""The text form of a list: words with spaces between them, or texts with semicolons, from which the list is read again.

Most lists are of numbers and of words, which nobody would write with anything but spaces. As soon as one text has a
space, a comma or a semicolon in it, all are separated by semicolons. Only a list of one such text ends in a semicolon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

NOTHING: Final = "none"
"""The text of ``None`` and of an empty list."""
_SEMICOLON: Final = ";"
_PART: Final = re.compile(r"((?:[^;]|;;)*)(;|$)")


def join_items(texts: Sequence[str]) -> str:
    """Return the text of a list, from the texts of its items.

    A semicolon in an item is doubled.

    >>> join_items(["fire", "ice"]), join_items(["Pole, 6 feet", "Soap"]), join_items(["Electric lantern"])
    ('fire ice', 'Pole, 6 feet; Soap', 'Electric lantern;')
    >>> split_items(join_items(["", "a b"]))
    ['', 'a b']
    """
    if not texts:
        return NOTHING
    words = " ".join(texts)
    plain = words.split() == list(texts) and "," not in words and _SEMICOLON not in words
    if plain and words.lower() != NOTHING:
        return words
    doubled = [text.replace(_SEMICOLON, 2 * _SEMICOLON) for text in texts]
    return "; ".join(doubled) + (_SEMICOLON if len(doubled) == 1 or not doubled[-1].strip() else "")


def split_items(text: str) -> list[str]:
    """Return the texts of the items, without spaces around them.

    >>> split_items("fire, ice"), split_items("Pole, 6 feet; Soap"), split_items("a;;b;"), split_items("none")
    (['fire', 'ice'], ['Pole, 6 feet', 'Soap'], ['a;b'], [])
    """
    if text.strip().lower() in {"", NOTHING}:
        return []
    if _SEMICOLON not in text:
        return text.replace(",", " ").split()
    parts: list[str] = []
    for match in _PART.finditer(text):
        parts.append(match[1].strip().replace(2 * _SEMICOLON, _SEMICOLON))
        if not match[2]:
            break
    # Behind a semicolon that ends the list there is no item.
    return parts if parts[-1] else parts[:-1]
