"""What a game says, as facts with ids, and the tables that show them.

``methuen.md`` states the facts of a game, one a line, and ``test_methuen.py`` shows them: in tables,
one test a group, of rows that name the facts they show, a call, and what is expected of it. What no
row can show has a test of its own, or is listed with the reason. ``test_coverage.py`` lists what is
left. A new game adds two such files and no line anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import pytest

import dicedocs as dd

T = TypeVar("T", bound=Callable[..., Any])
HERE: Final = Path(__file__).parent
STATEMENT: Final = re.compile(r"- (?P<id>[A-Z]{1,2}\d+)\. (?P<text>\S.*)")
DECISION: Final = re.compile(r"D[A-Z]\d+")
WIDTH: Final = 60


class Call(NamedTuple):
    """A call of a public function, made when it is asked for."""

    play: Callable[..., dd.Outcome]
    arguments: tuple[Any, ...]
    named: Mapping[str, Any]

    def __call__(self) -> dd.Outcome:
        return self.play(*self.arguments, **self.named)

    def __str__(self) -> str:
        said = [str(argument) for argument in self.arguments]
        said += [f"{name}={value}" for name, value in self.named.items() if value != ""]
        return ", ".join(said)


def _call(play: Callable[..., dd.Outcome], *arguments: Any, named: Mapping[str, Any]) -> Call:
    """Give a call that throws no dice but those it names: chance is never fresh here."""
    return Call(play, arguments, {"dice": "", **named} if named.keys().isdisjoint({"seed", "dice"}) else named)


def roll(expression: str, **named: Any) -> Call:
    return _call(dd.roll, expression, named=named)


def check(check: str, **named: Any) -> Call:
    return _call(dd.check, check, named=named)


def play(id: str, **named: Any) -> Call:
    return _call(dd.play, id, named=named)


class Expected(Protocol):
    """What is expected of a call, in a form that can be compared with what it gives."""

    def seen(self, call: Call) -> object:
        """Give the same of what the call gives."""
        ...


class Facts(str):
    """Facts in canonical text."""

    __slots__ = ()

    def seen(self, call: Call) -> str:
        return call().facts(*(fact.partition("=")[0] for fact in self.split(", ")))


class Tells(NamedTuple):
    """Values of steps, by label."""

    values: Mapping[str, object]

    def seen(self, call: Call) -> object:
        return Tells({step.label: step.value for step in steps(call().steps()) if step.label in self.values})


class Does(NamedTuple):
    """The arithmetic in steps, by label."""

    operations: Mapping[str, str]

    def seen(self, call: Call) -> object:
        done = {step.label: step.operations for step in steps(call().steps()) if step.label in self.operations}
        return Does({label: ", ".join(map(written, of)) for label, of in done.items()})


def steps(of: Iterable[dd.Step]) -> Iterable[dd.Step]:
    """Give steps, each followed by those of the mechanic that it played."""
    for step in of:
        yield step
        yield from steps(step.steps)


def written(operation: dd.Operation) -> str:
    return "{} {} {} = {}".format(*operation)


class Refused:
    """An error: its class, words of its message or its hint, and whatever else it says of itself."""

    def __init__(self, error: type[dd.DiceError], *says: str, **about: object) -> None:
        self.error = error
        self.says = says
        self.about = about

    def seen(self, call: Call) -> object:
        try:
            outcome = call()
        except dd.DiceError as error:
            said = f"{error.message}; {error.hint}"
            says = self.says if all(words in said for words in self.says) else (said,)
            return Refused(type(error), *says, **{name: getattr(error, name, None) for name in self.about})
        return outcome.facts()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [self.error.__name__, *map(repr, self.says), *(f"{k}={v!r}" for k, v in self.about.items())]
        return f"Refused({', '.join(parts)})"


class Row(NamedTuple):
    """A line of a table: the facts it shows, a call, and what is expected of it."""

    ids: tuple[str, ...]
    call: Call
    expected: Expected

    def seen(self) -> object:
        """Give what the call gives, as far as something is expected of it."""
        return self.expected.seen(self.call)

    def __str__(self) -> str:
        return f"{' '.join(self.ids)}: {self.call}"


def row(ids: str, call: Call, expected: Expected | str) -> Row:
    return Row(tuple(ids.split()), call, Facts(expected) if isinstance(expected, str) else expected)


class Game:
    """The facts of a game, and what shows each of them.

    Parameters:
        name: of the files: ``methuen.md`` beside ``test_methuen.py``.
        not_shown_by_code: why no code can show a fact, by id.
    """

    def __init__(self, name: str, not_shown_by_code: Mapping[str, str]) -> None:
        self.statements = read(HERE / f"{name}.md")
        self.not_shown_by_code = not_shown_by_code
        self.shown: dict[str, list[str]] = {id: [] for id in self.statements}

    def group(self, *rows: Row) -> Callable[[T], T]:
        """Make a test that takes a ``row`` run for each of these."""
        for one in rows:
            self._show(one.ids, f"{one} gives {one.expected}")
        return pytest.mark.parametrize("row", [pytest.param(one, id=str(one)[:WIDTH]) for one in rows])

    def shows(self, ids: str) -> Callable[[T], T]:
        """Say which facts a test shows that has no rows."""

        def note(test: T) -> T:
            self._show(ids.split(), test.__name__)
            return test

        return note

    def _show(self, ids: Iterable[str], by: str) -> None:
        for id in ids:
            if id not in self.shown:
                raise ValueError(f"{by}: there is no fact {id}")
            if by in self.shown[id]:
                raise ValueError(f"{by}: shows {id} twice")
            self.shown[id].append(by)

    def faults(self) -> list[str]:
        """List the facts that nothing shows, and what else is wrong with the tables as a whole."""
        listed = self.not_shown_by_code
        unshown = [id for id, by in self.shown.items() if not by and id not in listed]
        both = [id for id in listed if self.shown.get(id)]
        unknown = [id for id in listed if id not in self.statements]
        # One row that holds says little of a decision: a second says what it is not.
        thin = [id for id, by in self.shown.items() if DECISION.fullmatch(id) and len(by) == 1]
        return [
            *(f"nothing shows {id}: {self.statements[id]}" for id in unshown),
            *(f"{id} is listed as not shown by code, and is shown: {self.shown[id][0]}" for id in both),
            *(f"{id} is listed as not shown by code, and there is no such fact" for id in unknown),
            *(f"one row alone shows the decision {id}: {self.statements[id]}" for id in thin),
        ]


def read(path: Path) -> dict[str, str]:
    """Read the facts of a game by id, in order."""
    statements: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("- "):
            continue
        found = STATEMENT.fullmatch(line)
        if found is None:
            raise ValueError(f"{path.name}: no fact with an id: {line}")
        if found["id"] in statements:
            raise ValueError(f"{path.name}: {found['id']} stands there twice")
        statements[found["id"]] = found["text"]
    return statements
