import { machineApi, until } from './harness/api.ts';
import { rsiSwitch } from './harness/templates.ts';

const url = process.argv[2] ?? '';
const api = await machineApi(url);
const status = await api.get('/api/v1/market-data/status').catch((e) => e);
console.log(status.status, JSON.stringify(status.body).slice(0, 300));
const t = rsiSwitch();
const A = (process.env.A ?? 'SPY,QQQ').split(',');
const vars = { $W: (process.env.W ?? '5,10').split(','), $A: A, $B: (process.env.B ?? 'TLT,IEF').split(',') };
const bot = await api.post('/api/v1/trading-bots', {
  name: t.name,
  is_public: false,
  status: 'draft',
  type: 'template',
  variables: Object.keys(vars),
  algorithm: t,
});
console.log(bot.status, JSON.stringify(bot.body).slice(0, 200));
const req = {
  template_bot: bot.body,
  variables: vars,
  partitions: 1,
  backtest_config: {
    start_date: '2012-01-03',
    end_date: '2025-06-27',
    slippage_bps: Number(process.env.BPS ?? 10),
    starting_balance: 10000,
    benchmark_ticker: 'SPY',
  },
};
const est = await api.post('/api/v1/batch-backtests/estimate', req);
console.log(est.status, JSON.stringify(est.body));
const t0 = Date.now();
const created = await api.post('/api/v1/batch-backtests', {
  ...req,
  ...est.body,
  name: 'try',
  is_public: false,
});
console.log(created.status, JSON.stringify(created.body).slice(0, 300));
const done = await until(
  async () => {
    const a = await api.get(`/api/v1/batch-backtests/${created.body.id}`);
    return a.body;
  },
  (b) => b.status === 'Finished' || b.status === 'Error',
  300000,
);
console.log(JSON.stringify(done).slice(0, 1500), Date.now() - t0);
const rows = await api.get(`/api/v1/batch-backtests/${created.body.id}/results`);
console.log(rows.status, String(rows.body).split('\n').length, String(rows.body).slice(0, 400));
