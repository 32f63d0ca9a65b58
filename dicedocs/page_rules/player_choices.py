"""Lines at which a player chooses: ``again = choose(yes, no) if left > 0, else no``, and how a choice is made there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.axis import find_bounds
from dicedocs.page_rules.rule_steps import CHOICE, Assign, Repeat, Step
from dicedocs.rules.kinds import spaced
from dicedocs.syntax.decisions import Choice, bare_ways, known_way, way_text
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import Part, Text, node_name, read_part
from dicedocs.syntax.rule_names import Named, RuleNames
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Compared,
    DiceTerm,
    Group,
    Logic,
    Negation,
    Node,
    Number,
    Play,
    Question,
    Reference,
    Words,
    case_values,
    format_name,
    nodes,
    position,
    rebuild,
)


class Asked(NamedTuple):
    """What a line asks its player.

    Parameters:
        ways: the texts of what can be chosen.
        known: the names that are known there.
    """

    ways: tuple[str, ...]
    known: Mapping[str, Named]


def chooses(node: Node) -> bool:
    """Return whether a player chooses something in a value."""
    return _choice_in(node) is not None


def _choice_in(node: Node) -> Question | None:
    return next((each for each in nodes(node) if isinstance(each, Question) and each.name == "choose"), None)


def refuse_choice(part: Part) -> None:
    """Refuse a choice where none can be made."""
    if asked := _choice_in(part.tree):
        hint = "give it a line of its own, as in again = choose(yes, no)"
        raise part.error("choose() is no part of a value", asked.at, hint)


def check_choice(part: Part) -> None:
    """Refuse a choice that is a part of a value, or of a condition."""
    match part.tree:
        case Group(inner):
            check_choice(part._replace(tree=inner))
        case Cases(cases, otherwise):
            for value, condition in cases:
                refuse_choice(part._replace(tree=condition))
                check_choice(part._replace(tree=value))
            check_choice(part._replace(tree=otherwise))
        case Question("choose", options):
            if any(type(each) is Logic for each in options):  # a range is one too
                raise part.error("choose() needs commas between its ways", part.tree.at, "as in choose(yes, no)")
        case _:
            refuse_choice(part)


def ask(part: Part, name: str, names: RuleNames) -> tuple[Part, Asked]:
    """Return the value of a line that is named, which knows what its choice is called, and what it asks.

    Raises:
        RuleError: dice are thrown in its line, or what can be chosen is not known before.
    """
    thrown = next((each for each in nodes(part.tree) if isinstance(each, DiceTerm | Play)), None)
    if thrown is not None or any(isinstance(each, Question) and each.name == "roll" for each in nodes(part.tree)):
        at = thrown.at if thrown is not None else 0
        raise part.error("dice are thrown in a line with choose()", at, "throw them on a line above")
    ways: dict[str, None] = {}

    def asked(node: Node) -> Node:
        match node:
            case Group(inner):
                return asked(inner)
            case Cases(cases, otherwise):
                return Cases(tuple([(asked(value), condition) for value, condition in cases]), asked(otherwise))
            case Question("choose", options):
                texts = [_text_of(each, part) for each in options]
                if len({*texts}) < max(2, len(texts)):
                    hint = "write what can be chosen, as in choose(yes, no)"
                    raise part.error("choose() has no two different ways", node.at, hint)
                ways.update(dict.fromkeys(texts))
                return Question("choose", (Reference(ACTOR, CHOICE + name), *options), node.at)
        return node

    tree = asked(part.tree)
    return part._replace(tree=tree), Asked(tuple(ways), dict(names.known))


def _text_of(node: Node, part: Part) -> str:
    """Return the text of a way; a ``RuleError`` if it is not known before the rule is played."""
    way = way_of(node)
    if isinstance(node, Logic) and None not in (ways := [*map(way_of, node.operands)]):
        hint = f"write choose({', '.join(way_text(each) for each in ways if each is not None)})"
        raise part.error("commas separate what can be chosen", position(node), hint)
    if way is None:
        hint = 'choose words, and say on a line below what they mean: score = reserve if use = "reserve", else total'
        at = getattr(node, "at", 0)
        raise part.error(f"{quoted(format_name(node))} is neither yes, no, a number nor words in quotes", at, hint)
    return way_text(way)


def way_of(node: Node) -> bool | int | str | None:
    """Return a way; ``None`` for a value that is none."""
    match node:
        case Words(text):
            return text
        case Number(value):
            return value
        case Negation(Number(value)):
            return -value
        case Group(inner):
            return way_of(inner)
        case Compared(Number(1), "=", Number(value)):
            return bool(value)
    return None


def with_cases(steps: Sequence[Step], asked: Mapping[str, Asked], chosen: Mapping[str, Choice]) -> tuple[Step, ...]:
    """Return lines in which a choice that is known, given what the player sees, is a value of that.

    Raises:
        DiceError: it is none, or names what is not known there.
    """
    cases = {name: _read_case(choice, asked[name]) for name, choice in chosen.items() if choice.is_fixed}
    return tuple(_with_cases(steps, cases)) if cases else tuple(steps)


def _with_cases(steps: Sequence[Step], cases: Mapping[str, Node]) -> Iterator[Step]:
    for step in steps:
        match step:
            case Repeat(body=body):
                yield step._replace(body=tuple(_with_cases(body, cases)))
            case Assign(name=name, tree=tree) if name in cases:
                yield step._replace(tree=_decided(tree, cases[name]))
            case _:
                yield step


def _decided(node: Node, decided: Node) -> Node:
    if isinstance(node, Question) and node.name == "choose":
        how, *ways = node.arguments
        return Question("decided", (how, decided, *ways), node.at)
    return rebuild(node, lambda child: _decided(child, decided))


def _read_case(choice: Choice, asked: Asked) -> Node:
    """Return how a player chooses by what they see, as a value of the names that are known there."""
    text, words = choice.text, bare_ways(asked.ways)
    labels = {each.label: name for name, each in asked.known.items()} | {spaced(name): name for name in asked.known}
    try:
        part = read_part(Text((text,), (0,), 0), 0, text, bound_names({**words, **labels}))
        names = RuleNames({}, find_bounds, missing="a player knows only what stands above the choice")
        names.known |= asked.known
        names.check_no_dice(part)
        part = names.resolve(part._replace(tree=_with_words(part.tree, words)))
        names.kind_of(part.tree, part)
        for value in case_values(part.tree):
            way = way_of(value)
            known_way(choice.name, format_name(value) if way is None else way_text(way), asked.ways)
    except DiceError as error:
        error.parameter = error.parameter or choice.name
        raise
    return part.tree


def _with_words(node: Node, words: Mapping[str, str]) -> Node:
    """Return a value whose cases are ways where a bare word is one."""
    match node:
        case Cases(cases, otherwise):
            decided = tuple([(_with_words(value, words), condition) for value, condition in cases])
            return Cases(decided, _with_words(otherwise, words))
        case Group(inner):
            return Group(_with_words(inner, words))
        case Reference(name=name):
            word = next((word for word in words if node_name(word) == node_name(name)), None)
            return node if word is None else Words(word, node.at)
    return node
