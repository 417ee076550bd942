import type { CSSProperties, ReactNode, Ref } from 'react';

/** A part that scrolls by itself; it takes focus, so that the keyboard scrolls it, too. */
export function ScrollRegion({
  label,
  children,
  className,
  style,
  ref,
}: {
  label: string;
  children: ReactNode;
  className?: string;
  style?: CSSProperties;
  ref?: Ref<HTMLElement>;
}) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
      tabIndex={0}
      style={style}
      className={className}
    >
      {children}
    </section>
  );
}
