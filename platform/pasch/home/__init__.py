"""The house on one machine: every process of it in one terminal."""
