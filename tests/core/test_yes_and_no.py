"""What is true or false has words of its own in sentences, and stays true or false everywhere else."""

import pytest

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.page_rules.rule_program import Program
from dicedocs.render.text import fact_text
from dicedocs.rules.dice import ScriptedDice
from dicedocs.rules.example import Example
from dicedocs.rules.registry import announce_book

from ..every import every

RULE = PageRule(
    "road/strike",
    ("total = 1d20 + 1 if hurt, else 1d20", "clean hit = total >= 15", "late = total >= 18"),
    parameters=(("hurt", "no"),),
    words="clean hit = a hit / a miss; hurt = bleeding / unhurt",
)


class Strike(dd.Mechanic):
    """A class with words for what is true or false."""

    staggered: bool = dd.param(default=False, words=("staggered", "steady"))

    class Result(dd.Outcome):
        critical: bool = dd.fact(words=("a critical hit", "an ordinary hit"))
        late: bool

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        face = dice.roll(20)
        return self.Result(face == 20, face > 10)


@pytest.mark.parametrize(
    ("face", "staggered", "words"),
    [(20, True, ["a critical hit", "yes", "staggered"]), (3, False, ["an ordinary hit", "no", "steady"])],
)
def test_a_class_gives_its_facts_and_parameters_words(face: int, staggered: bool, words: list[str]) -> None:
    outcome = Strike(staggered=staggered).play(ScriptedDice([face]))
    assert [fact_text(outcome, name) for name in ("critical", "late", "staggered")] == words
    assert outcome.facts("critical") == f"critical={str(face == 20).lower()}"
    assert outcome.look_up("staggered") is staggered


@pytest.mark.parametrize(
    ("face", "hurt", "words"),
    [(19, True, ["a hit", "yes", "bleeding"]), (3, False, ["a miss", "no", "unhurt"])],
)
def test_a_rule_of_a_page_gives_them_words_by_an_option(face: int, hurt: bool, words: list[str]) -> None:
    (rule,) = book_mechanics([RULE]).values()
    outcome = rule(hurt=hurt).play(ScriptedDice([face]))
    assert [fact_text(outcome, name) for name in ("clean_hit", "late", "hurt")] == words
    assert outcome.facts("clean_hit") == f"clean_hit={str(face == 19).lower()}"
    assert PageRule.from_plain(RULE.to_plain()) == RULE


@every(
    ("words", "faults"),
    [
        ("", []),
        ("clen hit = a / b", ["no yes-or-no value is called 'clen hit'; did you mean 'clean hit'?"]),
        ("total = a / b", ["no yes-or-no value is called 'total'; known: 'clean hit', 'hurt', 'late'"]),
        ("late = a", ["'late' has no words for yes and no; write late = a hit / a miss"]),
        ("late = a / b / c", ["'late' has no words for yes and no; write late = a hit / a miss"]),
    ],
)
def test_words_for_what_is_not_yes_or_no_are_a_mistake(words: str, faults: list[str]) -> None:
    program = Program(PageRule(RULE.id, RULE.lines, parameters=RULE.parameters, words=words))
    assert [(option, f"{fault.message}; {fault.hint}") for option, fault in program.word_faults()] == [
        ("words", fault) for fault in faults
    ]


@every("expect", ["clean_hit=a hit, late=no", "clean_hit=yes, late=false", "clean_hit=true", "clean_hit=a miss"])
def test_an_example_may_expect_them(request: pytest.FixtureRequest, expect: str) -> None:
    announce_book(book_mechanics([RULE]))
    request.addfinalizer(lambda: announce_book({}))
    example = Example("road/strike", {"hurt": "yes"}, dice=[15], expect=expect)
    if expect != "clean_hit=a miss":
        assert example.verify().facts() == "total=16, clean_hit=true, late=false"
        return
    with pytest.raises(dd.ExpectationError, match="expected 'clean_hit=false', got 'clean_hit=true'"):
        example.verify()


def test_yes_and_no_are_in_the_language_of_the_book_and_facts_are_not() -> None:
    outcome = Strike().play(ScriptedDice([12]))
    with dd.language("de"):
        assert fact_text(outcome, "late") == "ja"
        assert outcome.facts("late") == "late=true"


@every("words", ["yes", ("one",), ("one", 2), ("", "no"), ("a", "b", "c")])
def test_other_words_are_refused_where_they_are_declared(words: object) -> None:
    with pytest.raises(TypeError, match="are not words for true and false: give two, first for true"):
        dd.fact(words=words)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="are not words for true and false"):
        dd.param(default=False, words=words)  # type: ignore[arg-type]
