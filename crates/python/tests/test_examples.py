"""The examples run, and what the tutorial trains has learned."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_tutorial_trains_an_agent() -> None:
    ending = "\nassert result.agents[0]['rate'] > 0.2, result\n"
    script = (EXAMPLES / "tutorial.py").read_text(encoding="utf-8") + ending
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", script], check=True, env=one_thread)


def test_the_readme_draws_its_picture(tmp_path: Path) -> None:
    root = EXAMPLES.parents[2]
    program = (root / "README.md").read_text(encoding="utf-8").split("```python\n")[1]
    program = program.split("```")[0]
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)
    drawn = (tmp_path / "odds.svg").read_text(encoding="utf-8")
    assert drawn == (root / "docs/book/src/pictures/python-odds.svg").read_text(encoding="utf-8")


def test_the_guides_first_agent_plays() -> None:
    page = EXAMPLES.parents[2] / "docs/book/src/tutorial/first-agent.md"
    program = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "far_from_home" in printed and "single-point" in printed


@pytest.mark.parametrize(
    ("example", "package", "brief"),
    [
        ("supervised.py", "torch", ["--steps", "4", "--games", "10"]),
        ("ppo.py", "sb3_contrib", ["--steps", "4096", "--games", "10"]),
    ],
)
def test_the_training_examples_run(example: str, package: str, brief: list[str]) -> None:
    if find_spec(package) is None:
        pytest.skip("needs the extra `train`")
    command = [sys.executable, str(EXAMPLES / example), *brief]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "best against" in printed
