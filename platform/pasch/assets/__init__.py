"""What `manage.py prepare` makes ready: static files and compiled translations."""
