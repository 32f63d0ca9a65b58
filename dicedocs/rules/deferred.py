"""Plays that are put off: a rule that returns one as it is goes on, and is played where it would have returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class DeferredPlay:
    """Stands for the outcome of a play that was put off; a rule may return it, but cannot read it.

    Parameters:
        rule: the mechanic that is to be played.
        label: the label of its play.
        refuse: is called with the mechanic when anything is read of the outcome, and raises.
    """

    __slots__ = ("_label", "_refuse", "_rule")

    def __init__(self, rule: Any, label: str, refuse: Callable[[Any], NoReturn]) -> None:
        _set_rule(self, rule)
        _set_label(self, label)
        _set_refuse(self, refuse)

    def __getattribute__(self, *_: object) -> NoReturn:
        _refuse_of(self)(rule_of(self))

    # Operators pass it by, and an outcome may define any of them.
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __repr__ = __str__ = __format__ = __getattribute__
    __bool__ = __int__ = __index__ = __float__ = __len__ = __iter__ = __contains__ = __getitem__ = __getattribute__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __or__ = __call__ = __getattribute__


# Whatever is read of it by its name is refused; the slots themselves can be read.
_set_rule = vars(DeferredPlay)["_rule"].__set__
_set_label = vars(DeferredPlay)["_label"].__set__
_set_refuse = vars(DeferredPlay)["_refuse"].__set__
_refuse_of: Callable[[DeferredPlay], Callable[[Any], NoReturn]] = vars(DeferredPlay)["_refuse"].__get__
rule_of: Callable[[DeferredPlay], Any] = vars(DeferredPlay)["_rule"].__get__
label_of: Callable[[DeferredPlay], str] = vars(DeferredPlay)["_label"].__get__
