import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/**
 * A part that scrolls by itself. While there is more than fits, it takes focus, so that the keyboard scrolls
 * it, too.
 */
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
  const region = useRef<HTMLElement>(null);
  const [overflows, setOverflows] = useState(false);
  useImperativeHandle(ref, () => region.current as HTMLElement, []);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return;
    const measure = () =>
      setOverflows(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={region}
      aria-label={label}
      tabIndex={overflows ? 0 : undefined}
      style={style}
      className={className}
    >
      {children}
    </section>
  );
}
