"""What is displayed is translated, and what is canonical is not."""

import json
import re
import sys
import textwrap
import threading
from gettext import GNUTranslations
from html import unescape
from importlib import import_module
from itertools import product

import pytest

import dicedocs as dd
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.probability.claims import Subject, parse_claims
from dicedocs.probability.distribution import Distribution
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_text import bars_text
from dicedocs.render.html import outcome_html
from dicedocs.render.latex import outcome_latex
from dicedocs.render.numbers import local_figure
from dicedocs.render.scale import table_bands
from dicedocs.render.table import odds_table, table_text
from dicedocs.rules.registry import mechanic
from dicedocs.translation import current_language, game_words, word
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..every import every
from ..pseudo_language import CODE, ROOT, bracketed, escaped_words, tool, write_catalogues

GAMES = [id for id in dd.mechanics() if id.partition("/")[0] in {path.stem for path in tool().catalogues()}]
CATALOGUES = list(tool().catalogues())
POWER = {"methuen/expression": {"expression": "(2d6 + [Might]) / 2 - 20", "actor": "Might=4"}}


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    write_catalogues(folder)
    return [str(folder)]


def outcomes(id):
    """Outcomes of the example of a mechanic, and of other parameters."""
    rule = mechanic(id)
    rules = [rule.example(), *([rule(**POWER[id])] if id in POWER else [])]
    return [rule.play(dd.SeededDice(seed)) for rule in rules for seed in range(12)]


# The catalogues


def incomplete(path):
    """What is wrong in a catalogue."""
    catalogue = tool().read(path)
    found = {(message.id, message.context) for message in tool().template(path.stem, catalogue) if message.id}
    present = {(message.id, message.context) for message in catalogue if message.id}
    yield from (f"{id!r} is not in it" for id, _ in found - present)
    yield from (f"{id!r} is in it, but in no source" for id, _ in present - found)
    for message in catalogue:
        ids, strings = ([one] if isinstance(one, str) else one for one in (message.id, message.string))
        if not all(strings):
            yield f"{message.id!r} has no translation"
        if message.fuzzy and message.id:
            yield f"{message.id!r} is fuzzy"
        for text in strings if message.id else ():
            # A singular may leave the number out.
            names, known = set(re.findall(r"\{\w+\}", text)), set(re.findall(r"\{\w+\}", ids[-1]))
            if not known - {"{count}"} <= names <= known:
                yield f"{message.id!r} has other placeholders than {text!r}"


def uncompiled(path):
    """The messages of a catalogue that differ from the compiled one."""
    with path.with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for message in filter(lambda message: message.id, tool().read(path)):
        if isinstance(message.id, tuple):
            found = tuple(compiled.ngettext(message.id[0], message.id[1], number) for number in (1, 2))
        elif message.context:
            found = compiled.pgettext(message.context, message.id)
        else:
            found = compiled.gettext(message.id)
        if found != message.string:
            yield f"{message.id!r} is compiled as {found!r}: run `make messages`"


def test_the_catalogues_are_complete_and_compiled():
    issues = [
        f"{path.relative_to(ROOT)}: {issue}"
        for path in CATALOGUES
        for check in (incomplete, uncompiled)
        for issue in check(path)
    ]
    assert not issues, "\n".join(issues)


def test_no_message_is_asked_for_both_alone_and_with_its_plural():
    """The first Pythons 3.11, such as that of Debian 12, would not find it alone."""
    messages = tool().core_messages()
    assert {each.id for each in messages if each.plural} & {each.id for each in messages if not each.plural} == set()


def test_each_language_has_every_catalogue():
    languages = {path.parts[-3] for path in CATALOGUES}
    assert languages >= {"de", "es", "fr"}
    domains = {"dicedocs", "dice", "methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal"}
    assert {(path.parts[-3], path.stem) for path in CATALOGUES} == set(product(languages, domains))


def test_a_new_language_gets_every_catalogue(tmp_path, monkeypatch):
    messages = tool()
    for path in CATALOGUES:
        copy = tmp_path / path.relative_to(messages.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    present = sorted(tmp_path.rglob("*.po"))
    monkeypatch.setattr(messages, "catalogues", lambda: iter(present))
    messages.create("it")
    made = {path.name for path in tmp_path.rglob("it/LC_MESSAGES/*.po")}
    assert made == {path.name for path in present}


# What is translated


@every("id", GAMES)
def test_no_text_of_an_outcome_escapes(pseudo, id):
    for outcome in outcomes(id):
        chosen = " ".join(field.write(value) for field, value in outcome.rule.chosen())
        with dd.language(CODE, pseudo):
            text, latex = str(outcome), outcome_latex(outcome)
            html = outcome_html(outcome, names=list(outcome.facts_of))
        assert escaped_words(text, chosen) == set(), text
        shown = unescape(re.sub(r"<(code|svg).*?</\1>|<[^>]*>", " ", html))
        names = " ".join(re.findall(r'aria-label="([^"]*)"', html))
        assert escaped_words(shown + names, chosen) == set(), html
        assert escaped_words(re.sub(r"\\(?:begin\{\w+\}|end\{\w+\}|[a-z]+)", " ", latex), chosen) == set(), latex


def test_no_text_of_odds_escapes(pseudo):
    for odds in (
        dd.odds("methuen/expression", "total", expression="60d6"),
        dd.odds("mecha-vs-kaiju/action", "total", "impact", pool="d20 d4"),
        dd.estimate("methuen/expression", expression="3d6", samples=100, seed=1),
    ):
        with dd.language(CODE, pseudo), game_words(mechanic("methuen/expression")):
            text, html = str(odds), odds.to_html()
        assert escaped_words(text, "impact Impact") == set()
        assert escaped_words(unescape(re.sub(r"<[^>]*>", " ", html)), "impact Impact") == set()


CANONICAL = {
    "id", "name", "kind", "choices", "default", "of", "fact", "state", "pressed", "code", "directive", "directive_rst",
    "seed", "shapes", "language", "words", "parts", "low", "high", "play", "show", "slot", "mode", "favourites",
    "tone", "formula", "snippets", "references",
}  # fmt: skip
"""The keys of what a panel sends whose values are not displayed."""


def displayed(data, key=""):
    """The texts of a panel's data that are displayed."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name not in CANONICAL and not (name == "texts" and key == "state"):
                yield from displayed(value, name)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from displayed(value, key)
    elif isinstance(data, str):
        yield unescape(re.sub(r"<[^>]*>|\{\w+\}", " ", data))


def _game_session():
    session = GameSession(PLAYER, seed=1)
    session.play("round")
    session.press(1)
    return session


@every("id", [*GAMES, "dungeoneers"])
def test_no_text_of_a_panel_escapes(pseudo, id):
    with dd.language(CODE, pseudo):
        session = _game_session() if id == "dungeoneers" else Session(id, seed=1)
    session.roll()
    session.odds.count(5)
    state = session.state()
    written = " ".join(map(str, (state["texts"], state["parts"])))
    assert state["outcome"]["verdict"].pop(0) in {"success", "partial", "failure", ""}
    for _label, pool, _rest in state["outcome"].get("pools", ()):
        assert all(state["words"][die.pop()] for die in pool if die[2])
    dice = [state["outcome"].pop("dice"), *(die.pop("face") for die in state.get("game", {}).get("dice", ()))]
    assert dice
    for text in (*displayed(session.form()), *displayed(state, "state"), *displayed(session.log())):
        assert escaped_words(text, f"{written} Python Markdown reStructuredText") == set(), text
    for state_of_die in {die[2] for die in dice[0]} - {""}:
        assert state["words"][state_of_die] == bracketed(state_of_die)


def test_no_text_of_a_dice_tray_or_a_comparison_escapes(pseudo):
    kira, orc = Character("Kira", "Attack=6", {"Sword": "1d20 + [Attack]"}), Character("Orc")
    with dd.language(CODE, pseudo):
        session = TraySession(characters=[kira, orc])
    session.roll_favourite("Sword")
    session.odds.pin()
    session.notation = "1d20 + [Attack] + 1"
    session.odds.count(5)
    state = session.state()
    assert [one["label"] for one in state["comparison"]["series"]] == ["1d20 + [Attack]", "1d20 + [Attack] + 1"]
    for part in ("tray", "characters", "comparison"):
        for text in displayed({part: state[part]}):
            assert escaped_words(text, "Kira Orc Attack 1d20") == set(), text
    for text in displayed(session.form()):
        assert escaped_words(text, "Python Markdown reStructuredText") == set(), text


def test_the_page_of_a_panel_has_no_texts_of_its_own():
    modules = (ROOT / "widgets" / "dicedocs_widgets" / "static").glob("*.mjs")
    source = re.sub("^import .*$", "", "".join(path.read_text("utf-8") for path in modules), flags=re.MULTILINE)
    code = re.sub(r"^\s*(//|/\*\*).*$", "", source, flags=re.MULTILINE)
    literals = {match[2] for match in re.finditer(r"([\"`])((?:(?!\1).)*)\1", code)}
    texts = {one for one in literals if re.search(r"\b[A-Z][a-z]|[a-z] [a-z]", re.sub(r"\$\{.*", "", one))}
    keys = {"Enter", "Escape", "Backspace", "Delete"}
    formats = {"Python", "Markdown", "reStructuredText"}
    selectors = {one for one in texts if ":" in one or "," in one or "form" in one or "input" in one or "dd-" in one}
    assert texts - keys - formats - selectors == set()
    used = set(re.findall(r'say\("(\w+)"', code))
    assert used <= set(Session("methuen/check").form()["texts"])


# What is not translated


@every("id", GAMES)
def test_canonical_texts_stay_as_they_are(pseudo, id):
    for outcome in outcomes(id)[::4]:
        english = outcome.facts(), outcome.to_json(), repr(outcome), repr(outcome.rule)
        with dd.language(CODE, pseudo):
            assert (outcome.facts(), outcome.to_json(), repr(outcome), repr(outcome.rule)) == english
            assert dd.Example(id, {field.name: value for field, value in outcome.rule.chosen()}, dice=outcome.dice)


def test_claims_are_compared_with_canonical_figures():
    [claim] = parse_claims("p(at least 13) = 25.9%")
    with dd.language("de"):
        result = claim.evaluate(Subject("methuen/expression", {"expression": "3d6"}))
        assert (result.figure, local_figure(result.figure)) == ("25.9%", "25,9\u202f%")


def test_json_and_errors_are_english():
    with dd.language("de"):
        assert json.loads(dd.roll("3d6", dice=[4, 2, 5]).to_json())["text"].startswith("Dice: 3d6: ")
        with pytest.raises(dd.ParameterError, match="there is no mechanic 'no/such'"):
            dd.play("no/such")


# Languages


def test_numbers_in_three_languages():
    for code in ("de", "fr", "es"):
        with dd.language(code):
            assert [local_figure(one) for one in ("<0.1%", "75%", "-10.50")] == ["<0,1\u202f%", "75\u202f%", "-10,50"]


@every("code", ["de", "fr", "es"])
def test_the_figures_of_bands_are_in_the_language_of_the_chart(code):
    one, bands = {"": Distribution.dice(1, 6)}, table_bands({None: "low", 5: "high"})
    with dd.language(code):
        html = re.sub(r"<[^>]*>", "\n", odds_html(one, bands=bands))
        for text in (html, bars_text(one, bands=bands), table_text(odds_table(one, bands=bands))):
            assert "66,7\u202f%" in text
            assert "33,3\u202f%" in text
            assert re.findall(r"\S*\d\.\d\S*|\d%", text) == []


@every("code", ["", "..", "de/../../x", "d", "de.mo", None, 3, "de\0"])
def test_what_is_not_a_language_is_refused(code):
    with pytest.raises(dd.ParameterError, match="is not the code of a language"), dd.language(code):
        pass


def test_a_language_without_a_catalogue_is_english():
    with dd.language("tlh"):
        assert str(dd.roll("3d6", dice=[4, 2, 5])) == "Dice: 3d6: 4 + 2 + 5 = 11"


def test_a_region_has_the_catalogue_of_its_language():
    with dd.language("de-AT"):
        assert str(dd.roll("3d6", dice=[4, 2, 5])) == "Würfel: 3W6: 4 + 2 + 5 = 11"


def test_the_same_rule_in_two_languages_one_after_the_other():
    outcome = dd.roll("1d6 + 1d8", dice=[3, 4])
    texts = []
    for code in ("de", "en", "fr", "en"):
        with dd.language(code):
            texts.append(str(outcome).splitlines()[0])
    assert texts == ["Würfel: W6: 3", "Dice: d6: 3", "Dés\xa0: d6\xa0: 3", "Dice: d6: 3"]


def test_the_language_of_the_process_reaches_other_threads():
    texts = []
    dd.set_language("es")
    try:
        thread = threading.Thread(target=lambda: texts.append(str(dd.roll("3d6", dice=[4, 2, 5]))))
        thread.start()
        thread.join()
        with dd.language("en"):
            assert current_language() is None
    finally:
        dd.set_language("en")
    assert texts == ["Dados: 3d6: 4 + 2 + 5 = 11"]


def test_a_session_keeps_the_language_in_which_it_was_created():
    with dd.language("fr"):
        session = Session("methuen/expression", {"expression": "3d6"}, seed=61)
    session.roll()
    assert session.state()["outcome"]["sentence"] == "Jet 1. Total 11."
    assert session.form()["texts"]["roll"] == "Lancer"


@pytest.mark.parametrize("wrong", ["{zahl}%", "{number}{", "{0}%", "{number.__class__}%"])
def test_a_translation_with_other_placeholders_is_left_out(tmp_path, wrong):
    from babel.messages.catalog import Catalog

    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = Catalog(locale="de", fuzzy=False)
    catalogue.add("{number}%", wrong)
    (folder / "dicedocs.mo").write_bytes(tool().compiled(catalogue))
    with dd.language("de", [str(tmp_path)]):
        assert local_figure("25.9%") == "25,9%"
        assert str(dd.roll("2d6", dice=[4, 2])).startswith("Würfel: 2W6: ")


# The catalogue of a stranger's game


@pytest.fixture
def stranger(tmp_path, monkeypatch):
    """A package of another game, with a German catalogue beside its module."""
    from babel.messages.catalog import Catalog

    package = tmp_path / "tidewater"
    folder = package / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(
        textwrap.dedent("""
            from dicedocs import Dice, Mechanic, Outcome, Say

            class Ebb(Mechanic, id="tide/ebb"):
                class Result(Outcome):
                    level: int
                    state: str
                def resolve(self, dice: Dice, say: Say) -> Result:
                    level = say.sum("Level", dice.roll(6))
                    return self.Result(level, say.fact("Sea", "low tide", f"after {level} hours"))
            """)
    )
    catalogue = Catalog(locale="de", fuzzy=False)
    words = {"Level": "Pegel", "Sea": "Meer", "low tide": "Ebbe", "after {hours} hours": "nach {hours} Stunden"}
    for message, translation in words.items():
        catalogue.add(message, translation)
    (folder / "tide.mo").write_bytes(tool().compiled(catalogue))
    monkeypatch.syspath_prepend(tmp_path)
    from dicedocs.rules import registry

    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    yield import_module("tidewater.rules").Ebb
    for name in ("tidewater", "tidewater.rules"):
        sys.modules.pop(name, None)


def test_a_game_brings_its_own_catalogue(stranger):
    outcome = stranger().play(dd.ScriptedDice([4]))
    with dd.language("de"):
        assert str(outcome) == "Würfel: W6: 4\nPegel: 4\nMeer: Ebbe (nach 4 Stunden)"
    with dd.language("de"), game_words(mechanic("methuen/check")):
        assert word("low tide") == "low tide"
    assert str(outcome) == "Dice: d6: 4\nLevel: 4\nSea: low tide (after 4 hours)"


def test_the_command_prints_the_messages_of_a_game(capsys):
    from dicedocs.cli import main

    assert main(["messages", "dungeoneers", "--json"]) == 0
    messages = json.loads(capsys.readouterr().out)
    for text in ("Exhausted dice", "partial success", "Against the difficulty", "to reroll die {pushed}"):
        assert text in messages
    assert main(["messages", "total-effect"]) == 0
    assert 'msgid "Beyond {die}"\nmsgstr ""' in capsys.readouterr().out
    assert main(["messages", "no-such-game"]) == 2
