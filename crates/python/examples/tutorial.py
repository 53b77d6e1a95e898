# %% [markdown]
# # From a position to a trained agent
#
# Run this file cell by cell in an editor or notebook (`# %%` begins a cell), or as a script. It
# needs `pip install "deminer[gym]"` and takes about half a minute.

# %%
from __future__ import annotations

import os

# Small matrices are multiplied faster by one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gymnasium
import numpy as np
import numpy.typing as npt

import deminer
import deminer.gym

# %% [markdown]
# ## A position
#
# `#` is covered, `.` and `1` to `8` are open. The analysis is exact: it counts every layout of the
# mines that fits. In a notebook, positions and analyses are shown as pictures.

# %%
position = deminer.Position(
    """mines 10
    # # # # # # # # #
    # # 2 1 1 2 # # #
    # # 1 . . 1 2 # #
    # # 2 . . . 1 # #
    # # 2 1 1 1 1 # #
    # # # # # # # # #
    # # # # # # # # #
    # # # # # # # # #
    # # # # # # # # #"""
)
analysis = deminer.analyze(position)
print(np.round(analysis.mine_probability, 2))
print("safe:", analysis.safe)

# %% [markdown]
# Why is a cell safe, and what is the best move?

# %%
for proof in analysis.proofs[:3]:
    print(proof["cell"], proof["fact"], "-", proof["why"])
best = analysis.best
assert best is not None
print("open", best["cell"], "-", best["why"])

# %% [markdown]
# ## Agents
#
# `deminer.agents()` lists them. `play` plays one game, `coach` reviews it, `bench` compares agents
# on the same boards, with intervals.

# %%
game = deminer.play("single-point", board="intermediate", seed=1)
print(game)
print("\n".join(deminer.coach(game).summary))
print(deminer.bench(["random", "single-point", "best"], games=1000))

# %% [markdown]
# An agent of your own is a function of the position and of random numbers.


# %%
def lowest_risk(position: deminer.Position, rng: deminer.Rng) -> tuple[int, int]:
    """Open the cell with the lowest mine probability."""
    odds = deminer.analyze(position).mine_probability
    return min(position.covered(), key=lambda cell: float(odds[cell]))


print(deminer.bench([lowest_risk, "best"], games=200))

# %% [markdown]
# ## An environment
#
# The same rules for reinforcement learning. Illegal actions are masked.

# %%
env = gymnasium.make("deminer/Minesweeper-v0", board="9x9x10")
observation, info = env.reset(seed=1)
terminated = False
while not terminated:
    action = np.random.default_rng(1).choice(np.flatnonzero(info["action_mask"]))
    observation, reward, terminated, truncated, info = env.step(action)
print("reward", reward, "won", info["won"])

# %% [markdown]
# ## Training data from exact odds
#
# The vector environment steps many boards at once; `teacher_odds` adds the exact mine
# probabilities. Here the teacher plays: it opens the safest cell. Each covered cell becomes an
# example: the 5x5 window around it, and the probability to learn.

# %%
COVERED, OUTSIDE, CODES = 9, 10, 11
Windows = npt.NDArray[np.int8]


def windows(faces: npt.NDArray[np.int8]) -> Windows:
    """The 5x5 window around each cell of each board, flattened: 0 to 8, covered, outside."""
    codes = np.where(faces < 0, COVERED, faces).astype(np.int8)
    padded = np.pad(codes, ((0, 0), (2, 2), (2, 2)), constant_values=OUTSIDE)
    views = np.lib.stride_tricks.sliding_window_view(padded, (5, 5), axis=(1, 2))
    return views.reshape(*faces.shape, 25)


def features(examples: Windows) -> npt.NDArray[np.float32]:
    """One input for each code in each place of a window."""
    return np.eye(CODES, dtype=np.float32)[examples].reshape(len(examples), 25 * CODES)


def gather(boards: int, steps: int, seed: int) -> tuple[Windows, npt.NDArray[np.float32]]:
    """Covered cells from games of the teacher: their windows and mine probabilities."""
    envs = deminer.gym.MinesweeperVectorEnv(boards, board="9x9x10", teacher_odds=True)
    observations, _ = envs.reset(seed=seed)
    rng = np.random.default_rng(seed)
    examples, answers = [], []
    for _ in range(steps):
        odds = observations["teacher_odds"]
        around = windows(observations["faces"])
        fringe = (around.reshape(*odds.shape, 5, 5)[..., 1:4, 1:4] < COVERED).any(axis=(3, 4))
        chosen = (odds >= 0) & (rng.random(odds.shape) < np.where(fringe, 0.3, 0.03))
        examples.append(around[chosen])
        answers.append(odds[chosen])
        risks = np.where(odds < 0, 2.0, odds + rng.random(odds.shape) * 1e-3)
        observations, *_ = envs.step(risks.reshape(boards, -1).argmin(axis=1))
    return np.concatenate(examples), np.concatenate(answers)


examples, answers = gather(boards=1000, steps=60, seed=1)
print(len(examples), "examples, mean mine probability", round(float(answers.mean()), 3))

# %% [markdown]
# ## A small network in numpy
#
# One hidden layer, trained to predict the probability. `examples/supervised.py` does the same with
# PyTorch on whole boards, `examples/ppo.py` learns from rewards.


# %%
class Network:
    """A window goes in, a mine probability comes out."""

    def __init__(self, seed: int, hidden: int = 128) -> None:
        rng = np.random.default_rng(seed)
        # A window sets 25 inputs to 1, so that is what the first layer adds up.
        self.first = rng.normal(0, (2 / 25) ** 0.5, (25 * CODES, hidden)).astype(np.float32)
        self.second = rng.normal(0, hidden**-0.5, (hidden, 1)).astype(np.float32)
        self.biases = np.zeros(hidden, np.float32), np.zeros(1, np.float32)
        self.values = [self.first, self.biases[0], self.second, self.biases[1]]
        self.speeds = [np.zeros_like(values) for values in self.values]

    def __call__(self, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        self.hidden = np.maximum(inputs @ self.first + self.biases[0], 0)
        scores = (self.hidden @ self.second + self.biases[1])[:, 0]
        return np.asarray(1 / (1 + np.exp(-scores)), np.float32)

    def learn(
        self, inputs: npt.NDArray[np.float32], wanted: npt.NDArray[np.float32], rate: float
    ) -> None:
        """One step down the gradient of the cross-entropy, with momentum."""
        error = ((self(inputs) - wanted) / len(inputs))[:, None]
        back = (error @ self.second.T) * (self.hidden > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), self.hidden.T @ error, error.sum(axis=0)]
        for values, speed, slope in zip(self.values, self.speeds, slopes, strict=True):
            speed *= 0.9
            speed -= rate * slope
            values += speed


network = Network(seed=1)
rng = np.random.default_rng(2)
for epoch in range(10):
    order = rng.permutation(len(examples))
    for start in range(0, len(order), 128):
        batch = order[start : start + 128]
        network.learn(features(examples[batch]), answers[batch], rate=0.3 * 0.75**epoch)
    sample = order[:5000]
    error = float(np.abs(network(features(examples[sample])) - answers[sample]).mean())
    print(f"epoch {epoch}: mean error {error:.4f}")

# %% [markdown]
# ## The trained agent in a tournament


# %%
class Student:
    """Opens the cell that the network thinks safest."""

    def decide(self, position: deminer.Position, rng: deminer.Rng) -> tuple[int, int]:
        faces = position.to_numpy()
        rows, columns = np.nonzero(faces == -1)
        risks = network(features(windows(faces[None])[0, rows, columns]))
        safest = int(risks.argmin())
        return int(rows[safest]), int(columns[safest])


result = deminer.bench([Student(), "random", "single-point", "best"], games=500, seed=2)
print(result)
print(result.to_dicts()[0])
