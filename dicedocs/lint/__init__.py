"""Wrong dice in books without markup: what stands in a page, and what is wrong with it. Files are read elsewhere."""
