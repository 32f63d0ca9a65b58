"""A mechanic laid out to be played: controls, inputs, outcome, live odds and history, as plain data."""
