"""The games of a book, played from the finished archive before any page is: a page has nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from functools import reduce
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sphinx.application import Sphinx

from dicedocs import DiceError, Example
from dicedocs.limits import raised_limits
from dicedocs.rules.registry import mechanic as mechanic_of
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.book.domain import DiceDomain, dice_domain
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.rolling.core_archive import OWN
from dicedocs_sphinx.settings import settings_of

_SCRIPT: Final = Path(__file__).with_name("archive_player.py")
_PLAYED: Final = "dicedocs-played"
"""How the name begins of the file that says of an archive that its games were played well."""
_HINT: Final = "name what it needs in dicedocs_depends, and open files by paths from __file__"


def play_from_archive(
    app: Sphinx, archive: bytes, paths: Sequence[str], modules: Mapping[str, str]
) -> Mapping[str, str]:
    """Return why mechanics cannot be played with nothing but an archive, by their ids.

    What was played well is not played again.

    Parameters:
        app: the application, whose pages have all been read.
        archive: the archive, not compiled for the Python of the pages.
        paths: the folders in it from which Python imports.
        modules: the modules of the mechanics, by their ids.
    """
    played = {id: example for id in modules if (example := _example_of(app, id))}
    if not played:
        return {}
    seconds = settings_of(app.config).seconds
    job = {
        "paths": paths,
        "seconds": seconds,
        "limits": raised_limits(),
        "plays": [{"module": modules[id], "example": example} for id, example in played.items()],
    }
    text = json.dumps(job)
    kept = Path(app.doctreedir) / f"{_PLAYED}-{hashlib.sha256(archive + text.encode()).hexdigest()[:16]}"
    if kept.is_file():
        return {}
    # Each has its own clock, which does not stop what never returns to Python.
    found = _failures(archive, paths, text, len(played), seconds * (len(played) + 1))
    failures = dict(zip(played, found, strict=True))
    if not any(failures.values()):
        for old in kept.parent.glob(f"{_PLAYED}-*"):
            old.unlink()
        kept.touch()
    return {id: f"{failure}; {_HINT}" for id, failure in failures.items() if failure}


def _example_of(app: Sphinx, id: str) -> Example | None:
    """Return an example that can be played here, with what it gives: the first of the book, or else the mechanic's."""
    try:
        with contained(settings_of(app.config).seconds):
            block = _first_block(dice_domain(app.env), id)
            if block is not None:
                return block.example()._replace(parameters=dict(block.parameters))
            chosen = {field.name: field.write(value) for field, value in mechanic_of(id).example().chosen()}
            example = Example(id, chosen, seed=0)
            return example._replace(expect=example.play().facts())
    except DiceError:
        return None


def _first_block(domain: DiceDomain, id: str) -> ExampleBlock | None:
    blocks = (block for page in sorted(domain.blocks) for block in domain.blocks[page])
    examples = (block for block in blocks if isinstance(block, ExampleBlock) and block.mechanic == id)
    return next((block for block in examples if not block.issues), None)


def _failures(archive: bytes, paths: Sequence[str], job: str, count: int, seconds: float) -> list[str]:
    """Return why each play fails in a Python that has only an archive; empty if it does not."""
    with TemporaryDirectory() as temporary:
        folder, answers = Path(temporary).resolve() / "archive", Path(temporary, "answers")
        with zipfile.ZipFile(BytesIO(archive)) as packed:
            packed.extractall(folder)
        command = [sys.executable, "-I", "-S", "-B", str(_SCRIPT), str(folder), str(answers)]
        try:
            done = subprocess.run(  # noqa: S603  # our own
                command, input=job, text=True, cwd=temporary, capture_output=True, check=False, timeout=seconds or None
            )
            ended = f"Python exited with {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"it takes longer than {seconds:g} seconds"
        found = [json.loads(line) for line in answers.read_text("utf-8").splitlines()] if answers.exists() else []
    # Without the folders of this check, which the author does not know.
    ours = [f"{above}{os.sep}" for above in (*(folder / path for path in paths), folder / OWN, folder, folder.parent)]
    shown = [reduce(lambda text, above: text.replace(above, ""), ours, failure) for failure in found]
    return [*shown, *[ended] * (count - len(found))]
