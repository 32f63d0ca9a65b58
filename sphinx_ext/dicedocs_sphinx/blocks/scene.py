"""A scene of a book, what changes in it, and its state at each place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self, final

from dicedocs import DiceError, ParameterError, Scene, Track
from dicedocs.errors import near, quoted
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts, locate_issues
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.blocks.value_refs import KnownValues
from dicedocs_sphinx.diagnostics import Problem, with_hint
from dicedocs_sphinx.statements import Issue, issue

_TRACK: Final = re.compile(r"(?P<name>[^\W\d][\w-]*)(?:\s+(?P<value>.+))?")


@final
@dataclass(frozen=True, kw_only=True)
class SceneBlock(Block, kind="scene", options=("name", "cast", "tracks", "class")):
    """A scene, from its place to the end of its section.

    ``cast`` are the names of its characters, and ``tracks`` its tracks with their first values, as text.
    """

    cast: Sequence[str] = ()
    tracks: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        for name in options:
            if name not in cls.options:
                message = f"a scene has no option {quoted(name)}; {near(name, cls.options)}"
                issues.append(issue(Problem.OPTION, message, name))
        tracks: dict[str, str] = {}
        for part in filter(None, map(str.strip, options.get("tracks", "").split(","))):
            match = _TRACK.fullmatch(part)
            try:
                if match is None or match["name"] in tracks:
                    hint = "write vault 0 of 8, heat 0"
                    raise ParameterError(f"{quoted(part)} is not a track, or is there twice", hint=hint)
                tracks[match["name"]] = str(Track.from_text(match["value"] or "0"))
            except DiceError as error:
                issues.append(issue(Problem.VALUE, f"tracks: {error}", "tracks"))
        return {**fields, "cast": options.get("cast", "").replace(",", " ").split(), "tracks": tracks}

    def possible_names(self, characters: Collection[str]) -> set[str]:
        return set(self.cast)

    def source_names(self) -> set[str]:
        return set(self.cast)

    def placed(self, values: KnownValues, before: Mapping[str, str] | None) -> Self:
        state, issues = dict[str, str](), []
        for name in self.cast:
            character = values.character(name)
            if character is None:
                hint = near(name, values.character_names())
                message = with_hint(f"there is no character {quoted(name)}", hint)
                issues.append(issue(Problem.REFERENCE, f"cast: {message}", "cast"))
                continue
            try:
                values.facts(name)
            except DiceError as error:
                issues.append(issue(Problem.VALUE, f"cast: {error.message}", "cast"))
            if name in self.tracks:
                issues.append(issue(Problem.VALUE, f"tracks: {quoted(name)} is in the cast already", "tracks"))
            state |= {f"{name}.{value}": text for value, text in (character.values or {}).items()}
        return replace(self, before={**state, **self.tracks}, unresolved=issues)

    def check(self) -> CheckResult:
        issues = locate_issues(self, [*self.syntax_issues, *self.unresolved])
        after = None if issues else self.before
        return CheckResult(issues, facts=self.facts(), after=after)

    def facts(self) -> Facts | None:
        return None if self.before is None or self.unresolved else StateFacts(self.before)


@final
@dataclass(frozen=True, kw_only=True)
class ChangeBlock(Block, kind="change", options=("name", "class")):
    """What changes in a scene between two examples; ``then`` are the changes."""

    then: str = ""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read("", options, issues)
        for name in options:
            if name not in cls.options:
                message = f"a change has no option {quoted(name)}; {near(name, cls.options)}"
                issues.append(issue(Problem.OPTION, message, name))
        if not title.strip():
            message = "no change is given; write it behind the directive's name, such as vault += 1"
            issues.append(issue(Problem.OPTION, message))
        return {**fields, "then": title}

    def check(self) -> CheckResult:
        issues, after = [*self.syntax_issues, *self.unresolved], None
        if not self.follows and not issues:
            issues.append(no_scene(""))
        if self.before is not None and not issues:
            scene = Scene.from_state(self.before)
            try:
                scene.change(self.then)
                after = scene.state()
            except DiceError as error:
                issues.append(issue(Problem.VALUE, str(error).removeprefix("then: ")))
        return CheckResult(locate_issues(self, issues), facts=self.facts(), after=after)

    def facts(self) -> Facts | None:
        return None if self.after is None else StateFacts(self.after)

    def figures(self, computed: Any) -> dict[str, str]:
        return {name: after for name, _, after in self.moved()}


@final
@dataclass(frozen=True, kw_only=True)
class SheetBlock(Block, kind="scene-sheet", options=("name", "class")):
    """The way of each track and each value of a character through the scene, up to the place of the block."""

    @classmethod
    def read(cls, title: str, options: Mapping[str, str], issues: list[Issue]) -> dict[str, Any]:
        fields = super().read(title, options, issues)
        for name in options:
            if name not in cls.options:
                message = f"a sheet has no option {quoted(name)}; {near(name, cls.options)}"
                issues.append(issue(Problem.OPTION, message, name))
        return fields

    def check(self) -> CheckResult:
        issues = [*self.syntax_issues, *self.unresolved]
        if not self.follows and not issues:
            issues.append(no_scene(""))
        return CheckResult(locate_issues(self, issues), facts=self.facts(), after=self.before)

    def facts(self) -> Facts | None:
        return None if self.before is None else StateFacts(self.before)


def no_scene(option: str) -> Issue:
    """Return the issue of a change where no scene is."""
    return issue(Problem.OPTION, "no scene begins above it in this section; write a dice:scene there", option)
