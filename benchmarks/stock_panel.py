"""The panel of a mechanic from the stock controls of ipywidgets, over the same session: `widgets.py` measures it."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from dicedocs.panel.session import Session
from dicedocs.render.html import outcome_html


class StockPanel(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """What a careful author would build without a module of their own.

    Parameters:
        id: the mechanic.
        parameters: as a panel of ours takes them.
    """

    def __init__(self, id: str, **parameters: Any) -> None:
        self.session = Session(id, parameters)
        form, texts = self.session.form(), self.session.inputs.texts
        self.errors = {field["name"]: w.HTML() for field in form["fields"]}
        rows = [
            w.HBox([self.control(field, texts[field["name"]]), self.errors[field["name"]]]) for field in form["fields"]
        ]
        self.wrong, self.outcome, self.odds, self.history = (w.HTML() for _ in range(4))
        self.outcome.add_class("stock-outcome")
        self.odds.add_class("stock-odds")
        self.seed = w.Text(description="Seed")
        self.label = w.Text(description="Label")
        self.lock = w.Checkbox(description="Lock seed")
        self.which = w.Dropdown(options=[fact["name"] for fact in form["facts"]], description="Odds of")
        self.code, self.markdown, self.rst = (w.Textarea() for _ in range(3))
        buttons = [self.button(do.capitalize(), {"do": do}) for do in ("roll", "undo", "clear", "next-seed")]
        self.which.observe(lambda change: self.tell({"do": "odds-of", "fact": change["new"]}), "value")
        for name, control in (("seed", self.seed), ("label", self.label), ("lock", self.lock)):
            control.observe(lambda change, name=name: self.tell({"do": "set", name: change["new"]}), "value")
        super().__init__(
            [
                w.HTML(f"<b>{form['title']}</b>"),
                *rows,
                self.wrong,
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
        """Give the stock control of a field."""
        kind, name = field["control"], field["name"]
        if kind["kind"] == "truth":
            made = w.Checkbox(text == "true", description=field["label"])
        elif kind["kind"] == "choice" and not kind["optional"]:
            made = w.Dropdown(options=kind["choices"], value=text, description=field["label"])
        else:
            made = w.Text(text, description=field["label"], continuous_update=True)
        made.add_class(f"stock-{name}")
        made.observe(lambda change: self.tell({"do": "set", "texts": {name: str(change["new"]).lower()}}), "value")
        return made

    def button(self, label: str, message: dict[str, Any]) -> w.Button:
        """Give a button that sends a message."""
        made = w.Button(description=label)
        made.add_class(f"stock-{message['do']}")
        made.on_click(lambda _: self.tell(message))
        return made

    def tell(self, message: dict[str, Any]) -> None:
        """Do what was asked and show what is there then."""
        self.session.receive(message)
        self.show()

    def show(self) -> None:
        """Show the session, its odds counted."""
        while not self.session.count(1):
            pass
        state = self.session.state()
        for name, shown in self.errors.items():
            shown.value = state["errors"].get(name, {}).get("message", "")
        self.wrong.value = (state["error"] or {}).get("text", "")
        outcome = self.session.outcome
        self.outcome.value = "" if outcome is None else f"Roll {self.session.rolls} {outcome_html(outcome)}"
        self.odds.value = "".join(
            f"<div>{text} <meter value={p}></meter> {percent}</div>" for text, p, percent in state["odds"]["bars"]
        )
        self.history.value = "".join(f"<div>{one['roll']} {one['headline']}</div>" for one in self.session.log())
        self.code.value, self.markdown.value, self.rst.value = (
            state[name] for name in ("code", "directive", "directive_rst")
        )
