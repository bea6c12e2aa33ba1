"""Boards as pictures: where everything lies, as plain values that a template writes as SVG."""
