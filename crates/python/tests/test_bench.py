"""Tournaments."""

from __future__ import annotations

import pytest

import deminer


def test_the_same_seeds_give_the_same_results() -> None:
    one = deminer.bench(["random", "single-point"], games=300, seed=5, threads=1)
    two = deminer.bench(["random", "single-point"], games=300, seed=5, threads=3)
    assert [agent["won"] for agent in one.agents] == [agent["won"] for agent in two.agents]
    assert one.paired == two.paired


def test_an_unknown_agent_is_named_with_its_nearest() -> None:
    with pytest.raises(deminer.AgentError, match="did you mean `single-point`"):
        deminer.bench("single-pont")
