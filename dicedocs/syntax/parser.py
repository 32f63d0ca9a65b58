"""The parser: from text to tree. lark is imported only when the first text is parsed."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, located
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep
from dicedocs.syntax.ambiguity import Ambiguity, counts, first_ambiguity
from dicedocs.syntax.mistakes import Dialect, Kind
from dicedocs.syntax.modifiers import Success, check_kept, check_numbers, modifier_pattern
from dicedocs.syntax.notation_errors import ambiguous, missing_comparison, notation_error, unexpected_comparison
from dicedocs.syntax.tree import Compared, DiceTerm, Node, Number, Set, nodes

if TYPE_CHECKING:
    from lark import Lark

_CACHE_SIZE = 1024
_COMMENT: Final = re.compile(r"(?:[^\[\]#/]++|\[[^\[\]]*+\]|/(?![/*]))*+(?P<mark>#|//|/\*(?=[^*]*\*/\s*\Z))", re.DOTALL)
_OPERAND: Final = re.compile(r"[0-9(\[{+-]|[dD][0-9%]")
_COUNT: Final = re.compile(r"[0-9]+|\[[^\[\]]*\]")
_THROWN: Final = re.compile(rf"[({{+-]*\s*(?:{_COUNT.pattern})?[dD](?:[0-9%(\[{{]|[fF](?![^\W\d]))")


@limits.cached(_CACHE_SIZE)
def parse_expression(text: str, dialect: Dialect = "plain") -> Node:
    """Parse an Expression.

    Parameters:
        text: such as ``(2d6 + [Intelligence]) * 2 - [Target Defense] + 5``.
        dialect: what the text may have.

    Raises:
        NotationError: the text is not an Expression; the error holds the position and what was expected there.
        LimitError: the text is longer, deeper or larger than the limits allow.

    >>> parse_expression("2d6 + 3").rest
    (('+', Number(value=3)),)
    """
    tree = _parse(text, "Expression", dialect)
    if isinstance(tree, Compared):
        raise unexpected_comparison(text, dialect)
    return tree


@limits.cached(_CACHE_SIZE)
def parse_check(text: str, dialect: Dialect = "plain") -> Compared:
    """Parse a Check: two Expressions with one comparison between them.

    Parameters:
        text: such as ``1d20 + [Attack] >= [Target Defense]``.
        dialect: what the text may have.

    Raises:
        NotationError, LimitError: as for :func:`parse_expression`; the text is not a Check.

    >>> parse_check("5 - 8 = 0").op
    '='
    """
    tree = _parse(text, "Check", dialect)
    match tree:
        case Compared():
            return tree
        case DiceTerm(Number(1) as count, sides, (Success(condition),)):
            # One die succeeds where the comparison holds, so that both readings are the same.
            return Compared(DiceTerm(count, sides, at=tree.at), condition.op, Number(condition.number))
    if dialect == "plain":
        raise missing_comparison(text)
    raise missing_comparison(split_comment(text)[0], 1 if any(map(counts, nodes(tree))) else 10)


def split_comment(text: str) -> tuple[str, str]:
    """Return a text of the full notation without its comment, and the comment.

    A comment begins with ``#`` or ``//`` and ends with the text, or stands at the end in ``/*`` and ``*/``.

    >>> split_comment("2d6 [fire] + 3 # sneak attack")
    ('2d6 [fire] + 3', 'sneak attack')
    """
    match = _COMMENT.search(text) if "#" in text or "/" in text else None
    if match is None:
        return text, ""
    comment = text[match.end("mark") :].rstrip().removesuffix("*/" if match["mark"] == "/*" else "")
    return text[: match.start("mark")].rstrip(), " ".join(comment.split())


def failure_index(text: str, dialect: Dialect) -> int | None:
    """Return the index at which a text leaves the grammar; ``None`` when it is legal.

    Raises:
        DiceError: one of its terms is not legal.
    """
    try:
        parse(_lark(), text, dialect)
    except ParseError as error:
        return error.at
    return None


def _parse(text: str, kind: Kind, dialect: Dialect) -> Node:
    body = text
    try:
        with located(limits.TEXT.maximum):
            limits.TEXT.check(len(text))
        with located(too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
        if dialect == "notation":
            body = _without_comment(text, kind)
            check_numbers(body)
        tree = cast("Node", parse(_lark(), body, dialect))
        if dialect == "notation" and (found := first_ambiguity(body, tree, kind)) is not None:
            raise ambiguous(found, kind, _is_legal)
        _check_dice(tree)
    except ParseError as error:
        fails, legal = partial(failure_index, dialect=dialect), partial(_is_legal, dialect=dialect)
        raise notation_error(body, error.at, kind, fails, legal, dialect) from None
    except DiceError as error:
        error.text = text
        raise
    return tree


def _without_comment(text: str, kind: Kind) -> str:
    """Return a text without its comment.

    Raises:
        NotationError: the comment may be meant as something to roll, or to divide by.
    """
    body, comment = split_comment(text)
    mark = re.match("#|//", text[len(body) :].lstrip()) if body else None
    if mark is None:
        return body
    thrown = _THROWN.match(comment)
    as_comment = f"{body} /* {comment} */" if thrown else f"{body} # {comment}"
    if mark[0] == "//" and _OPERAND.match(comment):
        spellings = {"for a division": f"{body} / {comment}", "for a comment": as_comment}
    elif mark[0] == "#" and thrown and _COUNT.fullmatch(body):
        spellings = {f"for each of {body} rolls": _legal_start(comment), "for a comment": as_comment}
    elif mark[0] == "#" and thrown and _is_legal(comment, "Expression"):
        spellings = {"to add dice": f"{body} + {comment}", "for a comment": as_comment}
    else:
        return body
    at, hint = text.index(mark[0], len(body)), "begin a comment with a word"
    raise ambiguous(Ambiguity(at, f"'{mark[0]}' begins a comment", spellings, hint), kind, _is_legal)


def _legal_start(text: str) -> str:
    """Return a text up to where it leaves the grammar."""
    try:
        return text[: failure_index(text, "notation")].rstrip()
    except DiceError:
        return text


def _is_legal(text: str, kind: Kind, dialect: Dialect = "notation") -> bool:
    """Return whether a text is legal and has one meaning."""
    body = split_comment(text)[0] if dialect == "notation" else text
    if nesting_depth(body) > limits.NESTING.maximum:
        return False
    try:
        tree = cast("Node", parse(_lark(), body, dialect))
        _check_dice(tree)
    except (ParseError, DiceError):
        return False
    one_meaning = dialect == "plain" or first_ambiguity(body, tree, kind) is None
    return one_meaning and isinstance(tree, Compared) == (kind == "Check")


def _check_dice(tree: Node) -> None:
    """Refuse too many dice before they are thrown, as far as their number is written."""
    dice = 0
    for node in nodes(tree):
        check_chosen(node)
        if isinstance(node, DiceTerm) and isinstance(node.count, Number):
            dice += node.count.value
            with located(node.at):
                limits.DICE.check(dice, hint="throw fewer dice")


def check_chosen(node: Node) -> None:
    """Refuse dice or a set of which nothing is left."""
    match node:
        case DiceTerm(Number(count), modifiers=modifiers):
            check_kept(modifiers, count)
        case DiceTerm(modifiers=modifiers):
            check_kept(modifiers)
        case Set(members, modifiers):
            check_kept(modifiers, len(members) if len(members) > 1 else None)


@lru_cache(1)
def _lark() -> Lark:
    from dicedocs.syntax.tree_building import TreeBuilder

    return build_parser(notation_grammar(), TreeBuilder(), "plain", "notation")


def notation_grammar() -> str:
    """Return the grammar of the notation."""
    grammar = (Path(__file__).parent / "grammar.lark").read_text("utf-8")
    # A modifier follows its dice without a space.
    return grammar.replace('"MODIFIER"', rf"/(?<!\s)({modifier_pattern()})/")
