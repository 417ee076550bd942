"""Writes the files of this folder from the corpus's panel (`LONG` of ../lines.ts in long.csv), with pandas 3.1.1, pyarrow 26.0.1, polars 2.1.0."""

import pandas as pd
import polars as pl
import pyarrow.feather as feather

long = pd.read_csv("long.csv", parse_dates=["date"])
wide = long.pivot(index="date", columns="ticker", values="adj_close")
feather.write_feather(long, "long-lz4.feather", compression="lz4")
feather.write_feather(long, "long-zstd.feather", compression="zstd")
feather.write_feather(wide.reset_index(), "wide-lz4.feather", compression="lz4")
wide.to_parquet("wide.parquet")

zoned = long.copy()
zoned["date"] = zoned["date"].dt.tz_localize("America/New_York")
zoned["ticker"] = zoned["ticker"].astype("category")
feather.write_feather(zoned, "long-tz-cat.feather", compression="lz4")

frame = pl.read_csv("long.csv", try_parse_dates=True)
frame.write_ipc("polars.arrow", compression="lz4")
frame.write_ipc("polars-zstd.arrow", compression="zstd")
frame.write_parquet("polars.parquet")

many = pd.concat({"Close": wide, "Volume": wide * 0 + 5}, axis=1)
many.columns.names = ["Price", "Ticker"]
many.index = many.index.rename("Date")
many.to_parquet("multi.parquet")
many.to_csv("multi.csv")
many.swaplevel(axis=1).sort_index(axis=1).to_csv("multi-by-ticker.csv")
many.stack(level=1).to_csv("stacked.csv")
many.reset_index().to_csv("reset.csv")
many.to_csv("semicolon.csv", sep=";", decimal=",", date_format="%d/%m/%Y")
many.to_csv("utf16.csv", encoding="utf-16")
wide.unstack().to_csv("unstacked.csv")
wide.reset_index().melt(id_vars="date", var_name="variable").to_csv("melt.csv", index=False)
