"""Blocks as doctests, for ``sphinx-build -b doctest``: each is its own group, with a fresh namespace."""

from __future__ import annotations

import doctest

from sphinx.application import Sphinx

from dicedocs.errors import printable
from dicedocs.render.words import clean_lines, without_controls
from dicedocs_sphinx.blocks.base import is_mismatch
from dicedocs_sphinx.nodes import dice_block, dice_result


def note_doctest(node: dice_block, *, in_it: bool = False) -> None:
    """Make the result of a checked block a doctest, which Sphinx's builder finds in the doctree as it was read.

    Without an expectation there is no test, unless the block cannot be played or computed at all. Of a block that
    depends on something with a mistake there is none: that fails.

    Parameters:
        node: the block.
        in_it: whether there is a mistake in a block that belongs to it.
    """
    result = node[-1] if node.children else None
    if not isinstance(result, dice_result):
        return
    block = node.block
    issues = [each for each in block.issues if not each["elsewhere"]]
    result.attributes.pop("testnodetype", None)
    failure = next((each for each in issues if not (is_mismatch(each) and _is_writable(each["message"]))), None)
    if failure is None and (in_it or block.elsewhere() or not block.expect):
        return
    result["testnodetype"] = "doctest"
    result["groups"] = [block.label]
    # Three dots in what is printed are three dots.
    result["options"] = {doctest.ELLIPSIS: False}
    if failure:
        message = clean_lines(failure["message"])
        result["test"] = f">>> raise ValueError({message!r})\n{block.expect or 'an outcome'}\n"
    else:
        result["test"] = block.doctest(node["computed"])
    # The builder reports the node's line less one, plus the line in the test, counted from 1.
    line = issues[0]["line"] if issues else block.option_lines.get(block.expect_option, block.line)
    result.source, result.line = printable(block.source), line


def _is_writable(text: str) -> bool:
    """Return whether a text can be written to a file and a terminal: what a rule returns may be half a character."""
    return without_controls(text) == text


def setup_doctests(app: Sphinx) -> None:
    app.setup_extension("sphinx.ext.doctest")
