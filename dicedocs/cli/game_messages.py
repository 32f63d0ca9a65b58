"""The messages of a game: what its mechanics display, for a catalogue of gettext."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from typing import Final

from dicedocs.panel.forms.controls import title
from dicedocs.render.chart import fact_title
from dicedocs.rules.description import describe
from dicedocs.rules.kinds import spaced
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs.rules.steps import Say

_VERBS: Final = frozenset(name for name in vars(Say) if name[0] != "_")


def game_messages(system: str) -> list[str]:
    """Return the messages of a game that can be found by themselves, in the order of its module.

    These are the names and help texts of its mechanics, parameters and facts, the words that these can be, and the
    texts that stand in calls of :class:`~dicedocs.rules.steps.Say`. A message with placeholders stands for an
    f-string.

    Parameters:
        system: the part of the mechanics' ids before the slash.

    Raises:
        ParameterError: there is no such game.

    >>> game_messages("dungeoneers")[0], game_messages("total-effect")[-1]
    ('Dungeoneers: action roll', 'Beyond {die}')
    """
    rules = [mechanic(id) for id in mechanics() if id.startswith(f"{system}/")] or [mechanic(f"{system}/")]
    found = [text for rule in rules for text in _declared(rule)]
    sources = dict.fromkeys(base.__module__ for rule in rules for base in rule.__mro__ if issubclass(base, Mechanic))
    for module in sources:
        if module != Mechanic.__module__:
            found += _said(ast.parse(inspect.getsource(sys.modules[module])))
    return [text for text in dict.fromkeys(found) if is_message(text)]


def is_message(text: str) -> bool:
    """Return whether a text has a word to translate.

    >>> is_message("{name}'s die"), is_message("{name} {number}")
    (True, False)
    """
    depth, letters = 0, ""
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        letters += letter if not depth else ""
    return any(map(str.isalpha, letters))


def _declared(rule: type[Mechanic]) -> Iterator[str]:
    """Yield the texts of the declaration of a mechanic."""
    yield title(rule.id)
    yield describe(rule).help
    for field in rule.parameters().values():
        yield from (field.label, field.help, *field.words, *field.kind.texts())
    kinds = rule.fact_kinds()
    for name, fact in rule.result().facts_of.items():
        needed = fact.needed if isinstance(fact.needed, str) else ""
        yield from (fact.label, fact.missed, *fact.words, needed, fact_title(name), fact.help, *kinds[name].texts())


def _said(tree: ast.AST) -> Iterator[str]:
    """Yield the texts in calls of ``say``, of ``dice.play`` and of ``mark``."""
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        verb, owner = call.func.attr, call.func.value
        if isinstance(owner, ast.Name) and owner.id == "say" and verb in _VERBS:
            for argument in call.args:
                yield from _texts(argument)
            if verb == "sum":
                yield from (spaced(keyword.arg) for keyword in call.keywords if keyword.arg)
        elif verb in {"play", "mark"}:
            for argument in call.args[1:]:
                yield from _texts(argument)


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be, or that it contains."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.JoinedStr():
            yield composed_message(node)
        case ast.IfExp(_, one, other):
            yield from (*_texts(one), *_texts(other))
        case ast.Tuple(items) | ast.List(items):
            for item in items:
                yield from _texts(item)
        case ast.Starred(item):
            yield from _texts(item)
        case ast.Dict(keys, values):
            for each in (*keys, *values):
                if each is not None:
                    yield from _texts(each)


def composed_message(node: ast.JoinedStr) -> str:
    """Return an f-string as a message, with a placeholder for each expression.

    >>> composed_message(ast.parse('''f"{who.name}'s {what}"''', mode="eval").body)
    "{name}'s {what}"
    """
    parts, names = [], set[str]()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            name = getattr(part.value, "id", getattr(part.value, "attr", "text")).lower().strip("_")
            while name in names:
                name += "_"
            names.add(name)
            parts.append(f"{{{name}}}")
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    return "".join(parts)
