"""The state of a scene, or of a character, as facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from dicedocs import ParameterError
from dicedocs.errors import quoted
from dicedocs.page_rules.outcome_conditions import OutcomeValues
from dicedocs.render.words import display_text
from dicedocs.rules.kinds import as_line
from dicedocs.rules.yes_and_no import TruthWords
from dicedocs.scenes.change import state_facts
from dicedocs.similar_words import near
from dicedocs.syntax.names import find_name
from dicedocs_sphinx.blocks.base import Facts


class StateFacts(Facts):
    """Values by name, and whether those with bounds are full: ``vault``, ``vault.full``, ``arlyn.Stress``.

    Parameters:
        texts: the text of each value.
        owner: the name of the character that has them; empty for a scene.
        words: the words of those that are yes or no.
    """

    def __init__(self, texts: Mapping[str, str], owner: str = "", words: TruthWords = MappingProxyType({})) -> None:
        self._owner, self._words = owner, words
        self._texts = texts
        self._facts = state_facts(texts)

    def names(self) -> Collection[str]:
        """Return the names of all facts."""
        return self._facts

    def has(self, path: str) -> bool:
        return self.canonical(path) in self._facts

    def canonical(self, path: str) -> str:
        return find_name(" ".join(path.split()), self._facts)

    def text(self, path: str) -> str:
        return display_text(self._find(path), self._words.get(self.canonical(path), ()))

    def value(self, path: str) -> str:
        return as_line(self._find(path))

    def track(self, path: str) -> str:
        """Return the text of a track or a value, with its bounds, or raise a :class:`DiceError`."""
        path = self.canonical(path)
        if path not in self._texts:
            raise ParameterError(f"there is no track {quoted(path)}", hint=near(path, self._texts))
        return self._texts[path]

    def values(self) -> OutcomeValues:
        return OutcomeValues(None, self._facts, self._words)

    def _find(self, path: str) -> int | str:
        path = self.canonical(path)
        if path not in self._facts:
            message = f"nothing in the scene is called {quoted(path)}"
            if self._owner:
                message = f"{quoted(self._owner)} has no {quoted(path)}"
            raise ParameterError(message, hint=near(path, self._facts))
        return self._facts[path]
