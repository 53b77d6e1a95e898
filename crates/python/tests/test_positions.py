"""Positions and analyses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import deminer
from deminer import Position

TEXT = "mines 3\n# # # #\n# 1 2 #\n# # # #\n"


def test_every_source_gives_the_same_position() -> None:
    position = Position(TEXT)
    assert str(position) == TEXT
    assert Position(TEXT.encode()) == position
    assert Position(["####", "#12#", "# # # #"], mines=3) == position
    assert Position(position.to_numpy(), 3) == position
    assert Position(position.to_numpy()[::-1], 3) == position
    assert Position(position) == position and hash(Position(position)) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position
    assert Position(position.write("analysis")) == position


def test_keywords_replace_the_rules() -> None:
    position = Position(TEXT, 5, shape="torus", clues="optimistic", cascade=False)
    rules = position.rules
    assert (rules.board, rules.shape, rules.clues) == ("4x3x5", "torus", "optimistic")
    assert not rules.cascade
    assert pickle.loads(pickle.dumps(position)) == position
    assert Position("mines 1\n###", start="safe").rules.start == "safe"


def test_codes_of_all_faces() -> None:
    codes = np.array([[-1, -2, -3], [0, 8, 9]], np.int8)
    position = Position(codes, mines=2, clues="blind:0.5")
    assert (position.to_numpy() == codes).all()
    assert position.mines_left == 1 and position.covered() == [(0, 0)]


@pytest.mark.parametrize(
    ("source", "mines", "error", "message"),
    [
        ("mines 3\n##9#", None, deminer.FormatError, "line 2, column 3: `9` is not a cell"),
        ("", None, deminer.FormatError, "not in a format deminer reads"),
        (b"\xff\xfe\x00", None, deminer.FormatError, "not in a format"),
        (["##", "#"], 1, deminer.DeminerError, "this row has 1 cells"),
        (["##"], None, deminer.DeminerError, "mines=N"),
        (["##"], 5, deminer.DeminerError, "mines"),
        (np.zeros((2, 2), np.int8), None, deminer.DeminerError, "mines=N"),
        (np.zeros((2, 2), np.int64), 1, TypeError, "int8 with two dimensions, not of int64"),
        (np.zeros((2, 2), np.float32), 1, TypeError, "float32"),
        (np.zeros(4, np.int8), 1, TypeError, "not of int8 with 1"),
        (np.zeros((2, 2, 2), np.int8), 1, TypeError, "with 3"),
        (np.full((2, 2), 77, np.int8), 1, deminer.DeminerError, "row 0, column 0: 77"),
        (np.zeros((0, 3), np.int8), 0, deminer.DeminerError, "has no cells"),
        (42, None, TypeError, "not int"),
        (None, None, TypeError, "not NoneType"),
    ],
)
def test_wrong_sources_say_what_is_wrong(
    source: Any, mines: int | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Position(source, mines)


def test_odds_facts_and_the_best_move() -> None:
    analysis = deminer.analyze(TEXT)
    third = 1 / 3
    expected = [[third, 0, 0, 2 / 3], [third, np.nan, np.nan, 2 / 3], [third, 0, 0, 2 / 3]]
    assert np.allclose(analysis.mine_probability, expected, equal_nan=True)
    assert analysis.safe == [(0, 1), (0, 2), (2, 1), (2, 2)] and analysis.mines == []
    assert analysis.exact and analysis.consistent and analysis.reason is None
    assert analysis.log10_layouts == pytest.approx(np.log10(9))
    best = analysis.best
    assert best is not None and best["cell"] == (0, 1) and best["safety"] == 1.0
    assert [proof["cell"] for proof in analysis.proofs] == analysis.safe
    assert all(proof["why"] for proof in analysis.proofs)
    document = analysis.to_dict(proofs=True)
    assert document["schema_version"] == 1 and document["safe"] == analysis.safe
    assert "<svg" in analysis._repr_svg_() and "<svg" in analysis.position._repr_svg_()


def test_dead_cells_and_fifty_fifties() -> None:
    analysis = deminer.analyze("mines 1\n#1.\n#1.")
    assert analysis.fifty_fifty == [[(0, 0), (1, 0)]]
    assert analysis.dead == [(0, 0), (1, 0)]
    document = analysis.to_dict(marks=True)
    assert document["fifty_fifty"] == [((0, 0), (1, 0))] and document["dead"] == analysis.dead
    assert "dead" not in analysis.to_dict()


def test_a_contradiction_is_an_ordinary_result() -> None:
    analysis = deminer.analyze("mines 1\n#2#")
    assert not analysis.consistent and analysis.conflict == [(0, 1)]
    assert np.isnan(analysis.mine_probability).all() and analysis.best is None
    assert analysis.safe == [] and analysis.proofs == [] and "contradict" in repr(analysis)
    assert "<svg" in analysis.svg()


def test_many_positions_come_back_in_order_for_any_number_of_threads() -> None:
    games = [deminer.play("best", board="intermediate", seed=seed) for seed in range(3)]
    positions = [position for game in games for position in game.positions()[1:]]
    alone = [deminer.analyze(position) for position in positions]
    for threads in (1, 2, 5, None):
        many = deminer.analyze_many(positions, threads=threads)
        assert len(many) == len(positions) > 60
        for one, other in zip(alone, many, strict=True):
            assert one.position == other.position
            assert np.array_equal(one.mine_probability, other.mine_probability, equal_nan=True)
    assert deminer.analyze_many([]) == []
    with pytest.raises(deminer.DeminerError, match="threads"):
        deminer.analyze_many(positions, threads=0)
