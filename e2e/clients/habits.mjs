// What the client does with an API that is busy, refuses, or answers in pages.
import { Quantloom } from '@quantloom/client';

// The client's own pauses are told and not made.
let pauses = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = (then, ms, ...others) => {
  if (!/\/client\.[jt]s/.test(new Error().stack)) return setTimeout(then, ms, ...others);
  pauses.push(ms);
  return setTimeout(then, 0, ...others);
};
const pausesOf = async (promise) => {
  pauses = [];
  await promise();
  return [...pauses];
};

const open = (clientSecret, options) =>
  new Quantloom({
    url: `${process.env.QUANTLOOM_URL}//`,
    clientId: 'id',
    clientSecret,
    retries: 2,
    ...options,
  });
const quantloom = open('secret');
const outcome = (promise) =>
  promise.then(
    ({ status }) => status,
    ({ status, code, message }) => ({ status, code, message }),
  );
const listOf = async (source) => {
  const list = [];
  for await (const one of source) list.push(one);
  return list;
};
const seen = [];
let waits;
const waiting = await pausesOf(async () => {
  waits = await quantloom.waitForBatch('waits', { onProgress: ({ status }) => seen.push(status) });
});
const enough = new AbortController();
const left = await quantloom
  .waitForBatch('long', { signal: enough.signal, onProgress: () => enough.abort(new Error('enough')) })
  .catch(({ message }) => message);
const told = {
  seen,
  waits: waits.status,
  left,
  busy: await outcome(quantloom.batch('busy')),
  late: await outcome(quantloom.batch('late')),
  dated: await outcome(quantloom.batch('dated')),
  stopped: await outcome(quantloom.waitForBatch('stopped')),
  broken: await outcome(quantloom.waitForBatch('broken')),
  away: await outcome(quantloom.batch('away')),
  nothing: await outcome(quantloom.batch('nothing')),
  detail: await quantloom.batch('unknown').catch(({ problem }) => problem.detail),
  stranger: await outcome(open('guessed').batch('waits')),
  rows: await listOf(quantloom.rows('b1', { sort: 'n:asc', filter: ['n:gte:1', 'n:lte:3'], pageSize: 2 })),
  strategies: (await listOf(quantloom.strategies({ search: 'x', pageSize: 2 }))).map(({ id }) => id),
  started: [await quantloom.startBatch({}, 'mine'), await quantloom.startBatch({})].map(({ id }) => id),
  answers: [
    await quantloom.importStrategy('(defsymphony)'),
    await quantloom.backtest({ start_date: '2020-01-02' }),
    await quantloom.estimate({ variables: {} }),
    await quantloom.verdict('b1'),
  ].map(({ told }) => told),
  parquet: new TextDecoder().decode(await quantloom.parquet('b1')),
  pauses: {
    waiting,
    asked: await pausesOf(() => quantloom.batch('asked')),
    unasked: await pausesOf(() => quantloom.batch('unasked')),
  },
};
// Its tokens end as soon as they are given.
const brief = open('secret', { audience: 'https://other.example' });
told.brief = [(await brief.batch('brief')).status, (await brief.batch('brief')).status];
console.log(JSON.stringify(told));
