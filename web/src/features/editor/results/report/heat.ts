import type { CSSProperties } from 'react';

/** A return of this size has the full tint. */
const FULL = { month: 0.1, year: 0.4 } as const;

/** The tint of a return; its sign tells gain from loss without colour. */
export function heatStyle(value: number | null | undefined, period: keyof typeof FULL): CSSProperties {
  if (value === null || value === undefined || Math.abs(value) < 0.00005) return {};
  const share = Math.min(1, Math.abs(value) / FULL[period]);
  const color = value > 0 ? 'var(--gain)' : 'var(--loss)';
  return { backgroundColor: `color-mix(in srgb, ${color} ${Math.round(6 + 30 * share)}%, transparent)` };
}
