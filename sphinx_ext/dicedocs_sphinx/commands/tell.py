"""``dicedocs tell``: print a scene as readers read it after random plays, for its author to proof-read."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

from dicedocs import ParameterError
from dicedocs.cli.commands import ExitStatus
from dicedocs.cli.terminal import ProgressLine, game_prints, progress_bar, styles
from dicedocs.errors import quoted
from dicedocs.panel.forms.seed_choice import read_seed
from dicedocs.render.json_data import SCHEMA
from dicedocs.render.words import clean_lines
from dicedocs.rules.playing import fresh_seed
from dicedocs.rules.seeds import SeededDice
from dicedocs.similar_words import near
from dicedocs_sphinx.author.book_reading import check_folders, domain_of, read_book
from dicedocs_sphinx.author.told_story import TellableScene, Telling, read_html
from dicedocs_sphinx.blocks.scene import SceneBlock
from dicedocs_sphinx.book_language import book_language

_MOST: Final = 1000
"""The maximum number of plays."""
_WIDTH: Final = 100
# From the pages as they are from disk: no Python for browsers is needed.
_SETTINGS: Final = {
    "dicedocs_reroll": True,
    "dicedocs_deck": 1,
    "dicedocs_pyodide": ".no-python",
    "dicedocs_offline": False,
}


def run(options: argparse.Namespace) -> int:
    """Play the scene, print what readers read, and return the exit status."""
    if not 1 <= options.times <= _MOST:
        raise ParameterError(f"{options.times} is not from 1 to {_MOST}", parameter="times")
    seed = read_seed(options.seed or "")
    seed = fresh_seed() if seed is None else seed
    folders = check_folders(options.book, options.conf)
    with (
        game_prints(),
        ProgressLine() as line,
        read_book(
            folders,
            progress=lambda done, total: line.show(progress_bar(done, total)),
            settings=_SETTINGS,
            builder="html",
        ) as app,
        book_language(app.env),
    ):
        scene, dice = _scene(app, options.scene), SeededDice(seed)
        plays = list[Telling]()
        for number in range(options.times):
            line.show(progress_bar(number, options.times))
            plays.append(scene.tell(dice))
    found = _findings(scene, plays)
    if options.json:
        print(json.dumps(_json_data(options.scene, seed, plays, found), indent=2))
    else:
        _print(options.scene, seed, plays, found)
    return ExitStatus.DOES_NOT_HOLD if any(play.error for play in plays) else ExitStatus.HOLDS


def _scene(app: Sphinx, name: str) -> TellableScene:
    """Return a scene of the book on its page, which is written for that.

    Raises:
        ParameterError: the book has no such scene.
    """
    scenes = {
        block.label: (page, block)
        for page, blocks in domain_of(app).blocks.items()
        for block in blocks
        if isinstance(block, SceneBlock)
    }
    if name not in scenes:
        raise ParameterError(
            f"no scene of the book is named {quoted(name)}", hint=near(name, scenes), parameter="scene"
        )
    page, block = scenes[name]
    app.builder.build([page], method="specific")
    html = Path(app.builder.get_output_path(page)).read_text("utf-8")  # type: ignore[attr-defined]
    return TellableScene(read_html(html), block.scene, block.anchor)


def _findings(scene: TellableScene, plays: Sequence[Telling]) -> dict[str, Any]:
    """Return the beats that never failed, never succeeded or never happened, and who acted at a minimum."""
    names = {
        place.message["beat"]["label"]: place.message["beat"].get("name", "") for place in scene.places if place.chance
    }
    tones = {label: [play.rolls[label]["tone"] for play in plays if label in play.rolls] for label in names}
    worn = Counter(one for play in plays for one in dict.fromkeys(play.worn))
    return {
        "never_failed": [names[label] for label, each in tones.items() if each and set(each) <= {"success"}],
        "never_succeeded": [names[label] for label, each in tones.items() if any(each) and "success" not in each],
        "never_happened": [names[label] for label, each in tones.items() if not each],
        "at_minimum": [
            {"beat": beat, "value": value, "is": text, "plays": n} for (beat, value, text), n in worn.items()
        ],
    }


def _json_data(scene: str, seed: object, plays: Sequence[Telling], found: dict[str, Any]) -> dict[str, Any]:
    """Return the stories as plain data; docs/reference/json.md describes it."""
    told = [
        {"text": play.text, "rolls": play.rolls, "missed": play.missed, "error": play.error or None} for play in plays
    ]
    return {"dicedocs": SCHEMA, "scene": scene, "seed": seed, "stories": told, **found}


def _print(scene: str, seed: object, plays: Sequence[Telling], found: dict[str, Any]) -> None:
    style = styles(sys.stdout)
    for number, play in enumerate(plays, 1):
        print(f"{style.bold}{clean_lines(scene)}, play {number} of {len(plays)}{style.end}\n")
        for text in play.text:
            print(textwrap.fill(clean_lines(text), _WIDTH))
        if play.error:
            print(clean_lines(f"It ends here: {play.error}"))
        print()
    count = f"{len(plays)} play{'' if len(plays) == 1 else 's'} with the seed {seed}"
    print(f"{style.bold}{clean_lines(count)}{style.end}")
    for key, what in (("failed", "never failed"), ("succeeded", "never succeeded"), ("happened", "never happened")):
        if names := found[f"never_{key}"]:
            print(clean_lines(f"{what}: {', '.join(names)}"))
    for one in found["at_minimum"]:
        print(clean_lines(f"acted at {one['value']} {one['is']}: {one['beat']} ({one['plays']} of {len(plays)})"))
