"""Checks that run beside the house: its settings, servers, processes, books and machine."""
