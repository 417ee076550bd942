# What the client does with an API that is busy, refuses, or answers in pages.
import json
import os

from quantloom import ApiError, Quantloom


def open_api(secret):
    return Quantloom(os.environ["QUANTLOOM_URL"] + "//", "id", secret, retries=2)


def outcome(call, *arguments):
    try:
        return call(*arguments)["status"]
    except ApiError as error:
        return {"status": error.status, "code": error.code, "message": str(error)}


quantloom = open_api("secret")
seen = []
waits = quantloom.wait_for_batch("waits", lambda batch: seen.append(batch["status"]))
print(
    json.dumps(
        {
            "seen": seen,
            "waits": waits["status"],
            "busy": outcome(quantloom.batch, "busy"),
            "late": outcome(quantloom.batch, "late"),
            "dated": outcome(quantloom.batch, "dated"),
            "stopped": outcome(quantloom.wait_for_batch, "stopped"),
            "broken": outcome(quantloom.wait_for_batch, "broken"),
            "away": outcome(quantloom.batch, "away"),
            "nothing": outcome(quantloom.batch, "nothing"),
            "stranger": outcome(open_api("guessed").batch, "waits"),
            "rows": list(quantloom.rows("b1", sort="n:asc", filter=["n:gte:1", "n:lte:3"], page_size=2)),
            "strategies": [each["id"] for each in quantloom.strategies(search="x", page_size=2)],
            "started": [quantloom.start_batch({}, "mine"), quantloom.start_batch({})],
        }
    )
)
