"""What can be filled in and pressed: the form of a mechanic, of a game, and the dice tray."""
