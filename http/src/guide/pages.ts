import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';
import { type GuidePicture, pictureElement, readPictures } from './pictures.ts';

/** Folder of the guide's texts, the same files that readers of the repository see. */
export const GUIDE_FOLDER = path.resolve(import.meta.dirname, '../../../docs/guide');

/** A piece of a page under one heading, as the search finds it. */
export interface GuideSection {
  /** Anchor of the heading; empty for what stands before the first one. */
  readonly anchor: string;
  readonly heading: string;
  /** Plain text. */
  readonly text: string;
}

export interface GuidePage {
  /** Name of the file without its ending; `index` is the first page. */
  readonly slug: string;
  readonly title: string;
  /** First sentence of the page, for search engines. */
  readonly description: string;
  /** HTML of everything, the title included. */
  readonly html: string;
  readonly sections: readonly GuideSection[];
}

/** Anchor of a heading: lower case words joined by hyphens. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
}

const guideAddress = (slug: string) => (slug === 'index' ? '/docs' : `/docs/${slug}`);

/** `page.md#part` of the files becomes the address of that page; other addresses stay. */
export function addressOfLink(href: string): string {
  const match = /^([a-z-]+)\.md(#.*)?$/.exec(href);
  return match === null ? href : `${guideAddress(match[1] ?? 'index')}${match[2] ?? ''}`;
}

function createRenderer(pictures: ReadonlyMap<string, GuidePicture>): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index) => {
    const token = tokens[index];
    const anchor = anchorOf(tokens[index + 1]?.content ?? '');
    return `<${token?.tag ?? 'h2'} id="${anchor}">`;
  };
  rules.heading_close = (tokens, index) => {
    const tag = tokens[index]?.tag ?? 'h2';
    const anchor = anchorOf(tokens[index - 1]?.content ?? '');
    const link =
      tag === 'h1' ? '' : `<a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a>`;
    return `${link}</${tag}>\n`;
  };
  rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    token?.attrSet('href', addressOfLink(String(token.attrGet('href') ?? '')));
    return self.renderToken(tokens, index, options);
  };
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const alt = self.renderInlineAsText(token?.children ?? [], options, env);
    return pictureElement(pictures, { src: String(token?.attrGet('src') ?? ''), alt });
  };
  rules.table_open = () => '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></div>\n';
  return markdown;
}

function sectionsOf(markdown: Markdown, text: string): GuideSection[] {
  const sections: { anchor: string; heading: string; text: string }[] = [];
  let isHeading = false;
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'heading_open') {
      isHeading = true;
      continue;
    }
    if (token.type === 'heading_close') isHeading = false;
    if (token.type !== 'inline' && token.type !== 'fence') continue;
    const plain =
      token.type === 'fence'
        ? token.content
        : (token.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
    if (isHeading) sections.push({ anchor: anchorOf(token.content), heading: plain, text: '' });
    else {
      const last = sections.at(-1);
      if (last) last.text += `${last.text ? ' ' : ''}${plain}`;
    }
  }
  return sections;
}

/** The pages' names, as they stand in their addresses. */
export function guideSlugs(folder: string = GUIDE_FOLDER): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []));
}

/** Pictures that pages show, beside their texts. */
export const readGuidePictures = (folder: string = GUIDE_FOLDER): ReadonlyMap<string, GuidePicture> =>
  readPictures(path.join(folder, 'pictures'));

/** All pages of the guide, in the order in which the first page links to them. */
export function readGuide(
  folder: string = GUIDE_FOLDER,
  pictures: ReadonlyMap<string, GuidePicture> = readGuidePictures(folder),
): readonly GuidePage[] {
  const markdown = createRenderer(pictures);
  const pages = guideSlugs(folder).map((slug): GuidePage => {
    const text = readFileSync(path.join(folder, `${slug}.md`), 'utf8');
    const sections = sectionsOf(markdown, text);
    const [first] = sections;
    if (!first) throw new Error(`docs/guide/${slug}.md has no title`);
    const description = /^.*?[.!?](?=\s|$)/.exec(first.text)?.[0] ?? first.text;
    return {
      slug,
      title: first.heading,
      description: description === '' ? first.heading : description,
      html: markdown.render(text),
      sections,
    };
  });
  const index = pages.find(({ slug }) => slug === 'index');
  if (!index) throw new Error('docs/guide/index.md is missing');
  const order = [...index.html.matchAll(/href="\/docs\/([a-z-]+)"/g)].map((match) => match[1]);
  const rank = ({ slug }: GuidePage) =>
    slug === 'index' ? -1 : order.includes(slug) ? order.indexOf(slug) : order.length;
  return pages.sort((a, b) => rank(a) - rank(b) || a.slug.localeCompare(b.slug));
}
