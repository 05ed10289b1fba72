"""Escaping of plain text for Markdown and LaTeX."""

import re
from typing import Final

from goodarm.views.names import visible

_MARKDOWN: Final = re.compile(
    r"""
    [\\`*<|$~&]           # marks wherever they stand
    | (?<![A-Za-z0-9])_    # an underscore, but not within a word, as in tau_1
    | _(?![A-Za-z0-9])
    | \[(?!\d+\])          # a link, but not the number of a footnote
    | (?<=\])[(:]          # where the target of a link begins
    """,
    re.VERBOSE,
)
_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": "$<$",
        ">": "$>$",
        "±": r"$\pm$",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)


def escape_markdown(text: str) -> str:
    r"""Escape a text for a cell, a heading or a line of Markdown, HTML and formulas included.

    >>> print(escape_markdown("a|b <i> $x$ tau_1 [2]"))
    a\|b \<i> \$x\$ tau_1 [2]
    """
    return _MARKDOWN.sub(r"\\\g<0>", visible(text))


def escape_latex(text: str) -> str:
    r"""Escape a text for LaTeX.

    >>> print(escape_latex(r"50 % of $x_1 \ {y}"))
    50 \% of \$x\_1 \textbackslash{} \{y\}
    """
    return visible(text).translate(_LATEX)
