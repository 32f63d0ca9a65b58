"""What a player has typed in a page, put into a form."""

from __future__ import annotations

from typing import Final

from dicedocs import limits
from dicedocs.panel.state import FormState
from dicedocs.panel.wire import Message
from dicedocs.rules.params import no_such_parameter

LABEL: Final = ("",)
"""The subject of a step that changes the label, which no field is called."""


def typed(form: FormState, message: Message) -> tuple[FormState, object]:
    """Return a form with what a message carries, and what that changes, as the subject of a step.

    Adding or removing rows or dice is a step of its own, whose subject is ``None``.

    Parameters:
        form: the form.
        message: the message.

    Raises:
        ParameterError: it names a field that does not exist.
    """
    inputs, label = form.inputs, form.label
    for name in (*message.texts, *message.parts):
        if name not in inputs.fields:
            raise no_such_parameter(name, inputs.fields)
    before = inputs.state()["parts"]
    resized = any(len(parts) != len(before.get(name, ())) for name, parts in message.parts.items())
    for name, text in message.texts.items():
        inputs = inputs.with_text(name, text)
    for name, parts in message.parts.items():
        inputs = inputs.with_parts(name, parts)
    if message.label is not None:
        label = message.label[: limits.VALUE_TEXT.maximum]
    subject = None if resized else (*message.texts, *message.parts, *(() if message.label is None else LABEL))
    return form._replace(inputs=inputs, label=label), subject
