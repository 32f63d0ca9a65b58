"""Outcomes and tables as LaTeX that needs no package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from dicedocs.render.numbers import local_figure
from dicedocs.render.sentences import Sentence
from dicedocs.render.signs import in_print
from dicedocs.render.text import Choice, chosen_parameters, rows, was_played
from dicedocs.render.verdict import result_lines
from dicedocs.render.words import clean
from dicedocs.translation import game_words

if TYPE_CHECKING:
    from dicedocs.render.table import Table
    from dicedocs.rules.outcome import Outcome

_SPECIAL: Final = {
    # LuaTeX takes it for a text that is not UTF-8.
    "\ufffd": "?",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "]": "{]}",
    # Many fonts lack it.
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}
_IN_CELLS: Final = str.maketrans(_SPECIAL | {"*": "{*}"})
"""As in running text, but after the end of a row a star would begin an option."""
_IN_ANY_FONT: Final = {
    ord("\N{MINUS SIGN}"): r"\ensuremath{-}",
    ord("×"): r"\ensuremath{\times}",
    ord("≥"): r"\ensuremath{\geq}",
    ord("≤"): r"\ensuremath{\leq}",
    ord("≠"): r"\ensuremath{\neq}",
}
_IN_TEXT: Final = str.maketrans(
    _SPECIAL
    | {"|": r"\textbar{}", '"': r"\textquotedbl{}", "-": "-{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}"}
)


def escape_latex(text: str) -> str:
    r"""Return a text as one line in which no character has a meaning to LaTeX.

    >>> print(escape_latex("50% of #1 [A_B]"))
    50\% of \#1 {[}A\_B{]}
    """
    return clean(text).translate(_IN_TEXT)


def latex_text(text: str) -> str:
    r"""Return a text that readers see, with the signs of print, as one line of LaTeX.

    >>> print(latex_text("-3 (50%)"))
    −3 (50\%)
    """
    return escape_latex(in_print(text))


def said_latex(said: Sentence) -> str:
    r"""Return the sentence of a step; notation is code, with the signs that people type.

    >>> from dicedocs.render.sentences import Sentence
    >>> print(said_latex(Sentence("2d6 * 3", "4 - 2 = 2", notation=True)))
    \texttt{2d6 * 3} (4 − 2 = 2)
    """
    if not said.notation:
        return latex_text(str(said))
    note = f" ({latex_text(said.note)})" if said.note else ""
    return rf"\texttt{{{escape_latex(said.text)}}}{note}"


def outcome_latex(outcome: Outcome, *, names: Sequence[str] = (), chosen: bool = False) -> str:
    r"""Return the working and the result of an outcome as a ``description`` list.

    Parameters and errors are those of :func:`~dicedocs.render.html.outcome_html`.

    >>> import dicedocs as dd
    >>> print(outcome_latex(dd.roll("2d6", dice=[4, 2])))
    \begin{description}
    \item[Dice] 2d6: 4 + 2 = 6
    \item[Total] \textbf{6}
    \end{description}
    """
    played = was_played(outcome)
    items = [_item(each.label, _choice(each)) for each in chosen_parameters(outcome)] if chosen else []
    if played:
        with game_words(outcome.rule):
            lines = rows(outcome.steps())
        items += [_item(row.label, said_latex(row.said), row.depth) for row in lines if not row.idle]
    facts = result_lines(outcome, names or (() if played else tuple(outcome.facts_of)))
    items += [_item(label, rf"\textbf{{{latex_text(text)}}}") for label, text in facts]
    if not items:
        return ""
    return "\n".join([r"\begin{description}", *items, r"\end{description}"]).translate(_IN_ANY_FONT)


def _choice(choice: Choice) -> str:
    return rf"\texttt{{{escape_latex(str(choice))}}}" if choice.notation else latex_text(str(choice))


def _item(label: str, text: str, depth: int = 0) -> str:
    indent = r"\quad{}" * depth
    return rf"\item[{indent}{latex_text(label)}] {text}".rstrip()


def table_latex(table: Table) -> str:
    r"""Return a table as a ``tabular``.

    >>> from dicedocs.render.table import Table
    >>> print(table_latex(Table(("Total", "Chance"), (("9", "<0.1%"),))))
    \begin{tabular}{rr}
    \hline
    Total & Chance \\
    \hline
    9 & \textless{}0.1\% \\
    \hline
    \end{tabular}
    """

    def line(row: Sequence[str]) -> str:
        return " & ".join(_cell(text) for text in row) + r" \\"

    alignment = "".join("r" if table.is_numeric(column) else "l" for column in range(len(table.heads)))
    words = table.word_columns
    body = [[*row[:words], *map(local_figure, row[words:])] for row in table.rows]
    lines = [r"\hline", line(table.heads), r"\hline"]
    groups, figures = table.group_starts, len(table.heads) - table.label_columns
    for index, row in enumerate(body):
        if index in groups:
            group = groups[index]
            label, *percents = map(_cell, (group.label, *map(local_figure, group.percents)))
            over_all = rf"\multicolumn{{{figures}}}{{r}}{{{''.join(percents)}}}"
            cells = percents if index in table.sums else [over_all]
            lines.append(" & ".join([rf"\multicolumn{{{table.label_columns}}}{{l}}{{{label}}}", *cells]) + r" \\")
        lines.append(line(row))
    lines.append(r"\hline")
    tabular = "\n".join([rf"\begin{{tabular}}{{{alignment}}}", *lines, r"\end{tabular}"])
    return f"{tabular}\n\n{_cell(table.note)}" if table.note else tabular


def _cell(text: str) -> str:
    return in_print(text).translate(_IN_CELLS).translate(_IN_ANY_FONT)
