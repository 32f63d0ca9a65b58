"""What a designer wrote from memory: it is read as meant, or refused with what to write.

Each line of ``wordings.txt`` has the options and lines of a rule, and behind an arrow the figure that was meant for
its last value (or for the one that is named), or a part of the refusal. The figures are the designer's.
"""

import re
from pathlib import Path

import pytest

from dicedocs.errors import DiceError
from dicedocs.page_rules.outcome_conditions import OutcomeValues, read_case
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.scenes.condition import unmet_conditions
from dicedocs.syntax.formula import evaluate
from tests.core.language_places import odds_of, rule_of
from tests.every import every

WORDINGS = [
    tuple(line.split(" → ")) for line in (Path(__file__).parent / "wordings.txt").read_text("utf-8").splitlines()
]
_FIGURE = re.compile(r"(?:(?P<fact>\w+)=(?P<word>.+) )?(?P<figure>-?[0-9.]+)")


@every(("wording", "outcome"), WORDINGS)
def test_a_wording_is_read_as_meant_or_refused_with_what_to_write(wording, outcome):
    meant = _FIGURE.fullmatch(outcome)
    if meant:
        assert round(_figure(wording, meant["fact"], meant["word"]), 4) == float(meant["figure"])
    else:
        with pytest.raises(DiceError) as caught:
            _figure(wording)
        assert outcome in str(caught.value)


def _figure(wording, fact=None, word=None):
    """Return the chance of a word of a fact or of yes, or the mean of a number."""
    written = wording.split(" ⏎ ")
    options = [tuple(re.fullmatch(r":(.+?): (.*)", each).groups()) for each in written if each.startswith(":")]
    lines = tuple(each for each in written if not each.startswith(":"))
    (rule,) = book_mechanics([PageRule("t/rule", lines, "", tuple(options))]).values()
    odds = odds_of(rule, fact or [*rule.fact_kinds()][-1])
    if word is None and not any(isinstance(value, bool) for value in odds):
        return float(odds.mean)
    return float(odds.p(True if word is None else word))


@pytest.mark.parametrize(
    "read",
    [
        evaluate,
        lambda text, facts: read_case(text, OutcomeValues(None, facts)),
        lambda text, facts: [*unmet_conditions(text, facts)],
        lambda text, _: rule_of("heat = 1d6", f"hot = {text}"),
    ],
    ids=["then", "case", "if", "line"],
)
def test_every_place_says_what_to_write(read):
    for text, spelling in (
        ("twice heat > 4", "write '2 * heat > 4'"),
        ("heat x 2 > 4", "write 'heat * 2 > 4'"),
        ("heat > 4 && heat < 6", "write 'heat > 4 and heat < 6'"),
    ):
        with pytest.raises(DiceError) as caught:
            read(text, {"heat": 3})
        assert spelling in str(caught.value)
