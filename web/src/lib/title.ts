import { useEffect } from 'react';
import { config } from './config.ts';

/** `Drafts | Quantloom`; the product name alone without a title. */
export function titleOf(title: string | null | undefined, productName: string): string {
  return title ? `${title} | ${productName}` : productName;
}

/** Sets the page title while the component is mounted. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    document.title = titleOf(title, config().productName);
  }, [title]);
}

/** Sets the page's description for search engines and previews. */
export function useDescription(description: string | undefined): void {
  useEffect(() => {
    if (description === undefined) return;
    const tags = [
      ...document.querySelectorAll<HTMLMetaElement>(
        'meta[name=description], meta[property="og:description"]',
      ),
    ];
    const before = tags.map((tag) => tag.content);
    for (const tag of tags) tag.content = description;
    return () => {
      tags.forEach((tag, index) => {
        tag.content = before[index] ?? '';
      });
    };
  }, [description]);
}
