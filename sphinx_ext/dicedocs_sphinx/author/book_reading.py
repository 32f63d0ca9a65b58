"""Reading a book as its own ``conf.py`` says, in this process, without writing its pages."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.transforms import SphinxTransform
from sphinx.util.console import strip_escape_sequences  # type: ignore[attr-defined]  # documented
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dicedocs.errors import DiceError, quoted
from dicedocs.faults import describe_error
from dicedocs.rules.registry import in_book
from dicedocs_sphinx.book.domain import DiceDomain

CONF: Final = "conf.py"
"""The name of the file that makes a folder a project of Sphinx."""

Progress = Callable[[int, int], None]
"""A function that is told how many steps of how many are done."""


class BookError(DiceError):
    """A folder is not a book, or Sphinx cannot read it."""


class NotSwitchedOnError(BookError):
    """The ``conf.py`` of a project of Sphinx does not switch the extension on."""


class BookFolders(NamedTuple):
    """Where a book is.

    Parameters:
        pages: the folder of its pages.
        conf: the folder of its ``conf.py``, which is the same if it is not said to be another one.
    """

    pages: Path
    conf: Path


@contextmanager
def read_book(
    folders: BookFolders,
    doctrees: Path | None = None,
    *,
    resolve: bool = False,
    progress: Progress | None = None,
    run_notebooks: bool = True,
    settings: Mapping[str, Any] | None = None,
    builder: str = "dummy",
    transforms: Iterable[type[SphinxTransform]] = (),
) -> Iterator[Sphinx]:
    """Yield Sphinx after it has read a book; it writes nothing into the book's folder.

    Parameters:
        folders: where it is.
        doctrees: the folder for doctrees, so that only changed pages are read again; None to read all pages.
        resolve: whether references from page to page are resolved too, as when pages are written.
        progress: is told how many pages are done.
        run_notebooks: whether MyST-NB runs its notebooks.
        settings: those that it has instead of what its ``conf.py`` says.
        builder: the builder; what it writes is gone at the end of the ``with`` statement.
        transforms: more of them for each page that is read.

    Its tables are known as mechanics until the end of the ``with`` statement.

    Raises:
        BookError: Sphinx cannot read it.
    """
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(TemporaryDirectory()))
        stack.enter_context(warnings.catch_warnings())
        # Warnings of Sphinx and of other extensions are those of the build.
        warnings.simplefilter("ignore")
        stack.enter_context(patch_docutils(str(folders.conf)))
        stack.enter_context(docutils_namespace())
        stack.enter_context(in_book({}))
        log = io.StringIO()
        try:
            app = Sphinx(
                folders.pages,
                folders.conf,
                temporary / "out",
                doctrees or temporary / "doctrees",
                builder,
                {**({} if run_notebooks else {"nb_execution_mode": "off"}), **(settings or {})},
                status=None,
                warning=log,
                freshenv=False,
            )
            for transform in transforms:
                app.add_transform(transform)
            if progress is not None:
                _watch(app, progress, steps=2 if resolve else 1)
            # A builder of pages makes no index for the search, which it could not without any page.
            app.builder.search = False  # type: ignore[attr-defined]
            # "specific" pages, of which there are none: Sphinx reads what has changed, and no page is written.
            app.builder.build_all() if resolve else app.builder.build([], method="specific")
        except (Exception, SystemExit) as error:
            # Sphinx puts the traceback of a configuration into its message.
            cause = error.__cause__
            fault = cause if isinstance(error, ConfigError) and isinstance(cause, Exception) else error
            message = f"Sphinx cannot read {folders.pages}: {describe_error(fault)}"
            # Sphinx colours what it says, wherever that goes.
            said = strip_escape_sequences(log.getvalue()).strip()
            raise BookError(f"{message}\n{said}".strip()) from error
        yield app


def _watch(app: Sphinx, progress: Progress, steps: int) -> None:
    """Report the pages of a book as they are read, and as they are resolved."""
    done = total = 0

    def begin(_app: Sphinx, _env: BuildEnvironment, docnames: list[str]) -> None:
        nonlocal total
        total = len(docnames) * steps

    def advance(*_: Any) -> None:
        nonlocal done
        done += 1
        progress(done, max(done, total))

    app.connect("env-before-read-docs", begin)
    app.connect("doctree-read", advance)
    app.connect("doctree-resolved", advance)


def check_folders(pages: Path, conf: Path | None = None, option: str = "-c") -> BookFolders:
    """Return where a book is, as absolute paths.

    Parameters:
        pages: the folder of its pages.
        conf: the folder of its ``conf.py``; by default that of the pages.
        option: how that is named, for an error.

    Raises:
        BookError: there is no such folder, or no ``conf.py`` in it.
    """
    if conf is not None and not pages.is_dir():
        raise BookError(f"there is no folder {quoted(pages)}", hint="name the folder of the book's pages")
    hint = f"name the folder of the book's {CONF}, with {option} if it is not that of the pages"
    found = find_conf(pages if conf is None else conf, hint)
    return BookFolders(found if conf is None else pages.resolve(), found)


def find_conf(folder: Path, hint: str) -> Path:
    """Return the absolute path of a folder that has a ``conf.py``.

    Parameters:
        folder: the folder.
        hint: what to do if it has none, and no other folder seems to be meant.

    Raises:
        BookError: it has none.
    """
    try:
        if (folder / CONF).is_file():
            return folder.resolve()
        below = (
            [folder.parent]
            if folder.name == CONF and folder.is_file()
            else sorted(conf.parent for conf in folder.glob(f"*/{CONF}"))
        )
    except (OSError, ValueError):
        # The path is too long, or has a character that no path has.
        below = []
    raise BookError(f"there is no {CONF} in {quoted(folder)}", hint=f"did you mean {below[0]}?" if below else hint)


def domain_of(app: Sphinx) -> DiceDomain:
    """Return the domain of a book that was read.

    Raises:
        NotSwitchedOnError: its ``conf.py`` does not switch the extension on.
    """
    domain = app.env.domains.get(DiceDomain.name)
    if not isinstance(domain, DiceDomain):
        hint = 'write extensions = ["dicedocs_sphinx"]'
        raise NotSwitchedOnError(f"{app.confdir}/{CONF} does not switch on the extension dicedocs_sphinx", hint=hint)
    return domain


def nothing_stated(domain: DiceDomain) -> str:
    """Return the message about a book that states nothing, all of which holds; empty if it states anything."""
    return "" if domain.code else "no page of this book has a block or a role of dicedocs"
