"""Tournaments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import deminer
from deminer import Position, Rng
from deminer._types import Standing

ROOT = Path(__file__).parents[3]


def counts(result: deminer.BenchResult) -> list[tuple[Any, ...]]:
    return [(agent["agent"], agent["won"], agent["guesses_per_game"]) for agent in result.agents]


def test_the_same_seeds_give_the_same_results_for_any_number_of_threads() -> None:
    results = [
        deminer.bench(["random", "single-point"], games=300, seed=5, threads=threads)
        for threads in (1, 3)
    ]
    assert counts(results[0]) == counts(results[1])
    assert results[0].paired == results[1].paired


def test_the_command_line_finds_the_same() -> None:
    program = os.environ.get("DEMINER")
    if program is None:
        pytest.skip("DEMINER does not name the program")
    words = "--agent random --agent tree --board 8x8x10 --start open --at random --games 700"
    line = [program, "bench", *words.split(), "--seed", "9", "--json"]
    printed = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    result = deminer.bench(
        ["random", "tree"], board="8x8x10", start="open", at="random", games=700, seed=9
    )
    document = json.loads(json.dumps(result.to_dict()))
    for agent in printed["agents"] + document["agents"]:
        del agent["cpu_seconds"], agent["games_per_cpu_second"]
    assert document == printed


def test_game_i_is_what_play_plays() -> None:
    result = deminer.bench("single-point", games=20, first_game=7, seed=2)
    games = [deminer.play("single-point", seed=2, game=game) for game in range(7, 27)]
    assert result.agents[0]["won"] == sum(game.outcome == "won" for game in games)


def test_python_agents_play_as_their_originals() -> None:
    class LowestRisk:
        def decide(self, position: Position, rng: Rng) -> tuple[int, int]:
            odds = deminer.analyze(position).mine_probability
            cells = position.covered()
            return min(cells, key=lambda cell: float(odds[cell]))

    result = deminer.bench([LowestRisk, LowestRisk(), "random"], games=100, threads=3)
    first, second, random = result.agents
    assert (first["agent"], second["agent"]) == ("LowestRisk", "LowestRisk 2")
    assert first["won"] == second["won"] and (first["won"] or 0) > 80 > (random["won"] or 0)


def test_tables_for_pandas_and_polars() -> None:
    result = deminer.bench(["random", "single-point"], games=100, measures=["unneeded"])
    pandas, polars = result.to_pandas(), result.to_polars()
    assert list(pandas["agent"]) == polars["agent"].to_list() == ["random", "single-point"]
    assert pandas["games"].dtype == "int64" and pandas["rate"].dtype == "float64"
    assert polars.columns == list(pandas.columns)
    assert pandas["unneeded_per_game"].notna().all()
    assert "single-point" in str(result) and "single-point" in repr(result)
    shown = result._repr_html_()
    assert shown.count("<tr>") == 3 and "<td>single-point</td>" in shown
    weighted = deminer.bench("single-point", games=100, estimator="weighted")
    assert weighted.agents[0]["won"] is None and 0 < weighted.agents[0]["rate"] < 1


def test_progress_is_reported_and_its_exceptions_end_the_play() -> None:
    seen: list[tuple[int, int, list[Standing]]] = []
    deminer.bench(
        "lowest-risk", board="expert", games=2000, progress=lambda *news: seen.append(news)
    )
    assert seen and all(games == 2000 and finished <= 2000 for finished, games, _ in seen)
    assert seen[-1][2][0]["agent"] == "lowest-risk" and 0 < seen[-1][2][0]["rate"] < 1

    def enough(*news: object) -> None:
        raise RuntimeError("enough")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        deminer.bench("lowest-risk", board="expert", games=100_000_000, progress=enough)
    assert time.monotonic() - start < 20


def test_the_bar_of_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    deminer.bench("lowest-risk", board="expert", games=1000, progress=True)
    assert "game" in capsys.readouterr().err


@pytest.mark.parametrize("agent", ["best", "deminer.play"])
def test_ctrl_c_ends_a_tournament_and_the_interpreter_lives(agent: str) -> None:
    player = "'best'" if agent == "best" else "lambda position, rng: position.covered()[0]"
    script = f"""
import deminer
try:
    print("playing", flush=True)
    deminer.bench({player}, board="expert", games=10**12)
except KeyboardInterrupt:
    print("interrupted", deminer.bench("random", games=64).agents[0]["games"])
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "playing\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=60)
    assert output == "interrupted 64\n" and child.returncode == 0


def test_other_threads_run_meanwhile() -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    deminer.bench("lowest-risk", board="expert", games=2000)
    over.set()
    thread.join()
    assert ticks > 5


@pytest.mark.parametrize(
    ("agents", "options", "error", "message"),
    [
        ("single-pont", {}, deminer.AgentError, "did you mean `single-point`"),
        ("best:fast", {}, deminer.AgentError, "has no option `fast`"),
        ([], {}, deminer.DeminerError, "at least one agent"),
        ([3], {}, TypeError, "not int"),
        ("best", {"board": "9x9"}, deminer.DeminerError, "9x9"),
        ("best", {"start": "sure"}, deminer.DeminerError, "`sure` is not a start"),
        ("best", {"clues": "loud"}, deminer.DeminerError, "loud"),
        ("best", {"estimator": "best"}, deminer.DeminerError, "is not an estimator"),
        ("best", {"measures": ["luck"]}, deminer.DeminerError, "luck"),
        ("best", {"games": -1}, OverflowError, "negative"),
        ("best", {"games": "many"}, TypeError, "integer"),
        ("best", {"threads": 0}, deminer.DeminerError, "threads"),
        ("best", {"first_game": 2**64 - 1}, deminer.DeminerError, "exceed"),
        (
            "best",
            {"estimator": "weighted", "measures": ["unneeded"]},
            deminer.DeminerError,
            "plain games",
        ),
    ],
)
def test_wrong_specs_say_what_is_wrong(
    agents: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        deminer.bench(agents, **options)


def test_an_exception_of_an_agent_is_raised_as_it_is() -> None:
    class Failing:
        def decide(self, position: Position, rng: Rng) -> tuple[int, int]:
            raise ArithmeticError("lost count")

    class Unbuilt:
        def __init__(self) -> None:
            raise LookupError("no network")

        def decide(self, position: Position, rng: Rng) -> None: ...

    with pytest.raises(ArithmeticError, match="lost count"):
        deminer.bench(["random", Failing], games=1000, threads=2)
    with pytest.raises(LookupError, match="no network"):
        deminer.bench(Unbuilt)
