"""An evening at a table: several sessions with one log, in order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import ParameterError, near, quoted
from dicedocs.panel.characters import ACTOR, TARGET, Character, named_character, scene_state, with_values
from dicedocs.panel.history import Entry
from dicedocs.panel.kept_rolls import Beginning
from dicedocs.panel.log import saved_log
from dicedocs.panel.messages import Message, read_message
from dicedocs.panel.outcome_view import entry_view
from dicedocs.panel.panel_texts import page_data, state_words
from dicedocs.panel.roll_log import RollLog
from dicedocs.panel.scene_log import scene_markdown
from dicedocs.panel.session import Session
from dicedocs.panel.timeline import Change, Timeline
from dicedocs.render.words import clean
from dicedocs.rules.example import fact_names
from dicedocs.rules.kinds import IntKind, as_line, convert
from dicedocs.scenes.change import Changed, evaluate, parse_changes, state_facts
from dicedocs.scenes.scene import Scene, character_key
from dicedocs.translation import gettext as _

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
        tracks: whoever has the tracks of the scene; ``None`` without one.
        characters: those of the sessions by name, with the values that they have now.
        before: what changed before the first roll.
        timeline: what was done at the table, in its sessions too, to be undone and redone.
        shown: the roll that is shown: the last one, or one that was chosen; ``None`` before the first.
        actions: what a page may ask for, by name.

    Raises:
        ParameterError: there is no session, or ``then`` names something that nobody at the table has.

    >>> attack, tray = Session("dice/check", {"check": "1d20 + 5 >= 15"}, seed=1), Session("dice/roll", seed=2)
    >>> table = Evening([attack, tray])
    >>> for session in (attack, tray, attack):
    ...     _ = session.roll()
    ...     _ = table.update()
    >>> [(entry.roll, entry.outcome.rule.id) for entry in table.entries]
    [(1, 'dice/check'), (2, 'dice/roll'), (3, 'dice/check')]
    >>> table.strike(2)
    >>> table.note(3, "Kira jumps the gap")
    >>> table.log_rows()[1].struck, table.log_rows()[2].note
    (True, 'Kira jumps the gap')
    """

    def __init__(
        self,
        sessions: Sequence[Session],
        names: Sequence[str] = (),
        scene: Scene | None = None,
        then: str = "",
    ) -> None:
        super().__init__()
        if not sessions:
            raise ParameterError("a table needs panels", hint="write table(panel_a, panel_b)")
        self.sessions = tuple(sessions)
        titles = zip(self.sessions, [*names, *[""] * len(self.sessions)], strict=False)
        self.names = numbered([clean(name) or session.form()["title"] for session, name in titles])
        self.shown: Entry | None = None
        self._entries: list[Entry] = []
        self._done = [{entry.roll: entry for entry in session.timeline.rolls} for session in self.sessions]
        # Those from before the table, each panel of which counted for itself.
        self._earlier = {(index, roll) for index, done in enumerate(self._done) for roll in done}
        self.timeline = Timeline()
        self._steps: list[list[Change | None]] = [[None] * session.timeline.done for session in self.sessions]
        self.characters: dict[str, Character] = {}
        self._cast: dict[str, Character] = {}
        self.before: tuple[Changed, ...] = ()
        self._scene = scene
        state = {} if scene is None else scene.state()
        tracks = {name: text for name, text in state.items() if "." not in name}
        self.tracks = self._tracks_at_start = Character(_("Tracks"), tracks) if tracks else None
        cast = {path.partition(".")[0] for path in state if "." in path}
        for one in (one for session in self.sessions for one in session.seats.characters):
            key = character_key(one.name)
            if scene is not None and key in cast and one.name not in self.characters:
                self.characters[one.name] = scene[key]
            self._cast[one.name] = self.characters.setdefault(one.name, one)
        facts = {name for each in self.sessions for one in each.played_mechanics.values() for name in fact_names(one)}
        self._check_then(then, facts)
        for session in self.sessions:
            session.next_number, session.next_order = self._next_number, self._next_order
            session.seated, seats = True, session.seats
            seats.live, seats.tracks = True, self.tracks
            seats.table_then, seats.table_facts = then, facts
            for one in seats.characters:
                session.follow(self.characters[one.name])
        self.actions: dict[str, Callable[[Message], None]] = {
            "history": lambda _message: None,
            "log": lambda message: self.ask_log(message.format),
            "next-turn": lambda _message: self.next_turn(),
            "note": lambda message: self.note(message.roll, message.note),
            "recall": lambda message: self.recall(message.roll),
            "redo": lambda _message: self.redo(),
            "set": lambda _message: None,
            "strike": lambda message: self.strike(message.roll, struck=not self.entry(message.roll).struck),
            "undo": lambda _message: self.undo(),
        }

    def _check_then(self, then: str, facts: Iterable[str]) -> None:
        """Check whether what rolls do names what is at the table.

        Raises:
            ParameterError: it does not, or is malformed.
        """
        state = scene_state(self.characters.values(), self.tracks)
        for one in self.characters.values():
            for slot in (ACTOR, TARGET):
                state |= {f"{slot}.{name}": text for name, text in one.sheet.items()}
        for change in parse_changes(then):
            if change.target not in state:
                message = f"nothing at the table is called {quoted(change.target)}"
                raise ParameterError(message, hint=near(change.target, state), parameter="then")
            evaluate(change.text, {**state_facts(state), **dict.fromkeys(facts, 1)})

    def _next_number(self) -> int:
        return max([*(session.rolls for session in self.sessions), *(entry.roll for entry in self._entries)]) + 1

    @property
    def turn(self) -> int:
        """The number of the roll of whoever has the turn; 0 before the first."""
        return next((entry.roll for entry in self.order() if entry.turn), 0)

    @property
    def round(self) -> int:
        """How often the turns have begun; 0 if nobody has the turn."""
        return next((entry.turn for entry in self.order() if entry.turn), 0)

    @property
    def entries(self) -> list[Entry]:
        """The rolls of all sessions, oldest first."""
        return self._entries

    @property
    def beginning(self) -> Beginning:
        """What the table began with."""
        tracks = self._tracks_at_start.sheet if self._tracks_at_start else {}
        return Beginning({name: dict(one.sheet) for name, one in self._cast.items()}, dict(tracks), self.before)

    def resume(self, entries: Sequence[Entry], beginning: Beginning | None = None) -> None:
        """Continue after rolls that were made before.

        Each value is again what it was then, unless the table is given another one than it was given at that time.

        Parameters:
            entries: the rolls, numbered from 1.
            beginning: what the table began with at that time; without it the values stay as they are.
        """
        self._entries += entries
        self._show_last()
        self._hand_back(entries)
        if beginning is None:
            return
        self.before = beginning.changes
        changes = [*self.before, *(one for entry in entries for one in (*entry.made, *entry.later))]
        ends = {one.name: one.after for one in changes}
        for name, start in beginning.cast.items():
            given = self.characters.get(name)
            self._cast[name] = Character(name, {**(given.sheet if given else {}), **start})
            if given is not None:
                self.characters[name] = self._resumed(given, start, f"{character_key(name)}.", ends)
        if self.tracks is not None:
            self._tracks_at_start = Character(self.tracks.name, {**self.tracks.sheet, **beginning.tracks})
            self.tracks = self._resumed(self.tracks, beginning.tracks, "", ends)
        elif beginning.tracks:
            self._tracks_at_start = Character(_("Tracks"), beginning.tracks)
        for session in self.sessions:
            session.seats.tracks = self.tracks
            for one in session.seats.characters:
                session.follow(self.characters[one.name])

    def _hand_back(self, entries: Iterable[Entry]) -> None:
        """Give each roll whose effect still waits back to the session that plays it, where it can be applied."""
        for entry in entries:
            plays = (at for at, one in enumerate(self.sessions) if entry.outcome.rule.id in one.played_mechanics)
            if not entry.pending or entry.struck or (index := next(plays, None)) is None:
                continue
            self.sessions[index].resume([entry])
            self._done[index] = {one.roll: one for one in self.sessions[index].timeline.rolls}
            self._steps[index].append(None)

    def _resumed(self, one: Character, start: Mapping[str, str], path: str, ends: Mapping[str, str]) -> Character:
        """Return a character with the values that it had at the end, but with those that are given otherwise now.

        Parameters:
            one: the character as it is given now.
            start: the values that it was given at that time.
            path: what the names of its values begin with in a scene.
            ends: what changed values became, by these names.
        """
        last = {
            **start,
            **{at.removeprefix(path): ends[at] for at in ends if at.startswith(path) and (path or "." not in at)},
        }
        now = {}
        for name in {**one.sheet, **last}:
            given, kept = one.sheet.get(name, ""), last.get(name, "")
            now[name] = kept if given == start.get(name, "") else given
            self._tell_scene(Changed(path + name, given, now[name]))
            if kept and now[name] != kept:
                self._record(Changed(path + name, kept, now[name]))
        return Character(one.name, {name: text for name, text in now.items() if text}, one.rolls)

    def _show_last(self) -> None:
        self._show(self._entries[-1] if self._entries else None)

    def _show(self, entry: Entry | None) -> None:
        self.shown, self.outcome = entry, entry and entry.outcome

    def update(self) -> list[int]:
        """Read what was done in the sessions since the last time.

        Returns:
            The indexes of the sessions that follow a change of a character made in another one.
        """
        for index in range(len(self.sessions)):
            self._read_steps(index)
        effects: list[Changed] = []
        for index, session in enumerate(self.sessions):
            before, now = self._done[index], {entry.roll: entry for entry in session.timeline.rolls}
            for roll in {**before, **now}:
                if (index, roll) not in self._earlier and before.get(roll) is not now.get(roll):
                    self._read(now.get(roll), before.get(roll))
            effects += _effects(before, now)
            self._done[index] = now
        changed = [
            (session, one)
            for session in self.sessions
            for one in session.seats.characters
            if self.characters.get(one.name) is not one
        ]
        following = [self._set_character(one, session, effects) for session, one in changed]
        following += [
            self._set_tracks(session.seats.tracks, effects)
            for session in self.sessions
            if session.seats.tracks is not None and session.seats.tracks is not self.tracks
        ]
        return sorted({index for indexes in following for index in indexes})

    def _read_steps(self, index: int) -> None:
        """Take what was done in a session since the last time for steps of the table, and forget what was undone."""
        session, steps = self.sessions[index], self._steps[index]
        while len(steps) > session.timeline.done:
            if (undone := steps.pop()) is not None:
                self.timeline.discard(undone)
        while len(steps) < session.timeline.done:
            step = self._session_step(session, steps)
            steps.append(step)
            self.timeline.add(step)

    def _session_step(self, session: Session, steps: list[Change | None]) -> Change:
        """Return the step of the table that is the last one of a session."""

        def back() -> None:
            session.undo()
            steps.pop()

        def forward() -> None:
            session.redo()
            steps.append(step)

        step = Change(back, forward)
        return step

    def undo(self) -> None:
        """Undo what was done last, at the table or in one of its sessions."""
        if isinstance(step := self.timeline.back(), Change):
            step.back()
            self.update()

    def redo(self) -> None:
        """Do again what was undone last."""
        if isinstance(step := self.timeline.forward(), Change):
            step.forward()
            self.update()

    def _do(self, forward: Callable[[], None], back: Callable[[], None]) -> None:
        """Do something that can be undone."""
        forward()
        self.timeline.add(Change(back, forward))

    def _read(self, now: Entry | None, before: Entry | None) -> None:
        """Read a roll that is new, was undone or done again, or has an effect now."""
        if now is None:
            if before is not None:
                self._replace(before.roll, struck=True)
        elif before is not None:
            self._replace(now.roll, effect=now.effect, then=now.then, pending=now.pending)
        elif any(one.roll == now.roll for one in reversed(self._entries)):
            self._replace(now.roll, struck=False)
        else:
            # What it did to characters is recorded in order of time.
            self._entries.append(now._replace(made=()))
            self._show_last()

    def _set_tracks(self, tracks: Character, effects: Sequence[Changed] = ()) -> list[int]:
        """Let all sessions have the present tracks; return their indexes."""
        before, self.tracks = self.tracks or tracks, tracks
        self._changed("", before.sheet, tracks.sheet, effects)
        for session in self.sessions:
            session.seats.tracks = tracks
        return list(range(len(self.sessions)))

    def _set_character(
        self, character: Character, source: Session | None = None, effects: Sequence[Changed] = ()
    ) -> list[int]:
        """Let all sessions but the source follow a character; return their indexes.

        Parameters:
            character: the character with its values.
            source: the session that has changed it.
            effects: what rolls did to characters.
        """
        before = self.characters.get(character.name) or self._cast.setdefault(character.name, character)
        self._changed(f"{character_key(character.name)}.", before.sheet, character.sheet, effects)
        self.characters[character.name] = character
        following = [
            index
            for index, session in enumerate(self.sessions)
            if session is not source and any(one.name == character.name for one in session.seats.characters)
        ]
        for index in following:
            self.sessions[index].follow(character)
        return following

    def _changed(
        self, path: str, before: Mapping[str, str], after: Mapping[str, str], effects: Sequence[Changed]
    ) -> None:
        """Record how some values became others: by what rolls did to them, and by whatever else was changed.

        Parameters:
            path: what the names of the values begin with in a scene.
            before, after: the values by name.
            effects: what rolls did to characters and tracks, these among others.
        """
        now = {path + name: text for name, text in before.items()}
        then = {path + name: text for name, text in after.items()}
        for one in effects:
            if one.name in now and one.name in then:
                self._happened(one._replace(before=now[one.name], after=one.on(now[one.name])))
                now[one.name] = one.on(now[one.name])
        for name in {**now, **then}:
            if now.get(name) != then.get(name):
                self._happened(Changed(name, now.get(name, ""), then.get(name, "")))

    def _happened(self, change: Changed) -> None:
        self._tell_scene(change)
        self._record(change)

    def _tell_scene(self, change: Changed) -> None:
        if self._scene is not None and change.name in self._scene.state() and change.written:
            self._scene.change(change.written)

    def _record(self, change: Changed) -> None:
        """Add a change to what followed the last roll; one that takes the last one of a value back removes that."""
        last = self._entries[-1] if self._entries else None
        made, later = ([*last.made], [*last.later]) if last else ([], [*self.before])
        group = later if any(one.name == change.name for one in later) else made
        at = next((at for at in reversed(range(len(group))) if group[at].name == change.name), None)
        if at is not None and group[at].reverse == change:
            del group[at]
        elif last and last.roll == change.by and not later:
            made.append(change)
        elif at is not None and group is later and not any(one.by for one in (*later[at:], change)):
            later[at] = later[at]._replace(after=change.after)
        else:
            later.append(change)
        if last:
            self._replace(last.roll, made=tuple(made), later=tuple(later))
        else:
            self.before = tuple(later)

    def scene(self, title: str = "") -> str:
        """Return what happened at the table as a scene of a book in Markdown, which builds.

        Parameters:
            title: its title.
        """
        with self.display():
            name, tracks = title or _("The evening"), self.beginning.tracks
            return scene_markdown(name, self._cast.values(), self._entries, before=self.before, tracks=tracks)

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
        change = Changed(name, one.sheet[name], with_values(one, {name: text}).sheet[name])
        if change.before != change.after:
            self._do(lambda: self._change(who, change), lambda: self._change(who, change.reverse))

    def _owner(self, who: str) -> Character:
        if not who and self.tracks is not None:
            return self.tracks
        return named_character(list(self.characters.values()), who)

    def _change(self, who: str, change: Changed) -> None:
        one = self._owner(who)
        if change.name not in one.sheet:
            return  # it was removed since
        changed = with_values(one, {change.name: change.on(one.sheet[change.name])})
        if who:
            self._set_character(changed)
        else:
            self._set_tracks(changed)

    def order(self) -> list[Entry]:
        """Return the rolls that decide the order of turns, the highest first; of equal ones the first rolled."""
        last = max((entry.order for entry in self._entries), default=0)
        own = [entry for entry in self._entries if entry.order == last > 0 and not entry.struck]
        return sorted(own, key=lambda entry: (-_number(entry), entry.roll))

    def _next_order(self, names: Sequence[str]) -> int:
        """Return the present order if none of some characters is in it yet, or else a new one."""
        now = self.order()
        return self._next_number() if not now or {one.who for one in now} & set(names) else now[0].order

    def next_turn(self) -> None:
        """Give the turn to the next in the order, or to the first of a new round."""
        rolls, turn, round = [entry.roll for entry in self.order()], self.turn, self.round
        if not rolls:
            return
        at = (rolls.index(turn) + 1) % len(rolls) if turn else 0
        self._do(lambda: self._set_turn(rolls[at], round + (at == 0)), lambda: self._set_turn(turn, round))

    def _set_turn(self, roll: int, round: int) -> None:
        for entry in self._entries:
            if entry.turn or entry.roll == roll:
                self._replace(entry.roll, turn=round if entry.roll == roll else 0)

    def note(self, roll: int, text: str) -> None:
        """Write a note about a roll; an empty one removes it.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._mark(roll, note=text[: limits.VALUE_TEXT.maximum])

    def strike(self, roll: int, *, struck: bool = True) -> None:
        """Strike a roll out, which stays in the log, or bring it back.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._mark(roll, struck=struck)

    def _mark(self, roll: int, **changes: Any) -> None:
        """Change something about a roll, which can be undone."""
        entry = self.entry(roll)
        before = {name: getattr(entry, name) for name in changes}
        if before != changes:
            self._do(lambda: self._replace(roll, **changes), lambda: self._replace(roll, **before))

    def _replace(self, roll: int, **changes: Any) -> None:
        entry = self.entry(roll)
        at = next(at for at, one in enumerate(self._entries) if one is entry)
        self._entries[at] = changed = self._entries[at]._replace(**changes)
        if "struck" in changes:
            for index, session in enumerate(self.sessions):
                if (index, roll) not in self._earlier:
                    session.timeline.strike(roll, struck=changed.struck)
        if self.shown is not None and self.shown.roll == roll:
            self._show(changed)

    def recall(self, roll: int) -> None:
        """Show a roll of the log.

        Raises:
            ParameterError: the roll does not exist.
        """
        self._show(self.entry(roll))

    # Plain data

    def written_log(self, format: str) -> str:
        """Return the log as text to be copied, as :meth:`RollLog.written_log` does, or as a ``scene``."""
        return self.scene() if format == SCENE else super().written_log(format)

    def form(self) -> dict[str, Any]:
        """Return what never changes, in the form of :meth:`Session.form`; a table has no fields."""
        with self.display():
            return {"id": TABLE, "title": _("The table"), "help": "", "facts": [], "fields": [], **page_data()}

    def state(self) -> dict[str, Any]:
        """Return what changes, as a page shows it: the last roll, or the one that was chosen, and what is saved.

        Returns:
            The items ``outcome``, ``code``, ``directive``, ``directive_rst``, ``log``, ``rolls`` and ``words`` of
            :meth:`Session.state`; ``texts``, ``parts`` and ``label``, which are empty; ``seats``, the titles of the
            sessions; ``order``, the ``round`` and the ``turns``, each with a name, a number and whether it is theirs
            now; ``people``, the characters, each with the names and numbers of its resources; ``note``, that of the
            roll, and ``struck``, whether it is struck out; ``can``, whether something can be undone or redone.
        """
        entry = self.shown
        with self.display():
            view = entry_view(entry)
            return {
                **view._asdict(),
                "texts": {},
                "parts": {},
                "label": "",
                "seats": self.names,
                "order": self._order_state(),
                "people": [[one.name, list(islice(one.items(), _VALUES_SHOWN))] for one in self._everybody()],
                "odds": None,
                "log": saved_log(self.log()),
                "rolls": len(self._entries),
                "note": entry.note if entry else "",
                "struck": bool(entry and entry.struck),
                "can": {"undo": self.timeline.can_undo, "redo": self.timeline.can_redo},
                "words": state_words(view.outcome) if view.outcome else {},
            }

    def _everybody(self) -> list[Character]:
        return [*self.characters.values(), *([self.tracks] if self.tracks else [])]

    def _order_state(self) -> dict[str, Any]:
        turns = [[one.who or one.title, str(_number(one)), one.turn > 0] for one in self.order()]
        return {"round": self.round, "turns": turns}

    def receive(self, data: object) -> None:
        """Handle a message of a page.

        Parameters:
            data: the message, as :class:`~dicedocs.panel.messages.Message` describes it, or anything else.

        Raises:
            ParameterError: the message is malformed, or its roll or format does not exist.
        """
        message = read_message(data)
        if message.do not in self.actions:
            hint = near(message.do, self.actions)
            raise ParameterError(f"{quoted(message.do)} is not an action of a table", hint=hint)
        # An action goes with the values that were typed just before it.
        self._set_values(message)
        self.actions[message.do](message)

    def _set_values(self, message: Message) -> None:
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


def _effects(before: Mapping[int, Entry], now: Mapping[int, Entry]) -> list[Changed]:
    """Return what rolls did to characters since an earlier time, or took back, in order."""
    rolls = {**before, **now}
    was, is_now = ({roll: each[roll].made if roll in each else () for roll in rolls} for each in (before, now))
    changed = [roll for roll in rolls if was[roll] != is_now[roll]]
    undone = [one.reverse._replace(by=roll) for roll in reversed(changed) for one in reversed(was[roll])]
    return [*undone, *(one._replace(by=roll) for roll in changed for one in is_now[roll])]


def _number(entry: Entry) -> int:
    """Return the number that a roll is ordered by: its first fact, a truth as 1 or 0, and 0 of anything else."""
    value = entry.outcome.value
    return int(value) if isinstance(value, int) else 0
