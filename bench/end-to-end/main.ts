/**
 * Batches from the request to their rows on the embedded stack, and where the processor's time goes: engine,
 * storing, messaging, compiling.
 *
 *   node bench/end-to-end/main.ts [--rows 150000] [--base TREE] [--only W1,equal] [--rounds 1] [--small 30]
 *
 * `--base` names a checkout of another version, which runs the same batches in turn. Absolute figures vary by
 * machine and by what else runs on it: compare shares and ratios. Processor seconds are the system's own
 * count per thread (Linux).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { report } from '../adapters/measure.ts';
import { type Signed, signIn } from '../results/measured-server.ts';
import { percentile } from '../results/percentile.ts';
import { type Listed, type Listing, requestOf, type WorkloadName } from './requests.ts';
import { clickToVerdict, type Judged, runBatch } from './run-batch.ts';
import { startTree, type TreeServer } from './tree-server.ts';

const HERE = path.resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '150000' },
    base: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    small: { type: 'string', default: '30' },
  },
});

interface Side {
  readonly name: string;
  readonly server: TreeServer;
  readonly signed: Signed;
  readonly listed: readonly Listed[];
}

const folders: string[] = [];
const sides: Side[] = [];
try {
  const trees = [['this', HERE] as const, ...(options.base ? [['base', options.base] as const] : [])];
  for (const [name, tree] of trees) sides.push(await open(name, tree));
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const workload of ['W1', 'W3'] as const)
      for (const listing of ['equal', 'staggered'] as const)
        for (const side of sides)
          if (isWanted(workload, listing)) await large(side, workload, listing, round);
  for (const side of sides) if (Number(options.small) > 0) await warmUp(side);
  const waits = new Map(sides.map((side) => [side, [] as Judged[]]));
  // In turn, so that both meet the same load.
  for (let i = 0; i < Number(options.small); i += 1)
    for (const side of sides) waits.get(side)?.push(await small(side, i));
  for (const [{ name }, times] of waits) {
    if (times.length === 0) continue;
    const rows = times.map((each) => each.rows);
    report(`${name}: 500 combinations, from the request to rows and to the verdict`, {
      accepted_p50_ms: percentile(
        times.map(({ accepted }) => accepted),
        0.5,
      ),
      p50_ms: percentile(rows, 0.5),
      p95_ms: percentile(rows, 0.95),
      most_ms: percentile(rows, 1),
      verdict_p50_ms: percentile(
        times.map(({ verdict }) => verdict),
        0.5,
      ),
      cpu_ms_each_with_verdict: times.reduce((sum, { cpu }) => sum + cpu, 0) / times.length,
    });
  }
} finally {
  for (const { server } of sides) await server.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}

async function open(name: string, tree: string): Promise<Side> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-end-to-end-'));
  folders.push(folder);
  const server = await startTree(tree, folder);
  const signed = await signIn(server.url);
  const { data } = await signed.call<{ data: Listed[] }>('GET', '/api/v1/tickers');
  return { name, server, signed, listed: data };
}

function isWanted(...names: readonly string[]): boolean {
  const only = options.only.split(',').filter((name) => name !== '');
  return only.every((name) => names.includes(name));
}

async function large(side: Side, workload: WorkloadName, listing: Listing, round: number): Promise<void> {
  const request = requestOf(workload, listing, side.listed, Number(options.rows));
  // A day less each round: rows of an earlier batch would be taken over.
  request.backtest_config.end_date = `2025-06-${27 - round}`;
  const { rows, seconds, secondsByLog, computing, compiling, peakMegabytes } = await runBatch(
    side.signed,
    side.server,
    request,
  );
  const share = (part: number) => part / computing.engine;
  report(`${side.name}: ${workload}, ${listing} listing`, {
    rows,
    seconds_to_rows: seconds.rows,
    seconds_compiling: seconds.finished - seconds.rows,
    seconds_created_to_finished: secondsByLog,
    cpu_engine: computing.engine,
    cpu_storing: computing.storing,
    cpu_messaging: computing.messaging,
    cpu_other: computing.total - computing.engine - computing.storing - computing.messaging,
    cpu_compiling: compiling.total,
    storing_and_messaging_x_engine: share(computing.storing + computing.messaging),
    all_x_engine: share(computing.total + compiling.total),
    // As if both cores did nothing else.
    engine_rows_per_second_2_cores: (2 * rows) / computing.engine,
    all_rows_per_second_2_cores: (2 * rows) / (computing.total + compiling.total),
    peak_mb: peakMegabytes,
  });
}

/** 500 combinations over tickers and dates that no batch had before. */
function small({ signed, server, listed }: Side, i: number): Promise<Judged> {
  const request = requestOf('W1', i % 2 === 0 ? 'equal' : 'staggered', listed, 500);
  const { $A, $B } = request.variables as { $A: readonly string[]; $B: readonly string[] };
  const day = String(1 + (i % 28)).padStart(2, '0');
  const month = String(1 + (Math.floor(i / 28) % 12)).padStart(2, '0');
  const variables = {
    $A: $A.slice(0, 2),
    $B: [...$A, ...$B].slice(2, 4),
    $W: Array.from({ length: 125 }, (_, w) => w + 2),
  };
  const backtest_config = { ...request.backtest_config, end_date: `2024-${month}-${day}` };
  return clickToVerdict(signed, server, { ...request, variables, backtest_config });
}

async function warmUp(side: Side): Promise<void> {
  for (let i = 0; i < 3; i += 1) await small(side, 300 + i);
}
