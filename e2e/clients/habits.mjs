// What the client does with an API that is busy, refuses, or answers in pages.
import { Quantloom } from '@quantloom/client';

const open = (clientSecret) =>
  new Quantloom({ url: `${process.env.QUANTLOOM_URL}//`, clientId: 'id', clientSecret, retries: 2 });
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
const waits = await quantloom.waitForBatch('waits', { onProgress: ({ status }) => seen.push(status) });
const enough = new AbortController();
const left = await quantloom
  .waitForBatch('long', { signal: enough.signal, onProgress: () => enough.abort(new Error('enough')) })
  .catch(({ message }) => message);
console.log(
  JSON.stringify({
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
    stranger: await outcome(open('guessed').batch('waits')),
    rows: await listOf(quantloom.rows('b1', { sort: 'n:asc', filter: ['n:gte:1', 'n:lte:3'], pageSize: 2 })),
    strategies: (await listOf(quantloom.strategies({ search: 'x', pageSize: 2 }))).map(({ id }) => id),
    started: [await quantloom.startBatch({}, 'mine'), await quantloom.startBatch({})].map(({ id }) => id),
  }),
);
