"""Rules that a line of another one plays: which these are, what they are given, and which facts of them it can read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple, NoReturn, TypeAlias

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.page_rules.rule_steps import CHOICE
from dicedocs.page_rules.rule_walk import PlayOther, known_number, play_none
from dicedocs.parsing import QUOTATION
from dicedocs.rules import kinds
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param
from dicedocs.similar_words import near
from dicedocs.syntax.decisions import DecisionKind
from dicedocs.syntax.parts import Part, node_name
from dicedocs.syntax.ranges import OPEN, Range, enclosing
from dicedocs.syntax.rule_names import DICE, NUMBER, TRUTH, Kind, RuleNames, described
from dicedocs.syntax.rule_values import PLAY
from dicedocs.syntax.tree import (
    ACTOR,
    Cases,
    Compared,
    Group,
    Logic,
    Node,
    Play,
    Reference,
    Setting,
    Words,
    format_name,
    nodes,
    position,
)
from dicedocs.syntax.value_kinds import kind_in_conditions

_PLAY: Final = re.compile(rf"{QUOTATION}|\b{PLAY}", re.IGNORECASE)
FindRule: TypeAlias = Callable[[str], type[Mechanic]]
"""Returns the rule of an id, or raises a :class:`DiceError`."""


class Others(NamedTuple):
    """The other rules of a book, and those that are installed.

    Parameters:
        find: returns the one of an id.
        play: plays one.
    """

    find: FindRule
    play: PlayOther


NO_RULE: Final = "write the id of a rule or a table of the book, or of an installed rule"


def _find_none(id: str) -> NoReturn:
    raise DiceError(f"there is no rule {quoted(id)}", hint=NO_RULE)


NO_OTHERS: Final = Others(_find_none, play_none)


class ReadFact(NamedTuple):
    """A fact of a rule that is played, as lines read it.

    Parameters:
        kind: what it is.
        bounds: how low and how high it can be.
        may_be_none: whether it is a number that may be none.
    """

    kind: Kind
    bounds: Range = OPEN
    may_be_none: bool = False

    @property
    def type(self) -> Any:
        """Its type, as an outcome declares it."""
        if isinstance(self.kind, tuple):
            return Annotated[str, kinds.ChoiceKind(self.kind)]
        number: Any = Annotated[int, kinds.IntKind(*self.bounds)]
        return bool if self.kind == TRUTH else number | None if self.may_be_none else number


class Mention(NamedTuple):
    """Where a line names a rule that it plays.

    Parameters:
        row, at: the index of the line, and where in it the id stands.
        id: the id of the rule.
    """

    row: int
    at: int
    id: str


def find_plays(lines: Iterable[str]) -> list[Mention]:
    """Return where lines name the rules that they play.

    >>> find_plays(['mark = "play a/b"', "step = play road/step if hit, else 0"])
    [Mention(row=1, at=12, id='road/step')]
    """
    found = ((row, match) for row, text in enumerate(lines) for match in _PLAY.finditer(text))
    return [Mention(row, match.start("id"), match["id"]) for row, match in found if match["id"]]


def plays(node: Node) -> bool:
    """Return whether other rules are played in a value."""
    return any(isinstance(each, Play) for each in nodes(node))


def resolve_plays(part: Part, names: RuleNames, find: FindRule) -> Part:
    """Return a value in which rules are played, as :meth:`RuleNames.resolve` does; what they are given is settled.

    Raises:
        RuleError: there is no such rule, or it is not given what it takes.
    """

    def resolved(node: Node) -> Node:
        match node:
            case Play():
                return _given(node, _found(node, part, find), names, part)
            case Group(inner):
                return Group(resolved(inner))
            case Cases(cases, otherwise):
                decided = [(resolved(value), _own(condition, names, part)) for value, condition in cases]
                return Cases(tuple(decided), resolved(otherwise))
        return _own(node, names, part)

    return part._replace(tree=resolved(names.completed(part)))


def _own(node: Node, names: RuleNames, part: Part) -> Node:
    return names.resolved(part._replace(tree=node)).tree


def _found(play: Play, part: Part, find: FindRule) -> type[Mechanic]:
    try:
        return find(play.id)
    except DiceError as error:
        raise part.error(error.message, play.at, error.hint) from None


def read_facts(played: Play, part: Part, find: FindRule) -> dict[str, ReadFact]:
    """Return what a line can read of a rule that is played, by fact; the main one also by an empty name."""
    rule = _found(played, part, find)
    found = {name: fact for name, kind in rule.fact_kinds().items() if (fact := _read_fact(kind)) is not None}
    main = rule.result().main_fact
    return ({"": found[main]} if main in found else {}) | found


def _read_fact(kind: kinds.Kind) -> ReadFact | None:
    """Return a fact as lines read it; ``None`` for lists, and for text that may be anything."""
    read, is_all = kind_in_conditions(kind)
    if read == NUMBER:
        bounds = [Range(each.low, each.high) for each in kind.members if isinstance(each, kinds.IntKind)]
        return ReadFact(NUMBER, enclosing(bounds), not is_all)
    is_known = is_all and all(isinstance(word, str) for word in kind.words.values())
    return ReadFact(read) if is_known else None


def _given(play: Play, rule: type[Mechanic], names: RuleNames, part: Part) -> Play:
    """Return a rule that is played, with all that it is given: what stands behind ``with``, and what is handed on."""
    parameters = {node_name(name): field for name, field in rule.parameters().items()}
    given: dict[str, Setting] = {}
    for each in play.settings:
        name = node_name(each.name)
        if name not in parameters:
            message = f"{play.id} has no parameter {quoted(each.name)}"
            known = [kinds.spaced(one) for one in parameters]
            hint = near(kinds.spaced(name), known) or "leave it out"
            raise part.error(message, each.at, hint)
        if name in given:
            raise part.error(f"{quoted(each.name)} is set twice", each.at, "leave one of them out")
        for one in each.value.operands if isinstance(each.value, Logic) else ():
            if isinstance(one, Compared) and node_name(format_name(one.left)) in parameters.keys() - names.known:
                hint = "write a comma between what is set, as in with stat = 2, adds = 1"
                raise part.error(f"{quoted(format_name(one.left))} is a parameter", position(one), hint)
        given[name] = Setting(parameters[name].name, _fitting(each, parameters[name], play, names, part))
    for name, field in parameters.items():
        if name in given:
            continue
        if field.kind.undecided and name not in names.known:
            # Whoever plays the rule chooses what is chosen in it.
            ways = field.kind.ways if isinstance(field.kind, DecisionKind) else ()
            names.handed_on[name] = (*names.handed_on.get(name, ()), *ways)
            given[name] = Setting(field.name, Reference(ACTOR, CHOICE + name, play.at), play.at)
        elif name in names.parameters:
            names.read.add(name)
            handed_on = Setting(field.name, Reference(ACTOR, name, play.at), play.at)
            given[name] = Setting(field.name, _fitting(handed_on, field, play, names, part))
        elif name in names.known:
            label = names.known[name].label
            message = f"{quoted(label)} is a line here and a parameter of {play.id}, and only parameters are handed on"
            value = field.write(field.default) if not field.required else "..."
            raise part.error(message, play.at, f"write with {label} = {label}, or with {label} = {value}")
        elif field.required:
            message = f"{play.id} needs {quoted(kinds.spaced(name))}"
            raise part.error(message, play.at, f"write play {play.id} with {kinds.spaced(name)} = ...")
    return Play(play.id, tuple(given.values()), play.at)


def _fitting(setting: Setting, field: Param, play: Play, names: RuleNames, part: Part) -> Node:
    """Return what a parameter is set to, resolved; of words of the parameter, those."""
    value, label, at = setting.value, kinds.spaced(field.name), position(setting.value) or setting.at
    if isinstance(value, Reference):
        name, known = value.name, names.known.get(value.name)
        word = next((word for word in field.kind.words if node_name(word) == node_name(name)), None)
        if word is not None and known is not None and at != play.at:
            hint = f'write "{word}" in quotes for the word, or ({known.label}) for the value'
            raise part.error(f"ambiguous: {quoted(word)} is a name here, and a word of {label}", at, hint)
        if word is not None and known is None:
            value = Words(word, value.at)
        elif known is not None and known.kind == DICE and isinstance(field.kind, kinds.DiceSizesKind):
            names.read.add(name)
            return value
    tree = _own(value, names, part)
    kind = names.kind_of(tree, part)
    if field.kind.undecided and kind == TRUTH:
        tree, kind = Cases(((Words("yes"), tree),), Words("no")), ("yes", "no")
    if kind not in _taken(field.kind) and not (isinstance(kind, tuple) and _takes_words(field.kind)):
        written = format_name(value)
        message = f"{quoted(label)} of {play.id} is {field.kind.expects}, and {quoted(written)} is {described(kind)}"
        raise part.error(message, at, f"write with {label} = ...")
    number = known_number(tree) if kind == NUMBER else None
    for text in kind if isinstance(kind, tuple) else () if number is None else (str(number),):
        try:
            field.convert(text)
        except ParameterError as error:
            raise part.error(f"{label} of {play.id}: {error.message}", at, error.hint) from None
    return tree


def _taken(kind: kinds.Kind) -> set[Kind]:
    """Return what a parameter can be set to, beside words."""
    known: dict[type[kinds.Kind], Kind] = {kinds.IntKind: NUMBER, kinds.BoolKind: TRUTH, DecisionKind: NUMBER}
    return {known[type(each)] for each in kind.members if type(each) in known}


def is_truth(kind: kinds.Kind) -> bool:
    """Return whether a parameter can be set to yes or no, and to no number."""
    return _taken(kind) == {TRUTH}


def _takes_words(kind: kinds.Kind) -> bool:
    """Return whether a parameter can be set to words: some, or a text such as a notation."""
    return any(not isinstance(each, kinds.IntKind | kinds.BoolKind | kinds.NoneKind) for each in kind.members)


def joined_facts(each: Iterable[Mapping[str, ReadFact]]) -> dict[str, ReadFact]:
    """Return the facts that all of several rules have, of which one is played; one that is of two kinds is none."""
    first, *others = each
    return {
        name: joined
        for name, fact in first.items()
        if all(name in other for other in others)
        and (joined := _joined([fact, *(other[name] for other in others)])) is not None
    }


def _joined(facts: list[ReadFact]) -> ReadFact | None:
    kinds_of = {fact.kind for fact in facts}
    if all(isinstance(kind, tuple) for kind in kinds_of):
        return ReadFact(tuple(dict.fromkeys(word for fact in facts for word in fact.kind)))
    if len(kinds_of) > 1:
        return None
    bounds = enclosing([fact.bounds for fact in facts])
    return ReadFact(facts[0].kind, bounds, any(fact.may_be_none for fact in facts))
