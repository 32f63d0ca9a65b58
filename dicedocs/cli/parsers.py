"""How the words of the command are read: options in any place, and texts that begin with a minus."""

from __future__ import annotations

import argparse
import re
import sys
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from dicedocs.errors import printable
from dicedocs.similar_words import near

_INVALID_CHOICE: Final = re.compile(r"invalid choice: '(?P<choice>[^']*)' \(choose from (?P<known>.*)\)")
_LONG: Final = re.compile("--[a-z]")
"""How an option begins, also one that does not exist; ``--3`` is notation."""
_REST: Final = "--"
_SHORT: Final = len("-c")


class Parser(argparse.ArgumentParser):
    """A parser that suggests the name that was meant."""

    def error(self, message: str) -> NoReturn:
        # As newer Pythons do by themselves.
        if found := _INVALID_CHOICE.search(message):
            hint = near(found["choice"], re.findall(r"[\w-]+", found["known"]))
            message = f"{message}; {hint}" if hint else message
        super().error(printable(message))


class CommandParser(Parser):
    """The parser of a subcommand, whose options and other words may stand in any order.

    A word such as ``-3+5`` is no option, and behind ``--`` none is.
    """

    def __init__(self, *words: Any, **settings: Any) -> None:
        self._takes_value: dict[str, bool] = {}
        super().__init__(*words, **settings)

    def add_argument(self, *words: Any, **settings: Any) -> argparse.Action:
        """Add an argument; one that is added to a group is not known here."""
        action = super().add_argument(*words, **settings)
        self._takes_value |= dict.fromkeys(action.option_strings, action.nargs != 0)
        return action

    def parse_known_args(  # type: ignore[override]  # typeshed has an overload for each type of namespace
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """Parse words, the options first, each with its value, and all others behind ``--``."""
        left = deque(sys.argv[1:] if args is None else args)
        options, others = list[str](), list[str]()
        while left:
            word = left.popleft()
            if word == _REST:
                others += left
                break
            if not self._is_option(word):
                others.append(word)
                continue
            if left and self._awaits_value(word) and left[0] != _REST and not self._is_option(left[0]):
                word += f"={left.popleft()}"
            options.append(word)
        return super().parse_known_args([*options, *([_REST, *others] if others else [])], namespace)

    def _is_option(self, word: str) -> bool:
        """Return whether a word is an option, also one that does not exist."""
        short = tuple(name for name, takes_value in self._takes_value.items() if takes_value and len(name) == _SHORT)
        return word in self._takes_value or bool(_LONG.match(word)) or word.startswith(short)

    def _awaits_value(self, word: str) -> bool:
        """Return whether the next word is the value of an option, which may be abbreviated."""
        meant = (takes_value for name, takes_value in self._takes_value.items() if name.startswith(word))
        return self._takes_value.get(word, any(meant))
