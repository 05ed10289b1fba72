"""Records of a live experiment: the setup that is written into one is read from it again."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import make_setup, resolve_algorithm
from goodarm.kernels.live.records import make_live, setup_of


@pytest.mark.parametrize("algorithm", ["e-hdoc", "lil-hdoc", "apt-g"])
def test_a_setup_is_read_from_its_record_field_by_field(algorithm):
    problem = ga.Problem(3, 0.4, 0.03, rewards="bounded", low=-1.0, high=4.0, margin=0.01)
    parts = resolve_algorithm(algorithm, problem, "test")
    setup = make_setup(problem, parts.rule(problem), parts.sampling)
    setup = setup._replace(max_pulls=1234, until=2, warmup=7, sigma=0.3)
    live = make_live(setup, np.zeros((2, 0)), np.zeros((3, 2), np.int64), 0.5)
    assert tuple(setup_of(live.setup[0])) == tuple(setup)
