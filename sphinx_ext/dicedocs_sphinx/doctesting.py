"""Examples and claims as doctests, for ``sphinx-build -b doctest``: each its own group, in a fresh namespace."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

from sphinx.application import Sphinx

from dicedocs.probability.claims import parse_claims
from dicedocs.rules.kinds import as_code
from dicedocs_sphinx.nodes import dice_working
from dicedocs_sphinx.ruled import is_mismatch
from dicedocs_sphinx.worked import Worked, example_of

if TYPE_CHECKING:
    from dicedocs_sphinx.counted import Counted

_OPTIONS = {doctest.ELLIPSIS: False}
"""An example expects what it says; three dots in it are three dots."""


def note_test(working: dice_working, block: Worked | Counted) -> None:
    """Make the place of what is computed a doctest too: the public call, and what it has to print.

    What expects nothing is no test, unless it cannot be played or counted at all.

    Parameters:
        working: the node, which Sphinx's builder finds in the doctree as it was read.
        block: the example, table, chart or claim, checked.
    """
    working.attributes.pop("testnodetype", None)
    failed = next((found for found in block["wrong"] if not is_mismatch(found)), None)
    if failed is None and not block["expect"]:
        return
    working["testnodetype"] = "doctest"
    working["groups"] = [block["shown"]]
    working["options"] = dict(_OPTIONS)
    if failed:
        working["test"] = _failing(block, failed["message"])
    else:
        working["test"] = _counting(block) if "sort" in block else _test(block)
    lines = block["lines"]
    line = block["wrong"][0]["line"] if block["wrong"] else lines.get("expect", lines.get("claim", block["line"]))
    # The builder reports the node's line less one, plus the line in the test, counted from 1.
    working.source, working.line = block["source"], line


def _test(worked: Worked) -> str:
    expected = example_of(worked).expected()
    names = ", ".join(f'"{name}"' for name in expected)
    printed = ", ".join(f"{name}={text}" for name, text in expected.items())
    return _prompted(f"import dicedocs as dd; print({worked['call']}.facts({names}))", printed)


def _counting(counted: Counted) -> str:
    """Give a test that prints the claims as they are true; of a loose one, whether that is what is claimed."""
    claims = ", ".join(claim.text for claim in parse_claims(counted["expect"]))
    arguments = [as_code(claims), as_code(counted["mechanic"]), *map(as_code, counted["facts"][:1])]
    arguments += [f"{name}={as_code(text)}" for name, text in counted["parameters"].items()]
    call = f"corrected_claims({', '.join(arguments)})"
    if counted["loose"]:
        return _prompted(
            f"from dicedocs.probability.claims import corrected_claims; print({call} == {as_code(claims)})", "False"
        )
    return _prompted(f"from dicedocs.probability.claims import corrected_claims; print({call})", claims)


def _prompted(code: str, printed: str) -> str:
    first, *rest = code.splitlines()
    return "\n".join([f">>> {first}", *(f"... {line}" for line in rest), printed, ""])


def _failing(block: Worked | Counted, message: str) -> str:
    """Give a test that fails with what the build says of what cannot be played or counted."""
    return f">>> raise ValueError({message!r})\n{block['expect'] or 'an outcome'}\n"


def setup_doctesting(app: Sphinx) -> None:
    """Load Sphinx's doctest builder, which nobody else does."""
    app.setup_extension("sphinx.ext.doctest")
