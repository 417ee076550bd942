# A finished batch in a notebook. Needs pandas and pyarrow, and: QUANTLOOM_URL, QUANTLOOM_TOKEN, QUANTLOOM_BATCH (the id in the batch's address).
import io
import json
import os
import urllib.request

import pandas as pd

BATCH = f"{os.environ['QUANTLOOM_URL']}/api/v1/batch-backtests/{os.environ['QUANTLOOM_BATCH']}"
HEADERS = {"Authorization": f"Bearer {os.environ['QUANTLOOM_TOKEN']}", "Content-Type": "application/json"}


def read(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(BATCH + path, data, HEADERS)) as answer:
        return answer.read()


# 1. All rows with all columns that may be read.
rows = pd.read_parquet(io.BytesIO(read("/results?format=parquet&columns=all")))

# 2. Daily values of the best ten: one column per combination, and the benchmark. With an out-of-sample date, up to the day before it.
metric = "sharpe_ratio" if "sharpe_ratio" in rows else "in_sharpe_ratio"
best = rows.nlargest(10, metric)["combination"].tolist()
answer = json.loads(read("/rows", {"combinations": best}))


def curve(series):
    return pd.Series(series["value"], pd.to_datetime(series["timestamps"], unit="s"), dtype="float64")


curves = pd.DataFrame({row["combination"]: curve(row) for row in answer["rows"]})
curves["benchmark"] = curve(answer["benchmark"])

if __name__ == "__main__":
    print(json.dumps({"rows": len(rows), "columns": list(rows), "best": best, "days": len(curves),
                      "metric": rows[metric].max(), "growth": (curves.iloc[-1] / curves.iloc[0] - 1).tolist()}))
