"""Progress of long calls: a bar, or a callable of the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ._types import Progress, Standing


@contextmanager
def reporting(progress: bool | Progress, games: int) -> Iterator[Progress | None]:
    """The callable that gets the progress: the one given, or one that moves a tqdm bar."""
    if progress is False:
        yield None
    elif progress is True:
        with _bar(games) as report:
            yield report
    else:
        yield progress


@contextmanager
def _bar(games: int) -> Iterator[Progress]:
    from tqdm.auto import tqdm

    with tqdm(total=games, unit="game", unit_scale=True) as bar:

        def report(finished: int, _: int, agents: list[Standing]) -> None:
            bar.set_postfix_str(standing(agents), refresh=False)
            bar.update(finished - bar.n)

        yield report
        bar.update(games - bar.n)


def standing(agents: list[Standing]) -> str:
    """The win rates so far, such as `best 92.1 ± 0.3 %`."""
    return ", ".join(
        f"{agent['agent']} {100 * agent['rate']:.1f} ± "
        f"{50 * (agent['high'] - agent['low']):.1f} %"
        for agent in agents
    )
