/** Ends of a scale that several bars share. */
export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** The scale that holds all of the values; null where there is nothing to draw. */
export function scaleOf(values: readonly (number | null | undefined)[]): Scale | null {
  const known = values.filter((value): value is number => typeof value === 'number');
  const scale = { from: Math.min(...known), to: Math.max(...known) };
  return known.length > 0 && scale.to > scale.from ? scale : null;
}

/** Per cent of the scale, 0 to 100. */
const placeOn = (scale: Scale, value: number): number =>
  Math.min(100, Math.max(0, (100 * (value - scale.from)) / (scale.to - scale.from)));

/**
 * From low to high as a band, a mark inside, on a scale shared with the bars above and below. The figures
 * stand beside it in words.
 */
export function RangeBar({
  scale,
  low,
  high,
  mark,
}: {
  scale: Scale | null;
  low: number | null;
  high: number | null;
  mark: number | null;
}) {
  if (scale === null || low === null || high === null) return null;
  const [start, end] = [placeOn(scale, low), placeOn(scale, high)];
  const zero = scale.from < 0 && scale.to > 0 ? placeOn(scale, 0) : null;
  return (
    <span aria-hidden className="relative block h-3 w-full min-w-16 rounded-sm bg-sunken">
      {zero !== null && (
        <span className="absolute inset-y-0 w-px bg-line-strong" style={{ left: `${zero}%` }} />
      )}
      <span
        className="absolute inset-y-0.5 rounded-sm bg-(--series-1) opacity-35"
        style={{ left: `${start}%`, width: `max(2px, ${end - start}%)` }}
      />
      {mark !== null && (
        <span
          className="absolute inset-y-0 -ml-px w-0.5 rounded-sm bg-(--series-1)"
          style={{ left: `${placeOn(scale, mark)}%` }}
        />
      )}
    </span>
  );
}
