import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';

/** Mark and name: two threads that cross. */
export function Logo({ isMarkOnly = false }: { isMarkOnly?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden={!isMarkOnly}>
        <title>{PRODUCT_NAME}</title>
        <rect width="32" height="32" rx="7" fill="var(--brand)" />
        <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
          <path d="M7 21.5c5 0 5-11 9-11s4 11 9 11" />
          <path d="M7 10.500c5 0 5 11 9 11s4-11 9-11" opacity=".55" />
        </g>
      </svg>
      {!isMarkOnly && <span className="text-lg font-semibold tracking-tight">{PRODUCT_NAME}</span>}
    </span>
  );
}
