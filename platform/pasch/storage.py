"""Where the static files go: names with a hash of the content, so that a browser may keep them."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from servestatic.storage import CompressedManifestStaticFilesStorage

_IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns[1]


class StaticStorage(CompressedManifestStaticFilesStorage):
    """The manifest storage, with the imports inside our own JavaScript modules rewritten as well.

    Only ours: some packages mention imports in comments, at which collectstatic would fail.
    """

    #: one pass for each step of the longest chain of imports, where Django expects five at most
    max_post_process_passes = 20

    patterns = (
        *HashedFilesMixin.patterns,
        ("board/*.js", _IMPORTS),
        ("fairness/*.js", _IMPORTS),
        ("js/*.js", _IMPORTS),
    )
