import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { computeBands } from '@quantloom/domain/contracts/http/calls';
import type { BandsAnswer } from '@quantloom/domain/contracts/http/stability';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import {
  fixed,
  formatCount,
  formatDate,
  formatPercent,
  formatSignedPercent,
  MISSING,
} from '../../../lib/format.ts';
import { Notice } from '../../../ui/feedback.tsx';
import { FigureTable } from '../analysis/FigureTable.tsx';
import { combinationLabel } from '../analysis/metric-names.ts';
import { OnDemand } from '../analysis/OnDemand.tsx';
import { bandsInWords } from './bands-words.ts';

type Row = BandsAnswer['rows'][number];
type Band = NonNullable<Row['bands']>['sharpe'];

const ratio = (value: number | null) => (value === null ? MISSING : fixed(value, 2));
const bandOf = (band: Band | undefined, shown: (value: number | null) => string) =>
  band ? `${shown(band.low)} to ${shown(band.high)}` : MISSING;

/**
 * How much the figures of picked rows depend on the days that they met: asked for, since it costs as much as
 * running them again.
 */
export function Bands({ batch, combinations }: { batch: BatchDetail; combinations: readonly number[] }) {
  const bands = useMutation({
    mutationFn: () =>
      api().call(computeBands, { params: { id: batch.id }, body: { combinations: [...combinations] } }),
  });
  return (
    <section aria-label="Bands" className="flex flex-col gap-3">
      <h3 className="font-semibold">How sure are these figures?</h3>
      {bands.data ? (
        <Answer answer={bands.data} />
      ) : (
        <>
          <p className="max-w-prose text-sm text-muted">
            The same months in another order and mix, a thousand times: between which values would Sharpe
            ratio, return and drawdown have been? The rows are run again for it.
          </p>
          <OnDemand
            work={bands}
            ask="Compute bands"
            pending="Drawing a thousand other histories"
            failure="The bands could not be computed"
          />
        </>
      )}
    </section>
  );
}

function Answer({ answer }: { answer: BandsAnswer }) {
  const rows = answer.rows.filter(({ bands }) => bands !== null);
  const name = {
    header: 'Row',
    isText: true,
    className: 'min-w-28',
    cell: ({ values }: Row) => combinationLabel(values),
  };
  const years = [...new Set(rows.flatMap((row) => row.years.map(({ year }) => year)))].sort();
  return (
    <div className="flex flex-col gap-4">
      {answer.rows.flatMap(({ combination, values, error }) =>
        error === null
          ? []
          : [
              <Notice key={combination} kind="danger">
                {combinationLabel(values)}: {error}
              </Notice>,
            ],
      )}
      {rows.length > 0 && (
        <>
          <p className="max-w-prose">{bandsInWords(rows)}</p>
          <FigureTable
            caption="Nine of ten draws lie between"
            rows={rows}
            rowKey={({ combination }) => combination}
            columns={[
              name,
              {
                header: 'Sharpe ratio',
                cell: ({ figures, bands }) =>
                  `${ratio(figures?.sharpe ?? null)} (${bandOf(bands?.sharpe, ratio)})`,
              },
              {
                header: 'Return a year',
                cell: ({ figures, bands }) =>
                  `${formatSignedPercent(figures?.annualized_return)} ` +
                  `(${bandOf(bands?.annualized_return, formatSignedPercent)})`,
              },
              {
                header: 'Max drawdown',
                cell: ({ figures, bands }) =>
                  `${formatPercent(figures?.max_drawdown)} (${bandOf(bands?.max_drawdown, formatPercent)})`,
              },
              {
                header: 'Drawdown in another order',
                definition:
                  'The same days, shuffled: return and Sharpe ratio stay, the deepest fall does not.',
                cell: ({ bands }) => bandOf(bands?.shuffled_drawdown, formatPercent),
              },
              { header: 'Loses money in', cell: ({ loss_share }) => formatPercent(loss_share) },
              {
                header: 'Best of these in',
                definition: 'Share of the draws in which it has the best Sharpe ratio of the picked rows.',
                cell: ({ best_share }) => formatPercent(best_share),
              },
              {
                header: 'Expected shortfall',
                definition: 'Mean loss of the worst 5% of days, of the whole run.',
                cell: ({ figures }) => formatPercent(figures?.expected_shortfall_95),
              },
              {
                header: 'Exposure',
                definition: 'Mean share of the portfolio that was not cash, of the whole run.',
                cell: ({ figures }) => formatPercent(figures?.exposure),
              },
            ]}
          />
          <FigureTable
            caption="Return by year"
            rows={rows}
            rowKey={({ combination }) => combination}
            columns={[
              name,
              ...years.map((year) => ({
                header: String(year),
                cell: (row: Row) => formatSignedPercent(row.years.find((one) => one.year === year)?.return),
              })),
            ]}
          />
          <p className="max-w-prose text-sm text-muted">
            {formatCount(answer.draws)} draws from {formatCount(answer.days)} days that all rows have (
            {formatDate(answer.from)} – {formatDate(answer.to)}), in runs of {answer.block_length} days on
            average (stationary bootstrap). Draws come from what happened: what never happened in these years
            is in none of them, and rows chosen for a good past keep their luck in every draw.
          </p>
        </>
      )}
    </div>
  );
}
