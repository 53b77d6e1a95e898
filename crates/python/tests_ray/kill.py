"""Kills workers, a node and the driver of a Ray run at random moments, and checks what remains.

    python kill.py --games 1000000 --kills 12

Starts two Ray nodes on this machine and a driver that plays a durable run on them. At random
moments it kills (SIGKILL) a worker that plays a shard, the second node, which is then replaced, or
the driver, which is then started again. In the end every game must be there exactly once, with the
totals of an undisturbed `deminer.bench`.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ["RAY_worker_niceness"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
# Nodes start slowly on a machine that is busy otherwise.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")

from ray.cluster_utils import Cluster  # noqa: E402

import deminer  # noqa: E402

AGENT = "single-point"
NODE = {"num_cpus": 1, "object_store_memory": 100_000_000}

DRIVER = """
import sys, warnings, deminer.ray, ray
warnings.simplefilter("ignore")
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="error")
deminer.ray.run(sys.argv[2], sys.argv[3])
"""


class Trial:
    """Two nodes, a driver, and a run directory."""

    def __init__(self, directory: Path, games: int, shard: int) -> None:
        self.directory = directory
        self.spec = f'agents = ["{AGENT}"]\ngames = {games}\nshard = {shard}\n'
        self.shards = -(-games // shard)
        self.cluster = Cluster(
            initialize_head=True, head_node_args={**NODE, "include_dashboard": False}
        )
        self.node = self.cluster.add_node(**NODE)
        self.driver = self.start_driver()

    def start_driver(self) -> subprocess.Popen[bytes]:
        arguments = [self.cluster.address, self.spec, str(self.directory)]
        return subprocess.Popen([sys.executable, "-c", DRIVER, *arguments])

    def close(self) -> None:
        if self.driver.poll() is None:
            self.driver.kill()
        self.cluster.shutdown()

    def parts(self) -> int:
        return len(list(self.directory.glob("shard-*.parquet")))

    def workers(self) -> list[int]:
        """The processes of both nodes that play a shard."""
        raylets = {
            info.process.pid
            for node in self.cluster.list_all_nodes()
            for info in node.all_processes.get("raylet", [])
        }
        return [
            pid
            for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if _parent(pid) in raylets and _command(pid).startswith("ray::_play_shard")
        ]

    def kill_worker(self, rng: random.Random) -> bool:
        workers = self.workers()
        if not workers:
            return False
        try:
            os.kill(rng.choice(workers), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def kill_node(self, _: random.Random) -> bool:
        self.cluster.remove_node(self.node, allow_graceful=False)
        self.node = self.cluster.add_node(**NODE)
        return True

    def kill_driver(self, _: random.Random) -> bool:
        if self.driver.poll() is not None:
            return False
        self.driver.kill()
        self.driver.wait()
        self.driver = self.start_driver()
        return True


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return None


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def disturb(trial: Trial, kills: int, rng: random.Random) -> dict[str, int]:
    """Kills at random moments until the run is finished; how often what was killed."""
    kinds = ["worker", "node", "driver"]
    order = kinds + [rng.choice(kinds) for _ in range(kills - len(kinds))]
    rng.shuffle(order)
    # The moments are spread over the shards, so that all of them lie within the run.
    moments = sorted(rng.sample(range(int(0.9 * trial.shards)), kills))
    done = dict.fromkeys(kinds, 0)
    for kind, moment in zip(order, moments, strict=True):
        wait_until(trial, lambda moment=moment: trial.parts() >= moment)
        time.sleep(rng.random() / 2)
        kill = getattr(trial, f"kill_{kind}")
        wait_until(trial, lambda kill=kill: kill(rng))
        done[kind] += 1
        print(f"killed a {kind} after {trial.parts()} of {trial.shards} shards", flush=True)
    return done


def wait_until(trial: Trial, condition: Any, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if trial.driver.poll() not in (None, 0):
            raise SystemExit(f"the driver ended with code {trial.driver.returncode}")
        if trial.driver.poll() == 0:
            raise SystemExit("the run was finished before all kills: use more games")
        if time.monotonic() > end:
            raise SystemExit(f"no progress: {trial.parts()} of {trial.shards} shards")
        time.sleep(0.02)


def check(directory: Path, games: int) -> deminer.BenchResult:
    """Seals again, counts the games of the parts, and compares with an undisturbed `bench`."""
    import polars

    sealed = deminer.seal(directory)
    rows = polars.read_parquet(directory / "shard-*.parquet", columns=["game", "outcome"])
    assert rows.height == games, f"{rows.height} rows, not {games}"
    assert rows["game"].n_unique() == games and rows["game"].max() == games - 1
    undisturbed = deminer.bench(AGENT, games=games)
    times = ("cpu_seconds", "games_per_cpu_second")
    for key, value in undisturbed.agents[0].items():
        if key not in times:
            found = sealed.agents[0][key]  # type: ignore[literal-required]
            assert found == value, f"{key}: {found}, not {value}"
    return sealed


def kill_test(directory: Path, games: int, shard: int, kills: int, seed: int) -> dict[str, int]:
    begun = time.monotonic()
    trial = Trial(directory, games, shard)
    try:
        done = disturb(trial, kills, random.Random(seed))
        if trial.driver.wait(3600) != 0:
            raise SystemExit(f"the driver ended with code {trial.driver.returncode}")
    finally:
        trial.close()
    seconds = time.monotonic() - begun
    agent = check(directory, games).agents[0]
    print(
        f"{games} games in {trial.shards} shards, {seconds:.0f} s; killed: "
        + ", ".join(f"{count} x {kind}" for kind, count in done.items())
    )
    print(
        f"every game exactly once; {agent['agent']} won {agent['won']} "
        f"({100 * agent['rate']:.3f} %, {100 * agent['low']:.3f} - {100 * agent['high']:.3f}), "
        "as an undisturbed bench"
    )
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--shard", type=int, default=5_000)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--directory", type=Path)
    given = parser.parse_args()
    print(f"seed of the kills: {given.seed}")
    with tempfile.TemporaryDirectory() as folder:
        directory = given.directory or Path(folder, "run")
        kill_test(directory, given.games, given.shard, given.kills, given.seed)


if __name__ == "__main__":
    main()
