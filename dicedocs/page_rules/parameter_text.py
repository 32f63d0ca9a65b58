"""The parameters of a rule in a page, as their author writes them: ``0 (0 to 3), how dangerous the road is``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Annotated, Any, Final, NamedTuple

from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.page_rules.layout import TableError
from dicedocs.rules.annotations import kind_of
from dicedocs.rules.kinds import ChoiceKind, IntKind, Kind
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Sizes, param
from dicedocs.rules.reserved import RESERVED
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.names import parameter_name
from dicedocs.syntax.ranges import OPEN, Range, read_range
from dicedocs.syntax.relations import NUMBER_WORDS, RANGE

_PARAMETER: Final = re.compile(r"(?P<default>[^,(]*)(?:\((?P<bounds>[^()]*)\)\s*)?(?:,(?P<help>.*))?")
_NUMBER: Final = re.compile(r"[+\u2212-]?[0-9]+")
_DICE: Final = re.compile(r"(?:[0-9]*[dD][0-9]+\s*)+")
_LIST: Final = re.compile(rf"(?:{_NUMBER.pattern}|yes|no|{_DICE.pattern})\s*(?:[,(]|\Z)", re.IGNORECASE)
"""What begins behind a comma if a default is meant as a list."""
_HINT: Final = "write a number with its bounds, as in 0 (0 to 3), or words, as in none / with / without"

_BEHIND_BOUNDS: Final = re.compile(r"\s*(?:[,;:]\s*|(?=for\b)|\Z)")
"""What stands between bounds and what the parameter means."""
_SAID: Final = (
    (r"\[([^\[\]]*)\]", r"(\1)"),
    (r"\(\s*max(?:imum)?\b(?:\s+of)?\s*", "(up to "),
    (r"\(\s*min(?:imum)?\b(?:\s+of)?\s*", "(at least "),
    (r"\(\s*([0-9]+)\s+(?:at\s+)?(?:max(?:imum)?|most)\b", r"(up to \1"),
    (r"\bup\s+to\s+(?=[0-9]+\s*\))(?<=[0-9]\sup\sto\s)", "to "),
    (r"\A([0-9]+)\s+(?:of|out\s+of|/)\s+([0-9]+)", r"\1 (up to \2)"),
    (r"(\([^()]*\))\s*(?:[:;]\s*|[-\u2013]\s+)?(?=\w)", r"\1, "),
    (r"\s+or\s+(?![^(]*\))", " / "),
    *((rf"\A{word}\b", str(number)) for number, word in enumerate(NUMBER_WORDS)),
)
"""What people write in place of what declares a parameter."""


class Declared(NamedTuple):
    """A parameter as a mechanic declares it: the type of its values, and its ``param(...)``."""

    type: Any
    field: Any

    @property
    def words(self) -> Kind | None:
        """The kind of its values if these are no numbers."""
        return None if self.type is int else kind_of(self.type)

    def with_words(self, words: tuple[str, str] | tuple[()]) -> Any:
        """Return its ``param(...)`` with the words that sentences have for yes and for no."""
        field = copy(self.field)
        field.words = words
        return field

    @property
    def values(self) -> tuple[str, ...]:
        """The texts of its values if these are words."""
        return tuple(self.words.words) if self.words else ()

    @property
    def bounds(self) -> Range:
        """How low and how high it can be if it is a number."""
        return Range(self.field.low, self.field.high) if self.type is int else OPEN

    @property
    def reach(self) -> Sequence[int] | Range:
        """All numbers that it can be; if these have no end, its bounds."""
        low, high = self.bounds
        return Range(low, high) if low is None or high is None else range(low, high + 1)


def parameter_of(written: str) -> str:
    """Return the name of the parameter that is written in a page.

    >>> parameter_of("Danger level")
    'danger_level'
    """
    return parameter_name(written).lower()


def declared_parameters(written: Iterable[tuple[str, str]]) -> dict[str, Declared]:
    """Return the parameters that an author declares, by name.

    Raises:
        TableError: one of them cannot be read, or has a reserved name.
    """
    found: dict[str, Declared] = {}
    for name, text in written:
        try:
            if is_reserved(parameter_of(name), Mechanic):
                raise DiceError(f"{quoted(name)} is a reserved name", hint="choose another")
            if parameter_of(name) in found:
                raise DiceError(f"an option {quoted(name)} stands above: capitals don't matter", hint="rename one")
            found[parameter_of(name)] = read_parameter(text)
        except DiceError as error:
            raise TableError(error.message, hint=error.hint, parameter=name) from error
    return found


def is_reserved(name: str, of: type) -> bool:
    """Return whether neither a parameter of a mechanic nor a fact of an outcome can have a name."""
    return name in RESERVED or hasattr(of, name)


def label_of(written: str) -> str:
    """Return what is written as a label for readers.

    >>> label_of("target number"), label_of("AC")
    ('Target number', 'AC')
    """
    return written[:1].upper() + written[1:]


def read_items(text: str) -> tuple[str, ...]:
    """Return what a text lists, with commas between, or with semicolons if there is any.

    >>> read_items("strong hit, weak hit"), read_items("Damage, average; Cost"), read_items("Damage, average;")
    (('strong hit', 'weak hit'), ('Damage, average', 'Cost'), ('Damage, average',))
    """
    items = (" ".join(item.split()) for item in text.split(";" if ";" in text else ","))
    return tuple(item for item in items if item)


def read_parameter(text: str) -> Declared:
    """Return the parameter that a text declares.

    Parameters:
        text: a default; behind it perhaps bounds in parentheses, and, after a comma, what the parameter means.

    Raises:
        NotationError: it declares none.
        ParameterError: its default is out of bounds.

    >>> kind, danger = read_parameter("0 (0 to 3), how dangerous the road is")
    >>> kind, danger.default, danger.low, danger.high, danger.help
    (<class 'int'>, 0, 0, 3, 'how dangerous the road is')
    >>> read_parameter("none / with / without").field.default, read_parameter("no").field.default
    ('none', False)
    """
    try:
        return _declared(text)
    except NotationError as error:
        meant = _spelled(text.strip())
        if meant != text.strip() and _declares(meant):
            error.hint = f"write {meant}"
        raise


def _spelled(text: str) -> str:
    """Return a text in which what people write in place of what declares a parameter is spelled as that."""
    for pattern, spelling in _SAID:
        text = re.sub(pattern, spelling, text, flags=re.IGNORECASE)
    return text


def _declares(text: str) -> bool:
    try:
        return bool(_declared(text))
    except DiceError:
        return False


def _check_help(text: str, default: str, help: str) -> None:
    """Refuse an explanation that begins with bounds, as in ``2, 0 to 5, for your gear``."""
    said = _spelled(f"({help}")[1:]
    found = RANGE.match(said)
    behind = _BEHIND_BOUNDS.match(said, found.end()) if found and not found["one"] else None
    if found and behind:
        rest = said[behind.end() :]
        hint = f"write {default} ({found[0]}){f', {rest}' if rest else ''}"
        raise NotationError("the bounds stand behind a comma", text=text, at=text.index(","), hint=hint)


def _declared(text: str) -> Declared:
    """Return the parameter that a text declares, which is written as the language has it."""
    match = _PARAMETER.fullmatch(text.strip())
    default = match["default"].strip() if match else ""
    help = (match["help"] or "").strip() if match else ""
    bounds = match["bounds"] if match else None
    if default and _LIST.match(help):
        at = text.index(",")
        hint = f"write one default, and its bounds in parentheses, as in {default} (1 to 6)"
        if _DICE.fullmatch(default):
            hint = f"write dice without commas, as in {default} {help.split(',')[0]}"
        elif default in ("yes", "no"):
            hint = f"write {default}, or words with slashes, as in calm / tense"
        raise NotationError(f"{quoted(text)} is a list", text=text, at=at, hint=hint)
    if bounds is None:
        _check_help(text, default, help)
    if match is not None and bounds is None:
        words = [word.strip() for word in default.split("/")]
        truths = [TYPED_TRUTHS.get(word.casefold()) for word in words]
        if truths in ([True, False], [False, True]):
            return Declared(bool, param(default=truths[0], help=help))
        if len(words) > 1 and all(words):
            return Declared(Annotated[str, ChoiceKind(words)], param(default=words[0], help=help))
        if default in ("yes", "no"):
            return Declared(bool, param(default=default == "yes", help=help))
        if _DICE.fullmatch(default):
            return Declared(Sizes, param(default=default, help=help))
    if not _NUMBER.fullmatch(default):
        hint = _HINT
        if default.casefold() in {*TYPED_TRUTHS, "on", "off"}:
            hint = "write yes or no, in small letters"
        elif default.endswith("%") and _NUMBER.fullmatch(default[:-1].rstrip()):
            hint = f"write {default[:-1].rstrip()}"
        raise NotationError(f"{quoted(text)} does not declare a parameter", text=text, at=0, hint=hint)
    found = RANGE.fullmatch(bounds.strip()) if bounds is not None else None
    if bounds is not None and (found is None or found["one"]):
        at = text.index("(") + 1
        hint = "write them as in (0 to 3) or (0+)"
        raise NotationError(f"{quoted(bounds)} is not a pair of bounds", text=text, at=at, hint=hint)
    low, high = read_range(found) if found else (None, None)
    if low is not None and high is not None and low > high:
        message = f"{quoted(bounds)} runs backwards"
        raise NotationError(message, text=text, at=text.index("(") + 1, hint=f"write {high} to {low}")
    number = IntKind(low, high).read(default)
    return Declared(int, param(default=number, low=low, high=high, help=help))
