"""Sphinx's settings for the site of the documents; `scripts/docs` uses them."""

project = "Pasch"
copyright = "the authors of Pasch"
html_title = "Pasch"
html_theme = "furo"
html_last_updated_fmt = None
html_show_sphinx = False
html_copy_source = False

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
myst_heading_anchors = 4
# In docstrings `name` is code, as in the documents.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# Examples leave out parts of JSON with "…".
suppress_warnings = ["misc.highlighting_failure"]
