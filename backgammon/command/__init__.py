"""The command `backgammon`: one file for each group of questions."""
