"""The tutorial runs, and what it trains has learned."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_tutorial_trains_an_agent() -> None:
    ending = "\nassert result.agents[0]['rate'] > 0.2, result\n"
    script = (EXAMPLES / "tutorial.py").read_text(encoding="utf-8") + ending
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", script], check=True, env=one_thread)
