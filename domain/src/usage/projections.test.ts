import { describe, expect, it } from 'vitest';
import { created } from '../../testing/batch-builders.ts';
import { folded } from '../../testing/folded.ts';
import { quotaReservationsProjection, usageMonthsProjection } from './projections.ts';

const data = { userId: 'u1', month: '2026-11', batchId: 'b1', combinations: 40 };
const reserved = (over: object = {}) => ({ type: 'QuotaReserved', data: { ...data, ...over } });
const released = (combinations: number) => ({
  type: 'QuotaReleased',
  data: { ...data, combinations, reason: 'x' },
});

describe('what a user has used of a month', () => {
  it('is what was reserved, less what was given back', () => {
    expect(folded(usageMonthsProjection, reserved())).toEqual({
      id: 'u1-2026-11',
      userId: 'u1',
      month: '2026-11',
      used: 40,
    });
    expect(
      folded(usageMonthsProjection, reserved(), reserved({ batchId: 'b2', combinations: 5 }))?.used,
    ).toBe(45);
    expect(folded(usageMonthsProjection, reserved(), released(15))?.used).toBe(25);
  });
});

describe('what a batch holds of the quota', () => {
  it('is not confirmed until there is the batch, and goes when it is given back', () => {
    const held = {
      id: 'b1',
      userId: 'u1',
      month: '2026-11',
      combinations: 40,
      reservedAt: '2026-01-01T00:00:00.000Z',
      isConfirmed: false,
    };
    expect(folded(quotaReservationsProjection, reserved())).toEqual(held);
    expect(folded(quotaReservationsProjection, reserved(), created())).toEqual({
      ...held,
      isConfirmed: true,
    });
    expect(folded(quotaReservationsProjection, reserved(), created(), released(40))).toBeNull();
    // What is given back is so once, also where a part of the batch had run.
    expect(folded(quotaReservationsProjection, reserved(), created(), released(15))).toBeNull();
    expect(folded(quotaReservationsProjection, created())).toBeNull();
  });
});
