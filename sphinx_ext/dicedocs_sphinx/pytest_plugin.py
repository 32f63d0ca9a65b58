"""The pytest plugin: ``pytest --dicedocs docs`` collects an item for each worked example and each claim in ``docs``.

Without the flag it does nothing, and Sphinx need not be installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from pathlib import Path

    from dicedocs_sphinx.blocks.base import Block

_FLAG: Final = "--dicedocs"
_PROJECTS: Final = pytest.StashKey[Any]()
_WORKER_INPUT: Final = "dicedocs"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dicedocs", "worked examples of dice rules")
    group.addoption(_FLAG, action="store_true", help="check the worked examples of Sphinx projects")


def pytest_configure(config: pytest.Config) -> None:
    """Prepare to read Sphinx projects, or take over what the process that started this one has read."""
    if not config.getoption(_FLAG):
        return
    try:
        from dicedocs_sphinx.projects import Projects
    except ImportError as error:
        raise pytest.UsageError(f"{_FLAG} needs Sphinx ({error}): pip install 'dicedocs[sphinx]'") from None
    received = getattr(config, "workerinput", {}).get(_WORKER_INPUT)
    cacheprovider = getattr(config, "cache", None)
    cache = None if cacheprovider is None or received is not None else cacheprovider.mkdir("dicedocs")
    config.stash[_PROJECTS] = Projects(cache, received)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Read the projects once, before pytest-xdist starts a worker, and send it the tests."""
    projects = node.config.stash.get(_PROJECTS, None)
    if projects is not None:
        projects.read_below(
            [node.config.invocation_params.dir / str(word).partition("::")[0] for word in node.config.args]
        )
        node.workerinput[_WORKER_INPUT] = projects.to_send()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that is a page of a Sphinx project, or the configuration of one that cannot be read."""
    projects = parent.config.stash.get(_PROJECTS, None)
    if projects is None or projects.page(file_path) is None:
        return None
    return Page.from_parent(parent, path=file_path)


class Page(pytest.File):
    """A page of a Sphinx project."""

    def collect(self) -> Iterator[pytest.Item]:
        """Return the tests of the page in their order.

        Raises:
            CollectError: Sphinx cannot read the project.
        """
        blocks = self.config.stash[_PROJECTS].page(self.path)
        if isinstance(blocks, str):
            raise self.CollectError(blocks)
        for block in blocks:
            yield BlockItem.from_parent(self, name=block["label"], block=block)


class Failure(Exception):
    """What is wrong with a block, each issue on a line."""


class BlockItem(pytest.Item):
    """A block that is a test."""

    def __init__(self, *, block: Block, **options: Any) -> None:
        super().__init__(**options)
        self.block = block

    def runtest(self) -> None:
        """Check the block; one that expects nothing is skipped if there is nothing wrong with it.

        Raises:
            Failure: it does not hold.
        """
        from dicedocs_sphinx.blocks import kind_of
        from dicedocs_sphinx.containment import check_block

        kind, seconds = kind_of(self.block), self.config.stash[_PROJECTS].seconds(self.path)
        if issues := check_block(self.block, seconds).issues:
            source = self.block["source"]
            raise Failure("\n".join(f"{source}:{issue['line']}: {issue['message']}" for issue in issues))
        if not kind.expectation(self.block):
            raise pytest.skip.Exception("nothing is expected", _use_item_location=True)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Return what is wrong without a traceback, which would be one of our own code."""
        if isinstance(excinfo.value, Failure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Return the file, and the line from 0; of an included block that is not the page's file."""
        return self.block["source"], self.block["line"] - 1, self.name
