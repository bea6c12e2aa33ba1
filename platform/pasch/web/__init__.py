"""Around every request: errors, access to WebSockets, reports of browsers, processes."""
