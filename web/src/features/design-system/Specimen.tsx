import type { ReactNode } from 'react';

/** A part of the page with a heading that can be linked to. */
export function Specimen({ title, rule, children }: { title: string; rule?: string; children: ReactNode }) {
  const id = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return (
    <section aria-labelledby={id} className="scroll-mt-6 border-t border-line pt-6">
      <h2 id={id} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {rule && <p className="mb-4 max-w-[72ch] text-muted">{rule}</p>}
      <div className="flex flex-col gap-4">{children}</div>
    </section>
  );
}

/** Specimens side by side. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}
