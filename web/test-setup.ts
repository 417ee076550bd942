import { configure } from '@testing-library/react';

/** What a test waits for comes late on a busy machine: its own time limit ends what hangs. */
configure({ asyncUtilTimeout: 15_000 });
