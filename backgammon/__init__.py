"""Backgammon and its family: rules, match files, pictures, engines, counting, dice to check."""
