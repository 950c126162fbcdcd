"""Writes the same rows by pandas, DuckDB or Spark, once for each compression, and as expected.csv: WRITER FOLDER SEED."""

import os
import random
import sys
from decimal import Decimal

import pandas as pd

ROWS = 2500
COLUMNS = ["small", "large", "single", "double", "flag", "price", "text", "first", "second", "side"]


def rows(seed):
    draw = random.Random(seed)

    def maybe(value):
        return None if draw.random() < 0.1 else value

    for _ in range(ROWS):
        yield {
            "small": maybe(draw.randint(-1000, 1000)),
            "large": maybe(draw.randint(0, 1 << 60)),
            "single": maybe(draw.randint(-4096, 4096) / 64),
            "double": maybe(draw.randint(-4096, 4096) / 32),
            "flag": maybe(draw.random() < 0.5),
            "price": maybe(Decimal(draw.randint(-99999, 99999)).scaleb(-2)),
            "text": maybe(draw.choice(["Berlin", "Zürich", "東京", "NA", "a,b"])),
            "pair": [draw.randint(-64, 64) / 8, draw.randint(-64, 64) / 8],
            "side": draw.choice(["low", "high"]),
        }


def by_arrow(table):
    import pyarrow as pa

    return pa.Table.from_pylist(
        table,
        schema=pa.schema(
            [
                ("small", pa.int32()),
                ("large", pa.int64()),
                ("single", pa.float32()),
                ("double", pa.float64()),
                ("flag", pa.bool_()),
                ("price", pa.decimal128(9, 2)),
                ("text", pa.string()),
                ("pair", pa.list_(pa.float64())),
                ("side", pa.string()),
            ]
        ),
    )


def pandas(table, folder):
    frame = by_arrow(table).to_pandas(types_mapper=pd.ArrowDtype)
    for codec in ["snappy", "gzip", "zstd", "lz4", None]:
        frame.to_parquet(f"{folder}/{codec}.parquet", compression=codec, row_group_size=1000)
    frame.to_parquet(f"{folder}/pages-2.parquet", version="1.0", use_dictionary=False, data_page_version="2.0")


def duckdb(table, folder):
    import duckdb

    frame = by_arrow(table)
    for codec in ["snappy", "gzip", "zstd", "lz4_raw", "uncompressed"]:
        duckdb.sql(f"copy (from frame) to '{folder}/{codec}.parquet' (codec {codec}, row_group_size 2048)")
    duckdb.sql(f"copy (from frame) to '{folder}/v2.parquet' (parquet_version v2)")


def spark(table, folder):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    schema = (
        "small int, large bigint, single float, double double, flag boolean, price decimal(9,2), text string,"
        " pair array<double>, side string"
    )
    frame = session.createDataFrame([list(row.values()) for row in table], schema).coalesce(1)
    for codec in ["snappy", "gzip", "zstd", "lz4_raw", "uncompressed"]:
        frame.write.option("compression", codec).parquet(f"{folder}/{codec}")
    session.stop()


def main(writer, folder, seed):
    table = list(rows(int(seed)))
    with open(f"{folder}/expected.csv", "w", encoding="utf-8") as out:
        out.write(",".join(COLUMNS) + "\n")
        for row in table:
            flat = dict(row, first=row["pair"][0], second=row["pair"][1], flag=None if row["flag"] is None else int(row["flag"]))
            # NA is a text here, and no missing value: the reader is told.
            cells = ["" if flat[c] is None else str(flat[c]) for c in COLUMNS]
            out.write(",".join(f'"{c}"' if "," in c else c for c in cells) + "\n")
    {"pandas": pandas, "duckdb": duckdb, "spark": spark}[writer](table, folder)


if __name__ == "__main__":
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    main(*sys.argv[1:])
