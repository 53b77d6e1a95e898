"""Steps per second with random legal actions on 9x9: ours, plain numpy, and Jumanji.

    python benchmarks/vector.py [--seconds 3] [--envs 1024] [--json FILE]

Speeds are per second of CPU time of this process, so they are per core. Choosing the actions counts
for all of them. Jumanji (`pip install jumanji`) is measured where it is installed: with its own
random actions, inside one compiled loop, which is its fastest use. `--json` also writes the rows of
`cargo xtask bench-all`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import deminer.gym

WIDTH, HEIGHT, MINES = 9, 9, 10


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=3.0)
    options.add_argument("--envs", type=int, default=1024)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()

    many = f"{chosen.envs} boards"
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    ours = 0.0
    for what, step in [
        (many, native(chosen.envs)),
        (f"{many}, copy=False", native(chosen.envs, copy=False)),
        (f"{many}, planes", native(chosen.envs, planes=True)),
        (f"{many}, exact odds", native(chosen.envs, teacher_odds=True)),
        ("single board", one()),
    ]:
        speed = measure(step, chosen.seconds)
        ours = ours or speed
        print(f"deminer, {what:<24} {speed:>12,.0f} steps/s")
        rows.append({"what": f"9x9x10, {what}", "unit": "steps/s", "ours": speed})
    for other, theirs in [
        ("plain numpy, single board", numpy_boards()),
        (f"Jumanji, {many}", jumanji_boards(chosen.envs)),
    ]:
        if theirs is None:
            notes.append(f"{other}: not installed.")
            print(notes[-1])
            continue
        speed = measure(theirs, chosen.seconds)
        print(f"{other:<33} {speed:>12,.0f} steps/s, ratio {ours / speed:.1f}")
        beside = {"name": other, "value": speed, "ratio": ours / speed}
        rows.append({"what": rows[0]["what"], "unit": "steps/s", "ours": ours, "beside": beside})
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "notes": notes}))


def measure(step: Callable[[], int], seconds: float) -> float:
    """Steps per second of CPU time; the first calls are not measured."""
    for _ in range(3):
        step()
    steps, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        steps += step()
    return steps / spent


def native(count: int, **options: bool) -> Callable[[], int]:
    """Our vector environment."""
    envs = deminer.gym.MinesweeperVectorEnv(count, board="9x9x10", **options)  # type: ignore[arg-type]
    envs.reset(seed=1)

    def step() -> int:
        envs.step(envs.random_actions())
        return count

    return step


def one() -> Callable[[], int]:
    """Our single environment."""
    env = deminer.gym.MinesweeperEnv(board="9x9x10")
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    mask = info["action_mask"]

    def step() -> int:
        nonlocal mask
        _, _, terminated, _, info = env.step(rng.choice(np.flatnonzero(mask)))
        if terminated:
            _, info = env.reset()
        mask = info["action_mask"]
        return 1

    return step


class NumpyBoard:
    """Minesweeper as one writes it in numpy for an afternoon's experiment."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.reset()

    def reset(self) -> None:
        self.faces = np.full((HEIGHT, WIDTH), -1, np.int8)
        self.mines: npt.NDArray[np.bool_] | None = None

    def deal(self, first: int) -> None:
        cells = np.delete(np.arange(HEIGHT * WIDTH), first)
        mines = np.zeros(HEIGHT * WIDTH, np.bool_)
        mines[self.rng.choice(cells, MINES, replace=False)] = True
        self.mines = mines.reshape(HEIGHT, WIDTH)
        padded = np.pad(self.mines.astype(np.int8), 1)
        shifts = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        self.counts = np.sum([padded[i : i + HEIGHT, j : j + WIDTH] for i, j in shifts], axis=0)

    def step(self, action: int) -> bool:
        """Open a cell; whether the game is over."""
        if self.mines is None:
            self.deal(action)
        assert self.mines is not None
        row, column = divmod(action, WIDTH)
        if self.mines[row, column]:
            return True
        stack = [(row, column)]
        while stack:
            row, column = stack.pop()
            if self.faces[row, column] != -1:
                continue
            self.faces[row, column] = self.counts[row, column]
            if self.counts[row, column] == 0:
                stack += [
                    (i, j)
                    for i in range(max(row - 1, 0), min(row + 2, HEIGHT))
                    for j in range(max(column - 1, 0), min(column + 2, WIDTH))
                    if self.faces[i, j] == -1
                ]
        return bool((self.faces == -1).sum() == MINES)


def numpy_boards() -> Callable[[], int]:
    """The plain board, without the cost of Gymnasium's wrappers."""
    board = NumpyBoard(1)

    def step() -> int:
        legal = np.flatnonzero(board.faces.reshape(-1) == -1)
        if board.step(int(board.rng.choice(legal))):
            board.reset()
        return 1

    return step


def jumanji_boards(count: int) -> Callable[[], int] | None:
    """Jumanji's environment with automatic resets, many steps in one compiled call."""
    try:
        import jax
        import jax.numpy as jnp
        from jumanji.environments import Minesweeper
        from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
        from jumanji.wrappers import VmapAutoResetWrapper
    except ImportError:
        return None
    generator = UniformSamplingGenerator(num_rows=HEIGHT, num_cols=WIDTH, num_mines=MINES)
    env = VmapAutoResetWrapper(Minesweeper(generator=generator))
    calls = 100

    def play(carry, _):  # type: ignore[no-untyped-def]
        key, state, timestep = carry
        key, chooser = jax.random.split(key)
        mask = timestep.observation.action_mask.reshape(count, -1)
        logits = jnp.where(mask, 0.0, -jnp.inf)
        flat = jax.random.categorical(chooser, logits)
        state, timestep = env.step(state, jnp.stack([flat // WIDTH, flat % WIDTH], axis=-1))
        return (key, state, timestep), timestep.reward.sum()

    @jax.jit
    def steps(carry):  # type: ignore[no-untyped-def]
        return jax.lax.scan(play, carry, None, length=calls)[0]

    key = jax.random.PRNGKey(0)
    state, timestep = env.reset(jax.random.split(key, count))
    carry = (key, state, timestep)

    def step() -> int:
        nonlocal carry
        carry = jax.block_until_ready(steps(carry))
        return count * calls

    return step


if __name__ == "__main__":
    main()
