"""W1 to W3 written by hand for numba: 32 combinations side by side, time outermost, indicators computed once per batch.

Reads the market that the bench wrote (`closes.bin`: float64, ticker by ticker, SPY first) and a plan (`plan.json`: days, tickers,
first day, slippage, repetitions), runs each workload, and prints one JSON object: per workload the best time in seconds, the number of
combinations and their cumulative returns. The arithmetic is the engine's (trade at the deciding close, costs on turnover,
the first day's costs in the cumulative return only); the eight metrics are computed, no further statistics.
"""
import itertools, json, os, sys, time
import numpy as np
import numba as nb

LANES = 32
jit = nb.njit(cache=False, nogil=True, error_model="numpy")


@jit
def wilder(x, w):
    out = np.full(len(x), np.nan)
    gain = 0.0
    loss = 0.0
    for i in range(1, w + 1):
        d = x[i] - x[i - 1]
        gain += max(d, 0.0)
        loss += max(-d, 0.0)
    gain /= w
    loss /= w
    for i in range(w, len(x)):
        if i > w:
            d = x[i] - x[i - 1]
            gain = (gain * (w - 1) + max(d, 0.0)) / w
            loss = (loss * (w - 1) + max(-d, 0.0)) / w
        out[i] = 50.0 if gain + loss == 0.0 else 100.0 * gain / (gain + loss)
    return out


@jit
def average(x, w):
    out = np.full(len(x), np.nan)
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if i >= w:
            s -= x[i - w]
        if i >= w - 1:
            out[i] = s / w
    return out


@jit
def inverse_deviation(r, w):
    out = np.full(len(r), np.nan)
    for t in range(w, len(r)):
        m = 0.0
        for i in range(t - w + 1, t + 1):
            m += r[i]
        m /= w
        v = 0.0
        for i in range(t - w + 1, t + 1):
            v += (r[i] - m) ** 2
        out[t] = 1.0 / np.sqrt(v / (w - 1))
    return out


@jit
def follow(z):
    """One day of all lanes: growth factor in z[0:L]; then value, sum, squares, high, lowest value over high."""
    for l in range(LANES):
        f = z[l]
        x = f - 1.0
        v = z[LANES + l] * f
        z[LANES + l] = v
        z[2 * LANES + l] += x
        z[3 * LANES + l] += x * x
        h = max(z[4 * LANES + l], v)
        z[4 * LANES + l] = h
        z[5 * LANES + l] = min(z[5 * LANES + l], v / h)


@jit
def begin(z):
    z[:] = 0.0
    z[LANES:2 * LANES] = 1.0
    z[4 * LANES:] = 1.0


@jit
def finish(z, month, quarter, n, entry, row, l):
    v = z[LANES + l]
    mean = z[2 * LANES + l] / n
    sd = np.sqrt((z[3 * LANES + l] - n * mean * mean) / (n - 1))
    row[0] = v * entry - 1.0
    row[1] = (v * entry) ** (252.0 / n) - 1.0
    row[2] = sd * np.sqrt(252.0)
    row[3] = 1.0 - z[5 * LANES + l]
    row[4] = row[1] / row[3]
    row[5] = mean / sd * np.sqrt(252.0)
    row[6] = v / month[l] - 1.0
    row[7] = v / quarter[l] - 1.0


@jit
def w1(r, on, a, b, w, first, slip, out):
    days = r.shape[0]
    z = np.empty(6 * LANES)
    month = np.empty(LANES)
    quarter = np.empty(LANES)
    held = np.empty(LANES)
    ia = np.empty(LANES, np.uint64)
    ib = np.empty(LANES, np.uint64)
    iw = np.empty(LANES, np.uint64)
    for c0 in range(0, len(a), LANES):
        m = min(LANES, len(a) - c0)
        for l in range(LANES):
            c = c0 + min(l, m - 1)
            ia[l] = a[c]
            ib[l] = b[c]
            iw[l] = w[c]
            held[l] = on[first, w[c]]
        begin(z)
        for t in range(first + 1, days):
            rt = r[t]
            st = on[t]
            for l in range(LANES):
                p = held[l]
                now = st[iw[l]]
                x = rt[ia[l]] * p + rt[ib[l]] * (1.0 - p)
                d = now - p
                z[l] = (1.0 + x) * (1.0 - 2.0 * slip * (d * d))
                held[l] = now
            follow(z)
            if t == days - 22:
                month[:] = z[LANES:2 * LANES]
            if t == days - 64:
                quarter[:] = z[LANES:2 * LANES]
        for l in range(m):
            finish(z, month, quarter, days - 1 - first, 1.0 - slip, out[c0 + l], l)


@jit
def w2(r, rsi, up, ix, first, slip, out):
    days = r.shape[0]
    z = np.empty(6 * LANES)
    month = np.empty(LANES)
    quarter = np.empty(LANES)
    held = np.empty(LANES, np.uint64)
    j = np.empty((4, LANES), np.uint64)
    ja = j[0]
    jb = j[1]
    jc = j[2]
    jd = j[3]
    for c0 in range(0, len(ix), LANES):
        m = min(LANES, len(ix) - c0)
        for l in range(LANES):
            for k in range(4):
                j[k, l] = ix[c0 + min(l, m - 1), k]
        begin(z)
        for t in range(first, days):
            rt = r[t]
            xt = rsi[t]
            isup = up[t] == 1
            isfirst = t == first
            for l in range(LANES):
                best = xt[ja[l]]
                cur = ja[l]
                y = xt[jb[l]]
                cur = jb[l] if y > best else cur
                best = y if y > best else best
                cur = jc[l] if xt[jc[l]] > best else cur
                cur = cur if isup else jd[l]
                o = cur if isfirst else held[l]
                f = (1.0 + rt[o]) * (1.0 - 2.0 * slip if cur != o else 1.0)
                z[l] = 1.0 if isfirst else f
                held[l] = cur
            follow(z)
            if t == days - 22:
                month[:] = z[LANES:2 * LANES]
            if t == days - 64:
                quarter[:] = z[LANES:2 * LANES]
        for l in range(m):
            finish(z, month, quarter, days - 1 - first, 1.0 - slip, out[c0 + l], l)


@jit
def w3(r, u, ix, first, slip, out):
    days = r.shape[0]
    z = np.empty(6 * LANES)
    month = np.empty(LANES)
    quarter = np.empty(LANES)
    h = np.empty((3, LANES))
    j = np.empty((3, LANES), np.uint64)
    ha = h[0]
    hb = h[1]
    hc = h[2]
    ja = j[0]
    jb = j[1]
    jc = j[2]
    for c0 in range(0, len(ix), LANES):
        m = min(LANES, len(ix) - c0)
        for l in range(LANES):
            for k in range(3):
                j[k, l] = ix[c0 + min(l, m - 1), k]
            q = 1.0 / (u[first, j[0, l]] + u[first, j[1, l]] + u[first, j[2, l]])
            for k in range(3):
                h[k, l] = u[first, j[k, l]] * q
        begin(z)
        for t in range(first + 1, days):
            rt = r[t]
            ut = u[t]
            for l in range(LANES):
                ga = ha[l] * (1.0 + rt[ja[l]])
                gb = hb[l] * (1.0 + rt[jb[l]])
                gc = hc[l] * (1.0 + rt[jc[l]])
                g = ga + gb + gc
                i = 1.0 / g
                q = 1.0 / (ut[ja[l]] + ut[jb[l]] + ut[jc[l]])
                na = ut[ja[l]] * q
                nb_ = ut[jb[l]] * q
                nc = ut[jc[l]] * q
                z[l] = g * (1.0 - slip * (abs(na - ga * i) + abs(nb_ - gb * i) + abs(nc - gc * i)))
                ha[l] = na
                hb[l] = nb_
                hc[l] = nc
            follow(z)
            if t == days - 22:
                month[:] = z[LANES:2 * LANES]
            if t == days - 64:
                quarter[:] = z[LANES:2 * LANES]
        for l in range(m):
            finish(z, month, quarter, days - 1 - first, 1.0 - slip, out[c0 + l], l)


def columns(*bases, size):
    """Columns of T<base>, T<base + 1>, ...: SPY is column 0."""
    return np.array(list(itertools.product(*[[1 + b + i for i in range(size)] for b in bases])), np.int64)


def run_w1(closes, r, first, slip, out):
    windows = [5, 10, 14, 20]
    on = np.ascontiguousarray(np.stack([wilder(closes[0], w) > 70.0 for w in windows], axis=1).astype(np.float64))
    c = np.array(list(itertools.product(range(1, 21), range(21, 41), range(4))), np.int64)
    used, back = np.unique(c[:, :2], return_inverse=True)
    back = back.reshape(-1, 2)
    w1(np.ascontiguousarray(r[used].T), on, back[:, 0].copy(), back[:, 1].copy(), c[:, 2].copy(), first, slip, out)


def run_w2(closes, r, first, slip, out):
    used, back = np.unique(columns(100, 110, 120, 130, size=6), return_inverse=True)
    rsi = np.ascontiguousarray(np.stack([wilder(closes[k], 10) for k in used], axis=1))
    up = (closes[0] > average(closes[0], 200)).astype(np.uint8)
    w2(np.ascontiguousarray(r[used].T), rsi, up, np.ascontiguousarray(back.reshape(-1, 4)), first, slip, out)


def run_w3(closes, r, first, slip, out):
    used, back = np.unique(columns(200, 220, 240, size=10), return_inverse=True)
    u = np.ascontiguousarray(np.stack([inverse_deviation(r[k], 20) for k in used], axis=1))
    w3(np.ascontiguousarray(r[used].T), u, np.ascontiguousarray(back.reshape(-1, 3)), first, slip, out)


def main(folder):
    with open(os.path.join(folder, "plan.json")) as f:
        plan = json.load(f)
    closes = np.fromfile(os.path.join(folder, "closes.bin")).reshape(plan["tickers"], plan["days"])
    r = np.zeros_like(closes)
    r[:, 1:] = closes[:, 1:] / closes[:, :-1] - 1.0
    answer = {"numba": nb.__version__}
    for name, run, count in (("W1", run_w1, 1600), ("W2", run_w2, 1296), ("W3", run_w3, 1000)):
        out = np.empty((count, 8))
        run(closes, r, plan["first"], plan["slippage"], out)
        best = 1e9
        for _ in range(plan["repetitions"]):
            start = time.perf_counter()
            run(closes, r, plan["first"], plan["slippage"], out)
            best = min(best, time.perf_counter() - start)
        answer[name] = {"seconds": best, "combinations": count, "rows": out.tolist()}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
