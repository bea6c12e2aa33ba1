"""Ask the web server of this container whether it can work; the exit status is the answer."""

import os
import urllib.request

host = os.environ["ALLOWED_HOSTS"].split(",")[0]
request = urllib.request.Request("http://127.0.0.1:8000/health/", headers={"Host": host})
urllib.request.urlopen(request, timeout=5).close()
