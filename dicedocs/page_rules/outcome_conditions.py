"""Conditions on an outcome: ``result = miss and total >= 3``.

A condition is a value of the language of rules that is yes or no. Its names are the facts and parameters of an outcome,
and the values of the scene after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, ParameterError, quoted
from dicedocs.expression.roll_and_check import Check, Roll
from dicedocs.page_rules.axis import Reach, find_bounds, find_certain
from dicedocs.page_rules.row_faults import within
from dicedocs.page_rules.rule_mechanic import RuleOfPage
from dicedocs.parsing import QUOTATION
from dicedocs.probability.fact_words import known_words
from dicedocs.rules.kinds import IntKind, as_line, spaced
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.yes_and_no import TYPED_TRUTHS, TruthWords
from dicedocs.similar_words import near
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import bound_names, find_name, labelled_names
from dicedocs.syntax.parts import Part, Text, read_part
from dicedocs.syntax.ranges import OPEN, Range
from dicedocs.syntax.rule_names import NUMBER, TRUTH, Kind, Named, RuleNames, described
from dicedocs.syntax.tree import ACTOR, Compared, Node, Number, Reference, Words, nodes, rebuild
from dicedocs.syntax.value_kinds import NO, YES, kind_in_conditions, value_in_conditions

_DOTTED: Final = re.compile(r"(?<![\w.\"-])(?P<head>[^\W\d_][\w-]{0,99})\.(?P<rest>\w[\w-]*(?:[. ]\w[\w-]*){0,9})")
"""A name with a point in it, such as ``dice.1``, ``kira.Strength`` or ``first-blow.total``, and words behind it."""
_OF_LINES: Final = "declared by an option"
"""The end of a hint that is for lines of rules only."""


class Case(NamedTuple):
    """Words, and when they are true.

    Parameters:
        condition: a condition, in which an outcome's values have no name of an example before them.
        words: the words.
        holds: whether they are true of the outcome that was asked about.
    """

    condition: str
    words: str
    holds: bool


class OutcomeValues(NamedTuple):
    """The values of an outcome, and of the scene after it.

    Parameters:
        outcome: the outcome; ``None`` where there is only a scene.
        state: the values of the scene as facts.
        state_words: the words of those that are yes or no.
    """

    outcome: Outcome | None
    state: Mapping[str, object] = MappingProxyType({})
    state_words: TruthWords = MappingProxyType({})

    def has(self, path: str) -> bool:
        """Return whether something is called so: a value of the scene, a fact, a parameter, or a value in one."""
        return path in self.state or self._looked_up(path) is not None

    def names(self) -> dict[str, str]:
        """Return the label of each name without a point, and of each of the scene, which is itself one."""
        if self.outcome is None:
            return {name: name for name in self.state}
        declared = [*self.outcome.facts_of.items(), *(type(self._rule).parameters().items() if self._rule else ())]
        return {name: name for name in self.state} | {name: each.label for name, each in declared}

    def value(self, path: str) -> object:
        """Return a value, that of the scene first.

        Raises:
            ParameterError: nothing has that name.
        """
        if path in self.state:
            return self.state[path]
        if self.outcome is not None and (not self.state or self._looked_up(path.partition(".")[0])):
            return self.outcome.look_up(path)
        raise ParameterError(f"nothing is called {quoted(path)}", hint=near(path, [*self.names()]))

    def kind(self, path: str) -> tuple[Kind, bool]:
        """Return what a value can be, and whether that is all; no words at all for a value that stands in no line."""
        rule = self._rule
        if path not in self.state and rule is not None:
            if path in rule.result().facts_of:
                return kind_in_conditions(type(rule).fact_kinds()[path], lambda: known_words(rule, path))
            if path in type(rule).parameters():
                return kind_in_conditions(type(rule).parameters()[path].kind)
        value = self.value(path)
        if isinstance(value, bool):
            return TRUTH, True
        return (NUMBER, True) if isinstance(value, int) else ((as_line(value),), False)

    def bounds(self, path: str) -> Range:
        """Return how low and how high a value can be, in any outcome of the rule."""
        rule = self._rule
        if path in self.state or rule is None:
            return OPEN
        kinds = {name: each.kind for name, each in type(rule).parameters().items()} | dict(type(rule).fact_kinds())
        kind = kinds.get(path)
        if (tree := self._tree(path)) is not None:
            return find_bounds(tree, {})
        return Range(kind.low, kind.high) if isinstance(kind, IntKind) else OPEN

    def reach(self, path: str) -> Reach:
        """Return the numbers that a value can be, in any outcome of the rule."""
        rule = self._rule
        if path not in self.state and isinstance(rule, RuleOfPage) and path in rule.result().facts_of:
            return rule.reach(path)
        tree = self._tree(path)
        return self.bounds(path) if tree is None else find_certain(tree, {})

    def _tree(self, path: str) -> Node | None:
        """Return the notation that comes to a value; ``None`` in a scene, where the numbers of its names change."""
        match self._rule, path:
            case Roll() as roll, "total" if not self.state:
                return roll.tree
            case Check() as check, ("left" | "right") if not self.state:
                return check.tree.left if path == "left" else check.tree.right
        return None

    def truth_words(self, path: str) -> tuple[str, str] | tuple[()]:
        """Return what is declared for yes and for no of a value; empty if nothing is."""
        rule = self._rule
        if path in self.state:
            return self.state_words.get(path, ())
        if rule is None:
            return ()
        declared = rule.result().facts_of.get(path) or type(rule).parameters().get(path)
        return declared.words if declared else ()

    @property
    def _rule(self) -> Mechanic | None:
        return None if self.outcome is None else self.outcome.rule

    def _looked_up(self, path: str) -> tuple[object] | None:
        if self.outcome is None:
            return None
        try:
            return (self.outcome.look_up(path),)
        except DiceError:
            return None


@dataclass
class ConditionText:
    """A text that is being read.

    Parameters:
        text: all of it, for errors.
        values: what it is about.
        owner: the name that stands before each of them; empty if they stand alone.
        is_new: whether nobody has read it before, and found that it can hold.
    """

    text: str
    values: OutcomeValues
    owner: str
    is_new: bool = True

    def read(self, text: str, at: int = 0, *, is_subject: bool = False) -> tuple[Part, Kind]:
        """Return the value that a part of the text is, and its kind.

        Raises:
            NotationError: it is no value, or has dice in it, or a name is unknown.
        """
        paths = self._paths(text, at)
        kinds = {path: self.kind(path) for written, path in paths.items() if written.casefold() in _folded(text)}
        words = {word: word for kind, _ in kinds.values() if isinstance(kind, tuple) for word in kind}
        try:
            part = read_part(Text((text,), (0,), 0), 0, text, bound_names({**words, **paths}))
            names = RuleNames({}, find_bounds)
            known = self._known(part.tree, paths)
            names.known |= {name: named for name, (named, _) in known.items()}
            for name in known:
                names.bound(name, self.values.bounds(self.path(name)))
            names.check_no_dice(part)
            part = part._replace(tree=names.completed(part, is_subject=is_subject))
            names.extend(part.tree, [name for name, (_, is_open) in known.items() if is_open])
            resolved = names.resolved(part._replace(tree=self._with_truths(part.tree, part)))
            if self.is_new:
                self._check_gaps(part)
            return resolved, names.kind_of(resolved.tree, resolved)
        except NotationError as error:
            hint = error.hint
            if hint.endswith(_OF_LINES):
                hint = near(spaced(text[error.at :]), list(map(spaced, dict.fromkeys(paths.values()))))
            error = NotationError(error.message, hint=hint, at=at + error.at)
            error.text = self.text
            raise error from None

    def _check_gaps(self, part: Part) -> None:
        """Refuse a number between those that a value can be, such as 37 for a d66."""
        for node in nodes(part.tree):
            match node:
                case Compared(Reference() as value, "=", Number(number)):
                    path = self.path(value.name)
                    if self.values.has(path) and within(number, number, self.values.reach(path)) is None:
                        hint = "compare it with a number that it can be"
                        raise part.error(f"{quoted(spaced(path))} is never {number}", value.at, hint)

    def _paths(self, text: str, at: int) -> dict[str, str]:
        """Return what the values that a text may name are called in trees, by what is written."""
        outside = re.sub(QUOTATION, lambda found: " " * len(found[0]), text)
        named = {} if self.owner else labelled_names(self.values.names())
        before = f"{self.owner}." if self.owner else ""
        return {**named, **{written: before + path for written, path in self._dotted(outside, at)}}

    def kind(self, name: str) -> tuple[Kind, bool]:
        """Return what a name in a tree can be, and whether that is all."""
        return self.values.kind(self.path(name))

    def path(self, name: str) -> str:
        """Return the path of the value that a name in a tree is."""
        return name.removeprefix(f"{self.owner}.") if self.owner else name

    def _dotted(self, text: str, at: int) -> Iterator[tuple[str, str]]:
        """Yield each name with a point, and the path that it is."""
        behind = 0
        while match := _DOTTED.search(text, behind):
            behind, written = match.end("head") + 1, match[0]
            ends = [len(written), *(each.start() for each in re.finditer(r"(?<=\w)[ .]", written))]
            for end in sorted({each for each in ends if each > len(match["head"])}, reverse=True):
                path = self._path(" ".join(written[:end].split()))
                if path is not None and self.values.has(path):
                    behind = match.start() + end
                    yield written[:end], path
                    break
            else:
                where, path = at + match.start(), self._path(written)
                if path is None:
                    hint = "write several, each about one example"
                    message = f"{quoted(written)} is not a value of {quoted(self.owner)}"
                    raise NotationError(message, text=self.text, at=where, hint=hint)
                try:
                    self.values.value(path)
                except DiceError as error:
                    raise NotationError(error.message, text=self.text, at=where, hint=error.hint) from None

    def _path(self, written: str) -> str | None:
        """Return the path of a name as written; with the name of an example before it, the rest."""
        if not self.owner:
            return find_name(written, self.values.names())
        return written.removeprefix(f"{self.owner}.") if written.startswith(f"{self.owner}.") else None

    def _known(self, tree: Node, paths: Mapping[str, str]) -> dict[str, tuple[Named, bool]]:
        """Return the names that may stand in the tree, and whether nobody knows all the words that each can be."""
        used = {each.name for each in nodes(tree) if isinstance(each, Reference)}
        known: dict[str, tuple[Named, bool]] = {}
        for name in paths.values():
            kind, complete = self.kind(name) if name in used else (NUMBER, True)
            known[name] = Named(name if self.owner else spaced(name), kind), not complete
        return known

    def _with_truths(self, node: Node, part: Part) -> Node:
        """Return a tree in which the declared words of a value that is yes or no are yes or no."""
        node = rebuild(node, lambda child: self._with_truths(child, part))
        if not isinstance(node, Compared):
            return node
        left, right = self._truth(node.left, node.right, node, part), self._truth(node.right, node.left, node, part)
        return Compared(left, node.op, right, node.at)

    def _truth(self, side: Node, other: Node, node: Compared, part: Part) -> Node:
        """Return one side of a comparison: yes or no, where it is one of the words of the other."""
        path = self.path(other.name) if isinstance(other, Reference) and self.values.has(self.path(other.name)) else ""
        words = self.values.truth_words(path) if path else ()
        if not words or not isinstance(side, Words | Reference):
            return side
        text = side.text if isinstance(side, Words) else spaced(side.name)
        index = next((index for index, word in enumerate(words) if word.casefold() == text.casefold()), None)
        if index is None:
            if isinstance(side, Reference) and (
                side.name in {*TYPED_TRUTHS, NOTHING} or self.values.has(self.path(side.name))
            ):
                return side
            message = f"{quoted(spaced(path))} is never {quoted(text)}"
            raise part.error(message, side.at, near(text, [*words, YES, NO]))
        if isinstance(side, Reference) and self.values.has(self.path(side.name)):
            message = f"{quoted(text)} is a word of {quoted(spaced(path))}, and the name of a value"
            raise part.error(message, side.at, f'write "{words[index]}" in quotes if it is the word')
        if node.op not in {"=", "!="}:
            raise part.error(f"words have no order, so {quoted(node.op)} cannot compare them", node.at, "write = or !=")
        return Reference(ACTOR, (YES, NO)[index], side.at)

    def holds(self, part: Part) -> bool:
        """Return whether a value that is yes or no is yes."""
        used = list(dict.fromkeys(each.name for each in nodes(part.tree) if isinstance(each, Reference)))
        holds = compiled(part.tree, {name: place for place, name in enumerate(used)})
        return bool(holds([self._value(name) for name in used]))

    def _value(self, name: str) -> object:
        value = self.values.value(self.path(name))
        kind, _ = self.kind(name)
        return value_in_conditions(value) if isinstance(kind, tuple) else value


def _folded(text: str) -> str:
    return spaced(" ".join(text.casefold().split()))


def example_of(text: str, values: OutcomeValues | None) -> str:
    """Return the name of an example that stands before a value in words or in a condition; empty if none does.

    Parameters:
        text: the text.
        values: those whose names may have a point in them, too; ``None`` if there are none.
    """
    subject, behind = re.sub(QUOTATION, "", text.partition("|")[0]), 0
    while match := _DOTTED.search(subject, behind):
        start, behind = f"{match['head']}.", match.end("head") + 1
        if values is None or not (values.has(match["head"]) or any(name.startswith(start) for name in values.state)):
            return match["head"]
    return ""


def read_case(text: str, values: OutcomeValues, owner: str = "") -> Case:
    """Return a condition, and whether it holds.

    Parameters:
        text: the condition.
        values: those of an outcome.
        owner: the name that stands before each of them; empty if they stand alone.

    Raises:
        NotationError: it cannot be read; the error holds the position.

    >>> import dicedocs as dd
    >>> climb = OutcomeValues(dd.check("1d20 + 4 >= 15", dice=[12]))
    >>> read_case("left >= 15 and success", climb).holds, read_case("climb.left < 15", climb, "climb")
    (True, Case(condition='left < 15', words='', holds=False))
    """
    return _read_case(ConditionText(text.strip(), values, owner))


def _read_case(reader: ConditionText) -> Case:
    text = reader.text
    limits.TEXT.check(len(text), hint="write less")
    part, kind = reader.read(text)
    if kind != TRUTH:
        hint = f'write {text} = "{kind[0]}"' if isinstance(kind, tuple) else f"write {text} > 0"
        raise NotationError(f"{quoted(text)} is {described(kind)}, not yes or no", text=text, at=0, hint=hint)
    return Case(without_owner(text, reader.owner), "", reader.holds(part))


def holds(condition: str, values: OutcomeValues) -> bool:
    """Return whether a condition holds.

    Parameters:
        condition: one that :func:`read_case` or :func:`read_words` returned.
        values: those of any outcome of the rule.

    Raises:
        NotationError: it cannot be read.
    """
    return _read_case(ConditionText(condition.strip(), values, "", is_new=False)).holds


def without_owner(text: str, owner: str) -> str:
    """Return a condition without the name of an example that stands before its values."""
    parts = re.split(f"({QUOTATION})", text)
    return (
        "".join(part if index % 2 else part.replace(f"{owner}.", "") for index, part in enumerate(parts))
        if owner
        else text
    )
