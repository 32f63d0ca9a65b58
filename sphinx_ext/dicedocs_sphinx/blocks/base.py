"""What all blocks have in common: their data, the issues found in them, and how one is read and checked."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeVar, final

from dicedocs import ParameterError
from dicedocs.errors import quoted
from dicedocs.page_rules.outcome_conditions import OutcomeValues
from dicedocs.rules.reserved import written_parameter
from dicedocs.rules.yes_and_no import TruthWords
from dicedocs.scenes.beat import Beat, Blank, Pieces, Values
from dicedocs.scenes.story import moved
from dicedocs.similar_words import near
from dicedocs_sphinx.blocks.named_values import KnownValues, Slot, Source, may_refer, names_in, read_slot
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.source_locations import include_line_offset
from dicedocs_sphinx.statements import Issue, Statement, issue

_NAME: Final = re.compile(r"[a-z0-9-]+")
BlockT = TypeVar("BlockT", bound="Block")


def is_mismatch(issue: Issue) -> bool:
    """Return whether only an expectation failed, so that the block can still be shown."""
    return Problem(issue["problem"]) is Problem.MISMATCH


def source_line(block: Block, line: int = 0) -> int:
    """Return a line of a block as numbered in its file; the block's own line if the line is not known for sure."""
    return _source_line(block, line, _line_offset(block))


def option_line(block: Block, option: str) -> int:
    """Return the line in its file where a block has an option."""
    return source_line(block, block.option_lines.get(option, 0))


def _line_offset(block: Block) -> int | None:
    return include_line_offset(block.source, block.kind, block.option_lines, block.option_texts)


def _source_line(block: Block, line: int, offset: int | None) -> int:
    return block.line if offset is None else (line or block.line) + offset


def locate_issues(block: Block, issues: Sequence[Issue]) -> list[Issue]:
    """Return issues with their lines in the file, in the order of the lines."""
    if not issues:
        return []
    offset = _line_offset(block)
    located: list[Issue] = [
        {**each, "line": _source_line(block, each["line"] or _option_line(block, each["option"]), offset)}
        for each in issues
    ]
    return sorted(located, key=lambda each: each["line"])


def _option_line(block: Block, option: str) -> int:
    """Return the line of an option, or of a parameter that has the name of one; 0 if it was not written."""
    lines = block.option_lines
    return lines.get(option, 0) or lines.get(block.option_of(option), 0)


def in_included_file(block: BlockT) -> BlockT:
    """Return a block in an included file with the line numbers of that file."""
    offset = _line_offset(block)
    if not offset:
        return block
    lines = {name: line + offset for name, line in block.option_lines.items()}
    issues: list[Issue] = [{**each, "line": each["line"] and each["line"] + offset} for each in block.syntax_issues]
    return replace(block, line=block.line + offset, option_lines=lines, syntax_issues=issues)


class Facts(ABC):
    """What the role ``dice:fact`` reads from a block."""

    @abstractmethod
    def has(self, path: str) -> bool:
        """Return whether a path, such as ``total`` or ``dice.1``, begins with something of this block."""

    @abstractmethod
    def text(self, path: str) -> str:
        """Return a value as prose shows it, or raise a :class:`DiceError`."""

    def value(self, path: str) -> str:
        """Return the canonical text of a value that another block refers to, or raise a :class:`DiceError`."""
        raise ParameterError(f"{quoted(path)} is not a value that another block can use")

    def canonical(self, path: str) -> str:
        """Return the name of a value that exists, as this block writes it."""
        return path

    def is_known(self, path: str, text: str) -> bool:
        """Return whether a value can be a text, for all that is known; raise a :class:`DiceError` if it never can."""
        return True

    def values(self) -> OutcomeValues:
        """Return what conditions may be about, or raise a :class:`DiceError`."""
        hint = "write the name of one before it, as in first-blow.success"
        raise ParameterError("a condition is about an example or a scene", hint=hint)

    def numbers(self) -> set[str] | None:
        """Return the numbers that the prose of the block may contain; None if they are not checked."""
        return None


class CheckResult(NamedTuple):
    """What a check found.

    ``computed`` is what the block's output and its doctest need, None if there is nothing to show. A doctree keeps it,
    so it is plain data, or tables and distributions that hold nothing else. ``notes`` are warnings that do not make the
    block wrong; ``after`` is the state of its scene.
    """

    issues: list[Issue]
    computed: Any = None
    facts: Facts | None = None
    notes: tuple[Issue, ...] = ()
    after: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Block(Statement):
    """What an author wrote with one directive; defining a subclass with a kind registers it.

    A subclass adds the fields of its kind, and says what its options mean (:meth:`read`) and how it is checked.
    ``options`` are those of its directive; ``expect_option`` is the one with the expectation. A kind ``acts`` if its
    blocks say what the state of their scene is behind them. Of one that ``has_parameters`` any other option is one of
    these.

    ``label`` is the name, or is made from the kind and the order in the page if the block has no name of its own.
    ``option_lines`` and ``option_texts`` hold the line of each option and its text there. ``syntax_issues`` were found
    while the directive was read; ``issues`` are all that the last check found. ``mechanic`` is the id of a mechanic,
    ``system`` the game that the block belongs to, ``shows`` are the ids of the rules that it shows, and ``expect`` is
    what must come out; each is empty if there is none.

    A block whose texts may refer to others ``waits`` until all pages have been read. Then ``sources`` are what each
    option refers to, ``written`` the fields that have values in place of references, as their author wrote them, and
    ``unresolved`` the issues of references that stand for nothing. In a scene ``refers`` are the pieces of each option
    that refers to something: words, and names of values with what these are here; ``formulas`` are the options that are
    computed, each with its text and the values that it names, and ``operands`` the values that its conditions and its
    changes name. ``unchecked`` says which words in its conditions nothing knows. ``scene`` is the page and the label of
    that, ``before`` and ``after`` are its state, None if that is unknown, and ``state_words`` the words of the values
    in it that are yes or no. If the mechanic stands in a page of the book, ``digest`` is that of it, of the tables on
    which it rolls and of the rules that it plays.
    """

    options: ClassVar[tuple[str, ...]]
    expect_option: ClassVar[str] = "expect"
    acts: ClassVar[bool] = False
    has_parameters: ClassVar[bool] = False
    name: str
    anchor: str = ""
    title: str = ""
    option_lines: Mapping[str, int] = field(default_factory=dict)
    option_texts: Mapping[str, str] = field(default_factory=dict)
    colon: str = ""
    syntax_issues: Sequence[Issue] = ()
    mechanic: str = ""
    digest: str = ""
    system: str = ""
    shows: Sequence[str] = ()
    expect: str = ""
    waits: bool = False
    written: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    refers: Mapping[str, Pieces] = field(default_factory=dict)
    formulas: Mapping[str, tuple[str, Values]] = field(default_factory=dict)
    operands: Values = field(default_factory=dict)
    unresolved: Sequence[Issue] = ()
    unchecked: Sequence[str] = ()
    scene: str = ""
    before: Mapping[str, str] | None = None
    after: Mapping[str, str] | None = None
    state_words: TruthWords = field(default_factory=dict)

    def __init_subclass__(cls, *, kind: str = "", options: tuple[str, ...] = ()) -> None:
        if not kind:
            return
        # A module that is imported again registers the same class again.
        if kind in KINDS and repr(KINDS[kind]) != repr(cls):
            raise TypeError(f"{kind!r} is already the name of {KINDS[kind]!r}")
        cls.kind = kind
        cls.options = options
        KINDS[kind] = cls

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        """Return the fields that the author wrote; add what is wrong with them to the issues.

        Parameters:
            title: what stands after the directive's name.
            options: the text of each option.
            issues: what was found so far.
        """
        name = options.get("name", "")
        if "name" in options and not _NAME.fullmatch(name):
            message = f"{quoted(name)} is not a name; write small letters, digits and hyphens"
            issues.append(issue(Problem.OPTION, message, "name"))
            name = ""
        for option in [] if cls.has_parameters else options:
            if option not in cls.options:
                message = f"a {cls.kind} has no option {quoted(option)}; {near(option, cls.options)}"
                issues.append(issue(Problem.OPTION, message, option))
        return {"name": name, "title": title}

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, **super().data()}

    def check(self) -> CheckResult:
        """Check the block."""
        return CheckResult(locate_issues(self, self.syntax_issues))

    def option_of(self, parameter: str) -> str:
        """Return the option in which a parameter is written."""
        return written_parameter(parameter, self.options)

    def slots(self) -> Iterator[Slot]:
        """Yield the places where a value may stand, or a reference to one, with what is written there."""
        yield from ()

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        """Return the fields of the block that hold its slots, with other texts there, by the option and the part."""
        return {}

    def as_written(self) -> Self:
        """Return the block with its references as its author wrote them."""
        return replace(self, **self.written, written={})

    @final
    def may_refer(self) -> bool:
        """Return whether the block can only be checked when all pages are read."""
        return any(map(may_refer, self.slots()))

    def needs_book(self) -> bool:
        """Return whether the block can only be checked when the tables of all pages are known."""
        return False

    def possible_names(self, characters: Collection[str]) -> set[str]:
        """Return the names of the blocks that the block may refer to, given those of the characters."""
        return {name for slot in self.as_written().slots() for name in names_in(slot, characters)}

    @final
    def sources_of(self, option: str) -> list[Source]:
        """Return what an option refers to, in the order of its text."""
        return [Source(**source) for source in self.sources.get(option, ())]

    def source_names(self) -> set[str]:
        """Return the names of the blocks that the values in the block come from."""
        return {source.name for option in self.sources for source in self.sources_of(option)}

    @final
    def with_values(self, values: KnownValues) -> Self:
        """Return the block with the values of other blocks in place of its references."""
        block = self.as_written()
        texts: dict[tuple[str, str], str] = {}
        sources: dict[str, list[dict[str, Any]]] = {}
        refers: dict[str, list[Any]] = {}
        formulas: dict[str, Any] = {}
        operands: dict[str, int | str] = {}
        issues: list[Issue] = []
        unchecked: list[str] = []
        for slot in block.slots():
            reading = read_slot(slot, self.system, values)
            issues += reading.issues
            unchecked += reading.unchecked
            if reading.text != slot.text:
                texts[slot.option, slot.part] = reading.text
            if reading.sources:
                sources.setdefault(slot.option, []).extend(source._asdict() for source in reading.sources)
            if slot.names is not None:
                operands |= reading.operands
            elif self.scene and not slot.part and reading.operands:
                formulas[slot.option] = slot.text, reading.operands
            elif self.scene and not slot.part and any(isinstance(piece, Blank) for piece in reading.pieces):
                refers[slot.option] = [tuple(each) if isinstance(each, Blank) else each for each in reading.pieces]
        fields = block.with_texts(texts) if texts else {}
        written = {name: getattr(block, name) for name in fields}
        return replace(
            block,
            **fields,
            written=written,
            sources=sources,
            refers=refers,
            formulas=formulas,
            operands=operands,
            unresolved=issues,
            unchecked=unchecked,
        )

    @final
    def blanks(self, names: Iterable[str]) -> dict[str, Pieces]:
        """Return the pieces of each text of the block that takes values of its scene, given the names of its texts."""
        return {name: self.refers[name] for name in names if name in self.refers}

    def placed(self, values: KnownValues, before: Mapping[str, str] | None) -> Self:
        """Return the block with the state of its scene before it; None if it is in none, or that is unknown."""
        return replace(self, before=before)

    def beat(self) -> Beat | None:
        """Return what the block does in its scene; None if that is nothing."""
        return None

    @final
    def moved(self) -> Iterator[tuple[str, str, str]]:
        """Yield each part of the state that the block changes, with its texts before and after."""
        return moved(self.before or {}, self.after or {})

    @property
    def verifies_itself(self) -> bool:
        """Whether the block says by itself what has to hold."""
        return False

    @property
    def is_hidden(self) -> bool:
        """Whether readers see nothing of a checked block."""
        return False

    def facts(self) -> Facts | None:
        """Return what ``dice:fact`` reads from a block that was checked before; None if that is unknown."""
        return None

    @final
    def doubts(self) -> list[str]:
        """Return why it is not known whether the block is right, if that is wrong elsewhere, or said nowhere."""
        return [*self.elsewhere(), *self.unchecked]

    def says_nothing(self) -> bool:
        """Return whether the expectation of a block that passed holds whatever its rule does."""
        return False

    def corrected(self) -> str:
        """Return the expectation with which a checked block holds, also of one that expects nothing; it may have lines.

        It is empty if there is none, or if the author has to say first that one is wanted.
        """
        return ""

    def figures(self, computed: Any) -> dict[str, str]:
        """Return what a checked block shows, by name, to be compared with what it showed before a rule changed."""
        return {}

    def is_test(self) -> bool:
        """Return whether pytest has an item for a checked block; without an expectation that item is skipped."""
        return bool(self.expect)

    def doctest(self, computed: Any) -> str:
        """Return the doctest of a checked block that has an expectation."""
        raise NotImplementedError


def story_until(blocks: Iterable[Block], last: Block) -> list[Block]:
    """Return what acts in the scene of a block up to it, beginning with the scene; nothing if it is in none.

    Parameters:
        blocks: the blocks of its page, in their order.
        last: the block.
    """
    before = takewhile(lambda each: each.label != last.label, blocks)
    return [each for each in (*before, last) if each.acts and each.scene and each.scene == last.scene]


def prompted(code: str, printed: str) -> str:
    """Return a doctest: code with prompts, and what it prints."""
    first, *rest = code.splitlines()
    return "\n".join([f">>> {first}", *(f"... {line}" for line in rest), *([printed] if printed else []), ""])


KINDS: Final[dict[str, type[Block]]] = {}
"""The kinds that were imported so far, by name."""
