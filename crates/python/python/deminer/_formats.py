"""Files and links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from . import _deminer
from ._deminer import Board, Position, Record

Source: TypeAlias = str | bytes | os.PathLike[str] | Position | Board | Record
"""Text or a link, bytes, the path of a file, or what was read from one."""


def read(source: Source, *, format: str | None = None) -> Position | Board | Record:
    """Read a position, a board or a game: text, a link, bytes, or a file (`pathlib.Path`).

    The format is detected from the content.

    >>> deminer.read("?b=32&m=9g")
    <Board 3x2x3>
    >>> deminer.read("mines 1\\n#1#")
    Position("mines 1\\n# 1 #\\n")
    """
    content, name = _content(source)
    return _deminer.read(content, format, name)


def convert(source: Source, to: str = "text", *, format: str | None = None) -> bytes:
    """Write a position, a board or a game in another format; `formats` lists them.

    >>> deminer.convert("?b=32&m=9g", "mbf-hex")
    b'03020003010001010201\\n'
    """
    content, name = _content(source)
    return _deminer.convert(content, to, format, name)


def _content(source: Source) -> tuple[str | bytes | Position | Board | Record, str | None]:
    if isinstance(source, os.PathLike):
        path = Path(source)
        return path.read_bytes(), path.name
    return source, None
