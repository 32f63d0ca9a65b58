"""What the author of a book uses besides a build: its check, new expectations, the diff of two versions, tests."""
