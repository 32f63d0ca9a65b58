"""The base of our directives, which reads the title, the options and the prose of a block."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id

from dicedocs import limits
from dicedocs.errors import LimitError, quoted
from dicedocs_sphinx.blocks.base import Block, in_included_file
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directive_head import Head, Option
from dicedocs_sphinx.directives.option_block import (
    closing_line,
    content_line,
    head_of,
    in_markdown,
    missed_option,
    open_fence,
    read_fence,
)
from dicedocs_sphinx.nodes import TITLE, dice_block, dice_mechanic, dice_result
from dicedocs_sphinx.source_locations import file_lines, source_location
from dicedocs_sphinx.statements import Issue, issue

_NO_MARKUP: Final = re.compile(r"(?:[^\W_]|[ ,])+")
_SCRIPT: Final = re.compile(r"\s*(?:javascript|vbscript|data):", re.IGNORECASE)
_DEPTH: Final = "dicedocs_depth"
"""The key of the temporary data of a page under which the number of blocks stands that are open."""


class BlockDirective(SphinxDirective):
    """A directive that makes a block; defining a subclass with the class of the block registers it.

    It declares no options to docutils, because it reads them itself. A subclass may set ``node``, the class of its
    node, ``css_class``, and ``xref_roles``, the roles of the domain that link to it.
    """

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = None
    block: ClassVar[type[Block]]
    node: ClassVar[type[dice_block]] = dice_block
    css_class: ClassVar[str]
    xref_roles: ClassVar[tuple[str, ...]] = ("ref",)

    def __init_subclass__(cls, *, block: type[Block] | None = None) -> None:
        if block is not None:
            cls.block = block
            cls.css_class = getattr(cls, "css_class", f"dice-{block.kind}")
            DIRECTIVES[block.kind] = cls

    @final
    def run(self) -> list[nodes.Node]:
        """Read the title and the options, make the block, and return a node with it and the parsed prose."""
        head = head_of(self)
        block, options = self._read_block(head)
        issues = list(block.syntax_issues)
        node = self.node(classes=[self.css_class, *_system_classes(block.system)])
        node.source, node.line = self.get_source_info()
        if block.title:
            node += self._title(block.title, issues)
        node += self._content(issues)
        node["classes"] += _classes(options, issues)
        if self.is_referable(self.config) and block.title and block.name:
            node["names"].append(block.name)
        node.block = replace(block, syntax_issues=issues, anchor=self._anchor(node, block.name))
        if isinstance(node, dice_mechanic):
            result = dice_result()
            result.source, result.line = node.source, node.line
            node += result
        return [node, *map(self._companion, self.companions(node.block))]

    @classmethod
    def is_referable(cls, _config: Config) -> bool:
        """Return whether Sphinx's own roles ``ref`` and ``numref`` find the block by its name, if it has a title."""
        return False

    def more_fields(self, _options: Mapping[str, str], _issues: list[Issue]) -> Mapping[str, Any]:
        """Return the fields of the block that its options do not say; what is taken of the content is in it no more.

        Parameters:
            options: the texts of the options.
            issues: gets what is wrong.
        """
        return {}

    def companions(self, block: Block) -> Iterable[Block]:
        """Return further blocks that this directive makes, each with a name; they have no words."""
        return ()

    def _companion(self, block: Block) -> nodes.Node:
        node = self.node(classes=[self.css_class])
        node.source, node.line = self.get_source_info()
        node.block = replace(block, anchor=self._anchor(node, block.name))
        return node

    def _anchor(self, node: dice_block, name: str) -> str:
        """Return the id of a block with a name, which its node now has."""
        if not name:
            return ""
        anchor = make_id(self.env, self.state.document, "dice", name)
        node["ids"].append(anchor)
        self.state.document.note_explicit_target(node)
        return anchor

    def _read_block(self, head: Head) -> tuple[Block, dict[str, str]]:
        """Return the block with what is wrong with its options, and the text of each option."""
        issues: list[Issue] = []
        options: dict[str, Option] = {}
        for option in head.options:
            if option.name in options:
                message = f"the option {quoted(option.name)} is written twice; leave one of the two out"
                issues.append(issue(Problem.OPTION, message, line=self._location(option.offset)[1]))
            else:
                options[option.name] = option
        for offset, text in head.malformed:
            message = f"{quoted(text)} is not an option; write {':' if not head.yaml else ''}name: value"
            issues.append(issue(Problem.OPTION, message, line=self._location(offset)[1]))
        texts = {name: option.value for name, option in options.items()}
        if missed := missed_option(self):
            issues.append(issue(Problem.OPTION, missed[1], line=self._location(missed[0])[1]))
        fields = self.block.read(head.title, texts, issues)
        source, line = self._location(0)
        block = self.block(
            **fields,
            **self.more_fields(texts, issues),
            label=fields["name"],
            source=source,
            line=line,
            option_lines={name: self._location(option.offset)[1] for name, option in options.items()},
            option_texts={name: option.written for name, option in options.items()},
            colon="" if head.yaml else ":",
            syntax_issues=issues,
        )
        if source != os.path.abspath(self.env.doc2path(self.env.docname)):  # noqa: PTH100
            block = in_included_file(block)
        return block, texts

    def _content(self, issues: list[Issue]) -> list[nodes.Node]:
        """Return the parsed content; the parser would fail on blocks that are nested too deep."""
        data = self.env.temp_data
        depth: int = (data.get(_DEPTH) or 0) + 1
        data[_DEPTH] = depth
        try:
            limits.BLOCKS.check(depth, hint="take the inner ones out")
            return self._closed(self.parse_content_to_nodes(), issues)
        except LimitError as error:
            issues.append(issue(Problem.OPTION, str(error)))
            return []
        finally:
            data[_DEPTH] = depth - 1

    def _closed(self, content: list[nodes.Node], issues: list[Issue]) -> list[nodes.Node]:
        """Return the content of a fence; note an issue if it holds what is surely below a fence that is not closed."""
        fence = open_fence(self.content) if in_markdown(self) else None
        if fence is not None:
            line = self._location(content_line(self, fence))[1]
            inner = self.content[fence].strip()
            hint = "close the fence above it"
            if "dice:case" in inner:
                hint = f"write one more ` around the {self.block.kind} than around what it contains"
            message = f"{quoted(inner)} is inside this block; {hint}"
            issues.append(issue(Problem.OPTION, message, line=line))
            return content
        for heading in (part for node in content for part in node.findall(nodes.rubric)):
            if "level" in heading:
                message = f"the heading {quoted(heading.astext())} is inside this block; close the fence above it"
                issues.append(issue(Problem.OPTION, message, line=heading.line or 0))
                return content
        if in_markdown(self):
            source, line = self._location(0)
            lines = file_lines(source)
            opening = read_fence(lines[line - 1]) if line <= len(lines) else None
            if opening and self.name in opening.info and closing_line(lines, line) is None:
                message = f"the fence is not closed; write {opening.marks} below the {self.block.kind}"
                issues.append(issue(Problem.OPTION, message))
        return content

    def _title(self, text: str, issues: list[Issue]) -> nodes.paragraph:
        plain = _NO_MARKUP.fullmatch(text) is not None
        try:
            limits.TITLE.check(len(text), hint="move the rest into the body")
        except LimitError as error:
            issues.append(issue(Problem.OPTION, str(error)))
            text, plain = f"{text[: limits.TITLE.maximum]}…", True
        # Parsing a title without markup would take as long as all the rest.
        inline, messages = ([nodes.Text(text)], []) if plain else self.parse_inline(text)
        title = nodes.paragraph(text, "", *inline, classes=[TITLE])
        for link in list(title.findall(nodes.reference)):
            # docutils makes a link of every word that begins with a scheme; this one would run a script.
            if _SCRIPT.match(link.get("refuri", "")):
                link.replace_self(link.children)
        title.source, title.line = self.get_source_info()
        title += messages
        return title

    def _location(self, offset: int) -> tuple[str, int]:
        """Return the file and the line that is so many lines below the directive's first."""
        return source_location(*self.state_machine.get_source_and_line(self.lineno + offset))


DIRECTIVES: Final[dict[str, type[BlockDirective]]] = {}
"""The directives that were imported so far, by kind."""


def _system_classes(system: str) -> list[str]:
    """Return the class by which a stylesheet gives each game its own colours."""
    return [f"dice-system-{nodes.make_id(system)}"] if system else []


def _classes(options: Mapping[str, str], issues: list[Issue]) -> list[str]:
    text = options.get("class")
    if text is None:
        return []
    try:
        classes: list[str] = directives.class_option(text)
    except ValueError:
        issues.append(issue(Problem.OPTION, f"{quoted(text)} is not a class; begin it with a letter", "class"))
        return []
    return classes
