"""Build the documentation and the rulebook as PDF with LuaLaTeX, and fail if anything does not fit or is missing.

Needs TeX and Poppler; on Debian: apt-get install --no-install-recommends latexmk texlive-luatex texlive-latex-extra
texlive-latex-recommended texlive-fonts-recommended fonts-texgyre fonts-dejavu poppler-utils
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zlib
from functools import partial
from multiprocessing.pool import ThreadPool
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
OVERFULL: Final = {"wide": 6.5, "high": 15.0}
"""Points by which a line may be too wide, or a page too high: two cells are 12 apart, and a long table may reach a line
into the margin."""
TOOLS: Final = ("latexmk", "lualatex", "pdftotext", "pdffonts")


def log_problems(log: str) -> list[str]:
    """Return what the log of TeX complains of: errors, missing characters, boxes that are too large, references."""
    # TeX breaks its lines at 79 characters.
    log = re.sub(r"(?<=^.{79})\n", "", log, flags=re.MULTILINE)
    boxes = re.findall(r"Overfull \\[hv]box \(([\d.]+)pt too (wide|high)", log)
    return [
        *re.findall(r"^!.*", log, re.MULTILINE),
        *sorted(set(re.findall(r"^Missing character: .*", log, re.MULTILINE))),
        *(f"a box is {points} pt too {side}" for points, side in boxes if float(points) > OVERFULL[side]),
        *sorted(set(re.findall(r"LaTeX Warning: (?:Reference|Hyper reference) .* undefined.*", log))),
    ]


def example_titles() -> list[str]:
    """Return the titles of all examples of the rulebook, as its pages have them."""
    pages = sorted((ROOT / "docs" / "rulebook").glob("*.md"))
    titles = r"^`{3,}\{dice:example\} (.+)$"
    return [title for page in pages for title in re.findall(titles, page.read_text(encoding="utf-8"), re.MULTILINE)]


def letters(text: str) -> str:
    """Return the letters and digits of a text, which neither hyphenation nor typographic quotes change."""
    return re.sub(r"[\W_]+", "", text).casefold()


def pdf_problems(pdf: Path, titles: list[str], drawings: int) -> list[str]:
    """Return what a PDF lacks when it is read back: titles of examples, lines that are drawn, embedded fonts."""
    text = letters(output_of("pdftotext", str(pdf), "-"))
    # After the name and the type of a font, which may contain spaces: encoding, embedded, subset, Unicode, object.
    fonts = [line for line in output_of("pdffonts", str(pdf)).splitlines()[2:] if line.split()[-5] != "yes"]
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf.read_bytes(), re.DOTALL)
    drawn = sum(len(re.findall(rb"\bm\b", inflated(stream))) for stream in streams)
    return [
        *(f"the example {title!r} is missing" for title in titles if letters(title) not in text),
        *(f"a font is not embedded: {line}" for line in fonts),
        *([f"{drawn} lines are drawn, and there are {drawings} drawings"] if drawn < drawings else []),
    ]


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def inflated(stream: bytes) -> bytes:
    """Return a stream of a PDF if it is text that is compressed, and nothing if it is anything else."""
    try:
        content = zlib.decompress(stream)
    except zlib.error:
        return b""
    return content if content.isascii() else b""


def compile_problems(folder: Path, name: str) -> list[str]:
    """Compile a document, and return what is wrong with it."""
    latexmk = ["latexmk", "-lualatex", "-interaction=nonstopmode", "-quiet", f"{name}.tex"]
    done = subprocess.run(latexmk, cwd=folder, check=False, capture_output=True, text=True)
    found = log_problems((folder / f"{name}.log").read_text(encoding="utf-8", errors="replace"))
    if done.returncode:
        return [*found, f"latexmk ended with {done.returncode}"]
    drawings = (folder / f"{name}.tex").read_text(encoding="utf-8").count(r"\dicedrawing")
    return found + pdf_problems(folder / f"{name}.pdf", example_titles(), drawings)


def main(paper: str) -> int:
    if paper not in PAPERS:
        print(f"{paper!r} is no paper; write {', '.join(PAPERS)}", file=sys.stderr)
        return 2
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        print(f"{', '.join(missing)}: not found. The PDF needs{(__doc__ or '').partition('Needs')[2]}", file=sys.stderr)
        return 2
    folder = OUT / paper
    option, margins = PAPERS[paper]
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-d", "build/doctrees"]
    settings = ["-D", f"latex_elements.papersize={option}"]
    if margins:
        settings += ["-D", f"latex_elements.sphinxsetup={margins}"]
    subprocess.run([*build, "-b", "latex", *settings, "docs", str(folder)], cwd=ROOT, check=True)
    with ThreadPool(len(DOCUMENTS)) as pool:
        # TeX uses one core.
        compiled = pool.map(partial(compile_problems, folder), DOCUMENTS)
    for name, found in zip(DOCUMENTS, compiled, strict=True):
        for problem in found:
            print(f"{name}: {problem}", file=sys.stderr)
        print(f"Open {(folder / name).relative_to(ROOT)}.pdf")
    return int(any(compiled))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "a4"))
