"""Build the documentation and the rulebook as PDF with LuaLaTeX, and fail if anything does not fit or is missing.

Needs TeX; on Debian: apt-get install --no-install-recommends latexmk texlive-luatex texlive-latex-extra
texlive-latex-recommended texlive-fonts-recommended fonts-texgyre fonts-dejavu
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
OUT: Final = ROOT / "build" / "pdf"
DOCUMENTS: Final = ("rulebook", "dicedocs")
PAPERS: Final = {
    "a4": ("a4paper", ""),
    "letter": ("letterpaper", ""),
    "a5": ("a5paper", r"hmargin={16mm,14mm},vmargin={18mm,18mm}"),
}
"""The option of the class, and the margins, where those of Sphinx do not suit."""
OVERFULL: Final = 5.0
"""Points by which a line may be too wide."""


def problems(log: str) -> list[str]:
    """Return what the log of TeX complains of: errors, missing characters, boxes that are too wide, references."""
    # TeX breaks its lines at 79 characters.
    log = re.sub(r"(?<=^.{79})\n", "", log, flags=re.MULTILINE)
    wide = [line for line in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide.*", log) if float(line) > OVERFULL]
    return [
        *re.findall(r"^!.*", log, re.MULTILINE),
        *sorted(set(re.findall(r"^Missing character: .*", log, re.MULTILINE))),
        *(f"a box is {points} pt too wide" for points in wide),
        *sorted(set(re.findall(r"LaTeX Warning: (?:Reference|Hyper reference) .* undefined.*", log))),
    ]


def main(paper: str) -> int:
    if paper not in PAPERS:
        print(f"{paper!r} is no paper; write {', '.join(PAPERS)}", file=sys.stderr)
        return 2
    if shutil.which("lualatex") is None or shutil.which("latexmk") is None:
        print(f"latexmk or lualatex was not found. {(__doc__ or '').partition('Needs')[2]}", file=sys.stderr)
        return 2
    folder = OUT / paper
    option, margins = PAPERS[paper]
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-d", "build/doctrees"]
    settings = ["-D", f"latex_elements.papersize={option}"]
    if margins:
        settings += ["-D", f"latex_elements.sphinxsetup={margins}"]
    subprocess.run([*build, "-b", "latex", *settings, "docs", str(folder)], cwd=ROOT, check=True)
    failed = False
    for name in DOCUMENTS:
        latexmk = ["latexmk", "-lualatex", "-interaction=nonstopmode", "-quiet", f"{name}.tex"]
        done = subprocess.run(latexmk, cwd=folder, check=False, capture_output=True, text=True)
        found = problems((folder / f"{name}.log").read_text(encoding="utf-8", errors="replace"))
        for problem in found:
            print(f"{name}: {problem}", file=sys.stderr)
        failed = failed or bool(found) or done.returncode != 0
        print(f"Open {(folder / name).relative_to(ROOT)}.pdf")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "a4"))
