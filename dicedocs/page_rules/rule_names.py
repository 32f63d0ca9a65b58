"""The names in a rule of a page: what each of them is, and which of them are read as dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from dicedocs.errors import is_near, near, quoted
from dicedocs.page_rules.pool_folds import DIE
from dicedocs.page_rules.rule_lines import Part, node_name
from dicedocs.rules.kinds import spaced
from dicedocs.rules.truth_words import TYPED_TRUTHS, typed_truth
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Logic,
    Node,
    Number,
    Question,
    Reference,
    Set,
    Words,
    children,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    nodes,
    rebuild,
)

NUMBER: Final = "a number"
TRUTH: Final = "yes or no"
DICE: Final = "dice"
Kind: TypeAlias = Literal["a number", "yes or no", "dice"] | tuple[str, ...]
"""What a value is: a number, yes or no, the dice of a parameter, or one of some words."""
_OPERATORS: Final = {"is": "=", "plus": "+", "minus": "-", "times": "*", "mod": "%"}
"""What people write for a sign."""


def _as_typed(word: str) -> str:
    """Return a word so that it equals those that are the same for readers."""
    return typed_truth(node_name(word))


class Named(NamedTuple):
    """A name of a rule.

    Parameters:
        label: the name as written.
        kind: what it is.
        is_dice: whether it stands for dice and nothing else.
    """

    label: str
    kind: Kind
    is_dice: bool = False


@dataclass
class RuleNames:
    """The names of a rule, from its first line to its last.

    Parameters:
        parameters: those that are chosen.

    Attributes:
        known: all names so far.
        read: the names that are read so far.
        symbols: the words on the faces of the dice of each name.
    """

    parameters: Mapping[str, Named]
    known: dict[str, Named] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    symbols: dict[str, dict[str, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known.update(self.parameters)

    # Lines

    def resolve(self, part: Part) -> Part:
        """Return a value in which each bare word is a name, or is known to be a word.

        Raises:
            RuleError: a name is unknown, or a word and a name cannot be told apart, or kinds are mixed.
        """
        return part._replace(tree=self._resolve(part.tree, part))

    def give(self, label: str, kind: Kind, part_error: Part | None, *, again: bool, is_dice: bool = False) -> None:
        """Note the name that a line gives."""
        name = node_name(label)
        before = self.known.get(name)
        if before is not None:
            if name in self.parameters and part_error is not None:
                hint = f"choose another name, as in my {label} = {label}"
                raise part_error.text.error(f"{quoted(label)} is already set by an option", 0, hint)
            if not again and part_error is not None:
                hint = "choose another name; only repeated lines can set a name again"
                raise part_error.text.error(f"{quoted(label)} is already set by a line above", 0, hint)
            kind = self._joined(before.kind, kind, label, part_error)
        self.known[name] = Named(
            before.label if before else label, kind, is_dice and (before is None or before.is_dice)
        )

    def _joined(self, one: Kind, other: Kind, label: str, part: Part | None) -> Kind:
        if isinstance(one, tuple) and isinstance(other, tuple):
            return tuple(dict.fromkeys((*one, *other)))
        if isinstance(one, tuple) != isinstance(other, tuple) and part is not None:
            raise part.error(f"{quoted(label)} is a word in one place and a number in another", 0, "use two names")
        return one if one == other else NUMBER

    # Values

    def _resolve(self, node: Node, part: Part) -> Node:
        match node:
            case Compared(left, op, right):
                return self._compared(Compared(left, op, right, node.at), part)
            case Reference(scope, name):
                if scope != ACTOR:
                    hint = f"write {name}, and declare it by an option"
                    raise part.error(f"{quoted(format(node))} cannot be a name in a rule", node.at, hint)
                if name not in self.known:
                    if name in TYPED_TRUTHS:
                        return Compared(Number(1), "=", Number(int(TYPED_TRUTHS[name])), node.at)
                    raise self._unknown(node, part)
                if self.known[name].kind == DICE:
                    label = self.known[name].label
                    raise part.error(f"{quoted(label)} is dice that are not thrown", node.at, f"write roll({label})")
                self.read.add(name)
                return node
            case Question(name):
                return self._question(node, part)
        return rebuild(node, lambda child: self._resolve(child, part))

    def _unknown(self, node: Reference, part: Part) -> Exception:
        words = {word for named in self.known.values() if isinstance(named.kind, tuple) for word in named.kind}
        written = next((word for word in words if node_name(word) == node.name), "")
        name = spaced(node.name)
        if re.match(r"\[[^\]]*[-+*/()]", part.text.joined[part.at + node.at :]):
            hint = "write a sum in parentheses: (rating - 1)d6"
        elif written:
            hint = f'write "{written}" in quotes'
        elif sign := next((word for word in name.split()[1:-1] if word in _OPERATORS), ""):
            left, _, right = name.partition(f" {sign} ")
            hint = f"write {left} {_OPERATORS[sign]} {right}"
        elif any(is_near(node.name, known) for known in self.known):
            hint = near(node.name, self.known)
        else:
            hint = (
                f'write "{name}" in quotes if it is a word; a value is given on a line above, or declared by an option'
            )
        return part.error(f"nothing is called {quoted(spaced(node.name))}", node.at, hint)

    def _compared(self, node: Compared, part: Part) -> Node:
        left = self._beside(node.left, node.right, node, part)
        right = self._beside(node.right, node.left, node, part)
        kinds = [self.kind_of(side, part) for side in (left, right)]
        if any(isinstance(kind, tuple) for kind in kinds):
            if not all(isinstance(kind, tuple) for kind in kinds):
                raise part.error("words are compared with a number", node.at, "compare them with a word in quotes")
            self._check_equality(node, part)
        return Compared(left, node.op, right, node.at)

    def _beside(self, node: Node, other: Node, compared: Compared, part: Part) -> Node:
        """Return one side of a comparison; a bare word beside a name that has such words is one of these."""
        words = self._words(other)
        if words is None or not isinstance(node, Words | Reference):
            return self._resolve(node, part)
        known = self.known.get(node.name) if isinstance(node, Reference) else None
        text = node.text if isinstance(node, Words) else spaced(node.name)
        word = next((word for word in words if _as_typed(word) == _as_typed(text)), None)
        if known is not None and (word is None or isinstance(known.kind, tuple)):
            return self._resolve(node, part)
        if known is not None:
            message = f"{quoted(text)} is a word of {quoted(self._label(other))}, and the name of a value"
            hint = f'write {format_name(other)} {compared.op} "{word}", or rename the value'
            raise part.error(message, node.at, hint)
        if word is None:
            message = f"{quoted(self._label(other))} is never {quoted(text)}"
            raise part.error(message, node.at, near(text, list(words)))
        return Words(word, node.at)

    def _check_equality(self, node: Compared, part: Part) -> None:
        if node.op not in {"=", "!="}:
            raise part.error(f"words have no order, so {quoted(node.op)} cannot compare them", node.at, "write = or !=")

    def _words(self, node: Node) -> tuple[str, ...] | None:
        """Return the words of a name that has some."""
        while isinstance(node, Group):
            node = node.inner
        named = self.known.get(node.name) if isinstance(node, Reference) else None
        return named.kind if named is not None and isinstance(named.kind, tuple) else None

    def _label(self, node: Node) -> str:
        return self.known[node.name].label if isinstance(node, Reference) and node.name in self.known else format(node)

    def _question(self, node: Question, part: Part) -> Question:
        """Return what is asked of dice: the dice first, then a condition on each of them, or a number."""
        first, *rest = node.arguments
        maximum = {"count": 1, "highest": 2, "lowest": 2}.get(node.name, 1)
        if len(node.arguments) > maximum:
            hints = {"count": "write count(pool >= 8)"} | dict.fromkeys(
                ("highest", "lowest"), f"write {node.name}(pool, 2)"
            )
            hint = hints.get(node.name, f"write {node.name}(pool)")
            raise part.error(f"{node.name}() takes one question about dice", node.at, hint)
        if node.name == "roll":
            named = self.known.get(first.name) if isinstance(first, Reference) else None
            if not isinstance(first, Reference) or named is None or named.kind != DICE:
                hint = "declare it by an option, as in traits: d8 d8 d10"
                raise part.error("roll() throws the dice of a parameter", node.at, hint)
            self.read.add(first.name)
            return node
        if node.name == "count" and isinstance(first, Compared | Logic | Group):
            pool = self._counted(first, node, part)
            return Question("count", (self._resolve(pool, part), self._condition(first, pool, part)), node.at)
        if not self.is_dice(first):
            raise self._no_dice(first, node, part)
        others = tuple(self._resolve(each, part) for each in rest)
        if any(isinstance(self.kind_of(each, part), tuple) for each in others):
            raise part.error(f"{node.name}() takes a number of dice, not words", node.at, f"write {node.name}(pool, 2)")
        return Question(node.name, (self._resolve(first, part), *others), node.at)

    def _no_dice(self, node: Node, question: Question, part: Part) -> Exception:
        message = f"{quoted(format_name(node))} is not dice alone, and {question.name}() reads dice"
        hint = "give the dice a name on a line of their own, as in pool = 4d6"
        return part.error(message, question.at, hint)

    def _counted(self, condition: Node, question: Question, part: Part) -> Node:
        """Return the dice that a condition is about."""
        sides = [side for node in nodes(condition) if isinstance(node, Compared) for side in (node.left, node.right)]
        pool = next((side for side in sides if self.is_dice(side)), None)
        if pool is None and isinstance(condition, Group) and self.is_dice(condition):
            return condition
        if pool is None:
            raise self._no_dice(sides[0] if sides else condition, question, part)
        return pool

    def _condition(self, node: Node, pool: Node, part: Part) -> Node:
        """Return a condition in which the die stands for the dice that are counted."""
        symbols = self._symbols(pool)

        def change(node: Node) -> Node:
            if node == pool:
                return DIE
            if isinstance(node, Compared) and pool in (node.left, node.right):
                other = node.right if node.left == pool else node.left
                word = self._symbol(other, symbols, part) if isinstance(other, Reference | Words) else None
                if word is not None:
                    self._check_equality(node, part)
                    return Compared(DIE, node.op, Words(word), node.at)
                left, right = (DIE if side == pool else self._resolve(side, part) for side in (node.left, node.right))
                if any(isinstance(self.kind_of(side, part), tuple) for side in (left, right)):
                    raise part.error("words are compared with a number", node.at, "compare them with a word in quotes")
                return Compared(left, node.op, right, node.at)
            if isinstance(node, Reference):
                return self._resolve(node, part)
            return rebuild(node, change)

        return change(node)

    def _symbol(self, node: Reference | Words, symbols: Iterable[str], part: Part) -> str | None:
        text = node.text if isinstance(node, Words) else node.name
        word = next((symbol for symbol in symbols if node_name(symbol) == node_name(text)), None)
        if word is None and (isinstance(node, Words) or node.name not in self.known):
            hint = near(text, list(symbols)) if symbols else "such dice show numbers"
            raise part.error(f"{quoted(text)} is on no face", node.at, hint)
        return word if word is not None and (isinstance(node, Words) or symbols) else None

    def _symbols(self, pool: Node) -> dict[str, None]:
        """Return the words on the faces of dice."""
        found: dict[str, None] = {}
        for node in nodes(pool):
            if isinstance(node, DiceTerm) and isinstance(node.sides, DieFaces):
                found.update(dict.fromkeys(symbol for face in node.sides.symbols for symbol in face))
            if isinstance(node, Reference) and node.name in self.symbols:
                found.update(self.symbols[node.name])
        return found

    def note_symbols(self, label: str, tree: Node) -> None:
        """Note the words on the faces of dice that a line gives a name to."""
        self.symbols[node_name(label)] = self._symbols(tree)

    # Kinds

    def is_dice(self, node: Node) -> bool:
        """Return whether a value is dice and nothing else."""
        match node:
            case DiceTerm() | Question("roll"):
                return True
            case Reference(name=name):
                return name in self.known and self.known[name].is_dice
            case Group(inner) | Labelled(inner):
                return self.is_dice(inner)
            case Set((inner,)):
                return self.is_dice(inner)
            case Chain(_, rest):
                return {op for op, _ in rest} == {"+"} and all(map(self.is_dice, node.operands))
            case Cases(cases, otherwise):
                return self.is_dice(otherwise) and all(self.is_dice(value) for value, _ in cases)
        return False

    def kind_of(self, node: Node, part: Part) -> Kind:
        """Return what a value is.

        Raises:
            RuleError: it mixes words with numbers, or a number stands for yes or no.
        """
        match node:
            case Reference(name=name):
                return self.known[name].kind if node != DIE else NUMBER
            case Words(text):
                return (text,)
            case Group(inner) | Labelled(inner):
                return self.kind_of(inner, part)
            case Compared():
                return TRUTH
            case Logic(_, operands):
                for operand in operands:
                    self.check_truth(operand, part)
                return TRUTH
            case Cases(cases, otherwise):
                for _, condition in cases:
                    self.check_truth(condition, part)
                kinds = [self.kind_of(value, part) for value in (*(value for value, _ in cases), otherwise)]
                if all(isinstance(kind, tuple) for kind in kinds):
                    return tuple(dict.fromkeys(word for kind in kinds for word in kind))
                if any(isinstance(kind, tuple) for kind in kinds):
                    raise self._mixed((*(value for value, _ in cases), otherwise), kinds, part)
                return TRUTH if {*kinds} == {TRUTH} else NUMBER
            case Question():
                return NUMBER
        for child in children(node):
            if isinstance(self.kind_of(child, part), tuple):
                raise part.error(f"{quoted(format_name(child))} is a word", 0, "calculate with numbers")
        return NUMBER

    def _mixed(self, values: Sequence[Node], kinds: Sequence[Kind], part: Part) -> Exception:
        """Return the error for cases of which some are words, and one is none."""
        value, kind = next(
            (value, kind) for value, kind in zip(values, kinds, strict=True) if not isinstance(kind, tuple)
        )
        if isinstance(value, Reference):
            hint = f'write "{format_name(value)}" in quotes if it is a word'
            return part.error(f"{quoted(format_name(value))} is {kind}, and other cases are words", value.at, hint)
        return part.error("words and numbers are mixed", 0, "write words in every case, or in none")

    def check_truth(self, node: Node, part: Part) -> None:
        """Raise an error if a value is not yes or no."""
        kind = self.kind_of(node, part)
        if kind != TRUTH and not isinstance(node, Number):
            written = format_name(node)
            hint = f"write {written} > 0" if kind == NUMBER else f'write {written} = "{kind[0]}"'
            raise part.error(f"{quoted(written)} is {_described(kind)}, not yes or no", 0, hint)


def _described(kind: Kind) -> str:
    return "a word" if isinstance(kind, tuple) else kind


def format_name(node: Node) -> str:
    """Return a tree as its author would write it, with names that have no brackets.

    >>> from dicedocs.syntax.rule_values import parse_rule_value
    >>> format_name(parse_rule_value("2d6 + stat"))
    '2d6 + stat'
    """
    names = {format(each): spaced(each.name) for each in nodes(node) if isinstance(each, Reference)}
    text = format(node)
    for written, name in names.items():
        text = text.replace(written, name)
    return text
