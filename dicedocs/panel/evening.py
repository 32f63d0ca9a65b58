"""An evening at a table: several sessions with one log, in order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.panel.correction import corrected
from dicedocs.panel.entry import Entry
from dicedocs.panel.forms.changes import check_then
from dicedocs.panel.forms.characters import TARGET, Character, named_character, scene_state, with_values
from dicedocs.panel.forms.form_session import FormSession
from dicedocs.panel.forms.people import with_change, with_person
from dicedocs.panel.forms.saved_form import as_saved, choose_as_saved, saved_form
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.kept_rolls import Beginning, Left, LeftForm
from dicedocs.panel.next_day import with_ends
from dicedocs.panel.record import changes_between
from dicedocs.panel.saved import to_plain
from dicedocs.panel.state import FormState, State
from dicedocs.panel.store import EVENING, Store
from dicedocs.panel.turn_order import TurnOrder
from dicedocs.panel.view.log import LogFormat
from dicedocs.panel.view.outcome_view import entry_view
from dicedocs.panel.view.roll_log import RollLog
from dicedocs.panel.view.scene_log import scene_markdown
from dicedocs.panel.wire import Message
from dicedocs.render.words import clean
from dicedocs.rules.dice import parse_faces
from dicedocs.rules.kinds import IntKind, as_line, convert
from dicedocs.rules.mechanic import rule_with
from dicedocs.rules.playing import DiceSource, dice_from
from dicedocs.scenes.change import Changed
from dicedocs.scenes.scene import Scene, character_key
from dicedocs.similar_words import near
from dicedocs.translation import gettext as _
from dicedocs.translation import mark

_VALUES_SHOWN: Final = 12
"""Values of each character that are shown."""
SCENE: Final = "scene"
"""The format of the log that is a scene of a book."""
TABLE: Final = "table"
"""The id of the form of a table."""


class Evening(RollLog):
    """Sessions at one table, whose rolls are counted together.

    The log has the rolls that are made from now on. None disappears: one that is undone in its panel is struck out.

    Parameters:
        sessions: the sessions.
        names: the title of each; that of its mechanic or game if it is empty.
        scene: the scene that is played: its characters have the values that they have there, its tracks are counted
            at the table, and what changes here changes there.
        then: what a roll does to characters when that is applied, in each session that says nothing itself:
            ``target.HP -= damage``. A session whose outcomes lack a fact that a change names does not make it.

    Attributes:
        sessions: the sessions.
        names: the title of each, those that are the same with a number.
        turns: the order of turns.
        title: that of the evening, for the scene of a book; empty for the usual one.

    Raises:
        ParameterError: there is no session, or ``then``, or that of a session, names something that nobody at the
            table has.

    >>> from dicedocs.panel.forms.session import Session
    >>> attack, tray = Session("dice/check", {"check": "1d20 + 5 >= 15"}, seed=1), Session("dice/roll", seed=2)
    >>> table = Evening([attack, tray])
    >>> for session in (attack, tray, attack):
    ...     _ = session.roll()
    >>> [(entry.roll, entry.outcome.rule.id) for entry in table.entries]
    [(1, 'dice/check'), (2, 'dice/roll'), (3, 'dice/check')]
    >>> table.strike(2)
    >>> table.note(3, "Kira jumps the gap")
    >>> table.log_rows()[1].struck, table.log_rows()[2].note
    (True, 'Kira jumps the gap')
    """

    unshown = frozenset({"formula", "values"})

    def __init__(
        self,
        sessions: Sequence[FormSession],
        names: Sequence[str] = (),
        scene: Scene | None = None,
        then: str = "",
    ) -> None:
        super().__init__()
        if not sessions:
            raise ParameterError("an evening needs panels", hint="write evening(panel_a, panel_b)")
        self.sessions = tuple(sessions)
        titles = zip(self.sessions, [*names, *[""] * len(self.sessions)], strict=False)
        self.names = numbered([clean(name) or session.form()["title"] for session, name in titles])
        self._scene, self.title = scene, ""
        state = {} if scene is None else scene.state()
        played = {path.partition(".")[0] for path in state if "." in path}
        people: dict[str, Character] = {}
        for one in (one for session in self.sessions for one in session.people.characters):
            key = character_key(one.name)
            people.setdefault(one.name, scene[key] if scene is not None and key in played else one)
        tracks = {name: text for name, text in state.items() if "." not in name}
        self._cast, self._tracks_at_start = dict(people), Character(_("Tracks"), tracks) if tracks else None
        facts = {name for session in self.sessions for name in session.changes.facts}
        check_then(then, facts, people.values(), self._tracks_at_start)
        for name, session in zip(self.names, self.sessions, strict=True):
            try:
                session.changes.check(session.changes.then, people.values(), self._tracks_at_start)
            except ParameterError as error:
                message = f"{error.message}, for the panel {quoted(name)}"
                raise ParameterError(message, hint=error.hint, parameter="then") from error
        forms = (_at_table(session, index, people) for index, session in enumerate(self.sessions))
        self.seat = Seat(Store(State(tuple(forms), people, tracks=self._tracks_at_start, then=then), at_table=True))
        self.turns = TurnOrder(self.seat.store)
        self.seat.store.number = max(session.rolls for session in self.sessions)
        self._shown, self._named = 0, list[str]()
        self._given = [session.inputs.state() for session in self.sessions]
        for index, session in enumerate(self.sessions):
            session.sit_down(self.sessions, index, self.seat.store)
        self.seat.players = [session.people for session in self.sessions]
        self.seat.store.observers.append(self._moved)

    def _moved(self, before: State) -> None:
        """Show what was just rolled, or what is left after an undo, and tell the scene what became of its values."""
        after = self.seat.store.state
        rolls, known = ({entry.roll for entry in state.log} for state in (after, before))
        last = max(rolls, default=0)
        if last > max(known, default=0) or self._shown in known - rolls:
            self._shown = last
        for name, one in after.people.items():
            self._cast.setdefault(name, one)
        if self._scene is not None:
            for change in changes_between(before, after):
                _tell(self._scene, change)

    @property
    def characters(self) -> Mapping[str, Character]:
        """The characters of the sessions by name, with the values that they have now."""
        return self.seat.store.state.people

    @property
    def tracks(self) -> Character | None:
        """Whoever has the tracks of the scene; ``None`` without one."""
        return self.seat.store.state.tracks

    @property
    def entries(self) -> list[Entry]:
        """The rolls of all sessions, oldest first; those that were undone are struck out."""
        return list(self.seat.store.log)

    @property
    def shown(self) -> Entry | None:
        """The roll that is shown: the last one, or one that was chosen; ``None`` before the first."""
        return next((entry for entry in self.seat.store.log if entry.roll == self._shown), None)

    @property
    def beginning(self) -> Beginning:
        """What the table began with."""
        tracks = self._tracks_at_start.sheet if self._tracks_at_start else {}
        cast = {name: dict(one.sheet) for name, one in self._cast.items()}
        return Beginning(cast, dict(tracks), self.seat.store.state.before)

    def left(self) -> Left:
        """Return the forms and the order of turns as they are now, to be kept until the next day."""
        # Rolls are numbered again when they are read.
        numbers = {entry.roll: at for at, entry in enumerate(self.entries, 1)}
        left = []
        for name, given, session in zip(self.names, self._given, self.sessions, strict=True):
            form = saved_form(session)
            cleared = max((at for roll, at in numbers.items() if roll <= form.cleared), default=0)
            left.append(LeftForm(name, given, form._replace(shown=numbers.get(form.shown, 0), cleared=cleared)))
        turns = (turn._replace(roll=numbers.get(turn.roll, 0)) for turn in self.seat.store.state.turns)
        return Left(tuple(left), tuple(turns))

    def resume(
        self,
        entries: Sequence[Entry],
        beginning: Beginning | None = None,
        kept: Left = Left(),  # noqa: B008
    ) -> None:
        """Continue after rolls that were made before.

        Each value is again what it was then, unless the table is given another one than it was given at that time.

        Parameters:
            entries: the rolls, numbered from 1.
            beginning: what the table began with at that time; without it the values stay as they are.
            kept: the forms as they were left; each is so again, but for one that is given other values now; and the
                order of turns.
        """
        left, state = kept.forms, self.seat.store.state._replace(turns=kept.turns)
        self.seat.store.number = max([self.seat.store.number, *(entry.roll for entry in entries)])
        places = {at: self._place(one) for at, one in enumerate(left)}
        for entry in entries:
            form = places.get(entry.form, EVENING) if left else self._player_of(entry)
            plays = form >= 0 and entry.outcome.rule.id in self.sessions[form].played_mechanics
            state = state._replace(log=(*state.log, entry._replace(form=form if plays else EVENING)))
            if plays:
                state = state.with_form(form, state.forms[form]._replace(shown=entry.roll))
                self.sessions[form].rolls = entry.roll
        if beginning is not None:
            state = self._resumed(state, beginning)
        again = {places[at]: one.form for at, one in enumerate(left) if self._is_given_again(places[at], one)}
        for form, saved in again.items():
            state = state.with_form(form, as_saved(self.sessions[form], state.forms[form], saved, state.people))
        self.seat.store.replace(state)
        for form, saved in again.items():
            choose_as_saved(self.sessions[form], saved)

    def _place(self, left: LeftForm) -> int:
        """Return the index of the form that was left; ``EVENING`` if it is not at the table."""
        return self.names.index(left.name) if left.name in self.names else EVENING

    def _is_given_again(self, index: int, left: LeftForm) -> bool:
        """Return whether the panel of a form that was left is at the table, with the values that it was given then."""
        return index >= 0 and to_plain(self._given[index]) == left.given

    def _player_of(self, entry: Entry) -> int:
        """Return the index of the session in which a roll can be applied whose effect still waits; else ``EVENING``."""
        if not entry.pending or entry.struck:
            return EVENING
        rule = entry.outcome.rule.id
        return next((at for at, one in enumerate(self.sessions) if rule in one.played_mechanics), EVENING)

    def _resumed(self, state: State, beginning: Beginning) -> State:
        """Return a state with the values that it had at the end, but with those that are given otherwise now."""
        state = state._replace(before=beginning.changes)
        changes = [*beginning.changes, *(one for entry in state.log for one in (*entry.made, *entry.later))]
        ends = {one.name: one.after for one in changes}
        for name, start in beginning.cast.items():
            given = state.people.get(name)
            self._cast[name] = Character(name, {**(given.sheet if given else {}), **start})
            if given is not None:
                resumed, state = with_ends(state, given, start, f"{character_key(name)}.", ends)
                state = with_person(self.seat.players, state, resumed)
        if state.tracks is not None:
            self._tracks_at_start = Character(state.tracks.name, {**state.tracks.sheet, **beginning.tracks})
            tracks, state = with_ends(state, state.tracks, beginning.tracks, "", ends)
            return state._replace(tracks=tracks)
        if beginning.tracks:
            self._tracks_at_start = Character(_("Tracks"), beginning.tracks)
        return state

    def receive(self, data: object) -> None:
        """Handle a message of a page; see :meth:`RollLog.receive`."""
        self._named = []
        super().receive(data)

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {
            "correct": self._correct,
            "next-turn": lambda _message: self.turns.next_turn(),
            "add-turn": lambda message: self.turns.add_turn(message.name, message.number.strip() or None),
            "remove-turn": lambda message: self.turns.remove_turn(message.name),
            "move-turn": lambda message: self.turns.move_turn(message.name, message.dice),
            "note": lambda message: self.note(message.roll, message.note),
            "recall": lambda message: self.recall(message.roll),
            "redo": lambda _message: self.redo(),
            "strike": lambda message: self.strike(message.roll, struck=not self.entry(message.roll).struck),
            "undo": lambda _message: self.undo(),
        }

    def _correct(self, message: Message) -> None:
        dice = None if message.faces is None else parse_faces(message.faces)
        self.correct(message.roll, dice, message.name or None)

    def undo(self) -> None:
        """Undo what was done last, at the table or in one of its sessions."""
        self.seat.store.undo()
        self._rest()

    def redo(self) -> None:
        """Do again what was undone last."""
        self.seat.store.redo()
        self._rest()

    def _rest(self) -> None:
        for session in self.sessions:
            session.travel.rest()

    def scene(self) -> str:
        """Return what happened at the table as a scene of a book in Markdown, which builds."""
        with self.display():
            title, begun = self.title or _("The evening"), self.beginning
            return scene_markdown(title, self._cast.values(), self.entries, before=begun.changes, tracks=begun.tracks)

    def set_value(self, who: str, name: str, value: object) -> None:
        """Set a value of a character, or a track, in all sessions.

        Parameters:
            who: the name of the character; empty for a track.
            name: the name of the value.
            value: the value, as itself or as text.

        Raises:
            ParameterError: there is no such character or value, or it was a whole number and is no more.
        """
        one = self._owner(who)
        if name not in one.sheet:
            raise ParameterError(f"{quoted(one.name)} has no {quoted(name)}", hint=near(name, one.sheet))
        text = as_line(convert(IntKind(), value) if name in one else value)
        changed, state = with_values(one, {name: text}), self.seat.store.state
        if changed.sheet[name] != one.sheet[name]:
            self.seat.store.put(
                with_person(self.seat.players, state, changed) if who else state._replace(tracks=changed)
            )

    def _owner(self, who: str) -> Character:
        if not who and self.tracks is not None:
            return self.tracks
        return named_character(list(self.characters.values()), who)

    def note(self, roll: int, text: str) -> None:
        """Write a note about a roll; an empty one removes it.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._put([self.entry(roll)._replace(note=text[: limits.VALUE_TEXT.maximum])])

    def strike(self, roll: int, *, struck: bool = True) -> None:
        """Strike a roll out, which stays in the log, or bring it back.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._put([self.entry(roll)._replace(struck=struck)])

    def correct(self, roll: int, dice: DiceSource | None = None, target: str | None = None) -> list[str]:
        """Correct a roll: its faces, or whom it was aimed at. What it changed since then, and what followed, follows.

        Parameters:
            roll: the number of the roll.
            dice: the faces that it should have, in the order thrown; by default those that it has.
            target: the name of the character whom it was aimed at; by default the same one.

        Returns:
            The rolls that cannot follow, since they read a value that is another one now, in words.

        Raises:
            DiceError: the roll cannot be made so, or what followed cannot be worked out again.
        """
        entry, state = self.entry(roll), self.seat.store.state
        if entry.form < 0:
            raise ParameterError(f"roll {roll} is of no panel here", hint="bring it back, or roll again")
        start = scene_state(self._cast.values(), self._tracks_at_start)
        if target is not None and target != entry.target:
            entry = self._aimed(entry, named_character(list(self.characters.values()), target))
        thrown = dice_from(None, entry.outcome.dice if dice is None else dice)
        outcome = entry.outcome.rule.play(thrown)
        thrown.finish()
        session = self.sessions[entry.form]
        taken = {session.people.slots.own[0]: entry.who} | ({TARGET: entry.target} if entry.target else {})
        known = session.changes.known(outcome, {slot: name for slot, name in taken.items() if name})
        known = known._replace(pending=known.pending and not entry.effect)
        seed = None if dice is not None else entry.seed
        entry = entry._replace(outcome=outcome, seed=seed, **known._asdict())
        replayed, named = corrected(state, start, entry)
        after = state._replace(log=replayed.log, before=replayed.before)
        for name, text in scene_state(state.people.values(), state.tracks).items():
            if (now := replayed.values.get(name, text)) != text:
                after = with_change(self.seat.players, after, Changed(name, text, now))
        self.seat.store.put(after, effects=None)
        self._shown, self._named = roll, named
        return named

    def _aimed(self, entry: Entry, one: Character) -> Entry:
        """Return a roll as aimed at somebody else, with the resources that this character has."""
        rule: Any = entry.outcome.rule
        if TARGET in type(rule).parameters():
            rule = rule_with(rule, {TARGET: one.resources})
            entry = entry._replace(refers={**entry.refers, TARGET: character_key(one.name)})
        return entry._replace(outcome=rule.play(dice_from(None, entry.outcome.dice)), target=one.name)

    def _put(self, entries: Iterable[Entry]) -> None:
        """Make a step of rolls about which something was noted, those that were undone among them."""
        state = before = self.seat.store.state._replace(log=self.seat.store.log)
        for entry in entries:
            state = state.with_entry(entry)
        if state != before:
            self.seat.store.put(state)

    def recall(self, roll: int) -> None:
        """Show a roll of the log.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry = self.entry(roll)
        self._shown = roll
        if entry.form >= 0:
            self.sessions[entry.form].travel.look_at(roll)

    # Plain data

    @property
    def formats(self) -> Mapping[str, LogFormat]:
        """The formats in which the log can be copied, as a scene of a book too."""
        return {**super().formats, SCENE: LogFormat(mark("Scene of a book"), lambda _entries, _rows: self.scene())}

    def form(self) -> dict[str, Any]:
        """Return what never changes, in the form of :meth:`FormSession.form`; a table has no fields."""
        with self.display():
            return {"id": TABLE, "title": _("The table"), "help": "", "facts": {}, "fields": [], **self.page_data()}

    def state(self) -> dict[str, Any]:
        """Return what changes, as a page shows it: the last roll, or the one that was chosen, and what is saved.

        Returns:
            What :meth:`page_state` returns; ``rolls``, how many there are; ``seats``, the titles of the sessions;
            ``order``, the ``round`` and the ``turns``, each with a name, a number and whether it is theirs now;
            ``people``, the characters, each with the names and numbers of its resources; ``note``, that of the roll,
            ``seat``, the index of its panel, or -1, and ``struck``, whether it is struck out; ``correct``, its
            ``faces`` and ``target``, if they can be corrected; ``named``, what could not follow a correction.
        """
        entry = self.shown
        with self.display():
            return {
                **self.page_state(entry_view(entry)),
                "seats": self.names,
                "order": self.turns.state(),
                "people": [[one.name, list(islice(one.items(), _VALUES_SHOWN))] for one in self._everybody()],
                "rolls": len(self.entries),
                "note": entry.note if entry else "",
                "seat": entry.form if entry else -1,
                "named": "\n".join(self._named),
                **self._correction(entry),
                "struck": bool(entry and entry.struck),
            }

    def _correction(self, entry: Entry | None) -> dict[str, Any]:
        """Return what of a roll can be corrected; nothing if it is of no panel here."""
        if entry is None or entry.form < 0:
            return {}
        names = [*self.sessions[entry.form].people.targets] if entry.target else []
        return {"correct": {"faces": " ".join(map(str, entry.outcome.dice)), "targets": names, "target": entry.target}}

    def _everybody(self) -> list[Character]:
        return [*self.characters.values(), *([self.tracks] if self.tracks else [])]

    def _accept(self, message: Message) -> None:
        """Set the values of a message, whose keys are the index of a character and the name of a value: ``0.HP``."""
        people = [*self.characters, *([""] if self.tracks else [])]
        for key, text in message.texts.items():
            index, _dot, name = key.partition(".")
            if not (index.isdecimal() and int(index) < len(people)):
                raise ParameterError(f"there is no character {quoted(index)}")
            self.set_value(people[int(index)], name, text)


def numbered(names: Sequence[str]) -> list[str]:
    """Return names, those that are the same with a number behind them.

    >>> numbered(["Dice tray", "Attack", "Dice tray"])
    ['Dice tray 1', 'Attack', 'Dice tray 2']
    """
    return [f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)]


def _at_table(session: FormSession, index: int, people: Mapping[str, Character]) -> FormState:
    """Return the form of a session as it comes to a table, with the values that the characters have there."""
    form = session.seat.form
    for slot, name in session.people.taken_now.items():
        form = session.people.slots.follow(form, [slot], people[name])
    earlier = tuple(one._replace(form=index) for one in session.seat.rolls)
    return session.adjusted(form._replace(earlier=earlier))


def _tell(scene: Scene, change: Changed) -> None:
    """Let a value of a scene become what it is at the table; one that was removed there stays in the scene."""
    now = scene.state().get(change.name, change.after)
    if change.after and now != change.after and (written := change._replace(before=now).written):
        scene.change(written)
