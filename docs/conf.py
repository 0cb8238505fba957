"""Sphinx: `make docs` builds docs/_build/html; nothing is fetched from a network."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from notebooks import SHORT, demos, seconds  # noqa: E402

project = "fem_clearance"
author = "fem_clearance authors"
version = release = installed("fem_clearance")

root_doc = "index"
extensions = [
    "myst_nb",
    "notebooks",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx-mathjax-offline",
    "public_api",
]
exclude_patterns = ["_build"]
# Short demos are run when they have changed; a picture of each figure, no progress bars.
nb_execution_mode = "cache"
nb_execution_excludepatterns = [f"*{d.stem}*" for d in demos() if seconds(d) > SHORT]
nb_execution_in_temp = True
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_output_stderr = "remove"
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# As they are written: several share a line, and none is a link to one of its name elsewhere.
napoleon_custom_sections = [("Attributes", "params_style")]

html_theme = "furo"
html_title = f"fem_clearance {version}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_sourcelink = False
