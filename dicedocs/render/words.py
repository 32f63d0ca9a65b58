"""Texts and values as people read them: cleaned, joined, and fitted to the columns of a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Final, TypeGuard

from dicedocs.rules.kinds import as_text
from dicedocs.rules.lists import NOTHING
from dicedocs.translation import gettext as _
from dicedocs.translation import mark, ngettext, word

MAX_ITEMS: Final = 24
"""Dice, terms or operations that one line of text lists; it only counts the rest."""
SEPARATOR: Final = " · "
"""What stands between the parts of a line that are no sentence, such as a verdict and what comes on top of it."""
RECORDED_WORDS: Final = (
    mark("none"),
    mark("true"),
    mark("false"),
    mark("Dice"),
)
"""The words that plays record in English, whatever the game, for the catalogue."""
_BLANKS: Final = re.compile(r"[ \t\r\n\v\f\x1c-\x1f\x85\u2028\u2029]+")
_CONTROLS: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_CONTROL: Final = re.compile(f"[{_CONTROLS}]")
_UNPRINTABLE: Final = re.compile(rf"[{_CONTROLS}\t\n\r\u202a-\u202e\u2066-\u2069]")
"""Characters without a meaning of their own on a page, and those that turn round the text after them."""
_HALF: Final = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""Return a text as one line that is safe in a terminal, in HTML and in XML.

    A run of blanks and line ends becomes one space, an unprintable character U+FFFD.

    >>> clean("Ash\n\x1b[2J")
    'Ash �[2J'
    """
    return _UNPRINTABLE.sub("\ufffd", _BLANKS.sub(" ", text)) if not text.isprintable() or "  " in text else text


def clean_lines(text: str) -> str:
    r"""Return a text cleaned as by :func:`clean`, but with its line ends and indentation.

    What is printed goes through it unless it is one of ours: no sign in a document does anything in a terminal.

    >>> clean_lines("dd.play(\n    seed=7,\n)\x00")
    'dd.play(\n    seed=7,\n)�'
    """
    return "\n".join(_UNPRINTABLE.sub("\ufffd", line.expandtabs(4)) for line in text.splitlines())


def without_controls(text: str) -> str:
    r"""Return a text in which the characters that XML cannot contain are U+FFFD.

    >>> without_controls("Ash\n\x1b[2J")
    'Ash\n�[2J'
    """
    return text if text.isprintable() else _CONTROL.sub("\ufffd", text)


def whole_characters(text: str) -> str:
    r"""Return a text in which half a character, which cannot be sent to a page, is U+FFFD.

    >>> whole_characters("Ash\ud800")
    'Ash�'
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def display_text(value: object, words: Sequence[str] = ()) -> str:
    """Return a value as readers see it: its canonical text, but ``yes`` and ``no``, and a list joined with "and".

    Parameters:
        value: the value.
        words: the words for true and for false; empty for yes and no.

    >>> display_text(True), display_text(False), display_text(None), display_text((4, 2, 5)), display_text((4,))
    ('yes', 'no', 'none', '4, 2 and 5', '4')
    >>> display_text(("Pole, 6 feet", "Soap"))
    'Pole, 6 feet; Soap'
    """
    if value is True or value is False:
        if words:
            return word(words[not value])
        return _("yes") if value else _("no")
    return _join(list(map(display_text, value)), value) if is_list(value) else word(as_text(value))


def _join(texts: Sequence[str], value: object) -> str:
    """Join the items of a list as in a sentence, or with semicolons if its canonical text has them."""
    return "; ".join(texts) if ";" in as_text(value) else join_words(texts)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Return whether a value is a list of values; a record is one value.

    >>> is_list((4, 2)), is_list("42")
    (True, False)
    """
    return isinstance(value, list) or (isinstance(value, tuple) and not hasattr(value, "_fields"))


def join_words(words: Sequence[str]) -> str:
    """Join words as in a sentence.

    >>> join_words(["4"]), join_words(["4", "2", "5"]), join_words([])
    ('4', '4, 2 and 5', 'none')
    """
    if len(words) < 2:
        return words[0] if words else word(NOTHING)
    return _("{items} and {last}").format(items=", ".join(words[:-1]), last=words[-1])


def join_ways(words: Sequence[str]) -> str:
    """Join words of which any one will do.

    >>> join_ways(["no"]), join_ways(["no", "yes"])
    ('no', 'no or yes')
    """
    if len(words) < 2:
        return "".join(words)
    return _("{items} or {last}").format(items=", ".join(words[:-1]), last=words[-1])


def join_some(items: Sequence[str], separator: str = ", ") -> str:
    """Join the first ``MAX_ITEMS`` items and count the rest.

    >>> join_some(["4", "2"]), join_some(["6"] * 30)[-18:]
    ('4, 2', '6, 6, 6 and 6 more')
    """
    if len(items) <= MAX_ITEMS:
        return separator.join(items)
    shown, count = separator.join(items[:MAX_ITEMS]), len(items) - MAX_ITEMS
    return ngettext("{items} and {count} more", "{items} and {count} more", count).format(items=shown, count=count)


def labelled(label: str, text: str) -> str:
    """Return a text after its label.

    >>> labelled("Total", "11")
    'Total: 11'
    """
    return _("{label}: {text}").format(label=label, text=text)


def display_width(text: str) -> int:
    """Return the columns of a terminal that a text takes; an East Asian letter takes two.

    >>> display_width("Total"), display_width("骰子")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def fit_width(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text to a number of terminal columns, or shorten it to them.

    >>> fit_width("critical success", 9), fit_width("7", 3, right=True)
    ('critical…', '  7')
    """
    if display_width(text) > width:
        # A number may have thousands of digits; no more of them are looked at than fit.
        ends = takewhile(lambda end: end < width, accumulate(map(display_width, text)))
        text = text[: len(list(ends))] + ("…" if width else "")
    padding = " " * (width - display_width(text))
    return padding + text if right else text + padding
