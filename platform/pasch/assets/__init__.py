"""The files that `manage.py prepare` makes: static files and compiled translations."""
