"""What an outcome comes to, in a few words: a success or a failure, and the number against its target.

A fact says with ``fact(verdict=...)`` that it is the verdict. Without such a fact an outcome whose main fact is true
or false has that one as its verdict, and one with a number in bands has the meaning of its band.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from dicedocs.render.scale import fact_bands
from dicedocs.render.text import result
from dicedocs.render.words import SEPARATOR, clean, display_text, labelled
from dicedocs.rules.outcome import ADDS, Fact, Outcome
from dicedocs.translation import game_words, word
from dicedocs.translation import gettext as _

Tone = Literal["success", "partial", "failure", ""]
"""Whether a verdict is good or bad for whoever rolled; empty if it is neither."""
ICONS: Final[Mapping[Tone, str]] = {"success": "✓", "partial": "◐", "failure": "✗"}
"""A sign for each tone, so that no colour has to be seen."""
_SUCCESS: Final = "Success"


class Verdict(NamedTuple):
    """What an outcome comes to.

    Parameters:
        tone: whether it is good or bad.
        text: the verdict; without one, the label of the main fact.
        added: what comes on top of the verdict, such as a critical.
        number: the number against its target, ``14 vs 12`` or ``12 (needed 20 or less)``; without a verdict, the value
            of the main fact.
        rest: the facts that tell more than that.
    """

    tone: Tone
    text: str
    added: tuple[str, ...]
    number: str
    rest: tuple[str, ...]

    @property
    def title(self) -> str:
        """The verdict, with what comes on top of it."""
        return SEPARATOR.join([self.text, *self.added])

    @property
    def headline(self) -> str:
        """All on one line.

        >>> Verdict("success", "Success", ("Critical",), "14 vs 12", ()).headline
        'Success · Critical, 14 vs 12'
        >>> Verdict("", "Total", (), "11", ()).headline
        'Total 11'
        """
        if not self.tone and self.number:
            return f"{self.title} {self.number}"
        return f"{self.title}, {self.number}" if self.number else self.title


def verdict(outcome: Outcome) -> Verdict:
    """Return what an outcome comes to.

    >>> import dicedocs as dd
    >>> verdict(dd.check("1d20 + 6 >= 12", dice=[8]))
    Verdict(tone='success', text='Success', added=(), number='14 vs 12', rest=())
    >>> verdict(dd.play("methuen/expression", expression="3d6 - 12", dice=[4, 2, 5]))
    Verdict(tone='', text='Total', added=(), number='0', rest=('raw',))
    """
    with game_words(outcome.rule):
        return _verdict(outcome)


def result_with_verdict(
    outcome: Outcome, names: Sequence[str] = (), drawn: Collection[str] = ()
) -> tuple[Verdict | None, list[tuple[str, str]]]:
    """Return the verdict of an outcome, if it is good or bad, and the other facts of its result.

    Parameters:
        outcome: the outcome.
        names: the facts in order, without those that the verdict tells; without a verdict, by default the main one.
        drawn: the facts that are left out, since they are drawn.

    Raises:
        ParameterError: there is no such fact.

    >>> import dicedocs as dd
    >>> judged, facts = result_with_verdict(dd.play("mage-in-the-metal/check", skill=14, dice=[3, 4, 6]), ["success"])
    >>> judged.headline, facts
    ('Success, 13 (needed under 14)', [])
    """
    judged, facts = verdict(outcome), result(outcome, names, drawn)
    if not judged.tone:
        return None, facts
    others = [name for name in names if name not in outcome.read_from_dice and not _is_told(outcome, name, judged)]
    return judged, result(outcome, others, drawn) if others else []


def _is_told(outcome: Outcome, name: str, judged: Verdict) -> bool:
    return name not in judged.rest and outcome.fact(name) is not None


def result_lines(outcome: Outcome, names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return the labels and texts of a result in words, the verdict first: :func:`result_with_verdict`."""
    judged, facts = result_with_verdict(outcome, names)
    return [(_("Result"), judged.headline), *facts] if judged else facts


def _verdict(outcome: Outcome) -> Verdict:
    declared = [(fact, outcome.fact(name)) for name, fact in outcome.facts_of.items() if fact.verdict is not None]
    tone, texts = _declared(declared) if declared else _undeclared(outcome)
    number, told = _number(outcome, compared=bool(texts))
    if texts:
        told |= {fact.name for fact, _value in declared} or {outcome.main_fact}
        text = texts[0][:1].upper() + texts[0][1:]
    else:
        name = next((name for name in outcome.facts_of if name in told), "") if told else outcome.main_fact
        text = _label(outcome.facts_of[name]) if name else ""
        number = number or (clean(display_text(outcome.fact(name))) if name else "")
        told |= {name}
    return Verdict(
        tone,
        text,
        tuple(texts[1:]),
        number,
        tuple(name for name in outcome.facts_of if _tells_more(outcome, name, told)),
    )


def _label(fact: Fact) -> str:
    return clean(word(fact.label))


def _declared(facts: list[tuple[Fact, Any]]) -> tuple[Tone, list[str]]:
    """Return the verdict of the facts that declare one, and what others that are true add to it."""
    verdicts = [*(_by_value(*each) for each in facts), *(_alone(*each) for each in facts)]
    tone, text = next(filter(None, verdicts), ("", ""))
    if not text:
        return "", []
    added = [_label(fact) for fact, value in facts if fact.verdict == ADDS and value is True]
    kept = [other for other in added if other.lower() not in text.lower()]
    return tone, kept if any(text.lower() in other.lower() for other in kept) else [text, *kept]


def _by_value(fact: Fact, value: object) -> tuple[Tone, str] | None:
    if isinstance(fact.verdict, Mapping) and isinstance(value, str) and value in fact.verdict:
        return fact.verdict[value], clean(display_text(value))
    return None


def _alone(fact: Fact, value: object) -> tuple[Tone, str] | None:
    if fact.verdict is not True or value is None:
        return None
    return (
        _truth(fact, value) if isinstance(value, bool) else ("success", f"{_label(fact)} {clean(display_text(value))}")
    )


def _truth(fact: Fact, value: bool) -> tuple[Tone, str]:
    if value:
        return "success", clean(word(fact.words[0])) if fact.words else _label(fact)
    if fact.missed:
        return "failure", clean(word(fact.missed))
    if fact.words:
        return "failure", clean(word(fact.words[1]))
    return "failure", _("Failure") if fact.label == _SUCCESS else labelled(_label(fact), display_text(value))


def _undeclared(outcome: Outcome) -> tuple[Tone, list[str]]:
    for name, fact in outcome.facts_of.items():
        value = outcome.fact(name)
        if name == outcome.main_fact and type(value) is bool:
            tone, text = _truth(fact, value)
            return tone, [text]
        if type(value) is int:
            for band in fact_bands(outcome.rule, outcome, name):
                if band.has(value):
                    return "", [labelled(word(band.label), f"{_label(fact)} {value}")]
    return "", []


def _number(outcome: Outcome, *, compared: bool) -> tuple[str, set[str]]:
    """Return the number that is compared, and the facts in it."""
    for name, fact in outcome.facts_of.items():
        value = outcome.fact(name)
        if fact.against and type(value) is int:
            target = outcome.look_up(fact.against)
            if compared and target is not None:
                return _compared(outcome, fact, value, clean(display_text(target))), {name, fact.against}
            return str(value), {name}
    return "", set()


def _compared(outcome: Outcome, fact: Fact, number: int, target: str) -> str:
    """Return a number with what it is compared with, in the words of the game if it has any."""
    needed = fact.needed if isinstance(fact.needed, str) else "" if outcome.rule is None else fact.needed(outcome)
    if not needed:
        return _("{number} vs {target}").format(number=number, target=target)
    return f"{number} ({clean(word(needed)).replace('{target}', target)})"


def _tells_more(outcome: Outcome, name: str, told: set[str]) -> bool:
    fact, value = outcome.facts_of[name], outcome.fact(name)
    if name in told or value is None:
        return False
    return not (fact.repeats and value == outcome.fact(fact.repeats))
