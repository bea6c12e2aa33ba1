"""One address for whoever watches the house: is this web server able to work?"""

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 when PostgreSQL and Valkey answer, else 503; says which, and nothing more."""
    state = {"database": _database_answers(), "valkey": _valkey_answers()}
    return JsonResponse(state, status=200 if all(state.values()) else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _valkey_answers() -> bool:
    try:
        cache.get("health")
    except RedisError:
        return False
    return True
