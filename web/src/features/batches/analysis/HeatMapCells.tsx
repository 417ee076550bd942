import { useMemo, useState } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { HeatMapGrid } from './HeatMapGrid.tsx';
import { HeatMapLegend } from './HeatMapLegend.tsx';
import { colorScaleOf, pixelsOf } from './heat-map-scale.ts';
import {
  bestCell,
  type Cell,
  filterOf,
  type HeatMapAnswer,
  labelOf,
  MOST_PARTED,
  type Over,
  type Span,
  sideText,
} from './heat-map-sides.ts';
import { formatMetricValue, METRIC_LABELS, metricSpec } from './metric-names.ts';

/**
 * The cells of a heat map, the best of them marked; a click chooses one, dragging shows a part of the axes
 * with smaller cells.
 */
export function HeatMapCells({
  answer,
  over,
  onChoose,
  onPart,
  isMarked,
}: {
  answer: HeatMapAnswer;
  over: Over;
  onChoose: (filters: readonly ColumnFilter[]) => void;
  /** Null: the whole map. */
  onPart: (part: { readonly x: Span; readonly y: Span } | null) => void;
  /** One cell's rows are what the table shows. */
  isMarked: boolean;
}) {
  const { metric, x: across, y: down } = answer;
  const { isHigherBetter } = metricSpec(metric);
  const grid = answer[over];
  const top = useMemo(() => bestCell(grid, isHigherBetter), [grid, isHigherBetter]);
  const scale = useMemo(() => colorScaleOf(grid), [grid]);
  const pixels = useMemo(() => pixelsOf(grid, scale, isHigherBetter), [grid, scale, isHigherBetter]);
  const [pointed, setPointed] = useState<{ readonly of: HeatMapAnswer; readonly cell: Cell } | null>(null);
  const finger = pointed?.of === answer ? pointed.cell : null;
  const nameOf = ({ x, y }: Cell) => `${across.name} ${labelOf(across, x)}, ${down.name} ${labelOf(down, y)}`;
  const textOf = (cell: Cell): readonly string[] => {
    const count = answer.count[cell.y]?.[cell.x] ?? 0;
    const shown = (kind: Over) => formatMetricValue(metric, answer[kind][cell.y]?.[cell.x] ?? null);
    return count === 0
      ? [nameOf(cell), 'No result']
      : [
          nameOf(cell),
          `best ${shown('best')}, mean ${shown('mean')}, worst ${shown('worst')}`,
          `of ${plural(count, 'combination')}`,
        ];
  };
  const choose = ({ x, y }: Cell) => onChoose([filterOf(across, x), filterOf(down, y)]);
  const areMany = Math.max(across.total, down.total) > MOST_PARTED;
  const isPart = across.values.length < across.total || down.values.length < down.total;
  return (
    <div className="flex flex-col gap-3">
      <HeatMapGrid
        across={across}
        down={down}
        pixels={pixels}
        description={
          `Heat map of ${METRIC_LABELS[metric]}, the ${over} over all other variables, across ` +
          `${across.name} and down ${down.name}`
        }
        textOf={textOf}
        mark={top}
        onChoose={choose}
        onPart={areMany ? onPart : null}
        onPoint={(cell) => setPointed(cell && { of: answer, cell })}
      />
      {scale && <HeatMapLegend scale={scale} metric={metric} />}
      <div className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <p className="min-w-0">
          {top && `The dot: ${nameOf(top)} with ${formatMetricValue(metric, top.value)}. `}
          {[across, down].map(sideText).join('')}
          {isMarked && 'The table is filtered to one cell. '}
          Click a cell for its rows{areMany && ', drag over a part to enlarge it'}.
        </p>
        {finger && (
          <Button size="sm" onClick={() => choose(finger)}>
            Rows of {nameOf(finger)}
          </Button>
        )}
        {isPart && (
          <Button size="sm" onClick={() => onPart(null)}>
            Show all {formatCount(across.total)} × {formatCount(down.total)}
          </Button>
        )}
      </div>
    </div>
  );
}
