import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AxisLabels, HeatMapPicture } from './HeatMapPicture.tsx';
import { type Cell, cellsOf, growsUpwards, type Side, type Span, spanOf } from './heat-map-sides.ts';

const ROW_HEIGHT = 24;
/** The highest still shows both axes on a small laptop. */
const [LEAST_HEIGHT, MOST_HEIGHT] = [160, 560];
/** Lines between smaller cells would take too much of them. */
const LEAST_PARTED = 12;
const TIP_WIDTH = 276;
/** A press that moves by less is a click. */
const STILL = 6;

function useWidth() {
  const [width, setWidth] = useState(0);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    setWidth(target.clientWidth);
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return [width, element] as const;
}

const lines = (cells: number, direction: string) =>
  `repeating-linear-gradient(to ${direction}, var(--canvas) 0 1px, transparent 1px calc(100% / ${cells}))`;

/**
 * The cells with their axes. The pointer, or the arrow keys, say which cell is meant; a click or Enter
 * chooses it; dragging, or Shift with the arrow keys and Enter, marks a part.
 */
export function HeatMapGrid({
  across,
  down,
  pixels,
  description,
  textOf,
  mark,
  onChoose,
  onPart,
  onPoint,
}: {
  across: Side;
  down: Side;
  /** As `pixelsOf` makes them. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  description: string;
  /** What a cell holds, a line each. */
  textOf: (cell: Cell) => readonly string[];
  mark: Cell | null;
  onChoose: (cell: Cell) => void;
  /** Null: nothing to enlarge. */
  onPart: ((part: { readonly x: Span; readonly y: Span }) => void) | null;
  /** A finger has pointed at a cell: it has no other way to read it than to press. */
  onPoint: (cell: Cell | null) => void;
}) {
  const [width, plot] = useWidth();
  const [cell, setCell] = useState<Cell | null>(null);
  /** Where a part that is being marked began, and whether a row or a column of cells is meant rather than a box. */
  const [from, setFrom] = useState<(Cell & { readonly isFlat: boolean; readonly isThin: boolean }) | null>(
    null,
  );
  const [isByKey, setByKey] = useState(false);
  const press = useRef<{ readonly cell: Cell; readonly x: number; readonly y: number } | null>(null);
  const [columns, rows] = [cellsOf(across), cellsOf(down)];
  const isUpwards = growsUpwards(down);
  // Of the whole, so that nothing below moves when a part is enlarged.
  const height = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, ROW_HEIGHT * down.total));
  const areParted = Math.min(width / columns, height / rows) >= LEAST_PARTED;
  // The cells of another map are not those that were meant.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each map
  useEffect(() => {
    setCell(null);
    setFrom(null);
    press.current = null;
  }, [pixels]);

  const rowOf = (y: number) => (isUpwards ? rows - 1 - y : y);
  const cellAt = (event: PointerEvent<HTMLElement>): Cell => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (share: number, cells: number) => Math.min(cells - 1, Math.max(0, Math.floor(share * cells)));
    return {
      x: at((event.clientX - box.left) / box.width, columns),
      y: rowOf(at((event.clientY - box.top) / box.height, rows)),
    };
  };
  const moved = (event: PointerEvent<HTMLElement>) => {
    const at = cellAt(event);
    setByKey(false);
    setCell(at);
    if (press.current === null || onPart === null) return;
    const [wide, high] = [
      Math.abs(event.clientX - press.current.x),
      Math.abs(event.clientY - press.current.y),
    ];
    if (Math.max(wide, high) >= STILL)
      setFrom({ ...press.current.cell, isFlat: high < STILL, isThin: wide < STILL });
  };
  const enlarge = (to: Cell) => {
    if (from === null || onPart === null) return;
    onPart({
      x: spanOf(across, from.isThin ? null : [from.x, to.x]),
      y: spanOf(down, from.isFlat ? null : [from.y, to.y]),
    });
  };
  const released = (event: PointerEvent<HTMLElement>) => {
    if (press.current === null) return;
    press.current = null;
    const at = cellAt(event);
    setFrom(null);
    if (from !== null) enlarge(at);
    else if (event.pointerType === 'touch') onPoint(at);
    else onChoose(at);
  };
  const pressed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, isUpwards ? 1 : -1],
      ArrowDown: [0, isUpwards ? -1 : 1],
    };
    const step = steps[event.key];
    const at = cell ?? mark ?? { x: 0, y: 0 };
    if (step) {
      const next = {
        x: Math.min(columns - 1, Math.max(0, at.x + step[0])),
        y: Math.min(rows - 1, Math.max(0, at.y + step[1])),
      };
      setCell(cell === null ? at : next);
      setFrom(event.shiftKey && onPart ? (from ?? { ...at, isFlat: false, isThin: false }) : null);
      setByKey(true);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (from !== null) enlarge(at);
      else onChoose(at);
    } else if (event.key === 'Escape' && from !== null) setFrom(null);
    else return;
    event.preventDefault();
  };

  const placed = (first: Cell, last: Cell) => {
    const [left, right] = [Math.min(first.x, last.x), Math.max(first.x, last.x) + 1];
    const tops = [rowOf(first.y), rowOf(last.y)];
    const [top, bottom] = [Math.min(...tops), Math.max(...tops) + 1];
    const percent = (share: number) => `${100 * share}%`;
    return {
      left: percent(left / columns),
      width: percent((right - left) / columns),
      top: percent(top / rows),
      height: percent((bottom - top) / rows),
    };
  };
  const part = from &&
    cell && {
      first: { x: from.isThin ? 0 : from.x, y: from.isFlat ? 0 : from.y },
      last: { x: from.isThin ? columns - 1 : cell.x, y: from.isFlat ? rows - 1 : cell.y },
    };
  const isInUpperHalf = cell !== null && rowOf(cell.y) < rows / 2;
  const text = cell === null ? [] : textOf(cell);
  const tip = Math.min(TIP_WIDTH, width);
  return (
    <div className="grid grid-cols-[auto_auto_minmax(0,1fr)] grid-rows-[auto_auto_auto]">
      <span aria-hidden className="rotate-180 self-center pl-1 text-sm [writing-mode:vertical-rl]">
        {down.name}
      </span>
      <AxisLabels side={down} pixels={height} direction="down" />
      <div ref={plot} className="relative" style={{ height }}>
        <HeatMapPicture pixels={pixels} width={columns} description={description} isUpsideDown={isUpwards} />
        {areParted && (
          <span
            aria-hidden
            className="absolute inset-0"
            style={{ backgroundImage: `${lines(columns, 'right')}, ${lines(rows, 'bottom')}` }}
          />
        )}
        {mark && (
          <span aria-hidden className="absolute flex items-center justify-center" style={placed(mark, mark)}>
            <span className="size-2.5 shrink-0 rounded-full border-2 border-black bg-white" />
          </span>
        )}
        {cell && (
          <span
            aria-hidden
            className="absolute min-h-1 min-w-1 outline-2 outline-white [box-shadow:0_0_0_3px_#000]"
            style={part ? placed(part.first, part.last) : placed(cell, cell)}
          />
        )}
        <div
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keyboard
          tabIndex={0}
          aria-label={
            `Cells of ${across.name} across and ${down.name} down: arrow keys move, Enter shows the ` +
            'rows of a ' +
            `cell${onPart ? ', Shift and arrow keys mark a part and Enter enlarges it' : ''}`
          }
          className="absolute inset-0 cursor-crosshair touch-pan-y select-none"
          onPointerMove={moved}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = cellAt(event);
            // A finger does not move before it presses.
            setCell(at);
            press.current = { cell: at, x: event.clientX, y: event.clientY };
          }}
          onPointerUp={released}
          onPointerCancel={() => {
            press.current = null;
            setFrom(null);
          }}
          onPointerLeave={(event) => {
            if (event.pointerType !== 'touch' && press.current === null) setCell(null);
          }}
          onKeyDown={pressed}
          onBlur={() => {
            if (isByKey) setCell(null);
          }}
        />
        {cell && from === null && (
          <div
            aria-hidden
            className="num pointer-events-none absolute z-10 rounded border border-line bg-raised px-2 py-1 text-sm shadow-float"
            style={{
              width: tip,
              left: Math.max(0, Math.min(width - tip, ((cell.x + 0.5) / columns) * width - tip / 2)),
              ...(isInUpperHalf
                ? { top: `calc(${(100 * (rowOf(cell.y) + 1)) / rows}% + 8px)` }
                : { bottom: `calc(${(100 * (rows - rowOf(cell.y))) / rows}% + 8px)` }),
            }}
          >
            {text.map((line, at) => (
              <p key={line} className={at === 0 ? 'font-medium' : 'text-muted'}>
                {line}
              </p>
            ))}
          </div>
        )}
        <p role="status" className="sr-only">
          {isByKey && text.join(', ')}
        </p>
      </div>
      <span />
      <span />
      <AxisLabels side={across} pixels={width} direction="across" />
      <span />
      <span />
      <span aria-hidden className="text-center text-sm">
        {across.name}
      </span>
    </div>
  );
}
