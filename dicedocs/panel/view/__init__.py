"""What a page shows of a state: the outcome, the odds and the log."""
