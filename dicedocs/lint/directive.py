"""What an author writes into a book that Sphinx builds to have a table or a figure checked for ever."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

from dicedocs.page_rules.text_dice import DIE

_WORD: Final = re.compile(r"[a-z0-9]+")
_DICE: Final = re.compile(rf"\W*{DIE}\W*")


def table_directive(path: str, title: str, dice: str, book: str = "my-book") -> str:
    """Return the lines that stand above a table.

    Parameters:
        path: the file in which it stands.
        title: what it is called.
        dice: what is rolled on it; empty if its head says so.
        book: what the ids of the book begin with.

    >>> print(table_directive("road.rst", "The Weather (d6)", "d6"))
    .. dice:mechanic:: my-book/the-weather
       :dice: d6
    """
    return _directive(path, "mechanic", f"{book}/{_slug(title)}", {"dice": dice} if dice else {})


def claim_directive(path: str, dice: str, claim: str) -> str:
    """Return the lines that check a figure beside dice, unseen by readers.

    >>> print(claim_directive("road.md", "2d6 + 3", "mean(total) = 10"))
    ```{dice:claim}
    :mechanic: dice/roll
    :notation: 2d6 + 3
    :claim: mean(total) = 10
    :hide: all
    ```
    """
    options = {"mechanic": "dice/roll", "notation": dice, "claim": claim, "hide": "all"}
    return _directive(path, "claim", "", options)


def fact_role(path: str, fact: str) -> str:
    """Return what stands in a sentence in place of a fact of an example.

    >>> print(fact_role("road.md", "fall.total"))
    {dice:fact}`fall.total`
    """
    return f":dice:fact:`{fact}`" if _is_rst(path) else f"{{dice:fact}}`{fact}`"


def _is_rst(path: str) -> bool:
    return PurePath(path).suffix.lower() in {".rst", ".rest"}


def _slug(title: str) -> str:
    words = _WORD.findall(_DICE.sub(" ", title).lower())
    while words and not words[0][0].isalpha():
        words.pop(0)
    return "-".join(words[:5]) or "table"


def _directive(path: str, name: str, argument: str, options: Mapping[str, str]) -> str:
    is_rst = _is_rst(path)
    head = f".. dice:{name}:: {argument}" if is_rst else f"```{{dice:{name}}} {argument}"
    indent = "   " if is_rst else ""
    lines = [head.rstrip(), *(f"{indent}:{key}: {value}" for key, value in options.items())]
    return "\n".join(lines if is_rst else [*lines, "```"])
