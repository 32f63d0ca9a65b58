"""A scene of a book, what changes in it, and its state at each place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, final

from dicedocs import DiceError, Example, ExpectationError, ParameterError, Scene, Track, limits
from dicedocs.errors import quoted
from dicedocs.rules.example import parse_facts
from dicedocs.rules.kinds import Kind, as_code
from dicedocs.scenes.beat import Beat
from dicedocs.scenes.change import parse_changes, parts
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.scenes.page_text import TextChoice, is_text_choice, no_such_text_choice
from dicedocs.scenes.scene import OutcomeT
from dicedocs.similar_words import near
from dicedocs.syntax.names import check_distinct
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts, locate_issues, option_line, prompted
from dicedocs_sphinx.blocks.named_values import KnownValues, Slot, SourceError
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

if TYPE_CHECKING:
    from dicedocs_sphinx.blocks.example import ExampleBlock

_TRACKS: Final = "write vault 0 of 8, heat 0"
_TRACK: Final = re.compile(r"(?P<name>[^\W\d][\w-]*)(?:\s+(?P<value>.+))?")


@final
@dataclass(frozen=True, kw_only=True)
class SceneBlock(Block, kind="scene", options=("name", "cast", "tracks", "class")):
    """A scene, from its place to the end of its section.

    ``cast`` are the names of its characters, and ``tracks`` its tracks with their first values, as text. ``beats`` are
    what happens in it, as plain data, which its doctest plays in one session, and ``end`` is its state behind them.
    """

    acts: ClassVar[bool] = True

    cast: Sequence[str] = ()
    tracks: Mapping[str, str] = field(default_factory=dict)
    beats: Sequence[Mapping[str, Any]] = ()
    end: Mapping[str, str] | None = None

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        tracks: dict[str, str] = {}
        for part in filter(None, map(str.strip, options.get("tracks", "").split(","))):
            match = _TRACK.fullmatch(part)
            if match is None or match["name"] in tracks:
                message = f"{quoted(part)} is not a track, or is listed twice; {_TRACKS}"
                issues.append(issue(Problem.VALUE, f"tracks: {message}", "tracks"))
            else:
                tracks[match["name"]] = match["value"] or "0"
        cast = options.get("cast", "").replace(",", " ").split()
        try:
            limits.ITEMS.check(len(cast) + len(tracks))
            check_distinct([*cast, *tracks])
        except DiceError as error:
            issues.append(issue(Problem.VALUE, f"tracks: {error}", "tracks"))
            cast, tracks = [], {}
        return {**fields, "cast": cast, "tracks": tracks}

    def slots(self) -> Iterator[Slot]:
        yield from (Slot("tracks", text, part=name) for name, text in self.tracks.items())

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        return {"tracks": {name: texts.get(("tracks", name), text) for name, text in self.tracks.items()}}

    def possible_names(self, characters: Collection[str]) -> set[str]:
        return {*self.cast, *super().possible_names(characters)}

    def source_names(self) -> set[str]:
        return {*self.cast, *super().source_names()}

    def placed(self, values: KnownValues, before: Mapping[str, str] | None) -> Self:
        issues, tracks = [*self.unresolved], dict[str, str]()
        for name, text in self.tracks.items() if not issues else ():
            try:
                tracks[name] = str(Track.from_text(text))
            except DiceError as error:
                issues.append(
                    issue(Problem.VALUE, f"tracks: {with_hint(error.message, error.hint or _TRACKS)}", "tracks")
                )
        state = dict[str, str]()
        for name in self.cast:
            character = values.character(name)
            if character is None:
                hint = near(name, values.character_names())
                message = with_hint(f"there is no character {quoted(name)}", hint)
                issues.append(issue(Problem.REFERENCE, f"cast: {message}", "cast"))
                continue
            try:
                values.facts(name)
            except SourceError as error:
                issues.append(issue(Problem.REFERENCE, str(error), "cast", elsewhere=True))
            except DiceError as error:
                issues.append(issue(Problem.VALUE, f"cast: {error.message}", "cast"))
            if name in self.tracks:
                issues.append(issue(Problem.VALUE, f"tracks: {quoted(name)} is in the cast already", "tracks"))
            state |= {f"{name}.{value}": text for value, text in (character.values or {}).items()}
        now = replace(self, before={**state, **tracks}, unresolved=issues)
        # What was played in another state is not what is played in this one.
        return now if now == self else replace(now, beats=(), end=None, expect="")

    def with_beats(self, blocks: Sequence[Block]) -> Self:
        """Return the scene with what happens in it.

        Raises:
            DiceError: something cannot be played.
        """
        beats = [beat for each in blocks if (beat := each.beat())]
        expect = "; ".join(beat.expect for beat in beats if beat.expect)
        end = blocks[-1].after if blocks else None
        return replace(self, beats=[beat.data() for beat in beats], end=end, expect=expect)

    def check(self) -> CheckResult:
        issues = [*self.syntax_issues, *self.unresolved]
        return CheckResult(locate_issues(self, issues), facts=self.facts(), after=None if issues else self.before)

    def facts(self) -> Facts | None:
        return None if self.before is None or self.unresolved else StateFacts(self.before, words=self.state_words)

    def doctest(self, computed: Any) -> str:
        lines = ["import dicedocs as dd"]
        lines.append(f"scene = dd.Scene.from_state({as_code(dict(self.before or {}))})")
        lines += [Beat.from_data(beat).code("scene") for beat in self.beats]
        return "".join(prompted(line, "") for line in lines) + prompted(
            "print(scene.state())", str(dict(self.end or {}))
        )


@final
@dataclass(frozen=True, kw_only=True)
class ChangeBlock(Block, kind="change", options=("name", "if", "expect", "text", "class")):
    """What changes in a scene between two examples.

    ``then`` are the changes, ``when`` what must hold before them, and ``expect`` is the state after them. One with an
    empty expectation is waiting for it to be filled in. ``text`` says whose roll its text tells, as that of an example
    does.
    """

    acts: ClassVar[bool] = True

    when: str = ""
    then: str = ""
    text: TextChoice | Literal[""] = ""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read("", options, issues)
        if not title.strip():
            message = "no change is given; write it after the directive's name, such as vault += 1"
            issues.append(issue(Problem.OPTION, message))
        text, expect = read_text_choice(options, issues), options.get(cls.expect_option, "")
        return {**fields, "when": options.get("if", ""), "then": title, "expect": expect, "text": text}

    def check(self) -> CheckResult:
        wrong: list[Issue] = [{**each, "message": each["message"].removeprefix("then: ")} for each in self.unresolved]
        issues, after = [*self.syntax_issues, *wrong], None
        notes: tuple[Issue, ...] = ()
        if not self.scene and not issues:
            issues.append(no_scene(""))
        if self.before is not None and not issues:
            issues += condition_issues(self)
            try:
                try:
                    after = self._state_after(expect=True)
                except ExpectationError as error:
                    issues.append(mismatch(self, error))
                    after = self._state_after()
            except DiceError as error:
                problem = Problem.FACT if error.parameter == self.expect_option else Problem.VALUE
                option = self.expect_option if problem is Problem.FACT else ""
                issues.append(issue(problem, str(error).removeprefix("then: "), option))
            else:
                notes = self._notes(after)
        now = replace(self, after=after)
        return CheckResult(locate_issues(self, issues), facts=now.facts(), notes=notes, after=after)

    def _state_after(self, *, expect: bool = False) -> Mapping[str, str]:
        return play_in_place(self, Beat.roll, expect=expect)[1]

    def _notes(self, after: Mapping[str, str]) -> tuple[Issue, ...]:
        if self.expect or not self.is_test():
            return ()
        facts = moved_facts(replace(self, after=after))
        message = with_hint("nothing is expected", facts and f"write {self.colon}expect: {facts}")
        return (issue(Problem.UNVERIFIED, message, line=option_line(self, self.expect_option)),)

    def expected(self) -> dict[str, str]:
        """Return the canonical text of each expected value of the scene."""
        return parse_facts(self.expect, self.expect_option, StateFacts(self.before or {}).names())

    def slots(self) -> Iterator[Slot]:
        yield from story_slots(self)
        yield from expectation_slots(self)

    def with_texts(self, texts: Mapping[tuple[str, str], str]) -> dict[str, Any]:
        return {"expect": expectation_with(self, texts)}

    def facts(self) -> Facts | None:
        return None if self.after is None else StateFacts(self.after, words=self.state_words)

    def is_test(self) -> bool:
        return self.expect_option in self.option_texts

    def corrected(self) -> str:
        if not self.is_test():
            return ""
        refuse_references(self)
        state = StateFacts(self._state_after())
        return ", ".join(f"{name}={state.value(name)}" for name in self.expected()) or moved_facts(self)

    def doctest(self, computed: Any) -> str:
        return prompted(f"import dicedocs as dd; {change_code(self)}", "")

    def beat(self) -> Beat:
        return story_beat(self)

    def figures(self, computed: Any) -> dict[str, str]:
        return {name: after for name, _, after in self.moved()}


@final
@dataclass(frozen=True, kw_only=True)
class SheetBlock(Block, kind="scene-sheet", options=("name", "class")):
    """The way of each track and each value of a character through the scene, up to the place of the block."""

    def check(self) -> CheckResult:
        issues = [*self.syntax_issues, *self.unresolved]
        if not self.scene and not issues:
            issues.append(no_scene(""))
        return CheckResult(locate_issues(self, issues), facts=self.facts())

    def facts(self) -> Facts | None:
        return None if self.before is None else StateFacts(self.before, words=self.state_words)


def read_text_choice(options: Mapping[str, str], issues: list[Issue]) -> TextChoice | Literal[""]:
    """Return whose roll the text of a block tells, empty if that is not said; add what is wrong to the issues."""
    choice = options.get("text", "")
    if "text" in options and not is_text_choice(choice):
        issues.append(issue(Problem.OPTION, no_such_text_choice(choice), "text"))
    return choice if is_text_choice(choice) else ""


def story_slots(block: ChangeBlock | ExampleBlock, facts: Collection[str] = ()) -> Iterator[Slot]:
    """Yield the texts of a block of a scene that name facts, values and tracks.

    Parameters:
        block: the block.
        facts: the names of the facts that it plays, which its changes may use.
    """
    if block.when:
        yield Slot("if", block.when, names=(), texts=parts)
    if block.then:
        yield Slot("then", block.then, names=facts, texts=lambda then: [each.text for each in parse_changes(then)])


def expectation_slots(
    block: ChangeBlock | ExampleBlock, kinds: Mapping[str, Kind] = MappingProxyType({})
) -> Iterator[Slot]:
    """Yield the values that a block of a scene expects, which may be references.

    Parameters:
        block: the block.
        kinds: the kinds of the facts that it plays.
    """
    with suppress(DiceError):  # reported when the block is checked
        for name, text in block.expected().items():
            yield Slot(block.expect_option, text, kinds.get(name), name)


def expectation_with(block: ChangeBlock | ExampleBlock, texts: Mapping[tuple[str, str], str]) -> str:
    """Return what a block expects, with the texts of these slots, some of which have other texts now."""
    option = block.expect_option
    if all(name != option for name, _ in texts):
        return block.expect
    return ", ".join(f"{name}={texts.get((option, name), text)}" for name, text in block.expected().items())


def mismatch(block: ChangeBlock | ExampleBlock, error: ExpectationError) -> Issue:
    """Return the issue of a block that expects something else than what comes out."""
    message = f"expected {error.expected}, got {error.actual}; write {block.colon}expect: {error.actual}"
    return issue(Problem.MISMATCH, message, block.expect_option)


def moved_facts(block: ChangeBlock | ExampleBlock) -> str:
    """Return what a block may expect of the scene: the values that it changes."""
    state = StateFacts(block.after or {})
    return ", ".join(f"{name}={state.value(name)}" for name, _, text in block.moved() if "=" not in text)


def refuse_references(block: ChangeBlock | ExampleBlock) -> None:
    """Refuse to correct an expectation that refers to another block.

    Raises:
        ParameterError: it does.
    """
    if block.expect_option in block.sources:
        written = block.as_written().expect
        raise ParameterError(f"the expectation {quoted(written)} refers to another block", hint="correct it by hand")


def story_beat(block: ChangeBlock | ExampleBlock, example: Example | None = None) -> Beat:
    """Return what a block does in its scene.

    Parameters:
        block: the block.
        example: what it plays; ``None`` if it only changes something.
    """
    blanks = block.blanks(example.parameters if example else ())
    return Beat(block.label, example, block.when, block.then, block.expect, block.operands, block.formulas, blanks)


def play_in_place(
    block: ChangeBlock | ExampleBlock, roll: Callable[[Beat], OutcomeT], *, expect: bool
) -> tuple[OutcomeT, Mapping[str, str]]:
    """Return what a block plays in its place of the scene, and the state after it.

    Its conditions are not checked: :func:`condition_issues` reports all of them, and the block is shown all the same.

    Parameters:
        block: the block.
        roll: plays its beat.
        expect: whether it is compared with what is expected.

    Raises:
        DiceError: it cannot be played, or differs from what is expected.
    """
    scene, beat = Scene.from_state(block.before or {}), block.beat()._replace(when="")
    outcome = scene.play_beat(beat if expect else beat._replace(expect=""), roll)
    return outcome, scene.state()


def change_code(block: ChangeBlock | ExampleBlock) -> str:
    """Return the Python call by which a block happens in its place of the scene."""
    return block.beat().code(f"dd.Scene.from_state({as_code(dict(block.before or {}))})")


def condition_issues(block: ChangeBlock | ExampleBlock) -> Iterator[Issue]:
    """Yield the issue of a condition under which a block happens and that does not hold, or that is wrong."""
    try:
        facts = {**block.operands, **Scene.from_state(block.before or {}).facts()}
        for unmet in unmet_conditions(block.when, facts):
            yield issue(Problem.MISMATCH, str(unmet), "if")
    except DiceError as error:
        message = with_hint(f"if: {error.message}", error.hint)
        yield issue(Problem.VALUE, message, "if")


def no_scene(option: str) -> Issue:
    """Return the issue of a change where no scene is."""
    return issue(Problem.OPTION, "no scene begins above it in this section; write a dice:scene there", option)
