"""A notation without dice in which names stand for values: ``2 * ticks - arlyn.Heat``, ``20 - level - armour``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.parsing import unquoted
from dicedocs.rules.kinds import as_line, spaced
from dicedocs.similar_words import near
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import BoundText, bound_names
from dicedocs.syntax.parts import Text, check_bound, read_part
from dicedocs.syntax.rule_names import NUMBER, TRUTH, Kind, Named, RuleNames
from dicedocs.syntax.rule_values import value_hint
from dicedocs.syntax.tree import DiceTerm, Labelled, Node, Question, Reference, Set, nodes

TRUTHS: Final = {as_line(truth): truth for truth in (True, False)}
"""What is true or false, by its text."""


class Formula(NamedTuple):
    """A value without dice, in which names stand for values.

    Parameters:
        text: the text.
        tree: its tree.
        values: those of its names.
        names: its names.
        is_truth: whether it is yes or no.
    """

    text: str
    tree: Node
    values: Sequence[object]
    names: Sequence[str]
    is_truth: bool = False

    def compute(self) -> int | str | None:
        """Return what it comes to.

        Raises:
            ParameterError: it has no value, or one that is too large.
        """
        try:
            value = compiled(self.tree, {name: place for place, name in enumerate(self.names)})(self.values)
        except DiceError as error:
            raise _no_notation(self.text, error) from error
        return value if isinstance(value, str) else bool(value) if self.is_truth else int(value)


def evaluate(
    text: str, values: Mapping[str, object], parameter: str = "then", what: str = "fact and nothing in the scene"
) -> int | str | None:
    """Return what a text comes to: a whole number, or perhaps words.

    The parameters are those of :func:`read_formula`.

    Raises:
        DiceError: a name is unknown, a value is no number, or the notation is wrong.

    >>> evaluate("2 * ticks - arlyn.Heat", {"ticks": 3, "arlyn.Heat": 1, "arlyn.Position": "risky"})
    5
    >>> evaluate("arlyn.Position", {"arlyn.Position": "risky"})
    'risky'
    >>> evaluate('"risky"', {}), evaluate("2 + true", {})
    ('risky', 3)
    >>> evaluate("2 if heat >= 3 and mood = calm, else 0", {"heat": 3, "mood": "calm"})
    2
    """
    try:
        formula = read_formula(text, values, what)
        return formula.compute() if isinstance(formula, Formula) else formula
    except ParameterError as error:
        error.parameter = parameter
        raise


def read_formula(
    text: str, values: Mapping[str, object], what: str = "fact and nothing in the scene"
) -> Formula | int | str | None:
    """Return what a text says, before anything is computed: a formula, or what a single name or a text in quotes is.

    Parameters:
        text: a value without dice of the language of rules, in which names stand for values, or a text in quotes.
        values: the values by name; true counts 1, and false 0. A text that needs one that is ``None`` comes to that.
        what: what has these names, for the error about an unknown one.

    Raises:
        ParameterError: a name is unknown, a value is no number, or the notation is wrong.
    """
    known, values = values, {**TRUTHS, **values}
    name = " ".join(text.split())
    if (word := unquoted(name)) != name:
        return word
    if name in values:
        value = values[name]
        return value if value is None or isinstance(value, int) else as_line(value)
    words = {as_line(value): as_line(value) for value in values.values() if isinstance(value, str)}
    bound = bound_names({**words, **{spaced(each): each for each in values}, **{each: each for each in values}})
    names = RuleNames({})
    try:
        part = read_part(Text((name,), (0,), 0), 0, name, bound)
        check_bound(part)
        used = list(dict.fromkeys(each.name for each in nodes(part.tree) if isinstance(each, Reference)))
        if any(isinstance(node, DiceTerm | Set | Labelled | Question) for node in nodes(part.tree)):
            raise _no_notation(text)
        if any(each in values and values[each] is None for each in used):
            return None
        for each, value in values.items():
            kind: Kind = TRUTH if isinstance(value, bool) else NUMBER if isinstance(value, int) else (as_line(value),)
            names.known[each] = Named(each, kind)
        part = part._replace(tree=names.completed(part))
        names.extend(part.tree, [each for each, value in values.items() if isinstance(value, str)])
        resolved = names.resolved(part)
        is_truth = names.kind_of(resolved.tree, resolved) == TRUTH
    except ParameterError:
        raise
    except DiceError as error:
        quotes = re.findall(r"'([^']+)'", error.message)
        unknown = quotes[0] if error.message.startswith("nothing is called") else ""
        if unknown:
            message = f"no {what} is called {quoted(unknown)}"
            hint = value_hint(name, error.at, bound) or near_name(unknown, known)
            raise ParameterError(message, hint=hint, parameter="then") from None
        word = next((each for each in quotes if isinstance(values.get(each), str)), "")
        if word:
            message = f"{word} is {quoted(as_line(values[word]))}, which is not a whole number"
            raise ParameterError(message, parameter="then") from None
        raise _no_notation(text, error) from error
    used = [each.name for each in nodes(resolved.tree) if isinstance(each, Reference)]
    return Formula(text, resolved.tree, [values[each] for each in used], used, is_truth)


def _no_notation(text: str, error: DiceError | None = None) -> ParameterError:
    why = f": {error.message}" if error else ""
    hint = error.hint if error else ""
    return ParameterError(f"{quoted(text)} is not a notation without dice{why}", hint=hint, parameter="then")


def near_name(name: str, known: Iterable[str]) -> str:
    """Return a hint that lists the names similar to one, or else the facts, or the values of the same character.

    >>> near_name("critical", ["success", "left", *(f"orc.Skill {number}" for number in range(20))])
    "known: 'left', 'success'"
    """
    known, (owner, dot, _value) = list(known), name.partition(".")
    same = [one for one in known if one.startswith(f"{owner}.")] if dot else [one for one in known if "." not in one]
    return near(name, known) or near(name, same) or near(owner, (one.partition(".")[0] for one in known if "." in one))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a formula with other names in place of some; one that cannot be read stays as it is.

    Parameters:
        text: the formula.
        names: the new name of each.

    >>> renamed('2 * heat + heats if mood = "heat", else 0', {"heat": "arlyn.Heat"})
    '2 * arlyn.Heat + heats if mood = "heat", else 0'
    """
    bound = BoundText(text, bound_names({each: each for each in names}))
    try:
        tree = read_part(Text((text,), (0,), 0), 0, text, bound.names).tree
    except DiceError:
        return text
    places = sorted(each.at for each in nodes(tree) if isinstance(each, Reference) and each.name in names)
    pieces, done = list[str](), 0
    for at in places:
        if found := bound.name_at(at):
            pieces += [text[done:at], names[found[1]]]
            done = found[0]
    return "".join([*pieces, text[done:]])
