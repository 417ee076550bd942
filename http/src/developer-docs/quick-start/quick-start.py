# Needs Python 3.9 or later, nothing else, and: QUANTLOOM_URL, QUANTLOOM_CLIENT_ID, QUANTLOOM_CLIENT_SECRET (Account, API Clients).
import json
import os
import urllib.request

URL = os.environ["QUANTLOOM_URL"]


def call(path, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def node(number, node_type, num=100, **more):
    return {"id": f"node_01jgx2x76hgvedycspn3ngrg{number:02d}", "node_type": node_type,
            "weight": {"num": num, "den": 100}, "is_collapsed": False, **more}


# 1. A token, good for an hour.
token = call("/oauth/token", {
    "grant_type": "client_credentials",
    "client_id": os.environ["QUANTLOOM_CLIENT_ID"],
    "client_secret": os.environ["QUANTLOOM_CLIENT_SECRET"],
    "audience": "https://api.quantloom.local",
})["access_token"]

# 2. A backtest: half SPY, half TLT, rebalanced daily.
assets = [node(2, "asset", 50, ticker="SPY", name="SPY"), node(3, "asset", 50, ticker="TLT", name="TLT")]
answer = call("/api/v1/backtests", {
    "start_date": "2015-01-02",
    "end_date": "2019-12-31",
    "trading_bot": node(0, "root", name="Half and half", description="", rebalance="daily", version="v1",
                        children=[node(1, "wt-cash-equal", children=assets)]),
}, token)

print(json.dumps(answer["metrics"], indent=2))
