"""Sphinx: `make docs` builds docs/_build/html; nothing is fetched from a network."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from inventories import mapping  # noqa: E402
from notebooks import SHORT, demos, seconds  # noqa: E402

project = "fem_clearance"
author = "fem_clearance authors"
project_copyright = f"2026, {author}"
version = release = installed("fem_clearance")

root_doc = "index"
extensions = [
    "myst_nb",
    "notebooks",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx-mathjax-offline",
    "sphinxcontrib.bibtex",
    "public_api",
]
exclude_patterns = ["_build"]
# $...$ and $$...$$ are mathematics, typeset by the MathJax that comes with the extension above.
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "unsrt"
bibtex_reference_style = "author_year"
# Short demos are run when they have changed; a picture of each figure, no progress bars.
nb_execution_mode = "cache"
nb_execution_excludepatterns = [f"*{d.stem}*" for d in demos() if seconds(d) > SHORT]
nb_execution_in_temp = True
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_output_stderr = "remove"
# Inventories of our own, so that links into other documentation are made without a network.
intersphinx_mapping = mapping()
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"ArrayLike": "numpy.typing.ArrayLike"}
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 120
# As they are written: several share a line, and none is a link to one of its name elsewhere.
napoleon_custom_sections = [("Attributes", "params_style")]

html_theme = "furo"
html_title = f"fem_clearance {version}"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_sourcelink = False
