"""Reports of sealed runs, and parts in pandas, polars and DuckDB."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

import deminer

SPEC = {
    "agents": ["random", "single-point"],
    "board": "6x5x5",
    "games": 300,
    "shard": 100,
    "measures": ["unneeded"],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "run"
    deminer.run(SPEC, directory)
    return directory


def test_reports_have_the_numbers_of_the_run(run: Path, tmp_path: Path) -> None:
    agents = deminer.seal(run).agents
    rows = list(csv.DictReader(io.StringIO(deminer.report(run, "csv"))))
    assert [row["agent"] for row in rows] == SPEC["agents"]
    for row, agent in zip(rows, agents, strict=True):
        assert int(row["won"]) == agent["won"]
        assert float(row["rate"]) == agent["rate"]
        assert float(row["survived_1"]) == agent["survival"][1]
        assert float(row["unneeded_per_game"]) == agent["unneeded_per_game"]
    [pair] = csv.DictReader(io.StringIO(deminer.report(run, "pairs")))
    assert float(pair["difference"]) == agents[1]["rate"] - agents[0]["rate"]
    assert f"{100 * agents[1]['rate']:.2f} %" in deminer.report(run)
    assert xml.fromstring(deminer.report(run, "svg")).tag.endswith("svg")
    deminer.report(run, out=tmp_path / "report")
    written = sorted(path.name for path in (tmp_path / "report").iterdir())
    assert written == ["agents.csv", "pairs.csv", "rates.svg", "report.md"]
    assert "![Win rates](rates.svg)" in (tmp_path / "report/report.md").read_text()


def test_only_sealed_runs_have_reports(tmp_path: Path) -> None:
    deminer.run(SPEC, tmp_path / "run")
    (tmp_path / "run/totals.json").unlink()
    with pytest.raises(deminer.RunError, match="is not sealed"):
        deminer.report(tmp_path / "run")
    with pytest.raises(deminer.RunError, match="contains no run"):
        deminer.report(tmp_path)
    deminer.seal(tmp_path / "run")
    with pytest.raises(deminer.DeminerError, match="there are markdown, csv, pairs, svg"):
        deminer.report(tmp_path / "run", "pdf")


def won(run: Path) -> dict[str, Any]:
    return {agent["agent"]: agent["won"] for agent in deminer.seal(run).agents}


def test_pandas_reads_the_parts(run: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    parts = sorted(run.glob("shard-*.parquet"))
    games = pandas.concat((pandas.read_parquet(part) for part in parts), ignore_index=True)
    assert len(games) == 600
    types = {name: str(kind) for name, kind in games.dtypes.items()}
    assert types["game"] == types["nanos"] == "uint64"
    assert types["guesses"] == types["survived"] == "uint32"
    assert types["weight"] == types["unneeded"] == types["mean_chain"] == "float64"
    assert pandas.api.types.is_string_dtype(games.outcome)
    assert games.unneeded.notna().all() and games.mean_chain.isna().all()
    assert games[games.outcome == "won"].groupby("agent").size().to_dict() == won(run)


def test_polars_reads_the_parts(run: Path) -> None:
    polars = pytest.importorskip("polars")
    games = polars.read_parquet(run / "shard-*.parquet")
    assert games.height == 600
    assert games.schema["game"] == polars.UInt64
    assert games.schema["guesses"] == polars.UInt32
    assert games.schema["weight"] == games.schema["unneeded"] == polars.Float64
    assert games.schema["agent"] == games.schema["outcome"] == polars.String
    assert games["mean_chain"].null_count() == 600
    wins = games.filter(polars.col("outcome") == "won").group_by("agent").len()
    assert dict(wins.iter_rows()) == won(run)


def test_duckdb_reads_the_parts(run: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    parts = f"read_parquet('{run}/shard-*.parquet')"
    described = duckdb.sql(f"describe select * from {parts}").fetchall()
    types = {name: kind for name, kind, *_ in described}
    assert types["game"] == "UBIGINT" and types["guesses"] == "UINTEGER"
    assert types["weight"] == types["unneeded"] == "DOUBLE"
    assert types["agent"] == types["outcome"] == "VARCHAR"
    counted = duckdb.sql(
        f"select agent, count(*) filter (outcome = 'won'), count(distinct game) from {parts} "
        "group by agent"
    ).fetchall()
    assert {agent: wins for agent, wins, _ in counted} == won(run)
    assert all(games == 300 for *_, games in counted)


def test_the_metadata_says_which_games(run: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    metadata = parquet.read_metadata(run / "shard-000001.parquet").metadata
    assert metadata[b"deminer.games"] == b"100 to 199"
    assert b'board = "6x5x5"' in metadata[b"deminer.spec"]
    assert {b"deminer.fingerprint", b"deminer.build", b"deminer.checksum"} <= set(metadata)
