"""An outcome as LaTeX, for a notebook that becomes a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from dicedocs.render.text import chosen_parameters, result, rows, thrown_dice
from dicedocs.render.words import clean
from dicedocs.rules.outcome import Outcome

_SPECIAL: Final = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "-": "-{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "[": "{[}",
    "]": "{]}",
}
_TABLE: Final = str.maketrans(_SPECIAL)


def escaped(text: str) -> str:
    r"""Give a text of one line in which no character means anything to LaTeX.

    >>> print(escaped("50% of #1 [A_B]"))
    50\% of \#1 {[}A\_B{]}
    """
    return clean(text).translate(_TABLE)


def outcome_latex(outcome: Outcome, *, names: Sequence[str] = (), chosen: bool = False) -> str:
    r"""Give an outcome as LaTeX: its working, a line each, and its result.

    Parameters:
        names: the facts that the result shows; the first one when none is named.
        chosen: whether to show, before all else, what the player chose.

    Returns:
        A ``description`` list, which needs no package.

    Raises:
        ParameterError: there is no such fact.
        RuntimeError: the rule is no function of its dice.

    >>> import dicedocs as dd
    >>> print(outcome_latex(dd.roll("2d6", dice=[4, 2])))
    \begin{description}
    \item[Dice] 2d6: 4 + 2 = 6
    \item[Roll] 6
    \item[Total] \textbf{6}
    \end{description}
    """
    played = thrown_dice(outcome) is not None
    lines = [_item(label, escaped(text)) for label, text in chosen_parameters(outcome)] if chosen else []
    lines += _working(outcome) if played else []
    shown = names or (() if played else tuple(outcome.facts_of))
    lines += [_item(label, rf"\textbf{{{escaped(text)}}}") for label, text in result(outcome, shown)]
    return "\n".join([r"\begin{description}", *lines, r"\end{description}"]) if lines else ""


def _working(outcome: Outcome) -> Iterable[str]:
    for row in rows(outcome.steps()):
        if not row.idle:
            yield _item(row.label, escaped(row.text), row.depth)


def _item(label: str, text: str, depth: int = 0) -> str:
    indent = r"\quad{}" * depth
    return rf"\item[{indent}{escaped(label)}] {text}".rstrip()
