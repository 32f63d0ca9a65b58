"""The directive ``dice:example``: it reads what was written; a transform plays it."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id

from dicedocs.errors import near, quoted
from dicedocs_sphinx.nodes import TITLE, dice_example, dice_working
from dicedocs_sphinx.options import Head, Option, read_head
from dicedocs_sphinx.places import real_place
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.worked import OWN, Found, Worked, put_right, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME: Final = re.compile(r"[a-z0-9-]+")
_PLAIN: Final = re.compile(r"(?:[^\W_]|[ ,])+")
_HIDDEN: Final = ("steps", "call")


class ExampleDirective(SphinxDirective):
    """A worked example: the rule, its dice, what it gives, and the author's prose around it."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = None

    def run(self) -> list[nodes.Node]:
        """Give the example with its title and prose, and a place for what is computed."""
        head = read_head(self)
        example = dice_example(classes=["dice-example"])
        working = dice_working()
        source, line = self.get_source_info()
        for node in (example, working):
            node.source, node.line = source, line
        example["worked"] = worked = self._worked(head)
        if head.title:
            example += self._title(head.title)
        example += self.parse_content_to_nodes()
        example += working
        example["classes"] += self._classes(head, worked["misread"])
        if worked["name"]:
            worked["anchor"] = make_id(self.env, self.state.document, "dice", worked["name"])
            example["ids"].append(worked["anchor"])
            self.state.document.note_explicit_target(example)
        return [example]

    def _title(self, text: str) -> nodes.paragraph:
        # Parsing a title that holds no markup would take as long as all the rest.
        plain = _PLAIN.fullmatch(text)
        inline, messages = ([nodes.Text(text)], []) if plain else self.parse_inline(text)
        title = nodes.paragraph(text, "", *inline, classes=[TITLE])
        title.source, title.line = self.get_source_info()
        title += messages
        return title

    def _worked(self, head: Head) -> Worked:
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
        if "mechanic" not in values:
            hint = f"; {near('mechanic', values)}" if options else "; options stand directly below the first line"
            found.append(wrong(Problem.MECHANIC, f"no mechanic is named{hint}"))
        source, line = self._place(0)
        worked = Worked(
            name=name,
            shown=name,
            anchor="",
            title="",
            mechanic=values.get("mechanic", ""),
            parameters={name: value for name, value in values.items() if name not in OWN},
            seed=values.get("seed"),
            dice=values.get("dice"),
            expect=values.get("expect", ""),
            hide=_hidden(values, found),
            source=source,
            line=line,
            lines={name: self._place(option.offset)[1] for name, option in options.items()},
            written={name: option.written for name, option in options.items()},
            colon="" if head.yaml else ":",
            call="",
            misread=found,
            wrong=[],
        )
        if source != os.path.abspath(self.env.doc2path(self.env.docname)):  # noqa: PTH100
            put_right(worked)
        return worked

    def _place(self, offset: int) -> tuple[str, int]:
        """Give the file and the line that stand so many lines below the directive's first."""
        return real_place(*self.state_machine.get_source_and_line(self.lineno + offset))

    def _classes(self, head: Head, found: list[Found]) -> list[str]:
        text = next((option.value for option in head.options if option.name == "class"), None)
        if text is None:
            return []
        try:
            classes: list[str] = directives.class_option(text)
        except ValueError:
            found.append(wrong(Problem.OPTION, f"{quoted(text)} is no class", "class"))
            return []
        return classes


def _hidden(values: Mapping[str, str], found: list[Found]) -> list[str]:
    """Give which parts are left out."""
    words = values.get("hide", "").replace(",", " ").split()
    for word in words:
        if word not in _HIDDEN:
            message = f"{quoted(word)} cannot be hidden; {near(word, _HIDDEN)}"
            found.append(wrong(Problem.OPTION, message, "hide"))
    return [word for word in _HIDDEN if word in words]
