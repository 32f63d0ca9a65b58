"""The magics of ``%load_ext dicedocs_widgets``: ``%roll``, ``%check``, ``%odds`` and ``%%play``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class

import dicedocs as dd
from dicedocs.errors import near, quoted
from dicedocs.rules.registry import mechanic

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from dicedocs.rules.mechanic import Mechanic

T = TypeVar("T")

_OPTION: Final = re.compile(r"(?:^|\s)--(?P<name>[a-z]+)(?:[= ]+(?P<value>\"[^\"]*\"|'[^']*'|(?!--)\S+))?")
_SETTING: Final = re.compile(r"\s*(?P<name>[a-z_]\w*)\s*[:=]\s*(?P<value>.*?)\s*")
_ID: Final = re.compile(r"[a-z0-9-]+(/[a-z0-9-]*)?")


@magics_class
class DiceMagics(Magics):
    """Dice in a line of a notebook."""

    @line_magic
    def roll(self, line: str) -> dd.Outcome:
        """Roll an Expression, and give its outcome.

        Options, anywhere in the line:
            --seed SEED      what decides the dice: a whole number or text
            --dice "4 2 5"   the faces, thrown at a table
            --actor "Strength=4, Health=20"     what [Strength] stands for
            --target "Defense=12"               what [Target Defense] stands for

        Examples:
            %roll 3d6+2 --seed 7
            r = %roll 1d6 + [Strength] --actor "Strength=4"
        """
        text, options = self._read(line, ("seed", "dice", "actor", "target"))
        return self._said(lambda: dd.roll(text, **options))

    @line_magic
    def check(self, line: str) -> dd.Outcome:
        """Make a Check: two Expressions and a comparison. Gives its outcome.

        Options, anywhere in the line: --seed, --dice, --actor and --target, as for %roll.

        Examples:
            %check 1d20 + 6 >= 12 --seed 7
        """
        text, options = self._read(line, ("seed", "dice", "actor", "target"))
        return self._said(lambda: dd.check(text, **options))

    @line_magic
    def odds(self, line: str) -> dd.Distribution:
        """Give the exact odds: of an Expression, of a Check, or of a fact of any mechanic.

        A mechanic is followed by facts, and by parameters as name=value. Texts with blanks stand in quotes.

        Options for an Expression or a Check: --actor and --target, as for %roll.

        Examples:
            %odds 3d6
            %odds 1d20 + 6 >= 12
            %odds total-effect/roll total advantage=1
        """
        words = line.split(maxsplit=1)
        if words and words[0] in dd.mechanics():
            return self._said(lambda: self._odds_of(words[0], words[1] if len(words) > 1 else ""))
        text, options = self._read(line, ("actor", "target"))

        def counted() -> dd.Distribution:
            from dicedocs.rules.playing import rule_from_notation

            rule = rule_from_notation(text, options.get("actor"), options.get("target"))
            return dd.odds(rule)

        return self._said(counted)

    @line_cell_magic
    def play(self, line: str, cell: str = "") -> dd.Outcome:
        """Play a mechanic, with its parameters in the lines below, and give its outcome.

        Each line is `name: value` or `name = value`, as in a book's directive; blank lines and
        those that begin with # are left out. The first line may have --seed or --dice.

        Examples:
            %play dungeoneers/fresh-pool
            %%play total-effect/roll --seed 7
            advantage: 1
            effect: low
        """
        id, options = self._read(line, ("seed", "dice"))
        parameters = {}
        for row in cell.splitlines():
            if not row.strip() or row.strip().startswith("#"):
                continue
            found = _SETTING.fullmatch(row)
            if found is None:
                raise UsageError(f"{quoted(row.strip())} is no parameter; write name: value")
            parameters[found["name"]] = found["value"]
        return self._said(lambda: self._played(id, parameters, options))

    def _played(self, id: str, parameters: dict[str, str], options: dict[str, str]) -> dd.Outcome:
        known = mechanic(id).parameters()
        for name in parameters:
            if name not in known:
                raise dd.ParameterError(f"there is no parameter {quoted(name)} of {id}", hint=near(name, known))
        return dd.play(id, **options, **parameters)

    def _odds_of(self, id: str, rest: str) -> dd.Distribution:
        import shlex

        try:
            words = shlex.split(rest)
        except ValueError as error:
            raise UsageError(f"{rest}: {error}") from None
        parameters = dict(word.split("=", 1) for word in words if "=" in word)
        return dd.odds(id, *(word for word in words if "=" not in word), **parameters)

    def _read(self, line: str, known: tuple[str, ...]) -> tuple[str, dict[str, str]]:
        """Read a line: the text, and the options, which may stand anywhere."""
        options = {}
        for found in _OPTION.finditer(line):
            name, value = found["name"], found["value"]
            if name not in known:
                raise UsageError(f"there is no option --{name}; {near(name, known)}")
            if value is None:
                raise UsageError(f"--{name} has no value")
            options[name] = value[1:-1] if value[:1] in {"'", '"'} else value
        text = _OPTION.sub("", line).strip()
        if not text:
            raise UsageError("nothing to play is written; %roll? tells how")
        return text, options

    def _said(self, deed: Callable[[], T]) -> T:
        """Do it; what a person wrote wrong is told without a traceback."""
        try:
            return deed()
        except dd.DiceError as error:
            raise UsageError(str(error)) from None


@context_matcher()  # type: ignore[no-untyped-call, untyped-decorator, unused-ignore]  # IPython has not typed it
def complete(context: CompletionContext) -> SimpleMatcherResult:
    """Complete the ids of mechanics, and the names of parameters, facts and options."""
    text = context.full_text[: _offset(context)]
    head, *lines = text.split("\n")
    token = re.split(r"[\s]", text)[-1]
    words = head.split()
    if not words or words[0] not in {"%roll", "%check", "%odds", "%play", "%%play"}:
        return {"completions": []}
    offered: list[str] = []
    rule = _mechanic(words[1]) if len(words) > 1 else None
    if lines:
        offered = [f"{name}: " for name in rule.parameters()] if rule and words[0] == "%%play" else []
        offered = offered if re.fullmatch(r"\s*\w*", lines[-1]) else []
    elif token.startswith("--"):
        seeds = [] if words[0] == "%odds" else ["--seed", "--dice"]
        offered = seeds + ([] if "play" in words[0] else ["--actor", "--target"])
    elif words[0] in {"%odds", "%play", "%%play"} and (len(words) == 1 or (len(words) == 2 and token)):
        offered = dd.mechanics()
    elif words[0] == "%odds" and rule:
        offered = [*rule.result().facts_of, *(f"{name}=" for name in rule.parameters())]
    # IPython replaces what it takes for a word, which ends at a hyphen and at a slash.
    tail = len(token) - len(context.token) if token.endswith(context.token) else 0
    found = [SimpleCompletion(one[tail:], type="param") for one in offered if one.startswith(token)]
    return {"completions": found, "suppress": bool(found)}


def _offset(context: CompletionContext) -> int:
    before = context.full_text.split("\n")[: context.cursor_line]
    return sum(len(line) + 1 for line in before) + context.cursor_position


def _mechanic(id: str) -> type[Mechanic] | None:
    try:
        return mechanic(id) if _ID.fullmatch(id) else None
    except dd.DiceError:
        return None


def load(shell: InteractiveShell) -> None:
    """Add the magics to a shell, and complete what is typed in them."""
    shell.register_magics(DiceMagics)
    matchers = shell.Completer.custom_matchers
    matchers[:] = [one for one in matchers if getattr(one, "__name__", "") != complete.__name__]
    matchers.append(complete)
