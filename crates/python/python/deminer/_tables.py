"""Results as tables for pandas and polars."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars


class Table:
    """Rows that pandas and polars take."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict for each row."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas data frame."""
        import pandas

        return pandas.DataFrame(self.to_dicts())

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars data frame."""
        import polars

        return polars.DataFrame(self.to_dicts(), infer_schema_length=None)

    def _repr_html_(self) -> str:
        rows = self.to_dicts()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0]) if rows else ""
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_shown(value))}</td>" for value in row.values())
            for row in rows
        )
        return f"<table><thead><tr>{head}</thead><tbody>{body}</tbody></table>"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without nested dicts: `{"survival": {1: x}}` becomes `{"survival_1": x}`."""
    columns: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            columns.update({f"{key}_{name}": part for name, part in value.items()})
        else:
            columns[key] = value
    return columns
