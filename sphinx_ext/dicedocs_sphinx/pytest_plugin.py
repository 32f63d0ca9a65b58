"""The pytest plugin: ``pytest --dicedocs docs`` collects an item for each worked example and each claim in ``docs``.

Without the flag it does nothing, and Sphinx need not be installed.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from dicedocs_sphinx.author.projects import PageTest

_FLAG: Final = "--dicedocs"
_ACCEPT: Final = "--dicedocs-accept"
_PROJECTS: Final = pytest.StashKey[Any]()
_WORKER_INPUT: Final = "dicedocs"
_STARTED: Final = pytest.StashKey[int]()
_ACCEPTED: Final = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dicedocs", "worked examples of dice rules")
    group.addoption(_FLAG, action="store_true", help="check the worked examples of Sphinx projects")
    group.addoption(
        _ACCEPT, action="store_true", help=f"as {_FLAG}, and write missing and wrong expectations of the chosen tests"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Prepare to read Sphinx projects, or take over what the process that started this one has read."""
    accepting = config.getoption(_ACCEPT)
    if not (config.getoption(_FLAG) or accepting):
        return
    received = getattr(config, "workerinput", {}).get(_WORKER_INPUT)
    if accepting and (received is not None or getattr(config.option, "numprocesses", None)):
        raise pytest.UsageError(f"{_ACCEPT} writes files, so it runs in one process: leave -n out")
    config.stash[_STARTED] = time.time_ns()
    try:
        from dicedocs_sphinx.author.projects import Projects
    except ImportError as error:
        raise pytest.UsageError(f"{_FLAG} needs Sphinx ({error}): pip install 'dicedocs[sphinx]'") from None
    cacheprovider = getattr(config, "cache", None)
    cache = None if cacheprovider is None or received is not None else cacheprovider.mkdir("dicedocs")
    config.stash[_PROJECTS] = Projects(cache, _given(config), received)


def _given(config: pytest.Config) -> list[Path]:
    """Return the files and folders that pytest was asked for, those of ``testpaths`` by default."""
    folder = config.invocation_params.dir
    return [(folder / str(word).partition("::")[0]).resolve() for word in config.args]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Read the projects once, before pytest-xdist starts a worker, and send it the tests."""
    projects = node.config.stash.get(_PROJECTS, None)
    if projects is not None:
        projects.read_below(_given(node.config))
        node.workerinput[_WORKER_INPUT] = projects.read


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that is a page of a Sphinx project, or the configuration of one that cannot be read."""
    projects = parent.config.stash.get(_PROJECTS, None)
    if projects is None or projects.page(file_path) is None:
        return None
    from dicedocs.errors import printable

    page: PageFile = PageFile.from_parent(parent, path=file_path)
    if page.nodeid.isprintable():
        return page
    # pytest prints the node id, and chooses tests by the path itself.
    safe: PageFile = PageFile.from_parent(parent, path=file_path, nodeid=printable(page.nodeid))
    return safe


def pytest_collection_finish(session: pytest.Session) -> None:
    """With the flag to accept, write the expectations of the tests that were chosen, before these run."""
    config = session.config
    if not config.getoption(_ACCEPT):
        return
    from dicedocs.cli.terminal import raising_terminated
    from dicedocs_sphinx.author.acceptance import accept_blocks, write_change
    from dicedocs_sphinx.author.book_reading import BookFolders, domain_of, read_book
    from dicedocs_sphinx.author.projects import project_of

    items = [item for item in session.items if isinstance(item, StatementItem)]
    # Who interrupts it is told what was written too.
    lines = config.stash[_ACCEPTED] = []
    for project in sorted({folder for item in items if (folder := project_of(item.path))}):
        chosen = {(item.path, item.test["name"]) for item in items if project_of(item.path) == project}
        with read_book(BookFolders(project, project)) as app:
            blocks = [
                block
                for page, of_page in domain_of(app).blocks.items()
                for block in of_page
                if (Path(app.env.doc2path(page)), block.label) in chosen
            ]
            acceptance = accept_blocks(app, blocks, config.stash[_STARTED])
        refusals = list(acceptance.refusals)
        for change in acceptance.changes:
            with raising_terminated():
                refusal = write_change(change)
            refusals += [refusal] if refusal else []
            for each in [] if refusal else change.corrections:
                # The same block may be the test of several pages.
                for item in items:
                    if (item.test["source"], item.test["line"]) == (each.block.source, each.block.line):
                        item.test = {**item.test, "wrong": [], "skipped": ""}
                lines.append(f"{change.path}:{each.block.line}: {each.block.label}: {each.option} written")
        lines += [f"{each.source}:{each.line}: {each.reason}; left as it is" for each in refusals]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """End with the sentence about each book, and list the expectations that were written, and what was left."""
    projects = config.stash.get(_PROJECTS, None)
    for folder, sentence in projects.summaries.items() if projects else ():
        terminalreporter.line(_printed(f"{os.path.relpath(folder, config.invocation_params.dir)}: {sentence}"))
    if lines := config.stash.get(_ACCEPTED, []):
        terminalreporter.section("accepted expectations")
        for line in lines:
            terminalreporter.line(_printed(line))


def _printed(text: str) -> str:
    """Return a text as a terminal can show it."""
    # pytest imports this module also where no book is tested.
    from dicedocs.render.words import clean_lines

    return clean_lines(text)


class PageFile(pytest.File):
    """A page of a Sphinx project."""

    def collect(self) -> Iterator[pytest.Item]:
        """Return the tests of the page in their order.

        Raises:
            CollectError: Sphinx cannot read the project.
        """
        tests = self.config.stash[_PROJECTS].page(self.path)
        if isinstance(tests, str):
            raise self.CollectError(_printed(tests))
        for test in tests:
            yield StatementItem.from_parent(self, name=test["name"], test=test)


class FailedCheck(Exception):
    """What is wrong, each issue on a line."""


class StatementItem(pytest.Item):
    """A test of what a page states, which was checked when the page was read."""

    def __init__(self, *, test: PageTest, **options: Any) -> None:
        super().__init__(**options)
        self.test = test

    def runtest(self) -> None:
        """Report what was found; a test of which nothing is known is skipped.

        Raises:
            FailedCheck: something is wrong.
        """
        if self.test["wrong"]:
            raise FailedCheck("\n".join(self.test["wrong"]))
        if self.test["skipped"]:
            raise pytest.skip.Exception(_printed(self.test["skipped"]), _use_item_location=True)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Return what is wrong without a traceback, which would be one of our own code."""
        if isinstance(excinfo.value, FailedCheck):
            return _printed(str(excinfo.value))
        return super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Return the file, and the line from 0; of an included block that is not the page's file."""
        line = self.test["line"]
        return _printed(self.test["source"]), line - 1 if line else None, self.name
