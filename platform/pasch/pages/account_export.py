"""The page on which people get a copy of their data."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, suppress
from typing import IO, Final

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from accounts.access import proof_check
from kit.requests import SignedInRequest
from kit.throttle import Rate, take
from pasch.personal_data import export_write

RATE: Final = Rate(3, 60 * 60)
BUILD_SECONDS_MAX: Final = 15 * 60
"""After so long an export that never ended no longer stands in the way of another."""
CHUNK_BYTES: Final = 64 * 1024


class FileStream(StreamingHttpResponse):
    """A response that reads an open file piece by piece, under WSGI and ASGI, and closes it."""

    def __init__(self, file: IO[bytes], content_type: str) -> None:
        self._file = file
        super().__init__(self._pieces(), content_type=content_type)

    def close(self) -> None:
        """Close the file, too, which removes it."""
        self._file.close()
        super().close()

    def _pieces(self) -> Iterator[bytes]:
        while piece := self._file.read(CHUNK_BYTES):
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await sync_to_async(self._file.read)(CHUNK_BYTES):
            yield piece


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account_export(request: SignedInRequest) -> HttpResponseBase:
    """Show what an export contains; answer a POST with the ZIP.

    Both need a password, a passkey or a second factor from the last minutes. 429 while another
    export of the same person is being made, and after too many of them. Guests have none: 403.
    """
    if request.user.is_guest:
        raise PermissionDenied
    proof_check(request)
    return _export(request) if request.method == "POST" else _page(request)


def _export(request: SignedInRequest) -> HttpResponseBase:
    lock = f"export:{request.user.pk}"
    if not cache.add(lock, 1, BUILD_SECONDS_MAX):
        return _page(request, _("Your last export is still being made. Try again in a minute."))
    try:
        if not take("export", str(request.user.pk), RATE):
            return _page(request, _("You can make three exports an hour. Try again later."))
        return _download(request)
    finally:
        with suppress(RedisError):  # the lock expires; what has been written is sent nevertheless
            cache.delete(lock)


def _page(request: SignedInRequest, error: str = "") -> HttpResponse:
    return render(
        request, "pasch/account_export.html", {"error": error}, status=429 if error else 200
    )


def _download(request: SignedInRequest) -> FileStream:
    with ExitStack() as unsent:
        file = unsent.enter_context(tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR))
        export_write(request.user, file)
        size = file.tell()
        file.seek(0)
        unsent.pop_all()  # from here on the response closes the file
    response = FileStream(file, "application/zip")
    day = timezone.now().strftime("%Y-%m-%d")
    name = f"pasch-{request.user.get_username()}-{day}.zip"
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or ""
    response.headers["Content-Length"] = str(size)
    response.headers["Content-Encoding"] = "identity"  # so no middleware compresses it
    return response
