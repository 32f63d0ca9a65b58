"""Outcomes, examples and distributions display themselves in a notebook, without Jupyter installed."""

import dicedocs as dd

from ..every import every

WORKED = "Dice: 3d6: 4 + 2 + 5 = 11"


class Printer:
    """The printer that IPython passes to ``_repr_pretty_``."""

    def __init__(self) -> None:
        self.output = ""

    def text(self, text: str) -> None:
        self.output += text


@every(
    ("value", "begins"),
    [
        (dd.roll("3d6", dice=[4, 2, 5]), WORKED),
        (dd.Example("methuen/expression", {"expression": "3d6"}, dice=[4, 2, 5]), WORKED),
        (dd.Distribution.dice(1, 2), "1  50%  █"),
        (dd.estimate("methuen/expression", expression="1d1", samples=1), "Total\n    1  100%"),
    ],
    ids=["outcome", "example", "distribution", "estimate"],
)
def test_it_has_text_html_and_latex(value, begins):
    printer = Printer()
    value._repr_pretty_(printer, False)
    assert printer.output.startswith(begins)
    assert value._repr_html_().startswith("<style")
    assert value._repr_latex_().startswith(r"\begin{")


def test_an_estimate_says_that_it_is_one():
    estimate = dd.estimate("methuen/check", check="1d20 >= 11", samples=10, seed=1)
    assert str(estimate).endswith("\nEstimated from 10 plays.")
    assert estimate.to_html().endswith('<p class="dice-note">Estimated from 10 plays.</p>')
