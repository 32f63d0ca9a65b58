"""What happens to a page when it was read: its examples are played, checked, and their facts filled in."""

from __future__ import annotations

from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from dicedocs import DiceError, Outcome
from dicedocs.errors import quoted
from dicedocs_sphinx.doctesting import note_test
from dicedocs_sphinx.domain import dice_domain
from dicedocs_sphinx.nodes import dice_example, dice_fact, dice_working, title_of
from dicedocs_sphinx.places import role_place
from dicedocs_sphinx.problems import Problem
from dicedocs_sphinx.roles import UNKNOWN, computed, fact_text, has
from dicedocs_sphinx.worked import Worked, check, true_line

_AFTER_SUBSTITUTIONS: Final = 230
"""Sphinx puts translations in at 20, and docutils substitutions at 220: both may hold our roles."""


class PlayExamples(SphinxTransform):
    """Play the examples of a page, check them, fill in their facts, and note it all in the domain."""

    default_priority = _AFTER_SUBSTITUTIONS

    def apply(self, **kwargs: Any) -> None:
        """Do it for one page."""
        self.domain, self.docname = dice_domain(self.env), self.env.docname
        self.outcomes: dict[dice_example, Outcome | None] = {}
        shown: set[str] = set()
        for number, example in enumerate(self.document.findall(dice_example), 1):
            worked: Worked = example["worked"]
            worked["shown"] = worked["name"] if worked["name"] not in {"", *shown} else f"example-{number}"
            shown.add(worked["shown"])
            self.outcomes[example] = self._play(worked)
        for fact in list(self.document.findall(dice_fact)):
            self._fill(fact)
        for example in self.outcomes:
            self._finish(example)

    def _play(self, worked: Worked) -> Outcome | None:
        """Check an example, and report what is wrong with it."""
        self.domain.note(self.docname, mechanic=worked["mechanic"])
        outcome, worked["call"], worked["wrong"] = check(worked)
        for found in worked["wrong"]:
            message = f"{worked['shown']}: {found['message']}"
            self._report(Problem(found["problem"]), message, worked["source"], found["line"])
        if outcome is not None and not worked["wrong"] and not worked["expect"]:
            first = outcome.facts(*list(outcome.facts_of)[:1])
            message = f"{worked['shown']}: nothing is expected; write {worked['colon']}expect: {first}"
            self._report(Problem.UNVERIFIED, message, worked["source"], true_line(worked))
        return outcome

    def _fill(self, node: dice_fact) -> None:
        """Put a value in its place; one of another page waits until all pages are read."""
        around = node.parent
        while around is not None and not isinstance(around, dice_example):
            around = around.parent
        path: str = node["path"]
        if around is None and "." not in path:
            message = f"no example stands around the fact {quoted(path)}; write its name before it, as in name.fact"
            self._give_up(node, "" if isinstance(node.parent, nodes.substitution_definition) else message)
            return
        outcome = None if around is None else self.outcomes[around]
        # What an example has itself comes first, also when the rest of the path is wrong.
        if outcome is None or not has(outcome, path.partition(".")[0]):
            name = path.partition(".")[0]
            example = next((each for each in self.outcomes if name and each["worked"]["name"] == name), None)
            if example is not None:
                outcome, path = self.outcomes[example], path.partition(".")[2]
            elif "." in path:
                self._wait(node, quiet=around is not None and outcome is None)
                return
        try:
            node.replace_self(computed(UNKNOWN if outcome is None else fact_text(outcome, path)))
        except DiceError as error:
            self._give_up(node, str(error))

    def _wait(self, node: dice_fact, *, quiet: bool) -> None:
        """Leave the place of a value of another page, but not in a heading, which is copied before that is known."""
        if isinstance(node.parent, nodes.title) and isinstance(node.parent.parent, nodes.section | nodes.document):
            self._give_up(node, f"a heading cannot show {quoted(node['path'])}, which is on another page")
            return
        node["quiet"] = quiet
        self.domain.note(self.docname, use=node["path"])

    def _give_up(self, node: dice_fact, message: str) -> None:
        """Show that a value is not known, and report why."""
        if message:
            self._report(Problem.FACT, message, *role_place(node.source, node.line, node["path"]))
        node.replace_self(computed(UNKNOWN))

    def _finish(self, example: dice_example) -> None:
        """Note an example as it is now, its title translated and filled in."""
        worked: Worked = example["worked"]
        title, working = title_of(example), example[-1]
        if title is not None:
            for raw in list(title.findall(nodes.raw)):
                # MyST takes a word in pointed brackets for HTML; a link's text cannot hold that.
                raw.replace_self(nodes.Text(raw.astext()))
            worked["title"] = title.astext()
        if isinstance(working, dice_working):
            note_test(working, worked)
        self.domain.note_example(self.docname, worked)

    def _report(self, problem: Problem, message: str, source: str, line: int) -> None:
        self.domain.report(self.docname, problem, message, source, line)


def setup_reading(app: Sphinx) -> None:
    """Add the transform."""
    app.add_transform(PlayExamples)
