"""What a call from Python costs: `analyze` beside the engine, `bench` beside the command line.

    python benchmarks/calls.py [path/to/deminer] [--json FILE]

The engine's own time has two forms. One position after another: `analyze_many` on one thread, each
position once, as a first call has it. One position nine times: the `micros` of `deminer analyze
--jsonl`, the median, with an empty cache of regions, but with a processor that knows the position.
The command line is the program `deminer`, found on the PATH unless given. `--json` also writes the
rows of `cargo xtask bench-all`.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import deminer

POSITIONS = 1000

Row = dict[str, Any]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program", nargs="?", default=shutil.which("deminer"))
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    rows = analyses(expert_positions(), chosen.program)
    if chosen.program is None:
        print("there is no program `deminer` to compare with")
    else:
        rows.append(tournaments(chosen.program))
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows}))


def expert_positions() -> list[deminer.Position]:
    """Positions in which the player has to guess, each from another game."""
    found: list[deminer.Position] = []
    game = 0
    while len(found) < POSITIONS:
        record = deminer.play("single-point", board="expert", seed=1, game=game)
        positions = record.positions()[10:-1]
        if len(positions) > 20:
            found.append(positions[len(positions) // 2])
        game += 1
    return found


def analyses(positions: list[deminer.Position], program: str | None) -> list[Row]:
    times = [micros(position) for position in positions]
    first = statistics.median(calls[0] for calls in times)
    again = statistics.median(statistics.median(calls) for calls in times)
    print(f"analyze, {len(positions)} expert positions: first {first:.1f} µs, again {again:.1f} µs")
    rounds = [(called(positions), streamed(positions)) for _ in range(7)]
    here, engine = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(here / engine for here, engine in rounds)
    print(
        f"one position after another: {here:.1f} µs from Python, {engine:.1f} µs the engine alone, "
        f"ratio {ratio:.2f}"
    )
    row: Row = {"what": "analyze, expert positions one after another", "unit": "µs", "ours": engine}
    row["beside"] = {"name": "the same from Python", "value": here, "ratio": ratio}
    begun, spent = time.perf_counter(), time.process_time()
    deminer.analyze_many(positions)
    begun, spent = time.perf_counter() - begun, time.process_time() - spent
    print(f"analyze_many on all cores: {1000 * begun:.1f} ms, CPU time {1000 * spent:.1f} ms")
    if program is None:
        return [row]
    text = "".join(f"> {number}\n{position}" for number, position in enumerate(positions))
    line = [program, "analyze", "-", "--jsonl"]
    printed = subprocess.run(line, input=text, capture_output=True, text=True, check=True).stdout
    engine = statistics.median(json.loads(line)["micros"] for line in printed.splitlines())
    ratios = f"{first / engine:.2f} first, {again / engine:.2f} again"
    print(f"the engine, one position nine times: median {engine:.1f} µs; ratios {ratios}")
    return [row]


def called(positions: list[deminer.Position]) -> float:
    """CPU time of a call, when each position is analyzed once.

    They have more regions than the cache holds, so that none is known in the next round.
    """
    start = time.process_time_ns()
    for position in positions:
        deminer.analyze(position).mine_probability
    return (time.process_time_ns() - start) / 1000 / len(positions)


def streamed(positions: list[deminer.Position]) -> float:
    """The same when Rust counts all of them in one call, on one thread."""
    start = time.process_time_ns()
    deminer.analyze_many(positions, threads=1)
    return (time.process_time_ns() - start) / 1000 / len(positions)


def micros(position: deminer.Position) -> list[float]:
    """CPU times of several calls, from a position to its odds as an array.

    The first finds nothing in the caches; the others find the regions that it counted.
    """
    times = []
    for _ in range(7):
        start = time.thread_time_ns()
        deminer.analyze(position).mine_probability
        times.append((time.thread_time_ns() - start) / 1000)
    return times


def tournaments(program: str) -> Row:
    """The same games from Python and on the command line, three times each, in turn."""
    games = 20_000
    times: list[tuple[float, float]] = []
    line = [program, "bench", "--agent", "lowest-risk", "--board", "expert", "--json"]
    line += ["--games", str(games), "--threads", "1"]
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        printed = subprocess.run(line, capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        there = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        start = time.process_time()
        result = deminer.bench("lowest-risk", board="expert", games=games, threads=1)
        here = time.process_time() - start
        won = json.loads(printed)["agents"][0]["won"]
        assert result.agents[0]["won"] == won, "both play the same games"
        times.append((here, there))
        print(
            f"bench, {games} expert games of lowest-risk: CPU time {here:.2f} s from Python, "
            f"{there:.2f} s on the command line"
        )
    ratio = statistics.median(here / there for here, there in times)
    print(f"Python / command line: {ratio:.3f}")
    from_python, command_line = (statistics.median(column) for column in zip(*times, strict=True))
    return {
        "what": f"bench, {games} expert games of lowest-risk",
        "unit": "s",
        "ours": command_line,
        "beside": {"name": "the same from Python", "value": from_python, "ratio": ratio},
    }


if __name__ == "__main__":
    main()
