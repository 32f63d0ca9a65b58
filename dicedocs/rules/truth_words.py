"""The words that sentences have for a value that is true or false."""

from __future__ import annotations

from dicedocs.errors import is_text, quoted


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
