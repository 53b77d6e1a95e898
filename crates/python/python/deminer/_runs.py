"""Durable runs in a directory, and their reports."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Union

from . import _deminer
from ._bench import BenchResult
from ._deminer import DeminerError
from ._progress import reporting
from ._types import Progress

Spec = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""What to play: a TOML file, TOML text, or a mapping with the same keys."""


def run(
    spec: Spec,
    directory: str | os.PathLike[str],
    *,
    threads: int | None = None,
    progress: bool | Progress = False,
) -> BenchResult:
    """Play a durable run on this machine and seal it.

    The same as `deminer run` and `deminer seal`: the games are kept in the directory, the same
    call resumes after a kill or Ctrl-C, and any number of processes may share the work. The spec
    is a TOML file, TOML text, or a mapping with its keys: `agents` and `games`, and optionally
    `board`, `shape`, `start`, `at`, `cascade`, `clues`, `seed`, `shard`, `estimator`, `measures`.
    `deminer.ray.run` does the same on a cluster.

    >>> import tempfile
    >>> directory = tempfile.mkdtemp() + "/campaign"
    >>> spec = {"agents": ["random", "single-point"], "games": 400, "shard": 100}
    >>> result = deminer.run(spec, directory)
    >>> result.agents == deminer.seal(directory).agents
    True
    """
    opened = _deminer.Run(spec_text(spec), directory)
    if not opened.is_sealed:
        with reporting(progress, opened.games) as report:
            warn_of(opened.play(threads, report))
    return BenchResult(opened.seal())


def seal(directory: str | os.PathLike[str]) -> BenchResult:
    """Check that a run has every game exactly once, and count its games.

    Writes `totals.json`. A sealed run is final: sealing it again checks that nothing has changed.

    >>> import tempfile
    >>> directory = tempfile.mkdtemp() + "/campaign"
    >>> _ = deminer.run({"agents": ["single-point"], "games": 50}, directory)
    >>> deminer.seal(directory).agents[0]["games"]
    50
    """
    return BenchResult(_deminer.Run.existing(directory).seal())


def report(
    directory: str | os.PathLike[str],
    format: str = "markdown",
    *,
    out: str | os.PathLike[str] | None = None,
) -> str:
    """The report of a sealed run: `markdown`, `csv`, `pairs` (CSV) or `svg`.

    With `out`, also writes the reports of all formats into this folder: `report.md`,
    `agents.csv`, `pairs.csv` and `rates.svg`.

    >>> import tempfile
    >>> directory = tempfile.mkdtemp() + "/campaign"
    >>> _ = deminer.run({"agents": ["single-point"], "games": 50}, directory)
    >>> print(deminer.report(directory).splitlines()[0])
    # 9x9x10, start safe, seed 1, 50 games
    """
    sealed = _deminer.Run.existing(directory)
    text = sealed.report(format)
    if out is not None:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in sealed.reports():
            (folder / name).write_text(content, encoding="utf-8")
    return text


def spec_text(spec: Spec) -> str:
    """The spec as TOML text."""
    if isinstance(spec, Mapping):
        return "".join(f"{key} = {_toml(key, value)}\n" for key, value in spec.items())
    if isinstance(spec, str) and "=" in spec:
        return spec
    path = Path(spec)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DeminerError(f"cannot read the spec {path}: {error}") from error


def _toml(key: str, value: Any) -> str:
    """A value of a spec as TOML: texts, numbers, booleans, and lists of texts."""
    if isinstance(value, (str, bool, int)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes)):
        return f"[{', '.join(_toml(key, item) for item in value)}]"
    raise DeminerError(f"{key}: a spec has no values such as {value!r}")


def warn_of(set_aside: Iterable[tuple[str, str]]) -> None:
    """Warns of files that were not valid parts."""
    for path, cause in set_aside:
        message = f"set aside as {path}: {cause}; its games are played again"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
