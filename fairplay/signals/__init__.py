"""Signs against fair play: pure functions of numbers."""
