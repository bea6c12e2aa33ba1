"""Finding people."""

from django.db.models import QuerySet

from accounts.models import User

NUL = "\x00"


def person_named(name: str) -> User | None:
    """Return the person with an open account and that name in any case, else None."""
    return people_matching(name).filter(username__iexact=name).first()


def people_matching(part: str) -> QuerySet[User]:
    """Return the people with an open account whose name contains a text from outside."""
    if NUL in part:  # PostgreSQL stores no NUL and refuses to be asked for one
        return User.objects.none()
    return User.objects.filter(is_active=True, username__icontains=part)
