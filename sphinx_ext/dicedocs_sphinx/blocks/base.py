"""What all blocks have in common: their data, the issues found in them, and the interface of a kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, TypedDict, TypeVar

from dicedocs.rules.reserved import DIRECTIVE_OPTIONS
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.source_locations import include_line_offset

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.character import CharacterBlock


class Issue(TypedDict):
    """Something wrong with a block.

    ``problem`` is the value of a :class:`Problem`, ``line`` is 0 as long as it is unknown, and ``option`` is empty if
    the issue is about the whole block.
    """

    problem: str
    message: str
    line: int
    option: str


class Block(TypedDict):
    """A directive as plain data.

    ``label`` is the name, or is made from the kind and the order in the page if the block has no name of its own.
    ``option_lines`` and ``option_texts`` hold the line of each option and its text there. ``syntax_issues`` were found
    while the directive was read; ``issues`` are all that the last check found.
    """

    kind: str
    name: str
    label: str
    anchor: str
    title: str
    source: str
    line: int
    option_lines: dict[str, int]
    option_texts: dict[str, str]
    colon: str
    syntax_issues: list[Issue]
    issues: list[Issue]


BlockT = TypeVar("BlockT", bound=Block)


def issue(problem: Problem, message: str, option: str = "", line: int = 0) -> Issue:
    """Return an issue; the message is a sentence without a full stop."""
    return Issue(problem=problem.value, message=message, line=line, option=option)


def is_mismatch(issue: Issue) -> bool:
    """Return whether only an expectation failed, so that the block can still be shown."""
    return Problem(issue["problem"]) is Problem.MISMATCH


def source_line(block: Block, line: int = 0) -> int:
    """Return a line of a block as numbered in its file; the block's own line if the line is not known for sure."""
    return _source_line(block, line, _line_offset(block))


def _line_offset(block: Block) -> int | None:
    return include_line_offset(block["source"], block["option_lines"], block["option_texts"])


def _source_line(block: Block, line: int, offset: int | None) -> int:
    return block["line"] if offset is None else (line or block["line"]) + offset


def locate_issues(block: Block, issues: list[Issue]) -> list[Issue]:
    """Return issues with their lines in the file, in the order of the lines."""
    if not issues:
        return []
    offset, lines = _line_offset(block), block["option_lines"]
    located: list[Issue] = [
        {**each, "line": _source_line(block, each["line"] or lines.get(each["option"], 0), offset)} for each in issues
    ]
    return sorted(located, key=lambda each: each["line"])


def fix_included_lines(block: Block) -> None:
    """Change the line numbers of a block in an included file to those of that file."""
    if offset := _line_offset(block):
        block["line"] += offset
        for name in block["option_lines"]:
            block["option_lines"][name] += offset
        for each in block["syntax_issues"]:
            each["line"] += offset if each["line"] else 0


class Facts(ABC):
    """What the role ``dice:fact`` reads from a block."""

    @abstractmethod
    def has(self, path: str) -> bool:
        """Return whether a path, such as ``total`` or ``dice.1``, begins with something of this block."""

    @abstractmethod
    def text(self, path: str) -> str:
        """Return a value as prose shows it, or raise a :class:`DiceError`."""

    def numbers(self) -> set[str] | None:
        """Return the numbers that the prose of the block may contain; None if they are not checked."""
        return None


class CheckResult(NamedTuple):
    """What a check found.

    ``computed`` is plain data that the block's output and its doctest need, None if there is nothing to show;
    ``notes`` are warnings that do not make the block wrong.
    """

    issues: list[Issue]
    computed: Any = None
    facts: Facts | None = None
    notes: tuple[Issue, ...] = ()


class BlockKind(ABC, Generic[BlockT]):
    """One kind of block; defining a subclass with a name registers it.

    ``options`` are those of its directive, taken from ``DIRECTIVE_OPTIONS`` if the core reserves them; otherwise an
    option hides a mechanic's parameter of the same name. ``expect_option`` is the option with the expectation.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[str, ...]]
    expect_option: ClassVar[str] = "expect"

    def __init_subclass__(cls, *, name: str = "", options: tuple[str, ...] = ()) -> None:
        if not name:
            return
        # A module that is imported again registers the same class again.
        if name in KINDS and repr(type(KINDS[name])) != repr(cls):
            raise TypeError(f"{name!r} is already the name of {type(KINDS[name])!r}")
        cls.name = name
        cls.options = DIRECTIVE_OPTIONS.get(name, options)
        KINDS[name] = cls()

    @abstractmethod
    def check(self, block: BlockT) -> CheckResult:
        """Check a block."""

    def mechanic(self, block: BlockT) -> str:
        """Return the id of the block's mechanic; empty if it has none."""
        return ""

    def system(self, block: BlockT) -> str:
        """Return the game that the block belongs to; empty if it belongs to none."""
        return self.mechanic(block).partition("/")[0]

    def character_refs(self, block: BlockT) -> Mapping[str, str]:
        """Return the options that refer to a character, with their texts."""
        return {}

    def resolve_characters(self, block: BlockT, characters: Mapping[str, CharacterBlock]) -> None:
        """Replace the references of a block by values of the named characters."""

    def facts(self, block: BlockT) -> Facts | None:
        """Return what ``dice:fact`` reads from a block that was checked before; None if that is unknown."""
        return None

    def shows(self, block: BlockT) -> Sequence[str]:
        """Return the ids of the rules that the block shows."""
        return ()

    def expectation(self, block: BlockT) -> str:
        """Return what the block says must come out; empty if it says nothing."""
        return ""

    def says_nothing(self, block: BlockT) -> bool:
        """Return whether the expectation of a block that passed holds whatever its rule does."""
        return False

    def corrected(self, block: BlockT) -> str:
        """Return the expectation with which a checked block holds, also of one that expects nothing; it may have lines.

        It is empty if there is none, or if the author has to say first that one is wanted.
        """
        return ""

    def figures(self, block: BlockT, computed: Any) -> dict[str, str]:
        """Return what a checked block shows, by name, to be compared with what it showed before a rule changed."""
        return {}

    def is_test(self, block: BlockT) -> bool:
        """Return whether pytest has an item for a checked block; without an expectation that item is skipped."""
        return bool(self.expectation(block))

    def doctest(self, block: BlockT, computed: Any) -> str:
        """Return the doctest of a checked block that has an expectation."""
        raise NotImplementedError


KINDS: Final[dict[str, BlockKind[Any]]] = {}
"""The kinds that were imported so far, by name."""
