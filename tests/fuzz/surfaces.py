"""The surfaces that take input from people, documents and pages: how an input is drawn, and how it is put in.

An input is plain data, so that it can be written into ``found.json`` and tried again.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple, get_args

import dicedocs as dd
from dicedocs.cli import main
from dicedocs.limits import SAMPLES
from dicedocs.lint.book import Book, check_page
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.page_rules.layout import read_layout
from dicedocs.page_rules.page_rule import PageRule, PageTable, TableRow
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.page_rules.rule_program import Program
from dicedocs.page_rules.table_links import find_link_faults
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.page_player import PagePlayer
from dicedocs.panel.wire import Action, Message
from dicedocs.probability.claims import Subject, parse_claims
from dicedocs.probability.sweep import parse_sweep
from dicedocs.render.chart_text import bars_text
from dicedocs.render.page_example import PageExample
from dicedocs.render.table import odds_csv
from dicedocs.rules.registry import ROLL, mechanic
from dicedocs_lint.files import FORMATS as FORMATS_OF_BOOKS
from dicedocs_lint.files import read_text
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..hostile import HostileError
from . import drawing
from .drawing import NOTATION, SCENE, VALUES, WORDS, json_value, text, value, written
from .pages import build_page, build_rule, build_scene, build_table

IDS: Final = dd.mechanics()


class Surface(NamedTuple):
    """A surface.

    Parameters:
        draw: draws an input.
        run: puts it in.
        share: how many of a thousand inputs are meant for it; those that cost more get fewer.
        patience: how many times a second of processor time, and 200 MB, an input may take; odds that are not clearly
            beyond a limit may take a few.
    """

    draw: Callable[[Random], Any]
    run: Callable[[Any], object]
    share: int
    patience: int = 1


class _Tags(HTMLParser):
    """Fails on HTML that would do more than show something."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "img", "iframe", "object", "embed", "link", "base", "form"}, tag
        for name, content in attrs:
            assert not name.startswith("on"), name
            assert not (content or "").strip().lower().startswith("javascript:"), content


def assert_inert(html: str) -> None:
    """Fail if a browser would run or load something."""
    _Tags(convert_charrefs=False).feed(html)


def show(outcome: dd.Outcome) -> None:
    """Render an outcome in every format."""
    str(outcome)
    repr(outcome)
    outcome.facts()
    json.loads(outcome.to_json())
    assert_inert(outcome.to_html())
    outcome._repr_latex_()  # what a notebook calls


_BOOK_LINES: Final = (
    "\n", "\n\n", "| d20 | a |\n|---|---|\n", "| 1-6 | b |\n", "| 7 | 6 (1d4 + 3) |\n", "|---", "# Scars (1d10)\n\n",
    "Roll 2d6:\n\n", "1. a\n", "2. 4-40 (2d10) wolves\n", "Hit: 11 (2d6 + 3) damage. ", "37% (≤ 3 on d8). ",
    "3 + 5 + 6 = 17. ", "<table><tr><th>d6<th>x", "<tr><td rowspan=3>1-2<td>a", "</table>", "<ol start=4><li>a",
    "</ol>", "<!-- dicedocs: ignore -->", "<!--", "-->", "   ", "> ", "- ", "```{note}\n", "```\n", ".. note::\n\n   ",
    ".. t::\n   :die: 1d6\n\n   .. e::\n      :min: 1\n      :max: 4\n\n", "+---+\n| a |\n+---+\n",
    "=== ===\nd4  a\n=== ===\n1   b\n=== ===\n", "[a]: b\n", "*", "`", "&nbsp;", "\\\\", "\t", "|" * 9, "(((",
    "d%", "1W6",
)  # fmt: skip
"""Pieces of books."""
_LONGEST_BOOK: Final = 100_000
"""docutils takes some seconds for more of them."""
FORMATS: Final[dict[str, Callable[[dd.Distribution], object]]] = {
    "text": str,
    "summary": repr,
    "bars": lambda odds: bars_text({"": odds}),
    "CSV": odds_csv,
    "JSON": dd.Distribution.to_json,
    "LaTeX": dd.Distribution.to_latex,
    "HTML": lambda odds: assert_inert(odds.to_html()),
    "statistics": lambda odds: (odds.mean, odds.median, odds.standard_deviation),
}
"""The formats of a distribution, of which an input wants one."""


# Notation


def _draw_notation(random: Random) -> Any:
    name = random.choice(["roll", "check"])
    if random.random() < 0.5:
        return [name, text(random, NOTATION)]
    modified = random.random() < 0.7
    left, right = (drawing.expression(random, modified=modified) for _ in range(2))
    return [name, [[f"{left} {random.choice(['>=', '<', '=='])} {right}" if name == "check" else left, 1]]]


def _run_notation(drawn: Any) -> None:
    name, parts = drawn
    show(getattr(dd, name)(written(parts), "Strength=4", {"Defense": 12}, seed=1))


def _draw_notation_odds(random: Random) -> Any:
    name, parts = _draw_notation(random)
    # Methuen's dialect is another start of the same grammar.
    name = "expression" if name == "roll" and random.random() < 0.3 else name
    return [name, parts, random.choice(list(FORMATS))]


def _run_notation_odds(drawn: Any) -> None:
    name, parts, wanted = drawn
    parameter = {"check": "check", "roll": "notation", "expression": "expression"}[name]
    id = "methuen/expression" if name == "expression" else f"dice/{name}"
    FORMATS[wanted](dd.odds(id, **{parameter: written(parts), "actor": "Strength=4"}))


# Parameters of all mechanics


def _draw_parameters(random: Random) -> Any:
    id = random.choice(IDS)
    fields = mechanic(id).parameters()
    drawn: dict[str, Any] = {}
    names = random.sample(list(fields), min(len(fields), random.choice([0, 1, 1, 1, 2, 3])))
    for name in names if random.random() < 0.95 else ["x"]:
        kind = random.random()
        if kind < 0.1:
            drawn[name] = [value(random)]
        elif kind < 0.2 or name == "x":
            drawn[name] = text(random, [*NOTATION, *WORDS])
        elif kind < 0.5:
            drawn[name] = random.choice(drawing.NUMBERS)
        else:
            words = fields[name].write(fields[name].example).split(" ") or [""]
            drawn[name] = [
                [
                    f"{random.choice(words)}{random.choice([' ', ' ', '', ', '])}",
                    random.choice([1, 2, 40, 900, 1001, 5000]),
                ]
            ]
            drawn[name] += [[random.choice([*words, *map(str, drawing.NUMBERS)]), 1]] * random.randrange(2)
    return [id, drawn]


def _parameter(drawn: Any) -> Any:
    if isinstance(drawn, int):
        return drawn
    return VALUES[drawn[0]]() if isinstance(drawn[0], str) else written(drawn)


def _parameters(drawn: dict[str, Any], id: str) -> dict[str, Any]:
    given = {name: _parameter(one) for name, one in drawn.items()}
    needed = {name: field.example for name, field in mechanic(id).parameters().items() if field.required}
    return needed | given


def _run_parameters(drawn: Any) -> None:
    id, parameters = drawn
    show(dd.play(id, seed=1, **_parameters(parameters, id)))


def _draw_parameter_odds(random: Random) -> Any:
    return [*_draw_parameters(random), random.choice(list(FORMATS))]


def _run_parameter_odds(drawn: Any) -> None:
    id, parameters, wanted = drawn
    FORMATS[wanted](dd.odds(id, **_parameters(parameters, id)))


# Arguments of the wrong type


def _three() -> dd.Distribution:
    return dd.Distribution({1: 1, 2: 3, 7: 2})


def _joint() -> dd.Distribution:
    return dd.Distribution({(1, "x"): 1, (2, "y"): 3}, ("left", "right"))


def _large() -> dd.Distribution:
    return dd.Distribution({10**5000: 10**5000, 1: 10**4000, -(10**5000): 3})


def _outcome() -> dd.Outcome:
    return dd.play("total-effect/roll", seed=1)


def _stop_early(_tried: int) -> None:
    """End a search that finds nothing: it tries as many seeds as it says."""
    raise HostileError


def _fewer(samples: Any) -> Any:
    """Return a number of plays that are made within a second, if so many may be asked for."""
    return min(samples, 10_000) if type(samples) is int and samples <= SAMPLES.maximum else samples


CALLS: Final[dict[str, Callable[..., object]]] = {
    "play": lambda which="methuen/expression", seed=None, dice=None, expression="3d6": show(
        dd.play(which, seed=seed, dice=dice, expression=expression)
    ),
    "roll": lambda *a: show(dd.roll(*a)),
    "check": lambda *a: show(dd.check(*a)),
    "roll with": lambda seed, dice=None: show(dd.roll("3d6", seed=seed, dice=dice)),
    "find_seed": lambda which="methuen/expression", faces=None, where=None: dd.find_seed(
        which, faces=faces, where=where, progress=_stop_early, expression="1d6"
    ),
    "odds": lambda *a: dd.odds(*a, expression="3d6"),
    "odds of": lambda *a: dd.odds("total-effect/roll", *a),
    "odds of rule": dd.odds,
    "estimate": lambda rule, fact="total", samples=100, seed=1: dd.estimate(
        rule, fact, samples=_fewer(samples), seed=seed
    ),
    "estimate with": lambda samples=100, seed=1: dd.estimate(
        "methuen/expression", expression="3d6", samples=_fewer(samples), seed=seed
    ),
    "estimate of large": lambda samples=100: dd.estimate("methuen/expression", expression="10000d6", samples=samples),
    "Example": lambda *a: str(dd.Example(*a).verify()),
    "Example of": lambda *a: dd.Example("methuen/expression", {"expression": "3d6"}, *a).code,
    "SeededDice": lambda *a: dd.SeededDice(*a).roll(6),
    "ScriptedDice": lambda *a: dd.ScriptedDice(*a).roll(6),
    "dice.roll": lambda *a: dd.SeededDice(1).roll(*a),
    "dice.each": lambda *a: dd.SeededDice(1).each(*a),
    "dice.pool": lambda *a: dd.SeededDice(1).pool(*a),
    "dice.total": lambda *a: dd.SeededDice(1).total(*a),
    "dice.total of": lambda *a: dd.SeededDice(1).total(3, 6, *a),
    "dice.tally": lambda *a: dd.SeededDice(1).tally(3, 6, *a),
    "highest": dd.highest,
    "lowest": dd.lowest,
    "Resources": dd.Resources,
    "mechanic": mechanic,
    "quoted": dd.quoted,
    "outcome.fact": lambda *a: _outcome().fact(*a),
    "outcome.facts": lambda *a: _outcome().facts(*a),
    "outcome.look_up": lambda *a: _outcome().look_up(*a),
    "outcome.to_json": lambda *a: _outcome().to_json(*a),
    "Session": lambda *a: Session(*a).state(),
    "Session with": lambda parameters=None, seed=None: Session("total-effect/roll", parameters, seed=seed).roll(),
}
"""Public functions, and how they are called."""

METHODS: Final = [
    *("p", "exactly", "at_least", "at_most", "quantile", "sample", "map", "repeat", "max", "min", "combine", "compare"),
    *("named", "marginal", "given", "__add__", "__sub__", "__mul__", "__floordiv__", "__ge__", "__eq__"),
    *(
        "median",
        "mode",
        "variance",
        "standard_deviation",
        "mean",
        "to_dict",
        "to_html",
        "to_latex",
        "to_json",
        "__str__",
    ),
]
CLASS_METHODS: Final = ["", "dice", "pool", "faces", "from_json"]
KEYWORDS: Final = ["", "", "", "keep", "left", "n", "seed", "q", "names", "x"]
SUBJECTS: Final[dict[str, Callable[[], dd.Distribution]]] = {
    "three": _three,
    "joint": _joint,
    "large": _large,
    "dense": lambda: dd.Distribution.dice(1, 10**5),
    "sparse": lambda: dd.Distribution.dice(1, 10**5) * 10**9,
}


def _draw_call(random: Random) -> Any:
    return [random.choice(list(CALLS)), [value(random) for _ in range(random.choice([0, 1, 1, 1, 2, 3]))]]


def _run_call(drawn: Any) -> None:
    name, arguments = drawn
    CALLS[name](*(VALUES[argument]() for argument in arguments))


def _draw_method(random: Random) -> Any:
    if random.random() < 0.3:
        subject, method = "class", random.choice(CLASS_METHODS)
    else:
        subject, method = random.choice(list(SUBJECTS)), random.choice(METHODS)
    arguments = [value(random) for _ in range(random.choice([0, 1, 1, 1, 2]))]
    return [subject, method, arguments, random.choice(KEYWORDS), value(random), random.choice(list(FORMATS))]


def _run_method(drawn: Any) -> None:
    subject, method, arguments, keyword, named, wanted = drawn
    owner: Any = dd.Distribution if subject == "class" else SUBJECTS[subject]()
    called = getattr(owner, method) if method else owner
    if callable(called):
        called = called(*(VALUES[one]() for one in arguments), **({keyword: VALUES[named]()} if keyword else {}))
    if isinstance(called, dd.Distribution):
        FORMATS[wanted](called)


# Claims, sweeps, expected facts, serialized odds


def _draw_words(random: Random) -> Any:
    return [random.choice(["claims", "sweep", "expect", "where", "event", "json"]), text(random, [*WORDS, *NOTATION])]


def _run_words(drawn: Any) -> None:
    what, parts = drawn
    words = written(parts)
    match what:
        case "claims":
            for claim in parse_claims(words):
                claim.evaluate(Subject("methuen/expression", {"expression": "3d6"}, "total"))
        case "sweep":
            parse_sweep(mechanic("total-effect/roll"), words)
        case "expect":
            dd.Example("methuen/expression", {"expression": "3d6"}, 1, None, words).verify()
        case "where":
            dd.find_seed("methuen/expression", expression="1d4", where=words, progress=_stop_early)
        case "event":
            _three().p(words)
        case "json":
            dd.Distribution.from_json(words)


def _draw_json(random: Random) -> Any:
    keys = [*json.loads(_three().to_json()), "value", "count", "3", "x"]
    if random.random() < 0.2:
        return json_value(random, keys, 4)
    data = json.loads(random.choice([_three, _joint])().to_json())
    data[random.choice(keys)] = json_value(random, keys, 3)
    return data


def _run_json(drawn: Any) -> None:
    odds = dd.Distribution.from_json(json.dumps(drawn))
    for show_as in FORMATS.values():
        show_as(odds)


# The command line


def _draw_command(random: Random) -> Any:
    command = random.choice(["roll", "check", "play", "odds", "find-seed", "mechanics", ""])
    options = [
        "--json",
        "--seed",
        "--dice",
        "--expect",
        "--csv",
        "--estimate",
        "--at-least",
        "--faces",
        "--where",
        "--ascii",
    ]
    ids = [[id, 1] for id in IDS]
    words = [text(random, [*NOTATION, *options, *WORDS]) for _ in range(random.randrange(4))]
    if random.random() < 0.5:
        words = [
            [random.choice(ids)],
            [[random.choice(["expression=", "size=", "actor=", "pool="]), 1], *text(random, NOTATION)],
            *words,
        ]
    return [command, words]


def _run_command(drawn: Any) -> None:
    command, words = drawn
    arguments = [word for word in (command, *map(written, words)) if word]
    if {"-h", "--help"} & set(arguments):
        return
    out, err = io.StringIO(), io.StringIO()
    status: object
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as exit:  # argparse
            status = exit.code
    assert status in {0, 1, 2}, status
    assert "Traceback" not in err.getvalue()
    assert "Error: " not in err.getvalue().partition("\n")[0], err.getvalue()[:200]
    assert "\x1b" not in out.getvalue() + err.getvalue()
    if status == 2:
        raise dd.DiceError(err.getvalue())


# Messages of a page

ACTIONS: Final = get_args(Action)
_OF_A_TABLE: Final = frozenset({"note", "strike", "next-turn"})
_KIRA: Final = Character("Kira", "Attack=6, Strength=4", {"Sword": "1d20 + [Attack]"})


def _draw_messages(random: Random) -> Any:
    id = random.choice([*IDS, "table", "table", "tray", "tray"])
    if id == "table":
        fields = [field.name for field in PLAYER.fields]
    else:
        fields = list(mechanic(ROLL if id == "tray" else id).parameters())
    words = [
        *fields,
        "name",
        "value",
        *ACTIONS,
        *(play.id for play in PLAYER.plays),
        "total",
        "3d6",
        "Kira=3",
        "x",
        "5000000",
    ]
    messages = []
    for _ in range(random.randrange(1, 4)):
        message: Any = {"do": random.choice(ACTIONS)}
        if random.random() < 0.3:
            for name in random.sample(Message._fields, random.randrange(4)):
                message[name] = json_value(random, words)
        if random.random() < 0.3:
            message["parts"] = {random.choice(fields or words): json_value(random, words)}
        if random.random() < 0.7 and fields:
            field = random.choice(fields)
            new = (
                str(random.choice(drawing.NUMBERS))
                if random.random() < 0.5
                else written(text(random, [*NOTATION, "Kira=3"]))
            )
            message["texts"] = {field: new[:20_000]}
        if random.random() < 0.3:
            message |= {"seed": random.choice(["", "7", "x" * 200]), "label": written(text(random, NOTATION))}
        if message["do"] in ("unpin", "character", "resource", "favourite", "forget", "add"):
            message |= {"item": random.choice([-1, 0, 1, 99]), "name": random.choice(["", "actor", "Attack", "x"])}
            message |= {"die": random.choice([0, 6, 20, 7, -1]), "dice": random.choice([1, -1, 10**9, -(10**9)])}
        if message["do"] in ("roll", "roll-each"):
            message["faces"] = random.choice(["", "4 2 5", "17", "0", "x", "6 " * 2_000])
        if message["do"] in ("note", "strike", "roll-each"):
            message |= {"roll": random.choice([0, 1, 2, -1]), "note": written(text(random, NOTATION))[:20_000]}
            message |= {"items": random.choice([[], [0], [0, 1], [-1], [9]]), "name": random.choice(["", "order"])}
        if message["do"] in ("mode", "odds-show"):
            message["name"] = random.choice(["advantage", "normal", "at least", "x"])
        if message["do"] == "press":
            message |= random.choice([{"die": random.choice([0, 1, 3, 99])}, {"play": random.choice([*words])}])
        messages.append(json_value(random, words) if random.random() < 0.05 else message)
    return [id, messages]


def _run_messages(drawn: Any) -> None:
    id, messages = drawn
    session: Session
    if id == "tray":
        session = TraySession(seed=1, characters=[_KIRA])
    elif id == "table":
        session = GameSession(PLAYER, seed=1)
    else:
        session = Session(id, seed=1, characters=[_KIRA])
    session.changes.then = "actor.Attack -= 1; kira.Strength += success"
    table, refused = Evening([session]), None
    for message in messages:
        at_table = isinstance(message, dict) and message.get("do") in _OF_A_TABLE
        try:
            (table if at_table else session).receive(message)
        except dd.DiceError as error:
            refused = error
        session.odds.count(0.01)
        shown = [session.state(), session.log(), table.state(), table.log(), table.scene(), table.written_log("csv")]
        json.dumps(shown, allow_nan=False, ensure_ascii=False).encode()
        outcome = session.state()["outcome"]
        if outcome:
            assert_inert(outcome["html"])
    if refused is not None:
        raise refused


# Scenes

_CAST: Final = {"Arlyn": "Prowl=2, Stress=0 of 9, Position=risky", "Nails the Cat": "Harm=0/1/0, Heat=3"}
_TRACKS: Final = {"vault": "0 of 8", "heat": "0"}


def _scene_words(random: Random) -> Any:
    return text(random, [*SCENE, *(WORDS if random.random() < 0.2 else ())])


def _draw_scene(random: Random) -> Any:
    kinds = ["change", "change", "play", "play", "holds", "expect", "state", "track"]
    return [[random.choice(kinds), _scene_words(random), _scene_words(random)] for _ in range(random.randrange(1, 5))]


def _run_scene(drawn: Any) -> None:
    cast = [dd.Character(name, values) for name, values in _CAST.items()]
    scene = dd.Scene(*cast, **{name: dd.Track.from_text(track) for name, track in _TRACKS.items()})
    start, refused = scene.state(), None
    for kind, *parts in drawn:
        first, second = map(written, parts)
        before = scene.state()
        try:
            if kind == "change":
                scene.change(first, when=second)
            elif kind == "play":
                scene.play("dice/check", check="1d20 >= 12", seed=1, then=first, when=second)
            elif kind == "holds":
                scene.holds(first)
            elif kind == "expect":
                scene.change("heat += 1", expect=first)
            elif kind == "track":
                str(dd.Track.from_text(first))
            else:
                dd.Scene.from_state({first: second}).facts()
        except dd.DiceError as error:
            str(error)
            refused = error
            assert scene.state() == before
        [str(each) for each in scene.log]
        assert scene.state() == start | {one.name: one.after for each in scene.log for one in each.changes}
        dd.Scene.from_state(scene.state()).facts()
    if refused is not None:
        raise refused


def _draw_scene_page(random: Random) -> Any:
    options = {
        "scene": ["cast", "tracks", "name", "if"],
        "example": ["then", "if", "expect", "choose", "notation", "actor", "seed"],
        "change": ["if", "expect", "name"],
        "scene-sheet": ["name"],
        "examples": ["then", "if", "expect"],
    }
    blocks = []
    for _ in range(random.randrange(1, 4)):
        name = random.choice(["change", "example", "example", *options])
        count = min(len(options[name]), random.choice([0, 1, 1, 2, 3]))
        chosen = {option: _scene_words(random) for option in random.sample(options[name], count)}
        titled = name in ("change", "scene") or random.random() < 0.2
        blocks.append([name, _short(_scene_words(random)) if titled else [], chosen])
    return [blocks, random.choice(["fact", "track", "dice"]), _short(_scene_words(random))]


def _short(parts: Any) -> Any:
    """Return a text for prose, which docutils itself reads; that takes seconds for long words."""
    return [[part, min(times, 60)] for part, times in parts]


def _line(parts: Any) -> str:
    """Return the text of a title or an option; what follows on further lines would be prose, which docutils reads."""
    return "".join(written(parts).splitlines())


def _run_scene_page(drawn: Any) -> None:
    blocks, role, words = drawn
    given = [
        (name, _line(title).replace("javascript:", ""), {option: _line(parts) for option, parts in chosen.items()})
        for name, title, chosen in blocks
    ]
    # docutils itself makes a link of any address in prose.
    html = build_scene(_CAST, _TRACKS, given, role, written(words).replace("javascript:", ""))
    assert_inert(html)
    assert "depends on 'scene-1'" not in html, "the scene itself has no mistake, or nothing in it is played"


# Links to a page that rolls


def _draw_link(random: Random) -> Any:
    id = random.choice(IDS)
    names = ["seed", *mechanic(id).parameters(), "x", "", "__class__"]
    if random.random() < 0.5:
        values = ["0", "1", "2", "7", "3d6", "true", *WORDS, *map(str, drawing.NUMBERS)]
        parts = [[f"&{random.choice(names)}={random.choice(values)}", 1] for _ in range(random.randrange(1, 4))]
        return [id, [["seed=7", 1], *parts]]
    known = [*(f"{name}=" for name in names), "&", "%00", "%ED%A0%80", "%zz", "+", ";", "=", "3d6", "1000000", "-1"]
    return [id, text(random, [*known, *WORDS])]


def _run_link(drawn: Any) -> None:
    id, link = drawn
    field = mechanic(id).parameters()
    rule = mechanic(id).example()
    example = PageExample(id, {name: field[name].write(getattr(rule, name)) for name in field}).data()
    player = PagePlayer()
    for action in ("roll", "open", "count"):
        answer = player.receive({"do": action, "key": "one", "example": example, "link": written(link)})
        json.dumps(answer, allow_nan=False)
        assert_inert(answer.get("html", ""))
        if "error" in answer:
            raise HostileError


# Pages of a book


def _draw_page(random: Random) -> Any:
    name = random.choice(["example", "odds", "table", "claim", "character", "rule", "scene", "roll", "fact"])
    options = [
        "mechanic",
        "expression",
        "check",
        "seed",
        "dice",
        "expect",
        "name",
        "vary",
        "fact",
        "advantage",
        "class",
        "hide",
    ]
    known = [
        "methuen/expression",
        "total-effect/roll",
        "3d6",
        "1d20 + 6 >= 12",
        "7",
        "4 2 5",
        "total=11",
        "mean=10.5",
        "Kira",
    ]

    def line() -> Any:
        return text(random, [*known, *NOTATION, *WORDS]) if random.random() < 0.6 else [[random.choice(known), 1]]

    chosen = {random.choice(options): line() for _ in range(random.randrange(5))}
    if random.random() < 0.7:
        chosen |= {"mechanic": [["methuen/expression", 1]], "expression": line(), "seed": [["7", 1]]}
    # Prose is read by Sphinx itself, which takes over a second for 30,000 times some markup.
    body = [[part, min(times, 1000)] for part, times in line()]
    return [random.choice(["md", "rst"]), name, line(), chosen, body]


def _run_page(drawn: Any) -> None:
    language, name, argument, options, body = drawn
    given = {option: _line(parts) for option, parts in options.items()}
    # docutils itself makes a link of any address in a title and in prose.
    title, prose = (text.replace("javascript:", "") for text in (_line(argument), written(body)))
    html = build_page(language, name, title, given, prose)
    # Raw HTML in Markdown is the author's own.
    if language == "rst":
        assert_inert(html)


# Tables of pages


def _draw_table(random: Random) -> Any:
    columns, number = random.choice([1, 1, 2, 3, 5]), random.choice([0, 1, 2, 3, 6, 12])
    heads = [_cell(random, drawing.HEADS) for _ in range(1 + columns)]
    rows = [
        [_cell(random, drawing.KEYS), *(_cell(random, drawing.CELLS) for _ in range(columns))] for _ in range(number)
    ]
    if rows and random.random() < 0.5:
        # Numbers that fit, so that it is rolled on.
        heads[0] = [[f"d{number}", 1]]
        rows = [[[[str(at), 1]], *row[1:]] for at, row in enumerate(rows, 1)]
    options = {
        name: text(random, [*drawing.HEADS, *WORDS]) for name in ("dice", "plain", "draw") if random.random() < 0.1
    }
    parameter = text(random, ["0 (0 to 3), help", "none / with", "yes", "d8 d8", "(", ")", "1 (2+)", ","])
    return [heads, rows, options, parameter, random.choice(list(FORMATS))]


def _cell(random: Random, usual: list[str]) -> Any:
    return [[random.choice(usual), 1]] if random.random() < 0.8 else text(random, usual)


def _run_table(drawn: Any) -> None:
    heads, rows, options, parameter, wanted = drawn
    texts = [tuple(" ".join(written(cell).split()) for cell in cells) for cells in (heads, *rows)]
    head, *others = (GridRow(cells, line) for line, cells in enumerate(texts, 1))
    options = {name: written(parts) for name, parts in options.items()}
    rows = replace(
        read_layout(Grid(head, tuple(others)), options.get("dice", "")),
        plain=(options["plain"],) if "plain" in options else (),
        draw=options.get("draw", ""),
    )
    parameters = (("danger", written(parameter)),) if any("danger" in axis for axis in rows.axes) else ()
    table = PageRule("a/table", title="The table", parameters=parameters, table=rows)
    assert PageRule.from_plain(json.loads(table.to_json())) == table
    sky = PageTable(("d2",), ("Sky",), (TableRow(("1",), ("Grey",)), TableRow(("2",), ("Blue 1d4",))))
    other = PageRule("a/other", table=sky)
    tables = {each.id: each for each in (table, other)}
    if not list(find_link_faults(tables)):
        rule = book_mechanics(tables.values())["a/table"]
        list(islice(Program(table, dict.fromkeys(tables, "")).tables[0].faults(), 1000))
        show(rule.example().play(dd.SeededDice(1)))
        FORMATS[wanted](dd.odds(rule.example(), list(rule.result().facts_of)[-1]))


def _draw_table_page(random: Random) -> Any:
    heads, rows, options, parameter, _wanted = _draw_table(random)
    return [random.choice(["md", "rst"]), heads, rows, options, parameter]


def _run_table_page(drawn: Any) -> None:
    language, heads, rows, options, parameter = drawn
    given = {name: _line(parts) for name, parts in options.items()} | {"danger": _line(parameter)}
    # What is read by Sphinx itself takes over a second for 30,000 times some markup.
    lines = [[_line(_short(cell)) for cell in cells] for cells in (heads, *rows)]
    html = build_table(language, given, lines)
    if language == "rst":
        assert_inert(html)


# Rules of pages


def _draw_rule(random: Random) -> Any:
    usual = {
        "stat": ["0", "1 (-1 to 3)", "999999999999"],
        "mood": ["calm / hit / weak hit"],
        "traits": ["d8 d8 d10", "5"],
    }
    usual |= {"target": ["yes"], "v4": ["3"], "seed": ["1"]}
    names = [name for name in usual if random.random() < (0.05 if name in ("target", "v4", "seed") else 0.95)]
    parameters = {
        name: [[random.choice(usual[name]), 1]]
        if random.random() < 0.85
        else text(random, ["0 (0 to 3), help", "none / with", "yes", "d8", "(", ")", "1 (2+)", ",", *WORDS])
        for name in names
    }
    meanings = {name: text(random, ["hit", "miss", "calm", "v5", ", "]) for name in ("success", "failure")}
    meanings = {name: parts for name, parts in meanings.items() if random.random() < 0.2}
    return [drawing.RuleDrawing(random).lines(), parameters, meanings, random.choice(list(FORMATS))]


def _run_rule(drawn: Any) -> None:
    lines, parameters, meanings, wanted = drawn
    texts = [written(parts) for parts in lines]
    # Which names are read cannot be known before; a parameter that no line reads is refused.
    given = {name: written(parts) for name, parts in parameters.items() if any(name in line for line in texts)}
    meant = tuple((name, written(parts)) for name, parts in meanings.items())
    page_rule = PageRule("a/rule", tuple(texts), "The rule", tuple(given.items()), meant)
    assert PageRule.from_plain(json.loads(page_rule.to_json())) == page_rule
    made = book_mechanics([page_rule])["a/rule"]
    rule = made.example()
    refused = None
    try:
        show(rule.play(dd.SeededDice(1)))
    except dd.DiceError as error:
        # Its odds may be known for all that.
        refused = error
    FORMATS[wanted](dd.odds(rule, made.result().main_fact))
    if refused is not None:
        raise refused


def _draw_rule_page(random: Random) -> Any:
    lines, parameters, meanings, _wanted = _draw_rule(random)
    return [random.choice(["md", "rst"]), lines, parameters | meanings]


def _run_rule_page(drawn: Any) -> None:
    language, lines, options = drawn
    texts = [written(parts) for parts in lines]
    given = {name: _line(parts) for name, parts in options.items()}
    # What is read by Sphinx itself takes over a second for 30,000 times some markup, and makes links of addresses.
    texts = [line[:20_000].replace("javascript:", "") for line in texts]
    html = build_rule(language, given, texts)
    if language == "rst":
        assert_inert(html)


# Books without markup


def _draw_book(random: Random) -> Any:
    """Draw a file: lines of tables, lists, sentences and tags, some of them often, and what is hostile among them."""
    parts = [[random.choice(_BOOK_LINES), 1] for _ in range(random.choice([1, 3, 8, 20]))]
    hostile = text(random, [*NOTATION, *_BOOK_LINES]) if random.random() < 0.7 else []
    at = random.randrange(len(parts) + 1)
    return [random.choice(FORMATS_OF_BOOKS), [*parts[:at], *hostile, *parts[at:]]]


def _run_book(drawn: Any) -> None:
    format, parts = drawn
    page = read_text("book", written(parts)[:_LONGEST_BOOK].encode("utf-8", errors="replace"), format)
    for _, finding in Book((check_page(page),)).findings(everything=True):
        assert 0 <= finding.line <= len(page.lines) + 1, finding
        assert finding.column >= 1, finding


SURFACES: Final[dict[str, Surface]] = {
    "notation": Surface(_draw_notation, _run_notation, 250),
    "odds of notation": Surface(_draw_notation_odds, _run_notation_odds, 100, 3),
    "parameters": Surface(_draw_parameters, _run_parameters, 150),
    "odds of parameters": Surface(_draw_parameter_odds, _run_parameter_odds, 60, 3),
    "arguments": Surface(_draw_call, _run_call, 120),
    "distributions": Surface(_draw_method, _run_method, 100),
    "claims and facts": Surface(_draw_words, _run_words, 70),
    "serialized odds": Surface(_draw_json, _run_json, 20),
    "command line": Surface(_draw_command, _run_command, 50),
    "messages": Surface(_draw_messages, _run_messages, 50),
    "links": Surface(_draw_link, _run_link, 10),
    "pages": Surface(_draw_page, _run_page, 20),
    "scenes": Surface(_draw_scene, _run_scene, 60),
    "pages with scenes": Surface(_draw_scene_page, _run_scene_page, 20),
    "tables": Surface(_draw_table, _run_table, 60, 3),
    "pages with tables": Surface(_draw_table_page, _run_table_page, 20),
    "books without markup": Surface(_draw_book, _run_book, 60, 3),
    "rules of pages": Surface(_draw_rule, _run_rule, 60, 10),
    "pages with rules": Surface(_draw_rule_page, _run_rule_page, 20, 10),
}
"""All surfaces by name."""


def run(surface: str, drawn: Any) -> None:
    """Put an input in; a warning is no error here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        SURFACES[surface].run(drawn)


def draw(surface: str, number: int) -> Any:
    """Return the input of this number."""
    return SURFACES[surface].draw(Random(f"{surface} {number}"))


__all__ = ["SURFACES", "Surface", "draw", "run"]
