"""The parameters of an example as they are written: with links to what their values were taken from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes
from sphinx.application import Sphinx

from dicedocs.render.text import Choice, Origin, Participant, against_whom, before_value
from dicedocs.render.words import SEPARATOR
from dicedocs_sphinx.blocks.character import CharacterBlock
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock
from dicedocs_sphinx.blocks.named_values import Source
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.nodes import value_node
from dicedocs_sphinx.output.links import link_to_block


def written_parameters(app: Sphinx, block: MechanicBlock, docname: str) -> Mapping[str, Sequence[Origin]]:
    """Return the parameters that the author wrote, each with what its values were taken from."""
    return {name: [_origin(app, source, docname) for source in block.sources_of(name)] for name in block.parameters}


def _origin(app: Sphinx, source: Source, docname: str) -> Origin:
    if source.name not in dice_domain(app.env).named():
        # A track of the scene around it.
        return Origin(source.name, character=False)
    page, block = dice_domain(app.env).named()[source.name]
    link = link_to_block(app, docname, page, block, nodes.inline())
    url = "" if link is None else _address(link)
    return Origin(block.title or source.name, source.path, url, isinstance(block, CharacterBlock), source.alone)


def _address(link: nodes.reference) -> str:
    if "refid" in link:
        return f"#{link['refid']}"
    # In a single page Sphinx writes the anchor of the page before that of the block.
    page, *anchors = link["refuri"].split("#")
    return f"{page}#{anchors[-1]}"


def value_nodes(choice: Choice) -> list[nodes.Node]:
    """Return the value of a parameter as nodes that every writer knows."""
    links = [node for number, origin in enumerate(choice.origins) for node in _origin_nodes(number, origin)]
    if choice.stands_alone:
        return links
    text = nodes.literal(choice.text, choice.text) if choice.notation else value_node(choice.text)
    return [text, nodes.Text(" ("), *links, nodes.Text(")")] if links else [text]


def participant_nodes(found: Iterable[Participant]) -> list[nodes.Node]:
    """Return who takes part in a roll of a scene, with what, and against whom, as nodes that every writer knows."""
    parts: list[list[nodes.Node]] = []
    for each in found:
        name, values = _name_node(each.name, each.url), ", ".join(each.values)
        if each.target:
            before, _name, after = against_whom().partition("{character}")
            parts.append([nodes.Text(before), name, nodes.Text(after)])
        elif parts and values:
            parts.append([name, value_node(f"{before_value('')} {values}")])
        else:
            parts.append([name])
            if values:
                parts.append([value_node(values)])
    between = ([nodes.Text(SEPARATOR)] if number else [] for number in range(len(parts)))
    return [node for dot, part in zip(between, parts, strict=True) for node in (*dot, *part)]


def _origin_nodes(number: int, origin: Origin) -> Iterator[nodes.Node]:
    if number:
        yield nodes.Text("; ")
    yield _name_node(origin.name, origin.url)
    if origin.value:
        yield value_node(f": {origin.value}")


def _name_node(name: str, url: str) -> nodes.Node:
    return nodes.reference("", "", nodes.inline("", name), internal=True, **_target(url)) if url else nodes.Text(name)


def _target(url: str) -> dict[str, str]:
    return {"refid": url[1:]} if url.startswith("#") else {"refuri": url}
