import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CALIBRATIONS } from './calibration.ts';

it('is what the documentation states', () => {
  const page = readFileSync(new URL('../../../../docs/market-data.md', import.meta.url), 'utf8').replaceAll(
    / +/g,
    ' ',
  );
  const percent = (value: number) => `${(value * 100).toFixed(1).replace(/\.0$/, '')}%`;
  const range = ([least, most]: readonly [number, number]) => `${percent(least)} to ${percent(most)}`;
  for (const { ticker, volatility, correlation, drawdown, growth } of CALIBRATIONS) {
    const [least, most] = correlation;
    const row =
      `| ${ticker} | ${range(volatility)} | ${least.toFixed(2)} to ${most.toFixed(2)} | ` +
      `${range(drawdown)} | ${range(growth)} |`;
    expect(page).toContain(row);
  }
});
