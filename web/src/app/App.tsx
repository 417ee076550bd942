import type { Auth0ProviderWithConfigOptions } from '@auth0/auth0-react';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '../lib/api.ts';
import { SessionProvider } from '../lib/auth/SessionProvider.tsx';
import type { TokenSource } from '../lib/auth/token-source.ts';
import { ToastHost } from '../ui/ToastHost.tsx';
import { TooltipHost } from '../ui/Tooltip.tsx';
import { createAppRouter } from './router.tsx';

/** Providers around the router. */
export function App({ auth0, tokens }: { auth0: Auth0ProviderWithConfigOptions; tokens: TokenSource }) {
  const [router] = useState(createAppRouter);
  const navigate = useCallback((path: string) => void router.navigate(path, { replace: true }), [router]);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <SessionProvider options={auth0} tokens={tokens} navigate={navigate}>
          <RouterProvider router={router} />
          <TooltipHost />
          <ToastHost />
        </SessionProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
