"""Every variant in every mode, played through sockets and compared."""
