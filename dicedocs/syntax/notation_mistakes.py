"""Common mistakes in the full notation, and what other tools write where this one has another spelling."""

from __future__ import annotations

import re
from typing import Final

from dicedocs.errors import listed, quoted
from dicedocs.syntax.foreign_words import NUMBER_WORD, NUMBERS
from dicedocs.syntax.mistakes import (
    COUNT,
    DECIMAL,
    IN_A_RULE,
    NO_RANGES,
    OPERATOR_WORD,
    SHARED,
    SIDES,
    WORDS,
    Diagnosis,
    Groups,
    IllegalText,
    Mistake,
    Row,
)
from dicedocs.syntax.modifiers import MODIFIERS, modifier_pattern
from dicedocs.syntax.relations import COMPARE, read_relation


def _brace(failure: IllegalText) -> Diagnosis | None:
    """Diagnose a brace that is never closed."""
    text, at, _, _ = failure
    if at < len(text) or text.count("{") <= text.count("}") or failure.wanted == "operand":
        return None
    end = len(text.rstrip())
    return Diagnosis(
        text.rindex("{"), "'{' is never closed", "write '}' where it ends", slice(end, end), {"": "}"}, complete=True
    )


def chosen_dice(groups: Groups) -> str:
    """Return the dice with the modifier that some words describe, such as "keep the highest 3"."""
    drops = groups.get("action", "").lower().startswith(_DROPS) or bool(groups.get("away"))
    high = groups["end"].lower() in {"high", "best", "better", "top"} if groups.get("end") else not drops
    number = _number(groups["number"] or groups.get("count") or "1")
    count, _, dice = groups["dice"].rpartition(" ")
    return f"{_number(count)}{dice}{'d' if drops else 'k'}{'h' if high else 'l'}{number}"


def _number(written: str) -> str:
    """Return a number in digits."""
    return NUMBERS.get(written.lower(), written)


def _chosen_of_two(groups: Groups) -> str:
    """Return the better, or the worse, of two dice: of one that is thrown twice."""
    which = "h" if groups["end"].lower() in {"high", "best", "better"} else "l"
    return f"2d{groups['sides']}k{which}1{groups['rest']}"


def _middle(groups: Groups) -> str | None:
    """Return the die in the middle; ``None`` if there is none."""
    count, _, sides = groups["dice"].lower().partition("d")
    half, odd = divmod(int(count), 2) if count.isdecimal() else (0, 0)
    return f"{count}d{sides}dl{half}dh{half}" if odd and half and sides.isdecimal() else None


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


def bounded_value(groups: Groups) -> str:
    """Return a value that is at least, or at most, so much."""
    function = "max" if groups["end"].lower().startswith(("min", "least")) else "min"
    return f"{function}({groups['whole']}{groups.get('dice', '')}, {groups['number']})"


def _each_bounded(groups: Groups) -> str:
    """Return dice each of which is at least, or at most, so much."""
    return f"{groups['whole']}{groups['dice']}{groups['end'][:2].lower()}{groups['number']}"


_DICE_FIRST: Final = re.compile(r"[0-9]*[dD][0-9%]")
ANY_MODIFIER: Final = modifier_pattern()
MODIFIER: Final = rf"(?=[a-z!])(?!!\s*=)(?:{ANY_MODIFIER})(?![^\W\d_])"
BARE: Final = rf"(?<!\w){SIDES}?[dD](?:{SIDES}|%|[fF](?:\.[12])?|\{{[^{{}}]*\}})"
# A quantifier with a plus never goes back, so that a long text is tried once.
THROWN: Final = rf"(?P<dice>(?:{BARE}|[)}}])(?:{ANY_MODIFIER})*+)"
WORD_END: Final = r"(?![^\W_])"
_ONE_FACE: Final = rf"{WORD_END}(?!\s*(?:,|and\b|or\b|-)\s*[0-9])"
_AND: Final = r"(?:(?:,|(?ai:and|then)\b)\s*)?"
_LETTERS_END: Final = r"(?![^\W\d_])"
ADVANTAGE: Final = r"(?i:(?:with\s+|at\s+|mit\s+|avec\s+|con\s+)?(?:adv(?:antage)?|vorteil|avantage|ventaja))\b"
_DISADVANTAGE: Final = (
    r"(?i:(?:with\s+|at\s+|mit\s+|avec\s+|con\s+)?(?:dis(?:adv(?:antage)?)?|nachteil|désavantage|desventaja))\b"
)
ONE_DIE: Final = (
    r"(?<![\w.])1?[dD](?P<sides>[0-9]+)(?P<rest>(?:\s*[-+]\s*(?:[0-9]++(?![dD])|\[[^\[\]]*\](?![dD])))*+)\s*"
)
ACTION: Final = (
    r"(?P<action>drop(?:s|ped|ping)?|discard(?:s|ed|ing)?|remov(?:es?|ed|ing)|keep(?:s|ing)?|kept|tak(?:es?|ing)"
    r"|us(?:es?|ing))"
)
_COUNT: Final = rf"(?:[0-9]{{1,4}}|{NUMBER_WORD})"
RANKS: Final = r"(?P<end>high|low|best|better|worst|worse|top|bottom)(?:est|er)?"
CHOOSES: Final = (
    ACTION[:-1] + r"|ignor(?:es?|ed|ing)|pick(?:s|ed|ing)?|choos(?:es?|ing)|los(?:es?|ing)|without|less|minus)"
)
"""What may be done with the highest, or with the lowest; with a number alone it says something else."""
FATE: Final = (
    r"(?:counts?|(?:(?:is|are)\s+)?(?:used|kept|taken|(?P<away>dropped|discarded|removed|ignored)))(?![^\W\d_])"
)
"""What becomes of the highest, or of the lowest."""
_DROPS: Final = ("drop", "discard", "remov", "ignor", "los", "without", "less", "minus")
_RULE_WORDS: Final = (
    r"(?ai:adv\w*|dis(?:adv\w*)?|keep\w*|kept|drop\w*|discard\w*|remov\w*|take|use|best|worst|high\w*|low\w*|top|bottom"
    r"|re-?roll\w*|explo\w*|compound\w*|penetrat\w*|unique|min\w*|max\w*|vs|versus|against|success\w*|fail\w*|count\w*"
    r"|sort\w*|sum|roll\w*|dice|die|times|twice|half|per|each|of|once|under|over|target)\b"
)
_LABEL_WORD: Final = rf"(?!{OPERATOR_WORD}|{_RULE_WORDS})[^\W\d_][^\W\d]*+(?!\w)"
_LABEL: Final = rf"(?P<word>{_LABEL_WORD}(?:\s+{_LABEL_WORD})*)"
_NO_COMMAND = "a command of a chat is not part of the notation"
_ANYDICE = "AnyDice writes it so"
HIGHER = "advantage is the higher of two dice"
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
WORDS_DO_NOT = "words do not calculate"
_LABELS = "labels go in brackets, comments after #"
_LABELLED = "write it as in '1d8 [fire]' or '1d8 # fire'"
_AS_IN = "modifiers are written as in " + listed((quoted(each.examples[0]) for each in MODIFIERS), "and")
# fmt: off
OF_DICE: Final[tuple[Row, ...]] = (
    # Other languages and tools.
    Mistake(
        "operand", r"^\s*", r"(?:[/!](?:gm)?r(?:oll)?\b|(?ai:roll|r)\b(?=\s*[0-9dD(\[{]))\s*",
        _NO_COMMAND, "leave it out", "",
    ),
    Mistake(
        "operand", r"^\s*",
        r"output\s+\[\s*(?P<end>high|low)est\s+(?P<number>[0-9]+)\s+of\s+(?P<dice>[0-9]*d[0-9]+)\s*\]",
        _ANYDICE, "", chosen_dice,
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
        rf"(?ai:(?:{CHOOSES}\s+)?(?:only\s+)?(?:the\s+)?(?:(?P<count>{_COUNT})\s+)?{RANKS}\s+(?:(?P<number>{_COUNT})\s+)?"
        rf"(?:out\s+)?(?:of|from)\s+(?:the\s+)?(?P<dice>(?:(?:{NUMBER_WORD})\s+)?[0-9]*d[0-9]+))",
        _LETTERS, "", chosen_dice,
    ),
    Mistake(
        "operand", "", r"(?ai:(?:the\s+)?(?:middle|median)\s+(?:die\s+)?of\s+(?P<dice>[0-9]*d[0-9]+))",
        _LETTERS, _AS_IN, _middle,
    ),
    Mistake("operand", "", rf"(?ai:half(?:\s+of)?)\s+{THROWN}", WORDS_DO_NOT, "", "{dice} / 2"),
    Mistake("operand", "", rf"(?ai:exploding)\s+{THROWN}", "dice explode by !", _AS_IN, "{dice}!"),
    Mistake("operand", r"^\s*", rf"\[\[{_INLINE}\]\]\s*\Z", _DOUBLE, "", "{inner}"),
    Mistake("operand", "", rf"\[\[{_INLINE}\]\]", _DOUBLE, "", "({inner})"),
    Mistake(
        "operator", rf"(?P<count>{COUNT})", r"(?P<letter>[kKtTnNzZкКдД])(?P<sides>[0-9]+|%)(?=(?P<more>\w?))",
        _LETTER_D, "write them as 2d6", {"for dice": "{count}d{sides}", "for roll and keep": _kept},
    ),
    Mistake("operand", "", rf"[kKtTnNzZкКдД](?P<sides>[0-9]+|%){WORD_END}", _LETTER_D, "write them as d6", "d{sides}"),
    Mistake("operator", rf"(?P<count>{SIDES}?)[dD][fF]", r"(?:ate|udge)\b", "Fate dice are a dF", "", "{count}dF"),
    # Advantage.
    Mistake(
        "operator", ONE_DIE, rf"\(?\s*{ADVANTAGE}(?:\s*\))?",
        HIGHER, "write it as in '2d20kh1'", "2d{sides}kh1{rest}",
    ),
    Mistake(
        "operator", ONE_DIE, rf"\(?\s*{_DISADVANTAGE}(?:\s*\))?",
        _LOWER, "write it as in '2d20kl1'", "2d{sides}kl1{rest}",
    ),
    Mistake(
        "operand", r"^\s*", rf"{ADVANTAGE}\s*:?\s*(?:(?ai:on)\s+)?1?[dD](?P<sides>[0-9]+)",
        HIGHER, "write it as in '2d20kh1'", "2d{sides}kh1",
    ),
    Mistake(
        "operand", r"^\s*", rf"{_DISADVANTAGE}\s*:?\s*(?:(?ai:on)\s+)?1?[dD](?P<sides>[0-9]+)",
        _LOWER, "write it as in '2d20kl1'", "2d{sides}kl1",
    ),
    Mistake("", "", ADVANTAGE, HIGHER, "write it as in '2d20kh1'"),
    Mistake("", "", _DISADVANTAGE, _LOWER, "write it as in '2d20kl1'"),
    # What follows dice, in words.
    Mistake(
        "operator", ONE_DIE,
        rf"(?ai:(?:rolled\s+)?twice\b{_AND}\s*(?:and\s+)?{CHOOSES}\s+(?:the\s+)?{RANKS}){_LETTERS_END}(?:\s+(?:die|roll|result)\b)?",
        _LETTERS, "", _chosen_of_two,
    ),
    Mistake(
        "", rf"{THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:(?:{CHOOSES}\s*|whichever\s+is\s+)?(?:only\s+)?(?:the\s+)?(?:(?P<count>{_COUNT})\s+)?{RANKS}){_LETTERS_END}"
        rf"(?:\s*(?P<number>{_COUNT}){WORD_END})?(?ai:\s+(?:die|dice|one|roll|result)\b)?(?ai:\s+{FATE})?"
        rf"(?ai:\s+of\s+(?:the\s+)?(?:both|dice|{NUMBER_WORD})\b)?(?:\s*\))?",
        _LETTERS, "", chosen_dice,
    ),
    Mistake(
        "", rf"{THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:{ACTION}\s*(?:the\s+)?(?P<number>{_COUNT}){WORD_END}(?:\s+(?:die|dice)\b)?)(?:\s*\))?",
        _LETTERS, _AS_IN, chosen_dice,
    ),
    Mistake(
        "", rf"{THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:(?:{ACTION}\s+)?(?:the\s+)?(?:middle|median)\b(?:\s+die\b)?)(?:\s*\))?",
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
        WORDS_DO_NOT, "write + {name}", " + {name}",
    ),
    Mistake("operator", r"\s*", r"\(\s*(?P<sign>[-+])\s*(?P<number>[0-9]+)\s*\)", "", "", " {sign} {number}"),
    Mistake(
        "operator", r"\s*", r"(?:±|\+\s*/\s*-)", "a sign adds, or subtracts",
        "write + and a name that may be below 0, as in 2d6 + modifier",
    ),
    Mistake(
        "operator", THROWN, rf"(?P<end>[hl])(?P<number>[0-9]+){WORD_END}", _LETTERS, _AS_IN,
        {"to keep dice": "{dice}k{end}{number}", "to drop dice": "{dice}d{end}{number}"},
    ),
    Mistake(
        "operand", rf"{THROWN}\s*-\s*", rf"(?:the\s+)?(?P<end>[HL]|(?ai:high|low)(?:est)?){WORD_END}",
        _LETTERS, _AS_IN, lambda groups: f"{groups['dice']}d{groups['end'][0].lower()}1",
    ),
    Mistake(
        "operator", THROWN, r"(?i:x)(?P<once>o)?(?P<test>(?:[<>]=?|=)?[0-9]+)?(?![\w<>=])",
        "dice explode by !", _AS_IN, {"to explode": _exploding, "to multiply": _times},
    ),
    Mistake(
        "", rf"{THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:(?:explo(?:des?|ding)|exp?|aces?|again)\s*(?:on\s+)?(?P<test>(?:[<>]=?\s*)?[0-9]+)?s?){_ONE_FACE}(?:\s*\))?",
        "dice explode by !", _AS_IN, _exploding,
    ),
    Mistake(
        "", rf"{THROWN}\s*,?\s*",
        rf"{_AND}\(?\s*(?ai:re-?roll(?:s|ed|ing)?\s*(?P<once>once\s+)?(?:(?:on|if|when)\s+)?(?P<sign>(?:[<>]=?)?)\s*(?P<number>[0-9]+|ones?)s?"
        rf"{_ONE_FACE}(?P<later>\s+once\b)?)(?:\s*\))?",
        "dice are rerolled by r", _AS_IN,
        {"to reroll until it shows something else": _rerolled, "to reroll once": _rerolled_once},
    ),
    Mistake(
        "operator", rf"{THROWN}\s*", rf"[dD](?P<number>[0-9]+){WORD_END}",
        "", "write an operator between the two",
        {"to add dice": "{dice} + d{number}", "to drop dice": "{dice}d{number}"},
    ),
    Mistake(
        "operator", rf"{THROWN}\s+", rf"(?P<modifier>{MODIFIER})",
        "a modifier follows its dice without a space", "", "{dice}{modifier}",
    ),
    Mistake(
        "operator", THROWN, rf"(?P<modifiers>(?i:{ANY_MODIFIER})++){WORD_END}",
        "modifiers are written in small letters", _AS_IN, lambda groups: groups["dice"] + groups["modifiers"].lower(),
    ),
    Mistake(
        "operator", rf"{BARE}(?:{ANY_MODIFIER})++", r"(?:,\s*|\()[0-9]+(?![dD0-9])",
        "a modifier has one number, or a comparison", _AS_IN,
    ),
    Mistake(
        "operator", rf"{THROWN}\s*", rf"\(\s*(?P<modifiers>(?:{MODIFIER})++)\s*\)",
        "a modifier follows its dice without a space", "", "{dice}{modifiers}",
    ),
    Mistake("operator", rf"{THROWN}\s*", rf"t(?P<number>[0-9]+){WORD_END}", _SHOWN, _AS_IN, "{dice}>={number}"),
    Mistake(
        "operator", rf"{THROWN}\s*", r"(?ai:success(?:es)?|hits?)\b",
        _SHOWN, "write the number from which they succeed, as in '5d10>=8'",
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"\(\s*(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+)\s*\)",
        "a minimum is written as the higher of two values", "", bounded_value,
    ),
    Mistake(
        "operator", rf"^\s*(?P<whole>.*?){THROWN}\s+",
        rf"(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+){WORD_END}",
        "a minimum or maximum is of each die, or of the total", _AS_IN,
        {"for each die": _each_bounded, "for the total": bounded_value},
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", rf"(?ai:(?P<end>min|max)(?:imum)?)\s+(?P<number>[0-9]+){WORD_END}",
        "a minimum is written as the higher of two values", "", bounded_value,
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
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"(?:(?ai:halved|half)\b|½)(?P<factor>)", WORDS_DO_NOT, "",
        {"for half of all": _of_all, "for half of the last value": "{whole} / 2"},
    ),
    Mistake(
        "operator", r"^\s*(?P<whole>.*\S)\s*", r"(?P<factor>(?ai:twice|doubled))\b", WORDS_DO_NOT, "",
        {"for all": _of_all, "for the last value": "{whole} * 2"},
    ),
)
"""What is said of dice, and of values in words, where the notation stands and in rules."""
# fmt: on
# fmt: off
NOTATION: Final[tuple[Row, ...]] = (
    Mistake(
        "operator", "",
        r"(?ai:is|are|equals?)\s+(?:\{|between\b|[0-9]+\s*(?:[-‒–—/,]|\+(?!\s*[0-9dD\[])|(?ai:or|to|and)\b))",
        NO_RANGES, IN_A_RULE,
    ),
    *OF_DICE,
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
    Mistake("operator", rf"{BARE}(?:{ANY_MODIFIER})*+\s*", r"\(", "", "write an operator between the two"),
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
    Mistake("operator", rf"(?:{BARE}|[)}}])(?:{ANY_MODIFIER})*+", r"[^\W\d_]", "", _AS_IN),
    Mistake("operator", "", _RULE_WORDS, "", _AS_IN),
    Mistake("operator", "", r"[^\W\d_]", _LABELS, _LABELLED),
)
# fmt: on
