import { combinationValues } from '@quantloom/domain/batch/variable-values';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { otherFill } from '@quantloom/domain/strategy/run-settings';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { fillWords } from '../../terms/terms.ts';
import { combinationLabel, formatMetricValue, METRIC_LABELS } from '../analysis/metric-names.ts';
import { COMBINATION, fetchRows } from '../model/results.ts';
import { PinLine } from './PinLine.tsx';

const SHOWN = ['sharpe_ratio', 'annualized_return', 'max_drawdown'] as const;

/** What the other fill is called where the batch computed both. */
function otherFillOf({ backtest_config: config }: BatchDetail): string | null {
  const other = otherFill(config.fill === 'next-close' ? 'next-close' : 'close');
  return config.both_fills === true ? fillWords(other) : null;
}

/** The pinned rows above the table: what they reached, their notes, and the way to them however many rows there are. */
export function PinnedRows({
  batch,
  onShow,
}: {
  batch: BatchDetail;
  /** The table is to show these combinations. */
  onShow: (combinations: readonly number[]) => void;
}) {
  // Where it leaves room for the table.
  const [isOpenAtFirst] = useState(() => window.innerHeight >= 700 && window.innerWidth >= 640);
  const combinations = batch.pins.map(({ combination }) => combination);
  const other = otherFillOf(batch);
  const figures = useQuery({
    queryKey: ['batch-backtests', batch.id, 'pinned', ...combinations],
    queryFn: ({ signal }) =>
      fetchRows(
        batch.id,
        {
          sort: null,
          filters: [`${COMBINATION}:in:${combinations.join('|')}`],
          cursor: null,
          columns: [
            COMBINATION,
            ...SHOWN,
            ...(other === null ? [] : SHOWN.map((name) => `other_fill_${name}`)),
          ],
        },
        signal,
      ),
    enabled: combinations.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (combinations.length === 0) return null;
  const variables = batch.variable_names.map((name) => ({ name, values: batch.variables[name] ?? [] }));
  const rowOf = (combination: number) => figures.data?.rows.find(([cell]) => cell === combination);
  return (
    <details open={isOpenAtFirst} className="mb-2 rounded border border-line">
      <summary className="cursor-pointer px-3 py-1.5 text-sm font-medium">
        {plural(combinations.length, 'pinned row')}
      </summary>
      <ScrollRegion label="Pinned rows" className="max-h-36 overflow-y-auto border-t border-line px-3 py-2">
        <ul className="flex flex-col gap-2 text-sm">
          {batch.pins.map((pin) => {
            const [, ...cells] = rowOf(pin.combination) ?? [];
            return (
              <PinLine
                key={`${pin.combination}:${pin.note}`}
                batch={batch}
                pin={pin}
                label={combinationLabel(combinationValues(variables, pin.combination))}
              >
                {SHOWN.map((metric, at) => {
                  const figure = (value: unknown) =>
                    formatMetricValue(metric, typeof value === 'number' ? value : null);
                  return (
                    <span key={metric} className={`num text-muted ${at > 0 ? 'max-md:hidden' : ''}`}>
                      {METRIC_LABELS[metric]} {figure(cells[at])}
                      {other !== null && `, ${figure(cells[SHOWN.length + at])} at ${other}`}
                    </span>
                  );
                })}
                <Button size="sm" onClick={() => onShow([pin.combination])}>
                  Show in table
                </Button>
              </PinLine>
            );
          })}
        </ul>
      </ScrollRegion>
      {combinations.length > 1 && (
        <div className="border-t border-line px-3 py-1.5">
          <Button size="sm" onClick={() => onShow(combinations)}>
            Table of these {formatCount(combinations.length)} only
          </Button>
        </div>
      )}
    </details>
  );
}
