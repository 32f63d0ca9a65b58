"""What happens to a page when it was read: examples are played, odds counted, all is checked, and facts are filled in.

What asks for characters waits until all pages are read, and is then played in the doctree that was
kept; again, whenever one of the characters has changed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from dicedocs import DiceError, Outcome
from dicedocs.errors import quoted
from dicedocs_sphinx.block import true_line
from dicedocs_sphinx.character import Character, asked, meet, names_asked
from dicedocs_sphinx.counted import Counted
from dicedocs_sphinx.doctesting import note_test
from dicedocs_sphinx.domain import dice_domain, sort_of
from dicedocs_sphinx.literals import literal_numbers
from dicedocs_sphinx.nodes import dice_character, dice_counted, dice_example, dice_fact, dice_working, title_of
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.reckoning import reckon
from dicedocs_sphinx.roles import UNKNOWN, computed, has, held_text
from dicedocs_sphinx.ruled import is_mismatch
from dicedocs_sphinx.worked import Worked, check, example_of

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

    from dicedocs_sphinx.block import Block, Found

_AFTER_SUBSTITUTIONS: Final = 230
"""Sphinx puts translations in at 20, and docutils substitutions at 220: both may hold our roles."""
_LITERAL_NUMBERS: Final = (
    "whether a number that is typed in the prose of an example, and that no value of the example equals, is a warning"
)


Ruling = dice_example | dice_counted
"""The nodes that stand for a mechanic with its parameters."""


class Page:
    """What of ours is on a page that was read.

    Parameters:
        env: the environment.
        docname: the name of the page.
        document: the page.
    """

    def __init__(self, env: BuildEnvironment, docname: str, document: nodes.document) -> None:
        self.domain, self.docname = dice_domain(env), docname
        self.literal_numbers: bool = env.config.dicedocs_literal_numbers
        self.document = document
        self.rulings = [node for node in document.findall() if isinstance(node, Ruling)]
        self.named = {ruled_of(node)["name"]: node for node in reversed(self.rulings)}
        self.waiting: set[Ruling] = set()
        self.holders: dict[Ruling, Outcome | Counted | None] = {}
        self.characters: dict[str, Character] = {}

    def play(self) -> None:
        """Play, count and check what can be, fill in facts, and note it all; what has to wait is left as it is."""
        for number, character in enumerate(self.document.findall(dice_character), 1):
            self._note_character(character, number)
        shown: set[str] = set()
        numbers: Counter[str] = Counter()
        for node in self.rulings:
            ruled = ruled_of(node)
            sort = sort_of(ruled)
            numbers[sort] += 1
            ruled["shown"] = ruled["name"] if ruled["name"] not in {"", *shown} else f"{sort}-{numbers[sort]}"
            shown.add(ruled["shown"])
            self.domain.note(self.docname, mechanic=ruled["mechanic"])
            ruled["asked"] = asked(ruled)
            if ruled["asked"]:
                self.waiting.add(node)
                self.domain.wait(self.docname, names_asked(ruled))
            else:
                self._play(node)
        for fact in list(self.document.findall(dice_fact)):
            self._fill(fact)
        for node in self.rulings:
            self._finish(node)
            self.domain.note_block(self.docname, ruled_of(node))

    def play_late(self) -> None:
        """Play and count what asks for characters, all pages being read."""
        late = [node for node in self.rulings if ruled_of(node)["asked"]]
        known = self.domain.named_characters()
        for node in late:
            meet(ruled_of(node), known)
            self._play(node)
        for fact in list(self.document.findall(dice_fact)):
            if fact.get("late"):
                fact.attributes.pop("text", None)
                self._fill(fact)
        for node in late:
            self._finish(node)
            self.domain.replace_block(self.docname, ruled_of(node))

    def _note_character(self, node: dice_character, number: int) -> None:
        character: Character = node["character"]
        character["shown"] = character["name"] or f"character-{number}"
        self._entitle(node, character)
        self._report_all(character, character["misread"])
        self.characters.setdefault(character["name"], character)
        self.domain.note_character(self.docname, character)

    def _play(self, node: Ruling) -> None:
        """Check an example, or count, and report what is wrong."""
        if not isinstance(node, dice_example):
            counted: Counted = node["counted"]
            node["shown"], counted["wrong"] = reckon(counted)
            self._report_all(counted, counted["wrong"])
            return
        worked: Worked = node["worked"]
        outcome, worked["call"], worked["wrong"] = check(worked)
        self.holders[node] = outcome
        self._report_all(worked, worked["wrong"])
        if outcome is None:
            return
        if not worked["wrong"] and not worked["expect"]:
            first = outcome.facts(*list(outcome.facts_of)[:1])
            message = f"{worked['shown']}: nothing is expected; write {worked['colon']}expect: {first}"
            self._report(Problem.UNVERIFIED, message, worked["source"], true_line(worked))
        if self.literal_numbers:
            for number, source, line in literal_numbers(node, outcome):
                message = f"{worked['shown']}: the number {number} is none of the example's values"
                self._report(Problem.LITERAL, message, source, line)

    def _holder(self, node: Ruling) -> Outcome | Counted | None:
        """Give what has the facts of a node that does not wait, playing an example again that was played before."""
        if node not in self.holders:
            if isinstance(node, dice_example):
                worked: Worked = node["worked"]
                self.holders[node] = example_of(worked).play() if worked["call"] else None
            else:
                counted: Counted = node["counted"]
                self.holders[node] = counted if all(map(is_mismatch, counted["wrong"])) else None
        return self.holders[node]

    def _fill(self, node: dice_fact) -> None:
        """Put a value in its place; one of another page, or of an example that waits, waits too."""
        around = node.parent
        while around is not None and not isinstance(around, Ruling):
            around = around.parent
        path: str = node["path"]
        if around is None and "." not in path:
            message = f"no example stands around the fact {quoted(path)}; write its name before it, as in name.fact"
            self._give_up(node, "" if isinstance(node.parent, nodes.substitution_definition) else message)
            return
        if around in self.waiting:
            node["late"] = True
            return
        own = None if around is None else self._holder(around)
        holder: Outcome | Character | Counted | None = own
        # What a block has itself comes first, also when the rest of the path is wrong.
        if own is None or not has(own, path):
            name, dot, inner = path.partition(".")
            named = self.named.get(name) if name else None
            if named in self.waiting:
                node["late"] = self._may_wait(node)
                return
            if named is not None:
                holder, path = self._holder(named), inner
            elif dot and name in self.characters:
                holder, path = self.characters[name], inner
            elif dot:
                if self._may_wait(node):
                    node["quiet"] = around is not None and own is None
                    self.domain.note(self.docname, use=path)
                return
        try:
            self._put(node, UNKNOWN if holder is None else held_text(holder, path))
        except DiceError as error:
            self._give_up(node, str(error))

    def _may_wait(self, node: dice_fact) -> bool:
        """Tell whether a value may wait for other pages: not in a heading, which is copied before that is known."""
        if isinstance(node.parent, nodes.title) and isinstance(node.parent.parent, nodes.section | nodes.document):
            message = f"a heading cannot show {quoted(node['path'])}, which is known only when all pages are read"
            self._give_up(node, message)
            return False
        return True

    def _give_up(self, node: dice_fact, message: str) -> None:
        """Show that a value is not known, and report why."""
        if message:
            self._report(Problem.FACT, message, *role_place(node.source, node.line, node["path"]))
        self._put(node, UNKNOWN)

    def _put(self, node: dice_fact, text: str) -> None:
        """Put a text in the place of a value, where it stays; but a late one may change again."""
        if node.get("late"):
            node["text"] = text
            node[:] = computed(text).children
        else:
            node.replace_self(computed(text))

    def _finish(self, node: Ruling) -> None:
        """Note of a node what it is now, its title translated and filled in."""
        self._entitle(node, ruled_of(node))
        working = node[-1]
        if isinstance(working, dice_working) and node not in self.waiting:
            note_test(working, ruled_of(node))

    def _entitle(self, node: Ruling | dice_character, block: Block) -> None:
        title = title_of(node)
        if title is not None:
            for raw in list(title.findall(nodes.raw)):
                # MyST takes a word in pointed brackets for HTML; a link's text cannot hold that.
                raw.replace_self(nodes.Text(raw.astext()))
            block["title"] = title.astext()

    def _report_all(self, block: Block, wrong: list[Found]) -> None:
        for found in wrong:
            message = f"{block['shown']}: {found['message']}"
            self._report(Problem(found["problem"]), message, block["source"], found["line"])

    def _report(self, problem: Problem, message: str, source: str, line: int) -> None:
        self.domain.report(self.docname, problem, message, source, line)


def ruled_of(node: Ruling) -> Worked | Counted:
    """Give the data of a node."""
    held: Worked | Counted = node["worked" if isinstance(node, dice_example) else "counted"]
    return held


class PlayExamples(SphinxTransform):
    """Play the examples of a page that is being read."""

    default_priority = _AFTER_SUBSTITUTIONS

    def apply(self, **kwargs: Any) -> None:
        """Do it for one page."""
        Page(self.env, self.env.docname, self.document).play()


def play_late(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Play the examples whose characters were not known before, or have changed, and keep the pages so.

    Returns:
        These pages, which are to be written.
    """
    domain = dice_domain(env)
    pages = [page for page in sorted(domain.waiting) if domain.waiting[page] != domain.stamps(page)]
    for docname in pages:
        document = env.get_doctree(docname)
        Page(env, docname, document).play_late()
        domain.waiting[docname] = domain.stamps(docname)
        app.builder.write_doctree(docname, document)
        # Sphinx does not expect that a doctree changes after it was loaded.
        getattr(env, "_pickled_doctree_cache", {}).pop(docname, None)
    return pages


def setup_reading(app: Sphinx) -> None:
    """Add the transform, and what follows when all pages are read."""
    app.add_config_value("dicedocs_literal_numbers", False, "env", bool, _LITERAL_NUMBERS)
    app.add_transform(PlayExamples)
    app.connect("env-updated", play_late)
