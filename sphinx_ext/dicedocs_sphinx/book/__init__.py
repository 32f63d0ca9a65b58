"""The book: its blocks and what refers to them, how pages are read, and the games and settings that it brings."""
