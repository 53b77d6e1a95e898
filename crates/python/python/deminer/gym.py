"""Gymnasium environments: `deminer/Minesweeper-v0`, single and vectorized.

>>> import gymnasium, deminer.gym
>>> env = gymnasium.make("deminer/Minesweeper-v0", board="9x9x10")
>>> observation, info = env.reset(seed=1)
>>> observation["faces"].shape, info["action_mask"].sum()
((9, 9), np.int64(81))
>>> observation, reward, terminated, truncated, info = env.step(40)
>>> reward, terminated
(0.0, False)

An action is the number of a cell, row by row: the cell to open. With `flags=True` there are as many
again: the action `cells + cell` sets or takes a flag.

Observations are dicts:

| key | what |
|---|---|
| `faces` | the board: the clue of an open cell, -1 covered, -2 flag, -3 the mine that was opened, 9 open without a clue |
| `mines_left` | mines minus flags |
| `planes` | with `planes=True`, one plane for each code: 0 to 8, without a clue, covered, flag, mine |
| `teacher_odds` | with `teacher_odds=True`, the exact mine probability of covered cells, -1 elsewhere. A solver's knowledge: use it to teach, or as an upper bound, not as an observation of the agent that you compare |

`info["action_mask"]` has the legal actions; once a game is over, all are allowed, and ignored.

Episode k after `reset(seed=S)` is the board of `deminer.play(seed=S, game=k)` with the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._deminer import DeminerError, Environments, Position, Rules

ENV_ID = "deminer/Minesweeper-v0"

PLANES = 13
"""Planes of an observation with `planes=True`: 0 to 8, without a clue, covered, flag, mine."""

REWARDS = {"safe": 0.0, "mine": -1.0, "win": 1.0, "invalid": -1.0}
"""What a step is worth: it opened cells; it opened a mine; it won; it did nothing."""

JUMANJI: dict[str, Any] = {
    "board": "10x10x10",
    "start": "unsafe",
    "cascade": False,
    "rewards": {"safe": 1.0, "mine": 0.0, "win": 1.0, "invalid": 0.0},
    "invalid_ends": True,
}
"""The rules and rewards of Jumanji's Minesweeper-v0: one cell for each move, 1 for each safe cell,
the end after an action without effect. Use as `gymnasium.make(ENV_ID, **JUMANJI)`."""

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
Info: TypeAlias = dict[str, Any]


class MinesweeperEnv(gymnasium.Env[Observation, Any]):
    """One board. Keywords are the rules of `deminer.bench`, `rewards`, and observation options.

    >>> env = deminer.gym.MinesweeperEnv(board="expert", start="open", render_mode="ansi")
    >>> observation, info = env.reset(seed=3)
    >>> print(env.render().splitlines()[0])
    mines 99
    >>> env.action_masks().shape
    (480,)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}

    def __init__(
        self,
        *,
        board: str = "beginner",
        shape: str = "rect",
        start: str = "safe",
        at: str = "agent",
        cascade: bool = True,
        clues: str = "exact",
        rewards: Mapping[str, float] | None = None,
        flags: bool = False,
        invalid_ends: bool = False,
        planes: bool = False,
        teacher_odds: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise DeminerError(f"`{render_mode}` is not a render mode (use {modes})")
        self.rules = Rules(board, shape=shape, start=start, cascade=cascade, clues=clues)
        self.render_mode = render_mode
        self._core = Environments(
            1,
            self.rules,
            at=at,
            rewards=_rewards(rewards),
            flags=flags,
            invalid_ends=invalid_ends,
            max_steps=None,
            autoreset="Disabled",
            planes=planes,
            odds=teacher_odds,
        )
        self._seen = _Seen(self._core.seen)
        self.observation_space = _observation_space(self.rules, planes, teacher_odds)
        self.action_space = _action_space(self.rules, flags)
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Deal a board: the first game of a seed, or the next game of the last seed."""
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(1 << 32))
        self._is_seeded = True
        self._core.reset([seed], np.ones(1, np.bool_))
        return self._show()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Open a cell, or set or take a flag."""
        self._core.step(np.asarray(action, np.int64).reshape(1))
        observation, info = self._show()
        info["won"] = bool(self._core.won[0])
        return observation, float(self._core.rewards[0]), bool(self._core.terminated[0]), False, info

    def _show(self) -> tuple[Observation, Info]:
        if self.render_mode == "human":
            self._print()
        return self._seen.single(), {"action_mask": self.action_masks()}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as MaskablePPO of sb3-contrib asks for them."""
        mask: npt.NDArray[np.bool_] = self._seen.action_mask[0].copy()
        return mask

    @property
    def position(self) -> Position:
        """The position, for `deminer.analyze`."""
        return self._core.position(0)

    def render(self) -> Any:
        """The board: text (`ansi`), pixels (`rgb_array`), or printed to the terminal (`human`)."""
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "rgb_array":
            return self._core.pixels(0, 1.0)
        return None

    def _print(self) -> None:
        # Home the cursor and clear what is below, so that the board stays in its place.
        print(f"\x1b[H\x1b[J{self._core.text(0)}", flush=True)


class MinesweeperVectorEnv(VectorEnv[Observation, Any, npt.NDArray[Any]]):
    """Many boards that are stepped together in compiled code.

    >>> envs = gymnasium.make_vec("deminer/Minesweeper-v0", num_envs=3, board="8x8x10")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["faces"].shape
    (3, 8, 8)
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.random_actions())
    >>> infos["action_mask"].shape
    (3, 64)

    Boards that are over are dealt anew as Gymnasium defines it: by the next step (the default), in
    the same step (`autoreset_mode=AutoresetMode.SAME_STEP`, with the last observations in
    `infos["final_obs"]`), or by `reset(options={"reset_mask": mask})` (`DISABLED`). Board i of
    `reset(seed=S)` has the seed S + i. With `copy=False`, the arrays of the last step are written
    again by the next one.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        board: str = "beginner",
        shape: str = "rect",
        start: str = "safe",
        at: str = "agent",
        cascade: bool = True,
        clues: str = "exact",
        rewards: Mapping[str, float] | None = None,
        flags: bool = False,
        invalid_ends: bool = False,
        planes: bool = False,
        teacher_odds: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        self.rules = Rules(board, shape=shape, start=start, cascade=cascade, clues=clues)
        self.num_envs = num_envs
        self.copy = copy
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode}
        self._core = Environments(
            num_envs,
            self.rules,
            at=at,
            rewards=_rewards(rewards),
            flags=flags,
            invalid_ends=invalid_ends,
            max_steps=max_episode_steps,
            autoreset=mode.value,
            planes=planes,
            odds=teacher_odds,
        )
        self._seen = _Seen(self._core.seen)
        self._last = _Seen(self._core.last) if self._core.last else None
        self.single_observation_space = _observation_space(self.rules, planes, teacher_odds)
        self.single_action_space = _action_space(self.rules, flags)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)
        self._is_seeded = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        """Deal boards: the first games of the seeds, or the next games of the last seeds."""
        if seed is None and not self._is_seeded:
            seed = int(np.random.default_rng().integers(1 << 32))
        self._is_seeded = True
        if seed is None:
            seeds: list[int | None] = [None] * self.num_envs
        elif isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + place for place in range(self.num_envs)]
        else:
            seeds = list(seed)
        if seeds[0] is not None:
            self._core.seed_actions(seeds[0])
        self._core.reset(seeds, self._chosen(options))
        return self._seen.batch(self.copy), self._info(self._seen)

    def _chosen(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError("`options['reset_mask']` must be an array of bool")
        if mask.shape != (self.num_envs,):
            raise DeminerError(f"`options['reset_mask']` must have the shape ({self.num_envs},)")
        return mask

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Info,
    ]:
        """Do one action on every board."""
        core = self._core
        core.step(_actions(actions))
        info = self._info(self._seen)
        over = core.terminated | core.truncated
        info["won"], info["_won"] = self._kept(core.won), self._all
        if self._last is not None and over.any():
            last = self._last.batch(self.copy)
            info["final_obs"] = {**last, **{f"_{key}": over for key in last}}
            info["final_info"] = {**self._info(self._last), "_action_mask": over}
            info["_final_obs"] = info["_final_info"] = over
        return (
            self._seen.batch(self.copy),
            self._kept(core.rewards),
            self._kept(core.terminated),
            self._kept(core.truncated),
            info,
        )

    def _kept(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self, seen: _Seen) -> Info:
        return {"action_mask": self._kept(seen.action_mask), "_action_mask": self._all}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of each board."""
        return self._seen.action_mask.copy()

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A random legal action for each board; `reset(seed=…)` seeds them."""
        return self._core.random_actions()

    def positions(self) -> list[Position]:
        """The position of each board, for `deminer.analyze_many`."""
        return [self._core.position(place) for place in range(self.num_envs)]


def planes(position: Position) -> npt.NDArray[np.float32]:
    """The planes of a position, as environments with `planes=True` show them.

    >>> deminer.gym.planes(deminer.Position("mines 1\\n#1\\n##")).shape
    (13, 2, 2)
    """
    faces = position.to_numpy().astype(np.int64)
    # Codes below 0 are covered, flag and mine: the planes after 9.
    place = np.where(faces < 0, 9 - faces, faces)
    shown = np.zeros((PLANES, *faces.shape), np.float32)
    np.put_along_axis(shown, place[None], 1.0, axis=0)
    return shown


class _Seen:
    """The arrays of an observation."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any] | None]) -> None:
        present = {key: array for key, array in arrays.items() if array is not None}
        self.action_mask: npt.NDArray[np.bool_] = present.pop("action_mask")
        self._arrays = present

    def batch(self, copy: bool) -> Observation:
        return {key: array.copy() if copy else array for key, array in self._arrays.items()}

    def single(self) -> Observation:
        return {key: array[0].copy() for key, array in self._arrays.items()}


def _actions(actions: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    array = np.asarray(actions)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"actions are whole numbers, not {array.dtype}")
    return np.ascontiguousarray(array, np.int64)


def _rewards(rewards: Mapping[str, float] | None) -> tuple[float, float, float, float]:
    given = dict(rewards or {})
    if unknown := given.keys() - REWARDS.keys():
        known = ", ".join(REWARDS)
        raise DeminerError(f"there is no reward `{min(unknown)}`; there are {known}")
    chosen = {**REWARDS, **given}
    return chosen["safe"], chosen["mine"], chosen["win"], chosen["invalid"]


def _observation_space(rules: Rules, planes: bool, teacher_odds: bool) -> spaces.Space[Any]:
    board = (rules.height, rules.width)
    cells = rules.height * rules.width
    parts: dict[str, spaces.Space[Any]] = {
        "faces": spaces.Box(-3, 9, board, np.int8),
        "mines_left": spaces.Box(rules.mines - cells, rules.mines, (1,), np.int32),
    }
    if planes:
        parts["planes"] = spaces.Box(0.0, 1.0, (PLANES, *board), np.float32)
    if teacher_odds:
        parts["teacher_odds"] = spaces.Box(-1.0, 1.0, board, np.float32)
    return spaces.Dict(parts)


def _action_space(rules: Rules, flags: bool) -> spaces.Discrete:
    return spaces.Discrete(rules.height * rules.width * (2 if flags else 1))


if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="deminer.gym:MinesweeperEnv",
        vector_entry_point="deminer.gym:MinesweeperVectorEnv",
    )
