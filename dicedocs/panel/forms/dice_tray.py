"""A dice tray: dice are pressed into a notation, which is rolled like that of any panel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, Unpack

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.forms.characters import ACTOR, TARGET, named_character
from dicedocs.panel.forms.controls import field_data, form_data
from dicedocs.panel.forms.form_session import FormOptions
from dicedocs.panel.forms.inputs import Inputs
from dicedocs.panel.forms.session import Session
from dicedocs.panel.forms.tray_notation import (
    MODES,
    TRAY_DICE,
    Mode,
    add_dice,
    add_target,
    count_dice,
    has_resource,
    mode,
    modifier,
    remove_target,
    set_mode,
    set_modifier,
    toggle_resource,
)
from dicedocs.panel.state import FormState, State
from dicedocs.panel.wire import Message
from dicedocs.render.words import clean
from dicedocs.rules.example import fact_names
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param, param
from dicedocs.rules.registry import CHECK, ROLL
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.rules.resources import Resources
from dicedocs.similar_words import near
from dicedocs.translation import gettext as _
from dicedocs.translation import mark

NOTATION: Final = "notation"
"""The parameter that has the notation."""
TARGET_NUMBER: Final = "target_number"
"""The field of the number that the notation is to come to."""
START: Final = "1d20"
"""What a tray rolls before a die was pressed."""
TRAY: Final = "tray"
"""The id of the form of a tray."""
_RESOURCES_SHOWN: Final = 12
"""Resources of each character that have a button."""
_MODE_NAMES: Final[Mapping[Mode, str]] = {
    "normal": mark("Normal"),
    "advantage": mark("Advantage"),
    "disadvantage": mark("Disadvantage"),
}


def tray_fields() -> dict[str, Param]:
    """Return the fields of a tray: those of a roll, and its target number.

    >>> list(tray_fields())
    ['notation', 'actor', 'target', 'target_number']
    """
    label, help = mark("Target number"), mark("the number to reach; empty for none")
    number: Any = param(default=None, help=help, label=label)
    return {**find_mechanic(ROLL).parameters(), TARGET_NUMBER: number.bind(TARGET_NUMBER, int | None)}


class Favourite(NamedTuple):
    """A roll that can be made at once.

    Parameters:
        name: its name.
        notation: what is rolled.
        actor: the resources of the character who rolls it.
        who: the name of this character; empty for none.
        kept: whether it was kept in the tray; else it is one of the character's own.
    """

    name: str
    notation: str
    actor: Resources
    who: str = ""
    kept: bool = False


def _label(one: Favourite) -> str:
    return f"{one.who}, {one.name}" if one.who else one.name


class TraySession(Session):
    """A session of a dice tray.

    Parameters:
        notation: what it rolls at first.
        options: as for :class:`~dicedocs.panel.forms.form_session.FormOptions`; the rolls of the characters are its
            favourites.

    Raises:
        DiceError: a value is not valid.

    >>> import dicedocs as dd
    >>> tray = TraySession(seed=7)
    >>> tray.press(6, 2)
    >>> tray.press(8)
    >>> tray.set_modifier(3)
    >>> tray.notation
    '2d6 + 1d8 + 3'
    >>> tray.roll().value == dd.roll("2d6 + 1d8 + 3", seed=7).value
    True
    """

    def __init__(self, notation: str = START, **options: Unpack[FormOptions]) -> None:
        # The first die that is pressed replaces what the tray starts with.
        self._preset = notation == START
        values = {NOTATION: notation, ACTOR: Resources(), TARGET: Resources()}
        more = {TARGET_NUMBER: tray_fields()[TARGET_NUMBER]}
        super().__init__(ROLL, values, more=more, others=[find_mechanic(CHECK)], own=(), **options)

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {
            "add": self._add,
            "mode": lambda message: self.set_mode(message.name),
            "empty": lambda _message: self.empty(),
            "favourite": self._roll_message,
            "resource": self._press_resource,
            "keep": lambda _message: self.keep(),
            "forget": lambda message: self.forget(message.item),
        }

    def _moved(self, before: State) -> None:
        super()._moved(before)
        # What happens elsewhere at a table, and a roll of what the tray starts with, press no die.
        self._preset &= before.forms[self.seat.index].inputs.texts[NOTATION] == self.notation

    @property
    def mechanic(self) -> type[Mechanic]:
        """With a target number a check, else a roll."""
        return self._mechanic_of(self.seat.form)

    def _mechanic_of(self, form: FormState) -> type[Mechanic]:
        return self.played_mechanics[ROLL if form.inputs.values[TARGET_NUMBER] is None else CHECK]

    def _present_facts(self) -> Collection[str]:
        """Return the facts of a roll, or of a check."""
        return fact_names(self.mechanic)

    def adjusted(self, form: FormState) -> FormState:
        """Return the form; odds of a roll are not compared with those of a check."""
        return form._replace(pins=tuple(pin for pin in form.pins if isinstance(pin, self._mechanic_of(form))))

    @property
    def notation(self) -> str:
        """What is rolled, as it was typed or pressed."""
        return self.inputs.texts[NOTATION]

    @notation.setter
    def notation(self, text: str) -> None:
        self._put_inputs(self.inputs.with_text(NOTATION, text))

    # Dice

    def press(self, sides: int, times: int = 1) -> None:
        """Add dice, or take some away.

        Parameters:
            sides: the sides of the dice.
            times: how many are added; a negative number takes them away, as many as there are.

        Raises:
            ParameterError: the tray has no such die.
        """
        if sides not in TRAY_DICE:
            known = [f"d{each}" for each in TRAY_DICE]
            raise ParameterError(f"a tray has no {quoted(f'd{sides}')}", hint=near(f"d{sides}", known))
        start = "" if self._preset and times > 0 else self.notation
        self._preset = False
        self.notation = add_dice(start, sides, times)

    def empty(self) -> None:
        """Take all dice away, and with those of a favourite its label."""
        label = "" if self.label in map(_label, self.favourites) else None
        self._put_inputs(self.inputs.with_text(NOTATION, ""), label)

    def set_modifier(self, number: int) -> None:
        """Set the number that is added to the dice."""
        self.notation = set_modifier(self.notation, number)

    def set_mode(self, name: str) -> None:
        """Choose how the only d20 is thrown.

        Parameters:
            name: ``normal``, ``advantage`` (the higher of two) or ``disadvantage`` (the lower).

        Raises:
            ParameterError: there is no such mode, or not exactly one d20.
        """
        wanted = next((each for each in MODES if each == name), None)
        if wanted is None:
            raise ParameterError(f"there is no mode {quoted(name)}", hint=near(name, MODES))
        if mode(self.notation) is None:
            raise ParameterError("this needs exactly one d20", hint="press d20 once")
        self.notation = set_mode(self.notation, wanted)

    def press_resource(self, name: str, who: str) -> None:
        """Add a resource of a character to the notation, or remove it; the character is then the one who rolls.

        Parameters:
            name: the name of the resource.
            who: the name of the character.

        Raises:
            ParameterError: there is no such character or resource.
        """
        character = named_character(self.people.characters, who)
        if name not in character:
            raise ParameterError(f"{quoted(who)} has no {quoted(name)}", hint=near(name, list(character)))
        inputs = self.inputs.with_values({ACTOR: character.resources})
        self._put_inputs(inputs.with_text(NOTATION, toggle_resource(self.notation, name)))

    def _put_inputs(self, inputs: Inputs, label: str | None = None) -> None:
        form = self.seat.form._replace(inputs=inputs, label=self.label if label is None else label)
        self.seat.put_form(form)

    def rule_of(self, **values: Any) -> Mechanic:
        """Return the roll with some values of the inputs, or its check against the target number."""
        number, notation = values.pop(TARGET_NUMBER), values.pop(NOTATION)
        if number is None:
            return find_mechanic(ROLL)(notation=notation, **values)
        # What is wrong in the notation is said of it.
        find_mechanic(ROLL)(notation=notation, **values)
        return find_mechanic(CHECK)(check=add_target(notation, number), **values)

    def restored(self, rule: Any) -> Inputs:
        """Return the inputs with the parameters of a rule; those of a check are a notation and a target number."""
        notation, number = remove_target(rule.check) if rule.id == CHECK else (rule.notation, None)
        return super().restored(rule).with_values({NOTATION: notation, TARGET_NUMBER: number})

    # Favourites

    @property
    def favourites(self) -> list[Favourite]:
        """The rolls that can be made at once: those of the characters, and those that were kept."""
        own = [
            Favourite(name, notation, one.resources, one.name)
            for one in self.people.characters
            for name, notation in one.rolls.items()
        ]
        names = [one.name for one in self.people.characters]
        actors = {one.name: one.resources for one in self.people.characters}
        every = [*own, *(one._replace(actor=actors.get(one.who, one.actor)) for one in self._kept)]
        return sorted(every, key=lambda one: names.index(one.who) if one.who in names else len(names))

    def roll_favourite(self, name: str, who: str | None = None) -> Outcome:
        """Make one of the favourite rolls.

        Parameters:
            name: its name.
            who: the name of its character; by default that of any.

        Raises:
            ParameterError: there is no such roll.
            DiceError: it cannot be rolled.
        """
        for one in self.favourites:
            if one.name == name and who in {None, one.who}:
                return self._roll_favourite(one)
        raise ParameterError(f"there is no roll {quoted(name)}", hint=near(name, [one.name for one in self.favourites]))

    def _roll_favourite(self, one: Favourite) -> Outcome:
        inputs = self.inputs.with_values({NOTATION: one.notation, ACTOR: one.actor})
        self._put_inputs(inputs, _label(one))
        return self.roll()

    def keep(self, name: str = "") -> None:
        """Keep the present notation as a favourite, which can be undone.

        Parameters:
            name: its name; by default the label, or else the notation.

        Raises:
            DiceError: the notation is not valid.
        """
        if self.error is not None:
            raise self.error
        who = self.people.first
        actor = Resources.from_value(self.inputs.values[ACTOR])
        owner = who.name if who else ""
        name = clean(name or self.label.removeprefix(f"{owner}, ") or self.notation).strip()
        kept = Favourite(name, self.notation, actor, owner, kept=True)
        self._change_kept((*self._without(kept), kept))

    def forget(self, index: int) -> None:
        """Forget a favourite that was kept, which can be undone.

        Parameters:
            index: its index among all favourites.

        Raises:
            ParameterError: there is none, or it is one of a character's own.
        """
        one = self._favourite(index)
        if not one.kept:
            raise ParameterError(
                f"{quoted(one.name)} is a roll of {quoted(one.who)}", hint="only kept ones are forgotten"
            )
        self._change_kept(self._without(one))

    def _without(self, one: Favourite) -> list[Favourite]:
        return [other for other in self._kept if (other.name, other.who) != (one.name, one.who)]

    @property
    def own_kind(self) -> Any:
        """The favourites that were kept."""
        return tuple[Favourite, ...]

    @property
    def _kept(self) -> tuple[Favourite, ...]:
        kept: tuple[Favourite, ...] = self.seat.form.own
        return kept

    def _change_kept(self, kept: Sequence[Favourite]) -> None:
        self.seat.put_form(self.seat.form._replace(own=tuple(kept)))

    def _favourite(self, index: int) -> Favourite:
        every = self.favourites
        if not 0 <= index < len(every):
            raise ParameterError(f"there is no favourite {index}")
        return every[index]

    # Plain data

    def form(self) -> dict[str, Any]:
        """Return what never changes: as :meth:`Session.form`, with the facts of a check too, and ``tray``."""
        with self.display():
            form = {**form_data(find_mechanic(ROLL)), **self.page_data()}
            check = form_data(find_mechanic(CHECK))
            own = [field_data(self.inputs.fields[name]) for name in (NOTATION, TARGET_NUMBER)]
            return {
                **form,
                "id": TRAY,
                "title": _("Dice tray"),
                "help": _("Press dice, then Roll. To take one away, press the minus below it, or the die with Shift."),
                "fields": own,
                "facts": {**form["facts"], **check["facts"]},
                "tray": {
                    "dice": list(TRAY_DICE),
                    "modes": [{"name": name, "label": _(_MODE_NAMES[name])} for name in MODES],
                },
            }

    def state(self) -> dict[str, Any]:
        """Return all that changes, as :meth:`Session.state` does, and ``tray``.

        Its items: ``counts``, of each die; ``modifier``; ``mode``, ``None`` if this needs exactly one d20; and
        ``favourites`` by character, each with ``name``, ``rolls``: name, notation, and whether it was kept, and
        ``resources``: the first ones, each with its name, its number, and whether it is in the notation.
        """
        state, text = super().state(), self.notation
        if not text.strip():
            # Nothing was pressed yet, which is no mistake.
            state["errors"].pop(NOTATION, None)
        rolls: dict[str, list[list[Any]]] = {one.name: [] for one in self.people.characters}
        for favourite in self.favourites:
            rolls.setdefault(favourite.who, []).append([favourite.name, favourite.notation, favourite.kept])
        played = self.people.first
        resources = {
            one.name: [
                [name, number, one is played and has_resource(text, name)]
                for name, number in islice(one.items(), _RESOURCES_SHOWN)
            ]
            for one in self.people.characters
        }
        state["tray"] = {
            "counts": [count_dice(text, sides) for sides in TRAY_DICE],
            "modifier": modifier(text),
            "mode": mode(text),
            "favourites": [
                {"name": name, "rolls": own, "resources": resources.get(name, [])} for name, own in rolls.items()
            ],
        }
        state["parts"] = {}
        return state

    def _add(self, message: Message) -> None:
        if message.die:
            self.press(message.die, message.dice)
        else:
            self.set_modifier(modifier(self.notation) + message.dice)

    def _press_resource(self, message: Message) -> None:
        self.press_resource(message.name, self.people.name_at(message.item))

    def _roll_message(self, message: Message) -> None:
        one = self._favourite(message.item)
        try:
            self._roll_favourite(one)
        except DiceError:
            if self.error is None:
                raise  # else the state shows it
