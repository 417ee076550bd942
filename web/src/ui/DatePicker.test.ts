import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_SHORTCUTS, shortcutRange } from './DatePicker.tsx';

describe('date range shortcuts', () => {
  it('count months back and stay inside the month', () => {
    expect(shortcutRange(1, '2025-03-31')).toEqual({ startDate: '2025-02-28', endDate: '2025-03-31' });
    expect(shortcutRange(3, '2025-05-31')).toEqual({ startDate: '2025-02-28', endDate: '2025-05-31' });
    expect(shortcutRange(12, '2024-02-29')).toEqual({ startDate: '2023-02-28', endDate: '2024-02-29' });
    expect(shortcutRange(null, '2025-03-31')).toEqual({ startDate: '1990-01-01', endDate: '2025-03-31' });
  });
  it('never start before 1990 nor after their end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 13_000 }),
        fc.constantFrom(...RANGE_SHORTCUTS),
        (offset, { months }) => {
          const end = new Date(Date.UTC(1990, 0, 1 + offset)).toISOString().slice(0, 10);
          const range = shortcutRange(months, end);
          expect(range.startDate >= '1990-01-01').toBe(true);
          expect(range.startDate <= range.endDate).toBe(true);
        },
      ),
    );
  });
});
