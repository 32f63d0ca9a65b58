"""An outcome as Python code that reproduces it, and as the directive of a worked example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from dicedocs.page_rules.made_mechanic import folder_of
from dicedocs.render.page_example import EXAMPLE_OPTIONS
from dicedocs.render.text import expected
from dicedocs.render.words import clean
from dicedocs.rules.example import Example, call_code
from dicedocs.rules.kinds import as_code, as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed
from dicedocs.rules.reserved import written_parameter

_MARKDOWN: Final = re.compile(r"[\\`*_\[\]{}<>&$~^|!#]|^:|:(?=//)|@")
_RST: Final = re.compile(r"[\\`*_|@]|^:|:(?=\S)")


def example(outcome: Outcome, seed: Seed | None) -> Example | None:
    """Return an outcome as a worked example; ``None`` if its mechanic is not registered.

    Parameters:
        seed: the seed of its dice; without one the example has the faces.
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic) or not rule.id:
        return None
    parameters = {field.name: value for field, value in rule.chosen()}
    return Example(rule.id, parameters, seed, outcome.dice if seed is None else None, expected(outcome))


def code(outcome: Outcome, seed: Seed | None = None) -> str:
    """Return a complete Python script whose last line is a call that reproduces the outcome.

    If its mechanic is one of a book that was loaded, the script loads it.

    Parameters:
        seed: the seed of its dice; without one the call has the faces.

    Returns:
        The lines; empty for a mechanic that is not registered.

    >>> import dicedocs as dd
    >>> print(code(dd.roll("3d6", seed=61), 61))
    import dicedocs as dd
    <BLANKLINE>
    dd.roll("3d6", seed=61)
    """
    reproduced = example(outcome, seed)
    if reproduced is None:
        return ""
    folder = folder_of(outcome.rule)
    load = f"dd.book({as_code(folder)})\n" if folder else ""
    return f"import dicedocs as dd\n\n{load}{call_code(outcome.rule, seed, reproduced.dice)}"


def directive(
    outcome: Outcome,
    seed: Seed | None = None,
    label: str = "",
    then: str = "",
    refers: Mapping[str, str] = MappingProxyType({}),
    name: str = "",
) -> str:
    """Return the directive that documents an outcome in a Markdown book.

    Parameters:
        seed: the seed of its dice; without one the directive has the faces.
        label: the title; its markup is escaped.
        then: what it changes in a scene.
        refers: the parameters that refer to characters, as a book writes them.
        name: its name; empty for none.

    Returns:
        The lines, unindented; empty for a mechanic that is not registered.

    >>> import dicedocs as dd
    >>> print(directive(dd.roll("3d6", seed=61), 61, "Power Shot"))
    ```{dice:example} Power Shot
    :mechanic: dice/roll
    :notation: 3d6
    :seed: 61
    :expect: total=11
    ```
    """
    options = _options(outcome, seed, then, refers)
    named = [("name", name)] if name else []
    return markdown_block("example", label, [*named, *options]) if options else ""


def markdown_block(name: str, title: str, options: Iterable[tuple[str, str]] = ()) -> str:
    r"""Return a directive in Markdown, whose title has no markup.

    Parameters:
        name: the name of the directive, without ``dice:``.
        title: its title.
        options: the names and texts of its options.

    >>> print(markdown_block("scene", "The `vault`", [("cast", "kira")]))
    ~~~{dice:scene} The \`vault\`
    :cast: kira
    ~~~
    """
    title = markdown_title(title)
    # A fence of backticks allows no backtick on its first line.
    fence = "~~~" if "`" in title else "```"
    lines = [f":{option}: {_quote_again(text)}".rstrip() for option, text in options]
    return "\n".join([f"{fence}{{dice:{name}}} {title}".rstrip(), *lines, fence])


def directive_rst(
    outcome: Outcome,
    seed: Seed | None = None,
    label: str = "",
    then: str = "",
    refers: Mapping[str, str] = MappingProxyType({}),
) -> str:
    r"""Return the same directive for a book in reStructuredText.

    >>> import dicedocs as dd
    >>> print(directive_rst(dd.roll("3d6", seed=61), 61, "Power *Shot*"))
    .. dice:example:: Power \*Shot\*
       :mechanic: dice/roll
       :notation: 3d6
       :seed: 61
       :expect: total=11
    """
    lines = [f"   :{name}: {text}".rstrip() for name, text in _options(outcome, seed, then, refers)]
    return "\n".join([f".. dice:example:: {_title(label, _RST)}".rstrip(), *lines]) if lines else ""


def _options(outcome: Outcome, seed: Seed | None, then: str, refers: Mapping[str, str]) -> list[tuple[str, str]]:
    reproduced = example(outcome, seed)
    if reproduced is None:
        return []
    texts = {field.name: field.write(value) for field, value in outcome.rule.chosen()} | dict(refers)
    chosen = [
        (written_parameter(name, EXAMPLE_OPTIONS), texts[name])
        for name in type(outcome.rule).parameters()
        if name in texts
    ]
    options = [("mechanic", reproduced.mechanic), *chosen]
    if seed is not None:
        options.append(("seed", str(seed)))
    elif outcome.dice:
        options.append(("dice", as_line(outcome.dice)))
    if reproduced.expect:
        options.append(("expect", reproduced.expect))
    if then:
        options.append(("then", then))
    # A line end would start another option.
    return [(name, clean(text).strip()) for name, text in options]


def _quote_again(text: str) -> str:
    """Return a quoted text in one more pair of quotes, since MyST removes one pair."""
    quote = text[:1]
    if len(text) > 1 and quote in "'\"" and text.endswith(quote):
        return "'" + text.replace("'", "''") + "'"
    return text


def markdown_title(label: str) -> str:
    r"""Return a label as a title in Markdown, on one line, in which nothing is markup.

    >>> print(markdown_title("Power *Shot*"))
    Power \*Shot\*
    """
    return _title(label, _MARKDOWN)


def _title(label: str, markup: re.Pattern[str]) -> str:
    return markup.sub(r"\\\g<0>", " ".join(clean(label).split()))
