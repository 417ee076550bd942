import type { ReactNode } from 'react';
import { MarketingFrame } from './MarketingFrame.tsx';

export interface LegalSection {
  readonly title: string;
  readonly body: ReactNode;
}

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** A legal text at 64 characters a line, with its contents at the side. */
export function LegalPage({
  title,
  updated,
  intro,
  sections,
}: {
  title: string;
  updated: string;
  intro: ReactNode;
  sections: readonly LegalSection[];
}) {
  return (
    <MarketingFrame>
      <div className="mx-auto grid w-full max-w-6xl gap-x-16 gap-y-8 px-4 py-12 sm:px-6 lg:grid-cols-[1fr_16rem]">
        <article className="prose-legal">
          <h1>{title}</h1>
          <p className="text-muted">Last updated {updated}</p>
          {intro}
          {sections.map((section, index) => (
            <section key={section.title} aria-labelledby={anchor(section.title)}>
              <h2 id={anchor(section.title)} className="scroll-mt-20">
                {index + 1}. {section.title}
              </h2>
              {section.body}
            </section>
          ))}
        </article>
        <nav aria-label="Contents" className="hidden self-start text-base lg:sticky lg:top-20 lg:block">
          <h2 className="mb-2 font-semibold">Contents</h2>
          <ol className="flex flex-col gap-1">
            {sections.map((section, index) => (
              <li key={section.title}>
                <a href={`#${anchor(section.title)}`} className="text-muted hover:text-ink hover:underline">
                  {index + 1}. {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </div>
    </MarketingFrame>
  );
}
