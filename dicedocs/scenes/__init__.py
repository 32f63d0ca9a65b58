"""Characters, and what happens to them."""
