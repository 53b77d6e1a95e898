"""The conformance set that all doors pass, as far as Python's functions go.

`conformance/` is at the root of the repository; without it there is nothing to check.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import deminer

FOLDER = Path(__file__).parents[3] / "conformance"

POSITION = {"rows", "mines", "shape", "start", "clues", "cascade"}
"""The fields of a position."""
LONGEST_ROW = 100
"""Longer rows are refused by doors that strangers use, not by this one."""


def cases(file: str, key: str) -> list[dict[str, Any]]:
    """The cases of a file that have the key."""
    path = FOLDER / file
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return [case for case in found if key in case]


def name(case: dict[str, Any]) -> str:
    return str(case["name"])


def position(body: dict[str, Any]) -> deminer.Position:
    """The position of a request."""
    rules = {key: value for key, value in body.items() if key in POSITION - {"rows"}}
    if "cascade" in rules:
        rules["cascade"] = rules["cascade"] in (True, "on")
    return deminer.Position(body["rows"], **rules)


def check_alike(found: Any, expected: Any) -> None:
    """Equal, but for rounding; JSON has lists for our tuples."""
    if isinstance(expected, float) and isinstance(found, (int, float)):
        assert math.isclose(found, expected, rel_tol=0, abs_tol=1e-12)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check_alike(one, other)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            check_alike(found[key], value)
    else:
        assert found == expected


def analyses() -> list[dict[str, Any]]:
    """Analyses with no more options than ours has."""
    ours = POSITION | {"why"}
    found = cases("positions.json", "answer")
    return [case for case in found if case["request"] == "analyze" and case["body"].keys() <= ours]


@pytest.mark.parametrize("case", analyses(), ids=name)
def test_positions(case: dict[str, Any]) -> None:
    body = case["body"]
    analysis = deminer.analyze(position(body))
    answer = dict(case["answer"])
    if answer["best"] is not None:
        # Doors where an agent is chosen name it, and what it does with the cell.
        answer["best"] = {
            key: value for key, value in answer["best"].items() if key not in ("agent", "action")
        }
    check_alike(analysis.to_dict(body.get("why", False), analysis.consistent), answer)


@pytest.mark.parametrize("case", cases("games.json", "moves"), ids=name)
def test_games(case: dict[str, Any]) -> None:
    wanted = case["play"]
    rules = wanted.get("rules", {})
    # The set is played with estimates, for which some agents draw random numbers.
    options = {agent["name"]: agent["options"] for agent in deminer.agents()}[wanted["agent"]]
    has_estimates = any(option["name"] == "estimates" for option in options)
    agent = wanted["agent"] + (":estimates" if has_estimates else "")
    game = deminer.play(agent, seed=wanted["seed"], game=wanted["game"], **rules)
    moves = [[move["action"], move.get("cell")] for move in game.moves]
    check_alike(moves, case["moves"])
    assert game.outcome == case["outcome"]


def wrong_positions() -> list[dict[str, Any]]:
    """Faults of positions, not of options that only other doors have."""

    def is_ours(body: dict[str, Any]) -> bool:
        rows = body.get("rows")
        is_long = isinstance(rows, list) and rows and len(str(rows[0])) > LONGEST_ROW
        return {"rows", "mines"} <= body.keys() <= POSITION and not is_long

    return [
        case
        for case in cases("errors.json", "error")
        if case["request"] == "analyze" and is_ours(case["body"])
    ]


@pytest.mark.parametrize("case", wrong_positions(), ids=name)
def test_errors(case: dict[str, Any]) -> None:
    with pytest.raises((deminer.DeminerError, TypeError, OverflowError)):
        position(case["body"])
