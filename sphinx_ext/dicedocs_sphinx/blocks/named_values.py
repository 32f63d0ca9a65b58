"""References to values: a character, one of its values, or a fact of an example, wherever a value may stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from dicedocs import DiceError, ParameterError, limits
from dicedocs.errors import quoted
from dicedocs.rules.kinds import IntKind, Kind, NoneKind, UnionKind, as_line, convert
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.notation_kind import NotationKind
from dicedocs.rules.resources import ResourcesKind
from dicedocs.scenes.beat import Blank, Values
from dicedocs.scenes.change import as_counted
from dicedocs.scenes.character import whole_numbers
from dicedocs.scenes.track import track_facts
from dicedocs.similar_words import near
from dicedocs.syntax.conditions import compared_words, complete
from dicedocs.syntax.formula import evaluate
from dicedocs.syntax.names import BoundText, bound_names
from dicedocs.syntax.parts import Text, read_part
from dicedocs.syntax.rule_names import Named, RuleNames
from dicedocs.syntax.tree import Node, Reference, nodes
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.base import Block, Facts
    from dicedocs_sphinx.blocks.character import CharacterBlock

_NAME: Final = re.compile(r'(?P<quote>")?(?P<marker>=?)(?P<name>[\w-]+)(?(quote)")')
"""A text that may be the name of a character, such as ``kira``, ``=kira`` or ``"kira"``."""
_BEGINS: Final = r"(?:(?<![\w.])|(?<=\.\.))"
_START: Final = re.compile(rf'(?P<quote>")?(?P<marker>(?:(?:^|(?<=[,;:(="])|(?<=[,;:(=] ))=)?){_BEGINS}(?=[^\W_])')
"""Where a name may begin, behind a quotation mark or an equals sign if there is one."""
_OWNED: Final = re.compile(_START.pattern + r"(?P<name>\w[\w-]{0,199}+)\.(?=\w)")
"""What may be a value of a block, such as ``kira.Strength``, as far as the point."""
_WORD: Final = re.compile(r"\w+")
_IN_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_NO_VALUE: Final = re.compile(r"\s*[=:]")
"""What stands behind a name that is given a value, and has none to take."""
_BEHIND: Final = re.compile(r'[,;="\[\]]|\s[-+*/%<>!(]|[+*/%<>!()]')
"""What ends a reference wherever it stands."""
_PATH_END: Final = re.compile(r"(?<=\S)(?!(?<=\w)\w|\.\w)")
"""Where the name of a value may end: behind a word, and not before a further part of the name."""
_MAX_NAME: Final = 200
"""The most characters in the name of a block, or of its value, that is referred to."""
_MAX_WORDS: Final = 12
"""The most words in the name of a value that is referred to."""


class Slot(NamedTuple):
    """A place of a block where a value may stand.

    Parameters:
        option: the name of the parameter or the option.
        text: what its author wrote.
        kind: the kind of the value; ``None`` if any text with a reference in it means the reference.
        part: what the text belongs to, if the option has several: the name of a fact in ``expect``.
        strict: whether two words with a point between them must be a reference.
        instead: what to write instead of a reference to an example, with ``{name}`` for its name, where none may stand.
        names: of conditions and changes, what they may name beside the scene; ``None`` for any other text.
        texts: returns the parts of these that are values.
    """

    option: str
    text: str
    kind: Kind | None = None
    part: str = ""
    strict: bool = True
    instead: str = ""
    names: Collection[str] | None = None
    texts: Callable[[str], Sequence[str]] = lambda text: (text,)


def quoted_reference(text: str, written: str) -> str:
    """Return the text of an option with the quotes around it, which Markdown takes away, if they may have a meaning.

    >>> quoted_reference("kira.Strength", '"kira.Strength"'), quoted_reference("Ash: skill 2", '"Ash: skill 2"')
    ('"kira.Strength"', 'Ash: skill 2')
    """
    names = _NAME.fullmatch(text) or _OWNED.match(text)
    return written if names and written == f'"{text}"' else text


class Source(NamedTuple):
    """What a reference stands for.

    Parameters:
        name: the name of a block.
        path: the name of its value; empty for all of a character.
        text: the value.
        alone: whether the reference is all that its author wrote.
        others: of a character, the values that are no whole numbers, which no resources can hold.
    """

    name: str
    path: str
    text: str
    alone: bool = False
    others: Mapping[str, str] | None = None

    @property
    def ref(self) -> str:
        """How it is referred to."""
        return f"{self.name}.{self.path}" if self.path else self.name


class SourceError(ParameterError):
    """Something that a reference needs has a mistake, which is reported there."""


class KnownValues(Protocol):
    """The values of all pages, by the names of their blocks."""

    def block(self, name: str) -> Block | None:
        """Return the block of a name; ``None`` if there is none."""

    def character(self, name: str) -> CharacterBlock | None:
        """Return the character of a name; ``None`` if there is none."""

    def facts(self, name: str) -> Facts:
        """Return the facts of a block that exists, or raise a :class:`DiceError` that says why it has none."""

    def scene(self) -> Values:
        """Return the values of the characters and the tracks of the scene."""

    def location(self, name: str) -> str:
        """Return the file and the line of a block that exists."""

    def names(self) -> Collection[str]:
        """Return the names of the characters and the examples."""

    def character_names(self) -> Collection[str]:
        """Return the names of the characters."""


def may_refer(slot: Slot) -> bool:
    """Return whether a text is no value as it stands, and may refer to one that is known when all pages are read."""
    owned = list(_owned(slot.text))
    if any(match["marker"] for match in owned):
        return True
    return not _is_value(slot) and bool(owned or _names(slot))


def names_in(slot: Slot, characters: Collection[str]) -> Iterator[str]:
    """Yield the names of blocks that a text may refer to; of those that stand alone, only names of characters."""
    yield from (match["name"] for match in _names(slot) if match["name"] in characters)
    yield from _owners(slot.text)


def _names(slot: Slot) -> list[re.Match[str]]:
    """Return what may be names of characters: the whole text, or of resources each part that has no value."""
    if not _may_be_character(slot):
        return []
    parts = slot.text.split(",") if takes_resources(slot.kind) else [slot.text]
    return [match for part in parts if (match := _NAME.fullmatch(part.strip()))]


def _may_be_character(slot: Slot) -> bool:
    """Return whether a name alone may be meant as a character: in a parameter, not in an expectation."""
    return slot.kind is not None and not slot.part


def mentions(text: str) -> bool:
    """Return whether a text has a name with a point behind it, which may be a reference."""
    return next(_owned(text), None) is not None


def _owned(text: str) -> Iterator[re.Match[str]]:
    # A longer text is refused by whoever reads it, and takes long to search.
    within = len(text) <= limits.VALUE_TEXT.maximum
    return _OWNED.finditer(_outside_brackets(text)) if within else iter(())


def _outside_brackets(text: str) -> str:
    """Return a text of the same length without what stands in square brackets, which is no reference."""
    return _IN_BRACKETS.sub(lambda match: "[" * len(match[0]), text)


def _owners(text: str) -> Iterator[str]:
    """Yield what may be names of blocks before a point, and what they may be behind a minus."""
    for match in _owned(text):
        yield from _readings(match["name"])


def _readings(name: str) -> Iterator[str]:
    """Yield a name, and what it may be behind a minus."""
    parts = name.casefold().split("-")
    yield from ("-".join(parts[at:]) for at in range(len(parts)))


def _is_value(slot: Slot) -> bool:
    """Return whether a text is a value as it stands."""
    if slot.kind is None:
        return False
    if isinstance(slot.kind, NotationKind):
        # Any text is, until it is parsed; no notation has two names with a point between them.
        return not any(map(_has_two_words, _owned(slot.text)))
    try:
        convert(slot.kind, slot.text)
    except DiceError:
        return False
    except Exception:  # noqa: BLE001  # an error of the game's own type, reported when the block is checked
        return True
    return True


def _has_two_words(match: re.Match[str]) -> bool:
    """Return whether a text is hardly meant as anything but a reference: no number has letters around its point."""
    return any(map(str.isalpha, match["name"])) and match.string[match.end()].isalpha()


def takes_resources(kind: Kind | None) -> bool:
    """Return whether the values of a kind may be resources."""
    if isinstance(kind, UnionKind):
        return any(map(takes_resources, kind.kinds))
    return isinstance(kind, ResourcesKind)


def _is_number(kind: Kind | None) -> bool:
    """Return whether the values of a kind are whole numbers, or perhaps none."""
    return kind is not None and all(isinstance(each, IntKind | NoneKind) for each in kind.members)


class Reading(NamedTuple):
    """What a text with references means: its words and values, what these stand for, and what is wrong with them.

    ``unchecked`` says which values are compared with words that nothing knows. ``operands`` are the values that a text
    of the language names: conditions, changes and formulas.
    """

    pieces: list[str | Blank]
    sources: list[Source]
    issues: list[Issue]
    unchecked: list[str]
    operands: Values

    @property
    def text(self) -> str:
        """The text with the values."""
        return "".join(each if isinstance(each, str) else each.text for each in self.pieces)


def read_slot(slot: Slot, system: str, values: KnownValues) -> Reading:
    """Return what a text means, each reference in it replaced by its value.

    Parameters:
        slot: the text, and what stands there.
        system: the game of the block; a character of another game has no values for it.
        values: the values of all pages.
    """
    return _Reader(slot, system, values).read()


class _Reader:
    """Replaces the references in one text."""

    def __init__(self, slot: Slot, system: str, values: KnownValues) -> None:
        self._slot, self._system, self._values = slot, system, values
        self._is_value = _is_value(slot)
        self._sources: list[Source] = []
        self._issues: list[Issue] = []
        self._unknown: list[Issue] = []
        """What is wrong only where the text is no value after all."""
        self._unchecked: list[str] = []
        self._operands: dict[str, int | str] = {}
        self._found: dict[str, Source] = {}
        self._names: dict[str, str] = {}

    def read(self) -> Reading:
        pieces = [piece for piece in self._read() if piece]
        reading = Reading(pieces, self._sources, self._issues, self._unchecked, self._operands)
        if self._unknown and not _is_value(self._slot._replace(text=reading.text)):
            self._issues += self._unknown
        return reading

    def _read(self) -> list[str | Blank]:
        text = self._slot.text
        if len(text) > limits.VALUE_TEXT.maximum:
            return [text]  # what reads the text refuses it, once
        if self._slot.instead:
            self._note_refused()
            return [text]
        self._find_names()
        if self._slot.names is not None:
            self._read_operands(self._slot.names)
            return [text]
        whole = _NAME.fullmatch(text)
        track = whole["name"] if whole and whole["name"] in self._found else ""
        named = whole and _may_be_character(self._slot) and self._values.character(whole["name"])
        if whole and whole["quote"] and (named or track):
            return [whole["name"]]
        is_text = self._is_value and not (track and isinstance(self._slot.kind, NotationKind))
        if whole and (named or track) and is_text and not whole["marker"]:
            self._note_ambiguous(whole["name"])
        elif takes_resources(self._slot.kind) and not self._is_value:
            return self._merge_characters()
        elif named and not track:
            self._note_whole(named)
        elif _is_number(self._slot.kind) and not self._is_value:
            return self._computed()
        else:
            return self._pieces(0, len(text))
        return [text]

    def _find_names(self) -> None:
        """Find what the text may name: the values of the scene, and the values of other blocks in the text."""
        text, scene = _outside_brackets(self._slot.text), self._values.scene()
        checked = self._slot.names is None
        self._found = {
            name: Source(*name.partition(".")[::2], as_line(value))
            for name, value in scene.items()
            if not (checked and self._is_of_another_game(name.partition(".")[0]))
        }
        written = dict(zip(self._found, self._found, strict=True))
        own = {name.partition(".")[0] for name in scene}
        for name in {*_owners(text)}.intersection(self._values.names()) - own:
            for match in re.finditer(rf"{_BEGINS}{re.escape(name)}\.", text, re.IGNORECASE):
                with suppress(DiceError):
                    facts = self._facts(name)
                    path, value = _read_path(facts, _rest(text, match.end()))
                    source = Source(name, facts.canonical(" ".join(path.split())), value)
                    self._found[source.ref] = source
                    written[f"{name}.{path}"] = source.ref
        self._names = bound_names(written)

    def _blank(self, source: Source) -> Blank:
        self._sources.append(source)
        text = as_counted(source.text) if isinstance(self._slot.kind, NotationKind) else source.text
        return Blank(source.ref, text)

    # Texts of the language, in which values are given by their names

    def _read_operands(self, facts: Collection[str]) -> None:
        """Note the values that conditions or changes name, beside those of their scene and the facts of their block."""
        try:
            texts = self._slot.texts(self._slot.text)
        except DiceError:
            return  # reported when it is checked
        scene = self._values.scene()
        for text in texts:
            tree = self._tree(text, bound_names({each: each for each in facts}) | self._names)
            sources = [self._found[each] for each in self._names_in(tree) if each not in scene]
            self._sources += sources
            self._operands |= {each.ref: track_facts(each.ref, each.text)[each.ref] for each in sources}
            if tree is not None and self._slot.option == "if":
                self._note_words(tree, {each.ref: each for each in sources})

    def _computed(self) -> list[str | Blank]:
        """Return a number that is a reference, or is computed of values by their names."""
        text = self._slot.text.removeprefix("=")
        tree = self._tree(text, self._names)
        used = self._names_in(tree)
        if isinstance(tree, Reference) and used:
            return [self._blank(self._found[tree.name]._replace(alone=True))]
        computed = tree is not None and any(isinstance(each, Reference) for each in nodes(tree) if each is not tree)
        if self._issues or not computed:
            return [self._slot.text]
        values = {name: track_facts(name, source.text)[name] for name, source in self._found.items()}
        try:
            value = as_line(evaluate(text, values, self._slot.option, "value"))
            if not _is_value(self._slot._replace(text=value)):
                expects = self._slot.kind.expects if self._slot.kind else ""
                raise ParameterError(f"{text} is {quoted(value)}, not {expects}")
        except DiceError as error:
            self._issues.append(self._issue(Problem.VALUE, with_hint(error.message, error.hint)))
            return [self._slot.text]
        self._sources += [self._found[name] for name in used]
        self._operands = {name: values[name] for name in used}
        return [value]

    @staticmethod
    def _tree(text: str, names: Mapping[str, str]) -> Node | None:
        """Return the tree of a text, or ``None`` if it has none: this is reported when it is checked."""
        try:
            return read_part(Text((text,), (0,), 0), 0, text, names).tree
        except DiceError:
            return None

    def _names_in(self, tree: Node | None) -> list[str]:
        """Return the names in a tree that are known; note what is wrong with those of other blocks that are not."""
        names = [each for each in nodes(tree) if isinstance(each, Reference)] if tree else []
        owners = {name.partition(".")[0] for name in self._values.scene()}
        for each in names:
            owner, point, path = each.written.partition(".")
            if each.name not in self._found and point and owner not in owners and path[:1].isalpha():
                self._note_missing(each.written, owner, self._issues)
        return [name for name in dict.fromkeys(each.name for each in names) if name in self._found]

    def _note_words(self, tree: Node, refs: Mapping[str, Source]) -> None:
        """Note the words of a condition that nothing knows, and those that a fact can never be."""
        names = RuleNames({})
        names.known |= {ref: Named(ref, ("",)) for ref in refs}
        try:
            tree = complete(tree, names)
        except DiceError:
            return  # reported when it is checked
        scene = self._values.scene()
        for ref, source in refs.items():
            for word in compared_words(tree, ref):
                if word in refs or word in scene:
                    continue
                try:
                    known = self._values.facts(source.name).is_known(source.path, word)
                except DiceError as error:
                    self._issues.append(self._issue(Problem.VALUE, with_hint(error.message, error.hint)))
                    continue
                if not known:
                    self._unchecked.append(f"nothing says whether {ref} can be {quoted(word)}")

    # Texts that take values where these are named

    def _pieces(self, start: int, end: int) -> list[str | Blank]:
        """Return the words of a part of the text, and the values of the names in it."""
        text = BoundText(_outside_brackets(self._slot.text), self._names)
        pieces: list[str | Blank] = []
        behind = last = start
        while (match := _START.search(text, behind, end)) and (word := _WORD.match(text, match.end())):
            at = match.end()
            found = text.name_at(at)
            if found is not None and "." not in text[at : found[0]]:
                # A track, no part of a longer word, and nothing that is given a value.
                longer = text[at - 1 : at] == "-" and text[at - 2 : at - 1].isalpha() and at - 1 > last
                found = None if longer or _NO_VALUE.match(text, found[0]) else found
            if found is None:
                behind = self._note_unknown(text, match.start()) or word.end()
                continue
            behind = last = found[0]
            piece = self._piece(match, text, found)
            if piece is not None:
                first = match.start() if match["marker"] or match["quote"] else match.end()
                behind += bool(match["quote"])
                pieces += [self._slot.text[start:first], piece]
                start = behind
        return [*pieces, self._slot.text[start:end]]

    def _piece(self, match: re.Match[str], text: BoundText, found: tuple[int, str]) -> str | Blank | None:
        """Return what stands for a name; ``None`` for what is left as it stands."""
        end, name = found
        source, at, owned = self._found[name], match.end(), "." in text[match.end() : end]
        if match["quote"]:
            return text[at:end] if owned and text[end : end + 1] == '"' else None
        if self._is_value and not match["marker"] and (owned or not isinstance(self._slot.kind, NotationKind)):
            if owned and text[at:end] == name:
                self._note_ambiguous(name)
            return None
        return self._blank(source._replace(alone=match.start() == 0 and end == len(text)))

    def _is_of_another_game(self, name: str) -> bool:
        character = self._values.character(name)
        return character is not None and character.system not in {"", self._system} and bool(self._system)

    def _facts(self, name: str) -> Facts:
        """Return the facts of a block.

        Raises:
            DiceError: it has none, or they are those of a character of another game; then it names a parameter.
        """
        character = self._values.character(name)
        if character is not None and self._is_of_another_game(name):
            message = f"{quoted(name)} is a character of {quoted(character.system)}, and this is {quoted(self._system)}"
            raise ParameterError(message, hint="a character without a system may be used in all", parameter="system")
        return self._values.facts(name)

    # Resources

    def _merge_characters(self) -> list[str | Blank]:
        """Return resources in which the name of a character is replaced by its own, apart from those that follow."""
        parts = self._slot.text.split(",")
        names = [_NAME.fullmatch(part.strip()) for part in parts]
        if not any(names) or any(not (name or "=" in part) for part, name in zip(parts, names, strict=True)):
            # What has neither a name nor a value is reported as such.
            return self._pieces(0, len(self._slot.text))
        unknown = next((each["name"] for each in names if each and not self._values.character(each["name"])), "")
        if unknown:
            hint = self._near(unknown, self._values.character_names())
            message = with_hint(f"there is no character {quoted(unknown)}", hint)
            self._unknown.append(self._issue(Problem.REFERENCE, message))
            return self._pieces(0, len(self._slot.text))
        numbers: dict[str, list[str | Blank]] = {}
        sources: list[Source] = []
        start = 0
        for part, match in zip(parts, names, strict=True):
            if match is None:
                name, _, value = part.partition("=")
                first = start + len(part) - len(value.lstrip())
                numbers[" ".join(name.split())] = self._pieces(first, start + len(part.rstrip()))
            elif (character := self._values.character(match["name"])) is not None:
                try:
                    facts = self._facts(match["name"])
                except DiceError as error:
                    self._note_error(error, match["name"])
                    return [self._slot.text]
                own = whole_numbers(character.values or {})
                numbers |= {name: [Blank(f"{match['name']}.{name}", facts.value(name))] for name in own}
                sources.append(Source(match["name"], "", str(own), len(parts) == 1, dict(own.others)))
            start += len(part) + 1
        self._sources += sources
        separators = chain([""], repeat(", "))
        return [
            piece
            for separator, (name, value) in zip(separators, numbers.items(), strict=False)
            for piece in (f"{separator}{name}=", *value)
        ] or [NOTHING]

    # What is wrong

    def _issue(self, problem: Problem, message: str) -> Issue:
        return issue(problem, f"{self._slot.option}: {message}", self._slot.option)

    def _note_error(self, error: DiceError, name: str, path: str = "") -> None:
        """Note why a block has no values, or, if the error names no parameter, none of this name."""
        if isinstance(error, SourceError):
            self._issues.append(issue(Problem.REFERENCE, str(error), self._slot.option, elsewhere=True))
            return
        problem, message = Problem.VALUE, error.message
        if not error.parameter:
            problem, message = Problem.FACT, f"{quoted(name)} ({self._values.location(name)}) has no {quoted(path)}"
        self._issues.append(self._issue(problem, with_hint(message, error.hint)))

    def _note_whole(self, character: CharacterBlock) -> None:
        """Note that a character stands where one of its values is meant."""
        name = character.name
        expects = self._slot.kind.expects if self._slot.kind else ""
        message = f"{quoted(name)} ({self._values.location(name)}) is a character, not {expects}"
        first = next(iter(character.values or ()), "")
        hint = first and f"write one of its values, such as {name}.{first}"
        self._issues.append(self._issue(Problem.VALUE, with_hint(message, hint)))

    def _note_ambiguous(self, ref: str) -> None:
        where = self._values.location(ref.partition(".")[0])
        message = f"{quoted(ref)} is text that is valid here, and also a reference ({where})"
        hint = f'write ={ref} for the reference, "{ref}" for the text'
        self._issues.append(self._issue(Problem.VALUE, with_hint(message, hint)))

    def _note_refused(self) -> None:
        """Note that a block is named where no reference may stand."""
        text = self._slot.text
        name = next((each for each in _owners(text) if self._values.block(each)), "")
        if name and not text.startswith('"'):
            message = f"{quoted(text)} names {quoted(name)} ({self._values.location(name)})"
            hint = f"a {self._slot.option} takes no reference; write another one"
            if self._values.character(name) is None:
                hint += f", or {self._slot.instead.format(name=name)}"
            self._issues.append(self._issue(Problem.VALUE, with_hint(message, hint)))

    def _note_unknown(self, text: str, at: int) -> int:
        """Return where the name of a block ends that has no such value, and note this; 0 if nothing looks like one."""
        match = _OWNED.match(text, at)
        meant = match and (match["marker"] or (self._slot.strict and not match["quote"]))
        if not match or not meant or any(map(self._values.block, islice(_readings(match["name"]), 1, None))):
            return 0
        is_known = self._values.block(match["name"].casefold()) is not None
        if match["marker"] or (is_known and not self._is_value):
            self._note_missing(f"{match['name']}.{_rest(text, match.end())}", match["name"], self._issues)
        elif not is_known and _has_two_words(match):
            self._note_missing("", match["name"], self._unknown)
        return match.end()

    def _note_missing(self, written: str, owner: str, issues: list[Issue]) -> None:
        """Note why a name with a point in it is no value of another block."""
        name = max((each for each in self._values.names() if written.startswith(f"{each}.")), key=len, default="")
        if not name:
            message = f"there is no character or example {quoted(owner)}"
            hint = self._near(owner, self._values.names())
            issues.append(self._issue(Problem.REFERENCE, with_hint(message, hint)))
            return
        path = written.removeprefix(f"{name}.")
        try:
            _read_path(self._facts(name), path)
        except DiceError as error:
            self._note_error(error, name, path)

    def _near(self, name: str, names: Collection[str]) -> str:
        """Return a hint with similar names, and where each of them is."""
        hint = near(name, names)
        return re.sub(r"'([^']+)'", lambda match: f"{match[0]} ({self._values.location(match[1])})", hint)


def _rest(text: str, behind: int) -> str:
    """Return what may be the name of a value that begins at a place."""
    return _BEHIND.split(text[behind : behind + _MAX_NAME], maxsplit=1)[0].rstrip()


def _read_path(facts: Facts, text: str) -> tuple[str, str]:
    """Return the longest start of a text that names a value, and this value.

    Raises:
        DiceError: none does.
    """
    for end in reversed([match.start() for match in islice(_PATH_END.finditer(text), _MAX_WORDS)]):
        with suppress(DiceError):
            return text[:end], facts.value(text[:end])
    return text, facts.value(text)
