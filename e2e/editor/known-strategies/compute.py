"""Three strategies that people trade, computed with pandas alone: no line of the engine, no line of its reference.

    python3 e2e/editor/known-strategies/compute.py > e2e/editor/known-strategies/expected.json

Prices: compute/testing/golden/panels/main.csv.gz. Days are those of SPY; a missing day repeats the last price.
"""
import json
from pathlib import Path

import numpy as np
import pandas as pd

PANEL = Path(__file__).parents[3] / "compute/testing/golden/panels/main.csv.gz"
START, END = "2016-06-01", "2018-05-31"
SLIPPAGE = 10 / 10_000

bars = pd.read_csv(PANEL, parse_dates=["date"]).pivot(index="date", columns="ticker", values="adj_close")
calendar = bars["SPY"].dropna().index
prices = bars.reindex(calendar)
for ticker in prices:
    inside = prices[ticker].loc[prices[ticker].first_valid_index() : prices[ticker].last_valid_index()]
    prices[ticker] = inside.ffill().reindex(calendar)
returns = prices.pct_change(fill_method=None)


def simulate(targets: pd.DataFrame, trades_on) -> pd.Series:
    """Value by day. `targets`: wanted weights by day; `trades_on(day, target, drifted)`: whether they are traded."""
    value, held, values = 10_000.0, None, {}
    for day, target in targets.iterrows():
        target = target.to_numpy()
        if held is None:
            value *= 1 - SLIPPAGE * target.sum()
            held = target
        else:
            r = returns.loc[day, targets.columns].to_numpy()
            growth = float(held @ r)
            value *= 1 + growth
            drifted = held * (1 + r) / (1 + growth)
            if trades_on(day, target, drifted):
                value *= 1 - SLIPPAGE * np.abs(target - drifted).sum()
                held = target
            else:
                held = drifted
        values[day] = value
    return pd.Series(values)


# The last day of each month on the calendar of SPY. The panel goes on past END, so every month of the run is whole.
month_ends = set(calendar.to_series().groupby(calendar.to_period("M")).max())
monthly = lambda day, target, drifted: day in month_ends


def chosen(winner: pd.Series, columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame({name: (winner == name).astype(float) for name in columns}, index=winner.index)


def faber() -> pd.Series:
    """SPY above its average of 210 days (10 months), else bonds; looked at on the last day of each month."""
    average = prices["SPY"].rolling(210).mean()
    winner = pd.Series(np.where(prices["SPY"] > average, "SPY", "BOND"), index=calendar)
    return simulate(chosen(winner, ["SPY", "BOND"]).loc[START:END], monthly)


def dual_momentum() -> pd.Series:
    """The better of SPY and QLTY over 126 days, as long as SPY did at least as well as bonds, else bonds; monthly."""
    past = prices / prices.shift(126) - 1
    best = np.where(past["SPY"] >= past["QLTY"], "SPY", "QLTY")
    winner = pd.Series(np.where(past["SPY"] >= past["BOND"], best, "BOND"), index=calendar)
    return simulate(chosen(winner, ["SPY", "QLTY", "BOND"]).loc[START:END], monthly)


def permanent_portfolio() -> pd.Series:
    """A quarter each in shares, bonds, gold and FLAT; all of it is put right when one is more than 2 points off."""
    columns = ["SPY", "BOND", "SIM:GLD", "FLAT"]
    targets = pd.DataFrame(0.25, index=calendar, columns=columns).loc[START:END]

    def is_off(day, target, drifted):
        return np.abs(target - drifted).max() > 0.02

    return simulate(targets, is_off)


answer = {}
for name, compute in [
    ("faber-monthly", faber),
    ("dual-momentum-monthly", dual_momentum),
    ("permanent-portfolio-corridor", permanent_portfolio),
]:
    values = compute()
    answer[name] = {
        "first_day": str(values.index[0].date()),
        "last_day": str(values.index[-1].date()),
        "days": len(values),
        "last_value": values.iloc[-1],
        "mean_value": values.mean(),
        "every_50th": list(values.iloc[::50]),
    }
print(json.dumps({"start": START, "end": END, "strategies": answer}, indent=1))
