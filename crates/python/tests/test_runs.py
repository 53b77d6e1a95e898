"""Durable runs on one machine: the same numbers as `bench`, and safe with bad inputs."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import deminer

SPEC: dict[str, Any] = {
    "agents": ["random", "single-point"],
    "board": "6x5x5",
    "games": 600,
    "shard": 100,
}


def numbers(result: deminer.BenchResult) -> list[dict[str, Any]]:
    """The numbers that do not depend on the machine."""
    times = ("cpu_seconds", "games_per_cpu_second")
    return [{k: v for k, v in row.items() if k not in times} for row in result.to_dicts()]


def bench() -> deminer.BenchResult:
    return deminer.bench(SPEC["agents"], board="6x5x5", games=600)


def test_a_run_finds_what_bench_finds(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def see(finished: int, games: int, _: object) -> None:
        seen.append((finished, games))

    result = deminer.run(SPEC, tmp_path / "run", progress=see)
    assert numbers(result) == numbers(bench())
    assert result.paired == bench().paired
    assert all(finished <= games == 600 for finished, games in seen)
    assert deminer.run(SPEC, tmp_path / "run").to_dict() == result.to_dict()


def test_specs_are_mappings_texts_and_files(tmp_path: Path) -> None:
    result = deminer.run(SPEC, tmp_path / "one")
    file = tmp_path / "one" / "spec.toml"
    assert numbers(deminer.run(file, tmp_path / "two")) == numbers(result)
    assert numbers(deminer.run(file.read_text(), tmp_path / "three")) == numbers(result)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": 5}, "there is no key `game`"),
        ({"agents": ["single-pont"]}, "did you mean `single-point`"),
        ({"agents": []}, "at least one agent"),
        ({"games": 0}, "at least 1 game"),
        ({"games": "many"}, "games"),
        ({"board": "5x5x99"}, "board"),
        ({"shard": {"size": 3}}, "shard: a spec has no values such as"),
    ],
)
def test_a_wrong_spec_names_the_fault(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(deminer.DeminerError, match=message):
        deminer.run({**SPEC, **change}, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_missing_spec_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(deminer.DeminerError, match="cannot read the spec"):
        deminer.run(tmp_path / "none.toml", tmp_path / "run")


def test_a_directory_keeps_to_its_spec(tmp_path: Path) -> None:
    deminer.run(SPEC, tmp_path / "run")
    with pytest.raises(deminer.RunError, match="seed is 1 there and 2 here"):
        deminer.run({**SPEC, "seed": 2}, tmp_path / "run")
    with pytest.raises(deminer.RunError, match="contains no run"):
        deminer.seal(tmp_path)


def test_a_truncated_part_is_set_aside_and_played_again(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    result = deminer.run(SPEC, directory)
    (directory / "totals.json").unlink()
    part = directory / "shard-000002.parquet"
    part.write_bytes(part.read_bytes()[:1000])
    with pytest.raises(deminer.RunError, match="shard-000002.parquet is damaged"):
        deminer.seal(directory)
    with pytest.warns(RuntimeWarning, match="truncated.*played again"):
        again = deminer.run(SPEC, directory)
    assert numbers(again) == numbers(result)
    assert (directory / "shard-000002.parquet.set-aside").exists()


def test_a_sealed_run_notices_changes(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    deminer.run(SPEC, directory)
    (directory / "shard-000001.parquet").unlink()
    with pytest.raises(deminer.RunError, match="1 of 6 shards is missing"):
        deminer.seal(directory)


def _play_with_little_room(directory: str) -> None:
    """Plays while no file may grow beyond a kilobyte, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    try:
        deminer.run(SPEC, directory)
    except deminer.RunError as error:
        os._exit(7 if "cannot write" in str(error) else 8)
    os._exit(9)


def test_a_full_disk_is_an_exception_and_the_run_resumes(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    child = multiprocessing.get_context("spawn").Process(
        target=_play_with_little_room, args=(str(directory),)
    )
    child.start()
    child.join(60)
    assert child.exitcode == 7
    assert not list(directory.glob("*.unfinished"))
    assert numbers(deminer.run(SPEC, directory)) == numbers(bench())


LONG = """
import deminer, sys
deminer.run(sys.argv[1], sys.argv[2], threads=1)
"""
LONG_SPEC = 'agents = ["single-point"]\ngames = 100000\nshard = 500\n'


def _wait_for_parts(directory: Path, count: int) -> None:
    end = time.monotonic() + 60
    while len(list(directory.glob("shard-*.parquet"))) < count:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_process_loses_only_unfinished_shards(
    tmp_path: Path, end: signal.Signals
) -> None:
    directory = tmp_path / "run"
    command = [sys.executable, "-c", LONG, LONG_SPEC, str(directory)]
    child = subprocess.Popen(command, stderr=subprocess.PIPE)
    _wait_for_parts(directory, 2)
    child.send_signal(end)
    _, errors = child.communicate(timeout=60)
    assert (b"KeyboardInterrupt" in errors) == (end == signal.SIGINT)
    kept = {part: part.stat().st_mtime_ns for part in directory.glob("shard-*.parquet")}
    assert 2 <= len(kept) < 200
    result = deminer.run(LONG_SPEC, directory)
    assert all(part.stat().st_mtime_ns == time for part, time in kept.items())
    assert numbers(result) == numbers(deminer.bench("single-point", games=100000))


def test_two_processes_share_a_directory(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    command = [sys.executable, "-c", LONG, LONG_SPEC, str(directory)]
    child = subprocess.Popen(command)
    result: list[deminer.BenchResult] = []
    here = threading.Thread(target=lambda: result.append(deminer.run(LONG_SPEC, directory)))
    here.start()
    here.join(120)
    assert child.wait(60) == 0
    assert numbers(result[0]) == numbers(deminer.bench("single-point", games=100000))


def test_a_training_resumes_and_refuses_other_options(tmp_path: Path) -> None:
    options: dict[str, Any] = {"board": "3x3x2", "games": 5000, "trial": 50, "least": 2}
    events: list[dict[str, Any]] = []
    made = deminer.train("q-table", tmp_path, progress=events.append, **options)
    assert made == deminer.train("q-table", tmp_path, **options)
    assert any(event["event"] == "progress" for event in events)
    with pytest.raises(deminer.RunError, match="another training"):
        deminer.train("q-table", tmp_path, seed=2, **options)
    with pytest.raises(deminer.DeminerError, match="did you mean `q-table`"):
        deminer.train("q-tabel", tmp_path)
    with pytest.raises(deminer.DeminerError, match="there is no such option"):
        deminer.train("q-table", tmp_path, boards="3x3x2")
    with pytest.raises(deminer.DeminerError, match="belongs to the command line"):
        deminer.train("q-table", tmp_path, out="elsewhere")
