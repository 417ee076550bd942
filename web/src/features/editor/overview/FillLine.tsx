import type { BacktestAnswer, BacktestRequest, Metrics } from '@quantloom/domain/contracts/backtest';
import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import { DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { cashInWords, otherFill } from '@quantloom/domain/strategy/run-settings';
import { messageOf } from '../../../lib/api.ts';
import { formatMetric, METRICS } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { Term } from '../../../ui/Tooltip.tsx';
import { decisionWords, fillWords, termsOf } from '../../terms/terms.ts';
import type { useOtherFill } from './further-lines.ts';

/**
 * One line under a result: how it was filled, and the way to the other fill. Below it the figures of all that
 * the chart shows.
 */
export function FillLine({
  answer,
  answered,
  other,
  isShown,
  onShow,
}: {
  answer: BacktestAnswer;
  answered: BacktestRequest;
  other: ReturnType<typeof useOtherFill>;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}) {
  const { fill, cash, indicatorPrices } = termsOf(answered);
  const decided = decisionWords(indicatorPrices);
  const rows: { readonly name: string; readonly metrics: Metrics | null }[] = [];
  if (isShown && other.data)
    rows.push(
      { name: `Filled at ${fillWords(fill)}`, metrics: answer.metrics },
      { name: `Filled at ${fillWords(otherFill(fill))}`, metrics: other.data.metrics },
    );
  for (const [name, found] of Object.entries(answer.benchmarks ?? {}))
    rows.push({ name, metrics: found?.metrics ?? null });
  return (
    <div className="mt-2 flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <span>
          Filled at{' '}
          <Term
            definition={
              fill === 'close'
                ? 'Decisions are made with a day’s closing prices and traded at these same prices.'
                : 'Decisions are made with a day’s closing prices and traded at the close of the next day.'
            }
          >
            {fill === 'close' ? 'the close that decided' : 'the next close'}
          </Term>
          , {answered.slippage_bps ?? DEFAULT_SLIPPAGE_BPS} bps slippage, cash earns {cashInWords(cash)}.
          {decided && ` ${decided}.`}
        </span>
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={isShown}
          isBusy={isShown && other.isFetching}
          onClick={() => onShow(!isShown)}
        >
          {isShown ? 'Hide' : 'Compare with'} {fillWords(otherFill(fill))}
        </Button>
      </p>
      {isShown && other.error && <Notice kind="danger">{messageOf(other.error)}</Notice>}
      {rows.length > 0 && <Figures rows={rows} />}
    </div>
  );
}

const SHOWN = ['cumulative_return', 'annualized_return', 'standard_deviation', 'max_drawdown', 'sharpe'];

function Figures({ rows }: { rows: readonly { readonly name: string; readonly metrics: Metrics | null }[] }) {
  const specs = METRICS.filter(({ key }) => SHOWN.includes(key));
  const value = (metrics: Metrics | null, key: string) =>
    (metrics as Readonly<Record<string, number | null>> | null)?.[key];
  return (
    <ScrollRegion label="Figures of the further lines" className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">Fills and further benchmarks over the same days</caption>
        <thead>
          <tr className="text-right text-xs text-muted">
            <th scope="col" className="py-1 text-left font-normal">
              Line
            </th>
            {specs.map(({ key, label, definition }) => (
              <th key={key} scope="col" className="py-1 pl-3 font-normal">
                <Term definition={definition} href={conceptAddress(key)}>
                  {label}
                </Term>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, metrics }) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="whitespace-nowrap py-1 text-left font-normal">
                {name}
              </th>
              {specs.map((spec) => (
                <td key={spec.key} className="num py-1 pl-3 text-right">
                  {formatMetric(spec, value(metrics, spec.key))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
