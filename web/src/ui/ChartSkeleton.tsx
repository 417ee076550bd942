/**
 * The place of a curve chart while it is computed or fetched: grid lines and a curve in grey, where the real
 * ones will stand.
 */
export function ChartSkeleton({ height, label }: { height: number; label: string }) {
  return (
    <div role="status" style={{ height }} className="relative w-full overflow-hidden" data-skeleton>
      <span className="sr-only">{label}</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        className="absolute inset-x-14 inset-y-6 h-[calc(100%-3rem)] w-[calc(100%-4.25rem)] text-line motion-safe:animate-pulse"
        fill="none"
        stroke="currentColor"
      >
        {[0, 10, 20, 30, 40].map((y) => (
          <path key={y} d={`M0 ${y}H100`} vectorEffect="non-scaling-stroke" />
        ))}
        <path
          d="M0 36 L8 34 L14 35 L22 30 L30 31 L38 26 L44 28 L52 22 L60 23 L68 15 L74 18 L82 11 L90 12 L100 5"
          strokeWidth="3"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  );
}
