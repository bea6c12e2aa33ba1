"""Fair play at the desk: cases, and accounts that may be one person's."""
