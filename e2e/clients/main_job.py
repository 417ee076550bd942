# Import, backtest, a batch of 1,000, verdict: with the client as it was installed into an empty environment.
import json
import os
import sys

from quantloom import ApiError, Quantloom

with open(sys.argv[1]) as file:
    job = json.load(file)
quantloom = Quantloom(os.environ["QUANTLOOM_URL"], os.environ["QUANTLOOM_CLIENT_ID"], os.environ["QUANTLOOM_CLIENT_SECRET"])
terms = {"start_date": "2015-01-02", "end_date": "2019-12-31"}
imported = quantloom.import_strategy(job["source"])
metrics = quantloom.backtest({**terms, "trading_bot": imported["algorithm"]})["metrics"]
request = {"template_bot": job["template"], "variables": job["variables"], "backtest_config": terms}
estimate = quantloom.estimate(request)
batch_id = quantloom.start_batch({"name": "A thousand", **request})
batch = quantloom.wait_for_batch(batch_id)
rows = sum(1 for row in quantloom.rows(batch_id, sort="sharpe_ratio:desc", page_size=300) if row["$W"])
table = quantloom.arrow(batch_id)
frame = quantloom.pandas(batch_id)
polar = quantloom.polars(batch_id)
assert len(frame) == len(polar) == table.num_rows == rows
verdict = quantloom.verdict(batch_id)
try:
    quantloom.batch("nothing")
    refused = ""
except ApiError as error:
    refused = f"{error.status} {error.code}"
print(json.dumps({"metrics": metrics, "combinations": estimate["combinations"], "status": batch["status"], "rows": rows,
                  "magic": quantloom.parquet(batch_id)[:4].decode(), "verdict": verdict["verdict"],
                  "sentence": verdict["sentence"], "refused": refused}))
