"""The parser: from text to tree. lark is imported only when the first text is parsed."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, located
from dicedocs.expression.mistakes import Dialect, Kind
from dicedocs.expression.modifiers import Success, modifier_pattern, written_modifier
from dicedocs.expression.notation_errors import missing_comparison, notation_error, unexpected_comparison
from dicedocs.expression.tree import Chain, Compared, DiceTerm, Labelled, Negation, Node, Number, nodes
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep

if TYPE_CHECKING:
    from lark import Lark

_CACHE_SIZE = 1024
_COMMENT: Final = re.compile(r"(?:[^\[\]#/]|\[[^\[\]]*\]|/(?![/*]))*(?P<mark>#|//|/\*(?=[^*]*\*/\s*\Z))", re.DOTALL)
_OPERAND: Final = re.compile(r"[0-9(\[{+-]|[dD][0-9%]")


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
        case DiceTerm(Number(1) as count, Number() as sides, (Success(condition),)):
            # One die succeeds where the comparison holds, so that both readings are the same.
            return Compared(DiceTerm(count, sides, at=tree.at), condition.op, Number(condition.number))
    _check_counts(text, tree, alone=False)
    raise missing_comparison(text)


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
            body = _without_comment(text)
        tree = cast("Node", parse(_lark(), body, dialect))
        if dialect == "notation":
            _check_counts(body, tree, alone=True)
        _check_dice(tree)
    except ParseError as error:
        raise notation_error(body, error.at, kind, lambda text: failure_index(text, dialect), dialect) from None
    except DiceError as error:
        error.text = text
        raise
    return tree


def _without_comment(text: str) -> str:
    body, comment = split_comment(text)
    if body and text[len(body) :].lstrip()[:1] == "/" and _OPERAND.match(comment):
        hint = f"for a division write '{body} / {comment}', for a comment '{body} # {comment}'"
        raise NotationError("'//' begins a comment", at=text.index("//", len(body)), hint=hint)
    return body


def _check_counts(body: str, tree: Node, *, alone: bool) -> None:
    """Refuse a comparison that may count dice, or else compare what the dice are part of.

    Parameters:
        alone: whether dice that stand alone are clear: they are counted.

    Raises:
        NotationError: it may be either; the hint has both spellings.
    """
    match tree:
        case Compared(left, _, right):
            _check_counts(body, left, alone=True)
            _check_counts(body, right, alone=True)
        case Labelled(value):
            _check_counts(body, value, alone=alone)
        case Negation(operand):
            _check_counts(body, operand, alone=False)
        case Chain():
            for operand in tree.operands:
                _check_counts(body, operand, alone=False)
        case DiceTerm(modifiers=(*_, Success() as last)) if not alone:
            at = last.at
            end = at + len(written_modifier(body, at))
            condition = body[at:end]
            number = condition.lstrip("<>!=")
            counted = (
                f"{body} >= 1"
                if body == body[tree.at : end]
                else f"{body[: tree.at]}({body[tree.at : end]}){body[end:]}"
            )
            compared = f"{body[:at]} {condition.removesuffix(number)} {number}{body[end:]}"
            hint = f"to count dice write '{counted}', to compare write '{compared}'"
            raise NotationError("ambiguous: this could count dice or compare", at=at, hint=hint)


def _check_dice(tree: Node) -> None:
    """Refuse too many dice before they are thrown, as far as their number is written."""
    dice = 0
    for node in nodes(tree):
        if isinstance(node, DiceTerm) and isinstance(node.count, Number):
            dice += node.count.value
            with located(node.at):
                limits.DICE.check(dice, hint="throw fewer dice")


@lru_cache(1)
def _lark() -> Lark:
    from dicedocs.expression.tree_building import TreeBuilder

    grammar = (Path(__file__).parent / "grammar.lark").read_text("utf-8")
    # A modifier follows its dice without a space.
    grammar = grammar.replace('"MODIFIER"', rf"/(?<!\s)({modifier_pattern()})/")
    return build_parser(grammar, TreeBuilder(), "plain", "notation")
