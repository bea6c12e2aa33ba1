"""Lessons: short courses of steps on the board, each with one task and the answers it accepts."""
