"""Operations on credits: every one describes its answer and refusals with `described`."""

from kit.api import describer
from ledger.api.serializers import ErrorSerializer

described = describer(
    ErrorSerializer,
    {
        400: "The request is not valid; `fields` says where.",
        401: "Nobody is logged in.",
        403: "This player may not do this, or the wallet is frozen.",
        404: "There is no such thing, or it is somebody else's.",
        409: "The books refuse; `code` says why. Nothing was changed.",
        429: "Too many requests.",
    },
)
