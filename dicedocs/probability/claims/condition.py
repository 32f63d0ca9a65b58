"""The condition in a statistic: one of the language of rules, about the facts of a mechanic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dicedocs.errors import DiceError, NotationError, ParameterError, listed, quoted
from dicedocs.probability.event import Event, read_event
from dicedocs.probability.fact_words import table_words
from dicedocs.rules.kinds import BoolKind, as_line, spaced
from dicedocs.syntax.names import labelled_names
from dicedocs.syntax.rule_names import NUMBER, Named, RuleNames
from dicedocs.syntax.tree import IT, Reference
from dicedocs.syntax.value_kinds import kind_in_conditions

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject


@dataclass(frozen=True)
class EventText:
    """An event or a condition in the text of claims.

    Parameters:
        text: it, with single spaces.
        written: it as it is written.
        at: its position in the claims.
    """

    text: str
    written: str = field(default="", compare=False)
    at: int = field(default=0, compare=False)


def cached_condition(
    text: EventText, subject: Subject, behind: str = "", *, named: bool = False, fact: str = ""
) -> Event:
    """Return the condition that a text is, read once for each subject.

    Parameters:
        text: the text.
        subject: what it is about.
        behind: what stands behind it.
        named: whether each event must name its fact; otherwise the first may leave it out.
        fact: the fact that is meant then; the subject's when left out.

    Raises:
        ParameterError: it is none; the error has the position in the claims.
    """
    key = text.text, behind, named, fact
    if key not in subject.conditions:
        try:
            subject.conditions[key] = _read(text.written, subject, behind, named=named, fact=fact)
        except NotationError as error:
            misread = ParameterError(error.message, hint=_setting_hint(text.text, subject) or error.hint)
            misread.at = text.at + error.at
            raise misread from error
    return subject.conditions[key]


def _setting_hint(text: str, subject: Subject) -> str:
    """Return where a parameter goes that stands among the facts; empty if none does."""
    for name, parameter in subject.rule.parameters().items():
        found = re.search(
            rf"\b(?:{re.escape(spaced(name))})\b\s*(?:(?:=|is\b)\s*(?P<value>[\w+-]+))?", text, re.IGNORECASE
        )
        if found and name not in subject.rule.fact_kinds():
            value = found["value"] or ("yes" if isinstance(parameter.kind, BoolKind) else "...")
            return f"{name} is a setting, which stands behind a bar: write | {name}={value}"
    return ""


def _read(text: str, subject: Subject, behind: str, *, named: bool, fact: str) -> Event:
    kinds = subject.rule.fact_kinds()
    found = {fact: kind_in_conditions(kind) for fact, kind in kinds.items()}
    words = {word for kind, _ in found.values() if isinstance(kind, tuple) for word in kind}
    words |= table_words(subject.rule)
    folded = spaced(text.casefold())
    default = subject.fact_name(fact)
    for name, (kind, whole) in found.items():
        # What its type does not say, its odds do.
        if isinstance(kind, tuple) and not whole and (name == default or spaced(name).casefold() in folded):
            with suppress(DiceError):
                words.update(map(as_line, subject.odds(name)))
    labels = {name: each.label for name, each in subject.rule.result().facts_of.items()}
    written = {**{word: word for word in words}, **labelled_names(labels)}
    names = RuleNames({}, missing=f"the facts are {listed(map(quoted, kinds), 'and')}")
    names.known |= {name: Named(name, kind, kind == NUMBER and not whole) for name, (kind, whole) in found.items()}
    it = None if named else Reference(IT.scope, default)
    condition = read_event(text, written, names, it, [name for name, (_, whole) in found.items() if not whole])
    if behind:
        _check_longer_words(condition, behind, words)
    return condition


def _check_longer_words(condition: Event, behind: str, words: Iterable[str]) -> None:
    """Refuse a word that, with what stands behind the condition, is another word."""
    for fact, text in condition.words():
        whole = f"{text}{behind} ".casefold()
        for word in words:
            if len(word) > len(text) and whole.startswith(f"{word} ".casefold()):
                hint = f"""write '"{word}"' or '"{text}"', in double quotes"""
                raise ParameterError(f"ambiguous: {quoted(word)} is a value of {fact}", hint=hint)


def begins_with_fact(text: str, subject: Subject) -> bool:
    """Return whether the first word of a text is a fact."""
    return text.partition(" ")[0] in subject.rule.result().facts_of
