"""What a panel has because every Jupyter widget with a value has it: description, disabled, style, and its help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import traitlets as t
from ipywidgets.widgets.trait_types import Color

from dicedocs.panel.game import Game
from dicedocs.render.words import whole_characters
from dicedocs.rules.description import describe
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param

_ALWAYS: Final = """
Every panel also has: seed, lock, label, odds_of, odds_show, character, description, disabled, layout, style; value,
outcome, odds, error, rolls, history, code, directive; roll(), undo(), redo(), clear(), recall(n), replay(n), pin(),
unpin()."""


class PanelStyle(t.HasTraits):
    """The style of a panel, as ``panel.style``."""

    accent_color = Color(None, allow_none=True, help="the colour of Roll, of the result and of the bars")

    def __repr__(self) -> str:
        return f"PanelStyle(accent_color={self.accent_color!r})"


class StyledPanel(t.HasTraits):
    """The part of a panel that other widgets have too."""

    description = t.Unicode(help="the title of the panel, instead of that of the mechanic").tag(sync=True)
    disabled = t.Bool(help="whether the page of the panel accepts nothing").tag(sync=True)
    style = t.Instance(PanelStyle, help="colours; a dictionary of them may be set")
    _accent = t.Unicode().tag(sync=True)

    @t.validate("description", "label")
    def _validate_text(self, proposal: Any) -> Any:
        return whole_characters(proposal["value"])

    @t.default("style")
    def _default_style(self) -> PanelStyle:
        return self._followed(PanelStyle())

    def _followed(self, style: PanelStyle) -> PanelStyle:
        style.observe(self._style_changed, "accent_color")
        return style

    def _style_changed(self, change: Any) -> None:
        self._accent = change["new"] or ""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "style" and not isinstance(value, PanelStyle):
            value = self._read_style(value)
        super().__setattr__(name, value)
        if name == "style":
            self._followed(value)
            self._accent = value.accent_color or ""

    @staticmethod
    def _read_style(value: Any) -> PanelStyle:
        known = PanelStyle.class_own_traits()
        if not isinstance(value, Mapping) or not set(value) <= set(known):
            raise t.TraitError(f"the style of a panel is a dictionary with {', '.join(known)}")
        return PanelStyle(**value)


def panel_doc(source: type[Mechanic] | Game[Any], fields: Mapping[str, Param]) -> str:
    """Return the help of the panels of a mechanic or of a game: what it does, and its parameters.

    Parameters:
        source: the mechanic or the game.
        fields: its parameters by the names of their traits.

    >>> from dicedocs.rules.registry import mechanic
    >>> timer = mechanic("dungeoneers/timer")
    >>> print(panel_doc(timer, timer.parameters()).splitlines()[0])
    The panel of dungeoneers/timer.
    """
    if isinstance(source, type):
        name, help, facts = source.id or source.__name__, describe(source).help, source.result().facts_of.values()
        results = [f"    {fact.name}: {fact.help}" for fact in facts]
    else:
        name, help, results = source.id, source.help, []
    lines = [f"The panel of {name}.", "", help, "", "Parameters, each of which is a trait:"]
    for trait, field in fields.items():
        default = "" if field.required else f"; by default {field.write(field.default)}"
        lines.append(f"    {trait}: {field.help} ({field.kind.expects}{default})")
    if results:
        lines += ["", "Facts of its outcome:", *results]
    return "\n".join([*lines, *_ALWAYS.splitlines()])
