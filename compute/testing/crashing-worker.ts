import { parentPort } from 'node:worker_threads';
import { EngineDefectError } from '../src/engine/model/engine-defect.ts';
import type { FromWorker, ToWorker } from '../src/pool/protocol.ts';

/** A worker thread that dies or fails on request, for the pool's tests. */
const reply = (message: FromWorker) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWorker) => {
  if (message.type !== 'backtest') return;
  const { benchmark_ticker: wish } = message.request;
  if (wish === 'CRASH') throw new Error('crashed on request');
  if (wish === 'DEFECT') {
    const defect = EngineDefectError.from(new Error('broken'));
    reply({ type: 'defect', task: message.task, message: defect.message, debugData: defect.debugData });
    return;
  }
  const answer = new TextEncoder().encode('{}');
  reply({ type: 'answer', task: message.task, answer, milliseconds: 1, cpuMilliseconds: 1 });
});

reply({ type: 'ready' });
