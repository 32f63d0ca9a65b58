"""One test for many cases: it goes through all of them, and its failure names each that does not hold.

For a handful of cases `pytest.mark.parametrize` is the usual way. Hundreds would take longer as tests than as
comparisons.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import repeat
from reprlib import Repr
from traceback import extract_tb
from typing import Any, Final, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])
_SHOWN: Final = 3_000
"""So many characters of the error of a case are shown."""
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 200
_CASE: Final = type(pytest.param())


def every(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None = None
) -> Callable[[Test], Test]:
    """Return a decorator that makes a test of one case a test of all of them.

    Parameters:
        names: the arguments that are a case, as for `pytest.mark.parametrize`; what else a test takes are fixtures, of
            which all cases have the same.
        cases: their values; of several arguments, tuples.
        ids: what a failure calls the cases, or a function that says so of each value; by default the values.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    one = isinstance(names, str) and len(arguments) == 1
    named: Iterable[object] = repeat(ids) if callable(ids) or ids is None else ids
    given = [
        (name, case) if isinstance(case, _CASE) else (name, (case,) if one else case)
        for case, name in zip(cases, named, strict=False)
    ]
    assert given, "there are no cases"

    def decorate(test: Test) -> Test:
        @wraps(test)
        def all_cases(*fixtures: Any, **more: Any) -> None:
            failures = []
            for name, case in given:
                values = case.values if isinstance(case, _CASE) else case
                try:
                    test(*fixtures, **more, **dict(zip(arguments, values, strict=True)))
                except pytest.skip.Exception:
                    continue
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 -- whatever it is, the others are next
                    at = extract_tb(error.__traceback__)[-1]
                    text = f"{type(error).__name__}: {error}"[:_SHOWN]
                    failures.append(f"[{_called(name, case)}] {at.filename}:{at.lineno}: {text}")
            assert not failures, f"{len(failures)} of {len(given)} cases fail\n" + "\n".join(failures)

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in arguments]
        assert len(left) == len(signature.parameters) - len(arguments), f"{test.__name__} does not take {arguments}"
        all_cases.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return all_cases  # type: ignore[return-value]

    return decorate


def _called(name: object, case: Any) -> str:
    """Return what a failure calls a case."""
    if isinstance(case, _CASE):
        name, case = case.id or name, case.values
    if callable(name):
        return "-".join(str(name(value)) for value in case)
    return str(name) if name is not None else ", ".join(map(_SHORT.repr, case))
