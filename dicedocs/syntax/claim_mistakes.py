"""Common mistakes around the conditions of claims."""

from __future__ import annotations

from typing import Final

from dicedocs.syntax.mistakes import Groups, Mistake, Row, sentence
from dicedocs.syntax.relations import COMPARE, KEYWORD, TURNED, read_relation


def _two_claims(groups: Groups) -> str:
    """Return the two comparisons of a chain, each with its figure first."""
    figure = groups["figure"]
    turned, second = TURNED[read_relation(groups["first"])], read_relation(groups["second"])
    return f"{figure} {turned} {groups['low'].strip()}, {figure} {second} {groups['high'].strip()}"


def _odds(groups: Groups) -> str:
    """Return the chance that odds are: 7 to 5 is 7 in 12."""
    return f"{groups['part']} in {int(groups['part']) + int(groups['whole'])}"


def _share_of(groups: Groups) -> str | None:
    return f"{groups['part']} in {groups['whole']}" if int(groups["part"]) <= int(groups["whole"]) else None


def _multiple(groups: Groups) -> str:
    return "0.5 * " if groups["half"] else "2 * "


_FIGURE: Final = r"(?P<figure>\w+\((?:[^()]|\([^()]*\))*\))"
_SHARE: Final = r"(?:[0-9]+(?:\.[0-9]+)?\s*%?)"
# fmt: off
CLAIMS: Final[tuple[Row, ...]] = (
    sentence(
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
    Mistake("operator", r"(?P<part>[0-9]+)\s*", r"(?:out\s+of|of)\s*(?P<whole>[0-9]+)", "", "", "{part} in {whole}"),
    Mistake(
        "operator", r"(?P<part>[0-9]+)\s*", r":\s*(?P<whole>[0-9]+)", "odds of a to b are a chance of a in a + b", "",
        {"for these odds": _odds, "for a share": _share_of},
    ),
    Mistake("operator", r"\s*", r"[xX]\s*(?=[\w(])", "", "", " * "),
    Mistake("", "", r"(?:twice|(?P<half>half))\s+(?:of\s+)?(?=\w+\s*\()", "", "", _multiple),
    Mistake("operator", r"\s*", r"(?:,\s*)?(?:give\s+or\s+take|plus\s+or\s+minus)\s*", "", "", " ± "),
    Mistake(
        "operator", rf"{_FIGURE}\s*=\s*(?P<one>{_SHARE})\s*", r"\(\s*(?P<other>[^()]*[^()\s])\s*\)", "", "",
        "{figure} = {one}, {figure} = {other}",
    ),
    Mistake(
        "operator", r"(?P<whole>[0-9]+),(?P<part>[0-9]+\s*%?)\s*", "", "a decimal has a point", "", "{whole}.{part}"
    ),
    Mistake("operator", r"\s*", r"(?:and|&|und)\s*(?=\w+\s*\()", "claims are separated by commas", "", ", "),
    Mistake("operator", r"\b(?P<figure>p|mean|median)\s*", r"\[(?P<inner>[^\[\]]*)\]", "", "", "{figure}({inner})"),
    Mistake("operator", r"\b(?P<figure>mean|median)\s+", r"(?:of\s+)?(?P<fact>\w+)", "", "", "{figure}({fact})"),
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
    Mistake(
        "operand", "", r"(?P<event>[^\W\d][^,()%]*?)\s*(?:=|:|\bis\b|\s)\s*(?P<share>[0-9.]+)\s*(?:%|per\s?cent\b)",
        "", "", "p({event}) = {share}%",
    ),
    Mistake(
        "operand", "",
        rf"(?P<event>(?:(?!{KEYWORD})[^\W\d]\w*+(?:\s++|(?!\w)))++(?:{COMPARE})\s*[0-9]+)(?=\s*(?:,|\Z))",
        "", "", "p({event}) = 100%",
    ),
)
# fmt: on
