"""The panels of games, each offered in the entry-point group ``dicedocs.panels``."""
