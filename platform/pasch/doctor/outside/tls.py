"""The certificate and the way to https."""

import ssl
import time
from typing import Any, Final, cast

from pasch.doctor.registry import Diagnosis, ok, outside, warning, wrong
from pasch.doctor.site import Site

#: certificate authorities renew 30 days before the end
DAYS_WARNING, DAYS_WRONG = 21, 7
DAY_SECONDS: Final = 86_400
HSTS_SECONDS_MIN: Final = 3600


@outside
def certificate(site: Site) -> Diagnosis:
    """The certificate is valid, names the host, and lasts."""
    try:
        found = cast(dict[str, Any], site.certificate())
    except ssl.SSLCertVerificationError as error:
        return wrong(
            f"browsers refuse the certificate: {error.verify_message}",
            "renew it, for exactly this host name (deploy/README.md)",
        )
    ends = ssl.cert_time_to_seconds(found["notAfter"])
    days = int((ends - time.time()) // DAY_SECONDS)
    text = f"the certificate for {site.host} is valid for {days} more days"
    todo = "renew it, and look why that does not happen by itself"
    if days < DAYS_WRONG:
        return wrong(text, todo)
    return warning(text, todo) if days < DAYS_WARNING else ok(text)


@outside
def redirect(site: Site) -> Diagnosis:
    """Requests without https are sent to https, and keep their path."""
    try:
        answer = site.get_plain("/ranking/?doctor=1")
    except OSError as error:
        text = f"nothing answers at {site.plain_url}: {error}"
        return warning(text, "people who type the name alone find nothing: redirect to https there")
    to = str(answer.headers.get("Location", ""))
    if answer.status not in (301, 302, 307, 308) or not to.startswith("https://"):
        text = f"{site.plain_url} answers {answer.status} without https"
        return wrong(text, "let the proxy redirect everything to https")
    if not to.endswith("/ranking/?doctor=1"):
        return warning(f"the redirect forgets the path: {to}", "keep it: $request_uri in nginx")
    return ok(f"http leads to {to.partition('/ranking')[0]}")


@outside
def hsts(site: Site) -> Diagnosis:
    """Browsers come back over https only."""
    header = str(site.get("/").headers.get("Strict-Transport-Security", ""))
    told = dict(each.strip().lower().partition("=")[::2] for each in header.split(";"))
    seconds = int(told["max-age"]) if told.get("max-age", "").isdigit() else 0
    if not seconds:
        return wrong("there is no HSTS", "set HSTS_SECONDS, and let the proxy keep the header")
    text = f"HSTS for {seconds} s"
    if seconds < HSTS_SECONDS_MIN:
        return warning(text, "raise HSTS_SECONDS")
    return ok(text)
