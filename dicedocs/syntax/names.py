"""Names as tokens: a text that knows its names, the longest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Self

from dicedocs.errors import NotationError, ParameterError, quoted
from dicedocs.parsing import QUOTATION


class BoundText(str):
    """A text that knows its names.

    Parameters:
        text: the text.
        names: the name in trees of what may be written for it.
        is_event: whether it may begin with a value or a range, and leave out the sign between a name and a value.

    Attributes:
        commas: where the commas stand that join events.
    """

    __slots__ = ("commas", "is_event", "names")
    names: Mapping[str, str]
    is_event: bool
    commas: frozenset[int]

    def __new__(cls, text: str, names: Mapping[str, str], *, is_event: bool = False) -> Self:
        bound = super().__new__(cls, text)
        bound.names, bound.is_event = names, is_event
        bound.commas = frozenset(_joining_commas(text)) if is_event else frozenset()
        return bound

    def name_at(self, at: int) -> tuple[int, str] | None:
        """Return where the longest name that begins at a position ends, and its name in trees; ``None`` if none does.

        Raises:
            NotationError: it is a name, and its parts are names too.
        """
        found = self._match(at)
        if not found:
            return None
        written = found[0]
        for keyword in _KEYWORD.finditer(written):
            before = folded(written[: keyword.start()])
            if before in self.names and self._match(at + keyword.end()):
                whole, part = (f"'\"{folded(each)}\"'" for each in (written, before))
                message = f"ambiguous: {quoted(folded(written))} is a value"
                raise NotationError(message, at=at, hint=f"write {whole} or {part}, in double quotes")
        return found.end(), self.names[written if written in self.names else folded(written)]

    def quotation_at(self, at: int) -> int:
        """Return where a name ends that begins at a position in quotes, which may have quotes in it; 0 if none does."""
        found = self._match(at + 1) if self[at : at + 1] == '"' else None
        return found.end() + 1 if found and self[found.end() : found.end() + 1] == '"' else 0

    def _match(self, at: int) -> re.Match[str] | None:
        return _any_of(frozenset(self.names)).match(self, at) if self.names else None


_KEYWORD: Final = re.compile(r"(?i:\s(?:or|and|given)\s+)")


def folded(written: str) -> str:
    """Return what is written so that it equals whatever is the same for readers."""
    return " ".join(written.replace("_", " ").replace("’", "'").casefold().split())


def check_distinct(names: Iterable[str]) -> None:
    """Refuse names that are the same for readers.

    Raises:
        ParameterError: two of them are.

    >>> check_distinct(["Stamina", "stamina"])
    Traceback (most recent call last):
        ...
    dicedocs.errors.ParameterError: 'Stamina' and 'stamina' are the same name: capitals don't matter; rename one of them
    """
    first: dict[str, str] = {}
    for name in names:
        if (same := first.setdefault(folded(name), name)) != name:
            message = f"{quoted(same)} and {quoted(name)} are the same name: capitals don't matter"
            raise ParameterError(message, hint="rename one of them")


def find_name(written: str, names: Iterable[str]) -> str:
    """Return the name that a text means: the same one, or the only one but for capitals; the text if there is none.

    >>> find_name("heat", ["Heat", "vault"]), find_name("hp", ["HP", "Hp"]), find_name("best_two", ["best two"])
    ('Heat', 'hp', 'best two')
    """
    names = list(names)
    found = [name for name in names if folded(name) == folded(written)]
    return found[0] if len(found) == 1 and written not in names else written


def bound_names(written: Mapping[str, str]) -> dict[str, str]:
    """Return the names in trees by what may be written for each."""
    return {key: name for label, name in written.items() if label.strip() for key in (folded(label), label)}


def labelled_names(labels: Mapping[str, str]) -> dict[str, str]:
    """Return names by what may be written for each: the name with spaces, and the label that it was made from.

    Parameters:
        labels: the label of each name.

    >>> labelled_names({"foes_luck": "Foe's luck", "up": "Over the wall"})
    {'foes luck': 'foes_luck', "Foe's luck": 'foes_luck', 'up': 'up'}
    """
    made = {name: [label] * (parameter_name(label).casefold() == name.casefold()) for name, label in labels.items()}
    return {written: name for name, more in made.items() for written in (name.replace("_", " "), *more)}


def _joining_commas(text: str) -> Iterator[int]:
    """Yield where the commas are that join events, which stand in no call of a function."""
    calls: list[bool] = []
    for found in re.finditer(rf"{QUOTATION}|(?P<call>\w\s*)?\(|\)|,", text):
        if found[0] == "," and not (calls and calls[-1]):
            yield found.start()
        elif found[0].endswith("("):
            calls.append(bool(found["call"]))
        elif found[0] == ")" and calls:
            calls.pop()


@lru_cache(64)
def _any_of(labels: frozenset[str]) -> re.Pattern[str]:
    longest = sorted(labels, key=len, reverse=True)
    ways = "|".join(re.escape(label).replace(r"\ ", r"[\s_]+").replace("'", "['’]") for label in longest)
    return re.compile(rf"(?:{ways})(?!\w|[.'’]\w|\s*\()", re.IGNORECASE)


def parameter_name(written: str) -> str:
    """Return the name of a parameter or a fact that is written in a page; empty if nothing of it can be a name.

    >>> [parameter_name(written) for written in ("danger level", "Damage (avg.)", "foe's to-hit", "#")]
    ['danger_level', 'Damage_avg', 'foes_to_hit', '']
    """
    return "_".join(re.findall(r"[^\W_]+", re.sub(r"['’]", "", written)))
