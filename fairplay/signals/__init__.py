"""What speaks against play: pure functions of numbers."""
