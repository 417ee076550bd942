# What the client does with an API that is busy, refuses, or answers in pages.
import json
import os
import time

from quantloom import ApiError, Quantloom

# The client's own pauses are told and not made.
pauses = []


def told_pause(seconds):
    # As the real one does.
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    pauses.append(round(1000 * seconds))


time.sleep = told_pause


def pauses_of(call, *arguments):
    pauses.clear()
    call(*arguments)
    return list(pauses)


def open_api(secret, **options):
    return Quantloom(os.environ["QUANTLOOM_URL"] + "//", "id", secret, retries=2, **options)


def outcome(call, *arguments):
    try:
        return call(*arguments)["status"]
    except ApiError as error:
        return {"status": error.status, "code": error.code, "message": str(error)}


def detail_of(batch_id):
    try:
        return quantloom.batch(batch_id)
    except ApiError as error:
        return error.problem["detail"]


quantloom = open_api("secret")
seen = []
waits = quantloom.wait_for_batch("waits", lambda batch: seen.append(batch["status"]))
told = {
    "seen": seen,
    "waits": waits["status"],
    "pauses": {"waiting": list(pauses)},
    "busy": outcome(quantloom.batch, "busy"),
    "late": outcome(quantloom.batch, "late"),
    "dated": outcome(quantloom.batch, "dated"),
    "stopped": outcome(quantloom.wait_for_batch, "stopped"),
    "broken": outcome(quantloom.wait_for_batch, "broken"),
    "away": outcome(quantloom.batch, "away"),
    "nothing": outcome(quantloom.batch, "nothing"),
    "detail": detail_of("unknown"),
    "stranger": outcome(open_api("guessed").batch, "waits"),
    "rows": list(quantloom.rows("b1", sort="n:asc", filter=["n:gte:1", "n:lte:3"], page_size=2)),
    "strategies": [each["id"] for each in quantloom.strategies(search="x", page_size=2)],
    "started": [quantloom.start_batch({}, "mine"), quantloom.start_batch({})],
    "answers": [
        each["told"]
        for each in (
            quantloom.import_strategy("(defsymphony)"),
            quantloom.backtest({"start_date": "2020-01-02"}),
            quantloom.estimate({"variables": {}}),
            quantloom.verdict("b1"),
        )
    ],
    "parquet": quantloom.parquet("b1").decode(),
}
told["pauses"]["asked"] = pauses_of(quantloom.batch, "asked")
told["pauses"]["unasked"] = pauses_of(quantloom.batch, "unasked")
# Its tokens end as soon as they are given.
with open_api("secret", audience="https://other.example") as brief:
    told["brief"] = [brief.batch("brief")["status"], brief.batch("brief")["status"]]
print(json.dumps(told))
