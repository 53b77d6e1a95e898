"""Durable runs and trainings on a Ray cluster: `pip install deminer[ray]`.

Ray only hands out shards. What is correct stays in the run directory: a shard is claimed by a file
lock, its part appears complete or not at all, and `seal` finds every game exactly once. So workers,
nodes and the driver may be killed at any moment; the same call resumes.
"""

from __future__ import annotations

import math
import os
import random
import socket
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import ray
import ray.exceptions

from . import _deminer
from ._bench import BenchResult
from ._deminer import DeminerError, RunError
from ._progress import reporting
from ._runs import Spec, spec_text, warn_of
from ._trainings import option_texts
from ._types import Progress, Standing, Training

__all__ = ["run", "train"]

Task = TypeVar("Task")


def run(
    spec: Spec,
    directory: str | os.PathLike[str],
    *,
    threads: int = 1,
    retries: int = 10,
    progress: bool | Progress = False,
) -> BenchResult:
    """Play a durable run on a Ray cluster and seal it: the numbers of `deminer.bench`.

    Each shard is a task with `threads` CPUs. All nodes must see the directory under the same path.
    A shard whose worker or node is lost is played again, at most `retries` times in a row. After a
    killed driver the same call resumes; several drivers may share one directory. Connects to the
    cluster of `RAY_ADDRESS` or of this machine, and starts Ray here if there is none.
    """
    directory = os.path.abspath(directory)
    opened = _deminer.Run(spec_text(spec), directory)
    if opened.is_sealed:
        return BenchResult(opened.seal())
    text, sums = opened.spec, _Sums()

    def submit(shard: int) -> Any:
        return play.remote(text, directory, shard, threads)

    _connect()
    play = ray.remote(num_cpus=threads, max_retries=0)(_play_shard)
    # In random order, so that several drivers seldom wait for each other's shards.
    shards = random.sample(range(opened.shards), opened.shards)
    with reporting(progress, opened.games) as report:

        def finished(_: int, result: dict[str, Any]) -> None:
            warn_of(result["set_aside"])
            sums.add(result["agents"])
            if report is not None:
                report(sums.games, opened.games, sums.standings())

        _work_off(shards, submit, finished, threads=threads, retries=retries, name="shard")
    return BenchResult(opened.seal())


def train(
    learner: str,
    directory: str | os.PathLike[str],
    *,
    seeds: Iterable[int] = (1,),
    settings: Sequence[Mapping[str, object]] = ({},),
    threads: int = 1,
    retries: int = 10,
    progress: Callable[[int, int, Training], None] | None = None,
    **options: object,
) -> list[Training]:
    """Train every setting with every seed on a Ray cluster; `deminer.learners()` lists options.

    Each training is a task with a folder of its own, such as `directory/depth=5,seed=2`, and
    writes a checkpoint there once a minute. A training whose worker or node is lost continues from
    its checkpoint; the same call resumes after a killed driver and skips what is finished.
    `progress` is called as `(finished, all, training)`. The results are in the order of settings
    and seeds; `training["folder"]` is the folder.
    """
    directory = os.path.abspath(directory)
    seeds = list(seeds)
    trainings = {
        _name({**setting, "seed": seed}): option_texts({**options, **setting, "seed": seed})
        for setting in settings
        for seed in seeds
    }
    if len(trainings) != len(settings) * len(seeds):
        raise DeminerError("some trainings have the same setting and seed")
    for texts in trainings.values():
        _deminer.check_training(learner, texts)
    Path(directory).mkdir(parents=True, exist_ok=True)

    def submit(name: str) -> Any:
        return work.remote(learner, directory, name, trainings[name], threads)

    _connect()
    work = ray.remote(num_cpus=threads, max_retries=0)(_train)
    made: dict[str, Training] = {}

    def finished(name: str, training: Training) -> None:
        made[name] = training
        if progress is not None:
            progress(len(made), len(trainings), training)

    _work_off(list(trainings), submit, finished, threads=threads, retries=retries, name="training")
    return [made[name] for name in trainings]


def _play_shard(spec: str, directory: str, shard: int, threads: int) -> dict[str, Any]:
    _require_shared(directory, "spec.toml")
    return _deminer.Run(spec, directory).play_shard(shard, threads)


def _train(
    learner: str, directory: str, name: str, options: list[tuple[str, str]], threads: int
) -> Training:
    _require_shared(directory)
    folder = Path(directory, name)
    training = _deminer.train(learner, folder, options, threads, None)
    return {**training, "folder": str(folder)}


def _require_shared(directory: str, file: str = "") -> None:
    """A node that does not see the directory would play into a directory of its own."""
    path = Path(directory, file)
    if not path.exists():
        host = socket.gethostname()
        raise RunError(f"node {host} does not see {path}: all nodes must share the directory")


def _name(setting: Mapping[str, object]) -> str:
    """The folder of a training: its own options, without characters that paths cannot have."""
    text = ",".join(f"{key}={value}" for key, value in setting.items())
    return "".join(c if c.isalnum() or c in "=,.-_+:" else "_" for c in text)


def _connect() -> None:
    """Connects to the cluster, or starts one on this machine, with workers of normal priority."""
    if not ray.is_initialized():
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(log_to_driver=False)


_LOST = (
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.LocalRayletDiedError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.ObjectLostError,
    ray.exceptions.RaySystemError,
)
"""What `ray.get` raises if the worker or the node of a task is lost."""


def _work_off(
    tasks: Sequence[Task],
    submit: Callable[[Task], Any],
    finished: Callable[[Task, Any], None],
    *,
    threads: int,
    retries: int,
    name: str,
) -> None:
    """Runs all tasks, a few for each CPU at a time; those whose worker is lost run again."""
    left = list(reversed(tasks))
    losses: dict[Task, int] = {}
    playing: dict[Any, Task] = {}
    try:
        while left or playing:
            while left and len(playing) < _window(threads):
                task = left.pop()
                playing[submit(task)] = task
            ready, _ = ray.wait(list(playing), timeout=1.0)
            for reference in ready:
                task = playing.pop(reference)
                try:
                    result = ray.get(reference)
                except _LOST as error:
                    losses[task] = losses.get(task, 0) + 1
                    if losses[task] > retries:
                        raise RunError(
                            f"{name} {task} lost its worker {losses[task]} times: {error}"
                        ) from error
                    warnings.warn(
                        f"{name} {task} lost its worker and starts again", RuntimeWarning,
                        stacklevel=3,
                    )
                    left.append(task)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause if error.cause is not None else error from None
                else:
                    finished(task, result)
    finally:
        for reference in playing:
            ray.cancel(reference)


def _window(threads: int) -> int:
    """How many tasks are handed out at once: enough to keep the cluster busy and to make it grow."""
    cpus = ray.cluster_resources().get("CPU", 0)
    return int(2 * cpus / threads) + 8


class _Sums:
    """Sums over the finished games, for the progress."""

    def __init__(self) -> None:
        self.games = 0
        self._sums: dict[str, tuple[float, float]] = {}

    def add(self, agents: Sequence[Mapping[str, Any]]) -> None:
        self.games += agents[0]["games"]
        for agent in agents:
            weight, squares = self._sums.get(agent["agent"], (0.0, 0.0))
            sums = (weight + agent["weight"], squares + agent["squares"])
            self._sums[agent["agent"]] = sums

    def standings(self) -> list[Standing]:
        return [self._standing(agent, *sums) for agent, sums in self._sums.items()]

    def _standing(self, agent: str, weight: float, squares: float) -> Standing:
        rate = weight / self.games
        half = 1.96 * math.sqrt(max(0.0, squares / self.games - rate * rate) / self.games)
        low, high = max(0.0, rate - half), min(1.0, rate + half)
        return {"agent": agent, "games": self.games, "rate": rate, "low": low, "high": high}
