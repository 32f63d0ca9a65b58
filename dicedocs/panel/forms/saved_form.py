"""The form of a session as it is left, and a form as one was left: plain data for a file, or for another worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from dicedocs.errors import DiceError
from dicedocs.panel.entry import Entry, parameters_data
from dicedocs.panel.saved import SavedForm, from_plain, to_plain
from dicedocs.panel.state import FormState
from dicedocs.scenes.character import Character

if TYPE_CHECKING:
    from dicedocs.panel.forms.form_session import FormSession


def saved_form(session: FormSession) -> SavedForm:
    """Return the form of a session; what a game has beside goes with it if that is made of plain values."""
    form, own = session.seat.form, to_plain(session.seat.form.own)
    with suppress(Exception):  # the state of a game may be anything
        own = own if from_plain(session.own_kind, own) == form.own else None
    pins = tuple((pin.id, parameters_data(pin)) for pin in form.pins)
    return SavedForm(
        **form.inputs.state(),
        label=form.label,
        chosen=session.people.taken_now,
        groups=form.groups,
        shown=form.shown,
        cleared=form.cleared,
        pins=pins,
        own=own,
        lock=session.lock,
        odds_of=session.odds.fact,
        odds_show=session.odds.show,
    )


def as_saved(session: FormSession, form: FormState, saved: SavedForm, people: Mapping[str, Character]) -> FormState:
    """Return a form as one was left; what does not fit any more stays as it is.

    Parameters:
        session: the session that plays it.
        form: the form.
        saved: how it was left.
        people: the characters by name.
    """
    with suppress(DiceError):  # the fields of the panel are others now
        inputs = form.inputs
        for name, text in saved.texts.items():
            inputs = inputs.with_text(name, text)
        for name, parts in saved.parts.items():
            inputs = inputs.with_parts(name, parts)
        form = form._replace(inputs=inputs, label=saved.label, shown=saved.shown, cleared=saved.cleared)
        form = form._replace(groups=saved.groups)
        for slot, name in saved.chosen.items():
            if name in people:
                form = session.people.slots.follow(form, [slot], people[name])
    with suppress(Exception):  # a rule may be another one now, and raise anything
        pins = tuple(session.played_mechanics[id](**parameters) for id, parameters in saved.pins)
        form = form._replace(pins=pins)
    with suppress(Exception):  # and so may a game
        return session.adjusted(form._replace(own=from_plain(session.own_kind, saved.own)))
    return session.adjusted(form)


def go_on(session: FormSession, saved: SavedForm, entries: Iterable[Entry], number: int) -> None:
    """Let a session begin where another one was left.

    Parameters:
        session: the session.
        saved: the form of the other one.
        entries: the rolls that it had, oldest first.
        number: the number of the last roll it made, undone ones included.
    """
    seat, people = session.seat, {one.name: one for one in session.people.characters}
    form = as_saved(session, seat.form, saved, people)
    seat.store.begin(seat.store.state.with_form(seat.index, form._replace(shown=0))._replace(log=()))
    session.resume(entries)
    seat.replace_form(form)
    session.rolls = seat.store.number = number
    choose_as_saved(session, saved)


def choose_as_saved(session: FormSession, saved: SavedForm) -> None:
    """Choose what a session has beside its form as it was left; facts that it does not have are ignored.

    Parameters:
        session: the session.
        saved: how it was left.
    """
    session.lock = saved.lock
    with suppress(DiceError):
        session.odds.show = saved.odds_show
        session.odds.fact = saved.odds_of
