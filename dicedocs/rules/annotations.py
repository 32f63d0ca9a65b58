"""What the annotations of a class say: the names that it declares, and the kind of each type."""

from __future__ import annotations

import sys
import types
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dicedocs.rules import kinds
from dicedocs.rules.record_kind import RecordKind, RowsKind
from dicedocs.rules.resources import Resources, ResourcesKind


def kind_of(hint: Any, low: int | None = None, high: int | None = None) -> kinds.Kind:
    """Return the kind of a type.

    Parameters:
        hint: ``int``, ``bool``, ``str``, ``Literal``, ``None``, unions and tuples of them, a
            ``NamedTuple``, a type with ``from_text``, or ``Annotated`` with a kind.
        low, high: the bounds of each whole number in it.

    Raises:
        TypeError: the type has no text form.

    >>> kind_of(int | None, low=0).expects
    "a whole number, at least 0 or 'none'"
    """
    origin = get_origin(hint)
    if origin is Annotated:
        named = (extra for extra in get_args(hint)[1:] if isinstance(extra, kinds.Kind))
        return next(named, None) or kind_of(get_args(hint)[0], low, high)
    if hint is int:
        return kinds.IntKind(low, high)
    if hint in {bool, str, None, types.NoneType}:
        return {bool: kinds.BoolKind, str: kinds.TextKind}.get(hint, kinds.NoneKind)()
    if origin is Literal:
        return kinds.ChoiceKind(get_args(hint))
    if origin in {Union, types.UnionType}:
        return kinds.UnionKind(kind_of(member, low, high) for member in get_args(hint))
    if origin is tuple and len(get_args(hint)) == 2 and get_args(hint)[1] is ...:
        item = kind_of(get_args(hint)[0], low, high)
        return RowsKind(item) if isinstance(item, RecordKind) else kinds.ListKind(item)
    if isinstance(hint, type) and issubclass(hint, Resources):
        return ResourcesKind(hint)
    if isinstance(hint, type) and hasattr(hint, "from_text"):
        has_dice = hasattr(hint, "sizes") and hasattr(hint, "with_sizes")
        return kinds.CustomDiceKind(hint) if has_dice else kinds.CustomKind(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return RecordKind(hint, {name: kind_of(field) for name, field in fields.items()})
    raise TypeError(
        f"{hint!r} has no text form: use int, bool, str, a Literal, None, a union or tuple[..., ...] of them, "
        "a NamedTuple, or a class with from_text"
    )


def annotated_names(cls: type) -> list[str]:
    """Return the names that a class itself annotates, without class variables, in order."""
    return [name for name, hint in _annotations(cls).items() if "ClassVar" not in str(hint)]


def _annotations(cls: type) -> Mapping[str, object]:
    hints: Mapping[str, object] = vars(cls).get("__annotations__") or deferred_annotations(cls)
    return hints


def types_of(cls: type, names: Collection[str], scope: type) -> dict[str, Any]:
    """Return the types of some of the names that a class or its bases annotate.

    The other annotations are not evaluated: autodoc of Sphinx 8 copies those of the bases into a class, as text whose
    names its module need not have.

    Parameters:
        cls: the class.
        names: the names wanted.
        scope: the class whose attributes the annotations may name.
    """
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        wanted = {name: hint for name, hint in _annotations(base).items() if name in names}
        holder = type(base.__name__, (), {"__annotations__": wanted, "__module__": base.__module__})
        module = vars(sys.modules[base.__module__]) if base.__module__ in sys.modules else {}
        hints |= get_type_hints(holder, namespace(scope), module, include_extras=True)
    return hints


def deferred_annotations(owner: object) -> Mapping[str, object]:
    """Return annotations that Python 3.14 has not evaluated yet; none on older versions."""
    if sys.version_info < (3, 14):
        return {}
    import annotationlib  # type: ignore[import-not-found, unused-ignore]

    hints: Mapping[str, object] = annotationlib.get_annotations(owner, format=annotationlib.Format.FORWARDREF)
    return hints


def namespace(cls: type) -> dict[str, Any]:
    """Return the attributes of a class and its bases, which annotations inside the class may name."""
    return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}


def return_type(cls: type, method: Any) -> object:
    """Return the type that a method of a class is annotated to return."""
    hint = (deferred_annotations(method) or method.__annotations__).get("return")
    if not isinstance(hint, str):
        return hint
    # Only this annotation is evaluated: the others may name what is imported for type checkers alone.
    returning = type("Returning", (), {"__annotations__": {"return": hint}})
    return get_type_hints(returning, method.__globals__, namespace(cls))["return"]


def check_annotated(cls: type, declaration: type, what: str) -> None:
    """Raise a ``TypeError`` when a declaration in a class body, a field or a fact, has no type."""
    for name in vars(cls).keys() - set(annotated_names(cls)):
        if isinstance(vars(cls)[name], declaration):
            raise TypeError(f"the {what} {name!r} of {cls.__qualname__} needs a type")


def check_name(name: str, what: str, cls: type, base: type, reserved: Collection[str]) -> None:
    """Raise a ``TypeError`` when a field or a fact has a reserved name."""
    if name in reserved or hasattr(base, name) or name.startswith("_"):
        raise TypeError(f"{cls.__qualname__} cannot have a {what} called {name!r}: the name is taken")
