"""Chart of docs/images/which-rewards.png: from what a pull returns to the keyword and the test."""

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

QUESTIONS = (
    (
        "Passed or failed?",
        'rewards="bernoulli"\n(the default)',
        "mixture",
        "in a pool: the mixture for pools",
    ),
    (
        "In a known range?\nratings, scores, shares",
        'rewards="bounded",\nlow=.., high=..',
        "weighted bets",
        "in a pool: the bets for pools",
    ),
    (
        "A known spread?\nmeasurements, averages",
        'rewards="gaussian",\nsigma=..',
        "half-normal mixture",
        "",
    ),
    ("None of these?\namounts without a limit", "Cap them: then they\nhave a range", "", ""),
)
INK, LINE, FILL, GREEN = "#1f2328", "#57606a", "#f6f8fa", "#dafbe1"


def box(axes, left, top, width, height, text, *, color=FILL, weight="normal", family=None):
    """Draw a box with a text in its middle."""
    axes.add_patch(
        FancyBboxPatch(
            (left, top - height),
            width,
            height,
            boxstyle="round,pad=0.02,rounding_size=0.08",
            facecolor=color,
            edgecolor=LINE,
            linewidth=1.0,
        )
    )
    axes.text(
        left + width / 2,
        top - height / 2,
        text,
        ha="center",
        va="center",
        fontsize=10,
        color=INK,
        weight=weight,
        family=family,
    )


def arrow(axes, start, end, text="", away=(0.0, 0.0)):
    """Draw an arrow, with a word beside it."""
    style = {"arrowstyle": "-|>", "color": LINE, "linewidth": 1.0}
    axes.annotate("", xy=end, xytext=start, arrowprops=style)
    middle = ((start[0] + end[0]) / 2 + away[0], (start[1] + end[1]) / 2 + away[1])
    axes.text(*middle, text, ha="center", va="center", fontsize=9, color=LINE)


def draw():
    """Draw the whole chart."""
    figure = Figure(figsize=(10.2, 5.4), dpi=150)
    axes = figure.add_subplot()
    axes.set_xlim(-0.1, 10.4)
    axes.set_ylim(-0.1, 5.7)
    axes.axis("off")
    for x, title in (
        (1.3, "What does one pull return?"),
        (4.55, "Write"),
        (8.45, "The test that e-hdoc uses"),
    ):
        axes.text(x, 5.5, title, ha="center", va="center", fontsize=11, weight="bold", color=INK)
    for row, (question, keyword, test, pool) in enumerate(QUESTIONS):
        top = 5.15 - 1.35 * row
        box(axes, 0.0, top, 2.6, 0.9, question)
        box(axes, 3.35, top, 2.4, 0.9, keyword, family="monospace" if test else None)
        arrow(axes, (2.65, top - 0.45), (3.3, top - 0.45), "yes", (0.0, 0.14))
        if test:
            label = test if not pool else f"{test}\n{pool}"
            box(axes, 6.6, top, 3.7, 0.9, label, color=GREEN)
            arrow(axes, (5.8, top - 0.45), (6.55, top - 0.45))
        if row + 1 < len(QUESTIONS):
            arrow(axes, (1.3, top - 0.93), (1.3, top - 1.32), "no", (0.2, 0.02))
    style = {"arrowstyle": "-|>", "color": LINE, "connectionstyle": "arc3,rad=0.35"}
    axes.annotate("", xy=(5.8, 3.2), xytext=(5.8, 0.65), arrowprops=style)
    return figure
