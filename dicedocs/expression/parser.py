"""The parser: from text to tree. lark is imported only when the first text is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, NotationError
from dicedocs.expression.mistakes import Dialect, Kind
from dicedocs.expression.modifiers import read_modifier
from dicedocs.expression.notation_errors import missing_comparison, notation_error, unexpected_comparison
from dicedocs.expression.shapes import split_numbers, template_text, with_numbers
from dicedocs.expression.tree import (
    CheckTree,
    DiceTerm,
    Labelled,
    Modifier,
    Negation,
    Node,
    Number,
    Pool,
    Power,
    Product,
    Sum,
    Tree,
    format_modifier,
    leaves,
    plain,
)
from dicedocs.expression.tree_building import CALLBACKS, locate, number_index
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep
from dicedocs.rules.steps import Comparison

if TYPE_CHECKING:
    from lark import Lark, Token

_CACHE_SIZE = 1024


_ARITHMETIC: Final = re.compile(r"(?!.*([dD]66(?![0-9])|[0-9)\]]\s*\[))(?:[0-9dD+*/() -]|\[[^\[\]]*\])+", re.DOTALL)
"""A text that is likely to be plain; a d66, comparisons and labels mean something else in the full notation."""
_COMMENT: Final = re.compile(r"(?:[^\[\]#/]|\[[^\[\]]*\]|/(?![/*]))*(?P<mark>#|//|/\*(?=[^*]*\*/\s*\Z))", re.DOTALL)
_OPERAND: Final = re.compile(r"[0-9(\[{+-]|[dD][0-9%]")
_LEAVES: Final = frozenset({"NUMBER", "ADDEND", "RESOURCE", "DICE", "POOL", "HEAD", "TAIL"})
_COMPARISONS: Final = frozenset("<>=!")
_MANY: Final = re.compile("[0-9]{3}[dD]")
_FEW: Final = 300
"""The length of a text that cannot have too many dice, if no term has a hundred: 99 in every three characters."""


@lru_cache(_CACHE_SIZE)
def parse_expression(text: str, dialect: Dialect = "plain") -> Node:
    """Parse an Expression.

    Parameters:
        text: such as ``(2d6 + [Intelligence]) * 2 - [Target Defense] + 5``.
        dialect: what the text may have.

    Raises:
        NotationError: the text is not an Expression; the error holds the position and what was expected there.
        LimitError: the text is longer, deeper or larger than the limits allow.

    >>> parse_expression("2d6 + 3")
    Sum(first=DiceTerm(count=Number(value=2), sides=Number(value=6)), rest=(('+', Number(value=3)),))
    """
    tree = _parse(text, "Expression", dialect)
    if isinstance(tree, CheckTree):
        raise unexpected_comparison(text, dialect)
    return tree


@lru_cache(_CACHE_SIZE)
def parse_check(text: str, dialect: Dialect = "plain") -> CheckTree:
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
    if isinstance(tree, CheckTree):
        return tree
    if dialect == "notation":
        # One die succeeds where the comparison holds, so that both readings are the same.
        match tree:
            case Pool(Number(1) as count, Number() as sides, (Modifier("", op, int(number)),)):
                return CheckTree(DiceTerm(count, sides), cast("Comparison", op), Number(number))
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


def _parse(text: str, kind: Kind, dialect: Dialect) -> Tree:
    if len(text) > limits.TEXT.maximum:
        with locate(text, limits.TEXT.maximum):
            limits.TEXT.check(len(text))
    if text.count("(") + text.count("{") > limits.NESTING.maximum:
        with locate(text, too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
    body = text
    if dialect == "notation":
        body, comment = split_comment(text)
        if body and text[len(body) :].lstrip()[:1] == "/" and _OPERAND.match(comment):
            hint = f"for a division write '{body} / {comment}', for a comment '{body} # {comment}'"
            raise NotationError("'//' begins a comment", text=text, at=text.index("//", len(body)), hint=hint)
    try:
        tree = _parse_once(body, dialect)
    except ParseError as error:
        raise notation_error(body, error.at, kind, lambda text: failure_index(text, dialect), dialect) from None
    except (NotationError, LimitError) as error:
        error.text = text
        raise
    if dialect == "notation" and not _COMPARISONS.isdisjoint(text):
        _check_counts(text, tree, alone=True)
    _check_dice_count(text, tree, dialect)
    return tree


def _check_dice_count(text: str, tree: Tree, dialect: Dialect) -> None:
    """Refuse a plain tree with too many dice; those of others are counted when they are thrown."""
    if not _MANY.search(text) and len(text) < _FEW:
        return
    numbers = [
        leaf.count.value if type(leaf) is DiceTerm and type(leaf.count) is Number else 0 for leaf in leaves(tree)
    ]
    if sum(numbers) > limits.DICE.maximum and plain(tree):
        leaf = next(leaf for leaf, dice in enumerate(accumulate(numbers)) if dice > limits.DICE.maximum)
        with locate(text, leaf_positions(text, dialect)[leaf]):
            limits.DICE.check(sum(numbers), hint="throw fewer dice")


def _check_counts(text: str, tree: Tree, *, alone: bool) -> None:
    """Refuse a comparison that may count dice, or else compare what the dice are part of.

    Parameters:
        alone: whether dice that stand alone are clear: they are counted.

    Raises:
        NotationError: it may be either; the hint has both spellings.
    """
    parts: list[Tree] = [tree]
    while parts:
        part = parts.pop()
        while type(part) is Labelled or type(part) is Negation:
            part, alone = part[0], alone and type(part) is Labelled
        match part:
            case Sum(first, rest) | Product(first, rest):
                alone = False
                parts += [first, *(operand for _, operand in rest)]
            case Power(base, exponent):
                alone = False
                parts += [base, exponent]
            case Pool(_, _, modifiers) if not alone and modifiers and modifiers[-1].name == "":
                _refuse_count(text, part)


def _refuse_count(text: str, pool: Pool) -> None:
    body = split_comment(text)[0]
    for token in tokens(text, "notation"):
        if token.type == "MODIFIER" and read_modifier(token) == pool.modifiers[-1]:
            at, end = token.start_pos or 0, (token.start_pos or 0) + len(token)
            start = max(match.start() for match in re.finditer(r"(?<![\w\]])(?:[0-9]|\[[^\[\]]*\])*[dD]|\(", body[:at]))
            counted = f"{body[:start]}({body[start:end]}){body[end:]}"
            comparison = format_modifier(pool.modifiers[-1])
            digits = len(comparison.lstrip("<>=!"))
            compared = f"{body[:at]} {comparison[:-digits]} {comparison[-digits:]}{body[end:]}"
            if body == body[start:end]:
                counted = f"{body} >= 1"
            hint = f"to count dice write '{counted}', to compare write '{compared}'"
            raise NotationError("this may count dice, or compare", text=text, at=at, hint=hint)


def leaf_positions(text: str, dialect: Dialect = "plain") -> list[int]:
    """Return the position of each leaf of a plain text, in the order of :func:`~dicedocs.expression.tree.leaves`.

    >>> leaf_positions("2d6 + [Luck] * 3")
    [0, 6, 15]
    """
    return [number_index(token) for token in _leaf_tokens(text, dialect)]


def reference_positions(text: str, dialect: Dialect = "plain") -> list[int]:
    """Return the position of each reference of a legal text, from left to right.

    >>> reference_positions("2d[Size] + [Luck] * 3")
    [2, 11]
    """
    tokens = _leaf_tokens(text, dialect)
    return [(token.start_pos or 0) + at for token in tokens for at, c in enumerate(token) if c == "["]


def _leaf_tokens(text: str, dialect: Dialect) -> Iterator[Token]:
    return (token for token in tokens(text, dialect) if token.type in _LEAVES)


def tokens(text: str, dialect: Dialect) -> Iterator[Token]:
    """Yield the tokens of a legal text."""
    body = text if dialect == "plain" else split_comment(text)[0]
    return _lark().parse_interactive(body, dialect).iter_parse()


def _parse_once(text: str, dialect: Dialect) -> Tree:
    parts = split_numbers(text)
    if parts is not None:
        shape, numbers = parts
        known = _shape(shape, dialect)
        if known.met:
            template = known.template
            tree = None if template is None else with_numbers(template, numbers)
            if tree is not None:
                return tree
        known.met = True
    return _parse_by_grammar(text, dialect)


def _parse_by_grammar(text: str, dialect: Dialect) -> Tree:
    if dialect == "notation" and _ARITHMETIC.fullmatch(text):
        # The plain grammar has fewer rules and gives the same tree in half the time.
        with suppress(ParseError):
            return cast("Tree", parse(_lark(), text, "plain"))
    return cast("Tree", parse(_lark(), text, dialect))


class _Shape:
    """What texts have in common that differ only in their numbers.

    Attributes:
        met: whether a text of this shape was parsed; the first is not worth a template, since it may be the only one.
    """

    def __init__(self, shape: tuple[str, ...], dialect: Dialect) -> None:
        self._shape = shape
        self._dialect = dialect
        self.met = False

    @cached_property
    def template(self) -> Tree | None:
        """The tree of the shape; ``None`` for one that the grammar does not have."""
        try:
            return _parse_by_grammar(template_text(self._shape), self._dialect)
        except (ParseError, DiceError):
            return None


_shape = lru_cache(_CACHE_SIZE)(_Shape)


def failure_index(text: str, dialect: Dialect) -> int | None:
    """Return the index at which a text leaves the grammar; ``None`` when it is legal.

    Raises:
        DiceError: one of its terms is not legal.
    """
    try:
        _parse_once(text, dialect)
    except ParseError as error:
        return error.at
    return None


@lru_cache(1)
def _lark() -> Lark:
    return build_parser(Path(__file__).parent / "grammar.lark", "plain", "notation", **CALLBACKS)
