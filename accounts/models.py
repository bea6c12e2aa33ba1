"""People: the one user model of the house."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person (or a labelled bot) with a name that everybody sees."""
