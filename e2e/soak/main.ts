import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantloom, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { type Account, openAccount } from './accounts.ts';
import { attacksWith } from './attacks.ts';
import { Samples } from './samples.ts';
import { pause, type Soak, WellBehaved } from './well-behaved.ts';

/**
 * `node e2e/soak/main.ts [--minutes 20] [--people 50] [--hostile 3] [--kill-every 3] [--seed 1] [--one-by-one
 * 'NAME;NAME']`
 *
 * Accounts of all plans do what people do, first among themselves (a quarter of the time), then beside
 * hostile ones that do the worst that the limits allow; the server is killed every so many minutes in both
 * phases, so that their ratio is what the hostile ones do. Prints p95 by kind of request for the well-behaved
 * in both phases, and checks in the end that nothing acknowledged is lost, that the quota is exact, that
 * memory is flat and that the log is sound. Ends with 1 where it is not so. With `--one-by-one` the hostile
 * ones do each of these attacks by itself (`attacks.ts`; `all` for every one of them), a part of the time
 * each, without kills.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    people: { type: 'string', default: '50' },
    hostile: { type: 'string', default: '3' },
    'kill-every': { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    'one-by-one': { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const oneByOne = attackNames(values['one-by-one']);
const MINUTE = 60_000;
/** Attacks that one hostile account has under way. */
const STRIKES_AT_ONCE = 10;

/** The attacks that were named, or all of them; none where the option is not there. */
function attackNames(option: string | undefined): readonly string[] {
  if (option === undefined) return [];
  const known = attacksWith({ id: '' }, { batchId: '' }).map(({ name }) => name);
  const names = option === 'all' ? known : option.split(';');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no attack ${unknown.join(', ')}. There are: ${known.join('; ')}`);
  return names;
}

/** Numbers from 0 to 1 that repeat with the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function megabytesOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

const say = (line: string) => console.log(line);
const random = randomOf(Number(values.seed));
const samples = new Samples();
const over = new AbortController();
let phase: string | null = null;
let server: RunningServer = await startServer();
const { url, dataDir } = server;
const port = Number(new URL(url).port);
const soak: Soak = { url, samples, phase: () => phase, over: over.signal };
const memory: { readonly at: number; readonly megabytes: number }[] = [];
const outcomes = new Map<string, number>();

/** Asks `/ready` all the time: what everybody feels. */
async function watchReady(): Promise<void> {
  while (!over.signal.aborted) {
    const before = phase;
    const began = performance.now();
    const answer = await fetch(`${url}/ready`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer && before !== null && before === phase)
      samples.add(before, '/ready', performance.now() - began);
    await pause(100, over.signal);
  }
}

async function watchMemory(): Promise<void> {
  while (!over.signal.aborted) {
    if (phase !== null) memory.push({ at: performance.now(), megabytes: megabytesOf(server.pid) });
    await pause(2_000, over.signal);
  }
}

async function kill(): Promise<void> {
  const during = phase;
  phase = null;
  await server.kill();
  const began = performance.now();
  server = await startServer({ dataDir, port });
  say(`killed and back after ${Math.round(performance.now() - began)} ms`);
  // Whoever was cut off comes back first.
  await pause(5_000, over.signal);
  phase = during;
}

/** Kills the server every so many minutes, from a time on, whatever phase it is. */
function killing(from: number): { until(end: number): Promise<void> } {
  const every = Number(values['kill-every']) * MINUTE;
  let next = from + every;
  const waitFor = (time: number) => pause(Math.max(0, time - performance.now()));
  return {
    until: async (end) => {
      for (; next < end; next += every) {
        await waitFor(next);
        await kill();
      }
      await waitFor(end);
    },
  };
}

/**
 * Lets a process of its own attack until the signal: what the attackers do must not slow the clock of those
 * who are measured. `only` names one attack; without it all of them are made in turn.
 */
async function attack(accounts: readonly Account[], until: AbortSignal, only?: string): Promise<void> {
  const attackers = fork(path.join(import.meta.dirname, 'attackers.ts'), [], { execArgv: [] });
  const told = new Promise<readonly (readonly [string, number])[]>((resolve, reject) => {
    attackers.once('message', (found) => resolve(found as readonly (readonly [string, number])[]));
    attackers.once('exit', (code) => reject(new Error(`The attackers ended with ${code}`)));
  });
  attackers.send({ url, accounts, strikesAtOnce: STRIKES_AT_ONCE, only });
  until.addEventListener('abort', () => attackers.send('stop'), { once: true });
  for (const [what, count] of await told) outcomes.set(what, (outcomes.get(what) ?? 0) + count);
}

function compareWithQuiet(attacked: string): void {
  say(`${attacked}:`);
  for (const line of samples.lines(['quiet', attacked])) say(line);
}

/** Each attack by itself, from a time on to another; the phase has its name. */
async function attackOneByOne(
  accounts: readonly Account[],
  names: readonly string[],
  [from, to]: readonly [number, number],
): Promise<void> {
  for (const [i, name] of names.entries()) {
    const stop = new AbortController();
    const attacking = attack(accounts, stop.signal, name);
    phase = name;
    await pause(from + ((i + 1) * (to - from)) / names.length - performance.now());
    phase = null;
    stop.abort();
    await attacking;
    compareWithQuiet(name);
    // What is under way still ends by itself.
    await pause(3_000);
  }
}

async function run(): Promise<string[]> {
  say(
    `${availableParallelism()} processors, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  const people: WellBehaved[] = [];
  for (let i = 0; i < Number(values.people); i++) {
    const account = await openAccount(url, `person${i}@example.com`, i % 3 === 0 ? 'free' : 'api');
    people.push(new WellBehaved(account, soak, random));
  }
  const hostile: Account[] = [];
  for (let i = 0; i < Number(values.hostile); i++)
    hostile.push(await openAccount(url, `hostile${i}@example.com`, i === 0 ? 'free' : 'api'));
  say(`${people.length} people and ${hostile.length} hostile accounts are there`);
  const working = [...people.map((person) => person.work()), watchReady(), watchMemory()];
  // What every process does once is no measure.
  await pause(10_000);
  const began = performance.now();
  const kills = killing(began);
  phase = 'quiet';
  await kills.until(began + (minutes * MINUTE) / 4);
  say(`the attack begins, load ${loadavg()[0]?.toFixed(1)}`);
  const end = began + minutes * MINUTE;
  if (oneByOne.length === 0) {
    phase = 'attacked';
    working.push(attack(hostile, over.signal));
    await kills.until(end);
  } else {
    await attackOneByOne(hostile, oneByOne, [performance.now(), end]);
  }
  phase = null;
  over.abort();
  await Promise.all(working);
  say(
    `load at the end ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  if (oneByOne.length === 0) compareWithQuiet('attacked');
  say(`${[...outcomes.values()].reduce((sum, count) => sum + count, 0)} strikes`);
  say(
    `attacks: ${[...outcomes]
      .map(([what, count]) => `${count} x ${what}`)
      .sort()
      .join('; ')}`,
  );
  const faults = [...samples.failed];
  for (const person of people) faults.push(...(await person.losses()));
  faults.push(...memoryFaults());
  await server.stop();
  const verified = await quantloom(dataDir, 'log', 'verify');
  say(verified.stdout.trim().split('\n').slice(-3).join('\n'));
  if (verified.code !== 0)
    faults.push(`log verify: ${verified.stdout.slice(0, 500)} ${verified.stderr.slice(0, 500)}`);
  return faults;
}

/** Memory is flat where the last third of the attack needs no more than a quarter more than the first. */
function memoryFaults(): string[] {
  const third = Math.floor(memory.length / 3);
  const most = (part: typeof memory) => Math.max(...part.map(({ megabytes }) => megabytes));
  const first = most(memory.slice(third, 2 * third));
  const last = most(memory.slice(2 * third));
  say(`memory: at most ${Math.round(first)} MB in the second third, ${Math.round(last)} MB in the last`);
  return last > first * 1.25 ? [`memory grows: ${Math.round(first)} MB, then ${Math.round(last)} MB`] : [];
}

try {
  const faults = await run();
  for (const fault of faults) say(`FAULT ${fault}`);
  if (faults.length === 0) say('nothing is lost, the quota is exact, the log is sound');
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  over.abort();
  await server.stop();
  await removeDataDir(dataDir);
}
