"""Changes of a state: ``vault += ticks; arlyn.Stress += stress``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, is_text, quoted
from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.rules.example import fact_names
from dicedocs.rules.kinds import as_line
from dicedocs.rules.lists import NOTHING
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.scenes.track import FULL, check_bounded, track_facts, track_hint, track_of
from dicedocs.syntax.diagnosis import diagnose
from dicedocs.syntax.formula import TRUTHS, Formula, near_name, read_formula, renamed
from dicedocs.syntax.mistakes import IllegalText
from dicedocs.syntax.names import find_name
from dicedocs.syntax.parts import bounded, said_bound
from dicedocs.syntax.tree import Compared, Logic, Reference, format_name

Sign = Literal["=", "+=", "-="]
_SIGN: Final = re.compile(r"[+\u2212-]?=")
_PART: Final = re.compile(rf"(?:{QUOTATION}|\([^()]*\)|[^;])+")


class Change(NamedTuple):
    """One change.

    Parameters:
        target: the name of what changes: a track, or a character and one of its values.
        sign: ``=`` to set it, ``+=`` to add, ``-=`` to subtract.
        text: a value without dice over facts and the state, in which a comparison counts 1 or 0, or a text in quotes.
    """

    target: str
    sign: Sign
    text: str

    def applied(self, before: str, value: int | str) -> str:
        """Return the text of what changes, given the value that the text of the change comes to.

        A character's value without bounds can be set to anything: a list of one die looks like a number.

        Raises:
            ParameterError: a number is needed, and there is a text.

        >>> Change("vault", "+=", "ticks").applied("7 of 8", 2), Change("heat", "=", "0").applied("3", 0)
        ('8 of 8', '0')
        >>> Change("freya.Spent", "=", "exhausted").applied("3", "3 5")
        '3 5'
        """
        track = track_of(before)
        if isinstance(value, int) and track is not None:
            start = 0 if self.sign == "=" else track.value
            return str(track.at(start - value if self.sign == "-=" else start + int(value)))
        if self.sign != "=" or (track is not None and (track.maximum is not None or "." not in self.target)):
            wrong = f"{self.text} is {quoted(value)}" if track else f"{self.target} is {quoted(before)}"
            hint = "" if track else track_hint(before)
            raise ParameterError(f"{wrong}, which is not a whole number", hint=hint, parameter="then")
        text = as_line(value)
        check_bounded(text)
        return text

    def __str__(self) -> str:
        return f"{self.target} {self.sign} {self.text}"


_FULL: Final = (FULL, "max", "maximum", "maxed")
"""What is written for the highest value of a track."""


class Changed(NamedTuple):
    """A value that was changed.

    Parameters:
        name: its name.
        before, after: its texts; empty where the value did not exist.
        by: the number of the roll that did it at a table; 0 for none.
    """

    name: str
    before: str
    after: str
    by: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.before} → {self.after}"

    @property
    def reverse(self) -> Changed:
        """What takes it back."""
        return self._replace(before=self.after, after=self.before)

    @property
    def written(self) -> str:
        """It as a change of a scene; empty if none says it.

        >>> Changed("orc.HP", "9 of 9", "4 of 9").written, Changed("orc.Mood", "calm", "grim").written
        ('orc.HP -= 5', 'orc.Mood = "grim"')
        """
        before, after = track_of(self.before), track_of(self.after)
        if before is not None and after is not None:
            more = after.value - before.value
            return f"{self.name} {'-=' if more < 0 else '+='} {abs(more)}" if more else ""
        bounded = before is not None and before.maximum is not None
        return "" if bounded or not self.after or set('";=') & set(self.after) else f'{self.name} = "{self.after}"'

    def on(self, now: str) -> str:
        """Return what the value becomes by the same change if it is another one now.

        >>> Changed("orc.HP", "9", "4").reverse.on("3"), Changed("orc.Mood", "calm", "grim").on("glad")
        ('8', 'grim')
        >>> Changed("orc.HP", "5 of 18", "5 of 22").on("7 of 18")
        '7 of 22'
        """
        before, after, track = map(track_of, (self.before, self.after, now))
        if before is None or after is None or track is None:
            return self.after
        same = (after.minimum, after.maximum) == (before.minimum, before.maximum)
        return str((track if same else after).at(track.value + after.value - before.value))


def make_changes(
    changes: str,
    state: Mapping[str, str],
    outcome: Outcome | None = None,
    called: Mapping[str, str] = MappingProxyType({}),
    elsewhere: Iterable[str] = (),
    values: Mapping[str, int | str] = MappingProxyType({}),
) -> list[Changed]:
    """Return what changes make of a state, in order, each in the state that those before it leave.

    A change that needs a fact without a value, such as the damage of a miss, is not made.

    Parameters:
        changes: the changes, ``vault += ticks; arlyn.Stress += stress``.
        state: the text of each track by its name, and of each value of a character: ``arlyn.Stress``.
        outcome: what was played, whose facts they use.
        called: further names of characters, such as ``target``.
        elsewhere: the names of facts that outcomes of other mechanics have; here they have no value.
        values: further values by name.

    Raises:
        ParameterError: a change is malformed, names something that does not exist, or a fact is also a track.

    >>> from dicedocs.rules.playing import play
    >>> hit = play("dice/check", check="1d20 + 6 >= 12", dice=[8])
    >>> [made] = make_changes("target.HP -= 5 * success", {"orc.HP": "9 of 9"}, hit, {"target": "orc"})
    >>> str(made)
    'orc.HP 9 of 9 → 4 of 9'
    """
    facts = dict.fromkeys(elsewhere) | outcome_facts(outcome)
    if both := sorted(facts.keys() & state.keys()):
        raise ParameterError(f"{quoted(both[0])} is a fact and also a track", hint="give the track another name")
    state, made = dict(state), []
    for change in parse_changes(changes):
        known = _names(state, called)
        target = find_name(change.target, known)
        if target not in known:
            message = f"nothing in the scene is called {quoted(change.target)}"
            raise ParameterError(message, hint=near_name(change.target, known), parameter="then")
        name = known[target]
        try:
            value = read_formula(change.text, {**values, **state_facts(state, called), **facts})
        except ParameterError as error:
            track = track_of(state[name])
            end = change.text.casefold()
            is_end = end == NOTHING or (track is not None and track.maximum is not None and end in _FULL)
            if change.sign == "=" and (error.hint.startswith("known") or is_end):
                error.hint = f'write "{error.message.rpartition(" called ")[2][1:-1]}" in quotes if it is a word'
                if track is not None and (track.maximum is not None or "." not in name):
                    number = track.minimum if end == NOTHING else track.maximum or 0
                    error.hint = f"write a number, as in {change.target} = {number}"
            if error.message.endswith("without dice"):
                error.hint = "write a fact of the rule that throws them"
            raise
        if isinstance(value, Formula):
            bound = said_bound(value.tree, change.text)
            is_number = track_of(state[name]) is not None
            if isinstance(value.tree, Compared | Logic) and is_number and not (bound and change.sign == "="):
                raise ParameterError(
                    f"{quoted(str(change))} is a comparison", hint=_counted(change, value.tree, bound), parameter="then"
                )
            if bound and is_number:
                hint = f"write {change.target} = {bounded(bound)} for a bound, or ({change.text}) for 1 or 0"
                raise ParameterError(f"ambiguous: {quoted(str(change))}", hint=hint, parameter="then")
            value = value.compute()
        if value is not None:
            made.append(Changed(name, state[name], change.applied(state[name], value)))
            state[name] = made[-1].after
    return made


def _counted(change: Change, tree: Compared | Logic, bound: Compared | None) -> str:
    """Return how a comparison is written that counts 1 or 0, or what else may be meant by it."""
    match tree:
        case Compared(Reference() as other, "=", value) if change.sign == "=":  # heat = noise = 0
            written = format_name(value)
            return f"write {change.target} = {written}; {format_name(other)} = {written}"
    hint = f"write {change.target} {change.sign} ({change.text}) for 1 or 0"
    return f"{hint}, or {change.target} {change.sign} {bounded(bound)}" if bound else hint


def outcome_facts(outcome: Outcome | None) -> dict[str, object]:
    """Return the facts of an outcome, those that every outcome has included; none if there is no outcome."""
    if outcome is None:
        return {}
    rule = outcome.rule
    names = fact_names(type(rule)) if isinstance(rule, Mechanic) else outcome.facts_of
    return {name: outcome.fact(name) for name in names}


def state_facts(state: Mapping[str, str], called: Mapping[str, str] = MappingProxyType({})) -> dict[str, int | str]:
    """Return a state as facts, those of characters also under their further names.

    >>> state_facts({"orc.HP": "9 of 9"}, {"target": "orc"})
    {'orc.HP': 9, 'orc.HP.full': True, 'target.HP': 9, 'target.HP.full': True}
    """
    facts: dict[str, int | str] = {}
    for name, full in _names(state, called).items():
        facts |= track_facts(name, state[full])
    return facts


def net_changes(changes: Iterable[Changed]) -> list[Changed]:
    """Return what several changes come to, one for each value that is another one in the end.

    >>> hits = [Changed("orc.HP", "9", "4"), Changed("orc.HP", "4", "1"), Changed("kira.HP", "0", "0")]
    >>> list(map(str, net_changes(hits)))
    ['orc.HP 9 → 1']
    """
    net: dict[str, Changed] = {}
    for one in changes:
        net[one.name] = net.get(one.name, one)._replace(after=one.after)
    return [one for one in net.values() if one.before != one.after]


def possible_changes(
    changes: str,
    state: Mapping[str, str],
    facts: Mapping[str, object],
    called: Mapping[str, str] = MappingProxyType({}),
    names: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the changes that need no fact without a value, with characters by their names in the state.

    Parameters:
        changes: the changes, ``target.HP -= damage; vault += ticks``.
        state: the texts of all values.
        facts: the facts of what is played.
        called: further names of characters.
        names: other names of facts.

    >>> changes, state = "target.HP -= 2 * damage; vault += ticks", {"orc.HP": "9", "vault": "0"}
    >>> possible_changes(changes, state, {"damage": 3, "ticks": None}, {"target": "orc"}, {"damage": "blow.damage"})
    'orc.HP -= 2 * blow.damage'
    """
    in_state = _names(state, called)
    known = in_state | {f"{name}.{FULL}": f"{full}.{FULL}" for name, full in in_state.items()} | dict(names)
    values = {**state_facts(state, called), **facts}
    possible = [one for one in parse_changes(changes) if not _lacks_value(one.text, values)]
    targets = [in_state.get(find_name(one.target, in_state), one.target) for one in possible]
    renamed = (
        one._replace(target=target, text=_in_state(one.text, known))
        for one, target in zip(possible, targets, strict=True)
    )
    return "; ".join(map(str, renamed))


def _lacks_value(text: str, values: Mapping[str, object]) -> bool:
    try:
        return read_formula(text, values) is None
    except DiceError:  # it may be right after the changes before it
        return False


def _in_state(text: str, names: Mapping[str, str]) -> str:
    return text if unquoted(text) != text else renamed(text, names)


def _names(state: Mapping[str, str], called: Mapping[str, str]) -> dict[str, str]:
    """Return the name in a state of each of its values, by this and by the further names of its character."""
    others = [(f"{key}.", f"{other}.") for other, key in called.items() if other != key]
    further = {new + name.removeprefix(old): name for old, new in others for name in state if name.startswith(old)}
    return {name: name for name in state} | further


def parse_changes(text: str) -> tuple[Change, ...]:
    """Return the changes of a text, which semicolons separate.

    Raises:
        ParameterError: a part is no change.
        LimitError: there are more than ``ITEMS``.

    >>> [str(change) for change in parse_changes("vault += ticks; arlyn.Stress = 2 * (heat + 1)")]
    ['vault += ticks', 'arlyn.Stress = 2 * (heat + 1)']
    >>> parse_changes("orc.HP -= damage * (1 + (highest = 20))")[0].text
    'damage * (1 + (highest = 20))'
    """
    if not is_text(text):
        raise ParameterError(f"{quoted(text)} is not changes", hint="write vault += 1", parameter="then")
    return tuple(map(_parse, parts(text)))


def parts(text: str) -> tuple[str, ...]:
    """Return the parts of a text that semicolons separate, apart from those in quotes; empty ones are left out.

    Raises:
        LimitError: the text is too long, or there are more than ``ITEMS``.
    """
    limits.VALUE_TEXT.check(len(text), hint="write less")
    return limits.ITEMS.take([part for part in map(str.strip, _PART.findall(text)) if part])


def _parse(part: str) -> Change:
    change, slip = _read(part), diagnose(IllegalText(part, 0, "Expression", "changes"))
    if change is None or slip is not None:
        hint = f"write {slip.fixes['']}" if slip else "write vault += 1, vault -= 1 or vault = 1"
        raise ParameterError(f"{quoted(part)} is not a change", hint=hint, parameter="then")
    return change


def _read(part: str) -> Change | None:
    match = _SIGN.search(part)
    target, text = (part[: match.start()], part[match.end() :].strip()) if match else ("", "")
    if match is None or not target.strip() or not text or _SIGN.match(text) or "+" in target:
        return None
    sign: Sign = "+=" if match[0] == "+=" else "=" if match[0] == "=" else "-="
    return Change(" ".join(target.split()), sign, text)


def as_counted(text: str) -> str:
    """Return the text of a value as it is written in a notation, where true counts 1, and false 0.

    >>> as_counted("true"), as_counted("-2"), as_counted("1d6")
    ('1', '-2', '1d6')
    """
    return str(int(TRUTHS[text])) if text in TRUTHS else text
