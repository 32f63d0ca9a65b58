"""Ember, a game that is not part of dicedocs: the proof that a stranger's game is one module."""
