"""Misspelled directives: those that do not exist, and those and roles that a parser takes for something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from dicedocs.errors import quoted
from dicedocs.similar_words import near
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.directives.base import DIRECTIVES
from dicedocs_sphinx.directives.option_block import Fence, closing_line, read_fence
from dicedocs_sphinx.nodes import STATEMENT, TITLE, ancestors
from dicedocs_sphinx.source_locations import file_lines, node_location, paragraph_lines, source_location, text_line
from dicedocs_sphinx.statements import misread

_ROLES: Final = {
    "markdown": re.compile(r"\{\s*dice\s*:\s*(?P<name>[a-z]+)\s*\}(?P<behind>[‘’“”\"'´`]|\s*\Z)"),
    "rst": re.compile(r":\s*dice\s*:\s*(?P<name>[a-z]+)\s*:(?P<behind>[‘’“”\"'´`]|\s*\Z)"),
}
"""What looks like a role in the text that a parser leaves, with what stands behind it."""
_WRITTEN: Final = {"markdown": "{{dice:{}}}", "rst": ":dice:{}:"}
_RST_DIRECTIVE: Final = re.compile(r"\.\. dice:(?P<name>[a-z]+)::")
_RST_LINE: Final = re.compile(rf"^{_RST_DIRECTIVE.pattern}", re.MULTILINE)
_MARKDOWN_DIRECTIVE: Final = re.compile(r"[`~:]+\s*\{dice:(?P<name>[a-z]+)\}")
"""Of three backticks reStructuredText takes two for the start of code."""
_DIRECTIVE: Final = re.compile(r"\{dice:(?P<name>[a-z-]+)\}")
_FENCE_MARKS: Final = 3
_SPACED: Final = re.compile(r"\{dice:?")
_ONE_COLON: Final = re.compile(r"dice:(?P<kind>[a-z-]+):(?!:)")


class UnknownDirective(SphinxDirective):
    """A directive of the domain that does not exist; it states what is wrong, and shows nothing."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[None] = None

    def run(self) -> list[nodes.Node]:
        """Return the statement with similar names."""
        known = [f"dice:{kind}" for kind in self.env.domains["dice"].directives]
        message = with_hint(f"there is no directive {quoted(self.name)}", near(self.name, known))
        source, line = source_location(*self.state_machine.get_source_and_line(self.lineno))
        statement = misread(Problem.REFERENCE, message, source, line)
        place = nodes.comment()
        place[STATEMENT] = statement.data()
        return [place]


def one_colon(comment: nodes.comment) -> str:
    """Return the message about a comment that was meant to be one of our directives; empty if it was not."""
    match = _ONE_COLON.match(comment.astext())
    if match is None or match["kind"] not in DIRECTIVES:
        return ""
    kind = match["kind"]
    return f"'.. dice:{kind}:' with one colon is a comment; write '.. dice:{kind}::'"


class Misspelling(NamedTuple):
    """Something that a parser has taken for words or code: what is wrong with it, and the file and the line."""

    message: str
    source: str
    line: int


def misspellings(document: nodes.document, *, markdown: bool) -> Iterator[Misspelling]:
    """Yield the directives and roles in a page that its parser has taken for words or code.

    Parameters:
        document: the page.
        markdown: whether it is in Markdown; parts of it may be in reStructuredText all the same.
    """
    for text in document.findall(nodes.Text):
        if "dice" in text and not _in_code(text):
            source, line = node_location(text.parent, document)
            for message, written in _in_words(text, markdown=markdown):
                yield Misspelling(message, source, text_line(source, line, written))
    for code in document.findall(nodes.literal_block):
        source, line = source_location(code.source, code.line)
        if _SPACED.fullmatch(code.get("language", "")):
            name = "write the name of the directive without a space, as in {dice:example}"
            yield Misspelling(f"a fence with '{{dice: ' is code; {name}", source, line)
        elif markdown and "{dice:" in code.astext() and "source" not in code:
            yield from _in_shown_code(code.astext().split("\n"), source, line)
    if markdown:
        for paragraph in document.findall(nodes.paragraph):
            if "{dice:" in paragraph.astext():
                yield from _in_paragraph(paragraph, *node_location(paragraph, document))


def _in_words(text: nodes.Text, *, markdown: bool) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with roles and directives that were left in a text, each with how it is written.

    A title may have been made from anything.
    """
    if TITLE in text.parent.get("classes", ()):
        return
    literal = isinstance(text.parent, nodes.literal)
    following = text.next_node(descend=False, siblings=True, ascend=False)
    for markup, pattern in () if literal else _ROLES.items():
        for found in pattern.finditer(text):
            if found["behind"].strip() or isinstance(following, nodes.literal | nodes.title_reference):
                # Only reStructuredText has it; a page in Markdown may have parts that are in that.
                in_rst = not markdown or isinstance(following, nodes.title_reference)
                yield _wrong_role(found, markup, markdown=not in_rst), found[0].strip()
    if not markdown and not literal:
        # Had it a blank line above it, it would be none of the text.
        for glued in _RST_LINE.finditer(text):
            name = glued["name"]
            yield f"'.. dice:{name}::' is read as text; leave a blank line above it", glued[0]
    part = text.parent if literal else text
    if not (isinstance(part.parent, nodes.paragraph) and part.parent.index(part) == 0):
        return
    if not literal and (rst := _RST_DIRECTIVE.match(text)):
        name = rst["name"]
        yield f"'.. dice:{name}::' is for reStructuredText; in Markdown write ```{{dice:{name}}}", rst[0]
    if not markdown and (myst := _MARKDOWN_DIRECTIVE.match(text)):
        name = myst["name"]
        yield f"'{{dice:{name}}}' is for Markdown; in reStructuredText write '.. dice:{name}::'", myst[0]


def _wrong_role(found: re.Match[str], markup: str, *, markdown: bool) -> str:
    """Return what is wrong with a role that a parser has left in a text."""
    name, behind = found["name"], found["behind"]
    right = _WRITTEN[markup].format(name)
    role = found[0].removesuffix(behind)
    closed = behind == "`" and "`" in found.string[found.end() :]
    if markup == "markdown" and (closed or not markdown):
        return f"{quoted(right)} is for Markdown; in reStructuredText write {_WRITTEN['rst'].format(name)}"
    if markup == "rst" and markdown:
        return f"{quoted(right)} is for reStructuredText; in Markdown write {_WRITTEN['markdown'].format(name)}"
    if role != right:
        what = f"{quoted(role)} has a space in it"
    elif behind.isspace():
        what = f"{quoted(role)} has a space after it"
    elif not behind:
        what = f"{quoted(role)} needs one backtick on each side"
    elif behind == "`":
        what = f"{quoted(role + behind)} has no second backtick"
    else:
        what = f"{quoted(role + behind)} needs backticks, not quotation marks"
    return f"{what}; write {right}`…`"


def _in_paragraph(paragraph: nodes.paragraph, source: str, first: int) -> Iterator[Misspelling]:
    """Yield the lines of a paragraph in Markdown that were meant as fences of our directives."""
    text = paragraph.astext()
    for number, line in paragraph_lines(source, first):
        if not line.strip(" >"):
            break
        fence = read_fence(line, minimum=1)
        found = _DIRECTIVE.match(fence.info) if fence else None
        if not fence or not found or (fence.marks[0] == "`" and fence.marks in fence.info):
            continue
        marks, right = fence.marks, found[0]
        # Marks of code are no part of the text.
        if f"{marks if marks[0] != '`' else ''}{right}" not in text:
            continue
        if len(marks) < _FENCE_MARKS:
            message = f"{quoted(marks + right)} is not a fence; write ```{right}"
        elif marks[0] == ":":
            setting = "add 'colon_fence' to myst_enable_extensions"
            message = f"{quoted(marks + right)} is not a fence in this book; {setting}, or write ```{right}"
        elif "`" in fence.info:
            message = f"a fence of backticks cannot have backticks in its title; write ~~~{right}"
        else:
            continue
        yield Misspelling(message, source, number)


def _in_shown_code(code: list[str], source: str, first: int) -> Iterator[Misspelling]:
    """Yield what was surely not meant to be shown as code: an example with too many spaces, or below an open fence."""
    lines = file_lines(source)
    line = lines[first - 1] if 0 < first <= len(lines) else ""
    outer = read_fence(line)
    inner = [(index, fence) for index, each in enumerate(code) if (fence := read_fence(each)) and _is_ours(fence)]
    if not inner:
        return
    index, fence = inner[0]
    shown = quoted(f"{fence.marks}{fence.info.partition('}')[0]}}}")
    if index == 0 and line.lstrip(" >") == code[0].strip():
        spaces = "is indented by four spaces, so it is shown as code; remove the spaces"
        yield Misspelling(f"{shown} {spaces}", source, first)
    elif outer and lines[first + index : first + index + 1] and fence.marks in lines[first + index]:
        number = first + index + 1
        if fence.marks.startswith(outer.marks):
            message = f"{shown} is shown as code; close the fence that begins in line {first}"
            yield Misspelling(message, source, number)
        elif closing_line(lines, first) is None:
            message = f"this fence is not closed, so {shown} in line {number} is shown as code"
            yield Misspelling(f"{message}; close it with {outer.marks}", source, first)


def _is_ours(fence: Fence) -> bool:
    return _DIRECTIVE.match(fence.info) is not None


def _in_code(text: nodes.Text) -> bool:
    return any(isinstance(each, nodes.FixedTextElement) for each in ancestors(text))
