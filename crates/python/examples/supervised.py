"""Teaches a small network the exact odds and measures it beside our agents.

    pip install deminer[train]
    python supervised.py --steps 600 --trainings 3

The vector environment deals boards with the exact mine probability of every covered cell
(`teacher_odds`). The network sees only the board. It plays by opening the cell that it thinks
safest.

A training has a fixed number of steps and a seed, so it repeats. Three things keep it steady: each
batch is a random quarter of the boards, so that neighboring batches differ; the learning rate rises
at first and falls to nothing in the end; and the network that plays is a running average of the
weights. Trainings with other seeds still differ: the last line says how much.
"""

from __future__ import annotations

import argparse
import copy
import math
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

    def __init__(self, width: int = 32, depth: int = 4) -> None:
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


BOARDS = 1024
BATCH = 256
RATE = 2e-3


def rate(step: int, steps: int) -> float:
    """Rises for a twentieth of the steps, then falls along a cosine to nothing."""
    warm = max(1, steps // 20)
    if step < warm:
        return RATE * (step + 1) / warm
    return RATE * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))


def teach(board: str, steps: int, seed: int) -> OddsNet:
    """Plays and learns at the same time; the average of the networks on the way."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = OddsNet()
    average = copy.deepcopy(net)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE)
    boards = deminer.gym.MinesweeperVectorEnv(
        BOARDS, board=board, at="corner", planes=True, teacher_odds=True
    )
    observation, _ = boards.reset(seed=seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps)
        chosen = rng.choice(BOARDS, BATCH, replace=False)
        batch = {key: values[chosen] for key, values in observation.items()}
        odds = torch.as_tensor(batch["teacher_odds"])
        covered = odds >= 0
        logits = net(*inputs(batch))
        loss = functional.binary_cross_entropy_with_logits(logits[covered], odds[covered])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        # The average of about the last tenth of the steps.
        kept = min(1 - 1 / (1 + step), 1 - 10 / max(10, steps))
        with torch.no_grad():
            for mean, value in zip(average.parameters(), net.parameters(), strict=True):
                mean.lerp_(value, 1 - kept)
        # The network plays the boards that it saw, the teacher the others: the safest cell, one of
        # several about as safe, and now and then any.
        taught = observation["teacher_odds"].reshape(BOARDS, -1)
        noise = rng.uniform(0, 0.05, taught.shape)
        actions = np.where(taught >= 0, taught + noise, np.inf).argmin(1)
        risks = torch.where(covered, logits.detach(), torch.inf).flatten(1)
        actions[chosen] = risks.argmin(1).numpy()
        wander = rng.random(BOARDS) < 0.05
        actions[wander] = boards.random_actions()[wander]
        observation, *_ = boards.step(actions)
        if step % 100 == 99:
            print(f"seed {seed}, step {step + 1}: loss {loss.item():.4f}", flush=True)
    return average


def agent(net: OddsNet, seed: int) -> Any:
    """The network as an agent of `deminer.bench`."""

    def taught(position: deminer.Position, rng: deminer.Rng) -> int:
        planes = torch.as_tensor(deminer.gym.planes(position))
        mines_left = torch.tensor([[float(position.mines_left)]])
        with torch.inference_mode():
            risks = net(planes[None], mines_left)[0].numpy()
        return int(np.where(position.to_numpy() == -1, risks, np.inf).argmin())

    taught.__name__ = f"taught with seed {seed}"
    return taught


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--board", default="9x9x10")
    parser.add_argument("--steps", type=int, default=600, help=f"batches of {BATCH} positions")
    parser.add_argument("--trainings", type=int, default=1, help="one for each seed from --seed")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    # So small a network is not faster on more; and the order of sums stays the same.
    torch.set_num_threads(1)
    seeds = range(given.seed, given.seed + given.trainings)
    taught = [agent(teach(given.board, given.steps, seed), seed) for seed in seeds]
    print(f"{given.steps * BATCH} positions each; {given.games} games on boards not seen before:")
    agents = [*taught, "random", "single-point", "lowest-risk", "best"]
    result = deminer.bench(agents, board=given.board, games=given.games, seed=1_000_003)
    print(result)
    rates = [100 * row["rate"] for row in result.agents[: len(taught)]]
    print(
        f"{len(rates)} trainings: mean {np.mean(rates):.1f} %, "
        f"lowest {min(rates):.1f} %, highest {max(rates):.1f} %"
    )
    for pair in (pair for pair in result.paired if pair["first"] == result.agents[0]["agent"]):
        print(
            f"{pair['second']} against {pair['first']}: {100 * pair['difference']:+.2f} points "
            f"({100 * pair['low']:+.2f} to {100 * pair['high']:+.2f})"
        )


if __name__ == "__main__":
    main()
