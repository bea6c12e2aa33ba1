"""The site: the only package that may import every other one."""

from pasch.celery import app as celery_app

__all__ = ["celery_app"]
