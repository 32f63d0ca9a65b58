"""Books in Markdown, reStructuredText or HTML, read for ``dicedocs lint``; without Sphinx."""
