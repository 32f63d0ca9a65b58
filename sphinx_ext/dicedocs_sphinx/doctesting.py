"""Examples as doctests, for ``sphinx-build -b doctest``: each its own group, in a fresh namespace."""

from __future__ import annotations

import doctest

from sphinx.application import Sphinx

from dicedocs_sphinx.nodes import dice_working
from dicedocs_sphinx.worked import Worked, example_of, is_mismatch

_OPTIONS = {doctest.ELLIPSIS: False}
"""An example expects what it says; three dots in it are three dots."""


def note_test(working: dice_working, worked: Worked) -> None:
    """Make the place of the working a doctest too: the public call, and the facts it has to print.

    An example that expects nothing is no test, unless it cannot be played at all.

    Parameters:
        working: the node, which Sphinx's builder finds in the doctree as it was read.
        worked: the example, checked.
    """
    working.attributes.pop("testnodetype", None)
    failed = next((found for found in worked["wrong"] if not is_mismatch(found)), None)
    if failed is None and not worked["expect"]:
        return
    working["testnodetype"] = "doctest"
    working["groups"] = [worked["shown"]]
    working["options"] = dict(_OPTIONS)
    working["test"] = _failing(worked, failed["message"]) if failed else _test(worked)
    line = worked["wrong"][0]["line"] if worked["wrong"] else worked["lines"]["expect"]
    # The builder reports the node's line less one, plus the line in the test, counted from 1.
    working.source, working.line = worked["source"], line


def _test(worked: Worked) -> str:
    expected = example_of(worked).expected()
    names = ", ".join(f'"{name}"' for name in expected)
    first, *rest = f"import dicedocs as dd; print({worked['call']}.facts({names}))".splitlines()
    lines = [f">>> {first}", *(f"... {line}" for line in rest)]
    return "\n".join([*lines, ", ".join(f"{name}={text}" for name, text in expected.items()), ""])


def _failing(worked: Worked, message: str) -> str:
    """Give a test that fails with what the build says of an example that cannot be played."""
    return f">>> raise ValueError({message!r})\n{worked['expect'] or 'an outcome'}\n"


def setup_doctesting(app: Sphinx) -> None:
    """Load Sphinx's doctest builder, which nobody else does."""
    app.setup_extension("sphinx.ext.doctest")
