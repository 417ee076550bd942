// Needs Node 24 or later (`node quick-start.ts`), and: QUANTLOOM_URL, QUANTLOOM_CLIENT_ID,
// QUANTLOOM_CLIENT_SECRET (Account, API Clients).
const url = process.env.QUANTLOOM_URL;

async function call<Answer>(path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

let nodes = 0;
const node = (node_type: string, num: number, more: object) => ({
  id: `node_01jgx2x76hgvedycspn3ngrg${String(nodes++).padStart(2, '0')}`,
  node_type,
  weight: { num, den: 100 },
  is_collapsed: false,
  ...more,
});
const asset = (ticker: string) => node('asset', 50, { ticker, name: ticker });

// 1. A token, good for an hour.
const { access_token } = await call<{ access_token: string }>('/oauth/token', {
  grant_type: 'client_credentials',
  client_id: process.env.QUANTLOOM_CLIENT_ID,
  client_secret: process.env.QUANTLOOM_CLIENT_SECRET,
  audience: 'https://api.quantloom.local',
});

// 2. A backtest: half SPY, half TLT, rebalanced daily.
const half = node('wt-cash-equal', 100, { children: [asset('SPY'), asset('TLT')] });
const bot = { name: 'Half and half', description: '', rebalance: 'daily', version: 'v1', children: [half] };
const { metrics } = await call<{ metrics: Record<string, number | null> }>(
  '/api/v1/backtests',
  { start_date: '2015-01-02', end_date: '2019-12-31', trading_bot: node('root', 100, bot) },
  access_token,
);

console.log(JSON.stringify(metrics, null, 2));

export {};
