"""What happens to a page after it was read: its blocks are checked, and facts are filled into its prose.

Blocks that refer to values of others wait until all pages are read. They are then checked in the doctree that was
stored, and again whenever one of these values has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any, Final, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import get_filetype
from sphinx.util.nodes import make_id

from dicedocs import DiceError, ParameterError
from dicedocs.errors import quoted
from dicedocs.page_rules.outcome_conditions import Case, example_of, read_case
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.render.words import clean
from dicedocs.syntax.value_kinds import NO, YES
from dicedocs_sphinx.blocks.base import Block, CheckResult, Facts
from dicedocs_sphinx.blocks.example import ExampleBlock, OutcomeFacts
from dicedocs_sphinx.blocks.mechanic_block import MechanicBlock, shared_fault
from dicedocs_sphinx.blocks.named_values import mentions
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SceneBlock, SheetBlock
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.book.doctests import note_doctest
from dicedocs_sphinx.book.domain import dice_domain
from dicedocs_sphinx.book.index_entries import index_entry
from dicedocs_sphinx.book.literal_numbers import literal_numbers
from dicedocs_sphinx.book.page_tables import announce_mechanics, take_tables
from dicedocs_sphinx.book.quick_reference import note_reference_faults
from dicedocs_sphinx.book.row_lines import row_locations
from dicedocs_sphinx.book.table_search import not_taken, unclaimed_tables
from dicedocs_sphinx.book.values import BookValues, Recheck
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.containment import check_block, contained, problem_of
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.inline_dice import INLINE_DICE, compute_inline
from dicedocs_sphinx.directives.misspelled import misspellings, one_colon
from dicedocs_sphinx.nodes import (
    FACT,
    NOTATION,
    OF_BLOCK,
    STATEMENT,
    UNKNOWN,
    ancestors,
    dice_block,
    dice_choice,
    dice_computed,
    dice_condition,
    dice_example,
    dice_fact,
    dice_mechanic,
    dice_track,
    dice_words,
    is_in_title,
    section_around,
    title_of,
    value_node,
)
from dicedocs_sphinx.settings import settings_of
from dicedocs_sphinx.source_locations import comment_location, role_location
from dicedocs_sphinx.statements import NUMBER, TABLE, Inline, State, issue, misread

_AFTER_SUBSTITUTIONS: Final = 230
"""Sphinx inserts translations at 20, docutils substitutions at 220; both may contain our roles."""
_CHOICES: Final = ("words", "case")
"""The roles of what depends on an outcome."""


class CheckBlocks(SphinxTransform):
    """Check the blocks of a page that is being read."""

    default_priority = _AFTER_SUBSTITUTIONS

    def apply(self, **kwargs: Any) -> None:
        with book_language(self.env):
            Page(self.env, self.env.docname, self.document).check()


def check_waiting_blocks(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Check the blocks whose references or mechanics were unknown, or have changed; store and return their pages."""
    domain, values = dice_domain(env), BookValues(env)
    with book_language(env):
        announce_mechanics(env)
        pages = values.recheck()
    # What is computed in a sentence may refer to another page although no block of its own does.
    referring = {page for page in domain.blocks if any(map(_refers, domain.inlines(page)))}
    changed = []
    for docname in sorted(pages.keys() | referring):
        document, before = env.get_doctree(docname), domain.inlines(docname)
        with book_language(env):
            Page(env, docname, document, values).check_again(pages.get(docname, {}))
        if docname not in pages and domain.inlines(docname) == before:
            continue
        app.builder.write_doctree(docname, document)
        # Sphinx does not expect that a doctree changes after it was loaded.
        getattr(env, "_pickled_doctree_cache", {}).pop(docname, None)
        changed.append(docname)
    return changed


def _refers(inline: Inline) -> bool:
    return (inline.role in INLINE_DICE or inline.role in _CHOICES) and mentions(inline.label)


_ROLES: Final[Mapping[type[dice_fact], str]] = {dice_track: "track", dice_words: "words", dice_condition: "case"}
"""The names of roles by what they leave in the text; a condition is not one, and called like its directive."""


class UnknownNameError(DiceError):
    """The name of an example that does not exist."""


class Page:
    """The blocks and the facts in the doctree of a page."""

    def __init__(
        self, env: BuildEnvironment, docname: str, document: nodes.document, values: BookValues | None = None
    ) -> None:
        self.domain, self.docname, self.document, self.values = dice_domain(env), docname, document, values
        settings = settings_of(env.config)
        self.seconds, self.check_literal_numbers = settings.seconds, settings.literal_numbers
        path = env.doc2path(docname)
        self.markdown = get_filetype(env.config.source_suffix, path) != "restructuredtext"
        self.nodes = list(document.findall(dice_block))
        self.named = {node.block.name: node for node in reversed(self.nodes)}
        self.waiting: set[dice_block] = set()
        self.numbers: list[Inline] = []
        self.facts: dict[dice_block, Facts | None] = {}

    def check(self) -> None:
        """Check what needs no other page, and note all that the page states."""
        take_tables(self.nodes, self.seconds)
        labels = make_labels([node.block for node in self.nodes])
        self.places = places_in_scenes(dict(zip(self.nodes, labels, strict=True)), self.document)
        for node, label in zip(self.nodes, labels, strict=True):
            scene = self.places[node].scene if node in self.places else ""
            block = replace(node.block, label=label, scene=scene and f"{self.docname} {scene}")
            for id in (block.mechanic, *(block.played if isinstance(block, PageMechanicBlock) else ())):
                self.domain.note_code(self.docname, block.kind, id)
            if not block.anchor:
                # The rules that it shows, and the lists of all examples, link to it.
                block = replace(block, anchor=make_id(self.domain.env, self.document, "dice", label))
                if isinstance(node, dice_example):
                    # Sphinx has given it a number as its id, to be able to number it.
                    named = set(self.document.nameids.values())
                    node["ids"] = [id for id in node["ids"] if id in named]
                node["ids"].append(block.anchor)
            # An error is reported when the block is checked.
            with suppress(DiceError), contained(self.seconds):
                block = replace(block, waits=bool(block.scene) or block.needs_book() or block.may_refer())
            node.block = block
            if block.waits:
                self.waiting.add(node)
            else:
                self._note_check(node, check_block(block, self.seconds))
        for fact in list(self.document.findall(dice_fact)):
            around = _enclosing_block(fact)
            if fact in self.places:
                fact["behind"] = self.places[fact].behind
            acting = around if around is not None and around.block.acts and around.block.scene else None
            if fact in self.places and (acting is None or isinstance(fact, dice_track | dice_computed)):
                # Inside an example it shows what the example has changed.
                fact["follows"] = self.places[fact].behind if acting is None else acting.block.label
            self._fill(fact)
        self._finish(self.nodes)
        for node in self.nodes:
            self._note_in_index(node)
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])
        self.domain.release_labels(self.docname)
        note_reference_faults(self.document)
        inlines = [*self._take_inlines(), *self._references(), *self._misread(), *self._uncompared(), *self.numbers]
        self.domain.note_inlines(self.docname, inlines)
        for inline in inlines:
            self.domain.report_inline(self.docname, inline)

    def _take_inlines(self) -> Iterator[Inline]:
        """Yield the statements that nodes hold, and take them from these; a fact that has to wait keeps its place."""
        count = 0
        for node in list(self.document.findall(nodes.Element)):
            if STATEMENT not in node:
                continue
            inline = Inline(**node.attributes.pop(STATEMENT))
            if isinstance(node, nodes.comment):
                node.parent.remove(node)
            elif isinstance(node.parent, nodes.substitution_definition):
                # What is read is where it stands, if it stands anywhere.
                continue
            if isinstance(node, dice_fact):
                node["page"], node["index"] = self.docname, count
            count += 1
            yield inline

    def _references(self) -> Iterator[Inline]:
        """Yield the references to blocks."""
        for node in self.document.findall(addnodes.pending_xref):
            if node.get("refdomain") == self.domain.name:
                role, target = node["reftype"], node["reftarget"]
                source, line = role_location(node.source, node.line, node.get("written", target))
                yield Inline(label=f"{role} {target}", source=source, line=line, role=role, path=target)

    def _uncompared(self) -> Iterator[Inline]:
        """Yield the tables to roll on, and the parts of tables, that have dice and are compared with nothing."""
        yield from _uncompared_by(self.nodes)
        for table, dice in unclaimed_tables(self.document):
            file, line = row_locations(table)[0]
            yield _uncompared(not_taken(dice), file, line)

    def _misread(self) -> Iterator[Inline]:
        """Yield what was meant as a directive or a role, and was read as something else."""
        for comment in self.document.findall(nodes.comment):
            if message := one_colon(comment):
                location = comment_location(comment.source, comment.line, comment.astext())
                yield misread(Problem.REFERENCE, message, *location)
        for each in misspellings(self.document, markdown=self.markdown):
            yield misread(Problem.REFERENCE, *each)

    def check_again(self, blocks: Mapping[str, Recheck]) -> None:
        """Note what the check of blocks that refer to others found, by label, and fill in the facts that waited."""
        late = [node for node in self.nodes if node.block.label in blocks]
        for node in late:
            node.block, result = blocks[node.block.label]
            self._note_check(node, result)
        labels = {node.block.label for node in late}
        known = self.domain.inlines(self.docname)
        inlines = [each for each in known if each.role != NUMBER or each.label not in labels]
        # Rules that play others could not be read before these.
        again = list(_uncompared_by(late))
        inlines = [*(each for each in inlines if each not in again), *again]
        changed = list(self.numbers)
        for fact in self.document.findall(dice_fact):
            if fact.get("late"):
                self._fill(fact)
                inlines[fact["index"]] = Inline(**fact.attributes.pop(STATEMENT))
                changed.append(inlines[fact["index"]])
        for inline in changed:
            self.domain.report_inline(self.docname, inline)
        self._finish(late)
        self._note_scenes()
        self.domain.note_blocks(self.docname, [node.block for node in self.nodes])
        self.domain.note_inlines(self.docname, [*inlines, *self.numbers])

    def _note_check(self, node: dice_block, result: CheckResult) -> None:
        issues, node["computed"], facts, notes, after = result
        block = node.block = replace(node.block, issues=issues, after=after)
        state = self._state(block)
        node.block = replace(block, state=state.value if state else "")
        self.facts[node] = facts
        for each in [*block.issues, *notes]:
            problem, message = Problem(each["problem"]), f"{block.label}: {each['message']}"
            if each["elsewhere"]:
                continue
            if shared_fault(block, each):
                self.domain.note_trouble(self.docname, problem)
            else:
                self.domain.report(self.docname, problem, message, block.source, each["line"])
        known = None
        if self.check_literal_numbers and facts is not None:
            # What cannot be read as text is reported where it is to be shown.
            with suppress(DiceError), contained(self.seconds):
                known = facts.numbers()
        if known is not None:
            for number, source, line in literal_numbers(node, known):
                hint = "correct it, write it as a word, or take a fact or steps.LABEL by the role dice:fact"
                message = f"{block.label}: the number {number} is not one of this example's values; {hint}"
                issues = [issue(Problem.LITERAL, message, line=line)]
                typed = Inline(label=block.label, source=source, line=line, issues=issues, role=NUMBER)
                self.numbers.append(replace(typed, state=State.FAILED.value))

    def _note_scenes(self) -> None:
        """Make each scene a test of all that is played in it."""
        acting = [node.block for node in self.nodes if node.block.acts]
        for node in self.nodes:
            scene = node.block
            if not isinstance(scene, SceneBlock):
                continue
            members = [each for each in acting if each.scene == scene.scene and not isinstance(each, SceneBlock)]
            known = not scene.issues and all(each.after is not None for each in members)
            scene = scene.with_beats(members if known else ())
            # What is wrong in it is one statement, which is counted there.
            broken = any(each.issues for each in members)
            state = State.UNVERIFIED if broken else self._state(scene)
            node.block = replace(scene, state=state.value if state else "")
            note_doctest(node, in_it=broken)

    def _state(self, block: Block) -> State | None:
        """Return the state of a block that was just checked, as far as it is its own."""
        if block.issues:
            return State.UNVERIFIED if len(block.elsewhere()) == len(block.issues) else State.FAILED
        if block.unchecked:
            return State.UNVERIFIED
        if block.verifies_itself:
            return State.VERIFIED
        if block.expect:
            # It is played with other dice, and a rule may fail with those.
            with suppress(DiceError), contained(self.seconds):
                if block.says_nothing():
                    return State.EMPTY
            return State.VERIFIED
        if block.is_test():
            return State.UNVERIFIED
        return State.COMPUTED if block.mechanic else None

    def _facts(self, node: dice_block) -> Facts | None:
        if node not in self.facts:
            self.facts[node] = node.block.facts()
        return self.facts[node]

    def _fill(self, fact: dice_fact) -> None:
        """Fill in a fact, or note that it depends on a block that waits, or on another page."""
        path: str = fact["path"]
        source, line = role_location(fact.source, fact.line, path)
        computed = isinstance(fact, dice_computed)
        if computed and "follows" not in fact:
            node, inline = compute_inline(fact["role"], path, source, line, self.seconds)
            node[STATEMENT] = inline.data()
            fact.replace_self(node)
            return
        role = fact["role"] if computed else _ROLES.get(type(fact), "fact")
        inline = Inline(label=f"{role} {path}", source=source, line=line, role=role, state=State.COMPUTED.value)
        fact.attributes.pop(OF_BLOCK, None)
        try:
            with contained(self.seconds):
                if isinstance(fact, dice_choice):
                    inline = self._find_cases(fact, inline)
                else:
                    inline = self._find_in_page(fact, inline)
        except DiceError as error:
            usual, message, shown = Problem.FACT, str(error), UNKNOWN
            if isinstance(error, UnknownNameError):
                usual = Problem.REFERENCE
            if computed:
                usual, message, shown = Problem.VALUE, f"{path}: {error}", f"{UNKNOWN} ({path})"
            issues = [issue(problem_of(error, usual), message, line=line)]
            inline = replace(inline, shown=shown, issues=issues, state=State.FAILED.value)
        place: nodes.TextElement = fact
        if isinstance(fact, dice_choice):
            if inline.issues:
                fact.attributes.pop("cases", None)
                fact[:] = [nodes.Text(inline.shown)] if isinstance(fact, dice_words) else []
            if is_in_title(fact) and not fact.get("late"):
                place = value_node(inline.shown)
                fact.replace_self(place)
        elif fact.get("late"):
            fact[:] = value_node(inline.shown or UNKNOWN).children
        elif not inline.path:
            place = value_node(inline.shown)
            place.attributes |= {name: fact[name] for name in (FACT, OF_BLOCK) if name in fact}
            fact.replace_self(place)
        place[STATEMENT] = inline.data()

    def _find_in_page(self, fact: dice_fact, inline: Inline) -> Inline:
        """Return the statement with its text; without one if it has to wait, with a path if for another page.

        Raises:
            DiceError: there is no such fact.
        """
        path: str = fact["path"]
        name, dot, inner = path.partition(".")
        around = _enclosing_block(fact)
        if "follows" in fact and not self._is_own(fact, around) and (found := self._find_in_scene(fact, inline)):
            if not isinstance(fact, dice_computed):
                self._note_block(fact, fact["follows"], path)
            return found
        if isinstance(fact, dice_track):
            raise DiceError(f"the track {quoted(path)} is outside a scene; write a dice:scene above it in its section")
        if around is None and not dot:
            outside = f"the fact {quoted(path)} is outside an example; write its name before it, as in name.fact"
            raise DiceError(outside)
        if around in self.waiting:
            return _waiting(fact, inline)
        facts = None if around is None else self._facts(around)
        # A fact of the enclosing block comes first, even if the rest of the path is wrong.
        if dot and (facts is None or not facts.has(path)):
            block = self.named.get(name) if name else None
            if block in self.waiting:
                return _waiting(fact, inline)
            if block is None:
                _check_place(fact)
                return replace(inline, path=path, quiet=around is not None and facts is None)
            facts, path = self._facts(block), inner
            self._note_block(fact, block.block.label, path)
        elif around is not None:
            self._note_block(fact, _acting(around.block, fact), path)
        return replace(inline, shown=UNKNOWN if facts is None else clean(facts.text(path)))

    def _find_cases(self, fact: dice_choice, inline: Inline) -> Inline:
        """Return the statement of what depends on an outcome as :meth:`_find_in_page` does, and note what holds.

        Raises:
            DiceError: it cannot be read.
        """
        text: str = fact["path"]
        found = self._find_outcome(fact, text)
        if found is None:
            return _waiting(fact, inline)
        facts, label, owner = found
        if facts is None:
            # What is wrong is reported where it is.
            return replace(inline, shown=UNKNOWN)
        if label:
            fact[OF_BLOCK] = f"{self.docname} {label}"
        if isinstance(fact, dice_words):
            cases = read_words(text, facts.values(), owner)
            shown = next((case.words for case in cases if case.holds), "")
            if is_in_title(fact):
                # A title is shown elsewhere, too.
                fact[:] = [nodes.Text(shown)]
                return replace(inline, shown=shown)
            _split_words(fact, cases)
        else:
            cases = (read_case(text, facts.values(), owner),)
            shown = YES if cases[0].holds else NO
        fact["cases"] = [(case.condition, case.holds) for case in cases]
        return replace(inline, shown=shown)

    def _find_outcome(self, fact: dice_choice, text: str) -> tuple[Facts | None, str, str] | None:
        """Return that on which something depends, its label on this page, and the name that its author gave for it.

        The result is ``None`` if that has to wait.

        Raises:
            DiceError: there is no such thing.
        """
        facts, label, around = None, fact.get("behind", ""), _enclosing_block(fact)
        if around in self.waiting:
            return None
        if around is not None:
            facts, label = self._facts(around), around.block.label if around.block.acts else label
        elif "follows" in fact:
            before = next(node.block for node in self.nodes if node.block.label == label)
            if before.waits:
                return None
            facts = None if before.after is None else StateFacts(before.after, words=before.state_words)
        owner = example_of(text, facts.values() if isinstance(facts, OutcomeFacts | StateFacts) else None)
        if not owner:
            if around is None and "follows" not in fact:
                hint = f"write its name before it, as in first-blow.{text.split(maxsplit=1)[0] if text else 'success'}"
                raise ParameterError("this is outside an example", hint=hint)
            return facts, label, ""
        node = self.named.get(owner)
        if node is not None:
            return None if node in self.waiting else (self._facts(node), node.block.label, owner)
        if self.values is None:
            return None
        if self.values.block(owner) is None:
            if facts is None and (around is not None or owner in self._in_scene_of(label)):
                # It waits for what has a mistake, which is reported there.
                return None, label, ""
            raise UnknownNameError(self.domain.no_such_name(owner))
        return self.values.facts(owner), "", owner

    def _in_scene_of(self, label: str) -> set[str]:
        """Return the names of the tracks and the characters of the scene of a block of this page."""
        scene = next((node.block.scene for node in self.nodes if node.block.label == label), "")
        begun = (node.block for node in self.nodes if isinstance(node.block, SceneBlock) and node.block.scene == scene)
        return {name for block in begun if scene for name in (*block.tracks, *block.cast)}

    def _is_own(self, fact: dice_fact, around: dice_mechanic | None) -> bool:
        """Return whether a fact is one of the block around it, and not the state of the scene there."""
        if around is None or around in self.waiting or isinstance(fact, dice_track | dice_computed):
            return False
        facts = self._facts(around)
        return facts is not None and facts.has(fact["path"])

    def _note_block(self, fact: dice_fact, label: str, path: str) -> None:
        """Note of which block a fact is, so that a page that rolls finds it."""
        if label:
            fact[OF_BLOCK], fact[FACT] = f"{self.docname} {label}", path

    def _find_in_scene(self, fact: dice_fact, inline: Inline) -> Inline | None:
        """Return the statement of a value of a scene as :meth:`_find_in_page` does; ``None`` if there is none."""
        path: str = fact["path"]
        before = next(node.block for node in self.nodes if node.block.label == fact["follows"])
        if before.waits:
            return _waiting(fact, inline)
        if before.after is None:
            # What is wrong in the scene is reported there.
            return replace(inline, shown=UNKNOWN)
        if isinstance(fact, dice_computed) and self.values is not None:
            dice = INLINE_DICE[inline.role]
            text = dice.with_values(path, self.values.in_state(before))
            fact[NOTATION] = dice.rolled(text)
            return replace(inline, shown=clean(dice.shown(text)))
        state = StateFacts(before.after, words=before.state_words)
        if isinstance(fact, dice_track):
            return replace(inline, shown=clean(state.track(path)))
        return replace(inline, shown=clean(state.text(path))) if state.has(path) else None

    def _finish(self, blocks: Iterable[dice_block]) -> None:
        """Set the titles of blocks, which are now translated and filled in, and the doctests."""
        for node in blocks:
            if (title := title_of(node)) is not None:
                for raw in list(title.findall(nodes.raw)):
                    # MyST takes a word in angle brackets for HTML, which the text of a link cannot contain.
                    raw.replace_self(nodes.Text(raw.astext()))
                node.block = replace(node.block, title=title.astext())
            if node not in self.waiting:
                note_doctest(node)

    def _note_in_index(self, node: dice_block) -> None:
        """Put a rule, or a mechanic of the page, into the index by its title, else by the heading of its section."""
        block, title = node.block, title_of(node)
        if block.is_hidden or not isinstance(block, RuleBlock | PageMechanicBlock):
            return
        if isinstance(block, RuleBlock) and not block.title:
            block = node.block = replace(block, heading=_heading(node))
        # What may still change has no place there.
        if title is not None and next(iter(title.findall(dice_fact)), None) is not None:
            return
        name, section = block.title, section_around(node)
        address = block.anchor
        if not name and isinstance(block, RuleBlock) and block.heading and section is not None:
            # What is called as its heading is found there.
            name, address = block.heading, section["ids"][0]
        # A semicolon would make the rest of the title an entry below the first part; TeX has no U+FFFD.
        text = clean(name).replace(";", ",").replace("\ufffd", "").strip()
        if not text:
            return
        position = addnodes.index(entries=[("single", index_entry(text), address, "", None)])
        position.source, position.line = node.source, node.line
        place: nodes.Element = node
        while isinstance(block, PageMechanicBlock) and not isinstance(place.parent, nodes.section | nodes.document):
            # Within a list it would change how the list looks.
            place = place.parent
        place.parent.insert(place.parent.index(place), position)


def _uncompared_by(blocks: Iterable[dice_block]) -> Iterator[Inline]:
    """Yield the parts of the tables of blocks that have dice and are compared with nothing."""
    for node in blocks:
        if isinstance(node.block, PageMechanicBlock) and (message := node.block.uncompared()):
            yield _uncompared(message, node.block.source, node.block.table_line)


def _uncompared(message: str, source: str, line: int) -> Inline:
    return Inline(label=message, source=source, line=line, role=TABLE, state=State.UNCOMPARED.value)


def _heading(node: dice_block) -> str:
    """Return the heading of the section whose first rule without a title this is; a page's title names no rule."""
    section = section_around(node)
    if section is None or isinstance(section.parent, nodes.document):
        return ""
    rules = (each for each in section.findall(dice_block) if isinstance(each.block, RuleBlock))
    is_first = next(each for each in rules if not each.block.title and not each.block.is_hidden) is node
    return clean(section[0].astext()) if is_first else ""


def make_labels(blocks: Sequence[Block]) -> list[str]:
    """Return the label of each block of a page: its name, or its kind and its number among the blocks of that kind.

    A name that an earlier block has is none. A number that makes a name of this page is followed by another one, so
    that names never change the labels of other blocks any further.
    """
    names = {block.name for block in blocks if block.name}
    labels: list[str] = []
    counts: Counter[str] = Counter()
    for block in blocks:
        counts[block.kind] += 1
        label = block.name
        if not label or label in labels:
            label = first = f"{block.kind}-{counts[block.kind]}"
            others = count(2)
            while label in names or label in labels:
                label = f"{first}-{next(others)}"
        labels.append(label)
    return labels


def _waiting(fact: dice_fact, inline: Inline) -> Inline:
    """Return the statement of a fact that has to wait until all pages are read."""
    _check_place(fact)
    fact["late"] = True
    return inline


def _split_words(fact: dice_words, cases: Sequence[Case]) -> None:
    """Take what stands before words from these, of which each case then has its own."""
    if len(fact) != len(cases):
        fact += nodes.inline()
    pieces = [*fact["path"].split("|")[1:], ""]
    for index, (case, piece) in enumerate(zip(cases, pieces, strict=False)):
        if not fact.get("split") and piece.strip() != case.words:
            fact[index] = nodes.inline("", fact[index].astext().partition(":")[2].strip())
    fact["split"] = True


def _acting(block: Block, fact: dice_fact) -> str:
    """Return the label of the block whose fact it is, given the block around it: what only shows a scene has none."""
    if block.acts:
        return block.label
    path = fact["path"]
    return fact.get("behind", "") if StateFacts(block.before or {}).has(path) else ""


def _check_place(fact: dice_fact) -> None:
    """Check that a fact that has to wait is in no heading, which Sphinx copies before that.

    Raises:
        DiceError: it is.
    """
    if isinstance(fact.parent, nodes.title) and isinstance(fact.parent.parent, nodes.section | nodes.document):
        path = quoted(fact["path"])
        raise DiceError(f"a heading cannot show {path}, which is known only when all pages are read")


class Place(NamedTuple):
    """Where a block or a fact is in a scene: the label of this, and that of the last block that acts before it."""

    scene: str
    behind: str


def places_in_scenes(labels: Mapping[dice_block, str], document: nodes.document) -> dict[nodes.Node, Place]:
    """Return the places of the blocks and the facts in scenes.

    A scene is from its place to the end of its section; of several the last one holds.
    """
    found: dict[nodes.Node, Place] = {}
    scenes: list[tuple[nodes.Node, Place]] = []
    for node in document.findall(lambda node: isinstance(node, dice_fact | dice_block)):
        around = list(ancestors(node))
        while scenes and scenes[-1][0] not in around:
            scenes.pop()
        if isinstance(node, dice_block) and isinstance(node.block, SceneBlock):
            section: nodes.Node = next(each for each in around if isinstance(each, nodes.section | nodes.document))
            found[node] = Place(labels[node], labels[node])
            scenes.append((section, found[node]))
        elif scenes and (isinstance(node, dice_fact) or (isinstance(node, dice_block) and _takes_part(node.block))):
            section, found[node] = scenes[-1]
            if isinstance(node, dice_block) and node.block.acts:
                scenes[-1] = section, found[node]._replace(behind=labels[node])
    return found


def _takes_part(block: Block) -> bool:
    in_scenes = isinstance(block, ChangeBlock | SheetBlock | MechanicBlock)
    return in_scenes and not (isinstance(block, ExampleBlock) and block.apart)


def _enclosing_block(node: nodes.Element) -> dice_mechanic | None:
    return next((each for each in ancestors(node) if isinstance(each, dice_mechanic)), None)


def setup_transforms(app: Sphinx) -> None:
    app.add_transform(CheckBlocks)
    app.connect("env-updated", check_waiting_blocks)
