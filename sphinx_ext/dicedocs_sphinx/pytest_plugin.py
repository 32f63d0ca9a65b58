"""The pytest plugin: ``pytest --dicedocs docs`` collects an item for each worked example and each claim of a project.

Without the flag it does nothing, and Sphinx need not be installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from pathlib import Path

    from dicedocs_sphinx.counted import Counted
    from dicedocs_sphinx.worked import Worked

_FLAG: Final = "--dicedocs"
_PROJECTS: Final = pytest.StashKey[Any]()
_SENT: Final = "dicedocs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag."""
    group = parser.getgroup("dicedocs", "worked examples of dice rules")
    group.addoption(_FLAG, action="store_true", help="check the worked examples of Sphinx projects")


def pytest_configure(config: pytest.Config) -> None:
    """Make ready to read Sphinx projects, or to take over what the process that began this one has read."""
    if not config.getoption(_FLAG):
        return
    try:
        from dicedocs_sphinx.collecting import Projects
    except ImportError as error:
        raise pytest.UsageError(f"{_FLAG} needs Sphinx ({error}): pip install 'dicedocs[sphinx]'") from None
    sent = getattr(config, "workerinput", {}).get(_SENT)
    cacheprovider = getattr(config, "cache", None)
    cache = None if cacheprovider is None or sent is not None else cacheprovider.mkdir("dicedocs")
    config.stash[_PROJECTS] = Projects(cache, sent)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Read the projects once, before pytest-xdist starts a worker, and send it the examples."""
    projects = node.config.stash.get(_PROJECTS, None)
    if projects is not None:
        projects.read_below(
            [node.config.invocation_params.dir / str(word).partition("::")[0] for word in node.config.args]
        )
        node.workerinput[_SENT] = projects.to_send()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that is a page, or a fault, of a Sphinx project."""
    projects = parent.config.stash.get(_PROJECTS, None)
    if projects is None or not projects.knows(file_path):
        return None
    return Page.from_parent(parent, path=file_path)


class Page(pytest.File):
    """A page of a Sphinx project."""

    def collect(self) -> Iterator[pytest.Item]:
        """Give the page's examples and then its claims, each in their order there.

        Raises:
            CollectError: Sphinx cannot read the project.
        """
        found = self.config.stash[_PROJECTS].page(self.path)
        if isinstance(found, str):
            raise self.CollectError(found)
        for block in found:
            yield BlockItem.from_parent(self, name=block["shown"], block=block)


class Failure(Exception):
    """What is wrong with an example or a claim, as a person reads it."""


class BlockItem(pytest.Item):
    """A worked example, or what is claimed of odds."""

    def __init__(self, *, block: Worked | Counted, **rest: Any) -> None:
        super().__init__(**rest)
        self.block = block

    def runtest(self) -> None:
        """Verify it; an example that expects nothing is skipped when it can be played.

        Raises:
            Failure: it does not hold.
        """
        from dicedocs_sphinx.reckoning import reckon
        from dicedocs_sphinx.worked import check

        wrong = reckon(self.block).wrong if "sort" in self.block else check(self.block).wrong
        if wrong:
            source = self.block["source"]
            raise Failure("\n".join(f"{source}:{found['line']}: {found['message']}" for found in wrong))
        if not self.block["expect"]:
            raise pytest.skip.Exception("nothing is expected", _use_item_location=True)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        """Give what is wrong without a traceback, which would be of our own code."""
        if isinstance(excinfo.value, Failure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Give the file and the line, from 0, where it stands: an included one not in its page."""
        return self.block["source"], self.block["line"] - 1, self.name
