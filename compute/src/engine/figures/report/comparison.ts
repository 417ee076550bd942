import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import { momentsOf } from '../metrics.ts';
import { covarianceOf, deviationOf, YEAR } from './returns.ts';

export type Comparison = Pick<
  BacktestReport,
  'correlation' | 'beta' | 'alpha' | 'tracking_error' | 'information_ratio'
>;

/** Of what has no benchmark, or too few returns. */
export const NOT_COMPARED: Comparison = {
  correlation: null,
  beta: null,
  alpha: null,
  tracking_error: null,
  information_ratio: null,
};

/** Daily returns beside those of the benchmark on the same days (`docs/engine.md` section 16). */
export function comparison(r: Float64Array, b: Float64Array): Comparison {
  const apart = momentsOf(r.map((one, i) => one - (b[i] as number)));
  const [deviationR, deviationB, covariance] = [deviationOf(r), deviationOf(b), covarianceOf(r, b)];
  if (deviationR === null || deviationB === null || covariance === null || apart.deviation === null)
    return NOT_COMPARED;
  const beta = deviationB === 0 ? null : deviationR === 0 ? 0 : covariance / deviationB ** 2;
  return {
    correlation: deviationR === 0 || deviationB === 0 ? null : covariance / (deviationR * deviationB),
    beta,
    alpha: beta === null ? null : (momentsOf(r).mean - beta * momentsOf(b).mean) * YEAR,
    tracking_error: apart.deviation * Math.sqrt(YEAR),
    information_ratio: apart.deviation === 0 ? null : (apart.mean / apart.deviation) * Math.sqrt(YEAR),
  };
}
