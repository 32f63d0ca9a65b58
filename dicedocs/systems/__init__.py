"""The games, one module each; :mod:`dicedocs.registry` finds them by name, so nothing is imported here."""
