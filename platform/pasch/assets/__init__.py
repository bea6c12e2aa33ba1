"""What is prepared before the house opens: static files, icons, translations."""
