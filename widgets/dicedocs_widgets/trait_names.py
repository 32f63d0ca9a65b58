"""The names of a panel's traits: those of the parameters, with an underscore where the panel needs the name itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dicedocs.panel.game import Game
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param

_OF_WIDGETS: Final = """
add_class add_traits blur class_own_trait_events class_own_traits class_trait_names class_traits close close_all
comm cross_validation_lock focus get_interact_value get_manager_state get_state get_view_spec handle_comm_opened
handle_control_comm_opened has_trait hold_sync hold_trait_notifications keys layout log model_id notify_change
observe on_msg on_trait_change on_widget_constructed open remove_class send send_state set_state set_trait
setup_instance tabbable tooltip trait_defaults trait_events trait_has_value trait_metadata trait_names trait_values
traits unobserve unobserve_all value widget_types widgets
"""
_OF_PANELS: Final = """
apply character characters choose_character clear code comparison description directive directive_rst disabled error
history join label lock odds odds_of odds_show outcome pin play press recall redo refresh replay restart roll
roll_each rolls save_odds seed state style then to_json to_pandas undo unpin
"""
RESERVED_NAMES: Final = frozenset(f"{_OF_WIDGETS} {_OF_PANELS}".split())
"""Names that a panel needs itself: those of every widget, and its own."""


def trait_name(parameter: str) -> str:
    """Return the name of a parameter's trait, which ends in an underscore if the panel needs the name itself.

    >>> trait_name("advantage"), trait_name("label")
    ('advantage', 'label_')
    """
    return f"{parameter}_" if parameter in RESERVED_NAMES else parameter


def parameters_by_trait(source: type[Mechanic] | Game[Any]) -> Mapping[str, Param]:
    """Return the parameters of a mechanic, or the fields of a game, by the names of their traits."""
    fields = source.parameters().values() if isinstance(source, type) else source.fields
    return {trait_name(field.name): field for field in fields}
