"""How this book looks on paper: its cover, with dice drawn like those of its examples, and its chapters."""

from __future__ import annotations

from typing import Final

from dicedocs.render.tikz import die_tikz
from dicedocs.rules.record import Die

_FACES: Final = {4: 2, 6: 5, 8: 7, 10: 3, 12: 11, 20: 17}
_DICE: Final = r"\hspace{1em}".join(die_tikz(Die(sides, face)) for sides, face in _FACES.items())

COVER: Final = rf"""
\makeatletter
\begin{{titlepage}}
\sffamily\raggedright
\vspace*{{0.16\textheight}}
{{\fontsize{{40}}{{46}}\bfseries\selectfont \@title\par}}
\vspace{{1.2em}}
{{\large Rules whose examples are played, explained and checked\par}}
\vfill
{{\centering\resizebox{{\linewidth}}{{!}}{{{_DICE}}}\par}}
\vfill
\vfill
{{\color{{dicegrey}}Methuen\quad Total//Effect\quad Mecha vs Kaiju\quad Dungeoneers\quad The Mage in the Metal\par}}
\vspace{{0.4em}}
{{\color{{dicegrey}}\py@release\par}}
\end{{titlepage}}
\makeatother
"""
PREAMBLE: Final = r"""
\sphinxsetup{verbatimforcewraps=true}
\sphinxsetup{div.note_title-background-TeXcolor={gray}{0.93},div.note_background-TeXcolor={gray}{1}}
\definecolor{dicegrey}{gray}{0.35}
\titleformat{\chapter}[display]{\sffamily\bfseries\raggedright}
    {\color{dicegrey}\large\chaptertitlename\ \thechapter}{0.3em}{\Huge}[\vspace{0.5em}\titlerule]
\titlespacing*{\chapter}{0pt}{0pt}{2em}
"""
"""What is grey, and a chapter whose number and title stand above a line."""
