"""Words of several languages that stand beside dice."""

from __future__ import annotations

import re
from typing import Final

_RANGE_WORDS: Final = (
    (re.compile(r"(?<=[0-9])\s+(?:bis|à|til|till|do|al?)\s+(?=[0-9])", re.IGNORECASE), " to "),
    (
        re.compile(
            r"(?<=[0-9])\s*(?:oder|und|ou|et|o|y|e|u|eller|och|lub|of|či|nebo)\s+"
            r"(?:mehr|höher|darüber|plus|davantage|más|mayor|superior|più|mais|mer|mere|højere|więcej|meer|hoger|více|výše)\b",
            re.IGNORECASE,
        ),
        " or more",
    ),
    (
        re.compile(
            r"(?<=[0-9])\s*(?:oder|und|ou|et|o|y|e|u|eller|och|lub|of|či|nebo)\s+"
            r"(?:weniger|niedriger|darunter|moins|menos|menor|inferior|meno|mindre|färre|lavere|mniej|minder|lager|méně|níže)\b",
            re.IGNORECASE,
        ),
        " or less",
    ),
    (re.compile(r"(?<=[0-9])\s*(?:oder|ou|eller|lub)\s+(?=[0-9])", re.IGNORECASE), " or "),
)
HARM: Final = re.compile(
    r"(?i:damage|harm|hit[ _]points?|temporary hit|heal\w*|regains?|loses|lose|wound\w*"
    r"|schaden\w*|trefferpunkt\w*|lebenspunkt\w*"
    r"|d[ée]g[âa]ts?|points? de vie|da[ñn]o\w*|puntos? de (?:golpe|vida)|dan[no][io]?|punti ferita|pontos? de vida"
    r"|skad[ae]\w*|obrażeń|obrażenia|zranění|trefferwürfel|hits?\s*:|treffer\s*:|impacto\s*:|touché\s*:|colpito\s*:|acerto\s*:)"
    r"|(?<![^\W\d_])(?:HP|hp|Hp|TP|LP|PV|PF|PG|pv|pf|pg)(?![^\W\d_])"
)
"""What dice beside an average are for."""
LEVEL: Final = re.compile(
    r"(?i:\blevels?\b|\bniv(?:el|eau|eles|eaux|å|ell?e)?\b|\bstufen?\b|\bgrade?\b|\blivell[oi]\b|\bn[ií]ve(?:l|is)\b"
    r"|\bpoziom\w*|\btier\b|\br(?:angs?|änge)\b|\branks?\b|\bslots?\b|úrov\w*|уров\w*)"
)
"""What is no average although dice stand behind it: a level, for which damage is given."""
APPROXIMATE: Final = re.compile(
    r"(?:about|around|roughly|approximately|almost|nearly|some|circa|ca\.|etwa|~|≈)\s*\Z", re.IGNORECASE
)


def with_plain_ranges(text: str) -> str:
    """Return a key with the words of ranges as the language has them.

    >>> with_plain_ranges("6 oder mehr"), with_plain_ranges("1 bis 3")
    ('6 or more', '1 to 3')
    """
    for pattern, plain in _RANGE_WORDS:
        text = pattern.sub(plain, text)
    return text
