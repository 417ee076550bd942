import type { SensitivityAnswerOutput } from '@quantloom/domain/contracts/http/backtests';
import { useState } from 'react';
import { formatPercent, formatRatio } from '../../../lib/format.ts';

type Row = SensitivityAnswerOutput['rows'][number];

const WIDTH = 380;
const HEIGHT = 56;
const ROOM = 6;

/**
 * Two small curves over the neighbours of a number, with the number itself marked; pointing at one tells its
 * figures.
 */
export function SensitivityStrip({ answer }: { answer: SensitivityAnswerOutput }) {
  const { rows, value } = answer;
  const [pointed, setPointed] = useState<number | null>(null);
  const own = rows.findIndex((row) => row.value === value);
  const at = rows[pointed ?? own];
  return (
    <div className="flex flex-col gap-1" data-strip>
      <Curve
        name="Sharpe"
        rows={rows}
        of={({ sharpe }) => sharpe}
        format={formatRatio}
        own={own}
        pointed={pointed}
        onPoint={setPointed}
      />
      <Curve
        name="Return a year"
        rows={rows}
        of={({ annualized_return: one }) => one}
        format={formatPercent}
        own={own}
        pointed={pointed}
        onPoint={setPointed}
      />
      <div className="num flex justify-between text-xs text-muted">
        <span>{rows[0]?.value}</span>
        <span>{rows.at(-1)?.value}</span>
      </div>
      {at && (
        <p className="num text-sm">
          {at.value === value ? `${value}, as it stands` : at.value}:{' '}
          {at.reason ?? `Sharpe ${formatRatio(at.sharpe)}, ${formatPercent(at.annualized_return)} a year`}
        </p>
      )}
      <table className="sr-only">
        <caption>Figures by number</caption>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Sharpe</th>
            <th scope="col">Return a year</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.value}>
              <th scope="row">{row.value}</th>
              <td>{row.reason ?? formatRatio(row.sharpe)}</td>
              <td>{formatPercent(row.annualized_return)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Curve({
  name,
  rows,
  of,
  format,
  own,
  pointed,
  onPoint,
}: {
  name: string;
  rows: readonly Row[];
  of: (row: Row) => number | null;
  format: (value: number | null) => string;
  own: number;
  pointed: number | null;
  onPoint: (index: number | null) => void;
}) {
  const values = rows.map(of);
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => ROOM + (index / Math.max(1, rows.length - 1)) * (WIDTH - 2 * ROOM);
  const y = (value: number) => HEIGHT - ROOM - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * ROOM);
  const points = values.flatMap((value, index) => (value === null ? [] : [`${x(index)},${y(value)}`]));
  const mark = (index: number | null, radius: number, color: string) => {
    const value = index === null ? null : (values[index] ?? null);
    return value !== null && index !== null && <circle cx={x(index)} cy={y(value)} r={radius} fill={color} />;
  };
  return (
    <div>
      <div className="flex justify-between text-xs">
        <span>{name}</span>
        <span className="num text-muted">
          {known.length === 0 ? '--' : `${format(low)} to ${format(high)}`}
        </span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="w-full touch-none"
        aria-hidden
        onPointerMove={({ currentTarget, clientX }) => {
          const box = currentTarget.getBoundingClientRect();
          const part = (clientX - box.left) / box.width;
          onPoint(Math.max(0, Math.min(rows.length - 1, Math.round(part * (rows.length - 1)))));
        }}
        onPointerLeave={() => onPoint(null)}
      >
        {own >= 0 && <line x1={x(own)} x2={x(own)} y1={0} y2={HEIGHT} stroke="var(--color-line)" />}
        <polyline points={points.join(' ')} fill="none" stroke="var(--series-1)" strokeWidth="1.5" />
        {values.map(
          (value, index) =>
            value !== null && (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place in the row is what it is
              <circle key={index} cx={x(index)} cy={y(value)} r={1.5} fill="var(--series-1)" />
            ),
        )}
        {mark(own, 4, 'var(--series-1)')}
        {mark(pointed, 4, 'var(--color-ink)')}
      </svg>
    </div>
  );
}
