import { type ReactNode, useId } from 'react';
import { cx } from './classes.ts';

/** The usual page: a heading with its actions above the content. */
export function Page({
  title,
  description,
  actions,
  children,
  isNarrow,
  isPrinted,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  isNarrow?: boolean;
  /** On paper it stands alone, black on white, without its actions and buttons. */
  isPrinted?: boolean;
}) {
  return (
    <div
      {...(isPrinted && { 'data-report': 'plain' })}
      className={cx(
        'mx-auto flex w-full flex-1 flex-col gap-4 p-4 md:p-6',
        isNarrow ? 'max-w-3xl' : 'max-w-7xl',
      )}
    >
      <PageHeader title={title} description={description} actions={actions} />
      {children}
    </div>
  );
}

/** Heading, one line about it, and what can be done here. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description && <p className="text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
    </div>
  );
}

/** A bordered part of a page with a heading of its own. */
export function Panel({
  title,
  actions,
  children,
  className,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const heading = useId();
  return (
    <section aria-labelledby={title ? heading : undefined} className="rounded border border-line">
      {(title || actions) && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
          <h2 id={heading} className="font-semibold">
            {title}
          </h2>
          {actions}
        </header>
      )}
      <div className={cx('p-4', className)}>{children}</div>
    </section>
  );
}
