"""How blocks are written in HTML, and in the HTML of e-books and of books on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape

from docutils import nodes

from dicedocs import DiceError, Example, Outcome
from dicedocs.probability.sweep import parse_sweep
from dicedocs.render.chart_html import odds_html
from dicedocs.render.html import stylesheet
from dicedocs.render.outcome_looks import Look
from dicedocs.render.page_example import PageExample
from dicedocs.render.signs import html_text, in_print
from dicedocs.render.table import MAX_ROWS, Table, csv_link, exact_csv, series_csv, table_html
from dicedocs.render.text import Origin
from dicedocs.render.words import clean_lines
from dicedocs.rules.registry import mechanic
from dicedocs.scenes.change import state_facts
from dicedocs.scenes.page_text import PageText
from dicedocs.scenes.state_view import Shift, Stop, changes_html, track_html, way_html
from dicedocs.syntax.decisions import Undecided
from dicedocs.translation import gettext as _
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.odds import ClaimBlock, OddsBlock
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.scene import ChangeBlock, SheetBlock
from dicedocs_sphinx.game_code import contained
from dicedocs_sphinx.nodes import (
    change_values,
    dice_block,
    dice_caption,
    dice_case,
    dice_figure,
    dice_untold,
    dice_words,
    prose_of,
    title_of,
)
from dicedocs_sphinx.output.epub import book_stylesheet, drop_stylesheets
from dicedocs_sphinx.output.links import change_name
from dicedocs_sphinx.output.playable import (
    PageTexts,
    beat_of,
    playable_html,
    sheet_attributes,
    told_attribute,
    unseen_beat,
)
from dicedocs_sphinx.output.writer import Way, Writer
from dicedocs_sphinx.rolling.reroll import is_playable
from dicedocs_sphinx.settings import settings_of

STYLESHEET = "dicedocs.css"


class HtmlWriter(Writer):
    """Writes drawings, which can be rolled if the book wants it."""

    counts = True
    unfolds = True
    """Whether readers can unfold what is folded, and follow links to data."""

    def prepare(self) -> None:
        """Write the stylesheet before any page, so that all pages have its checksum in the link."""
        path = self.app.outdir / "_static" / STYLESHEET
        text = self.stylesheet().encode()
        if not path.is_file() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        self.app.add_css_file(STYLESHEET)

    def stylesheet(self) -> str:
        """Return the stylesheet of all pages."""
        return stylesheet()

    def given(self, block: ExampleBlock, outcome: Outcome, written: Mapping[str, Sequence[Origin]]) -> list[nodes.Node]:
        given = self._page_example(block, written).given_html(outcome)
        return [_unsearched(given)] if given else []

    def _page_example(self, block: ExampleBlock, written: Mapping[str, Sequence[Origin]]) -> PageExample:
        return PageExample(
            mechanic=block.mechanic,
            parameters=block.parameters,
            written=written,
            steps="steps" not in block.hide,
            look=self._look(block),
            title=block.title,
            in_scene=bool(block.scene),
        )

    def outcome(
        self,
        node: dice_block,
        block: ExampleBlock,
        outcome: Outcome,
        names: Sequence[str],
        written: Mapping[str, Sequence[Origin]],
        call: str,
    ) -> list[nodes.Node]:
        shown = self._page_example(block, written)._replace(facts=tuple(names), call=bool(call))
        html = shown.html(outcome, call, opened=not self.unfolds)
        played = playable_html(
            self.app,
            node,
            html,
            shown,
            text=self._page_text(node, block, outcome),
            hangs_on=self.texts.hangs_on(node),
            beat=beat_of(self.app, block, self.state_label),
            chance=bool(outcome.dice),
        )
        return [_unsearched(played)]

    def _look(self, block: ExampleBlock) -> Look:
        """Return how much room an example takes: as it says itself, or as the book says."""
        return block.look or settings_of(self.app.config).look

    def _page_text(self, node: dice_block, block: ExampleBlock | ChangeBlock, outcome: Outcome | None) -> PageText:
        """Return what the page says of a block, by which it knows whether that holds for another roll."""
        key = self.texts.key(node)
        text = self.texts.text(key, self.texts.choice(node, block.text))
        return text._replace(state_words=block.state_words).of_book(outcome, state_facts(block.after or {}))

    def place_example(
        self, node: dice_block, block: ExampleBlock, content: list[nodes.Node], messages: list[str]
    ) -> None:
        prose = prose_of(node) if self._look(block) == "line" else []
        for each in prose:
            node.remove(each)
        super().place_example(node, block, [*content, *prose], messages)

    def roll(self, node: dice_block, block: PageMechanicBlock) -> list[nodes.Node]:
        if not is_playable(self.app, block.mechanic):
            return []
        try:
            with contained(settings_of(self.app.config).seconds):
                chance = bool(Example(block.mechanic, {}, seed=block.mechanic).play().dice)
        except Undecided:
            chance = True  # its reader is asked
        except DiceError:
            return []
        example = PageExample(block.mechanic, {}, call=False, look="compact", title=block.title, whole=True)
        text = PageText(self.texts.key(node)).of_book(None)
        # The book does not roll on it.
        html = '<div class="dice-outcome"></div>'
        below = _unsearched(playable_html(self.app, node, html, example, text=text, chance=chance, table=True))
        below["classes"].append("dice-below-table")
        return [below]

    def begin(self, doctree: nodes.document, docname: str) -> None:
        super().begin(doctree, docname)
        self.texts = PageTexts(self.app, doctree, docname)

    def finish(self, doctree: nodes.document) -> None:
        change_values(doctree, in_print)

    def table(
        self, node: dice_block, block: OddsBlock, table: Table, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        below = self._csv(block, exact_csv(table))
        html = f'<div class="dice-odds">{table_html(table, folded=self.unfolds)}{below}</div>'
        return [self._figure(node, block, html, dice_caption, caption)]

    def chart(
        self, node: dice_block, block: OddsBlock, odds: ChartedOdds, caption: Sequence[nodes.Node]
    ) -> list[nodes.Node]:
        # The CSV is the table beside the chart, provided that it shows all values.
        whole = all(len(one) <= MAX_ROWS for one in odds.series.values())
        below = self._csv(block, series_csv(odds.series) if whole else "")
        html = odds_html(
            odds.series, name=_text(caption), marked=odds.marked, bands=odds.bands, note=odds.note, below=below
        )
        return [self._figure(node, block, html, nodes.caption, caption)]

    def figures(self, block: ClaimBlock, claims: Sequence[CheckedClaim]) -> list[nodes.Node]:
        shown = super().figures(block, claims)
        if not self.unfolds:
            return shown
        summary = _("Loosely put: the exact figures") if block.loose else _("The exact figures")
        return [_raw(f"<details><summary>{escape(summary)}</summary>"), *shown, _raw("</details>")]

    def _csv(self, block: OddsBlock, text: str) -> str:
        return csv_link(text, block.label) if self.unfolds else ""

    def _figure(
        self,
        node: dice_block,
        block: OddsBlock,
        html: str,
        caption_class: type[nodes.caption],
        caption: Sequence[nodes.Node],
    ) -> dice_figure:
        parameters = {**_first_settings(block), **block.parameters}
        counted, title = tuple(block.counted), _text(caption)
        example = PageExample(block.mechanic, parameters, facts=counted, title=title, best=block.best)
        beat = beat_of(self.app, block, self.state_label)
        drawing = _unsearched(playable_html(self.app, node, html, example, beat=beat, odds=True))
        figure = dice_figure("", drawing, ids=node["ids"], classes=node["classes"])
        if caption:
            figure += caption_class("", "", *caption)
        return figure

    def ways(self, block: SheetBlock, ways: Sequence[Way], docname: str) -> nodes.Node:
        items = (
            way_html(label, start, [Stop(text, change_name(each), f"#{each.anchor}") for text, each in stops])
            for label, start, stops in ways
        )
        attributes = sheet_attributes(self.app, block)
        return _raw(f'<dl class="dice-sheet simple"{attributes and f" {attributes}"}>{"".join(items)}</dl>')

    def changes(self, changes: Sequence[Shift]) -> nodes.Node:
        return _raw(changes_html(changes))

    def fact(self, fact: nodes.inline, shown: nodes.Node) -> list[nodes.Node]:
        attributes = self.texts.attributes(fact)
        return [_raw(f"<span {attributes}>"), shown, _raw("</span>")] if attributes else [shown]

    def words(self, words: dice_words) -> list[nodes.Node]:
        key = self.texts.followed_key(words)
        if not key:
            return super().words(words)
        told = zip(words.children, words["cases"], strict=True)
        return [
            each
            for child, (condition, holds) in told
            if child.children
            for each in _told_if("span", key, condition, child.children, holds=holds)
        ]

    def case(self, case: dice_case) -> list[nodes.Node]:
        key = self.texts.followed_key(case[0]) if case.cases else ""
        if not key:
            return super().case(case)
        ((condition, holds),) = case.cases
        return _told_if("div", key, condition, case.content, holds=holds)

    def track(self, path: str, text: str) -> nodes.Node:
        return _raw(track_html(self.state_label(path), text))

    def values(self, values: Iterable[tuple[str, str]]) -> nodes.Node:
        rows = (f"<div><dt>{html_text(name)}</dt><dd>{html_text(value)}</dd></div>" for name, value in values)
        return _raw(f'<dl class="dice-values simple">{"".join(rows)}</dl>')

    def boxes(self, messages: Iterable[str], title: str) -> list[nodes.Node]:  # it has a colour instead
        issues = map(escape, map(clean_lines, messages))
        return [_raw(f'<div class="dice-error" role="note"><pre>{issue}</pre></div>') for issue in issues]

    def change(self, node: dice_block, block: ChangeBlock) -> None:
        beat = beat_of(self.app, block, self.state_label)
        if beat is not None:
            hangs_on = self.texts.hangs_on(node)
            told = [_raw(f'<p class="dice-told" {told_attribute(hangs_on)}></p>')] if hangs_on else []
            node[-1:-1] = [*told, unseen_beat(beat, self._page_text(node, block, None))]
        super().change(node, block)

    def hidden(self, node: dice_block) -> list[nodes.Node]:
        block, left = node.block, super().hidden(node)
        beat = beat_of(self.app, block, self.state_label) if isinstance(block, ExampleBlock) else None
        if not isinstance(block, ExampleBlock) or beat is None:
            return left
        # What cannot be played was reported when it was checked.
        with suppress(DiceError), contained(settings_of(self.app.config).seconds):
            text = self._page_text(node, block, block.example().play())
            left.append(unseen_beat(beat, text, PageExample(block.mechanic, block.parameters)))
        return left

    def target(self, node: dice_block) -> list[nodes.Node]:
        return super().target(node)[:1]

    def place(self, node: dice_block, permalink: str) -> None:
        title, block = title_of(node), node.block
        permalinks = self.app.config.html_permalinks and getattr(self.app.builder, "add_permalinks", False)
        if title is not None and block.name and permalinks:
            # The icon is HTML from the configuration.
            icon = self.app.config.html_permalinks_icon
            title += _raw(
                f'<a class="headerlink" href="#{escape(block.anchor)}" title="{escape(permalink)}">{icon}</a>'
            )
        node.replace_self(nodes.container("", *node.children, ids=node["ids"], classes=node["classes"]))

    def place_in_text(self, node: dice_block, content: list[nodes.Node]) -> None:
        node.replace_self(nodes.container("", *content, ids=node["ids"], classes=[*node["classes"], "dice-in-text"]))


class EpubWriter(HtmlWriter):
    """Writes for e-books, few of whose readers can unfold anything, or are allowed to follow links to data."""

    unfolds = False

    def stylesheet(self) -> str:
        return book_stylesheet()

    def finish(self, doctree: nodes.document) -> None:
        super().finish(doctree)
        drop_stylesheets(doctree)


class PaperWriter(EpubWriter):
    """Writes for paper, from which nobody can call anything."""

    def prepare(self) -> None:
        """Write no stylesheet: a book has one of its own."""

    def _page_example(self, block: ExampleBlock, written: Mapping[str, Sequence[Origin]]) -> PageExample:
        example = super()._page_example(block, written)
        steps = example.steps and settings_of(self.app.config).printed_working != "off"
        return example._replace(call=False, steps=steps)


def _first_settings(block: OddsBlock) -> dict[str, str]:
    """Return the first value of each parameter that the mechanic must have and that the block varies."""
    rule = mechanic(block.mechanic)
    firsts = [values[0] for option in (block.vary, block.rows) for values in parse_sweep(rule, option)]
    fields = rule.parameters()
    return {each.name: each.text for each in firsts if each.name in fields and fields[each.name].required}


def _text(caption: Sequence[nodes.Node]) -> str:
    return "".join(part.astext() for part in caption)


def _told_if(tag: str, key: str, condition: str, content: Sequence[nodes.Node], *, holds: bool) -> list[nodes.Node]:
    """Return what a page shows as long as a condition holds for the roll of its reader."""
    attributes = f'data-dice-words="{escape(key)}" data-dice-case="{escape(condition)}"'
    if holds:
        return [_raw(f"<{tag} {attributes}>"), *content, _raw(f"</{tag}>")]
    return [dice_untold("", "", *content, tag=tag, attributes=attributes)]


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def _unsearched(html: str) -> nodes.raw:
    """Return HTML that is not searched: the author's words are, and a thousand outcomes would drown them."""
    return nodes.raw("", html, format="html", classes=["no-search"])
