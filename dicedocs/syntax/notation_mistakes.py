"""Common mistakes in the full notation, and what other tools write where this one has another spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from dicedocs.errors import listed, quoted
from dicedocs.syntax.mistakes import (
    COUNT,
    DECIMAL,
    IN_A_RULE,
    NO_RANGES,
    OPERATOR_WORD,
    PLAIN,
    RESOURCES,
    SHARED,
    SIDES,
    THOUSANDS,
    WORDS,
    Diagnosis,
    Dialect,
    Groups,
    IllegalText,
    Mistake,
    compiled,
    parenthesis,
)
from dicedocs.syntax.modifiers import MODIFIERS, modifier_pattern
from dicedocs.syntax.relations import COMPARE, DOWNWARDS, KEYWORD, NUMBER_WORDS, TURNED, UPWARDS, read_relation

Row: TypeAlias = Mistake | Callable[[IllegalText], Diagnosis | None]
"""A mistake of a table, or a function that diagnoses one."""


def diagnose(failure: IllegalText) -> Diagnosis | None:
    """Return the first mistake of the table that matches a failure."""
    return next(diagnoses(failure), None)


def diagnoses(failure: IllegalText) -> Iterator[Diagnosis]:
    """Yield the mistakes of the table that match a failure."""
    for mistake in MISTAKES[failure.dialect]:
        diagnosis = mistake.match(failure) if isinstance(mistake, Mistake) else mistake(failure)
        if diagnosis is not None:
            yield diagnosis


def _brace(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a brace that is never closed."""
    text, at, _, _ = failure
    if at < len(text) or text.count("{") <= text.count("}") or failure.wanted == "operand":
        return None
    end = len(text.rstrip())
    return Diagnosis(
        text.rindex("{"), "'{' is never closed", "write '}' where it ends", slice(end, end), {"": "}"}, complete=True
    )


def _chosen(groups: Groups) -> str:
    """Return the dice with the modifier that some words describe, such as "keep the highest 3"."""
    drops = groups.get("action", "").lower().startswith(_DROPS)
    high = groups["end"].lower() in {"high", "best", "better", "top"} if groups.get("end") else not drops
    number = _number(groups["number"] or groups.get("count") or "1")
    count, _, dice = groups["dice"].rpartition(" ")
    return f"{_number(count)}{dice}{'d' if drops else 'k'}{'h' if high else 'l'}{number}"


def _number(written: str) -> str:
    """Return a number in digits."""
    return _NUMBERS.get(written.lower(), written)


def _chosen_of_two(groups: Groups) -> str:
    """Return the better, or the worse, of two dice: of one that is thrown twice."""
    which = "h" if groups["end"].lower() in {"high", "best", "better"} else "l"
    return f"2d{groups['sides']}k{which}1{groups['rest']}"


def _middle(groups: Groups) -> str | None:
    """Return the die in the middle; ``None`` if there is none."""
    count, _, sides = groups["dice"].lower().partition("d")
    half, odd = divmod(int(count), 2) if count.isdecimal() else (0, 0)
    return f"{count}d{sides}dl{half}dh{half}" if odd and half and sides.isdecimal() else None


def _chosen_of(groups: Groups) -> str:
    """Return some of the dice that have a name: ``(pool)dl1``."""
    action = groups["action"] or "drop"
    return _chosen({**groups, "dice": f"({groups['pool']})", "action": action})


def _exploding(groups: Groups) -> str | None:
    """Return dice that explode; ``None`` if they cannot show the face."""
    sides, test = re.search(r"[dD]([0-9]+)", groups["dice"]), groups["test"].replace(" ", "")
    if test.isdecimal() and sides and int(test) > int(sides[1]):
        return None
    return f"{groups['dice']}!{test}{'x1' * bool(groups.get('once'))}"


def _times(groups: Groups) -> str | None:
    """Return dice times a number, if ``x6`` can be that."""
    return None if groups["once"] or not groups["test"].isdecimal() else f"{groups['dice']} * {groups['test']}"


def _rerolled(groups: Groups) -> str | None:
    """Return dice that are rerolled until they show something else."""
    return None if groups["once"] or groups["later"] else f"{groups['dice']}r{_rerolled_face(groups)}"


def _rerolled_once(groups: Groups) -> str:
    """Return dice that are rerolled once."""
    return f"{groups['dice']}ro{_rerolled_face(groups)}"


def _rerolled_face(groups: Groups) -> str:
    return groups["sign"] + ("1" if groups["number"].lower().startswith("one") else groups["number"])


def _kept(groups: Groups) -> str | None:
    """Return the dice of roll and keep: ``10k5`` keeps 5 of 10d10."""
    count, kept = groups["count"], groups["sides"]
    keeps = groups["letter"] in "kK" and count.isdecimal() and kept.isdecimal() and not groups["more"]
    return f"{count}d10kh{kept}" if keeps and int(kept) <= int(count) else None


def _reaches(groups: Groups) -> str | None:
    """Return a comparison with a number or a resource, which is reached by as much."""
    return None if _DICE_FIRST.match(groups["right"]) else f"{groups['left']} >= {groups['right']}"


def _ties_win(groups: Groups) -> str | None:
    """Return a comparison with other dice, of which ties are won."""
    return f"{groups['left']} >= {groups['right']}" if _DICE_FIRST.match(groups["right"]) else None


def _ties_lose(groups: Groups) -> str | None:
    """Return a comparison with other dice, of which ties are lost."""
    return f"{groups['left']} > {groups['right']}" if _DICE_FIRST.match(groups["right"]) else None


def _of_all(groups: Groups) -> str | None:
    """Return a sum that is halved, or doubled, as a whole; ``None`` if there is only one value."""
    whole = groups["whole"]
    return f"({whole}) {'*' if groups['factor'] else '/'} 2" if re.search(r"[-+*/%]", whole) else None


def _bounded(groups: Groups) -> str:
    """Return a value that is at least, or at most, so much."""
    function = "max" if groups["end"].lower().startswith(("min", "least")) else "min"
    return f"{function}({groups['whole']}{groups.get('dice', '')}, {groups['number']})"


def _each_bounded(groups: Groups) -> str:
    """Return dice each of which is at least, or at most, so much."""
    return f"{groups['whole']}{groups['dice']}{groups['end'][:2].lower()}{groups['number']}"


def _chosen_value(groups: Groups) -> str:
    """Return the higher, or the lower, of two values."""
    which = "max" if groups["end"][0].lower() in "hbg" else "min"
    return f"{which}({groups['first']}, {groups['second']})"


def _asked(groups: Groups) -> str:
    """Return what is asked of a pool: ``highest(pool, 2)``."""
    written = groups["number"] or groups["count"]
    number = _NUMBERS.get(written.lower(), written)
    which = "lowest" if groups["end"].lower() in {"low", "worst", "bottom"} else "highest"
    return f"{which}({groups['dice']}{', ' * bool(number)}{number})"


def _more_dice(groups: Groups) -> str:
    """Return as many dice as a number says, which may have a name."""
    count = groups["number"]
    return f"{count if count.isdecimal() else f'[{count}]'}d{groups['sides']}"


def _parity(groups: Groups) -> str:
    return f"{groups['lead']}{groups['name']} % 2 {'!' * bool(groups['not'])}= {int(groups['odd'].lower() == 'odd')}"


def _multiple_of(groups: Groups) -> str:
    return f"{groups['lead']}{groups['name']} % {groups['number']} {'!' * bool(groups['not'])}= 0"


def _multiple(groups: Groups) -> str:
    times = groups["times"].lower()
    return "3 * " if times.startswith("triple") else "0.5 * " if times.startswith("hal") else "2 * "


def _raised(groups: Groups) -> str:
    return f"{groups['name']} ** {unicodedata.digit(groups['power'])}"


def _multiple_if(groups: Groups) -> str:
    value = groups["value"]
    return f"{_multiple(groups)}{_whole(value)} {groups['case']}, else {value}"


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


def _denied(groups: Groups) -> str | None:
    """Return what is yes where another condition is not; ``None`` for a number."""
    return None if re.match(r"[0-9(]", groups["value"]) else f"{groups['value']} and not {_whole(groups['test'])}"


def _both(groups: Groups) -> str:
    """Return two conditions, each as one where it is several."""
    parts = (groups["one"].strip(), groups["other"])
    return " and ".join(f"({part})" if re.search(r"(?ai:\b(?:and|or)\b)", part) else part for part in parts)


def _unless(groups: Groups) -> str:
    added = re.fullmatch(r"(?P<base>.*\S)\s*(?P<sign>[-+])\s*(?P<more>[^-+]*\S)", groups["value"])
    if added:  # 1d20 + 2 unless hurt
        return f"{added['base']}, {added['sign']}{added['more']} if not {_whole(groups['test'])}"
    return f"{groups['value']} if not {_whole(groups['test'])}, else 0"


def _whole(value: str) -> str:
    """Return a value as one operand."""
    return value if re.fullmatch(r"\w+", value) else f"({value})"


def spelling_of(written: str) -> str:
    """Return what the language has for a word of another one; empty for any other word."""
    return _SPELLED.get(written.casefold(), "")


def _spelled(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a word or a sign that the language spells in another way, or leaves out."""
    text, at = failure.text, failure.at
    found = compiled(_WORD_OR_SIGN, re.IGNORECASE).match(text, at)
    if found is None or (text[at - 1 : at].isalnum() and found[0][0].isalnum()):
        return None
    written, is_operand = " ".join(found[0].lower().replace("’", "'").split()), failure.wanted == "operand"
    spelling = _SPELLED.get(written, "")
    spelling = spelling.removeprefix("and ") if is_operand else spelling
    if written in _LEFT_OUT and (is_operand or not spelling):
        is_relation = not is_operand and written in {"in", "inside"}
        needs_number = is_relation or (is_operand and written.startswith(("in", "within")))
        behind = (_BEFORE_NUMBER if needs_number else _BEFORE_VALUE if is_operand else _SPACE).match(text, found.end())
        if behind is None or ((is_relation or is_operand or written == "to") and _AFTER_NUMBER.search(text[:at])):
            return None
        return Diagnosis(at, "", "", slice(at, behind.end()), {"": "is " * is_relation})
    if spelling in ({"and", "or"} if is_operand else {"yes", "no"}):
        return None
    if not is_operand and spelling[-1].isalpha() and _NO_VALUE.match(text, found.end()):
        return None
    start, end = len(text[:at].rstrip()), len(text) - len(text[found.end() :].lstrip())
    space = " " * (text[end : end + 1] not in {"", ",", ";", ")"})
    return Diagnosis(at, "", "", slice(start, end), {"": f"{' ' * bool(start)}{spelling}{space}"})


def _spelling_alone(failure: IllegalText) -> Diagnosis | None:
    """Say how a word is spelled of which the rest of the text is not known to be right."""
    found = _spelled(failure)
    spelling = found.fixes[""].strip() if found else ""
    hint = f"write {spelling}{', or given in a claim' * (spelling == 'if')}"
    return found._replace(hint=hint, fixes={}) if found and spelling.isalpha() else None


def _two_claims(groups: Groups) -> str:
    """Return the two comparisons of a chain, each with its figure first."""
    figure = groups["figure"]
    turned, second = TURNED[read_relation(groups["first"])], read_relation(groups["second"])
    return f"{figure} {turned} {groups['low'].strip()}, {figure} {second} {groups['high'].strip()}"


def _gained(groups: Groups) -> str:
    """Return a change that is said in words: ``gain 1 heat``."""
    is_less = groups["way"] in {"lose", "spend", "remove", "subtract", "-", "decrease", "reduce", "lower"}
    return f"{groups['name']} {'-' if is_less or groups.get('down') else '+'}= {groups['value']}"


def _together(failure: IllegalText) -> Diagnosis | None:
    """Diagnose changes that no semicolon separates."""
    text = failure.text
    apart = _TOGETHER.sub("; ", text)
    names, sign, value = re.split(r"([+-]?=)", apart, maxsplit=1) if "=" in apart else (apart, "", "")
    if ";" in names:  # heat, luck += 1
        apart = "; ".join(f"{name.strip()} {sign}{value}" for name in names.split(";"))
    return None if apart == text else Diagnosis(0, "", "", slice(0, len(text)), {"": apart})


def _listing(failure: IllegalText) -> Diagnosis | None:
    """Diagnose words that are listed with commas behind a comparison."""
    for found in compiled(_LISTED).finditer(failure.text):
        if found.start() <= failure.at <= found.end() + 1:
            part = slice(found.start("words"), found.end("words"))
            return Diagnosis(failure.at, "", "", part, {"": _BETWEEN.sub(" or ", found["words"])})
    return None


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
    return Diagnosis(failure.at, _WORDS_DO_NOT, "", slice(0, len(text)), {"": fix})


def _sentence(pattern: str, fix: str | Callable[[Groups], str]) -> Row:
    """Return a mistake that is the whole text, wherever it fails."""

    def diagnosed(failure: IllegalText) -> Diagnosis | None:
        found = compiled(rf"\s*{pattern}\s*", re.IGNORECASE).fullmatch(failure.text)
        if found is None:
            return None
        meant = fix.format_map(found.groupdict()) if isinstance(fix, str) else fix(found.groupdict())
        return Diagnosis(failure.at, "", "", slice(0, len(failure.text)), {"": meant})

    return diagnosed


def _listed_names(groups: Groups) -> str:
    return f" {groups['join'].lower()} ".join([*re.split(r"\s*,\s*", groups["names"]), groups["last"]])


def _alike(groups: Groups) -> str:
    """Return a question for how many dice show the same."""
    number = "3" if groups["triple"] else (groups["number"] or "2").lower()
    return f"matches({groups['pool'] or 'pool'}) >= {_NUMBERS.get(number, number)}"


def _alike_faces(groups: Groups) -> str:
    """Return a question for two or three dice that show a number."""
    dice = groups["pool"] or "pool"
    return f"count({dice} = {groups['number']}) >= {2 if groups['many'].lower() == 'pair' else 3}"


def _share(groups: Groups) -> str | None:
    """Return a part of a value, as ``0.5 * fire``."""
    share = f"{int(groups['number'][:3]) / 100:g}"
    return f"{share} * {groups['value']}" if groups["value"] else f"* {share}"


def _rounded(groups: Groups) -> str:
    """Return a value that is rounded up or down: of a sum its last term, if that alone is divided."""
    function, whole = "ceil" if groups["way"].lower() == "up" else "floor", groups["whole"]
    last = re.fullmatch(r"(?P<first>[^/()]*\S\s*(?:[-+]|plus|minus)\s*)(?P<term>[^-+()/]*/[^-+()/]*)", whole)
    return f"{last['first']}{function}({last['term'].strip()})" if last else f"{function}({whole})"


def _per(groups: Groups) -> str:
    """Return a sum with as many times a number as a name says."""
    times = "" if groups["number"] == "1" else f"{groups['number']} * "
    return f"{groups['base']} {groups['sign']} {times}{groups['name']}"


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
        "explode": f"{dice}!{number}",
        "reroll": f"{dice}r{number or 1}",
    }
    return ways[name]


_DICE_FIRST: Final = re.compile(r"[0-9]*[dD][0-9%]")
_MODIFIERS: Final = modifier_pattern()
_MODIFIER: Final = rf"(?=[a-z!])(?!!\s*=)(?:{_MODIFIERS})(?![^\W\d_])"
_BARE: Final = rf"(?<!\w){SIDES}?[dD](?:{SIDES}|%|[fF](?:\.[12])?|\{{[^{{}}]*\}})"
# A quantifier with a plus never goes back, so that a long text is tried once.
_THROWN: Final = rf"(?P<dice>(?:{_BARE}|[)}}])(?:{_MODIFIERS})*+)"
_END: Final = r"(?![^\W_])"
_ONE_FACE: Final = rf"{_END}(?!\s*(?:,|and\b|or\b|-)\s*[0-9])"
_AND: Final = r"(?:(?:,|(?ai:and|then)\b)\s*)?"
_LETTERS_END: Final = r"(?![^\W\d_])"
_ADVANTAGE: Final = r"(?i:(?:with\s+|at\s+|mit\s+|avec\s+|con\s+)?(?:adv(?:antage)?|vorteil|avantage|ventaja))\b"
_DISADVANTAGE: Final = (
    r"(?i:(?:with\s+|at\s+|mit\s+|avec\s+|con\s+)?(?:dis(?:adv(?:antage)?)?|nachteil|désavantage|desventaja))\b"
)
_ONE_DIE: Final = (
    r"(?<![\w.])1?[dD](?P<sides>[0-9]+)(?P<rest>(?:\s*[-+]\s*(?:[0-9]++(?![dD])|\[[^\[\]]*\](?![dD])))*+)\s*"
)
_ACTION: Final = (
    r"(?P<action>drop(?:s|ped|ping)?|discard(?:s|ed|ing)?|remov(?:es?|ed|ing)|keep(?:s|ing)?|kept|tak(?:es?|ing)"
    r"|us(?:es?|ing))"
)
_NUMBERS: Final = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
_NUMBER_WORDS: Final = "|".join(_NUMBERS)
_COUNT: Final = rf"(?:[0-9]{{1,4}}|{_NUMBER_WORDS})"
_RANKS: Final = r"(?P<end>high|low|best|better|worst|worse|top|bottom)(?:est|er)?"
_CHOOSES: Final = _ACTION[:-1] + r"|ignor(?:es?|ed|ing)|pick(?:s|ed|ing)?|choos(?:es?|ing)|los(?:es?|ing)|without|less)"
"""What may be done with the highest, or with the lowest; with a number alone it says something else."""
_DROPS: Final = ("drop", "discard", "remov", "ignor", "los", "without", "less")
_RULE_WORDS: Final = (
    r"(?ai:adv\w*|dis(?:adv\w*)?|keep\w*|kept|drop\w*|discard\w*|remov\w*|take|use|best|worst|high\w*|low\w*|top|bottom"
    r"|re-?roll\w*|explo\w*|compound\w*|penetrat\w*|unique|min\w*|max\w*|vs|versus|against|success\w*|fail\w*|count\w*"
    r"|sort\w*|sum|roll\w*|dice|die|times|twice|half|per|each|of|once|under|over|target)\b"
)
_LABEL_WORD: Final = rf"(?!{OPERATOR_WORD}|{_RULE_WORDS})[^\W\d_][^\W\d]*+(?!\w)"
_LABEL: Final = rf"(?P<word>{_LABEL_WORD}(?:\s+{_LABEL_WORD})*)"
_NO_COMMAND = "a command of a chat is not part of the notation"
_ANYDICE = "AnyDice writes it so"
_HIGHER = "advantage is the higher of two dice"
_LOWER = "disadvantage is the lower of two dice"
_INLINE = r"(?P<inner>(?:[0-9(+-]|[dD][0-9%])[^\[\]]*)"
_DOUBLE = "double brackets belong to a chat"
_LETTERS = "what is kept or dropped is written with letters"
_OF_NAME = r"(?ai:(?:the|your|their|its|an?)\s+)?(?P<name>[^\W\d_][\w ]*\w)"
_EACH = rf"(?ai:(?:per|for\s+(?:each|every))\s+){_OF_NAME}"
_NO_EACH = "what is there for each of something is multiplied by their number"
_LETTER_D = "dice are written with a d"
_SHOWN = "dice are counted by what they show"
_SIGNS = "the comparisons are = != < <= > >="
_WORDS_DO_NOT = "words do not calculate"
_LABELS = "labels go in brackets, comments after #"
_LABELLED = "write it as in '1d8 [fire]' or '1d8 # fire'"
_FIRST = "the value stands before its condition"
_LAST = "the last value follows else"
_CASE = "write it as in 2d8 if critical, else 1d8"
_ADDED_UP = "dice are added up by themselves"
_RELATION = "a relation stands between the two"
_REMAINDER = "'%' is the remainder of a division"
_COUNTED = "dice are counted by a question"
_FUNCTIONS: Final = (
    *("count", "highest", "lowest", "matches", "sides", "roll", "choose"),
    *("min", "max", "abs", "floor", "ceil", "round"),
)
_TIMES: Final = r"(?ai:twice|double|triple)"
_SPELLINGS: Final[Mapping[str, Sequence[str]]] = {
    "and": ("&", "&&", "und", "et", "y"),
    "or": ("|", "||", "oder", "ou", "o", "and/or"),
    "not": (
        "!",
        "never",
        "no",
        "different from",
        "other than",
        "outside",
        "outside of",
        "nicht",
        "kein",
        "pas",
        "nunca",
    ),
    "and not": ("without",),
    "if": ("when", "whenever", "provided", "provided that", "as long as", "in case", "wenn", "falls", "si", "quand"),
    "else": ("or else", "sonst", "andernfalls", "sinon", "si no"),
    "= 0": ("reaches 0", "reaches zero"),
    "< 0": ("negative",),
    "> 0": ("positive",),
    "is": ("ist", "sind", "est", "es", "was", "were", "must be", "has to be", "should be", "where", "showing", ":="),
    "is not": ("doesn't equal", "does not equal", "differs from", "isnt", "n'est pas", "no es"),
    "at least": (
        *(
            "higher or equal to",
            "higher than or equal to",
            "bigger or equal to",
            "no lower than",
            "no fewer than",
            "not less than",
            "reaches",
            "meets",
            *("meets or beats", "meets or exceeds", "equals or beats", "equals or exceeds", "beats or equals"),
            "a minimum of",
        ),
        *("mindestens", "wenigstens", "au moins", "al menos", "como mínimo"),
    ),
    "at most": (
        *(
            "lower or equal to",
            "lower than or equal to",
            "smaller or equal to",
            "no greater than",
            "no higher than",
            "not more than",
            "a maximum of",
        ),
        *("höchstens", "au plus", "como máximo", "como mucho"),
    ),
    "over": ("larger than", "bigger than", "größer als", "mehr als", "über", "plus de", "plus grand que", "mayor que"),
    "under": ("smaller than", "kleiner als", "weniger als", "unter", "moins de", "plus petit que", "menor que"),
    "between": ("within", "zwischen", "entre"),
    "to": ("till", "bis", "jusqu'à", "hasta"),
    "or more": ("upwards", "onwards"),
    "or less": ("downwards",),
    "**": ("to the power of",),
    "** 2": ("squared",),
    "yes": ("ja", "oui", "sí", "on", "wahr", "vrai", "verdadero"),
    "no": ("nein", "non", "off", "falsch", "faux", "falso"),
    "": (
        *("a", "an", "the", "in", "in the range", "in the range of", "in range", "within", "inside", "same as"),
        *("the same as", "only", "just", "precisely", "to", "inclusive", "included"),
    ),
}
"""What other languages and notations, and some readers, write for each word of the language."""
CASE: Final = rf"\b(?ai:if|{'|'.join(_SPELLINGS['if'])})\b"
"""What stands before a condition, as people write it."""
_SPACE: Final = re.compile(r"\s*")
_BEFORE_VALUE: Final = re.compile(r"\s*(?=[^\W_])")
_BEFORE_NUMBER: Final = re.compile(r"\s*(?=[0-9])")
_NO_VALUE: Final = re.compile(r"\s*(?:\Z|[,;)])")
_AFTER_NUMBER: Final = re.compile(r"[0-9]\s*\+?\s*\Z")
_SPELLED: Final = {written: spelling for spelling, each in _SPELLINGS.items() for written in each if spelling}
_LEFT_OUT: Final = frozenset(_SPELLINGS[""])
_WORD_OR_SIGN: Final = "|".join(
    re.escape(each).replace(r"\ ", r"\s+").replace("'", "['’]") + r"(?!\w)" * each[-1].isalnum()
    for each in sorted({*_SPELLED, *_LEFT_OUT}, key=len, reverse=True)
)
_TOGETHER: Final = re.compile(
    r"(?<=\S)\s*(?:,|&|\b(?:and|then)\b|\.(?=\s))\s*"
    r"(?=[^\W\d_][\w.'’ ]*?\s*(?:[+-]=|=(?![^;]*\b(?:if|else)\b)))(?=[^\"]*\Z)"
)
"""What stands between two changes where a semicolon should."""
_WORD: Final = rf"""["'“]?(?:(?!{KEYWORD})[\w'’-]++["”]?\s*+)++"""
_LISTED: Final = rf"(?:{COMPARE})\s*+(?P<words>{_WORD}(?:,\s*+{_WORD})+,?\s*+(?:or|and(?=\s+[0-9]))\s++{_WORD}(?<!\s))"
_BETWEEN: Final = re.compile(r"\s*,\s*(?:(?:or|and)\s+)?|\s+and\s+")
_COMPARED_NAME: Final = rf"(?P<name>(?<!\w)(?!{KEYWORD})[^\W\d_]\w*(?:\s+(?!{KEYWORD})\w+)*?)"
_SUBJECT: Final = rf"(?P<lead>(?:^|[(,]|\b{KEYWORD})\s*){_COMPARED_NAME}"
"""A name that is no part of a calculation."""
_NAME: Final = rf"(?!{KEYWORD})[^\W\d_]\w*+(?:\s+(?!{KEYWORD})\w++)*+"
_OF_CONDITIONS: Final = (
    r"(?ai:\b(?P<which>all|any|both|each|none|neither|at\s+least\s+one)\s+of\s+(?:the\s+)?)"
    rf"(?P<names>{_NAME}(?:\s*(?:,\s*(?:(?:and|or)\s+)?|\b(?:and|or)\s+){_NAME})++)(?=\s*(?:\Z|\)|,?\s*(?:else|otherwise)\b))"
)
_NO_LIST: Final = rf"(?!\s*(?:,|(?ai:and|or)\b)\s*(?:(?:[0-9]+|(?ai:even|odd))\s*(?:\Z|[,)]|(?ai:and|or)\b)|{COMPARE}))"
"""What has no value behind it that is compared with the same name."""
_UP: Final = "|".join(UPWARDS)
_DOWN: Final = "|".join(DOWNWARDS)
_AS_IN = "modifiers are written as in " + listed((quoted(each.examples[0]) for each in MODIFIERS), "and")

_LOWEST: Final = (
    r"at\s+(?:the\s+)?least|min(?:imum)?(?:\s+of)?|no\s+less\s+than"
    r"|(?:never|not)\s+(?:below|under|(?:less|lower)\s+than)"
)
_HIGHEST: Final = (
    r"at\s+(?:the\s+)?most|max(?:imum)?(?:\s+of)?|no\s+more\s+than|(?:never|not)\s+(?:above|over|(?:more|higher)\s+than)"
    r"|(?:capped|limited|clamped)\s+(?:at|to)|up\s+to"
)
_SAID_BOUND: Final = (
    r"\s*(?P<whole>[^,]*?[^,\s(])\s*(?:[,(]\s*(?:but\s+)?|\bbut\s+|\b(?=min|max|capped|limited|clamped))(?P<bound>"
    rf"(?:(?P<low>{_LOWEST})|(?P<high>{_HIGHEST}))\s+(?P<number>[0-9]+)"
    r"|(?P<behind>[0-9]+)\s+(?:at\s+(?:the\s+)?)?(?:(?P<least>least|min(?:imum)?)|most|max(?:imum)?))\)?\s*"
)
# fmt: off
_OF_DICE: Final[tuple[Row, ...]] = (
    # Other languages and tools.
    Mistake(
        "operand", r"^\s*", r"(?:[/!](?:gm)?r(?:oll)?\b|(?ai:roll|r)\b(?=\s*[0-9dD(\[{]))\s*",
        _NO_COMMAND, "leave it out", "",
    ),
    Mistake(
        "operand", r"^\s*",
        r"output\s+\[\s*(?P<end>high|low)est\s+(?P<number>[0-9]+)\s+of\s+(?P<dice>[0-9]*d[0-9]+)\s*\]",
        _ANYDICE, "", _chosen,
    ),
    Mistake(
        "operand", r"^\s*",
        r"output\s+\[\s*count\s*\{\s*(?P<low>[0-9]+)\.\.(?P<high>[0-9]+)\s*\}\s+in\s+(?P<dice>[0-9]*d(?P=high))\s*\]",
        _ANYDICE, "", "{dice}>={low}",
    ),
    Mistake("operand", r"^\s*", r"output\s+\[\s*explode\s+(?P<dice>d[0-9]+)\s*\]", _ANYDICE, "", "{dice}!x2"),
    Mistake("operand", r"^\s*", r"output\b\s*", _ANYDICE, "leave the word out", ""),
    Mistake(
        "operand", "",
        rf"(?ai:(?:{_CHOOSES}\s+)?(?:only\s+)?(?:the\s+)?(?:(?P<count>{_COUNT})\s+)?{_RANKS}\s+(?:(?P<number>{_COUNT})\s+)?"
        rf"(?:out\s+)?(?:of|from)\s+(?:the\s+)?(?P<dice>(?:(?:{_NUMBER_WORDS})\s+)?[0-9]*d[0-9]+))",
        _LETTERS, "", _chosen,
    ),
    Mistake(
        "operand", "", r"(?ai:(?:the\s+)?(?:middle|median)\s+(?:die\s+)?of\s+(?P<dice>[0-9]*d[0-9]+))",
        _LETTERS, _AS_IN, _middle,
    ),
    Mistake("operand", "", rf"(?ai:half(?:\s+of)?)\s+{_THROWN}", _WORDS_DO_NOT, "", "{dice} / 2"),
    Mistake("operand", "", rf"(?ai:exploding)\s+{_THROWN}", "dice explode by !", _AS_IN, "{dice}!"),
    Mistake("operand", r"^\s*", rf"\[\[{_INLINE}\]\]\s*\Z", _DOUBLE, "", "{inner}"),
    Mistake("operand", "", rf"\[\[{_INLINE}\]\]", _DOUBLE, "", "({inner})"),
    Mistake(
        "operator", rf"(?P<count>{COUNT})", r"(?P<letter>[kKtTnNzZкКдД])(?P<sides>[0-9]+|%)(?=(?P<more>\w?))",
        _LETTER_D, "write them as 2d6", {"for dice": "{count}d{sides}", "for roll and keep": _kept},
    ),
    Mistake("operand", "", rf"[kKtTnNzZкКдД](?P<sides>[0-9]+|%){_END}", _LETTER_D, "write them as d6", "d{sides}"),
    Mistake("operator", rf"(?P<count>{SIDES}?)[dD][fF]", r"(?:ate|udge)\b", "Fate dice are a dF", "", "{count}dF"),
    # Advantage.
    Mistake(
        "operator", _ONE_DIE, rf"\(?\s*{_ADVANTAGE}(?:\s*\))?",
        _HIGHER, "write it as in '2d20kh1'", "2d{sides}kh1{rest}",
    ),
    Mistake(
        "operator", _ONE_DIE, rf"\(?\s*{_DISADVANTAGE}(?:\s*\))?",
        _LOWER, "write it as in '2d20kl1'", "2d{sides}kl1{rest}",
    ),
    Mistake(
        "operand", r"^\s*", rf"{_ADVANTAGE}\s*:?\s*(?:(?ai:on)\s+)?1?[dD](?P<sides>[0-9]+)",
        _HIGHER, "write it as in '2d20kh1'", "2d{sides}kh1",
    ),
    Mistake(
        "operand", r"^\s*", rf"{_DISADVANTAGE}\s*:?\s*(?:(?ai:on)\s+)?1?[dD](?P<sides>[0-9]+)",
        _LOWER, "write it as in '2d20kl1'", "2d{sides}kl1",
    ),
    Mistake("", "", _ADVANTAGE, _HIGHER, "write it as in '2d20kh1'"),
    Mistake("", "", _DISADVANTAGE, _LOWER, "write it as in '2d20kl1'"),
    # What follows dice, in words.
    Mistake(
        "operator", _ONE_DIE,
        rf"(?ai:(?:rolled\s+)?twice\b{_AND}\s*(?:and\s+)?{_CHOOSES}\s+(?:the\s+)?{_RANKS}){_LETTERS_END}(?:\s+(?:die|roll|result)\b)?",
        _LETTERS, "", _chosen_of_two,
    ),
    Mistake(
        "", rf"{_THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:(?:{_CHOOSES}\s*|whichever\s+is\s+)?(?:only\s+)?(?:the\s+)?(?:(?P<count>{_COUNT})\s+)?{_RANKS}){_LETTERS_END}"
        rf"(?:\s*(?P<number>{_COUNT}){_END})?(?ai:\s+(?:die|dice|one|roll|result)\b)?(?ai:\s+(?:counts?|is\s+(?:used|kept|taken))\b)?"
        rf"(?ai:\s+of\s+(?:the\s+)?(?:both|dice|{_NUMBER_WORDS})\b)?(?:\s*\))?",
        _LETTERS, "", _chosen,
    ),
    Mistake(
        "", rf"{_THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:{_ACTION}\s*(?:the\s+)?(?P<number>{_COUNT}){_END}(?:\s+(?:die|dice)\b)?)(?:\s*\))?",
        _LETTERS, _AS_IN, _chosen,
    ),
    Mistake(
        "", rf"{_THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:(?:{_ACTION}\s+)?(?:the\s+)?(?:middle|median)\b(?:\s+die\b)?)(?:\s*\))?",
        _LETTERS, _AS_IN, _middle,
    ),
    Mistake(
        "operator", r"(?P<sign>[-+])\s*1\s*", _EACH,
        _NO_EACH, "write {sign} {name}", "{sign} {name}",
    ),
    Mistake(
        "operator", r"(?P<sign>[-+])\s*(?P<number>[0-9]+)\s*", _EACH,
        _NO_EACH, "write {sign} {number} * {name}", "{sign} {number} * {name}",
    ),
    Mistake(
        "operator", r"(?<![\w.])(?P<count>(?!1[dD])[0-9]+)[dD](?P<sides>[0-9]+)\s*", _EACH,
        _NO_EACH, "write ({count} * [{name}])d{sides}", "({count} * [{name}])d{sides}",
    ),
    Mistake(
        "operator", r"(?<![\w.])1?[dD](?P<sides>[0-9]+)\s*", _EACH,
        _NO_EACH, "write [{name}]d{sides}", "[{name}]d{sides}",
    ),
    Mistake(
        "operator", r"\s*", rf"(?ai:(?:modified|adjusted)\s+by)\s+{_OF_NAME}",
        _WORDS_DO_NOT, "write + {name}", " + {name}",
    ),
    Mistake("operator", r"\s*", r"\(\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s*\)", "", "", " {sign} {number}"),
    Mistake(
        "operator", r"\s*", r"(?:±|\+\s*/\s*-)", "a sign adds, or subtracts",
        "write + and a name that may be below 0, as in 2d6 + modifier",
    ),
    Mistake(
        "operator", _THROWN, rf"(?P<end>[hl])(?P<number>[0-9]+){_END}", _LETTERS, _AS_IN,
        {"to keep dice": "{dice}k{end}{number}", "to drop dice": "{dice}d{end}{number}"},
    ),
    Mistake(
        "operand", rf"{_THROWN}\s*-\s*", rf"(?:the\s+)?(?P<end>[HL]|(?ai:high|low)(?:est)?){_END}",
        _LETTERS, _AS_IN, lambda groups: f"{groups['dice']}d{groups['end'][0].lower()}1",
    ),
    Mistake(
        "operator", _THROWN, r"(?i:x)(?P<once>o)?(?P<test>(?:[<>]=?|=)?[0-9]+)?(?![\w<>=])",
        "dice explode by !", _AS_IN, {"to explode": _exploding, "to multiply": _times},
    ),
    Mistake(
        "operator", rf"{_THROWN}\s*",
        rf"{_AND}\(?\s*(?ai:(?:explo(?:des?|ding)|exp?|aces?|again)\s*(?:on\s+)?(?P<test>(?:[<>]=?\s*)?[0-9]+)?s?){_ONE_FACE}(?:\s*\))?",
        "dice explode by !", _AS_IN, _exploding,
    ),
    Mistake(
        "operator", rf"{_THROWN}\s*",
        rf"{_AND}\(?\s*(?ai:re-?roll(?:s|ed|ing)?\s*(?P<once>once\s+)?(?:(?:on|if|when)\s+)?(?P<sign>(?:[<>]=?)?)\s*(?P<number>[0-9]+|ones?)s?"
        rf"{_ONE_FACE}(?P<later>\s+once\b)?)(?:\s*\))?",
        "dice are rerolled by r", _AS_IN,
        {"to reroll until it shows something else": _rerolled, "to reroll once": _rerolled_once},
    ),
    Mistake(
        "operator", rf"{_THROWN}\s*", rf"[dD](?P<number>[0-9]+){_END}",
        "", "write an operator between the two",
        {"to add dice": "{dice} + d{number}", "to drop dice": "{dice}d{number}"},
    ),
    Mistake(
        "operator", rf"{_THROWN}\s+", rf"(?P<modifier>{_MODIFIER})",
        "a modifier follows its dice without a space", "", "{dice}{modifier}",
    ),
    Mistake(
        "operator", _THROWN, rf"(?P<modifiers>(?i:{_MODIFIERS})++){_END}",
        "modifiers are written in small letters", _AS_IN, lambda groups: groups["dice"] + groups["modifiers"].lower(),
    ),
    Mistake(
        "operator", rf"{_BARE}(?:{_MODIFIERS})++", r"(?:,\s*|\()[0-9]+(?![dD0-9])",
        "a modifier has one number, or a comparison", _AS_IN,
    ),
    Mistake(
        "operator", rf"{_THROWN}\s*", rf"\(\s*(?P<modifiers>(?:{_MODIFIER})++)\s*\)",
        "a modifier follows its dice without a space", "", "{dice}{modifiers}",
    ),
    Mistake("operator", rf"{_THROWN}\s*", rf"t(?P<number>[0-9]+){_END}", _SHOWN, _AS_IN, "{dice}>={number}"),
    Mistake(
        "operator", rf"{_THROWN}\s*", r"(?ai:success(?:es)?|hits?)\b",
        _SHOWN, "write the number from which they succeed, as in '5d10>=8'",
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"\(\s*(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+)\s*\)",
        "a minimum is written as the higher of two values", "", _bounded,
    ),
    Mistake(
        "operator", rf"^\s*(?P<whole>.*?){_THROWN}\s+", rf"(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+){_END}",
        "a minimum or maximum is of each die, or of the total", _AS_IN,
        {"for each die": _each_bounded, "for the total": _bounded},
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", rf"(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+){_END}",
        "a minimum is written as the higher of two values", "", _bounded,
    ),
    Mistake(
        "operator", r"(?<=[0-9%F}\])])", r"(?:r[ro]?|u)?(?:e|mi|ma)?[hl][0-9]+",
        "dice are picked by what they show, not by rank", "name what they show, as in '2d6r1'",
    ),
    Mistake(
        "operator", r"(?<=[0-9%F}\])])", r"ra[hl<>]?[0-9]+",
        "no single die can be picked to be thrown again and added",
        "dice that each explode once are written as in '2d6!1o'",
    ),
    Mistake(
        "operator", r"(?:[<>!=]=|[<>=])[0-9]+", r"f(?![0-9<>=!\w])",
        "it does not say which dice fail", "write the number after the f, as in '5d10>=8f1'",
    ),
    # Values in words.
    Mistake(
        "operator", r"^\s*(?P<left>.*\S)\s*",
        r"(?ai:(?:vs\b\.?|versus\b|against\b)\s*(?:an?\s+|the\s+)?(?:(?:dc|ac|tn|target|difficulty)(?![^\W\d_])\s*)?"
        r"|(?:dc|ac|tn)(?![^\W\d_])\s*)(?P<right>[^\W_\s].*?|[(\[{].*?)\s*\Z",
        "a value reaches another by >=", "write it as in '1d20 + 5 >= 15'",
        {"": _reaches, "for ties that win": _ties_win, "for ties that lose": _ties_lose},
    ),
    Mistake("operator", r"\s*", r"(?ai:over)\b\s*", _SIGNS, "", {"to compare": " > ", "to divide": " / "}),
    Mistake(
        "operator", r"\s*", rf"(?P<words>(?=[a-z]){COMPARE})\s*",
        _SIGNS, "", lambda groups: f" {read_relation(groups['words'])} ",
    ),
    Mistake(
        "operator", r"(?<![\w.])(?P<number>[0-9]+)\s*", "½",
        "a decimal has a point", "write it as in 1.5 * damage", "{number}.5",
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"(?:(?ai:halved|half)\b|½)(?P<factor>)", _WORDS_DO_NOT, "",
        {"for half of all": _of_all, "for half of the last value": "{whole} / 2"},
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"(?P<factor>(?ai:twice|doubled))\b", _WORDS_DO_NOT, "",
        {"for all": _of_all, "for the last value": "{whole} * 2"},
    ),
)
"""What is said of dice, and of values in words, where the notation stands and in rules."""
_NOTATION: Final[tuple[Row, ...]] = (
    Mistake(
        "operator", "",
        r"(?ai:is|are|equals?)\s+(?:\{|between\b|[0-9]+\s*(?:[-‒–—/,]|\+(?!\s*[0-9dD\[])|(?ai:or|to|and)\b))",
        NO_RANGES, IN_A_RULE,
    ),
    *_OF_DICE,
    # Numbers, powers, functions and sets.
    Mistake(
        "operator", r"\.[0-9]+", r"[dD](?=[0-9%F(\[{])",
        "the number of dice is whole", "write it as in '(5 / 2)d6'",
    ),
    Mistake("", "", r"\.[0-9]", "a decimal is a term or a factor", "write it as a quotient here, as in '-(3 / 2)'"),
    _brace,
    Mistake("operator", r"\)\s*", r"(?:\*\*|\^)", "two powers need parentheses", "write them as in '(2 ** 3) ** 2'"),
    Mistake("operator", "", r"\*\*|\^", "two powers need parentheses", "write them as in '(2 ** 3) ** 2'"),
    Mistake("operand", r"\*\*\s*|\^\s*", r"[-+]", "an exponent has no sign", "write a whole number, 0 or more"),
    Mistake("operand", "", r"(?ai:pow)\s*\(", "a power is written with **", "write it as in '2 ** 3'"),
    Mistake(
        "operand", "", r"[^\W\d]\w*\s*\(",
        "the functions are floor, ceil, round, abs, min and max", "calculate the rest beforehand",
    ),
    Mistake("operand", r"\{\s*", r"\}", "", "write something between the braces, or leave them out"),
    Mistake("operator", "", r"\{", "", "write an operator before the set"),
    Mistake("operator", "", r"\}", "'}}' has no matching '{{'", "leave it out", ""),
    Mistake("operand", r",\s*", r"(?=[)\}])", "", "write a value after ','"),
    # Labels.
    Mistake("operator", r"(?P<whole>\S)\s*", rf"\(\s*{_LABEL}\s*\)", _LABELS, _LABELLED, "{whole} [{word}]"),
    Mistake("operator", "", r"\(\s*[^\W\d][\w\s]*\)", _LABELS, _LABELLED),
    Mistake("operator", rf"{_BARE}(?:{_MODIFIERS})*+\s*", r"\(", "", "write an operator between the two"),
    Mistake(
        "operator", r"^\s*(?P<times>[0-9]+)\s*", r"(?ai:x|times\b)\s*(?P<roll>[({]*[0-9]*[dD][0-9%].*)",
        "a notation is rolled once", "", {"for each roll": "{roll}", "to multiply": "{times} * {roll}"},
    ),
    Mistake("operand", "", rf"(?!{OPERATOR_WORD}|[dD]\s)(?:{WORDS})\s*:?\s+(?=[0-9]*[dD]?[0-9(])", _LABELS, _LABELLED),
    *SHARED,
    DECIMAL,
    Mistake(
        "operator", r"^\s*(?P<first>.*\S)\s*", r"[,;]\s*(?P<rest>\S.*?)\s*\Z",
        "values that belong together are a set", "roll each by itself", "{{{first}, {rest}}}",
    ),
    Mistake(
        "operator", r"(?P<whole>\S)\s+", rf"{_LABEL}(?=\s*(?:\Z|[-+*/%),}}<>=!]))",
        _LABELS, _LABELLED, "{whole} [{word}]",
    ),
    Mistake("operator", rf"(?:{_BARE}|[)}}])(?:{_MODIFIERS})*+", r"[^\W\d_]", "", _AS_IN),
    Mistake("operator", "", _RULE_WORDS, "", _AS_IN),
    Mistake("operator", "", r"[^\W\d_]", _LABELS, _LABELLED),
)
_NO_SUM: Final = r"\b(?:if|else|otherwise|is|are|and|or|not|at|between)\b"
_RULES: Final[tuple[Row, ...]] = (
    _said_bound,
    _some_of,
    _sentence(
        r"(?P<base>[^,]*?[^,\s])\s*,?\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s*(?:per|(?:for\s+)?(?:each|every))"
        r"\s+(?P<name>[^\W\d_]\w*)",
        _per,
    ),
    _sentence(
        r"(?P<value>[^,]*?[^,\s])\s*,\s*(?:[x×*]|times)\s*(?P<number>[0-9]+)\s+(?P<case>if\s+[^,]+)",
        lambda groups: f"{groups['number']} * {_whole(groups['value'])} {groups['case']}, else {groups['value']}",
    ),
    _sentence(r"count\s*\(\s*(?P<number>[0-9]+)s?\s+(?:in|of|on)\s+(?P<pool>\w+)\s*\)", "count({pool} = {number})"),
    _sentence(
        r"(?:(?:any|at\s+least)\s+(?:2|two)\s+(?:dice\s+)?(?:match|are\s+(?:the\s+same|alike|equal))"
        rf"|(?:a\s+)?(?:pair|doubles?)|(?:a\s+)?(?P<triple>triples?)|(?P<number>[2-9]|{'|'.join(NUMBER_WORDS[2:7])})\s+of\s+a\s+kind)"
        r"(?:\s+(?:in|on)\s+(?P<pool>\w+))?",
        _alike,
    ),
    _sentence(
        r"(?:a\s+)?(?P<many>pair|triple)\s+of\s+(?P<number>[0-9]+)s(?:\s+(?:in|on)\s+(?P<pool>\w+))?",
        _alike_faces,
    ),
    _sentence(
        r"(?P<range>[0-9]+(?:\s*-\s*[0-9]+|[+-]))\s+on\s+(?:(?:the|a)\s+)?(?P<name>(?!dice\b|\w*pool|\w*s\b)[^\W\d]\w*)",
        "{name} is {range}",
    ),
    _sentence(
        rf"(?P<base>(?:(?!{_NO_SUM})[^,<>=])*[^,<>=\s])\s*,\s*(?P<more>[-+]\s*(?:(?!{_NO_SUM})[^,<>=])+)",
        "{base} {more}",
    ),
    Mistake(
        "operator", r"\b[0-9]+\s*", r"(?:per|for\s+(?:each|every))\s+(?P<number>[0-9]+)\b",
        "division rounds down", "write it as in max(margin, 0) / {number}",
    ),
    Mistake("operator", r"(?<!\w)(?P<number>[0-9]+)", r"[dD](?!\w)", "dice have sides", "write it as in {number}d6"),
    _sentence(
        r"(?:either\s+)?(?P<one>[^,]*?[^,\s])\s+or\s+(?P<other>[^,]*?[^,\s])\s*,?\s*but\s+not\s+both",
        "({one}) != ({other})",
    ),
    _sentence(
        r"(?P<one>[^,<>=]*?[^,<>=\s])\s+(?:beats|exceeds|(?:is\s+)?(?:above|over|(?:more|higher|greater)\s+than))"
        r"\s+(?P<other>[^,<>=]*?[^,<>=\s])\s+by\s+(?:at\s+least\s+)?(?P<number>\w+)(?:\s+or\s+more)?",
        "{one} >= {other} + {number}",
    ),
    _sentence(
        r"(?P<base>[0-9]*d[0-9][^,<>=]*?)\s*,?\s+or\s+(?P<more>[0-9]*d[0-9][^,<>=]*?)\s+(?P<case>if\s+[^,]+)",
        "{more} {case}, else {base}",
    ),
    _sentence(
        rf"(?P<names>{_NAME}(?:\s*,\s*{_NAME})+)\s*,?\s*(?P<join>and|or)\s+(?P<last>{_NAME})", _listed_names
    ),
    Mistake(
        "operator", _ONE_DIE, rf"{_ADVANTAGE}\s*(?P<case>if\s+[^,]+?)\s*\Z",
        _HIGHER, "", "2d{sides}kh1{rest} {case}, else 1d{sides}{rest}",
    ),
    Mistake(
        "operator", r"(?P<one>(?:\b(?:is|are)|(?<![<>])=)\s*(?:not\s+)?[0-9]+)\s*",
        r"(?ai:&&?|und|et)\s*(?=[0-9]+\s*(?:\Z|[,)]|(?:and|or|if)\b))", "", "", "{one} or ",
    ),
    Mistake(
        "operator", r"^\s*(?P<low>[0-9]+)\s*",
        r"to\s*(?P<high>[0-9]+)\s*(?:\b(?:is|are)\b|=)\s*(?P<name>[\w ]*\w)\s*\Z",
        "", "", "{name} is {low} to {high}",
    ),
    Mistake(
        "", r"^\s*(?P<whole>[^,]*[^,\s])\s*,?\s*", r"to\s+a\s+(?P<end>min|max)imum\s+of\s+(?P<number>[0-9]+)\s*\Z",
        _WORDS_DO_NOT, "", _bounded,
    ),
    Mistake(
        "", r"(?P<name>\w[\w ]*?)\s+(?:is|are)\s+(?P<pair>either|neither|both)\s*", rf"(?={COMPARE})",
        "", "", "{pair} {name} ",
    ),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+", r"without\s+(?:the\s+)?(?P<what>(?:high|low)est\s*\([^()]*\))", "", "",
        "{pool} - {what}",
    ),
    _spelled,
    Mistake("operand", r"(?:(?<=\bis\s)|(?<=\bare\s)|(?<=\bnot\s)|(?<==)|(?<==\s))", r"one\s+of\s+", "", "", ""),
    Mistake(
        "operand",
        rf"(?:\b(?:is|are)\s+)?(?:=|\bequals?(?:\s+to)?|\b(?:(?P<one_up>{_UP})|{_DOWN}|beats|meets)(?:\s+than)?)\s*",
        rf"or\s+(?:equals?(?:\s+to)?|(?:(?P<up>{_UP}|beats|exceeds)|{_DOWN})(?:\s+than)?)\s+", "", "",
        lambda groups: f"{'>=' if groups['up'] or groups['one_up'] else '<='} ",
    ),
    Mistake(
        "operand", "", r"(?P<count>second|third)\s+(?P<end>high|low)est\s*\(\s*(?P<pool>\w+)\s*\)", "", "", _ranked,
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
        r"(?ai:(?:the\s+)?(?P<end>high|low|best|worst|great|less|small)(?:est|er)?)\s+of\s+"
        r"(?P<first>\w[\w ]*?)\s*(?:\b(?:and|or)\b|,)\s*(?P<second>\w[\w ]*)",
        "", "write max(a, b), or min(a, b)", _chosen_value,
    ),
    Mistake(
        "", "",
        rf"(?ai:(?:the\s+)?(?:(?P<count>[0-9]+|{_NUMBER_WORDS})\s+)?(?P<end>high|low|best|worst|top|bottom)(?:est|er)?\s*(?:(?P<number>[0-9]+|{_NUMBER_WORDS})\s*)?(?:dic?e\s+)?"
        r"(?:(?:of|from|in)\s+)?(?:the\s+)?\(?\s*)(?P<dice>[^\W\d_](?:[\w ]*\w)?)(?:\s*\))?",
        "", "", _asked,
    ),
    Mistake(
        "operand", "",
        r"(?P<which>(?ai:any|some|all|each|every|none|no))(?:\s+(?:of\s+)?|\s*\()"
        rf"(?P<test>[^\W\d_][\w ]*?\s*(?:{COMPARE})[^()]*?)\s*(?:\)|\Z)",
        _COUNTED, "write it as in count(pool >= 8), which is >= 1 for any, = count(pool) for all", _quantified,
    ),
    Mistake(
        "operand", "", r"(?ai:if|wenn|si)\s*\((?P<test>[^;,]+)[;,]\s*(?P<value>[^;,]+)[;,]\s*(?P<other>[^;,()]+)\)",
        _FIRST, _CASE, "({value} if {test}, else {other})",
    ),
    Mistake(
        "operand", "",
        r"(?P<word>(?ai:best|top|sum|total|half|twice|double|explode|reroll|dice|hits|success(?:es)?))"
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
        _RELATION, "", "{rest} >= {number}",
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
        "", "", rf"(?ai:(?:(?:{_NUMBER_WORDS})\s+|(?<=[0-9]\s))(?:dic?e|success(?:es)?|hits?|of\s+them)\b)",
        _COUNTED, "write it as in count(pool >= 5) >= 2, or leave the word out",
    ),
    THOUSANDS,
    DECIMAL._replace(hint=""),
    Mistake(
        "operand", "",
        r"(?ai:half)\s+(?!full\b)(?:of\s+)?(?:the\s+)?"
        rf"(?P<value>{_BARE}(?:{_MODIFIERS})*+(?!\w)|[^\W\d_]\w*(?:\s+(?!{KEYWORD})\w+)*)",
        _WORDS_DO_NOT, "", "{value} / 2",
    ),
    Mistake(
        "", r"^\s*(?P<value>[^,]*[^,\s])\s*,?\s*",
        rf"(?P<times>{_TIMES}d?|(?ai:half|halved))\s+(?:it\s+)?(?P<case>if\s+[^,]+?)\s*\Z",
        _WORDS_DO_NOT, "", _multiple_if,
    ),
    Mistake("operand", "", rf"(?P<times>{_TIMES})\s+(?:the\s+)?(?=\w)", _WORDS_DO_NOT, "", _multiple),
    Mistake("operand", "", r"(?P<name>(?!\d)[\w ]*?[^\W\d])(?P<power>[²³])", "", "", _raised),
    Mistake(
        "operand", "", rf"(?ai:(?P<word>{_NUMBER_WORDS}))(?P<dice>(?:\s+[dD](?=[0-9]))?)(?!\w|\s+of\b)",
        "numbers are digits", "write digits", lambda groups: _NUMBERS[groups["word"].lower()] + groups["dice"].strip(),
    ),
    Mistake("operand", "", "½", "numbers are digits", "write 0.5 as a factor, as in 0.5 * damage"),
    Mistake("operand", r"/", r"/", "one '/' is enough, division rounds down", "write '/'", "/"),
    Mistake(
        "", r"^\s*(?P<whole>.*[^\s,])\s*,?\s*", r"\(?(?ai:round(?:ed|s)?\s+(?P<way>up|down))\)?\s*\Z",
        _WORDS_DO_NOT, "", _rounded,
    ),
    # Shares.
    Mistake("operand", r"^\s*(?P<number>[0-9]+)\s*%\s*", r"\Z", "a chance is thrown", "", "1d100 <= {number}"),
    Mistake(
        "operand", r"(?P<number>[0-9]+)\s*%\s*", r"(?:of|[*×xX])\s*(?P<value>[\w(].*)",
        _REMAINDER, "write it as in 0.5 * damage", _share,
    ),
    Mistake(
        "operand", r"[*×]\s*(?P<number>[0-9]+)\s*%\s*", r"(?P<value>)\Z",
        _REMAINDER, "write it as in 0.5 * damage", _share,
    ),
    Mistake("operand", r"(?P<number>[0-9]+)\s*%\s*", r"(?=\Z|[,)])", _REMAINDER, "leave it out", "{number}"),
    Mistake(
        "operator", r"^\s*(?P<low>[0-9]+)\s*", r"in\s+(?P<high>[0-9]+)\s*\Z",
        "a chance is thrown", "", "1d{high} <= {low}",
    ),
    # Questions about dice.
    Mistake(
        "operand", "", r"(?ai:any|all|each|every|some|none|no)\b",
        _COUNTED, "write it as in count(pool >= 8), which is >= 1 for any, = count(pool) for all",
    ),
    Mistake(
        "operand", "", r"(?ai:count|number\s+of)\s+(?P<pool>[^\W\d_][\w ]*?)\s*(?P<test>[<>=!]+\s*\w+)",
        "", "write count(pool >= 8)", "count({pool} {test})",
    ),
    Mistake(
        "", r"(?P<number>[0-9]+)\s*(?:\bis\s+)?", r"in\s+(?P<pool>[^\W\d_][\w ]*)",
        _COUNTED, "", "count({pool} = {number}) >= 1",
    ),
    Mistake(
        "operator", r"(?P<pool>[^\W\d_][\w ]*?)\s+",
        r"(?ai:has|have|shows?|contains?|rolls?)\s+(?:an?\s+)?(?P<what>\w+[+]?)",
        _COUNTED, "write it as in count(pool = 6) >= 1", "count({pool} is {what}) >= 1",
    ),
    Mistake(
        "", r"(?P<first>count\s*\([^(),]+?)\s*,\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s+", r"if\s+(?P<more>[^()]+)\)",
        "count() takes one question about dice", "write a sum of them", "{first}) {sign} {number} * count({more})",
    ),
    Mistake(
        "operand", r"count\s*\(\s*(?P<pool>[^(),]+?)\s*,\s*(?P<number>[0-9]+)\s*\+\s*", r"\)",
        "", "", "count({pool} >= {number})",
    ),
    Mistake(
        "", r"count\s*\(\s*(?P<number>[0-9]+\+?|)\s*", r"(?P<word>[^\W\d]\w*|)\s*\b(?:in|on|of)\s+(?P<pool>[^()]+)\)",
        "", "", "count({pool} is {number}{word})",
    ),
    Mistake(
        "operand", r"count\s*\(\s*(?P<number>[0-9]+)\s*\+\s*", r"\)",
        "it does not say which dice are counted", "write count(pool >= {number})",
    ),
    Mistake(
        "operand", "",
        r"(?:(?:the\s+)?number\s+of|count|how\s+many)?\s*(?P<number>[0-9]+)s\s+(?:in|of|on)\s+(?P<pool>\w+)",
        "", "", "count({pool} = {number})",
    ),
    Mistake(
        "operand", "", r"(?ai:number\s+of|count|how\s+many|ones|twos|sixes|tens|doubles?|pairs?|triples?)\b",
        _COUNTED, "write it as in count(pool = 6), or matches(pool) >= 2 for a pair",
    ),
    Mistake(
        "operand", "", r"(?P<pool>\w+)\.(?P<question>highest|lowest|count|matches|sides)\b(?:\(\))?",
        "", "", "{question}({pool})",
    ),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+",
        rf"(?ai:(?P<without>without)|{_ACTION})\s+(?:the\s+)?(?P<end>high|low|best|worst)(?:est)?(?:\s+(?P<number>[0-9]+))?"
        r"(?:\s+(?:die|dice)\b)?", "", "", _chosen_of,
    ),
    Mistake(
        "operand", "", r"(?ai:nat(?:ural)?)\s+(?P<number>[0-9]+)(?!\w)",
        "a die is named, and compared", "write it as in die = {number}",
    ),
    Mistake(
        "operator", r"[0-9]\s+", r"(?ai:ones|twos|threes|fours|fives|sixes|sevens|eights|nines|tens|doubles|pairs)\b",
        _COUNTED, "write it as in count(pool = 6) >= 2",
    ),
    # Conditions.
    Mistake(
        "operator", rf"{_THROWN}\s*", r"in\s+[0-9]",
        "dice are compared by name", "write it as in roll is 5-6, and roll = 1d6 on a line above",
    ),
    Mistake(
        "operator", r"(?:(?<!\w)(?:is|are)|(?<!<)(?<!>)=)(?P<not>\s+not\b|(?<=!=)|)\s*(?P<low>(?<!\w)\w+)",
        r"[‒–—](?P<high>\w+)", "", "write between {low} and {high}",
        lambda groups: None if groups["not"] else f"is between {groups['low']} and {groups['high']}",
    ),
    Mistake("", r"(?P<number>[0-9]+)\s*", r"of\s+[0-9]+", "a track is compared by its number", "", "{number}"),
    Mistake(
        "", rf"{_SUBJECT}\s*(?:(?:\b(?:is|are)|=)\s+)?(?P<not>not\s+)?",
        rf"(?:an?\s+)?(?P<odd>(?ai:even|odd))\b(?:\s+numbers?\b)?{_NO_LIST}",
        "", "write it as in total % 2 = 0", _parity,
    ),
    Mistake(
        "", rf"{_SUBJECT}\s*(?:\b(?:is|are)|=)\s+(?P<not>not\s+|)",
        rf"(?:an?\s+)?(?:multiple\s+of|divisible\s+by)\s+(?P<number>[0-9]+)\b{_NO_LIST}", "", "", _multiple_of,
    ),
    Mistake("operand", "", r"(?:an?\s+)?(?:multiple\s+of|divisible\s+by)\b", "", "write it as in total % 3 = 0"
    ),
    Mistake("operand", "", r"(?ai:even|odd)\b", "", "write it as in total % 2 = 0"),
    Mistake(
        "operator", r"\s*", r"(?ai:beats|exceeds)\b\s*",
        "", "write '>' or '>='", {"for ties that win": " >= ", "for ties that lose": " > "},
    ),
    Mistake(
        "operator", r"(?P<name>[^\W\d_]\w*)\s+",
        r"(?P<number>[0-9]+\s*(?:[-+–][0-9]*|\bor\s+[a-z]+|\bto\s+[0-9]+))(?=\s*(?:\Z|[,)]))",
        _RELATION, "write '{name} is {number}'", "{name} is {number}",
    ),
    Mistake(
        "operator", r"^\s*(?P<one>[^,]*[^,\s])\s*", r"(?ai:xor)\s+(?P<other>[^,]*[^,\s])\s*\Z",
        "", "write != between two conditions", "({one}) != ({other})",
    ),
    Mistake("", r",\s*", r"(?P<truth>yes|no)\s*\Z", "a comparison is yes or no", "leave the rest out", ""),
    Mistake("operand", r"(?P<sign>[=!]=)", r"=+", "", "", "{sign}"),
    Mistake("operand", "", r"\|(?P<inner>[^|]+)\|", "", "", "abs({inner})"),
    Mistake("", r"(?P<number>[0-9]+)\s+at\s+(?P<end>least|most)\s*", r"(?=\Z|,)", "", "", "at {end} {number}"),
    Mistake("", r"\bfrom\s+(?P<number>[0-9]+)\s+", r"(?:up|on)(?:wards?)?\b", "", "", "at least {number}"),
    Mistake("", r"\bneither\s+(?P<first>[^,]+?)\s*,\s*", r"(?=\S)", "", "", "neither {first} nor "),
    Mistake("", r"\((?P<inner>(?!.*\belse\b)[^()]*\bif\b[^()]*?)\s*", r"\)", "", "", "({inner}, else 0)"),
    Mistake(
        "operator", r"^\s*(?P<name>[^\W\d_][\w ]*?)\s+", r"(?P<rows>[0-9]+\s*(?:[-+–]|to\s)[^,]*?\s[^,]*,.*)",
        "rows follow a colon", "write {name}: {rows}",
    ),
    Mistake(
        "", r"(?P<name>[^\W\d][\w.]*)\s+(?:(?:is|are|=)\s+)?(?P<not>(?:not|isn['’]t)\s+|)", r"full\b", "", "",
        lambda groups: f"{'not ' * bool(groups['not'])}{groups['name']}.full",
    ),
    # Commas.
    _listing,
    Mistake("", r"\b(?ai:one|any)\s+of\s+(?P<first>[^,]+?)\s*,\s*", r"(?=\S)", "", "", "{first} or "),
    Mistake("operand", "", r"(?ai:it)\s+", "", "", ""),
    Mistake("", r"^(?P<one>(?!.*\bor\b)[^,]*[^,\s])\s*,\s*", r"(?=(?ai:and|but)\b(?!.*\bor\b))", "", "", "{one} "),
    Mistake(
        "", rf"(?P<one>(?:{COMPARE})[^,]*[^,\s])\s*,\s*", rf"(?=[^,]*?(?:{COMPARE})|(?:not\s+)?[^\W\d][\w ]*\Z)",
        "", "", "{one} and ",
    ),
    Mistake("", rf"(?P<one>(?:{COMPARE})\s*[0-9][^,]*?)\s*,\s*", r"(?=[0-9])(?!.*\bif\b)", "", "", "{one} or "),
    Mistake(
        "", r"^\s*(?P<one>[^,<>=]+?)\s*,\s*", rf"(?P<other>[^,<>=]+?)\s*(?P<test>(?:{COMPARE}).+)",
        "", "",
        {
            "for both": "{one} {test} and {other} {test}", "for one of them": "{one} {test} or {other} {test}",
            "for a condition of its own": "{one} and {other} {test}",
        },
    ),
    # Cases.
    Mistake(
        "operand", r"^\s*",
        r"(?ai:if)\s+(?P<test>[^:,]+?)\s*(?:\bthen\s|[:,])\s*(?P<value>[^,]+?)\s*,?\s*"
        r"\b(?ai:else|otherwise)\b\s*:?\s*(?P<other>.*\S)\s*",
        _FIRST, _CASE, "{value} if {test}, else {other}",
    ),
    Mistake("operand", r"^\s*", r"(?ai:unless)\s+(?P<test>[^:,?]+)\Z", "", "", "not ({test})"),
    Mistake("operand", r"^\s*", r"(?ai:if)\s+(?P<test>[^:,?]+)\Z", "a condition alone has no if", "", "{test}"),
    Mistake("operand", r"(?:^|\b(?ai:else|otherwise)\b)\s*", r"(?ai:if)\b", _FIRST, _CASE),
    Mistake("operand", r"^\s*", r"(?ai:else|otherwise)\b", _LAST, _CASE),
    Mistake(
        "operator", r"^\s*(?P<test>[^,]*\S)\s*", r"\?\s*(?P<value>[^:]*?)\s*:\s*(?P<other>.*\S)\s*",
        _FIRST, _CASE, "{value} if {test}, else {other}",
    ),
    Mistake("operator", r"^\s*(?P<test>[^,]*\S)\s*", r"(?:\?|\bthen\b)", _FIRST, _CASE),
    Mistake("operator", r"^\s*(?P<name>[^\W\d_][\w ]*?)\s*", r":\s*(?P<value>\S.*)", "", _CASE, "{name} = {value}"),
    Mistake(
        "operator", r"^\s*(?P<value>[^,]*[^,\s])\s*", r"(?ai:unless)\s+(?P<test>[^,]*[^,\s])\s*\Z", "", _CASE,
        {"to have a value only then": _unless, "for yes or no": _denied},
    ),
    Mistake("operator", r"\s*", r"(?ai:unless)\b\s*", "a case begins with if", _CASE, " if not "),
    Mistake(
        "operator", r",\s*(?P<last>[^,]+?)\s*", r"(?ai:else|otherwise)\s*\Z",
        "else stands before the last value", _CASE, ", else {last}",
    ),
    Mistake("operator", r"\s*", r";\s*(?=(?ai:else|otherwise)\b|[-+])", "cases are separated by commas", "", ", "),
    Mistake("operand", r",\s*", r"(?ai:or)\s+(?=\S+\s*\Z)", _LAST, _CASE, ", else "),
    Mistake(
        "operator", r"\bif\s+(?P<test>[^,]+?)\s*,\s*(?P<value>[^,]+?)\s+if\s+not\s+(?P=test)\s*", r"\Z",
        _LAST, _CASE, "if {test}, else {value}",
    ),
    Mistake(
        "operator",
        r"^\s*(?P<base>[^,]*?[^,\s])\s*(?:\band\b\s*|\()?(?P<sign>[-+])\s*(?P<more>[^-+,]+?)\s+(?P<case>if\s+[^,]+?)\s*",
        r"\Z", "it does not say what it is otherwise", "add an else: ..., else 0",
        {
            "to add it only then": "{base}, {sign}{more} {case}",
            "for nothing otherwise": "{base} {sign} {more} {case}, else 0",
        },
    ),
    Mistake(
        "", r"^\s*(?P<base>[^,]*[^,\s])\s*,\s*", r"(?P<more>[0-9dD(][^,]*?)\s+(?P<case>if\s+[^,]+?)\s*\Z",
        "", "", {"to add it": "{base}, +{more} {case}", "to have it instead": "{more} {case}, else {base}"},
    ),
    Mistake(
        "operator", r"^\s*(?P<cases>(?P<start>[^,]+\bif\b.*\b(?:else|otherwise)\s+)(?P<last>[^,]*[^,\s]))\s*",
        r",\s*(?P<more>[-+][^,]*\bif\b[^,]*[^,\s])\s*\Z", "", "",
        {"to add it to each": "({cases}), {more}", "to add it to the last": "{start}({last}, {more})"},
    ),
    Mistake("operator", r"\s*", r"on\s+an?\s+\w", "a case begins with if", _CASE),
    Mistake(
        "operator", rf"^(?P<one>[^,\"]*?(?:\b|(?=\W)){COMPARE}[^,\"]*?)\s+if\s+(?P<other>[^,]*[^,\s])\s*", r"\Z",
        "a condition has no if", "write it as in heat is 3 and luck is 2", _both,
    ),
    Mistake(
        "operator", r"^(?P<value>[^,\"]*?[^,\"\s]\s+if\s+[^,]*[^,\s])\s*", r"\Z",
        "it does not say what it is otherwise", "", "{value}, else 0",
    ),
    Mistake("", r"\s*,\s*", r"(?=if\b)", "", "", " "),
    Mistake(
        "operator", r"^\s*(?P<base>[^,]*[^,\s])\s*", r"\(\s*(?P<more>[-+][^()]+?\s+if\s+[^()]+)\)\s*\Z",
        "", "", "{base}, {more}",
    ),
    Mistake(
        "", r"^(?P<value>[^,]*[^,\s])\s*(?P<more>,\s*\+[^,]+?\s+if\s+(?P<test>[^,]+?))\s*,\s*",
        r"(?ai:else|otherwise)\s+(?P<sign>[-+])\s*(?P<other>[^,]*[^,\s])", "", "",
        "{value}{more}, {sign}{other} if not ({test})",
    ),
    Mistake(
        "operator", r"(?P<cases>\bif\b[^,]*,)\s*(?P<last>[^,]+?)\s*", r"\Z", _LAST, _CASE, "{cases} else {last}"
    ),
    Mistake("operand", r",\s*(?P<value>[^,]+?)\s+(?ai:if)\s+(?ai:not)\s*", r"\Z", _LAST, _CASE, ", else {value}"),
    Mistake("operand", r"\b(?ai:else|otherwise)\s+", r"(?ai:none|nothing)\b", "nothing is 0", "write 0", "0"),
    Mistake("operator", r"\s*", r";", "each value has a line of its own", "write it on the next line"),
    *_OF_DICE,
    _spelling_alone,
    Mistake("operator", r"\s*", r"[xX]\s*(?=[\w(])", "", "", " * "),
    Mistake(
        "operator", r"(?P<pool>(?!\d)\w+)\s+", rf"(?P<modifiers>(?:{_MODIFIER})++){_END}",
        "a modifier follows dice in parentheses", "", "({pool}){modifiers}",
    ),
    Mistake("", "", "[\"'“”„‘’‚«»]", "", 'put words between two quotation marks, as in "hit"'),
    *(
        row._replace(hint="") if isinstance(row, Mistake) else row
        for row in SHARED
        if row is not parenthesis and row not in RESOURCES
    ),
    Mistake("operator", r"(?<![\w.])1\s*/\s*2\s*", r"(?=[^\W\d_])", _WORDS_DO_NOT, "", "0.5 * "),
    # Behind a comparison what follows is another one.
    Mistake(
        "operator", r"(?P<start>(?:^|[-+*/(,])\s*)(?P<number>[0-9]+)\s*", r"(?=[^\W\d_](?![0-9]))",
        "", "", "{start}{number} * ",
    ),
)
_FIGURE: Final = r"(?P<figure>\w+\((?:[^()]|\([^()]*\))*\))"
_SHARE: Final = r"(?:[0-9]+(?:\.[0-9]+)?\s*%?)"
_CLAIMS: Final[tuple[Row, ...]] = (
    _sentence(
        r"(?:the\s+)?(?:chance|odds|probability|likelihood)\s+(?:of|for)\s+(?:an?\s+|the\s+)?"
        rf"(?P<event>(?:(?!\b(?:is|are)\b)[^(),=])*[^(),=\s])\s*(?:\b(?:is|are)\b|=)"
        rf"\s*(?P<about>(?:about\s+)?)(?P<share>{_SHARE})",
        "p({event}) = {about}{share}",
    ),
    Mistake(
        "operator", rf"=\s*(?:about\s+)?(?P<share>{_SHARE})\s*", r"(?:or\s+so|or\s+thereabouts)\b",
        "", "", "= about {share}",
    ),
    Mistake(
        "", r"(?P<figure>mean|median)\((?P<fact>[^()]+)\)\s*",
        r"(?:given|if|when)\s+(?P<event>[^()=<>,]*[^()=<>,\s])",
        "", "", "{figure}({fact} given {event})",
    ),
    Mistake("operator", r"(?P<part>[0-9]+)\s*", r"(?:out\s+of|of|:)\s*(?P<whole>[0-9]+)", "", "", "{part} in {whole}"),
    Mistake(
        "operator", r"(?P<whole>[0-9]+),(?P<part>[0-9]+\s*%?)\s*", "", "a decimal has a point", "", "{whole}.{part}"
    ),
    Mistake("operator", r"\s*", r"(?:and|&|und)\s*(?=\w+\s*\()", "claims are separated by commas", "", ", "),
    Mistake("operator", r"\b(?P<figure>p|mean|median)\s*", r"\[(?P<inner>[^\[\]]*)\]", "", "", "{figure}({inner})"),
    Mistake("operator", r"\b(?P<figure>mean|median)\s+(?:of\s+)?", r"(?P<fact>\w+)", "", "", "{figure}({fact})"),
    Mistake("", "", r"(?:the\s+)", "", "leave the word out", ""),
    Mistake("", "", r"half\b", "", "write 50%", "50%"),
    Mistake("", "", r"(?=\.[0-9])", "", "write 0 before the point", "0"),
    Mistake("operator", r"\s*", r"[≈~]\s*", "", "write = about", " = about "),
    Mistake("", "", r"(?:approximately|approx\.?|roughly|around|circa|ca\.?)\s*(?=[0-9])", "", "", "about "),
    Mistake("operator", r"(?P<number>[0-9.]+)\s*", r"per\s?cent\b", "", "", "{number}%"),
    Mistake("", "", r"(?:average|avg|expected(?:\s+value)?)\b", "", "write mean", "mean"),
    Mistake("", "", r"(?:chance|odds|prob(?:ability)?|P)\b(?=\s*\()", "", "write p", "p"),
    Mistake(
        "", rf"{_FIGURE}\s*(?:is\s+|=\s*)?", rf"between\s+(?P<low>{_SHARE})\s+and\s+(?P<high>{_SHARE})",
        "", "", "{figure} >= {low}, {figure} <= {high}",
    ),
    Mistake(
        "operator", rf"(?P<low>{_SHARE})\s*(?P<first>{COMPARE})\s*{_FIGURE}\s*",
        rf"(?P<second>{COMPARE})\s*(?P<high>{_SHARE})", "", "write two claims", _two_claims,
    ),
    Mistake(
        "operator", rf"{_FIGURE}\s*(?P<first>(?:{COMPARE})\s*{_SHARE})\s*",
        rf"(?:and|but)\s+(?P<second>(?:{COMPARE})\s*{_SHARE})", "", "", "{figure} {first}, {figure} {second}",
    ),
    Mistake("", r"\s*", r"(?:between|and)\b", "", "write two claims, as in p(hit) >= 20%, p(hit) <= 25%"),
    Mistake("operator", r"\s*", r";\s*", "", "compare each figure, and separate claims by commas", ", "),
)
_CHANGE: Final = r"[^\W\d_][\w.'’ ]*?"
_CHANGES: Final[tuple[Row, ...]] = (
    _sentence(
        rf"(?P<name>{_CHANGE})\s*(?P<sign>[-+])=\s*(?P<value>[^,;]*?[^,;\s])\s*,?\s*(?:but\s+)?"
        rf"(?:(?P<low>{_LOWEST})|{_HIGHEST})\s+(?P<number>-?[0-9]+)",
        lambda groups: f"{groups['name']} = {'max' if groups['low'] else 'min'}"
        f"({groups['name']} {groups['sign']} {groups['value']}, {groups['number']})",
    ),
    _sentence(rf"(?P<name>{_CHANGE})\s*=\s*(?P<value>[^,;=]*?[^,;=\s])\s*,?\s*{CASE}\s+(?P<test>[^,;]+)",
        "{name} = {value} if {test}, else {name}",
    ),
    Mistake(
        "", "", rf"if\s+(?P<test>.+?)\s*(?:\bthen\b|[,:])\s*(?P<change>{_CHANGE}\s*[+-]?=.+)",
        "", "", "{change} if {test}, else 0",
    ),
    _together,
    # heat =+ 2; but heat =-2 is a number below 0
    Mistake(
        "", "", r"(?P<name>[^=]*[^=\s])\s*=(?P<sign>\+(?=\s*\w)|-(?=\s+\w))\s*(?P<value>.*)",
        "", "", "{name} {sign}= {value}",
    ),
    Mistake(
        "", "", rf"(?P<name>{_CHANGE})\s*(?P<sign>[+-])(?:(?P=sign)|\s*(?P<value>\w[\w.]*))\Z", "", "",
        lambda groups: f"{groups['name']} {groups['sign']}= {groups['value'] or 1}",
    ),
    Mistake(
        "", "", rf"(?P<name>{_CHANGE})\s*(?P<sign>[*/×÷])=\s*(?P<value>.+)", "", "",
        lambda groups: f"{groups['name']} = {groups['name']} {groups['sign']} {_whole(groups['value'])}",
    ),
    Mistake(
        "", "",
        rf"(?P<way>gain|add|mark|take|lose|spend|remove|subtract|[+-]|)\s*(?P<value>[0-9]+)\s+(?P<name>{_CHANGE})\Z",
        "", "", _gained,
    ),
    Mistake(
        "", "", rf"(?:(?P<way>increase|raise|decrease|reduce|lower)\s+|)(?P<name>{_CHANGE})(?P<down>\s+goes\s+down|)"
        r"(?:\s+goes\s+up)?\s+by\s+(?P<value>\w+)", "", "", _gained,
    ),
    Mistake(
        "", "", rf"(?:set\s+)?(?P<name>{_CHANGE})(?:\s*:=?\s*|\s+(?:to|becomes|is)\s+|\s+(?=[0-9]))(?P<value>[^=]+)",
        "", "", "{name} = {value}",
    ),
    Mistake(
        "", "", rf"(?P<one>{_CHANGE}\s*[+-]?=\s*[0-9]+)\s+(?!{KEYWORD})(?P<other>{_CHANGE}\s*[+-]?=.+)",
        "", "", "{one}; {other}",
    ),
)
"""What is no change, wherever it would be read as one."""
_WORDS: Final[tuple[Row, ...]] = (
    Mistake(
        "", r"^\s*(?P<test>[^|?]*[^|?\s])\s*\?\s*(?P<yes>[^|:]*\S)\s*:\s*(?P<no>[^|]*\S)\s*", r"\Z",
        "", "", "{test} | {yes} | {no}",
    ),
    Mistake(
        "",
        r"^\s*(?P<yes>[^|]*?[^|\s])\s+if\s+(?P<test>[^|]*?[^|\s])\s*,?\s*\b(?:else|otherwise)\s+(?P<no>[^|]*\S)\s*",
        r"\Z", "", "", "{test} | {yes} | {no}",
    ),
)
# fmt: on
MISTAKES: Final[Mapping[Dialect, Sequence[Row]]] = {
    "plain": PLAIN,
    "notation": _NOTATION,
    "rules": _RULES,
    "claims": _CLAIMS,
    "changes": _CHANGES,
    "words": _WORDS,
}
"""The mistakes of each dialect, in the order in which they are tried."""
