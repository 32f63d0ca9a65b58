"""The conformance tests: every fact of every game, by its id, is shown by a test.

``methuen.md`` states the facts of a game, one a line, and ``test_methuen.py`` shows them in tables. A row of
a table names the facts it shows, a call, and the expected result. A fact that no row can show has a test of
its own, or is listed with the reason. ``test_coverage.py`` fails for facts that are left. A new game adds two
such files and no line anywhere else. ``tests/systems`` tests what goes beyond the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import dicedocs as dd

from ..every import every

T = TypeVar("T", bound=Callable[..., None])
HERE: Final = Path(__file__).parent
STATEMENT: Final = re.compile(r"- (?P<id>[A-Z]{1,2}\d+)\. (?P<text>\S.*)")
DECISION: Final = re.compile(r"D[A-Z]\d+")


class Call(NamedTuple):
    """A call of a public function, made later."""

    play: Callable[..., dd.Outcome]
    arguments: tuple[Any, ...]
    named: Mapping[str, Any]

    def __call__(self) -> dd.Outcome:
        return self.play(*self.arguments, **self.named)

    def __str__(self) -> str:
        parts = [str(argument) for argument in self.arguments]
        parts += [f"{name}={value}" for name, value in self.named.items() if value != ""]
        return ", ".join(parts)


def _call(play: Callable[..., dd.Outcome], *arguments: Any, named: Mapping[str, Any]) -> Call:
    """Return a call; without a seed or dice it throws no dice, so that no test depends on chance."""
    return Call(play, arguments, {"dice": "", **named} if named.keys().isdisjoint({"seed", "dice"}) else named)


def roll_expression(expression: str, **named: Any) -> dd.Outcome:
    """Roll an Expression by the rules of Methuen."""
    return dd.play("methuen/expression", expression=expression, **named)


def make_check(check: str, **named: Any) -> dd.Outcome:
    """Make a Check by the rules of Methuen."""
    return dd.play("methuen/check", check=check, **named)


def roll(expression: str, **named: Any) -> Call:
    return _call(roll_expression, expression, named=named)


def check(check: str, **named: Any) -> Call:
    return _call(make_check, check, named=named)


def play(id: str, **named: Any) -> Call:
    return _call(dd.play, id, named=named)


class Expected(Protocol):
    """The expected result of a call, in a form that can be compared with the actual one."""

    def actual(self, call: Call) -> object:
        """Return the actual result of the call in the same form."""
        ...


class Facts(str):
    """Facts in canonical text."""

    __slots__ = ()

    def actual(self, call: Call) -> str:
        return call().facts(*(fact.partition("=")[0] for fact in self.split(", ")))


class StepValues(NamedTuple):
    """The values of steps, by label."""

    values: Mapping[str, object]

    def actual(self, call: Call) -> object:
        return StepValues({step.label: step.value for step in steps(call().steps()) if step.label in self.values})


class StepOperations(NamedTuple):
    """The operations of steps, by label."""

    operations: Mapping[str, str]

    def actual(self, call: Call) -> object:
        by_label = {step.label: step.operations for step in steps(call().steps()) if step.label in self.operations}
        return StepOperations({label: ", ".join(map(operation_text, of)) for label, of in by_label.items()})


def steps(of: Iterable[dd.Step]) -> Iterable[dd.Step]:
    """Yield steps, each followed by the steps of the mechanic that it played."""
    for step in of:
        yield step
        yield from steps(step.steps)


def operation_text(operation: dd.Operation) -> str:
    return "{} {} {} = {}".format(*operation)


class Raises:
    """An expected error: its class, parts of its message and hint, and the values of its attributes."""

    def __init__(self, error: type[dd.DiceError], *parts: str, **attributes: object) -> None:
        self.error = error
        self.parts = parts
        self.attributes = attributes

    def actual(self, call: Call) -> object:
        try:
            outcome = call()
        except dd.DiceError as error:
            text = f"{error.message}; {error.hint}"
            parts = self.parts if all(part in text for part in self.parts) else (text,)
            return Raises(type(error), *parts, **{name: getattr(error, name, None) for name in self.attributes})
        return outcome.facts()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Raises) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [self.error.__name__, *map(repr, self.parts), *(f"{k}={v!r}" for k, v in self.attributes.items())]
        return f"Raises({', '.join(parts)})"


class Row(NamedTuple):
    """A row of a table: the facts it shows, a call, and the expected result."""

    ids: tuple[str, ...]
    call: Call
    expected: Expected

    def actual(self) -> object:
        """Return the part of the actual result that something is expected of."""
        return self.expected.actual(self.call)

    def __str__(self) -> str:
        return f"{' '.join(self.ids)}: {self.call}"


def row(ids: str, call: Call, expected: Expected | str) -> Row:
    return Row(tuple(ids.split()), call, Facts(expected) if isinstance(expected, str) else expected)


class Game:
    """The facts of a game, and the tests that show each of them.

    Parameters:
        name: the name of the files: ``methuen.md`` beside ``test_methuen.py``.
        not_shown_by_code: the reasons why no code can show some facts, by id.
    """

    def __init__(self, name: str, not_shown_by_code: Mapping[str, str]) -> None:
        self.statements = read_facts(HERE / f"{name}.md")
        self.page = (HERE.parents[1] / "docs" / "rulebook" / f"{name}.md").read_text(encoding="utf-8")
        self.not_shown_by_code = not_shown_by_code
        self.shown: dict[str, list[str]] = {id: [] for id in self.statements}

    def group(self, *rows: Row) -> Callable[[T], T]:
        """Return a decorator that makes a test of one row a test of all; a failure names each that does not hold."""
        for row in rows:
            self._show(row.ids, f"{row} gives {row.expected}")
        return every("row", rows, ids=[str(row) for row in rows])

    def shows(self, ids: str) -> Callable[[T], T]:
        """Return a decorator that names the facts that a test without rows shows."""

        def note(test: T) -> T:
            self._show(ids.split(), test.__name__)
            return test

        return note

    def page_says(self, words: str) -> bool:
        """Return whether the rulebook page has these words, whatever its line breaks and its markup."""
        return words.casefold() in re.sub(r"[*_`\s]+", " ", self.page).casefold()

    def _show(self, ids: Iterable[str], by: str) -> None:
        for id in ids:
            if id not in self.shown:
                raise ValueError(f"{by}: there is no fact {id}")
            if by in self.shown[id]:
                raise ValueError(f"{by}: shows {id} twice")
            self.shown[id].append(by)

    def faults(self) -> list[str]:
        """Return a message for each fact that nothing shows, and for each other mistake in the tables."""
        excused = self.not_shown_by_code
        unshown = [id for id, by in self.shown.items() if not by and id not in excused]
        both = [id for id in excused if self.shown.get(id)]
        unknown = [id for id in excused if id not in self.statements]
        # One row is not enough for a decision: a second must show the other side.
        weak = [id for id, by in self.shown.items() if DECISION.fullmatch(id) and len(by) == 1]
        return [
            *(f"nothing shows {id}: {self.statements[id]}" for id in unshown),
            *(f"{id} is listed as not shown by code, and is shown: {self.shown[id][0]}" for id in both),
            *(f"{id} is listed as not shown by code, and there is no such fact" for id in unknown),
            *(f"one row alone shows the decision {id}: {self.statements[id]}" for id in weak),
        ]


def read_facts(path: Path) -> dict[str, str]:
    """Return the facts of a game by id, in order."""
    statements: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("- "):
            continue
        match = STATEMENT.fullmatch(line)
        if match is None:
            raise ValueError(f"{path.name}: not a fact with an id: {line}")
        if match["id"] in statements:
            raise ValueError(f"{path.name}: {match['id']} is stated twice")
        statements[match["id"]] = match["text"]
    return statements
