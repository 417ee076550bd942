import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { type Session, SessionContext } from './lib/auth/session.ts';
import { setConfig } from './lib/config.ts';
import type { AppRoute } from './lib/routing.ts';
import { titleOf } from './lib/title.ts';

const modules = import.meta.glob<{ routes: readonly AppRoute[] }>('./features/*/routes.tsx', { eager: true });
const ROUTES = Object.values(modules).flatMap((module) => module.routes);

const refuse = () => {
  throw new Error('nobody is signed in while pages are built');
};

/** What a page knows before it has asked the issuer. */
const UNKNOWN_VISITOR: Session = {
  status: 'loading',
  isExpired: false,
  isLeft: false,
  leave: refuse,
  user: null,
  error: null,
  has: () => false,
  login: refuse,
  logout: refuse,
  retry: refuse,
  userChanged: refuse,
};

/** A public page as HTML. `{{supportEmail}}` is filled in by the server. */
export interface PrerenderedPage {
  readonly title: string;
  readonly description: string;
  readonly html: string;
}

/** Every public page as HTML, and the patterns of all addresses that the application has a page for. */
export async function prerender(): Promise<{
  readonly pages: Readonly<Record<string, PrerenderedPage>>;
  readonly patterns: readonly string[];
}> {
  setConfig({
    issuer: '',
    clientId: '',
    audience: '',
    accountUrl: null,
    productName: PRODUCT_NAME,
    supportEmail: '{{supportEmail}}',
    apiBaseUrl: '',
    isDataSimulated: false,
    dataLabel: null,
    version: null,
  });
  const pages: Record<string, PrerenderedPage> = {};
  for (const route of ROUTES.filter(({ description }) => description !== undefined)) {
    const { default: Page } = await route.load();
    pages[route.path] = {
      title: titleOf(route.title, PRODUCT_NAME),
      description: route.description ?? '',
      html: renderToStaticMarkup(
        <QueryClientProvider client={new QueryClient()}>
          <SessionContext.Provider value={UNKNOWN_VISITOR}>
            <MemoryRouter initialEntries={[route.path]}>
              <Page />
            </MemoryRouter>
          </SessionContext.Provider>
        </QueryClientProvider>,
      ),
    };
  }
  return { pages, patterns: [...ROUTES.map(({ path }) => path), '/login', '/register', '/auth/callback'] };
}
