"""What a game rule is and how it is played: dice, mechanics, parameters, outcomes and their steps."""
