"""The texts of the page of a panel, in the language of its session: the page's own code has none.

A text may have placeholders, which the page fills in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dicedocs.panel.view.live_odds import ODDS_SHOWS
from dicedocs.render.drawing import dice_message
from dicedocs.render.svg import die_shapes
from dicedocs.render.verdict import ICONS
from dicedocs.render.words import clean
from dicedocs.translation import SOURCE_LANGUAGE, current_language, ngettext, pgettext, word
from dicedocs.translation import gettext as _

_SEVERAL = 2
"""A number whose plural stands for that of all."""


def page_data() -> dict[str, Any]:
    """Return what the pages of all panels need.

    Returns:
        ``shapes``, drawings of dice; ``shows``, what a bar of odds may be, each with its label; the ``language``, as
        HTML has it; and its ``texts``.
    """
    language = current_language()
    return {
        "shapes": die_shapes(),
        "shows": {name: _(label) for name, label in ODDS_SHOWS.items()},
        "language": (SOURCE_LANGUAGE if language is None else language.code).replace("_", "-"),
        "texts": panel_texts(),
    }


def panel_texts() -> dict[str, str]:
    """Return the texts of the page by their keys.

    >>> panel_texts()["undo"]
    'Undo'
    """
    return {
        "add": _("Add"),
        "add_die": _("Add d{sides}"),
        "add_die_count": _("Add d{sides}, {count} so far"),
        "add_other": _("{label}: add a die with another number of sides"),
        "add_to": _("Add to {label}"),
        "again": _("Roll these dice again"),
        "all": _("All"),
        "and_more": ngettext("and {count} more", "and {count} more", _SEVERAL),
        "apply": _("Apply"),
        "apply_all": _("Apply all"),
        "apply_roll": _("Apply roll {number}"),
        "apply_text": _("Apply: {text}"),
        "bounds": _("{low} to {high}"),
        "clear": _("Clear history"),
        "compare": _("Compare"),
        "compare_save": _("Compare or save"),
        "compare_help": _("Keep these settings in the chart, and change them to see both."),
        "copied": _("Copied"),
        "copy": _("Copy"),
        "copy_log": _("Copy the log"),
        "copy_what": _("Copy {label}"),
        "counted": _("Odds counted"),
        "dead": _(
            "Python is not running behind this panel, which shows its last outcome. Running its cell again starts a "
            "new log, unless a file keeps the rolls: copy this log first."
        ),
        "dead_kept": _(
            "Python is not running behind this panel, which shows its last outcome. A file keeps the rolls: run the "
            "cell again to continue."
        ),
        "deviation": _("standard deviation {number}"),
        "dice": _("Dice"),
        "die": ngettext("d{sides}", "{count} d{sides}", 1),
        "die_less": _("{label}: one die fewer"),
        "die_more": _("{label}: one die more"),
        "empty": _("Empty"),
        "favourites": _("Favourites"),
        "export": _("Code and directive"),
        "faces": _("Faces"),
        "faces_example": "4 2 5",
        "faces_help": _("the faces of real dice in the order thrown, such as 4 2 5"),
        "format": _("Format"),
        "history": _("History"),
        "insert": _("{label}: pieces to insert"),
        "keep": _("Keep as favourite"),
        "keys": _(
            "Enter rolls, arrow keys count; outside text boxes Ctrl+Z undoes the last step, Ctrl+Y does it again."
        ),
        "label": _("Label"),
        "label_help": _("the label of the next roll"),
        "labelled": _("{label}: {text}"),
        "less_die": _("One d{sides} less"),
        "log": _("Log"),
        "lock": _("Lock seed"),
        "locked": _("The seed is locked: every roll throws the same dice."),
        "lock_help": _("whether each roll reuses the seed of the one before"),
        "mean": _("mean {number}"),
        "mode": _("How the d20 is thrown"),
        "modifier": _("Modifier"),
        "more": _("More"),
        "name": _("Name"),
        "next": _("Next"),
        "next_seed": _("Next seed"),
        "next_turn": _("Next turn"),
        "not_rolled": _("Nothing was rolled."),
        "no_roll": _("No roll yet."),
        "nobody": _("nobody"),
        "nobody_ticked": _("None"),
        "none": _("none"),
        "not_sides": _("{text} is not a number of sides: write a whole number, 1 or more"),
        "note_example": _("such as: Kira jumps the gap"),
        "note_on": _("Note on roll {number}"),
        "numbered_die": _("Die {number} showing {face}"),
        "numbered_die_pressed": _("Die {number} showing {face}, to {action}"),
        "numbered_die_state": _("Die {number} showing {face}, {state}"),
        "odds_of": _("Odds of"),
        "odds_of_what": _("Odds of {subject}"),
        "of": _("{value} of {maximum}"),
        "one_less": _("{label}: one less"),
        "one_more": _("{label}: one more"),
        "order": _("Order of turns"),
        "correct": _("Correct"),
        "correct_roll": _("Correct roll {number}"),
        "target": _("Target"),
        "turn_name": _("Whose turn"),
        "turn_number": _("Number"),
        "add_turn": _("Add a turn"),
        "earlier": _("{name}: earlier"),
        "later": _("{name}: later"),
        "other": _("Other"),
        "panel": _("{name} panel"),
        "panels": _("Panels"),
        "present": _("present settings"),
        "preview": _("Preview"),
        "redo": _("Redo"),
        "remove": _("Remove {name}"),
        "restart": _("Start afresh"),
        "roll": pgettext("button", "Roll"),
        "roll_favourite": _("Roll {name}"),
        "roll_at_each": _("Roll once against each"),
        "roll_each": _("Roll for each"),
        "roll_order": _("Roll for the order of turns"),
        "round": _("Round {number}"),
        "roll_number": _("Roll {number}"),
        "save_csv": _("Download CSV"),
        "save_picture": _("Download PNG"),
        "saved": _("A saved panel with its last outcome. To roll, open the notebook."),
        "seed": _("Seed"),
        "seed_help": _("the seed of the dice, a number or a word; empty for a new one"),
        "seed_of": _("seed {seed}"),
        "pin": _("Pin roll {number}"),
        "sound": _("Sound"),
        **{f"icon_{tone}": icon for tone, icon in ICONS.items()},
        "by_hand": _("Rolled by hand"),
        "hidden": dice_message(1, hidden=True),
        "hidden_state": dice_message(1, with_state=True, hidden=True),
        "several": _("Roll for several"),
        "show": _("What a bar shows"),
        "showing": dice_message(1),
        "showing_several": dice_message(_SEVERAL),
        "showing_several_state": dice_message(_SEVERAL, with_state=True),
        "showing_state": dice_message(1, with_state=True),
        "sides": _("Sides"),
        "stale": _("These are the odds of the last valid settings."),
        "strike": _("Strike out, or bring back"),
        "strike_roll": _("Strike out roll {number}"),
        "struck": _("(struck out)"),
        "take_back": _("Take back"),
        "take_back_roll": _("Take back roll {number}"),
        "this_roll": _("this roll"),
        "undo": _("Undo"),
        "unsent": _("The message could not be sent. {error}"),
        "value": _("Value"),
        "waiting": _("Waiting for Python…"),
    }


def state_words(outcome: Mapping[str, Any]) -> dict[str, str]:
    """Return what is displayed for the states of the dice of an outcome, where it is another text."""
    dice = [*outcome["dice"], *(die for _label, pool, _rest in outcome.get("pools", ()) for die in pool)]
    return translations(die[2] for die in dice)


def translations(texts: Iterable[str]) -> dict[str, str]:
    """Return the words that have another text in the language, each with that text."""
    return {text: shown for text in texts if (shown := clean(word(text))) != text}
