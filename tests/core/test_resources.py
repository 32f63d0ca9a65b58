"""Resources: a mapping of names to whole numbers, and its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicedocs import Resources

names = st.text(st.characters(exclude_characters="[]=,"), min_size=1, max_size=8).filter(str.strip)
resources = st.dictionaries(names, st.integers(-(10**12) + 1, 10**12 - 1), max_size=4).filter(
    lambda values: len({" ".join(name.split()) for name in values}) == len(values)
)


def test_resources_are_a_mapping_that_does_not_change():
    kira = Resources.from_text("Strength=4, Health  Maximum=20")
    assert dict(kira) == {"Strength": 4, "Health Maximum": 20}
    assert kira == Resources({"Health Maximum": 20, "Strength": 4}) == {"Strength": 4, "Health Maximum": 20}
    assert hash(kira) == hash(Resources({"Health Maximum": 20, "Strength": 4}))
    assert list(kira) == ["Strength", "Health Maximum"]
    assert "Mana" not in kira
    assert kira.get("Mana") is None
    assert repr(kira) == "Resources({'Strength': 4, 'Health Maximum': 20})"
    with pytest.raises(KeyError):
        kira["Mana"]
    assert not hasattr(kira, "__setitem__")
    assert not hasattr(kira, "__delitem__")


def test_names_match_exactly():
    kira = Resources({"strength": 1, "Strength": 2, "Strengthß": 3})
    assert (kira["strength"], kira["Strength"], kira["Strengthß"]) == (1, 2, 3)


def test_resources_copy_the_given_mapping():
    held = {"Strength": 4}
    kira = Resources(held)
    held["Strength"] = 5
    assert kira["Strength"] == 4


@given(resources)
def test_the_text_of_resources_reads_as_the_same_resources(held):
    assert Resources.from_text(str(Resources(held))) == Resources(held)
