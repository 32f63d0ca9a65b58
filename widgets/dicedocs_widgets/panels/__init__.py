"""The games' own panels, each found through the entry-point group ``dicedocs.panels``."""
