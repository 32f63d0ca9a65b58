"""A mechanic being played in a panel: controls, inputs, outcome, live odds and history, as plain data."""
