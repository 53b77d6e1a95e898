"""Games, boards, formats and reviews."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deminer
from deminer import Position, Record, Rng


def test_a_game_is_the_game_of_its_seed() -> None:
    one = deminer.play("single-point", board="expert", seed=4, game=2)
    two = deminer.play("single-point", board="expert", seed=4, game=2)
    assert [move["cell"] for move in one.moves] == [move["cell"] for move in two.moves]
    assert one.outcome == two.outcome and one.seed == (4, 2) and len(one) == len(one.moves)
    assert one.rules.board == "30x16x99" and one.mines is not None and one.mines.sum() == 99
    positions = one.positions()
    assert len(positions) == len(one) + 1 and (positions[0].to_numpy() == -1).all()


def test_records_are_written_and_read(tmp_path: Path) -> None:
    game = deminer.play("best", board="8x8x10", seed=1)
    path = tmp_path / "game.json"
    path.write_bytes(game.write())
    again = deminer.read(path)
    assert isinstance(again, Record) and again == game and again.to_dict() == game.to_dict()
    for format in ("rawvf", "text"):
        assert deminer.convert(game, format) == game.write(format)
    assert "<svg" in game._repr_svg_()


def test_agents_of_every_form_play() -> None:
    class Corner:
        def decide(self, position: Position, rng: Rng) -> tuple[int, int]:
            return position.covered()[0]

    class Begins(Corner):
        name = "begins"
        boards: list[str] = []

        def begin(self, rules: deminer.Rules) -> None:
            self.boards.append(rules.board)

    def by_number(position: Position, rng: Rng) -> int:
        return int(np.flatnonzero(position.to_numpy().ravel() == -1)[0])

    forms: list[Any] = [Corner, Corner(), by_number, Begins, lambda p, r: ("open", *p.covered()[0])]
    games = [deminer.play(agent, seed=2) for agent in forms]
    assert len({tuple(move["cell"] for move in game.moves) for game in games}) == 1
    assert [game.player for game in games] == ["Corner", "Corner", "by_number", "begins", "<lambda>"]
    assert "9x9x10" in Begins.boards


def test_flags_chords_and_giving_up() -> None:
    actions: list[Any] = [("flag", 0, 1), ("unflag", 0, 1), ("chord", 0, 0), None]
    game = deminer.play(lambda position, rng: actions.pop(0), board="9x9x10", seed=1)
    assert [move["action"] for move in game.moves] == ["open", "flag", "unflag", "chord", "decline"]
    assert game.outcome == "undecided"


def test_the_random_numbers_of_a_game_repeat() -> None:
    def at_random(position: Position, rng: Rng) -> tuple[int, int]:
        assert 0 <= rng.random() < 1 and 0 <= rng.below(7) < 7
        return rng.choice(position.covered())

    one, two = (deminer.play(at_random, seed=8) for _ in range(2))
    assert [move["cell"] for move in one.moves] == [move["cell"] for move in two.moves]
    with pytest.raises(deminer.DeminerError, match="at least 1"):
        Rng(1).choice([])


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ((99, 0), deminer.DeminerError, "outside the board"),
        (81, deminer.DeminerError, "cell 81 is outside"),
        ((-1, 0), TypeError, "an agent answers"),
        (("shout", 0, 0), deminer.DeminerError, "`shout` is not an action"),
        ("corner", TypeError, "an agent answers"),
        (0.5, TypeError, "an agent answers"),
    ],
)
def test_wrong_answers_end_the_game(answer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        deminer.play(lambda position, rng: answer, seed=1)
    with pytest.raises(error, match=message):
        deminer.bench([lambda position, rng: answer, "random"], games=100)


def test_boards() -> None:
    boards = deminer.generate(board="8x6x9", count=5, seed=3)
    assert all(board.mines.shape == (6, 8) and board.mines.sum() == 9 for board in boards)
    game = deminer.play("random", board="8x6x9", seed=3, game=2)
    assert np.array_equal(game.mines, boards[2].mines)  # type: ignore[arg-type]
    document = boards[0].to_dict()
    assert document["three_bv"] == boards[0].three_bv and len(document["rows"]) == 6
    assert deminer.read(boards[0].write("mbf")) == boards[0]
    assert "<svg" in boards[0]._repr_svg_() and boards[0].first == (0, 0)
    assert (boards[0].counts[~boards[0].mines] <= 8).all()


def test_boards_without_guesses_are_solved_by_proofs_alone() -> None:
    board = deminer.generate(board="9x9x10", difficulty="medium", seed=2)[0]
    assert board.difficulty == "medium" and board.first == (0, 0)
    with pytest.raises(deminer.LimitError, match="seed 1, game 0"):
        deminer.generate(board="9x9x35", no_guess=True, tries=3)
    with pytest.raises(deminer.DeminerError, match="start"):
        deminer.generate(start="unsafe", no_guess=True)
    with pytest.raises(deminer.DeminerError, match="is not a difficulty"):
        deminer.generate(difficulty="impossible")


def test_the_coach_reviews_every_move() -> None:
    game = deminer.play("single-point", board="intermediate", seed=1)
    review = deminer.coach(game)
    assert len(review.moves) == len(game) and review.summary and "<svg" in review._repr_svg_()
    assert deminer.coach(game.write()).to_dict() == review.to_dict()
    assert list(review.to_pandas()["number"]) == list(range(1, len(game) + 1))
    assert review.to_polars()["verdict"][0] == "start"
    with pytest.raises(deminer.FormatError, match="needs a game"):
        deminer.coach("mines 1\n#1#")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deminer.play("nope"), "no agent `nope`"),
        (lambda: deminer.play("best:deeep"), "has no option `deeep`"),
        (lambda: deminer.play("tree:no/file"), "no file `no/file`"),
        (lambda: deminer.play("optimal", board="expert"), "cannot play"),
        (lambda: deminer.play("best", at="here"), "is not a start cell"),
        (lambda: deminer.play("best", board="3x3x9"), "mines"),
        (lambda: deminer.convert("mines 1\n#1#", "mbff"), "did you mean `mbf`"),
        (lambda: deminer.convert("mines 1\n#1#", "rmv"), "does not write them"),
        (lambda: deminer.read(b"garbage\x00"), "line 1, column 1"),
        (lambda: deminer.read("mines 1\n#1#", format="nope"), "is not a format"),
    ],
)
def test_faults_have_the_messages_of_the_command_line(call: Any, message: str) -> None:
    with pytest.raises(deminer.DeminerError, match=message):
        call()


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        deminer.read(tmp_path / "none")


def test_rosters() -> None:
    agents = deminer.agents()
    assert {"best", "single-point", "cnn-5x5"} <= {agent["name"] for agent in agents}
    assert all(agent["about"] for agent in agents)
    assert {"text", "record", "mbf"} <= {format["name"] for format in deminer.formats()}
