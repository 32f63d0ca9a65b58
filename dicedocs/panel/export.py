"""An outcome as what can be kept of it: the Python that gives it again, and the worked example of a book.

Both belong to the outcome and to the seed that decided its dice, whatever else was typed since.
"""

from __future__ import annotations

import re
from typing import Final

from dicedocs.render.words import clean
from dicedocs.rules.example import Example, parse_facts
from dicedocs.rules.kinds import as_line
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed

_MARKDOWN: Final = re.compile(r"[\\`*_\[\]{}<>&$~^|!#]|^:|:(?=//)|@")
_RST: Final = re.compile(r"[\\`*_|@]|^:|:(?=\S)")


def example(outcome: Outcome, seed: Seed | None) -> Example | None:
    """Give the worked example that an outcome is; ``None`` when its mechanic is not registered.

    Parameters:
        seed: what decided its dice; without one the example has the faces.
    """
    rule = outcome.rule
    if not isinstance(rule, Mechanic) or not rule.id:
        return None
    parameters = {field.name: value for field, value in rule.chosen()}
    return Example(rule.id, parameters, seed, outcome.dice if seed is None else None, expected(outcome))


def code(outcome: Outcome, seed: Seed | None = None) -> str:
    """Give Python that stands alone, and whose last line is a call that gives the outcome again.

    Parameters:
        seed: what decided its dice; without one the call has the faces.

    Returns:
        The lines; empty for a mechanic that is not registered.

    >>> import dicedocs as dd
    >>> print(code(dd.roll("3d6", seed=61), 61))
    import dicedocs as dd
    <BLANKLINE>
    dd.roll("3d6", seed=61)
    """
    documented = example(outcome, seed)
    return f"import dicedocs as dd\n\n{documented.code()}" if documented else ""


def directive(outcome: Outcome, seed: Seed | None = None, label: str = "") -> str:
    """Give the directive that documents an outcome in a Markdown book, checked in every build.

    Parameters:
        seed: what decided its dice; without one the directive has the faces.
        label: its title; no text in it can be more than a title.

    Returns:
        The lines, unindented; empty for a mechanic that is not registered.

    >>> import dicedocs as dd
    >>> print(directive(dd.roll("3d6", seed=61), 61, "Power Shot"))
    ```{dice:example} Power Shot
    :mechanic: methuen/expression
    :expression: 3d6
    :seed: 61
    :expect: total=11, raw=11
    ```
    """
    title = _title(label, _MARKDOWN)
    # What opens with backticks cannot have any on its first line.
    fence = "~~~" if "`" in title else "```"
    lines = [f":{name}: {_unread(text)}".rstrip() for name, text in _options(outcome, seed)]
    return "\n".join([f"{fence}{{dice:example}} {title}".rstrip(), *lines, fence]) if lines else ""


def directive_rst(outcome: Outcome, seed: Seed | None = None, label: str = "") -> str:
    r"""Give the same directive for a book in reStructuredText.

    >>> import dicedocs as dd
    >>> print(directive_rst(dd.roll("3d6", seed=61), 61, "Power *Shot*"))
    .. dice:example:: Power \*Shot\*
       :mechanic: methuen/expression
       :expression: 3d6
       :seed: 61
       :expect: total=11, raw=11
    """
    lines = [f"   :{name}: {text}".rstrip() for name, text in _options(outcome, seed)]
    return "\n".join([f".. dice:example:: {_title(label, _RST)}".rstrip(), *lines]) if lines else ""


def expected(outcome: Outcome) -> str:
    """Give the facts that an example expects: the first, and the others that there are.

    A text that would be read as something else is left out.

    >>> import dicedocs as dd
    >>> expected(dd.play("total-effect/roll", dice=[5, 2, 6]))
    'total=13, low=2, mid=5, high=6'
    """
    there = [name for place, name in enumerate(outcome.facts_of) if place == 0 or outcome.fact(name) is not None]
    names = [name for name in there if _legible(name, as_line(outcome.fact(name)))]
    return outcome.facts(*names) if names else ""


def _legible(name: str, text: str) -> bool:
    """Tell whether a fact is read as it is written, also among others."""
    if clean(text) != text:
        return False
    if "," not in text:
        return True
    return parse_facts(f"{name}={text}, {name}_=", "expect") == {name: text, f"{name}_": ""}


def _options(outcome: Outcome, seed: Seed | None) -> list[tuple[str, str]]:
    documented = example(outcome, seed)
    if documented is None:
        return []
    chosen = [(field.name, field.write(value)) for field, value in outcome.rule.chosen()]
    options = [("mechanic", documented.mechanic), *chosen]
    if seed is not None:
        options.append(("seed", str(seed)))
    elif outcome.dice:
        options.append(("dice", as_line(outcome.dice)))
    if documented.expect:
        options.append(("expect", documented.expect))
    # A line end would begin another option.
    return [(name, clean(text).strip()) for name, text in options]


def _unread(text: str) -> str:
    """Put a text in quotes that has some already: MyST books take one pair off."""
    quote = text[:1]
    if len(text) > 1 and quote in "'\"" and text.endswith(quote):
        return "'" + text.replace("'", "''") + "'"
    return text


def _title(label: str, markup: re.Pattern[str]) -> str:
    return markup.sub(r"\\\g<0>", " ".join(clean(label).split()))
