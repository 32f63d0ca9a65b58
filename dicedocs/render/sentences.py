"""The sentence of each step: one function for each verb of :class:`~dicedocs.rules.steps.Say` and of the dice.

A sentence is one message of the catalogue, whose placeholders another language may put in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dicedocs.render.words import MAX_ITEMS, clean, display_text, join_some, join_words, labelled
from dicedocs.rules.steps import Operand, Operation, Step
from dicedocs.translation import gettext as _
from dicedocs.translation import ngettext, word


class Sentence(NamedTuple):
    """The text of a step after its label.

    Parameters:
        text: the value and how it was obtained.
        note: the arithmetic of a rewriting, displayed beside its text.
        notation: whether the text is notation, not words.
    """

    text: str
    note: str = ""
    notation: bool = False

    def __str__(self) -> str:
        return f"{self.text}   ({self.note})" if self.note else self.text


def step_label(step: Step) -> str:
    """Return the label of a step, with the number of a round: ``Round 3``."""
    label = clean(word(step.label))
    return f"{label} {step.how}" if step.verb == "play" and step.how else label


def sentence(step: Step) -> Sentence:
    """Return the sentence of a step; that of an unknown verb is its value.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> total = say.sum("Total", 2, 5, 6, escalation=-1)
    >>> print(sentence(say.steps[0]))
    2 + 5 + 6 - 1 (escalation) = 12
    """
    text, note, notation = SENTENCES.get(step.verb, _fact)(step)
    return Sentence(clean(text), clean(note), notation)


def _term(operand: Operand, *, die: bool = False) -> str:
    """Return an operand with its name or, if ``die`` is set, the die it was read from."""
    sides, name = operand.sides, word(operand.name)
    if sides and operand.name.startswith(f"d{sides} "):
        # The die from which another value was read, with its face.
        name = _("d{sides} {face}").format(sides=sides, face=operand.name.partition(" ")[2])
    elif sides and die:
        name = name or die_name(sides)
    return f"{display_text(operand.value)} ({name})" if name else display_text(operand.value)


def die_name(sides: int) -> str:
    """Return the name of a die.

    >>> die_name(6)
    'd6'
    """
    return ngettext("d{sides}", "{count} d{sides}", 1).format(sides=sides)


def _numbers(operands: Iterable[Operand]) -> dict[str, int]:
    """Return the numbers of operands by name."""
    return {operand.name: operand.value for operand in operands if isinstance(operand.value, int)}


def _sum(step: Step) -> Sentence:
    terms = step.terms
    # Dice of one size need no names: the line of the throw has them.
    mixed = len({term.sides for term in terms if term.sides and not term.name}) > 1
    text = ""
    for term in terms[:MAX_ITEMS]:
        value = term.value
        if text and type(value) is int and value < 0:
            text += " - " + _term(term._replace(value=-value), die=mixed)
        else:
            text += (" + " if text else "") + _term(term, die=mixed)
    if len(terms) > MAX_ITEMS:
        more = len(terms) - MAX_ITEMS
        text = ngettext("{terms} + … ({count} more)", "{terms} + … ({count} more)", more).format(terms=text, count=more)
    if len(terms) == 1 and terms[0].value == step.value:
        return Sentence(text)
    return Sentence(f"{text} = {display_text(step.value)}" if terms else display_text(step.value))


def _compare(step: Step) -> Sentence:
    left, right = map(_term, step.terms)
    return Sentence(labelled(f"{left} {step.how} {right}", display_text(step.value)))


def _bound(step: Step) -> Sentence:
    (number,) = map(_term, step.terms)
    return Sentence(_bounded(number, step))


def _bounded(text: str, step: Step) -> str:
    """Return a text with the bound to which its value was raised or lowered, if it was."""
    if not step.how:
        return text
    message = _("{text}, raised to {value}") if step.how == "raised" else _("{text}, lowered to {value}")
    return message.format(text=text, value=display_text(step.value))


def _scale(step: Step) -> Sentence:
    number, *rest = step.terms
    by = _numbers(rest)
    times, over = by.get("times", 1), by.get("over", 1)
    product = number.value * times if isinstance(number.value, int) else 0
    text = _term(number) + (f" * {times}" if times != 1 else "") + (f" / {over}" if over != 1 else "")
    if rest:
        text += f" = {product // over}"
    if product % over:
        text = _("{text}, rounded down").format(text=text)
    return Sentence(_bounded(text, step))


def _look_up(step: Step) -> Sentence:
    number, *rest = step.terms
    row = _numbers(rest)
    low, above = row.get("from"), row.get("below")
    if low is not None and above is not None:
        message = _("{number} is {low} to {high}: {value}") if low < above - 1 else _("{number}: {value}")
    elif row:
        message = (
            _("{number} is {low} or more: {value}") if low is not None else _("{number} is below {above}: {value}")
        )
    else:
        message = _("{number}: {value}")
    high = above - 1 if above is not None else None
    parts = {"number": _term(number), "low": low, "high": high, "above": above, "value": display_text(step.value)}
    return Sentence(message.format_map(parts))


def _move(step: Step) -> Sentence:
    at, *rest = step.terms
    by = _numbers(rest)
    moved, beyond = by.get("by", 0), by.get("beyond", 0)
    if not moved:
        return Sentence(_term(at))
    count = abs(moved)
    if moved > 0:
        text = ngettext("{start}, {count} up: {end}", "{start}, {count} up: {end}", count)
    else:
        text = ngettext("{start}, {count} down: {end}", "{start}, {count} down: {end}", count)
    text = text.format(start=_term(at), count=count, end=display_text(step.value))
    if not beyond:
        return Sentence(text)
    message = _("{text} and {count} more") if beyond > 0 else _("{text} and {count} less")
    return Sentence(message.format(text=text, count=abs(beyond)))


def _pick(step: Step) -> Sentence:
    return Sentence(_("{option} is {value}").format(option=word(step.how), value=display_text(step.value)))


def _leaders(step: Step) -> Sentence:
    names = [str(term.value) for term in step.terms]
    text = join_words(names) if len(names) <= MAX_ITEMS else join_some(names)
    if step.how:
        return Sentence(_("{names}, by {score}").format(names=text, score=word(step.how)))
    return Sentence(_("{names}, level").format(names=text) if len(names) > 1 else text)


def _fact(step: Step) -> Sentence:
    of = join_some([_of(term) for term in step.terms])
    return Sentence(f"{display_text(step.value)} ({of})" if of else display_text(step.value))


def _of(operand: Operand) -> str:
    """Return an operand as it stands in parentheses: its name before its value."""
    if operand.sides or not operand.name:
        return _term(operand)
    name, text = word(operand.name), display_text(operand.value)
    return f"{name} {text}" if type(operand.value) is int else labelled(name, text)


def _choose(step: Step) -> Sentence:
    return Sentence(_("{way} (the player's choice)").format(way=display_text(step.value)))


def _rewrite(step: Step) -> Sentence:
    operations = [_operation(operation) for operation in step.operations]
    separator = "; " if any("," in text for text in operations) else ", "
    return Sentence(str(step.value), join_some(operations, separator), notation=True)


def _operation(operation: Operation) -> str:
    left, sign, right, value = operation
    text = f"{left} {sign} {right} = {value}"
    if sign != "/":
        return text
    if right == 0:
        return text if value else _("{text}, a zero divisor gives 0").format(text=text)
    return _("{text}, rounded down").format(text=text) if left % right and value == left // right else text


def _throw(step: Step) -> Sentence:
    dice = step.terms
    # Here the name of an operand is the state of its die (see RecordingSay.record_throw).
    states = any(die.name for die in dice)
    alike = len({die.sides for die in dice}) == 1
    if step.how == "total" and 1 < len(dice) <= MAX_ITEMS and not states:
        text = f"{' + '.join(str(die.value) for die in dice)} = {step.value}"
    else:
        text = _faces(dice, alike=alike, states=states)
        if step.how == "total" and (len(dice) > 1 or states):
            text = _("{faces}; total {total}").format(faces=text, total=step.value)
        elif step.how == "tally":
            text = _("{faces}; counted {counts}").format(faces=text, counts=display_text(step.value))
    if not (alike and dice):
        return Sentence(text)
    sides, count = dice[0].sides, len(dice)
    name = die_name(sides) if count == 1 else _("{count}d{sides}").format(count=count, sides=sides)
    return Sentence(labelled(name, text))


def _faces(dice: Sequence[Operand], *, alike: bool, states: bool) -> str:
    """Return a list of faces; of more than ``MAX_ITEMS``, how often each was thrown, or the first ones."""

    def face(die: Operand) -> str:
        return str(die.value) if alike else _("d{sides} {face}").format(sides=die.sides, face=die.value)

    if len(dice) > MAX_ITEMS:
        counts = Counter((die.sides, die.value, die.name) for die in dice)
        if len(counts) <= MAX_ITEMS:
            texts = []
            for (sides, value, state), count in sorted(counts.items()):
                frequency = ngettext("once", "{count} times", count).format(count=count)
                notes = ", ".join([frequency, word(state)] if state else [frequency])
                texts.append(f"{face(Operand(value, sides=sides))} ({notes})")
            return ", ".join(texts)
    faces = [f"{face(die)} ({word(die.name)})" if die.name else face(die) for die in dice]
    return join_some(faces, ", " if states or not alike else " ")


def _mark(step: Step) -> Sentence:
    (die,) = step.terms
    name = _("d{sides} {face}").format(sides=die.sides, face=die.value) if die.sides else str(die.value)
    return Sentence(_("{die} {state}").format(die=name, state=word(step.how)))


SENTENCES: Final[Mapping[str, Callable[[Step], Sentence]]] = {
    "sum": _sum,
    "compare": _compare,
    "bound": _bound,
    "scale": _scale,
    "look_up": _look_up,
    "move": _move,
    "pick": _pick,
    "leaders": _leaders,
    "fact": _fact,
    "choose": _choose,
    "rewrite": _rewrite,
    "throw": _throw,
    "mark": _mark,
    "play": lambda _step: Sentence(""),
}
