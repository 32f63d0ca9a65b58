"""What stands near a table or a list: the die that is rolled on it, and how many rows are drawn."""

from __future__ import annotations

import re
from typing import Final

from dicedocs.page_rules.cells import NUMBER, read_number
from dicedocs.page_rules.draws import EACH_COLUMN
from dicedocs.page_rules.text_dice import DIE, find_dice

_SAYS_TO_ROLL: Final = re.compile(
    rf":\s*\Z|\b(?:roll|throw|würf|wirf|lanc|lanz|jet|tir)\w*|\A[^.]{{0,60}}\({DIE}\)\Z", re.IGNORECASE
)
"""What a sentence has that says which die is rolled on a table; another may be about the dice of something else."""
_IN_PARENTHESES: Final = re.compile(rf"\({DIE}\)\Z")
_ASIDE: Final = re.compile(
    r"\A(?:if|when|whenever|once|unless|while|after|wenn|falls|si|quand|cuando)\b"
    r"(?!.*(?::\s*\Z|\b(?:tables?|lists?|here|below|following|tabelle|liste|tableau|tabla|lista)\b))",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence about a case of its own, which says nothing of a table."""
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_EACH_COLUMN: Final = re.compile(
    r"\b(?:(?:for|on|in|from|per)\s+(?:each|every)(?:\s+of\s+the)?\s+(?:\w+\s+)?columns?|(?:once\s+)?per\s+column"
    r"|(?:each|every)\s+column\s+(?:separately|by\s+itself|on\s+its\s+own)|für\s+jede\s+Spalte|pro\s+Spalte"
    r"|(?:pour\s+chaque|par)\s+colonne|(?:por|para|en)\s+cada\s+columna)\b",
    re.IGNORECASE,
)
"""What says that a row is rolled for each column by itself."""
_OFTEN: Final = rf"(?:{DIE}|{NUMBER})"
_ROLL_OFTEN: Final = re.compile(
    rf"\s*(?:(?:roll|throw)\b(?:\s+(?:an?\s+)?[0-9]*d[0-9]+)?\s+(?P<number>twice|thrice|{_OFTEN}(?=\s+times\b))"
    r"(?:\s+times)?\s+(?:on|from)\s+(?:this|the)\s+[\w ]+?"
    rf"|(?:make|take)\s+(?P<rolls>{_OFTEN})\s+rolls\s+(?:on|from)\s+(?:this|the)\s+[\w ]+?"
    rf"|(?:roll|throw)\s+(?:on|from)\s+(?:this|the)\s+[\w ]+?\s+(?P<behind>twice|thrice|{_OFTEN}(?=\s+times\b))"
    r"(?:\s+times)?)[.:]?\s*",
    re.IGNORECASE,
)
"""A sentence that says how often a table is rolled on, and nothing else."""
_DEPENDS: Final = re.compile(r"\b(?:if|when|whenever|unless|once|after|while|or|may)\b", re.IGNORECASE)


def says_to_roll(text: str) -> bool:
    """Return whether a text says which die is rolled on what follows it."""
    return bool(_SAYS_TO_ROLL.search(text))


def ends_in_dice(title: str) -> bool:
    """Return whether a title ends in dice in parentheses, which are rolled on all tables below it that say no other."""
    return _IN_PARENTHESES.search(title) is not None


def rolling_sentences(text: str) -> list[str]:
    """Return the sentences of a text that say which die is rolled on what follows it.

    >>> rolling_sentences("The robe has 4d4 patches. If it burns, roll a d20. Roll a d6 on this table for each.")
    ['Roll a d6 on this table for each.']
    """
    return list(filter(says_to_roll, _sentences(text)))


def rolling_text(text: str) -> str:
    """Return a text that says which die is rolled on what follows it, apart from asides; empty for another text.

    >>> rolling_text("The winds (1d8). Roll one:"), rolling_text("The robe has 4d4 patches.")
    ('The winds (1d8). Roll one:', '')
    """
    about = " ".join(_sentences(text))
    return about if says_to_roll(about) else ""


def _sentences(text: str) -> list[str]:
    return [each for each in _SENTENCES.split(text) if not _ASIDE.match(each)]


def said_draw(text: str) -> str:
    """Return how many rows a text says are drawn, as the option does; empty if it does not say it.

    >>> said_draw("Roll a d4 for each column:"), said_draw("Roll 1d6 and read the first column.")
    ('each column', '')
    >>> said_draw("Roll twice on this table:"), said_draw("Roll twice on this table if you are lost.")
    ('2', '')
    >>> said_draw("Roll on the table below three times."), said_draw("Make 1d4 rolls on this table:")
    ('3', '1d4')
    """
    if says_to_roll(text) and _EACH_COLUMN.search(text):
        return EACH_COLUMN
    often = _ROLL_OFTEN.fullmatch(text)
    if often is None or _DEPENDS.search(text):
        return ""
    number = often["number"] or often["rolls"] or often["behind"]
    # Dice are no number of rows, which the table says.
    return number if re.fullmatch(DIE, number) else str(read_number(number))


def named_dice(text: str) -> str:
    """Return the only dice that a text names, with what is done with them; empty if it names none, or several.

    >>> named_dice("Roll on this list (1d6):"), named_dice("Roll a d66 and see."), named_dice("a d6, or a d8")
    ('1d6', 'd66', '')
    """
    found = [dice.value for dice in find_dice(text, "sentence")]
    return found[0] if len(set(map(_folded, found))) == 1 else ""


def _folded(dice: str) -> str:
    """Return dice as everybody may write them."""
    return re.sub(r"(?<![0-9])1(?=d)", "", dice)
