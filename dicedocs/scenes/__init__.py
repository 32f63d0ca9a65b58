"""Characters, tracks, and scenes, in which both change with what is played."""
