import './styles.css';
import { createApiClient } from '@quantloom/domain/contracts/http/client';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { setApi } from '../lib/api.ts';
import { auth0Options } from '../lib/auth/auth0.ts';
import { createTokenSource } from '../lib/auth/token-source.ts';
import { loadConfig, setConfig } from '../lib/config.ts';
import { startTheme } from '../lib/theme.ts';
import { App } from './App.tsx';
import { keepFirstPaint } from './FirstPaint.tsx';
import { preloadPage } from './router.tsx';

startTheme();
preloadPage(window.location.pathname);
const host = document.getElementById('root');
if (host === null) throw new Error('index.html has no #root');
keepFirstPaint(host);

try {
  const config = await loadConfig();
  setConfig(config);
  const tokens = createTokenSource();
  setApi(
    createApiClient({ baseUrl: config.apiBaseUrl, accessToken: (options) => tokens.accessToken(options) }),
  );
  const root = createRoot(host);
  // As a transition it is rendered in slices: a public page that is already there can be scrolled and read meanwhile.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App auth0={auth0Options(config)} tokens={tokens} />
      </StrictMode>,
    ),
  );
} catch (error) {
  console.error('The application could not start', error);
  createRoot(host).render(
    <main className="mx-auto max-w-md px-4 py-24 text-center">
      <h1 className="text-xl font-semibold">The application could not start</h1>
      <p className="mt-2 text-muted">The server did not answer as expected. Your work is safe there.</p>
      <button
        type="button"
        className="mt-4 h-8 rounded bg-brand px-3 font-medium text-on-brand"
        onClick={() => window.location.reload()}
      >
        Try again
      </button>
    </main>,
  );
}
