"""Gymnasium environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import deminer
import deminer.gym
from deminer.gym import ENV_ID, JUMANJI, MinesweeperEnv, MinesweeperVectorEnv

OPTIONS: list[dict[str, Any]] = [
    {},
    {"board": "expert", "start": "open", "at": "corner"},
    {"board": "7x5x6", "shape": "torus", "flags": True},
    {"board": "8x6x9", "shape": "hex", "planes": True, "teacher_odds": True},
    {"board": "6x6x5", "clues": "blind:0.3", "planes": True},
    {"board": "6x6x5", "start": "unsafe", "cascade": False},
    JUMANJI,
]


@pytest.mark.parametrize("options", OPTIONS)
def test_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    env = gymnasium.make(ENV_ID, **options)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_every_render_mode(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = MinesweeperEnv(board="8x5x6", render_mode=mode)
    env.reset(seed=1)
    env.step(0)
    shown = env.render()
    if mode == "ansi":
        assert shown.startswith("mines 6\n")
    elif mode == "rgb_array":
        assert shown.ndim == 3 and shown.shape[2] == 3 and shown.dtype == np.uint8
        assert shown.shape[1] > shown.shape[0] > 50 and len(np.unique(shown)) > 5
    else:
        assert shown is None and "#" in capsys.readouterr().out


def test_an_episode_is_the_game_of_its_seed() -> None:
    env = MinesweeperEnv(board="9x9x10")
    for game in range(4):
        env.reset(seed=5 if game == 0 else None)
        env.step(0)
        played = deminer.play(lambda position, rng: None, board="9x9x10", seed=5, game=game)
        assert (env.position.to_numpy() == played.positions()[-1].to_numpy()).all()


def test_masks_rewards_and_ends_follow_the_board() -> None:
    rewards = {"safe": 0.25, "mine": -2.0, "win": 5.0, "invalid": -0.5}
    env = MinesweeperEnv(board="5x4x4", rewards=rewards)
    rng = np.random.default_rng(1)
    seen = set()
    for episode in range(300):
        observation, info = env.reset(seed=episode)
        while True:
            assert (info["action_mask"] == (observation["faces"].ravel() == -1)).all()
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            observation, reward, terminated, truncated, info = env.step(action)
            assert (observation["faces"] == env.position.to_numpy()).all()
            seen.add((reward, terminated))
            if terminated:
                assert info["won"] == (reward == 5.0) and not truncated
                assert info["action_mask"].all()
                break
            again = int(np.flatnonzero(observation["faces"].ravel() >= 0)[0])
            assert env.step(again)[1] == -0.5
    assert seen == {(0.25, False), (-2.0, True), (5.0, True)}


def test_the_masks_are_methods_too_as_maskable_ppo_asks_for_them() -> None:
    env = gymnasium.make(ENV_ID, board="6x5x4")
    _, info = env.reset(seed=1)
    _, *_, info = env.step(7)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
    assert not info["action_mask"].all()
    envs = MinesweeperVectorEnv(3, board="6x5x4")
    envs.reset(seed=1)
    *_, infos = envs.step(np.array([0, 7, 29]))
    assert (envs.action_masks() == infos["action_mask"]).all()


def test_flags_are_counted_and_protect_their_cells() -> None:
    env = MinesweeperEnv(board="5x4x4", flags=True)
    env.reset(seed=1)
    observation, _, _, _, info = env.step(20 + 3)
    assert observation["faces"][0, 3] == -2 and observation["mines_left"] == [3]
    assert not info["action_mask"][3] and info["action_mask"][23]
    observation, *_, info = env.step(20 + 3)
    assert observation["faces"][0, 3] == -1 and observation["mines_left"] == [4]


def test_planes_and_odds_agree_with_the_faces_and_the_engine() -> None:
    envs = MinesweeperVectorEnv(8, board="8x8x10", planes=True, teacher_odds=True)
    observations, _ = envs.reset(seed=1)
    codes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -2, -3]
    for _ in range(40):
        planes = np.stack([observations["faces"] == code for code in codes], axis=1)
        assert (observations["planes"] == planes).all()
        for place, position in enumerate(envs.positions()):
            odds = np.nan_to_num(deminer.analyze(position).mine_probability, nan=-1.0)
            assert np.allclose(observations["teacher_odds"][place], odds, atol=1e-6)
        observations, *_ = envs.step(envs.random_actions())


def test_the_vector_environment_steps_like_single_ones() -> None:
    envs = MinesweeperVectorEnv(5, board="8x8x10", max_episode_steps=6)
    singles = [gymnasium.make(ENV_ID, board="8x8x10", max_episode_steps=6) for _ in range(5)]
    batched, infos = envs.reset(seed=7)
    over = [False] * 5
    for place, single in enumerate(singles):
        observation, _ = single.reset(seed=7 + place)
        assert (observation["faces"] == batched["faces"][place]).all()
    for _ in range(200):
        actions = envs.random_actions()
        batched, rewards, terminated, truncated, infos = envs.step(actions)
        for place, single in enumerate(singles):
            if over[place]:
                observation, info = single.reset()
                expected: tuple[Any, ...] = (0.0, False, False)
            else:
                observation, *rest, info = single.step(actions[place])
                expected = tuple(rest)
            over[place] = bool(expected[1] or expected[2])
            assert (observation["faces"] == batched["faces"][place]).all()
            assert (rewards[place], terminated[place], truncated[place]) == expected
            assert (info["action_mask"] == infos["action_mask"][place]).all() or over[place]


def test_autoreset_in_the_same_step_keeps_the_last_observation() -> None:
    options: dict[str, Any] = {"num_envs": 6, "board": "6x6x8", "planes": True}
    same = gymnasium.make_vec(ENV_ID, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    assert same.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert isinstance(same, MinesweeperVectorEnv)
    same.reset(seed=3)
    ended = 0
    for _ in range(60):
        observations, rewards, terminated, _, infos = same.step(same.random_actions())
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            last = infos["final_obs"]["faces"][terminated]
            lost = rewards[terminated] < 0
            assert ((last == -3).any(axis=(1, 2)) == lost).all()
            assert (observations["faces"][terminated] == -1).all()
            ended += terminated.sum()
    assert ended > 50


def test_without_autoreset_the_user_resets() -> None:
    envs = MinesweeperVectorEnv(3, board="6x6x8", autoreset_mode="Disabled")
    envs.reset(seed=3)
    terminated = np.zeros(3, np.bool_)
    while not terminated.any():
        _, _, terminated, _, _ = envs.step(envs.random_actions())
    with pytest.raises(deminer.DeminerError, match="is over: reset it first"):
        envs.step(envs.random_actions())
    before = envs.positions()
    observations, _ = envs.reset(options={"reset_mask": terminated})
    assert (observations["faces"][terminated] == -1).all()
    kept = [place for place in range(3) if not terminated[place]]
    assert all(envs.positions()[place] == before[place] for place in kept)
    envs.step(envs.random_actions())


def test_copies_stay_and_views_are_written_again() -> None:
    for copy in (True, False):
        envs = MinesweeperVectorEnv(4, copy=copy)
        observations, _ = envs.reset(seed=1)
        before = observations["faces"].copy()
        envs.step(envs.random_actions())
        assert (observations["faces"] == before).all() == copy


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        (np.zeros(2, np.int64), deminer.DeminerError),
        (np.zeros((3, 1), np.int64), TypeError),
        (np.zeros(3, np.float64), TypeError),
        (np.array([0, 81, 0]), deminer.DeminerError),
        (np.array([0, -1, 0]), deminer.DeminerError),
        ("abc", TypeError),
    ],
)
def test_wrong_actions_are_errors_and_change_nothing(actions: Any, error: type) -> None:
    envs = MinesweeperVectorEnv(3)
    before, _ = envs.reset(seed=1)
    with pytest.raises(error):
        envs.step(actions)
    after, *_ = envs.step(np.zeros(3, np.int64))
    assert (before["faces"] == -1).all() and (after["faces"][:, 0, 0] != -1).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "at least 1"),
        ({"board": "huge"}, "huge"),
        ({"board": "3x3x0"}, "needs a mine"),
        ({"board": "3x3x9", "start": "unsafe"}, "cell without one"),
        ({"rewards": {"lost": 1}}, "no reward `lost`"),
        ({"at": "9,9"}, "outside the board"),
        ({"shape": "ring"}, "is not a shape"),
    ],
)
def test_wrong_settings_say_what_is_wrong(options: dict[str, Any], message: str) -> None:
    with pytest.raises(deminer.DeminerError, match=message):
        MinesweeperVectorEnv(**options)


def test_a_position_has_the_planes_of_its_environment() -> None:
    env = deminer.gym.MinesweeperEnv(board="7x6x5", planes=True, flags=True)
    observation, _ = env.reset(seed=4)
    for action in (20, 42 + 3, 0):
        assert (deminer.gym.planes(env.position) == observation["planes"]).all()
        observation, *_ = env.step(action)


def test_the_rules_of_jumanji() -> None:
    env = MinesweeperEnv(**JUMANJI)
    rng = np.random.default_rng(1)
    for episode in range(50):
        observation, info = env.reset(seed=episode)
        opened = 0
        while True:
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            observation, reward, terminated, _, info = env.step(action)
            opened += reward == 1.0
            assert (observation["faces"] >= 0).sum() == opened
            if terminated:
                assert reward == float(info["won"])
                break
            if opened == 8:
                assert env.step(action)[1:3] == (0.0, True)
                break
