"""Writes t.csv and t.parquet, and reads them by one thread of DuckDB and pandas: write|read FOLDER."""

import sys
import time

import numpy
import pandas

import duckdb


def write(folder, rows=500_000):
    draw = numpy.random.default_rng(7)
    frame = pandas.DataFrame({f"f{i}": draw.random(rows, dtype=numpy.float32) for i in range(9)})
    frame["y"] = draw.integers(0, 2, rows)
    frame.to_parquet(f"{folder}/t.parquet", row_group_size=100_000)
    frame.to_csv(f"{folder}/t.csv", index=False)


def read(folder):
    duckdb.sql("set threads = 1")

    def by_duckdb(file):
        return len(duckdb.sql(f"from '{folder}/{file}'").fetchnumpy()["y"])

    def by_pandas(file):
        if file == "t.csv":
            return len(pandas.read_csv(f"{folder}/{file}", dtype={f"f{i}": numpy.float32 for i in range(9)}))
        return len(pandas.read_parquet(f"{folder}/{file}", use_threads=False))

    for name, reader in [("DuckDB", by_duckdb), ("pandas", by_pandas)]:
        for file in ["t.csv", "t.parquet"]:
            best = 0
            for _ in range(6):
                began = time.process_time()
                records = reader(file)
                best = max(best, records / (time.process_time() - began))
            print(f"{name}, {file}: {best:,.0f} records a second")


{"write": write, "read": read}[sys.argv[1]](sys.argv[2])
