"""Sphinx settings: `make docs`. Nothing is fetched from the network."""

import goodarm

project = "goodarm"
author = "The goodarm maintainers"
release = version = goodarm.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

napoleon_google_docstring = True
napoleon_numpy_docstring = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

exclude_patterns = ["_build", "results/*.md", "bench/*.md"]  # included by other pages

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_title = "goodarm"
html_copy_source = False
html_show_copyright = False
