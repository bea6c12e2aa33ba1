"""Nets for the variants that the engine does not support; trained by `manage.py train_net`."""
