"""The site: the only package that knows every other one."""

from pasch.celery import app as celery_app

__all__ = ["celery_app"]
