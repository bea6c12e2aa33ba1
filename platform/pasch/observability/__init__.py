"""Logs, tracing, metrics and health."""
