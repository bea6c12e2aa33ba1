"""`manage.py doctor`: checks of a house, and one sentence for each about what to do."""
