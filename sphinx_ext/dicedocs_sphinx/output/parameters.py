"""The parameters of an example as they are written: with a link to the character that a value was taken from."""

from __future__ import annotations

from collections.abc import Mapping

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.render.text import Choice, Origin
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.output.links import link_to_block


def written_parameters(app: Sphinx, block: MechanicBlock, docname: str) -> Mapping[str, Origin | None]:
    """Return the parameters that the author wrote, each with the character that it was taken from, if any."""
    refs = block.references
    return {name: _origin(app, refs[name], docname) if name in refs else None for name in block.parameters}


def _origin(app: Sphinx, ref: str, docname: str) -> Origin | None:
    """Return the character that a reference names; ``None`` if it names none."""
    name, _, value = ref.partition(".")
    character = dice_domain(app.env).named_characters().get(name)
    if character is None:
        return None
    page = dice_domain(app.env).named()[name][0]
    link = link_to_block(app, docname, page, character, nodes.inline())
    return Origin(character.title or name, " ".join(value.split()), "" if link is None else _address(link))


def _address(link: nodes.reference) -> str:
    if "refid" in link:
        return f"#{link['refid']}"
    # In a single page Sphinx writes the anchor of the page before that of the block.
    page, *anchors = link["refuri"].split("#")
    return f"{page}#{anchors[-1]}"


def value_nodes(choice: Choice) -> list[nodes.Node]:
    """Return the value of a parameter as nodes that every writer knows."""
    origin = choice.origin
    text = nodes.literal(choice.text, choice.text) if choice.notation else nodes.Text(choice.text)
    if origin is None:
        return [text]
    link: nodes.Node = nodes.Text(origin.character)
    if origin.url:
        link = nodes.reference("", "", nodes.inline("", origin.character), internal=True, **_target(origin.url))
    return [text, nodes.Text(" ("), link, nodes.Text(f": {origin.value})")] if origin.value else [link]


def _target(url: str) -> dict[str, str]:
    return {"refid": url[1:]} if url.startswith("#") else {"refuri": url}
