"""The sentence of each step: one function for each verb of :class:`~dicedocs.rules.steps.Say` and of the dice.

Another language is another table like :data:`SENTENCES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dicedocs.render.words import MAX_ITEMS, clean, display_text, join_some, join_words
from dicedocs.rules.steps import Operand, Operation, Step


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
    name = operand.name or (f"d{operand.sides}" if die and operand.sides else "")
    return f"{display_text(operand.value)} ({name})" if name else display_text(operand.value)


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
        text += f" + … ({len(terms) - MAX_ITEMS} more)"
    if len(terms) == 1 and terms[0].value == step.value:
        return Sentence(text)
    return Sentence(f"{text} = {display_text(step.value)}" if terms else display_text(step.value))


def _compare(step: Step) -> Sentence:
    left, right = map(_term, step.terms)
    return Sentence(f"{left} {step.how} {right}: {display_text(step.value)}")


def _bound(step: Step) -> Sentence:
    (number,) = map(_term, step.terms)
    return Sentence(f"{number}, {step.how} to {display_text(step.value)}" if step.how else number)


def _scale(step: Step) -> Sentence:
    number, *rest = step.terms
    by = _numbers(rest)
    times, over = by.get("times", 1), by.get("over", 1)
    product = number.value * times if isinstance(number.value, int) else 0
    text = _term(number) + (f" * {times}" if times != 1 else "") + (f" / {over}" if over != 1 else "")
    if rest:
        text += f" = {product // over}"
    if product % over:
        text += ", rounded down"
    if step.how:
        text += f", {step.how} to {display_text(step.value)}"
    return Sentence(text)


def _look_up(step: Step) -> Sentence:
    number, *rest = step.terms
    row = _numbers(rest)
    low, above = row.get("from"), row.get("below")
    if low is not None and above is not None:
        within = f" is {low} to {above - 1}" if low < above - 1 else ""
    elif row:
        within = f" is {low} or more" if low is not None else f" is below {above}"
    else:
        within = ""
    return Sentence(f"{_term(number)}{within}: {display_text(step.value)}")


def _move(step: Step) -> Sentence:
    at, *rest = step.terms
    by = _numbers(rest)
    moved, beyond = by.get("by", 0), by.get("beyond", 0)
    if not moved:
        return Sentence(_term(at))
    text = f"{_term(at)}, {abs(moved)} {'up' if moved > 0 else 'down'}: {display_text(step.value)}"
    return Sentence(f"{text} and {abs(beyond)} {'more' if beyond > 0 else 'less'}" if beyond else text)


def _pick(step: Step) -> Sentence:
    return Sentence(f"{step.how} is {display_text(step.value)}")


def _leaders(step: Step) -> Sentence:
    names = [str(term.value) for term in step.terms]
    decided = f", by {step.how}" if step.how else ", level" if len(names) > 1 else ""
    return Sentence((join_words(names) if len(names) <= MAX_ITEMS else join_some(names)) + decided)


def _fact(step: Step) -> Sentence:
    of = join_some([_term(term) for term in step.terms])
    return Sentence(f"{display_text(step.value)} ({of})" if of else display_text(step.value))


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
        return text if value else f"{text}, a zero divisor gives 0"
    return f"{text}, rounded down" if left % right and value == left // right else text


def _throw(step: Step) -> Sentence:
    dice = step.terms
    # Here the name of an operand is the state of its die (see RecordingSay.record_throw).
    states = any(die.name for die in dice)
    alike = len({die.sides for die in dice}) == 1
    head = (f"{len(dice)}d{dice[0].sides}: " if len(dice) > 1 else f"d{dice[0].sides}: ") if alike and dice else ""
    if step.how == "total" and 1 < len(dice) <= MAX_ITEMS and not states:
        return Sentence(f"{head}{' + '.join(str(die.value) for die in dice)} = {step.value}")
    tail = ""
    if step.how == "total" and (len(dice) > 1 or states):
        tail = f"; total {step.value}"
    elif step.how == "tally":
        tail = f"; counted {display_text(step.value)}"
    return Sentence(head + _faces(dice, alike=alike, states=states) + tail)


def _faces(dice: Sequence[Operand], *, alike: bool, states: bool) -> str:
    """Return a list of faces; of more than ``MAX_ITEMS``, how often each was thrown, or the first ones."""

    def face(die: Operand) -> str:
        return str(die.value) if alike else f"d{die.sides} {die.value}"

    if len(dice) > MAX_ITEMS:
        counts = Counter((die.sides, die.value, die.name) for die in dice)
        if len(counts) <= MAX_ITEMS:
            texts = []
            for (sides, value, state), count in sorted(counts.items()):
                frequency = "once" if count == 1 else f"{count} times"
                texts.append(f"{face(Operand(value, sides=sides))} ({frequency}{', ' + state if state else ''})")
            return ", ".join(texts)
    faces = [f"{face(die)} ({die.name})" if die.name else face(die) for die in dice[:MAX_ITEMS]]
    more = f" and {len(dice) - MAX_ITEMS} more" if len(dice) > MAX_ITEMS else ""
    return (", " if states or not alike else " ").join(faces) + more


def _mark(step: Step) -> Sentence:
    (die,) = step.terms
    return Sentence(f"d{die.sides} {die.value} {step.how}" if die.sides else f"{die.value} {step.how}")


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
    "rewrite": _rewrite,
    "throw": _throw,
    "mark": _mark,
    "play": lambda _: Sentence(""),
}
