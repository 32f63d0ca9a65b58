"""The mistakes of ``mistakes.toml``: their pages in Markdown and in reStructuredText, and the text of the guide."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("mistakes.toml")
_FENCE: Final = re.compile(r"```\{([\w:-]+)\} ?(.*)")
_ROLE: Final = re.compile(r"\{([\w:]+)\}`")


@dataclass(frozen=True)
class Mistake:
    """A mistake on a page, or in the game that the page plays.

    Attributes:
        pages: the text of the page by its suffix; one that is written in Markdown alone has both.
        line: the line of the warning.
        type: the type of the warning, without the name of the extension.
        message: the warning, in which ``{page}`` is the name of the page's file.
        game: the module of the game; empty if the page plays none of its own.
        wrong: the line that is wrong: of the game, or of the page.
        full: whether the guide shows the whole page.
        after: what the guide says about it.
    """

    pages: dict[str, str]
    line: int
    type: str
    message: str
    game: str = ""
    wrong: str = ""
    full: bool = False
    after: str = ""


@dataclass(frozen=True)
class Group:
    """Mistakes of one kind, with what the guide says before and after them."""

    title: str
    before: str
    game: str
    after: str
    mistakes: tuple[Mistake, ...]


def groups() -> Iterator[Group]:
    """Return the mistakes, in the order of the guide."""
    for data in tomllib.loads(FILE.read_text("utf-8"))["group"]:
        shared = {name: data[name] for name in ("page", "line", "type", "game") if name in data}
        mistakes = tuple(_mistake(shared | each) for each in data["mistake"])
        yield Group(data["title"], data.get("before", ""), data.get("game", ""), data.get("after", ""), mistakes)


def _mistake(data: dict[str, Any]) -> Mistake:
    pages: dict[str, str] = {suffix: data[suffix] for suffix in ("md", "rst") if suffix in data}
    if "page" in data:
        pages = {"md": data["page"], "rst": in_rst(data["page"])}
    game = data.get("game", "")
    wrong = data.get("wrong") or next(iter(pages.values())).splitlines()[data["line"] - 1]
    for old, new in data.get("change", ()):
        if game.count(old) != 1:
            raise ValueError(f"{old!r} does not stand in the game, or more than once")
        game = game.replace(old, new)
        wrong = next(line for line in game.splitlines() if new.strip().splitlines()[0] in line)
    extra = {name: data[name] for name in ("full", "after") if name in data}
    return Mistake(pages, data["line"], data["type"], data["message"], game, wrong.strip(), **extra)


def in_rst(markdown: str) -> str:
    """Return a page of directives and paragraphs in reStructuredText, line by line.

    >>> print(in_rst('''```{dice:rule} R1
    ... See {dice:ref}`shot`.
    ... ```'''))
    .. dice:rule:: R1
       See :dice:ref:`shot`.
    <BLANKLINE>
    """
    lines, inside = [], False
    for line in markdown.splitlines():
        if fence := _FENCE.fullmatch(line):
            lines.append(f".. {fence[1]}:: {fence[2]}".rstrip())
            inside = True
        elif line == "```":
            lines.append("")
            inside = False
        else:
            lines.append(f"   {line}" if inside and line else line)
    return _ROLE.sub(r":\1:`", "\n".join(lines))


def guide() -> str:
    """Return the text of the guide about all mistakes, in Markdown."""
    return "\n\n".join(part for group in groups() for part in _section(group))


def _section(group: Group) -> Iterator[str]:
    yield f"## {group.title}"
    if group.before:
        yield group.before
    if group.game:
        yield _block("python", group.game)
    for each in group.mistakes:
        if each.full:
            yield _block("python", each.wrong) if each.game else _block(*next(iter(_languages(each))))
            yield _block("text", f"rulebook.md:{each.line}: WARNING: {_shown(each)} [dicedocs.{each.type}]")
            yield each.after
    if group.after:
        yield group.after
    if others := [each for each in group.mistakes if not each.full]:
        yield "Others of this kind:"
        yield "\n\n".join(_definition(each) for each in others)


def _languages(mistake: Mistake) -> Iterator[tuple[str, str]]:
    for suffix, text in mistake.pages.items():
        yield {"md": "markdown", "rst": "rst"}[suffix], text


def _shown(mistake: Mistake) -> str:
    return mistake.message.replace("{page}", "rulebook.md")


def _block(language: str, text: str) -> str:
    return f"````{{code-block}} {language}\n{text.strip()}\n````"


def _definition(mistake: Mistake) -> str:
    """Return the wrong line, and the message, of whose lines only the first stands here."""
    first = _shown(mistake).partition("\n")[0]
    return f"{_code(mistake.wrong)}\n: {_code(first)}" + (f" {mistake.after}" if mistake.after else "")


def _code(text: str) -> str:
    """Return a text as code; it may hold backticks."""
    marks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{space}{text}{space}{marks}"
