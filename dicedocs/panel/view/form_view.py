"""A form as a page shows it, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import DiceError
from dicedocs.panel.effects import effect_text
from dicedocs.panel.forms.inputs import error_data
from dicedocs.render.words import clean
from dicedocs.scenes.change import net_changes
from dicedocs.translation import gettext as _
from dicedocs.translation import word

if TYPE_CHECKING:
    from dicedocs.panel.forms.form_session import FormSession

_SET_LETTERS: Final = 40
"""The characters that are shown of each setting that is folded away."""


def form_view(session: FormSession) -> dict[str, Any]:
    """Return all that changes of a form, except the history of its rolls.

    Parameters:
        session: the session, whose language is the current one.

    Returns:
        ``texts`` and ``parts`` of the inputs; ``errors`` by parameter, ``seed_error``, ``faces_error``, and
        ``error``, which is about none of them; ``faces``, those that were thrown by hand; ``outcome``, ``odds``,
        ``seed``, ``lock``, ``label``, ``rolls``; ``log``, what is saved of it; ``can``, the actions that are
        possible; ``selected``, the roll of the history that was chosen to be shown, or 0; ``failed``, why the roll
        that was just tried was not made, in a line; ``set``, what is set of what a page folds away; ``code``,
        ``directive`` and ``directive_rst``; ``words``, what is displayed for the states of dice that have another
        name in the language. ``comparison`` only if something is pinned, and ``characters`` only if there are some:
        for each slot its ``label``, the ``names``, each with what the character lacks, and the index of the one who
        is ``chosen``, or -1. ``then`` only if a roll does something to characters: the ``text`` of that, and
        whether it ``can`` be applied; ``seated`` only at a table; ``kept`` only if a file keeps the rolls.
    """
    seat, people, shown = session.seat, session.people, session.page_state(session.view)
    slots = people.slots_in_use(seat.form)
    characters = slots.state(seat.form, people.characters, session.rule_of, session.changes.named_slots)
    return {
        **shown,
        **session.inputs.state(),
        **_errors(session),
        "seed_error": error_data(session.seeds.error) if session.seeds.error else None,
        "faces": session.hand_dice.text,
        "seed": session.seeds.text,
        "lock": session.lock,
        "label": session.label,
        "rolls": session.rolls,
        "can": {**shown["can"], "clear": bool(session.entries), "roll": session.error is None},
        "selected": session.travel.selected,
        "failed": _failed(session),
        "set": _rarely_set(session),
        **session.odds.state(session.outcome),
        **_to_apply(session),
        **({"seated": True} if seat.store.at_table else {}),
        **({"characters": characters} if characters else {}),
    }


def _errors(session: FormSession) -> dict[str, Any]:
    """Return the errors: those of parameters, that of dice thrown by hand, and one that is about neither."""
    errors = {name: error_data(error) for name, error in session.inputs.errors.items()}
    rule_error, faces_error = session.rule_error, session.hand_dice.error
    if rule_error is not None and rule_error.parameter in session.inputs.fields:
        errors.setdefault(rule_error.parameter, error_data(rule_error))
        rule_error = None
    elif rule_error is not None and rule_error.parameter == "dice" and session.hand_dice.text:
        rule_error, faces_error = None, rule_error
    elif errors:
        # It is about the last valid values, and may be gone once the inputs are valid.
        rule_error = None
    return {
        "errors": errors,
        "faces_error": error_data(faces_error) if faces_error else None,
        "error": error_data(rule_error) if rule_error else None,
    }


def _failed(session: FormSession) -> str:
    """Return why the last attempt to roll failed, in a line; empty once nothing prevents a roll any more."""
    error, fields = session.error, session.inputs.fields
    if error is None or not session.travel.attempted:
        return ""
    text = error_data(error)["text"].partition("\n")[0]
    label = _("Seed") if error is session.seeds.error else _("Rolled by hand") if error.parameter == "dice" else ""
    if error.parameter in fields:
        label = word(fields[error.parameter].label)
    return _("{label}: {text}").format(label=label, text=text) if label else text


def _rarely_set(session: FormSession) -> list[str]:
    """Return what a page folds away and is not as usual, each with its label."""
    inputs, seed = session.inputs, session.seeds.chosen
    changed = [
        (word(field.label), "" if inputs.values[name] is True else inputs.texts[name])
        for name, field in inputs.fields.items()
        if field.advanced and not field.required and inputs.values[name] != field.default
    ]
    own = [(_("Label"), session.label), (_("Seed"), "" if seed is None else str(seed))]
    texts = [*changed, *((label, text) for label, text in own if text)]
    return [clean(f"{label} {text}").strip()[:_SET_LETTERS] for label, text in texts] + (
        [_("Lock seed")] if session.lock else []
    )


def _to_apply(session: FormSession) -> dict[str, Any]:
    """Return what Apply does to characters; nothing if a roll does nothing to them."""
    if not session.changes.present:
        return {}
    try:
        found = net_changes(one for effect in session.effects() for one in effect.changes)
    except DiceError as error:
        return {"then": {"text": str(error), "can": False}}
    done = session.shown.effect if session.shown else ""
    return {"then": {"text": effect_text(session.seat.store.state, found) or done, "can": bool(found)}}
