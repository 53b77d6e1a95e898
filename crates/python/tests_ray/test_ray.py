"""Runs and trainings on two local Ray nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

os.environ["RAY_worker_niceness"] = "0"

from kill import DRIVER, NODE, kill_test  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

import deminer  # noqa: E402
import deminer.ray  # noqa: E402

SPEC: dict[str, Any] = {"agents": ["random", "single-point"], "games": 4000, "shard": 500}
TINY: dict[str, Any] = {"board": "3x3x2", "games": 5000, "trial": 50, "least": 2}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    cluster.add_node(**NODE)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def numbers(result: deminer.BenchResult) -> list[dict[str, Any]]:
    times = ("cpu_seconds", "games_per_cpu_second")
    return [{k: v for k, v in row.items() if k not in times} for row in result.to_dicts()]


def test_a_run_finds_what_bench_finds(cluster: Cluster, tmp_path: Path) -> None:
    seen: list[tuple[int, list[Any]]] = []

    def see(finished: int, games: int, agents: list[Any]) -> None:
        assert games == 4000
        seen.append((finished, agents))

    result = deminer.ray.run(SPEC, tmp_path / "run", progress=see)
    bench = deminer.bench(SPEC["agents"], games=4000)
    assert numbers(result) == numbers(bench)
    assert result.paired == bench.paired
    assert [finished for finished, _ in seen] == list(range(500, 4001, 500))
    for agent, standing in zip(bench.agents, seen[-1][1], strict=True):
        assert standing["rate"] == pytest.approx(agent["rate"])
        assert standing["low"] == pytest.approx(agent["low"], abs=0.002)
        assert standing["high"] == pytest.approx(agent["high"], abs=0.002)
    assert deminer.ray.run(SPEC, tmp_path / "run").to_dict() == result.to_dict()


def test_bad_inputs_are_exceptions(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(deminer.DeminerError, match="did you mean `single-point`"):
        deminer.ray.run({**SPEC, "agents": ["single-pont"]}, tmp_path / "run")
    deminer.ray.run(SPEC, tmp_path / "run")
    with pytest.raises(deminer.RunError, match="seed is 1 there and 2 here"):
        deminer.ray.run({**SPEC, "seed": 2}, tmp_path / "run")
    with pytest.raises(deminer.RunError, match="does not see .*all nodes must share"):
        deminer.ray._play_shard("", str(tmp_path / "nowhere"), 0, 1)


def test_what_a_worker_raises_is_raised_here(cluster: Cluster, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    directory.mkdir()
    (directory / "shard-000003.parquet").mkdir()
    text = "".join(f"{key} = {value}\n" for key, value in SPEC.items()).replace("'", '"')
    (directory / "spec.toml").write_text(text)
    with pytest.raises(deminer.RunError, match="cannot read .*shard-000003.parquet"):
        deminer.ray.run(SPEC, directory)
    (directory / "shard-000003.parquet").rmdir()
    result = deminer.ray.run(SPEC, directory)
    assert numbers(result) == numbers(deminer.bench(SPEC["agents"], games=4000))


def test_a_truncated_part_is_played_again(cluster: Cluster, tmp_path: Path) -> None:
    result = deminer.ray.run(SPEC, tmp_path / "run")
    (tmp_path / "run/totals.json").unlink()
    part = tmp_path / "run/shard-000003.parquet"
    part.write_bytes(part.read_bytes()[:500])
    with pytest.warns(RuntimeWarning, match="truncated.*played again"):
        again = deminer.ray.run(SPEC, tmp_path / "run")
    assert numbers(again) == numbers(result)


def test_two_drivers_share_a_directory(cluster: Cluster, tmp_path: Path) -> None:
    spec = 'agents = ["single-point"]\ngames = 40000\nshard = 1000\n'
    arguments = [cluster.address, spec, str(tmp_path / "run")]
    drivers = [subprocess.Popen([sys.executable, "-c", DRIVER, *arguments]) for _ in range(2)]
    assert [driver.wait(300) for driver in drivers] == [0, 0]
    found = deminer.seal(tmp_path / "run")
    assert numbers(found) == numbers(deminer.bench("single-point", games=40000))


def test_trainings_of_several_seeds_and_settings(cluster: Cluster, tmp_path: Path) -> None:
    seen: list[int] = []

    def train() -> list[Any]:
        return deminer.ray.train(
            "q-table",
            tmp_path,
            seeds=[1, 2],
            settings=[{"rate": 0.1}, {"rate": 0.2}],
            progress=lambda finished, *_: seen.append(finished),
            **TINY,
        )

    made = train()
    assert seen == [1, 2, 3, 4]
    names = ["rate=0.1,seed=1", "rate=0.1,seed=2", "rate=0.2,seed=1", "rate=0.2,seed=2"]
    assert [Path(training["folder"]).name for training in made] == names
    artifacts = [Path(training["folder"], "q-table.q").read_bytes() for training in made]
    assert len(set(artifacts)) == 4
    alone = deminer.train("q-table", tmp_path / "alone", rate=0.2, seed=2, **TINY)
    assert Path(tmp_path, "alone", alone["artifacts"][0]).read_bytes() == artifacts[3]
    assert train() == made
    with pytest.raises(deminer.DeminerError, match="there is no such option"):
        deminer.ray.train("q-table", tmp_path, boards="3x3x2")
    with pytest.raises(deminer.DeminerError, match="same setting and seed"):
        deminer.ray.train("q-table", tmp_path, seeds=[1, 1], **TINY)


@pytest.mark.usefixtures("no_cluster")
def test_kills_lose_and_double_no_game(tmp_path: Path) -> None:
    killed = kill_test(tmp_path / "run", games=150_000, shard=1000, kills=4, seed=26)
    assert min(killed.values()) >= 1


@pytest.fixture
def no_cluster() -> None:
    """The kills have a cluster of their own: leaves the one of the other tests."""
    ray.shutdown()
