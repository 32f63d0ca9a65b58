"""Panels and evenings as plain data: what they hold, what each action makes of it, and what a page shows of it."""
