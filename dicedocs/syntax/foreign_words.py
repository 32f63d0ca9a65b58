"""What other languages and tools, and some readers, write for the words of the language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from dicedocs.syntax.mistakes import Diagnosis, IllegalText, compiled
from dicedocs.syntax.relations import NUMBER_WORDS


def spelling_of(written: str) -> str:
    """Return what the language has for a word of another one; empty for any other word."""
    return _SPELLED.get(written.casefold(), "")


def spelled(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a word or a sign that the language spells in another way, or leaves out."""
    text, at = failure.text, failure.at
    found = compiled(_WORD_OR_SIGN, re.IGNORECASE).match(text, at)
    if found is None or (text[at - 1 : at].isalnum() and found[0][0].isalnum()):
        return None
    written, is_operand = " ".join(found[0].lower().replace("’", "'").split()), failure.wanted == "operand"
    spelling = _SPELLED.get(written, "")
    spelling = spelling.removeprefix("and ") if is_operand else spelling
    if written in _LEFT_OUT and (is_operand or not spelling):
        is_relation = not is_operand and written in {"in", "inside"}
        needs_number = is_relation or (is_operand and written.startswith(("in", "within")))
        behind = (_BEFORE_NUMBER if needs_number else _BEFORE_VALUE if is_operand else _SPACE).match(text, found.end())
        if behind is None or ((is_relation or is_operand or written == "to") and _AFTER_NUMBER.search(text[:at])):
            return None
        return Diagnosis(at, "", "", slice(at, behind.end()), {"": "is " * is_relation})
    if spelling in ({"and", "or"} if is_operand else {"yes", "no"}):
        return None
    if not is_operand and spelling[-1].isalpha() and _NO_VALUE.match(text, found.end()):
        return None
    start, end = len(text[:at].rstrip()), len(text) - len(text[found.end() :].lstrip())
    space = " " * (text[end : end + 1] not in {"", ",", ";", ")"})
    return Diagnosis(at, "", "", slice(start, end), {"": f"{' ' * bool(start)}{spelling}{space}"})


def spelling_alone(failure: IllegalText) -> Diagnosis | None:
    """Say how a word is spelled of which the rest of the text is not known to be right."""
    found = spelled(failure)
    spelling = found.fixes[""].strip() if found else ""
    hint = f"write {spelling}{', or given in a claim' * (spelling == 'if')}"
    return found._replace(hint=hint, fixes={}) if found and spelling.isalpha() else None


NUMBERS: Final = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
NUMBER_WORD: Final = "|".join(NUMBERS)
_SPELLINGS: Final[Mapping[str, Sequence[str]]] = {
    "and": ("&", "&&", "und", "et", "y"),
    "or": ("|", "||", "oder", "ou", "o", "and/or"),
    "not": (
        "!",
        "never",
        "no",
        "different from",
        "anything but",
        "other than",
        "outside",
        "outside of",
        "nicht",
        "kein",
        "pas",
        "nunca",
    ),
    "and not": ("without", "except", "except for"),
    "if": ("when", "whenever", "provided", "provided that", "as long as", "in case", "wenn", "falls", "si", "quand"),
    "else": ("or else", "sonst", "andernfalls", "sinon", "si no"),
    "= 0": ("reaches 0", "reaches zero"),
    "< 0": ("negative",),
    "> 0": ("positive",),
    "is": ("ist", "sind", "est", "es", "was", "were", "must be", "has to be", "should be", "where", "showing", ":="),
    "is not": ("doesn't equal", "does not equal", "differs from", "isnt", "n'est pas", "no es"),
    "at least": (
        *(
            "higher or equal to",
            "higher than or equal to",
            "bigger or equal to",
            "no lower than",
            "no fewer than",
            "not less than",
            "reaches",
            "has reached",
            "have reached",
            "meets",
            *("meets or beats", "meets or exceeds", "equals or beats", "equals or exceeds", "beats or equals"),
            "a minimum of",
        ),
        *("mindestens", "wenigstens", "au moins", "al menos", "como mínimo"),
    ),
    "at most": (
        *(
            "lower or equal to",
            "lower than or equal to",
            "smaller or equal to",
            "no greater than",
            "doesn't exceed",
            "does not exceed",
            "no higher than",
            "not more than",
            "a maximum of",
        ),
        *("höchstens", "au plus", "como máximo", "como mucho"),
    ),
    "over": ("larger than", "bigger than", "größer als", "mehr als", "über", "plus de", "plus grand que", "mayor que"),
    "under": ("smaller than", "kleiner als", "weniger als", "unter", "moins de", "plus petit que", "menor que"),
    "between": ("within", "zwischen", "entre"),
    "to": ("till", "bis", "jusqu'à", "hasta"),
    "or more": ("upwards", "onwards"),
    "or less": ("downwards",),
    "**": ("to the power of",),
    "** 2": ("squared",),
    "yes": ("ja", "oui", "sí", "on", "wahr", "vrai", "verdadero"),
    "no": ("nein", "non", "off", "falsch", "faux", "falso"),
    "": (
        *("a", "an", "the", "in", "in the range", "in the range of", "in range", "within", "inside", "same as"),
        *("the same as", "only", "just", "precisely", "to", "inclusive", "included"),
    ),
}
"""What other languages and notations, and some readers, write for each word of the language."""
CASE: Final = rf"\b(?ai:if|{'|'.join(_SPELLINGS['if'])})\b"
"""What stands before a condition, as people write it."""
_SPACE: Final = re.compile(r"\s*")
_BEFORE_VALUE: Final = re.compile(r"\s*(?=[^\W_])")
_BEFORE_NUMBER: Final = re.compile(r"\s*(?=[0-9])")
_NO_VALUE: Final = re.compile(r"\s*(?:\Z|[,;)])")
_AFTER_NUMBER: Final = re.compile(r"[0-9]\s*\+?\s*\Z")
_SPELLED: Final = {written: spelling for spelling, each in _SPELLINGS.items() for written in each if spelling}
_LEFT_OUT: Final = frozenset(_SPELLINGS[""])
_WORD_OR_SIGN: Final = "|".join(
    re.escape(each).replace(r"\ ", r"\s+").replace("'", "['’]") + r"(?!\w)" * each[-1].isalnum()
    for each in sorted({*_SPELLED, *_LEFT_OUT}, key=len, reverse=True)
)
