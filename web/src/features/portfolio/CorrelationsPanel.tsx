import { correlations, LEAST_COMMON_DAYS } from '@quantloom/domain/portfolio/combine';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { downloadText, toCsv } from '../../lib/csv.ts';
import { formatRatio } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import type { CurveKind, Curves } from './curves.ts';
import type { Shown } from './shown.ts';

/** Strategies whose whole matrix can be read; of more, the pairs that move most alike are listed. */
const MATRIX = 8;
const PAIRS = 20;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly values: readonly (number | null)[];
}
interface Pair {
  readonly id: string;
  readonly one: string;
  readonly other: string;
  readonly value: number;
}

const PAIR_COLUMNS: readonly Column<Pair>[] = [
  { id: 'one', header: 'Strategy', cell: ({ one }) => one },
  { id: 'other', header: 'And', cell: ({ other }) => other },
  { id: 'value', header: 'Correlation', isNumeric: true, cell: ({ value }) => formatRatio(value) },
];

/** How alike the strategies move from day to day. */
export function CorrelationsPanel({
  shown,
  curves,
  kind,
}: {
  shown: readonly Shown[];
  curves: Curves;
  kind: CurveKind;
}) {
  const { found } = curves;
  const members = useMemo(
    () =>
      shown.flatMap(({ id, name }) => {
        const loaded = found.get(id);
        return loaded && 'curve' in loaded && loaded.curve.days.length > 0
          ? [{ id, name, curve: loaded.curve }]
          : [];
      }),
    [shown, found],
  );
  const matrix = useMemo(() => correlations(members), [members]);
  if (members.length < 2) return null;
  const rows = members.map(({ id, name }, i): Row => ({ id, name, number: i + 1, values: matrix[i] ?? [] }));
  const pairs = pairsOf(rows);
  const columns: readonly Column<Row>[] = [
    { id: 'name', header: 'Strategy', cell: ({ name, number }) => `${number}. ${name}` },
    ...rows.map(
      ({ id, number, name }, i): Column<Row> => ({
        id,
        header: <span title={name}>{number}</span>,
        isNumeric: true,
        cell: ({ values }) => formatRatio(values[i]),
      }),
    ),
  ];
  return (
    <Panel title="Correlations" className="flex flex-col gap-3">
      {members.length <= MATRIX ? (
        <Table label="Correlations" columns={columns} rows={rows} rowId={({ id }) => id} />
      ) : (
        <>
          <p>
            The {Math.min(PAIRS, pairs.length)} pairs of {members.length} strategies that move most alike:
          </p>
          <Table
            label="Correlations"
            columns={PAIR_COLUMNS}
            rows={pairs.slice(0, PAIRS)}
            rowId={({ id }) => id}
          />
        </>
      )}
      <p className="text-sm text-muted">
        Correlation of daily returns, {kind === 'lived' ? 'as lived' : 'in backtests'}, over the days that two
        have in common; with fewer than {LEAST_COMMON_DAYS} of them there is none. 1: they rise and fall
        together; 0: they have nothing to do with each other. Strategies that move alike spread no risk.
      </p>
      <div className="print:hidden">
        <Button
          size="sm"
          icon={Download}
          onClick={() =>
            downloadText(
              'Correlations.csv',
              'text/csv',
              toCsv([
                ['strategy', ...rows.map(({ name }) => name)],
                ...rows.map(({ name, values }) => [name, ...values.map((value) => value ?? '')]),
              ]),
            )
          }
        >
          CSV
        </Button>
      </div>
    </Panel>
  );
}

function pairsOf(rows: readonly Row[]): Pair[] {
  const pairs = rows.flatMap(({ id, name, values }, i) =>
    rows.slice(i + 1).flatMap((other, k): Pair[] => {
      const value = values[i + 1 + k];
      return typeof value === 'number'
        ? [{ id: `${id} ${other.id}`, one: name, other: other.name, value }]
        : [];
    }),
  );
  return pairs.sort((a, b) => b.value - a.value);
}
