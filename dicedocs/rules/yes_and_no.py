"""The words for a value that is true or false: those that sentences have for it, and those that people type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dicedocs.errors import is_text, quoted

TruthWords = Mapping[str, tuple[str, str]]
"""The words for yes and for no of values, by their names."""
TYPED_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}
"""What people type for yes and for no."""


def typed_truth(text: str) -> str:
    """Return what is typed for a truth in its canonical text; any other text as it is.

    >>> typed_truth("yes"), typed_truth("false"), typed_truth("maybe")
    ('true', 'false', 'maybe')
    """
    return str(TYPED_TRUTHS[text]).lower() if text in TYPED_TRUTHS else text


def truth_words(words: object) -> tuple[str, str] | tuple[()]:
    """Return the declared words for true and false; empty if none are declared.

    Raises:
        TypeError: these are not two texts.

    >>> truth_words(["a hit", "a miss"]), truth_words(())
    (('a hit', 'a miss'), ())
    """
    if not (isinstance(words, tuple | list) and len(words) in {0, 2} and all(is_text(each) and each for each in words)):
        hint = 'give two, first for true: ("a hit", "a miss")'
        raise TypeError(f"{quoted(words)} are not words for true and false: {hint}")
    return (words[0], words[1]) if words else ()


def read_truth_words(text: str) -> Iterator[tuple[str, tuple[str, str] | tuple[()]]]:
    """Yield the name of each value in a text, with its words for yes and for no; without any if these are not two.

    >>> list(read_truth_words("hit = a hit / a miss; hurt = hurt"))
    [('hit', ('a hit', 'a miss')), ('hurt', ())]
    """
    for part in filter(str.strip, text.split(";")):
        name, _, words = part.partition("=")
        yes, *no = (each.strip() for each in words.split("/"))
        yield " ".join(name.split()), (yes, no[0]) if yes and len(no) == 1 and no[0] else ()
