"""Check the health of this container's web server; the exit status is the result."""

import os
import urllib.request

host = os.environ["ALLOWED_HOSTS"].split(",")[0]
request = urllib.request.Request("http://127.0.0.1:8000/health/", headers={"Host": host})
urllib.request.urlopen(request, timeout=5).close()
