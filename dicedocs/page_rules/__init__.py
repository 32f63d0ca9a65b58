"""Tables and lists that stand in the pages of a book, as rules that are played and counted like any other."""
