"""The magics of ``%load_ext dicedocs_widgets``: ``%roll``, ``%check``, ``%odds`` and ``%%play``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class

import dicedocs as dd
from dicedocs.cli.odds_report import events_of, probabilities_of, probability_text
from dicedocs.errors import quoted
from dicedocs.probability.enumeration import bind_parameters, run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.playing import rule_from_notation
from dicedocs.rules.registry import mechanic
from dicedocs.similar_words import near
from dicedocs.syntax.decisions import Undecided

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from dicedocs.rules.mechanic import Mechanic

_OPTION: Final = re.compile(r"(?:^|\s)--(?P<name>[a-z-]+)(?:[= ]+(?P<value>\"[^\"]*\"|'[^']*'|(?!--)\S+))?")
_PARAMETER: Final = re.compile(r"\s*(?P<name>[a-z_]\w*)\s*[:=]\s*(?P<value>.*?)\s*")
_ID: Final = re.compile(r"[a-z0-9-]+(/[a-z0-9-]*)?")


@magics_class
class DiceMagics(Magics):
    """The magics for dice."""

    @line_magic
    def roll(self, line: str) -> dd.Outcome:
        """Roll an Expression, and return its outcome.

        Options, anywhere in the line:
            --seed SEED      the seed of the dice: a whole number or text
            --dice "4 2 5"   the faces of dice that were thrown at a table
            --actor "Strength=4, Health=20"     the resources of the actor, for [Strength]
            --target "Defense=12"               the resources of the target, for [Target Defense]

        Examples:
            %roll 3d6+2 --seed 7
            r = %roll 1d6 + [Strength] --actor "Strength=4"
        """
        text, options = _parse(line, ("seed", "dice", "actor", "target"))
        with _usage_errors():
            return dd.roll(text, **options)

    @line_magic
    def check(self, line: str) -> dd.Outcome:
        """Make a Check, two Expressions and a comparison, and return its outcome.

        Options, anywhere in the line: --seed, --dice, --actor and --target, as for %roll.

        Examples:
            %check 1d20 + 6 >= 12 --seed 7
        """
        text, options = _parse(line, ("seed", "dice", "actor", "target"))
        with _usage_errors():
            return dd.check(text, **options)

    @line_magic
    def odds(self, line: str) -> dd.Distribution:
        """Return the exact odds of an Expression, of a Check, or of a fact of any mechanic.

        The id of a mechanic is followed by facts, and by parameters as name=value. Quote a text with blanks.

        Options, anywhere in the line:
            --at-least N, --at-most N    print the probability of N or more, or of N or less
            --best "p(success)"          what open choices are for
            --actor and --target         as for %roll

        Examples:
            %odds 3d6 --at-least 13
            %odds 1d20 + 6 >= 12
            %odds total-effect/roll total advantage=1
        """
        text, options = _parse(line, ("at-least", "at-most", "best", "actor", "target"))
        with _usage_errors():
            events = events_of(options.pop("at-least", None), options.pop("at-most", None))
            best = options.pop("best", "")
            id, *rest = text.split(maxsplit=1)
            if id in dd.mechanics():
                words = _split(" ".join(rest))
                parameters = dict(word.split("=", 1) for word in words if "=" in word)
                rule, facts = bind_parameters(id, options | parameters), [word for word in words if "=" not in word]
            else:
                rule, facts = rule_from_notation(text, options.get("actor"), options.get("target")), []
            odds = _verified(rule, *facts, best=best)
            for event, probability in probabilities_of(odds, events).items():
                print(f"{event}: {probability_text(odds, event, probability)}")  # noqa: T201  # as the command does
            return odds

    @line_cell_magic
    def play(self, line: str, cell: str = "") -> dd.Outcome:
        """Play a mechanic, with its parameters in the lines below, and return its outcome.

        Each line is `name: value` or `name = value`, as in a book's directive; blank lines and
        lines that start with # are ignored. The first line may have --seed or --dice.

        Examples:
            %play dungeoneers/fresh-pool
            %%play total-effect/roll --seed 7
            advantage: 1
            effect: low
        """
        id, options = _parse(line, ("seed", "dice"))
        parameters = {}
        for row in cell.splitlines():
            if not row.strip() or row.strip().startswith("#"):
                continue
            match = _PARAMETER.fullmatch(row)
            if match is None:
                raise UsageError(f"{quoted(row.strip())} is not a parameter; write name: value")
            parameters[match["name"]] = match["value"]
        with _usage_errors():
            known = mechanic(id).parameters()
            for name in parameters:
                if name not in known:
                    raise no_such_parameter(name, known, id)
            return dd.play(id, **options, **parameters)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Raise a ``DiceError`` as a ``UsageError``, which IPython shows without a traceback."""
    try:
        yield
    except dd.DiceError as error:
        raise UsageError(str(error)) from None


def _verified(rule: Mechanic, *facts: str, best: str) -> dd.Distribution:
    """Return odds as :func:`dicedocs.odds` does; those that a mechanic computes itself are compared with its dice."""
    try:
        return run_to_end(verified_odds(rule, *facts, best=best))
    except Undecided as error:
        error.offer_best('--best "{}"')
        raise


def _parse(line: str, known: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Return the text of a line without its options, and the options."""
    options = {}
    for match in _OPTION.finditer(line):
        name, value = match["name"], match["value"]
        if name not in known:
            raise UsageError(f"there is no option --{name}; {near(name, known)}")
        if value is None:
            raise UsageError(f"--{name} has no value")
        options[name] = value[1:-1] if value[:1] in {"'", '"'} else value
    text = _OPTION.sub("", line).strip()
    if not text:
        raise UsageError("there is nothing to play; see %roll?")
    return text, options


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{text}: {error}") from None


@context_matcher()  # type: ignore[no-untyped-call, untyped-decorator, unused-ignore]  # IPython has not typed it
def complete(context: CompletionContext) -> SimpleMatcherResult:
    """Complete the ids of mechanics, and the names of parameters, facts and options."""
    text = _typed(context)
    head, *lines = text.split("\n")
    token = re.split(r"\s", text)[-1]
    words = head.split()
    if not words or words[0] not in {"%roll", "%check", "%odds", "%play", "%%play"}:
        return {"completions": []}
    candidates: list[str] = []
    rule = _mechanic(words[1]) if len(words) > 1 else None
    if lines:
        names = [f"{name}: " for name in rule.parameters()] if rule and words[0] == "%%play" else []
        candidates = names if re.fullmatch(r"\s*\w*", lines[-1]) else []
    elif token.startswith("--"):
        own = ["--at-least", "--at-most", "--best"] if words[0] == "%odds" else ["--seed", "--dice"]
        candidates = own + ([] if "play" in words[0] else ["--actor", "--target"])
    elif words[0] in {"%odds", "%play", "%%play"} and (len(words) == 1 or (len(words) == 2 and token)):
        candidates = dd.mechanics()
    elif words[0] == "%odds" and rule:
        candidates = [*rule.result().facts_of, *(f"{name}=" for name in rule.parameters())]
    # IPython replaces only its own token, which starts after the last hyphen or slash.
    start = len(token) - len(context.token) if token.endswith(context.token) else 0
    completions = [SimpleCompletion(one[start:], type="param") for one in candidates if one.startswith(token)]
    return {"completions": completions, "suppress": bool(completions)}


def _typed(context: CompletionContext) -> str:
    """Return the text before the cursor."""
    lines = context.full_text.split("\n")[: context.cursor_line + 1]
    return "\n".join([*lines[:-1], lines[-1][: context.cursor_position]])


def _mechanic(id: str) -> type[Mechanic] | None:
    try:
        return mechanic(id) if _ID.fullmatch(id) else None
    except dd.DiceError:
        return None


def load(shell: InteractiveShell) -> None:
    """Register the magics and their completion in a shell."""
    shell.register_magics(DiceMagics)
    matchers = shell.Completer.custom_matchers
    matchers[:] = [one for one in matchers if getattr(one, "__name__", "") != complete.__name__]
    matchers.append(complete)
