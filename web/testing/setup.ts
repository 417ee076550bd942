import { configure } from '@testing-library/react';
import { afterAll, beforeAll, vi } from 'vitest';
import { queryClient } from '../src/lib/api.ts';
import { toastQueue } from '../src/ui/toast.tsx';

/** What a test waits for comes late on a busy machine: its own time limit ends what hangs. */
configure({ asyncUtilTimeout: 15_000 });

// Files share their modules: nothing that one has left is there for the next.
beforeAll(() => {
  queryClient.clear();
  toastQueue.take();
  localStorage.clear();
  sessionStorage.clear();
});

// The first touch of a page fetches parts that come later. Where they come after a file's last test, whatever
// file runs then would fail.
afterAll(() => vi.dynamicImportSettled());
