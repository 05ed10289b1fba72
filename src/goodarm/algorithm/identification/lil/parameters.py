"""Parameters of the lil'HDoC paper: epsilon, the constant c and the warm-up T.

Tsai, Tsai, Lin: lil'HDoC: An Algorithm for Good Arm Identification under Small Threshold Gap.
K is the number of arms and r = (1 + sqrt epsilon)^2 (1 + epsilon).
"""

import math
from dataclasses import dataclass

from goodarm.algorithm.identification.problem_errors import make_problem_error
from goodarm.arguments import check_between, check_count
from goodarm.errors import invalid_argument
from goodarm.wording import EdgeText, phrase

MAX_WARMUP = 10_000_000
"""Largest warm-up allowed, in pulls of each arm."""

MIN_EPSILON = 1e-9
"""Smallest epsilon: below it 1 + epsilon loses its digits, and the bound is useless."""

_HALVINGS = 200
_MAX_LOG_RATIO = 600.0
"""Largest log(K / delta): far beyond any use, and within the range of a float."""


@dataclass(frozen=True)
class LilParameters:
    """Parameters of the bound of lil'HDoC.

    Args:
        epsilon, c: the parameters of the bound.
        warmup: the pulls from which on it beats Hoeffding's.

    >>> lil_parameters(num_arms=6, delta=0.01).warmup
    1673
    """

    epsilon: float
    c: float
    warmup: int


def lil_parameters(
    num_arms: int, delta: float = 0.05, *, epsilon: float | None = None
) -> LilParameters:
    """Return the parameters that lil'HDoC uses.

    Args:
        num_arms: the number of arms that share delta.
        delta: the probability allowed for any wrong label.
        epsilon: a value in place of the paper's choice.

    Returns:
        The parameters of the bound, and the warm-up that goes with them.

    Raises:
        SpecError: an argument is invalid.

    >>> lil_parameters(num_arms=6, delta=0.01).warmup
    1673
    """
    owner = "lil_parameters"
    num_arms = check_count("num_arms", owner, num_arms)
    delta = check_between("delta", owner, delta, 0, 1)
    if math.log(num_arms) - math.log(delta) > _MAX_LOG_RATIO:
        raise invalid_argument(
            "delta", owner, f"leave the number of arms / delta below e^{_MAX_LOG_RATIO:g}", delta
        )
    if epsilon is None:
        epsilon = find_paper_epsilon(num_arms, delta)
    epsilon = check_between("epsilon", owner, epsilon, MIN_EPSILON, 1)
    c = compute_lil_constant(epsilon)
    return LilParameters(epsilon, c, find_paper_warmup(num_arms, delta, epsilon, c))


def compute_exponent(epsilon: float) -> float:
    """Return the exponent r = (1 + sqrt epsilon)^2 (1 + epsilon)."""
    root = 1.0 + math.sqrt(epsilon)
    return root * root * (1.0 + epsilon)


def compute_lil_constant(epsilon: float) -> float:
    """Return the constant c = (2 + epsilon) / epsilon * (1 / log(1 + epsilon))^(1 + epsilon)."""
    return (2.0 + epsilon) / epsilon * math.pow(1.0 / math.log1p(epsilon), 1.0 + epsilon)


def find_paper_epsilon(num_arms: int, delta: float) -> float:
    """Return the paper's choice of epsilon.

    It is the largest with r - 1 <= min(g(K + 1), g(1 / delta)), g(x) = loglog(x) / log(x).
    """
    if num_arms == 1 or delta >= 1.0 / math.e:
        wrong = "a single arm" if num_arms == 1 else f"delta = {delta:g}, which is not below 1/e"
        none = f"The paper's epsilon of the LIL rule does not exist for {wrong}."
        give = (
            "Give one, for instance Algorithm(sampling='hdoc', identification=Lil(epsilon=0.01))."
        )
        other = phrase("Use another {algorithm}, such as e-hdoc.")
        remedy = phrase("{remedy}", remedy=EdgeText("python", give, other))
        raise make_problem_error("lil", none, "have an epsilon", remedy)
    room = min(_compute_iterated_ratio(num_arms + 1.0), _compute_iterated_ratio(1.0 / delta))
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if compute_exponent(middle) - 1.0 <= room:
            low = middle
        else:
            high = middle
    if low <= MIN_EPSILON:
        small = (
            f"The paper's epsilon of the LIL rule is too small to compute for delta = {delta:g}."
        )
        other = phrase("another {algorithm} such as e-hdoc")
        epsilon = EdgeText("python", "give one: Lil(epsilon=0.01)", other)
        remedy = phrase("Use a smaller {delta}, or {epsilon}.", epsilon=epsilon)
        raise make_problem_error("lil", small, "have an epsilon", remedy)
    return low


def _compute_iterated_ratio(x: float) -> float:
    return math.log(math.log(x)) / math.log(x)


def find_paper_warmup(num_arms: int, delta: float, epsilon: float, c: float) -> int:
    """Return the paper's warm-up T, from which on the LIL bound is no wider than Hoeffding's.

    It is the smallest T from which on T^2 / log((1+eps) T)^r >= K^(r-1) delta^-(r-1) c^r / 4. The
    two sides are compared by their logs; the left one grows from log((1+eps) T) = r/2 on, so
    bisection finds the last crossing.
    """
    r = compute_exponent(epsilon)
    goal = -math.log(4.0) + (r - 1.0) * (math.log(num_arms) - math.log(delta)) + r * math.log(c)

    def reaches(pulls: int) -> bool:
        iterated = math.log(math.log1p(epsilon) + math.log(pulls))
        return 2.0 * math.log(pulls) - r * iterated >= goal

    low = math.ceil(math.exp(0.5 * r) / (1.0 + epsilon))
    if reaches(low):
        return low
    high = 2 * low
    while not reaches(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
