"""The interface for programs: who comes in, how JSON is read, and its description."""
