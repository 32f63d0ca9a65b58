"""Hypothesis strategies for outcomes of any mechanic: parameters of all kinds, seeds and labels."""

from hypothesis import assume
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import DiceError
from dicedocs.panel.forms.seed_choice import read_seed
from dicedocs.render.words import clean
from dicedocs.rules.registry import mechanic

from ..systems.properties import of_kind

IDS = dd.mechanics()
NAMES = st.text(st.characters(exclude_characters="[]=,;:\n\r", codec="utf-8"), min_size=1, max_size=8)
# A page shows an unprintable character as another one; two names must not become the same there.
RESOURCES = st.dictionaries(NAMES, st.integers(-99, 99), max_size=3).filter(
    lambda values: len({" ".join(clean(name).split()) for name in values}) == len(values)
)
EXPRESSIONS = ["3d6", "1d20 + 5", "(2d6 + [Wit]) * 2 - [Target Guard]", "2d8 / 3", "7", "1d6 - 1d4"]
ACTOR = {"Wit": 4, "Attack  Bonus": 6}
BY_NAME = {
    ("methuen/expression", "expression"): st.sampled_from(EXPRESSIONS),
    ("methuen/check", "check"): st.sampled_from([f"{one} >= {two}" for one in EXPRESSIONS for two in EXPRESSIONS]),
    ("methuen/expression", "actor"): RESOURCES.map(lambda values: ACTOR | values),
    ("methuen/check", "actor"): RESOURCES.map(lambda values: ACTOR | values),
    ("methuen/expression", "target"): RESOURCES.map(lambda values: {"Guard": 3} | values),
    ("methuen/check", "target"): RESOURCES.map(lambda values: {"Guard": 3} | values),
    ("mecha-vs-kaiju/action", "pool"): st.sampled_from(["d20 d8 d10", "d20 2d6 advantage", "d12 staggered", "d20"]),
    ("total-effect/roll", "compare"): st.sampled_from(["at most 3", "under 4", ">= 2", None]),
    ("mage-in-the-metal/check", "penalties"): st.sampled_from(["10, 2", "difficulty 10, wounds 2", "none", 3]),
}
LABELS = st.text(max_size=20) | st.text("`*_<>[]{}|:\\~$^@! ab", max_size=20)
SEEDS = st.integers(-5, 10**6) | st.text(st.characters(codec="utf-8"), max_size=10)


@st.composite
def parameters(draw, id):
    """Parameters of a mechanic: its example, with some values replaced."""
    fields = mechanic(id).parameters()
    values = {name: field.example for name, field in fields.items()}
    for name in draw(st.lists(st.sampled_from(sorted(fields)), unique=True, max_size=4)) if fields else []:
        values[name] = draw(BY_NAME.get((id, name), of_kind(fields[name].kind)))
    return values


@st.composite
def of_any_mechanic(draw):
    """An outcome, its seed, and a label."""
    id = draw(st.sampled_from(IDS))
    try:
        seed = read_seed(draw(SEEDS)) or 0
        outcome = mechanic(id)(**draw(parameters(id))).play(dd.SeededDice(seed))
    except DiceError:
        assume(False)
    return outcome, seed, draw(LABELS)
