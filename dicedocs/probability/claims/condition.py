"""Events of facts in a statistic: of those that a comma joins all must happen, of those that ``or`` joins one must."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs.errors import ParameterError, is_near, near, quoted
from dicedocs.probability.event import Event

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

OR: Final = " or "
COMMA: Final = ", "
_FIRST_WORD: Final = re.compile(r"(\w+)\b\s*(.*)")


class EventTexts(NamedTuple):
    """Events as they are written.

    Parameters:
        parts: the texts of events, and those that stand in parentheses.
        joints: what stands between each and the next one, a comma or ``or``, with its spaces.
    """

    parts: tuple[str | EventTexts, ...]
    joints: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether no event is empty."""
        return all(part.is_complete if isinstance(part, EventTexts) else part for part in self.parts)

    def __str__(self) -> str:
        first, *others = map(_text, self.parts)
        return first + "".join(map("".join, zip(self.joints, others, strict=True)))


class FactEvent(NamedTuple):
    """An event of a fact.

    Parameters:
        fact: the name of the fact.
        event: the event.
        behind: the text that follows, which might belong to its value.
    """

    fact: str
    event: Event
    behind: str = ""


class JoinedEvents(NamedTuple):
    """Events that must all hold, or one of which must.

    Parameters:
        each: whether all must hold.
        parts: the events.
    """

    each: bool
    parts: tuple[Condition, ...]


Condition = FactEvent | JoinedEvents


def read_condition(texts: EventTexts, subject: Subject, behind: str = "", *, named: bool = False) -> Condition:
    """Return the events that texts mean.

    Only the first may leave out its fact, and a fact alone must be true. After ``or``, a text that does not begin with
    a fact belongs to the value before it.

    Parameters:
        texts: the texts.
        subject: what they are about.
        behind: the text that follows them.
        named: whether the first event must name its fact, too.

    Raises:
        ParameterError: an event is invalid, or commas and ``or`` leave open what is meant.
    """
    texts = _with_whole_values(texts, subject)
    if len(set(texts.joints)) > 1:
        hint = f"write {quoted(_in_parentheses(texts, COMMA))} or {quoted(_in_parentheses(texts, OR))}"
        raise ParameterError(f"ambiguous: both a comma and 'or' in {quoted(texts)}", hint=hint)
    each = OR not in texts.joints
    parts: list[Condition] = []
    for index, part in enumerate(texts.parts):
        if isinstance(part, EventTexts):
            parts.append(read_condition(part, subject, named=named or index > 0))
            continue
        name, text = _split(part, subject)
        if not name and (named or index):
            raise _no_fact(part, parts, subject)
        name = subject.fact_name(name)
        if each and any(isinstance(other, FactEvent) and other.fact == name for other in parts):
            raise ParameterError(f"the fact {quoted(name)} has two events", hint="write one")
        # A comma or a quotation mark ends a value.
        others = "" if each else "".join(f"{OR}{_text(other)}" for other in texts.parts[index + 1 :])
        ends = text.endswith('"') or (each and index + 1 < len(texts.parts))
        after = "" if ends else others + behind
        parts.append(FactEvent(name, subject.event(name, text or "= true", after), after))
    return parts[0] if len(parts) == 1 else JoinedEvents(each, tuple(parts))


def fact_events(condition: Condition) -> Iterator[FactEvent]:
    """Yield the events that are joined."""
    if isinstance(condition, FactEvent):
        yield condition
    else:
        for part in condition.parts:
            yield from fact_events(part)


def condition_test(condition: Condition, facts: Sequence[str]) -> Callable[[Any], bool]:
    """Return a function that returns whether a condition holds for a value.

    Parameters:
        condition: the condition.
        facts: the facts that a value is of; of several facts it is a tuple.
    """
    if isinstance(condition, FactEvent):
        holds = condition.event.holds
        if len(facts) == 1:
            return holds
        index = facts.index(condition.fact)
        return lambda value: holds(value[index])
    join = all if condition.each else any
    tests = [condition_test(part, facts) for part in condition.parts]
    return lambda value: join(test(value) for test in tests)


def repeated_fact(fact: str, text: str, subject: Subject) -> str:
    """Return how two events of a fact are written whose second one does not name it; empty if there is only one."""
    first, _or, second = text.partition(OR)
    facts = subject.rule.result().facts_of
    word = second.partition(" ")[0]
    if any(is_near(word, name) for name in facts):
        return near(word, facts)
    return f"write '{fact} {first} or {fact} {second}'" if second else ""


def _with_whole_values(texts: EventTexts, subject: Subject) -> EventTexts:
    """Return texts joined again where ``or`` stands within a value."""
    parts, joints = [texts.parts[0]], []
    for joint, part in zip(texts.joints, texts.parts[1:], strict=True):
        before = parts[-1]
        if joint == OR and isinstance(part, str) and isinstance(before, str) and not _split(part, subject)[0]:
            parts[-1] = f"{before}{OR}{part}"
        else:
            parts.append(part)
            joints.append(joint)
    return EventTexts(tuple(parts), tuple(joints))


def _in_parentheses(texts: EventTexts, inner: str) -> EventTexts:
    """Return texts with parentheses around those with one kind of joint."""
    groups, joints = [[texts.parts[0]]], []
    for joint, part in zip(texts.joints, texts.parts[1:], strict=True):
        if joint == inner:
            groups[-1].append(part)
        else:
            groups.append([part])
            joints.append(joint)
    parts = (EventTexts(tuple(each), (inner,) * (len(each) - 1)) if each[1:] else each[0] for each in groups)
    return EventTexts(tuple(parts), tuple(joints))


def begins_with_fact(text: str, subject: Subject) -> bool:
    """Return whether the first word of a text is a fact."""
    return bool(_split(text, subject)[0])


def _split(text: str, subject: Subject) -> tuple[str, str]:
    """Return the fact that a text begins with, empty if there is none, and the rest."""
    match = _FIRST_WORD.fullmatch(text)
    return (match[1], match[2]) if match and match[1] in subject.rule.result().facts_of else ("", text)


def _no_fact(text: str, before: Sequence[Condition], subject: Subject) -> ParameterError:
    """Return the error for a text that does not begin with a fact."""
    last = before[-1] if before else None
    is_text = isinstance(last, FactEvent) and subject.rule.fact_kinds()[last.fact].any_text
    match = _FIRST_WORD.fullmatch(text)
    hint = near(match[1] if match else text, subject.rule.result().facts_of)
    return ParameterError(
        f"{quoted(text)} does not name a fact", hint="write a text with a comma in quotes" if is_text else hint
    )


def _text(part: str | EventTexts) -> str:
    return f"({part})" if isinstance(part, EventTexts) else part
