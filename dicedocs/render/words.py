"""Values and texts as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeGuard

from dicedocs.rules.kinds import NOTHING, as_text

SHOWN: Final = 24
"""Dice, terms or pieces of arithmetic that one line of text lists; it counts or only mentions the others."""
_BLANK: Final = re.compile(r"[ \t\r\n\v\f\x1c-\x1f\x85\u2028\u2029]+")
_UNFIT: Final = re.compile(r"[\x00-\x1b\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def clean(text: str) -> str:
    r"""Give a text of one line that a terminal, HTML and XML can hold: names come from anywhere.

    Line ends and runs of blanks fold to a space, what cannot be shown becomes U+FFFD.

    >>> clean("Ash\n\x1b[2J")
    'Ash �[2J'
    """
    return _UNFIT.sub("\ufffd", _BLANK.sub(" ", text)) if not text.isprintable() or "  " in text else text


def clean_lines(text: str) -> str:
    r"""Give a text with its line ends and indents, otherwise as :func:`clean` does.

    >>> clean_lines("dd.play(\n    seed=7,\n)\x00")
    'dd.play(\n    seed=7,\n)�'
    """
    return "\n".join(_UNFIT.sub("\ufffd", line.expandtabs(4)) for line in text.splitlines())


def prose(value: object) -> str:
    """Give the text of a fact within a sentence: its canonical text, but a list as a sentence has it.

    >>> prose((4, 2, 5)), prose((4,)), prose(()), prose(True), prose("if it succeeds")
    ('4, 2 and 5', '4', 'none', 'true', 'if it succeeds')
    """
    return join_words(list(map(as_text, value))) if is_list(value) else as_text(value)


def display_text(value: object) -> str:
    """Give a value as the working and the result say it: as :func:`prose` does, and truth as an answer.

    >>> display_text(True), display_text(False), display_text(None), display_text((4, 2, 5))
    ('yes', 'no', 'none', '4, 2 and 5')
    """
    if value is True or value is False:
        return "yes" if value else "no"
    return join_words(list(map(display_text, value))) if is_list(value) else as_text(value)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Tell whether a value is a list of values; a record is one value.

    >>> is_list((4, 2)), is_list("42")
    (True, False)
    """
    return isinstance(value, list) or (isinstance(value, tuple) and not hasattr(value, "_fields"))


def join_words(words: Sequence[str]) -> str:
    """Join words as a sentence does.

    >>> join_words(["4"]), join_words(["4", "2", "5"]), join_words([])
    ('4', '4, 2 and 5', 'none')
    """
    if len(words) < 2:
        return words[0] if words else NOTHING
    return f"{', '.join(words[:-1])} and {words[-1]}"


def join_some(items: Sequence[str], separator: str = ", ") -> str:
    """Join items; of more than ``SHOWN`` only the first, with how many follow.

    >>> join_some(["4", "2"]), join_some(["6"] * 30)[-18:]
    ('4, 2', '6, 6, 6 and 6 more')
    """
    if len(items) <= SHOWN:
        return separator.join(items)
    return f"{separator.join(items[:SHOWN])} and {len(items) - SHOWN} more"
