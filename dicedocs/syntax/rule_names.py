"""The names in a rule of a page: what each of them is, and which of them are read as dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Final, Literal, NamedTuple, TypeAlias

from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.rules.kinds import spaced
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.yes_and_no import TYPED_TRUTHS, typed_truth
from dicedocs.similar_words import is_near, near
from dicedocs.syntax.conditions import TRUTHS_ALONE, Before, affirmed, compared_words, complete
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.modifiers import Keep, Success
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import Part, node_name
from dicedocs.syntax.ranges import OPEN, Range
from dicedocs.syntax.relations import OPPOSITES, TURNED, range_at
from dicedocs.syntax.rule_values import value_hint
from dicedocs.syntax.tree import (
    ACTOR,
    IT,
    Call,
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Increased,
    Labelled,
    Logic,
    Node,
    Number,
    Play,
    Question,
    Reference,
    Set,
    Words,
    children,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    format_name,
    nodes,
    position,
    rebuild,
    ungrouped,
)

NUMBER: Final = "a number"
TRUTH: Final = "yes or no"
_FACES: Final = "such dice show numbers: write each, as in count(pool = 1 or 2)"
DICE: Final = "dice"
MAYBE: Final = ("yes", "no", NOTHING)
"""What is known to be yes or no, or not at all."""
Kind: TypeAlias = Literal["a number", "yes or no", "dice"] | tuple[str, ...]
"""What a value is: a number, yes or no, the dice of a parameter, or one of some words."""


def _number(node: Node) -> int | None:
    """Return the number of a value without names and dice; ``None`` for any other."""
    if any(isinstance(each, Reference | DiceTerm | Set | Question | Words | Compared | Logic) for each in nodes(node)):
        return None
    try:
        value = compiled(node, {})(())
    except DiceError:
        return None
    return value if type(value) is int else None


def _as_typed(word: str) -> str:
    """Return a word so that it equals those that are the same for readers."""
    return typed_truth(node_name(word))


class Named(NamedTuple):
    """A name of a rule.

    Parameters:
        label: the name as written.
        kind: what it is.
        is_optional: whether it is a number that may be none.
        bounds: how low and how high a number can be.
        is_dice: whether it stands for dice and nothing else.
        is_one_die: whether it stands for a single die.
        is_counted: whether its own line counts the dice.
        sides: the sides of its dice, where one line gives it and they show no more; otherwise 0.
        symbols: the words on the faces of its dice.
        most: how many dice it has at the most; ``None`` if that is not known.
        is_open: whether it may be other words than those that are known.
    """

    label: str
    kind: Kind
    is_optional: bool = False
    bounds: Range = OPEN
    is_dice: bool = False
    is_one_die: bool = False
    is_counted: bool = False
    sides: int = 0
    symbols: tuple[str, ...] = ()
    most: int | None = None
    is_open: bool = False


@dataclass
class RuleNames:
    """The names of a rule, from its first line to its last.

    Parameters:
        parameters: those that are chosen.
        bounds_of: returns how low and how high a value can be, given that of each of its names.

    Attributes:
        known: all names so far.
        read: the names that are read so far.
        handed_on: the choices of rules that are played, which whoever plays this one makes, with what can be chosen.
        missing: what to do about a name that is unknown, if no other is like it.
        played: what each rule that is played comes to, by its id.
        facts: the facts of it that a line can read, by the name of the line that plays it.
    """

    parameters: Mapping[str, Named]
    bounds_of: Callable[[Node, Mapping[str, Range]], Range] = lambda *_: OPEN
    known: dict[str, Named] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    handed_on: dict[str, tuple[str, ...]] = field(default_factory=dict)
    missing: str = (
        'write "{name}" in quotes if it is a word; a value is given on a line above, or declared by an option'
    )
    played: dict[str, Kind] = field(default_factory=dict)
    facts: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known.update(self.parameters)

    # Lines

    def resolve(self, part: Part) -> Part:
        """Return a value in which each bare word is a name, or is known to be a word.

        Raises:
            RuleError: a name is unknown, or a word and a name cannot be told apart, or kinds are mixed.
        """
        return self.resolved(part._replace(tree=self.completed(part)))

    def resolved(self, part: Part) -> Part:
        """Return a value whose conditions are complete, with each bare word a name or known to be a word."""
        return part._replace(tree=self._resolve(part.tree, part))

    def completed(self, part: Part, before: Before | None = None, *, is_subject: bool = False) -> Node:
        """Return a value in whose conditions each comparison has both sides."""
        try:
            tree = complete(part.tree, self, before)
            tree = tree if is_subject else self._asked(tree)
        except NotationError as error:
            raise part.error(error.message, error.at, error.hint) from None
        if before is None and (lacking := next((each for each in _beside_it(tree) if each.left == IT), None)):
            meant = self._hint(lacking.right.at if isinstance(lacking.right, Reference) else lacking.at, part)
            found = range_at(part.value, lacking.at)
            said = f"is {found[0]}" if found else f"{lacking.op} {format_name(lacking.right)}"
            raise part.error(
                "nothing stands before this comparison", lacking.at, meant or f"write it before, as in total {said}"
            )
        return tree

    def extend(self, tree: Node, names: Iterable[str]) -> None:
        """Let names be any word with which they are compared, since nobody knows all that they can be."""
        for name in names:
            kind = self.known[name].kind
            if isinstance(kind, tuple):
                same = set(map(_as_typed, kind))
                more = [word for word in compared_words(tree, name) if _as_typed(word) not in same]
                self.known[name] = self.known[name]._replace(kind=tuple(dict.fromkeys((*kind, *more))), is_open=True)

    def check_no_dice(self, part: Part) -> None:
        """Refuse dice where nothing is thrown."""
        dice = [each for each in nodes(part.tree) if isinstance(each, DiceTerm | Set | Question)]
        if dice:
            where = next((each.at for each in dice if not isinstance(each, Set)), 0)
            raise part.error("a condition cannot throw dice", where, "name facts of the outcome, as in total >= 8")

    def _asked(self, node: Node) -> Node:
        """Return a condition in which a value that is yes, no or none stands for being yes."""
        match node:
            case Reference(name=name) if name in self.known and self.known[name].kind == MAYBE:
                return Compared(node, "=", Words(MAYBE[0]), node.at)
            case Group() | Logic():
                return rebuild(node, self._asked)
        return node

    def is_truth(self, node: Node) -> bool:
        """Return whether a part of a condition is yes or no by itself."""
        match node:
            case Compared() | Logic():
                return True
            case Group(inner):
                return self.is_truth(inner)
            case Reference(name=name):
                return name in self.known and self.known[name].kind in {TRUTH, MAYBE}
            case Cases(cases, otherwise):
                return self.is_truth(otherwise) and all(self.is_truth(value) for value, _ in cases)
        return False

    def is_number(self, node: Node) -> bool:
        """Return whether a part of a condition is the name of a number."""
        return isinstance(node, Reference) and node.name in self.known and self.known[node.name].kind == NUMBER

    def may_be(self, subject: Node, node: Node) -> bool:
        """Return whether a value that stands alone may be what a subject is compared with: no number is a word."""
        is_unknown = isinstance(node, Reference) and node.name not in self.known and node.name not in TYPED_TRUTHS
        known = self._named(subject)
        return not (is_unknown and known and known.kind in {NUMBER, TRUTH})

    def give(self, label: str, kind: Kind, part_error: Part | None, *, again: bool, tree: Node | None = None) -> None:
        """Note the name that a line gives, with what is known of the dice of its tree."""
        name = node_name(label)
        before = self.known.get(name)
        if before is not None:
            if name in self.parameters and part_error is not None:
                hint = f"choose another name, as in my {label} = {label}"
                raise part_error.text.error(f"{quoted(label)} is already set by an option", 0, hint)
            if not again and part_error is not None:
                hint = "choose another name; only repeated lines can set a name again"
                raise part_error.text.error(f"{quoted(label)} is already set by a line above", 0, hint)
            if part_error is not None and {before.kind, kind} == {NUMBER, TRUTH}:
                raise self._turned(label, kind, part_error)
            kind = self._joined(before.kind, kind, label, part_error)
        new = Named(label, kind) if tree is None else self._of_dice(label, kind, tree)
        if before is not None:
            new = before._replace(
                kind=kind,
                is_dice=before.is_dice and new.is_dice,
                is_one_die=before.is_one_die or new.is_one_die,
                is_counted=before.is_counted or new.is_counted,
                sides=0,
                symbols=before.symbols if tree is None else new.symbols,
                most=None,
            )
        self.known[name] = new

    def _of_dice(self, label: str, kind: Kind, tree: Node) -> Named:
        """Return a name with what is known of the dice that it stands for."""
        is_counted = isinstance(tree, DiceTerm) and any(isinstance(one, Success) for one in tree.modifiers)
        return Named(
            label,
            kind,
            is_dice=self.is_dice(tree),
            is_one_die=self._is_one_die(tree),
            is_counted=is_counted,
            sides=self._sides(tree),
            symbols=tuple(self._symbols(tree)),
            most=self._most(tree),
        )

    def bound(self, name: str, bounds: Range) -> None:
        """Note how low and how high a number can be, if its name is known."""
        if name in self.known:
            self.known[name] = self.known[name]._replace(bounds=bounds)

    @staticmethod
    def _turned(label: str, kind: Kind, part: Part) -> Exception:
        """Return the error for a name that is a number above, and yes or no here, or the other way round."""
        hint = "begin it with no, or with yes" if kind == TRUTH else f"let {label} be yes or no in each line"
        match part.tree:
            case Compared(Chain(first, rest) as left, op, right) if left.is_sum:
                sign, last = rest[-1]
                start = format_name(Chain(first, rest[:-1]) if rest[1:] else first)
                hint = f"write {start} {sign} ({format_name(last)} {op} {format_name(right)})"
        was, now = (NUMBER, TRUTH) if kind == TRUTH else (TRUTH, NUMBER)
        return part.error(f"{quoted(label)} was {was} above, and is {now} here", position(part.tree), hint)

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
                        return _truth(TYPED_TRUTHS[name], node.at)
                    raise self._unknown(node, part)
                if self.known[name].kind == DICE:
                    label = self.known[name].label
                    raise part.error(f"{quoted(label)} is dice that are not thrown", node.at, f"write roll({label})")
                self.read.add(name)
                return node
            case Question(name):
                return self._question(node, part)
            case Logic(_, operands) if all(self._is_plain_truth(each) for each in operands):  # yes or no
                raise part.error(f"{quoted(format_name(node))} is always the same", position(node), TRUTHS_ALONE)
            case Play(id):
                hint = f"give it a name on a line above, as in step = play {id}, and write that here"
                raise part.error("a rule is played on a line of its own, or in its cases", node.at, hint)
            case Call("min" | "max" as function, (Reference() as first, *others)) if first in others:
                if self.is_dice(first):
                    hint = f"give the other die a name of its own, as in second {format_name(first)} = 1d6"
                    raise part.error(f"{function}() of one name twice is that value", first.at, hint)
            case Labelled(_, labels):
                for label in labels:
                    if label.isdecimal():
                        hint = "write highest(pool), lowest(pool), or (pool)kh2"
                        raise part.error(f"[{label}] behind a value is no place in it", position(node), hint)
                    if node_name(label) in self.known:
                        hint = f"write + {label} to add it, or highest(pool, {label}) for a number of dice"
                        raise part.error(
                            f"[{label}] behind a value is its kind, and {quoted(label)} is a name", 0, hint
                        )
        return rebuild(node, lambda child: self._resolve(child, part))

    def _is_plain_truth(self, node: Node) -> bool:
        """Return whether a value is yes or no as typed."""
        return isinstance(node, Reference) and node.name in TYPED_TRUTHS and node.name not in self.known

    def _unknown(self, node: Reference, part: Part) -> Exception:
        words = {word: named for named in self.known.values() if isinstance(named.kind, tuple) for word in named.kind}
        written = next((word for word in words if node_name(word) == node_name(node.name)), "")
        name = node.written or spaced(node.name)
        of_dice = next((each.label for each in self.known.values() if name in each.symbols), "")
        if computed := re.match(r"\[([^\]]*[-+*/()][^\]]*)\]\s*([dD]\w+)?", part.text.joined[part.at + node.at :]):
            hint = f"write a sum in parentheses: ({computed[1].strip()}){computed[2] or ''}"
        elif of_dice:
            is_counted = part.value[: node.at].rstrip().endswith("(")
            hint = f"write count({of_dice} = {name}){'' if is_counted else ' >= 1'}"
        elif (facts := self.facts.get(node_name(name.partition(".")[0]))) is not None:
            owner = name.partition(".")[0]
            known = [f"{owner}.{each}" for each in facts]
            hint = f"write {owner}; its facts are known if each of its cases plays a rule"
            hint = near(name, known) or hint
        elif re.match(r"(?:play|roll|throw|use)\s+[a-z]", part.value[node.at :], re.IGNORECASE):
            hint = "write play and the id of a rule on a line of its own, as in step = play road/step"
        elif written:
            hint = f'write "{written}" in quotes, or {words[written].label} = "{written}"'
        elif suggested := self._hint(node.at, part):
            hint = suggested
        elif any(is_near(node.name, known) for known in (*self.known, *words)):
            hint = near(node.name, (*self.known, *words))
        else:
            hint = self.missing.replace("{name}", name)
        return part.error(f"nothing is called {quoted(name)}", node.at, hint)

    def _hint(self, at: int, part: Part) -> str:
        """Return what the table of mistakes says of a place of a text; empty if that is nothing."""
        labels = {key: name for name, each in self.known.items() for key in (each.label, spaced(name))}
        kinds = ((each.kind if isinstance(each.kind, tuple) else each.symbols) for each in self.known.values())
        words = {word: node_name(word) for kind in kinds for word in kind}
        return value_hint(part.value, at, bound_names({**words, **labels}))

    def _compared(self, node: Compared, part: Part) -> Node:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            word = other.text if isinstance(other, Words) else other.name if isinstance(other, Reference) else ""
            known = self._named(side)
            if word == NOTHING and known is not None and known.is_optional:
                self._check_equality(node, part)
                return Compared(side, node.op, Words(NOTHING), node.at)
            if word == NOTHING and known is not None and known.kind == NUMBER and NOTHING not in self.known:
                raise part.error(
                    f"{quoted(known.label)} is a number", position(other), f"write {known.label} {node.op} 0"
                )
            truth = word if known is not None and known.kind == NUMBER and word not in self.known else ""
            if truth in TYPED_TRUTHS:
                hint = (
                    f"write {known.label if known else ''} {'>' if TYPED_TRUTHS[truth] == (node.op == '=') else '='} 0"
                )
                raise part.error(f"{quoted(self._label(side))} is a number, not yes or no", position(side), hint)
        self._check_space(node, part)
        left = self._beside(node.left, node.right, node, part)
        right = self._beside(node.right, node.left, node, part)
        kinds = [self.kind_of(side, part) for side in (left, right)]
        if any(isinstance(kind, tuple) for kind in kinds):
            if not all(isinstance(kind, tuple) for kind in kinds):
                word = next((side.text for side in (left, right) if isinstance(side, Words)), "")
                plain = word.isdecimal() or word in TYPED_TRUTHS
                hint = f"write {word} without quotes" if plain else "compare them with a word in quotes"
                raise part.error("words are compared with a number", node.at, hint)
            self._check_equality(node, part)
            self._check_meeting(left, right, node, part)
        for (one, its), (two, other_kind) in permutations(zip((left, right), kinds, strict=True)):
            if (its, other_kind) == (TRUTH, NUMBER) and isinstance(one, Reference) and isinstance(two, Reference):
                yes, number = self._label(one), self._label(two)
                message = f"{quoted(yes)} is yes or no, and {quoted(number)} is a number"
                hint = f"write not {yes}" if node.op == "!=" else f"write {yes} and {number} {node.op} 7"
                raise part.error(message, node.at, f"{hint}, or a name of a number")
        are_names = isinstance(left, Reference) and isinstance(right, Reference)
        if are_names and kinds == [TRUTH, TRUTH] and re.compile("not\\b", re.IGNORECASE).match(part.value, node.at):
            hint = f"write {self._label(left)} and not {self._label(right)}"
            raise part.error("ambiguous: two conditions with 'not' between", node.at, hint)
        compared = Compared(left, node.op, right, node.at)
        self._check_possible(compared, node, part)
        return compared

    def _check_space(self, node: Compared, part: Part) -> None:
        """Refuse ``pool>=8`` of several dice: ``5d10>=8`` counts dice, and ``pool >= 8`` compares their sum."""
        written = re.compile(r"(?<!\s)[<>=!≥≤≠]++|[<>=!≥≤≠]++(?!\s)").match(part.value, node.at)
        if written and isinstance(node.left, Reference) and self._is_pool(node.left):
            dice, value = format_name(node.left), format_name(node.right)
            message = f"{quoted(f'{dice}{written[0]}{value}')} without spaces is how dice are counted"
            hint = f"write count({dice} {node.op} {value}), or {dice} {node.op} {value} with spaces for the sum"
            raise part.error(message, node.at, hint)

    def _check_possible(self, node: Compared, written: Compared, part: Part) -> None:
        """Refuse to compare a number with what it can never be, or never reach."""
        sides = ((node.left, node.op, node.right), (node.right, TURNED[node.op], node.left))
        for (side, op, other), as_written in zip(sides, (written.left, written.right), strict=True):
            number = _number(other)
            if number is None:
                continue
            low, high = Range(0, 1) if self.is_truth(side) else self._bounds(side)
            is_above = high is not None and (number >= high if op == ">" else number > high and op in {"=", ">="})
            is_below = low is not None and (number <= low if op == "<" else number < low and op in {"=", "<="})
            if is_above or is_below:
                said = {"=": "", ">=": " or more", "<=": " or less", ">": " or more", "<": " or less"}[op]
                never = number + {">": 1, "<": -1}.get(op, 0)
                label, is_truth = self._label(as_written), self.is_truth(side)
                hint = f"write {label}, or not {label}" if is_truth else "compare it with a number that it can be"
                if isinstance(side, Question) and side.name == "count" and not side.arguments[1:]:
                    hint = f"write count({format_name(side.arguments[0])} {op} {number}) to count dice"
                message = f"{quoted(label)} is never {never}{said}: it is {TRUTH if is_truth else Range(low, high)}"
                raise part.error(message, position(side), hint)

    def _beside(self, node: Node, other: Node, compared: Compared, part: Part) -> Node:
        """Return one side of a comparison; a bare word beside a name that has such words is one of these."""
        words = self._words(other)
        if isinstance(node, Reference) and isinstance(other, Words) and node.name not in self.known:
            return Words(node.written or spaced(node.name), node.at)
        if isinstance(node, Number) and (isinstance(other, Words) or (words and str(node.value) in words)):
            return Words(str(node.value))  # words such as 7
        if isinstance(node, Number) and node.value in {0, 1} and compared.op in {"=", "!="} and self.is_truth(other):
            return _truth(node.value, node.at)
        if words is None or not isinstance(node, Words | Reference):
            return self._resolve(node, part)
        known = self._named(node)
        text = node.text if isinstance(node, Words) else node.written or spaced(node.name)
        same = (word for word in words if _as_typed(word) == _as_typed(text))
        word = text if text in words else next(same, None)
        if known is not None and isinstance(known.kind, tuple):
            its = self._named(ungrouped(other))
            if word is not None and its is not None and (its is known or not its.is_open):
                message = f"ambiguous: {quoted(text)} is a name and a word of {quoted(its.label)}"
                raise part.error(message, node.at, f'write "{word}" for the word, or choose another name for the value')
            return self._resolve(node, part)
        if known is not None and word is None:
            return self._resolve(node, part)
        if word is None:
            message = f"{quoted(self._label(other))} is never {quoted(text)}"
            raise part.error(message, node.at, near(text, list(words)))
        return Words(word, node.at)

    def _check_equality(self, node: Compared, part: Part) -> None:
        if node.op not in {"=", "!="}:
            raise part.error(f"words have no order, so {quoted(node.op)} cannot compare them", node.at, "write = or !=")

    def _check_meeting(self, left: Node, right: Node, node: Compared, part: Part) -> None:
        """Refuse two names that are never the same word; of a name with one word more are to come."""
        words = [self._words(side) or () for side in (left, right) if not ((its := self._named(side)) and its.is_open)]
        if len(words) > 1 and min(map(len, words)) > 1 and not set(words[0]) & set(words[1]):
            one, other = (quoted(self._label(side)) for side in (left, right))
            hint = f"compare {self._label(left)} with {' or '.join(words[0])}"
            raise part.error(f"{one} and {other} are never the same word", node.at, hint)

    def _words(self, node: Node) -> tuple[str, ...] | None:
        """Return the words of a name that has some."""
        named = self._named(ungrouped(node))
        return named.kind if named is not None and isinstance(named.kind, tuple) else None

    def _named(self, node: Node) -> Named | None:
        """Return what is known of a name."""
        return self.known.get(node.name) if isinstance(node, Reference) else None

    def _label(self, node: Node) -> str:
        named = self._named(node)
        return named.label if named else format_name(node)

    def _bounds(self, node: Node) -> Range:
        """Return how low and how high a value can be."""
        if named := self._named(node):
            return named.bounds
        if not any(isinstance(each, Reference | DiceTerm | Question) for each in nodes(node)):
            return OPEN  # numbers are the author's
        asked: dict[str, Range] = {name: named.bounds for name, named in self.known.items()}

        def put(each: Node) -> Node:
            if not isinstance(each, Question):
                return rebuild(each, put)
            name = f"{len(asked)}"
            asked[name] = self._bounds_asked(each)
            return Reference(ACTOR, name)

        return self.bounds_of(put(node), asked)

    def _bounds_asked(self, node: Question) -> Range:
        """Return how low and how high a question about dice can be."""
        pool, *rest = node.arguments
        match node.name, rest:
            case ("count", [*_, _] | []) | ("matches", []):
                return Range(0, self._most(pool))
            case (("highest" | "lowest"), ([] | [Number()])):
                number = rest[0].value if rest and isinstance(rest[0], Number) else 1
                return Range(0, number * self._sides(pool) or None)
        return OPEN

    def _most(self, pool: Node) -> int | None:
        """Return how many dice there are at the most; ``None`` if that is not known."""
        match pool:
            case DiceTerm(count, _, modifiers) if all(isinstance(one, Keep) for one in modifiers):
                return count.value if isinstance(count, Number) else self._bounds(count).high
            case Reference(name=name):
                return self.known[name].most if name in self.known else None
            case Group(inner):
                return self._most(inner)
        return None

    def _question(self, node: Question, part: Part) -> Question:
        """Return what is asked of dice: the dice first, then a condition on each of them, or a number."""
        if node.name == "choose":
            return Question("choose", tuple(self._resolve(each, part) for each in node.arguments), node.at)
        first, *rest = node.arguments
        maximum = {"count": 1, "highest": 2, "lowest": 2}.get(node.name, 1)
        if len(node.arguments) > maximum:
            hints = {"count": _counting(node)} | dict.fromkeys(("highest", "lowest"), f"write {node.name}(pool, 2)")
            hint = hints.get(node.name, f"write {node.name}(pool)")
            raise part.error(f"{node.name}() takes one question about dice", node.at, hint)
        if node.name == "roll":
            named = self._named(first)
            if not isinstance(first, Reference) or named is None or named.kind != DICE:
                hint = "declare it by an option, as in traits: d8 d8 d10"
                if any(isinstance(each, DiceTerm) for each in nodes(first)):
                    hint = f"write {format_name(first)}, which is thrown by itself"
                raise part.error("roll() throws the dice of a parameter", node.at, hint)
            self.read.add(first.name)
            return node
        if node.name == "count" and isinstance(first, Compared | Logic | Group):
            pool = self._counted(first, node, part)
            condition = self._condition(first, pool, part)
            self._check_shown(condition, pool, part)
            return Question("count", (self._resolve(pool, part), condition), node.at)
        self._check_uncounted(first, node, part)
        if not self.is_dice(first):
            self._resolve(first, part)  # a name of it may be unknown
            raise self._no_dice(first, node, part)
        if rest and (self._is_one_die(first) or any(self._is_pool(each) for each in rest)):
            written = ", ".join(map(format_name, node.arguments))
            better = "max" if node.name == "highest" else "min"
            hint = (
                f"write {better}({written}) for the {node.name} value, or {node.name}(pool, 2) for two dice of a pool"
            )
            raise part.error(f"{node.name}() takes dice, and how many of them", node.at, hint)
        others = tuple(self._resolve(each, part) for each in rest)
        if any(isinstance(self.kind_of(each, part), tuple) for each in others):
            raise part.error(f"{node.name}() takes a number of dice, not words", node.at, f"write {node.name}(pool, 2)")
        return Question(node.name, (self._resolve(first, part), *others), node.at)

    def _is_one_die(self, node: Node) -> bool:
        """Return whether a value is a single die, of which several cannot be the highest."""
        match node:
            case DiceTerm(Number(1)):
                return True
            case Group(inner):
                return self._is_one_die(inner)
        named = self._named(node)
        return named is not None and named.is_one_die

    def _is_pool(self, node: Node) -> bool:
        """Return whether a value is dice that no number of dice is thrown with: more than one."""
        return self.is_dice(node) and not self._is_one_die(node)

    @staticmethod
    def _check_uncounted(pool: Node, node: Question, part: Part) -> None:
        """Refuse to ask dice that a modifier counts already."""
        for each in nodes(pool):
            if not isinstance(each, DiceTerm):
                continue
            counts = next((one for one in each.modifiers if isinstance(one, Success)), None)
            if counts:
                dice = format(replace(each, modifiers=tuple(one for one in each.modifiers if one is not counts)))
                condition = str(counts)
                sign = condition.rstrip("-0123456789")
                hint = f"write count({dice} {sign} {condition.removeprefix(sign)}), or {node.name}({dice})"
                raise part.error(f"{quoted(format(each))} counts dice already", node.at, hint)

    def _no_dice(self, node: Node, question: Question, part: Part) -> Exception:
        message = f"{quoted(format_name(node))} is not dice alone, and {question.name}() reads dice"
        if (named := self._named(node)) and named.is_counted:
            message = f"{quoted(format_name(node))} counts its dice already, and {question.name}() reads dice"
        hint = "give the dice a name on a line of their own, as in pool = 4d6"
        match node, question.arguments[1:]:
            case Number(value), _ if question.name == "count":
                hint = f"write which dice, as in count(pool = {value})"
            case Reference(), _ if named and question.name == "count":
                hint += ", or again = [more]d6, which throws as many as 'more' says"
            case Number(), (dice,) if not isinstance(dice, Number):
                hint = f"write {question.name}({format_name(dice)}, {format_name(node)})"
        return part.error(message, question.at, hint)

    def _counted(self, condition: Node, question: Question, part: Part) -> Node:
        """Return the dice that a condition is about."""
        self._check_uncounted(condition, question, part)
        sides = [side for node in _own(condition) if isinstance(node, Compared) for side in (node.left, node.right)]
        pool = next((dice for dice in map(_divided, sides) if self.is_dice(dice)), None)
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
                return IT
            if isinstance(node, Compared) and pool in (node.left, node.right):
                other = node.right if node.left == pool else node.left
                word = self._symbol(other, symbols, part) if isinstance(other, Reference | Words) else None
                if word is not None:
                    self._check_equality(node, part)
                    return Compared(IT, node.op, Words(word), node.at)
                left, right = (IT if side == pool else self._resolve(side, part) for side in (node.left, node.right))
                if any(isinstance(self.kind_of(side, part), tuple) for side in (left, right)):
                    raise part.error("words are compared with a number", node.at, "compare them with a word in quotes")
                return Compared(left, node.op, right, node.at)
            if isinstance(node, Reference):
                return self._resolve(node, part)
            return rebuild(node, change)

        return change(node)

    def _check_shown(self, condition: Node, pool: Node, part: Part) -> None:
        """Refuse a condition of which a part is met by no die."""
        sides = self._sides(pool)
        parts = condition.operands if isinstance(condition, Logic) and condition.name == "any" else (condition,)
        for each in parts if sides else ():
            if {type(leaf) for leaf in nodes(each)} <= {Compared, Logic, Group, Number, Reference, Chain} and not any(
                isinstance(leaf, Reference) and leaf != IT for leaf in nodes(each)
            ):
                holds = compiled(each, {IT.name: 0})
                if not any(holds((face,)) for face in range(1, sides + 1)):
                    at = next((leaf.at for leaf in nodes(each) if isinstance(leaf, Compared)), 0)
                    message = f"no die of {quoted(format_name(pool))} can meet this: a d{sides} shows 1 to {sides}"
                    raise part.error(message, at, f"compare with 1 to {sides}")

    def _sides(self, pool: Node) -> int:
        """Return the number of sides of dice that show no more than that; 0 if it is not known."""
        match pool:
            case DiceTerm(_, Number(sides), modifiers) if all(isinstance(one, Keep) for one in modifiers):
                return sides
            case Reference(name=name):
                return self.known[name].sides if name in self.known else 0
            case Group(inner):
                return self._sides(inner)
        return 0

    def _symbol(self, node: Reference | Words, symbols: Iterable[str], part: Part) -> str | None:
        text = node.text if isinstance(node, Words) else node.name
        word = next((symbol for symbol in symbols if node_name(symbol) == node_name(text)), None)
        if word is None and (isinstance(node, Words) or node.name not in self.known):
            meant = self._hint(node.at, part) if isinstance(node, Reference) else ""
            hint = near(text, list(symbols)) if symbols else meant or _FACES
            raise part.error(f"{quoted(text)} is on no face", node.at, hint)
        return word if word is not None and (isinstance(node, Words) or symbols) else None

    def _symbols(self, pool: Node) -> dict[str, None]:
        """Return the words on the faces of dice."""
        found: dict[str, None] = {}
        for node in nodes(pool):
            if isinstance(node, DiceTerm) and isinstance(node.sides, DieFaces):
                found.update(dict.fromkeys(symbol for face in node.sides.symbols for symbol in face))
            if named := self._named(node):
                found.update(dict.fromkeys(named.symbols))
        return found

    # Kinds

    def is_dice(self, node: Node) -> bool:
        """Return whether a value is dice and nothing else."""
        match node:
            case DiceTerm(modifiers=modifiers):
                return not any(isinstance(one, Success) for one in modifiers)
            case Question("roll"):
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
                return self.known[name].kind if node != IT or name in self.known else NUMBER
            case Words(text):
                return (text,)
            case Group(inner) | Labelled(inner):
                return self.kind_of(inner, part)
            case Compared():
                return TRUTH
            case Logic(operands=operands):
                for operand in operands:
                    self.check_truth(affirmed(operand), part, node, denied=operand != affirmed(operand))
                return TRUTH
            case Cases(cases, otherwise):
                for _, condition in cases:
                    self.check_truth(condition, part)
                values = (*(value for value, _ in cases), otherwise)
                return self._kind_of_all(values, part)
            case Question("choose", (Reference(), *ways)) | Question("choose", [*ways]):
                return self._kind_of_all(ways, part)
            case Question():
                return NUMBER
            case Increased(first, ((sign, added), *_)) if self.kind_of(first, part) == TRUTH:
                hint = "give the number a name on a line above, add to it there, and compare it here"
                if isinstance(first, Compared):
                    left, right, more = (f"{format_name(each)}" for each in (first.left, first.right, added))
                    hint = f"write {left} {sign} {more} {first.op} {right}, or {left} {first.op} {right} {sign} {more}"
                message = f"{quoted(format_name(first))} is yes or no, to which nothing is added"
                raise part.error(message, position(first), hint)
            case Play(id):
                return self.played[id]
        for child in children(node):
            if isinstance(self.kind_of(child, part), tuple):
                raise part.error(f"{quoted(format_name(child))} is a word", position(child), "calculate with numbers")
        return NUMBER

    def _kind_of_all(self, values: Sequence[Node], part: Part) -> Kind:
        """Return what a value is that is one of several."""
        kinds = [self.kind_of(value, part) for value in values]
        if all(isinstance(kind, tuple) for kind in kinds):
            return tuple(dict.fromkeys(word for kind in kinds for word in kind))
        if any(isinstance(kind, tuple) for kind in kinds):
            raise self._mixed(values, kinds, part)
        numbers = [each for each, kind in zip(values, kinds, strict=True) if kind == NUMBER]
        compared = next((each for each in values if isinstance(each, Compared)), None)
        if compared is not None and any(_number(each) not in {0, 1} for each in numbers):
            left = f"{format_name(compared.left)} {compared.op}"
            hint = f"write {left} ({format_name(compared.right)} if ..., else ...), or ({format_name(compared)})"
            raise part.error("yes or no in one case, and a number in another", compared.at, hint)
        return TRUTH if {*kinds} == {TRUTH} else NUMBER

    def _mixed(self, values: Sequence[Node], kinds: Sequence[Kind], part: Part) -> Exception:
        """Return the error for cases of which some are words, and one is none."""
        value, kind = next(
            (value, kind) for value, kind in zip(values, kinds, strict=True) if not isinstance(kind, tuple)
        )
        if isinstance(value, Reference):
            hint = f'write "{format_name(value)}" in quotes if it is a word'
            return part.error(f"{quoted(format_name(value))} is {kind}, and other cases are words", value.at, hint)
        return part.error("words and numbers are mixed", position(value), "write words in every case, or in none")

    def check_truth(self, node: Node, part: Part, whole: Logic | None = None, *, denied: bool = False) -> None:
        """Raise an error if a value, perhaps in a larger condition, is not yes or no."""
        kind = self.kind_of(node, part)
        if kind != TRUTH:
            written = format_name(node)
            likely = (word for word in kind if typed_truth(word) not in {"false", NOTHING})
            yes = next((word for word in kind if typed_truth(word) == "true"), next(likely, kind[0]))
            hint = f"write {written} > 0" if kind == NUMBER else f'write {written} = "{yes}"'
            compared = [each for each in whole.operands if isinstance(affirmed(each), Compared)] if whole else []
            match list(map(affirmed, compared)):
                case [Compared(), *_] if denied and compared[0] == affirmed(compared[0]) and kind == NUMBER:
                    hint = f"write {written} = 0, or not {written} > 0"
                case [Compared(left, op, right), *_] if whole and not isinstance(left, Question):  # a or b is 6
                    join = {"any": "or"}.get(whole.name, "and")
                    test = f"{op if isinstance(compared[0], Compared) else OPPOSITES[op]} {format_name(right)}"
                    hint = f"write {written} {test} {join} {format_name(left)} {test}"
                case [] if (
                    isinstance(node, Reference) and (denied or (whole and whole.name == "not")) and kind == NUMBER
                ):
                    hint = f"write not {written} > 0, or {written} = 0"
                case [] if whole and whole.name == "any" and all(map(self.is_dice, whole.operands)):  # d8 or d6
                    one, other = map(format_name, whole.operands[:2])
                    hint = f"write max({one}, {other}) for the higher, or a case, as in {one} if strong, else {other}"
                case [] if isinstance(node, Number):
                    hint = f"write what it is compared with, as in total = {written}"
            raise part.error(f"{quoted(written)} is {described(kind)}, not yes or no", position(node), hint)


def _counting(node: Question) -> str:
    """Return how a question with too many arguments counts dice."""
    match node.arguments:
        case Compared(left, "=") as first, *more if all(isinstance(each, Number) for each in more):
            values = " or ".join(map(format_name, (first.right, *more)))
            return f"write count({format_name(left)} = {values})"
        case Number() as number, pool:
            return f"write count({format_name(pool)} = {format_name(number)})"
    return "write count(pool >= 8)"


def _own(node: Node) -> Iterator[Node]:
    """Yield the nodes of a condition that are in no question of their own."""
    yield node
    for child in () if isinstance(node, Question) else children(node):
        yield from _own(child)


def _divided(node: Node) -> Node:
    """Return the dice of whose faces the remainder is compared, as in ``pool % 2 = 0``; any other value as it is."""
    match node:
        case Chain(dice, (("%", Number()),)):
            return dice
    return node


def _truth(holds: int, at: int) -> Compared:
    return Compared(Number(1), "=", Number(int(holds)), at)


def _beside_it(node: Node) -> Iterator[Compared]:
    return (each for each in nodes(node) if isinstance(each, Compared))


def described(kind: Kind) -> str:
    """Return what a kind is called in an error."""
    return "a word" if isinstance(kind, tuple) else kind
