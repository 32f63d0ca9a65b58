"""Scenes: characters and tracks, and what changes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import ExpectationError, ParameterError
from dicedocs.scenes.change import parse_changes
from dicedocs.syntax.formula import evaluate

from ..every import every

ARLYN = dd.Character("Arlyn the Bold", "Prowl=2, Stress=7 of 9, Heat=0, Position=controlled")


def new_scene():
    return dd.Scene(ARLYN, vault=dd.Track(8, 1), heat=dd.Track())


@pytest.fixture
def scene():
    return new_scene()


def test_what_is_played_changes_tracks_and_characters_in_order(scene):
    then = (
        "vault += total; arlyn-the-bold.Stress += 4; heat = vault - arlyn-the-bold.Stress; arlyn-the-bold.Heat = heat"
    )
    outcome = scene.play("dice/roll", notation="2d6", dice=[2, 3], then=then, expect="total=5, vault=6")
    assert outcome.total == 5
    # 1 + 5; 7 + 4 stops at 9; 6 - 9.
    assert scene.state() == {
        "arlyn-the-bold.Prowl": "2",
        "arlyn-the-bold.Stress": "9 of 9",
        "arlyn-the-bold.Heat": "-3",
        "arlyn-the-bold.Position": "controlled",
        "vault": "6 of 8",
        "heat": "-3",
    }
    assert (scene["arlyn-the-bold"].Stress, scene["vault"].value, scene["heat"].full) == (9, 6, False)
    assert scene.facts()["arlyn-the-bold.Stress.full"] is True
    assert str(scene.log[0]).endswith(
        "vault 1 of 8 → 6 of 8; arlyn-the-bold.Stress 7 of 9 → 9 of 9; heat 0 → -3; arlyn-the-bold.Heat 0 → -3"
    )
    # The character that it began with is as it was.
    assert ARLYN.Stress == 7


def test_a_truth_counts_one_and_a_single_name_may_hand_over_a_text(scene):
    scene.play("dice/check", check="1d20 >= 10", dice=[12], then="vault += success; heat -= 2 * success")
    assert (scene["vault"].value, scene["heat"].value) == (2, -2)
    desperate = dd.Character("Moth", "Position=desperate")
    scene = dd.Scene(ARLYN, desperate)
    scene.change("arlyn-the-bold.Position = moth.Position")
    assert scene["arlyn-the-bold"].Position == "desperate"


def test_a_value_without_bounds_takes_any_text():
    tove = dd.Character("Tove", "Spent=none, Stress=0 of 9")
    scene = dd.Scene(tove, noise=dd.Track())
    pool = {"pool": "4 2 6", "difficulty": 5}
    for spend, spent in (("3", "3"), ("1", "1 3")):
        then = "tove.Spent = exhausted"
        scene.play("dungeoneers/action-roll", **pool, exhausted=tove.Spent, spend=spend, then=then)
        tove = scene["tove"]
        assert str(tove.Spent) == spent
    scene.change('tove.Spent = " not a  die "')
    assert scene["tove"].Spent == "not a die"
    scene.play("dice/check", check="1d20 >= 10", dice=[12], then="tove.Spent = success; noise = success")
    assert (scene["tove"].Spent, scene["noise"].value) == ("true", 1)
    scene.change("noise += 2 * tove.Spent + tove.Spent", when="tove.Spent; tove.Spent = true")
    assert scene["noise"].value == 4
    for target in ("noise", "tove.Stress"):
        with pytest.raises(ParameterError, match="\"none\" is 'none', which is not a whole number"):
            scene.change(f'{target} = "none"')


def test_a_roll_takes_the_state_as_it_is(scene):
    scene.change("arlyn-the-bold.Prowl += 3")
    assert scene.play("dice/roll", notation="[Prowl]", actor=scene["arlyn-the-bold"]).value == 5


@every(
    ("changes", "message"),
    [
        ("vault", "'vault' is not a change; write vault += 1"),
        ("vault ++ 1", "is not a change"),
        ("valt += 1", "nothing in the scene is called 'valt'; did you mean 'vault'?"),
        ("arlyn-the-bold.Stres += 1", "did you mean 'arlyn-the-bold.Stress', "),
        ("vault += totl", "no fact and nothing in the scene is called 'totl'; did you mean 'total'?"),
        ("vault += arlyn-the-bold.Position", "arlyn-the-bold.Position is 'controlled', which is not a whole number"),
        (
            "vault += 1 + arlyn-the-bold.Position",
            "arlyn-the-bold.Position is 'controlled', which is not a whole number",
        ),
        ("arlyn-the-bold.Position += 1", "arlyn-the-bold.Position is 'controlled', which is not a whole number"),
        ("vault += 1d6", "'1d6' is not a notation without dice"),
        ("vault += 2 +", "'2 +' is not a notation without dice"),
        ("vault += 2 [heat]", "'2 [heat]' is not a notation without dice"),
        ("vault.full = 1", "nothing in the scene is called 'vault.full'"),
        ("vault += 1; heat += nothing", "no fact and nothing in the scene is called 'nothing'"),
    ],
)
def test_a_wrong_change_is_refused_and_changes_nothing(scene, changes, message):
    before = scene.state()
    with pytest.raises(ParameterError) as raised:
        scene.play("dice/roll", notation="3", then=changes)
    assert message in str(raised.value)
    assert raised.value.parameter == "then"
    assert scene.state() == before
    assert scene.log == ()


def test_words_of_the_state_are_expected_in_any_case_and_in_quotes(scene):
    for position in ("Controlled", '"controlled"', '"CONTROLLED"'):
        scene.change("vault += 0", expect=f"arlyn-the-bold.Position={position}, vault.full=No")
    with pytest.raises(ExpectationError, match=r"expected 'arlyn-the-bold.Position=Control', got "):
        scene.change("vault += 0", expect="arlyn-the-bold.Position=Control")


@every(
    ("expect", "error", "message"),
    [
        ("total=3, vault=5", ExpectationError, "expected 'total=3, vault=5', got 'total=3, vault=4'"),
        ("valt=4", ParameterError, "there is no fact or track 'valt'; did you mean 'vault'?"),
        ("vault.full=true", ExpectationError, "got 'vault.full=false'"),
    ],
)
def test_a_wrong_expectation_changes_nothing(scene, expect, error, message):
    with pytest.raises(error) as raised:
        scene.play("dice/roll", notation="3", then="vault += total", expect=expect)
    assert message in str(raised.value)
    assert scene["vault"].value == 1


CONDITIONS = [
    ("heat at most 0; vault < 2", True),
    ("vault = 1", True),
    ("vault != 2 - 1", False),
    ("arlyn-the-bold.Stress \N{GREATER-THAN OR EQUAL TO} 8 - vault", True),
    ("arlyn-the-bold.Stress over 2 * vault + 5", False),
    ("vault.full", False),
    ("vault.full = false", True),
    ("vault.full not false", False),
    ("arlyn-the-bold.Position = controlled", True),
    ('arlyn-the-bold.Position not "controlled; or so"', True),
    ('"partly = done" = "partly = done"', True),
    ("vault >= 3; vault = 1", False),
    ("vault between 0 and 1", True),
    ("arlyn-the-bold.Stress between 8 - vault and 2 * vault + 6", True),
    ("arlyn-the-bold.Stress between vault and vault + 1", False),
    ("true", True),
    ("", True),
]


def test_conditions_hold_as_events_of_odds_do(scene):
    for conditions, holds in CONDITIONS:
        assert scene.holds(conditions) is holds, conditions


@every(
    ("when", "error", "message"),
    [
        (
            "vault = 1; heat >= vault",
            ExpectationError,
            "this happens only if heat >= vault; heat is 0, and vault is 1",
        ),
        ("vault.full", ExpectationError, "this happens only if vault.full; vault.full is false"),
        ("vaul >= 3", ParameterError, "nothing is called 'vaul'; did you mean 'vault'?"),
        ("vault", ParameterError, "vault is 1, which is neither true nor false; compare it, as in vault at least 9"),
        ("vault >= ", ParameterError, "expected a value, found the end"),
        ("vault between 1", ParameterError, "expected 'and', found the end; write it as in between 3 and 5"),
        ("vault between 1 and 2 and 3", ParameterError, "nothing is several values at once: 'and 3'; write or 3"),
        ("vault between 5 and 3", ParameterError, "5-3 runs backwards; write 3-5, or (5 - 3)"),
        ("vault between heat and 0", ExpectationError, "if vault between heat and 0; vault is 1, and heat is 0"),
        ("vault >= many", ParameterError, "nothing is called 'many'; known: "),
        ("vault.full = 1", ExpectationError, "this happens only if vault.full = 1; vault.full is false"),
        (
            "arlyn-the-bold.Position > 3",
            ParameterError,
            "words have no order, so '>' cannot compare them; write = or !=",
        ),
        ("vault >= 1d6", ParameterError, "a condition cannot throw dice"),
        ("total >= 3", ParameterError, "nothing is called 'total'; known: "),
        (3, ParameterError, "'3' is not a condition; write arlyn.Stress at least 9"),
    ],
)
def test_what_happens_only_under_a_condition_changes_nothing_without_it(when, error, message):
    scene = new_scene()
    before = scene.state()
    with pytest.raises(error) as raised:
        scene.play("dice/roll", notation="1d6", dice=[3], when=when, then="vault += total")
    assert message in str(raised.value)
    assert raised.value.parameter == "when"
    assert (scene.state(), scene.log) == (before, ())
    scene.play("dice/roll", notation="3", when="vault < 2", then="vault += total", expect="vault=4")


def test_capitals_do_not_matter_in_what_changes():
    scene = dd.Scene(dd.Character("Orc", "Hit Points=9 of 12, Mood=calm"), Heat="1")
    scene.change('heat += Orc.hit_points - ORC.HIT POINTS + 2; orc.HIT points -= HEAT; orc.mood = "grim"')
    assert dict(scene.state()) == {"orc.Hit Points": "6 of 12", "orc.Mood": "grim", "Heat": "3"}


def test_what_is_both_a_fact_and_a_track_is_refused():
    scene = dd.Scene(total=dd.Track(8))
    with pytest.raises(ParameterError, match="'total' is a fact and also a track"):
        scene.play("dice/roll", notation="3")


@every(
    ("make", "message"),
    [
        (lambda: dd.Scene("arlyn"), "'arlyn' is not a character"),
        (lambda: dd.Scene(vault=8), 'vault: \'8\' is not a track; write vault="0 of 8", or vault="3" for a number'),
        (lambda: dd.Scene(vault="many"), "vault: 'many' is not a track; write 0 of 8, 2 of -6..10, or 3"),
        (lambda: dd.Scene(vault="9 of 8"), "vault: "),
        (lambda: dd.Scene(ARLYN, ARLYN), "two in the scene are called 'arlyn-the-bold'"),
        (lambda: dd.Scene(HP="3", Hp="4"), "'HP' and 'Hp' are the same name: capitals don't matter"),
        (lambda: dd.Scene(dd.Character("Vault"), vault=dd.Track()), "two in the scene are called 'vault'"),
        (lambda: dd.Scene()["vault"], "nothing in the scene is called 'vault'"),
        (lambda: dd.Track(0), "'0' is not a whole number, at least 1"),
        (lambda: dd.Track(8, 9), "'9' is not a whole number from 0 to 8"),
        (lambda: dd.Track.from_text("9 of 8"), "'9' is not a whole number from 0 to 8"),
        (lambda: dd.Track.from_text("many"), "'many' is not a track"),
    ],
)
def test_what_is_no_scene_is_refused(make, message):
    with pytest.raises(ParameterError) as raised:
        make()
    assert message in str(raised.value)


@every("text", ["0 of 8", "3 of 4", "12", "-3"])
def test_the_text_of_a_track_reads_as_the_same_track(text):
    assert str(dd.Track.from_text(text)) == text


def test_a_scene_takes_its_tracks_as_a_book_writes_them():
    scene = dd.Scene(alarm="0 of 6", glow="2 of −6..10", heat=" 3 ", debt="−3")
    assert [scene[name] for name in ("alarm", "glow", "heat", "debt")] == [
        dd.Track(6),
        dd.Track(10, 2, -6),
        dd.Track(value=3),
        dd.Track(value=-3),
    ]
    scene.change("alarm += 9; glow -= 9; heat -= 9")
    assert scene.state() == {"alarm": "6 of 6", "glow": "-6 of -6..10", "heat": "-6", "debt": "-3"}


@given(st.lists(st.tuples(st.sampled_from(["+=", "-=", "="]), st.integers(-20, 20))))
def test_a_track_with_bounds_never_leaves_them(changes):
    scene, value = dd.Scene(clock=dd.Track(6)), 0
    for sign, number in changes:
        scene.change(f"clock {sign} {number}")
        value = {"+=": value + number, "-=": value - number, "=": number}[sign]
        value = 0 if value < 0 else min(value, 6)
        assert scene["clock"].value == value


def test_longer_names_come_first_and_others_are_left_alone():
    values = {"heat": 3, "heat-sink": 5, "arlyn.Off Hand": 2, "arlyn.Off": 7}
    assert evaluate("heat-sink - heat", values) == 2
    assert evaluate("2 * arlyn.Off Hand + arlyn.Off", values) == 11
    assert evaluate("max(heat, 4)-heat", values) == 1


def test_empty_parts_are_no_changes():
    assert parse_changes(" ; vault = 1;; ") == parse_changes("vault=1")


def test_a_change_that_needs_a_fact_without_a_value_is_not_made():
    scene = dd.Scene(dd.Character("Orc", "HP=9 of 9"), hits=dd.Track())
    then = "orc.HP -= 2 * damage; hits += hit"

    class Blow(dd.Mechanic):
        """A blow, which does damage only if it hits."""

        class Result(dd.Outcome):
            hit: bool
            damage: int | None

        def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
            face = dice.roll(20)
            return self.Result(face > 10, face - 10 if face > 10 else None)

    for face, state in ((4, "9 of 9, 0"), (12, "5 of 9, 1")):
        scene.change(then, Blow().play(dd.ScriptedDice([face])))
        assert f"{scene.state()['orc.HP']}, {scene['hits']}" == state


def test_the_state_of_a_scene_has_a_limit_of_characters_and_tracks_and_none_of_values():
    wide = {f"c{number}.v{value}": "1" for number in range(100) for value in range(20)}
    assert len(dd.Scene.from_state(wide).state()) == 2_000
    with pytest.raises(dd.LimitError, match=r"1,?001"):
        dd.Scene.from_state({f"t{number}": "0 of 4" for number in range(1_001)})


@every(
    ("text", "written", "change", "after", "full"),
    [
        ("2 of -6..10", "2 of -6..10", "kira.Glow -= 9", "-6 of -6..10", False),
        ("-6 of -6 .. -2", "-6 of -6..-2", "kira.Glow += 9", "-2 of -6..-2", True),
        ("+3 of 0..9", "3 of 9", "kira.Glow = 0 - 4", "0 of 9", False),
        ("3 of 1..6", "3 of 1..6", "kira.Glow = 0", "1 of 1..6", False),
    ],
)
def test_bounds_may_begin_anywhere(text, written, change, after, full):
    kira = dd.Character("Kira", f"Glow={text}, Mood=calm")
    scene = dd.Scene(kira, glow=dd.Track.from_text(text))
    assert (str(scene["glow"]), kira["Glow"]) == (written, dd.Track.from_text(text).value)
    scene.change(f"{change}; {change.replace('kira.Glow', 'glow')}")
    track = scene["glow"]
    assert (str(track), track.full, scene.facts()["kira.Glow.full"]) == (after, full, full)
    assert scene["kira"].sheet["Glow"] == after
    assert dd.Scene.from_state(scene.state())["glow"] == track
    assert dd.Track.from_text(after) == track


WRONG_BOUNDS = [
    ("2 of", "'2 of' is not a track; write 0 of 8, 2 of -6..10, or 3"),
    ("2 of limits.Ful", "'2 of limits.Ful' is not a track; write 0 of 8"),
    ("2 of -6...10", "'2 of -6...10' is not a track; write"),
    ("2 of 6..", "'2 of 6..' is not a track; write"),
    ("12 of 10", "'12' is not a whole number from 0 to 10"),
    ("-7 of -6..10", "'-7' is not a whole number from -6 to 10"),
    ("2 of 6..2", "'2' is not a whole number, at least 7"),
    ("0 of 0", "'0' is not a whole number, at least 1"),
]


@every(("text", "message"), WRONG_BOUNDS)
def test_what_begins_like_bounds_is_never_a_word(text, message):
    with pytest.raises(ParameterError) as caught:
        dd.Track.from_text(text)
    assert str(caught.value).startswith(message)
    for make in (lambda: dd.Character("Kira", f"Glow={text}"), lambda: dd.Character("Kira", {"Glow": text})):
        with pytest.raises(ParameterError) as caught:
            make()
        assert str(caught.value).startswith(f"'Glow': {message}")
    scene = dd.Scene(dd.Character("Kira", "Glow=calm"))
    with pytest.raises(ParameterError):
        scene.change(f'kira.Glow = "{text}"')
    assert scene["kira"].Glow == "calm"


def test_words_that_only_resemble_bounds_stay_words():
    assert dd.Character("Kira", "Hand=two of a kind, Days=3 often, Rank=2nd of 9").Rank == "2nd of 9"
    assert dd.Character("Kira", "Card=7 of hearts").Card == "7 of hearts"
