"""The facts of the blocks of a page, filled into its text.

A fact that depends on a block that waits, or on another page, waits too: see :mod:`dicedocs_sphinx.book.page_check`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from docutils import nodes

from dicedocs import DiceError, ParameterError
from dicedocs.errors import quoted
from dicedocs.page_rules.outcome_conditions import Case, example_of, read_case
from dicedocs.page_rules.outcome_words import read_words
from dicedocs.render.words import clean
from dicedocs.syntax.value_kinds import NO, YES
from dicedocs_sphinx.blocks.base import Block, Facts
from dicedocs_sphinx.blocks.example import OutcomeFacts
from dicedocs_sphinx.blocks.named_values import mentions
from dicedocs_sphinx.blocks.scene import SceneBlock
from dicedocs_sphinx.blocks.state_facts import StateFacts
from dicedocs_sphinx.book.domain import DiceDomain
from dicedocs_sphinx.book.values import BookValues
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.directives.inline_dice import INLINE_DICE, compute_inline
from dicedocs_sphinx.game_code import contained, problem_of
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
    dice_fact,
    dice_mechanic,
    dice_track,
    dice_words,
    is_in_title,
    value_node,
)
from dicedocs_sphinx.source_locations import role_location
from dicedocs_sphinx.statements import Inline, State, issue

_ROLES: Final[Mapping[type[dice_fact], str]] = {dice_track: "track", dice_words: "words", dice_condition: "case"}
"""The names of roles by what they leave in the text; a condition is not one, and called like its directive."""


def may_refer(inline: Inline) -> bool:
    """Return whether a statement may refer to another page: it computes something, or depends on an outcome."""
    choices = (role for kind, role in _ROLES.items() if issubclass(kind, dice_choice))
    return inline.role in {*INLINE_DICE, *choices} and mentions(inline.label)


class UnknownNameError(DiceError):
    """The name of an example that does not exist."""


class PageFacts:
    """The facts of the blocks of a page.

    Parameters:
        domain: what all pages state.
        docname: the page.
        blocks: its blocks.
        seconds: how long one fact may take.
        values: the values of all pages, once these have been read.

    Attributes:
        known: the facts of blocks that were checked; ``None`` of one that has a mistake.
        waiting: the blocks that wait until all pages are read.
    """

    def __init__(
        self,
        domain: DiceDomain,
        docname: str,
        blocks: Sequence[dice_block],
        seconds: float,
        values: BookValues | None = None,
    ) -> None:
        self._domain, self._docname, self._blocks = domain, docname, blocks
        self._seconds, self._values = seconds, values
        self._named = {node.block.name: node for node in reversed(blocks)}
        self.known: dict[dice_block, Facts | None] = {}
        self.waiting: set[dice_block] = set()

    def of(self, node: dice_block) -> Facts | None:
        """Return the facts of a block; ``None`` if it has a mistake."""
        if node not in self.known:
            self.known[node] = node.block.facts()
        return self.known[node]

    def fill(self, fact: dice_fact) -> None:
        """Fill in a fact, or note that it depends on a block that waits, or on another page."""
        path: str = fact["path"]
        source, line = role_location(fact.source, fact.line, path)
        computed = isinstance(fact, dice_computed)
        if computed and "follows" not in fact:
            node, inline = compute_inline(fact["role"], path, source, line, self._seconds)
            node[STATEMENT] = inline.data()
            fact.replace_self(node)
            return
        role = fact["role"] if computed else _ROLES.get(type(fact), "fact")
        inline = Inline(label=f"{role} {path}", source=source, line=line, role=role, state=State.COMPUTED.value)
        fact.attributes.pop(OF_BLOCK, None)
        try:
            with contained(self._seconds):
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
        around = enclosing_block(fact)
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
        facts = None if around is None else self.of(around)
        # A fact of the enclosing block comes first, even if the rest of the path is wrong.
        if dot and (facts is None or not facts.has(path)):
            block = self._named.get(name) if name else None
            if block in self.waiting:
                return _waiting(fact, inline)
            if block is None and around is not None and facts is None:
                # It may be one of the block, whose mistake is reported.
                return replace(inline, shown=UNKNOWN)
            if block is None:
                _check_place(fact)
                return replace(inline, path=path)
            facts, path = self.of(block), inner
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
            fact[OF_BLOCK] = f"{self._docname} {label}"
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
        facts, label, around = None, fact.get("behind", ""), enclosing_block(fact)
        if around in self.waiting:
            return None
        if around is not None:
            facts, label = self.of(around), around.block.label if around.block.acts else label
        elif "follows" in fact:
            before = next(node.block for node in self._blocks if node.block.label == label)
            if before.waits:
                return None
            facts = None if before.after is None else StateFacts(before.after, words=before.state_words)
        owner = example_of(text, facts.values() if isinstance(facts, OutcomeFacts | StateFacts) else None)
        if not owner:
            if around is None and "follows" not in fact:
                hint = f"write its name before it, as in first-blow.{text.split(maxsplit=1)[0] if text else 'success'}"
                raise ParameterError("this is outside an example", hint=hint)
            return facts, label, ""
        node = self._named.get(owner)
        if node is not None:
            return None if node in self.waiting else (self.of(node), node.block.label, owner)
        if self._values is None:
            return None
        if self._values.block(owner) is None:
            if facts is None and (around is not None or owner in self._in_scene_of(label)):
                # It waits for what has a mistake, which is reported there.
                return None, label, ""
            raise UnknownNameError(self._domain.no_such_name(owner))
        return self._values.facts(owner), "", owner

    def _in_scene_of(self, label: str) -> set[str]:
        """Return the names of the tracks and the characters of the scene of a block of this page."""
        blocks = [node.block for node in self._blocks]
        scene = next((block.scene for block in blocks if block.label == label), "")
        begun = (block for block in blocks if isinstance(block, SceneBlock) and block.scene == scene)
        return {name for block in begun if scene for name in (*block.tracks, *block.cast)}

    def _is_own(self, fact: dice_fact, around: dice_mechanic | None) -> bool:
        """Return whether a fact is one of the block around it, and not the state of the scene there."""
        if around is None or around in self.waiting or isinstance(fact, dice_track | dice_computed):
            return False
        facts = self.of(around)
        return facts is not None and facts.has(fact["path"])

    def _note_block(self, fact: dice_fact, label: str, path: str) -> None:
        """Note of which block a fact is, so that a page that rolls finds it."""
        if label:
            fact[OF_BLOCK], fact[FACT] = f"{self._docname} {label}", path

    def _find_in_scene(self, fact: dice_fact, inline: Inline) -> Inline | None:
        """Return the statement of a value of a scene as :meth:`_find_in_page` does; ``None`` if there is none."""
        path: str = fact["path"]
        before = next(node.block for node in self._blocks if node.block.label == fact["follows"])
        if before.waits:
            return _waiting(fact, inline)
        if before.after is None:
            # What is wrong in the scene is reported there.
            return replace(inline, shown=UNKNOWN)
        if isinstance(fact, dice_computed) and self._values is not None:
            dice = INLINE_DICE[inline.role]
            text = dice.with_values(path, self._values.in_state(before))
            fact[NOTATION] = dice.rolled(text)
            return replace(inline, shown=clean(dice.shown(text)))
        state = StateFacts(before.after, words=before.state_words)
        if isinstance(fact, dice_track):
            return replace(inline, shown=clean(state.track(path)))
        return replace(inline, shown=clean(state.text(path))) if state.has(path) else None


def enclosing_block(node: nodes.Element) -> dice_mechanic | None:
    """Return the block in whose text a node is."""
    return next((each for each in ancestors(node) if isinstance(each, dice_mechanic)), None)


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
