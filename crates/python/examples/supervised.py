"""Teaches a small network the exact odds and measures it beside our agents.

    pip install deminer[train]
    python supervised.py --minutes 3

The vector environment deals boards with the exact mine probability of every covered cell
(`teacher_odds`). The network sees only the board. It plays by opening the cell that it thinks
safest; now and then a random one, so that it meets positions of other players too.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

import deminer
import deminer.gym


class OddsNet(nn.Module):
    """Convolutions over the planes of a board to the log-odds of a mine in each cell."""

    def __init__(self, width: int = 48, depth: int = 4) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels = deminer.gym.PLANES + 1
        for _ in range(depth):
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
            channels = width
        self.body = nn.Sequential(*layers, nn.Conv2d(channels, 1, 1))

    def forward(self, planes: torch.Tensor, mines_left: torch.Tensor) -> torch.Tensor:
        density = (mines_left / planes.shape[-1] / planes.shape[-2])[:, :, None, None]
        # The last channel is the density of mines inside the board and 0 in the padding around it.
        inputs = torch.cat([planes, density.expand(-1, 1, *planes.shape[-2:])], dim=1)
        logits: torch.Tensor = self.body(inputs)
        return logits[:, 0]


def inputs(observation: dict[str, npt.NDArray[Any]]) -> tuple[torch.Tensor, torch.Tensor]:
    planes = torch.as_tensor(observation["planes"])
    return planes, torch.as_tensor(observation["mines_left"], dtype=torch.float32)


def teach(net: OddsNet, board: str, minutes: float, seed: int) -> int:
    """Plays and learns at the same time; the number of positions seen."""
    boards = deminer.gym.MinesweeperVectorEnv(
        256, board=board, at="corner", planes=True, teacher_odds=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3)
    rng = np.random.default_rng(seed)
    observation, _ = boards.reset(seed=seed)
    begun, end, seen = time.monotonic(), time.monotonic() + 60 * minutes, 0
    step = 0
    while time.monotonic() < end:
        odds = torch.as_tensor(observation["teacher_odds"])
        covered = odds >= 0
        logits = net(*inputs(observation))
        loss = functional.binary_cross_entropy_with_logits(logits[covered], odds[covered])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += boards.num_envs
        risks = torch.where(covered, logits.detach(), torch.inf).flatten(1)
        actions = risks.argmin(1).numpy()
        wander = rng.random(boards.num_envs) < 0.05
        actions[wander] = boards.random_actions()[wander]
        observation, *_ = boards.step(actions)
        for group in optimizer.param_groups:
            left = max(0.02, (end - time.monotonic()) / (end - begun))
            group["lr"] = 2e-3 * left
        if step % 200 == 0:
            print(f"{time.monotonic() - begun:5.0f} s, {seen} positions, loss {loss.item():.4f}")
        step += 1
    return seen


def agent(net: OddsNet) -> Any:
    """The network as an agent of `deminer.bench`."""

    def taught(position: deminer.Position, rng: deminer.Rng) -> int:
        planes = torch.as_tensor(deminer.gym.planes(position))
        mines_left = torch.tensor([[float(position.mines_left)]])
        with torch.inference_mode():
            risks = net(planes[None], mines_left)[0].numpy()
        return int(np.where(position.to_numpy() == -1, risks, np.inf).argmin())

    return taught


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--board", default="9x9x10")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    net = OddsNet()
    seen = teach(net, given.board, given.minutes, given.seed)
    print(f"taught by {seen} positions; {given.games} games on boards it has not seen:")
    agents = [agent(net), "random", "single-point", "lowest-risk", "best"]
    result = deminer.bench(agents, board=given.board, games=given.games, seed=1_000_003)
    print(result)
    for pair in result.paired[:4]:
        print(
            f"{pair['second']} against {pair['first']}: {100 * pair['difference']:+.2f} points "
            f"({100 * pair['low']:+.2f} to {100 * pair['high']:+.2f})"
        )


if __name__ == "__main__":
    main()
