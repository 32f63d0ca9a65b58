"""What our directives share: a title, options that they read themselves, and prose."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id

from dicedocs.errors import quoted
from dicedocs_sphinx.block import Block, Found, put_right, wrong
from dicedocs_sphinx.nodes import TITLE
from dicedocs_sphinx.options import Head, Option
from dicedocs_sphinx.places import real_place
from dicedocs_sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME: Final = re.compile(r"[a-z0-9-]+")
_PLAIN: Final = re.compile(r"(?:[^\W_]|[ ,])+")


class BlockDirective(SphinxDirective):
    """A directive that declares no options, because it reads them itself."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = None
    referable: ClassVar[bool] = False
    """Whether Sphinx's own roles ``ref`` and ``numref`` find it by its name, as they find tables."""

    def block(self, head: Head) -> tuple[Block, dict[str, str]]:
        """Give what every directive of ours has, and the text of each option."""
        found: list[Found] = []
        options: dict[str, Option] = {}
        for option in head.options:
            if option.name in options:
                message = f"the option {quoted(option.name)} is written twice"
                found.append({**wrong(Problem.OPTION, message), "line": self._place(option.offset)[1]})
            else:
                options[option.name] = option
        for offset, text in head.malformed:
            message = f"{quoted(text)} is no option; write {':' if not head.yaml else ''}name: value"
            found.append({**wrong(Problem.OPTION, message), "line": self._place(offset)[1]})
        values = {name: option.value for name, option in options.items()}
        name = values.get("name", "")
        if "name" in values and not _NAME.fullmatch(name):
            message = f"{quoted(name)} is not a name; write small letters, digits and hyphens"
            found.append(wrong(Problem.OPTION, message, "name"))
            name = ""
        source, line = self._place(0)
        block = Block(
            name=name,
            shown=name,
            anchor="",
            title="",
            source=source,
            line=line,
            lines={name: self._place(option.offset)[1] for name, option in options.items()},
            written={name: option.written for name, option in options.items()},
            colon="" if head.yaml else ":",
            misread=found,
        )
        if source != os.path.abspath(self.env.doc2path(self.env.docname)):  # noqa: PTH100
            put_right(block)
        return block, values

    def fill(self, node: nodes.container, head: Head, block: Block, values: Mapping[str, str]) -> None:
        """Give a node its title, its prose, its classes and its address."""
        node.source, node.line = self.get_source_info()
        if head.title:
            node += self._title(head.title)
        node += self.parse_content_to_nodes()
        node["classes"] += _classes(values, block["misread"])
        if block["name"]:
            block["anchor"] = make_id(self.env, self.state.document, "dice", block["name"])
            node["ids"].append(block["anchor"])
            node["names"] += [block["name"]] if self.referable and head.title else []
            self.state.document.note_explicit_target(node)

    def _title(self, text: str) -> nodes.paragraph:
        # Parsing a title that holds no markup would take as long as all the rest.
        plain = _PLAIN.fullmatch(text)
        inline, messages = ([nodes.Text(text)], []) if plain else self.parse_inline(text)
        title = nodes.paragraph(text, "", *inline, classes=[TITLE])
        title.source, title.line = self.get_source_info()
        title += messages
        return title

    def _place(self, offset: int) -> tuple[str, int]:
        """Give the file and the line that stand so many lines below the directive's first."""
        return real_place(*self.state_machine.get_source_and_line(self.lineno + offset))


def _classes(values: Mapping[str, str], found: list[Found]) -> list[str]:
    text = values.get("class")
    if text is None:
        return []
    try:
        classes: list[str] = directives.class_option(text)
    except ValueError:
        found.append(wrong(Problem.OPTION, f"{quoted(text)} is no class", "class"))
        return []
    return classes
