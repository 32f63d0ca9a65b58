"""The games, one module each; :mod:`dicedocs.rules.registry` finds them by name, so nothing is imported here."""
