"""No block that was not checked passes: not in the build, not as a doctest, not in pytest."""

import pytest

from dicedocs_sphinx.author.projects import REST, Projects
from dicedocs_sphinx.blocks import find_kind

# What each block says is false, so that a check, if there is one, cannot pass.
FALSE = {
    "example": {
        "mechanic": "methuen/expression",
        "expression": "3d6",
        "seed": "61",
        "expect": "total=99",
        "hide": "call",
    },
    "table": {"mechanic": "total-effect/roll", "fact": "total", "vary": "advantage=0..1", "show": "at-least"},
    "odds": {"mechanic": "total-effect/roll", "fact": "total", "advantage": "1", "expect": "mean=99"},
    "claim": {"mechanic": "total-effect/roll", "fact": "total", "advantage": "1", "claim": "mean=99", "loose": "no"},
}
EXPECTS = {"example": "expect", "table": "", "odds": "expect", "claim": "claim"}


def block(kind, lines):
    return f".. dice:{kind}:: Title\n" + "".join(f"   :{name}: {text}\n" for name, text in lines) + "\n   Prose.\n"


def variants():
    """Each directive, as it is and with each of its options taken away, emptied, quoted as empty, and repeated."""
    for kind, options in FALSE.items():
        lines = list(options.items())
        yield kind, "", "", lines
        for option in {**options, **dict.fromkeys(find_kind(kind).options)}:
            rest = [(name, text) for name, text in lines if name != option]
            text = options.get(option, "x")
            if rest != lines:
                yield kind, option, "away", rest
            yield kind, option, "empty", [*rest, (option, "")]
            yield kind, option, "quotes", [*rest, (option, '""')]
            yield kind, option, "twice", [*rest, (option, text), (option, text)]


VARIANTS = list(variants())


def pages(book, suffix, directive):
    for number, (kind, _, _, lines) in enumerate(VARIANTS):
        book.page(directive(kind, lines), f"v{number:03}{suffix}")
    book.page("Front\n", "index.rst")


def myst(kind, lines):
    return f"```{{dice:{kind}}} Title\n" + "".join(f":{name}: {text}\n" for name, text in lines) + "\nProse.\n```\n"


@pytest.mark.parametrize(
    ("suffix", "directive"), [(".rst", block), pytest.param(".md", myst, marks=pytest.mark.thorough)]
)
def test_an_option_that_is_missing_empty_or_repeated_lets_no_false_block_pass(book, suffix, directive):
    pages(book, suffix, directive)
    built = book.build("doctest")
    warned = {warning.file.partition(".")[0] for warning in built.warnings if warning.type.startswith("dicedocs.")}
    tested = built.read("output.txt")
    projects = Projects(None)
    assert len(VARIANTS) > 100
    for number, (kind, option, change, _) in enumerate(VARIANTS):
        page, what = f"v{number:03}", (kind, option, change)
        expected = bool(EXPECTS[kind]) and not (option == EXPECTS[kind] and change != "twice")
        if option == "loose" and change in {"empty", "quotes"}:
            expected = False  # the name alone says that the claim does not hold, which is true
        # A chart need not expect anything, and a table says nothing that could be false: they are computed or refused.
        [node] = [node for node in built.doctree(page).findall() if "block" in getattr(node, "attributes", {})]
        shown = node["computed"] is not None
        # A game that is absent is reported where it is named first, for all blocks that name it.
        absent = option == "mechanic" and any("(so for " in warning.text for warning in built.warnings)
        assert page in warned or (absent and node.block.issues) or (shown and not expected), what
        if expected or (kind == "example" and not shown):
            assert f"Document: {page}\n" in tested, what
            assert "Failed example" in tested.split(f"Document: {page}\n")[1].split("Document: ")[0], what
        tests = projects.page(book.src / f"{page}{suffix}")
        assert not isinstance(tests, str)
        for test in tests or ():
            assert test["name"] == REST or test["wrong"] or test["skipped"] or not expected, what
