import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';

/** What a test waits for comes late on a busy machine: its own time limit ends what hangs. */
configure({ asyncUtilTimeout: 15_000 });

// The first touch of a page fetches parts that come later. Where they come after a file's last test, whatever
// file runs then would fail.
afterAll(() => vi.dynamicImportSettled());
