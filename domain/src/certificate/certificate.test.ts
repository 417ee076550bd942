import { expect, it } from 'vitest';
import { eventSamples } from '../../testing/event-samples.ts';
import type { RecordedRun } from '../strategy-run/events.ts';
import { CERTIFICATE_KIND, type Certificate, verify } from './certificate.ts';

const run = eventSamples().find(({ event }) => event.type === 'StrategyRunRecorded')?.event
  .data as RecordedRun;
const certificate: Certificate = {
  kind: CERTIFICATE_KIND,
  strategy: { id: run.strategyId, name: 'Mine', revision: run.revision, tree_hash: run.treeHash },
  terms: run.terms,
  data_version: run.dataVersion,
  engine_version: run.engineVersion,
  is_simulated: true,
  result_hash: run.resultHash,
  first_day: run.firstDay,
  last_day: run.lastDay,
  metrics: run.figures,
};
const same = {
  kind: 'computed',
  engineVersion: run.engineVersion,
  resultHash: run.resultHash,
  firstDay: run.firstDay,
  lastDay: run.lastDay,
  figures: run.figures,
} as const;

it('confirms what comes out the same', () => {
  expect(verify(certificate, same)).toEqual({ confirmed: true, findings: [] });
});

it.each([
  [{ ...same, resultHash: 'f'.repeat(64) }, /^Result hash: 9f86d0.* in the certificate, ffff.* computed\.$/],
  [
    { ...same, figures: { ...same.figures, sharpe: 0.59 } },
    /^sharpe: 0\.6 in the certificate, 0\.59 computed\.$/,
  ],
  [
    { ...same, figures: { ...same.figures, sharpe: null } },
    /^sharpe: 0\.6 in the certificate, none computed\.$/,
  ],
  [{ ...same, firstDay: '1994-01-03' }, /^First day: /],
  [{ ...same, lastDay: '1994-01-03' }, /^Last day: /],
  [{ kind: 'data_version_gone' }, /prices of version demo-1 are not here/],
  [{ kind: 'no_strategy' }, /does not hold the strategy/],
  [{ kind: 'other_strategy' }, /hash is another one/],
  [{ kind: 'refused', reason: 'Nothing to run.' }, /cannot be run here: Nothing to run\./],
] as const)('says what differs: %j', (recomputed, sentence) => {
  const { confirmed, findings } = verify(certificate, recomputed);
  expect(confirmed).toBe(false);
  expect(findings).toEqual([expect.stringMatching(sentence)]);
});

it('confirms by another engine what comes out the same bit by bit, and says so', () => {
  expect(verify(certificate, { ...same, engineVersion: '3' })).toEqual({
    confirmed: true,
    findings: [
      'The certificate was made by engine 1.9.0, and this is engine 3: it computes the same, bit by bit.',
    ],
  });
});

it.each([
  [{ figures: { ...same.figures, sharpe: 0.59 } }, /^sharpe: 0\.6 in the certificate, 0\.59 computed\.$/],
  [{ resultHash: 'f'.repeat(64) }, /^Result hash: 9f86d0/],
])('names the engine and what it computes otherwise: %j', (over, sentence) => {
  expect(verify(certificate, { ...same, engineVersion: '3', ...over })).toEqual({
    confirmed: false,
    findings: [
      'The certificate was made by engine 1.9.0, and this is engine 3.',
      expect.stringMatching(sentence),
    ],
  });
});
