"""The value of a line of a rule in a page: the notation, with names, words, cases and questions about dice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, located, quoted
from dicedocs.parsing import QUOTATION, ParseError, build_parser, nesting_depth, parse, too_deep, unclosed_parentheses
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.ambiguity import first_ambiguity
from dicedocs.syntax.conditions import Paired, check_quotient
from dicedocs.syntax.foreign_words import CASE
from dicedocs.syntax.mistakes import token_at
from dicedocs.syntax.modifiers import check_numbers
from dicedocs.syntax.names import BoundText
from dicedocs.syntax.notation_errors import ambiguous, correction, suggestion
from dicedocs.syntax.parser import check_chosen, notation_grammar
from dicedocs.syntax.relations import COMPARE, KEYWORD, range_at
from dicedocs.syntax.tree import (
    IT,
    Cases,
    Chain,
    Compared,
    Group,
    Logic,
    Node,
    Number,
    Reference,
    children,
    format_name,
    nodes,
    position,
)

if TYPE_CHECKING:
    from lark import Lark

_SIGNS: Final = str.maketrans({"×": "*", "\u2212": "-", "÷": "/"})
_ADDED_CASE: Final = re.compile(
    r"\A\s*(?P<first>.*\bif\b[^,]*?)\s*,\s*(?P<added>\+[^,]*\bif\b[^,]*?)\s*,\s*(?P<rest>.*\S)",
    re.IGNORECASE | re.DOTALL,
)
_ADDED_ELSE: Final = re.compile(r"\b(?:else|otherwise)\s*(?P<added>\+.*)", re.IGNORECASE | re.DOTALL)
_LONE_SIGN: Final = re.compile(r"\b(?:or|and|but)\s+(?P<number>\+\s*[0-9]+)", re.IGNORECASE)
_CASE: Final = re.compile(r"\bif\b")
_OTHERWISE: Final = re.compile(r"\b(?:else|otherwise)\b")
_CONDITION: Final = re.compile(CASE)
_WORDS_BEFORE: Final = re.compile(r"(?:(?<!\w)[^\W\d_][\w'’-]*\s+)(?:\w[\w'’-]*(?:\s+|\Z)){0,8}\Z")
PLAY: Final = r"play\s+(?P<id>[\w-]+\/[\w-]+)"
"""What plays another rule, as a regular expression."""
_SETTINGS: Final = re.compile(rf"{PLAY}\s+with\b", re.IGNORECASE)
_PLAYED: Final = re.compile(rf"\s*\(?\s*(?P<rule>{PLAY})\b", re.IGNORECASE)
_PLAYS: Final = re.compile(
    r"""\s*(?P<play>(?:play|roll|use)\s+)?["“\[(]?(?P<id>[\w-]+/[\w-]+)["”\])]?\s*(?(play)(?:with\b|at\b|,)?|with\b)"""
    r"\s*\(?(?P<settings>[^()]*[^()\s])\)?\s*",
    re.IGNORECASE,
)
"""What plays a rule, with settings, in whatever signs."""
_SET_TO: Final = re.compile(
    rf"(?!{KEYWORD})(?P<name>[^\W\d_]\w*)(?:\s*(?:[=:]\s*|\s(?=[-+]?[0-9]))(?P<value>[-+]?\w+))?", re.IGNORECASE
)
"""A parameter with its value; alone it is yes."""
_SETTING: Final = re.compile(r"[^\W\d_][\w ]*=")
_SET_HINT: Final = "write what each parameter is set to, as in with stat = 2, adds = 1"
_CACHE_SIZE: Final = 1024
_HINTED: Final = 1000
"""The characters of a text of which the mistakes are looked for."""
_GLUED_MINUS: Final = re.compile(r"\w[-\u2212]\Z")
_ONE_SIDED: Final = re.compile(r"[0-9]+(?:[-+\u2212]\s|\s+[-+\u2212](?=\S))")
"""A number before a sign that has a space on one side: ``7+ bonus`` may be 7 or more, or a sum."""
_OPERATOR: Final = frozenset({"SIGN", "FACTOR", "COMPARE", "_IF", "AND", "_OR"})
"""What may follow a value."""


def parse_rule_value(text: str, names: Mapping[str, str] = MappingProxyType({}), *, is_event: bool = False) -> Node:
    """Parse a value or a condition.

    Parameters:
        text: what a line of a rule says behind its name, or a condition.
        names: the name in trees of each name and each word that may stand in it.
        is_event: whether it is an event of a claim.

    Raises:
        NotationError: the text is no value; the error holds the position and what was expected there.
        LimitError: the text is longer or deeper than the limits allow.

    >>> from dicedocs.syntax.tree import format
    >>> format(parse_rule_value("2d8 + 3 if critical, 1d8 + 3 if hits, else 0"))
    '2d8 + 3 if [critical], 1d8 + 3 if [hits], else 0'
    >>> format(parse_rule_value("count(pool >= 8) > 2 and not botched"))
    'count([pool] >= 8) > 2 and not [botched]'
    """
    return _parsed(text, tuple(names.items()), is_event)


@limits.cached(_CACHE_SIZE)
def _parsed(text: str, names: tuple[tuple[str, str], ...], is_event: bool) -> Node:
    try:
        longest = limits.CLAIMS if is_event else limits.TEXT
        with located(longest.maximum):
            longest.check(len(text))
        with located(too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
        check_numbers(text, "write {which}(pool, {name})")
        bound = BoundText(_plain(text), dict(names), is_event=is_event)
        tree = cast("Node", parse(_lark(), bound, "choice"))
        for node in nodes(tree):
            if isinstance(node, Logic) and node.name == "not" and isinstance(node.operands[0], Paired):
                node.operands[0].check(denied=True)
            if isinstance(node, Paired):
                node.check()
            check_chosen(node)
        if found := first_ambiguity(bound, tree, "Expression"):
            raise ambiguous(found, "Expression", lambda way, _: _failure_index(way, dict(names)) is None)
        _check_differences(tree, text, is_event=is_event)
        _check_signs(tree, bound)
    except ParseError as error:
        failure = _not_a_value(text, error, dict(names))
        if is_event and _CONDITION.search(text):
            failure.hint = "write given before a condition, as in p(total is 7 given lucky)"
            if _OTHERWISE.search(text):
                failure.hint = "give the value a name on a line of the rule, as in goal = 8 if open, else 10"
        raise failure from None
    except DiceError as error:
        error.text = text
        raise
    return tree


def _plain(text: str) -> str:
    """Return a text with the signs and the quotation marks of its grammar, each in its place."""
    return re.sub(QUOTATION, lambda found: f'"{found[0][1:-1]}"', text.translate(_SIGNS))


def _check_signs(tree: Node, text: str) -> None:
    """Refuse ``2 if hit, +1 if critical, else 0``: a value with a plus behind a comma is one that is added."""
    if lone := _LONE_SIGN.search(text):
        hint = f"write what the {lone['number']} is added to"
        raise NotationError(f"nothing stands before {quoted(lone['number'])}", at=lone.start("number"), hint=hint)
    first = tree.cases[0][0] if isinstance(tree, Cases) else None
    if isinstance(first, Chain) and first.is_sum and (more := _ADDED_ELSE.search(text)):
        base = format_name(Chain(first.first, first.rest[:-1]) if first.rest[1:] else first.first)
        hint = f"leave out the sign, or write ... else {base} + {more['added'].strip(' +')}"
        raise NotationError("ambiguous: the whole value, or what is added", at=more.start("added"), hint=hint)
    found = _ADDED_CASE.search(text) if isinstance(tree, Cases) else None
    if found:
        before, added, rest = found["first"], found["added"], found["rest"]
        hint = f"write ({before}, {rest}), {added} to add it, or leave out its sign"
        raise NotationError("ambiguous: one of the cases, or what is added", at=found.start("added"), hint=hint)


def _check_differences(node: Node, text: str, parent: Node | None = None, *, is_event: bool) -> None:
    """Refuse ``1-6`` without spaces where a value stands, and ``5 - 8`` with them where one is compared.

    So too ``luck-5`` as what something is equal to.
    """
    is_compared = isinstance(parent, Compared | Logic) or (is_event and parent is None)
    if is_event and parent is None:
        check_quotient(node)
    match node:
        case Chain(Number(low), (("-", Number(high)),)) if is_compared and 0 < low < high:
            hint = f"write {low}-{high} without spaces for a range, or ({low} - {high})"
            raise NotationError(f"{low} - {high} is below 0", at=position(node), hint=hint)
        case Chain(Number(low, at), (("-", Number(high, end)),)) if not isinstance(parent, Group):
            if end - at == len(str(low)) + 1:
                hint = f"write dice, as in {'1d' if low == 1 else '2d'}6, or ({low} - {high}) for a difference"
                raise NotationError(f"{low}-{high} is a range", at=at, hint=hint)
        case Chain(Number(low, at), (("+" | "-" as sign, other), *more)) if (
            is_compared or not (parent or more)
        ) and _is_one_sided(text, at, other):
            said, whole = f"{low}{sign}", f"{low} {sign} {format_name(other)} with spaces"
            hint = f"write {said} alone, or {whole}" if parent else f"write {format_name(other)} is {said}, or {whole}"
            raise NotationError(f"a space stands on one side of {quoted(sign)} only", at=at, hint=hint)
        case Chain(one, (("-", other),)) if _is_equal(parent, node) and _GLUED_MINUS.search(text[: position(other)]):
            first, last = format_name(one), format_name(other)
            hint = f"write {first} - {last} with spaces for the difference, or between {first} and {last}"
            raise NotationError(f"ambiguous: {first}-{last} may be a range", at=position(one), hint=hint)
    for child in children(node):
        _check_differences(child, text, node, is_event=is_event)


def _is_one_sided(text: str, at: int, other: Node) -> bool:
    """Return whether a sign behind a number has a space on one side; an unknown name behind it is another mistake."""
    return _ONE_SIDED.match(text, at) is not None and not (isinstance(other, Reference) and other.written)


def _is_equal(parent: Node | None, node: Node) -> bool:
    """Return whether a part of a condition is what something is equal to, or one of several such values."""
    return isinstance(parent, Logic) or (
        isinstance(parent, Compared) and parent.op in {"=", "!="} and node is parent.right
    )


def _not_a_value(text: str, error: ParseError, names: Mapping[str, str]) -> NotationError:
    found, is_behind = token_at(text, error.at), bool(error.expected & _OPERATOR) and "NUMBER" not in error.expected
    wanted = "an operator (+ - * / % = < >), 'if', 'and' or 'or'" if is_behind else "a value"
    hint = "write a number, a name, dice, or words in quotes there"
    if is_behind:
        hint = "write an operator before it, or leave it out; words that are a value stand in quotes"
    found_range = range_at(text, len(text) - len(text.lstrip()))
    if found_range and found_range.end() == len(text.rstrip()):
        hint = "write dice for a throw, as in 1d6, or what is compared, as in total is 5-6"
        return NotationError(f"{found_range[0]} is a range", text=text, at=found_range.start(), hint=hint)
    if not text.strip():
        hint = "write what it is, as in total = 2d6 + stat"
    elif error.at >= len(text.rstrip()) and unclosed_parentheses(text):
        wanted, hint = "')'", "close the parenthesis"
    elif "_SET" in error.expected:
        wanted, hint = "'='", value_hint(text, error.at, names) or _setting(text) or _SET_HINT
    elif error.expected == {"NAME"} and text[error.at : error.at + 1] not in {"+", "-"}:
        wanted, hint = "a parameter", _SET_HINT
    elif is_behind and _SETTINGS.search(text[: error.at]) and _SETTING.match(text, error.at):
        wanted, hint = "a comma", _SET_HINT
    elif played := _setting(text) or _played_alone(text, error.at):
        wanted, hint = "the end", played
    elif "AND" in error.expected and "_OR" not in error.expected:
        wanted, hint = "'and'", value_hint(text, error.at, names) or "write it as in between 3 and 5"
    else:
        if error.at >= len(text.rstrip()) and error.expected & {"_ELSE", "_IF"} and _CASE.search(text):
            wanted = "'else'" if "_ELSE" in error.expected else "'if'"
            hint = 'add an else: ..., else "miss"' if '"' in text else "add an else: ..., else 0"
        hint = value_hint(text, error.at, names) or hint
    return NotationError(f"expected {wanted}, found {found}", text=text, at=error.at, hint=hint)


def _setting(text: str) -> str:
    """Return how a rule is played with settings that stand behind it in other words; empty for any other line."""
    played = _PLAYS.fullmatch(text)
    settings = re.split(r"\s*(?:,|\band\b)\s*", played["settings"]) if played else []
    found = [each for setting in settings if (each := _SET_TO.fullmatch(setting))]
    if played is None or len(found) < len(settings) or not any(each["value"] for each in found):
        return ""
    said = ", ".join(f"{each['name']} = {(each['value'] or 'yes').lstrip('+')}" for each in found)
    return f"write play {played['id']} with {said}"


def _played_alone(text: str, at: int) -> str:
    """Return how a line is written that plays a rule, and has more behind it; empty for any other line."""
    played = _PLAYED.match(text)
    if played is None or at < played.end():
        return ""
    whole = text[played.start("rule") : at].rstrip(" ,)")
    rest = text[played.start("rule") + len(whole) :].lstrip(" )")
    space = " " * (rest[:1] not in {".", ","})
    if whole.endswith(" with"):
        return _SET_HINT
    return f"write step = {whole}, and on a line below step{space}{rest}" if rest else ""


def value_hint(text: str, at: int, names: Mapping[str, str]) -> str:
    """Return what the table of mistakes says of a text that is no value; empty if that is nothing.

    Parameters:
        text: the text.
        at: where it fails, or where a name begins that nothing has.
        names: the names that it may have.
    """
    if len(text) > _HINTED:
        return ""
    fails = partial(_failure_index, names=names)
    for start in dict.fromkeys((_unknown_words(text, at, names), at)):
        if hint := suggestion(text, start, fails, lambda way, _: fails(way) is None):
            return hint
    return ""


def corrected_value(text: str, names: Mapping[str, str]) -> str:
    """Return a value or a condition as it is written in the language; empty if that is not known.

    >>> corrected_value("total is half skill or less", {"total": "total", "skill": "skill"})
    'total is skill / 2 or less'
    """
    fails = partial(_failure_index, names=names)
    try:
        at = fails(text)
        return text if at is None else correction(text, at, fails)
    except DiceError:
        return ""


def _failure_index(text: str, names: Mapping[str, str]) -> int | None:
    """Return where a text leaves the language, or has a name that nothing has; ``None`` if it is a value."""
    bound = BoundText(_plain(text), names)
    try:
        tree = cast("Node", parse(_lark(), bound, "choice"))
    except ParseError as error:
        return _unknown_words(text, error.at, names)
    known = {*names.values(), *TYPED_TRUTHS, IT.name}
    unknown = (each.at for each in nodes(tree) if isinstance(each, Reference) and each.name not in known)
    return min(unknown, default=None)


def _unknown_words(text: str, at: int, names: Mapping[str, str]) -> int:
    """Return where the words begin that end at a place of a text and are no name; the place if there are none."""
    bound, words = BoundText(text, names), _WORDS_BEFORE.search(text[:at])
    start = words.start() if words else at
    while start < at:
        known = bound.name_at(start)
        keyword = re.compile(rf"{KEYWORD}|[0-9]+\b").match(text, start)
        if not (known or keyword):
            return start
        start = known[0] if known else keyword.end() if keyword else at
        start += len(text[start:at]) - len(text[start:at].lstrip())
    return at


@lru_cache(1)
def _lark() -> Lark:
    from dicedocs.syntax.binding import BindingLexer
    from dicedocs.syntax.rule_tree_building import RuleTreeBuilder

    more = (Path(__file__).parent / "rule_values.lark").read_text("utf-8")
    more = (
        more.replace("/COMPARE/", f"/{COMPARE}/")
        .replace("/PLAY/", f"/{PLAY}/")
        .replace("KEYWORD", f"(?:{KEYWORD})")
        .replace("QUOTATION", QUOTATION)
    )
    return build_parser(notation_grammar() + more, RuleTreeBuilder(), "choice", lexer=BindingLexer)
