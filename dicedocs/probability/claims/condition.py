"""The condition in a statistic: one of the language of rules, about the facts of a mechanic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from dicedocs.errors import DiceError, NotationError, ParameterError, listed, quoted
from dicedocs.probability.event import Event
from dicedocs.probability.fact_words import table_words
from dicedocs.rules.kinds import as_line, spaced
from dicedocs.syntax.conditions import EVENT
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import bound_names, labelled_names
from dicedocs.syntax.parts import Text, read_part
from dicedocs.syntax.rule_names import NUMBER, Named, RuleNames
from dicedocs.syntax.tree import IT, Compared, Logic, Node, Number, Reference, Words, nodes, rebuild
from dicedocs.syntax.value_kinds import kind_in_conditions, value_in_conditions

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


class FactEvent(NamedTuple):
    """An event of a fact."""

    fact: str
    event: Event


class Condition(NamedTuple):
    """A condition.

    Parameters:
        tree: its tree, in which each name is a fact.
        facts: the facts.
        of_words: those whose values are compared as words.
    """

    tree: Node
    facts: tuple[str, ...]
    of_words: frozenset[str]

    @property
    def comparisons(self) -> int:
        """How many comparisons it has."""
        return sum(isinstance(each, Compared) for each in nodes(self.tree))

    @property
    def bounds(self) -> tuple[int | None, int | None] | None:
        """The lowest and the highest number for which it holds, if it says no more of its only fact."""
        if len(self.facts) > 1 or self.of_words:
            return None
        parts = self.tree.operands if isinstance(self.tree, Logic) and self.tree.name == "all" else (self.tree,)
        low, high = -inf, inf
        for part in parts:
            match part:
                case Compared(Reference(), op, Number(number)) if op != "!=":
                    low = max(low, number + (op == ">")) if op in {">", ">=", "="} else low
                    high = min(high, number - (op == "<")) if op in {"<", "<=", "="} else high
                case _:
                    return None
        return None if low == -inf else int(low), None if high == inf else int(high)

    def words(self) -> Iterator[FactEvent]:
        """Yield the words with which facts are compared."""
        for each in nodes(self.tree):
            match each:
                case Compared(Reference(name=fact), op, Words(text)) | Compared(Words(text), op, Reference(name=fact)):
                    yield FactEvent(fact, Event(op, text))

    def test(self, names: Sequence[str]) -> Callable[[Any], bool]:
        """Return the function that returns whether it holds for a value; of several facts a value is a tuple."""
        holds = compiled(self.tree, {name: place for place, name in enumerate(names)})
        if not self.of_words:
            return holds if len(names) > 1 else lambda value: bool(holds((value,)))
        texts = [name in self.of_words for name in names]
        known: dict[Any, str] = {}

        def text_of(value: Any) -> str:
            key = type(value), value
            if key not in known:
                known[key] = value_in_conditions(value)
            return known[key]

        def test(value: Any) -> bool:
            row = value if len(names) > 1 else (value,)
            return bool(holds([text_of(one) if is_text else one for one, is_text in zip(row, texts, strict=True)]))

        return test


def cached_condition(text: EventText, subject: Subject, behind: str = "", *, named: bool = False) -> Condition:
    """Return the condition that a text is, read once for each subject.

    The parameters are those of :func:`read_condition`.
    """
    key = text.text, behind, named
    if key not in subject.conditions:
        subject.conditions[key] = read_condition(text, subject, behind, named=named)
    return subject.conditions[key]


def read_condition(text: EventText, subject: Subject, behind: str = "", *, named: bool = False) -> Condition:
    """Return the condition that a text is.

    Parameters:
        text: the text.
        subject: what it is about.
        behind: what stands behind it.
        named: whether each event must name its fact; otherwise the first may leave it out.

    Raises:
        ParameterError: it is none; the error has the position in the claims.
    """
    try:
        return _read(text.written, subject, behind, named=named)
    except NotationError as error:
        misread = ParameterError(error.message, hint=error.hint)
        misread.at = text.at + error.at
        raise misread from error


def _read(text: str, subject: Subject, behind: str, *, named: bool) -> Condition:
    kinds = subject.rule.fact_kinds()
    found = {fact: kind_in_conditions(kind) for fact, kind in kinds.items()}
    words = {word for kind, _ in found.values() if isinstance(kind, tuple) for word in kind}
    words |= table_words(subject.rule)
    folded = spaced(text.casefold())
    default = subject.fact_name()
    for fact, (kind, whole) in found.items():
        # What its type does not say, its odds do.
        if isinstance(kind, tuple) and not whole and (fact == default or spaced(fact).casefold() in folded):
            with suppress(DiceError):
                words.update(map(as_line, subject.odds(fact)))
    labels = {fact: each.label for fact, each in subject.rule.result().facts_of.items()}
    written = {**{word: word for word in words}, **labelled_names(labels)}
    part = read_part(Text((text,), (0,), 0), 0, text, bound_names(written), is_event=True)
    optional = {fact for fact, (kind, whole) in found.items() if kind == NUMBER and not whole}
    names = RuleNames({}, optional=optional, missing=f"the facts are {listed(map(quoted, kinds), 'and')}")
    names.known |= {fact: Named(fact, kind) for fact, (kind, _) in found.items()}
    names.check_no_dice(part)
    tree = _about(names.completed(part, None if named else EVENT), Reference(IT.scope, default))
    names.extend(tree, [fact for fact, (_, whole) in found.items() if not whole])
    resolved = names.resolved(part._replace(tree=tree))
    names.check_truth(resolved.tree, resolved)
    facts = tuple(dict.fromkeys(each.name for each in nodes(resolved.tree) if isinstance(each, Reference)))
    of_words = frozenset(fact for fact in facts if isinstance(names.known[fact].kind, tuple))
    condition = Condition(resolved.tree, facts, of_words)
    if behind:
        _check_longer_words(condition, behind, words)
    return condition


def _check_longer_words(condition: Condition, behind: str, words: Iterable[str]) -> None:
    """Refuse a word that, with what stands behind the condition, is another word."""
    for fact, event in condition.words():
        whole = f"{event.text}{behind} ".casefold()
        for word in words:
            if len(word) > len(event.text) and whole.startswith(f"{word} ".casefold()):
                hint = f"""write '"{word}"' or '"{event.text}"', in double quotes"""
                raise ParameterError(f"ambiguous: {quoted(word)} is a value of {fact}", hint=hint)


def _about(node: Node, fact: Reference) -> Node:
    return fact if node == IT else rebuild(node, lambda child: _about(child, fact))


def begins_with_fact(text: str, subject: Subject) -> bool:
    """Return whether the first word of a text is a fact."""
    return text.partition(" ")[0] in subject.rule.result().facts_of
