"""Files in forms: few and small ones, in memory."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import MemoryFileUploadHandler


class SmallUploads(MemoryFileUploadHandler):
    """Keep the files of a form in memory, and refuse a form with more than is kept there.

    Raises `RequestDataTooBig` before anything of the form is read.
    """

    def handle_raw_input(self, *said: Any, **named: Any) -> None:
        """Compare the length of the whole form with `FILE_UPLOAD_MAX_MEMORY_SIZE`."""
        super().handle_raw_input(*said, **named)
        if not self.activated:
            raise RequestDataTooBig("a form with files is larger than forms may be")
