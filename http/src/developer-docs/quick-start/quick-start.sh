#!/bin/sh
# Needs: QUANTLOOM_URL, QUANTLOOM_CLIENT_ID, QUANTLOOM_CLIENT_SECRET (Account, API Clients).
set -eu

# 1. A token, good for an hour.
TOKEN=$(curl -sS --fail-with-body "$QUANTLOOM_URL/oauth/token" \
  -d grant_type=client_credentials \
  -d client_id="$QUANTLOOM_CLIENT_ID" \
  -d client_secret="$QUANTLOOM_CLIENT_SECRET" \
  -d audience=https://api.quantloom.local \
  | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

# 2. A backtest: half SPY, half TLT, rebalanced daily.
curl -sS --fail-with-body "$QUANTLOOM_URL/api/v1/backtests" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{
    "start_date": "2015-01-02",
    "end_date": "2019-12-31",
    "trading_bot": {
      "id": "node_01jgx2x76hgvedycspn3ngrgdn", "node_type": "root", "name": "Half and half", "description": "",
      "rebalance": "daily", "version": "v1", "weight": {"num": 100, "den": 100}, "is_collapsed": false,
      "children": [{
        "id": "node_01jgx2xax9mqgqgdkpxwp9vxw0", "node_type": "wt-cash-equal",
        "weight": {"num": 100, "den": 100}, "is_collapsed": false,
        "children": [
          {"id": "node_01jgx2xew779wbbkmkg1x8xf73", "node_type": "asset", "ticker": "SPY", "name": "SPY",
           "weight": {"num": 50, "den": 100}, "is_collapsed": false},
          {"id": "node_01jgx2xg0gejc4z2g38empjps9", "node_type": "asset", "ticker": "TLT", "name": "TLT",
           "weight": {"num": 50, "den": 100}, "is_collapsed": false}
        ]
      }]
    }
  }'
