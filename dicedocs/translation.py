"""Texts in the language of their reader: catalogues of gettext, and the context that chooses a language.

What is displayed is translated when it is displayed; facts, JSON, notation and errors stay as they are. The catalogues
of the core lie in ``dicedocs/locale``. Those of a game lie in a folder ``locale`` beside its module, under the part of
its ids before the slash: ``locale/de/LC_MESSAGES/my-game.mo``. A text without a translation stays English.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs.errors import ParameterError, is_text, quoted

if TYPE_CHECKING:
    from gettext import NullTranslations
    from importlib.resources.abc import Traversable

SOURCE_LANGUAGE: Final = "en"
"""The language of the texts in the code."""
CORE_DOMAIN: Final = "dicedocs"
"""The text domain of the core, and its package."""
_CODE: Final = re.compile(r"[A-Za-z]{2,8}([_@][A-Za-z0-9]+)*")
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_]\w*)\}")
_MAX_COMPOSED: Final = 200
"""Letters of a text that is compared with messages that have placeholders."""
_CACHED_WORDS: Final = 4096


class Language(NamedTuple):
    """A language, and where its catalogues are.

    Parameters:
        code: such as ``de`` or ``de_AT``.
        folders: folders whose catalogues precede those of the packages, such as the ``locale_dirs`` of a book.
        game: the text domain of the game whose words are displayed, and the module beside which its catalogue lies;
            empty for none.
    """

    code: str
    folders: tuple[str, ...] = ()
    game: tuple[str, str] | tuple[()] = ()


# None is English, the language of the code, which is then not looked up at all.
_active: ContextVar[Language | None] = ContextVar("language")
_default: Language | None = None


def _language(code: str, folders: Iterable[str] = ()) -> Language | None:
    name = code.replace("-", "_") if is_text(code) else ""
    if not _CODE.fullmatch(name):
        raise ParameterError(f"{quoted(code)} is not the code of a language", hint="write it like 'de' or 'pt_BR'")
    found = Language(name, tuple(folders))
    return None if not found.folders and name.split("_")[0] == SOURCE_LANGUAGE else found


@contextmanager
def language(code: str, folders: Iterable[str] = ()) -> Iterator[None]:
    """Display everything in a language while a ``with`` statement runs.

    Parameters:
        code: the language, such as ``"de"``, ``"pt_BR"`` or ``"en"``; texts without a translation stay English.
        folders: folders with catalogues that precede those of the packages, each file like
            ``de/LC_MESSAGES/dicedocs.mo`` or, for a game, ``de/LC_MESSAGES/my-game.mo``.

    Raises:
        ParameterError: the code is not that of a language.

    >>> import dicedocs as dd
    >>> outcome = dd.play("total-effect/roll", threshold=13, dice=[5, 2, 6])
    >>> with dd.language("de"):
    ...     print(outcome)
    Würfel: 3W6: 5 2 6
    Gesamtwert: 2 + 5 + 6 = 13
    Schwelle: 13 >= 13: ja
    >>> outcome.facts("triggered")
    'triggered=true'
    """
    token = _active.set(_language(code, folders))
    try:
        yield
    finally:
        _active.reset(token)


def set_language(code: str) -> None:
    """Set the language of the whole process, such as a notebook's; ``"en"`` is the one at the start.

    Parameters:
        code: the language; see :func:`language`, which precedes it.

    Raises:
        ParameterError: the code is not that of a language.

    >>> set_language("fr")
    >>> gettext("yes")
    'oui'
    >>> set_language("en")
    """
    global _default  # noqa: PLW0603  # threads that handle a page's messages do not share the context of a cell
    _default = _language(code)


def current_language() -> Language | None:
    """Return the language in which texts are displayed now; ``None`` is English."""
    return _active.get(_default)


@contextmanager
def display_in(chosen: Language | None) -> Iterator[None]:
    """Display everything in a language that :func:`current_language` returned before."""
    token = _active.set(chosen)
    try:
        yield
    finally:
        _active.reset(token)


@contextmanager
def game_words(rule: object) -> Iterator[None]:
    """Translate the words of a game by its own catalogue while a ``with`` statement runs.

    Parameters:
        rule: a mechanic of the game, or its class; anything else changes nothing.
    """
    active = _active.get(_default)
    owner = rule if isinstance(rule, type) else type(rule)
    id = getattr(owner, "id", None)
    if active is None or id is None or not is_text(id):
        yield
        return
    system = id.partition("/")[0] or owner.__module__.rpartition(".")[2]
    with display_in(active._replace(game=(system, owner.__module__))):
        yield


def gettext(message: str) -> str:
    """Return the translation of a message.

    >>> with language("de"):
    ...     gettext("yes")
    'ja'
    """
    active = _active.get(_default)
    return message if active is None else _checked(_core_catalogue(active).gettext(message), message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the translation of a message that depends on a number.

    >>> with language("de"):
    ...     ngettext("d{sides}", "{count} d{sides}", 2)
    '{count} W{sides}'
    """
    active = _active.get(_default)
    english = singular if number == 1 else plural
    return (
        english
        if active is None
        else _checked(_core_catalogue(active).ngettext(singular, plural, number), english, plural)
    )


def pgettext(context: str, message: str) -> str:
    """Return the translation of a message that means something else in another context.

    >>> with language("de"):
    ...     pgettext("decimal separator", ".")
    ','
    """
    active = _active.get(_default)
    return message if active is None else _core_catalogue(active).pgettext(context, message)


def mark(message: str) -> str:
    """Return a message as it is, marked for the catalogue; it is translated where it is displayed.

    >>> mark("yes")
    'yes'
    """
    return message


def word(text: str) -> str:
    """Return the translation of a word of a rule: a label, a help text, a value.

    The catalogue of the game is asked first (see :func:`game_words`), then that of the core. A text that a rule puts
    together is compared with the messages that have placeholders; what stands for a placeholder is translated too.

    >>> from dicedocs.rules.registry import mechanic
    >>> with language("de"), game_words(mechanic("total-effect/roll")):
    ...     word("Beyond inverse low"), word("Ash")
    ('Über „niedrig umgekehrt“ hinaus', 'Ash')
    """
    active = _active.get(_default)
    return text if active is None or not text else _word(active, text)


@lru_cache(_CACHED_WORDS)
def _word(active: Language, text: str) -> str:
    if active.game:
        catalogue, composed = _catalogue(active.code, active.folders, *active.game)
        translated = catalogue.gettext(text)
        if translated != text:
            return translated
        for pattern, message in composed if len(text) <= _MAX_COMPOSED else ():
            if match := pattern.fullmatch(text):
                parts = {name: _word(active, part) for name, part in match.groupdict().items()}
                return _checked(catalogue.gettext(message), message).format_map(parts)
    return _core_catalogue(active).gettext(text)


@lru_cache(_CACHED_WORDS)
def _checked(translation: str, message: str, plural: str = "") -> str:
    """Return a translation, or its message if it has other placeholders, which could not be filled in."""
    known = {*_PLACEHOLDER.findall(message), *_PLACEHOLDER.findall(plural)}
    fits = known.issuperset(_PLACEHOLDER.findall(translation)) and not set("{}") & set(
        _PLACEHOLDER.sub("", translation)
    )
    return translation if fits or not known else message


def _core_catalogue(active: Language) -> NullTranslations:
    return _catalogue(active.code, active.folders, CORE_DOMAIN, CORE_DOMAIN)[0]


_Composed = tuple[tuple[re.Pattern[str], str], ...]
"""The messages with placeholders, each with a pattern of the texts that are made from it."""


@lru_cache(256)
def _catalogue(code: str, folders: tuple[str, ...], domain: str, module: str) -> tuple[NullTranslations, _Composed]:
    """Return the catalogues of a text domain, each the fallback of the one before, and their composed messages."""
    import gettext as stdlib
    from io import BytesIO

    first, composed = stdlib.NullTranslations(), dict[str, re.Pattern[str]]()
    last: stdlib.NullTranslations | None = None
    for data in _files(code, folders, domain, module):
        catalogue = stdlib.GNUTranslations(BytesIO(data))
        if last is None:
            first = catalogue
        else:
            last.add_fallback(catalogue)
        last = catalogue
        composed.update((message, pattern) for message in _messages(data) if (pattern := _pattern(message)))
    # The one with the most letters of its own is the nearest.
    ordered = sorted(composed, key=lambda message: (-len(_PLACEHOLDER.sub("", message)), message))
    return first, tuple((composed[message], message) for message in ordered)


def reload_catalogues() -> None:
    """Read all catalogues again when they are next used, since they may have changed."""
    _catalogue.cache_clear()
    _word.cache_clear()


def _files(code: str, folders: tuple[str, ...], domain: str, module: str) -> Iterator[bytes]:
    """Yield the compiled catalogues of a text domain, the nearest first: of ``de_AT`` before those of ``de``."""
    from pathlib import Path

    beside = _locale_folder(module)
    places: list[Traversable] = [*map(Path, folders), *([beside] if beside is not None else [])]
    while code:
        for place in places:
            file = place.joinpath(code, "LC_MESSAGES", f"{domain}.mo")
            if file.is_file():
                yield file.read_bytes()
        code = code[: max(code.rfind("_"), code.rfind("@"), 0)]


def _locale_folder(module: str) -> Traversable | None:
    """Return the folder with the catalogues beside a module; ``None`` if it is not in a file."""
    from importlib.resources import files
    from pathlib import Path

    spec = getattr(sys.modules.get(module), "__spec__", None)
    if spec is None:
        return None
    if spec.parent:
        return files(spec.parent).joinpath("locale")
    return Path(spec.origin).parent / "locale" if spec.has_location else None


def _messages(data: bytes) -> Iterator[str]:
    """Yield the messages of a compiled catalogue, whose format is that of GNU gettext."""
    from struct import iter_unpack, unpack_from

    order = "<" if data.startswith(b"\xde\x12\x04\x95") else ">"
    count, start = unpack_from(f"{order}8x2I", data)
    for length, offset in iter_unpack(f"{order}2I", data[start : start + 8 * count]):
        yield data[offset : offset + length].decode()


def _pattern(message: str) -> re.Pattern[str] | None:
    """Return the pattern of the texts that are made from a message; ``None`` if it has no placeholder or no word."""
    names = _PLACEHOLDER.findall(message)
    if not names or len(set(names)) < len(names) or not any(map(str.isalpha, _PLACEHOLDER.sub("", message))):
        return None
    texts = map(re.escape, _PLACEHOLDER.split(message)[::2])
    groups = [f"(?P<{name}>.+?)" for name in names]
    return re.compile("".join(part for pair in zip(texts, [*groups, ""], strict=True) for part in pair))
