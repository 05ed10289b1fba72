import pytest

import goodarm as ga
from service.pages.site import run, site_of


@pytest.fixture
def site():
    """Pages of a store without tokens."""
    with site_of() as found:
        yield found


@pytest.fixture
def banners(site):
    """An experiment with some pulls, three of which are out."""
    problem = ga.Problem(["red", "green", "blue", "<b>bold</b>"], threshold=0.5, delta=0.05)
    return run(site.store.experiment("banners", problem, seed=1), 200, keep=3)
