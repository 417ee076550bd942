/** The points of a polyline through `values`, scaled into `width` x `height`. Non-finite values are left out. */
function sparklinePoints(values: readonly number[], width: number, height: number): string {
  const finite = values.filter(Number.isFinite);
  if (finite.length < 2) return '';
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low || 1;
  return finite
    .map((value, index) => {
      const x = (index / (finite.length - 1)) * width;
      const y = height - 1.5 - ((value - low) / span) * (height - 3);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}

/** A line without axes, in the size of text. `label` says what it shows. */
export function Sparkline({
  values,
  width = 96,
  height = 24,
  label,
  color = 'var(--series-1)',
}: {
  values: readonly number[];
  width?: number;
  height?: number;
  label: string;
  color?: string;
}) {
  const points = sparklinePoints(values, width, height);
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className="max-w-full shrink-0"
    >
      {points && (
        <polyline points={points} fill="none" stroke={color} strokeWidth="1.5" strokeLinejoin="round" />
      )}
    </svg>
  );
}
