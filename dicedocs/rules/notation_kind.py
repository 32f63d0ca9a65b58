"""The kind of a text that its mechanic parses, and what a form offers beside its box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from dicedocs.rules.kinds import Control, TextKind
from dicedocs.translation import word


class Snippet(NamedTuple):
    """A piece of notation that a form offers.

    Parameters:
        text: what is inserted.
        meaning: what it means, in a few words.
        replaces: the pattern of what it replaces where the text has it, as a regular expression; empty for nothing.
    """

    text: str
    meaning: str
    replaces: str = ""


class NotationKind(TextKind):
    """A text that its mechanic parses, such as an expression.

    Parameters:
        snippets: what a form offers to insert into the text.
        references: how the text names a resource, by the parameter that holds it: ``{"actor": "[{name}]"}``.
    """

    def __init__(self, snippets: Sequence[Snippet] = (), references: Mapping[str, str] = MappingProxyType({})) -> None:
        self.snippets = tuple(snippets)
        self.references = dict(references)

    def control(self) -> Control:
        made: Control = {"kind": "notation"}
        if self.snippets:
            made["snippets"] = [[text, word(meaning), replaces] for text, meaning, replaces in self.snippets]
        return made | {"references": self.references} if self.references else made

    def optional_control(self) -> Control:
        return self.control()
