"""A mechanic's panel made of stock ipywidgets over the same session; `widgets.py` compares it with a dicedocs panel."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from dicedocs.panel.forms.session import Session
from dicedocs.render.html import outcome_html


class StockPanel(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The panel that a careful author would build without JavaScript.

    Parameters:
        id: the id of the mechanic.
        parameters: as in ``dicedocs_widgets.panel``.
    """

    def __init__(self, id: str, **parameters: Any) -> None:
        self.session = Session(id, parameters)
        form, texts = self.session.form(), self.session.inputs.texts
        self.errors = {field["name"]: w.HTML() for field in form["fields"]}
        rows = [
            w.HBox([self.control(field, texts[field["name"]]), self.errors[field["name"]]]) for field in form["fields"]
        ]
        self.error, self.outcome, self.odds, self.history = (w.HTML() for _ in range(4))
        self.outcome.add_class("stock-outcome")
        self.odds.add_class("stock-odds")
        self.seed = w.Text(description="Seed")
        self.label = w.Text(description="Label")
        self.lock = w.Checkbox(description="Lock seed")
        self.which = w.Dropdown(options=[fact["name"] for fact in form["facts"]], description="Odds of")
        self.code, self.markdown, self.rst = (w.Textarea() for _ in range(3))
        buttons = [self.button(do.capitalize(), {"do": do}) for do in ("roll", "undo", "clear", "next-seed")]
        self.which.observe(lambda change: self.post({"do": "odds-of", "fact": change["new"]}), "value")
        for name, control in (("seed", self.seed), ("label", self.label), ("lock", self.lock)):
            control.observe(lambda change, name=name: self.post({"do": "set", name: change["new"]}), "value")
        super().__init__(
            [
                w.HTML(f"<b>{form['title']}</b>"),
                *rows,
                self.error,
                w.HBox(buttons),
                w.HBox([self.label, self.seed, self.lock]),
                self.outcome,
                self.which,
                self.odds,
                self.history,
                *(self.code, self.markdown, self.rst),
            ]
        )
        self.show()

    def control(self, field: dict[str, Any], text: str) -> w.Widget:
        """Return the stock control of a field."""
        kind, name = field["control"], field["name"]
        if kind["kind"] == "truth":
            widget = w.Checkbox(text == "true", description=field["label"])
        elif kind["kind"] == "choice" and not kind["optional"]:
            widget = w.Dropdown(options=kind["choices"], value=text, description=field["label"])
        else:
            widget = w.Text(text, description=field["label"], continuous_update=True)
        widget.add_class(f"stock-{name}")
        widget.observe(lambda change: self.post({"do": "set", "texts": {name: str(change["new"]).lower()}}), "value")
        return widget

    def button(self, label: str, message: dict[str, Any]) -> w.Button:
        """Return a button that sends a message."""
        widget = w.Button(description=label)
        widget.add_class(f"stock-{message['do']}")
        widget.on_click(lambda _: self.post(message))
        return widget

    def post(self, message: dict[str, Any]) -> None:
        """Send a message to the session and update the display."""
        self.session.receive(message)
        self.show()

    def show(self) -> None:
        """Count the odds to the end and display the session's state."""
        while not self.session.odds.count(1):
            pass
        state = self.session.state()
        for name, box in self.errors.items():
            box.value = state["errors"].get(name, {}).get("message", "")
        self.error.value = (state["error"] or {}).get("text", "")
        outcome = self.session.outcome
        self.outcome.value = "" if outcome is None else f"Roll {self.session.rolls} {outcome_html(outcome)}"
        self.odds.value = "".join(
            f"<div>{text} <meter value={p}></meter> {percent}</div>" for text, p, percent in state["odds"]["bars"]
        )
        self.history.value = "".join(f"<div>{entry['roll']} {entry['verdict']}</div>" for entry in self.session.log())
        self.code.value, self.markdown.value, self.rst.value = (
            state[name] for name in ("code", "directive", "directive_rst")
        )
