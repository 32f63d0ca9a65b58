"""A language in which every message is itself in brackets, so that a text that escaped translation is seen.

Only the words of a message are in brackets, not what stands for its placeholders: what is put there must be translated
by itself.
"""

import re
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from babel.messages.catalog import Catalog

ROOT = Path(__file__).parents[1]
CODE = "eo"
"""A language that Sphinx has and this package does not."""
BRACKETS = re.compile(r"⟦[^⟦⟧]*(?:⟧|…)")
"""A translated text; its end may have been cut off."""
WORD = re.compile(r"[^\W\d_]+")


@cache
def tool():
    """The tool behind `make messages`, which is not in a package."""
    spec = spec_from_file_location("messages", ROOT / "tools" / "messages.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bracketed(message):
    """A message with its words in brackets."""
    parts = re.split(r"(\{\w+\})", message)
    return "".join(part if index % 2 or not part else f"⟦{part}⟧" for index, part in enumerate(parts))


def write_catalogues(folder):
    """Write the catalogues of the core and of all games in the language."""
    messages = tool()
    target = Path(folder) / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    for path in messages.catalogues():
        if path.parts[-3] != "de":
            continue
        catalogue = Catalog(locale=CODE, fuzzy=False)
        for message in messages.template(path.stem, messages.read(path)):
            if message.id:
                plural = isinstance(message.id, tuple)
                string = tuple(map(bracketed, message.id)) if plural else bracketed(message.id)
                catalogue.add(message.id, string, context=message.context)
        (target / f"{path.stem}.mo").write_bytes(messages.compiled(catalogue))


def escaped_words(text, known=""):
    """The words of a text that are neither translated nor among known words."""
    return set(WORD.findall(BRACKETS.sub(" ", text))) - set(WORD.findall(known))
