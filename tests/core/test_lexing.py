"""The lexer against lark's own: the same tokens, and the same position where a text leaves the grammar."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from lark import Lark, UnexpectedCharacters, UnexpectedToken

from dicedocs.expression import parser
from dicedocs.parsing import ParseError, parse
from dicedocs.probability.claims import parser as claims_parser

TEXTS = [row["text"] for row in json.loads((Path(__file__).parent / "notations.json").read_text("utf-8"))]
CLAIMS = [
    "mean=10.5, p(at least 13)=25.9%",
    "p(at least 13 | skill=3, text=a (b))=1/3 ± 0.1",
    "mean(total) * 2 - 1 <= 3",
]


def damaged(texts):
    """Texts, and the same with a character left out or put in."""
    draw = random.Random(1)
    for text in texts:
        yield text
        for _ in range(4):
            at = draw.randrange(len(text) + 1)
            yield text[:at] + draw.choice(["", "d", "+", "(", ")", " 3", "]", "!", "\n", "%"]) + text[at + 1 :]


@cache
def lark_parser(file, *starts):
    """The grammar with lark's lexer, and trees as lark builds them."""
    return Lark(Path(file).with_name("grammar.lark").read_text("utf-8"), parser="lalr", start=list(starts))


def tokens(lark, text, start):
    """The types, texts and positions of tokens; where a text fails, the position alone."""
    try:
        found = list(lark.parse_interactive(text, start).iter_parse())
        lark.parse(text, start)
    except UnexpectedCharacters as error:
        return error.pos_in_stream
    except UnexpectedToken as error:
        return len(text) if error.token.type == "$END" else error.token.start_pos
    return [(token.type, str(token), token.start_pos) for token in found]


@pytest.mark.parametrize(
    ("module", "starts", "texts"),
    [(parser, ("plain", "notation"), TEXTS), (claims_parser, ("claims", "sum"), CLAIMS)],
    ids=["notation", "claims"],
)
def test_the_tokens_are_those_of_lark(module, starts, texts):
    theirs = lark_parser(module.__file__, *starts)
    # Without callbacks, which may refuse a part of a text before the lexer sees the rest.
    ours = module._lark()
    bare = type(ours)(
        Path(module.__file__).with_name("grammar.lark").read_text("utf-8"),
        parser="lalr",
        lexer=ours.options.lexer,
        start=list(starts),
        transformer=SimpleNamespace(),
    )
    compared = 0
    for text in damaged(texts):
        for start in starts:
            expected = tokens(theirs, text, start)
            assert tokens(bare, text, start) == expected, text
            compared += isinstance(expected, list)
    assert compared > len(texts) / 2


def test_an_error_knows_where_the_text_ends():
    for text, at in [("2d6 + ", 6), ("2d6 + )", 6), ("2d6 $", 4)]:
        with pytest.raises(ParseError) as caught:
            parse(parser._lark(), text, "notation")
        assert caught.value.at == at


def test_a_number_with_its_sign_has_the_position_of_its_digits():
    assert parser.leaf_positions("2d6 +  3 - 12") == [0, 7, 11]
    assert parser.leaf_positions("2d6kh1 -3 + d4", "notation") == [0, 8, 12]
