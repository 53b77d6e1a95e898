"""Every example in a docstring runs, and every public name has a docstring."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy
import pytest

import deminer
import deminer.gym


def _members(value: Any) -> Iterator[tuple[str, str]]:
    for name, member in vars(value).items():
        if not name.startswith("_") and (text := inspect.getdoc(member)):
            yield name, text


def _docstrings() -> Iterator[tuple[str, str]]:
    yield "deminer", deminer.__doc__ or ""
    for name in deminer.__all__:
        value = getattr(deminer, name)
        if name.startswith("_"):
            continue
        yield name, inspect.getdoc(value) or ""
        if inspect.isclass(value):
            yield from ((f"{name}.{member}", text) for member, text in _members(value))
    yield "gym", deminer.gym.__doc__ or ""
    for environment in (deminer.gym.MinesweeperEnv, deminer.gym.MinesweeperVectorEnv):
        yield environment.__name__, environment.__doc__ or ""


DOCSTRINGS = dict(_docstrings())


@pytest.mark.parametrize("name", [name for name, text in DOCSTRINGS.items() if ">>>" in text])
def test_the_examples_run(name: str) -> None:
    names = {"deminer": deminer, "gymnasium": gymnasium, "np": numpy}
    text = inspect.cleandoc(DOCSTRINGS[name])
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    output: list[str] = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_everything_public_has_a_docstring() -> None:
    assert [name for name, text in DOCSTRINGS.items() if not text] == []


def test_the_functions_have_examples() -> None:
    functions = [name for name in deminer.__all__ if inspect.isfunction(getattr(deminer, name))]
    assert [name for name in functions if ">>>" not in DOCSTRINGS[name]] == []
