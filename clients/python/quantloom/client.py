"""The API of an installation: a thin layer for tokens, paging, waiting and tables. Bodies and answers are typed in `types`."""

from __future__ import annotations

import io
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from . import types as t


class ApiError(Exception):
    """A call that was refused or failed: the text is the sentence for people, `code` the stable word for programs."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("error", f"The server answered {status}"))
        self.status = status
        self.code: str = problem.get("code", "unknown")
        self.problem = problem


def _retry_after(answer: httpx.Response, otherwise: float) -> float:
    """What `Retry-After` asks for, given in seconds or as a date, in seconds."""
    said = answer.headers.get("retry-after", "")
    if said.isdecimal():
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return otherwise


def _json_of(answer: httpx.Response) -> dict[str, Any]:
    """The body of a refusal; empty where a proxy in between answers in words of its own."""
    return answer.json() if "json" in answer.headers.get("content-type", "") else {}


class Quantloom:
    """The API of an installation, with the id and secret of an API client (Account, API Clients)."""

    def __init__(
        self,
        url: str,
        client_id: str,
        client_secret: str,
        *,
        audience: str = "https://api.quantloom.local",
        retries: int = 8,
        timeout: float = 120,
    ) -> None:
        self._http = httpx.Client(base_url=url.rstrip("/"), timeout=timeout)
        self._credentials = {
            "grant_type": "client_credentials",
            "client_id": client_id,
            "client_secret": client_secret,
            "audience": audience,
        }
        self._retries = retries
        self._token = ""
        self._token_until = 0.0

    def __enter__(self) -> Quantloom:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _when_not_busy(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """Sends again, later, as long as the server asks for it and tries are left."""
        attempt = 0
        while True:
            answer = send()
            if attempt >= self._retries or answer.status_code not in (429, 503):
                return answer
            time.sleep(_retry_after(answer, 2.0**attempt))
            attempt += 1

    def _bearer(self) -> str:
        if time.monotonic() >= self._token_until:
            answer = self._when_not_busy(lambda: self._http.post("/oauth/token", json=self._credentials))
            if answer.is_error:
                sentence = _json_of(answer).get("error_description", "No token was given")
                raise ApiError(answer.status_code, {"error": sentence, "code": "invalid_token"})
            body = answer.json()
            self._token = body["access_token"]
            self._token_until = time.monotonic() + 0.9 * body.get("expires_in", 3600)
        return self._token

    def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        params: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Sends any call of the API; waits where the server asks for it, and raises ApiError where it refuses."""

        def send() -> httpx.Response:
            bearer = {"authorization": f"Bearer {self._bearer()}"}
            return self._http.request(method, path, json=json, params=params, headers={**bearer, **(headers or {})})

        answer = self._when_not_busy(send)
        if answer.status_code == 401:
            self._token_until = 0.0
            answer = self._when_not_busy(send)
        if answer.is_error:
            raise ApiError(answer.status_code, _json_of(answer))
        return answer

    def import_strategy(self, source: str | dict[str, Any]) -> t.ImportedStrategy:
        """Reads a strategy of another tool; nothing is stored."""
        return self.request("POST", "/api/v1/import", json={"json": source}).json()

    def backtest(self, request: t.BacktestRequest) -> t.BacktestAnswer:
        """Runs one strategy over a range of days."""
        return self.request("POST", "/api/v1/backtests", json=request).json()

    def estimate(self, request: t.EstimateRequest) -> t.Estimate:
        """Counts the combinations of a batch and how long they take."""
        return self.request("POST", "/api/v1/batch-backtests/estimate", json=request).json()

    def start_batch(self, request: t.BatchRequest, idempotency_key: str | None = None) -> str:
        """Starts a batch and returns its id. Its key makes it safe to send again after a broken connection."""
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return self.request("POST", "/api/v1/batch-backtests", json=request, headers=headers).json()["id"]

    def batch(self, batch_id: str) -> t.Batch:
        """A batch with its status and progress."""
        return self.request("GET", f"/api/v1/batch-backtests/{batch_id}").json()

    def wait_for_batch(self, batch_id: str, on_progress: Callable[[t.Batch], None] | None = None) -> t.Batch:
        """Waits until a batch has finished; raises ApiError with the reason of one that failed or was stopped."""
        pause = 0.1
        while True:
            batch = self.batch(batch_id)
            if on_progress:
                on_progress(batch)
            if batch["status"] == "Finished":
                return batch
            if batch["status"] == "Stopped":
                raise ApiError(409, {"error": "The batch was stopped", "code": "batch_stopped"})
            if batch["status"] == "Error":
                raise ApiError(409, {"error": batch["error"] or "The batch failed", "code": "batch_failed"})
            time.sleep(pause)
            pause = min(5.0, 1.5 * pause)

    def verdict(self, batch_id: str) -> t.Verdict:
        """What the best result is worth after everything that was tried."""
        return self.request("GET", f"/api/v1/batch-backtests/{batch_id}/analysis/verdict").json()

    def rows(self, batch_id: str, *, page_size: int = 1000, **query: Any) -> Iterator[dict[str, Any]]:
        """All rows that match (`sort`, `filter`, `columns`), page by page, each as a dictionary by column."""
        cursor: str | None = None
        while True:
            params = {**query, "format": "json", "limit": page_size, **({"cursor": cursor} if cursor else {})}
            page = self.request("GET", f"/api/v1/batch-backtests/{batch_id}/results", params=params).json()
            for row in page["rows"]:
                yield dict(zip(page["columns"], row))
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def parquet(self, batch_id: str) -> bytes:
        """All rows as a Parquet file."""
        params = {"format": "parquet"}
        return self.request("GET", f"/api/v1/batch-backtests/{batch_id}/results", params=params).content

    def arrow(self, batch_id: str) -> pyarrow.Table:
        """All rows as an Arrow table. Needs quantloom[arrow]."""
        import pyarrow.parquet

        return pyarrow.parquet.read_table(io.BytesIO(self.parquet(batch_id)))

    def pandas(self, batch_id: str) -> pandas.DataFrame:
        """All rows as a pandas table. Needs quantloom[pandas]."""
        import pandas

        return pandas.read_parquet(io.BytesIO(self.parquet(batch_id)))

    def polars(self, batch_id: str) -> polars.DataFrame:
        """All rows as a polars table. Needs quantloom[polars]."""
        import polars

        return polars.read_parquet(io.BytesIO(self.parquet(batch_id)))

    def strategies(self, *, page_size: int = 100, **query: Any) -> Iterator[t.Draft]:
        """Saved strategies, page by page."""
        skip = 0
        while True:
            page = self.request("GET", "/api/v1/drafts", params={**query, "limit": page_size, "skip": skip}).json()
            yield from page
            if len(page) < page_size:
                return
            skip += page_size
