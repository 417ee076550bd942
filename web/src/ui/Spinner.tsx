/** A small turning ring; says `label` to screen readers when it stands alone. */
export function Spinner({ size = 16, label }: { size?: number; label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has one, or is hidden
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      className="animate-spin text-current motion-reduce:animate-none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {label && <title>{label}</title>}
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path
        d="M14.5 8A6.5 6.5 0 0 0 8 1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Fills a page or panel while its content loads; appears after 150 ms. */
export function LoadingPane({ label = 'Loading' }: { label?: string }) {
  return (
    <div
      role="status"
      className="appear-late flex min-h-40 flex-1 items-center justify-center gap-2 text-muted"
    >
      <Spinner size={20} />
      <span className="sr-only">{label}</span>
    </div>
  );
}
