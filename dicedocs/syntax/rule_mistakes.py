"""Common mistakes in the values of rules: bounds, functions, numbers in words, questions about dice."""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from typing import Final

from dicedocs.errors import listed
from dicedocs.syntax.condition_mistakes import AS_A_CASE, CONDITIONS, RELATION_BETWEEN, VALUE_FIRST
from dicedocs.syntax.foreign_words import NUMBER_WORD, NUMBERS, spelled, spelling_alone
from dicedocs.syntax.mistakes import (
    DECIMAL,
    RESOURCES,
    SHARED,
    THOUSANDS,
    Diagnosis,
    Groups,
    IllegalText,
    Mistake,
    Row,
    as_operand,
    compiled,
    parenthesis,
    sentence,
)
from dicedocs.syntax.notation_mistakes import (
    ADVANTAGE,
    ANY_MODIFIER,
    BARE,
    HIGHER,
    MODIFIER,
    OF_DICE,
    ONE_DIE,
    WORD_END,
    WORDS_DO_NOT,
    bounded_value,
)
from dicedocs.syntax.question_mistakes import COUNTED, QUESTIONS
from dicedocs.syntax.relations import COMPARE, DOWNWARDS, KEYWORD, NUMBER_WORDS, UPWARDS


def _chosen_value(groups: Groups) -> str:
    """Return the higher, or the lower, of two values."""
    which = "max" if groups["end"][:2].lower() in {"hi", "be", "gr", "la"} else "min"
    return f"{which}({groups['first']}, {groups['second']})"


def _asked(groups: Groups) -> str:
    """Return what is asked of a pool: ``highest(pool, 2)``."""
    written = groups["number"] or groups["count"]
    number = NUMBERS.get(written.lower(), written)
    which = "lowest" if groups["end"].lower() in {"low", "worst", "bottom"} else "highest"
    return f"{which}({groups['dice']}{', ' * bool(number)}{number})"


def _more_dice(groups: Groups) -> str:
    """Return as many dice as a number says, which may have a name."""
    count = groups["number"]
    return f"{count if count.isdecimal() else f'[{count}]'}d{groups['sides']}"


def _multiple(groups: Groups) -> str:
    times = groups["times"].lower()
    return "3 * " if times.startswith("triple") else "0.5 * " if times.startswith("hal") else "2 * "


def _part(groups: Groups) -> str:
    """Return a part of a value: ``a fifth of skill`` is ``skill / 5``."""
    return f"{groups['value']} / {_PARTS[groups['part'].lower()]}"


def _raised(groups: Groups) -> str:
    return f"{groups['name']} ** {unicodedata.digit(groups['power'])}"


def _multiple_if(groups: Groups) -> str:
    value = groups["value"]
    return f"{_multiple(groups)}{as_operand(value)} {groups['case']}, else {value}"


def _ranked(groups: Groups) -> str:
    """Return the second or third of some dice: what two of them have more than one."""
    question, count = f"{groups['end']}est({groups['pool']}", 3 if groups["count"].lower() == "third" else 2
    return f"{question}, {count}) - {question}{f', {count - 1}' * (count > 2)})"


def _sigil(groups: Groups) -> str:
    """Return a name without the sign of another tool: ``@{rating}d6`` is ``[rating]d6``."""
    name = groups["braced"] or groups["name"]
    return f"[{name}]d" if groups["dice"] else name


def _quantified(groups: Groups) -> str:
    """Return what is asked of any die, of all, or of none."""
    test, which = groups["test"], groups["which"].lower()
    pool = re.split(COMPARE, test, maxsplit=1)[0].strip()
    ends = {"any": ">= 1", "some": ">= 1", "none": "= 0", "no": "= 0"}
    return f"count({test}) {ends.get(which, f'= count({pool})')}"


def _some_of(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a quantity of conditions: ``none of open, lit``."""
    for found in compiled(_OF_CONDITIONS).finditer(failure.text):
        if found.start() <= failure.at <= found.end():
            which, names = found["which"].lower(), re.split(r"\s*(?:,|\b(?:and|or)\b)\s*", found["names"])
            joined = (" and " if which in {"all", "both", "each"} else " or ").join(filter(None, names))
            is_whole = failure.text[: found.start()].strip() in {"", "("}
            whole = f"not ({joined})" if which in {"none", "neither"} else joined if is_whole else f"({joined})"
            return Diagnosis(failure.at, "", "", slice(*found.span()), {"": whole})
    return None


def _said_bound(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a bound that is said behind a value: ``2d6 - 3, but never below 1``."""
    text = failure.text
    found = compiled(_SAID_BOUND, re.IGNORECASE).fullmatch(text)
    if found is None or re.search(r"\bif\b", found["whole"]):
        return None
    which = "max" if found["low"] or found["least"] else "min"
    fix = f"{which}({found['whole']}, {found['number'] or found['behind']})"
    if re.search(COMPARE, found["whole"]):  # total at least 7, at most 9
        fix = f"{found['whole']} and {found['bound']}"
    return Diagnosis(failure.at, WORDS_DO_NOT, "", slice(0, len(text)), {"": fix})


def _word_cases(failure: IllegalText) -> Diagnosis | None:
    """Diagnose cases of words without quotes: ``win if total > 8 else lose``."""
    if not compiled(_WORD_CASES).fullmatch(failure.text):
        return None
    fix = re.sub(rf"(\A\s*|,\s*|\b(?:else|otherwise)\s+)({_NAME})(?=\s*\Z|\s+if\b)", r'\1"\2"', failure.text)
    return Diagnosis(failure.at, "", "", slice(0, len(failure.text)), {"": fix})


def _listed_names(groups: Groups) -> str:
    return f" {groups['join'].lower()} ".join([*re.split(r"\s*,\s*", groups["names"]), groups["last"]])


def _alike(groups: Groups) -> str:
    """Return a question for how many dice show the same."""
    number = "3" if groups["triple"] else (groups["number"] or "2").lower()
    return f"matches({groups['pool'] or groups['behind'] or 'pool'}) >= {NUMBERS.get(number, number)}"


def _all_alike(groups: Groups) -> str:
    dice = groups["pool"] or "pool"
    return f"matches({dice}) = count({dice})"


def _alike_faces(groups: Groups) -> str:
    """Return a question for two or three dice that show a number."""
    dice = groups["pool"] or "pool"
    return f"count({dice} = {groups['number']}) >= {2 if groups['many'].lower() == 'pair' else 3}"


def _share(groups: Groups) -> str | None:
    """Return a part of a value, as ``0.5 * fire``."""
    share = f"{int(groups['number'][:3]) / 100:g}"
    return f"{share} * {groups['value']}" if groups["value"] else f"* {share}"


def _more_of(groups: Groups) -> str:
    """Return a value with a share of it more, or less: ``1.5 * fire``."""
    share = int(groups["number"][:3]) / 100
    return f"{1 + share if groups['sign'] == '+' else 1 - share:g} * {groups['value']}"


def _rounded(groups: Groups) -> str:
    """Return a value that is rounded up or down: of a sum its last term, if that alone is divided."""
    function, whole = "ceil" if groups["way"].lower() == "up" else "floor", groups["whole"]
    compared = re.fullmatch(rf"(?P<left>[^()]*(?:{COMPARE}))\s*(?P<right>[^()<>=]*)", whole)
    if compared:  # roll <= skill / 2, rounded up
        return f"{compared['left']} {_rounded({**groups, 'whole': compared['right']})}"
    last = re.fullmatch(r"(?P<first>[^/()]*\S\s*(?:[-+]|plus|minus)\s*)(?P<term>[^-+()/]*/[^-+()/]*)", whole)
    return f"{last['first']}{function}({last['term'].strip()})" if last else f"{function}({whole})"


def _per(groups: Groups) -> str:
    """Return a sum with as many times a number as a name says."""
    name = groups["name"]
    more = name if groups["number"] == "1" else f"{groups['number']} * {as_operand(name)}"
    return f"{groups['base']} {groups['sign']} {more}" if groups["base"] else more


def _choice(groups: Groups) -> str:
    """Return what a player chooses, words in quotes; where nobody asks, it is the last."""
    said = re.split(r"\s*(?:,|/|\b(?:or|and)\b)\s*", groups["ways"])
    ways = [way if re.fullmatch(r"yes|no|[0-9]+|\W.*", way, re.IGNORECASE) else f'"{way}"' for way in said]
    return f"choose({', '.join(ways)})" + (f"{groups['case']}, else {ways[-1]}" if groups["case"] else "")


def _choice_of_numbers(groups: Groups) -> str | None:
    """Return a choice of each number of a range."""
    numbers = range(int(groups["low"]), int(groups["high"]) + 1)
    return f"choose({', '.join(map(str, numbers))})" if len(numbers) > 1 else None


def _faces(groups: Groups) -> str:
    """Return a question for how many dice show a face: ``at least one six``."""
    number, face = (NUMBERS.get(groups[name].lower(), groups[name]) for name in ("number", "face"))
    sign = "=" if groups["relation"].startswith("exactly") else ">="
    least = "= 0" if number.lower() == "no" else f"{sign} {number if number.isdecimal() else 1}"
    return f"count({groups['pool'] or 'pool'} = {face}) {least}"


def _quantity(groups: Groups, ending: str) -> str:
    """Return how much there is of something: ``at least 2 hits`` is ``hits at least 2``."""
    number = NUMBERS.get(groups["number"].lower(), groups["number"])
    return f"{groups['name']}{ending} {(groups['relation'] or 'is').strip()} {number}{groups['end'] or ''}"


def _function(groups: Groups) -> str | None:
    """Return what is meant by a function of another language."""
    inner, name = groups["inner"].strip(), groups["word"].lower()
    dice, _, number = (part.strip() for part in inner.partition(","))
    whole = inner if re.fullmatch(r"\w+", inner) else f"({inner})"
    counted = f"count({inner})" if re.search("[<>=]", inner) else f"count({dice} >= {number})" if number else None
    ways = {
        **dict.fromkeys(("best", "top"), f"highest({inner})"),
        **dict.fromkeys(("dice", "hits", "success", "successes"), counted),
        **dict.fromkeys(("sum", "total"), counted or inner),
        "half": f"{whole} / 2",
        **dict.fromkeys(("twice", "double"), f"2 * {whole}"),
        "even": f"{whole} % 2 = 0",
        "odd": f"{whole} % 2 = 1",
        "explode": f"{dice}!{number}",
        "reroll": f"{dice}r{number or 1}",
    }
    return ways[name]


_ADDED_UP = "dice are added up by themselves"
_REMAINDER = "'%' is the remainder of a division"
_FUNCTIONS: Final = (
    *("count", "highest", "lowest", "matches", "sides", "roll", "choose"),
    *("min", "max", "abs", "floor", "ceil", "round"),
)
_PARTS: Final = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_TIMES: Final = r"(?ai:twice|double|triple)"
_NAME: Final = rf"(?!{KEYWORD})[^\W\d_]\w*+(?:\s+(?!{KEYWORD})\w++)*+"
_OF_CONDITIONS: Final = (
    r"(?ai:\b(?P<which>all|any|both|each|none|neither|at\s+least\s+one)\s+of\s+(?:the\s+)?)"
    rf"(?P<names>{_NAME}(?:\s*(?:,\s*(?:(?:and|or)\s+)?|\b(?:and|or)\s+){_NAME})++)(?=\s*(?:\Z|\)|,?\s*(?:else|otherwise)\b))"
)
_UP: Final = "|".join(UPWARDS)
_DOWN: Final = "|".join(DOWNWARDS)
LOWEST_BOUND: Final = (
    r"at\s+(?:the\s+)?least|min(?:imum)?(?:\s+of)?|no\s+less\s+than"
    r"|(?:never|not)\s+(?:below|under|(?:less|lower)\s+than)"
)
HIGHEST_BOUND: Final = (
    r"at\s+(?:the\s+)?most|max(?:imum)?(?:\s+of)?|no\s+more\s+than|(?:never|not)\s+(?:above|over|(?:more|higher)\s+than)"
    r"|(?:capped|limited|clamped)\s+(?:at|to)|up\s+to"
)
_WORD_CASES: Final = rf"\s*{_NAME}\s+if\b[^,]+?(?:,\s*{_NAME}\s+if\b[^,]+?)*\s*,?\s*\b(?:else|otherwise)\s+{_NAME}\s*"
_SAID_BOUND: Final = (
    r"\s*(?P<whole>[^,]*?[^,\s(])\s*(?:[,(]\s*(?:but\s+)?|\bbut\s+|\b(?=min|max|capped|limited|clamped))(?P<bound>"
    rf"(?:(?P<low>{LOWEST_BOUND})|(?P<high>{HIGHEST_BOUND}))\s+(?P<number>[0-9]+)"
    r"|(?P<behind>[0-9]+)\s+(?:at\s+(?:the\s+)?)?(?:(?P<least>least|min(?:imum)?)|most|max(?:imum)?))\)?\s*"
)
_NO_SUM: Final = r"\b(?:if|else|otherwise|is|are|and|or|not|at|between)\b"
# fmt: off
RULES: Final[tuple[Row, ...]] = (
    _said_bound,
    _some_of,
    sentence(
        r"(?:(?P<base>[^,]*?[^,\s])\s*,?\s*(?P<sign>[-+])\s*)?(?P<number>[0-9]+)\s*(?:per|(?:for\s+)?(?:each|every))"
        r"\s+(?P<name>[^\W\d_]\w*)",
        _per,
    ),
    sentence(
        r"(?P<value>[^,]*?[^,\s])\s*,\s*(?:[x×*]|times)\s*(?P<number>[0-9]+)\s+(?P<case>if\s+[^,]+)",
        lambda groups: f"{groups['number']} * {as_operand(groups['value'])} {groups['case']}, else {groups['value']}",
    ),
    sentence(
        r"(?:(?:the\s+)?player\s+)?(?:cho(?:oses?|ice)|picks?|asks?)\s*:?\s*(?:(?:between|of)\s+)?\(?\s*"
        r"(?P<ways>[^\s(),/]+(?:\s*(?:,|/|\b(?:or|and)\b)\s*[^\s(),/]+)+)\s*\)?(?P<case>\s+if\s+[^,]+)?",
        _choice,
    ),
    sentence(r"choose\s*(?:\(\s*\))?", "choose(yes, no)"),
    Mistake(
        "", r"^\s*(?P<relation>at\s+least\s+|exactly\s+|)",
        rf"(?P<number>[0-9]+|{NUMBER_WORD}|an?|any|no)\s+(?:or\s+more\s+)?(?:(?:dic?e\s+)(?:is|are|shows?)\s+(?:an?\s+)?)?"
        rf"(?P<face>{NUMBER_WORD}|[0-9]+(?=\s*\Z|e?s\b|\s+(?:in|on|among)\b))(?:e?s)?(?:\s+(?:in|on|among)\s+(?P<pool>\w+))?\s*\Z",
        COUNTED, "give it a line of the rule, as in sixes = count(pool = 6)", _faces,
    ),
    *(
        sentence(
            rf"(?={COMPARE}|[0-9]+\s*(?:[-+]|or\b)|(?:{NUMBER_WORD})\b)(?P<relation>(?:{COMPARE})\s*)?(?P<number>[0-9]+|{NUMBER_WORD})(?P<end>\s*[-+]|\s+or\s+(?:{_UP}|{_DOWN}))?"
            rf"\s+(?P<name>{_NAME})",
            partial(_quantity, ending=ending),
        )
        for ending in ("s", "")  # at least one hit
    ),
    sentence(
        r"choose\s*\(?\s*(?:a\s+)?(?:number\s+)?(?:from\s+)?(?P<low>[0-9])\s*(?:to|\.\.+)\s*(?P<high>[0-9])\s*\)?",
        _choice_of_numbers,
    ),
    sentence(r"count\s*\(\s*(?P<number>[0-9]+)s?\s+(?:in|of|on)\s+(?P<pool>\w+)\s*\)", "count({pool} = {number})"),
    sentence(
        r"(?:(?P<pool>(?!\d)\w+)\s+(?:has|have|contains?|shows?)\s+)?"
        r"(?:(?:any|at\s+least)\s+(?:2|two)\s+(?:dice\s+)?(?:match|are\s+(?:the\s+same|alike|equal))"
        rf"|(?:a\s+)?(?:pair|doubles?)|(?:a\s+)?(?P<triple>triples?)|(?P<number>[2-9]|{'|'.join(NUMBER_WORDS[2:7])})\s+of\s+a\s+kind)"
        r"(?:\s+(?:in|on)\s+(?P<behind>\w+))?",
        _alike,
    ),
    sentence(
        r"(?:all|every)\s+(?:dice|die)\s+(?:(?:is|are)\s+)?different|no\s+(?:two\s+)?(?:dice|pairs?|doubles?)(?:\s+(?:are\s+)?(?:alike|match|equal))?",
        "matches(pool) = 1",
    ),
    sentence(
        r"(?:the\s+)?(?:middle|median)\s*(?:\(\s*|(?:die\s+)?(?:of|in)\s+(?:the\s+)?)(?P<pool>(?!\d)\w+)\s*\)?",
        "highest({pool}, 2) - highest({pool})", "of three dice it is the second highest",
    ),
    sentence(
        r"(?P<one>[^,<>=]*?[^,<>=\s])\s+(?:is\s+)?within\s+(?P<number>[0-9]+)\s+of\s+(?P<other>\w[\w ]*)",
        "abs({one} - {other}) <= {number}",
    ),
    sentence(
        r"(?P<base>(?:(?!\bif\b)[^,])*[^,\s])\s*(?P<sign>[-+])\s*(?P<more>(?:(?!\bif\b)[^-+,])+?)"
        r"\s+(?P<case>if\s+[\w ]*\w)\s*,?\s*(?P<and>[-+])\s*(?P<other>(?:(?!\bif\b)[^-+,])+?)"
        r"\s+(?P<last>if\s+[\w ]*\w)",
        "{base}, {sign}{more} {case}, {and}{other} {last}",
    ),
    sentence(
        r"(?:all|every)\s+(?:dice|die)\s+(?:(?:is|are)\s+)?(?:equal|alike|(?:show\s+)?the\s+same)(?:\s+(?:in|on)\s+(?P<pool>\w+))?",
        _all_alike,
    ),
    sentence(r"(?:the\s+)?difference\s+(?:between|of)\s+(?P<one>\w+)\s+and\s+(?P<other>\w+)", "abs({one} - {other})"),
    sentence(
        rf"(?P<one>{_NAME})\s+and\s+(?P<other>{_NAME})\s+(?:are\s+)?both\s+(?P<test>(?:{COMPARE}).+)",
        "{one} {test} and {other} {test}",
    ),
    sentence(
        r"(?P<first>[^,<>=]+?)\s+or\s+(?P<second>[^,<>=(]*[^,<>=(\s])\s*[,(]?\s*(?:if\s+|whichever\s+is\s+)(?:the\s+)?"
        r"(?P<end>high|bett|great|larg|low|wors|less|small)(?:er|est|e)?\)?",
        _chosen_value,
    ),
    sentence(
        rf"(?:count\s*\(\s*)?(?P<dice>[0-9]*d[0-9]+)\s*,?\s*(?:(?:count(?:ing)?|success(?:es)?|hits?)\s+)?(?:(?:on|at|of|is)\s+)?"
        rf"(?P<number>[0-9]+)\s*(?:\+|or\s+(?:{_UP}))\s*\)?",
        "count({dice} >= {number})",
    ),
    sentence(r"(?P<dice>[0-9]*d[0-9]+)\s*(?P<test>(?:[<>]=?|=)\s*[0-9]+)\s+each", "count({dice} {test})"),
    sentence(
        r"(?:a\s+)?(?P<many>pair|triple)\s+of\s+(?P<number>[0-9]+)s(?:\s+(?:in|on)\s+(?P<pool>\w+))?",
        _alike_faces,
    ),
    sentence(
        r"(?P<range>[0-9]+(?:\s*-\s*[0-9]+|[+-]))\s+on\s+(?:(?:the|a)\s+)?(?P<name>(?!dice\b|\w*pool|\w*s\b)[^\W\d]\w*)",
        "{name} is {range}",
    ),
    sentence(
        rf"(?P<base>(?:(?!{_NO_SUM})[^,<>=])*[^,<>=\s])\s*,\s*(?P<more>[-+]\s*(?:(?!{_NO_SUM})[^,<>=])+)",
        "{base} {more}",
    ),
    sentence(
        r"(?:(?P<base>[^,]*?[^,\s])\s*,?\s*(?P<sign>[-+])\s*)?(?P<number>[0-9]+)\s*(?:per|for\s+(?:each|every))"
        r"\s+(?P<step>[0-9]+)\s+(?:points?\s+)?(?:of\s+|in\s+)?(?P<whole>(?!over\b|above\b|below\b|under\b)[^\W\d_]\w*)",
        lambda groups: _per({**groups, "name": f"{groups['whole']} / {groups['step']}"}), "division rounds down",
    ),
    sentence(r"(?P<value>.*\S)\s+each", "{value}"),
    Mistake(
        "operator", r"\b[0-9]+\s*", r"(?:per|for\s+(?:each|every))\s+(?P<number>[0-9]+)\b",
        "division rounds down", "write it as in max(margin, 0) / {number}",
    ),
    Mistake("operator", r"(?<!\w)(?P<number>[0-9]+)", r"[dD](?!\w)", "dice have sides", "write it as in {number}d6"),
    sentence(
        r"(?:either\s+)?(?P<one>[^,]*?[^,\s])\s+or\s+(?P<other>[^,]*?[^,\s])\s*,?\s*but\s+not\s+both",
        "({one}) != ({other})",
    ),
    sentence(
        r"(?P<one>[^,<>=]*?[^,<>=\s])\s+(?:beats|exceeds|(?:is\s+)?(?:above|over|(?:more|higher|greater)\s+than))"
        r"\s+(?P<other>[^,<>=]*?[^,<>=\s])\s+by\s+(?:at\s+least\s+)?(?P<number>\w+)(?:\s+or\s+more)?",
        "{one} >= {other} + {number}",
    ),
    sentence(
        r"(?P<base>[0-9]*d[0-9][^,<>=]*?)\s*,?\s+or\s+(?P<more>[0-9]*d[0-9][^,<>=]*?)\s+(?P<case>if\s+[^,]+)",
        "{more} {case}, else {base}",
    ),
    sentence(
        rf"(?P<names>{_NAME}(?:\s*,\s*{_NAME})+)\s*,?\s*(?P<join>and|or)\s+(?P<last>{_NAME})", _listed_names
    ),
    Mistake(
        "operator", ONE_DIE, rf"{ADVANTAGE}\s*(?P<case>if\s+[^,]+?)\s*\Z",
        HIGHER, "", "2d{sides}kh1{rest} {case}, else 1d{sides}{rest}",
    ),
    Mistake(
        "operator", r"(?P<one>(?:\b(?:is|are)|(?<![<>])=)\s*(?:not\s+)?[0-9]+)\s*",
        r"(?ai:&&?|und|et)\s*(?=[0-9]+\s*(?:\Z|[,)]|(?:and|or|if)\b))", "", "", "{one} or ",
    ),
    sentence(
        r"(?P<low>[0-9]+)\s*to\s*(?P<high>[0-9]+)\s*(?:\b(?:is|are)\b|=)\s*(?P<name>[\w ]*\w)",
        "{name} is {low} to {high}",
    ),
    sentence(
        r"(?P<whole>[^,]*[^,\s])\s*,?\s*to\s+a\s+(?P<end>min|max)imum\s+of\s+(?P<number>[0-9]+)",
        bounded_value, WORDS_DO_NOT,
    ),
    Mistake(
        "", r"(?P<name>\w[\w ]*?)\s+(?:is|are)\s+(?P<pair>either|neither|both)\s*", rf"(?={COMPARE})",
        "", "", "{pair} {name} ",
    ),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+", r"without\s+(?:the\s+)?(?P<what>(?:high|low)est\s*\([^()]*\))", "", "",
        "{pool} - {what}",
    ),
    Mistake(
        "operand", "", rf"no\s+(?P<name>(?!{KEYWORD})[^\W\d_][\w.]*)(?=\s*(?:\Z|[,)]|(?:and|or)\b))", "", "",
        {"for a number": "{name} = 0", "for yes or no": "not {name}"},
    ),
    spelled,
    Mistake("operand", r"(?:(?<=\bis\s)|(?<=\bare\s)|(?<=\bnot\s)|(?<==)|(?<==\s))", r"one\s+of\s+", "", "", ""),
    Mistake(
        "operand",
        rf"(?:\b(?:is|are)\s+)?(?:=|\bequals?(?:\s+to)?|\b(?:(?P<one_up>{_UP})|{_DOWN}|beats|meets)(?:\s+than)?)\s*",
        rf"or\s+(?:equals?(?:\s+to)?|(?:(?P<up>{_UP}|beats|exceeds)|{_DOWN})(?:\s+than)?)\s+", "", "",
        lambda groups: f"{'>=' if groups['up'] or groups['one_up'] else '<='} ",
    ),
    Mistake(
        "operand", "",
        r"(?:the\s+)?(?P<count>second|third)\s+(?P<end>high|low)est\s*"
        r"(?:\(\s*|(?:die\s+)?(?:of|in)\s+(?:the\s+)?)(?P<pool>(?!\d)\w+)\s*\)?",
        "", "", _ranked,
    ),
    Mistake(
        "", r"(?<=[\w)])\s*(?:\b(?:is|are)\s+)?",
        r"(?:(?:in|of)\s*[\[({](?P<words>[\w ]+(?:,[\w ]+)+)|[\[({](?P<numbers>[0-9]+(?:\s*,\s*[0-9]+)+))\s*[\])}]",
        "", "", lambda groups: f" is {re.sub(' *, *', ' or ', groups['words'] or groups['numbers'])}",
    ),
    # Values.
    Mistake(
        "operand", "", r"(?ai:roll|throw)\s+(?=[0-9dD(])", "dice are thrown by themselves", "leave the word out", ""
    ),
    Mistake("operand", "", r"(?ai:sum|total)\s+of\s+(?:the\s+)?", _ADDED_UP, "leave the words out", ""),
    Mistake("", r"\s*,\s*", r"(?ai:add)\s+(?=[^,]*\bif\b)", "", "", ", +"),
    Mistake("", r"\s*(?:\b(?:and|then)\s+|[,+]\s*)?", r"(?ai:add)\s+(?:the\s+)?", _ADDED_UP, "write +", " + "),
    Mistake(
        "operand", "",
        r"(?ai:(?:the\s+)?(?P<end>high|low|best|bett|worst|wors|great|less|small)(?:est|er|e)?)\s+of\s+"
        r"(?P<first>\w[\w ]*?)\s*(?:\b(?:and|or)\b|,)\s*(?P<second>\w[\w ]*)",
        "", "write max(a, b), or min(a, b)", _chosen_value,
    ),
    Mistake(
        "", "",
        rf"(?ai:(?:the\s+)?(?:(?P<count>[0-9]+|{NUMBER_WORD})\s+)?(?P<end>high|low|best|worst|top|bottom)(?:est|er)?\s*(?:(?P<number>[0-9]+|{NUMBER_WORD})\s*)?(?:dic?e\s+)?"
        r"(?:(?:of|from|in)\s+)?(?:the\s+)?\(?\s*)(?P<dice>[^\W\d_](?:[\w ]*\w)?)(?:\s*\))?",
        "", "", _asked,
    ),
    Mistake(
        "operand", "",
        r"(?P<which>(?ai:any|some|all|each|every|none|no))(?:\s+(?:of\s+)?|\s*\()"
        rf"(?P<test>[^\W\d_][\w ]*?\s*(?:{COMPARE})[^()]*?)\s*(?:\)|\Z)",
        COUNTED, "write it as in count(pool >= 8), which is >= 1 for any, = count(pool) for all", _quantified,
    ),
    Mistake(
        "operand", "", r"(?ai:if|wenn|si)\s*\((?P<test>[^;,]+)[;,]\s*(?P<value>[^;,]+)[;,]\s*(?P<other>[^;,()]+)\)",
        VALUE_FIRST, AS_A_CASE, "({value} if {test}, else {other})",
    ),
    Mistake(
        "operand", "",
        r"(?P<word>(?ai:best|top|sum|total|half|twice|double|explode|reroll|dice|hits|success(?:es)?|even|odd))"
        r"\s*\((?P<inner>[^()]*)\)",
        "", f"the functions are {listed(_FUNCTIONS, 'and')}", _function,
    ),
    Mistake(
        "operand", "", rf"(?ai:(?P<name>{'|'.join(_FUNCTIONS)}))(?=\s*\()",
        "functions are written in small letters", "", lambda groups: groups["name"].lower(),
    ),
    Mistake("operand", "", r"(?P<name>max|min)imum\s*(?=\()", "", "", "{name}"),
    Mistake(
        "operand", "", r"(?ai:mean|median|average|p)\s*\(",
        "a figure of the odds is no value", "write the number that it is",
    ),
    Mistake(
        "operand", "", r"(?P<word>(?![dD][0-9])[^\W\d_]\w*)\s*\(",
        "", f"there is no {{word}}(); {_ADDED_UP}, and the functions are {listed(_FUNCTIONS, 'and')}",
    ),
    Mistake(
        "operand", r"^\s*(?P<number>[0-9]+)\s*\+\s*", r"(?:on|with)\s+(?P<rest>.*\S)",
        RELATION_BETWEEN, "", "{rest} >= {number}",
    ),
    Mistake(
        "operator", r"(?P<name>(?:high|low)est\s*\()\s*(?P<number>[0-9]+)\s*", r"of\s+(?P<dice>[^()]*[^()\s])\s*\)",
        "the number stands behind the dice", "", "{name}{dice}, {number})",
    ),
    Mistake(
        "operator", r"(?P<start>\b(?:min|max|highest|lowest)\s*\([^()]*?)\s*", r";\s*",
        "commas separate values", "", "{start}, ",
    ),
    # Dice.
    Mistake(
        "operand", "", r"[@$#%](?:\{\s*(?P<braced>\w+)\s*\}|(?P<name>\w+)%?)(?P<dice>\s*[dD](?=[0-9])|)",
        "", "write a name as it is, or [rating]d6 for dice", _sigil,
    ),
    Mistake(
        "operator", r"(?P<count>[0-9]+)\s*", r"(?ai:dice|d)\s+of\s+(?P<sides>[0-9]+)",
        "dice are written with a d", "", "{count}d{sides}",
    ),
    Mistake(
        "operand", "", r"(?P<name>[^\W\d_]\w*?)\s*[dD](?P<sides>[0-9]+)",
        "a number of dice that has a name stands in brackets", "", "[{name}]d{sides}",
    ),
    Mistake(
        "", r"(?<!\w)(?P<count>[0-9]*)\s*", r"[dD]\s*(?P<name>(?!oubled\b)[^\W\d_]\w*)",
        "a number of sides that has a name stands in brackets", "", "{count}d[{name}]",
    ),
    Mistake(
        "operator", r"(?<!\w)(?P<dice>1?[dD](?P<sides>[0-9]+))\s+", r"[xX]\s*(?P<number>[0-9]+)(?!\w)",
        "", "", {"for more dice": "{number}d{sides}", "to multiply": "{dice} * {number}"},
    ),
    Mistake(
        "operator", r"(?<!\w)(?P<number>[0-9]+|[^\W\d]\w*)\s*",
        r"(?:[xX]\s*\(?|\(|(?=1[dD])|(?<=[^\W\d]\s))(?P<dice>1?[dD](?P<sides>[0-9]+))\)?",
        "", "", {"for more dice": _more_dice, "to multiply": "{number} * {dice}"},
    ),
    # Numbers.
    Mistake(
        "", "", rf"(?ai:(?:(?:{NUMBER_WORD})\s+|(?<=[0-9]\s))(?:dic?e|success(?:es)?|hits?|of\s+them)\b)",
        COUNTED, "write it as in count(pool >= 5) >= 2, or leave the word out",
    ),
    THOUSANDS,
    DECIMAL._replace(hint=""),
    Mistake(
        "operand", "",
        rf"(?ai:(?:(?:an?|one)\s+)?(?P<part>{'|'.join(_PARTS)})\s+(?!full\b)(?:of\s+)?(?:(?:the|your)\s+)?)"
        rf"(?P<value>{BARE}(?:{ANY_MODIFIER})*+(?!\w)|[^\W\d_]\w*(?:\s+(?!{KEYWORD})\w+)*)",
        WORDS_DO_NOT, "", _part,
    ),
    sentence(
        rf"(?P<value>[^,]*[^,\s])\s*,?\s+(?P<times>{_TIMES}d?|half|halved)\s+(?:it\s+)?(?P<case>if\s+[^,]+?)",
        _multiple_if, WORDS_DO_NOT,
    ),
    Mistake("operand", "", rf"(?P<times>{_TIMES})\s+(?:the\s+)?(?=\w)", WORDS_DO_NOT, "", _multiple),
    Mistake("operand", "", r"(?P<name>(?!\d)[\w ]*?[^\W\d])(?P<power>[²³])", "", "", _raised),
    Mistake(
        "operand", "", rf"(?ai:(?P<word>{NUMBER_WORD}))(?P<dice>(?:\s+[dD](?=[0-9]))?)(?!\w|\s+of\b)",
        "numbers are digits", "write digits", lambda groups: NUMBERS[groups["word"].lower()] + groups["dice"].strip(),
    ),
    Mistake("operand", "", "½", "numbers are digits", "write 0.5 as a factor, as in 0.5 * damage"),
    Mistake("operand", r"/", r"/", "one '/' is enough, division rounds down", "write '/'", "/"),
    sentence(
        r"(?P<whole>.*[^\s,(])\s*,?\s*\(?\bround(?:ed|s)?\s+(?P<way>up|down)\)?", _rounded, WORDS_DO_NOT
    ),
    # Shares.
    sentence(r"(?P<number>[0-9]+)\s*%", "1d100 <= {number}", "a chance is thrown"),
    Mistake(
        "operand", r"(?P<number>[0-9]+)\s*%\s*", r"(?:of|[*×xX])\s*(?P<value>[\w(].*)",
        _REMAINDER, "write it as in 0.5 * damage", _share,
    ),
    Mistake(
        "operand", r"[*×]\s*(?P<number>[0-9]+)\s*%\s*", r"(?P<value>)\Z",
        _REMAINDER, "write it as in 0.5 * damage", _share,
    ),
    Mistake(
        "operand", r"(?P<value>\w[\w ]*?)\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s*%\s*", r"(?=\Z|[,)])",
        _REMAINDER, "leave it out",
        {"for a number": "{value} {sign} {number}", "for a part of it": _more_of},
    ),
    Mistake("operand", r"(?P<number>[0-9]+)\s*%\s*", r"(?=\Z|[,)])", _REMAINDER, "leave it out", "{number}"),
    sentence(r"(?P<low>[0-9]+)\s*in\s+(?P<high>[0-9]+)", "1d{high} <= {low}", "a chance is thrown"),
    Mistake(
        "operator", r"(?<![\w.])(?P<low>[0-9]+)\s*", r"in\s+(?P<high>[0-9]+)(?![-+0-9])",
        "a chance is thrown", "write it alone, as in lucky = 1d{high} <= {low}",
    ),
    *QUESTIONS,
    *CONDITIONS,
    _word_cases,
    *OF_DICE,
    spelling_alone,
    Mistake("operator", r"\s*", r"[xX]\s*(?=[\w(])", "", "", " * "),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+", rf"(?P<modifiers>(?:{MODIFIER})++){WORD_END}",
        "a modifier follows dice in parentheses", "", "({pool}){modifiers}",
    ),
    Mistake("", "", "[\"'“”„‘’‚«»]", "", 'put words between two quotation marks, as in "hit"'),
    *(
        row._replace(hint="") if isinstance(row, Mistake) else row
        for row in SHARED
        if row is not parenthesis and row not in RESOURCES
    ),
    Mistake(
        "operator", r"(?<![\w.])1\s*/\s*(?P<number>[0-9]+)\s*",
        rf"(?ai:(?:of\s+)?(?:(?:the|your)\s+)?)(?P<value>(?!{KEYWORD})[^\W\d_]\w*)",
        WORDS_DO_NOT, "", "{value} / {number}",
    ),
    # Behind a comparison what follows is another one.
    Mistake(
        "operator", r"(?P<start>(?:^|[-+*/(,])\s*)(?P<number>[0-9]+)\s*", r"(?=[^\W\d_](?![0-9]))",
        "", "", "{start}{number} * ",
    ),
)
# fmt: on
