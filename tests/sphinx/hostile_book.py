"""Two pages, and a game, in which every text from outside is hostile to some output format."""

from collections.abc import Callable
from pathlib import Path

from ..hostile import CONTROLS, EVERYTHING, MARKUP, SCRIPT, SURROGATE

GAME = f"""
from typing import Literal, NamedTuple
from dicedocs import Dice, Mechanic, Outcome, Resources, Say, fact, param

BAD = {[*MARKUP, *CONTROLS.values(), SURROGATE]!r}
ALL = "\\n.so /etc/passwd\\n'x\\n".join(BAD)

class Thing:
    expects = "anything"
    @classmethod
    def from_text(cls, text):
        return cls()
    def __str__(self):
        return ALL
    def __eq__(self, other):
        return isinstance(other, Thing)
    def __hash__(self):
        return 1
    def __repr__(self):
        return "Thing(" + ALL + ")"
    def _repr_html_(self):
        return {SCRIPT!r}

class Hostile(Mechanic, id="hostile/rule"):
    __doc__ = ALL.replace("\\ud800", "")
    text: str = param(default="", help=ALL, label=ALL)
    word: Literal[{SCRIPT!r}, "\\\\input{{/etc/passwd}}"] = param(default={SCRIPT!r}, help=ALL, label=ALL)
    actor: Resources = param(default=Resources(), help=ALL, label=ALL)
    class Result(Outcome):
        total: int = fact(help=ALL, label=ALL)
        said: str = fact(help=ALL, label=ALL)
        thing: Thing = fact(help=ALL, label=ALL)
        several: tuple[str, ...] = fact(label=ALL)
    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(6)
        total = say.sum(ALL, face, **{{"a": 1}})
        say.compare(ALL, total, ">=", 3)
        say.note(ALL, ALL) if hasattr(say, "note") else None
        return self.Result(total, ALL, Thing(), tuple(BAD))

class Echo(Mechanic, id="hostile/echo"):
    "Has the text of a page, and says everything."
    text: str = param(default="")
    class Result(Outcome):
        said: str
    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(say.fact(self.text, ALL))

class Raises(Mechanic, id="hostile/raises"):
    class Result(Outcome):
        total: int
    def resolve(self, dice: Dice, say: Say) -> Result:
        raise ValueError(ALL)

class Counted(Mechanic, id="hostile/counted"):
    "Odds of hostile values."
    text: str = param(default="", label=ALL)
    class Result(Outcome):
        said: str = fact(label=ALL)
        total: int = fact(label=ALL)
    def resolve(self, dice: Dice, say: Say) -> Result:
        face = dice.roll(len(BAD))
        return self.Result(BAD[face - 1].strip() or "x", face)
"""


Block = tuple[str, str, list[str], list[str]]
"""The directive, the title, the options, and the facts in the prose."""


def _blocks(prefix: str, other: str, lines: list[str]) -> list[Block]:
    """Return blocks about texts, whose names have a prefix; they show facts of blocks with another prefix."""
    blocks: list[Block] = []
    for number, line in enumerate(lines):
        options = [
            f"name: {prefix}{number}",
            "mechanic: hostile/echo",
            f"text: {line}",
            f"expect: said={line}",
        ]
        facts = ["text", f"{line}.said", f"{other}{number}.said"]
        blocks.append(("example", line, options, facts))
    for start in range(0, len(lines), 6):
        line = " ".join(lines[start : start + 6])
        values = line.replace("=", "").replace(",", "")
        blocks += [
            ("example", line, [f"name: {line}", f"class: {line}", "text: x", f"{line}: {line}", line], []),
            ("example", "A", [f"mechanic: {line}", f"dice: {line}", f"seed: {line}", f"hide: {line}"], []),
            ("example", "A", ["mechanic: methuen/expression", f"expression: {line}", f"actor: {values}=1"], []),
            ("example", "A", ["mechanic: hostile/rule", "dice: 4", f"actor: {values}=1", "expect: total=4"], ["actor"]),
            ("character", line, [f"name: {prefix}c{start}", f"values: {values}=1"], [f"{prefix}c{start}.{values}"]),
            ("claim", line, ["mechanic: hostile/counted", f"claim: p(said = {line}) = 100%"], []),
        ]
    facts = ["said", "thing", "several", "several.1", f"{other}.thing"]
    one = EVERYTHING.replace("=", "").replace(",", "")
    return [
        *blocks,
        ("example", "A", ["mechanic: hostile/raises", "dice: 4"], []),
        ("example", "A", ["mechanic: hostile/rule", f"word: {MARKUP[0]}", f"actor: {one}=1", "dice: 4"], ["word"]),
        ("example", "A", [f"name: {prefix}", "mechanic: hostile/rule", "dice: 4", "expect: thing=x"], facts),
        ("table", EVERYTHING, ["mechanic: hostile/counted", f"vary: text={SCRIPT}, text=\\input{{x}}"], []),
        ("table", "A", ["mechanic: hostile/counted", "show: average", "fact: total", f"rows: text={SCRIPT}"], []),
        ("odds", EVERYTHING, ["mechanic: hostile/counted", f"vary: text={SCRIPT}, text=%s"], []),
        ("odds", "A", ["mechanic: hostile/counted", "fact: total"], []),
    ]


def _page(heading: str, blocks: list[Block], opening: str, closing: str, role: str, indent: str, rest: str) -> str:
    parts = []
    for directive, title, options, facts in blocks:
        prose = [role.format("fact", path) for path in facts if "`" not in path]
        lines = [*(f":{line}" for line in options), "", *prose]
        parts.append("\n".join([opening.format(directive, title), *(indent + line for line in lines), closing]))
    texts = [text for text in MARKUP if "`" not in text]
    parts += [" ".join(role.format(name, text) for text in texts) for name in ("roll", "odds", "fact", "ref", "words")]
    return "\n\n".join([heading, *parts, rest])


def _tables(prefix: str, other: str, literal: str, lines: list[str]) -> list[tuple[str, str, str, list[str]]]:
    """Return tables that are mechanics, by a prefix of their names, and roll on those with another prefix.

    Each has an id, a caption, a head, and rows. Their texts are literals: what else a page's own markup does is none of
    our concern.
    """
    texts = [literal.format(line) for line in lines]
    everything = literal.format(" ".join(lines))
    rows = [f'"{n}",{_quoted(text)},"2d2 [{other}-two]"' for n, text in enumerate(texts, 1)]
    two = [f'"{n}",{_quoted(text)},{_quoted(f"[{text}] d6")}' for n, text in enumerate(texts, 1)]
    three = [f'"1",{_quoted(texts[-2])},"[{prefix}-one], [{prefix}-two]"']
    die = f'"d{len(texts)}"'
    return [
        (f"hostile/{prefix}-one", texts[0], f'{die},{_quoted(everything)},"Second"', rows),
        (f"hostile/{prefix}-two", everything, f'{die},{_quoted(texts[0])},"Second"', two),
        (f"hostile/{prefix}-three", texts[-4], f'"d1",{_quoted(f"A {texts[-4]}")},"Second"', three),
    ]


def _all_texts(*, few: bool) -> list[str]:
    """Return all texts, each a line.

    Parameters:
        few: whether they are joined to a few lines, which begin with what matters at the beginning of a line.
    """
    lines = [" ".join(text.split()) for text in (*MARKUP, *CONTROLS.values())]
    if not few:
        return lines
    first = [line for line in lines if line.startswith((".", "'", "@", "%", "\\"))]
    rest = [line for line in lines if line not in first]
    return [" ".join([line, *rest[-1 - number :: -len(first)]]) for number, line in enumerate(first)]


def _literal(lines: list[str]) -> list[str]:
    """Return what of texts may stand in a literal."""
    return [line.replace("`", "") for line in lines]


def _quoted(cell: str) -> str:
    return '"{}"'.format(cell.replace('"', '""'))


def _table_blocks(prefix: str, rows: int) -> list[Block]:
    """Return blocks about these tables, which have so many rows."""
    rolled = [
        ("example", "A", [f"mechanic: hostile/{prefix}-{name}", f"dice: {number} 1 2 3 4 5", "expect: Second=x"], [])
        for number in range(1, rows + 1)
        for name in ("one", "two")
    ]
    return [*rolled, ("odds", "A", [f"mechanic: hostile/{prefix}-one"], [])]


def rst_page(lines: list[str]) -> str:
    """Return the page in reStructuredText."""
    literal = _literal(lines)
    toctree = ".. toctree::\n\n   more\n"
    for id, caption, head, rows in _tables("r", "m", "``{}``", literal):
        table = [f".. csv-table:: {caption}", f"   :header: {head}", "", *(f"   {row}" for row in rows)]
        toctree += "\n".join(["", f".. dice:mechanic:: {id}", "", *(f"   {line}" for line in table), ""])
    blocks = [*_blocks("r", "m", lines), *_table_blocks("m", len(lines))]
    return _page("Page\n====", blocks, ".. dice:{}:: {}", "", ":dice:{}:`{}`", "   ", toctree)


def markdown_page(lines: list[str]) -> str:
    """Return the page in Markdown."""
    literal = _literal(lines)
    rest = ""
    for id, caption, head, rows in _tables("m", "r", "`{}`", literal):
        # The options are YAML, in which an apostrophe is written twice.
        table = [f"~~~~{{csv-table}} {caption}", ":header: '{}'".format(head.replace("'", "''")), "", *rows, "~~~~"]
        rest += "\n".join(["", f"~~~~~{{dice:mechanic}} {id}", *table, "~~~~~", ""])
    blocks = [*_blocks("m", "r", lines), *_table_blocks("r", len(lines))]
    return _page("# More", blocks, "~~~~{{dice:{}}} {}", "~~~~", "{{dice:{}}}`{}`", "", rest)


CONF = """
import hostile_game
numfig = True
html_theme = "basic"
html_sidebars = {"**": []}
html_show_sourcelink = False
html_copy_source = False
dicedocs_books = [("more", "book", "Book", "N")]
suppress_warnings = ["epub.duplicated_toc_entry"]
latex_documents = [("index", "book.tex", "Book", "N", "manual")]
man_pages = [("index", "book", "Book", ["N"], 1)]
texinfo_documents = [("index", "book", "Book", "N", "book", "", "")]
"""


def write_book(folder: Path, write_conf: Callable[[str, str], object], *, few: bool = False) -> None:
    """Write the pages, the game and the configuration, which gets what all have before it.

    Parameters:
        folder: the folder of the book.
        write_conf: writes the configuration.
        few: whether the texts are joined to a few, so that the book is short.
    """
    lines = _all_texts(few=few)
    for name, text in (("hostile_game.py", GAME), ("index.rst", rst_page(lines)), ("more.md", markdown_page(lines))):
        folder.joinpath(name).write_text(text, "utf-8", newline="")
    write_conf("conf.py", CONF)


def files(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files below a folder that have one of these suffixes."""
    return sorted(path for path in folder.rglob("*") if path.suffix in suffixes)
