"""Pages that roll: the files that they load, with Python, the core and the games of the book."""
