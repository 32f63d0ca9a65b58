"""A book on paper: the builder ``dicebook`` makes a PDF of the pages, which WeasyPrint sets."""
