"""Trains MaskablePPO of sb3-contrib and measures it beside our agents.

    pip install deminer[train]
    python ppo.py --steps 200000

The agent learns from rewards alone: 1 for a won game, -1 for a mine, and a little for each safe
step. Illegal moves (open cells) are masked.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor
from torch import nn

import deminer
import deminer.gym

REWARDS = {"safe": 0.1, "mine": -1.0, "win": 1.0}


class Planes(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The planes of the board alone."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        assert isinstance(env.observation_space, gymnasium.spaces.Dict)
        self.observation_space = env.observation_space["planes"]

    def observation(self, observation: dict[str, npt.NDArray[Any]]) -> npt.NDArray[Any]:
        return observation["planes"]


class Convolutions(BaseFeaturesExtractor):
    """Convolutions that keep the board's size, so that clues stay beside their cells."""

    def __init__(self, space: gymnasium.spaces.Box, width: int = 32) -> None:
        planes, height, breadth = space.shape
        super().__init__(space, 8 * height * breadth)
        self.body = nn.Sequential(
            nn.Conv2d(planes, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, 8, 1),
            nn.ReLU(),
            nn.Flatten(),
        )

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.body(planes)
        return features


def environment(board: str) -> gymnasium.Env[Any, Any]:
    env = deminer.gym.MinesweeperEnv(board=board, at="corner", planes=True, rewards=REWARDS)
    return Planes(env)


def train(board: str, steps: int, seed: int) -> Any:
    boards = VecMonitor(DummyVecEnv([lambda: environment(board) for _ in range(32)]))
    model = MaskablePPO(
        "CnnPolicy",
        boards,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=7e-4,
        gamma=0.9,
        ent_coef=0.01,
        seed=seed,
        policy_kwargs={
            "features_extractor_class": Convolutions,
            "normalize_images": False,
            "net_arch": [256],
        },
        verbose=0,
    )
    return model.learn(steps)


def agent(model: Any) -> Any:
    """The model as an agent of `deminer.bench`."""

    def ppo(position: deminer.Position, rng: deminer.Rng) -> int:
        planes = deminer.gym.planes(position)
        masks = (position.to_numpy() == -1).flatten()
        action, _ = model.predict(planes, action_masks=masks, deterministic=True)
        return int(action)

    return ppo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--board", default="6x6x5")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    model = train(given.board, given.steps, given.seed)
    print(f"{given.steps} steps of training; {given.games} games on boards it has not seen:")
    agents = [agent(model), "random", "single-point", "best"]
    result = deminer.bench(agents, board=given.board, games=given.games, seed=1_000_003)
    print(result)
    for pair in result.paired[:3]:
        print(
            f"{pair['second']} against {pair['first']}: {100 * pair['difference']:+.2f} points "
            f"({100 * pair['low']:+.2f} to {100 * pair['high']:+.2f})"
        )


if __name__ == "__main__":
    main()
