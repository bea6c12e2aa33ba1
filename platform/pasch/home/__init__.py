"""A house at home: `scripts/play`, and what keeps its processes running."""

from importlib.util import find_spec

if find_spec("honcho") is None:
    raise SystemExit(
        "A house at home needs the packages of the extra `home`: start it with scripts/play, or"
        " run pip install --require-hashes -r deploy/requirements/home.lock."
    )
