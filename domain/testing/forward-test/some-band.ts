import type { BandFixed } from '../../src/forward-test/band.ts';

/** A band of one day, fixed on the day that its follower began. */
export function someBand(key: Pick<BandFixed, 'strategyId' | 'startDay' | 'number'>): BandFixed {
  return {
    ...key,
    day: key.startDay,
    revision: 0,
    dataVersion: 'v',
    engineVersion: '4',
    isSimulated: false,
    sampleFrom: '2020-01-02',
    sampleDays: 1700,
    seed: 'seed',
    draws: 2000,
    blockLength: 21,
    lower: [0.95],
    upper: [1.05],
    innerLower: [0.98],
    innerUpper: [1.02],
  };
}
