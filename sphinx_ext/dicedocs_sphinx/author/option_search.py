"""Where the options of blocks stand in an author's files: what looks like a directive need not be one.

A page may show an example as code, include a part of a file, or insert a text that stands elsewhere, so neither a line
number nor the text itself proves that a directive is what Sphinx has read. Everything that looks like it is therefore
marked, in a copy in memory, and the pages are read once more: the mark that arrives in a block is the proof.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from docutils.statemachine import string2lines
from sphinx.application import Sphinx

from dicedocs_sphinx.author.books import domain_of
from dicedocs_sphinx.author.option_edit import OptionHead, apply_edits, option_key, read_option_heads
from dicedocs_sphinx.blocks.base import Block

_MARK: Final = "dicedocsmark{}z"
_MARKED: Final = re.compile(_MARK.format("([0-9]+)"))
_FIRST: Final = 0
"""The priority before all extensions that change what was read."""
_BOM: Final = "\ufeff"


class _Marked(NamedTuple):
    """The text of a file, and the same with marks; the number of lines is the same."""

    before: str
    after: str


def find_option_heads(app: Sphinx, blocks: Sequence[Block], texts: Mapping[str, str]) -> list[OptionHead | None]:
    """Return where the options of each block stand; None if that is not sure.

    The pages of the blocks are read once more, so that the environment is no longer that of the book afterwards.

    Parameters:
        app: Sphinx after it has read the book.
        blocks: blocks of the book.
        texts: the texts of their files.
    """
    keys: defaultdict[str, set[tuple[tuple[str, str], ...]]] = defaultdict(set)
    for block in blocks:
        keys[block.source].add(option_key(block))
    kinds = {block.kind for block in blocks}
    heads: list[OptionHead] = []
    by_file: dict[str, list[OptionHead]] = {}
    marked: dict[Path, _Marked] = {}
    for source, text in texts.items():
        of_file = [head for head in read_option_heads(text, kinds) if head.key in keys[source]]
        marks = [head.mark(_MARK.format(len(heads) + index)) for index, head in enumerate(of_file)]
        marked[Path(source).resolve()] = _Marked(_as_read(text), _as_read(apply_edits(text, marks)))
        heads += of_file
        by_file[source] = of_file
    arrived, served = _read_marked(app, blocks, marked)
    found: list[OptionHead | None] = []
    for block, mark in zip(blocks, arrived, strict=True):
        if Path(block.source).resolve() in served:
            head = None if mark is None else heads[mark]
            sure = head is not None and head in by_file.get(block.source, ()) and head.key == option_key(block)
            found.append(head if sure else None)
        else:
            found.append(_only_one(block, blocks, by_file.get(block.source, [])))
    return found


def _only_one(block: Block, blocks: Iterable[Block], heads: Iterable[OptionHead]) -> OptionHead | None:
    """Return the options of a block in a file that Sphinx does not read itself, such as a module with docstrings."""
    key = option_key(block)
    like = [head for head in heads if head.key == key]
    lines = {each.line for each in blocks if each.source == block.source and option_key(each) == key}
    return like[0] if len(like) == 1 == len(lines) else None


def _read_marked(
    app: Sphinx, blocks: Iterable[Block], marked: Mapping[Path, _Marked]
) -> tuple[list[int | None], set[Path]]:
    """Read the pages of some blocks with marks in their files; return the mark of each, and the files that were read.

    A block has no mark if the number of blocks in its page is another one than before.
    """
    domain = domain_of(app)
    positions = {id(block): (page, at) for page, those in domain.blocks.items() for at, block in enumerate(those)}
    wanted = [positions[id(block)] for block in blocks]
    counts = {page: len(domain.blocks[page]) for page, _ in wanted}
    marks: dict[tuple[str, int], int] = {}
    with _marked_sources(app, marked) as served:
        for page in sorted(counts):
            app.events.emit("env-purge-doc", app.env, page)
            app.env.clear_doc(page)
            app.builder.read_doc(page)
            read = domain.blocks.get(page, [])
            if len(read) == counts[page]:
                marks |= {(page, at): mark for at, block in enumerate(read) for mark in _marks(block)}
    return [marks.get(position) for position in wanted], served


def _marks(block: Block) -> Iterator[int]:
    for text in block.option_texts.values():
        for match in _MARKED.finditer(text):
            yield int(match[1])


@contextmanager
def _marked_sources(app: Sphinx, marked: Mapping[Path, _Marked]) -> Iterator[set[Path]]:
    """Let Sphinx read marked texts in a ``with`` statement; yield the files that it has read, which grow."""
    served: set[Path] = set()

    def serve(path: Path, content: list[str]) -> None:
        if (text := marked.get(path)) is not None:
            served.add(path)
            content[0] = _with_marks(content[0], text)

    def read_page(_app: Sphinx, docname: str, content: list[str]) -> None:
        serve(Path(app.env.doc2path(docname)).resolve(), content)

    def read_included(_app: Sphinx, path: Path, _docname: str, content: list[str]) -> None:
        serve((Path(app.srcdir) / path).resolve(), content)

    listeners = [
        app.connect("source-read", read_page, priority=_FIRST),
        app.connect("include-read", read_included, priority=_FIRST),
    ]
    try:
        yield served
    finally:
        for listener in listeners:
            app.disconnect(listener)


def _as_read(text: str) -> str:
    """Return a text as Python reads it from a file."""
    return text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")


def _joined_lines(text: str) -> str:
    """Return a text as docutils before 0.21 reads it from a file: with all ends of lines alike."""
    return "\n".join([*text.splitlines(), ""])


def _with_marks(content: str, text: _Marked) -> str:
    """Return what Sphinx has read of a file, with its marks; without them if it may be more than one part of the file.

    The parser of reStructuredText reads lines without tab characters, of which the first may begin, and the last may
    end, in the middle of one of the file.
    """
    for whole in (str, _joined_lines):
        if content.removeprefix(_BOM) == whole(text.before):
            return whole(text.after)
    before, after = (string2lines(each, convert_whitespace=True) for each in text)
    part = content.split("\n")
    last = len(part) - 1
    starts = [
        start
        for start in range(len(before) - last)
        if before[start].endswith(part[0])
        and before[start + last].startswith(part[last])
        and before[start + 1 : start + last] == part[1:last]
    ]
    if len(starts) != 1 or len(before) != len(after):
        return content
    [start] = starts
    lines = list(part)
    for index, line in enumerate(part):
        if line == before[start + index]:
            lines[index] = after[start + index]
    return "\n".join(lines)
