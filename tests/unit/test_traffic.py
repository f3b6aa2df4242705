"""The simulation of traffic is held against what is known of queues."""

from __future__ import annotations

import math

import pytest
from click.testing import CliRunner

from benchmarks.traffic import main, simulated

pytestmark = pytest.mark.unit


def test_one_server_is_an_m_m_1_queue() -> None:
    """The time in it is exponential with the rate of what is served less what comes."""
    p50, p99 = simulated(50, (1, 10.0))
    assert p50 == pytest.approx(1000 * math.log(2) / (100 - 50), rel=0.05)
    assert p99 == pytest.approx(1000 * math.log(100) / (100 - 50), rel=0.1)


def test_times_of_stations_add_up_and_servers_share_the_work() -> None:
    alone = simulated(1, (1, 10.0))[0]
    assert simulated(1, (1, 10.0), (1, 1000.0))[0] > 10 * alone
    assert simulated(300, (4, 10.0))[1] < simulated(300, (4, 13.0))[1]
    assert simulated(300, (40, 10.0))[0] == pytest.approx(10 * math.log(2), rel=0.05)


def test_the_fewest_are_told() -> None:
    arguments = ["--rate", "100", "--service-ms", "10", "--database-ms", "25"]
    told = CliRunner().invoke(main, arguments).output.splitlines()
    assert told[-1] == "needed at least: 2 services, 3 processors of the database"
    assert len(told) == 7
