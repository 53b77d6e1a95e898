"""Results as tables for pandas and polars."""

from __future__ import annotations

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


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without nested dicts: `{"survival": {1: x}}` becomes `{"survival_1": x}`."""
    columns: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            columns.update({f"{key}_{name}": part for name, part in value.items()})
        else:
            columns[key] = value
    return columns
