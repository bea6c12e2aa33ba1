"""Check the health of this container's web server; the exit status is the result."""

import urllib.request

urllib.request.urlopen("http://127.0.0.1:8000/health/", timeout=5).close()
