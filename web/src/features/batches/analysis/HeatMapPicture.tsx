import { memo, useLayoutEffect, useRef } from 'react';
import { cx } from '../../../ui/classes.ts';
import { cellsOf, growsUpwards, type Side, ticksOf } from './heat-map-sides.ts';

/** Labels of rows wider than this are cut off. */
const MOST_LABEL = 110;

/** A picture with one pixel for each cell. */
export const HeatMapPicture = memo(function HeatMapPicture({
  pixels,
  width,
  description,
  isUpsideDown,
}: {
  pixels: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  description: string;
  isUpsideDown: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = width === 0 ? 0 : pixels.length / 4 / width;
  useLayoutEffect(() => {
    if (width > 0 && height > 0)
      canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [pixels, width, height]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={description}
      width={width}
      height={height}
      className={cx('absolute inset-0 size-full [image-rendering:pixelated]', isUpsideDown && '-scale-y-100')}
    />
  );
});

/** Names of the cells along an axis, as many as there is room for. */
export const AxisLabels = memo(function AxisLabels({
  side,
  pixels,
  direction,
}: {
  side: Side;
  pixels: number;
  direction: 'across' | 'down';
}) {
  const { ticks, areTurned, longest } = ticksOf(side, pixels, direction);
  const isDown = direction === 'down';
  const isUpwards = isDown && growsUpwards(side);
  const cells = cellsOf(side);
  const placeOf = (cell: number) => `${(100 * ((isUpwards ? cells - 1 - cell : cell) + 0.5)) / cells}%`;
  return (
    <div
      aria-hidden
      className="num relative text-xs text-muted"
      style={isDown ? { width: Math.min(MOST_LABEL, longest) + 8 } : { height: areTurned ? longest + 8 : 20 }}
    >
      {ticks.map(({ cell, text }) => (
        <span
          key={cell}
          className={cx(
            'absolute truncate leading-none',
            isDown && 'right-2 max-w-full -translate-y-1/2 text-right',
            !isDown && 'top-1.5 -translate-x-1/2 whitespace-nowrap',
            areTurned && 'rotate-180 [writing-mode:vertical-rl]',
          )}
          style={isDown ? { top: placeOf(cell) } : { left: placeOf(cell) }}
        >
          {text}
        </span>
      ))}
    </div>
  );
});
